"""Joints of the SDF as a whole: axes, limits, mimics, and what <gazebo> says of them. Expected values by hand."""
from __future__ import annotations

import pytest
from lxml import etree
from urdf_text import gazebo, joint, link

from sdf_frames.convert.report import Row

PARTS = [link("a", 1), link("b", 1), link("c", 1), joint("lead", "{0}", "a", "b", "{2}"), "{1}"]  # lines 2 to 6


@pytest.fixture
def make(convert):
    """The type of the joint lead, the joint j, and more parts -> j in the SDF, rows of it, and what is found of it."""
    def make(written, *more, lead="continuous", limit="", name="j", **options):
        parts = [part.format(lead, written, limit) if "{" in part else part for part in PARTS]
        _, conversion, found = convert("\n".join(['<robot name="r">', *parts, *more, "</robot>"]), **options)
        model = conversion.document.root.find("model")
        element = model.find(f"joint[@name='{name}']")
        text = None
        if element is not None:
            element.tail = None
            parser = etree.XMLParser(remove_blank_text=True)
            text = etree.tostring(etree.fromstring(etree.tostring(element), parser)).decode()
            text = text.replace(' xmlns:sdf_frames="urn:sdf_frames:urdf"', "")
        return text, [row for row in conversion.rows if row.name == name], [
            (d.name, d.message, d.line, d.path, d.hint) for d in found if name in d.message]
    return make


def sdf(axis, kind="revolute", more="", parent="a"):
    return (f'<joint type="{kind}" name="j"><pose relative_to="{parent}">0 0 0 0 0 0</pose><parent>{parent}</parent>'
            f"<child>c</child><axis>{axis}</axis>{more}</joint>")


def limits(lower="", upper="", effort="3", velocity="4"):
    words = (("lower", lower), ("upper", upper), ("effort", effort), ("velocity", velocity))
    return "<limit>" + "".join(f"<{tag}>{word}</{tag}>" for tag, word in words if word) + "</limit>"


X = "<xyz>1 0 0</xyz>"
LIMIT = '<limit lower="{}" upper="{}" effort="3" velocity="4"/>'
J = '/robot[@name="r"]/joint[@name="j"]'


@pytest.mark.parametrize("kind, inside, written", [
    ("continuous", "", sdf(X + "<limit/><dynamics/>")),
    ("continuous", LIMIT.format(0, 0), sdf(X + limits() + "<dynamics/>")),
    ("continuous", "<dynamics friction='2'/>",
     sdf(X + "<limit/><dynamics><damping>0</damping><friction>2</friction></dynamics>")),
    ("revolute", '<axis xyz="0 0.5 0"/>' + LIMIT.format(-1, 2),
     sdf("<xyz>0 0.5 0</xyz>" + limits("-1", "2") + "<dynamics/>")),
    ("revolute", LIMIT.format(1, 1), sdf(X + limits("1", "1") + "<dynamics/>")),
    ("prismatic", LIMIT.format(-1, 2), sdf(X + limits("-1", "2") + "<dynamics/>", "prismatic"))])
def test_axes_and_limits(kind, inside, written, make):
    text, rows, found = make(joint("j", kind, "a", "c", inside))
    assert text == written and not found
    assert [row for row in rows if row.element == "joint"] == [Row("joint", "j", "kept", None, 6)]


def test_limits_the_wrong_way_round(make):
    text, _, found = make(joint("j", "revolute", "a", "c", "\n" + LIMIT.format(2, -1)))
    assert text == sdf(X + limits("-1", "2") + "<dynamics/>")
    assert found == [("limit-reversed", "joint 'j' has a lower limit 2.0 above its upper limit -1.0; the conversion "
                      "swaps them", 7, f"{J}/limit", "swap them in the URDF")]


MIMIC = "\n<mimic joint='{}' multiplier='2' offset='0.5'/>"
HELD = "the joint that it mimics is fixed: the limits hold this joint at its offset"
FIXED = ("mimic-leader-fixed", "joint 'j' mimics 'lead', which is fixed; 'j' is locked at its offset 0.5", 7,
         f"{J}/mimic", "make 'j' a fixed joint, or 'lead' a movable joint")


