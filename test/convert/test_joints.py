"""Joints: types, limits, mimic, and what SDF has no joint for."""
import pytest
import urdf_text
from urdf_text import link

from sdf_frames.convert.options import ConvertOptions


def robot(kind, content="", more="", parent="a"):
    return urdf_text.robot(link(parent, None if parent == "world" else 1), link("b", 1),
                           urdf_text.joint("j", kind, parent, "b", content, xyz="1 2 3", rpy="0 0 0.5"), more)


LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


@pytest.mark.parametrize("kind, type, lower", [("revolute", "revolute", "-1"), ("prismatic", "prismatic", "-1"),
                                               ("continuous", "revolute", None)])
def test_moving_joints(kind, type, lower, convert):
    have, _, _ = convert(robot(kind, '<axis xyz="0 2 0"/><dynamics damping="0.5"/>' + LIMIT))
    joint = have.joints["j"]
    assert joint.get("type") == type
    assert joint.findtext("axis/xyz") == "0 2 0"  # as written; SDF normalises it
    assert joint.findtext("axis/limit/lower") == lower
    assert (joint.findtext("axis/limit/effort"), joint.findtext("axis/limit/velocity")) == ("3", "4")
    assert (joint.findtext("axis/dynamics/damping"), joint.findtext("axis/dynamics/friction")) == ("0.5", "0")
    assert have.raw_pose("j") == ("a", (1, 2, 3, 0, 0, 0.5)) and have.raw_pose("b") == ("j", (0,) * 6)
    assert have.version == "1.7"


def test_axis_defaults_to_x(convert):
    have, _, _ = convert(robot("continuous"))
    assert have.joints["j"].findtext("axis/xyz") == "1 0 0"


def test_reversed_limits_are_swapped(convert):
    have, _, found = convert(robot("revolute", '<limit lower="2" upper="-1" effort="3" velocity="4"/>'))
    limit = have.joints["j"].find("axis/limit")
    assert (limit.findtext("lower"), limit.findtext("upper")) == ("-1", "2")
    assert [d.name for d in found] == ["limit-reversed"]


@pytest.mark.parametrize("kind", ["floating", "planar"])
@pytest.mark.parametrize("parent", ["a", "world"])
def test_joints_that_sdf_lacks_become_frames(kind, parent, convert):
    # libsdformat drops the joint and leaves the link's pose relative to it: the file does not load.
    have, conversion, found = convert(robot(kind, parent=parent))
    assert not have.joints
    assert have.frames["j"].get("attached_to") == "b"
    assert have.raw_pose("j") == ("__model__" if parent == "world" else "a", (1, 2, 3, 0, 0, 0.5))
    assert have.raw_pose("b")[0] == "j"
    assert have.pose("b")[:3, 3] == pytest.approx([1, 2, 3])
    assert [(d.name, d.severity) for d in found] == [("joint-without-counterpart", "warning")]
    assert [(r.action, r.into) for r in conversion.rows if r.element == "joint"] == [("to-frame", "b")]


def mimicking(leader, kind="continuous", more="", content=""):
    return robot(kind, LIMIT + content,
                 link("c", 1) + '<joint name="k" type="continuous"><parent link="a"/><child link="c"/>'
                 f'<mimic joint="{leader}" multiplier="2" offset="0.5"/></joint>' + more)


def test_mimic_takes_sdf_1_11(convert):
    have, _, _ = convert(mimicking("j"))
    mimic = have.joints["k"].find("axis/mimic")
    assert mimic.get("joint") == "j" and (mimic.findtext("multiplier"), mimic.findtext("offset")) == ("2", "0.5")
    assert have.version == "1.11"


def test_mimic_of_a_floating_joint_is_dropped(convert):
    have, _, found = convert(mimicking("j", "floating"))
    assert have.joints["k"].find("axis/mimic") is None and have.version == "1.7"
    assert "mimic-dropped" in [d.name for d in found]


@pytest.mark.parametrize("more, options", [("", {}), ("", {"preserve_fixed_joints": True}), (
    '<gazebo reference="j"><disableFixedJointLumping>true</disableFixedJointLumping></gazebo>', {})])
@pytest.mark.parametrize("follower", ["revolute", "continuous"])
def test_mimic_of_a_fixed_joint_holds_its_offset(more, options, follower, convert):
    # q = 2 * 0 + 0.5, whatever its own limits say
    text = mimicking("j", "fixed", more)
    text = text[:text.index('name="k"')] + text[text.index('name="k"'):].replace("continuous", follower)
    if follower == "revolute":
        text = text.replace("<mimic", '<limit lower="-1" upper="0" effort="3" velocity="4"/><mimic')
    have, conversion, found = convert(text, **options)
    joint = have.joints["k"]
    assert joint.get("type") == "revolute" and joint.find("axis/mimic") is None and have.version == "1.7"
    assert [joint.findtext(f"axis/limit/{tag}") for tag in ("lower", "upper")] == ["0.5", "0.5"]
    assert ("mimic", "k", "moved", "limit") in [r[:4] for r in conversion.rows]
    finding, = [d for d in found if d.name.startswith("mimic")]
    assert (finding.name, finding.severity) == ("mimic-leader-fixed", "warning") and "offset 0.5" in finding.message


ANOTHER = "name another joint of the robot, or remove <mimic>"


@pytest.mark.parametrize("leader, hint", [("nothing", ANOTHER), ("k", ANOTHER), ("jj", "did you mean 'j'?")])
def test_mimic_of_nothing_or_itself_is_an_error(leader, hint, convert):
    have, _, found = convert(mimicking(leader))
    assert have is None
    assert [(d.name, d.sdformat, d.hint) for d in found] == [("mimic-joint-missing", "JOINT_AXIS_MIMIC_INVALID", hint)]


def test_version_asked_for(convert):
    assert convert(robot("fixed"), sdf_version="1.10")[0].version == "1.10"
    have, _, found = convert(mimicking("j"), sdf_version="1.10")
    assert have is None and [d.name for d in found] == ["sdf-version-too-low"] and "mimic" in found[0].message
    assert [d.name for d in convert(robot("fixed"), sdf_version="2.0")[2]] == ["sdf-version-unknown"]


def test_capsule_takes_sdf_1_8(convert):
    text = robot("fixed").replace("</inertial>",
                                  '</inertial><collision><geometry><capsule radius="0.1" length="0.2"/></geometry>'
                                  '</collision><collision><geometry><sphere radius="1"/></geometry></collision>', 1)
    have, _, _ = convert(text)
    assert have.version == "1.8"
    assert [c.find("geometry")[0].tag for c in have.links["a"].findall("collision")] == ["capsule", "sphere"]
    capsule = have.links["a"].find("collision/geometry/capsule")
    assert (capsule.findtext("radius"), capsule.findtext("length")) == ("0.1", "0.2")


def test_massless_policy_is_checked():
    with pytest.raises(ValueError, match="guess"):
        ConvertOptions(massless="guess")
