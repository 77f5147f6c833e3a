"""Names that the format keeps for itself."""
from __future__ import annotations

# The frame above everything: nothing may refer to it.
ROOT = "__root__"
# The own frame of a model, and of a world.
MODEL_FRAME = "__model__"
WORLD_FRAME = "world"


def is_reserved(name: str) -> bool:
    """Return whether a name belongs to the format: ``world``, or ``__…__`` of four characters or more."""
    return name == WORLD_FRAME or (len(name) >= 4 and name.startswith("__") and name.endswith("__"))


def has_prefix(name: str) -> bool:
    """Return whether an element or attribute of this name (as lxml gives it) has a prefix, bound or not."""
    return name[:1] == "{" or ":" in name
