"""All frames of a loaded model with their TF names, looked up by either name."""
from __future__ import annotations

from math import isfinite
from typing import Iterable, NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.diagnostics.nearest import find_nearest
from sdf_frames.frames.resolve import FrameRow
from sdf_frames.frames.tf import static_transforms
from sdf_frames.spatial.pose import compose, invert, normalise

# The order in which frames that share a TF name have a right to it.
_RANK = {"world": 0, "link": 1, "joint": 2, "frame": 3, "model": 4}


class Entry(NamedTuple):
    """A resolved frame, number and name of the scope (world or root model) it is in, and its frame id in TF (or empty)."""

    frame: FrameRow
    number: int
    scope: str
    tf_frame: str


def list_frames(loaded, scope_separator: str, frame_prefix: str, transforms: Iterable | None = None) -> tuple[Entry, ...]:
    """List the frames of all scopes with their TF names; those that TF has and the SDF lacks come last.

    Parameters
    ----------
    loaded
        What :func:`sdf_frames.load.load_text` returned.
    scope_separator, frame_prefix
        As for :func:`sdf_frames.frames.tf.static_transforms`.
    transforms
        What that function returned for mode ``all`` without sensor frames, where the caller has it.
    """
    if transforms is None:
        transforms, _ = static_transforms(loaded, "all", scope_separator, frame_prefix)
    free = {name for transform in transforms for name in (transform.parent, transform.child)}
    named: dict[int, str] = {}
    first = loaded.scopes[0] if loaded.scopes else None
    # Only the first scope is published; there, each id belongs to the frame with the best right to it.
    for number, frame in sorted(enumerate((*first.frames, *first.left_out) if first else ()), key=lambda pair: _RANK[pair[1].kind]):
        local = first.name if number == 0 and frame.kind == "model" else frame.name.replace("::", scope_separator)
        tf_name = (frame_prefix + local).lstrip("/")
        if tf_name in free:
            free.remove(tf_name)
            named[number] = tf_name
    return tuple([Entry(frame, number, scope.name, named.get(index, "") if scope is first else "")
                  for number, scope in enumerate(loaded.scopes) for index, frame in enumerate((*scope.frames, *scope.left_out))])


class FrameTable:
    """The frames of a model by name.

    Parameters
    ----------
    entries
        What :func:`list_frames` returned.
    """

    def __init__(self, entries: tuple[Entry, ...]):
        self.entries = entries
        self._by_name: dict[str, Entry] = {}
        for entry in self.entries:
            self._by_name.setdefault(entry.frame.name, entry)
        for entry in self.entries:
            if entry.tf_frame:
                self._by_name.setdefault(entry.tf_frame, entry)

    def find(self, name: str) -> tuple[Entry | None, Diagnostic | None]:
        """Look a frame up by its SDF name or its TF name; where there is none, say which are close."""
        entry = self._by_name.get(name)
        if entry is not None:
            return entry, None
        nearest = find_nearest(name, self._by_name, 3)
        return None, diagnose("frame-unknown", frame=name, nearest=f"did you mean {' or '.join(nearest)}?" if nearest else "")

    def resolve(self, name: str, relative_to: str) -> tuple[Entry | None, tuple | None, list[Diagnostic]]:
        """Resolve the pose of one frame in another, movable joints at zero.

        Parameters
        ----------
        name, relative_to
            SDF or TF names; an empty `relative_to` is the frame of the model or world that `name` is in.

        Returns
        -------
        entry, pose, diagnostics
            The pose is (x, y, z, qw, qx, qy, qz), metres and unit quaternion; None where a diagnostic says why.
        """
        entry, problem = self.find(name)
        if entry is None:
            return None, None, [problem]
        base = None
        if relative_to:
            base, problem = self.find(relative_to)
            if base is None:
                return entry, None, [problem]
            if base.number != entry.number:
                return entry, None, [diagnose("frames-unrelated", frame=name, scope=entry.scope, other=relative_to,
                                            other_scope=base.scope)]
        if base is None:
            return entry, entry.frame.pose, []
        pose = normalise(compose(invert(base.frame.pose), entry.frame.pose))
        if not all(map(isfinite, pose)):
            return entry, None, [diagnose("frame-unresolved", frame=name, other=relative_to)]
        return entry, pose, []
