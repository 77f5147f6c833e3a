"""Poses in a frame of one's choice; expectations are worked out by hand."""
import json
import re
import sys
from math import pi

import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main

# b is turned by a half turn about z, so that in it x and y of the model are turned round.
TEXT = """<sdf version="1.9"><model name="m"><link name="a"/>
  <frame name="b" attached_to="a"><pose>1 2 3 0 0 3.141592653589793</pose></frame>
  <frame name="far" attached_to="a"><pose>1.5e308 0 0 0 0 0</pose></frame>
  <model name="n"><link name="a"><pose>-1.5e308 0 0 0 0 0</pose></link></model></model></sdf>"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(TEXT)
    return str(path)


def read(capsys) -> dict:
    return json.loads(capsys.readouterr().out)


def test_poses_in_another_frame(file, capsys):
    assert main(["frames", "--json", "--relative-to", "b", file]) == 0
    poses = {f["name"]: f["pose"] for f in read(capsys)["scopes"][0]["frames"]}
    assert poses["b"] == pytest.approx([0, 0, 0, 1, 0, 0, 0])
    assert poses["a"][:3] == pytest.approx([1, 2, -3])
    assert [abs(v) for v in poses["a"][3:]] == pytest.approx([0, 0, 0, 1])
    assert main(["frames", "--json", "--relative-to", "__model__", file]) == 0
    same = read(capsys)
    assert main(["frames", "--json", file]) == 0
    assert same == read(capsys)


def test_a_pose_too_large_for_a_number_is_null(file, capsys):
    main(["frames", "--json", "--relative-to", "n::a", file])
    poses = {f["name"]: f["pose"] for f in read(capsys)["scopes"][0]["frames"]}
    assert poses["far"] is None and poses["n::a"][:3] == [0, 0, 0]


# An arm that is turned by a quarter about z, a tool 0.5 m along its x, and what the SDF cannot resolve or hold.
ARM = """<sdf version="1.11"><model name="m"><link name="base"/>
<link name="arm"><pose>0 0 1 0 0 1.5707963267948966</pose></link>
<joint name="j" type="universal"><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz></axis>
  <axis2><xyz>1 0 0</xyz></axis2></joint>
<joint name="k" type="fixed"><parent>world</parent><child>base</child></joint>
<frame name="tool" attached_to="arm"><pose>0.5 0 0.12345678 0 0 0</pose></frame>
<frame name="lost" attached_to="nowhere"/></model></sdf>"""
JOINTS = "  joint j (universal): base -> arm, axis 0 0 1; 1 0 0\n  joint k (fixed): world -> base\n"


@pytest.fixture
def show(tmp_path, monkeypatch, capsys):
    """What the command prints of the files of a folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text(ARM)
    (tmp_path / "r.urdf").write_text(robot(
        link("a", 1), link("b"), link("c"), joint("k", "fixed", "a", "c", xyz="0 1 0"),
        joint("j", "revolute", "a", "b", '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>',
              xyz="1 0 0")))

    def show(*words, status=0):
        assert main(["frames", *words]) == status
        return capsys.readouterr().out
    return show


def test_the_table(show):
    assert show("m.sdf", status=1) == """m.sdf: model m
  frame      kind   body   x y z           qw qx qy qz
  __model__  model  base   0 0 0           1 0 0 0
  base       link   base   0 0 0           1 0 0 0
  arm        link   arm    0 0 1           0.707107 0 0 0.707107
  j          joint  arm    0 0 1           0.707107 0 0 0.707107
  k          joint  base   0 0 0           1 0 0 0
  tool       frame  arm    0 0.5 1.123457  0.707107 0 0 0.707107
  lost       frame  -      unresolved
  world      world  world  0 0 0           1 0 0 0  (not in the SDF)
""" + JOINTS
    assert show("--from", "arm", "--rpy", "m.sdf", status=1) == """m.sdf: model m, poses in arm
  frame      kind   body   x y z           roll pitch yaw (rad)
  __model__  model  base   0 0 -1          0 0 -1.570796
  base       link   base   0 0 -1          0 0 -1.570796
  arm        link   arm    0 0 0           0 0 0
  j          joint  arm    0 0 0           0 0 0
  k          joint  base   0 0 -1          0 0 -1.570796
  tool       frame  arm    0.5 0 0.123457  0 0 0
  lost       frame  -      unresolved
  world      world  world  0 0 -1          0 0 -1.570796  (not in the SDF)
""" + JOINTS
    assert show("--degrees", "r.urdf") == """r.urdf: model r
  frame      kind   body  x y z  roll pitch yaw (deg)
  __model__  model  a     0 0 0  0 0 0
  a          link   a     0 0 0  0 0 0
  k          frame  a     0 1 0  0 0 0
  c          frame  a     0 1 0  0 0 0
  b          link   b     1 0 0  0 0 0  (not in the SDF)
  j          joint  b     1 0 0  0 0 0  (not in the SDF)
"""


