"""Real robots and worlds, written by others, and what libsdformat says of them.

The answers are in test/records. The files are not part of this repository: `make corpus` clones them into `.corpus`.
"""

import gzip
import json
import os
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
RECORDS = TOP / "test" / "records"
_PLACES = (os.environ.get("SDF_FRAMES_CORPUS"), TOP / ".corpus", TOP.parent / "shared" / "corpus")
#: The folder of the files: the first of these that exists, else where `make corpus` puts them.
CORPUS = next((Path(place) for place in _PLACES if place and Path(place).is_dir()), TOP / ".corpus")
#: Tests that only need many files take every n-th.
STEP = 1 if os.environ.get("SDF_FRAMES_PEERS") == "all" else 8
MISSING = f"no real robots at {CORPUS}: run `make corpus`"


@cache
def read_records() -> tuple[dict, ...]:
    """libsdformat's answers about the files that are here, one record a file."""
    with gzip.open(RECORDS / "libsdformat.jsonl.gz", "rt", encoding="utf-8") as stream:
        return tuple(record for record in map(json.loads, stream) if (CORPUS / record["file"]).exists())


def some_files(*patterns: str) -> list[Path]:
    """Some of the files with such names: of each folder, whose files are alike, every n-th."""
    return sorted(path for pattern in patterns for path in CORPUS.rglob(pattern) if path.is_file())[::STEP]


@cache
def _read_roots() -> dict[str, list[str]]:
    return json.loads((RECORDS / "roots.json").read_text(encoding="utf-8"))


def resource_paths(file: str) -> tuple[str, ...]:
    """The resource paths with which libsdformat was asked about `file`, a name below the folder."""
    return tuple([str(CORPUS / path) for path in _read_roots().get(file.split("/")[0], ())])
