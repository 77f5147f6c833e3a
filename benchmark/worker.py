"""One side of a comparison, in a process of its own: runs one thing as often as it is told to.

    python -m benchmark.worker KIND [FILE]

answers each line on standard input by one JSON line: ``ready`` warms up and says what memory is held before, any other
word runs the work of that name, on another file if one is named behind it, and says CPU milliseconds and the peak
memory so far. The C++ programs beside this file speak the same language.
"""
from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path


def peak_kib() -> int:
    """Most memory this program ever held; not getrusage, which also counts the program that started this one."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


SMALL = (b'<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
         b'iyz="0"/></inertial></link></robot>')


class Convert:
    """URDF text to SDF text."""

    def __init__(self, text: bytes):
        from sdf_frames.load import read_text
        from sdf_frames.writers.as_sdf import convert_to_sdf
        from sdf_frames.writers.written import render
        self.text, self.convert = text, lambda given: render(convert_to_sdf(read_text(given)))
        self.convert(SMALL)

    def run_convert(self) -> dict:
        return {"good": self.convert(self.text)[0] is not None}


class Lxml:
    """The floor under everything: text to tree to text."""

    def __init__(self, text: bytes):
        from lxml import etree
        self.text, self.etree = text, etree
        etree.tostring(etree.fromstring(SMALL))

    def run_convert(self) -> dict:
        # libxml2's own limits are far away here, but for the 10,000-link files.
        tree = self.etree.fromstring(self.text, self.etree.XMLParser(huge_tree=True))
        return {"good": bool(self.etree.tostring(tree))}


class Frames:
    """SDF text to a checked model with its graphs; graphs to poses."""

    def __init__(self, text: bytes):
        from sdf_frames.frames.forest import resolve_poses
        from sdf_frames.load import load_text
        self.text, self.load, self.resolve, self.loaded = text, load_text, resolve_poses, None
        loaded = load_text(SMALL)
        loaded.diagnostics, loaded.scopes

    def run_load(self) -> dict:
        self.loaded = None
        loaded = self.load(self.text)
        loaded.diagnostics
        self.loaded = loaded
        return {"good": loaded.valid}

    def run_resolve(self) -> dict:
        return {"good": all(None not in self.resolve(graph.relative, graph.raw) for graph in self.loaded.graphs)}


class Graph:
    """A million frames as bare lists: parent indices and poses in, poses out. FILE is ``chain:N`` or ``star:N``."""

    def __init__(self, text: bytes):
        from random import Random

        from sdf_frames.frames.forest import resolve_poses
        from sdf_frames.spatial.pose import normalise
        shape, n = text.decode().split(":")
        chance = Random(1)
        self.parents = [i - 1 if shape == "chain" or not i else 0 for i in range(int(n))]
        self.X = [normalise((*[chance.gauss(0, .01) for _ in range(3)], *[chance.gauss(0, 1) for _ in range(4)]))
                  for _ in self.parents]
        self.resolve = resolve_poses

    def run_resolve(self) -> dict:
        return {"good": None not in self.resolve(self.parents, self.X)}


KINDS = {"convert": Convert, "lxml": Lxml, "frames": Frames, "graph": Graph}


def main(kind: str, file: str = "") -> None:
    work = KINDS[kind](file.encode() if kind == "graph" or not file else Path(file).read_bytes())
    for line in sys.stdin:
        command, _, path = line.strip().partition(" ")
        if path:
            work.text = Path(path).read_bytes()
        answer = {}
        if command != "ready":
            gc.collect()
            cpu = time.process_time()
            answer = getattr(work, f"run_{command}")()
            answer["run_ms"] = (time.process_time() - cpu) * 1e3
        print(json.dumps({**answer, "peak_kib": peak_kib()}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
