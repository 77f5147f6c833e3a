"""F, P, J: frame graphs and joints."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
)
