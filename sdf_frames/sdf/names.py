"""Names that the format keeps for itself."""
from __future__ import annotations

# The frame above everything: nothing may refer to it.
ROOT = "__root__"


def is_reserved(name: str) -> bool:
    """Whether a name belongs to the format: ``world``, and four characters or more with two underscores at both ends."""
    return name == "world" or (len(name) >= 4 and name.startswith("__") and name.endswith("__"))


def has_prefix(name: str) -> bool:
    """Whether an element or attribute of this name (``tag`` or key of ``attrib``) has a prefix, one that is bound or not."""
    return name[:1] == "{" or ":" in name
