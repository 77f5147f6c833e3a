"""Matches the parts of A with those of B: by name, else by place and neighbours."""
from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TypeAlias

import sdf_frames as sf

Scene: TypeAlias = "sf.World | sf.RobotDescription"
_LONGEST = 100  # letters of a name that are compared
_MOST_PAIRS = 20_000  # compared for renames; beyond, names alone count


@dataclass(slots=True)
class Matching:
    """Names of B by names of A, and the names that only A or only B has.

    Attributes
    ----------
    same : all pairs, with equal names or not.
    renamed : the pairs whose names differ.
    removed, added : names that only A, and only B, has.
    """

    same: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)


def match(a: Iterable[str], b: Iterable[str], score: Callable[[str, str], float | None],
          own_a: Mapping[str, str] = {}, own_b: Mapping[str, str] = {}) -> Matching:
    """Match equal names, and the others by their score.

    `score` returns how well a pair of names matches; None if they cannot be the same part. `own_a` and `own_b` have
    the names that are compared in place of these, if they differ.
    """
    here, there = {own_a.get(name, name): name for name in a}, {own_b.get(name, name): name for name in b}
    result = Matching({name: there[own] for own, name in here.items() if own in there})
    left, right = [own for own in here if own not in there], [own for own in there if own not in here]
    pairs = []
    if len(left) * len(right) <= _MOST_PAIRS:
        pairs = [(points, SequenceMatcher(None, old[:_LONGEST], new[:_LONGEST]).ratio(), here[old], there[new])
                 for old in left for new in right if (points := score(here[old], there[new])) is not None]
    taken: set[str] = set()
    for _, _, old, new in sorted(pairs, key=lambda pair: pair[:2], reverse=True):
        if old not in result.same and new not in taken:
            result.same[old] = result.renamed[old] = new
            taken.add(new)
    result.removed = [here[own] for own in left if here[own] not in result.same]
    result.added = [there[own] for own in right if there[own] not in taken]
    return result


def match_links(a: Scene, b: Scene, tolerance: float, own_a: Mapping[str, str] = {},
                own_b: Mapping[str, str] = {}) -> Matching:
    """Match links: renamed links are in the same place, and share a joint, a neighbour or their shapes."""
    near_a, near_b = _find_neighbours(a), _find_neighbours(b)
    forms_a, forms_b = ({name: _describe_shapes(link) for name, link in scene.sdf_links.items()} for scene in (a, b))

    def score(old: str, new: str) -> float | None:
        if not _is_near(a.sdf_links[old].pose, b.sdf_links[new].pose, tolerance):
            return None
        shared = len(near_a[old] & near_b[new]) + (forms_a[old] == forms_b[new] != ())
        alone = not near_a[old] and not near_b[new]
        return shared if shared or alone else None

    return match(a.sdf_links, b.sdf_links, score, own_a, own_b)


def match_joints(a: Scene, b: Scene, links: Mapping[str, str], own_a: Mapping[str, str] = {},
                 own_b: Mapping[str, str] = {}) -> Matching:
    """Match joints: renamed joints connect the same links by the same type of joint."""
    def score(old: str, new: str) -> float | None:
        p, q = a.sdf_joints[old], b.sdf_joints[new]
        same = (links.get(p.parent, p.parent), links.get(p.child, p.child)) == (q.parent, q.child)
        return float(p.type == q.type) if same else None

    return match(a.sdf_joints, b.sdf_joints, score, own_a, own_b)


def match_frames(a: Scene, b: Scene, names: Mapping[str, str], tolerance: float, gone: Container[str],
                 come: Container[str]) -> Matching:
    """Match frames and models: renamed frames have the same kind, place and body.

    Parameters
    ----------
    names : names of B by names of A, of the parts that are matched already.
    gone, come : links and joints that only A, and only B, has.
    """
    def score(old: str, new: str) -> float | None:
        p, q = a.frames[old], b.frames[new]
        if p.kind != q.kind or names.get(p.body or "", p.body) != q.body or not _is_near(p.pose, q.pose, tolerance):
            return None
        return float(names.get(p.attached_to or "", p.attached_to) == q.attached_to)

    taken = set(names.values())
    left = [name for name in a.frames if name not in names and name not in gone]
    right = [name for name in b.frames if name not in taken and name not in come]
    return match(left, right, score)


def _is_near(X: sf.Pose | None, Y: sf.Pose | None, tolerance: float) -> bool:
    return X is not None and Y is not None and X.is_close(Y, max(tolerance, 1e-6))


def _find_neighbours(scene: Scene) -> dict[str, set[Hashable]]:
    """Return the names of the joints at each link, and of the links on their other side."""
    near: dict[str, set[Hashable]] = {name: set() for name in scene.sdf_links}
    for joint in scene.sdf_joints.values():
        for one, other in ((joint.parent, joint.child), (joint.child, joint.parent)):
            if one in near:
                near[one] |= {("joint", joint.name), ("link", other)}
    return near


def _describe_shapes(link: sf.Link) -> tuple[str, ...]:
    return tuple([type(shape.geometry).__name__ + str(shape.uri or "") for shape in (*link.visuals, *link.collisions)])
