"""Limits on the cost of one description, and a count of what has been spent.

Descriptions arrive over the network. A short one can be expensive: files that include each other twice each, a mesh
of one large triangle in small voxels. A :class:`Budget` states the limits. A :class:`Spending` counts for one load, or
for one computation of inertias, and is passed down to all functions that read or build.
"""

import re
from collections.abc import Iterable, Mapping
from math import inf
from time import monotonic
from typing import Any, BinaryIO, NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, diagnose

#: What each limit bounds.
BOUNDS = {
    "bytes": "bytes of XML in the description and all files that it includes",
    "elements": "XML elements; those of an included file count each time that it is included, "
                "and merged elements count once more; those under `<gazebo>` count for each shape that gets them; "
                "groups and chains of an SRDF count for each state that needs them",
    "attributes": "attributes of one XML element",
    "name_letters": "letters of one name",
    "includes": "`<include>` elements that are followed",
    "include_depth": "files in a chain of includes",
    "model_depth": "models that are nested in each other, by XML or by includes",
    "full_names": "letters of the full names of all links, joints, frames and models, such as `arm::hand::tip`",
    "mesh_bytes": "bytes of one mesh file, and of each file with its buffers",
    "bundle_bytes": "bytes of all files that a bundle copies (meshes, textures and included models)",
    "mesh_nodes": "nodes in the scene of one mesh file, and the further parts of their meshes (a node counts each time "
                  "that it is instanced)",
    "faces": "triangles of all meshes that are read to compute inertias",
    "voxels": "cells of the voxel grid of one mesh, and tests of rays against triangles that fill it; "
              "more are replaced by fewer and larger cells",
    "seconds": "seconds to read a description, and seconds to compute its inertias",
}


class Budget(NamedTuple):
    """Limits on what one description may cost: see :data:`BOUNDS`. ``docs/limits.md`` has the same table."""

    bytes: int = 256 << 20
    elements: int = 1_000_000
    attributes: int = 256
    name_letters: int = 1000
    includes: int = 100_000
    include_depth: int = 100
    model_depth: int = 260
    full_names: int = 1 << 26
    mesh_bytes: int = 1 << 30
    bundle_bytes: int = 4 << 30
    mesh_nodes: int = 50_000
    faces: int = 50_000_000
    voxels: int = 1 << 26
    seconds: float = 600.0


DEFAULT = Budget()
LIMITS = Budget._fields


def make_budget(limits: Mapping[str, Any]) -> Budget:
    """Return the default budget with other limits; ValueError for unknown limits and values that are not positive."""
    for name, value in limits.items():
        if name not in LIMITS:
            raise ValueError(f"there is no limit {name!r}; the limits are {', '.join(LIMITS)}")
        if isinstance(value, str) or not 0 < value < inf:
            raise ValueError(f"the limit {name} must be a positive number, not {value!r}")
    return DEFAULT._replace(**limits)


def read_limits(words: Iterable[str]) -> Budget:
    """Return the budget of :func:`make_budget` for words such as ``elements=5000``."""
    limits: dict[str, Any] = {}
    for word in words:
        name, _, text = word.partition("=")
        try:
            limits[name] = float(text) if name == "seconds" else int(text)
        except ValueError:
            limits[name] = text
    return make_budget(limits)


def read_bounded(stream: BinaryIO, most: int = DEFAULT.bytes) -> bytes:
    """Read up to `most` + 1 bytes: a longer result than `most` is too large. (/dev/zero never ends.)"""
    return stream.read(most + 1)


# Limits with a rule of their own in the catalogue; True if a file is named as the cause.
_RULES = {("bytes", False): "xml-too-large", ("elements", True): "include-too-large",
          ("mesh_bytes", True): "mesh-too-large", ("include_depth", False): "include-too-deep",
          ("model_depth", False): "nesting-too-deep"}


def explain_raise(name: str) -> str:
    """Return a hint that says how a user raises a limit."""
    return (f"raise the limit with --limit {name}=N (in Python: limits={{'{name}': N}}); docs/limits.md lists all "
            "limits")


class LimitExceeded(Exception):
    """A limit is exceeded where only an exception can stop the work, as in a reader of mesh files."""

    def __init__(self, name: str, counted: float):
        self.name, self.counted = name, counted


class Spending:
    """The amounts that one load, or one computation of inertias, has spent of its budget so far.

    Attributes
    ----------
    budget : the limits.
    spent : counted so far, by name of the limit; the time is not counted here.
    exceeded : name of the limit that was exceeded first, or None. From then on nothing further is read or built.
    """

    __slots__ = ("budget", "spent", "exceeded", "_counted", "_started", "_reported")

    def __init__(self, budget: Budget = DEFAULT):
        self.budget = budget
        self.spent = dict.fromkeys(LIMITS, 0)
        self.exceeded: str | None = None
        self._counted = 0.0  # what was spent of that
        self._started = monotonic()
        self._reported = False

    def spend(self, name: str, amount: int) -> bool:
        """Count `amount` more of `name`; return whether everything, also the time, is within the budget."""
        self.spent[name] += amount
        if self.exceeded is None:
            if self.spent[name] > getattr(self.budget, name):
                self.exceeded, self._counted = name, self.spent[name]
            elif (seconds := monotonic() - self._started) > self.budget.seconds:
                self.exceeded, self._counted = "seconds", round(seconds, 1)
        return self.exceeded is None

    def demand(self, name: str, amount: int) -> None:
        """Call :meth:`spend`, and raise LimitExceeded if the budget is exceeded."""
        self.spend(name, amount)
        if self.exceeded is not None:
            raise LimitExceeded(self.exceeded, self._counted)

    def left(self, name: str) -> int:
        """Return how much more of `name` may be spent."""
        return max(0, getattr(self.budget, name) - self.spent[name])

    def report(self, at: Location | None, file: str | None = None) -> tuple[Diagnostic, ...]:
        """Report the exceeded limit at the first call; return () if there is none, and at later calls.

        The finding is located `at` a place; `file` is the file that is too large, if that is another file.
        """
        if self._reported or self.exceeded is None:
            return ()
        self._reported = True
        return (report_exceeded(self.exceeded, self._counted, self.budget, at, file),)


def report_exceeded(name: str, counted: float, budget: Budget, at: Location | None,
                    file: str | None = None) -> Diagnostic:
    """Report an exceeded limit: what was counted, the limit, and how to raise it."""
    rule = _RULES.get((name, file is not None), "limit-exceeded")
    bounds = re.split("[;,(]", BOUNDS[name].replace("`", ""))[0].strip()
    return diagnose(rule, at, name=name, counted=counted, limit=getattr(budget, name), bounds=bounds, file=file,
                    hint=explain_raise(name))
