"""Run the library's tests with the packages of the supported distributions, and compare the findings on many files.

    python tools/test_distros.py                                     the tests, on every distribution
    python tools/test_distros.py --only debian-12 -- -k xml          one distribution; what follows -- goes to pytest
    python tools/test_distros.py --no-tests --corpus ../shared/corpus         findings of every distribution, compared
    python tools/test_distros.py --no-tests --corpus DIR --lxml 4.9.2 5.4.0   the same with other versions of lxml

Each file in tools/distros/ is one distribution: its first line names the version of Python, the others pin packages for
pip. The environments are made once, in build/distros/. Tests that need a ROS 2 are skipped.
Status 1 where a test failed, findings differ, or an interpreter is missing.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PINS = TOP / "tools" / "distros"
HOME = TOP / "build" / "distros"
SUFFIXES = (".urdf", ".sdf", ".world")
MOST_FILES = 60  # of one command
_INSTALL = ["install", "--quiet", "--disable-pip-version-check"]


def find_python(version: str) -> str | None:
    """An interpreter of a version such as `3.10`: on the path, or pyenv's; None where there is none that runs."""
    pyenv = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}.*/bin/python"))
    for candidate in (shutil.which(f"python{version}"), *map(str, pyenv)):
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def make_environment(pins: Path) -> Path | None:
    """Python of the environment with the packages of a file of pins, made anew if the file has changed."""
    content = pins.read_text(encoding="utf-8")
    home, stamp = HOME / pins.stem, hashlib.sha256(content.encode()).hexdigest()
    ready = home / "ready"
    if not ready.exists() or ready.read_text() != stamp:
        python = find_python(re.match(r"# python (\S+)", content)[1])
        if python is None:
            return None
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([python, "-m", "venv", home], check=True)
        subprocess.run([home / "bin" / "pip", *_INSTALL, "--prefer-binary", "-r", pins], check=True)
        ready.write_text(stamp)
    return home / "bin" / "python"


def install_lxml(python: Path, version: str) -> Path:
    """Folder for PYTHONPATH that holds one version of lxml alone."""
    folder = HOME / f"lxml-{version}"
    if not folder.exists():
        command = [python, "-m", "pip", *_INSTALL, "--only-binary", ":all:", "--no-deps", "--target", folder,
                   f"lxml=={version}"]
        subprocess.run(command, check=True)
    return folder


def run_tests(python: Path, options: list[str]) -> tuple[bool, str]:
    """Whether the tests pass, and pytest's last line."""
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test", *options]
    done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace",
                          check=False)
    lines = done.stdout.strip().splitlines()
    for line in lines:
        if line.startswith(("FAILED", "ERROR")):
            print(f"  {line}")
    return done.returncode == 0, lines[-1] if lines else "no output"


def record_findings(python: Path, corpus: Path, extra: Path | None = None) -> dict:
    """`{file: (verdict, [(code, file, line), …])}` of `check` for all descriptions below a folder."""
    groups: dict[str, list[str]] = {}
    for path in sorted(p.relative_to(corpus) for p in corpus.rglob("*") if p.suffix in SUFFIXES):
        groups.setdefault(path.parts[0], []).append(str(path))
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(str(p) for p in (extra, TOP) if p))
    found = {}
    for folder, files in groups.items():
        for start in range(0, len(files), MOST_FILES):
            command = [python, "-m", "sdf_frames", "check", "--json", "--resource-path", folder]
            done = subprocess.run([*command, *files[start:start + MOST_FILES]], cwd=corpus, env=environment,
                                  capture_output=True, text=True, check=False)
            for line in done.stdout.splitlines():
                answer = json.loads(line)
                places = [(d["code"], d["file"], d["line"]) for d in answer["diagnostics"]]
                found[answer["file"]] = answer["valid"], places
    return found


def count_differences(first: dict, other: dict) -> int:
    """How many files have another verdict or other findings; the first ten are shown."""
    differing = [file for file in sorted(first.keys() | other.keys()) if first.get(file) != other.get(file)]
    for file in differing[:10]:
        print(f"  {file}: {first.get(file)} or {other.get(file)}")
    return len(differing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = sorted(pins.stem for pins in PINS.glob("*.txt"))
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, help=f"of {', '.join(names)}")
    parser.add_argument("--no-tests", action="store_true", help="only compare findings")
    parser.add_argument("--corpus", type=Path, metavar="DIR",
                        help="compare the findings on the descriptions in a folder")
    parser.add_argument("--lxml", nargs="+", default=[], metavar="VERSION",
                        help="also compare with these, in the first distribution's Python")
    parser.add_argument("options", nargs="*", metavar="-- OPTION", help="for pytest")
    args = parser.parse_args()
    failed = False
    pythons: dict[str, Path] = {}
    for pins in sorted(PINS.glob("*.txt"), key=lambda p: (p.stem != "ubuntu-22.04", p.stem)):
        if args.only and pins.stem not in args.only:
            continue
        if (python := make_environment(pins)) is None:
            print(f"{pins.stem}: not run: no {pins.read_text(encoding='utf-8').splitlines()[0][2:]}", flush=True)
            failed = True
            continue
        pythons[pins.stem] = python
        if not args.no_tests:
            passed, line = run_tests(python, args.options)
            print(f"{pins.stem}: {line}", flush=True)
            failed |= not passed
    if args.corpus and pythons:
        first = next(iter(pythons.values()))
        runs = [(name, python, None) for name, python in pythons.items()]
        runs += [(f"lxml {version}", first, install_lxml(first, version)) for version in args.lxml]
        failed |= not compare_findings(runs, args.corpus)
    return int(failed)


def compare_findings(runs: list[tuple[str, Path, Path | None]], corpus: Path) -> bool:
    """Whether all runs agree with the first one; a line for each."""
    reference, differing = None, 0
    for name, python, extra in runs:
        found = record_findings(python, corpus, extra)
        reference = reference or found
        different = count_differences(reference, found)
        print(f"{name}: verdict or findings differ for {different} of {len(found)} files", flush=True)
        differing += different
    return bool(reference) and not differing


if __name__ == "__main__":
    sys.exit(main())
