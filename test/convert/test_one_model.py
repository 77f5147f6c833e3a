"""Which model of a file a URDF describes, and what is said if it is not clear."""
import pytest
from written_text import convert_to_urdf

from sdf_frames.convert.sdf_to_urdf import convert_model
from sdf_frames.load import load_text

WORLD = ('<sdf version="1.9"><world name="w"><model name="one"><link name="l"/></model>'
         '<model name="two"><link name="l"/></model></world></sdf>')


def test_the_error_of_a_world_names_its_models():
    eight = ", ".join(f"'m{i}'" for i in range(8))
    world = "the file is the world 'w' with"
    for count, said in ((0, "the world 'w' has no model"), (1, f"{world} 1 model: 'm0'"),
                        (8, f"{world} 8 models: {eight}"), (9, f"{world} 9 models: {eight}, …")):
        models = "".join(f'<model name="m{i}"><link name="l"/></model>' for i in range(count))
        graph = load_text(f'<sdf version="1.12"><world name="w">{models}</world></sdf>').graphs[0]
        conversion = convert_model(graph, {}, lambda uri, element: uri)
        (finding,) = conversion.diagnostics
        assert (conversion.robot, conversion.entries) == (None, [])
        assert finding.message == f"URDF describes one robot: {said}"


@pytest.mark.parametrize("text, model, says", [
    (WORLD, "three", "the world 'w' has no model 'three', but 'one', 'two'"),
    (WORLD, None, "the file is the world 'w' with 2 models: 'one', 'two'"),
    ('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>', "n", "the file has no model 'n', but 'm'"),
    ('<sdf version="1.9"><world name="w"/></sdf>', None, "the world 'w' has no model"),
    ('<sdf version="1.9"><world name="w"/><model name="m"><link name="l"/></model></sdf>', "m",
     "the world 'w' has no model"),
    ('<sdf version="1.9"/>', None, "the file has no model")])
def test_errors_name_the_models_of_the_file(text, model, says):
    made, _, found, _ = convert_to_urdf(load_text(text), model)
    assert made is None
    (finding,) = [d for d in found if d.severity == "error"]
    assert finding.message == f"URDF describes one robot: {says}"
    assert finding.hint.startswith("give a file with a <model>") == says.endswith("no model")
    assert finding.hint.endswith("without an empty <world>") == ("the world" in says and says.endswith("no model"))


AROUND = """<sdf version="1.10"><world name="w"><model name="arm"><pose>1 2 3 0 0 1.5707963267948966</pose>
<link name="base"/><link name="tip"><pose>0 0 1 0 0 0</pose></link>
<joint name="lift" type="revolute"><parent>base</parent><child>tip</child><axis><xyz>1 0 0</xyz></axis></joint></model>
<model name="box"><link name="x"/></model>
<frame name="mark" attached_to="arm::tip"><pose>0 0 5 0 0 0</pose></frame>
<frame name="origin"/><frame name="lid" attached_to="box::x"/>
<joint name="lift" type="prismatic"><pose relative_to="origin"/><parent>origin</parent><child>arm::base</child>
<axis><xyz expressed_in="world">1 0 0</xyz></axis></joint>
<joint name="weld" type="fixed"><parent>arm::tip</parent><child>box::x</child></joint>
<joint name="pin" type="fixed"><parent>world</parent><child>box::x</child></joint></world></sdf>"""


def test_what_the_world_holds_for_the_model_becomes_a_part_of_it():
    """By hand. The rail lies along x at the origin of the world; from there, the base is at 1 2 3, turned by a quarter.
    With a fixed joint as the rail (worlds have no others in Drake), Drake 1.51.1 has all frames at the same places."""
    text, rows, found, _ = convert_to_urdf(load_text(AROUND), "arm")
    robot = load_text(text).robot
    joints = {joint.name: joint for joint in robot.joints}
    assert (robot.root, robot.links[0].name) == ("world", "world")
    assert {name: joint[1:4] for name, joint in joints.items()} == {
        "lift0": ("prismatic", "world", "lift0_frame"), "base_offset": ("fixed", "lift0_frame", "base"),
        "lift": ("continuous", "base", "tip"), "mark_fixed": ("fixed", "tip", "mark")}
    assert joints["lift0"].axis == pytest.approx((1, 0, 0), abs=1e-15)
    assert joints["lift0"].origin.xyz == pytest.approx((0, 0, 0), abs=1e-15)
    assert joints["base_offset"].origin.xyz == pytest.approx((1, 2, 3))
    assert joints["base_offset"].origin.rpy == pytest.approx((0, 0, 1.5707963267948966))
    assert joints["mark_fixed"].origin.xyz == pytest.approx((0, 0, 5))
    reason = "it connects 'arm::tip' to 'box::x', and a URDF describes one model"
    assert sorted([(d.name, d.message, d.line) for d in found if d.name.startswith("urdf-")], key=lambda d: d[2]) == [
        ("urdf-name-taken", "joint 'lift' is renamed to 'lift0' in the URDF, where 'lift' is a part of the model", 7),
        ("urdf-joint-dropped", f"joint 'weld' is not in the URDF: {reason}", 9)]
    assert [row[1:6] for row in rows if row.action == "dropped"] == [("weld", "dropped", None, 9, reason)]


