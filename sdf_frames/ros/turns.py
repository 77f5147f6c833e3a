"""One at a time, in the order of arrival, among coroutines of one executor."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rclpy.task import Future


class Turn:
    """What ``async with`` holds back until those that came before are through.

    Parameters
    ----------
    finish
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

    async def __aexit__(self, *_: object) -> None:
        if self._waiting:  # it stays taken
            self._finish(self._waiting.popleft(), None)
        else:
            self._taken = False
