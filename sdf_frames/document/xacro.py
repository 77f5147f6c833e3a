"""xacro files to XML text, by the xacro library.

xacro evaluates Python expressions of the file: only what a person names on a command line or in a launch file comes
here, never what arrives over a network.
"""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, Location, Related, diagnose

SUFFIX = ".xacro"
_HINT = "arguments are given as name:=value, to the launch file in xacro_args"


def is_xacro(file: str) -> bool:
    """Whether a file is to be expanded before it is read: by its name, since an unexpanded file is a URDF too."""
    return file.endswith(SUFFIX)


def split_arguments(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """`words` of a command line without those like ``name:=value``, and these as a dictionary."""
    arguments = dict(word.split(":=", 1) for word in words if ":=" in word)
    return [word for word in words if ":=" not in word], arguments


def expand_xacro(file: str, arguments: dict[str, str]) -> tuple[str | None, list[Diagnostic]]:
    """The XML text that xacro makes of `file` with `arguments`; None, and a finding, where it makes none."""
    try:
        import xacro
    except ImportError:
        return None, [diagnose("xacro-missing", Location(file), file=file)]
    try:
        return xacro.process_file(file, mappings=dict(arguments)).toprettyxml(indent="  "), []
    except SystemExit as error:
        problem = f"it gave up with status {error.code}"
    except Exception as error:  # the expressions of the file can raise anything
        kind = "" if isinstance(error, xacro.XacroException) else f"{type(error).__name__}: "
        problem = "; ".join(line.strip() for line in f"{kind}{error}".rstrip(": ").splitlines())
    # xacro says in which file only on its own command line.
    files = getattr(xacro, "filestack", None) or [file]
    return None, [diagnose("xacro-failed", Location(files[-1]), file=file, problem=problem,
                           hint=_HINT if "argument" in problem else None,
                           related=[Related("included here", file=outer) for outer in reversed(files[:-1])])]
