"""Coroutines of one executor and the worker processes that they wait for."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeVar

from rclpy.node import Node
from rclpy.task import Future

from sdf_frames.ros.settings import Settings
from sdf_frames.ros.worker import Failed
from sdf_frames.ros.workers import Workers

T = TypeVar("T")

#: Requests that are worked on at the same time.
_MOST_WORKERS = 2


class WorkFailed(Exception):
    """A worker process gave no result."""

    def __init__(self, failed: Failed):
        super().__init__(failed.finding.message)
        self.failed = failed


class Work:
    """Worker processes, and what wakes the executor of `node` when they have an answer."""

    def __init__(self, node: Node):
        self._answers: deque[tuple[Future, object]] = deque()
        self._answered = node.create_guard_condition(self._deliver)
        # Descriptions have a process of their own: no request holds them up.
        self.readers, self._workers = Workers(1), Workers(_MOST_WORKERS)

    def close(self) -> None:
        """End the worker processes."""
        self.readers.close()
        self._workers.close()

    def wake(self) -> None:
        """Have the executor look at what has changed; from any thread."""
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
        """Return a future of what a job returns in the readers' process, or of a Failed."""
        return self._submit(self.readers, limit, function, *arguments)

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

    def _submit(self, workers: Workers, limit: float, function: Callable[..., object], *arguments: object) -> Future:
        future: Future = Future()
        workers.submit(lambda answer: self.finish(future, answer), limit, function, *arguments)
        return future
