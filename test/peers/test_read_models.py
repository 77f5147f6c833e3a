"""SDF files of the corpus: libsdformat's verdict, frames, graphs and poses are ours, but for differences with a reason.

Debian's libsdformat 12 reads SDF up to 1.9; files beyond, and files that include such, are left out.
"""
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from programs import Program
from real_files import MISSING
from sources import NEWEST, STRIDE, golden, resource_paths, sdf_files, some, versions_in

from benchmark.libsdformat import compile_program, find_package
from sdf_frames.load import LoadOptions, load_file
from sdf_frames.spatial.pose import compose, normalise

FILES = some(sdf_files(), STRIDE)

# Where we mean to differ from libsdformat 12 and 17 alike: what of our findings marks such a file, and why.
DIFFERENT_VERDICT = {
    ("name-renamed", "name-shared-aside", "name-shared"): "until 1.6 siblings of different types could share a name",
    ("name-reserved",): "until 1.6 a link could be called world",
    ("joint-child-is-world",): "until 1.6 a joint's child could be the world: its ends are swapped",
}
# Files whose frames or poses differ, and why.
DIFFERENT_FRAMES = {
    "gazebosim+sdformat/test/sdf/rotations_in_quaternions.sdf": "libsdformat 12 rounds quaternions to six digits",
}

if not FILES:
    pytest.skip(MISSING, allow_module_level=True)
if find_package() is None:
    pytest.skip("libsdformat-dev, pkg-config or a C++ compiler is missing", allow_module_level=True)


@cache
def load(name):
    loaded = load_file(FILES[name], LoadOptions(resource_paths=resource_paths(name)))
    loaded.diagnostics, loaded.scopes
    return loaded


def differs_on_purpose(loaded) -> bool:
    """Whether a file that is valid here, and not there, is so for one of the reasons above."""
    found = {d.name for d in loaded.diagnostics}
    return loaded.valid and min(versions_in(loaded)) < (1, 7) and any(found & set(names) for names in DIFFERENT_VERDICT)


def skip_unless_old_enough(name):
    loaded = load(name)
    newest = max(versions_in(loaded), default=(1, 0))
    if newest > NEWEST:
        pytest.skip(f"SDF {'.'.join(map(str, newest))} is too new for this libsdformat")
    return loaded


def skip_unless_valid(name, ask):
    """A file that is valid here and there, and what libsdformat says of it."""
    loaded, theirs = skip_unless_old_enough(name), ask(name)
    if "thrown" in theirs or not theirs["valid"] or not loaded.valid:
        pytest.skip("not valid for both")
    return loaded, theirs


@pytest.fixture(scope="session")
def ask():
    """Function that gives what libsdformat says of a file; it is asked once."""
    path = compile_program("libsdformat_poses", Path(__file__).parent)
    programs: dict[str, Program] = {}

    @cache
    def ask(name) -> dict:
        folders = ":".join(resource_paths(name))
        answer = programs.setdefault(folders, Program(path, SDF_PATH=folders)).ask(FILES[name])
        return json.loads(answer) if answer.startswith("{") else {"thrown": answer}
    yield ask
    for program in programs.values():
        program.end()


def agrees_with_17(name, valid) -> bool:
    """Whether the current libsdformat says what we say, so that 12 is merely old."""
    check = (golden().get(name) or {}).get("check")
    return bool(check) and check["ok"] == valid


@pytest.mark.parametrize("name", FILES)
def test_verdict(name, ask):
    loaded = skip_unless_old_enough(name)
    theirs = ask(name)
    if "thrown" in theirs:
        pytest.skip(f"libsdformat 12 ends on it: {theirs['thrown']}")
    if loaded.valid == theirs["valid"] or agrees_with_17(name, loaded.valid):
        return
    assert differs_on_purpose(loaded), (f"here {'valid' if loaded.valid else 'invalid'}; there {theirs['errors'][:3]}; "
                                        f"{[d.message for d in loaded.diagnostics if d.severity == 'error'][:3]}")


def same_frames_in_17(name, loaded) -> bool:
    """Whether the current libsdformat has the frames that we have, at the same places."""
    record = golden().get(name) or {}
    scopes = record.get("frames")
    if not scopes or len(scopes) != len(loaded.scopes):
        return False
    for ours, theirs in zip(loaded.scopes, scopes):
        rows = {f.name: f.pose for f in ours.frames}
        if set(rows) != set(theirs["frames"]):
            return False
        if not all(same_pose(rows[n], pose) for n, (_, _, pose) in theirs["frames"].items()):
            return False
    return True


def same_pose(p, q, tolerance=1e-9) -> bool:
    if p is None or q is None:
        return p is None and q is None
    p, q = np.array(p), np.array(q)
    if p[3:] @ q[3:] < 0:
        q[3:] *= -1
    return np.abs(p[:3] - q[:3]).max() <= tolerance * max(1, np.abs(q[:3]).max()) and np.abs(p[3:] - q[3:]).max(
        ) <= 2e-8


