"""Runs a batch from its sources to its tables, on the workers of loky (processes here), Dask or Ray."""
from __future__ import annotations

import logging
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from multiprocessing import resource_tracker
from typing import Any, NamedTuple

import joblib

from sdf_frames.batch.sources import Item
from sdf_frames.batch.tables import list_parts, open_tables, read_rows
from sdf_frames.batch.work import VALID, Outcome, Task, do_in_process, make_row
from sdf_frames.work import CRASHED, Failed, hold_back_interrupt, run_each
from sdf_frames.work.serving import end_with_parent

ENGINES = ("loky", "dask", "ray")
#: For Dask in this process. Workers that are started here do not look a hundred times a second at what they are doing.
#: The last thousand messages are not kept, with all descriptions in them.
_DASK_SETTINGS = {"distributed.worker.profile.enabled": False, "distributed.admin.low-level-log-length": 0,
                  "distributed.worker.multiprocessing-method": "spawn"}
#: Descriptions that a worker gets at once: enough to make the engine's own time negligible.
_CHUNK = 50
#: Chunks for each worker that are under way. loky's queue takes no more at once: what waits before it makes its thread
#: fail when it is shut down.
_WAITING = 2
_FLUSH_SECONDS = 30.0
#: Workers that may be lost with a description before it counts as the reason.
_MOST_LOSSES = 3
#: Consecutive lost chunks after which the engine counts as broken.
_MOST_CHUNKS_LOST = 100

#: The answer to a description: its outcome; None if it has not changed; or why it has none.
Answer = Outcome | Failed | None


class Engine(NamedTuple):
    """A running engine.

    Attributes
    ----------
    submit : gives a function and its arguments to a worker. The future has an exception if the worker is lost.
    workers : the number of workers.
    """

    submit: Callable[..., Future[Any]]
    workers: int


@contextmanager
def open_engine(name: str = "loky", jobs: int = 1, address: str | None = None) -> Iterator[Engine]:
    """Start an engine, or connect to its cluster; at the end, stop what was started.

    Parameters
    ----------
    name : one of `ENGINES`.
    jobs : workers to start here; 0 for one per core. A cluster at `address` has its own.
    address : scheduler of a running cluster.

    Raises
    ------
    ModuleNotFoundError
        The engine is not installed.
    """
    yield from {"loky": _open_loky, "dask": _open_dask, "ray": _open_ray}[name](jobs or joblib.cpu_count(), address)


def _open_loky(jobs: int, address: str | None) -> Iterator[Engine]:
    from joblib.externals.loky import get_reusable_executor

    if os.name == "posix":
        resource_tracker.ensure_running()  # now: starting it lets Ctrl-C through

    def get_executor() -> Any:  # started anew after a worker was lost
        return get_reusable_executor(jobs, initializer=end_with_parent, initargs=(os.getpid(),))

    def submit(*work: Any) -> Future[Any]:
        with hold_back_interrupt():  # Ctrl-C is for this process, which ends the workers that it starts here
            return get_executor().submit(*work)
    try:
        yield Engine(submit, jobs)
    finally:
        get_executor().shutdown(kill_workers=True)


