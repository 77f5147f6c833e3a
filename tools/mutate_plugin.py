"""A plugin of pytest for mutate.py: records which tests run which line, or runs the tests of a plan in its order."""
from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = "sdf_frames"
FAILED = "failed.txt"  # beside the plan: the test that failed


def digest(path: Path) -> str:
    """What tells whether a file has changed."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pytest_configure(config: pytest.Config) -> None:
    if target := os.environ.get("MUTATE_RECORD"):
        import coverage
        measured = coverage.Coverage(data_file=None, source=[PACKAGE], config_file=False)
        config.pluginmanager.register(_Recorder(measured, Path(target)))
        measured.start()


class _Recorder:
    """Writes the tests with their seconds, the tests of each line, and digests of all files, as JSON."""

    def __init__(self, measured, target: Path):
        self.measured, self.target = measured, target
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.measured.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        self.measured.stop()
        number = {name: i for i, name in enumerate(self.seconds)}
        data, lines, digests = self.measured.get_data(), {}, {}
        for file in data.measured_files():
            digests[os.path.relpath(file)] = digest(Path(file))
            lines[os.path.relpath(file)] = {
                line: sorted(number[c] for c in by if c in number)
                for line, by in data.contexts_by_lineno(file).items()}
        digests |= {name: digest(Path(name)) for name in {test.partition("::")[0] for test in self.seconds}}
        recorded = {"tests": list(self.seconds.items()), "lines": lines, "digests": digests}
        self.target.write_text(json.dumps(recorded), encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if plan := os.environ.get("MUTATE_PLAN"):
        place = {name: i for i, name in enumerate(json.loads(Path(plan).read_text(encoding="utf-8")))}
        last = len(place)

        def rank(item: pytest.Item) -> int:  # by the test's place in the plan, or by that of its file
            return min(place.get(name, last) for name in (item.nodeid, item.nodeid.partition("::")[0]))
        items[:] = sorted((item for item in items if rank(item) < last), key=rank)
        stops = [i for i, item in enumerate(items, 1) if item.nodeid == os.environ.get("MUTATE_STOP")]
        del items[stops[0] if stops else len(items):]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed and (plan := os.environ.get("MUTATE_PLAN")):
        Path(plan).with_name(FAILED).write_text(report.nodeid, encoding="utf-8")
