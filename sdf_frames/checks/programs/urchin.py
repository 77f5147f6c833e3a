"""urchin, as its URDF.load reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("urchin", "urchin", "0.0.30")
