"""Long results in pieces, so that no step blocks the node for long. Imports no ROS.

Pickling, unpickling and building messages each hold Python's global lock, or the executor, from the first element to
the last: of a robot with 25,000 frames for 0.3 to 2 s.
"""
from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
Built = TypeVar("Built")

#: Elements of a piece: some 10 ms of work.
SIZE = 500


class Pieces(Generic[T]):
    """A sequence that is pickled in pieces, and unpickled piece by piece when it is iterated over.

    `items` can be pickled.
    """

    def __init__(self, items: Sequence[T]):
        self._packed = [pickle.dumps(items[start:start + SIZE]) for start in range(0, len(items), SIZE)]

    def __iter__(self) -> Iterator[T]:
        for packed in self._packed:
            yield from pickle.loads(packed)


async def build_all(build: Callable[[T], Built], items: Iterable[T],
                    pause: Callable[[], Awaitable[None]]) -> list[Built]:
    """Build something of each item, and let others have their turn after every piece.

    Parameters
    ----------
    build : makes one of an item.
    items : a sequence, or :class:`Pieces`.
    pause : ``await pause()`` returns when everything else that waits has had its turn.
    """
    built = []
    for item in items:
        built.append(build(item))
        if len(built) % SIZE == 0:
            await pause()
    return built