def test_a_mimic(make):
    text, rows, found = make(joint("j", "revolute", "a", "c", LIMIT.format(-1, 2) + MIMIC.format("lead")))
    follows = '<mimic joint="lead"><multiplier>2</multiplier><offset>0.5</offset></mimic>'
    assert text == sdf(X + follows + limits("-1", "2") + "<dynamics/>")
    assert (rows, found) == ([Row("joint", "j", "kept", None, 6)], [])


@pytest.mark.parametrize("lead, tag", [
    ("fixed", ""), ("fixed", "<preserveFixedJoint>true</preserveFixedJoint>"),
    ("fixed", "<disableFixedJointLumping>true</disableFixedJointLumping>")])
@pytest.mark.parametrize("kind, limit, written", [
    ("continuous", "", limits("0.5", "0.5", "-1", "-1")), ("revolute", LIMIT.format(-1, 0), limits("0.5", "0.5"))])
def test_a_mimic_of_a_fixed_joint(lead, tag, kind, limit, written, make):
    text, rows, found = make(joint("j", kind, "a", "c", limit + MIMIC.format("lead")),
                             *[gazebo("lead", tag)] * bool(tag),
                             lead=lead)
    assert text == sdf(X + written + "<dynamics/>") and found == [FIXED]
    assert rows == [Row("mimic", "j", "moved", "limit", 7, HELD), Row("joint", "j", "kept", None, 6)]


@pytest.mark.parametrize("leader, problem, hint", [
    ("nobody", "which does not exist", "name another joint of the robot, or remove <mimic>"),
    ("leed", "which does not exist", "did you mean 'lead'?"),
    ("j", "which is itself", "name another joint of the robot, or remove <mimic>")])
def test_a_mimic_of_nothing(leader, problem, hint, make):
    text, rows, found = make(joint("j", "continuous", "a", "c", MIMIC.format(leader)))
    assert text == sdf(X + "<limit/><dynamics/>")
    assert found == [("mimic-joint-missing", f"joint 'j' mimics {leader!r}, {problem}", 7, f"{J}/mimic",
                      hint)]
    assert rows[0] == Row("mimic", "j", "dropped", None, 7, "the joint to mimic does not exist")


@pytest.mark.parametrize("lead, massless, problem",
                         [("floating", False, "not a joint"), ("planar", False, "not a joint"),
                                                     ("continuous", True, "left out")])
def test_a_mimic_of_what_is_no_joint_of_the_sdf(lead, massless, problem, convert):
    follower = joint("j", "continuous", "a", "c", MIMIC.format("lead"))
    _, conversion, found = convert("\n".join([
        '<robot name="r">', link("a", 1), link("b", None if massless else 1), link("c", 1),
        joint("lead", lead, "a", "b"), follower, "</robot>"]))
    assert [(d.message, d.line, d.hint) for d in found if d.name == "mimic-dropped"] == [
        (f"joint 'j' mimics 'lead', which is {problem} in SDF; 'j' moves independently", 7,
         "make 'lead' a joint that SDF can keep")]
    assert [row for row in conversion.rows if row.element == "mimic"] == [
        Row("mimic", "j", "dropped", None, 7, f"the joint that it mimics is {problem} in SDF")]


@pytest.mark.parametrize("tag, kind, axis, reason", [
    ("disableFixedJointLumping", "revolute", "<axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>0</upper></limit>"
     "<dynamics><damping>0</damping><friction>0</friction></dynamics></axis>",
     "disableFixedJointLumping makes it a revolute joint locked at 0"),
    ("preserveFixedJoint", "fixed", "<axis><xyz>0 0 1</xyz></axis>", None)])  # as libsdformat writes it
def test_fixed_joints_that_are_not_lumped(tag, kind, axis, reason, make):
    text, rows, _ = make(joint("j", "fixed", "a", "c", xyz="1 2 3"), gazebo("j", f"<{tag}>true</{tag}>"))
    mark = ' sdf_frames:type="fixed"' if kind == "revolute" else ""  # for the way back
    assert text == (f'<joint type="{kind}" name="j"{mark}><pose relative_to="a">1 2 3 0 0 0</pose><parent>a</parent>'
                    f"<child>c</child>{axis}</joint>")
    assert rows[0] == Row("joint", "j", "kept", None, 6, reason)


SETTINGS = ("<stopErp>0.9</stopErp><stopCfm>0.8</stopCfm><fudgeFactor>0.7</fudgeFactor><cfmDamping>yes</cfmDamping>"
            "<provideFeedback>1</provideFeedback><springStiffness>6</springStiffness><springReference>5</springReference>")
