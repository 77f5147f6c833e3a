"""S, N, U: schema, names, includes."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
)
