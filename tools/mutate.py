"""Mutation testing: puts one small fault at a time into a copy of the package, and sees whether a test notices.

    python tools/mutate.py --sample 300 --seed 1        a seeded sample of the package
    python tools/mutate.py --base main                  what has changed since a commit
    python tools/mutate.py --only sdf/rename.py         files whose path holds that

Which test runs which line is recorded once (.mutate/coverage.json; --record does so anew). For each mutant, the tests
that run its line are run until one fails, those of the mirrored test file first. docs/mutation.md lists equivalent
mutants, which are left out. Status 1 if less than 95 % are killed.
"""
from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[1]
PACKAGE = "sdf_frames"
LEFT_OUT = ("sdf_frames/ros/", "sdf_frames/diagnostics/catalogue/")  # needs a sourced ROS 2; a table of words
TESTS = ["test", "--ignore=test/ros", "--ignore=test/peers"]
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".*", "build", "install", "log", "*.egg-info")
WANTED = 0.95
MOST_SECONDS = 240

_COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.MatMult: ast.Mult}
_LEFT_ALONE = (ast.JoinedStr, ast.Import, ast.ImportFrom)


class Mutant(NamedTuple):
    """One fault: bytes ``start`` to ``stop`` of ``path``, in lines ``line`` to ``end``, ``old``, become ``new``."""

    path: str
    where: str
    kind: str
    line: int
    end: int
    start: int
    stop: int
    old: str
    new: str

    @property
    def key(self) -> str:
        """What stays the same when lines move: how docs/mutation.md names it."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path} {self.where}: {old} -> {new}"


def find_mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """Every mutant of a file; annotations, decorators, docstrings and ``__slots__`` stay as they are."""
    text = source.decode("utf-8")
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    for node, kind, new, where in _walk(ast.parse(text), ""):
        start = starts[node.lineno - 1] + node.col_offset
        stop = starts[node.end_lineno - 1] + node.end_col_offset
        old = source[start:stop].decode("utf-8")
        if not isinstance(node, ast.stmt):
            new = f"({new})"
        yield Mutant(path, where or "module", kind, node.lineno, node.end_lineno, start, stop, old, new)


def _walk(node: ast.AST, where: str) -> Iterator[tuple[ast.expr | ast.stmt, str, str, str]]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _LEFT_ALONE) or _is_plain(child):
                continue
            inner = where
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inner = f"{where}.{child.name}".lstrip(".")
            for kind, new in _mutate(child):
                yield child, kind, new, inner
            if isinstance(child, (ast.If, ast.While, ast.IfExp)):
                yield child.test, "negate", f"not ({ast.unparse(child.test)})", inner
            elif isinstance(child, ast.comprehension):
                for test in child.ifs:
                    yield test, "negate", f"not ({ast.unparse(test)})", inner
            yield from _walk(child, inner)


def _is_plain(node: ast.AST) -> bool:
    """Docstrings and other texts that stand alone, and assignments of ``__slots__`` and the like."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id.startswith("__") for t in node.targets)


def _mutate(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(kind, new text) of the faults of one node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            ops = [*node.ops[:i], _COMPARISONS[type(op)](), *node.ops[i + 1:]]
            yield "comparison", ast.unparse(ast.Compare(node.left, ops, node.comparators))
    elif isinstance(node, ast.BoolOp):
        yield "boolean", ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield "arithmetic", ast.unparse(ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        yield "arithmetic" if isinstance(node.op, ast.USub) else "negate", ast.unparse(node.operand)
    elif isinstance(node, ast.Constant):
        yield from _mutate_constant(node.value)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) not in ("None", "False"):
        yield "return", "return None"
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield "loop", "break" if isinstance(node, ast.Continue) else "continue"
    elif isinstance(node, (ast.Raise, ast.AugAssign, ast.Delete, ast.Expr)):
        yield "drop", "pass"
    elif isinstance(node, ast.Call):
        for i, keyword in enumerate(node.keywords):
            if keyword.arg != "encoding":  # the machine's is UTF-8 too
                yield "keyword", ast.unparse(ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1:]))
        one, other = (ast.unparse(a) for a in node.args[:2]) if len(node.args) > 1 else ("", "")
        if one != other and "*" not in (one[0], other[0]):
            yield "swap", ast.unparse(ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords))


