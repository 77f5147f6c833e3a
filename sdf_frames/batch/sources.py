"""Where the descriptions of a batch come from: files, folders, globs, lists, Parquet columns, archives, URLs.

Items come one after the other. What is kept of each is which names are taken: about 150 bytes.
"""
from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count
from tarfile import TarError
from typing import Any
from zipfile import BadZipFile

from sdf_frames.document.folders import Skip, is_searched, search_folder

SUFFIXES = (".urdf", ".sdf", ".world")
#: Of a Parquet table, what is read at once.
_READ_ROWS, _READ_BYTES = 64, 1 << 16
_TABLE = re.compile(r"(.*?\.parquet)(?::(.*))?", re.DOTALL)
_ARCHIVES = {".zip": "zip", ".tar": "tar", ".tgz": "tar", ".tar.gz": "tar", ".tar.xz": "tar"}


def skip_none(path: str) -> bool:
    """Skip no file or folder."""
    return False


class SourceError(ValueError):
    """A source cannot be opened; the message is for the person who named it."""


@dataclass(frozen=True, slots=True)
class Item:
    """A description to work on.

    Attributes
    ----------
    name : what the tables call it: the path or URL, or ``FILE.parquet:COLUMN[ROW]``.
    target : path below the output folder for what is made of it, without suffix. No two items of a listing share it.
    text : the description itself, if its source holds it; None to read `name`.
    """

    name: str
    target: str
    text: str | None = None


def list_items(sources: Iterable[str], skip: Skip = skip_none) -> Iterator[Item]:
    """List the descriptions of several sources, each name once.

    Parameters
    ----------
    sources : a file; a folder, searched for .urdf, .sdf and .world files as by `check`; a glob; a list of any of these
        (``names.txt``, one a line, relative to the list's folder); ``table.parquet:COLUMN`` of paths or texts (COLUMN:
        ``path`` by default); a .zip or .tar archive; a URL that fsspec opens, with ``*`` for many files.
    skip : says of a file or folder in a folder whether it is left out.

    Raises
    ------
    SourceError
        A source does not exist, or what reads it is not installed.
    """
    names: set[int] = set()
    taken: set[int] = set()
    for source in sources:
        before = taken.copy()
        for item in _list_source(source, skip):
            if (key := hash(item.name)) not in names:
                names.add(key)
                yield _set_apart(item, before, taken)


def count_items(sources: Iterable[str], skip: Skip = skip_none) -> int | None:
    """Count the descriptions of several sources without reading any; a name that is listed twice counts twice.

    Returns None if that takes as long as listing them (archives, URLs), or if a source cannot be opened.
    """
    total = 0
    for source in sources:
        if "://" in source or _find_archive(source):
            return None
        try:
            if table := _TABLE.fullmatch(source):
                from pyarrow import parquet
                found: int | None = parquet.read_metadata(table[1]).num_rows
            elif _is_list(source):
                found = count_items(_read_list(source), skip)
            else:
                found = sum(1 for _ in _list_source(source, skip))
        except (OSError, ImportError, ValueError):  # ArrowInvalid is a ValueError
            return None
        if found is None:
            return None
        total += found
    return total


def _set_apart(item: Item, before: set[int], taken: set[int]) -> Item:
    """The item with a target of its own.

    One that an earlier source has becomes the whole path, as that of ``model.sdf`` in a second folder; else the suffix
    stays, as that of ``arm.urdf`` beside ``arm.sdf``; then numbers follow.
    """
    target = make_target(item.name) if hash(item.target) in before else item.target
    suffix = os.path.splitext(item.name)[1]
    choices = chain((target, target + suffix), (f"{target}{suffix}_{number}" for number in count(2)))
    target = next(choice for choice in choices if hash(choice) not in taken)
    taken.add(hash(target))
    return item if target == item.target else replace(item, target=target)


