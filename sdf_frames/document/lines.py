"""Converts offsets in a text to lines and columns."""
from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from sdf_frames.diagnostics import Location

_CONTINUATION = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character
_BLOCK = 4096


class Lines:
    """The lines of a text in UTF-8, which end at line feeds, as libxml2 and editors count them.

    Every offset takes the same time, also on a line of many megabytes.
    """

    __slots__ = ("_text", "_starts", "_counts")

    def __init__(self, text: bytes):
        self._text = text
        self._starts = [0, *[match.end() for match in re.finditer(rb"\n", text)]]
        # The number of characters before each block; not needed for ASCII, in which a byte is a character.
        self._counts = None if text.isascii() else [0, *accumulate(
            _count_characters(text[start:start + _BLOCK]) for start in range(0, len(text), _BLOCK))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a byte, from 1; a column counts Unicode code points, and a tab is one."""
        line = bisect_right(self._starts, offset)
        return line, self._count_before(offset) - self._count_before(self._starts[line - 1]) + 1

    def _count_before(self, offset: int) -> int:
        if self._counts is None:
            return offset
        block = offset // _BLOCK
        return self._counts[block] + _count_characters(self._text[block * _BLOCK:offset])


def _count_characters(text: bytes) -> int:
    return len(text.translate(None, _CONTINUATION))


def locate_offset(file: str | None, text: bytes, offset: int) -> Location:
    """Return the location of one byte of a file."""
    line, column = Lines(text).place(offset)
    return Location(file, line, column=column)