def _mutate_constant(value) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool):
        yield "constant", str(not value)
    elif isinstance(value, (int, float)) and value == value:
        yield "constant", repr(value + 1 if abs(value) < 1e15 else value / 2)
    elif isinstance(value, str) and value and " " not in value:  # sentences are no behaviour
        yield "constant", repr(value + "?")


# As a plugin of pytest: which tests run which line, and which tests to run.

def pytest_configure(config):
    if target := os.environ.get("MUTATE_RECORD"):
        import coverage
        config.mutate = coverage.Coverage(data_file=None, source=[PACKAGE], config_file=False)
        config.mutate_seconds, config.mutate_target = {}, target
        config.mutate.start()


def pytest_runtest_logstart(nodeid, location):
    if os.environ.get("MUTATE_RECORD"):
        import coverage
        coverage.Coverage.current().switch_context(nodeid)


def pytest_runtest_logreport(report):
    if target := os.environ.get("MUTATE_RECORD"):
        with open(f"{target}.seconds", "a", encoding="utf-8") as stream:
            stream.write(json.dumps([report.nodeid, report.duration]) + "\n")


def pytest_sessionfinish(session):
    if not hasattr(session.config, "mutate"):
        return
    measured, target = session.config.mutate, session.config.mutate_target
    measured.stop()
    seconds: Counter = Counter()
    for line in Path(f"{target}.seconds").read_text(encoding="utf-8").splitlines():
        name, took = json.loads(line)
        seconds[name] += took
    number = {name: i for i, name in enumerate(seconds)}
    data, lines, digests = measured.get_data(), {}, {}
    for file in data.measured_files():
        digests[os.path.relpath(file)] = _digest(Path(file))
        lines[os.path.relpath(file)] = {
            line: sorted(number[c] for c in by if c in number) for line, by in data.contexts_by_lineno(file).items()}
    digests |= {name: _digest(Path(name)) for name in {test.partition("::")[0] for test in seconds}}
    recorded = {"tests": list(seconds.items()), "lines": lines, "digests": digests}
    Path(target).write_text(json.dumps(recorded), encoding="utf-8")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pytest_collection_modifyitems(config, items):
    if plan := os.environ.get("MUTATE_PLAN"):
        place = {name: i for i, name in enumerate(json.loads(Path(plan).read_text(encoding="utf-8")))}
        last = len(place)

        def rank(item) -> int:  # by the test's place in the plan, or by that of its file
            return min(place.get(name, last) for name in (item.nodeid, item.nodeid.partition("::")[0]))
        items[:] = sorted((item for item in items if rank(item) < last), key=rank)


class Coverage:
    """Tests by the lines that they run, the quickest and nearest first."""

    def __init__(self, recorded: dict):
        self.tests, self.lines, self.digests = recorded["tests"], recorded["lines"], recorded["digests"]

    def choose_tests(self, mutant: Mutant, place: Path) -> list[str]:
        """New tests of its folder, and those that run its lines, or its file if that has changed since."""
        by_line = self.lines.get(mutant.path, {})
        numbers: set[int] = set()
        if self.digests.get(mutant.path) == _digest(place / mutant.path):
            numbers.update(n for line in range(mutant.line, mutant.end + 1) for n in by_line.get(str(line), ()))
        if not numbers:
            numbers.update(n for some in by_line.values() for n in some)
        folder = "test" / Path(mutant.path).parent.relative_to(PACKAGE)
        mirror = (folder / f"test_{Path(mutant.path).stem.strip('_')}.py").as_posix()
        files = [path.relative_to(place).as_posix() for path in (place / folder).glob("test_*.py")]
        new = [name for name in files if name == mirror or self.digests.get(name) != _digest(place / name)]

        def rank(n: int) -> tuple:
            name, took = self.tests[n]
            return not name.startswith(f"{folder.as_posix()}/") or took > 1, took
        tests = [self.tests[n][0] for n in sorted(numbers, key=rank)]
        return [*sorted(new, key=mirror.__ne__), *tests]


def make_copy(folder: Path) -> Path:
    """A copy of what the tests need; without ../shared, so that what kills is in the repository."""
    place = folder / "tree"
    shutil.copytree(TOP, place, ignore=NOT_COPIED, symlinks=True)
    return place


