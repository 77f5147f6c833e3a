"""Reading ``<gazebo>``: settings and whole elements for a link, a joint or the model."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.convert.report import DROPPED, KEPT, Row, row_kind
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import Robot

MODEL = ""  # the key of <gazebo> without a reference

# What each setting is about. Everything else is an element to be carried over as it is.
_ABOUT = {
    "material": "visual",
    "mu1": "collision", "mu2": "collision", "fdir1": "collision", "kp": "collision", "kd": "collision",
    "maxVel": "collision", "minDepth": "collision", "laserRetro": "collision", "maxContacts": "collision",
    "turnGravityOff": "link", "dampingFactor": "link", "selfCollide": "link",
    "stopCfm": "joint", "stopErp": "joint", "springReference": "joint", "springStiffness": "joint",
    "provideFeedback": "joint", "implicitSpringDamper": "joint", "cfmDamping": "joint", "fudgeFactor": "joint",
    "static": "model", "canonicalBody": "nothing",
    "disableFixedJointLumping": "lumping", "preserveFixedJoint": "lumping",
}


_KEEP_JOINT = ("disableFixedJointLumping", "preserveFixedJoint")
STEERS = "steers the lumping"
_OVERRIDDEN = "a later one counts"
_IN_SURFACE = frozenset(("mu1", "mu2", "fdir1", "kp", "kd", "maxVel", "minDepth"))
_AS_SETTING = {"max_contacts": "maxContacts", "laser_retro": "laserRetro"}


class Setting(NamedTuple):
    tag: str
    value: str
    line: int


class Extension(NamedTuple):
    """One ``<gazebo>`` element.

    ``link``, ``joint``, ``collision``, ``visual`` and ``model`` hold its settings by what they are about (the last of
    a tag counts), ``collision_elements`` and ``visual_elements`` elements for each collision and visual of the link,
    ``elements`` elements for the link, joint or model itself. Elements belong to the URDF: copy, do not move. ``rows``
    says what becomes of what is none of these: what steers the lumping, and what a later element overrides.
    """

    key: str
    line: int
    link: dict[str, Setting]
    joint: dict[str, Setting]
    collision: dict[str, Setting]
    visual: dict[str, Setting]
    model: dict[str, Setting]
    collision_elements: list[Element]
    visual_elements: list[Element]
    elements: list[Element]
    rows: list[Row]


class Extensions(NamedTuple):
    """All of a robot's: by key in document order, and the fixed joints that are not to be lumped.

    `held` is every such joint; those in `disabled` become revolute joints locked at zero, the others stay fixed.
    """

    by_key: dict[str, list[Extension]]
    held: set[str]
    disabled: set[str]


def is_true(value: str) -> bool:
    """As libsdformat reads switches: ``true`` and ``yes`` in any case, and ``1``."""
    return value.lower() in ("true", "yes") or value == "1"


def is_false(value: str) -> bool:
    return value.lower() in ("false", "no") or value == "0"


def read_extensions(robot: Robot) -> Extensions:
    """Read the ``<gazebo>`` elements of `robot`."""
    by_key: dict[str, list[Extension]] = {}
    for element in robot.gazebo:
        key = element.get("reference", MODEL)
        by_key.setdefault(key, []).append(_read_extension(element, key, robot.name))
    held: dict[str, set[str]] = {tag: set() for tag in _KEEP_JOINT}
    for key, extensions in by_key.items():
        for row in [row for extension in extensions for row in extension.rows if row.reason == STEERS]:
            held[row.element].add(key)
        _drop_overridden(extensions, key or robot.name)
    disabled = held["disableFixedJointLumping"] - held["preserveFixedJoint"]
    return Extensions(by_key, disabled | held["preserveFixedJoint"], disabled)


def _read_extension(element: Element, key: str, robot: str) -> Extension:
    extension = Extension(key, element.sourceline, {}, {}, {}, {}, {}, [], [], [], [])
    for child in element:
        tag = child.tag
        group = _ABOUT.get(tag)
        if group == "visual" and len(child):
            # Not a script's name but an SDF material, one level too high: it is clear what is meant.
            extension.visual_elements.append(child)
        elif group is not None:
            _read_setting(child, group, extension, key or robot)
        elif tag in ("collision", "visual"):
            elements = extension.collision_elements if tag == "collision" else extension.visual_elements
            elements += [part for part in child if isinstance(part.tag, str)]
        elif isinstance(tag, str):
            extension.elements.append(child)
    return extension


def _read_setting(element: Element, group: str, extension: Extension, called: str) -> None:
    """A setting to its group; what means nothing, or steers the lumping, to the rows."""
    tag, line, rows = element.tag, element.sourceline, extension.rows
    value = element.get("value")
    value = (element.text or "" if value is None else value).strip()
    if group == "lumping":
        rows.append(Row(tag, called, KEPT, None, line, STEERS if is_true(value) else "false, as by default"))
    elif group == "nothing":
        rows.append(Row(tag, called, DROPPED, None, line, "of no effect"))
    else:
        settings = getattr(extension, group)
        same = "implicitSpringDamper" if tag == "cfmDamping" else tag  # two names of one
        # A tag that comes again takes the later place, too.
        if (earlier := settings.pop(same, None)) is not None:
            rows.append(Row(earlier.tag, called, DROPPED, None, earlier.line, _OVERRIDDEN))
        if value or tag not in ("fdir1", "material"):
            settings[same] = Setting(tag, value, line)
        else:
            rows.append(Row(tag, called, DROPPED, None, line, "it is empty"))


def _drop_overridden(extensions: list[Extension], called: str) -> None:
    """Take out of the extensions of one reference what a later one of them, or a setting beside it, overrides."""
    taken: set[str] = set()
    for extension in reversed(extensions):
        rows = extension.rows
        for group in (extension.link, extension.joint, extension.collision, extension.visual, extension.model):
            for earlier in [group.pop(tag) for tag in list(group) if tag in taken]:
                rows.append(Row(earlier.tag, called, DROPPED, None, earlier.line, _OVERRIDDEN))
            taken.update(group)
        for elements, whole, parts in ((extension.collision_elements, "surface", _IN_SURFACE),
                                       (extension.visual_elements, "material", ("material",))):
            for element in elements[::-1]:
                tag = element.tag
                if (tag == whole and whole + "/" in taken) or _AS_SETTING.get(tag) in taken:
                    elements.remove(element)
                    rows.append(Row(row_kind(tag), called, DROPPED, None, element.sourceline, _OVERRIDDEN))
                elif tag == whole:
                    taken.add(whole + "/")
                    taken.update(parts)
