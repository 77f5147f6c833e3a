"""Parameters over ROS: what is accepted shows at once, what is refused gives a reason."""

from xml.etree import ElementTree

import pytest
from urdf_text import joint, link, robot

pytest.importorskip("rclpy")

from .conftest import PATIENCE

# A link with mass behind a fixed joint: lumped by default, kept on demand.
BRACKET = robot(link("base", 1), link("part", 1), joint("bolt", "fixed", "base", "part", xyz="0 0 2"), name="bracket")


def links_of(message) -> set:
    return {e.get("name") for e in ElementTree.fromstring(message.data.encode()).find("model").findall("link")}


def test_conversion_follows_parameters(start_node):
    node = start_node(robot_description=BRACKET)
    assert links_of(node.wait_for("/robot_description_sdf")) == {"base"}
    assert node.set_parameter("preserve_fixed_joints", True).successful
    assert links_of(node.wait_for("/robot_description_sdf", 2)) == {"base", "part"}
    assert node.set_parameter("sdf_version", "1.12").successful
    text = node.wait_for("/robot_description_sdf", 3).data
    assert ElementTree.fromstring(text.encode()).get("version") == "1.12"
    # `ros2 param set ... sdf_version 1.10` sends the number 1.1.
    assert node.set_parameter("sdf_version", 1.1).successful
    text = node.wait_for("/robot_description_sdf", 4).data
    assert ElementTree.fromstring(text.encode()).get("version") == "1.10"


def test_names_follow_parameters(start_node, pendulum):
    node = start_node(robot_description=pendulum)
    node.wait_for("/tf_static")
    assert node.set_parameter("frame_prefix", "r1/").successful
    message = node.wait_for("/tf_static", 2)
    assert {t.child_frame_id for t in message.transforms} == {"r1/arm", "r1/pendulum", "r1/hinge", "r1/tip_joint",
                                                              "r1/tip"}
    assert {frame.tf_frame for frame in node.call("get_frames").frames} == {
        "r1/base", "r1/arm", "r1/pendulum", "r1/hinge", "r1/tip_joint", "r1/tip"}
    assert len(node.heard["/robot_description_sdf"]) == 1, "the SDF has not changed"
    assert node.set_parameter("tf_mode", "none").successful
    assert not node.wait_for("/tf_static", 3).transforms, "late listeners must not get the old tree"


def test_description_by_parameter_replaces_the_one_of_the_topic(start_node, pendulum):
    node = start_node()
    node.publish(pendulum)
    node.wait_for("/robot_description_sdf")
    assert node.set_parameter("robot_description", BRACKET).successful
    assert links_of(node.wait_for("/robot_description_sdf", 2)) == {"base"}


def test_a_description_by_parameter_also_replaces_one_that_came_between(start_node, pendulum):
    """The value of the parameter is the same as before."""
    node = start_node(robot_description=pendulum)
    node.wait_for("/robot_description_sdf")
    node.publish(BRACKET)
    assert links_of(node.wait_for("/robot_description_sdf", 2)) == {"base"}
    assert node.set_parameter("robot_description", pendulum).successful
    assert links_of(node.wait_for("/robot_description_sdf", 3)) == {"base", "arm"}
    assert node.set_parameter("robot_description", pendulum).successful
    node.spin_for(0.5)
    assert len(node.heard["/robot_description_sdf"]) == 3


def test_every_parameter_describes_itself(start_node):
    from rcl_interfaces.srv import DescribeParameters

    from sdf_frames.ros.settings import PARAMETERS
    node = start_node()
    answer = node.call_type(DescribeParameters, "/sdf_frames/describe_parameters",
                            DescribeParameters.Request(names=list(PARAMETERS)))
    assert all(descriptor.description for descriptor in answer.descriptors)
    assert len(answer.descriptors) == 23
    ranges = {d.name: (r.from_value, r.to_value) for d in answer.descriptors for r in d.floating_point_range}
    assert ranges == {"publish_frequency": (0.001, 1000.0), "time_limit": (1e-6, 86400.0)}


def test_the_log_has_errors_and_losses_and_counts_the_rest(start_node, pendulum):
    """A link that is lost is a warning that counts, and so is a macro; elements that URDF does not define are none."""
    macro = '<xacro:wheel xmlns:xacro="http://www.ros.org/wiki/xacro"/>'
    extra = macro + "".join(f"<thing{number}/>" for number in range(30))
    lost = '<link name="feeler"/><joint name="j" type="continuous"><parent link="base"/><child link="feeler"/></joint>'
    node = start_node(robot_description=pendulum.replace("</robot>", f"{lost}{extra}</robot>"))
    node.spin_until(lambda: "Not shown" in node.log.read_text(), "the count")
    log = node.log.read_text()
    assert "Not shown: 30 warnings; the service validate_sdf lists them" in log
    assert "C001" in log and "feeler" in log and "R028" in log and log.count("[WARN]") == 2


def test_bad_value_at_start_ends_the_node(start_node):
    node = start_node(tf_mode="sometimes")
    assert node.process.wait(timeout=PATIENCE) == 1
    text = node.log.read_text()
    assert text == "sdf_frames_node: tf_mode is 'sometimes', not one of 'all', 'complement', 'none'\n"


