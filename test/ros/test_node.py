"""The node end to end: a description in; SDF, TF and findings out. Expected values are worked out by hand."""

from math import sqrt
from xml.etree import ElementTree

import pytest

pytest.importorskip("rclpy")

HALF = sqrt(0.5)
TURNED = (0.0, 0.0, HALF, HALF)  # 90 degrees about z, as x y z w
STRAIGHT = (0.0, 0.0, 0.0, 1.0)

# (parent, child): (translation, rotation x y z w)
PENDULUM_TF = {
    ("base", "arm"): ((0, 0, 1), TURNED),
    ("base", "pendulum"): ((0, 0, 0), STRAIGHT),
    ("arm", "hinge"): ((0, 0, 0), STRAIGHT),
    ("arm", "tip_joint"): ((1, 0, 0), STRAIGHT),
    ("tip_joint", "tip"): ((0, 0, 0), STRAIGHT),
}


def read_tf(message) -> dict:
    """A TFMessage as {(parent, child): (translation, rotation)}."""
    found = {}
    for stamped in message.transforms:
        t, q = stamped.transform.translation, stamped.transform.rotation
        found[stamped.header.frame_id, stamped.child_frame_id] = ((t.x, t.y, t.z), (q.x, q.y, q.z, q.w))
    assert len(found) == len(message.transforms)
    return found


def assert_tf_equal(found: dict, expected: dict) -> None:
    assert found.keys() == expected.keys()
    for edge, (place, turn) in expected.items():
        assert found[edge][0] == pytest.approx(place, abs=1e-12), edge
        sign = 1 if sum(a * b for a, b in zip(found[edge][1], turn)) >= 0 else -1
        assert [sign * v for v in found[edge][1]] == pytest.approx(turn, abs=1e-12), edge


def test_description_gives_sdf_and_tf(start_node, pendulum):
    node = start_node()
    node.publish(pendulum)
    assert_tf_equal(read_tf(node.wait_for("/tf_static")), PENDULUM_TF)
    model = ElementTree.fromstring(node.wait_for("/robot_description_sdf").data.encode()).find("model")
    assert model.get("name") == "pendulum"
    assert {e.get("name") for e in model.findall("link")} == {"base", "arm"}
    assert {e.get("name") for e in model.findall("joint")} == {"hinge"}
    assert {e.get("name") for e in model.findall("frame")} == {"tip_joint", "tip"}
    status = node.wait_for("/diagnostics").status[0]
    assert status.level == b"\0" and status.message == "valid"


def test_description_by_parameter_and_late_listener(start_node, ros, pendulum):
    from tf2_msgs.msg import TFMessage
    node = start_node(robot_description=pendulum, frame_prefix="left_")
    expected = {(f"left_{parent}", f"left_{child}"): pose for (parent, child), pose in PENDULUM_TF.items()}
    assert_tf_equal(read_tf(node.wait_for("/tf_static")), expected)
    late = []
    node.client.create_subscription(TFMessage, "/tf_static", late.append, node.hearing)
    node.spin_until(lambda: late, "what was published before")
    assert_tf_equal(read_tf(late[0]), expected)


def test_same_description_is_published_once(start_node, pendulum):
    node = start_node()
    node.publish(pendulum)
    node.wait_for("/tf_static")
    node.publish(pendulum)
    # Another text of the same robot: read again, but neither SDF nor TF have changed.
    node.publish(pendulum.replace("<robot", "<!-- the same -->\n<robot"))
    node.spin_until(lambda: node.log.read_text().count("Read ") == 2, "the second one to be read")
    node.spin_for(0.5)
    assert len(node.heard["/tf_static"]) == 1


