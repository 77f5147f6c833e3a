"""three.js, as urdf-loader reads a URDF, which Foxglove uses, too."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("threejs", "three.js (urdf-loader)", "0.13")
