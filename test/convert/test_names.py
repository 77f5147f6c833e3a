"""Names that SDF does not allow."""
import pytest
import urdf_text
from urdf_text import inertial, link

INERTIAL = inertial()


def robot(root="base", child="arm", joint="j", kind="continuous", more="", name="r"):
    return urdf_text.robot(link(root, 1), link(child, 1), urdf_text.joint(joint, kind, root, child), more, name=name)


def test_joint_named_like_a_link_is_renamed_and_what_refers_to_it_follows(convert):
    have, conversion, found = convert(robot(joint="arm", more=(
        f'<link name="tip">{INERTIAL}</link><joint name="k" type="continuous"><parent link="arm"/><child link="tip"/>'
        '<mimic joint="arm"/></joint><gazebo reference="arm"><springStiffness>3</springStiffness></gazebo>'
        '<gazebo><plugin name="p" filename="f"><joint_name>arm</joint_name><link_name>arm</link_name></plugin>'
        '</gazebo>')))
    assert list(have.joints) == ["arm_joint", "k"] and have.raw_pose("arm")[0] == "arm_joint"
    assert have.joints["k"].find("axis/mimic").get("joint") == "arm_joint"
    assert have.joints["arm_joint"].findtext("axis/dynamics/spring_stiffness") == "3"
    assert have.model.findtext("plugin/joint_name") == "arm_joint" and have.model.findtext("plugin/link_name") == "arm"
    assert [(d.name, d.severity) for d in found] == [("joint-renamed", "warning")]
    assert [(r.action, r.into) for r in conversion.rows if r.element == "joint"
            and r.name == "arm"] == [("renamed", "arm_joint")]
    assert [r.action for r in conversion.rows if r.element == "link" and r.name == "arm"] == ["kept"]


def test_what_is_not_in_the_sdf_is_not_renamed_there(convert):
    lost = '<link name="{0}"/><joint name="{0}" type="continuous"><parent link="base"/><child link="{0}"/></joint>'
    for name in ("tip", "a::b"):
        assert [d.name for d in convert(robot(more=lost.format(name)))[2]] == ["massless-link-dropped"]


def test_lumped_link_and_joint_of_one_name_make_two_frames(convert):
    have, conversion, _ = convert(robot(joint="arm", kind="fixed"))
    assert have.frames["arm"].get("attached_to") == "arm_joint"
    assert [r.action for r in conversion.rows if r.element in ("link", "joint")] == ["kept", "lumped", "lumped"]


def test_new_name_avoids_those_in_use(convert):
    have, _, _ = convert(robot(joint="arm", more=(
        f'<link name="arm_joint">{INERTIAL}</link><joint name="arm_joint0" type="continuous"><parent link="arm"/>'
        '<child link="arm_joint"/></joint>')))
    assert sorted(have.joints) == ["arm_joint0", "arm_joint1"]


@pytest.mark.parametrize("name, new",
    [("world", "world_link"), ("__x__", "__x___link"), ("a::b", "a__b"), (" a b ", "a b"), (" a", "a"),
     ("\u2003", "link")])
def test_link_names_that_are_reserved(name, new, convert):
    have, conversion, found = convert(robot(child=name))
    assert list(have.links) == ["base", new] and have.joints["j"].findtext("child") == new
    assert [d.name for d in found] == ["name-not-allowed"]
    assert [(r.action, r.into) for r in conversion.rows if r.name == name] == [("renamed", new)]


@pytest.mark.parametrize("name, new",
    [("world", "world_joint"), ("____", "_____joint"), ("a::b", "a__b"), (" a b ", "a b"), ("a ", "a"),
     ("\u2003", "joint")])
def test_joint_names_that_are_reserved(name, new, convert):
    have, _, found = convert(robot(joint=name))
    assert list(have.joints) == [new] and have.raw_pose("arm")[0] == new
    assert [d.name for d in found] == ["name-not-allowed"]


