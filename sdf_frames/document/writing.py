"""Files written whole or not at all."""
from __future__ import annotations

import os
import tempfile
from errno import ENOTDIR


def write_whole(path: str, content: str | bytes, make_folders: bool = False) -> None:
    """Write a file at once or not at all: the text goes to a file beside it that then takes its name.

    A link stays one, and what it leads to is written; devices and pipes are written to as they are. With `make_folders`,
    missing folders are made; without, they are a FileNotFoundError.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    path = os.path.realpath(path)
    folder = os.path.dirname(path) or "."
    if make_folders:
        try:
            os.makedirs(folder, exist_ok=True)
        except FileExistsError as error:  # of what is in the way; the file to be written does not exist
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), error.filename) from None
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
