"""What the steps of one conversion share."""
from __future__ import annotations

from sdf_frames.convert.emit_parts import NumberTexts, put_only
from sdf_frames.convert.extensions import Extensions, Setting
from sdf_frames.convert.lump import LumpedRobot
from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.numbers import format_number, read_number, read_vector
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import Inertial, Robot


class Job:
    """One conversion under way: what it reads, and the rows and findings that it gathers.

    Attributes
    ----------
    link_names : by index, the links' names in SDF.
    joint_names : new names of the joints that have one.
    model : the ``<model>`` that grows.
    inertials : names of the SDF links, and what has been written for them.
    joints : the URDF's joints by name.
    taken : names in use by SDF link and tag, where something has been carried over.
    carried : elements of the SDF that ``<gazebo>`` has as they are, or whose value it gives.
    needs : SDF version -> the first content that takes it.
    scoped : elements carried over that have :: in their names, which SDF 1.7 is the last to allow.
    """

    __slots__ = ("robot", "options", "tree", "extensions", "link_names", "joint_names", "model", "numbers", "rows",
                 "found", "needs", "scoped", "base", "joints", "taken", "inertials", "carried", "_settings",
                 "_blocks", "_numbers")

    def __init__(self, robot: Robot, options: ConvertOptions, extensions: Extensions, tree: LumpedRobot,
                 link_names: list[str], joint_names: dict[str, str], model: Element, found: list[Diagnostic]):
        self.robot, self.options, self.tree, self.extensions = robot, options, tree, extensions
        self.link_names, self.joint_names, self.model = link_names, joint_names, model
        self.numbers = NumberTexts()
        self.rows: list[Row] = []
        self.found = found
        self.inertials: list[tuple[str, Inertial]] = []
        self.carried: list[Element] = []
        self.needs: dict[str, str] = {}
        self.scoped: list = []
        self.joints = {joint.name: joint for joint in robot.joints}
        self.taken: dict[tuple[str, str], set[str]] = {}
        self._settings: dict[int, str | None] = {}
        self._blocks: dict[str, list[tuple]] | None = None
        self._numbers: dict[str, dict[int, int | None]] = {}
        self.base = f'/robot[@name="{robot.name}"]'

    def joint_name(self, name: str) -> str:
        """A joint's name in SDF."""
        return self.joint_names.get(name, name)

    def at(self, kind: str, name: str, line: int | None) -> Location:
        """The place of a link or joint in the URDF."""
        return Location(self.robot.file, line, f'{self.base}/{kind}[@name="{name}"]')

    def gazebo_at(self, key: str, tag: str, line: int | None) -> Location:
        """The place of a child of ``<gazebo>``; where several have that reference, the block's number among them."""
        reference = f'[@reference="{key}"]' if key else ""
        if (numbers := self._numbers.get(key)) is None:
            numbers = self._numbers[key] = self._number_blocks(key)
        number = numbers.get(line)
        return Location(self.robot.file, line, f"{self.base}/gazebo{reference}{f'[{number}]' if number else ''}/{tag}")

    def _number_blocks(self, key: str) -> dict[int, int | None]:
        """Which block of reference `key` has a line, from 1; of those without a reference which of all, as XPath counts. None
        where a line has several; nothing where there is but one block."""
        blocks = self._blocks
        if blocks is None:
            blocks = self._blocks = {}
            for position, block in enumerate(self.robot.gazebo, 1):
                same = blocks.setdefault(block.get("reference", ""), [])
                same.append((block, len(same) + 1 if block.get("reference") else position))
        same, numbers = blocks.get(key, ()), {}
        if len(same) > 1 or (not key and len(self.robot.gazebo) > 1):
            for block, number in same:
                for line in {element.sourceline for element in block.iter()}:
                    numbers[line] = None if line in numbers else number
        return numbers

    def report(self, name: str, at: Location, **fields) -> None:
        """Add a finding."""
        self.found.append(diagnose(name, at, **fields))

    def put_setting(self, parent: Element, tag: str, text: str, line: int | None) -> None:
        """An element with a value that ``<gazebo>`` gives, in place of one of that tag."""
        self.carried.append(put_only(parent, tag, text, line))

    def need(self, version: str, content: str) -> None:
        """Note that `content` takes an SDF version."""
        self.needs.setdefault(version, content)

    def setting_number(self, key: str, setting: Setting) -> str | None:
        """Text of the number, for ``fdir1`` of the vector, that a setting for `key` holds; None, with one finding, where it holds none."""
        # Read as C's stod does, once a setting, though it may be for many shapes.
        if id(setting) in self._settings:
            return self._settings[id(setting)]
        if setting.tag == "fdir1":
            text = None if read_vector(setting.value, 3) is None else setting.value
        else:
            value = read_number(setting.value)
            text = None if value is None or value != value else format_number(value)
        self._settings[id(setting)] = text
        if text is None:
            self.report("extension-value-malformed", self.gazebo_at(key, setting.tag, setting.line), tag=setting.tag,
                        text=setting.value, called=key)
            self.rows.append(Row(setting.tag, key, "dropped", None, setting.line, "not a number"))
        return text
