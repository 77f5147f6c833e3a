"""Until 1.6 a joint could have the world as its child: the same joint seen from its other end."""
import pytest
from lxml import etree
from readings import every_reading, frames, link
from written_text import upgrade_file

from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import load_text
from sdf_frames.sdf.entities import LEGACY_FRAME
from sdf_frames.sdf.old_joints import turn_world_children

# The model stands at z = 5; the joint's pose is in its child, the world: at z = 6 there, so at z = 1 in the model.
OLD = """<sdf version="{version}"><model name="m"><pose>0 0 5 0 0 0</pose><link name="l"><pose>0 0 2 0 0 0</pose></link>
<joint name="j" type="revolute"><pose>0 0 6 0 0 0</pose><parent>l</parent><child>world</child><axis><xyz>0 1 0</xyz></axis></joint>
</model></sdf>"""  # noqa: E501


def test_its_ends_and_axis_are_turned_round():
    loaded = load_text(OLD.format(version="1.4"))
    assert loaded.valid and [d.name for d in loaded.diagnostics] == ["joint-child-is-world"]
    scope = loaded.scopes[0]
    joint = scope.joints[0]
    assert (joint.parent, joint.child, joint.axes) == ("world", "l", ((0, (0, -1, 0)),))
    frame = next(f for f in scope.frames if f.name == "j")
    assert frame.link == "l" and frame.pose == pytest.approx((0, 0, 1, 1, 0, 0, 0))


@pytest.mark.parametrize("models, wanted", [
    # The joint is at x = 5 in the world, wherever its model stands.
    ('<model name="a"><pose frame="a::j">0 0 1 0 0 0</pose>JOINT</model>', (5, 0, 1)),
    ('<model name="a"><pose frame="a::f">0 0 1 0 0 0</pose><frame name="f"><pose frame="j">0 3 0 0 0 0</pose></frame>'
     'JOINT</model>', (5, 3, 1)),
    ('<model name="a"><pose frame="a::b::j">0 0 1 0 0 0</pose><link name="k"/>'
     '<model name="b"><pose frame="k"/>JOINT</model></model>', (5, 0, 1)),
    ('<model name="a"><pose frame="c::j">0 0 1 0 0 0</pose>JOINT</model>'
     '<model name="c"><pose frame="a::j">0 7 0 0 0 0</pose>JOINT</model>', (5, 0, 1)),
])
def test_a_model_that_its_own_joint_places_is_written_where_it_stands(models, wanted, tmp_path, capsys):
    """004:375: the joint is in the world, so nothing goes round; since 1.7 it is in a model, and would."""
    joint = '<joint name="j" type="fixed"><pose>5 0 0 0 0 0</pose><parent>l</parent><child>world</child></joint>'
    text = f'<sdf version="1.6"><world name="w">{models.replace("JOINT", link("l") + joint)}</world></sdf>'
    for loaded in every_reading(text, tmp_path, capsys):
        assert frames(loaded)["a"][2][:3] == wanted


@pytest.mark.parametrize("to", ["1.4", "1.5", "1.6"])
def test_below_1_7_nothing_is_turned(to, tmp_path):
    path = tmp_path / "old.sdf"
    path.write_text(OLD.format(version="1.2"))
    text, found = upgrade_file(str(path), to)
    assert "<child>world</child>" in text and found == []
    assert load_text(text).scopes[0].joints == load_text(OLD.format(version="1.4")).scopes[0].joints


JOINT = '<joint name="{}" type="universal">{}<parent>{}</parent><child>{}</child>{}</joint>'
AXES = "<axis>{}</axis><axis2>{}</axis2>"


def find_joints(*joints, links=("l",), version="1.4"):
    inside = "".join(f'<link name="{name}"/>' for name in links) + "".join(joints)
    loaded = load_text(f'<sdf version="{version}"><model name="m">{inside}</model></sdf>')
    return loaded, {j.name: (j.parent, j.child, [xyz for _, xyz in j.axes]) for j in loaded.scopes[0].joints}


