"""SDFormat to URDF: every frame a link in its place, physics unchanged, what URDF cannot say said."""
from __future__ import annotations

from math import pi

import pytest
from lxml import etree

from sdf_frames.api.to_urdf import convert_to_urdf
from sdf_frames.load import LoadOptions, load_text

OFFSET = """<sdf version="1.9"><model name="door">
  <link name="wall"><inertial><mass>5</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>
  <link name="leaf"><pose>1 0 0 0 0 0</pose>
    <inertial><pose>0 0 0.5 0 0 0</pose><mass>2</mass><inertia><ixx>.1</ixx><iyy>.2</iyy><izz>.25</izz></inertia></inertial>
    <collision name="c"><pose>0 0 1 0 0 0</pose><geometry><capsule><radius>0.1</radius><length>2</length></capsule></geometry></collision>
    <visual name="v"><geometry><box><size>1 2 3</size></box></geometry><material><diffuse>1 0 0 1</diffuse></material></visual>
    <visual name="flag"><geometry><plane><normal>0 0 1</normal></plane></geometry></visual></link>
  <joint name="hinge" type="revolute"><pose>-0.5 0 0 0 0 1.5707963267948966</pose><parent>wall</parent><child>leaf</child>
    <axis><xyz expressed_in="__model__">0 1 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity></limit>
      <dynamics><damping>0.5</damping></dynamics></axis></joint>
  <frame name="knob" attached_to="leaf"><pose>0.4 0 0 0 0 0</pose></frame>
</model></sdf>"""  # noqa: E501


def to_urdf(text: str):
    urdf, rows, found = convert_to_urdf(load_text(text))
    return load_text(urdf, options=LoadOptions(preserve_fixed_joints=True, massless="keep")), rows, found


LINK = '<link name="{}"><inertial><mass>{}</mass></inertial></link>'
HINGE = ('<joint name="{}" type="revolute"><parent>{}</parent><child>{}</child><axis><xyz>0 0 1</xyz>{}<limit>'
         '<lower>-1</lower>'
         '<upper>1</upper></limit></axis></joint>')


def test_what_is_written_is_what_check_takes():
    loaded = load_text(f'<sdf version="1.11"><model name="m">{LINK.format("a", 0)}</model></sdf>')
    urdf, _, found = convert_to_urdf(loaded)
    assert urdf is None and "robot-without-mass" in [d.name for d in found if d.severity == "error"]


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


def test_inertials_and_shapes():
    loaded, rows, _ = to_urdf(OFFSET)
    leaf = next(link for link in loaded.robot.links if link.name == "leaf")
    assert leaf.inertial[1:8] == (2, .1, 0, 0, .2, 0, .25) and leaf.inertial.origin.xyz == (0, 0, 0.5)
    # A capsule of length 2 about z = 1: a cylinder and spheres at its ends, z = 0 and z = 2.
    assert [(c.name, c.origin.xyz) for c in leaf.collisions] == [
        ("c_side", (0, 0, 1)), ("c_top", (0, 0, 2)), ("c_bottom", (0, 0, 0))]
    assert [v.name for v in leaf.visuals] == ["v"] and leaf.visuals[0].material.rgba == (1, 0, 0, 1)
    assert {r.name: r.action for r in rows if r.element == "visual"} == {"v": "kept", "flag": "dropped"}


def test_a_world_joint_a_loop_and_a_loose_link():
    links = "".join(f'<link name="{n}"/>' for n in "abcz")
    joints = "".join(
        f'<joint name="j{i}" type="{t}"><parent>{p}</parent><child>{c}</child><axis><xyz>0 0 1</xyz></axis></joint>'
                     for i, (t, p,
                             c) in enumerate((("fixed", "world", "a"), ("revolute", "a", "b"), ("revolute", "b", "c"),
                                                    ("revolute", "c", "a"))))
    loaded, rows, found = to_urdf(
        f'<sdf version="1.9"><model name="m"><pose>0 0 3 0 0 0</pose>{links}{joints}</model></sdf>')
    tree = {j.child: (j.parent, j.type) for j in loaded.robot.joints}
    assert tree == {"a": ("world", "fixed"), "b": ("a", "continuous"), "c": ("b", "continuous"),
                    "z": ("world", "floating")}
    assert next(j for j in loaded.robot.joints if j.name == "j0").origin.xyz == (0, 0, 3)
    assert {d.name for d in found if d.severity != "info"} == {"link-with-several-parents", "urdf-joint-dropped"}
    assert ("joint", "j3", "dropped") in [(r.element, r.name, r.action) for r in rows]


