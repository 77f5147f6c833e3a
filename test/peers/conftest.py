"""Peer tests: what other programs make of our output, and of the inputs that we read.

Each skips, saying so, where its program or the corpus is not there. ``SDF_FRAMES_PEERS=all`` asks about every
file in place of every eighth, or every 32nd where the program is slow.
"""
import json
import subprocess
import sys
from pathlib import Path

import pytest

import sdf_frames as sf
from benchmark.libsdformat import compile_source, find_package

sys.path.insert(0, str(Path(__file__).parent))
GAZEBO = ("ignition-physics5", "ignition-physics5-sdf", "ignition-plugin1-loader", "sdformat12")


@pytest.fixture(scope="session")
def physics():
    """Gazebo's physics: it is asked with a link, a file and folders; see gazebo_physics.cc."""
    from programs import Program
    known = find_package() and subprocess.run(["pkg-config", "--exists", *GAZEBO]).returncode == 0
    folder = subprocess.run(["pkg-config", "--variable=libdir", GAZEBO[0]], capture_output=True,
                            text=True).stdout.strip() if known else "/"
    plugin = Path(folder, "ign-physics-5/engine-plugins/libignition-physics-dartsim-plugin.so")
    if not plugin.exists():
        pytest.skip("Gazebo's physics is missing (Debian: libignition-physics-dev, "
                    "libignition-physics5-dartsim-plugin5)")
    process = Program(compile_source(Path(__file__).with_name("gazebo_physics.cc"), *GAZEBO), plugin)
    yield process
    process.end()


@pytest.fixture
def move(physics):
    """Function that moves a model, given as (link to weld to the world, file).

    It returns the poses of the joints at the start, and those of the links before and after.
    """
    def run(link, file):
        answer = physics.ask(f"{link}\t{file}\t")
        return {key: {name: sf.Pose(X[:3], X[3:]) for name, X in poses.items()}
                for key, poses in (json.loads(answer) if answer.startswith("{") else {}).items()}
    return run