PHYSICS = ("<physics><provide_feedback>true</provide_feedback>"
           "<ode><implicit_spring_damper>true</implicit_spring_damper><cfm_damping>true</cfm_damping><fudge_factor>0.7</fudge_factor><limit><cfm>0.8</cfm><erp>0.9</erp></limit></ode>"
           "</physics>")


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_joints_that_sdf_lacks_become_frames_of_the_world(kind, convert):
    """libsdformat drops the joint and leaves the link's pose relative to it: the file does not load."""
    have, conversion, found = convert("".join([
        '<robot name="r">', link("world"), link("b", 1), joint("j", kind, "world", "b", xyz="1 2 3", rpy="0 0 0.5"),
        "</robot>"]))
    assert not have.joints and have.frames["j"].get("attached_to") == "b"
    assert have.raw_pose("j") == ("__model__", (1, 2, 3, 0, 0, 0.5)) and have.raw_pose("b")[0] == "j"
    assert [(d.name, d.severity) for d in found] == [("joint-without-counterpart", "warning")]
    assert [(r.action, r.into) for r in conversion.rows if r.element == "joint"] == [("to-frame", "b")]


def test_settings_stand_in_one_order(make):
    springs = "<spring_reference>5</spring_reference><spring_stiffness>6</spring_stiffness>"
    text, rows, _ = make(joint("j", "continuous", "a", "c"), gazebo("j", SETTINGS))
    assert text == sdf(X + f"<limit/><dynamics>{springs}</dynamics>", more=PHYSICS)
    assert [row.element for row in rows] == ["joint", "stopErp", "stopCfm", "fudgeFactor", "cfmDamping",
                                             "provideFeedback", "springStiffness", "springReference"]
    assert {row[1:] for row in rows[1:]} == {("j", "kept", "j", 7, None)}


def test_settings_of_a_joint_without_an_axis(make):
    """libsdformat gives it one; of several blocks one alone."""
    tag = "<preserveFixedJoint>true</preserveFixedJoint>"
    text, _, _ = make(joint("j", "fixed", "a", "c"), gazebo("j", tag + "<stopCfm>1</stopCfm>"),
                      gazebo("j", "<stopErp>2</stopErp>"))
    assert text == sdf("<xyz>0 0 1</xyz>", "fixed",
                       "<physics><ode><limit><cfm>1</cfm><erp>2</erp></limit></ode></physics>")


@pytest.mark.parametrize("text, reason", [("x", "not a number"), ("", "not a number"), ("\xa01", "not a number")])
def test_a_setting_that_is_no_number(text, reason, make):
    written, rows, found = make(joint("j", "continuous", "a", "c"),
                                gazebo("j", f"\n<stopCfm>{text}</stopCfm>\n<stopErp>1</stopErp>"))
    assert written == sdf(X + "<limit/><dynamics/>", more="<physics><ode><limit><erp>1</erp></limit></ode></physics>")
    assert found == [("extension-value-malformed", f"<stopCfm>{text}</stopCfm> for 'j' is not a number; it is left out",
                      8, '/robot[@name="r"]/gazebo[@reference="j"]/stopCfm', "write a number")]
    assert rows[1:] == [Row("stopCfm", "j", "dropped", None, 8, reason), Row("stopErp", "j", "kept", "j", 9)]


def test_a_joint_on_a_massless_frame_takes_a_newer_version(convert):
    """Since 1.8, a joint's parent may be a frame."""
    parts = [link("a", 1), link("b"), link("c", 1), joint("weld", "fixed", "a", "b", xyz="0 0 2"),
             joint("j", "continuous", "b", "c", xyz="1 0 0")]
    text = "".join(['<robot name="r">', *parts, "</robot>"])
    have, _, found = convert(text, preserve_fixed_joints=True)
    assert have.joints["j"].findtext("parent") == "b" and have.raw_pose("j") == ("b", (1, 0, 0, 0, 0, 0))
    assert have.frames["b"].get("attached_to") == "a" and have.version == "1.8" and not found
    _, _, (finding,) = convert(text, preserve_fixed_joints=True, sdf_version="1.7")
    assert finding.message == "SDF 1.7 cannot express joint 'j' with frame 'b' as its parent, which needs SDF 1.8"
