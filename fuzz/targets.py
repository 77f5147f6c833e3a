"""What is fuzzed: each target takes bytes and raises where the package breaks a promise.

The targets need nothing but the package, so that a normal test can replay every input that was ever kept.
"""

from __future__ import annotations

import itertools
import json
import os
import zlib
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from fuzz.ground import BrokenPromiseError, make_folder, make_uri_trees
from fuzz.laws import judge_document
from fuzz.services import answer_request, hear_joints, take_upload

if TYPE_CHECKING:
    from sdf_frames.inertia.mesh_file import Surface

FOLDER = Path(__file__).parent
_CALLS = itertools.count()
_BODY = """<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/>
<collision name="c"><geometry><mesh><uri>{}</uri></mesh></geometry></collision></link></model></sdf>"""


def read_document(data: bytes) -> None:
    """Any bytes as a robot description from the network: nothing raised, nothing called an internal error."""
    from sdf_frames.load import LoadOptions, load_text

    loaded = load_text(data, options=LoadOptions(resource_paths=(str(make_folder() / "inside"),), confined=True))
    if internal := [d.message for d in loaded.diagnostics if d.name == "internal-error"]:
        raise BrokenPromiseError(internal[0])
    for scope in loaded.scopes:
        if not all(frame.pose is None or len(frame.pose) == 7 for frame in scope.frames):
            raise BrokenPromiseError("a pose does not have seven numbers")
    if loaded.valid and loaded.source is None:
        raise BrokenPromiseError("a valid description has no SDF text")


def find_uri(data: bytes) -> None:
    """A confined resolver stays inside of its roots, and answers the same whatever exists outside of them."""
    uri = data.decode("utf-8", "surrogateescape")
    answers = []
    turn = next(_CALLS) // 500
    for root in make_uri_trees():
        resolver = make_resolver(root, turn)
        os.environ["GZ_FUEL_CACHE_PATH"] = f"{root}/cache"  # a resolver reads it when it first needs the cache
        base = f"{root}/models/m/model.sdf" if len(uri) % 2 else None
        found = resolver.find(uri.replace("{ROOT}", root), base)
        if found is not None:
            real = os.path.realpath(found)
            if not f"{real}/".startswith((f"{root}/models/", f"{root}/cache/")):
                raise BrokenPromiseError(f"a confined resolver found {real.removeprefix(root)}")
            found = found.removeprefix(root)
        answers.append(found)
    if answers[0] != answers[1]:
        raise BrokenPromiseError(f"the answer depends on what is outside: {answers}")


@lru_cache(maxsize=2)
def make_resolver(root: str, turn: int):
    """A resolver of one tree; another each `turn`, since it remembers every URI."""
    from sdf_frames.document.uris import Resolver

    for name in ("SDF_PATH", "GZ_SIM_RESOURCE_PATH", "AMENT_PREFIX_PATH"):
        os.environ.pop(name, None)
    return Resolver([f"{root}/models"], confined=True)


def _read_mesh(extension: str, data: bytes) -> Surface | None:
    """A mesh file of anybody's making: a sound surface, or exactly one reason why there is none."""
    import numpy as np

    from sdf_frames.inertia.mesh_file import read_mesh_file

    path = make_folder() / f"mesh.{extension}"
    path.write_bytes(data)
    surface, found = read_mesh_file(str(path))
    if (surface is None) != any(d.severity == "error" for d in found):
        raise BrokenPromiseError("a surface with an error, or none without one")
    if surface is None:
        return None
    V, F = surface.vertices, surface.faces
    if V.ndim != 2 or V.shape[1] != 3 or F.ndim != 2 or F.shape[1] != 3 or not len(F):
        raise BrokenPromiseError(f"a surface of shapes {V.shape} and {F.shape}")
    if F.min() < 0 or F.max() >= len(V) or not np.isfinite(V[F]).all():
        raise BrokenPromiseError("a face has a corner that is none")
    if len(F) <= 2000 and zlib.crc32(data) % 16 == 0:  # takes twenty times as long as reading
        _integrate(str(path))
    return surface


