"""A batch as a whole: nothing lost, whatever happens to a file, a worker or the run."""
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("joblib")
pytest.importorskip("pyarrow")
pytest.importorskip("fsspec")


from sdf_frames.batch.run import CostLimits, Engine, open_engine, run_batch  # noqa: E402
from sdf_frames.batch.sources import list_items  # noqa: E402
from sdf_frames.batch.tables import name_folders, open_tables, read_rows  # noqa: E402
from sdf_frames.batch.work import Task  # noqa: E402
from sdf_frames.cli import main  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
GOOD = """<sdf version="1.9"><model name="m{}"><link name="l"><inertial><mass>2.5</mass></inertial></link></model>
</sdf>"""
BAD = """<sdf version="1.9"><model name="m"><link name="l"/><frame name="f" attached_to="none"/></model></sdf>"""
MESH = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry><mesh>
<uri>{}</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in").mkdir()
    for i in range(12):
        (tmp_path / "in" / f"good{i:02}.sdf").write_text(GOOD.format(i))
    (tmp_path / "in" / "bad.sdf").write_text(BAD)
    (tmp_path / "in" / "broken.sdf").write_text("<sdf")
    (tmp_path / "in" / "gone.sdf").symlink_to(tmp_path / "nowhere")
    return tmp_path


@pytest.fixture(autouse=True)
def engine_of_one(monkeypatch):
    """One job is done here: only tests with several start an engine, which takes a second."""
    def open_here(name, jobs, address):
        here = nullcontext(flaky_engine(lambda number, names: False)[0])
        return here if jobs == 1 else open_engine(name, jobs, address)
    monkeypatch.setattr("sdf_frames.batch.run.open_engine", open_here)


def rows(output):
    return list(read_rows(name_folders(str(output))[0]))


def run(folder, output, task=Task(), **choices):
    return run_batch(list_items([str(folder / "in")]), task, str(output), **choices)


def test_a_second_run_into_the_same_tables_is_refused(folder, capsys):
    with open_tables(str(folder / "out")), pytest.raises(FileExistsError, match="another run is writing to"):
        run(folder, folder / "out", resume=True)
    assert run(folder, folder / "out").done == 15
    with open_tables(str(folder / "out")):
        assert main(["batch", "check", str(folder / "in"), "--to", str(folder / "out"), "--resume"]) == 2
    assert "another run is writing to" in capsys.readouterr().err and len(rows(folder / "out")) == 15


def test_one_row_a_file_and_a_table_of_findings(folder):
    summary = run(folder, folder / "out", jobs=2)
    assert summary.whole and summary.done == 15
    assert summary.verdicts == Counter(valid=12, invalid=2, unreadable=1)
    found = {os.path.basename(row["path"]): row for row in rows(folder / "out")}
    assert len(found) == 15
    good = found["good00.sdf"]
    assert (good["kind"], good["version"], good["links"], good["mass"], good["errors"]) == ("sdf", "1.9", 1, 2.5, 0)
    assert good["memory_mb"] is None or 1 < good["memory_mb"] < 1000
    assert dict(found["bad.sdf"]["codes"]) == {"F001": 1}
    assert "No such file" in found["gone.sdf"]["reason"]
    assert all(0 <= row["seconds"] < 60 for row in found.values())
    findings = [f for f in read_rows(name_folders(str(folder / "out"))[1]) if f["path"].endswith("bad.sdf")]
    finding, = [f for f in findings if f["severity"] == "error"]
    assert finding["line"] == 1 and "none" in finding["message"]


def test_names_that_end_with_parquet(folder):
    run(folder, folder / "r.parquet")
    assert len(rows(folder / "r.parquet")) == 15
    assert (folder / "r.findings.parquet").is_dir()


