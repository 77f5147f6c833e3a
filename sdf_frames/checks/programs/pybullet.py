"""PyBullet, as its loadURDF reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("pybullet", "PyBullet", "3.2", ("urdf", "sdf"))
