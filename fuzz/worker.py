"""One target, fuzzed for a while with libFuzzer through atheris; a JSON object at the end says what came of it.

What breaks a promise is kept once a kind and place, and the run goes on. Started by ``python -m fuzz``.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import pkgutil
import random
import resource
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
    from fuzz.alone import measure_alone

SECONDS = 2.0
KILOBYTES = 1 << 20
_UNITS = ["document", "laws"]


class Watch:
    """Runs a target, and keeps the inputs that break a promise, take too long or too much memory."""

    def __init__(self, name: str, found: Path):
        self.name, self.target, self.folder = name, targets.TARGETS[name], found
        self.count, self.kinds, self.slowest = 0, {}, 0.0
        self.largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def __call__(self, data: bytes) -> None:
        self.count += 1
        start = time.process_time()
        try:
            self.target(data)
        except MemoryError:
            self.keep("MemoryError", data, "")
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            last = traceback.extract_tb(error.__traceback__)[-1]
            text = str(error)[:40] if isinstance(error, AssertionError) else ""
            self.keep(
                f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {text}".strip(),
                data,
                traceback.format_exc(),
            )
        took = time.process_time() - start
        self.slowest = max(self.slowest, took)
        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if took > SECONDS or largest > self.largest + KILOBYTES:
            self.largest = max(largest, self.largest)
            seconds, kilobytes = measure_alone(self.name, data)
            if seconds > SECONDS:
                self.keep("slow", data, f"{seconds:.1f} s of processor time, alone")
            if kilobytes > KILOBYTES:
                self.keep("memory", data, f"grew by {kilobytes} kB, alone")

    def keep(self, kind: str, data: bytes, text: str) -> None:
        """Note a breach; its first input is written to a file, later ones only where they are smaller."""
        count, smallest, name = self.kinds.get(kind, (0, len(data) + 1, f"{len(self.kinds):02}"))
        if len(data) < smallest:
            (self.folder / f"{name}.input").write_bytes(data)
            (self.folder / f"{name}.txt").write_text(f"{kind}\n{text}\n", encoding="utf-8", errors="backslashreplace")
        self.kinds[kind] = count + 1, min(smallest, len(data)), name


def _mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Structured mutation where it is XML; libFuzzer's own of what is not, and now and then of what is."""
    from fuzz.mutation import mutate_document

    chance = random.Random(seed)
    new = mutate_document(data, chance) if chance.random() < 0.95 else None
    return new if new is not None and len(new) <= max_size else atheris.Mutate(data, max_size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=targets.TARGETS)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for the corpus that grows, and for what is found"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    corpus, found, seeds = (args.work / kind / args.target for kind in ("corpus", "found", "seeds"))
    for folder in (corpus, found, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    kept = [*targets.list_kept(args.target), *(targets.list_models() if args.target in _UNITS else ())]
    for number, path in enumerate(kept):
        (seeds / str(number)).write_bytes(path.read_bytes())
    words = args.work / "words.txt"
    write_dictionary(words)
    watch = Watch(args.target, found)
    options = [
        "fuzz",
        f"-max_total_time={args.seconds}",
        f"-seed={args.seed or int(time.time())}",
        "-timeout=120",
        "-rss_limit_mb=6000",
        "-max_len=8000",
        "-print_final_stats=0",
        "-verbosity=0",
        f"-dict={words}",
        f"-artifact_prefix={found}/died-",
        str(corpus),
        str(seeds),
    ]
    result = args.work / f"{args.target}.json"
    start = time.process_time()

    def run(data: bytes) -> None:
        watch(data)
        if not watch.count % 100:  # libFuzzer leaves the process without a word to Python
            result.write_text(
                json.dumps(
                    {
                        "target": args.target,
                        "executions": watch.count,
                        "processor_seconds": round(time.process_time() - start),
                        "slowest": round(watch.slowest, 2),
                        "found": {k: v[0] for k, v in watch.kinds.items()},
                    }
                )
            )

    atheris.Setup(options, run, custom_mutator=_mutate if args.target == "laws" else None)
    atheris.Fuzz()


def write_dictionary(path: Path) -> None:
    """Words that the formats consist of, for libFuzzer."""
    from fuzz.mutation import ATTRIBUTES, WORDS

    tags = [
        "robot",
        "sdf",
        "world",
        "model",
        "link",
        "joint",
        "frame",
        "pose",
        "include",
        "uri",
        "axis",
        "inertial",
        "inertia",
        "mass",
        "visual",
        "collision",
        "geometry",
        "mesh",
    ]
    others = (
        "{ROOT}",
        "../",
        "%2e%2e",
        "%2F",
        "%252F",
        "%00",
        "file://",
        "model://",
        "package://",
        "https://h/o/models/c/1/",
        "/files/",
        "fuel://",
        "facet normal",
        "endfacet",
        "vertex",
        "endsolid",
        "element face",
        "property list",
        "end_header",
        "POSITION",
        "accessors",
        "bufferViews",
        "<library_geometries>",
        "<triangles",
        "<polylist",
        "instance_geometry",
    )
    words = [*(f"<{t}>" for t in tags), *(f"</{t}>" for t in tags), *(f'{a}="' for a in ATTRIBUTES), *WORDS, *others]
    with path.open("w", encoding="utf-8") as stream:
        for word in filter(None, words):
            stream.write('"' + "".join(c if c.isalnum() else f"\\x{ord(c):02x}" for c in word) + '"\n')


if __name__ == "__main__":
    main()
