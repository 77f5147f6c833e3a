"""How work is handed to processes: the chunks, how many wait, standard input. A pool that works here keeps notes."""
import signal
import sys
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace

import pytest

from sdf_frames.cli import workers
from sdf_frames.cli.jobs import WorkerDied
from sdf_frames.cli.workers import map_files


class Pool:
    """Takes the place of the pool: each chunk is worked on when it is asked for."""

    fails = False

    def __init__(self, jobs, context, start, given):
        self.jobs, self.method, self.chunks, self.waiting, self.most, self.ends = jobs, context, [], 0, 0, []
        start(*given)
        Pool.latest = self

    def submit(self, work, files):
        self.blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        self.chunks.append(files)
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        future = Future()

        def result():
            self.waiting -= 1
            if self.fails:
                raise BrokenProcessPool
            return work(files)
        future.result = result
        return future

    def shutdown(self, **how):
        self.ends.append(how)


@pytest.fixture
def pool(monkeypatch):
    monkeypatch.setattr(workers, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(workers.multiprocessing, "get_context", lambda method: method)
    before = signal.getsignal(signal.SIGINT)
    yield Pool
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("count", "jobs", "sizes"), [
    (0, 2, []), (1, 2, [1]), (31, 2, [1] * 31), (32, 2, [2] * 16), (33, 2, [2] * 16 + [1]), (48, 3, [2] * 24),
    (255, 2, [15] * 17), (256, 2, [16] * 16), (1000, 2, [16] * 62 + [8])])
def test_files_are_handed_out_in_chunks(pool, count, jobs, sizes):
    """Eight for each worker, if that is no more than 16 files each."""
    files = [str(i) for i in range(count)]
    assert list(map_files(lambda name: name * 2, files, jobs)) == [name * 2 for name in files]
    assert [len(chunk) for chunk in pool.latest.chunks] == sizes and sum(pool.latest.chunks, []) == files
    assert pool.latest.jobs == jobs and pool.latest.ends == [{}, {"cancel_futures": True}]


def test_large_files_are_begun_first_and_told_in_their_place(pool, tmp_path):
    """With 2 jobs, those of more than a 32nd of all bytes."""
    sizes = [0, *[100] * 200, 1000, *[100] * 100, 5000, 100]
    files = [str(tmp_path / f"{i}.sdf") for i in range(len(sizes))]
    for name, size in zip(files, sizes):
        (tmp_path / name).write_bytes(b" " * size)
    small, large = files[201], files[302]
    several = [*files, small, "gone.sdf", large]
    assert list(map_files(str.upper, several, 2)) == [name.upper() for name in several]
    chunks = pool.latest.chunks
    assert chunks[0] == [large] and sum(chunk == [large] for chunk in chunks) == 1
    assert sum(chunks[1:], []) == [name for name in several if name != large]


@pytest.mark.parametrize("jobs", [1, 3])
def test_four_chunks_wait_for_each_worker(pool, jobs):
    list(map_files(str, [str(i) for i in range(100)], jobs))
    assert pool.latest.most == 4 * jobs


def test_standard_input_is_read_here_in_its_place(pool):
    files = [*map(str, range(40)), "-", *map(str, range(40, 80))]
    assert list(map_files(lambda name: f"<{name}>", files, 2)) == [f"<{name}>" for name in files]
    assert [len(chunk) for chunk in pool.latest.chunks] == [5] * 16
    assert list(map_files(lambda name: f"<{name}>", ["-"], 2)) == ["<->"] and pool.latest.chunks == []


def test_workers_never_see_an_interrupt(pool):
    """Neither one that starts for a chunk, nor one that runs; this process sees it again."""
    list(map_files(str, ["a"], 2))
    assert pool.latest.blocked and signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.parametrize(("platform", "threads", "method"), [
    ("linux", 1, "fork"), ("linux", 2, "spawn"), ("darwin", 1, "spawn"), ("win32", 1, "spawn")])
def test_forking_is_for_linux_without_threads(pool, monkeypatch, platform, threads, method):
    monkeypatch.setattr(workers, "sys", SimpleNamespace(platform=platform, stdout=sys.stdout))
    monkeypatch.setattr(workers.threading, "active_count", lambda: threads)
    list(map_files(str, ["a"], 2))
    assert pool.latest.method == method


def test_where_signals_cannot_be_blocked(pool, monkeypatch):
    monkeypatch.setattr(workers, "signal", SimpleNamespace(SIGINT=signal.SIGINT, SIG_IGN=signal.SIG_IGN,
                                                           signal=lambda *_: None))
    assert list(map_files(str.upper, ["a", "b"], 2)) == ["A", "B"]


def test_a_worker_that_dies_ends_the_others(pool, monkeypatch):
    stopped = []

    class Process:
        def terminate(self):
            stopped.append(self)
    others, mine = Process(), Process()
    children = [[others], [others, mine]]
    monkeypatch.setattr(pool, "fails", True)
    monkeypatch.setattr(workers.multiprocessing, "active_children", lambda: children.pop(0))
    with pytest.raises(WorkerDied):
        list(map_files(str, ["a"], 2))
    assert stopped == [mine] and pool.latest.ends == [{"cancel_futures": True}]
