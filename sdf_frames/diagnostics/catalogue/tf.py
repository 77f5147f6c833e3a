"""T: the TF tree."""
from sdf_frames.diagnostics.catalogue.rule import Rule

RULES = (
    Rule("T001", "tf-name-taken", "warning", "{kind} {name!r} is left out of TF: a {other} there bears the same name",
         "rename one of the two"),
)
