"""Coroutines of one executor and the worker processes that they wait for.

Threads would not do: beside one that loads a description of 7 MB, another thread of the process waits up to 0.8 s for
its turn, the loading itself takes twice as long, and nothing can end it.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future as Done
from typing import Any, TypeVar

from rclpy.node import Node
from rclpy.task import Future

from sdf_frames.ros.jobs import warm_up
from sdf_frames.ros.settings import Settings
from sdf_frames.work import Failed, Pool

T = TypeVar("T")

#: Requests that are worked on at the same time.
_MOST_WORKERS = 2


class WorkFailed(Exception):
    """A worker process gave no result."""

    def __init__(self, failed: Failed):
        super().__init__(failed.finding.message)
        self.failed = failed


class Work:
    """Worker processes, and what wakes the executor of `node` when they have an answer.

    Parameters
    ----------
    shared : other work, whose processes are used.
    """

    def __init__(self, node: Node, shared: Work | None = None):
        self._answers: deque[tuple[Future, object]] = deque()
        self._answered = node.create_guard_condition(self._deliver)
        # Descriptions have a process of their own: no request holds them up.
        self._pools: tuple[Pool, Pool] = shared._pools if shared is not None else (
            Pool(1, (warm_up,)), Pool(_MOST_WORKERS, (warm_up,)))
        self._readers, self._workers = self._pools
        self._readers.submit(warm_up, ())  # the others start with the first request: a process holds 25 MB

    def close(self) -> None:
        """End the worker processes."""
        self._readers.close()
        self._workers.close()

    def wake(self) -> None:
        """Wake the executor, from any thread."""
        self._answered.trigger()

    def finish(self, future: Future, result: object = None) -> None:
        """Set a future's result when the executor comes round; from any thread."""
        self._answers.append((future, result))
        self.wake()

    def pause(self) -> Future:
        """Return a future that is done after everything else that waits has had its turn."""
        future: Future = Future()
        self.finish(future)
        return future

    def _deliver(self) -> None:
        for _ in range(len(self._answers)):
            future, result = self._answers.popleft()
            future.set_result(result)

    def read(self, limit: float, function: Callable[..., object], *arguments: object) -> Future:
        """Start a job in the readers' process; return the future of its result, or of a Failed."""
        return self._submit(self._readers, limit, function, *arguments)

    def read_now(self, limit: float, function: Callable[..., object], *arguments: object) -> Any:
        """Do the same while everything else waits, and return the result."""
        return self._readers.submit(function, [arguments], limit).result()[0]

    def answer(self, limit: float, function: Callable[..., object], *arguments: object) -> Future:
        """Do the same in a process for requests."""
        return self._submit(self._workers, limit, function, *arguments)

    async def work(self, settings: Settings, function: Callable[..., T], *arguments: object) -> T:
        """Wait for a job of a request.

        Raises
        ------
        WorkFailed
            The job has no result.
        """
        answer: T | Failed = await self.answer(settings.time_limit, function, *arguments)
        if isinstance(answer, Failed):
            raise WorkFailed(answer)
        return answer

    def _submit(self, pool: Pool, limit: float, function: Callable[..., object], *arguments: object) -> Future:
        future: Future = Future()

        def finish(done: Done[list[object]]) -> None:
            if not done.cancelled():
                self.finish(future, done.result()[0])
        pool.submit(function, [arguments], limit).add_done_callback(finish)
        pool.submit(warm_up, ())  # another process is ready then, if this one is busy when the next request comes
        return future
