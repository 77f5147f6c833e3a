"""Work beside the executor. Worker processes are halted by SIGSTOP here: nothing depends on the machine's speed."""

import os
import signal
import time
from pathlib import Path

import pytest

pytest.importorskip("rclpy")

from benchmark.stops import is_running, list_descendants

from .conftest import PATIENCE

SLEEPER = "<sdf version='1.9'><model name='{}'><link name='l'/></model></sdf>"


def start_workers(node, description: str) -> None:
    """Have all workers run: the second one for requests starts beside a request that is not answered at once."""
    node.spin_until(lambda: node.call("validate_sdf", sdf=description).valid
                    and len(list_descendants(node.process.pid)) == 3, "the workers")


def halt(node, count: int = 3) -> list[int]:
    """Halt the node's worker processes: one for descriptions, and one or two for requests."""
    node.spin_until(lambda: [*map(is_ready, list_descendants(node.process.pid))] == count * [True], "the workers")
    workers = list_descendants(node.process.pid)
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    return workers


def is_ready(pid: int) -> bool:
    """Whether a worker process has been prepared: it ignores SIGTERM from then on."""
    ignored = Path(f"/proc/{pid}/status").read_text().partition("SigIgn:")[2].split()[0]
    return bool(int(ignored, 16) >> signal.SIGTERM - 1 & 1)


def go_on(workers: list[int]) -> None:
    for pid in workers:
        os.kill(pid, signal.SIGCONT)


@pytest.fixture
def node(start_node, pendulum):
    running = start_node(robot_description=pendulum)
    running.wait_for("/tf_static")
    running.wait_for("/diagnostics")
    start_workers(running, pendulum)
    return running


def ask(node, name: str, **fields):
    """Send a request and return the future of its answer."""
    from sdf_frames import srv
    kind = getattr(srv, "".join(word.capitalize() for word in name.split("_")))
    return node.connect(kind, name).call_async(kind.Request(**fields))


def test_other_requests_are_answered_during_long_work(node):
    from rcl_interfaces.srv import GetParameters
    workers = halt(node)
    slow = ask(node, "compute_inertia", recompute=True)
    node.publish(SLEEPER.format("next"))
    node.spin_until(lambda: "Received robot_description by topic" in node.log.read_text(),
                    "the description to be taken")
    assert node.call("resolve_frame", frame="tip").success
    assert len(node.call("get_frames").frames) == 6
    assert node.call("validate_sdf").valid
    assert node.call_type(GetParameters, "/sdf_frames/get_parameters", GetParameters.Request(names=["tf_mode"])).values
    assert not slow.done() and len(node.heard["/tf_static"]) == 1
    go_on(workers)
    node.spin_until(slow.done, "the slow answer")
    assert {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms} == {"next"}


def test_looking_for_similar_names_does_not_hold_up_the_node(node):
    workers = halt(node)
    unknown = ask(node, "resolve_frame", frame="tib")
    assert len(node.call("get_frames").frames) == 6 and node.call("resolve_frame", frame="tip").success
    assert not unknown.done()
    go_on(workers)
    node.spin_until(unknown.done, "the answer")
    (finding,) = unknown.result().diagnostics
    assert finding.hint == "did you mean tip?"


def test_a_request_does_not_hold_up_a_description(node):
    readers, *others = list_descendants(node.process.pid)
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    slow = ask(node, "compute_inertia", recompute=True)
    node.publish(SLEEPER.format("next"))
    assert {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms} == {"next"}
    assert not slow.done()
    go_on(others)
    node.spin_until(slow.done, "the slow answer")


def test_only_the_newest_waiting_description_is_read(node):
    workers = halt(node)
    for number, text in enumerate(("first", "second", "third", "fourth")):
        node.publish(SLEEPER.format(text))
        # The first is being read, the second waits, the others overtake.
        wanted = "Received robot_description by topic" if number == 0 else "the previous one is skipped"
        node.spin_until(lambda: number == 1 or node.log.read_text().count(wanted) == max(number - 1, 1), text)
        # An executor takes messages before requests: after an answer, the description has been taken.
        assert node.call("get_frames").success
    go_on(workers)
    node.spin_until(lambda: node.heard["/tf_static"][-1].transforms[0].child_frame_id == "fourth", "the newest")
    assert [m.transforms[0].child_frame_id for m in node.heard["/tf_static"][1:]] == ["first", "fourth"]


def test_parameters_wait_for_their_turn_and_are_answered(node):
    workers = halt(node)
    node.publish(SLEEPER.format("next"))
    node.spin_until(lambda: "Received robot_description by topic" in node.log.read_text(),
                    "the description to be taken")
    from rcl_interfaces.srv import SetParameters
    future = node.connect(SetParameters, "/sdf_frames/set_parameters").call_async(SetParameters.Request(
        parameters=[node.rclpy.Parameter("frame_prefix", value="r1/").to_parameter_msg()]))
    assert node.call("get_frames").frames and not future.done()
    go_on(workers)
    node.spin_until(future.done, "the parameter's answer")
    assert future.result().results[0].successful
    node.spin_until(lambda: node.heard["/tf_static"][-1].transforms[0].child_frame_id == "r1/next", "both")


