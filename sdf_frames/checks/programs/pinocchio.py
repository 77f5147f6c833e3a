"""Pinocchio, and what it refuses in a URDF that urdfdom reads."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.checks.programs import Program
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.urdf.model import Robot, sort_joints

_NEVER_NEGATIVE = {"limit": ("effort", "velocity"), "dynamics": ("friction",)}


def check_for_pinocchio(robot: Robot, *_: object) -> Iterator[Diagnostic]:
    """Report negative values, for which Pinocchio raises an exception."""
    for joint in robot.joints:
        for tag, names in _NEVER_NEGATIVE.items():
            part = getattr(joint, tag)
            for name in names if part is not None else ():
                if getattr(part, name) < 0.0:
                    yield diagnose("pinocchio-value-negative", locate(part.element, name), joint=joint.name, value=name)


_SIZES = {"revolute": 1, "prismatic": 1, "continuous": 2, "planar": 4, "floating": 7}  # of a configuration


def check_mimics(robot: Robot, *_: object) -> Iterator[Diagnostic]:
    """Report mimics that Pinocchio refuses with ``mimic=True``; by default it drops all mimics."""
    joints = {joint.name: joint for joint in robot.joints}
    # Pinocchio adds them in this order.
    order = {joint.name: number for number, joint in enumerate(sort_joints(robot.joints, robot.root))}
    for joint in robot.joints:
        if joint.mimic is None or joint.type not in _SIZES:
            continue
        leader, problem = joints.get(joint.mimic.joint), ""
        if leader is None or leader.type not in _SIZES:
            problem = "its leader is not a movable joint"
        elif order.get(leader.name, 0) >= order.get(joint.name, 0):
            problem = "its leader comes later: Pinocchio takes joints along the tree, and siblings by their names"
        elif leader.mimic is not None:
            problem = "its leader mimics another joint"
        elif _SIZES[leader.type] != _SIZES[joint.type]:
            problem = f"it is {joint.type}, and its leader is {leader.type}"
        if problem:
            yield diagnose("pinocchio-mimic-refused", locate(joint.mimic.element), joint=joint.name,
                           leader=joint.mimic.joint, problem=problem)


PROGRAM = Program("pinocchio", "Pinocchio", "4.1 with urdfdom 6.0", ("urdf",),
                  "buildModelFromUrdf makes the kinematic model", "2.6 with urdfdom 3.1",
                  (check_for_pinocchio, check_mimics))
