"""Expands xacro files to XML text, with the xacro library.

xacro evaluates Python expressions in the file. Expand only files that a person names on a command line or in a launch
file, never a text from the network.
"""
from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any
from xml.dom import minidom
from xml.parsers import expat

from sdf_frames.diagnostics import Diagnostic, Location, Related, diagnose, plural, suggest_name
from sdf_frames.document.budget import Budget, report_exceeded
from sdf_frames.document.door import UNCONFINED, read_named, report_unreadable
from sdf_frames.document.expanded import Expanded, Place
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver

_ARGUMENT = re.compile(r"<xacro:arg\s[^>]*?\bname\s*=\s*[\"']([^\"']+)")
_UNKNOWN = re.compile(r"name '(?P<property>\w+)' is not defined|unknown macro name: (?:xacro:)?(?P<macro>\S+)")
# Variables of xacro's functions that hold the known names.
_TABLES = {"property": "symbols", "macro": "macros"}
_MOST_ARGUMENTS = 12
_LONGEST = 1e8  # seconds that a timer of the system can take
_KEY = "sdf_frames.place"
# xacro keeps its state in variables of its module.
_ONE_AT_A_TIME = threading.Lock()


class _PackageMissing(Exception):
    """``$(find NAME)`` finds no package."""


def expand_xacro(file: str, arguments: Mapping[str, str], resource_paths: Sequence[str] = (),
                 limit: Budget | None = None, files: list[str] | None = None) -> Expanded | Diagnostic:
    """Expand a xacro file; return the error if it cannot be read, or xacro is missing or fails.

    Parameters
    ----------
    arguments : values of its ``<xacro:arg>``.
    resource_paths : folders that ``$(find NAME)`` searches, as a :class:`.Resolver` does.
    limit : has the seconds after which the expansion ends, by a signal in the main thread, but not on Windows.
    files : gets the files that this one includes, and the YAML files that it loads, also if the expansion fails.
    """
    try:
        read_named(file, 1)
    except OSError as error:
        return report_unreadable(file, error)
    try:
        import xacro
    except ImportError:
        return diagnose("xacro-missing", Location(file), file=file)
    try:
        dropped: list[Diagnostic] = []
        with _ONE_AT_A_TIME, _limit_time(limit), _prepared(xacro, file, resource_paths, dropped, files):
            noted = _Arguments(arguments)
            document = xacro.process_file(file, mappings=noted)
            places = tuple([_find_place(element) for element in document.getElementsByTagName("*")])
            return Expanded(document.toprettyxml(indent="  "), file, places,
                            (*_report_unused(file, arguments, noted), *dropped))
    except _TimeUp:
        assert limit is not None
        return report_exceeded("seconds", limit.seconds, limit, Location(file))
    except SystemExit as error:
        return _report(xacro, file, error, f"xacro ended with status {error.code}")
    except Exception as error:  # the expressions of the file can raise anything
        kind = "" if isinstance(error, xacro.XacroException) else f"{type(error).__name__}: "
        problem = "; ".join(line.strip() for line in f"{kind}{error}".rstrip(": ").splitlines())
        # For a file to include, xacro adds the system's message to its own.
        problem = re.sub(r"^((.+): (.+)) \[Errno \d+\] \2: .*$", r"\1", problem)
        return _report(xacro, file, error, problem)


class _TimeUp(BaseException):
    """A time limit is reached. xacro takes each Exception for an error in the file."""


