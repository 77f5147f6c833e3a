"""Peer tests: what other programs make of our output, and of the inputs that we read.

Each skips, saying so, where its program or the corpus is not there. ``SDF_FRAMES_PEERS=all`` asks the slow programs
about every file in place of every eighth.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in Path(item.path).parents:
            item.add_marker(pytest.mark.peer)


def pytest_configure(config):
    config.addinivalue_line("markers", "peer: compares with another program")


@pytest.fixture(scope="session")
def ign_sdf():
    """``ign sdf`` (or ``gz sdf``) as a function: arguments and resource paths to what it printed, both streams."""
    tool = shutil.which("ign") or shutil.which("gz")
    if tool is None:
        pytest.skip("neither ign nor gz is installed (Debian: ignition-tools, libsdformat-dev)")

    def run(*arguments, paths=()):
        environment = dict(os.environ, SDF_PATH=":".join(paths))
        # It never ends on some files, and timeout(1), other than Python's, also ends what it has started.
        done = subprocess.run(["timeout", "-k", "1", "120", tool, "sdf", *map(str, arguments)], env=environment,
                              capture_output=True, text=True, errors="replace")
        noise = "Library error: libignition-tools-backward"
        return done.stdout, "\n".join(line for line in done.stderr.splitlines() if not line.startswith(noise))

    return run
