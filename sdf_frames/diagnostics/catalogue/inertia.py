"""I, G: inertia, geometry and mesh files."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
)
