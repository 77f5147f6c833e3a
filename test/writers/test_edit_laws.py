"""Laws of the edits of one robot: frames stay where they were, whatever the positions of the joints, and so does every
part that did not have to change. The poses of the original are compared with other programs in other tests."""
import random
import re
from collections import Counter

import numpy as np
import pytest
from lxml import etree
from real_files import CORPUS, MISSING, resource_paths, some_files
from urdf_text import inertial, joint, link, robot

import sdf_frames as sf
from sdf_frames.load import load_file
from sdf_frames.spatial.inertia import find_defects
from sdf_frames.writers.repaired import repair_inertias
from sdf_frames.writers.rerooted import find_way
from sdf_frames.writers.written import rewrite

LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'
CHAIN = robot(
    link("l0", 1), *[link(f"l{n}", None, inertial(n, "0.1 0 0", "0 0.3 0", (1, 2, 2.5))) for n in range(1, 6)],
    joint("j1", "revolute", "l0", "l1", '<axis xyz="1 -2 0.5"/>' + LIMIT, xyz="1 0.2 -0.3", rpy="0.3 1.2 -2"),
    joint("j2", "prismatic", "l1", "l2", '<axis xyz="0.6 0 0.8"/>' + LIMIT, xyz="0 1 0", rpy="0 0 1"),
    joint("j3", "continuous", "l2", "l3", '<axis xyz="0 0 1"/>' + '<mimic joint="j1" multiplier="2" offset="0.1"/>',
          xyz="0 0 2", rpy="0 0 0.4"),
    joint("j4", "fixed", "l3", "l4", rpy="1 2 3"), joint("j5", "revolute", "l1", "l5", LIMIT, xyz="0 0 1"))
#: Names or versions of two robots clash; joints that cannot be reversed; mimics of what is cut off.
REFUSED = {"C096", "C098", "C106", "C107", "C110"}
HAND = robot(link("palm", 1), link("finger", 1), joint("grip", "prismatic", "palm", "finger", LIMIT, rpy="0 1 0"))


def load(source, **options):
    read = sf.loads if isinstance(source, str) else sf.load
    return read(source, preserve_fixed_joints=True, massless="keep", **options)


def draw_positions(description, draw):
    return {name: draw.uniform(-2, 2) for name, j in description.joints.items()
            if j.type in ("revolute", "continuous", "prismatic") and j.mimic is None}


def assert_same_poses(part, whole, draw):
    """The links of a robot have the same poses relative to one another as in a whole, at the same positions."""
    positions = draw_positions(whole, draw)
    old = part.poses({name: q for name, q in positions.items() if name in part.joints})
    new = whole.poses(positions)
    first = next(iter(part.links))
    to_new = new[first] @ old[first].inverse()
    size = max(1.0, *[np.abs(pose.matrix).max() for pose in old.values()])
    for name in part.links:
        assert np.abs((to_new @ old[name]).matrix - new[name].matrix).max() <= 1e-9 * size, name


def list_parts(description, *names):
    """The text of every link and joint of a URDF, in its order, but for those of these names."""
    return [etree.tostring(e, with_tail=False) for e in description.tree.iterchildren("link", "joint")
            if e.get("name") not in names]


def reroot_it(before, draw):
    """Only the joints on the way to the old root change, and only links and joints behind them are new."""
    name = draw.choice([*before.links])
    after = before.reroot(name)
    way = [joint.name for joint in find_way(before._description.robot, name)]
    new = {e.get("name") for e in after.tree} - {e.get("name") for e in before.tree}
    assert name not in {j.child for j in after.joints.values()} and len(new) <= 2 * len(way)
    assert list_parts(before, *way) == list_parts(after, *way, *new)
    assert_same_poses(before, after, draw)


def cut_it(before, draw):
    """What stays is as it was, in the same order."""
    after = before.cut(draw.choice(sorted({j.parent for j in before.joints.values()})))
    remaining = iter(list_parts(before))
    assert all(part in remaining for part in list_parts(after))
    assert_same_poses(after, before, draw)