def test_resume_skips_what_has_not_changed(folder):
    run(folder, folder / "out")
    with pytest.raises(FileExistsError):
        run(folder, folder / "out")
    (folder / "in" / "bad.sdf").write_text(GOOD.format("new"))
    summary = run(folder, folder / "out", resume=True)
    # One file was changed; one cannot be read, and is tried again.
    assert summary.unchanged == 13 and summary.verdicts == Counter(valid=1, unreadable=1)
    assert summary.unchanged_bad == 1, "broken.sdf is as it was"
    found = {os.path.basename(row["path"]): row["verdict"] for row in rows(folder / "out")}
    assert len(found) == len(rows(folder / "out")) == 15
    assert found["bad.sdf"] == "valid" and found["gone.sdf"] == "unreadable"
    errors = [f for f in read_rows(name_folders(str(folder / "out"))[1]) if f["severity"] == "error"]
    assert {os.path.basename(f["path"]) for f in errors} == {"broken.sdf"}, "findings of the earlier row are gone"
    again = run(folder, folder / "out", Task(options={"massless": "keep"}), resume=True)
    assert again.unchanged == 0, "other options make other results"


@pytest.mark.parametrize(("plants", "limits"), [
    ({"hang": "timeout"}, CostLimits(8.0)),
    ({"eat": "memory", "crash": "crashed", "print": "invalid"}, CostLimits(megabytes=300))])
def test_file_that_harms_its_process_is_one_row(folder, monkeypatch, plants, limits):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    from plants import misbehave
    for plant in plants:
        (folder / "in" / f"{plant}.sdf").write_text(MESH.format(f"{plant}.stl"))
    task = Task(options={"auto_inertia": "save", "inertia_calculator": misbehave})
    summary = run(folder, folder / "out", task, jobs=2, limits=limits)
    found = Counter((os.path.basename(row["path"]), row["verdict"]) for row in rows(folder / "out"))
    assert all(found[f"{plant}.sdf", verdict] == 1 for plant, verdict in plants.items())
    assert summary.done == found.total() == 15 + len(plants)
    assert summary.verdicts["valid"] == 12 and summary.verdicts["crashed"] == ("crash" in plants)


def test_progress_says_how_long_it_takes(folder, capsys, monkeypatch):
    pytest.importorskip("rich")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sdf_frames.cli.batch._SHOW_SECONDS", 0)
    replaced = SimpleNamespace(**{**vars(threading), "Thread": CalledAtOnce})
    monkeypatch.setattr("sdf_frames.cli.batch.threading", replaced)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["batch", "check", str(folder / "in"), "--to", str(folder / "out"), "--jobs", "1"]) == 1
    shown = capsys.readouterr()
    assert re.search(r"15/15 files, \d+/s, 0:00:00 left, 3 with errors", shown.err)
    assert shown.out.startswith("15 files in ") and "left" not in shown.out


class CalledAtOnce:
    """A thread that has done its work before it is started."""

    def __init__(self, target, args, daemon):
        target(*args)

    def start(self):
        pass


def start(folder):
    """The command on many files, in a process group of its own."""
    command = [sys.executable, "-m", "sdf_frames", "batch", "check", str(folder / "in"), "--to", str(folder / "out"),
               "--jobs", "2", "--resume"]
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, env={**os.environ, "LOKY_MAX_CPU_COUNT": "2"})


@pytest.fixture
def many(folder):
    for i in range(800):
        (folder / "in" / f"more{i:03}.sdf").write_text(GOOD.format(i))
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_killed_run_goes_on_where_it_was(many):
    for pause in (1.2, 2.0):
        process = start(many)
        time.sleep(pause)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    process = start(many)
    assert "815 files" in process.communicate()[0]
    latest = {row["path"]: row["verdict"] for row in rows(many / "out")}
    assert Counter(latest.values()) == Counter(valid=812, invalid=2, unreadable=1)


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def spoil(path):
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * (len(content) - 1000) + content[-996:])


