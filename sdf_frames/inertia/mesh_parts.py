"""Parts of mesh files of any format, and helpers of their readers."""
from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np


class MeshPart(NamedTuple):
    """(V, 3) vertices in metres and (F, 3) indices of one placed piece of a mesh.

    ``names`` that a ``<submesh>`` may call it by, in order of precedence.
    """

    names: tuple[frozenset[str], ...]
    vertices: np.ndarray
    faces: np.ndarray


class VertexUnknown(ValueError):
    """A face refers to vertex `index`, as its file counts, of `count`."""

    def __init__(self, index: int, count: int):
        super().__init__(index, count)
        self.index, self.count = index, count


def drop_unused(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(V, 3) and (F, 3), with at most three vertices a face: what a scene places often costs what its faces do.

    Raises
    ------
    VertexUnknown
        There are vertices to drop, and a face refers to one that does not exist.
    """
    if len(vertices) <= faces.size:
        return vertices, faces
    if len(faces) and ((low := int(faces.min())) < 0 or (high := int(faces.max())) >= len(vertices)):
        raise VertexUnknown(low if low < 0 else high, len(vertices))
    used, numbers = np.unique(faces, return_inverse=True)
    return vertices[used], numbers.reshape(faces.shape)


def read_numbers(text: str | bytes) -> np.ndarray:
    """Read (N,) numbers separated by white space; an error quotes the text that is not a number."""
    if not text.strip():
        return np.empty(0)
    try:
        # Older versions of NumPy only warn of words that are not numbers.
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            return np.fromstring(text, sep=" ")
    except (ValueError, DeprecationWarning):
        pass
    for word in text.split():
        try:
            float(word)
        except ValueError:
            word = word.decode("utf-8", "replace") if isinstance(word, bytes) else word
            raise ValueError(f"{word[:40]!r} is not a number") from None
    raise ValueError("it contains a value that is not a number")
