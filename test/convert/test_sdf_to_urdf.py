"""SDFormat to URDF: every frame a link in its place, physics unchanged, what URDF cannot say said."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree
from written_text import convert_to_display, convert_to_urdf

from sdf_frames.cli import main
from sdf_frames.convert.report import make_rows
from sdf_frames.document.elements import line_of
from sdf_frames.load import LoadOptions, load_file, load_text

OFFSET = """<sdf version="1.9"><model name="door">
  <link name="wall"><inertial><mass>5</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name="leaf"><pose>1 0 0 0 0 0</pose>
    <inertial><mass>2</mass></inertial></link>
  <joint name="hinge" type="revolute"><pose>-0.5 0 0 0 0 1.5707963267948966</pose><parent>wall</parent><child>leaf</child>
    <axis><xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity></limit>
      <dynamics><damping>0.5</damping></dynamics></axis></joint>
  <frame name="knob" attached_to="leaf"><pose>0.4 0 0 0 0 0</pose></frame>
</model></sdf>"""  # noqa: E501


def to_urdf(text: str):
    urdf, rows, found, _ = convert_to_urdf(load_text(text))
    return load_text(urdf, options=LoadOptions(preserve_fixed_joints=True, massless="keep")), rows, found


LINK = '<link name="{}"><inertial><mass>{}</mass></inertial></link>'
HINGE = ('<joint name="{}" type="revolute"><parent>{}</parent><child>{}</child><axis><xyz>0 0 1</xyz>{}<limit>'
         '<lower>-1</lower><upper>1</upper></limit></axis></joint>')


def test_a_robot_without_mass_is_written():
    """As URDF, nothing is wrong with it; only as SDF it would have no link."""
    loaded = load_text(f'<sdf version="1.11"><model name="m">{LINK.format("a", 0)}</model></sdf>')
    urdf, _, found, _ = convert_to_urdf(loaded)
    assert urdf is not None and not [d for d in found if d.severity == "error"]


@pytest.mark.parametrize("leader, type, axis, wanted", [
    ("i", "revolute", "axis", "i"),
    ("i", "universal", "axis2", "i_axis2"),
    ("i", "universal", "axis", "i"),
    ("i", "screw", "axis", None),
    ("loop", "revolute", "axis", None),
])
def test_a_mimic_follows_what_takes_the_place_of_its_leader(leader, type, axis, wanted):
    """A joint that closes a loop is not in the URDF, and one that URDF does not have is a fixed one there."""
    mimic = f'<mimic joint="{leader}" axis="{axis}"><multiplier>3</multiplier></mimic>'
    turning = HINGE.format("i", "a", "c", "").replace("revolute", type)
    if type == "universal":
        turning = turning.replace("</joint>", "<axis2><xyz>1 0 0</xyz></axis2></joint>")
    content = "".join(LINK.format(name, 1) for name in "abcd") + HINGE.format("k", "c", "d", mimic)
    content += HINGE.format("h", "a", "b", "") + turning + HINGE.format("loop", "b", "c", "")
    loaded, rows, found = to_urdf(f'<sdf version="1.11"><model name="m">{content}</model></sdf>')
    follower = next(j for j in loaded.robot.joints if j.name == "k")
    assert (follower.mimic.joint if follower.mimic else None) == wanted
    dropped = [(r.name, r.action) for r in rows if r.element == "mimic"]
    assert dropped == ([] if wanted else [("k", "dropped")])
    assert [d.severity for d in found if d.name == "urdf-mimic-dropped"] == ["warning"] * len(dropped)


def test_an_inertial_in_another_frame_is_written_in_its_link():
    """Until 1.6 that could be: its numbers are not those of a URDF."""
    inertial = '<inertial><pose frame="f">0 1 0 0 0 0</pose><mass>2</mass></inertial>'
    loaded, _, _ = to_urdf('<sdf version="1.6"><model name="m"><frame name="f"><pose>5 0 0 0 0 0</pose></frame>'
                           f'<link name="l"><pose>3 0 0 0 0 0</pose>{inertial}</link></model></sdf>')
    assert next(link for link in loaded.robot.links if link.name == "l").inertial.origin.xyz == (2, 1, 0)


def test_rows_of_a_nested_joint_name_it_as_it_is_written():
    nested = '<model name="n">' + LINK.format("a", 1) + LINK.format("b", 1) + HINGE.format("j", "a", "b",
        "") + '<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint></model>'
    loaded, rows, _ = to_urdf(f'<sdf version="1.9"><model name="m">{nested}</model></sdf>')
    names = {j.name for j in loaded.robot.joints}
    made = {r.name: r for r in rows if r.element == "joint"}
    assert made["n::j"].action == "renamed" and {r.into for r in made.values()} == {"n/j", "n/w"} <= names


def test_a_joint_away_from_its_child_gets_a_link_of_its_own():
    loaded, rows, _ = to_urdf(OFFSET)
    robot = loaded.robot
    joints = {j.name: j for j in robot.joints}
    assert robot.root == "wall"
    hinge = joints["hinge"]
    assert (hinge.type, hinge.parent, hinge.child) == ("revolute", "wall", "hinge_frame")
    # The joint stands at x = 1 − 0.5, turned by 90° about z; the model's y axis is its x axis.
    assert hinge.origin.xyz == pytest.approx((0.5, 0, 0)) and hinge.origin.rpy == pytest.approx((0, 0, pi / 2))
    assert hinge.axis == pytest.approx((1, 0, 0), abs=1e-15)
    assert hinge.limit[:4] == (-1, 2, 3, 4) and hinge.dynamics[:2] == (0.5, 0)
    # From the joint's frame the leaf is half a metre along the model's x, which is the joint's −y.
    offset = joints["leaf_offset"]
    assert (offset.type, offset.parent, offset.child) == ("fixed", "hinge_frame", "leaf")
    assert offset.origin.xyz == pytest.approx((0, -0.5, 0), abs=1e-15)
    assert joints["knob_fixed"].parent == "leaf" and joints["knob_fixed"].origin.xyz == pytest.approx((0.4, 0, 0))
    frames = {f.name: f.pose for f in loaded.scopes[0].frames}
    assert frames["leaf"] == pytest.approx((1, 0, 0, 1, 0, 0, 0))
    assert frames["knob"] == pytest.approx((1.4, 0, 0, 1, 0, 0, 0))
    assert {(r.element, r.name): r.action for r in rows}[("frame", "knob")] == "to-frame"


def test_a_joint_of_two_axes_to_the_world_has_a_link_without_mass():
    """Read as SDF, everything behind that link would be left out; as URDF, nothing is wrong with it."""
    joint = ('<joint name="u" type="universal"><parent>world</parent><child>a</child><axis><xyz>1 0 0</xyz></axis>'
             '<axis2><xyz>0 1 0</xyz></axis2></joint>')
    loaded, _, found = to_urdf(f'<sdf version="1.9"><model name="m"><link name="a"/>{joint}</model></sdf>')
    assert {j.child: j.parent for j in loaded.robot.joints} == {"u_cross": "world", "a": "u_cross"}
    assert [d.name for d in found] == ["urdf-cross-link-massless"]


WORLD = ('<sdf version="1.9"><world name="w"><model name="one"><link name="l"/></model><model name="two">'
         '<pose>1 2 3 0 0 0</pose><link name="a"><inertial><mass>7</mass></inertial></link>'
         '<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint></model></world></sdf>')


def test_a_model_of_a_world_stands_where_it_stood():
    text, _, _, _ = convert_to_urdf(load_text(WORLD), "two")
    robot = load_text(text).robot
    assert (robot.name, [link.name for link in robot.links]) == ("two", ["world", "a"])
    assert robot.links[1].inertial.mass == 7 and robot.joints[0].origin.xyz == (1, 2, 3)
    text, _, found, _ = convert_to_urdf(
        load_text('<sdf version="1.9"><world name="w"><model name="m"><link name="l"/></model></world></sdf>'))
    assert load_text(text).robot.name == "m"


def test_a_named_model_is_written_if_an_include_beside_it_fails(tmp_path, capsys):
    missing = "<include><uri>model://gone</uri></include>"
    path, out = tmp_path / "w.sdf", tmp_path / "one.urdf"
    for text, is_written in ((WORLD.replace("<model", f"{missing}<model", 1), True),
                             (WORLD.replace('<link name="l"/>', f'<link name="l"/>{missing}'), False)):
        out.unlink(missing_ok=True)
        path.write_text(text)
        assert main(["to-urdf", "--model", "one", str(path), "-o", str(out)]) == 1  # the file has an error
        said = capsys.readouterr().err
        assert "error U002" in said and said.endswith(f"{out}: {'written' if is_written else 'not written'}\n")
        assert out.exists() == is_written
    assert convert_to_urdf(load_text(WORLD.replace("<model", f"{missing}<model", 1))).text is None, "which one?"


def test_a_nested_models_frame_is_a_link_as_it_is_in_tf():
    loaded = load_text('<sdf version="1.9"><model name="top"><link name="b"/><model name="arm"><pose>1 0 0 0 0 0</pose>'
                       '<link name="l"><pose>0 0 3 0 0 0</pose></link></model>'
                       '<joint name="j" type="fixed"><parent>b</parent><child>arm::l</child></joint></model></sdf>')
    text, rows, _, _ = convert_to_urdf(loaded)
    robot = load_text(text).robot
    joint = next(j for j in robot.joints if j.child == "arm")
    assert (joint.type, joint.parent, joint.origin.xyz) == ("fixed", "arm/l", (0, 0, -3))
    assert ("model", "arm", "to-frame", "arm/l") in [row[:4] for row in rows]
    assert {link.name for link in robot.links} | {"top", "j"} == {"b"} | {t.child
        for t in loaded.static_transforms()[0]}


def test_urdfs_are_refused():
    _, _, found, _ = convert_to_urdf(load_text('<robot name="r"><link name="l"/></robot>'))
    assert "already-urdf" in [d.name for d in found]


def test_a_sensor_on_a_fixed_joint_keeps_its_joint_on_the_way_back():
    urdf, _, found, _ = convert_to_urdf(load_text(
        '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
        '<parent>a</parent><child>b</child><sensor name="ft" type="force_torque"/></joint></model></sdf>'))
    back = load_text(urdf)
    assert not found and [d.name for d in back.diagnostics if d.severity != "info"] == []
    assert [(j.name, j.type, [s.name for s in j.sensors]) for j in back.root.model.joints] == [("j", "fixed", ["ft"])]


@pytest.mark.parametrize("joints, floats", [
    ("", []),
    ("<parent>a</parent><child>b</child>", [("c", "c_floating", 4, "a")]),
    ("<parent>world</parent><child>b</child>", [("a", "a_floating", 2, "world"), ("c", "c_floating", 4, "world")]),
    ("<parent>b</parent><child>c</child>", [("b", "b_floating", 3, "a")])])
def test_an_unconnected_link_floats_with_a_warning(joints, floats):
    joint = f'<joint name="j" type="fixed">{joints}</joint>' if joints else ""
    links = '<link name="a"/>\n<link name="b"/>\n<link name="c"/>' if joints else '<link name="a"/>'
    _, _, found, _ = convert_to_urdf(load_text(f'<sdf version="1.9"><model name="m">\n{links}\n{joint}</model></sdf>'))
    found = [d for d in found if d.name == "urdf-link-floats"]
    assert [(d.severity, d.line, d.path, d.message) for d in found] == [
        ("info", line, f'/sdf/model[@name="m"]/link[@name="{name}"]',
         f"no joint of the tree holds link {name!r}; in the URDF, the floating joint {new!r} connects it to {root!r}")
        for name, new, line, root in floats]


PAINTED = """<sdf version="1.9"><model name="m"><link name="l">
  <visual name="map"><geometry><mesh><uri>model://bot/a.stl</uri><submesh><name>lid</name></submesh></mesh></geometry>
    <material><pbr><metal><albedo_map>b.png</albedo_map></metal></pbr></material></visual>
  <visual name="script"><geometry><sphere><radius>1</radius></sphere></geometry>
    <material><script><uri>file://media/x.material</uri><name>X</name></script></material></visual>
  <collision name="gone"><geometry><mesh><uri>c.stl</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.mark.parametrize("style, mesh, texture", [
    ("keep", "model://bot/a.stl", "b.png"), ("package", "package://bot/a.stl", "b.png"),
    ("file", "file://{}/bot/a.stl", "file://{}/b.png")])
