"""The summary of a batch, and its command."""
import json
import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from sdf_frames.batch.sources import Item  # noqa: E402
from sdf_frames.batch.tables import Tables, summarise  # noqa: E402
from sdf_frames.batch.work import Outcome, Task, make_row  # noqa: E402
from sdf_frames.cli import main  # noqa: E402


def write(folder, **files):
    """Results with a row for each name: its verdict, or its figures."""
    tables, task = Tables(str(folder)), Task()
    for name, figures in files.items():
        figures = {"verdict": figures} if isinstance(figures, str) else {"verdict": "valid", **figures}
        findings = [] if figures["verdict"] != "invalid" else [
            {"path": name, "code": "F001", "name": "attached", "severity": "error", "message": "no <frame>", "line": 3}]
        row = make_row(Item(name, name), task, **{"hash": "0", "codes": [("F001", 2)] if findings else [], **figures})
        tables.add(Outcome(row, findings))
    tables.flush()
    return str(folder)


def test_row_of_a_second_run_counts(tmp_path):
    write(tmp_path / "now", a="invalid")
    summary = summarise(write(tmp_path / "now", a="valid"))
    assert summary["files"] == 1 and summary["verdicts"] == [{"verdict": "valid", "files": 1}]


def test_each_kind_of_change_is_counted(tmp_path):
    before = write(tmp_path / "before", a="valid", b="valid", c="valid", d="valid", e="invalid", f="invalid", g="valid")
    now = write(tmp_path / "now", a="invalid", b="invalid", g="valid", h="valid", i="valid", j="valid")
    changes = {row["what"]: row["change"] for row in summarise(now, before)["changes"]}
    # Two findings of each invalid file, of which there are as many as before.
    assert changes == {"valid -> invalid": 2, "new -> valid": 3, "valid -> gone": 2, "invalid -> gone": 2}
    assert summarise(now, now)["changes"] == summarise(now)["changes"] == []


def test_lists_are_sorted_and_end_after_twenty(tmp_path):
    files = {f"f{i:02}": {"seconds": float(i), "links": 100 - i, "joints": 2 * i} for i in range(25)}
    summary = summarise(write(tmp_path, **files))
    assert summary["slowest"] == [{"seconds": i, "path": f"f{i:02}"} for i in range(24, 4, -1)]
    assert summary["biggest"] == [{"links_and_joints": 100 + i, "path": f"f{i:02}"} for i in range(24, 4, -1)]
    assert (summary["files"], summary["seconds"]) == (25, 300)
    assert summary["lost"] == summary["outliers"] == summary["diagnostics"] == []


def test_lost_files_have_their_reason(tmp_path):
    files = {f"f{i:02}": {"verdict": "crashed", "reason": "signal 9"} for i in range(22)}
    assert summarise(write(tmp_path, **files, good="valid"))["lost"] == [
        {"verdict": "crashed", "reason": "signal 9", "path": f"f{i:02}"} for i in range(20)]


@pytest.mark.parametrize(("masses", "median", "outliers"), [
    ((2, 2, 250), 2, [("c", 250)]), ((2, 2, 200), 2, []), ((2, 2, 201), 2, [("c", 201)]),
    ((2, 3, 2e-9), 2, [("c", 2e-9)]), ((1, 1000), None, []),
    ((1e-3, 1, 1, 1, 1e6), 1, [("e", 1e6), ("a", .001)]),
    ((2, 2, 300, 0, None, float("inf"), float("nan"), -7), 2, [("c", 300)])])
def test_outliers_are_a_hundred_times_off(tmp_path, masses, median, outliers):
    """Without masses that are none; of two there is no outlier."""
    summary = summarise(write(tmp_path, **{name: {"mass": mass} for name, mass in zip("abcdefgh", masses)}))
    assert summary["outliers"] == [{"mass": mass, "median": median, "path": name} for name, mass in outliers]


def test_an_example_of_each_code(tmp_path):
    """The first finding of each; a code without findings, and a place without a line, are listed too."""
    tables, task = Tables(str(tmp_path)), Task()
    common = {"severity": "warning", "name": "n", "path": "a"}
    findings = [{"code": "S001", "message": "first", "line": 3, **common},
                {"code": "S001", "message": "second", "line": 4, **common},
                {"code": "S002", "message": "other", "line": None, **common}]
    tables.add(Outcome(make_row(Item("a", "a"), task, "valid", hash="0", codes=[("S001", 2), ("S002", 1), ("S003", 5)]),
                       findings))
    tables.flush()
    nothing = dict.fromkeys(("name", "severity", "message", "path", "line"))
    assert summarise(str(tmp_path))["diagnostics"] == [
        {"count": 5, "code": "S003", **nothing}, {"count": 2, **findings[0]}, {"count": 1, **findings[2]}]


def test_the_command_prints_a_table_of_each_list(tmp_path, monkeypatch, capsys):
    """Three files: b has two errors, c is far heavier than a."""
    monkeypatch.chdir(tmp_path)
    write("now", a={"seconds": 1.25, "links": 3, "joints": 2, "mass": 2.0}, c={"seconds": .5, "links": 1, "mass": 1e3},
          d={"seconds": .25, "mass": 2.0}, **{"b\x1b": {"verdict": "invalid", "reason": "odd", "seconds": 60.0}})
    write("before", a="valid")
    assert main(["report", "now", "--baseline", "before"]) == 0
    assert capsys.readouterr() == ("""now: 4 files, 62 s of work

verdicts
verdict  files
valid        3
invalid      1

diagnostics
count  code  name      severity  message     path   line
    2  F001  attached  error     no <frame>  b\\x1b  3

changes
what            change
new -> valid         2
new -> invalid       1
F001                 2

lost
verdict  reason  path
invalid  odd     b\\x1b

slowest
seconds  path
     60  b\\x1b
   1.25  a
    0.5  c
   0.25  d

biggest
links_and_joints  path
               5  a
               1  c
               0  d
               0  b\\x1b

outliers
mass  median  path
1000       2  c
""", "")
    assert main(["report", "now", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary == summarise("now")
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "json.md").read_text()
    assert re.findall(r"^\| `(\w+)`", page.partition("\n## report\n")[2], re.MULTILINE) == list(summary)


def test_results_that_cannot_be_read_are_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["report", "none"]) == 2
    assert capsys.readouterr() == (
        "", "sdf_frames report: none/results: there are no results; name the folder or file that 'sdf_frames batch "
        "--to' wrote\n")


def test_without_the_extra_the_command_says_what_to_install(monkeypatch, capsys):
    for module in ("report", "tables"):  # imported again
        monkeypatch.delitem(sys.modules, f"sdf_frames.batch.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as where it is not installed
    assert main(["report", "results"]) == 2
    assert capsys.readouterr() == ("", "sdf_frames report: pyarrow is not installed: pip install 'sdf_frames[batch]'\n")
