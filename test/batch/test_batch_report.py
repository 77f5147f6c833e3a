"""The page of a batch, and its command."""
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
    assert "1 files" in page and "invalid" not in page


def test_trend(tmp_path):
    before, now = write(tmp_path / "before", a="valid", b="invalid", c="valid"), write(
        tmp_path / "now", a="invalid", b="invalid", d="valid")
    page = render_report(now, before)
    for change in ("valid → invalid", "new → valid", "valid → gone"):
        assert f"<code>{change}</code></td><td class=\"n\">1</td>" in page
    assert "<code>F001</code></td><td class=\"n\">+2</td>" in page


def test_command(tmp_path, capsys):
    out = tmp_path / "page.html"
    assert main(["report", write(tmp_path / "now", a="valid"), "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["report", str(tmp_path / "none")]) == 2
    assert "there are no results" in capsys.readouterr().err
