"""Gazebo Fortress: libsdformat 12, which gets the URDF or SDFormat file as it is."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("fortress", "Gazebo Fortress", "libsdformat 12.3", ("urdf", "sdf"))
