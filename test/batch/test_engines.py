"""The same batch over each engine, and what happens when an engine loses work."""
import gc
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("joblib")
pytest.importorskip("pyarrow")

from benchmark.stops import is_running  # noqa: E402
from sdf_frames.batch import run as batch  # noqa: E402
from sdf_frames.batch.run import ENGINES, open_engine  # noqa: E402
from sdf_frames.batch.sources import Item  # noqa: E402
from sdf_frames.batch.tables import read_rows  # noqa: E402
from sdf_frames.batch.work import Task  # noqa: E402
from sdf_frames.work.serving import end_with_parent  # noqa: E402

GOOD = "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>"
ITEMS = [Item(f"{i}", f"{i}", GOOD) for i in range(130)]
ROOT = Path(__file__).resolve().parents[2]
MODULES = {"loky": "joblib", "dask": "distributed", "ray": "ray"}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.filterwarnings("ignore")  # of the engines
def test_every_engine_gives_every_row(engine, tmp_path):
    pytest.importorskip(MODULES[engine])
    summary = batch.run_batch(ITEMS, Task(), str(tmp_path / "out"), jobs=2, engine=engine)
    assert summary.verdicts == Counter(valid=130)
    assert {row["path"] for row in read_rows(str(tmp_path / "out" / "results"))} == {item.name for item in ITEMS}


def test_missing_engine_is_named(monkeypatch, tmp_path, capsys):
    from sdf_frames.cli import main
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["batch", "check", str(tmp_path), "--to", str(tmp_path / "out"), "--engine", "ray"]) == 2
    assert "ray is not installed: pip install ray" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore")
def test_dask_keeps_nothing_that_is_done():
    """Its scheduler, which runs in this process, has a log of messages, and those hold the descriptions."""
    pytest.importorskip("distributed")
    with open_engine("dask", 1) as engine:
        for number in range(40):
            assert engine.submit(len, ["a description", number]).result() == 2
        gc.collect()
        kept = [o for o in gc.get_objects() if isinstance(o, (list, tuple)) and o and isinstance(o[0], str)
                and o[0] == "a description"]
        assert len(kept) < 10


@pytest.mark.parametrize(("address", "options"), [
    (None, {"num_cpus": 2, "include_dashboard": False}),
    ("ray://host:10001", {"num_cpus": None, "include_dashboard": None})])  # Ray refuses them for a running cluster
def test_ray_is_started_here_or_found_at_its_address(monkeypatch, address, options):
    """What its workers print does not go to our standard output."""
    told = []
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(
        init=lambda **given: told.append(given), shutdown=lambda: told.append("the end"),
        remote=lambda max_retries: list, cluster_resources=lambda: {"CPU": 7.0} if address else {}))
    with open_engine("ray", 2, address) as engine:
        assert engine.workers == (7 if address else 2)
        assert told == [{"address": address, "log_to_driver": False, "logging_level": logging.ERROR, **options}]
    assert told[1:] == ["the end"]


@pytest.mark.parametrize(("address", "options"), [
    (None, {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}), ("tcp://host:8786", {})])
def test_dask_is_started_here_or_found_at_its_address(monkeypatch, address, options):
    told = []

    class Client:
        def __init__(self, *given, **more):
            told.append((given, more))

        def __enter__(self):
            return self

        def __exit__(self, *error):
            told.append("the end")

        def run(self, *work):
            assert work == (end_with_parent, os.getpid())
            told.append("bound")

        def get_executor(self, pure):
            assert pure is False  # the same work twice is done twice
            return SimpleNamespace(submit=len)

        def ncores(self):
            return {"a": 3, "b": 4} if address else {}

    config = SimpleNamespace(set=lambda settings: nullcontext(told.append(settings)))
    monkeypatch.setitem(sys.modules, "dask", SimpleNamespace(config=config))
    monkeypatch.setitem(sys.modules, "dask.distributed", SimpleNamespace(Client=Client))
    with open_engine("dask", 2, address) as engine:
        assert (engine.submit, engine.workers) == (len, 7 if address else 2)
        # Its workers neither look at what they are doing nor remember what they were told.
        assert told == [{"distributed.worker.profile.enabled": False, "distributed.admin.low-level-log-length": 0,
                         "distributed.worker.multiprocessing-method": "spawn"},
                        ((address,), options)] + ["bound"] * (address is None)
    assert told[-1] == "the end"


def test_workers_are_as_many_as_asked_for():
    with open_engine("loky", 2) as engine:
        assert engine.workers == 2 and engine.submit(len, "abc").result() == 3


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks of signals")
def test_workers_of_loky_never_see_an_interrupt():
    """Not even while they start, when it would print a traceback."""
    with open_engine("loky", 1) as engine:
        assert signal.SIGINT in engine.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_loky_ends_quietly_while_it_has_as_much_to_do_as_a_batch_gives_it(monkeypatch, tmp_path):
    """Also on a machine without pgrep: the extra `batch` has psutil."""
    pytest.importorskip("psutil")
    monkeypatch.setenv("PATH", str(tmp_path))
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    with open_engine("loky", 2) as engine:
        for name in range(batch._WAITING * 2):
            engine.submit(exec, f"import time; open({str(tmp_path / str(name))!r}, 'x'); time.sleep(600)")
        while not any(tmp_path.iterdir()):
            time.sleep(0.02)
    assert failed == []


RUN = """
import sys, time
from sdf_frames.work import run_each
from sdf_frames.batch.run import open_engine
job = "import os, time; open(f'{sys.argv[2]}/{os.getpid()}-{os.getppid()}', 'w'); time.sleep(600)"
with open_engine(sys.argv[1], 2) as engine:
    for future in [engine.submit(run_each, exec, [(job.replace("{sys.argv[2]}", sys.argv[2]),)]) for _ in range(2)]:
        future.result()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process that is stopped outlives its parent")
@pytest.mark.parametrize("engine", ["loky", "dask"])
def test_no_worker_outlives_a_killed_run_not_even_one_that_is_stopped(engine, tmp_path):
    pytest.importorskip(MODULES[engine])
    run = subprocess.Popen([sys.executable, "-c", RUN, engine, str(tmp_path)], cwd=ROOT, stderr=subprocess.PIPE)
    while len(names := [path.name for path in tmp_path.iterdir()]) < 2:
        assert run.poll() is None, run.stderr.read()
        time.sleep(0.02)
    pids = [int(pid) for name in names for pid in name.split("-")]
    assert len(set(pids)) == 4, "each worker of the engine has a process of its own"
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    run.kill()
    run.wait()
    end = time.monotonic() + 60
    while any(map(is_running, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(map(is_running, pids))