@pytest.mark.parametrize("name", FILES)
def test_frames_and_poses(name, ask):
    loaded, theirs = skip_unless_valid(name, ask)
    problems = []
    if len(loaded.scopes) != len(theirs["scopes"]):
        problems.append(f"{len(loaded.scopes)} scopes, {len(theirs['scopes'])} there")
    for ours, table in zip(loaded.scopes, theirs["scopes"]):
        rows = {f.name: f.pose for f in ours.frames if f.name not in ("world", "__model__")}
        if set(rows) != set(table):
            problems.append(
                f"only here {sorted(set(rows) - set(table))[:4]}, only there {sorted(set(table) - set(rows))[:4]}")
            continue
        problems += [f"{n}: {rows[n]} and {table[n]}" for n in table if not same_pose(rows[n], table[n])]
    if problems and not same_frames_in_17(name, loaded):
        assert name in DIFFERENT_FRAMES, problems[:3]


@pytest.mark.parametrize("name", FILES)
def test_ign_says_valid(name, ask):
    """The verdict of ``ign sdf -k``."""
    loaded = skip_unless_old_enough(name)
    theirs = ask(name)
    if "check" not in theirs:
        pytest.skip(f"no answer: {theirs.get('thrown', 'this libsdformat has no commands')}")
    valid = "Valid." in theirs["check"]
    if loaded.valid != valid and not agrees_with_17(name, loaded.valid):
        assert differs_on_purpose(loaded), theirs["errors"][:3]


def light_poses(loaded, number) -> dict:
    """Pose of each light of a scope in the scope's frame, from its frames' poses and what is written."""
    graph, rows = loaded.graphs[number], {f.name: f.pose for f in loaded.scopes[number].frames}
    found = {}
    for vertex, (kind, entity) in enumerate(zip(graph.kinds, graph.entities)):
        parts = entity.parts if kind in ("world", "link") else ()
        prefix = graph.names[vertex][:len(graph.names[vertex]) - len(entity.name)] if kind == "link" else ""
        for light in [p for p in parts if p.kind == "light"]:
            below = prefix + light.pose.relative_to if light.pose.relative_to else graph.names[vertex]
            below = below.removesuffix("::__model__") if kind == "link" else below
            name = f"{graph.names[vertex]}::{light.name}" if kind == "link" else light.name
            found[name] = compose(rows[below], normalise(light.pose.X))
    return found


@pytest.mark.parametrize("name", FILES)
def test_lights(name, ask):
    loaded, theirs = skip_unless_valid(name, ask)
    if not any(theirs["lights"]):
        pytest.skip("no light")
    for number, table in enumerate(theirs["lights"]):
        ours = light_poses(loaded, number)
        included = loaded.root.element.find(".//include") is not None  # a light that is included is not read here
        assert set(ours) == set(table) or (included and set(ours) < set(table))
        assert [n for n in ours if not same_pose(ours[n], table[n])] == []


def read_dot(text) -> tuple[set, set]:
    """Vertices and edges, by name, of a graph in DOT."""
    names = dict(re.findall(r'(\d+) \[label="(.*) \(\d+\)"\]', text))
    return set(names.values()), {(names[a], names[b]) for a, b in re.findall(r"(\d+) -> (\d+) \[", text)}


def our_graph(graph, kind) -> tuple[set, set]:
    """The same of ours, in libsdformat's words: each model has a vertex of its own name and one ``__model__``."""
    scope = "" if graph.kind == "world" else f"{graph.name}::"

    def name_of(vertex, inner):
        if graph.kinds[vertex] == "world":
            return "world"
        if vertex == 0:
            return f"{graph.name}::__model__" if inner else graph.name
        name = scope + graph.names[vertex]
        return f"{name}::__model__" if inner and graph.kinds[vertex] == "model" else name

    vertices = {name_of(v, False) for v in range(len(graph.names))}
    vertices |= {name_of(v, True) for v in range(len(graph.names))}
    edges = {(name_of(v, False), name_of(v, True)) for v in range(len(graph.names)) if graph.kinds[v] == "model"}
    if kind == "pose":
        vertices.add("__root__")
        edges.add(("__root__", name_of(0, False)))
    for v in range(len(graph.names)):
        target = (graph.relative if kind == "pose" else graph.attached)[v]
        if target >= 0 and v != target:
            end = name_of(target, graph.kinds[target] == "model")
            edges.add((end, name_of(v, False)) if kind == "pose" else (name_of(v, graph.kinds[v] == "model"), end))
    return vertices, edges


@pytest.mark.parametrize("kind", ["pose", "frame"])
@pytest.mark.parametrize("name", FILES)
def test_graphs(name, kind, ask):
    """``ign sdf -g`` draws a root model, or the first world."""
    loaded, theirs = skip_unless_valid(name, ask)
    drawings = re.findall(r"digraph \{.*?\n\}", theirs.get(kind, ""), re.S)
    if not drawings:
        pytest.skip("no drawing")
    problems = []
    for graph, drawing in zip(loaded.graphs, drawings):
        (vertices, edges), (known, drawn) = our_graph(graph, kind), read_dot(drawing)
        if vertices != known or edges != drawn:
            problems.append(
                f"vertices only here {sorted(vertices - known)[:3]}, only there {sorted(known - vertices)[:3]}; "
                            f"edges only here {sorted(edges - drawn)[:3]}, only there {sorted(drawn - edges)[:3]}")
    if problems and not same_frames_in_17(name, loaded):
        assert name in DIFFERENT_FRAMES, problems
