"""C: URDF to SDF."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
)
