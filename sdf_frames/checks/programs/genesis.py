"""Genesis, as its gs.morphs.URDF reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("genesis", "Genesis", "1.4")
