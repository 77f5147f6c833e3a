"""Several processes: the same bytes in the same order as one, and an end that leaves nothing behind."""
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sdf_frames.cli import answers, main
from sdf_frames.cli.jobs import count_jobs, map_files

ROOT = Path(__file__).resolve().parents[2]
SDF = ('<sdf version="1.7"><model name="m{0}"><link name="l{0}"><colour/></link><frame name="f" attached_to="{1}"/>'
       '</model></sdf>')
URDF = ('<robot name="r{0}"><link name="a"><inertial><mass value="{0}1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="b"/>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """60 files: each third one a URDF, each fifth SDFormat file with an error, one that is none."""
    for i in range(60):
        text = URDF.format(i) if i % 3 == 0 else SDF.format(i, "nowhere" if i % 5 == 0 else f"l{i}")
        (tmp_path / f"{i:02}.{'urdf' if i % 3 == 0 else 'sdf'}").write_text(text if i != 31 else "<sdf")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    return subprocess.Popen([sys.executable, "-m", "sdf_frames", *arguments], env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize("command", [
    ["check"], ["check", "--format", "sarif"], ["check", "--statistics"], ["convert", "--report"],
    ["to-urdf", "--json"]])
def test_output_is_that_of_one_process(command, folder):
    results = []
    for jobs in ("1", "3"):
        process = start(*command, "--jobs", jobs, ".", cwd=folder)
        results.append((*process.communicate(timeout=100), process.returncode))
    assert results[0] == results[1] and results[0][2] == 1 and len(results[0][0]) > 100


def test_files_are_written_by_all_processes(folder):
    for jobs in ("1", "3"):
        process = start("upgrade", "--jobs", jobs, "--output-dir", f"out{jobs}", "--exclude", "out*", ".", cwd=folder)
        process.communicate(timeout=100)
    made = [{path.name: path.read_bytes() for path in (folder / f"out{jobs}").iterdir()} for jobs in (1, 3)]
    assert made[0] == made[1] and len(made[0]) == 39  # 40 are SDFormat, of which one is none


def test_standard_input_keeps_its_place(folder):
    process = start("check", "--json", "--jobs", "2", "01.sdf", "-", "02.sdf", cwd=folder, stdin=subprocess.PIPE)
    out, _ = process.communicate(SDF.format(7, "l7").encode(), timeout=100)
    assert [line.split(b'"')[3] for line in out.splitlines()] == [b"01.sdf", b"-", b"02.sdf"]
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the workers in /proc")
def test_an_interrupt_ends_all_workers_and_says_how_far_it_came(folder):
    # A shell that runs the tests in the background has SIGINT ignored, which processes inherit.
    process = start("check", "--jobs", "2", *["02.sdf"] * 20000, cwd=folder, start_new_session=True,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=100)
    assert process.returncode == 130
    (line,) = err.decode().splitlines()
    words = line.split()
    assert line.startswith("sdf_frames check: interrupted; ") and line.endswith(" of 20000 files are done")
    assert 0 <= int(words[3]) < 20000
    left = [pid for pid in os.listdir("/proc") if pid.isdecimal() and _session_of(pid) == process.pid]
    assert left == []


def _session_of(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[3])
    except OSError:
        return None


HARMED = """
import os, sys
from sdf_frames import cli
from sdf_frames.cli import check
begin = check.load_input
check.load_input = lambda name, args: os.kill(os.getpid(), {signal}) if "31" in name else begin(name, args)
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers are not forked: they do not have the fault")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_file_that_ends_its_worker_is_one_row(folder, number):
    """As a file does that needs more memory than the system has."""
    (folder / "31.sdf").write_text(SDF.format(31, "l31"))
    calm = start("check", "--json", "--jobs", "2", ".", cwd=folder).communicate(timeout=100)[0].splitlines()
    command = [sys.executable, "-c", HARMED.format(signal=int(number)), "check", "--json", "--jobs", "2", "."]
    harmed = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                            timeout=100)
    rows = harmed.stdout.splitlines()
    assert rows[:31] + rows[32:] == calm[:31] + calm[32:] and len(rows) == 60
    lost = json.loads(rows[31])
    (finding,) = lost["diagnostics"]
    assert (lost["file"], lost["valid"], finding["file"], finding["code"]) == ("31.sdf", False, "31.sdf", "M013")
    assert f"signal {int(number)}" in finding["message"] and harmed.returncode == 1 and harmed.stderr == b""


class Recorder:
    """Takes the place of the pool: works here, and keeps what it was given."""

    def __init__(self, size, fork):
        self.chunks, self.large = [], []
        Recorder.latest = self

    def map(self, function, chunks, large):
        self.large += large
        for chunk in chunks:
            self.chunks.append(chunk)
            yield from map(function, chunk)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


@pytest.fixture
def pool(monkeypatch):
    monkeypatch.setattr("sdf_frames.work.Pool", Recorder)
    return Recorder


def test_large_files_are_begun_first_and_told_in_their_place(pool, tmp_path):
    """With 2 jobs, those of more than a 32nd of all bytes."""
    sizes = [0, *[100] * 200, 1000, *[100] * 100, 5000, 100]
    files = [str(tmp_path / f"{i}.sdf") for i in range(len(sizes))]
    for name, size in zip(files, sizes):
        (tmp_path / name).write_bytes(b" " * size)
    several = [*files, files[201], "gone.sdf", files[302]]
    assert list(map_files(str.upper, several, 2)) == [name.upper() for name in several]
    assert pool.latest.large == [(files[302],)]
    assert [len(chunk) for chunk in pool.latest.chunks if files[302] in chunk] == [1, 1]


@pytest.mark.parametrize(("wanted", "files", "searched", "jobs"), [
    (None, 1000, False, 1), (None, 31, True, 1), (None, 32, True, 5), (None, 0, True, 1), (0, 1000, False, 5),
    (0, 3, False, 3), (0, 0, True, 1), (1, 1000, True, 1), (7, 1000, False, 7), (7, 3, False, 3)])
@pytest.mark.parametrize("system", ["of Linux", "others", "unknown"])
def test_the_number_of_processes(wanted, files, searched, jobs, system, monkeypatch):
    """Of five cores, or of one where their number is unknown."""
    monkeypatch.setattr("os.cpu_count", lambda: {"others": 5, "unknown": None}.get(system, 9))
    if system == "of Linux":
        monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(5 + process)), raising=False)
    else:
        monkeypatch.delattr("os.sched_getaffinity", raising=False)
    expected = 1 if system == "unknown" and wanted in (None, 0) else jobs
    assert count_jobs(wanted, ["x"] * files, searched) == expected


@pytest.mark.parametrize("jobs", ["-1", "two", "99999"])
def test_jobs_is_a_number(jobs, folder, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["check", f"--jobs={jobs}", "01.sdf"])
    assert "is not a number of processes" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("order", [1, -1])
def test_fixes_come_before_all_checks(jobs, order, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("part.sdf").write_text('<sdf version="1.9"><model name="m"><link name="world"/></model></sdf>')
    Path("whole.sdf").write_text(
        '<sdf version="1.9"><model name="top"><include><uri>part.sdf</uri></include></model></sdf>')
    assert main(["check", "--fix", "--jobs", jobs, *["part.sdf", "whole.sdf"][::order]]) == 0
    assert "2 files: 2 valid" in capsys.readouterr().out and 'name="world_link"' in Path("part.sdf").read_text()


@pytest.mark.parametrize(("uri", "at_once"), [("part.sdf", 1), ("other.sdf", 2)])
def test_inputs_that_include_each_other_are_changed_in_turn(uri, at_once, tmp_path, monkeypatch):
    for name in ("part", "other"):
        (tmp_path / f"{name}.sdf").write_text(SDF.format(name, f"l{name}"))
    (tmp_path / "whole.sdf").write_text(
        f'<sdf version="1.9"><model name="top"><include><uri>{uri}</uri></include></model></sdf>')
    monkeypatch.chdir(tmp_path)
    seen = []
    monkeypatch.setattr(answers, "map_files", lambda work, files, jobs: seen.append(jobs) or map(work, files))
    assert main(["inertia", "--write", "--jobs", "2", "part.sdf", "whole.sdf"]) == 0 and seen == [at_once]
