"""Every model and world of the three documents on kinematics that the project was created from.

``models/seeds/FOLDER`` is one idea: small files, and ``expect.json``, which says of each file whether it is valid and
exactly which findings it has (name, line, path; advice is left out), which frames (the body that each is attached to,
and its pose as ``x y z  roll pitch yaw`` in degrees, or seven numbers with a quaternion w x y z; null where there is
none) and which joints (type, parent, child, unit axes in the joint frame). The folders' numbers are those of the
documents: 001 kinematics, 002 pose frame semantics of 1.7, 004 those of 1.4 to 1.6. Expected poses are worked out by
hand; ``why`` gives the arithmetic. Where a document prints a placeholder, a number stands here.
"""
import json
from math import cos, radians, sin
from pathlib import Path

import pytest

from sdf_frames.load import LoadOptions, load_file, load_text
from sdf_frames.spatial.pose import compose, invert, pose_from_rpy, rotate

SEEDS = Path(__file__).parent / "models" / "seeds"
OPTIONS = LoadOptions(preserve_fixed_joints=True)
EXPECTED = {f"{path.parent.name}/{name}": row
            for path in sorted(SEEDS.glob("*/expect.json"))
            for name, row in json.loads(path.read_text(encoding="utf-8")).items()}


def load(name):
    return load_file(SEEDS / name, OPTIONS)


def frames_of(loaded):
    (scope,) = loaded.scopes
    return {f.name: f for f in scope.frames}


def read_pose(written):
    """Pose (x, y, z, qw, qx, qy, qz) of an expectation."""
    if not isinstance(written, str):
        return tuple(written)
    x, y, z, *angles = (float(v) for v in written.split())
    return pose_from_rpy(x, y, z, *(radians(a) for a in angles))


def assert_same_pose(X, expected):
    """The same position and rotation; q and −q are one rotation."""
    assert X[:3] == pytest.approx(expected[:3], abs=1e-12)
    assert abs(sum(a * b for a, b in zip(X[3:], expected[3:]))) == pytest.approx(1, abs=1e-12)


def test_every_model_has_an_expectation():
    files = {f"{p.parent.name}/{p.name}" for p in SEEDS.glob("*/*") if p.suffix in (".sdf", ".urdf")}
    assert files == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_findings_are_exactly_the_defects(name):
    loaded, expected = load(name), EXPECTED[name]
    assert [[d.name, d.line, d.path] for d in loaded.diagnostics if d.severity != "info"] == expected["diagnostics"]
    assert all(d.file == str(SEEDS / name) for d in loaded.diagnostics)
    assert loaded.valid is expected["valid"]


@pytest.mark.parametrize("name", [n for n, row in EXPECTED.items() if "frames" in row])
def test_frames_are_those_worked_out_by_hand(name):
    found, expected = frames_of(load(name)), EXPECTED[name]["frames"]
    assert sorted(found) == sorted(expected)
    for frame, (body, pose) in expected.items():
        assert found[frame].link == body, frame
        if pose is None:
            assert found[frame].pose is None, frame
        else:
            assert found[frame].pose is not None, frame
            assert_same_pose(found[frame].pose, read_pose(pose))


@pytest.mark.parametrize("name", [n for n, row in EXPECTED.items() if "joints" in row])
def test_joints_are_those_worked_out_by_hand(name):
    (scope,) = load(name).scopes
    found, expected = {j.name: j for j in scope.joints}, EXPECTED[name]["joints"]
    assert sorted(found) == sorted(expected)
    for joint, (kind, parent, child, axes) in expected.items():
        row = found[joint]
        assert (row.type, row.parent, row.child) == (kind, parent, child)
        assert [i for i, _ in row.axes] == list(range(len(axes)))
        for (_, xyz), axis in zip(row.axes, axes):
            assert xyz == pytest.approx(axis, abs=1e-12)