def test_a_frame_of_the_world_takes_no_name_from_a_nested_link():
    """Until 1.7, names could contain '::', which is '/' in a URDF."""
    written = convert_to_urdf(load_text(
        '<sdf version="1.7"><world name="w"><model name="m"><link name="a"/><link name="q::b"/></model>'
        '<frame name="q::b" attached_to="m"><pose>0 0 4 0 0 0</pose></frame></world></sdf>'))
    joints = {joint.child: joint for joint in load_text(written.text).robot.joints}
    assert {"q/b", "q/b0"} <= joints.keys() and joints["q/b0"].origin.xyz == (0, 0, 4)
    assert [d.message for d in written.diagnostics if d.name == "urdf-name-taken"] == [
        "frame 'q::b' is renamed to 'q/b0' in the URDF, where 'q/b' is a part of the model"]


@pytest.mark.parametrize(("leader", "expected"), [
    ("arm::lift", "lift"), ("rail", "rail"), ("lift", "lift0"), ("box::lift", None)])
def test_a_joint_of_the_world_mimics_the_joint_that_it_names(leader, expected):
    """The world's own joint lift is lift0 in the URDF; a joint of another model, or to it, is not in the URDF."""
    mimic = f'<mimic joint="{leader}"><multiplier>2</multiplier><offset>0.5</offset><reference>0</reference></mimic>'
    text = AROUND.replace('version="1.10"', 'version="1.11"').replace("</world>", (
        '<frame name="g"/><joint name="rail" type="prismatic"><parent>arm::tip</parent><child>arm::c</child><axis>'
        f'<xyz>1 0 0</xyz></axis></joint><joint name="k" type="revolute"><parent>arm::c</parent><child>arm::d</child>'
        f"<axis><xyz>1 0 0</xyz>{mimic}</axis></joint></world>")).replace(
        '<link name="base"/>', '<link name="base"/><link name="c"/><link name="d"/>').replace(
        '<link name="x"/></model>', '<link name="x"/><link name="y"/><joint name="lift" type="prismatic"><parent>x'
        "</parent><child>y</child><axis><xyz>1 0 0</xyz></axis></joint></model>")
    written = convert_to_urdf(load_text(text), "arm")
    mimics = {joint.name: joint.mimic.joint for joint in load_text(written.text).robot.joints if joint.mimic}
    assert mimics == ({} if expected is None else {"k": expected})
    assert ("urdf-mimic-dropped" in [d.name for d in written.diagnostics]) == (expected is None)


def test_a_joint_of_the_world_to_a_static_model_loses_no_link():
    """A static model is no link: a joint that ends at it is left out, with a finding."""
    for parent, links, dropped in (
            ("world", ["world", "b", "c", "f", "g"], []), ("m", ["b", "c", "f", "g"], ["urdf-joint-dropped"])):
        model = '<model name="m"><static>true</static><pose>1 2 3 0 0 0</pose><link name="b"/><link name="c"/></model>'
        written = convert_to_urdf(load_text(
            f'<sdf version="1.12"><world name="w"><joint name="j" type="fixed"><parent>{parent}</parent>'
            f'<child>m::c</child></joint><frame name="f" attached_to="m::c"/><frame name="g" attached_to="m"/>{model}'
            "</world></sdf>"))
        robot = load_text(written.text).robot
        assert sorted(link.name for link in robot.links) == sorted(links)
        assert {joint.type for joint in robot.joints} == {"fixed"}
        assert [d.name for d in written.diagnostics if d.name == "urdf-joint-dropped"] == dropped


