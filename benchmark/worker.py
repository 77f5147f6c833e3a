"""One side of a comparison, in a process of its own: runs one thing as often as it is told to.

    python -m benchmark.worker KIND [FILE]

answers each line on standard input by one JSON line: ``ready`` warms up and says what memory is held before, any other
word runs the work of that name, on another file if one is named behind it, and says CPU and wall milliseconds and the
peak memory so far. The C++ programs beside this file speak the same language.
"""
from __future__ import annotations

import gc
import json
import sys
import time


def peak_kib() -> int:
    """Most memory this program ever held; not getrusage, which also counts the program that started this one."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


class Convert:
    """URDF text to SDF text."""

    SMALL = b'<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ' \
            b'ixz="0" iyz="0"/></inertial></link></robot>'

    def __init__(self, text: bytes):
        from sdf_frames.convert.urdf_to_sdf import convert_text
        self.text, self.convert = text, convert_text
        convert_text(self.SMALL)

    def run_convert(self):
        return self.convert(self.text)

    def judge_convert(self, result) -> dict:
        return {"good": result[0] is not None, "bytes": len(result[0] or "")}


class Lxml:
    """The floor under everything: text to tree to text."""

    def __init__(self, text: bytes):
        from lxml import etree
        self.text, self.etree = text, etree
        etree.tostring(etree.fromstring(Convert.SMALL))

    def run_convert(self):
        # libxml2's own limits are far away here, but for the 10,000-link files.
        return self.etree.tostring(self.etree.fromstring(self.text, self.etree.XMLParser(huge_tree=True)))

    def judge_convert(self, result) -> dict:
        return {"good": bool(result)}


class Frames:
    """SDF text to a checked model with its graphs; graphs to poses."""

    SMALL = (
        b'<sdf version="1.9"><model name="m"><link name="l"/><frame name="f"><pose>1 0 0 0 0 0</pose></frame></model>'
        b'</sdf>')

    def __init__(self, text: bytes):
        from sdf_frames.frames.forest import resolve_poses
        from sdf_frames.load import load_text
        self.text, self.load, self.resolve, self.loaded = text, load_text, resolve_poses, None
        loaded = load_text(self.SMALL)
        loaded.diagnostics, loaded.scopes

    def run_load(self):
        self.loaded = None
        loaded = self.load(self.text)
        loaded.diagnostics
        self.loaded = loaded
        return loaded

    def judge_load(self, loaded) -> dict:
        return {"good": loaded.valid}

    def run_resolve(self):
        return [self.resolve(graph.relative, graph.raw) for graph in self.loaded.graphs]

    def judge_resolve(self, poses) -> dict:
        return {"good": all(None not in p for p in poses), "frames": sum(map(len, poses))}


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

    def run_resolve(self):
        return self.resolve(self.parents, self.X)

    def judge_resolve(self, poses) -> dict:
        return {"good": None not in poses, "frames": len(poses)}


KINDS = {"convert": Convert, "lxml": Lxml, "frames": Frames, "graph": Graph}


def read(file: str) -> bytes:
    with open(file, "rb") as stream:
        return stream.read()


def main(kind: str, file: str = "") -> None:
    work = KINDS[kind](file.encode() if kind == "graph" or not file else read(file))
    for line in sys.stdin:
        command, _, path = line.strip().partition(" ")
        if path:
            work.text = read(path)
        answer = {}
        if command != "ready":
            gc.collect()
            cpu, wall = time.process_time(), time.perf_counter()
            result = getattr(work, f"run_{command}")()
            answer = {"run_ms": (time.process_time() - cpu) * 1e3, "run_wall_ms": (time.perf_counter() - wall) * 1e3}
            answer.update(getattr(work, f"judge_{command}")(result))
            del result
        print(json.dumps({**answer, "peak_kib": peak_kib()}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
