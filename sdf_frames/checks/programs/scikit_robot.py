"""scikit-robot, as its RobotModelFromURDF reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("scikit_robot", "scikit-robot", "0.4")
