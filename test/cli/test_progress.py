"""The progress bar: when there is one, and what it says. rich's bar is replaced by one that takes notes."""
from argparse import Namespace
from types import SimpleNamespace

import pytest

pytest.importorskip("rich")

from sdf_frames.cli.jobs import show_counts, show_progress  # noqa: E402
from sdf_frames.diagnostics.render import Terminal  # noqa: E402

FILE, TERMINAL = Terminal(), Terminal(80)


@pytest.fixture
def bars(monkeypatch):
    """Every bar that was made, with its updates; `speed` is the rate that rich measured."""
    made = []

    class Bar:
        speed = None

        def __init__(self, *columns, console, transient):
            self.columns, self.on_error, self.transient, self.said = columns, console.stderr, transient, []
            made.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.ended = True

        def add_task(self, description, total, text):
            self.tasks = [SimpleNamespace(speed=Bar.speed)]
            self.start = description, total, text
            return 7

        def update(self, task, completed, total, text):
            assert task == 7
            self.said.append((completed, total, text))
    monkeypatch.setattr("rich.progress.Progress", Bar)
    made.append(Bar)
    return made


def arguments(out, err):
    return Namespace(command="check", terminal=out, error_terminal=err)


@pytest.mark.parametrize(("speed", "done", "errors", "total", "text"), [
    (None, 5, 1, 10, "5/10 files, 1 with errors"), (None, 5, 0, None, "5 files, 0 with errors"),
    (2.0, 5, 1, 10, "5/10 files, 2/s, 0:00:02 left, 1 with errors"), (1.6, 5, 1, None, "5 files, 2/s, 1 with errors"),
    (1.0, 0, 0, 59, "0/59 files, 1/s, 0:00:59 left, 0 with errors"),
    (1.0, 0, 0, 60, "0/60 files, 1/s, 0:01:00 left, 0 with errors"),
    (1.0, 5, 2, 10005, "5/10005 files, 1/s, 2:46:40 left, 2 with errors"),
    (1.0, 12, 0, 10, "12/10 files, 1/s, 0:00:00 left, 0 with errors")])
def test_what_the_bar_says(bars, speed, done, errors, total, text):
    bars[0].speed = speed
    with show_counts(arguments(FILE, TERMINAL)) as show:
        show(done, errors, total)
    (_, bar) = bars
    assert bar.said == [(done, total or 1e15, text)] and bar.ended
    assert bar.start == ("", 1e15, "") and bar.on_error and bar.transient
    assert [type(column).__name__ for column in bar.columns] == ["TextColumn", "BarColumn", "TextColumn"]
    assert [column.text_format for column in bar.columns if hasattr(column, "text_format")] == [
        "check", "{task.fields[text]}"]


def test_files_and_errors_are_counted(bars):
    with show_progress(arguments(FILE, TERMINAL), 3) as advance:
        for valid in (True, False, False):
            advance(valid)
    assert bars[1].said == [(1, 3, "1/3 files, 0 with errors"), (2, 3, "2/3 files, 1 with errors"),
                            (3, 3, "3/3 files, 2 with errors")]


@pytest.mark.parametrize(("out", "err", "total", "seen"), [
    (FILE, TERMINAL, 2, True), (FILE, TERMINAL, 1, False), (TERMINAL, TERMINAL, 2, False), (FILE, FILE, 2, False)])
def test_a_bar_is_for_many_files_whose_output_goes_elsewhere(bars, out, err, total, seen):
    with show_progress(arguments(out, err), total) as advance:
        advance(True)
    assert (len(bars) == 2) is seen


def test_without_rich_nothing_is_shown(bars, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rich.progress", None)
    with show_counts(arguments(FILE, TERMINAL)) as show:
        show(1, 0, None)
    assert len(bars) == 1
