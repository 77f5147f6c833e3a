"""Where the tests import the package from, and how Hypothesis draws.

Hypothesis draws the same examples each time, or, with HYPOTHESIS_PROFILE=search, many new ones.
"""
from __future__ import annotations  # pytest 6 has no pytest.Config

import contextlib
import gc
import os
import sys
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

# The sources come before what is installed, which adds the generated messages to them (pytest 6 has no `pythonpath`).
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Fixtures of these tests are folders and readers, which one example may take over from the last.
settings.register_profile(
    "ci", derandomize=True, database=None, deadline=None, max_examples=50, print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.register_profile("search", settings.get_profile("ci"), derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long value by its argument: a list of tests is short, and the same in processes that run side by side."""
    return argname if isinstance(val, str | bytes) and len(val) > 80 else None


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker of pytest-xdist compile other test files first: together they compile each of them once."""
    files = [file for given in session.config.args for file in sorted(Path(given).rglob("test_*.py"))]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    first = len(files) * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) // workers
    for file in files[first:] + files[:first] if workers > 1 else []:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # which the collection meets again
            _ = pytest.Module.from_parent(session, path=file).obj


def pytest_collection_modifyitems(items: list) -> None:
    """Mix the files for workers that run side by side, so that one that waits runs beside one that computes.

    The last quarter, which workers take from each other in the end, has no tests of the node: they are long.
    """
    def place(item: pytest.Item) -> int:
        file = item.nodeid.partition("::")[0]
        return crc32(file.encode()) * (3 if "ros/" in file else 4)
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave the list of tests, which is large and stays, out of every garbage collection: a sixth of the time."""
    gc.collect()
    gc.freeze()
