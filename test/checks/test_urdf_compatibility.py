"""Which models can be copied into URDF, and what stands in the way of the others."""

import pytest

from sdf_frames.checks.urdf_compatibility import check_urdf_compatibility
from sdf_frames.load import load_text

# The shape that the pose frame semantics call parity with URDF.
PARITY = """<sdf version="1.9"><model name="m">
  <link name="link1"/>
  <joint name="joint1" type="revolute"><pose relative_to="link1">1 0 0 0 0 1</pose><parent>link1</parent><child>link2</child>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <link name="link2"><pose relative_to="joint1"/><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
</model></sdf>"""  # noqa: E501


def names(text: str) -> list[str]:
    loaded = load_text(text)
    assert loaded.valid, loaded.diagnostics
    return [d.name for graph in loaded.graphs for d in check_urdf_compatibility(graph)]


def test_parity_can_be_copied():
    assert names(PARITY) == []


@pytest.mark.parametrize("parent, kind", [("joint1", "joint"), ("__model__", "model")])
def test_a_joint_ends_at_links(parent, kind):
    """A third link on a joint to what moves with a link, but is none."""
    joint = f'''<joint name="joint2" type="fixed">
    <pose relative_to="{parent}"/><parent>{parent}</parent><child>link3</child></joint>
    <link name="link3"><pose relative_to="joint2"/></link></model>'''
    loaded = load_text(PARITY.replace("</model>", joint))
    assert loaded.valid
    (finding,) = check_urdf_compatibility(loaded.graphs[0])
    assert (finding.name, finding.severity, finding.line, finding.path) == (
        "direct-urdf-joint-end", "error", 6, '/sdf/model[@name="m"]/joint[@name="joint2"]')
    assert finding.message == f"the parent of joint 'joint2' is the {kind} '{parent}'; in URDF it must be a link"
    assert names(PARITY.replace("</model>", joint.replace(parent, "link2"))) == []


@pytest.mark.parametrize("count, models", [
    (0, "no model"), (2, "'m0', 'm1'"), (9, "'m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'")])
def test_a_world_is_not_one_model(count, models):
    body = "".join(f'<model name="m{i}"><link name="l"/></model>' for i in range(count))
    loaded = load_text(f'<sdf version="1.9"><world name="w">{body}</world></sdf>')
    (found,) = check_urdf_compatibility(loaded.graphs[0])
    assert (found.name, found.path) == ("urdf-needs-one-model", '/sdf/world[@name="w"]')
    assert models in found.message and (count == 0 or f"{count} models" in found.message)


JOINT = '<joint name="{0}{1}" type="fixed"><pose relative_to="{0}"/><parent>{0}</parent><child>{1}</child></joint>'


def shape_of(links, joints):
    """Problems of a tree that has no other: links stand at their joints, joints at their parents."""
    above = {pair[1]: pair for pair in joints}
    body = "".join(f'<link name="{n}">' + (f'<pose relative_to="{above[n]}"/>' if n in above else "") + "</link>"
                   for n in links)
    body += "".join(JOINT.format("world" if a == "W" else a, b).replace("world" + b,
        a + b).replace('relative_to="world"', 'relative_to="__model__"')
                    for a, b in joints)
    loaded = load_text(f'<sdf version="1.9"><model name="m">{body}</model></sdf>')
    return [d.message for d in check_urdf_compatibility(loaded.graphs[0]) if d.name == "direct-urdf-not-a-tree"]


@pytest.mark.parametrize("links, joints, words", [
    ("ab", ["ab"], None), ("ab", ["Wa", "ab"], None), ("abc", ["ab"], "more than one root: 'a', 'c'"),
    ("ab", ["Wa"], "more than one root: 'b' and the world"), ("abc", ["ab", "bc", "ca"], "the joints form a loop"),
    ("abc", ["ac", "bc", "ab"], "link 'c' is the child of joints 'ac' and 'bc'"),
    *[(links, [], "more than one root: 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'")
      for links in ("abcdefgh", "abcdefghi", "abcdefghijk")]])
def test_the_joints_form_one_tree(links, joints, words):
    assert shape_of(links, joints) == ([] if words is None else [f"URDF is a tree of links: {words}"])


