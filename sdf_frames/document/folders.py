"""The search of a folder for files, the same for all commands."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator

_SKIPPED = ("build", "install", "log", "node_modules", "__pycache__")

#: The file that makes a folder a model, and names its description; the second is its old name.
MODEL_CONFIG = "model.config"
MODEL_CONFIGS = (MODEL_CONFIG, "manifest.xml")
#: Returns whether a search of folders skips a file or folder, by its path.
Skip = Callable[[str], bool]


def search_folder(folder: str, suffixes: tuple[str, ...], skip: Skip) -> Iterator[str]:
    """Yield the files in a folder and below it whose names end with one of the `suffixes`, in the order of names.

    Hidden files and folders, and build folders, are skipped, but not `folder` itself. Links to folders are not
    followed. Folders that cannot be read follow at the end: who reads them as files says why.
    """
    refused: list[OSError] = []
    for here, folders, files in os.walk(folder, onerror=refused.append):
        here = "" if here == "." else here.removeprefix("./")
        folders[:] = sorted(name for name in folders if is_searched(name) and not skip(os.path.join(here, name)))
        for name in sorted(files):
            path = os.path.join(here, name)
            if name.endswith(suffixes) and is_searched(name) and not skip(path):
                yield path
    yield from (error.filename.removeprefix("./") for error in refused)


def list_files(folder: str) -> Iterator[str]:
    """Yield the paths, relative to a folder, of all files in it and below it.

    Links to folders, and folders that cannot be read, count as files.
    """
    refused: list[OSError] = []
    for here, folders, files in os.walk(folder, onerror=refused.append):
        for path in [os.path.join(here, name) for name in (*folders, *files)]:
            if os.path.islink(path) or not os.path.isdir(path):
                yield os.path.relpath(path, folder).replace(os.sep, "/")
    yield from (os.path.relpath(error.filename, folder).replace(os.sep, "/") for error in refused)


def is_searched(path: str) -> bool:
    """Return whether a search enters a folder, or yields a file; `path` is relative to the folder of the search."""
    return not any(part in _SKIPPED or (part[:1] == "." and part != ".") for part in path.split("/"))
