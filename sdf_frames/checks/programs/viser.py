"""viser, as its ViserUrdf shows a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("viser", "viser", "1.1")
