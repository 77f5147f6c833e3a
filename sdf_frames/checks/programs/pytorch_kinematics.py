"""PyTorch Kinematics, as its build_chain_from_urdf reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("pytorch_kinematics", "PyTorch Kinematics", "0.10")
