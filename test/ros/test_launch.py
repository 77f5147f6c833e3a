"""`ros2 launch` with the launch file, where it is installed."""

import math
import os
import shutil
import signal
import subprocess
import time

import pytest

pytest.importorskip("launch_ros", reason="ros2 launch is not installed; it is not on PyPI")
pytestmark = pytest.mark.skipif(shutil.which("ros2") is None, reason="ros2 launch is not installed")

XACRO = """<robot name="$(arg name)" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="length" default="1"/>
  <link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <link name="tip"/>
  <joint name="tip_joint" type="fixed"><parent link="base"/><child link="tip"/><origin xyz="$(arg length) 0 0"/></joint>
</robot>
"""


@pytest.fixture
def launch(ros_environment, tmp_path):
    """Factory of running launches of `convert.launch.py`: process and log. They are ended after the test."""
    running = []

    def start(*arguments, file="convert.launch.py"):
        log = tmp_path / f"launch{len(running)}.log"
        with log.open("w") as out:
            running.append(subprocess.Popen(["ros2", "launch", "sdf_frames", file, *arguments], stdout=out,
                                            stderr=subprocess.STDOUT,
                                            env={**ros_environment, "ROS_LOG_DIR": str(tmp_path)},
                                            start_new_session=True))
        return running[-1], log
    yield start
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)  # its node, too
            process.wait()


ARM = """<sdf version="1.12"><model name="arm"><link name="base"/>
  <link name="upper"><pose>0 0 1 0 0 0</pose></link><link name="wheel"><pose>1 0 0 0 0 0</pose></link>
  <joint name="hinge" type="revolute"><parent>base</parent><child>upper</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="caster" type="ball"><parent>base</parent><child>wheel</child></joint>
  <frame name="look" attached_to="upper"><pose>0 0 2 0 0 0</pose></frame></model></sdf>"""


def test_an_sdf_beside_robot_state_publisher(launch, ros, tmp_path):
    from ament_index_python.packages import get_packages_with_prefixes
    if "robot_state_publisher" not in get_packages_with_prefixes():
        pytest.skip("robot_state_publisher is not installed; it is not on PyPI")
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from sensor_msgs.msg import JointState
    from tf2_msgs.msg import TFMessage
    file = tmp_path / "arm.sdf"
    file.write_text(ARM)
    process, log = launch(f"model:={file}", "robot_state_publisher:=true")
    client = ros.create_node("tester")
    edges: dict = {}

    def take(message):
        for t in message.transforms:
            edges.setdefault(t.child_frame_id, set()).add((t.header.frame_id, round(t.transform.rotation.y, 6)))
    for topic in ("/tf", "/tf_static"):
        client.create_subscription(TFMessage, topic, take, QoSProfile(depth=100, durability=(
            DurabilityPolicy.TRANSIENT_LOCAL if topic == "/tf_static" else DurabilityPolicy.VOLATILE)))
    states = client.create_publisher(JointState, "/joint_states", 10)
    state = JointState(name=["hinge"], position=[1.0])
    end = time.monotonic() + 60
    while not {"upper", "wheel", "look", "arm"} <= edges.keys() or (
            "base", round(math.sin(0.5), 6)) not in edges["upper"]:
        assert process.poll() is None and time.monotonic() < end, f"{edges}\n{log.read_text()}"
        state.header.stamp = client.get_clock().now().to_msg()
        states.publish(state)
        ros.spin_once(client, timeout_sec=0.1)
    client.destroy_node()
    assert {child: {parent for parent, _ in places} for child, places in edges.items()} == {
        "upper": {"base"}, "wheel": {"base"}, "look": {"upper"}, "arm": {"base"}, "hinge": {"upper"},
        "caster": {"wheel"}}


