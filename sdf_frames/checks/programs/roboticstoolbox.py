"""Robotics Toolbox, as its Robot.URDF reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("roboticstoolbox", "Robotics Toolbox", "1.5")
