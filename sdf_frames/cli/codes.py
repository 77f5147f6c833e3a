"""Codes of diagnostics as people write them."""
from __future__ import annotations

import argparse

from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE


def read_code(text: str) -> str:
    """The code that a code or name means, in whatever case.

    Raises
    ------
    ValueError
        There is none.
    """
    if text.upper() in BY_CODE:
        return text.upper()
    if text.lower() in CATALOGUE:
        return CATALOGUE[text.lower()].code
    raise ValueError(f"unknown code {text!r}; 'sdf_frames explain' lists all")


def complete_codes(action: argparse.Action) -> None:
    """Let the shell complete the codes and names of diagnostics as values of an argument, if argcomplete is there."""
    setattr(action, "completer", lambda **_: [*sorted(BY_CODE), *sorted(CATALOGUE)])  # noqa: B010 - mypy knows no such
