"""Fixtures of the conversion's tests."""
from __future__ import annotations

from pathlib import Path

import pytest
from plain_sdf import Sdf
from real_files import CORPUS, MISSING, read_records


def _convert(text: str, **options):
    from written_text import convert_text

    from sdf_frames.convert.options import ConvertOptions
    sdf, conversion, found = convert_text(text, "robot.urdf", ConvertOptions(**options))
    return (None if sdf is None else Sdf(sdf)), conversion, found


@pytest.fixture(scope="session")
def convert():
    """URDF text -> (Sdf or None, Conversion or None, diagnostics)."""
    return _convert


@pytest.fixture(scope="session")
def golden_urdfs() -> list:
    """Records of libsdformat about real URDFs; skips where the files are not there."""
    if not CORPUS.exists():
        pytest.skip(MISSING)
    return [record for record in read_records() if "convert" in record]


@pytest.fixture(scope="session")
def corpus() -> Path:
    if not CORPUS.exists():
        pytest.skip(MISSING)
    return CORPUS


def _to_robot(body: str, version: str = "1.12", **options):
    from sdf_frames.convert.sdf_to_urdf import convert_model
    from sdf_frames.load import load_text
    loaded = load_text(f'<sdf version="{version}"><model name="m">{body}</model></sdf>')
    inertias = {link.name: link for link in loaded.inertias().links}
    return convert_model(loaded.graphs[0], inertias, lambda uri, element: f"{element.tag} {uri}", **options)


@pytest.fixture(scope="session")
def to_robot():
    """Content of an SDFormat model -> UrdfConversion; URIs are written as the tag of their element and the URI."""
    return _to_robot
