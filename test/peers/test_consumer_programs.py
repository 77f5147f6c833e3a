"""Programs load what ``check --for`` says that they load: Drake, MuJoCo, Pinocchio, and urdfdom, which ROS uses.

    make peers            installs the programs, and runs test/peers
    make peers PEERS=all  asks about all robots, not every 32nd

Each program runs in a process of its own, which may end. A robot is judged twice: with the files that are found, and
with stand-ins for those that are not. Meshes are named by their paths, so that no program has to find packages.
"""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from mimicking_robots import MIMICS
from programs import PATIENCE, Program, tell
from real_files import MISSING
from refused_robots import CASES, DRAKE_URIS, FILES, SDF_CASES, write_for_drake
from sources import STRIDE, resource_paths, sdf_files, urdf_files

from sdf_frames.diagnostics import has_errors
from sdf_frames.document.uris import Resolver
from sdf_frames.load import LoadOptions, load_file

#: What asks for a consumer's verdict, and the module that it needs.
PROGRAMS = {"ros": ("urdfdom", "pinocchio"), "urdfdom": ("urdfdom", "pinocchio"), "pinocchio": ("pinocchio",) * 2,
            "mujoco": ("mujoco",) * 2, "drake": ("drake", "pydrake")}
AGREEMENT = 0.99
#: Robots on which the verdicts differ, and why; docs/project/disagreements.md says the same.
DIFFERENT = {
    ("drake", "PX4+PX4-gazebo-models/worlds/aruco.sdf"): "Drake does not find a model in the folder above",
    ("drake", "PX4+PX4-gazebo-models/worlds/moving_platform.sdf"): "Drake does not find a model in the folder above",
    ("drake", "gazebosim+ros_gz/ros_gz_sim_demos/worlds/vehicle.sdf"): "Drake does not find a package of ROS by itself",
    ("drake", "gazebosim+gz-physics/test/common_test/worlds/nested_model_self_collide.sdf"): "Drake ends",
    ("drake", "gazebosim+sdformat/test/sdf/world_complete.sdf"): "Drake says that it must never do what it does",
}
_FILE = re.compile(r"""(<(?:mesh|texture)\b[^>]*?\bfilename\s*=\s*)(["'])(.*?)\2""", re.DOTALL)


def load_in_pinocchio(file: str) -> None:
    import pinocchio
    pinocchio.buildModelFromUrdf(file)


def load_in_pinocchio_with_mimics(file: str) -> None:
    import pinocchio
    pinocchio.buildModelFromUrdf(file, mimic=True)


def load_in_mujoco(file: str) -> None:
    import mujoco
    mujoco.MjModel.from_xml_path(file)


def load_in_drake(line: str) -> None:
    """Load a file with the packages in the folders that follow it in the line."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder
    plant, _ = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.001)
    parser, (file, *folders) = Parser(plant), line.split("\t")
    packages = parser.package_map()
    for folder in filter(os.path.isdir, folders):
        packages.PopulateFromFolder(folder)
        for name in filter(os.path.isdir, map(folder.__add__, map("/".__add__, os.listdir(folder)))):
            if not packages.Contains(os.path.basename(name)):
                packages.Add(os.path.basename(name), name)
    parser.AddModels(file)
    plant.Finalize()


def load_in_urdfdom(file: str) -> None:
    import pinocchio
    home = next(p for p in Path(pinocchio.__file__).parents if (p / "bin" / "check_urdf").exists())
    subprocess.run([home / "bin" / "check_urdf", file], env={**os.environ, "LD_LIBRARY_PATH": str(home / "lib")},
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE / 2)


def work(program: str) -> None:
    """Load the file that each line names, and answer with a line: nothing, or the problem."""
    load = globals()[f"load_in_{program}"]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the programs print is no answer
    for line in sys.stdin:
        try:
            load(line.rstrip("\n"))
            problem = ""
        except BaseException as error:  # noqa: BLE001 - Drake raises SystemExit
            problem = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        answers.write(problem + "\n")
        answers.flush()


@pytest.fixture(scope="module")
def ask():
    """Function that gives a program's problem with a line; nothing if it loads the file. Each is started once."""
    programs: dict[str, Program] = {}

    @cache
    def answer(name: str, line: str | Path) -> str:
        if name not in programs:
            programs[name] = Program(
                sys.executable, "-W", "ignore", "-c", f"import test_consumer_programs as t; t.work({name!r})",
                PYTHONPATH=os.pathsep.join(map(os.path.abspath, sys.path)))
        return programs[name].ask(line)
    yield answer
    for program in programs.values():
        program.end()


def paths_of(name: str) -> tuple[str, ...]:
    """The resource paths of a robot: those of its package, or what was recorded of the corpus."""
    if name.split("/")[0] in ("example-robot-data", "icub-models"):
        return tuple(str(path) for path in urdf_files()[name].parents if path.name in ("share", "robots"))
    return resource_paths(name)


class NoStandIn(Exception):
    """A file that is missing is of a format that has none here, and that Drake opens."""


