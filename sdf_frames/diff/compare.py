"""Compares two descriptions, part by part."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from math import inf
from numbers import Real
from typing import TypeAlias

import numpy as np

import sdf_frames as sf
from sdf_frames.diff.axes import compare_axes
from sdf_frames.diff.changes import ADDED, REMOVED, RENAMED, Change, Differences, compare_poses, note_resolution, show
from sdf_frames.diff.matching import Matching, Scene, match_frames, match_joints, match_links
from sdf_frames.diff.own_names import OwnNames, map_own_names, show_own_names
from sdf_frames.diff.settings import CARRIED, compare_parts, list_urdf_parts
from sdf_frames.diff.shapes import compare_shapes, match_shapes

_Own: TypeAlias = "tuple[Mapping[str, str], Mapping[str, str]]"


def diff(a: sf.RobotDescription, b: sf.RobotDescription, *, tolerance: float = 1e-6) -> Differences:
    """Compare two descriptions by meaning, also URDF with SDFormat.

    Parameters
    ----------
    a, b : the descriptions. Two URDFs are compared by their own links and joints; mass that only moves between links
        that are fixed to each other is not a difference. With an SDFormat description, a URDF is compared by its
        conversion, plus the links that SDF cannot express.
    tolerance : lengths (metres), angles (radians), and relative differences of masses, moments and settings up to this
        value are ignored.

    Returns
    -------
    Differences
        Links, joints, frames and models that were added, removed or renamed (recognised by place and neighbours);
        frames that moved in their parent; types, ends, axes, limits and mimics of joints; masses, centres of mass and
        moments; shapes, URIs and their files; sensors, lights, plugins and all settings, such as damping and colours;
        between two files of one format, errors and warnings that were added or removed; between two URDFs, content
        that only URDF has, such as transmissions.

    Raises
    ------
    InvalidDescription
        A description has errors, and nothing of it could be read.
    ValueError
        The tolerance is negative or not finite.

    Examples
    --------
    >>> for change in diff(load("old.urdf"), load("new.urdf")): print(change.text)        # doctest: +SKIP
    """
    for description in (a, b):
        if not isinstance(description, sf.RobotDescription):
            raise TypeError(f"diff compares descriptions that were loaded, not {type(description).__name__}")
    if not isinstance(tolerance, Real) or not 0 <= tolerance < inf:
        raise ValueError(f"tolerance must be a finite number from 0 on, not {tolerance!r:.60}")
    unread = [robot for robot in (a, b) if not (robot.valid or robot.frames or robot.parts)]
    if unread:
        raise sf.InvalidDescription(unread[0].file, [d for robot in unread for d in robot.findings])
    compare = _compare_urdfs if a.kind == b.kind == "urdf" else _compare_scenes
    found = [*compare(a, b, tolerance)]
    files = {(change.name, change.old, change.new): change for change in found if change.subject == "file"}
    changes = [*[change for change in found if change.subject != "file"], *files.values()]
    if a.kind == b.kind:
        changes += _compare_findings(a, b)
    return Differences(a.file, b.file, changes)


def _compare_urdfs(a: sf.RobotDescription, b: sf.RobotDescription, tolerance: float) -> Iterator[Change]:
    """Compare two URDFs by their own links, joints and shapes, without lumping, and by content that only URDF has."""
    p, q = a._keep_links(), b._keep_links()
    own = OwnNames(p), OwnNames(q)
    for change in _compare_scenes(p, q, tolerance, (a, b), own):
        yield show_own_names(change, *own)
    names = {joint: joint for joint in a.joints}
    yield from compare_parts([*list_urdf_parts(p)], [*list_urdf_parts(q)], names, tolerance)


def _compare_scenes(a: sf.RobotDescription, b: sf.RobotDescription, tolerance: float,
                    lumped: tuple[Scene, Scene] | None = None, own: _Own = ({}, {})) -> Iterator[Change]:
    """Compare worlds by name, or the only world of each; root models with each other.

    `lumped` are the two URDFs with lumping, if a and b are without, and `own` their own names by SDF names.
    """
    if bool(a.worlds) != bool(b.worlds) or bool(a.frames) != bool(b.frames):
        old, new = (_name_content(d) for d in (a, b))
        yield Change("description", a.name or b.name or "", "content", old, new, f"{old} -> {new}")
        return
    if not a.frames:  # a light or actor alone, or nothing
        yield from compare_parts(a.parts, b.parts, {}, tolerance)
        return
    if not a.worlds or (len(a.worlds) == len(b.worlds) == 1):
        name, other = (robot.tree.get("name") if lumped else robot.name for robot in (a, b))
        if name != other:
            yield Change("description", name or "", RENAMED, name, other, f"renamed to {other}")
        yield from _Comparison(a, b, tolerance, lumped, own).compare()
        return
    for name, world in a.worlds.items():
        if name in b.worlds:
            yield from _Comparison(world, b.worlds[name], tolerance).compare()
        else:
            yield Change("description", name, REMOVED, name, None, "world removed")
    for name in b.worlds:
        if name not in a.worlds:
            yield Change("description", name, ADDED, None, name, "world added")


def _name_content(description: sf.RobotDescription) -> str:
    return "worlds" if description.worlds else "one model" if description.frames else "no frame that can be resolved"


class _Comparison:
    """Two worlds or root models, with their parts matched; `lumped` and `own` as in :func:`_compare_scenes`."""

    def __init__(self, a: Scene, b: Scene, tolerance: float, lumped: tuple[Scene, Scene] | None = None,
                 own: _Own = ({}, {})) -> None:
        self.a, self.b, self.tolerance, self.lumped, self.own = a, b, tolerance, lumped, own
        self.links = match_links(a, b, tolerance, *own)
        self.joints = match_joints(a, b, self.links.same, *own)
        #: Names of B by names of A.
        self.names = {**self.links.same, **self.joints.same}
        self.kinds = [*self._find_kinds()]
        # A renamed link of a URDF can have another frame, with its own name; a renamed floating joint is a frame.
        gone, come = ({*own, *own.values()} for own in self.own)
        self.frames = match_frames(a, b, self.names, tolerance, {*self.links.removed, *self.joints.removed, *gone},
                                   {*self.links.added, *self.joints.added, *come})
        self.names.update(self.frames.same)

    def _find_kinds(self) -> Iterator[Change]:
        """Yield links and joints that are frames in the other description, or that only its URDF has.

        They are neither removed nor added.
        """
        for subject, matching in (("link", self.links), ("joint", self.joints)):
            for here, there, names, own in ((self.a, self.b, matching.removed, self.own[0]),
                                            (self.b, self.a, matching.added, self.own[1])):
                for name in [n for n in names if own.get(n, n) in there.frames and n not in self.names]:
                    names.remove(name)
                    known = own.get(name, name)
                    self.names.update([(name, known) if here is self.a else (known, name)])
                    other = there.frames[known].kind if there.frames[known].in_sdf else "left out"
                    old, new = (subject, other) if here is self.a else (other, subject)
                    is_own = self.lumped and known in (there.links if subject == "link" else there.joints)
                    if old != new and not is_own:
                        yield Change(subject, name, "kind", old, new, f"{old} -> {new}")

    def compare(self) -> Iterator[Change]:
        """Yield every change; that of a file once for each of its uses."""
        yield from self.kinds
        for subject, matching in (("link", self.links), ("joint", self.joints), ("frame", self.frames)):
            yield from self._list(subject, matching)
        yield from self._compare_joints()
        yield from self._compare_poses()
        yield from self._compare_bodies()
        yield from self._compare_inertias()
        names = dict(self.names)
        for old, new in self.links.same.items():
            p, q = self.a.sdf_links[old], self.b.sdf_links[new]
            names.update(match_shapes(p, q))
            if self.lumped:  # the URDF's own shapes, with the names and URIs that it has
                p, q = (scene.links.get(own.get(link.name, link.name), link)
                        for scene, own, link in zip((self.a, self.b), self.own, (p, q)))
            yield from compare_shapes(p, q, self.tolerance)
        # Of a URDF, `list_urdf_parts` has what its SDF only carries.
        with_urdf = "urdf" in (self.a.kind, self.b.kind)
        yield from (change for change in self._compare_parts(names) if not (with_urdf and CARRIED in change.what))

    def _compare_parts(self, names: Mapping[str, str]) -> Iterator[Change]:
        """Compare sensors and similar parts; in two URDFs, a part may move to another link of the same body."""
        changes = [*compare_parts(self.a.parts, self.b.parts, names, self.tolerance)]
        added, removed = ({change.subject for change in changes if change.what == what} for what in (ADDED, REMOVED))
        elsewhere = added & removed if self.lumped else set()
        yield from (change for change in changes if change.subject not in elsewhere)
        if self.lumped and elsewhere:
            a, b = self.lumped
            yield from (change for change in compare_parts(a.parts, b.parts, names, self.tolerance)
                        if change.subject in elsewhere)

    def _list(self, subject: str, matching: Matching) -> Iterator[Change]:
        """Yield the parts that were added, removed and renamed."""
        for name in matching.removed:
            yield Change(_find_subject(subject, self.a, name), name, REMOVED, name, None)
        for name in matching.added:
            yield Change(_find_subject(subject, self.b, name), name, ADDED, None, name)
        for old, new in matching.renamed.items():
            yield Change(_find_subject(subject, self.a, old), old, RENAMED, old, new, f"renamed to {new}")

    def _compare_joints(self) -> Iterator[Change]:
        known, ends, leaders = (map_own_names(names, *self.own) for names in (
            self.names, self.links.same, self.joints.same))
        ends, leaders = {**known, **ends}, {**known, **leaders}  # a link and a joint of a URDF may have one name
        own_a, own_b = self.own
        for old, new in self.joints.same.items():
            p, q = self.a.sdf_joints[old], self.b.sdf_joints[new]
            if not (has_same_type := _has_same_type(p, q)):
                yield Change("joint", old, "type", p.type, q.type, f"type {p.type} -> {q.type}")
            for end in ("parent", "child"):
                one, other = getattr(p, end), getattr(q, end)
                # A joint of a URDF, and one that the SDF leaves out, may name a link that is lumped.
                body, other_body = map(_find_body, self.lumped or (self.a, self.b), (one, other))
                one, body = (own_a.get(name, name) for name in (one, body))
                other, other_body = (own_b.get(name, name) for name in (other, other_body))
                if ends.get(one, one) != other and ends.get(body, body) != other_body:
                    yield Change("joint", old, end, one, other, f"{end} {one} -> {other}")
            if self.lumped:  # a joint that mimics a fixed one is locked in the SDF
                p, q = self.a.joints.get(own_a.get(old, old), p), self.b.joints.get(own_b.get(new, new), q)
            if len(p.axes) != len(q.axes) and (has_same_type or p.axes and q.axes):  # none follows from the type
                yield Change("joint", old, "axes", len(p.axes), len(q.axes), f"axes {len(p.axes)} -> {len(q.axes)}")
            for suffix, axis, other_axis in zip(("", "2"), p.axes, q.axes):
                yield from compare_axes(old, p.type, suffix, axis, other_axis, leaders, self.tolerance)

    def _compare_poses(self) -> Iterator[Change]:
        """Yield frames that moved in their parent; frames that only moved with it are left out."""
        parents = _find_parents(self.a)
        own = self.own[0]
        origins = {joint.child: f" (joint {own.get(name, name)})"
                   for name, joint in self.a.sdf_joints.items()} if self.lumped else {}
        poses_a, poses_b = self.a.poses(), self.b.poses()
        for old, new in self.names.items():
            if old not in self.a.frames or new not in self.b.frames:
                continue  # a joint of the URDF that has no frame
            if (old in poses_a) != (new in poses_b):
                yield note_resolution("frame", old, old in poses_a, new in poses_b)
            if old not in poses_a or new not in poses_b:
                continue
            X, Y, parent = poses_a[old], poses_b[new], parents.get(old)
            above = None if parent is None else self.names.get(parent)
            within = f" in {next(iter(self.a.frames))}"
            if parent is not None and above is not None and parent in poses_a and above in poses_b:
                X, Y = poses_a[parent].inverse() @ X, poses_b[above].inverse() @ Y
                within = f" in {own.get(parent, parent)}{origins.get(old, '')}"
            yield from compare_poses("frame", old, X, Y, self.tolerance, within)

    def _compare_bodies(self) -> Iterator[Change]:
        """Yield frames that are in the same place but move with another body; and models."""
        for old, new in self.frames.same.items():
            p, q = self.a.frames[old], self.b.frames[new]
            # A model can be a plain frame in the other description: URDF has no models.
            one = self.a.models[old].canonical_link if p.kind == "model" else p.attached_to or ""
            other = self.b.models[new].canonical_link if q.kind == "model" else q.attached_to or ""
            if one is None or other is None:
                continue  # static: that is a separate change
            what = "canonical_link" if p.kind == q.kind == "model" else "attached_to"
            if self.names.get(one, one) != other and self.names.get(p.body or "", p.body) != q.body:
                one, other = (own.get(name, name) for own, name in zip(self.own, (one, other)))
                yield Change(_find_subject("frame", self.a, old), old, what, one, other,
                             f"{what.replace('_', ' ')} {one or 'nothing'} -> {other or 'nothing'}")

    def _compare_inertias(self) -> Iterator[Change]:
        inertias_a, inertias_b = self.a.inertias(), self.b.inertias()
        for old, new in self.links.same.items():
            changes = [*_compare_inertia(old, inertias_a.get(old), inertias_b.get(new), self.tolerance)]
            if changes and not self._is_same_body(old, new):
                yield from changes

    @cached_property
    def _bodies(self) -> list[tuple[Mapping[str, sf.Frame], Mapping[str, sf.Inertia]]]:
        return [(scene.frames, scene.inertias()) for scene in self.lumped or ()]

    def _is_same_body(self, old: str, new: str) -> bool:
        """Return whether all links of a URDF that are fixed to these have the same total inertia."""
        p, q = [inertias.get(frames[name].body or "") if name in frames else None
                for (frames, inertias), name in zip(self._bodies, (old, new))] or (None, None)
        return p is not None and q is not None and not any(_compare_inertia(old, p, q, self.tolerance))


def _compare_inertia(name: str, p: sf.Inertia | None, q: sf.Inertia | None, tolerance: float) -> Iterator[Change]:
    """Compare the inertias of a link; None is for a massless link of a URDF."""
    if p is None or q is None:
        if p is not q:
            old, new = (None if x is None else x.mass for x in (p, q))
            shown = ("none" if x is None else f"{x.mass:.6g} kg" for x in (p, q))
            yield Change("inertia", name, "mass", old, new, f"mass {' -> '.join(shown)}")
        return
    if abs(p.mass - q.mass) > tolerance * max(abs(p.mass), abs(q.mass)):
        share = f" ({(q.mass / p.mass - 1) * 100:+.3g} %)" if p.mass else ""
        yield Change("inertia", name, "mass", p.mass, q.mass, f"mass {p.mass:.6g} -> {q.mass:.6g} kg{share}")
    shift = float(np.linalg.norm(p.com - q.com))
    if shift > tolerance:
        yield Change("inertia", name, "com", p.com.tolist(), q.com.tolist(),
                     f"centre of mass moved {show(shift * 1e3)} mm")
    largest = max(float(np.abs(p.tensor).max()), float(np.abs(q.tensor).max()))
    change = float(np.abs(p.tensor - q.tensor).max())
    if change > tolerance * largest:
        yield Change("inertia", name, "moments", p.tensor.tolist(), q.tensor.tolist(),
                     f"moments differ by {change / largest * 100:.3g} % of the largest")


def _compare_findings(a: sf.RobotDescription, b: sf.RobotDescription) -> Iterator[Change]:
    """Yield errors and warnings that only one description has, regardless of lines."""
    counts = [Counter((d.severity, d.code, d.message) for d in x.findings if d.severity != "info") for x in (a, b)]
    for what, more, less in ((REMOVED, counts[0], counts[1]), (ADDED, counts[1], counts[0])):
        for (severity, code, message), number in (more - less).items():
            times = f" ({number} times)" if number > 1 else ""
            old, new = (message, None) if what == REMOVED else (None, message)
            yield Change("finding", code, what, old, new, f"{severity}: {message}{times}")


def _find_subject(subject: str, scene: Scene, name: str) -> str:
    return "model" if subject == "frame" and scene.frames[name].kind == "model" else subject


def _find_parents(scene: Scene) -> dict[str, str]:
    """Return the parent of each frame: for a link its joint's parent, for a joint its child, for a frame the part that
    it is attached to, else its model."""
    carriers = {joint.child: joint.parent for joint in reversed(list(scene.sdf_joints.values()))}
    top = next(iter(scene.frames))
    parents = {}
    for name, frame in scene.frames.items():
        prefix = name.rpartition("::")[0]
        parent = prefix if prefix in scene.frames else top
        written = frame.attached_to and (f"{prefix}::{frame.attached_to}" if prefix else frame.attached_to)
        if frame.kind == "link":
            parent = carriers.get(name, parent)
        elif frame.kind == "joint":
            parent = frame.body or parent
        elif frame.kind == "frame" and written:
            parent = written
        if parent != name and parent in scene.frames:
            parents[name] = parent
    return parents


def _find_body(scene: Scene, name: str) -> str:
    """Return the link that a link or frame moves with; the name itself if there is no such frame."""
    return (scene.frames[name].body if name in scene.frames else None) or name


def _has_same_type(p: sf.Joint, q: sf.Joint) -> bool:
    """Return whether two joints have one type: a continuous joint of a URDF is revolute in the SDF, with its limits."""
    turning = {p.type, q.type} == {"revolute", "continuous"}
    return p.type == q.type or turning and p.limits[:2] == q.limits[:2]