def test_uris_in_the_style_asked_for(style, mesh, texture, tmp_path):
    (tmp_path / "bot").mkdir()
    for name in ("bot/a.stl", "b.png"):
        (tmp_path / name).touch()
    loaded = load_text(PAINTED, str(tmp_path / "m.sdf"), LoadOptions(resource_paths=(str(tmp_path),)))
    text, rows, found, _ = convert_to_urdf(loaded, uri_style=style)
    link = load_text(text).robot.links[0]
    assert link.visuals[0].geometry.filename == mesh.format(tmp_path)
    assert link.visuals[0].material.texture == texture.format(tmp_path)
    # which is nowhere: said where files are looked for, and left
    assert link.collisions[0].geometry.filename == "c.stl"
    assert [d.name for d in found if d.severity == "error"] == (["asset-not-found"] if style == "file" else [])
    assert [(r.element, r.name, r.action) for r in rows if r.reason] == [("visual", "map", "kept"),
        ("material", "script", "dropped")]


def test_a_number_that_is_read_in_part_is_written_as_it_is_read():
    """URDF readers refuse what follows a number; SDF readers pass over it."""
    text, _, found, _ = convert_to_urdf(load_text(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-1.0</lower><upper>01.50</upper>"
        '<velocity>2.50"</velocity></limit></axis></joint></model></sdf>'))
    limit = etree.fromstring(text.encode()).find("joint/limit")
    assert [limit.get(name) for name in ("lower", "upper", "velocity")] == ["-1.0", "01.50", "2.5"]
    assert "text-after-number" in [d.name for d in found] and load_text(text).valid


