"""The lines that findings quote: of files, and of what came in over standard input."""
from __future__ import annotations

import io

from sdf_frames.document.door import UNCONFINED, Door


class Sources:
    """The texts that findings on one FILE are about, each read once, when its first line is quoted."""

    def __init__(self, door: Door = UNCONFINED) -> None:
        self._door = door
        self._lines: dict[str, list[str]] = {}

    def keep(self, name: str, content: bytes) -> None:
        """Quote `content` for `name` from now on: no file holds it, or not for long."""
        self._lines[name] = io.StringIO(content.decode("utf-8", "replace"), newline=None).readlines()

    def read(self, name: str) -> list[str]:
        """The lines of a text, as the file is when this is asked first; none if it cannot be read."""
        if name not in self._lines:
            try:
                self._lines[name] = io.StringIO(self._door.read(name).decode("utf-8"), newline=None).readlines()
            except (OSError, ValueError):  # not UTF-8, among others
                self._lines[name] = []
        return self._lines[name]

    def find_line(self, name: str, number: int) -> str | None:
        """A line, counted from 1; None if the text cannot be read or has fewer."""
        lines = self.read(name)
        return lines[number - 1] if 0 < number <= len(lines) else None
