"""The one guard of a node: whatever a callback raises, the node lives on, reports it, and answers who asked."""

import gc
import time
from functools import partial, wraps
from inspect import iscoroutinefunction
from unittest.mock import Mock, call

import pytest

pytest.importorskip("rclpy")

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from std_msgs.msg import String

from sdf_frames.ros.descriptions import Turn
from sdf_frames.ros.guard import GuardedNode
from sdf_frames.ros.lifecycle_node import SdfFramesLifecycleNode
from sdf_frames.ros.log import Log
from sdf_frames.ros.node import SdfFramesNode
from sdf_frames.ros.work import Work

from .conftest import PATIENCE
from .test_joint_states import ARM


def spoil(node, callback, calls: list, kind: str = "service"):
    """A callback that fails as long as its node says so of its kind, and counts this."""
    def fail() -> None:
        if node.failing == kind:
            calls.append(callback)
            raise RuntimeError(f"planted in {callback}")

    async def run_later(*received):
        fail()
        return await callback(*received)

    def run(*received):
        fail()
        return callback(*received)
    # rclpy looks at the callback's signature.
    return wraps(callback)(run_later if iscoroutinefunction(callback) else run)


def spoil_creation(create, place: int):
    """A method that creates an entity with a spoilt callback; `place` is that of the callback among the arguments."""
    kind = create.__name__.removeprefix("create_")

    def create_spoilt(node, *arguments, **options):
        calls: list = []
        spoilt = spoil(node, arguments[place], calls, kind)
        entity = create(node, *arguments[:place], spoilt, *arguments[place + 1:], **options)
        node.calls[entity] = calls
        return entity
    return create_spoilt


def make_faulty(kind: type) -> type:
    """A node of a class, each of whose callbacks can be made to fail, whoever has it created."""
    class Faulty(kind):
        def __init__(self, *arguments, **options):
            self.failing, self.calls = "", {}
            super().__init__(*arguments, **options)

        def mend_services(self) -> None:
            super().mend_services()
            for service in self.services:
                if service not in self.calls:  # rclpy makes some by itself
                    service.callback = spoil(self, service.callback, self.calls.setdefault(service, []))

        create_subscription = spoil_creation(kind.create_subscription, 2)
        create_service = spoil_creation(kind.create_service, 2)
        create_timer = spoil_creation(kind.create_timer, 1)
        create_guard_condition = spoil_creation(kind.create_guard_condition, 0)
    return Faulty


class Bench:
    """A node in this process, its executor, and a client."""

    def __init__(self, ros, node):
        self.node, self.client = node, ros.create_node("guard_tester")
        self.executor, self.clients = SingleThreadedExecutor(), SingleThreadedExecutor()
        self.executor.add_node(node)
        self.clients.add_node(self.client)
        self.heard: list = []
        self.client.create_subscription(DiagnosticArray, "/diagnostics", lambda m: self.heard.extend(m.status),
                                        QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL))

    def spin_until(self, condition, what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}"
            self.node.run_guarded(partial(self.executor.spin_once, 0.02))
            self.clients.spin_once(0.01)

    def call(self, kind, name: str, request=None):
        client = self.client.create_client(kind, name)
        self.spin_until(client.service_is_ready, name)
        future = client.call_async(request or kind.Request())
        self.spin_until(future.done, f"an answer of {name}")
        self.client.destroy_client(client)
        return future.result()

    @property
    def heard_faults(self) -> list:
        return [status for status in self.heard if status.name.endswith(": callbacks") and status.level == b"\2"]

    def count_faults(self) -> int:
        values = [value for status in self.heard_faults for value in status.values]
        return max((int(value.value) for value in values if value.key == "faults"), default=0)

    def close(self) -> None:
        for executor in (self.executor, self.clients):
            executor.shutdown()
        self.node.destroy_node()
        self.client.destroy_node()


@pytest.fixture
def start_bench(ros):
    benches: list[Bench] = []

    def start(kind: type, *arguments, **parameters) -> Bench:
        overrides = [Parameter(name, value=value) for name, value in parameters.items()]
        benches.append(Bench(ros, kind(*arguments, parameter_overrides=overrides)))
        return benches[-1]
    yield start
    while benches:
        benches.pop().close()
    gc.collect()  # what rclpy keeps of a node in circles would be found by the next test


@pytest.fixture
def arm_file(tmp_path):
    file = tmp_path / "arm.sdf"
    file.write_text(ARM)
    return str(file)


