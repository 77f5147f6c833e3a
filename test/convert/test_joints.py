"""Joints: types, limits, mimic, and what SDF has no joint for."""
import pytest
import urdf_text
from urdf_text import link

from sdf_frames.convert.options import ConvertOptions


def robot(kind, content="", more="", parent="a"):
    return urdf_text.robot(link(parent, None if parent == "world" else 1), link("b", 1),
                           urdf_text.joint("j", kind, parent, "b", content, xyz="1 2 3", rpy="0 0 0.5"), more)


LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


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


def mimicking(leader, kind="continuous"):
    return robot(kind, LIMIT,
                 link("c", 1) + '<joint name="k" type="continuous"><parent link="a"/><child link="c"/>'
                 f'<mimic joint="{leader}" multiplier="2" offset="0.5"/></joint>')


def test_findings_have_their_names(convert):
    reverse = '<limit lower="2" upper="-1" effort="3" velocity="4"/>'
    for text, name in ((robot("revolute", reverse), "limit-reversed"), (mimicking("j", "fixed"), "mimic-leader-fixed")):
        assert name in [d.name for d in convert(text)[2]]


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
