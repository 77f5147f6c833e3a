"""PlaCo, as its RobotWrapper reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("placo", "PlaCo", "0.10")
