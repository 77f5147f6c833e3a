"""Settings of a project: ``[tool.sdf_frames]`` in pyproject.toml, or the file ``.sdf_frames.toml``."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from sdf_frames.checks.programs import read_consumers
from sdf_frames.diagnostics import suggest_name
from sdf_frames.document.confinement import Boundary
from sdf_frames.document.door import UNCONFINED, Door

_LARGEST, _DEEPEST = 1 << 20, 32  # bytes of a file of settings, and parts of a key
#: A key with more parts, without its first. Texts also match, but no text has so many words between dots.
_LONG_KEY = re.compile(rb"""(?:\.[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*){%d}""" % _DEEPEST)

Read = TypeVar("Read")
FILES = (".sdf_frames.toml", "pyproject.toml")


class WrongSettings(Exception):
    """A file of settings cannot be used; the text names the file and the reason."""


class _Mistake(Exception):
    """An invalid setting: the problem, the path of keys, and the value if it is at fault."""

    def __init__(self, problem: str, keys: tuple[str, ...], value: str = ""):
        super().__init__(problem)
        self.keys, self.value = keys, value

    def find_line(self, text: str) -> int:
        """Return the line of the value, or else of the key, which the parser does not report."""
        at = max(text.find("tool.sdf_frames"), 0)  # in pyproject.toml, other tools come before it
        for key in self.keys:
            found = re.compile(rf"""(?:^|[\[.{{,])[ \t]*["']?{re.escape(key)}["']?[ \t]*[=\].]""", re.MULTILINE).search(
                text, at)
            at = found.end() - 1 if found else at
        if self.value and (found := re.compile(rf"""["']{re.escape(self.value)}["']""").search(text, at)):
            at = found.start()
        return text.count("\n", 0, at) + 1


class Choices(NamedTuple):
    """What is chosen for a file.

    Codes to leave out, codes to make errors, whether all warnings are errors, and (name, value) of xacro arguments.
    """

    ignore: frozenset[str] = frozenset()
    error: frozenset[str] = frozenset()
    strict: bool = False
    xacro_args: tuple[tuple[str, str], ...] = ()

    def join(self, other: "Choices") -> "Choices":
        """Return the union of two choices; of two values of an argument, the last one counts."""
        return Choices(self.ignore | other.ignore, self.error | other.error, self.strict or other.strict,
                       self.xacro_args + other.xacro_args)


class ProjectSettings(NamedTuple):
    """The content of a file of settings; paths are relative to its folder.

    Attributes
    ----------
    folder : the folder of the file; the working directory if there is none.
    per_file : (pattern, choices) for the files that match: see :func:`matches`.
    consumers : programs that 'check' judges for; empty for Gazebo.
    """

    folder: str = "."
    choices: Choices = Choices()
    per_file: tuple[tuple[str, Choices], ...] = ()
    resource_paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    baseline: str | None = None
    untrusted: bool = False
    consumers: tuple[str, ...] = ()

    def choices_for(self, file: str) -> Choices:
        """Return the choices for one file."""
        chosen = self.choices
        for pattern, choices in self.per_file:
            if matches(file, pattern, self.folder):
                chosen = chosen.join(choices)
        return chosen


def matches(file: str, pattern: str, folder: str = ".") -> bool:
    """Return whether `pattern` (``*`` crosses folders) matches a file's path in `folder`, its name, or its folders."""
    from fnmatch import fnmatch
    path = os.path.relpath(file, folder).replace(os.sep, "/")
    parts = path.split("/")
    starts = ["/".join(parts[:i]) for i in range(1, len(parts) + 1)]
    return any(fnmatch(text, pattern.rstrip("/")) for text in (*starts, *parts))


def find_settings(untrusted: bool = False) -> ProjectSettings:
    """Read the settings of the nearest folder, from the working directory upwards, that has a settings file.

    If it is `untrusted`, links that lead out of the folder are not followed.

    Raises
    ------
    WrongSettings
        The file cannot be read, or has an invalid setting.
    """
    here = os.getcwd()
    while True:
        door = Door(Boundary((here,))) if untrusted else UNCONFINED
        for name in FILES:
            path = os.path.join(here, name)
            if door.is_file(path) and (table := _read_table(path)) is not None:
                return _make_settings(path, table)
        if (above := os.path.dirname(here)) == here:
            return ProjectSettings()
        here = above


def read_settings(path: str) -> ProjectSettings:
    """Read the settings of a file.

    Raises
    ------
    WrongSettings
        As for :func:`find_settings`; also if the file has no settings.
    """
    table = _read_table(path)
    if table is None:
        raise WrongSettings(f"{path} has no table [tool.sdf_frames]")
    return _make_settings(path, table)


def _read_table(path: str) -> dict[str, Any] | None:
    try:
        content = UNCONFINED.read(path)
    except OSError as error:
        raise WrongSettings(f"{path}: {error.strerror}") from error
    whole = os.path.basename(path) != "pyproject.toml"
    if not whole and not re.search(rb"tool\.sdf_frames|^[ \t]*\[[ \t]*tool[ \t]*\]", content, re.MULTILINE):
        return None
    table = _parse_table(path, content)
    if whole:
        return table
    tool = table.get("tool")
    own = tool.get("sdf_frames") if isinstance(tool, dict) else None
    if own is not None and not isinstance(own, dict):
        raise WrongSettings(f"{path}: tool.sdf_frames is not a table; write [tool.sdf_frames]")
    return own


def _refuse_large(path: str, content: bytes) -> None:
    """Refuse texts that the parser reads slowly: its time is quadratic in the parts of a dotted key."""
    if len(content) > _LARGEST:
        raise WrongSettings(f"{path}: it has more than {_LARGEST:,} bytes, too many for settings")
    if (match := _LONG_KEY.search(content)) is not None:
        line = content.count(b"\n", 0, match.start()) + 1
        raise WrongSettings(f"{path}: line {line} has a key of more than {_DEEPEST} parts")


def _parse_table(path: str, content: bytes) -> dict[str, Any]:
    _refuse_large(path, content)
    try:
        toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ImportError as error:
        raise WrongSettings(f"{path} has settings, but Python 3.10 needs tomli for it: pip install tomli") from error
    try:
        table: dict[str, Any] = toml.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise WrongSettings(f"{path}: line {line} is not in UTF-8") from error
    except ValueError as error:  # not TOML; the text names the line, but for the last one
        last = content.rstrip().count(b"\n") + 1
        raise WrongSettings(f"{path}: {error}".replace("at end of document", f"at the end of line {last}")) from error
    except RecursionError as error:
        raise WrongSettings(f"{path}: its values are nested too deeply") from error
    return table


def _make_settings(path: str, table: Mapping[str, Any]) -> ProjectSettings:
    try:
        return _read_settings(path, table)
    except _Mistake as mistake:
        line = mistake.find_line(UNCONFINED.read(path).decode("utf-8"))
        raise WrongSettings(f"{path}:{line}: {mistake}") from mistake


def _read_settings(path: str, table: Mapping[str, Any]) -> ProjectSettings:
    folder = os.path.dirname(os.path.abspath(path))

    def join(name: str) -> str:
        return os.path.normpath(os.path.join(folder, name))  # as the boundary reads it: `..` before links
    known = {"ignore": list, "error": list, "strict": bool, "per-file": dict, "resource-path": list, "exclude": list,
             "xacro-args": list, "baseline": str, "untrusted": bool, "for": list}
    _check_types((), table, known)
    consumers = read_consumers(map(",".join, _read_each(("for",), table, lambda word: read_consumers([word]))))
    per_file = []
    for pattern, choices in table.get("per-file", {}).items():
        where = ("per-file", pattern)
        if not isinstance(choices, dict):
            raise _Mistake(f"per-file {pattern!r} is not a table; write {{ ignore = [...] }}", where)
        _check_types(where, choices, {key: known[key] for key in ("ignore", "error", "strict", "xacro-args")})
        per_file.append((pattern, _read_choices(where, choices)))
    return ProjectSettings(folder, _read_choices((), table), tuple(per_file),
                           tuple(map(join, table.get("resource-path", ()))),
                           tuple(table.get("exclude", ())),
                           join(table["baseline"]) if "baseline" in table else None,
                           table.get("untrusted", False), consumers)


def _check_types(where: tuple[str, ...], table: Mapping[str, Any], known: Mapping[str, type]) -> None:
    words = {list: "a list of strings", bool: "true or false", str: "a text", dict: "a table"}
    said = f"per-file {where[1]!r}: " if where else ""
    for key, value in table.items():
        if key not in known:
            advice = "only pyproject.toml has [tool.sdf_frames]: leave it out here" if key == "tool" else (
                suggest_name(key, known) or f"the settings are {', '.join(known)}")
            raise _Mistake(f"{said}unknown setting {key!r}; {advice}", (*where, key))
        words_only = not isinstance(value, list) or all(isinstance(v, str) for v in value)
        if not isinstance(value, known[key]) or not words_only:
            raise _Mistake(f"{said}{key} is not {words[known[key]]}", (*where, key))


def _read_choices(where: tuple[str, ...], table: Mapping[str, Any]) -> Choices:
    from sdf_frames.diagnostics.catalogue import read_code
    ignore, error = (frozenset(_read_each((*where, key), table, read_code)) for key in ("ignore", "error"))
    xacro_args = _read_each((*where, "xacro-args"), table, _read_argument)
    return Choices(ignore, error, table.get("strict", False), tuple(xacro_args))


def _read_argument(word: str) -> tuple[str, str]:
    name, sign, value = word.partition(":=")
    if not sign:
        raise ValueError(f"{word!r} is not NAME:=VALUE")
    return name, value


def _read_each(where: tuple[str, ...], table: Mapping[str, Any], read: Callable[[str], Read]) -> list[Read]:
    """Read each text of a list; the last key of `where` is the key of the list."""
    values = []
    for text in table.get(where[-1], ()):
        try:
            values.append(read(text))
        except ValueError as problem:
            raise _Mistake(f"{where[-1]}: {problem}", where, text) from problem
    return values
