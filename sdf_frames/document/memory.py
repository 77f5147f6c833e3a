"""What was read or computed of files, for whoever works on many descriptions that share them.

The owner makes one :class:`Memory` and gives it to each load. What is kept depends on nothing but its key, which holds
the content of a file or its hash, so results are the same with and without it.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, TypeVar

Result = TypeVar("Result")

#: Characters of the longest text that is remembered. The longest texts of ordinary descriptions are half as long.
LONGEST = 200

#: Results of one function that are remembered.
_MOST = 2048


class Memory:
    """A memory of `most` bytes. What has not been asked for longest goes first. Threads may share it."""

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

def remember_short(read: Callable[..., Result]) -> Callable[..., Result]:
    """Remember what `read` returns for the texts (or None) that it was last given.

    Descriptions repeat the same few poses, sizes and numbers: that saves 4 % of loading URDF, 3 % of SDFormat.
    Long texts are read again each time: a hostile file cannot fill the memory with them.
    """
    remembered = lru_cache(maxsize=_MOST)(read)

    @wraps(read)
    def look_up(*texts: str | None) -> Result:
        for text in texts:
            if text is not None and len(text) > LONGEST:
                return read(*texts)
        return remembered(*texts)

    return look_up
