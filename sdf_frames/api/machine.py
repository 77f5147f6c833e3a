"""The Python modules that this machine has for robot descriptions, and the places that are searched.

Both doctors print them: ``sdf_frames doctor`` and ``ros2 run sdf_frames doctor``.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from sdf_frames import __version__
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.search_places import describe_places

#: Optional modules: the use of each, and the extra that installs it; "" if every installation has it.
_MODULES = {
    "trimesh": ("glTF, PLY and other meshes", ""),
    "collada": ("colours of COLLADA meshes", ""),
    "xacro": (".xacro files", "xacro"),
    "scipy": ("convex hulls of meshes", "meshes"),
    "viser": ("view", "view"),
    "fast_simplification": ("view --decimate", "view"),
    "pyvista": ("view --png", "png"),
    "joblib": ("batch", "batch"),
    "psutil": ("worker processes of batch", "batch"),
    "pyarrow": ("tables of batch", "batch"),
    "fsspec": ("archives and URLs in batch", "batch"),
    "argcomplete": ("completion in the shell", "completion"),
}


class Remark(NamedTuple):
    """A line of a doctor: whether it is a problem, and its text."""

    is_wrong: bool
    text: str


def look_at_modules() -> Iterator[Remark]:
    """Yield the version, and for each optional module whether it is installed."""
    yield Remark(False, f"sdf_frames {__version__}, Python {sys.version.split()[0]}")
    for name, (use, extra) in _MODULES.items():
        if find_spec(name):
            yield Remark(False, f"module {name}: {use}")
        else:
            package = f"sdf_frames[{extra}]" if extra else "sdf_frames"
            yield Remark(not extra, f"module {name} is missing; for {use}:  pip install '{package}'")


def look_at_places(resource_paths: Sequence[str] = ()) -> Iterator[Remark]:
    """Yield the places where packages and models are looked for, in this order, and their missing folders."""
    for number, (text, missing) in enumerate(describe_places(resource_paths), 1):
        yield Remark(False, f"place {number}: {text}")
        yield from (Remark(True, f"place {number}: {folder} is not a folder") for folder in missing)


def write_remarks(remarks: Sequence[Remark]) -> str:
    """Return a line for each remark, problems marked with ``wrong:``, and a last line with their number."""
    wrong = sum(remark.is_wrong for remark in remarks)
    lines = [("wrong: " if remark.is_wrong else "       ") + escape_controls(remark.text) for remark in remarks]
    return "\n".join([*lines, f"{wrong} wrong" if wrong else "no problems found", ""])
