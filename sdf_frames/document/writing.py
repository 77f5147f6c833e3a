"""Writes files whole or not at all."""
from __future__ import annotations

import os
import sys
import tempfile
from errno import ENOTDIR
from stat import S_IMODE, S_ISREG


def write_whole(path: str, content: str | bytes, make_folders: bool = False) -> None:
    """Write a file whole or not at all: the text goes to a file beside it, which is then renamed.

    This package writes every file by this function. A file that is rewritten keeps its owner, group and mode. A link
    stays a link, and its target is written. Devices and pipes are written to directly.

    Parameters
    ----------
    path : the file.
    content : bytes, or text that becomes UTF-8.
    make_folders : make missing folders; without it, they are a FileNotFoundError.

    Raises
    ------
    OSError
        The file is unchanged; the error names `path`. Also raised if its owner or group cannot be kept
        (PermissionError).
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        old = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):  # the latter is told below, with the name of what is in the way
        old = None
    if old is not None and not S_ISREG(old.st_mode):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    name, path = path, os.path.realpath(path)
    if make_folders:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except FileExistsError as error:  # of what is in the way; the file to be written does not exist
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), error.filename) from None
    try:
        _write_beside(path, data, old)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


def _write_beside(path: str, data: bytes, old: os.stat_result | None) -> None:
    """Write to a new file in the same folder, and give it the name `path`."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            _take_after(handle, old)
            # Without it, a file may be empty after a power cut: its new name can be on the disk before its content.
            os.fsync(handle)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _take_after(handle: int, old: os.stat_result | None) -> None:
    """Give a new file the owner, group and mode of the old one, or without an old one, the mode of new files."""
    if sys.platform == "win32":  # a file takes its rights from its folder
        return
    if old is None:
        mask = os.umask(0)  # it can be read only by setting it
        os.umask(mask)
        os.fchmod(handle, 0o666 & ~mask)
        return
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, S_IMODE(old.st_mode))  # last, since a change of the owner takes bits away