@contextmanager
def _limit_time(limit: Budget | None) -> Iterator[None]:
    """Raise _TimeUp after the seconds of `limit`; not in a thread or on Windows, where no signal can do that."""
    if limit is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TimeUp
    before = signal.signal(signal.SIGALRM, stop)
    # The timer repeats, since Python drops an exception that is raised during garbage collection.
    signal.setitimer(signal.ITIMER_REAL, min(limit.seconds, _LONGEST), 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Arguments(dict[str, str]):
    """Arguments of a file; `asked` are the names that xacro looks up, `used` those whose values it uses."""

    def __init__(self, values: Mapping[str, str]):
        super().__init__(values)
        self.asked: dict[str, None] = {}
        self.used: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.asked[str(name)] = None
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked[name] = None
        self.used.add(name)
        return super().__getitem__(name)


def _report_unused(file: str, given: Iterable[str], noted: _Arguments) -> tuple[Diagnostic, ...]:
    """Report the given arguments whose values xacro did not use."""
    found, asked = [], [*noted.asked]
    for name in given:
        if name not in asked:
            hints = filter(None, (_list_arguments(asked), suggest_name(name, asked)))
            found.append(diagnose("xacro-argument-unknown", Location(file), name=name, hint="; ".join(hints) or None,
                                  problem="xacro finds no <xacro:arg> and no $(arg …) of this name"))
        elif name not in noted.used:
            found.append(diagnose("xacro-argument-unknown", Location(file), name=name,
                                  problem=f"the file declares it, but xacro reads no $(arg {name})"))
    return tuple(found)


def _list_arguments(names: Sequence[str]) -> str:
    """Return a hint with the arguments that a file declares; "" if it declares none."""
    listed = ", ".join(names[:_MOST_ARGUMENTS]) + (", …" if len(names) > _MOST_ARGUMENTS else "")
    return f"this file declares {plural('the argument', len(names), 'the arguments')} {listed}" if names else ""


@contextmanager
def _prepared(xacro: Any, file: str, resource_paths: Sequence[str], found: list[Diagnostic],
              files: list[str] | None) -> Iterator[None]:
    """Let xacro record where elements are written, and find packages without ROS, while it expands a file.

    Attributes that it removes are reported to `found`; the files that it reads besides `file` are added to `files`.
    """
    from xacro import substitution_args
    parse, find = xacro.parse, substitution_args._eval_find
    others = getattr(xacro, "all_includes", [])
    resolver = Resolver(resource_paths)

    def parse_and_place(content: Any, filename: str | None = None) -> minidom.Document:
        document = parse(content, filename)
        if content is None and filename is not None:
            path = os.path.join(xacro.root_dir, filename)
            _place_elements(document, path, filename if filename == file else os.path.normpath(filename))
            found.extend(_report_dropped(document))
        return document

    def find_anywhere(name: str) -> str:
        base = (xacro.filestack or [file])[-1] or file
        if (path := resolver.find_package(name, base)) is None:
            raise _PackageMissing(name, explain(f"package://{name}", base, resolver))
        return path

    xacro.parse, substitution_args._eval_find = parse_and_place, find_anywhere
    others.clear()
    try:
        yield
    finally:
        xacro.parse, substitution_args._eval_find = parse, find
        if files is not None:
            files += others


def _report_dropped(document: minidom.Document) -> Iterator[Diagnostic]:
    """Report conditions that are written as attributes: xacro removes them, and keeps the element."""
    for element in document.getElementsByTagName("*"):
        for name in ("xacro:if", "xacro:unless"):
            if element.hasAttribute(name):
                file, line, column = element.getUserData(_KEY) or (None, None, None)
                yield diagnose("xacro-attribute-dropped", Location(file, line, None, column), name=name,
                               tag=element.tagName, value=element.getAttribute(name))


class _Keep:
    """Lets copies of an element keep its place: each use of a macro copies the elements in it."""

    def handle(self, _operation: int, key: str, place: Place, _source: Any, copy: Any) -> None:
        copy.setUserData(key, place, self)


_KEEP = _Keep()


def _place_elements(document: minidom.Document, path: str, name: str) -> None:
    """Store the location of its start tag in each element of a document that was just parsed."""
    starts = _find_starts(UNCONFINED.read(path))
    for element, (line, column) in zip(document.getElementsByTagName("*"), starts):
        element.setUserData(_KEY, Place(name, line, column), _KEEP)


def _find_starts(text: bytes) -> list[tuple[int, int]]:
    """Find line and column of each start tag."""
    starts: list[tuple[int, int]] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda *_: starts.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
    parser.Parse(text, True)
    return starts


def _find_place(node: Any) -> Place | None:
    """Return the location of a node, or of the nearest node around it that has one."""
    while node is not None:
        if place := node.getUserData(_KEY):
            return place
        node = node.parentNode
    return None


def _report(xacro: Any, file: str, error: BaseException, problem: str) -> Diagnostic:
    """Report an exception of xacro: its location, and the macros and inclusions around it."""
    place, around = _trace(error)
    name = (getattr(xacro, "filestack", None) or [file])[-1] or file
    at = Location(place.file, place.line) if place else Location(name)
    if isinstance(error, expat.ExpatError):  # then the last place is the inclusion
        around, at = ([Related("included here", place.line, file=place.file), *around] if place else around,
                      Location(name, error.lineno))
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, _PackageMissing):
        cause = getattr(cause, "exc", None) or cause.__cause__
    if cause is not None:
        package, problem = cause.args
        return diagnose("xacro-package-missing", at, package=package, problem=problem, related=around)
    return diagnose("xacro-failed", at, file=file, problem=problem, related=around,
                    hint=_find_hint(file, problem, error))


