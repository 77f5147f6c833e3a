"""Shows the robot of the topic robot_description_sdf in the browser, moving with joint_states.

    ros2 run sdf_frames sdf_frames_view [--ros-args -p port:=8080 -p host:=127.0.0.1 -p upload:=false
        -p resource_paths:='[DIR]']
"""
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import String

from sdf_frames.api.loading import loads
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.frames.joint_tracker import find_fault, is_motion, name_axes
from sdf_frames.frames.kinematics import MOTIONS
from sdf_frames.ros import stopping
from sdf_frames.ros.guard import GuardedNode, spin
from sdf_frames.ros.log import Log
from sdf_frames.ros.messages import read_transform
from sdf_frames.ros.parameters import warn_of_unknown
from sdf_frames.ros.publishing import LATCHED
from sdf_frames.spatial.pose import Pose
from sdf_frames.view.address import find_host_problem

if TYPE_CHECKING:
    from sdf_frames.api.elements import Joint
    from sdf_frames.view.page import Page

#: Seconds between pictures.
_PERIOD = 0.05

_STATES = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)


class Positions:
    """Positions of joints as :meth:`sdf_frames.RobotDescription.poses` takes them, gathered from messages.

    `joints` are the robot's, by SDF name. Messages may write ``/`` for ``::``.
    """

    def __init__(self, joints: Mapping[str, Joint]):
        self.known: dict[str, Any] = {}
        self._motions = {name: MOTIONS[joint.type] for name, joint in joints.items() if joint.movable}
        self._names = name_axes({name: motion.size for name, motion in self._motions.items()})

    def hear(self, names: Sequence[str], positions: Sequence[float]) -> str | None:
        """Take positions in radians or metres; positions of unknown joints are ignored.

        Return why the state is ignored, as :func:`~sdf_frames.frames.joint_tracker.find_fault` does.
        """
        if (fault := find_fault(names, positions, isfinite)) is not None:
            return fault
        for said, position in reversed([*zip(names, positions)]):  # the first of a joint is the last one stored
            name, axis = self._names.get(said, ("", 0))
            size = self._motions[name].size if name else 0
            if size == 2:
                both = [*self.known.get(name, (0.0, 0.0))]
                both[axis] = position
                self.known[name] = tuple(both)
            elif size == 1:
                self.known[name] = position
        return None

    def hear_motions(self, names: Sequence[str], motions: Sequence[Pose]) -> str | None:
        """Take motions of ball and floating joints: x y z qw qx qy qz of the moving side; return as `hear` does."""
        if (fault := find_fault(names, motions, is_motion)) is not None:
            return fault
        for said, motion in reversed([*zip(names, motions)]):
            name, _ = self._names.get(said, ("", 0))
            if name and self._motions[name].has_quaternion:
                self.known[name] = motion[-self._motions[name].size:]
        return None


class RobotView:
    """Updates a page from the node's topics.

    Parameters
    ----------
    node : whose namespace has the topics.
    page : what is shown.
    resource_paths : folders in which meshes are looked for; no others are read but those of installed packages.
    """

    def __init__(self, node: Node, page: Page, resource_paths: Iterable[str] = ()):
        self.page, self._log, self._paths = page, Log(node.get_logger()), tuple(resource_paths)
        self.positions = Positions({})
        self._has_moved = False
        node.create_subscription(String, "robot_description_sdf", self._show, LATCHED)
        node.create_subscription(JointState, "joint_states", self._hear, _STATES)
        node.create_subscription(MultiDOFJointState, "multi_dof_joint_states", self._hear_motions, _STATES)
        node.create_timer(_PERIOD, self._move)

    def _show(self, message: String) -> None:
        robot = self.page.show(lambda: loads(message.data, confined=True, resource_paths=self._paths))
        before, self.positions = self.positions, Positions(robot.joints)
        self.positions.known = {name: q for name, q in before.known.items()
                                if name in robot.joints and np.size(q) == robot.joints[name].size}
        self._has_moved = True
        self._log.info(f"Showing {robot.name or 'a robot'} at {self.page.url}")

    def _hear(self, state: JointState) -> None:
        self._note(self.positions.hear(state.name, state.position))

    def _hear_motions(self, state: MultiDOFJointState) -> None:
        self._note(self.positions.hear_motions(state.joint_names, [*map(read_transform, state.transforms)]))

    def _note(self, fault: str | None) -> None:
        if fault is None:
            self._has_moved = True
        else:
            self._log.warn_at_times(f"Ignored a joint state: {fault}")

    def _move(self) -> None:
        if self._has_moved:
            self._has_moved = False
            try:
                self.page.move(self.positions.known)
            except ValueError as error:  # the position of a mimic joint is not finite
                self._note(str(error))


def open_page(node: Node) -> Page:
    """Declare the page's parameters on a node, and start the page.

    Raises
    ------
    ValueError
        The page cannot be served at the given port or host.
    rclpy.exceptions.ParameterException
        A parameter has another type.
    """
    port, host = node.declare_parameter("port", 8080).value, node.declare_parameter("host", "127.0.0.1").value
    upload = node.declare_parameter("upload", False).value
    if not 0 <= port <= 65535:
        raise ValueError(f"port is {port}, not from 0 to 65535")
    if problem := find_host_problem(host):
        raise ValueError(f"host is {host!r}: {problem}")
    from sdf_frames.view.page import Page
    return Page(port, host, upload=upload)


def main(args: list[str] | None = None) -> int:
    """Serve the page until a signal ends it; return 1 if viser is not installed or a parameter is refused."""
    if find_spec("viser") is None or find_spec("trimesh") is None:
        print("sdf_frames_view: viser and trimesh are needed: pip install 'sdf_frames[view]'", file=sys.stderr)
        return 1
    parser = argparse.ArgumentParser("sdf_frames_view", "sdf_frames_view [--ros-args -p PARAMETER:=VALUE ...]",
                                     "Shows the robot of the node in the browser, moving with joint_states.",
                                     "parameters: port (8080), host (127.0.0.1), upload (false), resource_paths")
    try:
        parser.parse_args(remove_ros_args(sys.argv if args is None else args)[1:])
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        node = GuardedNode("sdf_frames_view")
        paths = node.declare_parameter("resource_paths", Parameter.Type.STRING_ARRAY).value or []
        page = open_page(node)
    except (OSError, ValueError, NameValidationException, ParameterException, RuntimeError) as refusal:
        print(f"sdf_frames_view: {escape_controls(str(refusal).partition(', at ')[0])}", file=sys.stderr)
        rclpy.try_shutdown()
        return 1
    stopping.note_signals()  # until now, a signal has ended the process at once
    warn_of_unknown(node)
    node.log.info(f"The page is at {page.url}")
    RobotView(node, page, paths)
    spin([node])
    page.close()
    rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
