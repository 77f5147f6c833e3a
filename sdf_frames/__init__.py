"""Robots between URDF, SDFormat and ROS 2 without losing a frame.

The library needs no ROS. Start with :mod:`sdf_frames.load`; the command line is :mod:`sdf_frames.cli`.
"""
import os
import sys

# A built ROS workspace holds the generated `msg` and `srv` beside an installed copy of this package; joining the two
# lets a checkout on `sys.path` find them. (What pkgutil.extend_path does, at a tenth of its start-up time.)
__path__ += [folder for folder in (os.path.join(entry, __name__) for entry in sys.path)
             if folder not in __path__ and os.path.isdir(folder)]
__version__ = "0.1.0"
