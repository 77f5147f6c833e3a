"""Examples for diagnostics, as files CODE.txt.

Each holds a description that gives the code, a line of ---, and one that does not.
"""
from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def read_example(code: str) -> tuple[str, str] | None:
    """Return the two descriptions of the example for a code, or None if the code has no example."""
    path = _FOLDER / f"{code}.txt"
    if not path.exists():
        return None
    breaks, _, works = path.read_text(encoding="utf-8").partition("\n---\n")
    return breaks, works.rstrip("\n")
