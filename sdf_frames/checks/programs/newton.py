"""Newton, as its ModelBuilder.add_urdf reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("newton", "Newton", "1.8")
