"""The page of a batch, and its command."""
import re
import sys

import pytest

pytest.importorskip("pyarrow")

from sdf_frames.batch.report import render_report  # noqa: E402
from sdf_frames.batch.sources import Item  # noqa: E402
from sdf_frames.batch.tables import Tables  # noqa: E402
from sdf_frames.batch.work import Outcome, Task, make_row  # noqa: E402
from sdf_frames.cli import main  # noqa: E402


def write(folder, **verdicts):
    """Results with a row for each name."""
    tables, task = Tables(str(folder)), Task()
    for name, verdict in verdicts.items():
        mass = 1e6 if name == "heavy" else 2.0
        findings = [] if verdict == "valid" else [
            {"path": name, "code": "F001", "name": "attached", "severity": "error", "message": "no <frame>", "line": 3}]
        row = make_row(Item(name, name), task, verdict, hash="0", seconds=0.5, links=3, joints=2, mass=mass,
                       codes=[("F001", 2)] if findings else [])
        tables.add(Outcome(row, findings))
    tables.flush()
    return str(folder)


def test_page(tmp_path):
    page = render_report(write(tmp_path / "now", a="valid", b="invalid", c="valid", heavy="valid"))
    assert '<td class="valid">valid</td><td class="n">3</td><td class="n">75.0 %</td>' in page
    assert "<code>F001</code> attached" in page and '<td class="n">2</td>' in page
    assert "no &lt;frame&gt;" in page and "b:3" in page
    assert "Outliers by mass" in page and "1e+06 (median 2)" in page


def test_row_of_a_second_run_counts(tmp_path):
    write(tmp_path / "now", a="invalid")
    page = render_report(write(tmp_path / "now", a="valid"))
    assert "1 file," in page and "invalid" not in page


def test_trend(tmp_path):
    before, now = write(tmp_path / "before", a="valid", b="invalid", c="valid"), write(
        tmp_path / "now", a="invalid", b="invalid", d="valid")
    page = render_report(now, before)
    for change in ("valid → invalid", "new → valid", "valid → gone"):
        assert f"<code>{change}</code></td><td class=\"n\">1</td>" in page
    assert "<code>F001</code></td><td class=\"n\">+2</td>" in page


def test_each_kind_of_change_is_counted(tmp_path):
    before = write(tmp_path / "before", a="valid", b="valid", c="valid", d="valid", e="invalid", f="invalid", g="valid")
    now = write(tmp_path / "now", a="invalid", b="invalid", g="valid", h="valid", i="valid", j="valid")
    page = render_report(now, before)
    changes = dict(re.findall('<tr><td><code>([^<]*)</code></td><td class="n">([^<]*)</td></tr>',
                              page.partition("Since the earlier run")[2].partition("</table>")[0]))
    # Two findings of each invalid file, of which there are as many as before.
    assert changes == {"valid → invalid": "2", "new → valid": "3", "valid → gone": "2", "invalid → gone": "2"}
    assert "<code>nothing</code>" in render_report(now, now) and "<code>nothing</code>" not in page


def figure(verdict="valid", **values):
    return {"verdict": verdict, "hash": "0", **values}


def render(tmp_path, **files):
    """The page of files with these figures, and its lists as (file, figure) by title."""
    tables, task = Tables(str(tmp_path / "out")), Task()
    for name, values in files.items():
        tables.add(Outcome(make_row(Item(name, name), task, values.pop("verdict"), **values), []))
    tables.flush()
    page = render_report(str(tmp_path / "out"))
    return page, {title: re.findall('<tr><td><code>([^<]*)</code></td><td class="n">([^<]*)</td></tr>', rest)
                  for title, rest in re.findall("<h2>([^<]*)</h2>(.*?)</table>", page)}


def test_lists_are_sorted_and_end_after_twenty(tmp_path):
    files = {f"f{i:02}": figure(seconds=float(i), links=100 - i, joints=2 * i) for i in range(25)}
    page, lists = render(tmp_path, **files)
    assert lists["Slowest"] == [(f"f{i:02}", f"{i}") for i in range(24, 4, -1)]
    assert lists["Biggest"] == [(f"f{i:02}", f"{100 + i}") for i in range(24, 4, -1)]
    assert "25 files, 300 s of work" in page
    assert not {"Lost", "Outliers by mass"} & set(lists)


def test_lost_files_have_their_reason(tmp_path):
    files = {f"f{i:02}": figure("crashed", reason="signal <9>") for i in range(22)}
    _, lists = render(tmp_path, **files, good=figure())
    assert lists["Lost"] == [(f"f{i:02}", "crashed: signal &lt;9&gt;") for i in range(20)]