def test_a_description_that_comes_while_a_parameter_gives_another_one_is_read_after_it(node):
    from rcl_interfaces.srv import SetParameters
    client = node.connect(SetParameters, "/sdf_frames/set_parameters")
    workers = halt(node)
    given = node.rclpy.Parameter("robot_description", value=SLEEPER.format("given")).to_parameter_msg()
    future = client.call_async(SetParameters.Request(parameters=[given]))
    node.spin_for(0.5)
    node.publish(SLEEPER.format("newer"))
    node.spin_for(0.5)
    go_on(workers)
    node.spin_until(future.done, "the parameter's answer")
    assert future.result().results[0].successful
    assert [m.transforms[0].child_frame_id for m in (node.wait_for("/tf_static", 3), *node.heard["/tf_static"][1:])
            ] == ["newer", "given", "newer"]


def test_the_time_limit_ends_work_and_says_so(node, pendulum):
    assert node.set_parameter("time_limit", 1e-6).successful
    workers = halt(node)  # a busy machine may have the work done before anybody looks at the clock
    answer = node.call("compute_inertia", recompute=True)
    finding, = answer.diagnostics
    assert not answer.success and (finding.code, finding.name) == ("M012", "time-limit-reached")
    assert "after 1e-06 s" in finding.message and "M012" in answer.summary
    node.publish(SLEEPER.format("next"))
    status = node.wait_for("/diagnostics", len(node.heard["/diagnostics"]) + 1).status[0]
    assert status.level == b"\2" and status.values[0].key == "M012 time-limit-reached"
    assert len(node.call("get_frames").frames) == 6, "the last good one stays"
    assert not node.set_parameter("time_limit", 0.0).successful
    # With more time the same description is read, and requests are answered.
    go_on([pid for pid in workers if is_running(pid)])
    assert node.set_parameter("time_limit", 30).successful
    assert {t.child_frame_id for t in node.wait_for("/tf_static", 2).transforms} == {"next"}
    assert node.call("compute_inertia", recompute=True).success


def test_a_new_time_limit_writes_no_urdf_again(start_node):
    node = start_node(robot_description=SLEEPER.format("m"))
    statuses: list = []
    from diagnostic_msgs.msg import DiagnosticArray
    node.client.create_subscription(DiagnosticArray, "/diagnostics", lambda m: statuses.extend(m.status), node.hearing)
    node.spin_until(lambda: any(s.name == "sdf_frames: robot_description_urdf" for s in statuses), "the URDF")
    start_workers(node, SLEEPER.format("m"))
    workers = halt(node)
    assert node.set_parameter("time_limit", 0.2).successful
    statuses.clear()
    node.spin_for(2.5)
    assert {s.message for s in statuses if s.name == "sdf_frames: robot_description_urdf"} == {"valid"}
    go_on(workers)


def test_a_worker_that_is_killed_is_replaced(node):
    workers = halt(node)
    slow = ask(node, "compute_inertia")
    assert node.call("get_frames").frames, "the request before this one was taken"
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    node.spin_until(slow.done, "an answer")
    if slow.result().diagnostics:  # the job may also have come to a process that was new already
        assert [(f.code, f.name) for f in slow.result().diagnostics] == [("M013", "worker-ended")]
    assert node.call("compute_inertia").success
    node.publish(SLEEPER.format("next"))
    node.wait_for("/tf_static", 2)


def test_workers_end_with_a_node_that_is_killed_also_if_they_are_stopped(node):
    workers = halt(node)
    node.process.kill()
    node.process.wait()
    end = time.monotonic() + PATIENCE
    while any(map(is_running, workers)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(is_running, workers))


def test_forty_calls_of_check_tf_at_once_are_answered(node):
    from rclpy.qos import QoSProfile

    from sdf_frames import srv
    # One client keeps ten answers that it has not read yet, unless it is told to keep more; these come all at once.
    client = node.connect(srv.CheckTf, "check_tf", qos_profile=QoSProfile(depth=100))
    futures = [client.call_async(srv.CheckTf.Request(duration=0.5)) for _ in range(40)]
    node.spin_until(lambda: all(future.done() for future in futures), "40 answers")
    assert all(future.result().consistent for future in futures)


def test_a_long_answer_does_not_hold_up_others(start_node):
    frames = "".join(f"<frame name='f{i}'/>" for i in range(8000))
    node = start_node(robot_description=f"<sdf version='1.9'><model name='m'><link name='l'/>{frames}</model></sdf>")
    node.wait_for("/tf_static")
    node.call("resolve_frame")  # so that the second request below follows at once
    done: list[str] = []
    for name, fields in (("get_frames", {}), ("resolve_frame", {"frame": "l"})):
        ask(node, name, **fields).add_done_callback(lambda _, name=name: done.append(name))
    node.spin_until(lambda: len(done) == 2, "both answers")
    assert done == ["resolve_frame", "get_frames"], "16 pieces are built one after the other"


def test_a_urdf_that_takes_too_long_is_on_diagnostics(node):
    assert node.set_parameter("time_limit", 0.5).successful
    reader, *others = list_descendants(node.process.pid)
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    statuses: list = []
    from diagnostic_msgs.msg import DiagnosticArray
    node.client.create_subscription(DiagnosticArray, "/diagnostics", lambda m: statuses.extend(m.status), node.hearing)
    node.publish(SLEEPER.format("next"))
    node.spin_until(lambda: any(s.name == "sdf_frames: robot_description_urdf" and "M012" in s.message
                                for s in statuses), "the limit")
    go_on(list_descendants(node.process.pid))
    assert node.set_parameter("time_limit", PATIENCE).successful
    node.publish(SLEEPER.format("last"))
    node.spin_until(lambda: "robot_description_urdf" in statuses[-1].name and statuses[-1].message == "valid",
                    "the next one")
