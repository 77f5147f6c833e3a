"""All frames of a loaded model with their TF names, looked up by either name."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import isfinite
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose, find_nearest
from sdf_frames.frames.resolve import FrameRow, Scope
from sdf_frames.frames.tf import TfTree
from sdf_frames.spatial.pose import Pose, compose, invert, normalise


class FrameEntry(NamedTuple):
    """A resolved frame, number and name of its scope (world or root model), and its frame id in TF, or ""."""

    frame: FrameRow
    number: int
    scope: str
    tf_frame: str


def list_frames(scopes: Sequence[Scope], tree: TfTree, frame_prefix: str) -> tuple[FrameEntry, ...]:
    """List the frames of all scopes with their TF names; frames that only TF has come last.

    Parameters
    ----------
    scopes : the worlds, or the root model; only the first is published.
    tree : the TF tree of the first scope.
    frame_prefix : the prefix that the tree was built with.
    """
    known = {name for transform in tree.transforms for name in (transform.parent, transform.child)}
    known.difference_update(tree.frame_ids)
    entries = []
    for number, scope in enumerate(scopes):
        ids = tree.frame_ids if number == 0 else [""] * len(scope.frames)
        entries += [FrameEntry(frame, number, scope.name, name) for frame, name in zip(scope.frames, ids)]
        for frame in scope.left_out:
            name = (frame_prefix + frame.name).lstrip("/")
            entries.append(FrameEntry(frame, number, scope.name, name if number == 0 and name in known else ""))
    return tuple(entries)


class FrameTable:
    """The frames of a model by name; :meth:`add` takes each result of :func:`list_frames`."""

    def __init__(self) -> None:
        self.entries: list[FrameEntry] = []
        self._by_name: dict[str, FrameEntry] = {}
        self._by_tf_frame: dict[str, FrameEntry] = {}

    def add(self, entry: FrameEntry) -> None:
        """Add a frame; of several with one name, the first is found."""
        self.entries.append(entry)
        self._by_name.setdefault(entry.frame.name, entry)
        if entry.tf_frame:
            self._by_tf_frame.setdefault(entry.tf_frame, entry)

    def find(self, name: str) -> FrameEntry | None:
        """Find a frame by its SDF name, else by its TF name."""
        return self._by_name.get(name) or self._by_tf_frame.get(name)

    def list_names(self) -> list[str]:
        """List all SDF and TF names of frames."""
        return list(dict.fromkeys([*self._by_name, *self._by_tf_frame]))


def explain_unknown(name: str, names: list[str]) -> Diagnostic:
    """Return the finding for an unknown frame, with similar names. This can take a second."""
    end = f"::{name}"
    inner = islice((known for known in names if known.endswith(end)), 3)
    nearest = list(inner) or find_nearest(name, names, 3)
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else "get_frames lists all frames"
    return diagnose("frame-unknown", kind="frame", frame=name, nearest=hint)


def resolve(entry: FrameEntry, base: FrameEntry | None) -> tuple[Pose | None, list[Diagnostic]]:
    """Resolve the pose of one frame in another, movable joints at zero.

    `base` is None for the frame of the model or world that the first frame is in.

    Returns
    -------
    pose, diagnostics
        The pose is (x, y, z, qw, qx, qy, qz), metres and unit quaternion; None with a diagnostic.
    """
    if base is None:
        return entry.frame.pose, []
    name, other = entry.frame.name, base.frame.name
    if base.number != entry.number:
        return None, [diagnose("frames-unrelated", frame=name, scope=entry.scope, other=other, other_scope=base.scope)]
    X_SB, X_SF = base.frame.pose, entry.frame.pose
    X_BF = None if X_SB is None or X_SF is None else normalise(compose(invert(X_SB), X_SF))
    if X_BF is None or not all(map(isfinite, X_BF)):
        return None, [diagnose("frame-unresolved", frame=name, other=other)]
    return X_BF, []