def hinge(name, kind, parent, child, inside="", axes=1):
    written = "".join(f"<{tag}><xyz>{xyz}</xyz></{tag}>" for tag, xyz in (("axis", "0 0 1"), ("axis2", "0 1 0"))[:axes])
    return (f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{written}{inside}'
            "</joint>")


# One part a line, the first on line 2.
WHOLE = ["<pose>0 0 9 0 0 0</pose>", '<link name="base"/>',
         '<link name="arm"><pose>1 0 0 0 0 0</pose></link>', hinge("turn", "revolute", "base", "arm"),
         '<link name="hand"><pose>2 0 0 0 0 0</pose></link>',
         hinge("wrist", "revolute", "arm", "hand", '<pose>0 0 0.5 0 0 0</pose><sensor name="ft" type="force_torque"/>'),
         '<link name="cup"/>', hinge("z_ball", "ball", "hand", "cup", axes=0),
         '<link name="nut"/>', hinge("z_screw", "screw", "base", "nut"),
         '<link name="eye"/>', hinge("z_cross", "universal", "base", "eye", axes=2),
         '<frame name="tip" attached_to="hand"><pose>0 3 0 0 0 0</pose></frame>',
         '<frame name="home"><pose>0 0 7 0 0 0</pose></frame>',
         '<model name="n"><pose>0 5 0 0 0 0</pose><link name="l"/></model>',
         hinge("y_weld", "fixed", "base", "n::l", axes=0),
         '<link name="lone"><pose>4 0 0 0 0 0</pose></link>', hinge("loop", "revolute", "hand", "arm"),
         '<plugin name="p" filename="f"/>']
