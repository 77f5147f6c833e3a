"""The texts that findings are about: those that were loaded, from files or over standard input."""
from __future__ import annotations

import io

from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.xml_text import find_encoding


class Sources:
    """The texts that findings on one FILE are about: as they were loaded, else as the file is when it is asked for."""

    def __init__(self, door: Door = UNCONFINED) -> None:
        self._door = door
        self._texts: dict[str, bytes] = {}
        self._lines: dict[str, list[str]] = {}

    def keep(self, name: str, text: bytes | str) -> None:
        """Let `text` be the one that findings on `name` are about."""
        self._texts[name] = text.encode(errors="surrogatepass") if isinstance(text, str) else text

    def read(self, name: str) -> bytes:
        """The text; empty if it cannot be read."""
        if name not in self._texts:
            try:
                self._texts[name] = self._door.read(name)
            except (OSError, ValueError):
                self._texts[name] = b""
        return self._texts[name]

    def find_line(self, name: str, number: int) -> str | None:
        """A line, counted from 1; None if the text cannot be read or has fewer."""
        if name not in self._lines:
            text = self.read(name)
            self._lines[name] = io.StringIO(text.decode(find_encoding(text), "replace"), newline=None).readlines()
        lines = self._lines[name]
        return lines[number - 1] if 0 < number <= len(lines) else None