@pytest.mark.parametrize("kind", ["py", "xml", "yaml"])
def test_a_xacro_with_arguments(launch, ros, tmp_path, kind):
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from tf2_msgs.msg import TFMessage
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(XACRO)
    process, log = launch(f"model:={file}", "xacro_args:=name:=left length:=2.5 lenght:=3", "namespace:=l",
                          "frame_prefix:=l/", "use_sim_time:=True", file=f"convert.launch.{kind}")
    client = ros.create_node("tester")
    heard = []
    client.create_subscription(TFMessage, "/tf_static", heard.append,
                               QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    end = time.monotonic() + 30
    while not heard:
        assert process.poll() is None and time.monotonic() < end, log.read_text()
        ros.spin_once(client, timeout_sec=0.1)
    client.destroy_node()
    places = {(t.header.frame_id, t.child_frame_id): t.transform.translation.x for t in heard[0].transforms}
    assert places == {("l/base", "l/left"): 0.0, ("l/base", "l/tip_joint"): 2.5, ("l/tip_joint", "l/tip"): 0.0}
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0, log.read_text()
    assert "process has finished cleanly" in log.read_text()
    assert f"({file}) [this file declares the arguments name, length; did you mean 'length'?]" in log.read_text()


@pytest.mark.parametrize("arguments, reason", [
    (["model:=none.urdf"], "the argument model: none.urdf: there is no file"),
    (["model:=package://sdf_frames/launch"], "has no model.config that names a file in it"),
    (["model:=package://no_such_package/a.urdf"], "there is no package 'no_such_package'"),
    (["model:=package://sdf_frames/package.xml", "xacro_args:=left"], "'left' in xacro_args is not NAME:=VALUE"),
    (["strict:=true", "robot_description:=<robot name='r'/>"], "the model has errors: R002"),
    (["params_file:=none.yaml"], "the argument params_file: there is no file none.yaml"),
    (["publish_frequency:=often"], "the argument publish_frequency: could not convert string to float: 'often'"),
    (["time_limit:=0"], "the argument time_limit is 0.0, not from 1e-06 to 86400 s"),
    (["massless:=other"], "Valid options are: ['frame', 'keep', 'error']"),
    (["rviz:=perhaps"], "Valid options are: ['true', 'false', 'True', 'False']"),
])
def test_an_unreadable_model_ends_the_launch_with_the_reason(launch, arguments, reason):
    process, log = launch(*arguments)
    assert process.wait(30) == 1
    assert reason in log.read_text() and "process started" not in log.read_text()


def test_a_missing_package_ends_the_launch_before_anything_is_started(launch):
    from ament_index_python.packages import get_packages_with_prefixes
    if "rviz2" in get_packages_with_prefixes():
        pytest.skip("rviz2 is installed")
    process, log = launch("model:=package://sdf_frames/robots/mobile_manipulator/mobile_manipulator.urdf",
                          "robot_state_publisher:=true", "rviz:=true")
    assert process.wait(30) == 1
    text = log.read_text()
    assert "process started" not in text, "launch would leave it behind"
    assert "the package r" in text and " is not installed" in text


def test_strict_names_the_place_in_a_xacro(launch, tmp_path):
    (tmp_path / "r.urdf.xacro").write_text("<robot name='r'>\n\n<link/></robot>")
    process, log = launch(f"model:={tmp_path / 'r.urdf.xacro'}", "strict:=true")
    assert process.wait(30) == 1
    assert f"({tmp_path / 'r.urdf.xacro'}:3)" in log.read_text()


def test_the_example_of_parameters_leaves_tf_to_robot_state_publisher(launch):
    from ament_index_python.packages import get_package_share_directory, get_packages_with_prefixes
    if "robot_state_publisher" not in get_packages_with_prefixes():
        pytest.skip("robot_state_publisher is not installed; it is not on PyPI")
    process, log = launch("model:=package://sdf_frames/robots/mobile_manipulator/mobile_manipulator.urdf",
                          "robot_state_publisher:=true",
                          f"params_file:={get_package_share_directory('sdf_frames')}/config/sdf_frames.yaml")
    end = time.monotonic() + 60
    while "static transforms" not in log.read_text():
        assert process.poll() is None and time.monotonic() < end, log.read_text()
        time.sleep(0.1)
    # 24 joints and the model's own frame; robot_state_publisher has the links.
    assert "Published 25 static transforms" in log.read_text()


def test_robot_state_publisher_is_not_started_on_what_it_cannot_read(launch):
    from ament_index_python.packages import get_packages_with_prefixes
    if "robot_state_publisher" not in get_packages_with_prefixes():
        pytest.skip("robot_state_publisher is not installed; it is not on PyPI")
    process, log = launch("robot_description:=<robot name='r'/>", "robot_state_publisher:=true")
    end = time.monotonic() + 60
    while "R002 robot-without-links" not in log.read_text():
        assert process.poll() is None and time.monotonic() < end, log.read_text()
        time.sleep(0.1)
    text = log.read_text()
    assert "[WARNING] [sdf_frames]: robot_state_publisher is not started: " in text and "process has died" not in text


def test_a_robot_with_a_tf_tree_and_a_node_of_its_own(launch, ros):
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from tf2_msgs.msg import TFMessage
    process, log = launch("model:=package://sdf_frames/robots/mobile_manipulator/mobile_manipulator.urdf",
                          "namespace:=r1", "tf_in_namespace:=true", "node_name:=converter", "log_level:=error",
                          "limits:=elements=50000 seconds=50", "publish_frequency:=50")
    client, heard = ros.create_node("listener"), []
    client.create_subscription(TFMessage, "/r1/tf_static", heard.append,
                               QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    end = time.monotonic() + 60
    while not heard:
        assert process.poll() is None and time.monotonic() < end, log.read_text()
        ros.spin_once(client, timeout_sec=0.1)
    assert ("converter", "/r1") in client.get_node_names_and_namespaces()
    assert not client.get_publishers_info_by_topic("/tf_static")
    assert "Published" not in log.read_text(), "an information"
    client.destroy_node()


def test_several_robots_have_the_namespaces_of_their_file_and_share_the_arguments(launch, ros, tmp_path):
    from rcl_interfaces.srv import GetParameters
    (tmp_path / "robots.yaml").write_text("a: {frame_prefix: a/}\nb:\n")
    process, log = launch(f"robots:={tmp_path / 'robots.yaml'}", "sensor_frames:=true")
    client = ros.create_node("asking")
    end = time.monotonic() + 60
    while not {("sdf_frames", "/a"), ("sdf_frames", "/b")} <= {*client.get_node_names_and_namespaces()}:
        assert process.poll() is None and time.monotonic() < end, log.read_text()
        ros.spin_once(client, timeout_sec=0.1)
    asking = client.create_client(GetParameters, "/a/sdf_frames/get_parameters")
    assert asking.wait_for_service(30), log.read_text()
    future = asking.call_async(GetParameters.Request(names=["frame_prefix", "sensor_frames"]))
    ros.spin_until_future_complete(client, future, timeout_sec=30)
    prefix, sensors = future.result().values
    assert (prefix.string_value, sensors.bool_value) == ("a/", True)
    client.destroy_node()


def test_the_log_level_is_that_of_each_robot_and_a_namespace_is_told_to_be_unused(launch, ros, tmp_path):
    (tmp_path / "r.sdf").write_text(ARM)
    (tmp_path / "robots.yaml").write_text(f"a: {{model_file: '{tmp_path}/r.sdf'}}\nb/c: {{massles: x}}\n")
    process, log = launch(f"robots:={tmp_path / 'robots.yaml'}", "log_level:=error", "namespace:=fleet")
    client, end = ros.create_node("listener"), time.monotonic() + 60
    while not client.get_publishers_info_by_topic("/tf_static"):
        assert process.poll() is None and time.monotonic() < end, log.read_text()
        ros.spin_once(client, timeout_sec=0.1)
    time.sleep(2)
    text = log.read_text()
    assert "the argument namespace is not used for the robots" in text
    assert "Published" not in text and "unknown parameter" not in text
    client.destroy_node()


def test_robots_that_cannot_be_read_end_the_launch(launch, tmp_path):
    process, log = launch(f"robots:={tmp_path / 'none.yaml'}")
    assert process.wait(60) == 1
    assert "the argument robots: --robots " in log.read_text() and "No such file" in log.read_text()
