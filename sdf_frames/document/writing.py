"""Writes files atomically, and never over an input or a file of another kind."""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EBUSY, EEXIST, EMLINK, ENOTDIR
from stat import S_IMODE, S_ISREG

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.door import UNCONFINED

#: The name of each kind of file, for messages.
KINDS = {"sdf": "an SDFormat file", "urdf": "a URDF", "xacro": "a xacro file", "page": "an HTML page",
         "picture": "a picture", "drawing": "a drawing of a graph", "baseline": "a baseline", "table": "a table",
         "other": "a file"}
#: The kind of an output that replaces nothing.
NEW = "new"
#: The kind, URDF or SDFormat, of an output whose input is not read yet.
ROBOT = "robot"
_ROOTS = {"sdf": "sdf", "robot": "urdf", "svg": "picture"}
_MARKS = {
    "picture": rb"\x89PNG\r\n|%PDF-|%!PS|\xff\xd8\xff|GIF8|RIFF....WEBP|II\*\0|MM\0\*",
    "table": rb"PAR1",
    "page": rb"\s*<(?:!(?i:doctype)\s+)?(?i:html)\b",
    "baseline": rb'\s*\{\s*"sdf_frames":\s*"baseline"',
    "drawing": rb'(?:strict\s+)?(?:di)?graph\s*(?:(?:\w+|"[^"]*")\s*)?\{|(?:graph|flowchart)\s+(?:TB|TD|BT|RL|LR)\s|'
               + "[^\n]+\n(?:├|└)─ ".encode()}
_MACRO = re.compile(rb"<xacro:|\$\{")
#: Bytes of a file that are read to recognize its kind.
_HEAD = 1_000_000
#: Bytes that are parsed at a time, until the root element has come.
_STEP = 10_000
#: Folders whose entries are the streams of a process.
_STREAMS = ("/dev", "/dev/fd", "/proc/self/fd")


class OutputRefused(FileExistsError):
    """A file must not be replaced; `filename` and `strerror` say which and why."""