def _open_dask(jobs: int, address: str | None) -> Iterator[Engine]:
    import dask
    from dask.distributed import Client
    started = {} if address else {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
    with dask.config.set(_DASK_SETTINGS), Client(address, **started) as client:
        if not address:
            client.run(end_with_parent, os.getpid())
        yield Engine(client.get_executor(pure=False).submit, sum(client.ncores().values()) or jobs)


def _open_ray(jobs: int, address: str | None) -> Iterator[Engine]:
    import ray
    ray.init(address=address, num_cpus=None if address else jobs, include_dashboard=None if address else False,
             log_to_driver=False, logging_level=logging.ERROR)
    # What is made anew for each call is sent to the workers anew.
    make_remote = cache(ray.remote(max_retries=0))
    try:
        yield Engine(lambda function, *arguments: make_remote(function).remote(*arguments).future(),
                     int(ray.cluster_resources().get("CPU", jobs)))
    finally:
        ray.shutdown()


@dataclass(frozen=True, slots=True)
class CostLimits:
    """Limits for one description: seconds of wall-clock time, and megabytes of memory."""

    seconds: float = 60.0
    megabytes: int = 4000


@dataclass(slots=True)
class Summary:
    """The result of a batch: descriptions by verdict, unchanged descriptions, and whether all are done.

    `unchanged_bad` counts the unchanged descriptions that an earlier run did not find valid.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    unchanged_bad: int = 0
    seconds: float = 0.0
    whole: bool = False

    @property
    def done(self) -> int:
        """Descriptions with a row."""
        return self.verdicts.total() + self.unchanged


@dataclass(slots=True)
class _Chunk:
    """Descriptions that go to a worker together; workers lost with them; `last`: there is no other try."""

    items: list[tuple[Item, str | None]]
    losses: int = 0
    last: bool = False


def run_batch(items: Iterable[Item], task: Task, output: str, *, jobs: int = 1, engine: str = "loky",
              address: str | None = None, limits: CostLimits = CostLimits(), resume: bool = False,
              report: Callable[[Summary], None] = lambda summary: None) -> Summary:
    """Work on every item, and write a row for each.

    Parameters
    ----------
    items : descriptions; read as workers become free.
    output : the place of the tables: see :func:`sdf_frames.batch.tables.name_folders`.
    jobs, engine, address : see :func:`open_engine`.
    resume : skip descriptions that the tables have with the same content, options and version. Without it, the tables
        must be empty.
    report : called from time to time with the progress.

    Raises
    ------
    FileExistsError
        The tables have rows, and `resume` is False; or another run is writing them.
    ModuleNotFoundError
        The engine is not installed.
    KeyboardInterrupt
        Passed on; the results so far are in the tables.
    """
    summary = Summary()
    with open_tables(output) as tables:
        if resume:
            tables.drop_damaged()
        elif list_parts(tables.results):
            raise FileExistsError(f"{tables.results} already has results; --resume continues them")
        known: dict[str, str] = {}
        bad: set[str] = set()
        for row in read_rows(tables.results, ["path", "hash", "key", "verdict"]) if resume else ():
            if row["key"] == task.key:
                known[row["path"]] = row["hash"]
                (bad.discard if row["verdict"] == VALID else bad.add)(row["path"])
        start = flushed = time.monotonic()
        try:
            with open_engine(engine, jobs, address) as workers:
                for outcome in _work_on_all(items, task, limits, workers, known, bad, summary):
                    tables.add(outcome)
                    summary.verdicts[outcome.row["verdict"]] += 1
                    if time.monotonic() - flushed > _FLUSH_SECONDS:
                        tables.flush()
                        flushed = time.monotonic()
                    summary.seconds = time.monotonic() - start
                    report(summary)
                tables.flush()  # before the engine stops, which takes seconds
            if resume:
                tables.drop_superseded()
            summary.whole = True
        finally:
            tables.flush()
            summary.seconds = time.monotonic() - start
    return summary


def _work_on_all(items: Iterable[Item], task: Task, limits: CostLimits, engine: Engine, known: dict[str, str],
                 bad: set[str], summary: Summary) -> Iterator[Outcome]:
    """Yield outcomes as they arrive. Work of a lost worker is given to another."""
    fresh = _make_chunks(items, known)
    again: deque[_Chunk] = deque()
    under_way: dict[Future[list[Answer]], _Chunk] = {}
    lost = 0
    while True:
        while len(under_way) < _WAITING * engine.workers and (chunk := again.popleft() if again else next(fresh, None)):
            under_way[_submit(engine, chunk, task, limits)] = chunk
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            chunk = under_way.pop(future)
            if (error := future.exception()) is None:
                lost = 0
                yield from _take(chunk, future.result(), task, again, bad, summary)
            elif (lost := lost + 1) == _MOST_CHUNKS_LOST:
                raise error
            else:
                yield from _split(chunk, task, again)


def _submit(engine: Engine, chunk: _Chunk, task: Task, limits: CostLimits) -> Future[list[Answer]]:
    """Give a chunk to a worker. If the engine refuses the chunk, the future has the exception."""
    try:
        work = partial(do_in_process, task, limits.megabytes)
        return engine.submit(run_each, work, chunk.items, limits.seconds, limits.megabytes)
    except RuntimeError as error:  # loky's executor lost a worker just now
        failed: Future[list[Answer]] = Future()
        failed.set_exception(error)
        return failed


def _make_chunks(items: Iterable[Item], known: dict[str, str]) -> Iterator[_Chunk]:
    pairs = ((item, known.get(item.name)) for item in items)
    while chunk := [*islice(pairs, _CHUNK)]:
        yield _Chunk(chunk)


def _take(chunk: _Chunk, answers: list[Answer], task: Task, again: deque[_Chunk], bad: set[str],
          summary: Summary) -> Iterator[Outcome]:
    """Return the outcomes of a chunk; a description that ended its process is tried once more, alone."""
    for (item, known), answer in zip(chunk.items, answers):
        if isinstance(answer, Outcome):
            yield answer
        elif answer is None:
            summary.unchanged += 1
            summary.unchanged_bad += item.name in bad
        elif chunk.last:
            yield Outcome(make_row(item, task, answer.reason, reason=answer.finding.message))
        else:
            again.append(_Chunk([(item, known)], last=True))


def _split(chunk: _Chunk, task: Task, again: deque[_Chunk]) -> Iterator[Outcome]:
    """Retry a chunk that was lost with its worker, in halves: a description that ends workers is soon alone."""
    losses = chunk.losses + 1 if len(chunk.items) == 1 else 0
    if losses == _MOST_LOSSES:
        yield Outcome(make_row(chunk.items[0][0], task, CRASHED, reason="ended its worker"))
        return
    half = (len(chunk.items) + 1) // 2
    again.extend(_Chunk(part, losses, chunk.last) for part in (chunk.items[:half], chunk.items[half:]) if part)
