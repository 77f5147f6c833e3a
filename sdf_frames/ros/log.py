"""The node's log. Control characters in names and texts of a description are escaped."""
from __future__ import annotations

import re
from typing import Any

from sdf_frames.diagnostics.render import escape_controls

#: How the node begins a text with a traceback. All other texts are one line: names may hold forged lines of the log.
_BEFORE_TRACE = re.compile(r"(?:Unexpected:\s|\S+ failed:\n)")

#: Seconds between warnings of :meth:`Log.warn_at_times`.
_CALM = 10.0


def escape_error(text: str) -> str:
    """Escape the control characters of a text, except the line ends of a traceback; its lines are indented."""
    lines = text.rstrip("\n").split("\n") if _BEFORE_TRACE.match(text) else [text]
    return "\n    ".join(map(escape_controls, lines))


class Log:
    """Escapes texts for a logger of rclpy, which allows each line of code only one severity."""

    def __init__(self, logger: Any):
        self._logger = logger

    def error(self, text: str) -> None:
        self._logger.error(escape_error(text))

    def warning(self, text: str) -> None:
        self._logger.warning(escape_controls(text))

    def warn_at_times(self, text: str) -> None:
        """Log a warning, unless another one was logged in this way less than 10 s ago."""
        self._logger.warning(escape_controls(text), throttle_duration_sec=_CALM)

    def info(self, text: str) -> None:
        self._logger.info(escape_controls(text))
