"""Links, joints and frames as their elements say: every value, its default, and which of several elements counts."""
import pytest
from lxml import etree

from sdf_frames.sdf.entities import read_frame, read_joint, read_link, read_part
from sdf_frames.sdf.model import UNPOSED

POSE = "<pose>{0} 0 0 0 0 0</pose>"
IDENTITY = (0, 0, 0, 1, 0, 0, 0)


def read(text, reader):
    return reader(etree.fromstring(text))


def places(*parts):
    return [(part.name, part.pose.X[0], part.pose.relative_to) for part in parts]


def test_everything_that_a_link_says():
    link = read(
        '<link name="l"><visual name="v"><pose relative_to=" f ">2 0 0 0 0 0</pose></visual><sensor/>'
        '<light name="x"/><projector name="p"/><particle_emitter name="e"/><audio_source/><battery name="b"/>'
        '<collision name="c"><density>5</density><geometry><box/></geometry><geometry><sphere/></geometry>'
        "<auto_inertia_params/>" + POSE.format(3) + POSE.format(4) + "</collision><collision/>"
        '<inertial auto="true"><mass>2</mass><density>3</density>' + POSE.format(5) + "<auto_inertia_params/>"
        "<inertia><izz>3</izz><ixx>1</ixx><iyy>2</iyy><ixy>4</ixy><ixz>5</ixz><iyz>6</iyz><ixx>7</ixx></inertia>"
        "</inertial><inertial><mass>9</mass></inertial>" + POSE.format(1) + POSE.format(9) + "</link>", read_link)
    assert (link.name, link.pose.X[0], link.pose.relative_to, link.pose.element.tag) == ("l", 1, "", "pose")
    assert [part.kind for part in link.parts] == ["visual", "sensor", "light", "projector", "particle_emitter",
                                                  "audio_source"]
    assert places(*link.parts[:3]) == [("v", 2, "f"), ("", 0, ""), ("x", 0, "")] and link.parts[1].pose is UNPOSED
    first, second = link.collisions
    assert places(first, second) == [("c", 3, ""), ("", 0, "")] and second[2:] == (UNPOSED, None, None, None)
    assert (first.geometry[0].tag, first.density, first.params.tag) == ("box", 5, "auto_inertia_params")
    inertial = link.inertial
    assert (inertial.auto, inertial.mass, inertial.X_LI[0], inertial.density, inertial.params.tag, inertial.frame) == (
        True, 2, 5, 3, "auto_inertia_params", "")
    assert inertial.moments == (1, 2, 3, 4, 5, 6)


def test_defaults_of_a_link():
    link = read("<link/>", read_link)
    assert (link.name, link.pose, link[3:]) == ("", UNPOSED, (None, (), ()))
    inertial = read("<link><inertial/></link>", read_link).inertial
    assert inertial[1:] == (False, None, None, None, None, None, "")


@pytest.mark.parametrize("text, mass, density", [
    ("", 1, 1000), (" ", 1, 1000), ("2.5", 2.5, 2.5), ("true", 1, 1), ("much", None, None)])
def test_an_empty_number_has_its_default_and_an_unreadable_one_is_unknown(text, mass, density):
    collision = f"<collision><density>{text}</density></collision>"
    link = read(f"<link><inertial><mass>{text}</mass><density>{text}</density></inertial>{collision}</link>", read_link)
    assert (link.inertial.mass, link.inertial.density, link.collisions[0].density) == (mass, density, density)


@pytest.mark.parametrize("inside, moments", [
    ("", (1, 1, 1, 0, 0, 0)), ("<ixx>5</ixx><iyz>6</iyz>", (5, 1, 1, 0, 0, 6)),
    ("<ixx/><iyy>x</iyy><ixy> </ixy><ixz>y</ixz>", (1, 1, 1, 0, 0, 0))])
def test_moments_that_are_not_written_are_those_of_libsdformat(inside, moments):
    assert read(f"<link><inertial><inertia>{inside}</inertia></inertial></link>", read_link).inertial.moments == moments


