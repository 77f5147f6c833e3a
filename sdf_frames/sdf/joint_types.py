"""Joint types of SDFormat: the one table of them."""

from typing import NamedTuple


class JointType(NamedTuple):
    """What a type is.

    Attributes
    ----------
    axes : how many of ``<axis>`` and ``<axis2>`` the type has. Source: the description of ``joint`` in joint.sdf of
        1.12.
    urdf : the URDF type that takes its place, or None.
    split : whether two revolute joints, one for each axis, take its place in a URDF.
    """

    axes: int
    urdf: str | None = None
    split: bool = False


JOINT_TYPES = {
    "ball": JointType(0, "floating"),
    "continuous": JointType(1, "continuous"),
    "fixed": JointType(0, "fixed"),
    "gearbox": JointType(2),
    "prismatic": JointType(1, "prismatic"),
    "revolute": JointType(1, "revolute"),
    "revolute2": JointType(2, split=True),
    "screw": JointType(1),
    "universal": JointType(2, split=True),
}

#: Types with the same name in URDF.
URDF_TYPES = frozenset(name for name, row in JOINT_TYPES.items() if row.urdf == name)
#: Types of which one axis and its position say how the child moves, in SDFormat and in URDF alike.
ONE_AXIS_TYPES = frozenset(name for name in URDF_TYPES if JOINT_TYPES[name].axes == 1)
