"""Mutation testing: puts one small fault at a time into a copy of the package, and sees whether a test notices.

    python tools/mutate.py --sample 300 --seed 1        a seeded sample; most of it stays when code changes
    python tools/mutate.py --base main                  what has changed since a commit
    python tools/mutate.py --only sdf/names.py          files whose path holds that

Which test runs which line is recorded once (.mutate/coverage.json; --record does so anew). For each mutant, the tests
that run its line are run until one fails, those of the mirrored test file first. These tests must then pass without the
mutant. A mutant that is killed stays so in .mutate/killed.txt until its file changes: a run that was stopped goes on
where it was. docs/project/mutation.md lists equivalent mutants, which are left out. Status 1 if less than 95 % are
killed.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import Queue

from mutants import Mutant, find_mutants
from mutate_plugin import FAILED, PACKAGE, digest

TOP = Path(__file__).resolve().parents[1]
LEFT_OUT = ("sdf_frames/ros/", "sdf_frames/diagnostics/catalogue/")  # needs a sourced ROS 2; a table of words
BROWSER = "test/view/test_browser.py"  # it waits for a browser, which fails on a busy machine, mutant or not
IGNORED = ["--ignore=test/ros", "--ignore=test/peers", f"--ignore={BROWSER}"]
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".git", ".ros", ".fuzz", ".mutate", ".*_cache", "build", "install",
                                    "log", "*.egg-info")
WANTED = 0.95
FEW = 40  # tests that are tried first: the nearest and quickest
PASSED = (0, 5)  # status of pytest: all tests pass, or there are none
MOST_SECONDS = 120  # of all tests that are tried, as recorded; what they do not notice has survived
SERVER = multiprocessing.get_context("forkserver")
PRELOADED = ["pytest", "hypothesis.strategies", "lxml.etree", "numpy", "collada", "trimesh", "scipy.spatial",
             "rich.table"]
PATIENCE = 600  # by the clock, for what neither computes nor ends


class Coverage:
    """Tests by the lines that they run, the quickest and nearest first."""

    def __init__(self, recorded: dict):
        self.tests, self.lines, self.digests = recorded["tests"], recorded["lines"], recorded["digests"]
        self.seconds = dict(self.tests)

    def choose_tests(self, mutant: Mutant, place: Path) -> list[str]:
        """New tests of its folder, those that run its lines, or its file if it has changed, then others that are near.

        The others are in its folder or import its module. They may run it in a process of its own, or before any test
        begins, where no line is recorded.
        """
        by_line = self.lines.get(mutant.path, {})
        numbers: set[int] = set()
        if self.digests.get(mutant.path) == digest(place / mutant.path):
            numbers.update(n for line in range(mutant.line, mutant.end + 1) for n in by_line.get(str(line), ()))
        if not numbers:
            numbers.update(n for some in by_line.values() for n in some)
        folder = "test" / Path(mutant.path).parent.relative_to(PACKAGE)
        module = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        near = {n for n, (name, _) in enumerate(self.tests)
                if name.startswith(f"{folder.as_posix()}/") or _imports(place / name.partition("::")[0], module)}
        mirror = (folder / f"test_{Path(mutant.path).stem.strip('_')}.py").as_posix()
        files = [path.relative_to(place).as_posix() for path in (place / folder).glob("test_*.py")]
        new = [name for name in files
               if name != BROWSER and (name == mirror or self.digests.get(name) != digest(place / name))]

        def rank(n: int) -> tuple:
            _, took = self.tests[n]
            return n not in numbers, n not in near or took > 1, took
        tests, left = [], float(MOST_SECONDS)
        for n in sorted(numbers | near, key=rank):
            name, took = self.tests[n]
            if not (place / name.partition("::")[0]).exists():
                continue  # pytest fails where a file is gone, which would look like a mutant that is killed
            if (left := left - took) < 0 and tests:
                break
            tests.append(name)
        return [*sorted(new, key=mirror.__ne__), *tests]


@cache
def _read_imports(path: Path) -> frozenset[str]:
    """Modules of the package that a file of tests imports by name."""
    text = path.read_text(encoding="utf-8")
    return frozenset(re.findall(rf"^\s*(?:from|import) ({PACKAGE}[\w.]*)", text, re.MULTILINE))


def _imports(path: Path, module: str) -> bool:
    return path.exists() and module in _read_imports(path)


def make_copy(folder: Path) -> Path:
    """A copy of what the tests need; without ../shared, so that what kills is in the repository."""
    place = folder / "tree"
    shutil.copytree(TOP, place, ignore=NOT_COPIED, symlinks=True)
    return place


def run_tests(place: Path, arguments: list[str], seconds: float, said: Path | None = None,
              **variables: str) -> int | None:
    """Status of pytest in a copy; negative or None where it computes for more than `seconds`, or never ends.

    What it prints goes to the file `said`, if given.
    """
    process = SERVER.Process(target=_run_pytest, args=(place, arguments, seconds, said, variables))
    process.start()
    process.join(max(PATIENCE, 10 * seconds))
    if process.is_alive() and process.pid:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
    return process.exitcode


def _run_pytest(place: Path, arguments: list[str], seconds: float, said: Path | None,
                variables: dict[str, str]) -> None:
    """Run pytest in a process that has imported what the tests need, but for the package."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    output = os.open(said or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(output, stream)
    os.chdir(place)
    os.environ.update(variables, PYTHONPATH=str(place / "tools"), PYTHONDONTWRITEBYTECODE="")
    # `make setup` puts the environment, too, into the checkout.
    others = [p for p in sys.path if not Path(p).is_relative_to(TOP) or Path(p).is_relative_to(sys.prefix)]
    sys.path[:] = [str(place), str(place / "tools"), *others]
    sys.dont_write_bytecode = False
    import pytest
    status = pytest.main(["-x", "-q", "-p", "mutate_plugin", "-p", "no:cacheprovider", *arguments])
    sys.stdout.flush()
    os._exit(status)