def test_two_axes_become_two_joints_and_other_types_are_named():
    joint = ('<joint name="u" type="universal"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis>'
             '<axis2><xyz>0 1 0</xyz></axis2></joint><joint name="s" type="screw"><parent>b</parent><child>c</child>'
             '<axis><xyz>0 0 1</xyz></axis></joint>')
    loaded, _, found = to_urdf(
        f'<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><link name="c"/>{joint}</model></sdf>')
    joints = {j.name: (j.type, j.parent, j.child, j.axis) for j in loaded.robot.joints}
    assert joints == {"u": ("continuous", "a", "u_cross", (1, 0, 0)),
                      "u_axis2": ("continuous", "u_cross", "b", (0, 1, 0)),
                      "s": ("fixed", "b", "c", None)}
    assert [d.name for d in found] == ["urdf-joint-type-unsupported"]


WORLD = ('<sdf version="1.9"><world name="w"><model name="one"><link name="l"/></model><model name="two">'
         '<pose>1 2 3 0 0 0</pose>'
         '<link name="a"><inertial><mass>7</mass></inertial></link>'
         '<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint></model></world></sdf>')


@pytest.mark.parametrize("model", [None, "three"])
def test_a_world_of_several_models_needs_the_name_of_one(model):
    text, _, found = convert_to_urdf(load_text(WORLD), model)
    assert text is None and [d.name for d in found if d.severity == "error"] == ["urdf-needs-one-model"]


def test_a_model_of_a_world_stands_where_it_stood():
    text, _, _ = convert_to_urdf(load_text(WORLD), "two")
    robot = load_text(text).robot
    assert (robot.name, [link.name for link in robot.links]) == ("two", ["world", "a"])
    assert robot.links[1].inertial.mass == 7 and robot.joints[0].origin.xyz == (1, 2, 3)
    text, _, found = convert_to_urdf(
        load_text('<sdf version="1.9"><world name="w"><model name="m"><link name="l"/></model></world></sdf>'))
    assert load_text(text).robot.name == "m"


def test_a_nested_models_frame_is_a_link_as_it_is_in_tf():
    loaded = load_text('<sdf version="1.9"><model name="top"><link name="b"/><model name="arm"><pose>1 0 0 0 0 0</pose>'
                       '<link name="l"><pose>0 0 3 0 0 0</pose></link></model>'
                       '<joint name="j" type="fixed"><parent>b</parent><child>arm::l</child></joint></model></sdf>')
    text, rows, _ = convert_to_urdf(loaded)
    robot = load_text(text).robot
    joint = next(j for j in robot.joints if j.child == "arm")
    assert (joint.type, joint.parent, joint.origin.xyz) == ("fixed", "arm/l", (0, 0, -3))
    assert ("model", "arm", "to-frame", "arm/l") in [row[:4] for row in rows]
    assert {link.name for link in robot.links} | {"top", "j"} == {"b"} | {t.child
        for t in loaded.static_transforms()[0]}


def test_urdfs_are_refused():
    _, _, found = convert_to_urdf(load_text('<robot name="r"><link name="l"/></robot>'))
    assert "already-urdf" in [d.name for d in found]


