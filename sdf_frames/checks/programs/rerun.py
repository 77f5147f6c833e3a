"""Rerun, as its UrdfTree.from_file_path reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("rerun", "Rerun", "0.41")
