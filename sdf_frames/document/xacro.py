"""Which files are xacro, and which words of a command line are their arguments."""
from __future__ import annotations

SUFFIX = ".xacro"


def is_xacro(file: str) -> bool:
    """Whether a file is to be expanded before it is read: by its name, since an unexpanded file is a URDF too."""
    return file.endswith(SUFFIX)


def split_arguments(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """`words` of a command line without those like ``name:=value``, and these as a dictionary."""
    arguments = dict(word.split(":=", 1) for word in words if ":=" in word)
    return [word for word in words if ":=" not in word], arguments
