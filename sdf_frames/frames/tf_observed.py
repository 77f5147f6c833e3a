"""Transforms received from TF: which ones tf2 refuses, and which frames of a model have other names there."""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import hypot, isfinite
from typing import NamedTuple

from sdf_frames.spatial.pose import Pose

# tf2 refuses quaternions whose squared length is further from one.
_QUATERNION_TOLERANCE = 10e-3


class Observed(NamedTuple):
    """A received transform: `pose` (x, y, z, qw, qx, qy, qz) of `child` in `parent`, from /tf_static or /tf."""

    parent: str
    child: str
    pose: Pose
    static: bool

    @property
    def topic(self) -> str:
        """The topic that the transform came from."""
        return "/tf_static" if self.static else "/tf"


def strip_slashes(observed: Iterable[Observed]) -> list[Observed]:
    """Return transforms with the frame names of tf2: without a leading slash."""
    return [o._replace(parent=o.parent.removeprefix("/"), child=o.child.removeprefix("/")) for o in observed]


def find_refusal(o: Observed) -> str | None:
    """Return why tf2 refuses a transform; None if it accepts it."""
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


# Number of missing frames that are compared with all names in TF, to find their names there.
_MOST_COMPARED = 20


class NameSuggestions:
    """Finds the `missing` frames among the `others`, names in TF that the model does not have."""

    def __init__(self, missing: Sequence[str], others: Collection[str]):
        self.others = {_plain(name): name for name in others}
        counts: Counter[tuple[str, str]] = Counter()  # of (what the model's names begin with, what TF's begin with)
        for name in map(_plain, missing[:_MOST_COMPARED]):
            for other in self.others:
                if other.endswith(name):
                    counts["", other[:len(other) - len(name)]] += 1
                elif name.endswith(other):
                    counts[name[:len(name) - len(other)], ""] += 1
        # Of a single name, "forearm" for "arm" says nothing.
        self.likely = [pair for pair, count in counts.most_common(10) if count > 1 or "".join(pair)[-1:] in ("", "/")]

    def suggest(self, name: str) -> str | None:
        """Return a hint if TF has a missing frame under another name, else None."""
        plain = _plain(name)
        for less, more in self.likely:
            there = self.others.get(more + plain.removeprefix(less)) if plain.startswith(less) else None
            if there is None:
                continue
            if less == more:
                return f"TF has {there!r}: names are joined otherwise there (parameter scope_separator)"
            written = next(there[:i] for i in range(len(there) + 1) if _plain(there[:i]) == more)
            how = f"lack {less!r}" if less else f"begin with {written!r}"
            return f"TF has {there!r}: names there {how} (parameter frame_prefix)"
        return None


def _plain(name: str) -> str:
    return name.replace("::", "/")
