"""ikpy, as its Chain.from_urdf_file reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("ikpy", "ikpy", "4.2")
