"""The node's log. Control characters in names and texts of a description are escaped."""
from __future__ import annotations

from typing import Any

from sdf_frames.diagnostics.render import escape_controls

#: Seconds between warnings of :meth:`Log.warn_at_times`.
_CALM = 10.0


class Log:
    """Escapes texts for a logger of rclpy, which allows each line of code only one severity."""

    def __init__(self, logger: Any):
        self._logger = logger

    def error(self, text: str, trace: str = "") -> None:
        """Log an error on one line, so that a name with a line break forges none; indent the lines of a traceback."""
        self._logger.error("\n    ".join(map(escape_controls, [text, *trace.splitlines()])))

    def warning(self, text: str) -> None:
        self._logger.warning(escape_controls(text))

    def warn_at_times(self, text: str) -> None:
        """Log a warning, unless another one was logged in this way less than 10 s ago."""
        self._logger.warning(escape_controls(text), throttle_duration_sec=_CALM)

    def info(self, text: str) -> None:
        self._logger.info(escape_controls(text))
