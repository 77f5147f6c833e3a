"""Tells xacro files, and their arguments on a command line, from others."""
from __future__ import annotations


def is_xacro(file: str) -> bool:
    """Return whether a file is xacro, by its name: the content of a xacro file can look like a URDF."""
    return file.endswith(".xacro")


def split_arguments(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return `words` of a command line without arguments ``name:=value``, and the arguments as a dictionary."""
    arguments = dict(word.split(":=", 1) for word in words if ":=" in word)
    return [word for word in words if ":=" not in word], arguments
