"""Runs the real node in its own process, and talks to it as any other node would.

Everything stays on the loopback interface, in a domain of its own, so that tests of two work trees can run at once.
"""

import os
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from ros.forked import Forked

TREE = Path(__file__).resolve().parents[2]
PATIENCE = 60.0


@pytest.fixture(scope="session")
def ros_domain():
    """A ROS domain that no other run of the tests on this machine uses, as long as the fixture holds the port."""
    for domain in range(20, 100):
        with socket.socket() as holder:
            try:
                holder.bind(("127.0.0.1", 17000 + domain))
            except OSError:
                continue
            yield domain
            return
    pytest.fail("every ROS domain from 20 to 99 is taken")


@pytest.fixture(scope="session")
def ros_environment(ros_domain):
    """Environment of nodes under test; also set in this process before rclpy starts."""
    loopback = TREE / "tools" / "loopback"
    script = f". {loopback}/loopback.sh {loopback}; env -0"
    done = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, check=True, text=True)
    wanted = ("ROS_", "FAST", "CYCLONEDDS")
    added = dict(line.split("=", 1) for line in done.stdout.split("\0") if line.startswith(wanted))
    added["ROS_DOMAIN_ID"] = str(ros_domain)
    os.environ.update(added)
    return dict(os.environ)


@pytest.fixture(scope="session")
def ros(ros_environment):
    """rclpy, initialised once."""
    rclpy = pytest.importorskip("rclpy")
    rclpy.init()
    yield rclpy
    rclpy.try_shutdown()


class RunningNode:
    """The node in its own process, and a client beside it.

    `heard[topic]` lists the messages received since the start, oldest first.
    """

    def __init__(self, rclpy, environment: dict, log: Path, parameters: dict, resource_paths: list, program: str):
        from diagnostic_msgs.msg import DiagnosticArray
        from rclpy.qos import DurabilityPolicy, QoSProfile
        from std_msgs.msg import String
        from tf2_msgs.msg import TFMessage
        self.rclpy, self.log = rclpy, log
        self.client, self.clients = rclpy.create_node("tester"), {}
        self.latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        # Deep: on a busy machine several messages come before the first is taken, and none may be lost.
        self.hearing = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.heard: dict = {}
        for topic, kind in (("/tf_static", TFMessage), ("/robot_description_sdf", String),
                            ("/diagnostics", DiagnosticArray)):
            self.heard[topic] = []
            take = self._hear_diagnostics if topic == "/diagnostics" else self.heard[topic].append
            self.client.create_subscription(kind, topic, take, self.hearing)
        self.publisher = self.client.create_publisher(String, "/robot_description", self.latched)
        self.process = start_process(environment, log, parameters, resource_paths, program)

    def _hear_diagnostics(self, message) -> None:
        """Keep what is new: the node repeats itself."""
        def key(m):
            return m.status[0].level, m.status[0].message, [v.key for v in m.status[0].values if v.key[1:4].isdigit()]
        if not self.heard["/diagnostics"] or key(self.heard["/diagnostics"][-1]) != key(message):
            self.heard["/diagnostics"].append(message)

    def publish(self, text: str) -> None:
        """Publish a description."""
        from std_msgs.msg import String
        self.publisher.publish(String(data=text))

    def spin_until(self, condition, what: str) -> None:
        """Spin until `condition()`; fail, with the node's log, where it takes too long."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, f"the node ended while waiting for {what}:\n{self.log.read_text()}"
            assert time.monotonic() < end, f"waited in vain for {what}:\n{self.log.read_text()}"
            self.rclpy.spin_once(self.client, timeout_sec=0.05)

    def spin_for(self, seconds: float) -> None:
        """Spin for a time, where nothing is expected to come."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.rclpy.spin_once(self.client, timeout_sec=0.05)

    def wait_for(self, topic: str, count: int = 1):
        """Wait until `count` messages have come on a topic, and return the last."""
        self.spin_until(lambda: len(self.heard[topic]) >= count, f"{count} on {topic}")
        return self.heard[topic][-1]

    def call(self, name: str, **fields):
        """Call one of the node's services."""
        from sdf_frames import srv
        kind = getattr(srv, "".join(word.capitalize() for word in name.split("_")))
        return self.call_type(kind, name, kind.Request(**fields))

    def call_type(self, kind, name: str, request):
        """Call any service."""
        future = self.connect(kind, name).call_async(request)
        self.spin_until(future.done, f"answer of {name}")
        return future.result()

    def connect(self, kind, name: str, **options):
        """Return a client of a service, after the node has heard of the client.

        The client may hear of the node before. The answer to a request that it sends then is lost. The node hears of
        clients in the order of their creation: it knows this one as soon as it answers a later one.
        """
        is_new = name not in self.clients
        if is_new:
            self.clients[name] = self.client.create_client(kind, name, **options)
        self.spin_until(self.clients[name].service_is_ready, f"service {name}")
        if is_new:
            self._ask_until_answered()
        return self.clients[name]

    def _ask_until_answered(self) -> None:
        from rcl_interfaces.srv import GetParameters
        client = self.client.create_client(GetParameters, "/sdf_frames/get_parameters")
        answers: list = []

        def is_answered() -> bool:
            future = client.call_async(GetParameters.Request())
            future.add_done_callback(answers.append)
            self.rclpy.spin_until_future_complete(self.client, future, timeout_sec=1.0)
            return bool(answers)
        self.spin_until(is_answered, "an answer of get_parameters")
        self.client.destroy_client(client)

    def check_tf_until(self, condition, **fields):
        """Call check_tf, each time for longer, until its answer fulfils a condition; return that answer.

        How long DDS needs to find the publishers depends on how busy the machine is.
        """
        answers = []

        def is_fulfilled() -> bool:
            answers.append(self.call("check_tf", duration=min(0.5 * 2 ** len(answers), 8.0), **fields))
            return condition(answers[-1])
        self.spin_until(is_fulfilled, "check_tf")
        return answers[-1]

    def set_parameter(self, name: str, value):
        """Set a parameter over ROS and return the SetParametersResult."""
        from rcl_interfaces.srv import SetParameters
        request = SetParameters.Request(parameters=[self.rclpy.Parameter(name, value=value).to_parameter_msg()])
        return self.call_type(SetParameters, "/sdf_frames/set_parameters", request).results[0]

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Send a signal; return the status and everything the node printed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            status = self.process.wait(timeout=PATIENCE)
        finally:
            self.process.kill()
        return status, self.log.read_text()