JOINTS = {
    "turn": ("continuous", "base", "arm", (1, 0, 0), (0, 0, 1)),
    # The joint is half a metre above its child, 1 along x from the arm.
    "wrist": ("continuous", "arm", "wrist_frame", (1, 0, 0.5), (0, 0, 1)),
    "hand_offset": ("fixed", "wrist_frame", "hand", (0, 0, -0.5), None),
    "z_ball": ("floating", "hand", "cup", (-2, 0, 0), None), "z_screw": ("fixed", "base", "nut", (0, 0, 0), None),
    "z_cross": ("continuous", "base", "z_cross_cross", (0, 0, 0), (0, 0, 1)),
    "z_cross_axis2": ("continuous", "z_cross_cross", "eye", (0, 0, 0), (0, 1, 0)),
    "tip_fixed": ("fixed", "hand", "tip", (0, 3, 0), None), "home_fixed": ("fixed", "base", "home", (0, 0, 7), None),
    "n_fixed": ("fixed", "n/l", "n", (0, 0, 0), None), "y_weld": ("fixed", "base", "n/l", (0, 5, 0), None),
    "lone_floating": ("floating", "base", "lone", (4, 0, 0), None),
    # The loop is cut at the arm's frame, half a metre below and 1 m before the hand's.
    "hand_loop_fixed": ("fixed", "hand", "hand_loop", (-1, 0, 0), None),
    "arm_loop_fixed": ("fixed", "arm", "arm_loop", (0, 0, 0), None)}
LOOP = "it closes a kinematic loop, which URDF cannot express"
MASSLESS = "written as a massless link on a fixed joint"
WHOLE_ROWS = [
    ("joint", "loop", "to-frame", "hand_loop and arm_loop", 19, LOOP), ("link", "base", "kept", None, 3, None),
    ("link", "arm", "kept", None, 4, None), ("link", "hand", "kept", None, 6, None),
    ("link", "cup", "kept", None, 8, None), ("link", "nut", "kept", None, 10, None),
    ("link", "eye", "kept", None, 12, None), ("link", "lone", "kept", None, 18, None),
    ("link", "n::l", "renamed", "n/l", 16, None), ("joint", "turn", "kept", None, 5, None),
    ("joint", "wrist", "moved", None, 7, "a fixed link is added between the joint and its child"),
    ("sensor", "ft", "moved", '<gazebo reference="wrist">', 7, None), ("joint", "z_ball", "kept", None, 9, None),
    ("joint", "z_screw", "moved", None, 11, "URDF has no screw joint; it is written as a fixed one"),
    ("joint", "z_cross", "moved", "z_cross_axis2", 13, "a universal joint is written as two revolute ones"),
    ("joint", "y_weld", "kept", None, 17, None),
    ("pose", "m", "dropped", None, 1, "URDF has no pose of a model; the pose is given when the robot is spawned"),
    ("frame", "tip", "to-frame", "hand", 14, MASSLESS), ("frame", "home", "to-frame", "base", 15, MASSLESS),
    ("model", "n", "to-frame", "n/l", 16, MASSLESS), ("plugin", "p", "moved", "<gazebo>", 20, None)]