@pytest.mark.parametrize("shape", ["plane", "ellipsoid", "capsule", "heightmap"])
def test_each_shape_of_a_part_is_judged_whatever_stands_before_it(shape):
    """Also in visuals; shapes of others, with a prefix, stand in nobody's way."""
    geometry = f"<geometry><a:b/><{shape}/></geometry>"
    parts = "".join(f'<{part} name="{part}">{geometry}</{part}>' for part in ("collision", "visual"))
    loaded = load_text(
        f'<sdf version="1.9" xmlns:a="urn:a"><model name="m"><link name="l">{parts}</link></model></sdf>')
    assert [d.name for d in check_urdf_compatibility(loaded.graphs[0])] == ["direct-urdf-shape"] * 2


# One part a line, the first on line 2: a model that can be copied, and what is put in its place.
LINES = ['<link name="a"><inertial><mass>1</mass></inertial></link>',
         '<joint name="j" type="revolute"><pose relative_to="a">1 0 0 0 0 1</pose><parent>a</parent><child>b</child>'
         "<axis><xyz>0 0 1</xyz></axis></joint>", '<link name="b"><pose relative_to="j"/></link>']
A, J, B = '/link[@name="a"]', '/joint[@name="j"]', '/link[@name="b"]'
RADIANS = "write roll, pitch and yaw in radians"
BOX = "<geometry><box><size>1 1 1</size></box></geometry>"
TURN = "the pose of {!r} is written {}; URDF has roll, pitch and yaw in radians"


def with_parts(line, text):
    """The lines with a text in place of one, or before the first."""
    return [text, *LINES] if line is None else [*LINES[:line], text, *LINES[line + 1:]]


@pytest.mark.parametrize("line, text, name, message, number, path, hint", [
    (None, "\n<pose>1 0 0 0 0 0</pose>", "direct-urdf-model-pose", "URDF has no place for the pose of model 'm'", 3,
     "/pose", "remove the pose, and give it when you spawn the robot"),
    (None, '<frame name="f"/>', "direct-urdf-frame", "URDF has no frames: 'f' would be a massless link", 2,
     '/frame[@name="f"]', "run 'sdf_frames to-urdf': it writes a link without mass, on a fixed joint"),
    (None, '<model name="n"><link name="l"/></model>', "direct-urdf-nested-model", "URDF has no nested models: 'n'", 2,
     '/model[@name="n"]', "run 'sdf_frames to-urdf': it writes their links under longer names"),
    (1, LINES[1].replace("revolute", "gearbox").replace(
        "</joint>", "<axis2><xyz>1 0 0</xyz></axis2><gearbox_reference_body>a</gearbox_reference_body></joint>"),
     "direct-urdf-joint-type", "URDF has no gearbox joint: 'j'", 3, J, None),
    *[(1, LINES[1].replace(' relative_to="a"', other), "direct-urdf-joint-pose",
       "the pose of joint 'j' is not relative to 'a'", 3, J, "write the pose relative to the parent link")
      for other in ("", ' relative_to="__model__"')],
    (1, LINES[1].replace("<pose ", '\n<pose degrees="true" '), "direct-urdf-pose-form", TURN.format("j", "in degrees"),
     4, J + "/pose", RADIANS),
    (1, LINES[1].replace("0 0 1</pose>", "0 0 0 1</pose>").replace("<pose ", '<pose rotation_format="quat_xyzw" '),
     "direct-urdf-pose-form", TURN.format("j", "with a quaternion"), 3, J + "/pose", RADIANS),
    (1, LINES[1].replace("<xyz>", '<xyz expressed_in="b">'), "direct-urdf-axis",
     "the axis of joint 'j' is expressed in 'b', not in the joint frame", 3, J + "/axis", None),
    *[(2, f'<link name="b">{pose}</link>', "direct-urdf-link-pose",
       "the frame of link 'b' differs from that of its joint 'j'; in URDF they are the same", 4, B,
       'give the link <pose relative_to="j"/>') for pose in ("", '<pose relative_to="j">0 0 1 0 0 0</pose>')],
    (0, '<link name="a"><pose>0 0 1 0 0 0</pose></link>', "direct-urdf-root-pose",
     "root link 'a' is not at the model's origin", 2, A, None),
    (0, f'<link name="a">\n<inertial auto="true"/><collision name="c">{BOX}</collision></link>', "direct-urdf-inertia",
     "link 'a' has no inertia values: they are computed on loading", 3, A + "/inertial",
     "run 'sdf_frames inertia --write' to write them"),
    (0, '<link name="a"><inertial>\n<pose degrees="true">0 0 0 0 0 90</pose></inertial></link>',
     "direct-urdf-pose-form", TURN.format("a", "in degrees"), 3, A + "/inertial/pose", RADIANS),
    *[(0, f'<link name="a">\n<{part} name="c"><pose relative_to="b"/>{BOX}</{part}></link>', "direct-urdf-part-pose",
       "the pose of 'c' is relative to 'b', not to its link", 3, A + f'/{part}[@name="c"]', None)
      for part in ("collision", "visual")],
    (0, f'<link name="a"><visual name="v">\n<pose degrees="true">0 0 0 0 0 90</pose>{BOX}</visual></link>',
     "direct-urdf-pose-form", TURN.format("v", "in degrees"), 3, A + '/visual[@name="v"]/pose', RADIANS),
    (0, '<link name="a"><collision name="c"><geometry>\n<plane/></geometry></collision></link>', "direct-urdf-shape",
     "URDF has no plane: 'c'", 3, A + '/collision[@name="c"]/geometry/plane', None)])