def start_process(environment: dict, log: Path, parameters: dict, resource_paths: list, program: str) -> Forked:
    """Start the node with parameters given by a file, as a launch file does."""
    import yaml
    from ament_index_python.packages import get_package_prefix
    if resource_paths:
        parameters = {**parameters, "resource_paths": [str(path) for path in resource_paths]}
    log.touch()
    arguments = ["--ros-args"]
    if parameters:
        file = log.with_suffix(".yaml")
        file.write_text(yaml.safe_dump({"/**": {"ros__parameters": parameters}}))
        arguments += ["--params-file", str(file)]
    return Forked(str(Path(get_package_prefix("sdf_frames"), f"lib/sdf_frames/{program}")), arguments, environment,
                  str(log))


@contextmanager
def run_nodes(ros, environment: dict, folder: Path):
    """Give a factory of running nodes: `start(resource_paths=(), **parameters)`; stop them all at the end."""
    running = []

    def start(resource_paths=(), program="sdf_frames_node", **parameters) -> RunningNode:
        node = RunningNode(ros, environment, folder / f"node{len(running)}.log", parameters, list(resource_paths),
                           program)
        running.append(node)
        return node
    yield start
    for node in running:
        if node.process.poll() is None:
            node.process.kill()
            node.process.wait()
        node.client.destroy_node()


@pytest.fixture
def start_node(ros, ros_environment, tmp_path):
    """Factory of nodes that are stopped after the test."""
    with run_nodes(ros, ros_environment, tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def pendulum_node(ros, ros_environment, tmp_path_factory):
    """One node with the pendulum for all tests of a file that only read; no other node may run beside it."""
    with run_nodes(ros, ros_environment, tmp_path_factory.mktemp("node")) as start:
        node = start(robot_description=PENDULUM)
        node.wait_for("/tf_static")
        yield node


#: Two links on a hinge a metre up, turned by 90 degrees about z; a tip without mass, fixed a metre along the arm.
PENDULUM = """<?xml version="1.0"?>
<robot name="pendulum">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="0.4" iyy="0.5" izz="0.6" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="arm">
    <inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
  <link name="tip"/>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="tip_joint" type="fixed">
    <origin xyz="1 0 0"/>
    <parent link="arm"/>
    <child link="tip"/>
  </joint>
</robot>
"""


@pytest.fixture
def pendulum() -> str:
    """The URDF above."""
    return PENDULUM