def test_a_whole_model(to_robot):
    conversion = to_robot("\n" + "\n".join(WHOLE))
    robot = conversion.robot
    assert (robot.name, robot.root) == ("m", "base")
    # From the root down, children by the names of their joints.
    assert [link.name for link in robot.links] == [
        "base", "home", "lone", "arm", "arm_loop", "wrist_frame", "hand", "hand_loop", "tip", "cup", "n/l", "n",
        "z_cross_cross", "eye", "nut"]
    assert {j.name: (*j[1:4], j.origin.xyz, j.axis) for j in robot.joints} == JOINTS
    assert [sorted(row.name for row in make_rows(conversion.entries) if row.element == "joint")] == [
        ["loop", "turn", "wrist", "y_weld", "z_ball", "z_cross", "z_screw"]]
    assert [tuple(row) for row in make_rows(conversion.entries)] == WHOLE_ROWS
    assert [(link.name, line_of(link.element), link.inertial.mass) for link in robot.links if link.inertial] == [
        ("base", 3, 1), ("lone", 18, 1), ("arm", 4, 1), ("hand", 6, 1), ("cup", 8, 1), ("n/l", 16, 1), ("eye", 12, 1),
        ("nut", 10, 1)]
    path = '/sdf/model[@name="m"]/{}[@name="{}"]'
    assert [(d.name, d.message, d.line, d.path) for d in conversion.diagnostics] == [
        ("urdf-joint-dropped", f"joint 'loop' is not in the URDF: {LOOP}", 19, path.format("joint", "loop")),
        ("urdf-link-floats", "no joint of the tree holds link 'lone'; in the URDF, the floating joint "
                             "'lone_floating' connects it to 'base'", 18, path.format("link", "lone")),
        ("urdf-joint-type-unsupported", "URDF has no ball joint: 'z_ball' is written as a floating one", 9,
         path.format("joint", "z_ball")),
        ("urdf-joint-type-unsupported", "URDF has no screw joint: 'z_screw' is written as a fixed one", 11,
         path.format("joint", "z_screw")),
        ("urdf-cross-link-massless", "the massless link 'z_cross_cross' stands between the two axes of a universal "
         "joint: Gazebo, and others that convert the URDF to SDFormat, leave out 'z_cross_cross' and all links below "
         "it", 13, path.format("joint", "z_cross")),
        ("urdf-pose-dropped", "the pose of model 'm' is not in the URDF", 2, '/sdf/model[@name="m"]/pose')]
    assert conversion.diagnostics[0].hint == "the loop is closed where these links meet: hand_loop, arm_loop"
    # A fixed joint to a link with mass would be lumped on the way back.
    assert [etree.tostring(e, with_tail=False).decode() for e in robot.gazebo] == [
        '<gazebo reference="wrist"><sensor name="ft" type="force_torque"/></gazebo>',
        '<gazebo reference="y_weld"><preserveFixedJoint>true</preserveFixedJoint></gazebo>',
        '<gazebo reference="z_screw"><preserveFixedJoint>true</preserveFixedJoint></gazebo>',
        '<gazebo><plugin name="p" filename="f"/></gazebo>']


def test_a_model_for_a_display(to_robot):
    """Nothing is said of joints that URDF does not have: TF places their children."""
    conversion = to_robot("\n" + "\n".join(WHOLE), to_display=True, separator="__")
    joints = {j.name: j.type for j in conversion.robot.joints}
    assert [joints.get(name) for name in ("z_ball", "z_screw", "z_cross", "z_cross_axis2", "wrist")] == [
        "floating", "floating", "floating", None, "continuous"]
    assert [d.name for d in conversion.diagnostics] == ["urdf-joint-dropped", "urdf-link-floats", "urdf-pose-dropped"]
    assert {"n__l", "n"} <= {link.name for link in conversion.robot.links}


def test_a_static_model_and_a_link_named_world(to_robot):
    conversion = to_robot('<static>true</static>\n<link name="world"/><frame name="world_link"/>')
    assert [link.name for link in conversion.robot.links] == ["world_link0", "world_link"]
    assert [tuple(row) for row in make_rows(conversion.entries)] == [
        ("link", "world", "renamed", "world_link0", 2, "in a URDF 'world' is the inertial frame"),
        ("frame", "world_link", "to-frame", "world_link0", 2, MASSLESS),
        ("static", "m", "moved", "<gazebo>", 1, None)]
    assert [(d.name, d.message, d.line) for d in conversion.diagnostics] == [
        ("urdf-name-taken", "link 'world' is renamed to 'world_link0' in the URDF, where 'world' is the inertial frame",
         2)]
    assert [etree.tostring(e).decode() for e in conversion.robot.gazebo] == ["<gazebo><static>true</static></gazebo>"]


