"""Show what the node does with a robot: publish its description, call each service once, print what comes back.

    sdf_frames_demo [ROBOT [NAME:=VALUE ...]] [--start-node] [--view] [--once] [--output-dir DIR]

A client like any other: all it shows came over topics and services.
"""
from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from math import degrees
from pathlib import Path
from typing import Any

from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import Terminal, align, draw_tree, escape_controls, find_terminal
from sdf_frames.document.expanded import split_arguments
from sdf_frames.document.numbers import format_number
from sdf_frames.document.writing import write_whole
from sdf_frames.ros.untyped import Message
from sdf_frames.spatial.pose import rpy_from_quaternion

BUNDLED = "package://sdf_frames/robots/mobile_manipulator/mobile_manipulator.urdf"

#: Seconds to wait for the node and for an answer; a large robot's mesh inertias take their time.
_PATIENCE = 120.0

#: Seconds of waiting after which the demo says what it waits for.
_SILENCE = 3.0


class DemoFailed(Exception):
    """The demo cannot go on; the message is for the person at the terminal."""


class Client:
    """The demo's own node.

    Parameters
    ----------
    description
        Text to publish on robot_description.
    process
        The node's process where the demo started it; its end ends the waiting.
    """

    def __init__(self, description: str, process: subprocess.Popen[bytes] | None):
        import rclpy
        from diagnostic_msgs.msg import DiagnosticArray
        from std_msgs.msg import String
        from tf2_msgs.msg import TFMessage

        from sdf_frames.ros.publishing import LATCHED
        self.rclpy, self.process = rclpy, process
        self.received: dict[str, Message] = {}
        self.node = rclpy.create_node("sdf_frames_demo")
        for name, kind in (("/tf_static", TFMessage), ("robot_description_sdf", String),
                           ("/diagnostics", DiagnosticArray)):
            self.node.create_subscription(kind, name, lambda message, name=name: self.received.update({name: message}),
                                          LATCHED)
        self.publisher = self.node.create_publisher(String, "robot_description", LATCHED)
        self.publisher.publish(String(data=description))

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Spin until `condition()` is true.

        Raises
        ------
        DemoFailed
            The node ended, or `what` did not come in time.
        """
        start, is_noticed = time.monotonic(), False
        while not condition():
            if time.monotonic() > start + _PATIENCE:
                raise DemoFailed(f"waited {_PATIENCE:.0f} s for {what}")
            if time.monotonic() > start + _SILENCE and not is_noticed:
                is_noticed = True
                hint = "; --start-node starts the node" if self.process is None else ""
                print(f"Waiting for {what}{hint}", file=sys.stderr, flush=True)
            self.spin_once()

    def spin_once(self) -> None:
        """Spin for a moment; DemoFailed if the node has ended."""
        if self.process is not None and self.process.poll() is not None:
            raise DemoFailed(f"the node ended with status {self.process.returncode}")
        self.rclpy.spin_once(self.node, timeout_sec=0.1)

    def call(self, service_type: Any, name: str, **fields: Any) -> Message:
        """Call a service once and return its response."""
        client = self.node.create_client(service_type, name)
        self.wait_for(client.service_is_ready, f"the service {name}")
        future = client.call_async(service_type.Request(**fields))
        self.wait_for(future.done, f"an answer of {name}")
        self.node.destroy_client(client)
        return future.result()


def start_program(name: str, resource_paths: list[str]) -> subprocess.Popen[bytes]:
    """Start one of the package's nodes in a process of its own."""
    from ament_index_python.packages import get_package_prefix
    program = Path(get_package_prefix("sdf_frames")) / "lib/sdf_frames" / name
    paths = "[" + ", ".join("'" + path.replace("'", "''") + "'" for path in resource_paths) + "]"
    command = [str(program)] + (["--ros-args", "-p", f"resource_paths:={paths}"] if resource_paths else [])
    # A process group of its own: Ctrl-C at the terminal reaches the demo, which then stops the node once.
    return subprocess.Popen(command, start_new_session=True)


