"""The node's log. Control characters in names and texts of a description are escaped."""
from __future__ import annotations

from typing import Any

from sdf_frames.diagnostics.render import escape_controls


def escape_lines(text: str) -> str:
    """Escape the control characters in each line of a text."""
    return "\n".join(map(escape_controls, text.split("\n")))


class Log:
    """Escapes texts for a logger of rclpy, which allows each line of code only one severity."""

    def __init__(self, logger: Any):
        self._logger = logger

    def error(self, text: str) -> None:
        self._logger.error(escape_lines(text))

    def warning(self, text: str) -> None:
        self._logger.warning(escape_lines(text))

    def info(self, text: str) -> None:
        self._logger.info(escape_lines(text))
