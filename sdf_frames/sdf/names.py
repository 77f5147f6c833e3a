"""Reserved names, and how to make a free name."""
from __future__ import annotations

from collections.abc import Iterable

from sdf_frames.document.places import Element

# The frame above everything: nothing may refer to it.
ROOT = "__root__"
# The own frame of a model, and of a world.
MODEL_FRAME = "__model__"
WORLD_FRAME = "world"
# Since this version, links, joints, frames and models of one scope need different names, and ``world`` is reserved.
UNIQUE_SINCE = (1, 7)
# Since this version, a name must not hold ``::``.
UNDIVIDED_SINCE = (1, 8)
# SDFormat's default for a URI, or for the name of a script.
NOT_WRITTEN = "__default__"
# The namespace of URDF content that a converted SDF carries, and how lxml writes it before a name.
NAMESPACE = "urn:sdf_frames:urdf"
CARRIED = f"{{{NAMESPACE}}}"
# Among the names that are missing because includes failed: any name, and any name before a ``::``.
ANY, ANY_SCOPE = "", "::"
# The separator of the parts of a name in TF and URDF, in place of ``::``.
SEPARATOR = "/"


def is_reserved(name: str) -> bool:
    """Return whether a name belongs to the format: ``world``, or ``__…__`` of four characters or more."""
    return name == WORLD_FRAME or (len(name) >= 4 and name.startswith("__") and name.endswith("__"))


class Taken(set[str]):
    """Names that are taken. The time to find a free name does not depend on the number of similar names."""

    def __init__(self, names: Iterable[str] = ()):
        super().__init__(names)
        self._numbers: dict[str, int] = {}  # the next to try for each base

    def find_free(self, base: str, end: str = "") -> str:
        """Take `base` and `end`, or the first free of ``base0``, ``base1``, …, as libsdformat numbers names."""
        new = first = base + end
        while new in self:
            number = self._numbers.get(first, 0)
            new, self._numbers[first] = f"{base}{number}{end}", number + 1
        self.add(new)
        return new


def is_foreign(element: Element) -> bool:
    """Return whether an element lies in a plugin or in an element with a prefix."""
    return any(around.tag == "plugin" or has_prefix(around.tag) for around in element.iterancestors())


def has_prefix(name: str) -> bool:
    """Return whether an element or attribute of this name (as lxml gives it) has a prefix, bound or not."""
    return name[:1] == "{" or ":" in name