def test_sdf_is_taken_as_it_is(start_node):
    text = ('<?xml version="1.0"?>\n<sdf version="1.9">\n  <!-- kept -->\n  <model name="m"><link name="a"/>'
            '<frame name="f" attached_to="a"><pose>1 2 3 0 0 0</pose></frame></model>\n</sdf>\n')
    node = start_node()
    node.publish(text)
    assert node.wait_for("/robot_description_sdf").data == text
    assert_tf_equal(read_tf(node.wait_for("/tf_static")), {("a", "m"): ((0, 0, 0), STRAIGHT),
                                                           ("a", "f"): ((1, 2, 3), STRAIGHT)})


def test_nested_names_and_separator(start_node):
    text = ('<sdf version="1.9"><model name="m"><link name="a"/><model name="n"><pose>0 1 0 0 0 0</pose>'
            '<link name="b"/></model></model></sdf>')
    node = start_node(scope_separator="__")
    node.publish(text)
    children = {child for _, child in read_tf(node.wait_for("/tf_static"))}
    assert children == {"m", "n", "n__b"}


def test_complement_leaves_out_what_robot_state_publisher_has(start_node, pendulum):
    node = start_node(tf_mode="complement", robot_description=pendulum)
    children = {child for _, child in read_tf(node.wait_for("/tf_static"))}
    assert children == {"pendulum", "hinge", "tip_joint"}


BROKEN = {
    "<robot name='r'><link name='a'>": "X002",
    "this is no robot": "X002",
    "": "X002",
    "<html/>": "X004",
    "<robot name='r'><link name='a'/><link name='b'/></robot>": "R014",
    "<sdf version='1.9'><model name='m'><link name='a'/><frame name='f' attached_to='g'/></model></sdf>": "F001",
}


def test_broken_descriptions_change_nothing(start_node, pendulum):
    node = start_node()
    for number, (broken, code) in enumerate(BROKEN.items()):
        node.publish(pendulum)
        status = node.wait_for("/diagnostics", 2 * number + 1).status[0]
        assert status.message == "valid", "a good one is taken again"
        node.publish(broken)
        status = node.wait_for("/diagnostics", 2 * number + 2).status[0]
        assert status.level == b"\2"
        assert any(value.key.startswith(code) for value in status.values), status.values
        assert not node.call("validate_sdf").valid
        assert {frame.name for frame in node.call("get_frames").frames} >= {"base", "tip"}
        assert len(node.heard["/tf_static"]) == 1
    # What is gone from TF is said.
    node.publish(pendulum.replace("tip", "end"))
    children = {child for _, child in read_tf(node.wait_for("/tf_static", 2))}
    assert children == {"arm", "pendulum", "hinge", "end_joint", "end"}
    status = node.wait_for("/diagnostics", 2 * len(BROKEN) + 1).status[0]
    assert status.level == b"\1" and status.values[0].key == "M005 frame-left-in-tf"
    assert len(node.heard["/tf_static"]) == 2
    node.publish(pendulum.replace("tip", "hand"))
    node.wait_for("/tf_static", 3)
    kept = "listeners keep 4 static transforms that are no longer published: end, end_joint, tip, tip_joint"
    node.spin_until(lambda: kept in node.log.read_text(), "all that listeners keep")


def test_node_survives_whatever_arrives(start_node, pendulum):
    node = start_node()
    deep = "<a>" * 20000
    entities = ('<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
                '<!ENTITY c SYSTEM "file:///etc/passwd">]><robot name="&b;"><link name="&c;"/></robot>')
    numbers = "<robot name='r'><link name='a'><inertial><mass value='1e999'/><inertia ixx='nan'/></inertial>" \
              "</link></robot>"
    for text in (deep, entities, numbers, "\0", "<sdf version='9.9'><model/></sdf>", "<sdf version='1.9'>"
                                                                                     "<model name='m'>"
                 "<include><uri>file:///etc/passwd</uri></include></model></sdf>"):
        answer = node.call("validate_sdf", sdf=text)
        assert not answer.valid, text[:60]
        assert "root:" not in str(answer)
        node.publish(text)
        node.wait_for("/diagnostics", len(node.heard["/diagnostics"]) + 1)
    node.publish(pendulum)
    # Those that were read have kinematics, and were published on the way.
    node.spin_until(lambda: node.heard["/tf_static"] and ("base", "arm") in read_tf(node.heard["/tf_static"][-1]),
                    "the pendulum")
    assert_tf_equal(read_tf(node.heard["/tf_static"][-1]), PENDULUM_TF)
    assert {("a", "r")} in [set(read_tf(message)) for message in node.heard["/tf_static"]]


