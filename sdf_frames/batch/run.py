"""A batch from its sources to its tables, over the workers of an engine."""
from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import joblib

from sdf_frames.batch.isolation import Answer, Limits, make_lost, work_on
from sdf_frames.batch.sources import Item
from sdf_frames.batch.tables import Tables, read_rows
from sdf_frames.batch.work import Outcome, Task

ENGINES = ("loky", "dask", "ray")
#: Descriptions that a worker gets at once: enough for the engine's own time not to count.
_CHUNK = 50
_FLUSH_SECONDS = 30.0
_MOST_RESTARTS = 100


@dataclass(slots=True)
class Summary:
    """How far a batch came: descriptions by verdict, those that had not changed, and whether all are done."""

    verdicts: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    seconds: float = 0.0
    whole: bool = False

    @property
    def done(self) -> int:
        """Descriptions with a row."""
        return self.verdicts.total() + self.unchanged


@dataclass(slots=True)
class _Chunk:
    """Descriptions that go to a worker together; `last` says that there is no other try."""

    items: list[tuple[Item, str | None]]
    last: bool = False


def open_engine(engine: str, address: str | None = None) -> AbstractContextManager[Any]:
    """What joblib's workers are inside of the context: processes here (loky), a Dask cluster, a Ray cluster.

    Raises
    ------
    ImportError
        The engine is not installed.
    """
    if engine == "dask":
        from dask.distributed import Client
        client = Client(address) if address else Client()
        return joblib.parallel_config(backend="dask", client=client)
    if engine == "ray":
        import ray
        from ray.util.joblib import register_ray
        ray.init(address=address, ignore_reinit_error=True, log_to_driver=False)
        register_ray()
        return joblib.parallel_config(backend="ray")
    return nullcontext()


def run_batch(items: Iterable[Item], task: Task, output: str, *, jobs: int = 1, limits: Limits = Limits(),
              resume: bool = False, report: Callable[[Summary], None] = lambda summary: None) -> Summary:
    """Work on every item, and write a row for each.

    Parameters
    ----------
    items : descriptions; read as workers become free.
    output : where the tables go: see :func:`sdf_frames.batch.tables.name_folders`.
    jobs : workers; 0 for one a core.
    resume : skip what the tables have with the same content, options and version. Without it the tables must be empty.
    report : called now and then with what is done.

    Raises
    ------
    FileExistsError
        The tables have rows, and `resume` is False.
    KeyboardInterrupt
        Passed on; what was done is in the tables.
    """
    tables = Tables(output)
    known = {row["path"]: row["hash"] for row in read_rows(tables.results, ["path", "hash", "key"])
             if row["key"] == task.key} if resume else {}
    if not resume and next(read_rows(tables.results, ["path"]), None) is not None:
        raise FileExistsError(f"{tables.results} has results; --resume goes on with them")
    start = flushed = time.monotonic()
    summary = Summary()
    try:
        for outcome in _work_on_all(items, task, limits, jobs, known, summary):
            tables.add(outcome)
            summary.verdicts[outcome.row["verdict"]] += 1
            if time.monotonic() - flushed > _FLUSH_SECONDS:
                tables.flush()
                flushed = time.monotonic()
            summary.seconds = time.monotonic() - start
            report(summary)
        tables.flush()
        if resume:
            tables.drop_superseded()
        summary.whole = True
    finally:
        tables.flush()
        summary.seconds = time.monotonic() - start
    return summary


def _work_on_all(items: Iterable[Item], task: Task, limits: Limits, jobs: int, known: dict[str, str],
                 summary: Summary) -> Iterator[Outcome]:
    """Outcomes as they come. Work that a worker took with it is given to another."""
    fresh = _make_chunks(items, known)
    again: deque[_Chunk] = deque()
    under_way: dict[int, _Chunk] = {}
    count = 0

    def feed() -> Iterator[Any]:
        nonlocal count
        while (chunk := again.popleft() if again else next(fresh, None)) is not None:
            count += 1
            under_way[count] = chunk
            yield joblib.delayed(_work_on_chunk)(count, chunk.items, task, limits)

    for restart in range(_MOST_RESTARTS):
        try:
            # pre_dispatch bounds what waits; batch_size 1, since a chunk is a batch already.
            parallel = joblib.Parallel(n_jobs=jobs or -1, return_as="generator_unordered", batch_size=1,
                                       pre_dispatch="3*n_jobs")
            for number, answers in parallel(feed()):
                yield from _take(under_way.pop(number), answers, task, limits, again, summary)
        except RuntimeError:  # a worker was killed, and its engine gave up all work; loky's error is one
            if restart == _MOST_RESTARTS - 1:
                raise
        again.extend(_split(under_way))
        under_way.clear()
        if not again:
            return


def _work_on_chunk(number: int, items: list[tuple[Item, str | None]], task: Task, limits: Limits,
                   ) -> tuple[int, list[Answer]]:
    return number, work_on(items, task, limits)


def _make_chunks(items: Iterable[Item], known: dict[str, str]) -> Iterator[_Chunk]:
    chunk: list[tuple[Item, str | None]] = []
    for item in items:
        chunk.append((item, known.get(item.name)))
        if len(chunk) == _CHUNK:
            yield _Chunk(chunk)
            chunk = []
    if chunk:
        yield _Chunk(chunk)


def _take(chunk: _Chunk, answers: list[Answer], task: Task, limits: Limits, again: deque[_Chunk],
          summary: Summary) -> Iterator[Outcome]:
    """Outcomes of a chunk; what ended its process is tried once more, alone."""
    for (item, known), answer in zip(chunk.items, answers):
        if isinstance(answer, Outcome):
            yield answer
        elif answer is None:
            summary.unchanged += 1
        elif chunk.last:
            yield make_lost(item, task, answer, limits)
        else:
            again.append(_Chunk([(item, known)], last=True))


def _split(under_way: dict[int, _Chunk]) -> Iterator[_Chunk]:
    """Chunks that died with their worker, as smaller ones: what kills a worker is soon alone."""
    for chunk in under_way.values():
        half = (len(chunk.items) + 1) // 2
        yield _Chunk(chunk.items[:half], chunk.last)
        if chunk.items[half:]:
            yield _Chunk(chunk.items[half:], chunk.last)
