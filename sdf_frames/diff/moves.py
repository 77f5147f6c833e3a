"""What moved."""
from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import sdf_frames as sf
from sdf_frames.diff.changes import Change


def show(value: float) -> str:
    """A number with four digits, or all of those before the point."""
    return f"{value:.4g}" if value < 1e4 else f"{value:.0f}"


def compare_poses(subject: str, name: str, X: sf.Pose, Y: sf.Pose, tolerance: float,
                  within: str = "") -> Iterator[Change]:
    """Yield a change if two poses differ by more than the tolerance (metres, radians); `within` ends its text."""
    shift, turn = map(float, X.measure(Y))
    if shift > tolerance or turn > tolerance:
        old, new = ([*Z.xyz.tolist(), *Z.quat_wxyz.tolist()] for Z in (X, Y))
        yield Change(subject, name, "pose", old, new,
                     f"moved {show(shift * 1e3)} mm, turned {degrees(turn):.4g} deg{within}")