@pytest.mark.parametrize(("words", "status", "said"), [
    (["--to", "arm", "m.sdf"], 1,
     "m.sdf: arm in __model__\n  x y z        0 0 1\n  qw qx qy qz  0.707107 0 0 0.707107\n"),
    (["--from", "tool", "--to", "arm", "--degrees", "m.sdf"], 1,
     "m.sdf: arm in tool\n  x y z                 -0.5 0 -0.123457\n  roll pitch yaw (deg)  0 0 0\n"),
    (["--to", "arm", "--degrees", "m.sdf"], 1,
     "m.sdf: arm in __model__\n  x y z                 0 0 1\n  roll pitch yaw (deg)  0 0 90\n"),
    (["--to", "arm", "--rpy", "m.sdf"], 1,
     "m.sdf: arm in __model__\n  x y z                 0 0 1\n  roll pitch yaw (rad)  0 0 1.570796\n"),
    (["--to", "arm", "--matrix", "m.sdf"], 1,
     "m.sdf: arm in __model__\n  0  -1  0  0\n  1   0  0  0\n  0   0  1  1\n  0   0  0  1\n"),
    (["--to", "lost", "m.sdf"], 1, "m.sdf: lost in __model__\n  unresolved\n"),
    (["--to", "b", "--joint", "j=1.5707963267948966", "r.urdf"], 0,
     "r.urdf: b in __model__\n  x y z        1 0 0\n  qw qx qy qz  0.707107 0 0 0.707107\n"),
    (["--from", "base", "--to", "arm", "--joint", "j=0,1.5707963267948966", "--degrees", "m.sdf"], 1,
     "m.sdf: arm in base\n  x y z                 0 0 1\n  roll pitch yaw (deg)  90 0 90\n")])
def test_the_pose_of_one_frame(show, words, status, said):
    assert show(*words, status=status) == said


def test_names_that_would_steer_a_terminal_are_escaped(tmp_path, show):
    (tmp_path / "x.sdf").write_text('<sdf version="1.11"><model name="m"><link name="a&#x9b;b"/></model></sdf>')
    assert "  a\\x9bb     link   a\\x9bb  0 0 0  1 0 0 0\n" in show("x.sdf")
    assert show("--to", "a\x9bb", "x.sdf").startswith("x.sdf: a\\x9bb in __model__\n")


def test_json_of_one_frame_where_a_joint_moved(show):
    """b is turned about z by a quarter, 1 m along x."""
    (scope,) = json.loads(show("--json", "--to", "b", "--joint", f"j={pi / 2!r}", "r.urdf"))["scopes"]
    (frame,) = [*scope["frames"], *scope["left_out"]]
    assert frame["name"] == "b" and frame["pose"] == pytest.approx([1, 0, 0, 0.5**0.5, 0, 0, 0.5**0.5])
    assert scope["joints"] == []