@pytest.mark.parametrize("pose, X, frame", [
    ("<pose/>", IDENTITY, ""), ("<pose>x</pose>", IDENTITY, ""),
    ("<pose>1 2 3 0 0 0</pose>", (1, 2, 3, 1, 0, 0, 0), ""),
    ('<pose relative_to=" f "/>', IDENTITY, "f"), ('<pose relative_to="f">x</pose>', IDENTITY, "f"),
    ('<pose degrees="true">1 2 3 0 0 180</pose>', (1, 2, 3, 0, 0, 0, 1), ""),
    ('<pose rotation_format="quat_xyzw">1 2 3 1 0 0 0</pose>', (1, 2, 3, 0, 1, 0, 0), ""),
    ('<pose rotation_format="quat_xyzw" degrees="1">1 2 3 1 0 0 0</pose>', IDENTITY, "")])
def test_poses(pose, X, frame):
    part = read(f'<visual name="v">{pose}</visual>', read_part)
    assert part.pose.X == pytest.approx(X, abs=1e-15) and part.pose.relative_to == frame
    assert part.pose.element is part.element[0]


def test_everything_that_a_joint_says():
    joint = read(
        '<joint name="j" type=" Revolute2 "><axis2><xyz expressed_in=" f ">0 1 0</xyz></axis2><axis><xyz>1 0 0</xyz>'
        '<mimic joint=" k " axis="axis2"><multiplier>2</multiplier><offset>3</offset><reference>4</reference></mimic>'
        "</axis><axis><xyz>9 9 9</xyz></axis><parent>  a \n b </parent><parent>c</parent><child>d</child>"
        "<child>e</child>" + POSE.format(1) + POSE.format(2) + '<sensor name="s">' + POSE.format(3) + "</sensor>"
        '<sensor name="t"/></joint>', read_joint)
    assert (joint.name, joint.type, joint.parent, joint.child) == ("j", "revolute2", "a b", "d")
    assert (joint.pose.X[0], places(*joint.sensors)) == (1, [("s", 3, ""), ("t", 0, "")])
    first, second = joint.axes
    assert (first.number, first.xyz, first.expressed_in) == (0, (1, 0, 0), "")
    assert first.mimic[:5] == ("k", "axis2", 2, 3, 4) and first.mimic.element.tag == "mimic"
    assert (second.number, second.xyz, second.expressed_in, second.mimic) == (1, (0, 1, 0), "f", None)


def test_defaults_of_a_joint():
    joint = read("<joint/>", read_joint)
    assert joint[:4] == ("", "", "", "") and joint[5:] == (UNPOSED, (), ())
    joint = read("<joint><parent/><parent>a</parent><child/><axis/><axis2><xyz/><mimic/></axis2></joint>", read_joint)
    assert (joint.parent, joint.child) == ("a", "")
    assert [(axis.xyz, axis.expressed_in) for axis in joint.axes] == [((0, 0, 1), "")] * 2
    assert joint.axes[1].mimic[:5] == ("", "axis", 1, 0, 0)


@pytest.mark.parametrize("text, xyz", [("1 2", (0, 0, 1)), ("x", (0, 0, 1)), ("1 2 3 4", (1, 2, 3)), ("", (0, 0, 1))])
def test_an_axis_that_cannot_be_read_is_z(text, xyz):
    assert read(f"<joint><axis><xyz>{text}</xyz></axis></joint>", read_joint).axes[0].xyz == xyz


def test_frames():
    frame = read('<frame name="f" attached_to=" l "><pose relative_to="k">1 0 0 0 0 0</pose></frame>', read_frame)
    assert (frame.name, frame.attached_to, frame.pose.X[0], frame.pose.relative_to) == ("f", "l", 1, "k")
    assert read("<frame/>", read_frame)[:2] == ("", "") and read("<frame/>", read_frame).pose is UNPOSED