@pytest.mark.parametrize(("masses", "outliers"), [
    ((2, 2, 250), [("c", "250 (median 2)")]), ((2, 2, 200), []), ((2, 2, 201), [("c", "201 (median 2)")]),
    ((2, 3, 2e-9), [("c", "2e-09 (median 2)")]), ((1, 1000), []),
    ((1e-3, 1, 1, 1, 1e6), [("e", "1e+06 (median 1)"), ("a", "0.001 (median 1)")]),
    ((2, 2, 300, 0, None, float("inf"), float("nan"), -7), [("c", "300 (median 2)")])])
def test_outliers_are_a_hundred_times_off(tmp_path, masses, outliers):
    """Without masses that are none; of two there is no outlier."""
    _, lists = render(tmp_path, **{name: figure(mass=mass) for name, mass in zip("abcdefgh", masses)})
    assert lists.get("Outliers by mass", []) == outliers


def test_verdicts_have_their_shares(tmp_path):
    page, _ = render(tmp_path, **{name: figure(verdict) for name, verdict in zip(
        "abcdefgh", ["valid"] * 6 + ["invalid", "crashed"])})
    assert re.findall('<td class="(\\w+)">(\\w+)</td><td class="n">(\\d)</td><td class="n">([^<]*)</td>'
                      '<td><span class="bar" style="width:([^"]*)"', page) == [
        ("valid", "valid", "6", "75.0 %", "15.00em"), ("bad", "invalid", "1", "12.5 %", "2.50em"),
        ("bad", "crashed", "1", "12.5 %", "2.50em")]


def test_an_example_of_each_code(tmp_path):
    """The first finding of each; a code without findings, and a place without a line, are shown too."""
    tables, task = Tables(str(tmp_path / "out")), Task()
    common = {"severity": "warning", "name": "n<1>"}
    findings = [{"path": "a", "code": "S001", "message": "first", "line": 3, **common},
                {"path": "a", "code": "S001", "message": "second", "line": 4, **common},
                {"path": "a", "code": "S002", "message": "other", "line": None, **common}]
    tables.add(Outcome(make_row(Item("a", "a"), task, "valid", hash="0", codes=[("S001", 2), ("S002", 1), ("S003", 5)]),
                       findings))
    tables.flush()
    rows = re.findall('<tr><td><code>(S00.)</code> ([^<]*)</td><td>([^<]*)</td><td class="n">(\\d)</td>'
                      "<td>([^<]*)<br><code>([^<]*)</code></td></tr>", render_report(str(tmp_path / "out")))
    assert rows == [("S003", "", "", "5", "", ""), ("S001", "n&lt;1&gt;", "warning", "2", "first", "a:3"),
                    ("S002", "n&lt;1&gt;", "warning", "1", "other", "a")]


def test_the_page_is_named_like_its_folder(tmp_path):
    write(tmp_path / "now", a="valid")
    for name in (f"{tmp_path}/now/", f"{tmp_path}/now"):
        assert "<title>now</title>" in render_report(name) and "<h1>now</h1>" in render_report(name)


