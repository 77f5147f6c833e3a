"""One target, fuzzed for a while with libFuzzer through atheris; a JSON object at the end says what came of it.

What breaks a promise is kept once a kind and place, and the run goes on. Started by ``python -m fuzz``.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import pkgutil
import random
import resource
import sys
import time
import traceback
from pathlib import Path

import atheris

# Not the voxels: atheris never lets go of the arrays that it sees compared, 50 MB for one mesh.
with atheris.instrument_imports(
    include=["sdf_frames", "trimesh.exchange"], exclude=["sdf_frames.spatial.voxels"]
):
    import sdf_frames

    # Functions import what they need when they are called, which would be too late.
    for module in pkgutil.walk_packages(sdf_frames.__path__, "sdf_frames."):
        if not module.name.startswith(("sdf_frames.ros", "sdf_frames.__main__", "sdf_frames.msg", "sdf_frames.srv")):
            with contextlib.suppress(ModuleNotFoundError):  # of a library that not everybody has, such as viser
                importlib.import_module(module.name)
    import trimesh.exchange.gltf  # noqa: F401
    import trimesh.exchange.ply  # noqa: F401

    from fuzz import targets
    from fuzz.__main__ import WORK
    from fuzz.mutation import ATTRIBUTES, WORDS, mutate_document

SECONDS = 20.0  # code is up to ten times slower here
KILOBYTES = 1 << 20
_TAGS = [
    "robot", "sdf", "world", "model", "link", "joint", "frame", "pose", "include", "uri", "axis", "inertial",
    "inertia", "mass", "visual", "collision", "geometry", "mesh"]
_OTHERS = ("facet normal", "element face", "property list", *[
    "{ROOT}", "../", "%2e%2e", "%2F", "%252F", "%00", "file://", "model://", "package://",
    "https://h/o/models/c/1/", "/files/", "fuel://", "endfacet", "vertex", "endsolid", "end_header", "POSITION",
    "accessors", "bufferViews", "<library_geometries>", "<triangles", "<polylist", "instance_geometry"])


def _largest() -> int:
    """The most kilobytes that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Watch:
    """Runs a target, and keeps the inputs that break a promise, take too long or too much memory."""

    def __init__(self, name: str):
        self.target, self.folder, self.result = targets.TARGETS[name], WORK / "found" / name, WORK / f"{name}.json"
        self.count, self.kinds, self.slowest = 0, {}, 0.0
        self.begin, self.largest = time.process_time(), _largest()

    def __call__(self, data: bytes) -> None:
        self.count += 1
        start = time.process_time()
        try:
            self.target(data)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            last = traceback.extract_tb(error.__traceback__)[-1]
            text = str(error)[:40] if isinstance(error, AssertionError) else ""
            self.keep(f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {text}".strip(), data,
                      traceback.format_exc())
        took, largest = time.process_time() - start, _largest()
        self.slowest = max(self.slowest, took)
        if took > SECONDS:
            self.keep("slow", data, f"{took:.1f} s of processor time")
        if largest > self.largest + KILOBYTES:
            self.keep("memory", data, f"grew from {self.largest} to {largest} kB")
            self.largest = largest
        if not self.count % 100:  # libFuzzer leaves the process without a word to Python
            self.result.write_text(json.dumps({
                "executions": self.count, "processor_seconds": round(time.process_time() - self.begin),
                "slowest": round(self.slowest, 2), "found": {kind: row[0] for kind, row in self.kinds.items()}}))

    def keep(self, kind: str, data: bytes, text: str) -> None:
        """Note a breach; its first input is written to a file, later ones only where they are smaller."""
        count, smallest, name = self.kinds.get(kind, (0, len(data) + 1, f"{len(self.kinds):02}"))
        if len(data) < smallest:
            (self.folder / f"{name}.input").write_bytes(data)
            (self.folder / f"{name}.txt").write_text(f"{kind}\n{text}\n", encoding="utf-8", errors="backslashreplace")
        self.kinds[kind] = count + 1, min(smallest, len(data)), name


def _mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Structured mutation where it is XML; libFuzzer's own of what is not, and now and then of what is."""
    chance = random.Random(seed)
    new = mutate_document(data, chance) if chance.random() < 0.95 else None
    return new if new is not None and len(new) <= max_size else atheris.Mutate(data, max_size)


def write_dictionary(path: Path) -> None:
    """Words that the formats consist of, for libFuzzer."""
    words = [*(f"<{t}>" for t in _TAGS), *(f"</{t}>" for t in _TAGS), *(f'{a}="' for a in ATTRIBUTES), *WORDS, *_OTHERS]
    quoted = ("".join(c if c.isalnum() else f"\\x{ord(c):02x}" for c in word) for word in words if word)
    path.write_text("".join(f'"{word}"\n' for word in quoted), encoding="utf-8")


def main(name: str, seconds: str, seed: str) -> None:
    corpus, found, seeds = (WORK / kind / name for kind in ("corpus", "found", "seeds"))
    for folder in (corpus, found, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    kept = [*targets.list_kept(name), *(targets.list_models() if name in ("document", "laws") else ())]
    for number, path in enumerate(kept):
        (seeds / str(number)).write_bytes(path.read_bytes())
    words = WORK / f"{name}.words"
    write_dictionary(words)
    options = [f"-max_total_time={seconds}", f"-seed={int(seed) or int(time.time())}", "-timeout=120",
               "-rss_limit_mb=6000", "-max_len=8000", "-print_final_stats=0", "-verbosity=0", f"-dict={words}",
               f"-artifact_prefix={found}/died-", str(corpus), str(seeds)]
    atheris.Setup(["fuzz", *options], Watch(name), custom_mutator=_mutate if name == "laws" else None)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
