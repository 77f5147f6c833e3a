"""kinpy, as its build_chain_from_urdf reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("kinpy", "kinpy", "0.6")
