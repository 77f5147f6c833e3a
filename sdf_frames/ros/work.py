"""Worker processes, and the coroutines of an executor that wait for them.

Threads would not do: beside one that loads a description of 7 MB, another thread of the process waits up to 0.8 s for
its turn, the loading itself takes twice as long, and nothing can end it.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future as Done
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from rclpy.node import Node
from rclpy.task import Future

from sdf_frames.diagnostics import diagnose
from sdf_frames.ros import stopping
from sdf_frames.ros.jobs import warm_up
from sdf_frames.work import CRASHED, Failed, Pool

T = TypeVar("T")

#: The most requests at the same time.
_MOST_WORKERS = 2


class WorkFailed(Exception):
    """A worker process gave no result; `finding` says why, `trace` is the traceback of an exception."""

    def __init__(self, failed: Failed):
        super().__init__(failed.finding.message)
        self.finding, self.trace = failed.finding, failed.trace


class Work:
    """Runs jobs in worker processes, and wakes the executor of `node` when they have an answer.

    Parameters
    ----------
    shared : other `Work` whose processes are used.
    """

    def __init__(self, node: Node, shared: Work | None = None):
        self._answers: SimpleQueue[tuple[Future, object]] = SimpleQueue()
        self._answered = node.create_guard_condition(self._deliver)
        # Descriptions have a separate process, so that no request delays them.
        self._pools: tuple[Pool, Pool] = shared._pools if shared is not None else (
            Pool(1, (warm_up,)), Pool(_MOST_WORKERS, (warm_up,)))
        self._readers, self._workers = self._pools
        self._readers.submit(warm_up, ())  # the others start with the first request: a process holds 25 MB

    def close(self) -> None:
        """End the worker processes."""
        self._readers.close()
        self._workers.close()

    def finish(self, future: Future, result: object = None) -> None:
        """Set the result of a future in the executor's next turn; callable from any thread."""
        self._answers.put((future, result))
        self._answered.trigger()

    def pause(self) -> Future:
        """Return a future that is done after all other waiting work has had its turn."""
        future: Future = Future()
        self.finish(future)
        return future

    def _deliver(self) -> None:
        for _ in range(self._answers.qsize()):
            self._deliver_next()

    def _deliver_next(self) -> None:
        future, result = self._answers.get()
        future.set_result(result)

    def run_now(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine that waits only for processes to its end, while everything else waits.

        After a signal, the job that the coroutine waits for fails.
        """
        step: Callable[[], Any] = partial(coroutine.send, None)
        while True:
            try:
                awaited = step()
            except StopIteration as end:
                return end.value
            self._deliver_next()
            # Newer versions of rclpy yield the future, and may only be resumed once it is done.
            while awaited is not None and not awaited.done() and not stopping.is_noted():
                self._deliver_next()
            if stopping.is_noted():
                finding = diagnose("worker-ended", how="a signal asks the node to end")
                step = partial(coroutine.throw, WorkFailed(Failed(CRASHED, finding)))

    async def read(self, limit: float, function: Callable[..., T], *arguments: object) -> T:
        """Run a function in the process for descriptions, for at most `limit` seconds.

        Raises
        ------
        WorkFailed
            The job has no result.
        """
        return await self._wait_for(self._readers, limit, function, *arguments)

    async def answer(self, limit: float, function: Callable[..., T], *arguments: object) -> T:
        """Run a function as :meth:`read` does, in a process for requests."""
        return await self._wait_for(self._workers, limit, function, *arguments)

    async def _wait_for(self, pool: Pool, limit: float, function: Callable[..., T], *arguments: object) -> T:
        future: Future = Future()

        def finish(done: Done[list[object]]) -> None:
            if not done.cancelled():
                self.finish(future, done.result()[0])
        pool.submit(function, [arguments], limit).add_done_callback(finish)
        pool.submit(warm_up, ())  # so another process is ready if this one is busy at the next request
        answer: T | Failed = await future
        if isinstance(answer, Failed):
            raise WorkFailed(answer)
        return answer


class Turn:
    """A lock for ``async with`` that is granted in order.

    ``finish(future, result)`` sets a future's result and wakes the executor.
    """

    def __init__(self, finish: Callable[[Future, object], None]):
        self._finish = finish
        self._taken = False
        self._waiting: deque[Future] = deque()

    async def __aenter__(self) -> None:
        if self._taken:
            future = Future()
            self._waiting.append(future)
            await future
        self._taken = True

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is GeneratorExit:  # the executor has ended
            return
        if self._waiting:  # the lock stays taken
            self._finish(self._waiting.popleft(), None)
        else:
            self._taken = False
