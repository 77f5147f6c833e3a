"""Text that was made of other files, by xacro or by this library, with the place of each element in them.

Also tells xacro files, and their arguments on a command line, from others.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from sdf_frames.diagnostics import Diagnostic

Plain = TypeVar("Plain", bound="str | bytes")


class Place(NamedTuple):
    """The location of a start tag: file, and line and column from 1."""

    file: str | None
    line: int | None
    column: int | None


class Expanded(NamedTuple):
    """A text that was made of a file.

    Attributes
    ----------
    text : the text.
    file : the file that it was made of, if it has a name.
    places : the place of each element of the text, in document order: in the file, in an included one, or in a macro.
        None for an element that is in no file.
    findings : warnings on the expansion itself; a load takes them over.
    """

    text: str
    file: str | None
    places: Sequence[Place | None]
    findings: Sequence[Diagnostic] = ()


def plain_text(text: Plain | Expanded) -> Plain | str:
    """Return the text alone."""
    return text.text if isinstance(text, Expanded) else text


def is_xacro(file: str) -> bool:
    """Return whether a file is xacro, by its name: the content of a xacro file can look like a URDF."""
    return file.endswith(".xacro")


def split_arguments(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return `words` of a command line without arguments ``name:=value``, and the arguments as a dictionary."""
    arguments = dict(word.split(":=", 1) for word in words if ":=" in word)
    return [word for word in words if ":=" not in word], arguments
