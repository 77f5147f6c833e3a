"""The command 'batch': what it hands on, what it says on the way, and how it ends."""
import json
import os
import pickle
import signal
import sys
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("joblib")
pytest.importorskip("pyarrow")

from sdf_frames.batch import run as batch  # noqa: E402
from sdf_frames.batch.run import CostLimits  # noqa: E402
from sdf_frames.batch.sources import Item, list_items, skip_none  # noqa: E402
from sdf_frames.batch.work import Task, do_work  # noqa: E402
from sdf_frames.cli import main  # noqa: E402
from sdf_frames.cli.config import ProjectSettings  # noqa: E402
from sdf_frames.cli.selection import select_by_settings  # noqa: E402
from sdf_frames.document.door import UNCONFINED


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Runs the command on a folder of one file, in place of the batch a stand-in that reports some summaries."""
    monkeypatch.chdir(tmp_path)
    calls = []
    (tmp_path / "m.sdf").write_text("<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>")

    def run(*options, reports=(), error=None):
        def stand_in(items, task, output, *, report, **choices):
            calls.append(([item.name for item in items], task, output, choices))
            for summary in reports:
                report(summary)
            if error is not None:
                raise error
            return reports[-1] if reports else batch.Summary()
        monkeypatch.setattr(batch, "run_batch", stand_in)
        return main(["batch", options[0], str(tmp_path), "--to", "out", *options[1:]])
    run.calls = calls
    run.file = str(tmp_path / "m.sdf")
    return run


def test_defaults(asked):
    assert asked("check", reports=[summary(1, valid=1)]) == 0
    task = Task("check", {"resource_paths": (), "preserve_fixed_joints": False, "massless": "frame"}, "out/files",
                "1.12", select_by_settings(Namespace(settings=ProjectSettings(), door=UNCONFINED)))
    assert asked.calls == [([asked.file], task, "out", {
        "jobs": 0, "engine": "loky", "address": None, "limits": CostLimits(60.0, 4000), "resume": False})]


def test_programs_to_judge_for(asked, capsys):
    assert asked("check", "--for", "ros", "--for", "drake,ros", reports=[summary(1, valid=1)]) == 0
    assert asked.calls[-1][1].selection.consumers == ("ros", "drake")
    with pytest.raises(SystemExit, match="2"):
        asked("convert", "--for", "ros")
    assert "--for is for check" in capsys.readouterr().err


def test_an_argument_of_xacro_is_no_file(asked, capsys):
    with pytest.raises(SystemExit, match="2"):
        asked("check", "arm:=left")
    assert "arm:=… sets an argument of .xacro files, which batch does not expand" in capsys.readouterr().err


def test_every_option_is_handed_on(asked):
    asked("convert", "--to", "o.parquet", "--resume", "--jobs", "3", "--engine", "dask", "--address", "tcp://a:1",
          "--seconds", "2.5", "--memory", "70", "--resource-path", "p", "--resource-path", "q",
          "--preserve-fixed-joints", "--massless", "keep", "--version", "1.9")
    task = Task("convert", {"resource_paths": ("p", "q"), "preserve_fixed_joints": True, "massless": "keep"},
                "o.files", "1.9")
    assert asked.calls == [([asked.file], task, "o.parquet", {
        "jobs": 3, "engine": "dask", "address": "tcp://a:1", "limits": CostLimits(2.5, 70), "resume": True})]


@pytest.mark.parametrize("word", ["0", "-1", "inf", "nan", "x"])
@pytest.mark.parametrize("option", ["--seconds", "--memory"])
def test_limits_are_positive(asked, option, word, capsys):
    with pytest.raises(SystemExit, match="2"):
        asked("check", f"{option}={word}")
    assert "is not a positive number" in capsys.readouterr().err


def summary(seconds, unchanged=0, bad=0, **verdicts):
    return batch.Summary(batch.Counter(verdicts), unchanged, bad, seconds)


@pytest.mark.parametrize("last, said, status", [
    (summary(1.26, valid=3), "3 files in 1.3 s: 3 valid\n", 0),
    (summary(2, 4, valid=1, invalid=2, unreadable=1),
     "8 files in 2.0 s: 2 invalid, 1 valid, 1 unreadable, 4 unchanged\n", 1),
    (summary(0.5, 4), "4 files in 0.5 s: 4 unchanged\n", 0),
    (summary(0.5, 4, bad=1), "4 files in 0.5 s: 4 unchanged (1 of them not valid)\n", 1),
    (summary(0.5, valid=1), "1 file in 0.5 s: 1 valid\n", 0)])
def test_the_summary_and_the_status_of_a_batch(asked, capsys, last, said, status):
    assert asked("check", reports=[last]) == status
    assert tuple(capsys.readouterr()) == (said, "")


def test_progress_is_shown_at_intervals(tmp_path):
    """Not more often than `_SHOW_SECONDS`; of how many, once they are counted."""
    from sdf_frames.cli.batch import _SHOW_SECONDS, _Progress
    shown, progress = [], _Progress()

    def note(at, **verdicts):
        progress.note(summary(at * _SHOW_SECONDS, 4, **verdicts), lambda *counts: shown.append(counts))
    note(.1, valid=9)
    note(1, valid=10, invalid=2)
    note(1.2, valid=11, invalid=2, unreadable=3)
    for name in "ab":
        (tmp_path / f"{name}.sdf").write_text("<sdf/>")
    progress.count([str(tmp_path)], skip_none)
    note(3, valid=20, invalid=2)
    assert shown == [(13, 0, None), (20, 5, None), (26, 2, 2)] and progress.done == 26


def test_an_end_before_time(asked, capsys):
    assert asked("check", reports=[summary(1, 4, valid=3)], error=KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "stopped after 7 files; --resume continues\n"
    assert asked("check", error=FileExistsError("out already has results; --resume continues them")) == 2
    assert capsys.readouterr().err == "sdf_frames batch: out already has results; --resume continues them\n"
    assert asked("check", "--engine", "dask", error=ModuleNotFoundError(name="distributed")) == 2
    assert capsys.readouterr().err == (
        "sdf_frames batch: distributed is not installed: pip install 'dask[distributed]'\n")
    assert asked("check", "--engine", "ray", error=ModuleNotFoundError(name="ray")) == 2
    assert capsys.readouterr().err == "sdf_frames batch: ray is not installed: pip install ray\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_sigterm_is_as_ctrl_c(monkeypatch, tmp_path, capsys):
    """The rows so far are written then, and how to continue is said."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(batch, "run_batch", lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM))
    assert main(["batch", "check", str(tmp_path), "--to", str(tmp_path / "out")]) == 130
    assert capsys.readouterr().err == "stopped after 0 files; --resume continues\n"
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_thread_other_than_the_main_one_can_run_a_batch(tmp_path):
    """Only the main thread may set what a signal does."""
    (tmp_path / "w.sdf").write_text('<sdf version="1.9"><world name="w"/></sdf>')
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(main, ["batch", "check", str(tmp_path), "--to", str(tmp_path / "out")]).result() == 0


