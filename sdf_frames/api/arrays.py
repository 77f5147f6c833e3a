"""Arrays in the elements of a description: they are read-only, and compared by their numbers."""
from __future__ import annotations

import numpy as np

from sdf_frames.api.errors import Guided


class WithArrays(Guided):
    """A base of frozen dataclasses with slots and ``eq=False``, some of whose fields are arrays."""

    __slots__: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if isinstance(value := getattr(self, name), np.ndarray):
                shown = value.view()  # the caller's own array stays as it is
                shown.setflags(write=False)
                object.__setattr__(self, name, shown)

    def __eq__(self, other: object) -> bool:
        """Compare all fields."""
        return other is self or type(other) is type(self) and self._list_values() == other._list_values()

    def _list_values(self) -> list[object]:
        values = [getattr(self, name) for name in self.__slots__]
        return [value.tolist() if isinstance(value, np.ndarray) else value for value in values]
