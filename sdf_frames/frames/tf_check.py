"""Compares published TF with the static TF tree of a model.

The check compares what listeners can look up: the parent of a frame may be any frame of the same rigid body, any frame
may be the root of the tree, and other frames may be between two frames of the model.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import dist
from typing import Any, NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, Related, count_of, diagnose, relate
from sdf_frames.frames.forest import find_cycles
from sdf_frames.frames.kinematics import Motion
from sdf_frames.frames.tf import Transform
from sdf_frames.frames.tf_observed import NameSuggestions, Observed, find_refusal, strip_slashes
from sdf_frames.spatial.pose import IDENTITY, Pose, angle_of, compose, invert, normalise, rpy_from_quaternion

#: Tolerances: a tenth of a millimetre, and the rounding of angles with four digits.
POSITION_TOLERANCE, ANGLE_TOLERANCE = 1e-4, 1e-3

#: Findings whose cause is a publisher; so many publishers are named.
_ABOUT_PUBLISHERS = frozenset(("tf-frame-missing", "tf-parent-differs", "tf-disconnected", "tf-two-parents",
                               "tf-static-and-moving"))
_MOST_NAMED = 8


class _Frame(NamedTuple):
    """A frame of the model: its parent (None for a root), its pose in the root, the first frame of its rigid body."""

    name: str
    parent: str | None
    X: Pose
    body: str
    depth: int
    place: Location
    movable: bool
    motion: Motion | None = None


def check_tf(expected: Iterable[Transform], observed: Iterable[Observed], *, optional: Collection[str] = (),
             at_zero: Collection[str] = (), position_tolerance: float = POSITION_TOLERANCE,
             angle_tolerance: float = ANGLE_TOLERANCE, publishers: Sequence[str] = (),
             ages: Mapping[str, float] | None = None) -> tuple[Diagnostic, ...]:
    """Compare published transforms with those of a model.

    Parameters
    ----------
    expected : the whole tree, as in ``TfTree.transforms`` of a scope; with ``motions``, joints are checked, too.
    observed : the received transforms, in any order; one frame may have several.
    optional : frames that may be missing.
    at_zero : movable frames that are meant to be on /tf_static, at their zero position.
    position_tolerance, angle_tolerance : allowed errors of transforms, and excess of joints, in metres and radians.
    publishers : the publishers of TF, each as TOPIC NODE, for the hints.
    ages : seconds since frames were last the child of a transform on /tf, for the hints.
    """
    frames = _index_frames(expected)
    if not frames:
        return ()
    heard = strip_slashes(observed)
    if not heard:
        return (diagnose("tf-empty"),)
    comparison = _Comparison(frames, heard, at_zero, (position_tolerance, angle_tolerance), ages)
    return _name_publishers(comparison.find(optional), publishers)


def find_doubles(names: Iterable[str], observed: Iterable[Observed],
                 publishers: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
    """Find frames among `names` that have several parents, or are on both topics."""
    frames = {name: _Frame(name, None, IDENTITY, name, 0, Location(), True) for name in names}
    comparison = _Comparison(frames, strip_slashes(observed))
    comparison.find_doubles()
    return _name_publishers(comparison.found, publishers)


def _name_publishers(found: Iterable[Diagnostic], publishers: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Add the nodes that publish TF to hints on publishers: a TF message does not name its sender."""
    if not publishers:
        return tuple(found)
    nodes = f"TF comes from {', '.join(publishers[:_MOST_NAMED])}" + (", …" if len(publishers) > _MOST_NAMED else "")
    return tuple([d._replace(hint=f"{d.hint}; {nodes}") if d.name in _ABOUT_PUBLISHERS else d for d in found])


def _index_frames(expected: Iterable[Transform]) -> dict[str, _Frame]:
    """Return the frames by name, parents before children."""
    above = {t.child: t for t in expected}
    frames: dict[str, _Frame] = {}
    for name in above:
        path = []
        while name in above and name not in frames:
            path.append(above[name])
            name = above[name].parent
        frames.setdefault(name, _Frame(name, None, IDENTITY, name, 0, Location(), False))
        for t in reversed(path):
            parent = frames[t.parent]
            frames[t.child] = _Frame(t.child, t.parent, compose(parent.X, t.pose),
                                     t.child if t.movable else parent.body,
                                     parent.depth + 1, t.place, t.movable, t.motion)
    return frames


