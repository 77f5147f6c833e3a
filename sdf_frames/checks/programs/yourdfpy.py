"""yourdfpy, as its URDF.load reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("yourdfpy", "yourdfpy", "0.0.60")
