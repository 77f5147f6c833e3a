"""The node's log, safe for a terminal: names and texts of a description may hold control characters."""
from __future__ import annotations

from typing import Any

from sdf_frames.diagnostics.render import escape_controls


def escape_lines(text: str) -> str:
    """Escape every line of a text by itself: a traceback keeps its lines."""
    return "\n".join(map(escape_controls, text.split("\n")))


class Log:
    """A logger of rclpy, to which texts go escaped. Each level has a line of its own, because rclpy ties the two."""

    def __init__(self, logger: Any):
        self._logger = logger

    def error(self, text: str) -> None:
        self._logger.error(escape_lines(text))

    def warning(self, text: str) -> None:
        self._logger.warning(escape_lines(text))

    def info(self, text: str) -> None:
        self._logger.info(escape_lines(text))
