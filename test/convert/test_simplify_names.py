"""What the rest of a URDF calls links and joints that are lumped: it stays and is told, or they stay as frames."""
import pytest
from lxml import etree
from urdf_text import gazebo, joint, link, robot
from written_text import simplify_text

from sdf_frames.load import load_text
from sdf_frames.writers.simplified import read_simplify_options

BOX = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
PARTS = (link("base", 2), link("mast", 2, BOX), link("eye"), link("arm", 1), joint("a", "fixed", "base", "mast"),
         joint("b", "fixed", "mast", "eye"), joint("c", "continuous", "eye", "arm", '<axis xyz="0 0 1"/>'))
PLUGIN = gazebo(None, "<plugin name='p' filename='f'><link>mast</link><joint>b</joint></plugin>")
FRAME = "<frame name='f' link='eye'/>"
FILTER = "<collision_filter_group name='g'><member link='{}'/></collision_filter_group>"


def simplify(content, frames):
    return simplify_text(robot(*PARTS, content), "r.urdf", read_simplify_options([], frames, "keep"))


@pytest.mark.parametrize(("content", "frames", "names"), [
    (PLUGIN, "none", "'mast', 'b'"), (PLUGIN, "all", None), (FRAME, "none", "'eye'"), (FRAME, ["eye"], None),
    # The shapes of the mast are those of the base now; the eye has none, and the arm stays.
    (FILTER.format("mast"), "all", "'mast'"), (FILTER.format("eye"), "all", None),
    (FILTER.format("arm"), "none", None)])
def test_a_name_of_what_is_lumped_is_told(content, frames, names):
    told = [d.message for d in simplify(content, frames).diagnostics if d.code == "C117"]
    assert [message.partition("lumped: ")[2] for message in told] == ([names] if names else [])


@pytest.mark.parametrize("content", [
    '<joint name="l" type="ball"><parent>arm</parent><child>eye</child></joint>', '<frame name="f" attached_to="eye"/>',
    '<frame name="f"><pose relative_to="eye"/></frame>', '<frame name="f"><pose relative_to="b"/></frame>',
    '<joint name="l" type="ball"><parent>b</parent><child>arm</child></joint>'])
def test_a_frame_that_gazebo_refers_to_stays(content):
    """The pose of a joint of <gazebo> is relative to its child, which is lumped."""
    made = simplify(gazebo(None, content), "none")
    root = etree.fromstring(made.text)
    assert [[e.get("name") for e in root.findall(tag)] for tag in ("link", "joint")] == [
        ["base", "eye", "arm"], ["b", "c"]]
    assert not made.diagnostics and load_text(made.text).valid


def test_a_setting_of_a_joint_that_is_gone_is_not_said_to_be_of_a_frame():
    made = simplify(gazebo("a", "<provideFeedback>1</provideFeedback>"), "none")
    assert [d.message for d in made.diagnostics] == [
        "<provideFeedback> is set for joint 'a', which is lumped; <provideFeedback> is left out"]
    assert [r.reason for r in made.rows if r.action == "dropped"] == ["its joint is lumped"]


@pytest.mark.parametrize("content", [
    "<material name='mast'><color rgba='1 1 1 1'/></material>",
    gazebo("base", "<sensor name='mast' type='imu'><topic>mast</topic></sensor>")])
def test_what_only_has_the_same_name_is_not_told(content):
    assert "C117" not in [d.code for d in simplify(content, "none").diagnostics]


def test_a_name_in_content_that_moves_has_its_place():
    content = gazebo("mast", "\n<sensor name='s' type='contact'><plugin name='p' filename='f'>"
                             "<link_name>eye</link_name></plugin></sensor>")
    (told,) = [d for d in simplify(content, "none").diagnostics if d.code == "C117"]
    assert (told.file, told.line) == ("r.urdf", 2)


def test_a_joint_with_the_name_of_a_kept_link_is_lumped():
    text = robot(*PARTS[:2], link("none"), joint("mast", "fixed", "base", "none"),
                 joint("none", "fixed", "base", "mast"))
    for frames, kept in ((["mast"], ["base", "mast"]), ("none", ["base"])):
        made = simplify_text(text, "r.urdf", read_simplify_options([], frames, "keep"))
        assert [e.get("name") for e in etree.fromstring(made.text).findall("link")] == kept