def judge_mutant(mutant: Mutant, place: Path, coverage: Coverage) -> str:
    """``killed``, ``time`` (it does not end), ``survived``, ``unrun`` (no test runs its line) or ``failing``.

    ``failing``: the tests that fail with the mutant also fail without it, so they say nothing.
    """
    tests = coverage.choose_tests(mutant, place)
    if not tests:
        return "unrun"
    path = place / mutant.path
    source = path.read_bytes()
    path.write_bytes(source[:mutant.start] + mutant.new.encode() + source[mutant.stop:])
    _forget_compiled(path)
    try:
        for part in filter(None, (tests[:FEW], tests[FEW:])):
            status = run_plan(place, part, coverage)
            if status not in PASSED:
                break
        else:
            return "survived"
    finally:
        path.write_bytes(source)
        _forget_compiled(path)
    if status is None or status < 0:
        return "time"
    failed = place / FAILED  # it is not there if a module did not even import
    stop = failed.read_text() if failed.exists() else ""
    return "killed" if run_plan(place, part, coverage, stop) in PASSED else "failing"


def run_plan(place: Path, tests: list[str], coverage: Coverage, stop: str = "") -> int | None:
    """Status of pytest that runs these tests in their order; up to the test `stop`, if given."""
    (place / FAILED).unlink(missing_ok=True)
    plan = place / "plan.json"
    plan.write_text(json.dumps(tests))
    files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
    seconds = 30 + 4 * sum(coverage.seconds.get(name, 5) for name in tests)
    return run_tests(place, files, seconds, MUTATE_PLAN=str(plan), MUTATE_STOP=stop)


