"""Lines of output: JSON, and text that is safe for a terminal."""
from __future__ import annotations

import re
import sys
from typing import Any, TextIO

from sdf_frames.diagnostics.render import CONTROLS, escape_controls


def to_json_line(value: dict[str, Any]) -> str:
    """Return one JSON object as a line; infinities and NaN, which JSON lacks, are null.

    Control and invisible characters are escaped, so that the line is safe for a terminal and the value is exact.
    """
    import json
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except ValueError:
        text = json.dumps(_finite(value), allow_nan=False, ensure_ascii=False)
    if not text.isascii() or "\x7f" in text:
        # So are bytes of a file name that are no UTF-8, which come as lone surrogates.
        text = re.sub(CONTROLS, lambda m: f"\\u{ord(m.group()):04x}" if ord(m.group()) < 0x10000
                      else json.dumps(m.group())[1:-1], text)
    return text + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    return value


def print_line(text: str, stream: TextIO | None = None) -> None:
    """Print a line that is safe for a terminal, whatever names it quotes; by default to standard output."""
    print(escape_controls(text), file=stream)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object as a line of standard output."""
    sys.stdout.write(to_json_line(value))