def _list_known(error: BaseException, kind: str) -> list[str]:
    """List the names of the properties or macros that xacro knew when it raised."""
    names: list[str] = []
    for frame, _ in walk_tb(error.__traceback__):
        table = frame.f_locals.get(_TABLES[kind])
        while isinstance(table, dict):
            names += filter(lambda name: isinstance(name, str), table)
            table = getattr(table, "parent", None)
    return list(dict.fromkeys(names))


def _find_hint(file: str, problem: str, error: BaseException) -> str | None:
    """Return a hint for a missing name or argument, or for a missing file, whose name may contain arguments."""
    if "unbound prefix" in problem:
        return 'write xmlns:xacro="http://www.ros.org/wiki/xacro" into <robot>, which declares the prefix'
    if unknown := _UNKNOWN.search(problem):
        kind = unknown.lastgroup or ""
        return suggest_name(unknown[kind], _list_known(error, kind)) or (
            f"define it with <xacro:{kind}>, or include the file that does")
    if "No such file" in problem and "package://" in problem:
        return "xacro does not resolve package:// here: write $(find PACKAGE)/PATH"
    if "argument" not in problem and "No such file" not in problem:
        return None
    text = UNCONFINED.read(file).decode("utf-8", "replace")
    gone = re.search(r"No such file or directory: .*?([^/]+/[^/]+)$", problem)
    if gone and gone[1] in text:  # no argument is in these names
        return "correct the path; if the package installs the file there, build the package and source its workspace"
    names = list(dict.fromkeys(_ARGUMENT.findall(text)))
    if not names and "argument" not in problem:
        return None
    missing = re.search(r"Undefined substitution argument ([^\s;]+)", problem)
    return (f"set arguments with {missing[1] if missing else 'NAME'}:=VALUE, or in a launch file with xacro_args"
            + (f"; {_list_arguments(names)}" if names else ""))


def _trace(error: BaseException) -> tuple[Place | None, list[Related]]:
    """Return the innermost element that xacro processed when it raised, and the places that led to it, innermost first.

    xacro does not report them. They are local variables of its functions, which the traceback keeps.
    """
    place: Place | None = None
    around: list[Related] = []
    for frame, _ in walk_tb(error.__traceback__):
        here, name = frame.f_locals, frame.f_code.co_name
        if frame.f_globals.get("__name__", "").partition(".")[0] == "xacro":
            node = here.get("node") or here.get("elt")
            found = _find_place(node) if isinstance(node, minidom.Node) else None
            place = found or place
            message = {"process_include": "included here", "handle_macro_call": "macro used here"}.get(name)
            if found and message:
                around.insert(0, Related(message, found.line, file=found.file))
    if around and place and (around[0].line, around[0].file) == (place.line, place.file):
        del around[0]
    return place, around