@pytest.mark.parametrize("table", ["results", "findings"])
@pytest.mark.parametrize("harm", [cut, spoil, Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_damaged_part_is_done_again(folder, table, harm):
    run(folder, folder / "out")
    calm, *_ = rows(folder / "out"), list(read_rows(folder / "out" / "findings"))
    (folder / "in" / "new.sdf").write_text(GOOD.format("new"))
    run(folder, folder / "out", resume=True)
    harm(folder / "out" / table / "part-000000.parquet")
    summary = run(folder, folder / "out", resume=True)
    assert summary.whole and sorted(row["path"] for row in rows(folder / "out")) == sorted(
        [*(row["path"] for row in calm), str(folder / "in" / "new.sdf")])
    assert [f["code"] for f in read_rows(str(folder / "out" / "findings")) if "bad.sdf" in f["path"]] == ["F001"]


def test_a_report_names_a_damaged_part(folder, capsys):
    run(folder, folder / "out")
    part = folder / "out" / "results" / "part-000000.parquet"
    cut(part)
    assert main(["report", str(folder / "out")]) == 2
    assert f"{part}: damaged; --resume does the files of this part again" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="workers are found through /proc")
def test_killed_workers_cost_nothing(many):
    process = start(many)
    killed = 0
    while process.poll() is None and killed < 3:
        time.sleep(0.3)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_text()
                parent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
            except OSError:
                continue
            if parent == str(process.pid) and "loky" in command and "LokyProcess" in command:
                os.kill(int(pid), signal.SIGKILL)
                killed += 1
                break
    assert "815 files" in process.communicate()[0] and killed
    found = Counter(row["path"] for row in rows(many / "out"))
    assert len(found) == 815 and set(found.values()) == {1}


def flaky_engine(is_lost):
    """In place of an engine: works at once; the future of a chunk for which `is_lost` says so fails. And the chunks."""
    chunks = []

    def submit(function, work, items, *rest):
        chunks.append([os.path.basename(item.name) for item, _ in items])
        future = Future()
        if is_lost(len(chunks), chunks[-1]):
            future.set_exception(RuntimeError("a worker was killed"))
        else:
            future.set_result(function(work, items, *rest))
        return future
    return Engine(submit, 1), chunks


def work(folder, monkeypatch, is_lost, chunk=4):
    from sdf_frames.batch import run as batch
    engine, chunks = flaky_engine(is_lost)
    monkeypatch.setattr(batch, "_CHUNK", chunk)
    monkeypatch.setattr(batch, "open_engine", lambda *choices: nullcontext(engine))
    return run(folder, folder / "out"), chunks


def lose_first(number, names):
    return number == 1


def break_first(number, names):
    if number == 1:
        raise RuntimeError("the pool is broken")


@pytest.mark.parametrize("is_lost", [lose_first, break_first])
def test_a_chunk_that_is_lost_is_tried_in_halves(folder, monkeypatch, is_lost):
    summary, chunks = work(folder, monkeypatch, is_lost)
    assert summary.done == len(rows(folder / "out")) == 15 and "crashed" not in summary.verdicts
    assert sorted(map(len, chunks)) == [2, 2, 3, 4, 4, 4]
    assert sorted(chunks[0]) == sorted(name for names in chunks if len(names) == 2 for name in names)


def test_a_description_that_loses_three_workers_gets_a_row(folder, monkeypatch):
    """It is alone after two halvings; its neighbours have their results."""
    summary, chunks = work(folder, monkeypatch, lambda number, names: "good03.sdf" in names)
    (lost,) = [row for row in rows(folder / "out") if row["verdict"] == "crashed"]
    assert lost["path"].endswith("good03.sdf") and summary.done == 15
    assert [len(names) for names in chunks if "good03.sdf" in names] == [4, 2, 1, 1, 1]


def test_an_engine_that_only_loses_is_broken(folder, monkeypatch):
    from sdf_frames.batch import run as batch
    monkeypatch.setattr(batch, "_MOST_CHUNKS_LOST", 5)
    with pytest.raises(RuntimeError, match="killed"):
        work(folder, monkeypatch, lambda number, names: True, chunk=1)
    assert rows(folder / "out") == []