def _integrate(path: str) -> None:
    """The mass properties of a body of the mesh: numbers, or an error; nothing raised."""
    from sdf_frames.load import load_text

    loaded = load_text(_BODY.format(path))
    numbers = [number for link in loaded.inertias().links for number in (link.mass, *link.pose, *link.inertia)]
    if loaded.valid and not all(number - number == 0 for number in numbers):
        raise BrokenPromiseError("a mass, centre or tensor that is not finite, without an error")


def read_configuration(data: bytes) -> None:
    """A settings file or a baseline of anybody's making: settings, or one exception that says what is wrong."""
    from sdf_frames.cli.config import WrongSettings, read_settings
    from sdf_frames.cli.known import WrongBaseline, part_known, read_baseline
    from sdf_frames.diagnostics import Diagnostic

    path = make_folder() / "settings.toml"
    path.write_bytes(data)
    try:
        settings = read_settings(str(path))
        settings.choices_for("sub/a.sdf")
        if {type(text) for text in (*settings.resource_paths, *settings.exclude)} - {str}:
            raise BrokenPromiseError("settings with a path that is no text")
    except WrongSettings:
        pass
    try:
        known = read_baseline(str(path))
        part_known([Diagnostic("F001", "n", "error", "m", "a.sdf", 1)] * 3, known, str(make_folder()))
    except WrongBaseline:
        pass


def _read_archive(suffix: str, data: bytes) -> None:
    """An archive of anybody's making: refused, or a row for each of its descriptions, and its output below a folder."""
    from sdf_frames.batch.sources import list_items
    from sdf_frames.batch.work import Task, do_work

    path = make_folder() / f"archive.{suffix}"
    path.write_bytes(data)
    for item in itertools.islice(list_items([str(path)]), 20):
        if not os.path.normpath(f"/out/{item.target}").startswith("/out/"):
            raise BrokenPromiseError(f"the target {item.target!r} leads out of the output folder")
        outcome = do_work(item, Task(options={"limits": {"bytes": 1 << 16}}))
        if outcome is None or outcome.row.get("bytes", 0) > (1 << 16) + 1:
            raise BrokenPromiseError(f"the row {outcome and outcome.row}")


_GRAPH_VALUES = (*range(10), -1, True, 1.0, "1", None, [0])
_TRIANGLE = {
    "asset": {"version": "2.0"},
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
}


def read_graph(data: bytes) -> None:
    """Nodes and scenes of a glTF file, each a list of bytes up to an 0xff: read as a tree, or refused."""
    scenes, *children = [[_GRAPH_VALUES[b % 16] for b in part] for part in data.split(b"\xff")[:12]]
    nodes = [{"mesh": 0, "name": "world", "children": some} if some else {"mesh": 0} for some in children]
    text = json.dumps({**_TRIANGLE, "scenes": [{"nodes": scenes}], "nodes": nodes})
    surface = _read_mesh("gltf", text.encode())
    seen, pending = 0, list(scenes) if surface is not None else []
    while pending:
        seen += 1
        pending += children[pending.pop()]
        if seen > len(nodes):
            raise BrokenPromiseError("a graph that is no tree was read")
    if surface is not None and len(surface.faces) != seen:
        raise BrokenPromiseError(f"{seen} nodes have {len(surface.faces)} triangles")


def keep_laws(data: bytes) -> None:
    """A description changed at random: what the commands say of it and make of it agrees (fuzz/laws.py)."""
    judge_document(data, make_folder())


TARGETS = {
    "document": read_document,
    "uri": find_uri,
    **{name: partial(_read_mesh, name) for name in ("stl", "obj", "off", "ply", "gltf", "glb", "dae")},
    "graph": read_graph,
    **{name: partial(_read_archive, name) for name in ("zip", "tar")},
    "configuration": read_configuration,
    "laws": keep_laws,
    "upload": take_upload,
    "joints": hear_joints,
    "request": answer_request,
}


def list_kept(target: str) -> list[Path]:
    """Committed inputs of a target: seeds, and what once broke it."""
    return sorted(p for kind in ("seeds", "crashes") for p in (FOLDER / kind / target).glob("*"))


def list_models() -> list[Path]:
    """The small models of the tests, seeds of what takes robot descriptions."""
    return sorted(p for p in (FOLDER.parent / "test" / "models").rglob("*")
                  if p.suffix in (".sdf", ".urdf") and p.stat().st_size < 6000)
