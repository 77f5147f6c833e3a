"""The additions of later versions of URDF, and how urdfdom treats content that is read here in any case.

URDF 1.1 came with urdfdom 5.1, URDF 1.2 with urdfdom 6.0. A file without a version is URDF 1.0.
Source: urdfdom 6.0, by trial.
"""
from __future__ import annotations

import re
from typing import NamedTuple

from sdf_frames.document.elements import Element

Version = tuple[int, int]

VERSIONS = ("1.0", "1.1", "1.2")
OLDEST: Version = (1, 0)
#: Since this version, limits need lower and upper, in order, but not effort and velocity; sizes must be positive.
CHECKED: Version = (1, 2)
_WRITTEN = re.compile(r"0*1\.0*([012])")
_IGNORED = "urdfdom ignores it"
DROPPED = "urdfdom drops this shape, and all that follow it in the link"


class Newer(NamedTuple):
    """`before` is what urdfdom does with it in an earlier file, `instead` what such a file can use."""

    since: Version
    before: str
    instead: str


#: By parent and child, or by element and @attribute.
NEWER = {
    ("origin", "@quat_xyzw"): Newer((1, 1), _IGNORED, "or give the rotation as rpy"),
    ("geometry", "capsule"): Newer((1, 1), DROPPED, "or write a cylinder and two spheres"),
    **{("limit", f"@{name}"): Newer((1, 2), _IGNORED, "or remove it")
       for name in ("acceleration", "deceleration", "jerk")},
}
# What urdfdom drops or refuses if a blank follows a single number, by element.
REFUSED = "urdfdom refuses the file"
_INERTIAL_DROPPED = "urdfdom drops this <inertial>, and the shapes of the link"
_TENSOR_DROPPED = "urdfdom makes the tensor zero, keeps the mass, and drops the shapes of the link"
AFTER_BLANK = {
    "sphere": DROPPED, "cylinder": DROPPED, "capsule": DROPPED, "mass": _INERTIAL_DROPPED,
    "inertia": _TENSOR_DROPPED, "limit": REFUSED, "dynamics": REFUSED, "mimic": REFUSED,
    "safety_controller": REFUSED, "calibration": REFUSED}
# The same for a line break or tab between numbers, by element; for an <origin>, by the element around it.
AFTER_BREAK = {"axis": REFUSED, "box": DROPPED, "mesh": DROPPED, "joint": REFUSED, "visual": DROPPED,
               "collision": DROPPED, "inertial": _INERTIAL_DROPPED}


class Judged(NamedTuple):
    """The problem of a child or attribute, its consequence in urdfdom, what to do, and whether it is read here."""

    problem: str
    consequence: str
    remedy: str
    is_read: bool


def read_version(text: str | None) -> Version | None:
    """Read the version attribute of a ``<robot>``; None if there is no such version."""
    if text is None:
        return OLDEST
    found = _WRITTEN.fullmatch(text)
    return (1, int(found[1])) if found else None


def write_version(version: Version) -> str:
    """Return a version as it is written in ``<robot>``."""
    return ".".join(map(str, version))


def version_of(element: Element) -> Version:
    """Return the version of the robot that an element belongs to; the oldest if the version is missing or unknown."""
    root = element.getroottree().getroot()
    return read_version(root.get("version")) or OLDEST


def is_too_new(element: Element, what: str) -> bool:
    """Return whether a child or @attribute of `element` is of a later version than its file."""
    return (newer := NEWER.get((element.tag, what))) is not None and version_of(element) < newer.since


def ends_with_blank(element: Element) -> bool:
    """Return whether one of the attributes is of a later version than the file."""
    return any(value[-1:].isspace() for value in element.values())


def judge_known(element: Element, what: str) -> Judged | None:
    """Check a child or @attribute that URDF defines; return None if urdfdom reads it as it is read here."""
    if is_too_new(element, what):
        newer = NEWER[element.tag, what]
        wanted, written = write_version(newer.since), write_version(version_of(element))
        return Judged(f"it came with URDF {wanted}, and this file is URDF {written}", newer.before,
                      f'write version="{wanted}" in <robot>, {newer.instead}', what[0] != "@")
    if what == "@quat_xyzw" and not re.search("[1-9]", re.sub(r"[eE]\S*", "", element.get("quat_xyzw", ""))):
        return Judged("its length is zero", "it is no rotation", "write the rotation, or remove the attribute", True)
    if what != "@joint" and (consequence := AFTER_BLANK.get(element.tag)) and element.get(what[1:], "")[-1:].isspace():
        return Judged("a blank follows the number", consequence, "remove the blank", True)
    return None
