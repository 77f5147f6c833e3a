"""R: reading URDF."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
)
