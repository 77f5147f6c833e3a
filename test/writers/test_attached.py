"""Attaching a robot: the text of the first stays, and that of the second follows with its names kept apart."""
import re

import pytest
from lxml import etree
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.writers.attached import make_renaming

ARM = """<?xml version="1.0"?>
<!-- an arm -->
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="tool0"/>
  <joint name="wrist" type="continuous"><parent link="base"/><child link="tool0"/><axis xyz="0 0 1"/></joint>
  <!-- the end -->
</robot>
<!-- behind -->
"""
GRIPPER = """<robot name='gripper'>
  <!-- measured -->
  <link name='palm'>
    <visual><geometry><mesh filename="meshes/palm.stl"/></geometry><material name="grey"/></visual></link>
  <link name="finger"/>
  <link name="thumb"/>
  <joint name="close" type="prismatic"><parent link="palm"/> <child link="finger"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="prismatic"><parent link="palm"/><child link="thumb"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="close" multiplier="-1"/></joint>
  <gazebo reference="finger"><mu1>0.5</mu1></gazebo>
  <gazebo>
    <plugin name="p" filename="gz-sim-joint-state-publisher-system"><joint_name>close</joint_name></plugin></gazebo>
  <transmission name="t"><joint name="close"/><actuator name="motor"/></transmission>
  <transmission name="t"><gap_joint driven_joint="close" parent_link="palm"/></transmission>
  <ros2_control name="hand" type="system"><joint name="close"/>
    <joint name="follow"><param name="mimic">close</param></joint></ros2_control>
</robot>
"""
#: What the prefix changes in the content of the gripper, by hand.
PREFIXED = [("'palm'", "'l_palm'"), ('"palm"', '"l_palm"'), ('"finger"', '"l_finger"'), ('"thumb"', '"l_thumb"'),
            ('"close"', '"l_close"'), ('"follow"', '"l_follow"'), (">close<", ">l_close<"), ('"t"', '"l_t"'),
            ('"motor"', '"l_motor"'), ('"hand"', '"l_hand"')]


def attach(arm, part, at="tool0", files=("arm.urdf", "gripper.urdf"), **options):
    return sf.attach(*(sf.loads(text, file=file) for text, file in zip((arm, part), files)), at, **options)


def test_the_texts_stay():
    """What the arm's file says is all there; the gripper's content is there with the prefix, and nothing else."""
    made = attach(ARM, GRIPPER, prefix="l_", pose=sf.Pose.from_rpy([0, 0, 0.1], [0, 0, 1])).to_urdf()
    inside = GRIPPER.partition("<robot name='gripper'>")[2].rpartition("</robot>")[0].rstrip()
    for old, new in PREFIXED:
        inside = inside.replace(old, new)
    before, behind = ARM.split("\n</robot>")
    assert made == before + """
  <joint name="l_palm_joint" type="fixed">
    <origin xyz="0 0 0.1" rpy="0 0 1"/>
    <parent link="tool0"/>
    <child link="l_palm"/>
  </joint>""" + inside + "\n</robot>" + behind


def test_names():
    """That of the joint is a free one; one with blanks gets the prefix."""
    assert [*attach(ARM, robot(link(" palm ")), prefix="l_").links][-1] == "l_ palm "
    part = robot(link("palm"), link("x"), joint("palm_joint", "fixed", "palm", "x"))
    assert attach(ARM, part).joints["palm0_joint"].child == "palm"
    assert attach(ARM, part, joint="mount").joints["mount"].child == "palm"


GREY = '<material name="grey"><color rgba="0.5 0.5 0.5 {}"/></material>'


@pytest.mark.parametrize(("alpha", "prefix", "count"), [(1, "", 1), (1, "l_", 1), (0, "l_", 2)])
def test_equal_materials_are_shared_and_others_get_the_prefix(alpha, prefix, count):
    part = GRIPPER.replace("<!-- measured -->", f"<!-- measured -->\n  {GREY.format(alpha)}")
    made = attach(ARM, part, prefix=prefix).to_urdf()
    assert made.count("<color") == count and "<!-- measured -->\n  <link" in made or count == 2
    (shape,) = sf.loads(made).links[f"{prefix}palm"].visuals
    assert shape.colour == (0.5, 0.5, 0.5, alpha)