def test_whole_findings(line, text, name, message, number, path, hint):
    parts = "\n".join(['<sdf version="1.12"><model name="m">', *with_parts(line, text), "</model></sdf>"])
    loaded = load_text(parts)
    (finding,) = check_urdf_compatibility(loaded.graphs[0])
    assert (finding.name, finding.severity, finding.message, finding.line, finding.path, finding.hint) == (
        name, "error", message, number, '/sdf/model[@name="m"]' + path, hint)


@pytest.mark.parametrize("line, text", [
    (1, LINES[1].replace("<pose ", '<pose degrees="false" ')), (1, LINES[1].replace("<xyz>", '<xyz expressed_in="j">')),
    (1, LINES[1].replace("<pose ", '<pose rotation_format="euler_rpy" ')),
    (0, f'<link name="a"><collision name="c"><pose relative_to="a">1 0 0 0 0 0</pose>{BOX}</collision></link>'),
    (0, f'<link name="a"><visual name="v"><pose>1 0 0 0 0 0</pose>{BOX}</visual></link>'),
    (0, '<link name="a"><sensor name="s" type="imu"><pose relative_to="b"/></sensor></link>'),
    (0, '<link name="a"><visual name="v"/></link>'),
    (0, '<link name="a"><pose degrees="true"/></link>'),
    (1, LINES[1].replace("</axis>",
                         '<mimic joint="j"><multiplier>1</multiplier><reference>0</reference></mimic></axis>'))])
def test_what_a_urdf_can_hold(line, text):
    parts = "".join(['<sdf version="1.12"><model name="m">', *with_parts(line, text), "</model></sdf>"])
    assert list(check_urdf_compatibility(load_text(parts).graphs[0])) == []


def test_the_reference_of_a_mimic_is_an_obstacle():
    follower = ('<link name="c"><pose relative_to="k"/></link><joint name="k" type="revolute"><pose relative_to="b"/>'
                "<parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz>\n<mimic joint=\"j\"><reference>{}</reference>"
                "</mimic></axis></joint>")
    text = '<sdf version="1.12"><model name="m">' + "".join(LINES) + follower + "</model></sdf>"
    (finding,) = check_urdf_compatibility(load_text(text.format(0.5)).graphs[0])
    assert (finding.name, finding.message, finding.line, finding.hint) == (
        "direct-urdf-mimic", "the <mimic> of joint 'k' has a <reference>, which URDF does not have", 2,
        "write offset - multiplier * reference as the offset")
    assert list(check_urdf_compatibility(load_text(text.format(0)).graphs[0])) == []


def test_an_inertial_in_another_frame_is_an_obstacle():
    """Its pose could name one until 1.6."""
    text = ('<sdf version="1.6"><model name="m"><link name="a"/><link name="b"><inertial>\n<pose frame="a">0 0 0 0 0 '
            '0</pose>'
            "</inertial></link></model></sdf>")
    found = [d for d in check_urdf_compatibility(load_text(text).graphs[0]) if d.name == "direct-urdf-part-pose"]
    assert [(d.message, d.line) for d in found] == [("the pose of 'b inertial' is relative to 'a', not to its link", 2)]


def test_a_joint_whose_child_is_a_frame():
    frame = '<frame name="f" attached_to="link2"/></model>'
    text = PARITY.replace("<child>link2", "<child>f").replace("</model>", frame)
    found = check_urdf_compatibility(load_text(text).graphs[0])
    assert [d.message for d in found if d.name == "direct-urdf-joint-end"] == [
        "the child of joint 'joint1' is the frame 'f'; in URDF it must be a link"]
