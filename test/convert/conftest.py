"""Fixtures of the conversion's tests."""
from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from plain_sdf import Sdf

SHARED = Path(__file__).parents[3] / "shared"


def _convert(text: str, **options):
    from sdf_frames.convert.options import ConvertOptions
    from sdf_frames.convert.urdf_to_sdf import convert_text
    sdf, conversion, found = convert_text(text, "robot.urdf", ConvertOptions(**options))
    return (None if sdf is None else Sdf(sdf)), conversion, found


@pytest.fixture(scope="session")
def convert():
    """URDF text -> (Sdf or None, Conversion or None, diagnostics)."""
    return _convert


@pytest.fixture(scope="session")
def read_sdf_tree():
    return Sdf


@pytest.fixture(scope="session")
def golden_urdfs() -> list:
    """Records of libsdformat about the corpus' URDFs; skips where they are not there."""
    path = SHARED / "golden" / "corpus.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no recorded results: {path} is missing")
    with gzip.open(path, "rt") as stream:
        return [r for r in map(json.loads, stream) if "convert" in r]


@pytest.fixture(scope="session")
def corpus() -> Path:
    path = SHARED / "corpus"
    if not path.exists():
        pytest.skip(f"no corpus: {path} is missing")
    return path
