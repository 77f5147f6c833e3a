"""Robots between URDF, SDFormat and ROS 2 without losing a frame.

The library needs no ROS. Start with :mod:`sdf_frames.load`; the command line is :mod:`sdf_frames.cli`.
"""
from pkgutil import extend_path

# A built ROS workspace holds the generated `msg` and `srv` beside an installed copy of this package; joining
# the two lets a checkout on `sys.path` find them.
__path__ = extend_path(__path__, __name__)
__version__ = "0.1.0"
