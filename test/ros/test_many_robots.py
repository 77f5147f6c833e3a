"""Several robots in one process: each has its namespace, parameters and topics; the worker processes are shared."""
from __future__ import annotations

import subprocess

import pytest
from urdf_text import joint, link, robot

pytest.importorskip("rclpy")

from ament_index_python.packages import get_package_prefix
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

import sdf_frames.srv as srv
from benchmark.stops import is_running, list_descendants
from sdf_frames.ros.node import read_arguments

from .forked import Forked

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
TEXT = robot(link("base", 1), link("tip", 1), link("fixed", 1), joint("j", "continuous", "base", "tip"),
             joint("f", "fixed", "base", "fixed"))


@pytest.fixture
def robots(ros, ros_environment, tmp_path):
    """Three robots: the last waits for its topic. A client, and what it heard."""
    (tmp_path / "r.urdf").write_text(TEXT)
    (tmp_path / "robots.yaml").write_text("".join(
        f"r{i}: {{frame_prefix: r{i}/, joint_states: true{more}}}\n"
        for i, more in enumerate([f", model_file: '{tmp_path}/r.urdf'"] * 2 + [""])))
    (tmp_path / "log").touch()
    process = Forked(f"{get_package_prefix('sdf_frames')}/lib/sdf_frames/sdf_frames_node",
                     ["--robots", str(tmp_path / "robots.yaml")], ros_environment, str(tmp_path / "log"))
    client, heard = ros.create_node("tester"), {"/tf": {}, "/tf_static": {}}
    for topic, found in heard.items():
        client.create_subscription(TFMessage, topic, lambda message, found=found: found.update(
            {t.child_frame_id: t for t in message.transforms}), LATCHED if topic == "/tf_static" else 100)

    def wait_for(condition) -> None:
        for _ in range(1200):
            if condition():
                return
            assert process.poll() is None, (tmp_path / "log").read_text()
            ros.spin_once(client, timeout_sec=0.05)
        pytest.fail((tmp_path / "log").read_text())
    yield client, heard, wait_for, process
    client.destroy_node()
    process.send_signal(15)
    assert process.wait(30) == 0


def test_each_has_its_own_topics_and_all_share_the_workers(robots):
    client, heard, wait_for, process = robots
    wait_for(lambda: {"r0/fixed", "r1/fixed"} <= heard["/tf_static"].keys())
    assert "r2/fixed" not in heard["/tf_static"]
    readers = [pid for pid in list_descendants(process.pid) if is_running(pid)]
    assert len(readers) == 1, "the processes for requests start with the first request"
    client.create_publisher(String, "/r2/robot_description", LATCHED).publish(String(data=TEXT))
    wait_for(lambda: "r2/fixed" in heard["/tf_static"])
    states = client.create_publisher(JointState, "/r1/joint_states", 10)

    def has_turned() -> bool:
        states.publish(JointState(name=["j"], position=[1.0]))
        return "r1/tip" in heard["/tf"] and heard["/tf"]["r1/tip"].transform.rotation.w < 0.9
    wait_for(has_turned)
    assert all(heard["/tf"][f"r{i}/tip"].transform.rotation.w == 1 for i in (0, 2) if f"r{i}/tip" in heard["/tf"])
    request = client.create_client(srv.ResolveFrame, "/r2/resolve_frame")
    wait_for(request.service_is_ready)
    answer = request.call_async(srv.ResolveFrame.Request(frame="r2/fixed"))
    wait_for(answer.done)
    assert answer.result().success
    assert len(list_descendants(process.pid)) <= 4, "as many as one robot has"


def test_the_parameters_of_robots(tmp_path):
    file = tmp_path / "robots.yaml"
    file.write_text("a: {model_file: x.sdf, publish_frequency: 50}\nb/c:\n")
    found = read_arguments(["p", "--robots", str(file)])
    assert {space: {p.name: p.value for p in given} for space, given in found.items()} == {
        "a": {"model_file": "x.sdf", "publish_frequency": 50}, "b/c": {}}


@pytest.mark.parametrize("text", [
    "", "[1]", "a: 5", "a: {", "\0", "a: {limits: [x, 1]}", "a: {limits: {x: 1}}", "a:\n/a:\n",
    "a:\na/:\n", "1:\n'1':\n", f"a: {{time_limit: {2**63}}}", f"a: {{time_limit: {-2**63 - 1}}}",
    f"a: {{limits: [{2**63}]}}"])
def test_a_file_of_robots_that_cannot_be_used_is_refused(tmp_path, text):
    file = tmp_path / "robots.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"--robots .*robots\.yaml: "):
        read_arguments(["p", "--robots", str(file)])
    with pytest.raises(ValueError, match="No such file"):
        read_arguments(["p", "--robots", str(tmp_path / "none")])


def test_a_refused_value_is_told_with_its_robot(ros_environment, tmp_path):
    (tmp_path / "robots.yaml").write_text("a: {resource_paths: [], limits: []}\nb: {massless: never}\n")
    ended = subprocess.run([f"{get_package_prefix('sdf_frames')}/lib/sdf_frames/sdf_frames_node", "--robots",
                            str(tmp_path / "robots.yaml")], env=ros_environment, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "sdf_frames_node: b: massless is 'never', not one of 'frame', 'keep', 'error'\n" in ended.stderr