def write_whole(path: str, content: str | bytes, kind: str, read: Iterable[str] = (),
                make_folders: bool = False, replaces: bytes | None = None) -> None:
    """Write a file atomically: the text goes to a file beside it, which is then renamed.

    This package writes every file with this function. A file that is rewritten keeps its owner, group and mode. A link
    stays a link, and its target is written. Devices and pipes are written to directly.

    Parameters
    ----------
    content : bytes, or text that becomes UTF-8.
    kind : the kind of the content, a key of `KINDS`; a file of another kind is not replaced. Or `NEW`.
    read : the inputs of the content, which are not replaced. Called only if `path` exists.
    make_folders : make missing folders; without it, they are a FileNotFoundError.
    replaces : the content that was read from the old file, which is then replaced, whatever its kind is. Only options
        such as ``--in-place`` do so. A file that has another content by now is not replaced.

    Raises
    ------
    OutputRefused
        The file must not be replaced: see :func:`find_refusal`.
    OSError
        The file is unchanged; the error names `path`. Also raised if the file is read-only (PermissionError), if its
        owner, group or hard links cannot be kept, or if its content differs from `replaces`.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        old = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):  # the latter is reported below
        old = None
    if _is_stream(path, old):
        with open(path, "ab") as stream:
            stream.write(data)
        return
    name, path = path, os.path.realpath(path)  # the file that was checked is written, even if a link changes meanwhile
    old = _look_at(path)
    if replaces is not None:
        _check_content(path, replaces, name)
    elif (problem := find_refusal(path, kind, read, name)) is not None:
        raise OutputRefused(EEXIST, problem, name)
    if make_folders:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except FileExistsError as error:  # about a file in the way; the file to be written does not exist
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), error.filename) from None
    try:
        _write_beside(path, data, old)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


@contextmanager
def write_folder(path: str, refuse: Callable[[str], str | None]) -> Iterator[str]:
    """Make a folder atomically: yield a new folder beside it, which gets its name at the end.

    Parameters
    ----------
    refuse : returns why an existing folder with files must not be replaced; None if it may.

    Raises
    ------
    OutputRefused
        An existing file or folder must not be replaced.
    """
    from shutil import rmtree
    target = os.path.realpath(path)

    def judge(name: str) -> str | None:
        """Return the name to move the present folder to; None if there is no folder."""
        if not os.path.lexists(target):
            return None
        if not os.path.isdir(target) or os.path.islink(target):
            raise OutputRefused(EEXIST, f"{path} is not a folder; name another one", path)
        if os.listdir(target) and (problem := refuse(name)) is not None:
            raise OutputRefused(EEXIST, problem, path)
        return f"{os.path.dirname(target)}/.{os.urandom(8).hex()}.old"
    old = judge(path)
    new = f"{os.path.dirname(target)}/.{os.urandom(8).hex()}.part"
    with _clean_up_when_terminated():
        os.makedirs(new)
        try:
            yield new
            old = judge(target)  # files, or another folder, may have come meanwhile
            try:
                if old is not None:
                    os.rename(target, old)
                os.rename(new, target)
            except BaseException:  # Ctrl-C, too
                if old is not None and not os.path.lexists(target):
                    os.rename(old, target)
                raise
        finally:
            for left in (new, old):
                if left is not None:
                    rmtree(left, ignore_errors=True)


@contextmanager
def _clean_up_when_terminated() -> Iterator[None]:
    """Let SIGTERM raise SystemExit here, unless this process handles it otherwise."""
    import signal
    from threading import current_thread, main_thread
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def find_refusal(path: str, kind: str, read: Iterable[str] = (), name: str | None = None) -> str | None:
    """Return why an output must not replace a file: the file is an input, or is of another kind. None if it may.

    An empty file may be replaced. Devices and pipes are written to. `name` is the path as a person wrote it.
    """
    old = _look_at(path)
    if old is None or _is_stream(path, old) or not old.st_size:
        return None
    identity, name = identify(path), path if name is None else name
    if (source := next((one for one in read if identify(one) == identity), None)) is not None:
        return f"the output {name} would overwrite its input {source}; name another output"
    found = "other"
    with suppress(OSError):
        found = tell_kind(UNCONFINED.read(path, _HEAD))
    if kind == found or kind == ROBOT and found in ("sdf", "urdf"):
        return None
    wanted = f" that is not {KINDS[kind]}" if found == "other" and kind in KINDS else ""
    return f"the output {name} would overwrite {KINDS[found]}{wanted}; name another output, or remove the file"


def fold_name(name: str) -> str:
    """Return a key that is equal for two names of one file where the case and the Unicode form do not count."""
    from unicodedata import normalize
    return normalize("NFC", normalize("NFC", name).casefold())


def report_unwritten(path: str, error: OSError, hint: str | None = None) -> Diagnostic:
    """Report that an output was not written."""
    rule = "output-refused" if isinstance(error, OutputRefused) else "file-unwritable"
    return diagnose(rule, Location(path), file=path, problem=error.strerror or str(error), hint=hint)


def identify(path: str) -> tuple[int, int] | None:
    """Return a key that is equal for two names of one file, also by links; None without a file. ``-`` is stdin."""
    status = _look_at("/dev/stdin" if path == "-" else path)
    return None if status is None else (status.st_dev, status.st_ino)


def tell_kind(head: bytes) -> str:
    """Return the kind of a file by its first bytes: a key of `KINDS`."""
    if (kind := next((kind for kind, mark in _MARKS.items() if re.match(mark, head)), None)) is not None:
        return kind
    kind = _ROOTS.get(_read_root(head), "other")
    # $(arg …) and $(find …) alone also stand in what plugins of robots say, which our own output keeps.
    read = re.sub(rb"(?s)<!--.*?(-->|\Z)", b"", head)
    has_macro = _MACRO.search(read) or b"xmlns:xacro" in read and b"$(" in read
    return "xacro" if kind == "urdf" and has_macro else kind


def _read_root(head: bytes) -> str:
    """Read the name of the root element from the beginning of an XML text; empty if it is not XML."""
    from lxml import etree
    parser = etree.XMLPullParser(("start",), resolve_entities=False, load_dtd=False, no_network=True, recover=True)
    for start in range(0, len(head), _STEP):
        with suppress(etree.XMLSyntaxError):  # what follows the root element may be anything
            parser.feed(head[start:start + _STEP])
        for _, element in parser.read_events():
            if isinstance(element, etree._Element):
                return str(element.tag).rpartition("}")[2]
    return ""


def _look_at(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):  # the code that opens the file reports why it cannot be opened
        return None


def _is_stream(path: str, status: os.stat_result | None) -> bool:
    """Return whether a path names a device or a pipe, or a stream of this process, which may be a file."""
    return status is not None and (not S_ISREG(status.st_mode) or os.path.dirname(os.path.abspath(path)) in _STREAMS)


def _write_beside(path: str, data: bytes, old: os.stat_result | None) -> None:
    """Write to a new file in the same folder, and give it the name `path`."""
    if old is not None:
        _check_rewritable(path, old)
    temporary = os.path.join(os.path.dirname(path), f".{os.urandom(8).hex()}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # A new file gets the mode that the system gives to new files; of an old one, nobody else may read the new content.
    with _clean_up_when_terminated():
        handle = os.open(temporary, flags, 0o666 if old is None else 0o600)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                if old is not None and sys.platform != "win32":  # there, a file takes its rights from its folder
                    _take_after(handle, old)
                # Without it, a file may be empty after a power cut: its new name can be on the disk before its content.
                os.fsync(handle)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def _check_rewritable(path: str, old: os.stat_result) -> None:
    """Raise OSError for a file that a new one must not replace; permission for its folder alone does not suffice."""
    if not old.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise PermissionError(EACCES, "the file is read-only")
    if old.st_nlink > 1:
        raise OSError(EMLINK, f"the file has {old.st_nlink} names (hard links), and only one would lead to the new "
                              "content; write to another file, or remove the other names")


def _check_content(path: str, content: bytes, name: str) -> None:
    """Raise OSError if a file no longer has the content that was read."""
    if UNCONFINED.read(path, len(content)) != content:  # one byte more than `content` has, if there is one
        raise OSError(EBUSY, "it has changed since it was read; run the command again", name)


def _take_after(handle: int, old: os.stat_result) -> None:
    """Give a new file the owner, group and mode of the old one."""
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, S_IMODE(old.st_mode))  # last, since a change of the owner takes bits away