def test_meshes_are_found_from_the_new_place(tmp_path):
    """From arm/, to out/: relative URIs of both lead to the same files."""
    for name in ("arm/base.stl", "hand/meshes/palm.stl"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("solid\nendsolid\n")
    (tmp_path / "out").mkdir()
    arm = ARM.replace('<link name="base"/>', link("base", inside='<visual><geometry><mesh filename="base.stl"/>'
                                                                 "</geometry></visual>"))
    made = attach(arm, GRIPPER, files=[str(tmp_path / name) for name in ("arm/arm.urdf", "hand/gripper.urdf")])
    assert {use.uri for use in made.uris} == {"base.stl", "../hand/meshes/palm.stl"}
    assert made.save(tmp_path / "out" / "robot.urdf") == ()
    assert {use.uri for use in sf.load(tmp_path / "out" / "robot.urdf").uris} == {
        "../arm/base.stl", "../hand/meshes/palm.stl"}


@pytest.mark.parametrize("file", [None, "hand/gripper.urdf"])
@pytest.mark.parametrize("is_taken", [True, False])
def test_a_mesh_of_the_arm_does_not_silently_become_that_of_the_part(tmp_path, file, is_taken):
    """The gripper is a text without a place, or its mesh is missing; the arm may have a mesh of the same name."""
    (tmp_path / "arm" / "meshes").mkdir(parents=True)
    if is_taken:
        (tmp_path / "arm" / "meshes" / "palm.stl").write_text("solid\nendsolid\n")
    place = file and str(tmp_path / file)
    made = attach(ARM, GRIPPER, files=[str(tmp_path / "arm" / "arm.urdf"), place])
    said = [(d.code, d.file, "meshes/palm.stl" in d.message) for d in made.findings if d.code in ("U020", "C115")]
    assert said == ([("C115", place, True)] if is_taken else [])


def test_plugins_and_sensors_name_the_links_of_the_part():
    """A frame or body is a link; NAME_collision is the first collision of a link without a name, and no other."""
    shape = "<geometry><sphere radius='1'/></geometry>"
    names = "<frame_name>{0}palm</frame_name><bodyName>{0}palm</bodyName><param name='frame_id'>{0}palm</param>"
    contact = '<sensor name="s" type="contact"><collision>{0}palm_collision</collision></sensor>'
    part = robot(link("palm", inside=f"<collision>{shape}</collision>"),
                 link("x", inside=f'<collision name="palm_collision_1">{shape}</collision>'),
                 joint("j", "fixed", "palm", "x"),
                 f'<gazebo reference="palm">{contact.format("")}</gazebo><gazebo><plugin name="p" filename="f">'
                 f'{names.format("")}<collision>palm_collision_1</collision></plugin></gazebo>')
    made = attach(ARM, part, prefix="l_").to_urdf()
    assert names.format("l_") + "<collision>palm_collision_1<" in made and contact.format("l_") in made


def test_poses_joints_and_parameters_name_the_links_and_joints_of_the_part():
    """A pose relative to the arm's link of the same name would move the sensor; a list has several names."""
    inside = ('<gazebo reference="{0}x"><sensor name="palm" type="imu"><topic>palm</topic>'
              '<pose relative_to="{0}palm">1 0 0 0 0 0</pose></sensor></gazebo>'
              '<gazebo><frame name="{0}g" attached_to="{0}j"/><joint name="{0}k" type="fixed"><parent>{0}g</parent>'
              '<child>{0}x</child><axis><xyz expressed_in="{0}palm">0 0 1</xyz></axis></joint>'
              '<plugin name="p" filename="f"><jointName>{0}j, {0}j</jointName><parent>{0}palm</parent>'
              '<virtualJoint><name>{0}j</name></virtualJoint></plugin></gazebo>'
              '<ros2_control name="{0}h" type="system"><hardware><param name="joint">{0}j</param></hardware>'
              '</ros2_control>')
    part = robot(link("palm"), link("x"), joint("j", "fixed", "palm", "x"), inside.format(""))
    made = attach(robot(link("tool0")), part, prefix="l_")
    assert inside.format("l_") in made.to_urdf()
    assert not [d for d in made.findings if d.name == "attach-still-named"]


def test_what_gazebo_adds_to_the_part_is_its_own():
    """Attached twice, each hand has its frames, and the joint that closes its loop."""
    part = robot(link("palm"), link("f"), joint("j", "continuous", "palm", "f"), '<frame name="drake" link="f"/>',
                 '<gazebo><frame name="tcp" attached_to="f"/><frame name="tip" attached_to="tcp"/>'
                 '<joint name="loop" type="ball"><parent>tip</parent><child>palm</child></joint>'
                 '<plugin name="p"><joint_name>loop</joint_name><frame_id>tcp</frame_id></plugin></gazebo>')
    made = attach(ARM, part, prefix="l_").to_urdf()
    root = etree.fromstring(attach(made, part, prefix="r_").to_urdf().encode())
    for prefix, block in zip(("l_", "r_"), root.iter("gazebo")):
        words = [word for e in block.iter() for word in (e.text, e.get("attached_to"), e.get("name")) if word]
        assert words == [*[prefix + name for name in ("f", "tcp", "tcp", "tip", "loop", "tip", "palm")], "p",
                         f"{prefix}loop", f"{prefix}tcp"]
    assert [(e.get("name"), e.get("link")) for e in root.iterchildren("frame")] == [
        ("l_drake", "l_f"), ("r_drake", "r_f")]


def test_a_number_is_a_name_only_where_a_name_is_expected():
    """Some arms call their joints 1 to 6."""
    inside = ('<gazebo><plugin name="p" filename="f"><joint_name>{0}6</joint_name><joints>{0}6 {0}1</joints>'
              '<num_joints>6</num_joints><gain>1</gain></plugin></gazebo>'
              '<transmission name="{0}t"><joint name="{0}1"/><actuator name="{0}m"><mechanicalReduction>1'
              '</mechanicalReduction></actuator></transmission><ros2_control name="{0}c" type="system">'
              '<joint name="{0}1"><param name="id">1</param><param name="mimic">{0}6</param></joint></ros2_control>')
    part = robot(*map(link, "abc"), joint("1", "continuous", "a", "b"), joint("6", "continuous", "b", "c"),
                 inside.format(""))
    made = attach(robot(link("tool0")), part, prefix="l_")
    assert inside.format("l_") in made.to_urdf()
    assert [d.message.partition(",")[0] for d in made.findings if d.code == "C113"] == [
        "this <num_joints> stays as it is"]


@pytest.mark.parametrize(("inside", "at"), [
    ("<plugin name='palm' filename='f'><tip>palm</tip></plugin>", "<tip"), ("<a of='palm'/>", "palm"),
    ("<projector>palm/p</projector>", "<projector"), ("<mapping>1:palm</mapping>", "<mapping"),
    ("<list>['palm']</list>", "<list"), ("<topic>palm</topic>", None), ("<a>palms</a>", None)])
def test_old_names_that_may_mean_a_link_are_told(inside, at):
    part = robot(link("palm"), f"\n<gazebo>\n{inside}</gazebo>")
    found = [d for d in attach(ARM, part, prefix="l_").findings if d.code == "C113"]
    hint = "write l_palm, if the text means this link or joint"
    assert [(d.column, d.hint) for d in found] == ([] if at is None else [(inside.index(at) + 1, hint)])
    assert not [d for d in attach(ARM, part).findings if d.code == "C113"]  # no name changes


def test_the_names_of_the_part_are_listed_once():
    """Listing them for each element would take quadratic time."""
    listed = []

    class Part:
        joints = others = gazebo = ()
        links = property(lambda self: listed.append(self) or ())

    rename = make_renaming(Part(), "l_", ())
    before = len(listed)
    for element in etree.fromstring("<robot><link name='a'/><frame>a</frame><x collision='a'/></robot>").iter():
        rename(element)
    assert before and len(listed) == before


@pytest.mark.parametrize(("inside", "declared"), [
    ('<drake:joint name="x"/>', ' xmlns:drake="http://d?a&amp;b"'), ('<a drake:b="1"/>', ' xmlns:drake="http://d?a&amp;b"'),
    ("<a/>", "")])
def test_prefixes_of_tags_are_declared(inside, declared):
    """Only those in use; the result has no prefix without a declaration (warning X005)."""
    arm, part = ARM.replace("<robot ", '<robot xmlns:x="y" '), robot(link("palm"), inside)
    made = attach(arm, part.replace("<robot ", '<robot xmlns:drake="http://d?a&amp;b" xmlns:x="z" '))
    assert f'<robot xmlns:x="y" name="arm"{declared}>' in made.to_urdf()
    assert not [d for d in made.findings if d.code == "X005"]


def test_prefixes_of_tags_in_a_model_are_declared():
    part = HAND.replace("<sdf ", '<sdf xmlns:gz="http://g" ').replace("<!-- copied -->", "<gz:system a='b'/>")
    made = attach(MODEL, part)
    assert '<model name="arm" xmlns:gz="http://g">' in made.to_sdf()
    assert not [d for d in made.findings if d.code == "X005"]


MODEL = """<sdf version="1.9">
  <model name="arm">
    <link name="base"/>
    <frame name="tool0"><pose>0 0 1 0 0 0</pose></frame>
  </model>
</sdf>
"""
HAND = """<sdf version="1.9">
  <!-- not copied -->
  <model name="hand" placement_frame="palm">
    <!-- copied -->
    <pose>9 0 0 0 0 0</pose>
    <link name="palm"><pose>0 0 5 0 0 0</pose></link>
    <link name="base"/>
  </model>
</sdf>
"""


def test_a_nested_model():
    made = attach(MODEL, HAND, prefix="left_", pose=sf.Pose([1, 2, 3]))
    assert made.to_sdf() == MODEL.replace("\n  </model>", """
    <joint name="left_hand_joint" type="fixed">
      <parent>tool0</parent>
      <child>left_hand::palm</child>
    </joint>
    <model name="left_hand">
    <pose relative_to="tool0">1 2 3 0 0 0</pose>
    <!-- copied -->
    <link name="palm"><pose>0 0 5 0 0 0</pose></link>
    <link name="base"/>
  </model>
  </model>""")
    assert made.valid and made.pose("left_hand::palm", "base").xyz.tolist() == [1, 2, 9]


def test_a_model_is_attached_by_the_link_above_its_joints():
    """Its first link may be a finger: welded to the arm, it would move the palm."""
    hand = """<sdf version="1.9"><model name="hand"><link name="finger"/><link name="palm"/>
<joint name="slide" type="prismatic"><parent>palm</parent><child>finger</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""
    made = attach(MODEL, hand)
    assert made.joints["hand_joint"].child == "hand::palm" and made.warnings == ()
    moved = made.poses({"hand::slide": 0.5}, relative_to="base")
    assert [moved[f"hand::{link}"].xyz.tolist() for link in ("palm", "finger")] == [[0, 0, 1], [0, 0, 1.5]]


@pytest.mark.parametrize("include", [False, True])
def test_a_static_model_is_not_static_below_a_link(include, tmp_path):
    """It would fix the link to the world; and it is attached by the palm, as a model that moves."""
    hand = """<sdf version="1.9"><model name="hand"><static>true</static><link name="finger"/><link name="palm"/>
<joint name="slide" type="fixed"><parent>palm</parent><child>finger</child></joint></model></sdf>"""
    (tmp_path / "hand.sdf").write_text(hand)
    arm = sf.loads(MODEL, file=str(tmp_path / "arm.sdf"))
    made = sf.attach(arm, sf.load(tmp_path / "hand.sdf"), "tool0", include=include)
    assert "static" not in made.to_sdf() and made.valid
    assert made.joints["hand_joint"].child == ("palm" if include else "hand::palm")
    assert [(d.severity, d.line, d.column) for d in made.findings if d.name == "attach-static-dropped"] == [
        ("warning", 1, 39)]


@pytest.mark.parametrize("include", [False, True])
@pytest.mark.parametrize(("inside", "message", "hint"), [
    ('<joint name="mount" type="fixed"><parent>world</parent><child>palm</child></joint>',
     "joint 'mount' connects the model to the world", "remove this joint"),
    ('<model name="m"><link name="x"/><joint name="j" type="fixed"><parent>world</parent><child>x</child></joint>'
     "</model>", "joint 'j' connects the model to the world", "remove this joint"),
    ('<model name="m"><static>true</static><link name="x"/></model>',
     "the nested model 'm' is static, so it is fixed to the world", "set its <static> to false")])
def test_what_is_fixed_to_the_world_is_not_attached(inside, message, hint, include):
    """Fixed to a link, too, it would close a loop through the world."""
    part = HAND.replace("<!-- copied -->", inside).replace('"base"', '"finger"')
    with pytest.raises(sf.InvalidDescription, match=f"gripper.urdf:4: C099 .*'tool0': {message}") as caught:
        attach(MODEL, part, include=include)
    assert [d.hint for d in caught.value.findings if d.name == "attach-needs-models"] == [hint]


def test_other_errors_of_the_part_are_those_of_the_result():
    light = HAND.replace("<link name=\"base\"/>", '<link name="base"><inertial><mass>-1</mass></inertial></link>')
    made = attach(MODEL, light)
    assert made.resolved and [d.name for d in made.errors] == [d.name for d in sf.loads(light).errors] != []


def test_into_a_model_of_a_world():
    made = attach(WORLD, HAND, "arm::tool0")
    assert made.valid and made.pose("arm::hand", "arm::tool0").xyz.tolist() == [0, 0, 0]


def test_what_only_the_part_finds_is_still_found(tmp_path):
    """Each of the two has its own folder of models."""
    for name in ("shelf", "tray"):
        (tmp_path / name / name).mkdir(parents=True)
        (tmp_path / name / name / "model.sdf").write_text(
            f'<sdf version="1.9"><model name="{name}"><link name="l"/></model></sdf>')
        (tmp_path / name / name / "model.config").write_text(
            f"<model><name>{name}</name><sdf version='1.9'>model.sdf</sdf></model>")
    arm, hand = [sf.loads(f'<sdf version="1.9"><model name="{name}"><link name="base"/><include><uri>model://{inside}'
                          "</uri></include></model></sdf>", resource_paths=[tmp_path / inside])
                 for name, inside in (("arm", "shelf"), ("hand", "tray"))]
    made = sf.attach(arm, hand, "base")
    assert made.valid and {"shelf::l", "hand::tray::l"} <= set(made.links)


def test_an_include_that_is_merged(tmp_path):
    (tmp_path / "hand").mkdir()
    (tmp_path / "hand" / "hand.sdf").write_text(HAND.replace('"base"', '"finger"'))
    (tmp_path / "arm.sdf").write_text(MODEL)
    arm, hand = sf.load(tmp_path / "arm.sdf"), sf.load(tmp_path / "hand" / "hand.sdf")
    made = sf.attach(arm, hand, "tool0", sf.Pose([1, 2, 3]), include=True)
    assert made.valid and made.pose("palm", "base").xyz.tolist() == [1, 2, 9]
    assert '<include merge="true">\n      <uri>hand/hand.sdf</uri>' in made.to_sdf()
    (tmp_path / "out").mkdir()
    made.save(tmp_path / "out" / "robot.sdf")
    again = sf.load(tmp_path / "out" / "robot.sdf")
    assert again.valid and again.pose("palm", "base").xyz.tolist() == [1, 2, 9]
    (tmp_path / "arm.sdf").write_text(MODEL.replace("</model>", "<include><uri>hand/hand.sdf</uri></include></model>"))
    arm = sf.load(tmp_path / "arm.sdf")
    with pytest.raises(sf.InvalidDescription, match="to 'hand::palm': its model is in an included file"):
        sf.attach(arm, hand, "hand::palm")


CONTROLLED = ARM.replace("</robot>", '<ros2_control name="hand" type="system"/></robot>')
WORLD = MODEL.replace('"1.9">', '"1.9"><world name="w">').replace("</sdf>", "</world></sdf>")


@pytest.mark.parametrize(("base", "part", "options", "name", "message"), [
    (ARM, robot(link("base")), {}, "attach-names-clash", "both robots have the link names 'base'"),
    (ARM, GRIPPER.replace('"close"', '"wrist"'), {}, "attach-names-clash", "both robots have the joint names 'wrist'"),
    *[(*[text.replace("</robot>", f'<gazebo><{kind} name="tcp"/></gazebo></robot>') for text in (ARM, GRIPPER)], {},
       "attach-names-clash", f"both robots have the {kind} names 'tcp'") for kind in ("frame", "joint")],
    (CONTROLLED, GRIPPER, {}, "attach-names-clash", "both robots have the ros2_control names 'hand'"),
    (ARM, GRIPPER.replace('<material name="grey"/>', GREY.format(0)), {}, "attach-names-clash",
     "both robots have the material names 'grey'"),
    # Another prefix would not help.
    (ARM, GRIPPER, {"prefix": "l_", "joint": "wrist"}, "attach-names-clash", "choose another name for the joint"),
    (ARM, GRIPPER.replace("<robot ", '<robot version="1.1" '), {}, "attach-versions-differ",
     "the version of this file is 1.1; it must be 1.0"),
    (ARM, HAND, {}, "attach-formats-differ", "the format of this file differs from that of arm.urdf"),
    (MODEL, GRIPPER, {}, "attach-formats-differ", "differs"),
    (ARM, GRIPPER, {"at": "flange"}, "frame-unknown", "there is no link 'flange'"),
    (MODEL, HAND, {"at": "flange"}, "frame-unknown", "'sdf_frames frames FILE' lists the frames"),
    (MODEL, HAND, {"at": "tool1"}, "frame-unknown", "did you mean 'tool0'?"),
    (MODEL.replace("1.9", "1.7"), HAND, {}, "attach-versions-differ",
     "the version of this file is 1.7; it must be 1.8 or newer"),
    (MODEL, HAND.replace("1.9", "1.8"), {}, "attach-versions-differ", "of this file is 1.8; it must be 1.9"),
    # SDFormat can only be upgraded: arm.urdf, the first file, is older.
    (MODEL, HAND.replace("1.9", "1.10"), {}, "attach-versions-differ",
     "arm.urdf: C098 the version of this file is 1.9; it must be 1.10"),
    (MODEL, HAND, {"include": True}, "attach-names-clash", "both robots have the part names 'base'"),
    (MODEL, HAND, {"include": True}, "attach-names-clash", "leave out --include"),  # which allows no prefix
    (MODEL.replace('"tool0"', '"hand"'), HAND, {"at": "hand"}, "attach-names-clash", "have the part names 'hand'"),
    (WORLD, HAND, {"at": "world"}, "attach-needs-models", "it is a frame of the world, not of a model"),
    # Errors that leave poses unknown.
    (MODEL, HAND.replace("<pose>0 0 5", '<pose relative_to="x">0 0 5'), {}, "pose-relative-to-unknown", "'x'")])
def test_what_cannot_be_attached(base, part, options, name, message):
    with pytest.raises(sf.InvalidDescription, match=re.escape(message)) as caught:
        attach(base, part, **options)
    assert [d.name for d in caught.value.findings if d.severity == "error"][0] == name


@pytest.mark.parametrize(("arguments", "options", "error"), [
    ((MODEL, HAND), {"include": True, "prefix": "x"}, "keeps the names as they are: give no prefix"),
    ((ARM, GRIPPER), {"pose": [0, 0, 0]}, "a pose is needed, .* not list"),
    ((ARM, GRIPPER), {"pose": sf.Pose([[0, 0, 0]])}, "one pose is needed, not a batch"),
    # No XML can hold these.
    *[((ARM, GRIPPER), names, "must not have control characters")
      for names in ({"prefix": "\x01"}, {"prefix": "\ud800"}, {"joint": "a\nb"})]])
def test_wrong_arguments(arguments, options, error):
    with pytest.raises((TypeError, ValueError), match=error):
        attach(*arguments, **options)
    with pytest.raises(TypeError, match="attach takes descriptions that were loaded, not str"):
        sf.attach("arm.urdf", sf.loads(GRIPPER), "tool0")