SHELF = f"""<static>true</static><pose>0 0 7 0 0 0</pose>
<link name="post"><pose>0 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<link name="board"><pose>0 0 2 0 0 {pi / 2}</pose><inertial><mass>1</mass></inertial></link>
<frame name="slot"><pose>0 1 2.1 0 0 0</pose></frame><frame name="edge" attached_to="slot"/>
<model name="n"><pose>3 0 0 0 0 0</pose><link name="box"/></model>"""


@pytest.mark.parametrize("anchor, root", [
    ("", "post"), ('<joint name="a" type="fixed"><parent>world</parent><child>post</child></joint>', "world")])
def test_links_and_frames_of_a_static_model_are_fixed_to_its_root(anchor, root, to_robot):
    """By hand. In Drake 1.51.1, the root of the URDF floats or is welded, and nothing else of it has a position."""
    conversion = to_robot(SHELF + anchor)
    joints = {joint.child: joint for joint in conversion.robot.joints if joint.name != "a"}
    up = 7 if root == "world" else -1
    assert {name: (*joint[1:3], joint.origin.xyz) for name, joint in joints.items()} == {
        "board": ("fixed", root, pytest.approx((0, 0, 2 + up))), "n/box": ("fixed", root, pytest.approx((3, 0, up))),
        "slot": ("fixed", root, pytest.approx((0, 1, 2.1 + up))), "n": ("fixed", "n/box", (0, 0, 0)),
        "edge": ("fixed", root, pytest.approx((0, 1, 2.1 + up)))}
    assert joints["board"].origin.rpy == pytest.approx((0, 0, pi / 2))
    assert {d.name for d in conversion.diagnostics} <= {"urdf-pose-dropped"}
    kept = [block.get("reference") for block in conversion.robot.gazebo if len(block.findall("preserveFixedJoint"))]
    assert kept == ([] if root == "world" else ["board_fixed", "n/box_fixed"])  # they would be lumped on the way back


def test_a_fixed_joint_that_is_turned_and_away_from_its_child(to_robot):
    """The joint is turned by a quarter about z. The child is 1 along its x, which is y, and turned by one about x."""
    conversion = to_robot('<link name="a"/><link name="b">'
                          '<pose relative_to="j">1 0 0 1.5707963267948966 0 0</pose></link>'
                          + hinge("j", "fixed", "a", "b",
                                  '<pose relative_to="a">5 0 0 0 0 1.5707963267948966</pose>', 0))
    (joint,) = conversion.robot.joints
    assert joint.origin.xyz == pytest.approx((5, 1, 0)) and joint.origin.rpy == pytest.approx((pi / 2, 0, pi / 2))


@pytest.mark.parametrize("written, xyz", [
    ('<pose relative_to="a">0.10 0 0 0 0 7</pose>', (0.1, 0, 0)),
    ('<pose relative_to="f">1 0 0 0 0 0</pose>', (1, 0, 5))])
@pytest.mark.parametrize("pose", ["", "<pose>0 0 9 0 0 0</pose>"])
def test_the_pose_of_a_joint_is_copied_if_it_is_in_the_parent(written, xyz, pose, to_robot):
    """Wherever the model stands."""
    conversion = to_robot(pose + '<link name="a"/><frame name="f"><pose>0 0 5 0 0 0</pose></frame><link name="b">'
                          '<pose relative_to="j"/></link>' + hinge("j", "revolute", "a", "b", written))
    (joint,) = [j for j in conversion.robot.joints if j.name == "j"]
    assert joint.origin.xyz == xyz and joint.origin.rpy == ((0, 0, 7) if xyz[2] == 0 else (0, 0, 0))


@pytest.mark.parametrize("inside", ["<static>true</static>", '<model name="n"><static>true</static></model>'])
def test_a_model_of_static_models_has_no_link(inside, to_robot):
    conversion = to_robot(f"{inside}\n<frame name='f'/>")
    assert conversion.robot is None and conversion.entries == []
    assert [(d.name, d.message, d.hint) for d in conversion.diagnostics] == [
        ("urdf-needs-one-model", "URDF describes one robot: model 'm' has no link", "add a link")]