def test_command(tmp_path, capsys):
    out = tmp_path / "page.html"
    assert main(["report", write(tmp_path / "now", a="valid"), "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["report", str(tmp_path / "none")]) == 2
    assert "there are no results; name the folder or file that 'sdf_frames batch --to' wrote" in capsys.readouterr().err


def test_the_whole_page(tmp_path):
    """Three files: b has two errors and lost its way, c is far heavier than a."""
    tables, task = Tables(str(tmp_path / "out")), Task()
    rows = {"a": figure(seconds=1.25, links=3, joints=2, mass=2.0), "c": figure(seconds=0.5, links=1, mass=1000.0),
            "d": figure(seconds=0.25, mass=2.0),
            "b<": figure("timeout", reason="60 s & more", seconds=60.0, codes=[("F001", 2)])}
    for name, values in rows.items():
        findings = [{"path": name, "code": "F001", "name": "odd", "severity": "error", "message": "m", "line": 3}]
        tables.add(Outcome(make_row(Item(name, name), task, values.pop("verdict"), **values),
                           findings if values.get("codes") else []))
    tables.flush()
    page = render_report(str(tmp_path / "out"))
    head, _, body = page.partition("</style>")
    assert head.startswith('<!doctype html><html lang="en"><meta charset="utf-8"><title>out</title><style>')
    assert body == (
        '<h1>out</h1><p>4 files, 62 s of work.</p><h2>Verdicts</h2><table>'
        '<tr><th>verdict</th><th class="n">files</th><th class="n">share</th><th></th></tr>'
        '<tr><td class="valid">valid</td><td class="n">3</td><td class="n">75.0 %</td>'
        '<td><span class="bar" style="width:15.00em"></span></td></tr>'
        '<tr><td class="bad">timeout</td><td class="n">1</td><td class="n">25.0 %</td>'
        '<td><span class="bar" style="width:5.00em"></span></td></tr></table>'
        '<h2>Diagnostics</h2><table><tr><th>code</th><th>severity</th><th class="n">count</th><th>example</th></tr>'
        '<tr><td><code>F001</code> odd</td><td>error</td><td class="n">2</td><td>m<br><code>b&lt;:3</code></td></tr>'
        '</table><h2>Lost</h2><p>files that have no result</p><table>'
        '<tr><th>file</th><th class="n">reason</th></tr>'
        '<tr><td><code>b&lt;</code></td><td class="n">timeout: 60 s &amp; more</td></tr></table>'
        '<h2>Slowest</h2><p>seconds of each file</p><table><tr><th>file</th><th class="n">seconds</th></tr>'
        '<tr><td><code>b&lt;</code></td><td class="n">60</td></tr>'
        '<tr><td><code>a</code></td><td class="n">1.25</td></tr>'
        '<tr><td><code>c</code></td><td class="n">0.5</td></tr><tr><td><code>d</code></td><td class="n">0.25</td></tr>'
        '</table><h2>Biggest</h2><p>links and joints of each file</p><table>'
        '<tr><th>file</th><th class="n">links and joints</th></tr><tr><td><code>a</code></td><td class="n">5</td></tr>'
        '<tr><td><code>c</code></td><td class="n">1</td></tr><tr><td><code>d</code></td><td class="n">0</td></tr>'
        '<tr><td><code>b&lt;</code></td><td class="n">0</td></tr></table>'
        '<h2>Outliers by mass</h2><p>at least 100 times more or less than the median</p><table>'
        '<tr><th>file</th><th class="n">kg</th></tr>'
        '<tr><td><code>c</code></td><td class="n">1000 (median 2)</td></tr></table></html>\n')


def test_twenty_codes_and_the_largest_changes_are_listed(tmp_path):
    tables, task = Tables(str(tmp_path / "out")), Task()
    tables.add(Outcome(make_row(Item("a", "a"), task, "valid", hash="0",
                                codes=[(f"S{i:03}", i) for i in range(1, 26)]), []))
    tables.flush()
    before = write(tmp_path / "before", a="valid")
    page = render_report(str(tmp_path / "out"), before)
    codes, _, trend = page.partition("Since the earlier run")
    assert re.findall(r"<code>(S\d+)</code>", codes) == [f"S{i:03}" for i in range(25, 5, -1)]
    assert re.findall(r'<code>(S\d+)</code></td><td class="n">([^<]*)<', trend) == [
        (f"S{i:03}", f"+{i}") for i in range(25, 5, -1)]
    back = render_report(before, str(tmp_path / "out")).partition("Since the earlier run")[2]
    assert '<code>S025</code></td><td class="n">-25</td>' in back


@pytest.mark.parametrize("arguments", [["{now}"], ["{now}", "--baseline", "{before}"]])
def test_the_command_writes_report_html_and_says_so(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    names = {"now": write(tmp_path / "now", a="valid"), "before": write(tmp_path / "before", b="valid")}
    assert main(["report", *(word.format(**names) for word in arguments)]) == 0
    assert capsys.readouterr() == ("written to report.html\n", "")
    text = (tmp_path / "report.html").read_text()
    assert text == render_report(names["now"], names["before"] if len(arguments) > 1 else None)


def test_a_page_that_cannot_be_written_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    now = write(tmp_path / "now", a="valid")
    assert main(["report", now, "-o", "gone/x.html"]) == 2
    assert capsys.readouterr() == ("", "sdf_frames report: gone/x.html: No such file or directory\n")
    assert main(["report", "none"]) == 2
    assert "there are no results" in capsys.readouterr().err


def test_without_the_extra_the_command_says_what_to_install(monkeypatch, capsys):
    for module in ("report", "tables"):  # imported again
        monkeypatch.delitem(sys.modules, f"sdf_frames.batch.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)  # as where it is not installed
    assert main(["report", "results"]) == 2
    assert capsys.readouterr() == (
        "", "sdf_frames report: pyarrow is not installed: pip install 'sdf_frames[batch]'\n")