def test_inertia_markers_come_and_go(start_node, ros, pendulum):
    from visualization_msgs.msg import Marker, MarkerArray
    node = start_node(robot_description=pendulum, frame_prefix="r1/")
    node.wait_for("/tf_static")
    assert node.set_parameter("inertia_markers", True).successful
    heard = []
    node.client.create_subscription(MarkerArray, "/sdf_frames/inertia_markers", heard.append, node.hearing)
    node.spin_until(lambda: heard, "markers that were published before")
    forget, *boxes = heard[0].markers
    assert forget.action == Marker.DELETEALL
    assert [(b.header.frame_id, b.type, b.frame_locked) for b in boxes] == [("r1/base", Marker.CUBE, True),
                                                                            ("r1/arm", Marker.CUBE, True)]
    # a² = 6 (I2 + I3 - I1) / m and so on.
    base, arm = boxes
    size = base.scale
    assert [size.x ** 2, size.y ** 2, size.z ** 2] == pytest.approx([3 * 0.7, 3 * 0.5, 3 * 0.3])
    assert [arm.scale.x ** 2, arm.scale.y ** 2, arm.scale.z ** 2] == pytest.approx([6 * 0.39, 6 * 0.01, 6 * 0.01])
    assert (arm.pose.position.x, arm.pose.position.y, arm.pose.position.z, arm.pose.orientation.w) == (0.5, 0, 0, 1)
    assert node.set_parameter("frame_prefix", "").successful
    node.spin_until(lambda: len(heard) > 1, "markers in frames of other names")
    assert {b.header.frame_id for b in heard[1].markers[1:]} == {"base", "arm"}
    node.publish("<bad")
    node.spin_until(lambda: "X002" in node.log.read_text(), "a description that cannot be used")
    assert node.set_parameter("inertia_markers", False).successful
    node.spin_until(lambda: len(heard) > 2, "markers taken back")
    assert [m.action for m in heard[2].markers] == [Marker.DELETEALL]


def test_node_starts_without_visualization_msgs(ros, monkeypatch):
    import importlib
    import sys

    from sdf_frames.ros import markers
    monkeypatch.setitem(sys.modules, "visualization_msgs.msg", None)
    try:
        assert importlib.reload(markers).MarkerArray is None
        from sdf_frames.ros.node import SdfFramesNode
        node = SdfFramesNode()
        try:
            result = node.set_parameters([ros.Parameter("inertia_markers", value=True)])[0]
            assert result.successful
            assert [d.code for d in node.publications.prepare_markers()] == ["M010"]
        finally:
            node.destroy_node()
    finally:
        monkeypatch.undo()
        importlib.reload(markers)


def test_sensor_frames_come_when_asked_for(start_node):
    node = start_node(frame_prefix="left/", robot_description=BRACKET.replace("</robot>", """<gazebo reference="base">
      <sensor name="imu" type="imu"><pose>0 0 2 0 0 0</pose></sensor></gazebo></robot>"""))
    before = {t.child_frame_id for t in node.wait_for("/tf_static").transforms}
    assert node.set_parameter("sensor_frames", True).successful
    added, = [t for t in node.wait_for("/tf_static", 2).transforms if t.child_frame_id not in before]
    assert (added.header.frame_id, added.child_frame_id) == ("left/base", "left/bracket/base/imu")
    assert added.transform.translation.z == 2


def test_optical_frames_and_frame_ids_come_when_asked_for(start_node):
    node = start_node(robot_description=BRACKET.replace("</robot>", """<gazebo reference="base">
      <sensor name="eye" type="camera"/></gazebo></robot>"""))
    before = {t.child_frame_id for t in node.wait_for("/tf_static").transforms}
    assert node.set_parameter("sensor_frame_ids", "harmonic").successful
    assert "<gz_frame_id>base</gz_frame_id>" in node.wait_for("/robot_description_sdf", 2).data
    assert node.set_parameter("optical_frame_name", "{id}_{sensor}").successful
    assert node.set_parameter("optical_frames", True).successful
    added, = [t for t in node.wait_for("/tf_static", 2).transforms if t.child_frame_id not in before]
    q = added.transform.rotation
    assert (added.child_frame_id, q.w, q.x, q.y, q.z) == ("base_eye", 0.5, -0.5, 0.5, -0.5)
    assert not node.set_parameter("optical_frame_name", "").successful


def test_an_empty_resource_path_is_not_the_current_folder(tmp_path, monkeypatch):
    # `ros2 param set` cannot send an empty list of texts, only [''].
    from rclpy.parameter import Parameter

    from sdf_frames.ros.jobs import load_uri
    from sdf_frames.ros.settings import Settings, apply_values
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    named, empty = [apply_values(Settings(), [Parameter("resource_paths", value=[path])])[0].loading
                    for path in (str(tmp_path), "")]
    assert load_uri("m.sdf", named)[0] is not None
    loaded, (finding,) = load_uri("m.sdf", empty)
    assert loaded is None and finding.code == "M008"