def stop_program(process: subprocess.Popen[bytes]) -> int:
    """Stop a node as Ctrl-C does, and return its status."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        return process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def show_robot(client: Client, path: Path, output_dir: Path | None) -> bool:
    """Call every service and print all there is to see; return whether the robot is valid.

    The SDF is written to `output_dir`, if there is one.
    """
    terminal = find_terminal(sys.stdout)
    conversion = _show_verdicts(client, path, terminal)
    if conversion is None:
        return False
    _show_numbers(client)
    transforms = client.received["/tf_static"].transforms
    roots = {t.header.frame_id for t in transforms} - {t.child_frame_id for t in transforms}
    trees = f"/tf_static: {count_of(len(transforms), 'transform')}, {count_of(len(roots), 'tree')}"
    print(terminal.paint(trees, "bold"))
    print(draw_tf_trees(transforms, terminal), end="")
    if conversion.report:
        print(*draw_report(conversion.report), sep="\n")
    if output_dir is not None:
        output_dir.mkdir(parents=True, exist_ok=True)
        written = output_dir / f"{path.name.split('.')[0]}.sdf"
        write_whole(str(written), client.received["robot_description_sdf"].data, "sdf")
        print(f"SDF written to {escape_controls(str(written))}")
    return True


def _show_verdicts(client: Client, path: Path, terminal: Terminal) -> Message | None:
    """Print what is found on the description and whether it is converted; the conversion, None of an invalid robot."""
    import sdf_frames.srv as srv
    client.wait_for(lambda: "/diagnostics" in client.received, "the node's verdict")

    verdict = client.call(srv.ValidateSdf, "validate_sdf")
    print(terminal.paint(escape_controls(path.name), "bold"))
    # A summary goes on with its worst finding, which is also printed.
    print(f"validate_sdf:    {escape_controls(verdict.summary.partition(';')[0])}")
    for finding in verdict.diagnostics:
        said = escape_controls(f"{finding.code} {finding.name}: {finding.message}")
        place, hint = f" (line {finding.line})" if finding.line else "", escape_controls(finding.hint)
        print(f"{terminal.paint(finding.severity, finding.severity)} {said}{place}", *[hint] * bool(hint), sep="\n    ")

    conversion = client.call(srv.ConvertUrdf, "convert_urdf")
    if any(finding.name == "not-a-urdf" for finding in conversion.diagnostics):
        print("convert_urdf:    not needed, the description is SDF already")
    else:
        what = f"converted, {len(conversion.sdf)} characters of SDF" if conversion.success else "not converted"
        print(f"convert_urdf:    {what}")
    return conversion if verdict.valid else None


def _show_numbers(client: Client) -> None:
    """Print the masses, a frame, and whether TF agrees, once there is TF."""
    import sdf_frames.srv as srv
    inertia = client.call(srv.ComputeInertia, "compute_inertia")
    centre = inertia.total.com
    print(f"compute_inertia: {escape_controls(inertia.summary)}, centre of mass "
          f"{centre.x:.4g} {centre.y:.4g} {centre.z:.4g} m")
    frames = client.call(srv.GetFrames, "get_frames").frames
    print(f"get_frames:      {count_of(len(frames), 'frame')}")
    if frames:
        last = frames[-1]
        found = client.call(srv.ResolveFrame, "resolve_frame", frame=last.name)
        p = found.pose.position
        print(f"resolve_frame:   {escape_controls(last.name)} is at {p.x:.4g} {p.y:.4g} {p.z:.4g} m, "
              f"and moves with {escape_controls(found.link)}")
    client.wait_for(lambda: {"/tf_static", "robot_description_sdf"} <= client.received.keys(), "/tf_static and the SDF")
    print(f"check_tf:        {escape_controls(client.call(srv.CheckTf, 'check_tf', duration=0.5).summary)}")


def draw_picture(path: Path, xacro_arguments: Mapping[str, str], output_dir: Path) -> None:
    """Draw the robot to `output_dir`, or say how to, where pyvista is not installed."""
    if not find_spec("pyvista"):
        print("No picture, as pyvista is not installed: 'make picture' draws one")
        return
    picture = output_dir / f"{path.name.split('.')[0]}.png"
    picture.unlink(missing_ok=True)
    words = [str(path), *(f"{name}:={value}" for name, value in xacro_arguments.items())]
    subprocess.run([sys.executable, "-m", "sdf_frames", "view", *words, "--png", str(picture)], check=False,
                   capture_output=True)  # the node has reported the errors
    if picture.exists():
        print(f"Picture: {escape_controls(str(picture))}")


def draw_tf_trees(transforms: Sequence[Message], terminal: Terminal = Terminal()) -> str:
    """Draw the transforms of a TFMessage as trees.

    Behind each frame stands its place in its parent: x y z in metres, and roll pitch yaw in degrees where it is turned.
    """
    places = {stamped.child_frame_id: _describe_place(stamped.transform) for stamped in transforms}
    return draw_tree([(stamped.header.frame_id, stamped.child_frame_id) for stamped in transforms],
                     notes={name: place for name, place in places.items() if place != "0 0 0"}, terminal=terminal)


def _describe_place(transform: Message) -> str:
    t, q = transform.translation, transform.rotation
    turn = [round(degrees(angle), 2) + 0.0 for angle in rpy_from_quaternion(q.w, q.x, q.y, q.z)]
    place = " ".join(format_number(round(value, 4) + 0.0) for value in (t.x, t.y, t.z))
    return f"{place}  ↻ {' '.join(map(format_number, turn))}°" if any(turn) else place


def draw_report(rows: Sequence[Message]) -> list[str]:
    """The conversion report: the count of each action, and a row for every element that was not kept as it was."""
    counts = Counter(row.action for row in rows)
    table = [[escape_controls(cell) for cell in (row.element, row.name, row.action, row.into, str(row.line or ""),
                                                 row.reason)] for row in rows if row.action != row.KEPT or row.reason]
    counted = f"; not listed: {unlisted} kept" if (unlisted := len(rows) - len(table)) else ""
    heads = ["element", "name", "action", "into", "line", "reason"]
    return [f"Conversion report: {', '.join(f'{count} {action}' for action, count in counts.most_common())}{counted}",
            *align([heads, *table] if table else [], left=range(6))]


def run_demo(arguments: argparse.Namespace) -> int:
    """Run the demo and return the exit status.

    Raises
    ------
    DemoFailed
        The robot cannot be read, or the node does not answer.
    """
    import rclpy
    from rclpy.executors import ExternalShutdownException

    from sdf_frames.ros.description_files import find_description, guess_resource_paths, read_description_file
    try:
        path = find_description(arguments.robot or BUNDLED)
        description, _ = read_description_file(path, arguments.xacro_arguments)
    except (OSError, ValueError) as error:
        raise DemoFailed(str(error)) from error
    paths = guess_resource_paths(path) if arguments.robot else []
    process, viewer = start_program("sdf_frames_node", paths) if arguments.start_node else None, None
    try:
        rclpy.init()
        client = Client(description, process)
        if arguments.view:
            viewer = start_program("sdf_frames_view", paths)
        valid = show_robot(client, path, arguments.output_dir)
        if valid and arguments.output_dir:
            draw_picture(path, arguments.xacro_arguments, arguments.output_dir)
        if not arguments.once:
            print("The node is running; Ctrl-C to stop." if process else
                  "The description stays published; Ctrl-C to stop.", flush=True)
            while True:
                client.spin_once()
        return 0 if valid else 1
    except (KeyboardInterrupt, ExternalShutdownException):
        return 0
    finally:
        if viewer is not None:
            stop_program(viewer)
        if process is not None:
            status = stop_program(process)
            if status:
                print(f"The node ended with status {status}", file=sys.stderr)
        rclpy.try_shutdown()


def main(args: list[str] | None = None) -> int:
    """Parse the command line and run the demo."""
    parser = argparse.ArgumentParser(prog="sdf_frames_demo", description=__doc__.split("\n")[0])
    parser.add_argument("robot", nargs="*",
                        help="path or package:// URI of a .urdf, .sdf, .world or .xacro (default: the bundled "
                             "robot); NAME:=VALUE is an argument of the .xacro")
    parser.add_argument("--start-node", action="store_true", help="also start the node, and stop it at the end")
    parser.add_argument("--view", action="store_true", help="also show the robot in the browser")
    parser.add_argument("--once", action="store_true", help="exit after printing instead of running until Ctrl-C")
    parser.add_argument("--output-dir", type=Path, metavar="DIR",
                        help="write ROBOT.sdf and ROBOT.png, a picture, to this folder")
    arguments = parser.parse_args(args)
    robots, arguments.xacro_arguments = split_arguments(arguments.robot)
    if len(robots) > 1:
        parser.error("give one robot only")
    arguments.robot = next(iter(robots), None)
    try:
        return run_demo(arguments)
    except DemoFailed as failure:
        print(f"sdf_frames_demo: {escape_controls(str(failure))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
