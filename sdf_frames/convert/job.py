"""What the steps of one conversion share: what has been decided, what is made, and what is said of it."""
from __future__ import annotations

from dataclasses import dataclass, field

from sdf_frames.convert.emit_parts import NumberTexts, put_only
from sdf_frames.convert.extensions import Extensions, Setting
from sdf_frames.convert.fates import Destination
from sdf_frames.convert.lump import LumpedRobot
from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.places import Places
from sdf_frames.convert.report import DROPPED, Row
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.numbers import format_number, read_number, read_vector
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import Inertial, Joint, Robot


@dataclass(slots=True)
class Output:
    """The SDF that grows.

    Attributes
    ----------
    model : its ``<model>``.
    inertials : names of the links, and what has been written for them.
    carried : elements that ``<gazebo>`` has as they are, or whose value it gives and SDF may refuse.
    taken : names in use by link and tag, where something has been carried over.
    needs : SDF version -> the first content that takes it.
    scoped : elements carried over that have :: in their names, which SDF 1.7 is the last to allow.
    """

    model: Element
    numbers: NumberTexts = field(default_factory=NumberTexts)
    inertials: list[tuple[str, Inertial]] = field(default_factory=list)
    carried: list[Element] = field(default_factory=list)
    taken: dict[tuple[str | None, str], set[str]] = field(default_factory=dict)
    needs: dict[str, str] = field(default_factory=dict)
    scoped: list[Element] = field(default_factory=list)

    def put_setting(self, parent: Element, tag: str, text: str, line: int | None) -> None:
        """An element whose value ``<gazebo>`` gives and SDF may refuse, in place of one of that tag."""
        self.carried.append(put_only(parent, tag, text, line))

    def need(self, version: str, content: str) -> None:
        """Note that `content` takes an SDF version."""
        self.needs.setdefault(version, content)


@dataclass(frozen=True, slots=True)
class Job:
    """One conversion: what has been decided about the robot, and the rows and findings that it gathers.

    Attributes
    ----------
    link_names : by index, the links' names in SDF.
    joint_names : new names of the joints that have one.
    joints : the URDF's joints by name.
    destinations : what each reference of ``<gazebo>`` means in the SDF.
    """

    robot: Robot
    options: ConvertOptions
    extensions: Extensions
    tree: LumpedRobot
    link_names: list[str]
    joint_names: dict[str, str]
    joints: dict[str, Joint]
    destinations: dict[str, Destination]
    places: Places
    out: Output
    rows: list[Row]
    found: list[Diagnostic]

    def joint_name(self, name: str) -> str:
        """A joint's name in SDF."""
        return self.joint_names.get(name, name)

    def report(self, name: str, at: Location, **fields: object) -> None:
        """Add a finding."""
        self.found.append(diagnose(name, at, **fields))  # type: ignore[arg-type]

    def read_number(self, key: str, setting: Setting) -> str | None:
        """Text of the number of a setting, for ``fdir1`` of the vector; None, with a finding, if it holds none."""
        if setting.tag == "fdir1":
            text = None if read_vector(setting.value, 3) is None else setting.value
        else:
            value = read_number(setting.value)  # as C's stod reads it
            text = None if value is None or value != value else format_number(value)
        if text is None:
            self.report("extension-value-malformed", self.places.at_gazebo(key, setting.tag, setting.line),
                        tag=setting.tag,
                        text=setting.value, called=key)
            self.rows.append(Row(setting.tag, key, DROPPED, None, setting.line, "not a number"))
        return text
