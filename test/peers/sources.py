"""Where the peers' inputs come from: the corpus beside the project, and robots of installed packages."""
from __future__ import annotations

import gzip
import json
import os
from functools import cache
from importlib import metadata
from pathlib import Path

CORPUS = Path(os.environ.get("SDF_FRAMES_CORPUS") or Path(__file__).resolve().parents[3] / "shared" / "corpus")
PACKAGES = ("example-robot-data", "icub-models")
# Programs that take a good part of a second a file are asked about every n-th file, unless all are wanted.
STRIDE = 1 if os.environ.get("SDF_FRAMES_PEERS") == "all" else 8


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
def resource_paths(name: str) -> tuple[str, ...]:
    """Where includes of the corpus file `name` are looked for, as at the recording of the reference's answers."""
    record = CORPUS.parent / "golden" / "roots.json"
    roots = _read_json(record) if record.exists() else {}
    return tuple([str(CORPUS / path) for path in roots.get(name.split("/")[0], ())])


@cache
def _read_json(path: Path):
    return json.loads(path.read_text())


@cache
def golden() -> dict[str, dict]:
    """What libsdformat 17 said of each file of the corpus; empty where that is not recorded."""
    path = CORPUS.parent / "golden" / "corpus.jsonl.gz"
    if not path.exists():
        return {}
    with gzip.open(path, "rt") as stream:
        return {record["file"]: record for record in map(json.loads, stream)}