def test_a_sensor_on_a_fixed_joint_keeps_its_joint_on_the_way_back():
    urdf, _, found = convert_to_urdf(load_text(
        '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
        '<parent>a</parent>'
        '<child>b</child><sensor name="ft" type="force_torque"/></joint></model></sdf>'))
    back = load_text(urdf)
    assert not found and [d.name for d in back.diagnostics if d.severity != "info"] == []
    assert [(j.name, j.type, [s.name for s in j.sensors]) for j in back.root.model.joints] == [("j", "fixed", ["ft"])]


@pytest.mark.parametrize("joints, floats", [
    ("", []),
    ("<parent>a</parent><child>b</child>", [("c", "c_floating", 4, "a")]),
    ("<parent>world</parent><child>b</child>", [("a", "a_floating", 2, "world"), ("c", "c_floating", 4, "world")]),
    ("<parent>b</parent><child>c</child>", [("b", "b_floating", 3, "a")])])
def test_a_link_that_no_joint_holds_floats_and_this_is_said(joints, floats):
    joint = f'<joint name="j" type="fixed">{joints}</joint>' if joints else ""
    links = '<link name="a"/>\n<link name="b"/>\n<link name="c"/>' if joints else '<link name="a"/>'
    _, _, found = convert_to_urdf(load_text(f'<sdf version="1.9"><model name="m">\n{links}\n{joint}</model></sdf>'))
    found = [d for d in found if d.name == "urdf-link-floats"]
    assert [(d.severity, d.line, d.path, d.message) for d in found] == [
        ("info", line, f'/sdf/model[@name="m"]/link[@name="{name}"]',
         f"no joint connects link {name!r}; in the URDF, the floating joint {new!r} connects it to {root!r}")
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
    text, rows, found = convert_to_urdf(loaded, uri_style=style)
    link = load_text(text).robot.links[0]
    assert link.visuals[0].geometry.filename == mesh.format(tmp_path)
    assert link.visuals[0].material.texture == texture.format(tmp_path)
    # which is nowhere: said where files are looked for, and left
    assert link.collisions[0].geometry.filename == "c.stl"
    assert [d.name for d in found if d.severity == "error"] == (["asset-not-found"] if style == "file" else [])
    assert [(r.element, r.name, r.action) for r in rows if r.reason] == [("visual", "map", "kept"),
        ("material", "script", "dropped")]


def test_an_unknown_style_of_uris_is_refused():
    with pytest.raises(ValueError, match="uri_style must be one of model, package, keep, file, not 'https'"):
        convert_to_urdf(load_text(OFFSET), uri_style="https")


def test_a_joint_without_limits_is_continuous_and_its_limit_holds_zeros():
    """Only effort and velocity mean anything there."""
    text, _, _ = convert_to_urdf(load_text(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><effort>3</effort><velocity>4</velocity>"
        "</limit>"
        "</axis></joint></model></sdf>"))
    joint = etree.fromstring(text.encode()).find("joint")
    limit = joint.find("limit")
    assert joint.get("type") == "continuous" and limit.get("effort") == "3"
    assert {limit.get(name, "0") for name in ("lower", "upper")} == {"0"}


def test_a_number_that_is_read_in_part_is_written_as_it_is_read():
    """URDF readers refuse what follows a number; SDF readers pass over it."""
    text, _, found = convert_to_urdf(load_text(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-1.0</lower><upper>01.50</upper>"
        '<velocity>2.50"</velocity></limit></axis></joint></model></sdf>'))
    limit = etree.fromstring(text.encode()).find("joint/limit")
    assert [limit.get(name) for name in ("lower", "upper", "velocity")] == ["-1.0", "01.50", "2.5"]
    assert "text-after-number" in [d.name for d in found] and load_text(text).valid


def test_a_revolute_joint_without_an_axis_is_continuous():
    """As one with an axis that has no limits."""
    text, _, _ = convert_to_urdf(load_text(
        '<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        "<parent>a</parent><child>b</child></joint></model></sdf>"))
    joint = etree.fromstring(text.encode()).find("joint")
    assert (joint.get("type"), joint.find("axis").get("xyz"), joint.find("limit")) == ("continuous", "0 0 1", None)
