"""Expands xacro files that are not trusted, each in a process of its own.

xacro evaluates Python expressions, which can reach everything that Python can do. In this process, expressions may not
use names that lead out of them, an audit hook (PEP 578) refuses whatever xacro does not need, and the system limits the
rest: SECURITY.md says what this promises. The process is no :class:`sdf_frames.work.Worker`, whose answers are
unpickled, and could bring code with them: it answers with JSON.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from errno import EACCES
from functools import partial
from importlib import import_module
from threading import Timer
from time import monotonic
from types import CodeType
from typing import Any

from sdf_frames.diagnostics import Diagnostic, Location, Related, diagnose
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.expanded import Expanded, Place
from sdf_frames.document.uris import Resolver
from sdf_frames.work.serving import end_with_parent

_MOST = 1 << 28  # bytes of an answer
_MEMORY = 1 << 31  # bytes of a process
_START = f"import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {__name__} import answer; answer()"
# All others may be secrets, which $(env NAME) would show.
_VARIABLES = ("AMENT_PREFIX_PATH", "GZ_FUEL_CACHE_PATH", "GZ_SIM_RESOURCE_PATH", "HOME", "LANG", "LC_ALL", "SDF_PATH",
              "SYSTEMROOT", "USERPROFILE")
#: What xacro may import while it works; afterwards, nothing can be imported.
_IMPORTS = ("difflib", "encodings.ascii", "encodings.latin_1", "encodings.utf_16", "encodings.utf_8_sig",
            "xml.dom.expatbuilder", "sdf_frames.diagnostics.catalogue", "sdf_frames.document.xml_scan",
            "xacro.substitution_args", "yaml")
#: What xacro does besides opening files; all other events are refused.
_HARMLESS = {"builtins.id", "compile", "exec", "glob.glob", "glob.glob/2", "object.__getattr__", "sys._getframe",
             "sys.excepthook", "sys.unraisablehook"}
# From a generator, they lead to its frame, and from there to all functions.
_FRAMES = {"ag_frame", "cr_frame", "gi_frame"}
_ONLY_READ = "a file that is not trusted may only read files"
_LISTING = {"os.listdir", "os.scandir"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def expand_untrusted(file: str, arguments: Mapping[str, str], resource_paths: Sequence[str], named: Sequence[str],
                     seconds: float) -> Expanded | Diagnostic:
    """Expand a xacro file as :func:`expand_xacro` does; it may read files below the folders alone.

    The folders are `named`, and those that a confined load may read. After `seconds`, the process is ended.
    """
    job = json.dumps([os.getpid(), file, dict(arguments), list(resource_paths), list(named)])
    environment = {name: os.environ[name] for name in _VARIABLES if name in os.environ}
    command = [sys.executable, "-I", "-c", _START, json.dumps(_list_import_paths(named))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=environment) as process:
        start, timer = monotonic(), Timer(seconds, process.kill)
        timer.start()
        try:
            output = _exchange(process, job.encode())
        finally:
            timer.cancel()
            process.kill()
    try:
        return _read_answer(output)
    except (ValueError, TypeError, LookupError, RecursionError):
        late = monotonic() - start > seconds
        problem = f"it takes more than {seconds:g} s" if late else "its process ended without an answer"
    return diagnose("xacro-failed", Location(file), file=file, problem=problem)


def _exchange(process: subprocess.Popen[bytes], job: bytes) -> bytes:
    """Give a process its job, and return what it answers."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(job)
        process.stdin.close()
    except BrokenPipeError:
        return b""
    return process.stdout.read(_MOST)


def _list_import_paths(named: Sequence[str]) -> list[str]:
    """List where the process imports from: not from the folders that are not trusted, but for this package itself."""
    own = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folders = {os.path.abspath(folder) for folder in ("", *named)} - {own}
    return [path for path in sys.path if os.path.abspath(path) not in folders]


def _read_answer(output: bytes) -> Expanded | Diagnostic:
    made, found = json.loads(output)
    findings = [Diagnostic(**{**row, "related": tuple([Related(*r) for r in row["related"]]), "fixes": (),
                              "consumers": ()})
                for row in found]
    if made is None:
        return findings[0]
    text = Expanded(made["text"])
    text.file, text.lines = made["file"], tuple(made["lines"])
    text.places = tuple([None if place is None else Place(*place) for place in made["places"]])
    text.findings = tuple(findings)
    return text


def answer() -> None:
    """Do the job that comes over standard input, in the process."""
    parent, file, arguments, resource_paths, named = json.load(sys.stdin)
    end_with_parent(parent)
    output, sys.stdout = sys.stdout, sys.stderr  # xacro prints
    from sdf_frames.document.xacro_expansion import expand_xacro
    for name in _IMPORTS:
        with suppress(ImportError):  # which is told when xacro is imported
            import_module(name)
    with suppress(ImportError):
        _guard_expressions()
    _limit()
    sys.addaudithook(partial(_refuse, Resolver(resource_paths, confined=True, named=named).door))
    text = expand_xacro(file, arguments, resource_paths, named)
    made, found = (None, [text]) if isinstance(text, Diagnostic) else (
        {"text": text, "file": text.file, "places": text.places, "lines": text.lines}, text.findings)
    json.dump([made, [d._asdict() for d in found]], output)
    output.flush()


def _guard_expressions() -> None:
    """Let xacro evaluate expressions with harmless functions and names alone, in ``${…}`` as in ``$(eval …)``."""
    import xacro
    from xacro import substitution_args
    functions = xacro._global_symbols["python"]
    functions.pop("vars", None)  # it leads to methods by texts

    def evaluate(expression: Any, names: dict[str, Any], more: Any = None) -> Any:
        code = compile(expression, "<expression>", "eval") if isinstance(expression, str) else expression
        if bad := next((name for name in _list_names(code) if name[:2] == "__" or name in _FRAMES), None):
            raise xacro.XacroException(f"an expression may not use {bad}")
        names.setdefault("__builtins__", dict(functions))
        return eval(code, names, more)

    xacro.eval = substitution_args.eval = evaluate


def _list_names(code: CodeType) -> Iterator[str]:
    """Yield the names in an expression, also in the functions in it."""
    yield from code.co_names
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _list_names(value)


def _limit() -> None:
    """Limit what the process may use, where the system can: memory; no files, and no other processes."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for limit, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NPROC, 0),
                        (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(limit)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))


def _refuse(door: Door, event: str, arguments: tuple[Any, ...]) -> None:
    """Raise PermissionError for whatever is not needed to read files below the folders."""
    if event in _HARMLESS:
        return
    if event == "open":
        if arguments[2] & _WRITING:
            raise PermissionError(EACCES, _ONLY_READ)
        name = _check(door, arguments[0])
        if door.exists(name) and not door.is_file(name):  # a pipe may never end
            raise PermissionError(EACCES, "it is not a file", name)
    elif event in _LISTING:
        _check(door, "." if arguments[0] is None else arguments[0])
    else:
        raise PermissionError(EACCES, f"a file that is not trusted may not use {event}")


def _check(door: Door, path: object) -> str:
    # An expression can make a class of texts that tells `door` another path than the system.
    if type(path) is not str and type(path) is not bytes:
        raise PermissionError(EACCES, _ONLY_READ)
    name = os.fsdecode(path)
    # The system follows links before `..`: what it opens must be what was admitted.
    if door.admit(name) is None or door.real(name) != UNCONFINED.real(name):
        raise PermissionError(EACCES, "it is outside of the checked folders and the resource paths", name)
    return name