def run_tests(place: Path, arguments: list[str], seconds: float, **variables: str) -> int | None:
    """Status of pytest in a copy; None where it takes longer than `seconds`."""
    environment = {**os.environ, "PYTHONPATH": str(place / "tools"), "PYTHONDONTWRITEBYTECODE": "", **variables}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "mutate", "-p", "no:cacheprovider", *arguments], cwd=place,
        env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def judge_mutant(mutant: Mutant, place: Path, coverage: Coverage) -> str:
    """``killed``, ``time`` (it does not end), ``survived`` or ``unrun`` (no test runs its line)."""
    tests = coverage.choose_tests(mutant, place)
    if not tests:
        return "unrun"
    path = place / mutant.path
    source = path.read_bytes()
    path.write_bytes(source[:mutant.start] + mutant.new.encode() + source[mutant.stop:])
    _forget_compiled(path)
    plan = place / "plan.json"
    try:
        for part in (tests[:60], tests[60:]):
            plan.write_text(json.dumps(part))
            files = list(dict.fromkeys(name.partition("::")[0] for name in part))
            status = run_tests(place, files, MOST_SECONDS, MUTATE_PLAN=str(plan)) if part else 0
            if status != 0:
                return "time" if status is None else "killed"
        return "survived"
    finally:
        path.write_bytes(source)
        _forget_compiled(path)


def _forget_compiled(path: Path) -> None:
    """Python takes compiled code by the second and the size of its source: too coarse for what is done here."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def read_equivalent() -> set[str]:
    """Keys of the mutants that docs/mutation.md calls equivalent."""
    page = TOP / "docs/mutation.md"
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
    mutants = []
    for path in sorted((TOP / PACKAGE).rglob("*.py")):
        name = path.relative_to(TOP).as_posix()
        if not name.startswith(LEFT_OUT) and (not args.only or any(part in name for part in args.only)):
            mutants += dict.fromkeys(find_mutants(name, path.read_bytes()))
    if args.base:
        changed = changed_lines(args.base)
        mutants = [m for m in mutants if changed.get(m.path, set()).intersection(range(m.line, m.end + 1))]
    equivalent = read_equivalent()
    mutants = [m for m in mutants if m.key not in equivalent]
    print(f"{len(mutants)} mutants: {dict(Counter(m.kind for m in mutants))}")
    return random.Random(args.seed).sample(mutants, min(args.sample, len(mutants)))


def record_coverage(work: Path, place: Path) -> None:
    target = (work / "coverage.json").resolve()
    target.with_name("coverage.json.seconds").unlink(missing_ok=True)
    print("recording which test runs which line …", flush=True)
    if run_tests(place, TESTS, 3600, MUTATE_RECORD=str(target)):
        sys.exit("the tests fail without any mutant")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--base", metavar="COMMIT", help="only lines that differ from it")
    parser.add_argument("--only", action="append", metavar="PART", help="only files whose path holds it (repeatable)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", action="store_true", help="record the coverage anew")
    parser.add_argument("--work", type=Path, default=TOP / ".mutate", help="where the coverage and the result stay")
    args = parser.parse_args()
    args.work.mkdir(exist_ok=True)
    start, mutants = time.monotonic(), choose_mutants(args)
    with tempfile.TemporaryDirectory() as folder:
        places: Queue = Queue()
        for i in range(args.jobs):
            places.put(make_copy(Path(folder, str(i), "copy")))
        if args.record or not (args.work / "coverage.json").exists():
            place = places.get()
            record_coverage(args.work, place)
            places.put(place)
        coverage = Coverage(json.loads((args.work / "coverage.json").read_text(encoding="utf-8")))

        def judge(mutant: Mutant) -> tuple[str, Mutant]:
            place = places.get()
            try:
                verdict = judge_mutant(mutant, place, coverage)
            finally:
                places.put(place)
            if verdict not in ("killed", "time"):
                print(f"{verdict}: line {mutant.line}, {mutant.kind}\n- `{mutant.key}`", flush=True)
            return verdict, mutant

        with ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(judge, mutants))
    verdicts = Counter(verdict for verdict, _ in results)
    killed = verdicts["killed"] + verdicts["time"]
    (args.work / "result.json").write_text(json.dumps([[v, *m] for v, m in results], indent=1), encoding="utf-8")
    share = killed / max(1, len(results))
    print(f"{killed} of {len(results)} killed ({share:.1%}), {dict(verdicts)}, {time.monotonic() - start:.0f} s")
    return 0 if killed >= WANTED * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
