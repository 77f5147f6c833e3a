"""What every target stands on: the error that it raises, and the folders in which it works."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path


class BrokenPromiseError(AssertionError):
    """The package did what it must never do, without raising by itself."""


@cache
def make_folder() -> Path:
    """A folder of this process, in memory where the machine has such a place; empty but for ``inside``."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="sdf_frames_fuzz_", dir=place)).resolve()
    (folder / "inside").mkdir()
    return folder


@cache
def make_uri_trees() -> tuple[str, str]:
    """Two roots that differ in what is outside of ``models`` and ``cache``: the second has nothing there."""
    trees = []
    for name in ("a", "b"):
        root = make_folder() / name
        for below in ("models/m/meshes", "models/M m", "cache/h/o/models/c/1/meshes"):
            (root / below).mkdir(parents=True)
            for file in ("model.config", "model.sdf", "a.stl"):
                (root / below / file).write_text("<model><name>m</name><sdf>model.sdf</sdf></model>")
        (root / "models/package.xml").write_text("<package><name>models</name></package>")
        (root / "models/up").symlink_to("../outside")
        (root / "models/m/passwd").symlink_to("../../outside/secret")
        (root / "cache/h/o/models/c/1/up").symlink_to("../../../../../../outside")
        (root / "models/in").symlink_to("m")
        if name == "a":
            (root / "outside/models/m").mkdir(parents=True)
            (root / "outside/secret").write_text("secret")
            (root / "outside/package.xml").write_text("<package><name>outside</name></package>")
            (root / "outside/models/m/a.stl").write_text("secret")
            (root / "secret").write_text("secret")
            (root / "package.xml").write_text("<package><name>above</name></package>")
        trees.append(str(root))
    return tuple(trees)