MASS = '<inertial><mass value="1"/><inertia ixx="{}" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
HINGE = ('<robot name="r"><link name="base">{}</link><link name="arm">{}</link><joint name="turn" type="continuous">'
         '<parent link="base"/><child link="arm"/><origin xyz="1 2 3"/></joint></robot>')


@pytest.mark.parametrize("text, error", [(HINGE.format("", MASS.format(1)), "C004"), (HINGE.format("", ""), "C004"),
                                         (HINGE.format(MASS.format(1), MASS.format(9)), "I001")])
def test_a_robot_that_cannot_be_converted_still_has_tf(start_node, text, error):
    node = start_node(robot_description=text)
    edges = {t.child_frame_id: t for t in node.wait_for("/tf_static").transforms}
    x = edges["arm"].transform.translation
    assert edges["arm"].header.frame_id == "base" and (x.x, x.y, x.z) == (1, 2, 3)
    keys = [value.key.split()[0] for value in node.wait_for("/diagnostics").status[0].values]
    assert error in keys and "M014" in keys
    answer = node.call("resolve_frame", frame="arm", relative_to="base")
    assert answer.success and (answer.pose.position.x, answer.pose.position.y, answer.pose.position.z) == (1, 2, 3)
    assert {"base", "arm", "turn"} <= {f.name for f in node.call("get_frames").frames}
    assert node.check_tf_until(lambda answer: answer.consistent)
    assert not node.call("validate_sdf").valid
    node.spin_for(0.3)
    assert not node.heard["/robot_description_sdf"]


def test_diagnostics_are_repeated_and_say_whose_they_are(start_node, pendulum):
    from diagnostic_msgs.msg import DiagnosticArray
    node = start_node(robot_description=pendulum.replace('mass value="1"', 'mass value="-1"'))
    heard = []
    node.client.create_subscription(DiagnosticArray, "/diagnostics", heard.append, 10)  # volatile, as monitors are
    node.spin_until(lambda: len(heard) >= 3, "three of them")
    status = heard[-1].status[0]
    assert (status.name, status.hardware_id, status.level) == ("sdf_frames: robot_description", "pendulum", b"\2")
    values = {value.key: value.value for value in status.values}
    assert values["transforms on /tf_static"] == "5" and values["count I error"] == "1"
    assert values["robot_description_sdf"].endswith(" characters")
    stamps = [m.header.stamp.sec + m.header.stamp.nanosec * 1e-9 for m in heard]
    assert stamps == sorted(set(stamps))


def test_the_status_is_of_the_published_robot_also_after_a_bad_description(start_node, pendulum):
    bad = "<robot name='other'><link name='a'/><link name='b'/></robot>"
    node = start_node(robot_description=bad)
    assert node.wait_for("/diagnostics").status[0].hardware_id == "sdf_frames", "it has no model yet"
    node.publish("this is no robot")
    assert "X002" in node.wait_for("/diagnostics", 2).status[0].message
    node.publish(pendulum)
    assert node.wait_for("/diagnostics", 3).status[0].hardware_id == "pendulum"
    node.publish(bad)
    status = node.wait_for("/diagnostics", 4).status[0]
    assert (status.level, status.hardware_id) == (b"\2", "pendulum")


def test_a_parameter_that_costs_the_sdf_is_refused(start_node):
    node = start_node(robot_description=HINGE.format(MASS.format(1), ""))
    node.wait_for("/robot_description_sdf")
    result = node.set_parameter("massless", "error")
    assert not result.successful and "the description would have errors" in result.reason
