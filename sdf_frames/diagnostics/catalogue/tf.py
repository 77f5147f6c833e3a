"""T: the TF tree."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
)
