"""Reading ``<gazebo>``: settings and whole elements for a link, a joint or the model."""
from __future__ import annotations

from types import MappingProxyType
from typing import Mapping, NamedTuple

from sdf_frames.convert.report import row_kind
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


STEERS = "steers the lumping"
_OVERRIDDEN = "a later one counts"
_IN_SURFACE = frozenset(("mu1", "mu2", "fdir1", "kp", "kd", "maxVel", "minDepth"))
_AS_SETTING = {"max_contacts": "maxContacts", "laser_retro": "laserRetro"}


_UNSET: Mapping[str, Setting] = MappingProxyType({})


class Setting(NamedTuple):
    tag: str
    value: str
    line: int


class Extension(NamedTuple):
    """One ``<gazebo>`` element.

    ``link``, ``joint``, ``collision``, ``visual`` and ``model`` hold its settings by what they are about (the last of
    a tag counts), ``collision_blobs`` and ``visual_blobs`` elements for each collision and visual of the link,
    ``blobs`` elements for the link, joint or model itself. Elements belong to the URDF: copy, do not move. ``settled``
    has (tag, line, action, reason) for the report of what is none of these: what steers the lumping, and what a later
    element of the same reference overrides.
    """

    key: str
    line: int
    link: Mapping[str, Setting]
    joint: Mapping[str, Setting]
    collision: Mapping[str, Setting]
    visual: Mapping[str, Setting]
    model: Mapping[str, Setting]
    collision_blobs: list[Element]
    visual_blobs: list[Element]
    blobs: list[Element]
    settled: list[tuple]


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
    disabled, preserved = set(), set()
    about = _ABOUT.get
    for element in robot.gazebo:
        key = element.get("reference", MODEL)
        groups: dict[str, dict[str, Setting]] = {}
        collision_blobs, visual_blobs, blobs, settled = [], [], [], []
        for child in element:
            tag = child.tag
            if (group := about(tag)) is not None:
                if tag == "material" and len(child):
                    # Not a script's name but an SDF material, one level too high: it is clear what is meant.
                    visual_blobs.append(child)
                    continue
                value = child.get("value")
                if value is None:
                    value = child.text or ""
                value = value.strip()
                line = child.sourceline
                if group == "lumping":
                    if is_true(value):
                        (preserved if tag == "preserveFixedJoint" else disabled).add(key)
                    settled.append((tag, line, "kept", STEERS if is_true(value) else "false, as by default"))
                elif group == "nothing":
                    settled.append((tag, line, "dropped", "of no effect"))
                else:
                    # A tag that comes again takes the later place, too.
                    key_tag = "implicitSpringDamper" if tag == "cfmDamping" else tag  # two names of one
                    settings = groups.setdefault(group, {})
                    if (earlier := settings.pop(key_tag, None)) is not None:
                        settled.append((earlier.tag, earlier.line, "dropped", _OVERRIDDEN))
                    if value or tag not in ("fdir1", "material"):
                        settings[key_tag] = Setting(tag, value, line)
                    else:
                        settled.append((tag, line, "dropped", "it is empty"))
            elif tag == "collision":
                collision_blobs += [c for c in child if isinstance(c.tag, str)]
            elif tag == "visual":
                visual_blobs += [c for c in child if isinstance(c.tag, str)]
            elif isinstance(tag, str):
                blobs.append(child)
        get = groups.get
        by_key.setdefault(key, []).append(Extension(
            key, element.sourceline, get("link", _UNSET), get("joint", _UNSET), get("collision", _UNSET), get("visual", _UNSET),
            get("model", _UNSET), collision_blobs, visual_blobs, blobs, settled))
    for records in by_key.values():
        _settle(records)
    disabled -= preserved
    return Extensions(by_key, disabled | preserved, disabled)


def _settle(records: list[Extension]) -> None:
    """Take out of the records of one reference what a later one of them, or a setting beside it, overrides."""
    taken: set[str] = set()
    for record in reversed(records):
        settled = record.settled
        for group in (record.link, record.joint, record.collision, record.visual, record.model):
            if group:
                for tag in [tag for tag in group if tag in taken]:
                    earlier = group.pop(tag)
                    settled.append((earlier.tag, earlier.line, "dropped", _OVERRIDDEN))
                taken.update(group)
        if not record.collision_blobs and not record.visual_blobs:
            continue
        for blobs, whole, parts in ((record.collision_blobs, "surface", _IN_SURFACE), (record.visual_blobs, "material", ("material",))):
            for blob in blobs[::-1]:
                tag = blob.tag
                if tag == whole and whole + "/" in taken or _AS_SETTING.get(tag) in taken:
                    blobs.remove(blob)
                    settled.append((row_kind(tag), blob.sourceline, "dropped", _OVERRIDDEN))
                elif tag == whole:
                    taken.add(whole + "/")
                    taken.update(parts)