@pytest.mark.parametrize(("words", "said"), [
    (["--joint", "jj=1", "m.sdf"],
     "X027 joint-position-refused: wrong joint position: no movable joint 'jj'; did you mean 'j'?"),
    (["--joint", "j=1", "m.sdf"],
     "X027 joint-position-refused: wrong joint position: joint 'j' is universal and takes 2 values, "
     "not 1\n    hint: write j=V,V\n"),
    (["--joint", "j=1,2", "r.urdf"],
     "X027 joint-position-refused: wrong joint position: joint 'j' is revolute and takes 1 value, "
     "not 2\n    hint: write j=V\n"),
    (["--to", "amr", "m.sdf"], "M002 frame-unknown: there is no frame 'amr'"),
    (["--from", "bse", "m.sdf"], "M002 frame-unknown: there is no frame 'bse'\n    hint: did you mean 'base'?")])
def test_unknown_frames_and_joints_are_errors_of_the_file(show, words, said, capsys):
    assert main(["frames", *words]) == 1
    out, err = capsys.readouterr()
    assert said in err and out == ""


def test_without_joints_numpy_is_not_needed(show, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert show("--to", "arm", "--degrees", "m.sdf", status=1).startswith("m.sdf: arm in __model__\n")


def test_json_holds_every_field(show):
    (scope,) = json.loads(show("--json", "--relative-to", "arm", "m.sdf", status=1))["scopes"]
    assert scope["kind"] == "model" and scope["name"] == "m"
    assert [row["name"] for row in scope["frames"]] == ["__model__", "base", "arm", "j", "k", "tool", "lost"]
    assert scope["frames"][6] == {"name": "lost", "kind": "frame", "attached_to": "nowhere", "relative_to": None,
                                  "link": None, "pose": None}
    tool = scope["frames"][5]
    assert tool.pop("pose") == pytest.approx([.5, 0, .12345678, 1, 0, 0, 0])
    assert tool == {"name": "tool", "kind": "frame", "attached_to": "arm", "relative_to": None, "link": "arm"}
    assert [row["name"] for row in scope["left_out"]] == ["world"]
    assert scope["joints"] == [
        {"name": "j", "type": "universal", "parent": "base", "child": "arm",
         "axes": [{"index": 0, "xyz": [0, 0, 1]}, {"index": 1, "xyz": [1, 0, 0]}]},
        {"name": "k", "type": "fixed", "parent": "world", "child": "base", "axes": []}]


WORLDS = '<sdf version="1.11">{}</sdf>'.format("".join(
    f'<world name="w{i}"><model name="m"><link name="a"/><link name="{name}"/><joint name="j{name}" type="prismatic">'
    f"<parent>a</parent><child>{name}</child><axis><xyz>0 0 1</xyz></axis></joint></model></world>"
    for i, name in enumerate("bc")))


def test_only_worlds_that_have_the_frame_or_joint_are_shown(tmp_path, show, capsys):
    (tmp_path / "w.sdf").write_text(WORLDS)
    one = "w.sdf: m::{} in {}\n  x y z        0 0 {}\n  qw qx qy qz  1 0 0 0\n"
    assert show("--to", "m::a", "w.sdf") == one.format("a", "world", 0) * 2
    assert show("--to", "m::c", "w.sdf") == one.format("c", "world", 0)
    assert show("--to", "m::c", "--joint", "m::jc=2", "w.sdf") == one.format("c", "world", 2)
    assert show("--from", "m::b", "--to", "m::a", "--joint", "m::jb=2", "w.sdf") == one.format("a", "m::b", -2)
    assert show("--joint", "m::jc=2", "w.sdf").startswith("w.sdf: world w1\n")
    main(["frames", "--to", "m::d", "w.sdf"])
    assert "there is no frame 'm::d'" in capsys.readouterr().err
    main(["frames", "--joint", "m::jd=1", "w.sdf"])
    out, err = capsys.readouterr()
    assert out == "" and "X027 joint-position-refused: wrong joint position: no movable joint 'm::jd'" in err
    main(["frames", "--joint", "m::jd=1", "--from", "m::a", "--to", "m::a", "w.sdf"])
    assert capsys.readouterr().err == err  # and nothing of frames that are not there


def test_a_matrix_needs_a_frame(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["frames", "--matrix", "m.sdf"])
    assert "--matrix needs --to FRAME" in capsys.readouterr().err


def test_the_type_of_a_urdfs_joint_is_one_everywhere_but_in_the_json_of_frames(tmp_path, capsys):
    """Also of one that is renamed, of one that is not in the SDF, and of a URDF in a world; one that
    <disableFixedJointLumping> makes a locked revolute joint is revolute."""
    limit = '<limit lower="0" upper="1" effort="1" velocity="1"/>'
    text = robot(*[link(name, 1) for name in "abcdef"], joint("b", "continuous", "a", "b"),
                 joint("jc", "revolute", "a", "c", limit), joint("jd", "planar", "a", "d"),
                 joint("je", "fixed", "a", "e"), joint("jf", "continuous", "a", "f", '<mimic joint="je"/>'),
                 gazebo("je", "<disableFixedJointLumping>true</disableFixedJointLumping>"))
    path, world = tmp_path / "r.urdf", tmp_path / "w.sdf"
    path.write_text(text)
    world.write_text('<sdf version="1.9"><world name="w"><include><uri>r.urdf</uri></include></world></sdf>')
    kinds = {"b_joint": "continuous", "jc": "revolute", "je": "revolute", "jf": "continuous"}
    own = {name: one.type for name, one in sf.load(path).joints.items()}
    assert own == {"b": "continuous", "jc": "revolute", "jd": "planar", "je": "fixed", "jf": "continuous"}
    assert main(["graph", "--kind", "kinematic", str(path)]) == 0
    assert dict(re.findall(r'label="(\w+)\\n(\w+)', capsys.readouterr().out)) == own
    for file, prefix in ((path, ""), (world, "r::")):
        assert main(["frames", str(file)]) == 0
        assert dict(re.findall(r"joint ([\w:]+) \((\w+)\)", capsys.readouterr().out)) == {
            prefix + name: kind for name, kind in kinds.items()}
    assert main(["frames", "--json", str(path)]) == 0
    assert {one["type"] for one in read(capsys)["scopes"][0]["joints"]} == {"revolute"}


@pytest.mark.parametrize("width, shown", [
    (None, ["b link b 0.123457 -1.5 0 0.877583 0 0 0.479426"]),
    (64, ["b link b 0.123457 -1.5 0 0.877583 0 0 0.479426"]),
    (63, ["b link b 0.1235 -1.5 0 0.8776 0 0 0.4794"]), (55, ["b link b 0.123 -1.5 0 0.878 0 0 0.479"]),
    (54, ["b link b", "0.1235 -1.5 0 0.8776 0 0 0.4794"])])
def test_the_table_fits_the_terminal(tmp_path, monkeypatch, capsys, width, shown):
    """With fewer decimals, or with the poses below the names. Turned by 1 rad about z: cos 0.5 and sin 0.5."""
    from sdf_frames.diagnostics.render import Terminal
    (tmp_path / "m.sdf").write_text('<sdf version="1.11"><model name="m"><link name="b"><pose>0.12345678 -1.5 0 0 0 1'
                                    "</pose></link></model></sdf>")
    monkeypatch.setattr("sdf_frames.cli.find_terminal", lambda stream: Terminal(width))
    assert main(["frames", str(tmp_path / "m.sdf")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()) for line in lines[-len(shown):]] == shown
    assert max(map(len, lines[1:])) <= (width or 100)


@pytest.mark.parametrize("width, shown", [
    (None, ["  joint elbow (fixed): a -> b"]), (29, ["  joint elbow (fixed): a -> b"]),
    (28, ["  joint elbow (fixed):", "      a -> b"])])
def test_a_joint_fits_the_terminal(tmp_path, monkeypatch, capsys, width, shown):
    from sdf_frames.diagnostics.render import Terminal
    (tmp_path / "m.sdf").write_text(
        '<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/><joint name="elbow" type="fixed">'
        "<parent>a</parent><child>b</child></joint></model></sdf>")
    monkeypatch.setattr("sdf_frames.cli.find_terminal", lambda stream: Terminal(width))
    assert main(["frames", str(tmp_path / "m.sdf")]) == 0
    assert capsys.readouterr().out.splitlines()[-len(shown):] == shown
