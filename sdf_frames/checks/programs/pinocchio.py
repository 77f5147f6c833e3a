"""Pinocchio, and what it refuses in a URDF that urdfdom reads."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.checks.programs import Program
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.urdf.model import Robot

_NEVER_NEGATIVE = {"limit": ("effort", "velocity"), "dynamics": ("friction",)}


def check_for_pinocchio(robot: Robot, *_: object) -> Iterator[Diagnostic]:
    """Report values below zero, which Pinocchio raises an exception for."""
    for joint in robot.joints:
        for tag, names in _NEVER_NEGATIVE.items():
            part = getattr(joint, tag)
            for name in names if part is not None else ():
                if getattr(part, name) < 0.0:
                    yield diagnose("pinocchio-value-negative", locate(part.element, name), joint=joint.name, value=name)


PROGRAM = Program("pinocchio", "Pinocchio", "4.1 with urdfdom 6.0", ("urdf",),
                  "buildModelFromUrdf makes the kinematic model", "2.6 with urdfdom 3.1", (check_for_pinocchio,))
