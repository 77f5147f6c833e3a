"""urdfdom, which many programs read URDF with."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("urdfdom", "urdfdom", "6.0", ("urdf",), "check_urdf reads the robot", "3.1")
