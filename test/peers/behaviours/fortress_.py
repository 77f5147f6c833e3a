# debian: libsdformat12-12 libsdformat-dev sdformat-sdf libignition-math6-6 libignition-math-dev
# debian: libignition-utils-dev libtinyxml2-9 libtinyxml2.6.2v5 liburdfdom-model3.0 libconsole-bridge1.0
"""libsdformat 12, which Gazebo Fortress and Debian 12 have, in a program of our own."""
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

UNTOLD = ("is_finite", "freedom")
USR = Path(sys.prefix).absolute() / "root" / "usr"
LIBRARIES = USR / "lib" / "x86_64-linux-gnu"
PROGRAM = Path(sys.prefix) / "fortress_model"
MESHES = (".obj", ".dae", ".stl")


def compile_program():
    include = USR / "include"
    subprocess.run(["c++", "-std=c++17", Path(__file__).with_name("fortress_model.cc"), "-o", PROGRAM,
                    *[f"-I{folder}" for folder in (*include.glob("sdformat-*"), *include.glob("ignition/*"))],
                    f"-L{LIBRARIES}", "-lsdformat12", LIBRARIES / "libignition-math6.so.6",
                    f"-Wl,-rpath,{LIBRARIES}", "-Wl,--allow-shlib-undefined"], check=True)


def load(file):
    if not PROGRAM.exists():
        compile_program()
    done = subprocess.run([PROGRAM, file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env={**os.environ, "SDF_PATH": str(next((USR / "share").glob("sdformat*"))),
                               "LD_LIBRARY_PATH": str(LIBRARIES)})
    if done.returncode:
        raise ValueError(done.stdout)
    parts = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [{part.get(tag): part for part in parts if tag in part} for tag in ("link", "joint")], Path(file).read_text()


def _links(model, key):
    return {name: link[key] for name, link in model[0][0].items()}


def _joints(model, key, default=None):
    return {name: joint.get(key, default) for name, joint in model[0][1].items()}


def masses(model):
    return _links(model, "mass")


def tensors(model):
    return _links(model, "tensor")


def place(model, positions):
    if positions:
        raise LookupError("it moves nothing")
    found = {}
    for name, (x, y, z, qw, *axis) in _links(model, "pose").items():
        half = math.hypot(*axis)
        K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]]) / (half or 1)
        angle = 2 * math.atan2(half, qw)
        found[name] = np.eye(4)
        found[name][:3, :3] = np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
        found[name][:3, 3] = x, y, z
    return found


def limits(model):
    return _joints(model, "limits")


def efforts(model):
    return _joints(model, "efforts")


def dynamics(model):
    return _joints(model, "dynamics")


def pitches(model):
    return _joints(model, "pitch")


def mimics(model):
    return {}  # there is nothing in libsdformat 12 that a mimic could be read into


couples = mimics


def sizes(model):
    if any(mesh in model[1] for mesh in MESHES):
        raise LookupError("it opens no meshes")
    extents = {}
    for name, shapes in _links(model, "shapes").items():
        ends = [(np.array(at) + sign * np.array(size) / 2) for at, size in shapes for sign in (-1, 1)]
        extents[name] = np.max(ends, 0) - np.min(ends, 0) if ends else np.full(3, np.nan)
    return extents