def test_what_a_joint_of_the_world_has_names_the_parts_of_the_urdf():
    """In the scope of the world, lift is lift0 of the URDF; in that of the model, it is the model's own joint."""
    content = ('<plugin name="p" filename="p"><joint_name>{0}</joint_name><frame_id>{0}</frame_id><link>{1}tip</link>'
               '<arm_link>{1}n::k</arm_link><frame_id>{1}n</frame_id><mimic joint="{1}n::q"/></plugin>')
    nested = ('<model name="n"><link name="k"/><link name="o"/><joint name="q" type="fixed"><parent>k</parent>'
              '<child>o</child></joint></model><joint name="t" type="fixed"><parent>tip</parent><child>n::k</child>'
              '</joint>' + content.format("lift", ""))
    axis = '<xyz expressed_in="world">1 0 0</xyz></axis>'
    sensor = ('<sensor name="s" type="force_torque"><pose relative_to="lift">0 0 0 0 0 0</pose>'
              + content.format("lift", "arm::") + "</sensor>")
    text = AROUND.replace("</model>", f"{nested}</model>", 1).replace(axis, axis + sensor).replace(
        '<pose relative_to="origin"/>', "")
    written = convert_to_urdf(load_text(text), "arm")
    plugin = ('<plugin name="p" filename="p"><joint_name>{0}</joint_name><frame_id>{0}</frame_id><link>tip</link>'
              '<arm_link>n/k</arm_link><frame_id>n</frame_id><mimic joint="n/q"/></plugin>')
    lines = "".join(line.strip() for line in written.text.splitlines())
    assert '<gazebo reference="lift0"><sensor name="s" type="force_torque"><pose relative_to="lift0">' in lines
    assert plugin.format("lift") in lines and plugin.format("lift0") in lines
    assert [(row.action, row.into) for row in written.rows if (row.element, row.name) == ("joint", "lift")] == [
        ("renamed", "lift0"), ("kept", None)]


@pytest.mark.parametrize(("parent", "inside", "kind"), [
    ("world", "", "fixed"), ("other", "", "fixed"),
    ("other", '<joint name="i" type="revolute"><parent>q</parent><child>r</child></joint>', "continuous")])
def test_a_static_model_in_a_moving_one_is_fixed_to_the_world(parent, inside, kind):
    """Drake 1.51.1 welds its links to the world, and gz-physics does not move it. The other links float there."""
    written = convert_to_urdf(load_text(
        '<sdf version="1.12"><model name="m"><pose>0 0 3 0 0 0</pose><link name="base"/><link name="other"/>'
        f'<joint name="j" type="revolute"><parent>{parent}</parent><child>base</child></joint>'
        '<model name="s"><static>true</static><pose>1 0 0 0 0 0</pose><link name="q"/><link name="r"/>'
        f'<frame name="f"/>{inside}</model></model></sdf>'))
    robot = load_text(written.text).robot
    joints = {joint.child: (joint.type, joint.parent, joint.origin.xyz) for joint in robot.joints}
    assert [joints[name] for name in ("s/q", "s", "s/f", "other")] == [
        ("fixed", "world", (1, 0, 3))] * 3 + [("floating", "world", (0, 0, 3))]
    assert joints["s/r"][0] == kind
    assert [(row.action, row.into) for row in written.rows if row.element == "static"] == [
        ("dropped", None) if inside else ("moved", "world")]  # a joint inside moves


@pytest.mark.parametrize(("static", "ends"), [
    ("<static>true</static>", ("__model__", "c")), ("<static>true</static>", ("base", "f")), ("", ("s", "c"))])
def test_a_joint_that_ends_at_a_static_model_is_left_out_and_no_link_is(static, ends):
    """A static model is no link. The joint is marked by a link at each end that is one."""
    text = (f'<sdf version="1.12"><model name="m">{static}<link name="base"/><link name="c"/><frame name="f"/>'
            '<model name="s"><static>true</static><link name="q"/></model><joint name="j" type="fixed">'
            f"<parent>{ends[0]}</parent><child>{ends[1]}</child></joint></model></sdf>")
    written = convert_to_urdf(load_text(text))
    assert {"base", "c", "s/q"} <= {link.name for link in load_text(written.text).robot.links}
    (finding,) = [d for d in written.diagnostics if d.name == "urdf-joint-dropped"]
    assert "its parent or child is a static model" in finding.message
