"""The door: every file that a description names is opened here, and nothing else in the package opens one for it.

``test/document/test_door.py`` lists the few modules that may open files, and why.
"""
from __future__ import annotations

import os
from collections.abc import Iterable
from errno import EINVAL, ENOENT
from stat import S_ISDIR, S_ISREG

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, suggest_name
from sdf_frames.document.budget import DEFAULT, read_bounded
from sdf_frames.document.confinement import Boundary

# Windows has no such flag. With it, opening a pipe that nobody writes to returns at once.
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
_PIECE = 1 << 20
#: Where the streams of a process are: /dev/stdin, and /dev/fd/63 or /proc/self/fd/12, as which shells name ``<(…)``.
_STREAMS = ("/dev/", "/proc/")


class Door:
    """Opens files and folders that descriptions name.

    The boundary checks every path last. Files outside are not touched, and seem not to exist.

    Parameters
    ----------
    boundary : the folders of a confined load, below which files may be read; without it, every path may be read.
    folders : the folders of the boundary that may be listed themselves, because a person named them.

    Attributes
    ----------
    confined : whether there is a boundary.
    """

    __slots__ = ("confined", "folders", "_boundary", "_admitted")

    def __init__(self, boundary: Boundary | None = None, folders: Iterable[str] = ()):
        self.confined, self.folders = boundary is not None, tuple(folders)
        self._boundary = boundary
        self._admitted: set[str] = set()  # each is what `admit` returns for itself

    def admit(self, path: str) -> str | None:
        """Return the path that is opened for `path`: `path` itself, or the one that the boundary admits; or None."""
        if self._boundary is None or path in self._admitted:
            return path
        admitted = self._boundary.admit(path)
        if admitted is None and (whole := os.path.abspath(path)) in map(os.path.abspath, self.folders):
            admitted = whole
        if admitted is not None:
            self._admitted.add(admitted)
        return admitted

    def exists(self, path: str) -> bool:
        """Return whether there is such a file, folder or anything else."""
        try:  # thousands of missing files are looked for: `os.path.exists` takes twice as long for them
            return (admitted := self.admit(path)) is not None and os.access(admitted, os.F_OK)
        except ValueError:  # no file can have this name
            return False

    def is_file(self, path: str) -> bool:
        """Return whether there is such a regular file."""
        return (admitted := self.admit(path)) is not None and os.path.isfile(admitted)

    def is_folder(self, path: str) -> bool:
        """Return whether there is such a folder."""
        return (admitted := self.admit(path)) is not None and os.path.isdir(admitted)

    def real(self, path: str) -> str:
        """Return the path without links; `path` itself if it is outside."""
        return path if (admitted := self.admit(path)) is None else os.path.realpath(admitted)

    def list_names(self, folder: str) -> list[str]:
        """List the names in a folder, sorted; none if it cannot be read."""
        try:
            return [] if (admitted := self.admit(folder)) is None else sorted(os.listdir(admitted))
        except (OSError, ValueError):
            return []

    def list_folders(self, folder: str) -> list[str]:
        """List the names of folders and of all links in a folder, as :meth:`list_names` does."""
        if (admitted := self.admit(folder)) is None:
            return []
        try:
            with os.scandir(admitted) as entries:
                return sorted([entry.name for entry in entries if not entry.is_file(follow_symlinks=False)])
        except (OSError, ValueError):
            return []

    def measure(self, path: str) -> int:
        """Return the bytes of a regular file; raises what :meth:`read` raises."""
        with open(self._require(path), "rb", opener=self._open) as stream:
            return os.fstat(stream.fileno()).st_size

    def read(self, path: str, most: int = DEFAULT.bytes) -> bytes:
        """Read a regular file: at most `most` bytes, and one more if the file is larger.

        Raises
        ------
        OSError
            As `open`: FileNotFoundError also for a path outside, and an error for a pipe, a device or a socket.
        ValueError
            No file can have this name.
        """
        with open(self._require(path), "rb", opener=self._open) as stream:
            # `read` allocates memory for as many bytes as may come. Files that grow, and files of /proc, have more.
            content = stream.read(min(most, size := os.fstat(stream.fileno()).st_size) + 1)
            while size < len(content) <= most and (more := stream.read(min(most + 1 - len(content), _PIECE))):
                content += more
            return content

    def _open(self, path: str, flags: int) -> int:
        """Open the admitted file. On Linux, refuse a file that a link has put in its place since then."""
        handle = _open_regular(path, flags)
        if self._boundary is None or self._boundary.holds(handle, path):
            return handle
        os.close(handle)
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)

    def _require(self, path: str) -> str:
        if (admitted := self.admit(path)) is None:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)
        return admitted


#: For all files that a person names.
UNCONFINED = Door()


def read_named(path: str, most: int = DEFAULT.bytes) -> bytes:
    """Read a description that a person names, as :meth:`Door.read` does without a boundary.

    A path below /dev or /proc may also be a pipe or a device: /dev/stdin, and ``<(…)`` of shells.
    """
    if path.startswith(_STREAMS):
        with open(path, "rb") as stream:
            return read_bounded(stream, most)
    return UNCONFINED.read(path, most)


def read_state(path: str) -> tuple[int, int, int] | None:
    """Return time, size and number of a file that a person names, to see whether it changes; None if it is missing."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def report_unreadable(name: str, error: Exception, door: Door = UNCONFINED) -> Diagnostic:
    """Return the finding that a description cannot be read."""
    problem, hint = explain_unreadable(name, error, door)
    return diagnose("file-unreadable", Location(name), file=name, problem=problem, hint=hint)


def explain_unreadable(name: str, error: Exception, door: Door = UNCONFINED) -> tuple[str, str | None]:
    """Return why a description cannot be read, and a hint: for a missing file, the nearest one that the door shows."""
    problem, hint = getattr(error, "strerror", None) or str(error), None
    if isinstance(error, IsADirectoryError):
        problem = "this folder has no robot description"
        if any(entry.endswith((".urdf", ".sdf", ".world", ".xacro")) for entry in door.list_names(name)):
            problem = "this folder has no model.config"
        hint = ("name a .urdf, .sdf or .world file, or a model's folder: its model.config names an SDFormat file. "
                "Commands that search folders leave out what --exclude names")
    if isinstance(error, FileNotFoundError):
        folder, base = os.path.split(name)
        names = [*door.list_names(folder or os.curdir)]
        hint = "it is a link to a file that does not exist" if base in names else suggest_name(base, names)
    return problem, hint


def _open_regular(path: str, flags: int) -> int:
    """Open a regular file without waiting; `open` itself refuses folders."""
    handle = os.open(path, flags | _NONBLOCK)
    mode = os.fstat(handle).st_mode
    if S_ISREG(mode) or S_ISDIR(mode):
        return handle
    os.close(handle)
    raise OSError(EINVAL, "it is not a file", path)