def test_names_that_differ_by_white_space_only(convert):
    # Readers take white space around a name away; the joint then bears the name of a link.
    more = (f'<link name=" arm">{INERTIAL}</link><joint name=" base" type="continuous"><parent link="base"/>'
            f'<child link=" arm"/></joint>'
            '<gazebo><frame name=" arm "/></gazebo>')
    have, conversion, found = convert(robot(more=more))
    assert list(have.links) == ["base", "arm0", "arm"] and list(have.joints) == ["base_joint", "j"]
    assert list(have.frames) == ["arm_frame"]
    assert [d.name for d in found] == ["name-not-allowed", "name-not-allowed", "added-name-taken"]
    assert [(r.name, r.into) for r in conversion.rows if r.action == "renamed"] == [(" base", "base_joint"),
        (" arm", "arm0")]


@pytest.mark.parametrize("name, new", [("world", "world_model"), ("a::b", "a__b"), ("", "robot"), (" r ", "r")])
def test_robot_names_that_are_reserved(name, new, convert):
    have, _, found = convert(robot(name=name))
    assert have.model.get("name") == new and [d.name for d in found] == ["name-not-allowed"]


def test_a_joint_added_under_gazebo_yields_to_the_robots_own(convert):
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    have, _, found = convert(
        f'<robot name="r"><link name="a">{mass}</link><link name="b">{mass}</link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
        '<gazebo><joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>'
        '<joint name="k" type="fixed"><parent>a</parent><child>b</child></joint></gazebo></robot>')
    assert set(have.joints) == {"j", "k", "j_joint"}
    assert have.joints["j"].get("type") == "revolute" and have.joints["j_joint"].get("type") == "fixed"
    assert [d.name for d in found] == ["added-name-taken"]


def test_delimiter_in_the_name_of_a_shape(convert):
    # A capsule takes SDF 1.8, which allows no name with the delimiter.
    shapes = ('<collision name="a::b"><geometry><capsule radius="1" length="2"/></geometry></collision>'
              '<visual name="arm::v"><geometry><sphere radius="1"/></geometry></visual>')
    text = robot(kind="fixed").replace("</link><joint", shapes + "</link><joint")
    have, conversion, found = convert(text.replace("<robot ", '<robot version="1.1" '))
    assert [have.links["base"].find(tag).get("name") for tag in ("collision", "visual")] == [
        "base_fixed_joint_lump__a__b_collision", "base_fixed_joint_lump__arm__v_visual"]
    assert [(d.name, d.path.partition("/link")[2]) for d in found] == [
        ("name-not-allowed", f'[@name="arm"]/{name}"]') for name in ('collision[@name="a::b', 'visual[@name="arm::v')]
    assert [repr(have.links["base"].find(tag).get("name")) in d.message
            for d, tag in zip(found, ("collision", "visual"))] == [True, True]
    rows = {r.element: r for r in conversion.rows}
    assert rows["collision"].reason.endswith("'base_fixed_joint_lump__a__b_collision'")
    assert rows["visual"].into == "base"
    assert conversion.document.root.get("version") == "1.8"


@pytest.mark.parametrize("name, spaced", [(" a", True), ("a ", True), ("__a__", False), ("a::b", False)])
def test_white_space_around_a_name_has_a_hint_of_its_own(name, spaced):
    from sdf_frames.convert.urdf_to_sdf import convert_text
    solid = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    _, _, found = convert_text(f'<robot name="r"><link name="{name}">{solid}</link></robot>')
    hints = [d.hint or "" for d in found if d.name == "name-not-allowed"]
    assert len(hints) == 1 and ("remove the white space around the name" in hints[0]) == spaced


def test_the_finding_on_the_robots_own_name_is_at_the_robot():
    from sdf_frames.load import load_text
    text = ('\n<robot name="a::b"><link name="l"><inertial><mass value="1"/>'
            '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>')
    (finding,) = [d for d in load_text(text, "r.urdf").diagnostics if d.name == "name-not-allowed"]
    assert (finding.file, finding.line, finding.path) == ("r.urdf", 2, '/robot[@name="a::b"]')


