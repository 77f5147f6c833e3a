"""Gazebo, the program that all rules apply to unless they say otherwise."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("gazebo", "Gazebo", "libsdformat 17", ("urdf", "sdf"),
                  "libsdformat loads the file, or the SDF that this project converts a URDF to")
