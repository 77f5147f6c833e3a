"""What was read or computed of files, for whoever works on many descriptions that share them.

The owner makes one :class:`Memory` and gives it to each load. What is kept depends on nothing but its key, which holds
the content of a file or its hash, so results are the same with and without it.
"""
from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any


class Memory:
    """A bounded memory. What has not been asked for longest goes first. Threads may share it.

    Parameters
    ----------
    most : bytes that are kept.
    """

    def __init__(self, most: int = 64_000_000):
        self.most = most
        self._kept: dict[Hashable, tuple[Any, int]] = {}
        self._size = 0
        self._lock = Lock()

    def find(self, key: Hashable) -> Any:
        """The value of a key; None if it is not kept. Whoever asks must not change it."""
        with self._lock:
            if (entry := self._kept.pop(key, None)) is None:
                return None
            self._kept[key] = entry
            return entry[0]

    def keep(self, key: Hashable, value: Any, size: int) -> bool:
        """Keep a value that takes about `size` bytes; return False if that is more than all that may be kept."""
        if size > self.most:
            return False
        with self._lock:
            self._size += size - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = value, size
            while self._size > self.most:
                self._size -= self._kept.pop(next(iter(self._kept)))[1]
        return True
