"""Klamp't, as its WorldModel.loadRobot reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("klampt", "Klamp't", "0.10")
