"""Whatever a URDF says is in the SDF, or a row of the report or a finding says that it is not.

The robot below has one element a line. Each element and attribute of it is taken away, changed, written twice, or given
company that URDF does not know: the SDF has to change, or a dropped row or a finding has to point at that line.
"""
import re
from copy import deepcopy

import pytest
from lxml import etree
from urdf_text import gazebo, inertial, joint, link, robot
from written_text import convert_text

INERTIAL = inertial(2, "0.01 0.02 0.03", "0.1 0.2 0.3", (0.3, 0.4, 0.5), (0.001, 0.002, 0.003))
MIMIC = '<mimic joint="turn" multiplier="2" offset="0.1"/>'
JOINT_PARTS = ('<axis xyz="0 0.6 0.8"/><limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="0.5" '
               'friction="0.6"/><safety_controller k_velocity="7" k_position="8" soft_lower_limit="-0.5" '
               'soft_upper_limit="0.5"/><calibration rising="0.1" falling="0.2"/>')
SHAPES = """<visual name="v{0}"><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><geometry><mesh filename="package://p/m{0}.dae"
scale="1 2 3"/></geometry><material name="paint"></material></visual><visual><geometry><box size="1 2 3"/></geometry>
<material name="own{0}"><color rgba="0.1 0.2 0.3 1"/><texture filename="t{0}.png"/></material></visual>
<collision name="c{0}"><origin xyz="1 2 3" rpy="0.3 0.2 0.1"/><geometry><cylinder radius="0.2" length="0.7"/></geometry>
</collision><collision><geometry><capsule radius="0.2" length="0.7"/></geometry></collision>
<collision><geometry><sphere radius="0.3"/></geometry></collision>"""
LINKS = (("base", 1), ("arm", 2), ("hand", 3), ("tip", 0), ("kept", 0), ("locked", 0), ("bare", 4), ("free", 0),
         ("flat", 0), ("wheel", 0), ("rail", 0))
JOINTS = (("turn", "revolute", "base", "arm", ""), ("weld", "fixed", "arm", "hand", MIMIC),
          ("slide", "prismatic", "hand", "tip", MIMIC), ("held", "fixed", "tip", "kept", MIMIC),
          ("lock", "fixed", "tip", "locked", MIMIC), ("frame", "fixed", "tip", "bare", MIMIC),
          ("float", "floating", "tip", "free", MIMIC), ("plane", "planar", "tip", "flat", MIMIC),
          ("spin", "continuous", "base", "wheel", ""), ("rail", "prismatic", "base", "rail", MIMIC))
PAINT = '<material name="{0}"><color rgba="0.1 0.2 0.3 0.4"/><texture filename="{0}.png"/></material>'
TEXT = robot(
    '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>', PAINT.format("paint"), PAINT.format("idle"),
    *[link(name, None, ("" if name == "bare" else INERTIAL) + (SHAPES.format(n) if n else "")) for name, n in LINKS],
    *[joint(*ends, JOINT_PARTS + more, xyz="0.1 0.2 0.3", rpy="0.3 0.2 0.1") for *ends, more in JOINTS],
    '<transmission name="t"></transmission><ros2_control name="c" type="system"></ros2_control>',
    '<sensor name="s"></sensor>',
    gazebo("held", "<preserveFixedJoint>true</preserveFixedJoint><provideFeedback>true</provideFeedback>"),
    gazebo("lock", "<disableFixedJointLumping>true</disableFixedJointLumping>"),
    gazebo("frame", "<preserveFixedJoint>true</preserveFixedJoint>"),
    gazebo("base", """<material>Gazebo/Red</material><mu1>0.1</mu1><mu2>0.2</mu2><fdir1>1 0 0</fdir1><kp>1</kp>
<kd>2</kd><maxVel>3</maxVel><minDepth>4</minDepth><laserRetro>5</laserRetro><maxContacts>6</maxContacts>
<turnGravityOff>true</turnGravityOff><dampingFactor>0.1</dampingFactor><selfCollide>true</selfCollide>
<canonicalBody>true</canonicalBody><static>true</static><stopCfm>1</stopCfm><sensor name="s1" type="imu"/>
<collision><max_contacts>3</max_contacts><surface><contact><collide_bitmask>3</collide_bitmask></contact></surface>
</collision><visual><transparency>0.5</transparency></visual>"""),
    gazebo("hand", """<mu1>0.9</mu1><selfCollide>false</selfCollide><dampingFactor>0.2</dampingFactor>
<turnGravityOff>false</turnGravityOff><sensor name="s2" type="imu"/>"""),
    gazebo("arm", """<mu1>0.7</mu1><selfCollide>true</selfCollide><dampingFactor>0.3</dampingFactor>
<turnGravityOff>true</turnGravityOff>"""),
    gazebo("arm", "<mu1>0.8</mu1><material>Gazebo/Red</material>"),
    gazebo("arm", "<material>Gazebo/Blue</material>"),
    gazebo("slide", """<stopCfm>1</stopCfm><stopErp>2</stopErp><springReference>3</springReference>
<springStiffness>4</springStiffness><fudgeFactor>5</fudgeFactor><implicitSpringDamper>true</implicitSpringDamper>
<mu1>0.1</mu1>"""),
    gazebo("nobody", '<mu1>0.1</mu1><sensor name="s3" type="imu"/>'),
    gazebo("", '<static>false</static><mu1>0.1</mu1><plugin name="p" filename="f"/>'))
