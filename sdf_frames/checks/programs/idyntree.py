"""iDynTree, as its ModelLoader reads a URDF."""
from sdf_frames.checks.programs import Program

PROGRAM = Program("idyntree", "iDynTree", "15.1")
