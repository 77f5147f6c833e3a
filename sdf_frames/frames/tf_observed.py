"""Transforms as they are heard on TF, and why tf2 refuses some of them."""
from __future__ import annotations

from collections.abc import Iterable
from math import hypot, isfinite
from typing import NamedTuple

from sdf_frames.spatial.pose import Pose

# tf2 refuses quaternions whose squared length is further from one.
_QUATERNION_TOLERANCE = 10e-3


class Observed(NamedTuple):
    """A transform that was heard: `pose` (x, y, z, qw, qx, qy, qz) of `child` in `parent`, on /tf_static or /tf."""

    parent: str
    child: str
    pose: Pose
    static: bool

    @property
    def topic(self) -> str:
        """Where it was heard."""
        return "/tf_static" if self.static else "/tf"


def strip_slashes(observed: Iterable[Observed]) -> list[Observed]:
    """Return transforms with the names that tf2 gives their frames: without a slash in front."""
    return [o._replace(parent=o.parent.removeprefix("/"), child=o.child.removeprefix("/")) for o in observed]


def find_refusal(o: Observed) -> str | None:
    """Say why tf2 refuses a transform; None where it does not."""
    if not o.parent or not o.child:
        return "a frame has no name"
    if o.parent == o.child:
        return "a frame is its own parent"
    if not all(map(isfinite, o.pose)):
        return "one of its numbers is not finite"
    length = hypot(*o.pose[3:])
    if abs(length * length - 1) > _QUATERNION_TOLERANCE:
        return f"its quaternion has the length {length:.6g}"
    return None