# One element a line; a line break within a tag is a blank.
TEXT = TEXT.replace("<robot ", '<robot version="1.1" ').replace(">\n<", "><").replace("\n", " ").replace("><", ">\n<")
ROOT = etree.fromstring(TEXT)
ELEMENTS = [e for e in ROOT.iter() if e is not ROOT]
OF_OTHERS = ("gazebo", "transmission", "ros2_control", "sensor")
OWN = [e for e in ELEMENTS if e.tag not in OF_OTHERS and all(a.tag not in OF_OTHERS for a in e.iterancestors())]
# A name says which is which and may be in the report only; the type of a ros2_control system is that system's own.
NAMES = {"visual/@name", "collision/@name", "material/@name", "transmission/@name", "ros2_control/@name",
         "ros2_control/@type",
         "sensor/@name"}


def outcome(root):
    """SDF text without what is carried, what the findings say, and the rows of all that is not SDF's, by line."""
    sdf, conversion, found = convert_text(etree.tostring(root, encoding="unicode"))
    dropped = {}
    for row in conversion.rows if conversion is not None else ():
        if row.action in ("dropped", "carried"):
            dropped.setdefault(row.line, set()).add(f"{row.element} {row.reason}")
    findings = {d.message for d in found}
    own = sdf and re.sub(r"(?s)\s*<sdf_frames:(robot|link|joint|visual|collision)>.*?</sdf_frames:\1>", "", sdf)
    return own and re.sub(r"<(\w+)([^<>]*)>\s*</\1>", r"<\1\2/>", own), findings, dropped


BEFORE, SAID, DROPPED = outcome(ROOT)
SUBTREES = [e for e in ROOT.iter() if e.sourceline in DROPPED and e.tag not in ("link", "joint")]


def is_reported(element):
    """Whether a dropped row is about the element, or about one that holds it."""
    return any(e in SUBTREES for e in [element, *element.iterancestors()])


def alter(element):
    """The robot's copy, and the element's twin in it."""
    copy = deepcopy(ROOT)
    return copy, copy.getroottree().xpath(ROOT.getroottree().getpath(element))[0]


def test_the_robot_converts():
    assert BEFORE is not None and len(ELEMENTS) > 300


def test_each_attribute_matters_or_is_reported():
    lost, compared = [], 0
    for element in ELEMENTS:
        for attribute, value in element.attrib.items():
            if f"{element.tag}/@{attribute}" in NAMES or is_reported(element):
                continue
            copy, twin = alter(element)
            try:
                twin.set(attribute, " ".join(str(float(v) * 0.875 + 0.01) for v in value.split()))
            except ValueError:
                if attribute in ("type", "reference") or element.tag in ("parent", "child", "mimic"):
                    continue  # a name that leads elsewhere makes another robot
                twin.set(attribute, value + "x")
            sdf, said, _ = outcome(copy)
            compared += 1
            if sdf == BEFORE and said == SAID:
                lost.append((element.sourceline, element.tag, attribute))
    assert not lost and compared >= 200


def test_each_element_matters_or_is_reported():
    lost, compared = [], 0
    for element in ELEMENTS:
        if is_reported(element) or element.tag in ("link", "parent", "child", "joint"):
            continue
        copy, twin = alter(element)
        twin.getparent().remove(twin)
        sdf, said, _ = outcome(copy)
        compared += 1
        if sdf == BEFORE and said == SAID:
            lost.append((element.sourceline, element.tag))
    assert not lost and compared >= 180


@pytest.mark.parametrize("change", [
    lambda e: e.set("unknown", "1"), lambda e: e.append(e.makeelement("unknown")),
    lambda e: setattr(e, "text", f"{e.text or ''}unknown"),
    lambda e: e.set("{urn:other}unknown", "1"), lambda e: e.append(e.makeelement("{urn:other}unknown"))])
def test_elements_unknown_to_urdf_are_reported(change):
    """In all elements at once: each has one row."""
    copy, tags = deepcopy(ROOT), []
    for element in OWN:
        if not is_reported(element):
            change(copy.getroottree().xpath(ROOT.getroottree().getpath(element))[0])
            tags.append(element.tag)
    sdf, _, dropped = outcome(copy)
    rows = [text.partition("/")[0] for texts in dropped.values() for text in texts if "unknown" in text]
    assert sorted(rows) == sorted(tags) and len(tags) >= 180
    assert sdf == BEFORE


def test_repeated_elements_are_reported():
    lost, compared = [], 0
    for element in OWN:
        if element.tag in ("link", "joint", "material", "visual", "collision") or is_reported(element):
            continue
        compared += 1
        copy, twin = alter(element)
        twin.addnext(deepcopy(twin))
        sdf, said, dropped = outcome(copy)
        rows = [text for texts in dropped.values() for text in texts if text.endswith("an earlier one is used")]
        message = f"<{element.getparent().tag}> contains <{element.tag}> more than once; only the first is used"
        if sdf != BEFORE or rows != [
                f"{element.getparent().tag}/{element.tag} an earlier one is used"] or message not in said:
            lost.append((element.sourceline, element.tag, rows))
    assert not lost and compared >= 130