SPACES = "remove the white space around the name, here and where it is used"
OTHER = "choose a name without ::, which is not world, and which does not start and end with two underscores"


@pytest.mark.parametrize("change, message, line, path, hint", [
    ({"name": "a::b"}, "robot 'a::b' has a name that SDF does not allow; it is renamed to 'a__b'", 1,
     '/robot[@name="a::b"]',
     OTHER),
    ({"name": " r"}, "robot ' r' has a name that SDF does not allow; it is renamed to 'r'", 1, '/robot[@name=" r"]',
     SPACES),
    ({"child": "__x__"}, "link '__x__' has a name that SDF does not allow; it is renamed to '__x___link'", 3,
     '/robot[@name="r"]/link[@name="__x__"]', OTHER),
    ({"child": "x "}, "link 'x ' has a name that SDF does not allow; it is renamed to 'x'", 3,
     '/robot[@name="r"]/link[@name="x "]', SPACES),
    ({"joint": "a::b"}, "joint 'a::b' has a name that SDF does not allow; it is renamed to 'a__b'", 4,
     '/robot[@name="r"]/joint[@name="a::b"]', OTHER),
    ({"joint": " j"}, "joint ' j' has a name that SDF does not allow; it is renamed to 'j'", 4,
     '/robot[@name="r"]/joint[@name=" j"]', SPACES),
    ({"joint": "arm"},
     "joint 'arm' has the same name as a link, which SDF does not allow; it is renamed to 'arm_joint'", 4,
     '/robot[@name="r"]/joint[@name="arm"]', "rename the joint in the URDF, if controllers or plugins refer to it by "
                                             "name")])
def test_whole_findings(change, message, line, path, hint, convert):
    parts = {"child": "arm", "joint": "j", "name": "r", **change}
    text = "\n".join([f'<robot name="{parts["name"]}">', link("base", 1), link(parts["child"], 1),
                      urdf_text.joint(parts["joint"], "continuous", "base", parts["child"]), "</robot>"])
    _, _, (finding,) = convert(text)
    assert (finding.severity, finding.message, finding.line, finding.path, finding.hint, finding.file) == (
        "warning", message, line, path, hint, "robot.urdf")


def test_new_names_avoid_all_others(convert):
    """Links first, then joints; names that <gazebo> gives are taken too, and each new one is."""
    parts = [link("base", 1), link("a::b", 1), link("a__b", 1), link("a:::b", 1), link("p::q", 1), link(" p__q", 1),
             urdf_text.joint("p", "continuous", "base", "p::q"), urdf_text.joint("q", "continuous", "base", " p__q"),
             urdf_text.joint("base", "continuous", "base", "a::b"),
             urdf_text.joint("x::y", "continuous", "base", "a__b"),
             urdf_text.joint("x__y", "continuous", "base", "a:::b"),
             '<gazebo><frame name="base_joint"/><frame name="a__b0"/></gazebo>']
    have, _, _ = convert(urdf_text.robot(*parts))
    assert list(have.links) == ["base", "a__b1", "p__q", "p__q0", "a__b", "a__:b"]
    assert set(have.joints) == {"base_joint0", "x__y0", "x__y", "p", "q"}
    assert list(have.frames) == ["base_joint", "a__b0"]


@pytest.mark.parametrize("tag", ["link", "joint", "frame", "model"])
def test_new_names_avoid_those_of_gazebo(tag, convert):
    """Of what has a name in the model's scope; a plugin may have the same."""
    for added, new in ((tag, "arm_joint0"), ("plugin", "arm_joint")):
        have, _, _ = convert(robot(joint="arm", more=f'<gazebo><{added} name=" arm_joint "/></gazebo>'))
        assert new in have.joints and have.raw_pose("arm")[0] == new