def attach_it(before, draw):
    """The text of the first is around that of the second; both are as they were, the second in its place."""
    at, X = draw.choice([*before.links]), sf.Pose.from_rpy([1, 2, 3], [draw.uniform(-3, 3) for _ in "rpy"])
    hand = load(HAND)
    after = sf.attach(before, hand, at, X, prefix="left hand ")
    start, end, rest = before.to_urdf().rpartition("</robot>")
    assert after.to_urdf().startswith(start.rstrip()) and after.to_urdf().endswith(end + rest)
    assert_same_poses(before, after, draw)
    turned = [after.pose(f"left hand {name}", at, {"left hand grip": 0.5}).matrix for name in hand.links]
    assert np.allclose(turned, [(X @ hand.pose(name, "palm", {"grip": 0.5})).matrix for name in hand.links])


@pytest.mark.parametrize("edit", [reroot_it, cut_it, attach_it])
def test_robots_keep_their_poses_and_what_need_not_change(edit):
    """A small robot, by twenty different edits, and robots of others, by one."""
    edited = dict.fromkeys((str, type(CORPUS)), 0)
    for source, seed in [*[(CHAIN, seed) for seed in range(20)], *[(path, path.name) for path in some_files("*.urdf")]]:
        before = load(source)
        if before.kind == "urdf" and before.resolved and before.joints:
            try:
                edit(before, random.Random(seed))
                edited[type(source)] += 1
            except sf.InvalidDescription as error:
                assert {d.code for d in error.findings if d.severity == "error"} & REFUSED, source
    assert edited[str] >= 5 and (edited[type(CORPUS)] >= 5 or not CORPUS.is_dir())


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_robots_and_worlds_of_others_change_in_one_pose_only():
    """A random frame at a random pose in another one: it is there, and what changed is in one element.

    Placed where it is, nothing changes.
    """
    rng, placed, same = np.random.default_rng(0), 0, 0
    for path in some_files("*.urdf", "*.sdf"):
        if path.stat().st_size > 100_000:
            continue
        robot = sf.load(path, resource_paths=resource_paths(path.relative_to(CORPUS).as_posix()))
        names = [name for name, frame in robot.frames.items() if frame.pose is not None]
        if robot.kind is None or len(names) < 2:
            continue
        frame, base = rng.choice(names, 2, replace=False)
        positions = {name: 0.0 for name, j in robot.joints.items()
                     if j.movable and j.type in ("revolute", "continuous", "prismatic")}
        X = sf.Pose(rng.uniform(-1, 1, 3), rng.normal(size=4))
        try:
            changed = robot.place(frame, base, X, positions=positions)
        except sf.InvalidDescription:
            continue
        placed += 1
        assert np.abs(changed.pose(frame, base, positions).matrix - X.matrix).max() < 1e-11, path
        again = changed.place(frame, base, changed.pose(frame, base, positions), positions=positions)
        texts = [r.to_urdf() if r.kind == "urdf" else r.to_sdf() for r in (robot, changed, again)]
        old, new = [Counter(re.findall(r"<[^>]*>[^<]*", text)) for text in texts[:2]]
        assert (old - new).total() <= 1 and (new - old).total() <= 3, path
        same += texts[1] == texts[2]
    assert placed >= 40 and same >= 0.9 * placed  # in others, the last digits of far frames


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_robots_and_worlds_of_others_get_possible_inertias():
    """Each tensor that cannot be is replaced, and nothing else."""
    repaired, tensor = 0, re.compile(rb"<inertia\b[^>]*/>|<inertia\b.*?</inertia>", re.DOTALL)
    for path in some_files("*.urdf", "*.sdf"):
        loaded = load_file(path)
        if loaded.source is None or not isinstance(loaded.source.given, bytes):
            continue
        made, repairs = repair_inertias(loaded)
        assert not any(find_defects(new.mass, new.inertia) for _, new in repairs), path
        old, new = loaded.source.given, rewrite(made)[0] or loaded.source.given
        assert tensor.sub(b"", old) == tensor.sub(b"", new), path
        changed = [pair for pair in zip(tensor.findall(old), tensor.findall(new)) if pair[0] != pair[1]]
        assert len(changed) == len(repairs), path
        repaired += len(repairs)
    assert repaired >= 1