def provoke(bench: Bench) -> None:
    """Have every entity of the node called, each until its callback has failed."""
    node = bench.node
    node.failing = "subscription"
    for subscription in [s for s in node.subscriptions if s.callback_group.can_execute(s)]:
        publisher = bench.client.create_publisher(
            subscription.msg_type, subscription.topic_name,
            QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        bench.spin_until(lambda: node.calls[subscription] or publisher.publish(subscription.msg_type()),
                         subscription.topic_name)
        bench.client.destroy_publisher(publisher)
    node.failing = "service"
    for service in node.services:
        request = service.srv_type.Request()
        if hasattr(request, "parameters"):
            request.parameters = [Parameter("sensor_frames", value=True).to_parameter_msg()]
        answer = bench.call(service.srv_type, node.resolve_service_name(service.srv_name), request)
        assert node.calls[service], service.srv_name
        assert not getattr(answer, "success", False) and not getattr(answer, "valid", False)
        text = getattr(answer, "message", getattr(answer, "summary", "the node failed; see its log"))
        assert text == "the node failed; see its log", service.srv_name
        if hasattr(answer, "diagnostics"):
            assert [d.name for d in answer.diagnostics] == ["node-fault"]
    node.failing = "timer"
    bench.spin_until(lambda: all(node.calls[timer] for timer in node.timers), "timers")
    node.failing = "guard_condition"
    for guard in node.guards:
        guard.trigger()
    bench.spin_until(lambda: all(node.calls[guard] for guard in node.guards), "guard conditions")
    node.failing = ""



@pytest.mark.parametrize("kind", [SdfFramesNode, SdfFramesLifecycleNode])
def test_every_callback_may_fail_and_the_node_lives(start_bench, arm_file, kind):
    bench = start_bench(make_faulty(kind), model_file=arm_file, watch=True, joint_states=True, monitor=True,
                        use_sim_time=True)
    node = bench.node
    if kind is SdfFramesNode:
        bench.executor.create_task(node.start)
    else:
        node.trigger_configure()
        node.trigger_activate()
    bench.spin_until(lambda: node.count_publishers("/tf"), "the description's publishers")
    provoke(bench)
    bench.spin_until(lambda: bench.count_faults() >= 20, "a finding on /diagnostics")
    assert bench.heard_faults[-1].message.startswith("failed, ") and "M007" in bench.heard_faults[-1].message
    from sdf_frames.srv import ResolveFrame
    assert bench.call(ResolveFrame, "resolve_frame", ResolveFrame.Request(frame="arm::upper")).success
    assert "arm::upper" in {entry.frame.name for entry in node.state.table.entries}


def test_the_lines_of_a_traceback_are_indented_and_other_texts_are_one_line():
    logger = Mock()
    log = Log(logger)
    log.error("Unexpected:", "Traceback\nValueError: x\n[ERROR] forged\x9b\x1b[2J\u202e\n")
    for write in (log.error, log.warning, log.info):
        write("robot 'a\n[ERROR] forged'")
    assert [said.args[0] for said in logger.error.call_args_list] == [
        "Unexpected:\n    Traceback\n    ValueError: x\n    [ERROR] forged\\x9b\\x1b[2J\\u202e",
        r"robot 'a\n[ERROR] forged'"]
    assert logger.warning.call_args == logger.info.call_args == call(r"robot 'a\n[ERROR] forged'")


def test_a_half_filled_answer_is_not_given(start_bench):
    from sdf_frames.srv import ResolveFrame
    bench = start_bench(GuardedNode, "half")

    def fail(request, response):
        response.success, response.link = True, "half"
        raise RuntimeError("the disk\nis gone")
    bench.node.create_service(ResolveFrame, "/half", fail)
    answer = bench.call(ResolveFrame, "/half")
    (finding,) = answer.diagnostics
    assert (finding.name, finding.severity, answer.success, answer.link) == ("node-fault", finding.ERROR, False, "")
    assert finding.message == "sdf_frames could not process this: RuntimeError: the disk"


def test_new_parameters_are_refused_where_the_node_fails(start_bench, monkeypatch):
    from rcl_interfaces.srv import SetParameters, SetParametersAtomically
    bench = start_bench(SdfFramesNode)
    values = [Parameter(name, value=True).to_parameter_msg() for name in ("sensor_frames", "joint_states")]

    def ask(kind, name: str):
        return bench.call(kind, f"/sdf_frames/{name}", kind.Request(parameters=values))
    for broken in ("_apply", "_plan"):
        monkeypatch.setattr(bench.node.descriptions, broken, None)  # to call None is a TypeError
        found = [*ask(SetParameters, "set_parameters").results,
                 ask(SetParametersAtomically, "set_parameters_atomically").result]
        assert [(result.successful, result.reason) for result in found] == [(False, "the node failed; see its log")] * 3
    monkeypatch.undo()
    assert ask(SetParametersAtomically, "set_parameters_atomically").result.successful


def test_what_cannot_be_taken_does_not_make_a_subscription_deaf(start_bench):
    bench = start_bench(SdfFramesNode)
    subscription = next(s for s in bench.node.subscriptions if s.topic_name == "/robot_description")
    publisher = bench.client.create_publisher(String, "/robot_description", QoSProfile(
        depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    subscription.msg_type, right = None, subscription.msg_type
    bench.spin_until(lambda: bench.heard_faults or publisher.publish(String()), "a fault")
    subscription.msg_type = right
    bench.spin_until(lambda: bench.node.state.current or publisher.publish(String(data=ARM)), "a description")


def test_nodes_of_a_process_share_a_timer_and_what_fails_stops_nothing_else(start_bench, monkeypatch):
    monkeypatch.setattr("sdf_frames.ros.guard._SECOND", 0.05)
    bench, calls = start_bench(GuardedNode, "first"), []
    beside = GuardedNode("second", beside=bench.node)

    def fail() -> None:
        raise RuntimeError("planted")

    async def call_later() -> None:
        calls.append("coroutine")
    bench.node.call_each_second(fail)
    beside.call_each_second(lambda: calls.append("function"))
    beside.call_each_second(call_later)
    assert len([*bench.node.timers]) == 1 and not [*beside.timers]
    bench.spin_until(lambda: min(map(calls.count, ("function", "coroutine"))) > 2 and bench.count_faults(), "calls")
    beside.destroy_node()


def test_a_turn_that_is_given_up_wakes_nobody():
    """Its coroutine is closed when the node is gone, and with it what would wake the executor."""
    woken = []
    turn = Turn(lambda future, _: woken.append(future))

    async def hold(then) -> None:
        async with turn:
            await then
    first, second = hold(Future()), hold(Future())
    first.send(None)
    second.send(None)
    first.close()
    assert not woken
    second.close()
    third, fourth = hold(Future()), hold(Future())
    turn = Turn(lambda future, _: woken.append(future))
    third.send(None)
    fourth.send(None)
    with pytest.raises(RuntimeError, match="planted"):
        third.throw(RuntimeError("planted"))
    assert len(woken) == 1, "a fault passes the turn on"
    fourth.close()


def test_a_transition_that_fails_is_reported_and_can_be_tried_again(start_bench, monkeypatch, arm_file):
    from lifecycle_msgs.srv import ChangeState
    bench = start_bench(SdfFramesLifecycleNode, model_file=arm_file)

    def change(number: int) -> bool:
        request = ChangeState.Request()
        request.transition.id = number
        return bench.call(ChangeState, "/sdf_frames/change_state", request).success
    monkeypatch.setattr(bench.node, "read_now", None)
    assert not change(1), "configure"
    bench.spin_until(bench.count_faults, "the fault")
    monkeypatch.undo()
    assert change(1)
    monkeypatch.setattr(bench.node, "activate", None)
    assert not change(3), "activate"
    monkeypatch.undo()
    assert change(1) and change(3)


def test_the_node_that_shows_the_robot_passes_the_guard_too(start_bench):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    from sdf_frames.ros.viewing import RobotView
    from sdf_frames.view.page import Page
    bench = start_bench(make_faulty(GuardedNode), "sdf_frames_view")
    page = Page(port=0)
    try:
        view = RobotView(bench.node, page)
        provoke(bench)
        bench.spin_until(bench.count_faults, "a finding on /diagnostics")
        publisher = bench.client.create_publisher(String, "/robot_description_sdf", QoSProfile(
            depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        bench.spin_until(lambda: view.page.shown or publisher.publish(String(data=ARM)), "the robot")
    finally:
        page.close()


class NewerFuture(Future):
    """A future as newer versions of rclpy have it."""

    def __await__(self):
        if not self.done():
            yield self
        assert self.done(), "Future awaited a second time before it was done"
        return self.result()


@pytest.mark.parametrize("kind", [Future, NewerFuture])
def test_a_coroutine_that_blocks_the_node_waits_for_its_own_answer(kind):
    work, other, own = Work(Mock(), Mock(_pools=(Mock(), Mock()))), kind(), kind()
    work.finish(other)
    work.finish(own, "answer")

    async def wait() -> str:
        return await own
    assert work.run_now(wait()) == "answer" and other.done()