@pytest.mark.parametrize("one, other", [
    ("002_canonical_link/explicit.sdf", "002_canonical_link/default.sdf"),
    ("002_canonical_link/explicit.sdf", "002_canonical_link/empty.sdf"),
    ("002_expressed_in/before_1_6.sdf", "002_expressed_in/after_1_7.sdf"),
    ("002_expressed_in/default.sdf", "002_expressed_in/empty.sdf"),
    ("004_parent_frames/parts_1_4.sdf", "004_parent_frames/parts_1_5.sdf"),
    ("004_parent_frames/joint_1_4.sdf", "004_parent_frames/joint_1_5.sdf"),
    ("001_joint_axis/axis_1_4.sdf", "001_joint_axis/axis_1_6_true.sdf"),
    ("001_joint_axis/axis_1_5.sdf", "001_joint_axis/axis_1_6_false.sdf"),
])
def test_models_declared_equivalent_have_the_same_frames(one, other):
    (a,), (b,) = load(one).scopes, load(other).scopes
    assert [(f.name, f.kind, f.link, f.pose) for f in a.frames] == [(f.name, f.kind, f.link, f.pose) for f in b.frames]
    assert a.joints == b.joints


def test_a_links_pose_in_the_world_may_stand_at_model_and_link():
    poses = [frames_of(load(f"001_model_and_link/{n}.sdf"))["m::link"].pose
             for n in ("model_and_link_pose", "equivalent_link_pose")]
    assert_same_pose(*poses)


TREES = ["004_urdf/tree.urdf", "004_urdf/tree_1_4.sdf", "004_urdf/tree_frame_attribute_1_5.sdf",
         "004_urdf/tree_frames_1_5.sdf", "002_urdf_parity/relative_to.sdf", "002_urdf_parity/frames.sdf"]


@pytest.mark.parametrize("name", TREES[1:])
def test_a_tree_is_the_same_in_urdf_and_every_way_of_writing_it_in_sdf(name):
    """Links and joints with their bodies and poses; the explicit frames are one file's own."""
    wanted, found = frames_of(load(TREES[0])), frames_of(load(name))
    assert {n for n, f in found.items() if f.kind != "frame"} == set(wanted)
    for frame, row in wanted.items():
        assert (found[frame].kind, found[frame].link) == (row.kind, row.link)
        assert_same_pose(found[frame].pose, row.pose)
    ends = [{j.name: (j.type, j.parent, j.child) for s in load(n).scopes for j in s.joints} for n in (TREES[0], name)]
    assert ends[0] == ends[1]


def test_the_same_joint_in_urdf_stands_where_it_stands_in_the_sdf_parent_link():
    sdf, urdf = (frames_of(load(f"001_joint_pose/two_links_revolute.{s}")) for s in ("sdf", "urdf"))
    X_PJ = compose(invert(sdf["Parent"].pose), sdf["joint"].pose)
    assert_same_pose(X_PJ, urdf["joint"].pose)


@pytest.mark.parametrize("number, joint, link, expected", [
    (1, "jointAB", "linkB", lambda s, c: (0.1 + 0.1 * s, 0, 0.1 * c)),
    (2, "joint12", "link2", lambda s, c: (0.1 * c, 0, 0.1 - 0.1 * s)),
])
def test_equal_links_move_apart_about_their_joints(number, joint, link, expected):
    """At q = 0.78: X_MJ · R_y(q) · X_JL. Model 1 turns (0 0 0.1) about (0.1 0 0), model 2 (0.1 0 0) about (0 0 0.1)."""
    (scope,) = load(f"001_joint_pose/two_links_orthogonal_{number}.sdf").scopes
    frames = {f.name: f.pose for f in scope.frames}
    (_, axis), = next(j for j in scope.joints if j.name == joint).axes
    q = 0.78
    turn = (0, 0, 0, cos(q / 2), *(sin(q / 2) * a for a in axis))
    X_ML = compose(compose(frames[joint], turn), compose(invert(frames[joint]), frames[link]))
    assert X_ML[:3] == pytest.approx(expected(sin(q), cos(q)), abs=1e-12)


def test_j2_turns_about_an_axis_orthogonal_to_that_of_j1():
    """1.57 rad is a quarter turn up to 0.0008."""
    (scope,) = load("001_joint_axis/joint_axis.sdf").scopes
    frames = {f.name: f.pose for f in scope.frames}
    a, b = (rotate(frames[j.name][3:], j.axes[0][1]) for j in scope.joints)
    assert sum(x * y for x, y in zip(a, b)) == pytest.approx(cos(1.57), abs=1e-12)


