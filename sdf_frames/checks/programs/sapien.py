"""SAPIEN, as its URDFLoader reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("sapien", "SAPIEN", "3.0")
