"""What the report says of everything that the SDF does not hold: whole rows, and whole findings. One part a line."""
from __future__ import annotations

import re

import pytest
from urdf_text import gazebo, joint, link

from sdf_frames.convert.report import Row

BOX = '<geometry><box size="1 1 1"/></geometry>'
KEEP = "give it a mass and an inertia, or convert with --massless keep (in Python: massless='keep')"
NO_TAG = "SDF has no such element"


@pytest.fixture
def report(convert):
    """Parts of a robot, the first on line 2 -> rows, findings."""
    def report(*parts, **options):
        text = "\n".join(['<robot name="r">', *parts, "</robot>"])
        _, conversion, found = convert(text, **options)
        return list(conversion.rows), list(found)
    return report


def pick(rows, *elements):
    return [row for row in rows if row.element in elements]


@pytest.mark.parametrize("count, names", [(5, "h0, h1, h2, h3, h4"), (6, "h0, h1, h2, h3, h4, …")])
@pytest.mark.parametrize("policy, severity", [("frame", "warning"), ("error", "error")])
def test_a_summary_names_five_causes(count, names, policy, severity, report):
    hubs = [part for i in range(count) for part in (
        link(f"h{i}"), link(f"a{i}", 0.5), joint(f"jh{i}", "continuous", "base", f"h{i}"),
        joint(f"ja{i}", "continuous", f"h{i}", f"a{i}"))]
    rows, found = report(link("base", 1), *hubs, massless=policy)
    links, mass = f"{2 * count} of {2 * count + 1} links", f"{count / 2:.4g} of {count / 2 + 1:.4g} kg"
    first = found[0]
    assert (first.name, first.severity, first.line, first.path) == (
        "massless-subtree-dropped", severity, 3, '/robot[@name="r"]/link[@name="h0"]')
    assert first.name not in [d.name for d in found[1:]] and "--massless keep" in first.hint
    quoted = re.sub(r"h\d", r"'\g<0>'", names)
    assert first.message == f"the SDF lacks {links} ({mass}): {quoted} have no mass"
    assert rows[0] == Row("subtree", names, "dropped", None, 3, f"{links}, {mass} are not in the SDF")


def test_a_massless_link_with_what_is_below_it(report):
    rows, found = report(
        link("base", 1), f'<link name="hub"><visual name="seen">{BOX}</visual><visual>{BOX}</visual></link>',
        link("arm", 1, f'<collision name="hit">{BOX}</collision><collision>{BOX}</collision>'), link("end", 1),
        joint("jh", "continuous", "base", "hub"),
        joint("ja", "revolute", "hub", "arm", '<limit effort="1" velocity="1"/>'), joint("je", "fixed", "arm", "end"))
    (hub,) = found
    assert hub.message == (
        "link 'hub' has no mass and its joint moves, so it and the links below it (3 of 4 links, 2 of 3 kg) are left "
        "out of the SDF")
    assert (hub.line, hub.path, hub.hint) == (3, '/robot[@name="r"]/link[@name="hub"]', KEEP)
    assert [related[:4] for related in hub.related] == [
        (message, line, f'/robot[@name="r"]/{path}', "robot.urdf") for message, line, path in (
            ("2 links below it: 'arm', 'end'", 4, 'link[@name="arm"]'),
            ("2 joints below it: 'ja', 'je'", 7, 'joint[@name="ja"]'),
            ("its joint 'jh' is left out of the SDF", 6, 'joint[@name="jh"]'))]
    massless = "the link is massless, and no fixed joint connects it to a link with mass"
    below, lost = "the link is below a massless link that is left out", "its link is left out"
    assert rows == [
        Row("subtree", "hub", "dropped", None, 3, "3 of 4 links, 2 of 3 kg are not in the SDF"),
        Row("link", "base", "kept", None, 2),
        Row("joint", "jh", "dropped", None, 6, "its child link is massless"),
        Row("link", "hub", "dropped", None, 3, massless),
        Row("visual", "seen", "dropped", None, 3, lost), Row("visual", "hub", "dropped", None, 3, lost),
        Row("joint", "ja", "dropped", None, 7, below), Row("link", "arm", "dropped", None, 4, below),
        Row("collision", "hit", "dropped", None, 4, lost), Row("collision", "arm", "dropped", None, 4, lost),
        Row("joint", "je", "dropped", None, 8, below), Row("link", "end", "dropped", None, 5, below)]