def test_every_joint_of_every_model_is_turned_and_the_others_are_left_alone():
    """Also beside joints that have no end, or the world at both."""
    axes = AXES.format("<xyz>0 1 0</xyz>", "<xyz>1 0 0</xyz>")
    turned = [JOINT.format(name, "", "l", "world", axes) for name in ("a", "b")]
    loaded, joints = find_joints('<joint name="none" type="fixed"/>', JOINT.format("both", "", "world", "world", axes),
                                 JOINT.format("open", "", "", "world", axes), turned[0],
                                 JOINT.format("plain", "", "k", "l", axes), turned[1], links="lk")
    assert [joints[name][:2] for name in "ab"] == [("world", "l")] * 2
    assert joints["plain"] == ("k", "l", [(0, 1, 0), (1, 0, 0)])
    assert [d.severity for d in loaded.diagnostics if d.name == "joint-child-is-world"].count("warning") == 2
    inner = f'<model name="n"><link name="l"/>{turned[0]}</model>'
    both = inner + inner.replace('"n"', '"o"')
    for body in (both, f'<link name="k"/>{both}'):
        _, joints = find_joints(body)
        assert [joints[f"{model}::a"][:2] for model in "no"] == [("world", f"{model}::l") for model in "no"]
    loaded = load_text(f'<sdf version="1.4"><world name="w">{inner}</world></sdf>')
    assert loaded.scopes[0].joints[0].parent == "world"


def test_a_link_of_that_name_is_meant():
    """In one model; in the next, the world is."""
    joint = JOINT.format("j", "", "l", "world", "")
    loaded, joints = find_joints(joint, f'<model name="n"><link name="l"/>{joint}</model>', links=("l", "world"),
                                 version="1.5")
    assert [d.line for d in loaded.diagnostics if d.name == "joint-child-is-world"] == [1]
    assert joints["n::j"][:2] == ("world", "n::l")


def turn(joint, around="{}", links='<link name="l"/>'):
    """The joint after it was turned, without the attribute for its frame, whether it got one, and the findings."""
    text = around.format(f'<model name="m">{links}{joint}</model>')
    root = read_xml(f'<sdf version="1.6">{text}</sdf>', keep_comments=True)[0].root
    found = turn_world_children(root)
    element = next(root.iter("joint"))
    pose = element.find("pose")
    frame = None if pose is None else pose.attrib.pop(LEGACY_FRAME, None)
    etree.cleanup_namespaces(element)
    return etree.tostring(element, encoding="unicode", with_tail=False), frame, found


@pytest.mark.parametrize("around", ["{}", '<world name="w">{}</world>',
                                    '<world name="w"><model name="n">{}</model></world>'])
def test_the_joint_is_written_from_its_other_end(around):
    text, frame, (found,) = turn(
        '<joint name="j">\n <parent>l</parent>\n <child> world </child><axis><xyz>1 -2 0</xyz></axis><axis2/></joint>',
        around)
    assert text == ('<joint name="j">\n <pose/>\n <parent> world </parent>\n <child>l</child>'
                    "<axis><xyz>-1 2 0</xyz></axis><axis2><xyz>0 0 -1</xyz></axis2></joint>")
    assert frame == "__root__"
    assert (found.name, found.severity, found.column) == ("joint-child-is-world", "warning", 2)
    assert found.hint == "swap parent and child in the file; they are read swapped"


@pytest.mark.parametrize("pose, frame", [
    ("<pose>1 0 0 0 0 0</pose>", "__root__"), ('<pose frame="f">1 0 0 0 0 0</pose>', None),
    ('<pose frame=" ">1 0 0 0 0 0</pose>', "__root__"), ('<pose relative_to="f">1 0 0 0 0 0</pose>', None)])
def test_its_pose_stays_in_the_frame_that_it_names_or_in_the_world(pose, frame):
    text, kept, found = turn(f'<joint name="j">{pose}<parent>l</parent><child>world</child></joint>')
    assert pose in text and kept == frame and len(found) == 1


def test_what_is_not_a_direction_stays_and_every_joint_is_turned():
    joints = '<joint name="j"><parent>l</parent><child>world</child><axis><xyz>up</xyz></axis></joint>'
    text, _, found = turn(joints + joints.replace('"j"', '"k"'))
    assert "<xyz>up</xyz>" in text and len(found) == 2