def _list_source(source: str, skip: Skip) -> Iterator[Item]:
    if "://" in source:
        yield from _list_url(source, source)
    elif table := _TABLE.fullmatch(source):
        yield from _list_table(table[1], table[2] or "path")
    elif os.path.isdir(source):
        yield from _list_folder(source, skip)
    elif (protocol := _find_archive(source)) and os.path.lexists(source):
        members = _list_url(f"{protocol}://**::file://{os.path.abspath(source)}", source)
        yield from (item for item in members if is_searched(item.name.split("::")[0].split("://")[1]))
    elif _is_list(source):
        for name in _read_list(source):
            yield from _list_source(name, skip)
    elif os.path.lexists(source):
        yield Item(source, make_target(source))
    else:
        names = sorted(glob.glob(source, recursive=True))
        if not names:
            raise SourceError(f"{source}: no such file, folder or glob")
        for name in names:
            yield from _list_source(name, skip)


def _is_list(source: str) -> bool:
    return source.endswith(".txt") and os.path.isfile(source)


def _read_list(path: str) -> Iterator[str]:
    """The sources that a file lists, one a line, relative to its folder."""
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if name := line.strip():
                yield name if "://" in name else os.path.join(folder, name)


def _list_folder(folder: str, skip: Skip) -> Iterator[Item]:
    """Descriptions in a folder and those below it."""
    try:
        os.scandir(folder).close()  # os.walk says nothing of a folder that it may not read
    except OSError as error:
        raise SourceError(f"{folder}: {error.strerror}") from None
    for path in search_folder(folder, SUFFIXES, skip):
        yield Item(path, make_target(os.path.relpath(path, folder)))


def _find_archive(source: str) -> str | None:
    return next((protocol for suffix, protocol in _ARCHIVES.items() if source.endswith(suffix)), None)


def import_fsspec() -> Any:
    """Import fsspec, and teach it the suffix ``.tgz``."""
    import fsspec
    from fsspec.utils import compressions
    compressions["tgz"] = "gzip"
    return fsspec


def _list_url(url: str, source: str) -> Iterator[Item]:
    """The files of a URL; `source` is what messages call it."""
    try:
        fsspec = import_fsspec()
    except ModuleNotFoundError:
        raise SourceError(f"{source}: archives and URLs need fsspec: pip install 'sdf_frames[batch]'") from None
    try:
        files = fsspec.open_files(url, mode="rb")
    except (OSError, ImportError, ValueError, BadZipFile, TarError) as error:
        raise SourceError(f"{source}: {error}") from error
    rest = "".join(f"::{part}" for part in url.split("::")[1:])
    many = "*" in url
    for file in files:
        if not many or file.path.endswith(SUFFIXES):
            name = file.full_name + rest if rest and "::" not in file.full_name else file.full_name
            yield Item(name, make_target(file.path))


def _list_table(path: str, column: str) -> Iterator[Item]:
    try:
        from pyarrow import ArrowException, parquet
    except ModuleNotFoundError:
        raise SourceError(f"{path}: Parquet files need pyarrow: pip install 'sdf_frames[batch]'") from None
    if not os.path.lexists(path):
        raise SourceError(f"{path}: no such file")
    try:
        # Read as it comes: by default Arrow reads far ahead, up to the whole column.
        table = parquet.ParquetFile(path, pre_buffer=False, buffer_size=_READ_BYTES)
        if column not in table.schema_arrow.names:
            raise SourceError(f"{path}: there is no column {column!r}; it has {', '.join(table.schema_arrow.names)}")
        row = 0
        for batch in table.iter_batches(batch_size=_READ_ROWS, columns=[column], use_threads=False):
            for value in batch.column(0).to_pylist():
                name = f"{path}:{column}[{row}]"
                text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
                if text.lstrip("\ufeff \t\r\n").startswith("<"):
                    yield Item(name, make_target(f"{os.path.basename(path)}/{row}"), text)
                else:
                    yield Item(text, make_target(text)) if text else Item(name, make_target(name), "")
                row += 1
    except (OSError, ArrowException) as error:
        raise SourceError(f"{path}: {error}") from error


def make_target(name: str) -> str:
    """A relative path for results: the name without scheme, root, ``..`` and suffix."""
    name = name.split("::")[0].split("://")[-1].replace("\\", "/")
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return os.path.splitext("/".join(parts))[0] or "description"
