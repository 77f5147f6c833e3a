"""Codes of diagnostics as people write them."""
from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdf_frames.diagnostics.catalogue import Rule


def find_rule(text: str) -> Rule | None:
    """The row of the catalogue that a code or name means, in whatever case."""
    from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE
    return BY_CODE.get(text.upper()) or CATALOGUE.get(text.lower())


def read_code(text: str) -> str:
    """The code that a code or name means, in whatever case.

    Raises
    ------
    ValueError
        There is none.
    """
    rule = find_rule(text)
    if rule is None:
        raise ValueError(f"unknown code {text!r}; 'sdf_frames explain' lists all")
    return rule.code


def complete_codes(action: argparse.Action) -> None:
    """Let the shell complete the codes and names of diagnostics as values of an argument, if argcomplete is there."""
    setattr(action, "completer", _list_codes)  # noqa: B010 - mypy knows no such


def _list_codes(**_: object) -> list[str]:
    from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE
    return [*sorted(BY_CODE), *sorted(CATALOGUE)]