def resolve_parts(name):
    """``{(kind, part): pose in its link}`` of a file whose parts are posed in frames of the root model."""
    loaded = load(name)
    frames, found = frames_of(loaded), {}
    model = loaded.root.model or loaded.root.worlds[0].models[0]
    for link in model.links:
        for part in (*link.collisions, *link.parts):
            X_LF = compose(invert(frames[link.name].pose),
                           frames[part.pose.relative_to].pose) if part.pose.relative_to else (0, 0, 0, 1, 0, 0, 0)
            found[getattr(part, "kind", "collision"), part.name] = compose(X_LF, part.pose.X)
    return found


def test_explicit_frames_stand_for_duplicated_poses():
    one, other = (resolve_parts(f"002_poses_of_parts/{n}.sdf") for n in ("duplicated_poses", "explicit_frames"))
    assert one == other
    assert {n: X for n, X in one.items() if n[1].startswith("led1")} == {
        (k, f"led1_{k}"): (0.1, 0, 0, 1, 0, 0, 0) for k in ("light", "collision", "visual")}


@pytest.mark.parametrize("name", ["parts_1_4", "parts_1_5"])
def test_parts_of_a_link_are_posed_in_the_link(name):
    link = load(f"004_parent_frames/{name}.sdf").root.worlds[0].models[0].links[0]
    assert link.inertial.X_LI == (0, 0, 1, 1, 0, 0, 0)
    assert [(p.name, p.pose.X, p.pose.relative_to) for p in (*link.collisions, *link.parts)] == [
        (n, (0, 0, z, 1, 0, 0, 0), "") for n, z in (("collision", 2), ("visual", 3), ("sensor", 4))]


def test_an_origin_says_what_a_pose_says():
    one, other = (load(f"004_urdf/parts.{s}").root.model.links[0] for s in ("sdf", "urdf"))
    assert one.inertial.X_LI == other.inertial.X_LI == (0, 0, 1, 1, 0, 0, 0)
    assert_same_pose(one.collisions[0].pose.X, read_pose("0 0 2  0 0 90"))
    assert_same_pose(other.collisions[0].pose.X, read_pose("0 0 2  0 0 90"))
    assert_same_pose(one.parts[0].pose.X, read_pose("0 0 3  90 0 0"))
    assert_same_pose(other.parts[0].pose.X, read_pose("0 0 3  90 0 0"))


def test_a_sibling_link_named_world_is_the_parent_before_1_7():
    """Not the inertial frame: the joint's parent is the vertex of the link."""
    from sdf_frames.frames.resolve import resolve_joint_end
    (graph,) = load("004_joint_ends/link_named_world.sdf").graphs
    vertex = resolve_joint_end(graph, "", "world")
    assert graph.kinds[vertex] == "link"


def test_an_axis_expressed_in_a_frame_that_is_not_there_has_no_direction():
    """002, section 7: any valid frame can be referred to; the joint itself and its axis2 resolve all the same."""
    loaded = load_text(
        '<sdf version="1.7"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="universal">'
        '<parent>a</parent>'
                       '<child>b</child><axis><xyz expressed_in="none">0 0 1</xyz></axis><axis2><xyz>0 2 0</xyz>'
                       '</axis2></joint></model></sdf>')
    assert [d.name for d in loaded.diagnostics] == ["joint-axis-expressed-in-unknown"]
    (row,) = loaded.scopes[0].joints
    assert (row.parent, row.child, row.axes) == ("a", "b", ((1, (0, 1, 0)),))


@pytest.mark.parametrize("order", ["before", "after"])
def test_a_joints_ends_are_links_whatever_has_their_name_before_1_7(order):
    """004, naming rules of 1.4: siblings of different types may share a name; a joint names links."""
    joint = '<joint name="a" type="fixed"><parent>a</parent><child>b</child></joint>'
    links = '<link name="a"/><link name="b"/>'
    loaded = load_text(
        f'<sdf version="1.4"><model name="m">{joint + links if order == "before" else links + joint}</model></sdf>')
    assert loaded.valid
    (row,) = loaded.scopes[0].joints
    assert (row.parent, row.child) == ("a", "b")
