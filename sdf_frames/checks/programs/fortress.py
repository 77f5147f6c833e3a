"""Gazebo Fortress: libsdformat 12, to which a URDF or an SDFormat file is given as it is."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("fortress", "Gazebo Fortress", "libsdformat 12.3", ("urdf", "sdf"))
