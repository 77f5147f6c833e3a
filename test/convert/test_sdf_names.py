"""Names that SDF does not allow."""
import pytest
import urdf_text
from urdf_text import gazebo, link


def robot(root="base", child="arm", joint="j", kind="continuous", more="", name="r"):
    return urdf_text.robot(link(root, 1), link(child, 1), urdf_text.joint(joint, kind, root, child), more, name=name)


def test_joint_named_like_a_link_is_renamed_and_what_refers_to_it_follows(convert):
    have, conversion, found = convert(robot(joint="arm", more="".join([
        link("tip", 1), urdf_text.joint("k", "continuous", "arm", "tip", '<mimic joint="arm"/>'),
        gazebo("arm", "<springStiffness>3</springStiffness>"),
        gazebo("", '<plugin name="p"><joint_name>arm</joint_name><link_name>arm</link_name></plugin>')])))
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


def test_a_world_that_is_a_child_can_be_made_the_root(convert):
    _, _, found = convert(robot(child="world"))
    assert [d.hint for d in found] == [
        "rename the link, or, if it stands for the world, make it the root: sdf_frames reroot FILE world"]


@pytest.mark.parametrize("name, new",
    [("world", "world_link"), ("__x__", "__x___link"), ("a::b", "a__b"), (" a b ", "a b"), (" a", "a"),
     (" ", "link"), ("a  b", "a b")])
def test_link_names_that_are_reserved(name, new, convert):
    have, conversion, found = convert(robot(child=name))
    assert list(have.links) == ["base", new] and have.joints["j"].findtext("child") == new
    assert [d.name for d in found] == ["name-not-allowed"]
    assert [(r.action, r.into) for r in conversion.rows if r.name == name] == [("renamed", new)]


@pytest.mark.parametrize("name, new",
    [("world", "world_joint"), ("____", "_____joint"), ("a::b", "a__b"), (" a b ", "a b"), ("a ", "a"),
     (" ", "joint"), ("a  b", "a b"), ("a&#10;b", "a b")])
def test_joint_names_that_are_reserved(name, new, convert):
    have, _, found = convert(robot(joint=name))
    assert list(have.joints) == [new] and have.raw_pose("arm")[0] == new
    assert [d.name for d in found] == ["name-not-allowed"]


def test_names_that_differ_by_white_space_only(convert):
    # Readers collapse white space in a name; the joint then bears the name of a link.
    more = link(" arm", 1) + urdf_text.joint(" base", "continuous", "base", " arm")
    have, conversion, found = convert(robot(more=more + gazebo("", '<frame name=" arm "/>')))
    assert list(have.links) == ["base", "arm0", "arm"] and list(have.joints) == ["base_joint", "j"]
    assert list(have.frames) == ["arm_frame"]
    assert [d.name for d in found] == ["name-not-allowed", "name-not-allowed", "added-name-taken"]
    assert [(r.name, r.into) for r in conversion.rows if r.action == "renamed"] == [(" base", "base_joint"),
        (" arm", "arm0")]


@pytest.mark.parametrize("name, new", [("world", "world_model"), ("a::b", "a__b"), ("", "robot"), (" r ", "r")])
def test_robot_names_that_are_reserved(name, new, convert):
    have, _, found = convert(robot(name=name))
    assert have.model.get("name") == new and [d.name for d in found] == ["name-not-allowed"]


SPACES = "remove the white space around the name, or write one blank inside, here and where it is used"
OTHER = ("choose a name without ::, which is not world, and which does not start and end with two underscores; other "
         "files may still use the old name: change it there, too")


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
    ({"child": " a::b"}, "link ' a::b' has a name that SDF does not allow; it is renamed to 'a__b'", 3,
     '/robot[@name="r"]/link[@name=" a::b"]', OTHER),
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
