"""The error that the library raises for descriptions with errors."""
from __future__ import annotations

from collections.abc import Iterable

from sdf_frames.diagnostics import ERROR, Diagnostic

_MOST_SHOWN = 5


class InvalidDescription(ValueError):
    """The description has errors, and the call needs a description without errors.

    Attributes
    ----------
    file : file name of the description, or None.
    findings : all errors, warnings and notes.
    """

    def __init__(self, file: str | None, findings: Iterable[Diagnostic]) -> None:
        self.file, self.findings = file, tuple(findings)
        errors = [d for d in self.findings if d.severity == ERROR]
        lines = [f"{d.file or file or '<text>'}:{'' if d.line is None else f'{d.line}:'} {d.code} {d.message}"
                 for d in errors]
        more = [f"and {len(lines) - _MOST_SHOWN} more errors"] if len(lines) > _MOST_SHOWN else []
        super().__init__("\n".join([*lines[:_MOST_SHOWN], *more]) or "the description has errors")