def test_a_source_that_cannot_be_opened_is_a_row_and_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.sdf").write_text("<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>")
    (tmp_path / "l.txt").write_text("a.sdf\ngone.sdf\nb.sdf\n")
    (tmp_path / "bad.zip").write_text("")
    assert main(["batch", "check", "bad.zip", "l.txt", "--to", "out", "--jobs", "1"]) == 1
    said = capsys.readouterr()
    assert "4 files" in said.out and said.err.splitlines() == [
        "sdf_frames batch: bad.zip: File is not a zip file",
        "sdf_frames batch: gone.sdf: no such file, folder or glob (l.txt:2)"]
    assert main(["report", "out", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["verdict"]: row["files"] for row in report["verdicts"]} == {"valid": 2, "unreadable": 2}
    assert {row["path"]: row["reason"] for row in report["lost"]} == {
        "bad.zip": "File is not a zip file", "gone.sdf": "no such file, folder or glob (l.txt:2)"}
    assert main(["batch", "check", "gone", "--to", "out2", "--jobs", "1"]) == 1


def test_without_the_extra_nothing_runs(asked, capsys, monkeypatch):
    for module in ("run", "tables"):  # imported again
        monkeypatch.delitem(sys.modules, f"sdf_frames.batch.{module}")
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as where it is not installed
    assert asked("check") == 2 and asked.calls == []
    assert capsys.readouterr().err == "sdf_frames batch: pyarrow is not installed: pip install 'sdf_frames[batch]'\n"


def test_without_a_description_nothing_was_checked(asked, capsys, tmp_path):
    """A wrong folder in a script must not look like a fleet without errors."""
    assert asked("check", reports=[summary(0)]) == 1
    assert capsys.readouterr() == ("", f"sdf_frames batch: no .urdf, .sdf or .world file in {tmp_path}\n")


@pytest.mark.parametrize("words, says", [
    (["--address", "tcp://a:1"], "--address is for --engine dask and ray"),
    (["--version", "9"], "invalid choice: '9'")])
def test_options_that_do_not_fit_are_wrong_usage(asked, capsys, words, says):
    with pytest.raises(SystemExit, match="2"):
        asked("upgrade", *words)
    assert says in capsys.readouterr().err and asked.calls == []


COLOUR, MASS = "<colour/>", "<inertial><mass>-1</mass></inertial>"
FLEET = {"m.sdf": COLOUR, "b.sdf": COLOUR + COLOUR, "c.sdf": f"<!-- sdf_frames: ignore S003 -->{COLOUR}", "d.sdf": MASS,
         "old/e.sdf": MASS, "old/f.sdf": COLOUR}


@pytest.mark.parametrize("settings", [
    "", 'ignore = ["element-unknown"]', 'error = ["element-unknown"]', "strict = true", 'exclude = ["old"]',
    'exclude = ["d.sdf", "old/e*"]', 'baseline = "known.json"', '[per-file."old/*"]\nstrict = true'])
def test_results_of_check_are_those_that_check_gives(asked, tmp_path, monkeypatch, capsys, settings):
    """File by file: verdict, and how often each code is there as an error, a warning or a note."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    for name, more in FLEET.items():
        (tmp_path / name).write_text(f'<sdf version="1.9"><model name="m"><link name="l">{more}</link></model></sdf>')
    main(["check", "b.sdf", "d.sdf", "--write-baseline", "known.json"])
    (tmp_path / ".sdf_frames.toml").write_text(settings)
    capsys.readouterr()
    main(["check", str(tmp_path), "--json", "--jobs", "1"])
    wanted = {}
    for line in capsys.readouterr().out.splitlines():
        told = json.loads(line)
        wanted[told["file"]] = told["valid"], sorted((d["code"], d["severity"]) for d in told["diagnostics"])
    asked("check", reports=[summary(1, valid=1)])
    names, task, _, _ = asked.calls[0]
    results = {name: do_work(Item(name, name), pickle.loads(pickle.dumps(task))) for name in names}
    assert {name: (outcome.row["verdict"] == "valid", sorted((d["code"], d["severity"]) for d in outcome.findings))
            for name, outcome in results.items()} == wanted
    for outcome in results.values():
        found = [d["severity"] for d in outcome.findings]
        assert [outcome.row[f"{kind}s"] for kind in ("error", "warning", "info")] == [
            found.count(kind) for kind in ("error", "warning", "info")]


def test_settings_of_check_are_for_check_only_and_change_its_key(asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keys = set()
    for settings in ("", 'ignore = ["S001"]', 'error = ["S001"]', "strict = true", '[per-file."a"]\nstrict = true'):
        (tmp_path / ".sdf_frames.toml").write_text(settings)
        for command in ("check", "convert"):
            asked(command, reports=[summary(1, valid=1)])
            keys.add(asked.calls[-1][1].key)
            assert (asked.calls[-1][1].selection is None) == (command == "convert")
    assert len(keys) == 5 + 1


@pytest.mark.parametrize(("to", "written"), [("out", "out/files"), ("out.parquet", "out.files")])
def test_what_an_earlier_run_wrote_is_no_source(tmp_path, monkeypatch, to, written):
    monkeypatch.chdir(tmp_path)
    (tmp_path / written / "a").mkdir(parents=True)
    (tmp_path / "files").mkdir()
    for name in ("m.sdf", "files/m.sdf", f"{written}/m.sdf", f"{written}/a/m.sdf"):
        (tmp_path / name).write_text("<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>")
    taken = []

    def stand_in(items, *others, **choices):
        taken.extend(item.name for item in items)
        return summary(1, valid=1)
    monkeypatch.setattr(batch, "run_batch", stand_in)
    assert main(["batch", "upgrade", ".", "--to", to]) == 0
    assert taken == ["m.sdf", "files/m.sdf"]


def test_a_file_that_is_named_is_not_excluded(tmp_path):
    """As by 'check': patterns are for the search of folders."""
    (tmp_path / "a.sdf").write_text("<sdf/>")
    assert [*list_items([str(tmp_path)], lambda path: True)] == []
    assert [item.name for item in list_items([str(tmp_path / "a.sdf")], lambda path: True)] == [str(tmp_path / "a.sdf")]