def test_a_massless_root(report):
    _, found = report(link("base"), link("arm", 1), joint("j", "continuous", "base", "arm"))
    finding, = found
    assert finding.message == "robot 'r' has no link in the SDF: its root link 'base' has no mass"
    assert (finding.line, finding.path, finding.hint) == (2, '/robot[@name="r"]/link[@name="base"]', KEEP)
    assert [related.message for related in finding.related] == [
        "1 link below it: 'arm'", "1 joint below it: 'j'"]


@pytest.mark.parametrize("held, options, advice", [
    ("l", {}, "; or allow joint lumping by removing <disableFixedJointLumping> and <preserveFixedJoint> from fixed "
              "child joint 'l', or setting them to false"),
    ("kl", {}, "; or allow joint lumping by removing <disableFixedJointLumping> and <preserveFixedJoint> from fixed "
               "child joints 'k', 'l', or setting them to false"),
    ("", {"preserve_fixed_joints": True},
     "; or lump fixed joints: the link then gets the mass behind fixed child joints 'k', 'l'")])
def test_the_hint_says_how_lumping_would_give_mass(held, options, advice, report):
    tags = [gazebo(name, "<preserveFixedJoint>true</preserveFixedJoint>") for name in held]
    for mass in (1, None):  # without mass at its end, lumping would not help
        _, found = report(
            link("base", 1), link("hub"), link("mid"), link("end", mass), joint("j", "continuous", "base", "hub"),
            joint("k", "fixed", "hub", "mid"), joint("l", "fixed", "mid", "end"), *tags, **options)
        assert [d.hint for d in found if d.name == "massless-link-dropped"] == [KEEP + (advice if mass else "")]