class _Comparison:
    """One comparison; `up` is the transform used for each child, `reported` the frames with a finding, `misplaced` the
    moving frames of the model that TF has at another pose."""

    def __init__(self, frames: dict[str, _Frame], heard: list[Observed], at_zero: Collection[str] = (),
                 tolerances: tuple[float, float] = (POSITION_TOLERANCE, ANGLE_TOLERANCE),
                 ages: Mapping[str, float] | None = None):
        self.frames, self.at_zero, self.tolerances, self.ages = frames, at_zero, tolerances, ages or {}
        self.found: list[Diagnostic] = []
        self.reported: set[str] = set()
        self.misplaced: set[str] = set()
        self.by_child: dict[str, list[Observed]] = {}
        self.names: set[str] = set()
        for o in heard:
            if reason := find_refusal(o):
                self._report_refusal(o, reason)
            else:
                self.by_child.setdefault(o.child, []).append(o)
                self.names |= {o.parent, o.child}
        self.up = {child: several[-1] for child, several in self.by_child.items()}

    def find(self, optional: Collection[str]) -> list[Diagnostic]:
        """All findings."""
        self.find_doubles()
        self._find_loops()
        tops, still = [], []
        for frame in self.frames.values():
            if frame.name not in self.names or frame.name in self.reported:
                continue
            if (way := self._walk_up(frame.name)) is None:
                tops.append(frame)
            elif self._compare(frame, *way):
                still.append(frame)
        self._report_several(still, "tf-movable-is-static")
        self._report_absent([*self._group_tops(tops), *self._group_missing(optional)])
        return self.found

    def _report(self, rule: str, frame: _Frame, *, hint: str | None = None, related: Iterable[Related] = (),
                **fields: Any) -> None:
        self.reported.add(frame.name)
        self.found.append(diagnose(rule, frame.place, hint=hint, related=related, **fields))

    def _report_several(self, frames: list[_Frame], rule: str, say: Callable[[_Frame], str] = lambda frame: "",
                        more: str = "; the same holds for {}", **fields: Any) -> None:
        """Report one finding for frames with the same problem: at the first, with the others as related places."""
        if not frames:
            return
        first, *others = frames
        self.reported |= {frame.name for frame in others}
        count = count_of(len(others), "other")
        self._report(rule, first, name=first.name, more=more.format(count) if others else "", **fields, related=[
            relate(f"frame {f.name!r}{say(f)}", f.place) for f in others])

    def _report_refusal(self, o: Observed, reason: str) -> None:
        frame = self.frames.get(o.child) or self.frames.get(o.parent)
        if frame is not None and o.child not in self.reported:
            self.reported.add(o.child)
            self.found.append(diagnose("tf-transform-refused", frame.place, name=o.child, parent=o.parent,
                                       reason=reason))

    def find_doubles(self) -> None:
        """Report frames with two parents, and movable frames on both topics."""
        def say_parents(frame: _Frame) -> str:
            return ", ".join(dict.fromkeys(f"{o.parent!r} ({o.topic})" for o in self.by_child[frame.name]))

        ours = [frame for name, frame in self.frames.items() if name in self.by_child]
        several = [f for f in ours if len({o.parent for o in self.by_child[f.name]}) > 1]
        if several:
            self._report_several(several, "tf-two-parents", lambda f: f": {say_parents(f)}",
                                 parents=say_parents(several[0]))
        self._report_several([f for f in ours if f.movable and f.name not in self.reported
                              and len({o.static for o in self.by_child[f.name]}) > 1], "tf-static-and-moving")

    def _find_loops(self) -> None:
        """Cut all loops, and report those with a frame of the model in which no frame has two parents."""
        names = list(self.up)
        numbers = {name: number for number, name in enumerate(names)}
        for members in find_cycles([numbers.get(o.parent, -1) for o in self.up.values()]):
            loop = [names[number] for number in members]
            del self.up[loop[0]]
            ours = [name for name in loop if name in self.frames]
            if ours and not self.reported.intersection(ours):
                self._report("tf-loop", self.frames[ours[0]], loop=" below ".join(map(repr, [*loop, loop[0]])))
            self.reported.update(ours)

    def _walk_up(self, name: str) -> tuple[_Frame, Pose, bool] | None:
        """Find the next frame of the model above a frame, the pose in it, and whether all steps are static.

        Returns None if there is no such frame.
        """
        X, steps, static = IDENTITY, 0, True
        while name in self.up:
            o = self.up[name]
            X, steps, static, name = compose(normalise(o.pose), X), steps + 1, static and o.static, o.parent
            if name in self.frames:
                return self.frames[name], X, static or steps == 1
        return None

    def _compare(self, frame: _Frame, known: _Frame, X: Pose, comparable: bool) -> bool:
        """Compare a frame with its parent in TF; return whether it is static although it should move."""
        o = self.up[frame.name]
        if frame.body != known.body:
            bodies = {frame.body, known.body}
            moved = next((self.frames[b] for b in bodies if (parent := self.frames[b].parent)
                          and self.frames[parent].body in bodies), None)
            if moved is None:
                self._report_parent(frame)
                return False
            if not comparable:
                return False
            if not (o.static and moved.name in self.at_zero):
                return not self._find_misplaced(frame, known, moved, self._list_heard(frame, known, X)) and o.static
        if not comparable:
            return False
        X_expected = normalise(compose(invert(known.X), frame.X))
        offsets = [(*_measure(X_expected, pose), pose) for pose in self._list_heard(frame, known, X)]
        wrong = [x for x in offsets if x[0] > self.tolerances[0] or x[1] > self.tolerances[1]]
        if wrong:
            distance, angle, pose = max(wrong)
            self._report("tf-pose-differs", frame, name=frame.name, distance=distance, angle=angle, parent=known.name,
                         observed=_show(pose), expected=_show(X_expected))
        return False

    def _list_heard(self, frame: _Frame, known: _Frame, X: Pose) -> list[Pose]:
        """List the different poses that publishers give to a frame in its parent."""
        parent = self.up[frame.name].parent
        if parent != known.name:
            return [X]
        return [normalise(o.pose) for o in self.by_child[frame.name] if o.parent == parent]

    def _find_misplaced(self, frame: _Frame, known: _Frame, moved: _Frame, poses: list[Pose]) -> bool:
        """Compare `poses` of a frame in another one with the joint of the frame `moved` between them.

        Return whether the joint cannot reach one of the poses.
        """
        motion = moved.motion
        if motion is None or moved.name in self.misplaced:
            return False
        down = frame.body == moved.body  # otherwise the root of the tree is on the other side of the joint
        wrong, beyond = [], []
        for X in poses:
            # Of the moved frame where it is, in itself where it is at zero.
            X_moved = compose(compose(known.X, X), compose(invert(frame.X), moved.X)) if down else \
                compose(compose(frame.X, invert(X)), compose(invert(known.X), moved.X))
            X_moved = normalise(compose(invert(moved.X), X_moved))
            q = motion.find_position(X_moved)
            distance, angle = _measure(motion.place(q), X_moved)
            if distance > self.tolerances[0] or angle > self.tolerances[1]:
                wrong.append((distance, angle))
            elif (excess := motion.find_excess(q)) > self.tolerances[motion.turns]:
                beyond.append((excess, q))
        unit = "rad" if motion.turns else "m"
        if wrong or beyond:
            self.misplaced.add(moved.name)
        frame = frame if down else frame._replace(place=moved.place)  # a root has no place
        if wrong:
            distance, angle = max(wrong)
            self._report("tf-joint-moves-otherwise", frame, name=frame.name, joint=motion.joint.name, distance=distance,
                         angle=angle,
                         parent=known.name, how="turn about" if motion.turns else "slide along",
                         axis=" ".join(f"{a + 0.0:.6g}" for a in motion.axis))
        elif beyond:
            excess, q = max(beyond)
            self._report("tf-joint-beyond-limits", frame, name=frame.name, joint=motion.joint.name,
                         position=f"{q:.6g} {unit}",
                         limits=f"{motion.limits.lower:.6g} to {motion.limits.upper:.6g} {unit}")
        return bool(wrong)

    def _report_parent(self, frame: _Frame, hint: str | None = None) -> None:
        self._report("tf-parent-differs", frame, hint=hint, name=frame.name, observed=self.up[frame.name].parent,
                     expected=repr(frame.parent) if frame.parent else "none")

    def _waits_for_joint(self, frame: _Frame) -> bool:
        """Return whether a frame may be below the extra link that a URDF has for a joint away from its child's origin.

        Frames below that link are in TF at once; the link itself only when the position of the joint is known.
        """
        parent = self.up[frame.name].parent
        return frame.movable and parent not in self.up and [o.parent for o in self.up.values()].count(parent) == 1

    def _group_tops(self, tops: list[_Frame]) -> list[list[_Frame]]:
        """Return the roots but one, those that wait for joint states together; report those with another parent."""
        main = min(tops, key=lambda frame: frame.depth, default=None)
        groups: dict[str, list[_Frame]] = {}
        for frame in tops:
            if frame is main:
                continue
            if frame.name in self.up:
                self._report_parent(frame, self._hint_absent([frame]) if self._waits_for_joint(frame) else None)
            else:
                groups.setdefault(frame.name if frame.motion is None else "", []).append(frame)
        return [*groups.values()]

    def _group_missing(self, optional: Collection[str]) -> list[list[_Frame]]:
        """Return the frames that are not in TF, by connected groups of the model."""
        groups: dict[str, list[_Frame]] = {}
        top: dict[str, str] = {}
        for name, frame in self.frames.items():
            if name in self.names:
                continue
            top[name] = top.get(frame.parent or "", name)
            if name not in optional and name not in self.reported:
                groups.setdefault(top[name], []).append(frame)
        return [*groups.values()]

    def _report_absent(self, absent: list[list[_Frame]]) -> None:
        """Report groups of roots and of missing frames; all that TF may have under other names is one finding."""
        renaming = NameSuggestions([f.name for group in absent for f in group], self.names - self.frames.keys())
        alike: dict[str, list[list[_Frame]]] = {}
        for group in absent:
            is_renamed = any(renaming.suggest(f.name) for f in group)
            alike.setdefault("" if is_renamed else group[0].name, []).append(group)
        for key, groups in alike.items():
            groups.sort(key=lambda group: group[0].name in self.names)  # roots last
            frames, is_top = [f for group in groups for f in group], groups[0][0].name in self.names
            hint = self._hint_absent(groups[0] if is_top else frames[:1])
            if not key:
                renamed = next(filter(None, (renaming.suggest(f.name) for f in frames)))
                hint = f"{renamed}; or {hint}" if is_top else renamed
            self._report_several(frames, "tf-disconnected" if is_top else "tf-frame-missing", hint=hint,
                                 more="; the same holds for {}" if is_top or len(groups) > 1 else ", with {} below it",
                                 expected=frames[0].parent)

    def _hint_absent(self, frames: list[_Frame]) -> str:
        """Return a hint on the node that publishes frames, all or none of which wait for a joint state."""
        ages = [self.ages[frame.name] for frame in frames if frame.name in self.ages]
        since = f"; the last transform on /tf came {min(ages):.0f} s ago" if ages else ""
        if joints := [repr(frame.motion.joint.name) for frame in frames if frame.motion is not None]:
            named = ", ".join(joints[:_MOST_NAMED]) + (", …" if len(joints) > _MOST_NAMED else "")
            return (f"publish joint states of {named}: robot_state_publisher, or this node with joint_states, then "
                    f"publishes the frames on /tf{since}")
        if frames[0].movable:
            return ("no robot_state_publisher publishes it: the node that knows the pose must publish it on /tf, or "
                    "this node, at zero (tf_mode all or complement) or from multi_dof_joint_states "
                    f"(joint_states){since}")
        return ("publish it: robot_state_publisher publishes the links of a URDF; this node publishes the other frames "
                f"with tf_mode complement, and all frames with tf_mode all{since}")


def _measure(X_expected: Pose, X_observed: Pose) -> tuple[float, float]:
    """Return metres and radians between two poses."""
    angle = angle_of(compose(invert(X_expected), X_observed)[3:])
    return round(dist(X_expected[:3], X_observed[:3]), 12), round(angle, 12)  # equal poses differ by 0


def _show(pose: Pose) -> str:
    parts = pose[:3], rpy_from_quaternion(*pose[3:])
    position, angles = (" ".join(f"{round(value, 12) + 0.0:.6g}" for value in part) for part in parts)
    return f"{position} m, rpy {angles} rad"
