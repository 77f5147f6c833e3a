"""The search of a folder for files, the same for all commands."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator

_SKIPPED = ("build", "install", "log", "node_modules", "__pycache__")

#: The file that makes a folder a model, and names its description; also under its old name.
MODEL_CONFIG = "model.config"
MODEL_CONFIGS = (MODEL_CONFIG, "manifest.xml")
#: Whether a search of folders leaves a file or folder out, by its path.
Skip = Callable[[str], bool]


def search_folder(folder: str, suffixes: tuple[str, ...], skip: Skip) -> Iterator[str]:
    """Yield the files in a folder and those below it, in the order of their names.

    Hidden files and folders, and the folders of builds, are left out, but not `folder` itself. Links to folders are
    not followed.
    Names that end with one of the `suffixes` count.
    """
    for here, folders, files in os.walk(folder):
        here = "" if here == "." else here.removeprefix("./")
        folders[:] = sorted(name for name in folders if is_searched(name) and not skip(os.path.join(here, name)))
        for name in sorted(files):
            path = os.path.join(here, name)
            if name.endswith(suffixes) and is_searched(name) and not skip(path):
                yield path


def list_files(folder: str) -> Iterator[str]:
    """Yield the paths of all files in a folder and those below it, from the folder on; links to folders are files."""
    for here, folders, files in os.walk(folder):
        for path in [os.path.join(here, name) for name in (*folders, *files)]:
            if os.path.islink(path) or not os.path.isdir(path):
                yield os.path.relpath(path, folder).replace(os.sep, "/")


def is_searched(path: str) -> bool:
    """Whether a search looks into a folder, or at a file, below the folder that it began with: `path` from there on."""
    return not any(part in _SKIPPED or (part[:1] == "." and part != ".") for part in path.split("/"))
