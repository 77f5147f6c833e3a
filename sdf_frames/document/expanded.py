"""Text that was made from other files, by xacro or by this library, with the place of each element in them.

This module also recognizes xacro files, and their arguments on a command line.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sdf_frames.document.door import UNCONFINED

if TYPE_CHECKING:
    from sdf_frames.diagnostics import Diagnostic

Plain = TypeVar("Plain", bound="str | bytes")


class Place(NamedTuple):
    """The location of a start tag: file, and line and column from 1."""

    file: str | None
    line: int | None
    column: int | None


class Expanded(NamedTuple):
    """A text that was made from a file.

    Attributes
    ----------
    text : the text.
    file : the file that it was made from, if it has a name.
    places : the place of each element of the text, in document order: in the file, in an included one, or in a macro.
        None for an element that is in no file.
    findings : warnings on the expansion itself; a load adds them to its own.
    """

    text: str
    file: str | None
    places: Sequence[Place | None]
    findings: Sequence[Diagnostic] = ()


def plain_text(text: Plain | Expanded) -> Plain | str:
    """Return the text alone."""
    return text.text if isinstance(text, Expanded) else text


def is_xacro(file: str) -> bool:
    """Return whether a file is xacro, by its name, because the content of a xacro file can look like a URDF."""
    return file.endswith(".xacro")


#: As xacro takes them: any name, but a path before the sign is one of a file.
_ARGUMENT = re.compile(r"[^/\\:]+:=")


def split_arguments(words: list[str], or_files: bool = True) -> tuple[list[str], dict[str, str]]:
    """Split `words` of a command line into those that are not ``name:=value``, and a dictionary of the others.

    `or_files` says whether a word may also be the name of a file; a word that is one is a file.
    """
    given = [word for word in words if _ARGUMENT.match(word) and not (or_files and UNCONFINED.exists(word))]
    return [word for word in words if word not in given], dict(word.split(":=", 1) for word in given)
