"""three.js with urdf-loader, which Foxglove also uses to read a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("threejs", "three.js (urdf-loader)", "0.13")
