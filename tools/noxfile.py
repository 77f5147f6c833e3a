"""Sessions of nox: the tests on every distribution, the package in empty environments, and the targets of make.

    make test-distros DISTROS='-s debian-12 -- -k xml'     one distribution; what follows -- goes to pytest
    make dist DIST='-p 3.11'                               build, and try what was built on one Python
    nox -f tools/noxfile.py -s targets -- lint docs        these targets in a fresh clone; all take half an hour

Each file in tools/distros/ is one distribution: its first line names the version of Python, the others pin packages for
pip. Tests that need a ROS 2 are skipped. What is built is in dist/. A trial has nothing but the package, once with the
lowest versions that its metadata allow: it runs `sdf_frames demo`, and the programs in docs/library.md.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

import nox

TOP = Path(__file__).resolve().parents[1]
DIST = TOP / "dist"
HIDDEN = dict.fromkeys(("PYTHONPATH", "AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"))
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# So that nox finds all Pythons of pyenv.
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
os.environ.setdefault("PYENV_VERSION", ":".join(path.name for path in PYENV.glob("3.*")))
#: Parameters of targets that make them faster.
PARAMETERS = {
    "fuzz": ["TIME=40s"],
    "dist": ["DIST=-p 3.11"],
    "test-distros": ["DISTROS=-s debian-12 -- -k plural"],
    "pictures": ["PICTURES=.ros/pictures"],
    "run": ["ONCE=1"],
    "bench": ["BENCH=--quick --only robots"],
    "mutate": ["MUTATE=--only sdf/names.py"],
    "corpus": ["CORPUS=--only anymal_b_simple"],
}
nox.options.envdir = TOP / "build" / "nox"


def add_distribution(pins: Path) -> None:
    """Make the session of a distribution."""
    python = re.match(r"# python (\S+)", pins.read_text(encoding="utf-8"))[1]

    @nox.session(name=pins.stem, python=python, tags=["distros"])
    def run_tests(session: nox.Session) -> None:
        session.install("--prefer-binary", "-r", pins)
        session.chdir(TOP)
        session.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test", *session.posargs, env=HIDDEN)


for file in sorted((TOP / "tools" / "distros").glob("*.txt")):
    add_distribution(file)


@nox.session
def build(session: nox.Session) -> None:
    """Make the source distribution, and the wheel from it."""
    session.install("build", "twine")
    session.chdir(TOP)
    # Otherwise setuptools packs files that an earlier build listed.
    for stale in (DIST, TOP / "sdf_frames.egg-info"):
        shutil.rmtree(stale, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", DIST, TOP, env=HIDDEN, silent=True)
    shutil.rmtree(TOP / "sdf_frames.egg-info", ignore_errors=True)
    sdist, wheel = find_built("tar.gz"), find_built("whl")
    session.run("python", "-m", "twine", "check", "--strict", sdist, wheel)
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, stdout=subprocess.PIPE, text=True, check=False).stdout
    ours = set(listed.split("\n")) - {"", ".gitignore"}
    with tarfile.open(sdist) as archive:
        missing = ours - {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        missing |= {name for name in ours if name.startswith(("sdf_frames/", "robots/"))
                    and re.sub(r"^robots/", "sdf_frames/robots/", name) not in archive.namelist()}
    if missing:
        session.error(f"missing in what was built: {sorted(missing)}")


def find_built(suffix: str) -> Path:
    (path,) = DIST.glob(f"*.{suffix}")
    return path


@nox.session(python=VERSIONS)
@nox.parametrize("kind", ["wheel", "sdist", "lowest"])
def trial(session: nox.Session, kind: str) -> None:
    """Install the built package, and use it."""
    package, pins = find_built("tar.gz" if kind == "sdist" else "whl"), []
    if kind == "lowest":
        if session.python != VERSIONS[0]:
            session.skip("the lowest versions have no wheels for newer Pythons")
        with zipfile.ZipFile(package) as archive:
            (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
            bounds = re.findall(r"^Requires-Dist: (\S+)>=([0-9.]+)$", archive.read(name).decode(), re.MULTILINE)
        pins = [f"{package}=={bound}" for package, bound in bounds]
    session.install(package, *pins)
    session.chdir(session.create_tmp())
    session.run("sdf_frames", "demo", "--to", "robot", env=HIDDEN, silent=True)
    session.run("python", TOP / "tools/run_snippets.py", "--installed", TOP / "docs/library.md", env=HIDDEN)
    session.run("python", "-c",
                "from importlib.resources import files; assert (files('sdf_frames') / 'py.typed').is_file()",
                env=HIDDEN)


@nox.session(venv_backend="none")
def targets(session: nox.Session) -> None:
    """Try targets of `make help` in a fresh clone of the last commit: each ends with 0, and adds nothing for git."""
    with tempfile.TemporaryDirectory() as folder:
        clone, failed = Path(folder, TOP.name), []
        session.run("git", "clone", "--quiet", TOP, clone)
        listed = re.search(r"^\.PHONY: (.+)$", (TOP / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
        for target in session.posargs or listed.split():
            try:
                session.run("make", "-C", clone, target, *PARAMETERS.get(target, ()), env={"PYENV_VERSION": None})
            except nox.command.CommandFailed:
                failed.append(target)
            if left := session.run("git", "-C", clone, "status", "--porcelain", silent=True):
                failed.append(f"{target} left {left}")
    if failed:
        session.error(f"failed: {failed}")