def test_frames_that_no_link_carries_are_left_out(to_robot):
    """The static model has no link that would make the world the root."""
    conversion = to_robot('<link name="a"/><model name="s"><static>true</static>'
                          '<frame name="f"/></model>\n<frame name="g" attached_to="s"/><frame name="h"/>')
    gone = [row for row in make_rows(conversion.entries) if row.action == "dropped"]
    assert [(row.element, row.name, row.line) for row in gone] == [
        ("frame", "g", 2), ("static", "s", 1), ("model", "s", 1), ("frame", "s/f", 1)]
    assert [row.reason for row in gone if row.element != "static"] == ["it is not attached to a link"] * 3
    assert [(d.message, d.line) for d in conversion.diagnostics if "<frame>" in d.message] == [
        (f"<frame> is not in the URDF: no link carries {name!r}, only a static model", line)
        for name, line in (("g", 2), ("s/f", 1))]
    assert "h" in [link.name for link in conversion.robot.links]


def test_a_root_model_may_be_named():
    text, _, _, _ = convert_to_urdf(load_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'), "m")
    assert text is not None


@pytest.mark.parametrize("canonical, static, root, floats", [
    ("a", False, "a", ["b"]), ("b", False, "b", ["a"]), ("c", False, "b", ["a"]), ("d", False, "b", ["a"]),
    ("c", True, "a", [])])
def test_the_root_is_above_the_canonical_link(canonical, static, root, floats):
    """A static model has none that counts: its first root is the root."""
    links = "".join(f'<link name="{name}"/>' for name in "abcd")
    text, _, found, _ = convert_to_urdf(load_text(
        f'<sdf version="1.12"><model name="m" canonical_link="{canonical}"><static>{static:d}</static>{links}'
        f'{hinge("j", "fixed", "b", "c", axes=0)}{hinge("k", "revolute", "c", "d")}</model></sdf>'))
    assert load_text(text).robot.root == root
    assert [d.message.split("'")[1] for d in found if d.name == "urdf-link-floats"] == floats


def test_frames_of_a_lumped_link_are_a_link_unless_all_frames_are_asked_for(to_robot):
    text = ('<link name="a"/><frame name="j" attached_to="a"><pose>1 0 0 0 0 0</pose></frame>'
            '<frame name="l" attached_to="j"/>')
    for options, joints in (({}, {"j": ("a", "l")}),
                            ({"joint_frames": True}, {"j_fixed": ("a", "j"), "l_fixed": ("a", "l")})):
        assert {j.name: j[2:4] for j in to_robot(text, **options).robot.joints} == joints


def test_a_robot_to_display():
    """Joints that URDF does not have float, a joint that closes a loop is left out, both without a warning. Inertias
    are not computed, and a mesh that is not found is named."""
    joint = '<joint name="{}" type="{}"><parent>{}</parent><child>{}</child></joint>'
    text = ('<sdf version="1.11"><model name="m"><link name="a"><inertial auto="true"/><visual name="v"><geometry>'
            '<mesh><uri>model://no/x.stl</uri></mesh></geometry></visual><collision name="c"><geometry><plane/>'
            '</geometry></collision></link><model name="n"><link name="l"><inertial><mass>2</mass></inertial></link>'
            "</model>" + joint.format("j", "ball", "a", "n::l") + joint.format("k", "revolute", "a", "n::l")
            + "</model></sdf>")
    for separator, options in (("/", {}), ("_", {"separator": "_"})):
        shown = convert_to_display(load_text(text), **options)
        assert shown.text == """<?xml version="1.0"?>
<robot name="m">
  <link name="a">
    <visual name="v">
      <geometry>
        <mesh filename="model://no/x.stl" scale="1 1 1"/>
      </geometry>
    </visual>
  </link>
  <link name="n/l">
    <inertial>
      <mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
    </inertial>
  </link>
  <link name="n"/>
  <joint name="j" type="floating">
    <parent link="a"/>
    <child link="n/l"/>
  </joint>
  <joint name="n_fixed" type="fixed">
    <parent link="n/l"/>
    <child link="n"/>
  </joint>
</robot>
""".replace("n/l", f"n{separator}l")
        assert [d.name for d in shown.diagnostics] == ["asset-not-found"]


def test_a_link_that_floats_beside_a_root_that_is_turned(to_robot):
    """The root is turned by a quarter about z, the other by one about x: 3 along y is 3 along the root's x."""
    conversion = to_robot(f'<link name="a"><pose>1 0 0 0 0 {pi / 2!r}</pose></link>'
                          f'<link name="b"><pose>1 3 0 {pi / 2!r} 0 0</pose></link><link name="c"/>'
                          + hinge("j", "fixed", "a", "c", axes=0))
    floats = next(joint for joint in conversion.robot.joints if joint.name == "b_floating")
    assert floats[:4] == ("b_floating", "floating", "a", "b")
    assert floats.origin.xyz == pytest.approx((3, 0, 0)) and floats.origin.rpy == pytest.approx((pi / 2, 0, -pi / 2))


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
@pytest.mark.parametrize("height", [0, 2])
def test_a_link_at_its_joint_to_the_world(kind, height, to_robot):
    """The pose of the joint is in the model, which is so much up: no row says that the model's is lost."""
    conversion = to_robot(f'<pose>0 0 {height} 0 0 0</pose><link name="a"><pose relative_to="j"/></link>' + hinge(
        "j", kind, "world", "a", '<pose relative_to="__model__">1.5 0 0 0 0 7</pose>', axes=kind == "revolute"))
    (joint,) = conversion.robot.joints
    assert [link.name for link in conversion.robot.links] == ["world", "a"] and conversion.robot.root == "world"
    assert "pose" not in [row.element for row in make_rows(conversion.entries)] and not conversion.robot.gazebo
    # Copied, the angle is as it is written; computed, it is within half a turn.
    assert joint.origin.xyz == (1.5, 0, height)
    assert joint.origin.rpy == pytest.approx((0, 0, 7 if height == 0 else 7 - 2 * pi))


def test_the_robot_is_of_the_file_of_its_model():
    from sdf_frames.convert.sdf_to_urdf import convert_model
    graph = load_text('<sdf version="1.12"><model name="m"><link name="a"/></model></sdf>', "m.sdf").graphs[0]
    assert convert_model(graph, {}, lambda uri, element: uri).robot.file == "m.sdf"


@pytest.mark.parametrize("inside", ["", '<light name="l" type="point"/>', WORLD[19:-6]])
def test_what_cannot_be_displayed_says_why(inside):
    shown = convert_to_display(load_text(f'<sdf version="1.11">{inside}</sdf>'))
    assert shown.text is None and shown.diagnostics[0].name == "urdf-needs-one-model"


def test_the_pose_of_the_root_link_has_a_row(to_robot):
    """A URDF begins at its root link: where that stands in its model is lost."""
    for pose, lost in (("0 0 0.1 0 0 0", [("b", "dropped")]), ("0 0 0 0 0 0", [])):
        conversion = to_robot(f'<link name="b"><pose>{pose}</pose></link>')
        assert [(row.name, row.action) for row in make_rows(conversion.entries) if row.element == "pose"] == lost
        assert [(d.name, d.message) for d in conversion.diagnostics if d.severity == "info"] == [
            ("urdf-pose-dropped", "the pose of root link 'b' is not in the URDF")] * len(lost)


@pytest.mark.parametrize("pose, file, line", [("", "part.sdf", 2), ("<pose>0 0 5 0 0 0</pose>", "world.sdf", 3)])
def test_the_pose_of_an_included_model_is_dropped_where_it_is_written(tmp_path, pose, file, line):
    (tmp_path / "part.sdf").write_text(
        '<sdf version="1.9"><model name="m">\n<pose>1 0 0 0 0 0</pose><link name="a"/></model></sdf>')
    (tmp_path / "world.sdf").write_text(
        f'<sdf version="1.9"><world name="w"><include>\n<uri>part.sdf</uri>\n{pose}</include></world></sdf>')
    _, _, diagnostics, _ = convert_to_urdf(load_file(tmp_path / "world.sdf"))
    (found,) = [d for d in diagnostics if d.name == "urdf-pose-dropped"]
    assert (found.file, found.line) == (str(tmp_path / file), line)


def test_names_that_are_taken_are_numbered(to_robot):
    """The joint that holds the frame f wants to be f_fixed, which two others are."""
    frames = ('<frame name="f" attached_to="b"/><frame name="f_fixed" attached_to="a"/>'
              '<frame name="f_fixed0" attached_to="a"/>')
    robot = to_robot('<link name="a"/><link name="b"/>' + hinge("j", "fixed", "a", "b", axes=0) + frames).robot
    names = [part.name for part in (*robot.links, *robot.joints)]
    assert len(names) == len(set(names))
    assert {j.child: j.name for j in robot.joints}["f"] == "f_fixed1"


@pytest.mark.parametrize("moment, told", [("2", ["C067"]), ("0", [])])
def test_moments_without_a_mass_are_told(moment, told):
    tensor = "".join(f"<{tag}>{moment}</{tag}>" for tag in ("ixx", "iyy", "izz"))
    made = convert_to_urdf(load_text('<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>0</mass>'
                                     f"<inertia>{tensor}</inertia></inertial></link></model></sdf>"))
    assert [d.code for d in made.diagnostics if d.code == "C067"] == told
    assert [(r.element, r.action) for r in made.rows if r.action == "dropped"] == [("inertial", "dropped")] * len(told)
