"""Show what the node does with a robot: start the node, call each service once, print the answers."""
from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import Any

import rclpy
from ament_index_python.packages import get_package_prefix
from rclpy.signals import SignalHandlerOptions
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

import sdf_frames.srv as srv
from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import align, draw_tree, escape_controls
from sdf_frames.document.writing import write_whole
from sdf_frames.ros import stopping
from sdf_frames.ros.description_files import find_description, guess_resource_paths
from sdf_frames.ros.messages import Message
from sdf_frames.ros.publishing import LATCHED

BUNDLED = "package://sdf_frames/robots/mobile_manipulator/mobile_manipulator.urdf"


class Client:
    """Calls the services of the node that runs in `process`, and hears /tf_static."""

    def __init__(self, process: subprocess.Popen[bytes]):
        self.process, self.heard = process, list[Message]()
        self.node = rclpy.create_node("sdf_frames_demo")
        self.node.create_subscription(TFMessage, "/tf_static", self.heard.append, LATCHED)

    def wait_for(self, condition: Callable[[], object], what: str, patience: float = 120.0) -> None:
        """Spin until `condition()` is true.

        Raises
        ------
        OSError
            The node ended, or `what` did not come in time.
        KeyboardInterrupt
            A signal was noted.
        """
        end = time.monotonic() + patience
        while not condition():
            if stopping.is_noted():
                raise KeyboardInterrupt
            if self.process.poll() is not None:
                raise ChildProcessError(f"the node ended with status {self.process.returncode}")
            if time.monotonic() > end:
                raise TimeoutError(f"waited {patience:.0f} s for {what}")
            rclpy.spin_once(self.node, timeout_sec=0.1)

    def call(self, service_type: Any, name: str, **fields: Any) -> Message:
        """Call a service once and return its response."""
        client = self.node.create_client(service_type, name)
        self.wait_for(client.service_is_ready, f"the service {name}")
        future = client.call_async(service_type.Request(**fields))
        self.wait_for(future.done, f"an answer of {name}")
        return future.result()


def show_robot(client: Client, output: Path | None) -> bool:
    """Call every service, print the answers, and write the SDF to `output`; return whether the robot is valid."""
    _say("reload", client.call(Trigger, "/sdf_frames/reload").message)
    verdict = client.call(srv.ValidateSdf, "validate_sdf")
    _say("validate_sdf", verdict.summary)
    for finding in verdict.diagnostics:
        print(escape_controls(f"line {finding.line}: {finding.severity} {finding.code}: {finding.message}"))
    conversion = client.call(srv.ConvertUrdf, "convert_urdf")
    errors = [finding.message for finding in conversion.diagnostics if finding.severity == "error"]
    _say("convert_urdf", f"not converted: {errors[0]}" if errors else f"{len(conversion.sdf)} characters of SDF")
    if not verdict.valid:
        return False
    inertia = client.call(srv.ComputeInertia, "compute_inertia")
    com = inertia.total.com
    _say("compute_inertia", f"{inertia.summary}, centre of mass {com.x:.3f} {com.y:.3f} {com.z:.3f} m")
    frames = client.call(srv.GetFrames, "get_frames").frames
    _say("get_frames", count_of(len(frames), "frame"))
    found = client.call(srv.ResolveFrame, "resolve_frame", frame=frames[-1].name)
    p = found.pose.position
    _say("resolve_frame", f"{frames[-1].name} is at {p.x:.3f} {p.y:.3f} {p.z:.3f} m, and moves with {found.link}")
    if len({frame.tf_frame for frame in frames if frame.tf_frame}) > 1:  # one frame alone has no transform
        client.wait_for(lambda: client.heard, "/tf_static")
    _say("check_tf", client.call(srv.CheckTf, "check_tf", duration=0.5).summary)
    edges = [(stamped.header.frame_id, stamped.child_frame_id)
             for message in client.heard[-1:] for stamped in message.transforms]
    _say("/tf_static", count_of(len(edges), "transform"))
    print(draw_tree(edges), end="")
    if conversion.report:
        print(*draw_report(conversion.report), sep="\n")
    if output is not None and conversion.success:
        write_whole(str(output), conversion.sdf, "sdf", make_folders=True)
        print(f"SDF written to {escape_controls(str(output))}")
    return True


def _say(service: str, answer: str) -> None:
    print(f"{service + ':':16} {escape_controls(answer)}")


def draw_report(rows: Sequence[Message]) -> list[str]:
    """The conversion report: the count of each action, and a row for every element that was not kept as it was."""
    table = [["element", "name", "action", "into", "line", "reason"]]
    table += [[*map(escape_controls, (row.element, row.name, row.action, row.into, str(row.line or ""), row.reason))]
              for row in rows if row.action != row.KEPT or row.reason]
    counts = [f"{count} {action}" for action, count in Counter(row.action for row in rows).most_common()]
    return [f"Conversion report: {', '.join(counts)}", *align(table, left=range(6))]


def run_demo(robot: str, xacro_arguments: Sequence[str], *, view: bool, once: bool, output_dir: Path | None) -> int:
    """Run the demo and return the exit status; OSError if there is no such file, or if the node does not answer."""
    path = find_description(robot)
    programs = Path(get_package_prefix("sdf_frames")) / "lib/sdf_frames"
    commands = [[str(programs / "sdf_frames_node"), str(path), *xacro_arguments]]
    if view:
        folders = guess_resource_paths(path)
        options = ["--ros-args", "-p", f"resource_paths:={json.dumps(folders)}"] if folders else []
        commands.append([str(programs / "sdf_frames_view"), *options])
    # SIGHUP comes when the terminal is closed; nohup ignores it. No signal interrupts the ending of the processes.
    stopping.note_signals(*[signal.SIGHUP][:signal.getsignal(signal.SIGHUP) != signal.SIG_IGN])
    # In sessions of their own: Ctrl-C at the terminal reaches the demo, which then ends each of them once.
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            processes.append(subprocess.Popen(command, start_new_session=True))
        rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
        client = Client(processes[0])
        valid = show_robot(client, output_dir and output_dir / f"{path.name.split('.')[0]}.sdf")
        if not once:
            print("The node is running; Ctrl-C to stop.", flush=True)
            client.wait_for(lambda: False, "Ctrl-C", patience=inf)
        return 0 if valid else 1
    except KeyboardInterrupt:
        return 0
    finally:
        for process in processes:
            process.send_signal(signal.SIGINT)
        for process in processes:
            process.wait()
        rclpy.try_shutdown()


def main() -> int:
    """Parse the command line and run the demo."""
    parser = argparse.ArgumentParser(prog="sdf_frames_demo", description=__doc__.split("\n")[0])
    parser.add_argument("robot", nargs="?", default=BUNDLED,
                        help="path or package:// URI of a .urdf, .sdf, .world or .xacro (default: the bundled robot)")
    parser.add_argument("xacro_arguments", nargs="*", metavar="NAME:=VALUE", help="argument of the .xacro")
    parser.add_argument("--view", action="store_true", help="also show the robot in the browser")
    parser.add_argument("--once", action="store_true", help="exit after printing instead of running until Ctrl-C")
    parser.add_argument("--output-dir", type=Path, metavar="DIR", help="write ROBOT.sdf to this folder")
    try:
        return run_demo(**vars(parser.parse_args()))
    except OSError as failure:
        print(f"sdf_frames_demo: {escape_controls(str(failure))}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
