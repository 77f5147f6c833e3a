"""The shared state of the steps of one conversion: its decisions, and its report."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sdf_frames.convert.destinations import Share, find_destinations
from sdf_frames.convert.extensions import RANKS, Extensions, Setting
from sdf_frames.convert.fates import Value
from sdf_frames.convert.lump import LinkTree, Lumping
from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.report import Account
from sdf_frames.convert.sdf_names import Names, name_shape
from sdf_frames.diagnostics import Comparisons, Diagnostic
from sdf_frames.document.budget import Spending
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.numbers import write_number
from sdf_frames.document.places import Starts
from sdf_frames.urdf.model import NO_ORIGIN, Collision, Origin, Robot, Visual

#: The file of the materials that a URDF can name: those of Gazebo Classic.
SCRIPTS = "file://media/materials/scripts/gazebo.material"
#: Poses of links that one conversion compares with those of sensors.
MOST_LOOKS = 200_000


class NumberTexts(dict[float, str]):
    """Texts of numbers. Each is made once, because a robot repeats a few numbers. `finite`: whether all were finite."""

    finite = True

    def __missing__(self, value: float) -> str:
        if value - value != 0.0:
            self.finite = False
        text = self[value] = write_number(value)
        return text

    def join(self, values: Iterable[float]) -> str:
        """Return the texts of `values`, separated by spaces."""
        return " ".join([self[v] for v in values])

    def pose(self, origin: Origin) -> str:
        """Return ``x y z roll pitch yaw``."""
        if origin is NO_ORIGIN:
            return "0 0 0 0 0 0"
        (x, y, z), (r, p, w) = origin
        return f"{self[x]} {self[y]} {self[z]} {self[r]} {self[p]} {self[w]}"


class NamedShape(NamedTuple):
    """The name of a shape in the SDF, the shape, the index of its link in the URDF, and its place there, from 0."""

    name: str
    shape: Visual | Collision
    link: int
    place: int


class CollisionNames(NamedTuple):
    """The SDF names of the collisions of a body.

    Attributes
    ----------
    now : all of them.
    first : by the name that a collision would have without lumping, and by its URDF name; of several, the first.
    of_link : the same, by the index of the URDF link that the collision comes from and such a name.
    """

    now: set[str]
    first: dict[str, str]
    of_link: dict[tuple[int, str], str]


class Job(Account):
    """One conversion: the decisions about the robot, and the rows and findings.

    Attributes
    ----------
    destinations : the meaning of each reference of ``<gazebo>`` in the SDF.
    needs : by SDF version, the first content that needs it, and the element with this content.
    scoped : copied elements with ``::`` in their names; SDF 1.7 is the last version that allows such names.
    starts : the origin of elements of the SDF in the URDF, if it is not that of the element around them.
    comparisons : how many names may still be compared for hints.
    looks : how many poses of links may still be compared with poses of sensors.
    spending : the spent part of the budget.
    collisions : the names of collisions by body; made for the first contact sensor of each body.
    replaced : elements of the URDF that later content of their ``<gazebo>`` elements replaces.
    carried : elements of the URDF that :mod:`.carried_content` carries; of some, only the named attribute.
    consequences : see :class:`~sdf_frames.convert.urdf_to_sdf.Conversion`.
    """

    def __init__(self, robot: Robot, options: ConvertOptions, extensions: Extensions, lumping: Lumping, names: Names,
                 found: Iterable[Diagnostic]):
        super().__init__(found)
        self.robot, self.options, self.extensions = robot, options, extensions
        self.lumping, self.names = lumping, names
        self.destinations = find_destinations(robot, extensions, lumping)
        self.starts: Starts = {}
        self.needs: dict[str, tuple[str, Element | None]] = {}
        self.scoped: list[Element] = []
        self.numbers, self.spending = NumberTexts(), Spending(options.budget)
        self.comparisons, self.looks = Comparisons(), Comparisons(MOST_LOOKS)
        self.collisions: dict[int, CollisionNames] = {}
        self.replaced: set[Element] = set()
        self.carried: set[tuple[Element, str]] = set()
        negative = [link.name for link in robot.links if link.inertial is not None and link.inertial.mass < 0.0]
        self.consequences: dict[str, str | None] = dict.fromkeys([*dict(robot.unread_masses), *negative], "")

    @property
    def tree(self) -> LinkTree:
        """The links of the URDF as a tree."""
        return self.lumping.tree

    def shares(self, key: str) -> list[Share]:
        """Return the divided ``<gazebo>`` elements that refer to `key`."""
        to = self.destinations.get(key)
        return [] if to is None else to.shares

    def name_shapes(self, i: int, kind: str) -> Iterator[NamedShape]:
        """Name the collisions or visuals that link `i` carries: its own, and those of the links lumped into it."""
        count, links = 0, self.names.links
        for k in self.lumping.parts[i]:
            link = self.tree.links[k]
            shapes: tuple[Visual | Collision, ...] = link.visuals if kind == "visual" else link.collisions
            for place, shape in enumerate(shapes):
                yield NamedShape(name_shape(links[i], shape.name or links[k], kind, count), shape, k, place)
                count += 1

    def need(self, version: str, content: str, at: Element | None) -> None:
        """Record that `content` needs an SDF version."""
        self.needs.setdefault(version, (content, at))

    def spend_elements(self, count: int, at: Element | None) -> bool:
        """Count elements that are copied once more; return whether the limit allows them, and report the first excess.
        """
        within = self.spending.spend("elements", count)
        self.found.extend(self.spending.report(locate(at)))
        return within

    def read_setting(self, setting: Setting) -> list[Value] | None:
        """Return the content that a setting sets in the SDF; None, with a finding and a row, for an invalid text."""
        kind = setting.kind
        text = kind.read(setting.value)
        if text is None:
            self.report("extension-value-malformed", locate(setting.element), tag=setting.tag,
                        text=setting.value, called=setting.key, wanted=kind.wanted)
            self.tell(setting.tag, setting.key, "dropped", None, setting.element, f"not {kind.wanted}")
            return None
        rank, checked = RANKS[setting.tag], kind.about == "collision"  # the numbers for which SDF has bounds
        values = [Value(rank, kind.around, tag, text, setting.element, checked) for tag in kind.tags]
        if kind.about == "visual":
            values.append(Value(rank, kind.around, "uri", SCRIPTS, setting.element))
        return values

