"""Joint types of URDF: the one table of them."""

from typing import NamedTuple


class JointType(NamedTuple):
    """What a type is.

    Attributes
    ----------
    has_axis : whether ``<axis>`` means something.
    bounded : whether the joint has lower and upper limits, and must have a ``<limit>``.
    sdf : the SDFormat type that takes its place, or None: the child link is then free.
    """

    has_axis: bool
    bounded: bool
    sdf: str | None

    @property
    def one_axis(self) -> bool:
        """Whether the position on one axis says how the child moves: only then do limits, dynamics and mimic count."""
        return self.has_axis and self.sdf is not None


JOINT_TYPES = {
    "revolute": JointType(True, True, "revolute"),
    "continuous": JointType(True, False, "revolute"),
    "prismatic": JointType(True, True, "prismatic"),
    "fixed": JointType(False, False, "fixed"),
    "floating": JointType(False, False, None),
    "planar": JointType(True, False, None),
}

WITHOUT_AXIS = frozenset(name for name, row in JOINT_TYPES.items() if not row.has_axis)
