"""DART, as its dartpy.utils.DartLoader reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("dart", "DART", "6.20", ("urdf", "sdf"))