def test_elements_that_sdf_does_not_have(report):
    rows, _ = report(
        link("base", 1), '<transmission name="t"/>', "<transmission/>", '<ros2_control name="c" type="system"/>',
        "<ros2_control/>", '<sensor name="s"/>', "<sensor/>",
        '<material name="idle"><color rgba="1 0 0 1"/></material>',
        '<link name="heavy"><inertial><mass value="-1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>", joint("j", "fixed", "base", "heavy"))
    assert pick(rows, "transmission", "ros2_control", "sensor", "material", "inertial") == [
        Row("inertial", "heavy", "dropped", None, 10, "a link with a negative mass is treated as massless"),
        Row("material", "idle", "dropped", None, 9, "no visual uses it"),
        Row("transmission", "t", "carried", None, 3, NO_TAG),
        Row("transmission", "transmission", "carried", None, 4, NO_TAG),
        Row("ros2_control", "c", "carried", None, 5, NO_TAG),
        Row("ros2_control", "ros2_control", "carried", None, 6, NO_TAG),
        *[Row("sensor", name, "carried", None, line, "readers of robots do not use it")
          for name, line in (("s", 7), ("sensor", 8))]]


def test_a_material_that_a_visual_uses_is_not_reported(report):
    rows, _ = report('<material name="red"><color rgba="1 0 0 1"/></material>',
                     '<material name="blue"><color rgba="0 0 1 1"/></material>',
                     link("a", 1), link("b", 1, f'<visual>{BOX}</visual><visual>{BOX}<material name="blue"/></visual>'),
                     joint("j", "fixed", "a", "b"))
    assert pick(rows, "material") == [Row("material", "red", "dropped", None, 2, "no visual uses it")]


PARTS = ("<axis xyz='0 0 1'/>", "<limit lower='{}' upper='{}' effort='1' velocity='1'/>",
         "<dynamics damping='1'/>", "<mimic joint='lead'/>", "<safety_controller k_velocity='1'/>",
         "<calibration rising='1'/>")


@pytest.mark.parametrize("kind, bounds, idle", [
    ("revolute", (-1, 1), {}), ("prismatic", (0, 0), {}), ("continuous", (0, 0), {}),
    ("continuous", (-1, 0), {"limit": "a continuous joint has neither lower nor upper limit"}),
    ("continuous", (0, 1), {"limit": "a continuous joint has neither lower nor upper limit"}),
    ("fixed", (-1, 1), dict.fromkeys(("limit", "dynamics", "mimic"), "a fixed joint does not move")),
    ("locked", (-1, 1), dict.fromkeys(("limit", "dynamics", "mimic"), "it is locked at 0")),
    ("floating", (-1, 1), dict.fromkeys(("limit", "dynamics", "mimic"), "SDF has no floating joint")),
    ("planar", (-1, 1), dict.fromkeys(("limit", "dynamics", "mimic", "axis"), "SDF has no planar joint"))])
def test_parts_of_a_joint_that_mean_nothing_for_its_type(kind, bounds, idle, report):
    """Each part has the line below its joint; <axis> that of the joint, with the parts in that order."""
    inside = "\n" + "\n".join(PARTS).format(*bounds)
    tag = [gazebo("j", "<disableFixedJointLumping>true</disableFixedJointLumping>")] if kind == "locked" else []
    rows, _ = report(link("a", 1), link("b", 1), link("c", 1), joint("lead", "continuous", "a", "b"),
                     joint("j", "fixed" if kind == "locked" else kind, "a", "c", inside), *tag)
    lines = {"axis": 6, "limit": 8, "dynamics": 9, "mimic": 10, "safety_controller": 11, "calibration": 12}
    expected = {"safety_controller": NO_TAG, "calibration": NO_TAG, **idle}
    assert pick(rows, *lines) == [Row(tag, "j", "carried", None, lines[tag], why) for tag, why in expected.items()]


@pytest.mark.parametrize("key, problem, remedy", [
    ("turn", "joint 'turn' is continuous, and only fixed joints are lumped", "adjacent are 'w1', 'w2'"),
    ("hub", "'hub' is a link, and only joints are lumped", "adjacent are 'w1', 'w2'"),
    ("end", "'end' is a link, and only joints are lumped", "adjacent is 'w1'"),
    ("base", "'base' is a link, and only joints are lumped", None),
    ("", "its <gazebo> has no reference to a joint", None)])
def test_lumping_tags_on_links_and_movable_joints(key, problem, remedy, report):
    """Two elements in one block, and the other of the two in a second one: one finding, at the first line."""
    rows, found = report(
        link("base", 1), link("hub", 1), link("end", 1), link("side", 1), joint("turn", "continuous", "base", "hub"),
        joint("w1", "fixed", "hub", "end"), joint("w2", "fixed", "hub", "side"),
        gazebo(key, "\n<preserveFixedJoint>true</preserveFixedJoint>"),
        gazebo(key, "\n<disableFixedJointLumping>true</disableFixedJointLumping>"
                    "\n<preserveFixedJoint>false</preserveFixedJoint>"))
    finding, = found
    assert finding.message == (f"<disableFixedJointLumping> and <preserveFixedJoint> for {key or 'r'!r}: no effect, "
                               f"because {problem}")
    assert finding.hint == "use the name of a fixed joint as the reference" + (
        f": {remedy}" if remedy else ", or remove the element")
    step = f'[@reference="{key}"][1]' if key else "[1]"
    assert (finding.line, finding.path) == (10, f'/robot[@name="r"]/gazebo{step}/preserveFixedJoint')
    assert pick(rows, "preserveFixedJoint", "disableFixedJointLumping") == [
        Row("preserveFixedJoint", key or "r", "dropped", None, 10, problem),
        Row("disableFixedJointLumping", key or "r", "dropped", None, 12, problem),
        Row("preserveFixedJoint", key or "r", "kept", None, 13, "false is the default")]


@pytest.mark.parametrize("called, hint", [
    ("bsae", "did you mean 'base'? The content of this <gazebo> element is left out"),
    ("elbwo", "did you mean 'elbow'? The content of this <gazebo> element is left out"),
    ("lamp", "correct the reference; the content of this <gazebo> element is left out")])
def test_a_misspelt_reference_has_a_guess(called, hint, report):
    _, found = report(link("base", 1), link("tip", 1), joint("elbow", "continuous", "base", "tip"), gazebo(called, ""))
    assert [d.hint for d in found if d.name == "gazebo-reference-unknown"] == [hint]


def test_a_reference_to_a_link_of_sdformat_has_no_guess(report):
    """As in PR2: libsdformat takes the settings of links of the URDF alone."""
    content = '<link name="l_finger_link"/><joint name="l_finger_joint"/>'
    _, found = report(link("r_finger_link", 1), gazebo("", content), gazebo("l_finger_link", ""),
                      gazebo("l_finger_joint", ""))
    assert {d.hint for d in found if d.name == "gazebo-reference-unknown"} == {
        "write the settings into the element of that name, which stands in another <gazebo>. The content of this "
        "<gazebo> element is left out"}


@pytest.mark.parametrize("inside, problem", [
    ("", "has no mass"), ('<inertial><mass value="0"/></inertial>', "has a mass of 0"),
    ('<inertial><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>',
     "has an <inertial> without a usable mass"),
    ("<inertial><mass>1</mass></inertial>", "has an <inertial> without a usable mass")])
def test_it_is_said_why_a_link_is_massless(inside, problem, report):
    _, found = report(link("tip", None, inside))
    assert [d.message.partition("its root ")[2] for d in found if d.name == "robot-without-mass"] == [
        f"link 'tip' {problem}"]


@pytest.mark.parametrize("reason, more", [
    ("no link or joint has the name of the reference", ()),
    ("the link or joint of the reference is left out",
     (link("lost", 1), link("loop", 1), joint("x", "fixed", "loop", "lost"), joint("y", "fixed", "lost", "loop")))])
def test_a_reference_to_what_is_not_in_the_robot(reason, more, report):
    content = ("\n<preserveFixedJoint>true</preserveFixedJoint>\n<mu1>1</mu1>\n<sensor name='s' type='imu'/>"
               "\n<plugin/>\n<collision><max_contacts>3</max_contacts></collision>")
    rows, found = report(link("base", 1), gazebo("lost", content), *more)
    assert [(d.message, d.line) for d in found if d.name == "gazebo-reference-unknown"] == (
        [] if more else [('<gazebo reference="lost"> names neither a link nor a joint of the URDF', 3)])
    assert pick(rows, "preserveFixedJoint", "mu1", "sensor", "plugin", "max_contacts") == [
        Row("preserveFixedJoint", "lost", "dropped", None, 4, reason),
        Row("mu1", "lost", "dropped", None, 5, reason), Row("sensor", "s", "dropped", None, 6, reason),
        Row("plugin", "lost", "dropped", None, 7, reason), Row("max_contacts", "lost", "dropped", None, 8, reason)]


def test_settings_without_a_reference(report):
    rows, found = report(link("base", 1), gazebo("", "\n<mu1>1</mu1>\n<static>true</static>\n<stopCfm>1</stopCfm>"))
    assert not found
    no = "has no effect in a <gazebo> without a reference"
    assert pick(rows, "mu1", "static", "stopCfm") == [
        Row("static", "r", "kept", "r", 5), Row("mu1", "r", "dropped", None, 4, no),
        Row("stopCfm", "r", "dropped", None, 6, no)]


LUMPED = "is lumped and remains only as a frame"
ADD = "add <preserveFixedJoint>true</preserveFixedJoint> to <gazebo reference=\"j\">"
MASS = ("give link 'b' a realistic mass and inertia, or convert with --massless keep (in Python: massless='keep')")


@pytest.mark.parametrize("kind, mass, tag, fate, hint, sensor_hint", [
    ("fixed", 1, "", LUMPED, ADD, ADD + ", and give link 'b' a realistic mass and inertia if it has none"),
    ("fixed", None, "<preserveFixedJoint>true</preserveFixedJoint>",
     "becomes a frame, because its child link 'b' is massless", MASS, MASS),
    ("continuous", None, "", "is left out, because its child link 'b' is massless", MASS, MASS),
    ("floating", 1, "", "is floating and becomes a frame", "use a joint type that SDF supports",
     "use a joint type that SDF supports")])
def test_settings_for_a_joint_that_is_not_in_the_sdf(kind, mass, tag, fate, hint, sensor_hint, report):
    rows, found = report(
        link("a", 1), link("b", mass), joint("j", kind, "a", "b"),
        gazebo("j", f"{tag}\n<stopCfm>1</stopCfm>\n<sensor name='s' type='force_torque'/>\n<sensor type='wrench'/>"
                    "\n<plugin/>"))
    path = '/robot[@name="r"]/gazebo[@reference="j"]/'
    sensor = path + 'sensor[@name="s"]'
    found = [d for d in found if d.name in ("extension-of-lost-joint", "sensor-without-joint")]
    assert [(d.message, d.line, d.path, d.hint) for d in found] == [
        (f"<stopCfm> is set for joint 'j', which {fate}; <stopCfm> is left out", 6, path + "stopCfm", hint),
        (f"force_torque sensor 's' cannot attach to joint 'j', which {fate}", 7, sensor, sensor_hint),
        (f"wrench sensor 'sensor' cannot attach to joint 'j', which {fate}", 8, path + "sensor[2]", sensor_hint),
        (f"<plugin> is set for joint 'j', which {fate}; <plugin> is left out", 9, path + "plugin", hint)]
    assert pick(rows, "stopCfm", "sensor", "plugin") == [
        Row("stopCfm", "j", "dropped", None, 6, f"its joint {fate}"),
        Row("sensor", "s", "dropped", None, 7, f"its joint {fate}"),
        Row("sensor", "sensor", "dropped", None, 8, f"its joint {fate}"),
        Row("plugin", "plugin", "dropped", None, 9, f"its joint {fate}")]


def test_the_hint_names_the_massless_link_and_not_what_is_lost_below_it(report):
    _, found = report(
        link("a", 1), link("b"), link("c", 1), joint("i", "continuous", "a", "b"), joint("j", "continuous", "b", "c"),
        gazebo("j", "<stopCfm>1</stopCfm>"), gazebo("c", "<sensor name='s' type='imu'/>"))
    assert [(d.message.partition("; ")[0], d.hint) for d in found if d.name.startswith("extension-of-lost")] == [
        ("<stopCfm> is set for joint 'j', which is left out, because it is below the massless link 'b'", MASS),
        ("<sensor> is set for link 'c', which is not a link in the SDF", MASS)]


@pytest.mark.parametrize("root, mass", [("a", 1), ("world", None)])
def test_settings_of_a_robot_without_a_link_are_no_further_warnings(root, mass, report):
    """The massless root is the one cause."""
    rows, found = report(
        link(root), link("b", mass), joint("i", "continuous", root, "b"), gazebo("i", "<stopCfm>1</stopCfm>"),
        gazebo("b", "<sensor name='s' type='imu'/><mu1>1</mu1>"))
    assert not [d.name for d in found if d.name.startswith("extension")]
    assert {row.action for row in pick(rows, "stopCfm", "sensor", "mu1")} == {"dropped"}


def test_settings_for_a_link_that_is_not_in_the_sdf(report):
    rows, found = report(
        link("a", 1), link("b"), joint("j", "continuous", "a", "b"),
        gazebo("b", "\n<mu1>1</mu1>\n<sensor name='s' type='imu'/>\n<plugin/>\n<stopCfm>1</stopCfm>"
                    "\n<static>1</static>"))
    path = '/robot[@name="r"]/gazebo[@reference="b"]/'
    assert [(d.message, d.line, d.path, d.hint) for d in found if d.name == "extension-of-lost-link"] == [
        (f"<{tag}> is set for link 'b', which is not a link in the SDF; <{tag}> is left out", line, path + step, MASS)
        for tag, line, step in (("sensor", 7, 'sensor[@name="s"]'), ("plugin", 8, "plugin"))]
    assert pick(rows, "mu1", "sensor", "plugin", "stopCfm", "static") == [
        Row("mu1", "b", "dropped", None, 6, "its link is left out"),
        Row("sensor", "s", "dropped", None, 7, "its link is left out"),
        Row("plugin", "b", "dropped", None, 8, "its link is left out"),
        Row("static", "b", "dropped", None, 10, "has no effect in a <gazebo> with a reference"),
        Row("stopCfm", "b", "dropped", None, 9, "has no effect on a link")]


def test_settings_of_links_given_for_a_joint(report):
    rows, found = report(link("a", 1), link("b", 1), joint("j", "continuous", "a", "b"),
                         gazebo("j", "\n<mu1>1</mu1>\n<static>1</static>\n<stopCfm>1</stopCfm>"))
    assert not found
    assert pick(rows, "mu1", "static", "stopCfm") == [
        Row("stopCfm", "j", "kept", "j", 8), Row("mu1", "j", "dropped", None, 6, "has no effect on a joint"),
        Row("static", "j", "dropped", None, 7, "has no effect in a <gazebo> with a reference")]


def test_a_link_and_a_joint_of_one_name_share_what_is_set(report, convert):
    """Force-torque sensors are the joint's, everything else that can be the link's is."""
    content = ("<sensor name='ft' type='force_torque'/><sensor name='w' type='wrench'/><sensor name='imu' type='imu'/>"
               "<selfCollide>1</selfCollide><stopCfm>1</stopCfm>")
    have, _, _ = convert("".join(['<robot name="r">', link("a", 1), link("b", 1), joint("b", "continuous", "a", "b"),
                                  gazebo("b", content), "</robot>"]))
    arm, turn = have.links["b"], have.joints["b_joint"]
    assert [s.get("name") for s in arm.iter("sensor")] == ["imu"] and arm.findtext("self_collide") == "1"
    assert [s.get("name") for s in turn.iter("sensor")] == ["ft", "w"]
    assert turn.findtext("physics/ode/limit/cfm") == "1"


@pytest.mark.parametrize("first, tags", [
    ("disableFixedJointLumping", "<disableFixedJointLumping> and <preserveFixedJoint>"),
    ("preserveFixedJoint", "<preserveFixedJoint>")])
def test_lumping_tags_that_are_repeated(first, tags, report):
    """The finding is at the first of them."""
    _, (finding,) = report(link("base", 1), gazebo("base", f"\n<{first}>true</{first}>\n"
                           + "<preserveFixedJoint>true</preserveFixedJoint>\n" * 2),
                           gazebo("base", f"\n<{first}>true</{first}>"))
    assert (finding.line, finding.path) == (4, f'/robot[@name="r"]/gazebo[@reference="base"][1]/{first}'
                                            + "[1]" * (first == "preserveFixedJoint"))
    assert finding.message.startswith(f"{tags} for 'base': no effect")


def test_the_mimic_of_a_joint_that_is_left_out_has_a_row(report):
    rows, _ = report(link("base", 1), link("arm", 1), link("hub"), joint("ja", "continuous", "base", "arm"),
                     joint("jh", "continuous", "base", "hub", '\n<mimic joint="ja"/>'))
    assert pick(rows, "mimic") == [Row("mimic", "jh", "dropped", None, 7, "its joint is left out")]


@pytest.mark.parametrize("tag, value, idle", [
    ("preserveFixedJoint", "true", True), ("preserveFixedJoint", "false", True),
    ("disableFixedJointLumping", "false", True), ("disableFixedJointLumping", "true", False)])
def test_a_joint_to_the_world_is_never_lumped_whatever_its_tags_say(tag, value, idle, report):
    """Only <disableFixedJointLumping> makes it another joint."""
    rows, found = report(link("world"), link("base", 1), joint("weld", "fixed", "world", "base"),
                         gazebo("weld", f"<{tag}>{value}</{tag}>"))
    problem = "joint 'weld' holds the robot to the world, and such a joint is never lumped"
    message = f"<{tag}> for 'weld': no effect, because {problem}"
    assert [(d.name, d.severity, d.message, d.hint, d.line) for d in found] == [
        ("lumping-tag-without-effect", "info", message, "remove it", 5)] * idle
    assert [(row.action, row.reason == problem) for row in pick(rows, tag)] == [("dropped" if idle else "kept", idle)]


def test_rates_that_urdf_1_2_limits_are_carried(convert):
    limit = '<limit lower="0" upper="1" jerk="2" acceleration="3"/>'
    have, conversion, _ = convert(f'<robot name="r" version="1.2">{link("a", 1)}{link("b", 1)}'
                                  f'{joint("j", "revolute", "a", "b", limit)}</robot>')
    assert [(r.element, r.name, r.action, r.reason) for r in conversion.rows if r.element.startswith("limit/")] == [
        (f"limit/@{name}", "j", "carried", "SDF has no such limit") for name in ("acceleration", "jerk")]
    limit = have.joints["j"].find("axis/limit")
    assert [limit.findtext(tag) for tag in ("lower", "upper", "effort", "velocity")] == ["0", "1", "-1", "-1"]