def make_stand_in(uri: str, folder: Path) -> Path:
    """A tetrahedron or an empty file under the name of a file that is missing."""
    if uri.endswith((".gltf", ".vtk")):
        raise NoStandIn
    path = folder / hashlib.sha1(uri.encode()).hexdigest()[:8] / uri.split("/")[-1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(FILES.get({".stl": "binary.stl", ".obj": "solid.obj"}.get(path.suffix.lower(), ""), b""))
    return path


def place_files(name: str, folder: Path, stand_in: bool) -> Path:
    """Write a robot with the paths of its meshes and textures in place of their URIs."""
    path, resolver = urdf_files()[name], Resolver(paths_of(name))

    def place(match: re.Match[str]) -> str:
        found = resolver.find(match[3], str(path)) or (make_stand_in(match[3], folder) if stand_in else match[3])
        return f"{match[1]}{match[2]}{found}{match[2]}"
    out = folder / str(stand_in) / name
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(_FILE.sub(place, path.read_text("utf-8", "surrogateescape")), "utf-8", "surrogateescape")
    return out


@cache
def judge(file: Path) -> dict[str, bool]:
    """Whether a robot is valid, by consumer."""
    loaded = load_file(file)
    return {consumer: not has_errors(loaded.judge([consumer])) for consumer in PROGRAMS}


@pytest.fixture(scope="module")
def placed(tmp_path_factory) -> list[tuple[str, Path]]:
    """Real robots by name: each with the files that are found, and with stand-ins for the others."""
    folder, found = tmp_path_factory.mktemp("placed"), []
    for name in list(urdf_files())[::STRIDE]:
        for stand_in in (False, True):
            with suppress(NoStandIn):
                found.append((name, place_files(name, folder, stand_in)))
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> dict[tuple[str, str], Path]:
    """The small robots and models, by suffix and name."""
    folder = tmp_path_factory.mktemp("small")
    for file, content in FILES.items():
        (folder / file).write_bytes(content)
    found = {}
    for suffix, cases in (("urdf", CASES), ("sdf", SDF_CASES)):
        for number, (name, (text, _)) in enumerate(cases.items()):
            found[suffix, name] = folder / f"{number}.{suffix}"
            found[suffix, name].write_text(text)
    return found


@pytest.fixture(scope="module", params=PROGRAMS)
def consumer(request):
    if importlib.util.find_spec(PROGRAMS[request.param][1]) is None:
        pytest.skip(f"{PROGRAMS[request.param][1]} is missing (pip install drake mujoco pin)")
    return request.param


def test_small_robots(consumer, ask, small):
    problems = {name: ask(PROGRAMS[consumer][0], small["urdf", name]) for name in CASES}
    assert {name: problem for name, problem in problems.items() if bool(problem) != (consumer in CASES[name][1])} == {}


def test_small_sdf_in_drake(ask, small):
    pytest.importorskip("pydrake")
    problems = {name: ask("drake", small["sdf", name]) for name in SDF_CASES}
    assert {name: problem for name, problem in problems.items() if bool(problem) != bool(SDF_CASES[name][1])} == {}


@pytest.mark.parametrize("name", MIMICS)
def test_mimics_in_pinocchio(name, ask, tmp_path):
    pytest.importorskip("pinocchio")
    (tmp_path / "r.urdf").write_text(MIMICS[name][0])
    assert bool(ask("pinocchio_with_mimics", tmp_path / "r.urdf")) != MIMICS[name][1]


@pytest.mark.parametrize(("kind", "uri"), DRAKE_URIS)
def test_uris_in_drake(kind, uri, ask, tmp_path):
    pytest.importorskip("pydrake")
    assert bool(ask("drake", f"{write_for_drake(kind, uri, tmp_path)}\t{tmp_path}")) != DRAKE_URIS[kind, uri]


@pytest.mark.skipif(not sdf_files(), reason=MISSING)
def test_real_sdf_in_drake(ask, record_property):
    pytest.importorskip("pydrake")
    different, asked = {}, 0
    names = list(sdf_files())[::STRIDE]
    for name in names:
        problem = ask("drake", "\t".join([str(sdf_files()[name]), *resource_paths(name)]))
        if "drake_models" in problem:
            continue
        asked += 1
        loaded = load_file(sdf_files()[name], LoadOptions(resource_paths=resource_paths(name)))
        if has_errors(loaded.judge(["drake"])) != bool(problem):
            different[name] = problem or "it loads the file"
    tell("drake, SDFormat", names, asked, different, record_property)
    assert {name for name in different if ("drake", name) not in DIFFERENT} == set()
    assert len(different) <= max(1, (1 - AGREEMENT) * asked)


@pytest.mark.skipif(not urdf_files(), reason=MISSING)
def test_real_robots(consumer, ask, placed, record_property):
    different, asked = {}, 0
    for name, file in placed:
        problem = ask(PROGRAMS[consumer][0], file)
        if "drake_models" in problem:
            continue  # Drake tries to download this package
        asked += 1
        if judge(file)[consumer] == bool(problem):
            different[name] = problem or "it loads the robot"
    names = {name for name, _ in placed}
    tell(consumer, names, asked, different, record_property)
    assert {name for name in different if (consumer, name) not in DIFFERENT} == set()
    assert asked >= len(names) and len(different) <= max(1, (1 - AGREEMENT) * asked)
