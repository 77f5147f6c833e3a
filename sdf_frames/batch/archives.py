"""Archives of descriptions, read with the standard library only, so that a name in one is never an address."""
from __future__ import annotations

import gzip
import lzma
import os
import stat
import sys
import tarfile
import zipfile
from collections.abc import Callable
from errno import EINVAL
from functools import lru_cache
from io import BufferedReader
from typing import Any, Protocol

_PART = 1 << 20  # bytes of an entry that are read at once; bytes of one header
_UNPACKED = 4 << 30  # bytes: to list a compressed .tar, all of it is unpacked


class Archive(Protocol):
    """An open archive. `names` has its entries without folders, in order; of several with one name, the last."""

    names: list[str]

    def open_entry(self, name: str) -> Any:
        """Open an entry that is a file; raise ValueError for other entries."""


class _Zip:
    def __init__(self, path: str):
        self.file = zipfile.ZipFile(path)
        self.names = list(dict.fromkeys(info.filename for info in self.file.infolist() if not info.is_dir()))

    def open_entry(self, name: str) -> Any:
        kind = stat.S_IFMT(self.file.getinfo(name).external_attr >> 16)  # 0 for archives of other systems
        if kind not in (0, stat.S_IFREG):
            raise ValueError(f"it is {_KINDS.get(kind, 'no file')}, which is not read in an archive")
        return self.file.open(name)


class _Tar:
    def __init__(self, path: str):
        kind = find_kind(path)
        opened: Any = _OPENERS[kind](path, "rb")
        most = sys.maxsize if kind == ".tar" else _UNPACKED
        stream = _Headers(opened)
        self.file = tarfile.TarFile(fileobj=stream)  # type: ignore[arg-type] # what tarfile calls is there
        self.infos: dict[str, tarfile.TarInfo] = {}
        end = -1
        for info in self.file:
            if info.offset <= end:  # after an entry of a size below 0
                raise tarfile.ReadError(f"the entry {info.name!r} is in front of the one before")
            end = info.offset
            stream.left = _PART
            if info.offset_data + info.size > most:
                raise tarfile.ReadError(f"it unpacks to more than {most} bytes, which is the most for a compressed one")
            if not info.isdir():
                self.infos[info.name] = info
        if stream.block.strip(b"\0"):
            raise tarfile.ReadError("what follows the last entry is neither an entry nor the end")
        stream.left = sys.maxsize
        self.names = list(self.infos)

    def open_entry(self, name: str) -> Any:
        info = self.infos[name]
        if not info.isreg() or info.issparse():
            raise ValueError(f"it is {_TYPES.get(info.type, 'a sparse file')}, which is not read in an archive")
        return self.file.extractfile(info)


class _Headers:
    """A stream of which at most `left` bytes are read: a header may say that it goes on for gigabytes.

    `block` is the last block that was read. At the end of a listing, tarfile found no entry in it.
    """

    def __init__(self, stream: BufferedReader):
        self.seek, self.tell, self.close = stream.seek, stream.tell, stream.close
        self._stream = stream
        self.left, self.block = _PART, b""

    def read(self, size: int) -> bytes:
        if not 0 <= size <= self.left:
            raise tarfile.ReadError(f"an entry has a header of {size} bytes, or of more than {_PART}")
        self.left -= size
        self.block = self._stream.read(size)
        return self.block


_KINDS = {stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_TYPES = {tarfile.SYMTYPE: "a symbolic link", tarfile.LNKTYPE: "a hard link", tarfile.FIFOTYPE: "a pipe",
          tarfile.CHRTYPE: "a device", tarfile.BLKTYPE: "a device"}
_OPENERS: dict[str, Callable[..., Any]] = {
    ".zip": open, ".tar": open, ".tgz": gzip.open, ".tar.gz": gzip.open, ".tar.xz": lzma.open}


def find_kind(path: str) -> str:
    """Return the suffix of an archive; empty if a file is not an archive."""
    return next((suffix for suffix in _OPENERS if path.endswith(suffix)), "")


def open_archive(path: str) -> Archive:
    """Open an archive, which stays open until another is opened or it changes.

    Raises
    ------
    OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError
        It cannot be read.
    """
    at = os.stat(path)
    if not stat.S_ISREG(at.st_mode):  # a pipe has no end to begin with, and a device may have none at all
        raise OSError(EINVAL, "it is not a file", path)
    return _open(path, at.st_mtime_ns, at.st_size)


@lru_cache(maxsize=1)
def _open(path: str, _changed: int, _size: int) -> Archive:
    return _Zip(path) if find_kind(path) == ".zip" else _Tar(path)


def read_entry(path: str, name: str, most: int) -> bytes:
    """Return the first `most` bytes of an entry, and one more if it has more."""
    parts = []
    left = most + 1
    with open_archive(path).open_entry(name) as stream:
        while left and (part := stream.read(min(left, _PART))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)
