"""Build the source distribution and the wheel, and try both in empty environments: what `make dist` does.

    python tools/build_dist.py                 build, check the metadata, try both on each Python that is found
    python tools/build_dist.py --only 3.11     try them on one Python

The wheel is also tried with the lowest versions that its metadata allow, on the oldest Python. A trial installs nothing
but the package: it runs `sdf_frames demo`, and the programs in docs/library.md. The results are in dist/. Status 1
where something fails; a Python that is not found is named and not tried.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from run_snippets import run_page
from test_distros import find_python

TOP = Path(__file__).resolve().parents[1]
HOME, DIST = TOP / "build" / "dist", TOP / "dist"
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
_INSTALL = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def run(*command: str | Path, folder: Path = TOP) -> None:
    """Run a command that sees nothing of this environment; what it printed is shown where it fails."""
    hidden = ("PYTHONPATH", "AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nfailed: {' '.join(map(str, command))}")


def build() -> tuple[Path, Path]:
    """Make the source distribution, and the wheel from it; their paths."""
    tools = HOME / "tools"
    python = tools / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", tools)
        run(python, *_INSTALL, "build", "twine")
    # What an earlier build listed would come back.
    for stale in (DIST, TOP / "sdf_frames.egg-info"):
        shutil.rmtree(stale, ignore_errors=True)
    run(python, "-m", "build", "--outdir", DIST, TOP, folder=HOME)
    (sdist,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    run(python, "-m", "twine", "check", "--strict", sdist, wheel)
    shutil.rmtree(TOP / "sdf_frames.egg-info", ignore_errors=True)
    return sdist, wheel


def find_missing(sdist: Path, wheel: Path) -> list[str]:
    """Files of the repository that the source distribution lacks, and files of the package that the wheel lacks."""
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, stdout=subprocess.PIPE, text=True, check=False)
    ours = set(listed.stdout.split("\n")) - {"", ".gitignore"}
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        installed = set(archive.namelist())
    missing = [f"{name} in {sdist.name}" for name in sorted(ours - packed)]
    wanted = {re.sub(r"^robots/", "sdf_frames/robots/", name) for name in ours
              if name.startswith(("sdf_frames/", "robots/"))}
    return missing + [f"{name} in {wheel.name}" for name in sorted(wanted - installed)]


def read_lowest(wheel: Path) -> list[str]:
    """The lowest version of each package that the wheel needs, as requirements."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
    return [f"{package}=={bound}" for package, bound in re.findall(r"^Requires-Dist: ([A-Za-z0-9_.-]+)>=([0-9.]+)$",
                                                                   metadata, re.MULTILINE)]


def try_package(version: str, package: Path, pins: list[str]) -> bool:
    """Install a distribution into an empty environment and use it; False where there is no such Python."""
    base = find_python(version)
    if base is None:
        return False
    home = HOME / "trial"
    shutil.rmtree(home, ignore_errors=True)
    run(base, "-m", "venv", home / "venv")
    python = home / "venv" / "bin" / "python"
    run(python, *_INSTALL, package, *pins)
    run(home / "venv" / "bin" / "sdf_frames", "demo", "--to", home / "robot", folder=home)
    _, problems, _ = run_page(TOP / "docs" / "library.md", str(python), sources=False)
    if problems:
        raise SystemExit("\n".join(problems))
    run(python, "-c",
        "from importlib.resources import files; assert files('sdf_frames').joinpath('py.typed').is_file()", folder=home)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=VERSIONS, choices=VERSIONS, metavar="VERSION",
                        help="of " + ", ".join(VERSIONS))
    args = parser.parse_args()
    HOME.mkdir(parents=True, exist_ok=True)
    sdist, wheel = build()
    print(f"built and checked: {sdist.name} {sdist.stat().st_size:,} bytes, {wheel.name} {wheel.stat().st_size:,} "
          f"bytes", flush=True)
    if missing := find_missing(sdist, wheel):
        print("missing:", *missing, sep="\n  ")
        return 1
    trials = [(version, package, []) for version in args.only for package in (wheel, sdist)]
    if VERSIONS[0] in args.only:  # the lowest versions have no wheels for newer Pythons
        trials.append((VERSIONS[0], wheel, read_lowest(wheel)))
    for version, package, pins in trials:
        kind = ("wheel" if package is wheel else "sdist") + (", lowest versions" if pins else "")
        tried = try_package(version, package, pins)
        print(f"Python {version}, {kind}: {'works' if tried else 'not tried, no such Python'}", flush=True)
    shutil.rmtree(HOME / "trial", ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
