"""Where the peers' inputs come from: the corpus beside the project, and robots of installed packages."""

import re
from functools import cache
from importlib import metadata
from pathlib import Path

from real_files import CORPUS, STEP, read_records, resource_paths  # noqa: F401 - tests take the last from here

PACKAGES = ("example-robot-data", "icub-models")
# Programs that take a good part of a second a file are asked about every n-th file, unless all are wanted.
STRIDE = 1 if STEP == 1 else 32
NEWEST = (1, 9)  # version of SDFormat that libsdformat 12 reads


@cache
def urdf_files() -> dict[str, Path]:
    """Every URDF at hand, under a name that can be read in a test's id."""
    found = {p.relative_to(CORPUS).as_posix(): p for p in sorted(CORPUS.rglob("*.urdf"))}
    for package in PACKAGES:
        try:
            files = metadata.files(package) or ()
        except metadata.PackageNotFoundError:
            continue
        paths = {Path(f.locate()).resolve() for f in files if f.suffix == ".urdf"}
        found |= {f"{package}/{_short(p)}": p for p in sorted(paths) if p.exists()}
    return found


def some(files: dict[str, Path], step: int = STEP) -> dict[str, Path]:
    """Every `step`-th of the files: some of each folder, whose robots are alike."""
    return dict(list(files.items())[::step])


def _short(path: Path) -> str:
    """The part of a path that tells robots of a package apart."""
    parts = path.parts
    start = max((i for i, part in enumerate(parts) if part in ("robots", "iCub")), default=len(parts) - 2)
    return "/".join(parts[start + 1:]) if len(parts) - start > 2 else "/".join(parts[-2:])


@cache
def sdf_files() -> dict[str, Path]:
    """Every SDF file of the corpus."""
    return {p.relative_to(CORPUS).as_posix(): p for p in sorted(CORPUS.rglob("*")) if p.suffix in (".sdf", ".world")}


@cache
def golden() -> dict[str, dict]:
    """What libsdformat 17 said of each file of the corpus."""
    return {record["file"]: record for record in read_records()}


def versions_in(loaded) -> set[tuple[int, ...]]:
    """Versions of a loaded SDFormat file and of all that it includes."""
    root = loaded.root
    scopes = [] if root is None else [*root.worlds, *([root.model] if root.model else [])]
    found = {root.version} if root else set()
    while scopes:
        scope = scopes.pop()
        found.add(scope.version)
        scopes += scope.models
    return {tuple(int(p) for p in re.findall(r"\d+", v)[:2]) for v in found if v}
