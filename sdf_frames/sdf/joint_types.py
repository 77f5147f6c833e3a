"""Joint types of SDFormat: the one table of them."""
from __future__ import annotations

from typing import NamedTuple


class JointType(NamedTuple):
    """What a type is.

    Attributes
    ----------
    urdf : the URDF type that takes its place, or None.
    split : whether two revolute joints, one for each axis, take its place in a URDF.
    """

    urdf: str | None = None
    split: bool = False


JOINT_TYPES = {
    "ball": JointType("floating"),
    "continuous": JointType("continuous"),
    "fixed": JointType("fixed"),
    "gearbox": JointType(),
    "prismatic": JointType("prismatic"),
    "revolute": JointType("revolute"),
    "revolute2": JointType(split=True),
    "screw": JointType(),
    "universal": JointType(split=True),
}

#: Types with the same name in URDF.
URDF_TYPES = frozenset(name for name, row in JOINT_TYPES.items() if row.urdf == name)
#: Types of which one axis and its position say how the child moves, in SDFormat and in URDF alike.
ONE_AXIS_TYPES = URDF_TYPES - {"fixed"}