def _forget_compiled(path: Path) -> None:
    """Python takes compiled code by the second and the size of its source: too coarse for what is done here."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def read_equivalent() -> set[str]:
    """Keys of the mutants that docs/project/mutation.md calls equivalent."""
    page = TOP / "docs/project/mutation.md"
    return set(re.findall(r"^- `(.+)`$", page.read_text(encoding="utf-8"), re.MULTILINE)) if page.exists() else set()


def changed_lines(base: str) -> dict[str, set[int]]:
    """Lines of the package that differ from a commit, by file."""
    command = ["git", "diff", "-U0", base, "--", PACKAGE]
    text = subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True).stdout
    lines: dict[str, set[int]] = {}
    for row in text.splitlines():
        if row.startswith("+++ "):
            current = lines.setdefault(row.removeprefix("+++ b/"), set())
        elif found := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))?", row):
            current.update(range(int(found[1]), int(found[1]) + int(found[2] or 1)))
    return lines


def choose_mutants(args: argparse.Namespace) -> list[Mutant]:
    """A sample of the mutants that are asked for; `find_mutants` decides what there is."""
    mutants = []
    for path in sorted((TOP / PACKAGE).rglob("*.py")):
        name = path.relative_to(TOP).as_posix()
        if not name.startswith(LEFT_OUT) and (not args.only or any(part in name for part in args.only)):
            mutants += dict.fromkeys(find_mutants(name, path.read_bytes()))
    equivalent = read_equivalent()
    if not args.only and (gone := equivalent - {m.key for m in mutants}):
        print("docs/project/mutation.md lists what is there no more:", *sorted(gone), sep="\n- ")
    mutants = [m for m in mutants if m.key not in equivalent]
    if args.base:
        changed = changed_lines(args.base)
        mutants = [m for m in mutants if changed.get(m.path, set()).intersection(range(m.line, m.end + 1))]
    print(f"{len(mutants)} mutants: {dict(Counter(m.kind for m in mutants))}")
    seen = Counter[str]()

    def draw(mutant: Mutant) -> bytes:
        """A number for each mutant that stays when other code changes: so does the sample."""
        seen[mutant.key] += 1
        return hashlib.sha256(f"{args.seed} {seen[mutant.key]} {mutant.key}".encode()).digest()
    return sorted(mutants, key=draw)[:args.sample]


def record_coverage(work: Path, place: Path, tests: list[str]) -> None:
    print("recording which test runs which line …", flush=True)
    said = work / "record.txt"
    if run_tests(place, [*tests, *IGNORED], 3600, said, MUTATE_RECORD=str((work / "coverage.json").resolve())):
        sys.exit(f"the tests fail without any mutant; {said} holds what they say")


def judge_all(mutants: list[Mutant], places: Queue, coverage: Coverage, killed: Path) -> list[tuple[str, Mutant]]:
    """Each mutant with its verdict, in order; one tenth is said to be done at a time."""
    known = set(killed.read_text(encoding="utf-8").splitlines()) if killed.exists() else set()
    done = Counter[str]()

    def judge(mutant: Mutant) -> tuple[str, Mutant]:
        line = f"{digest(TOP / mutant.path)[:16]} {mutant.start} {mutant.key}"
        if line in known:
            verdict = "killed"
        else:
            place = places.get()
            try:
                verdict = judge_mutant(mutant, place, coverage)
            finally:
                places.put(place)
        if verdict not in ("killed", "time"):
            print(f"{verdict}: line {mutant.line}, {mutant.kind}\n- `{mutant.key}`", flush=True)
        elif line not in known:
            with killed.open("a", encoding="utf-8") as stream:
                stream.write(f"{line}\n")
        done[verdict] += 1
        if done.total() % max(1, len(mutants) // 10) == 0:
            print(f"{done.total()} of {len(mutants)}: {dict(done)}", flush=True)
        return verdict, mutant

    with ThreadPoolExecutor(places.qsize()) as pool:
        return list(pool.map(judge, mutants))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--base", metavar="COMMIT", help="only lines that differ from it")
    parser.add_argument("--only", action="append", metavar="PART", help="only files whose path holds it (repeatable)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", action="store_true", help="record the coverage and judge every mutant anew")
    parser.add_argument("--tests", action="append", metavar="FOLDER", help="record only its tests (repeatable)")
    parser.add_argument("--work", type=Path, default=TOP / ".mutate", help="where the coverage and the result stay")
    args = parser.parse_args()
    args.work.mkdir(exist_ok=True)
    SERVER.set_forkserver_preload(PRELOADED)
    start, mutants = time.monotonic(), choose_mutants(args)
    killed = args.work / "killed.txt"
    with tempfile.TemporaryDirectory() as folder:
        places: Queue = Queue()
        for i in range(args.jobs):
            places.put(make_copy(Path(folder, str(i), "copy")))
        if args.record or not (args.work / "coverage.json").exists():
            killed.unlink(missing_ok=True)
            place = places.get()
            record_coverage(args.work, place, args.tests or ["test"])
            places.put(place)
        coverage = Coverage(json.loads((args.work / "coverage.json").read_text(encoding="utf-8")))
        results = judge_all(mutants, places, coverage, killed)
    verdicts = Counter(verdict for verdict, _ in results)
    (args.work / "result.json").write_text(json.dumps([[v, *m] for v, m in results], indent=1), encoding="utf-8")
    count = verdicts["killed"] + verdicts["time"]
    share = count / max(1, len(results))
    print(f"{count} of {len(results)} killed ({share:.1%}), {dict(verdicts)}, {time.monotonic() - start:.0f} s")
    return 0 if count >= WANTED * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
