"""The sources of a batch: files, folders, globs, lists, Parquet columns, archives, URLs.

Items are listed one after the other. Only used names are kept: about 150 bytes for each item.
"""
from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from errno import ENOENT
from functools import lru_cache
from itertools import chain, count
from typing import Any

from sdf_frames.batch.archives import find_kind, open_archive, read_entry
from sdf_frames.document.budget import DEFAULT, read_bounded
from sdf_frames.document.door import read_named
from sdf_frames.document.expanded import is_xacro
from sdf_frames.document.folders import Skip, is_searched, search_folder
from sdf_frames.document.writing import fold_name

SUFFIXES = (".urdf", ".sdf", ".world")
#: Of a Parquet table, what is read at once.
_READ_ROWS, _READ_BYTES = 64, 1 << 16
_TABLE = re.compile(r"(.*?\.parquet)(?::(.*))?", re.DOTALL)
_LONGEST = 200  # bytes of a name in the output folder


def skip_none(path: str) -> bool:
    """Skip no file or folder."""
    return False


def explain(error: Exception) -> str:
    """Return why a source or a description cannot be read."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Item:
    """A description to work on.

    Attributes
    ----------
    name : its name in the tables: the path or URL, or ``FILE.parquet:COLUMN[ROW]``.
    target : path below the output folder for its results, without suffix. The targets of a listing are unique, even
        without case.
    text : the description itself, if its source contains it.
    within, member : the archive or URL, and the name in it if it has many. None, and no text: `name` is a file.
    problem : why `name` is a source that cannot be opened; "" for a description.
    """

    name: str
    target: str
    text: str | None = None
    within: str | None = None
    member: str = ""
    problem: str = ""


def read_item(item: Item, most: int = DEFAULT.bytes) -> bytes:
    """Read a description: at most `most` bytes, and one more if it is too large."""
    if item.problem:
        raise ValueError(item.problem)
    if item.text is not None:
        return item.text.encode("utf-8")
    if item.within is None:
        if is_xacro(item.name):
            raise ValueError("batch does not expand .xacro files: name what xacro writes")
        return read_named(item.name, most)
    if "://" not in item.within:
        return read_entry(item.within, item.member, most)
    system, path = _open_url(item.within)
    with system.open(item.member or path, "rb") as stream:
        return read_bounded(stream, most)


def list_items(sources: Iterable[str], skip: Skip = skip_none) -> Iterator[Item]:
    """List the descriptions of several sources, each name once; a source that cannot be opened is an item, too.

    Parameters
    ----------
    sources : a file; a folder, searched for .urdf, .sdf and .world files as by `check`; a glob; a list of any of these
        (``names.txt``, one a line, relative to the list's folder); ``table.parquet:COLUMN`` of paths or texts (COLUMN:
        ``path`` by default); a .zip or .tar archive; a URL that fsspec opens, with ``*`` for many files.
    skip : returns whether a file or folder in a folder is left out.
    """
    names: set[int] = set()
    taken: set[int] = set()
    lists: set[str] = set()
    for given in sources:
        before = taken.copy()
        for item in _list_all([given], lists, skip):
            if (key := hash(item.name)) not in names:
                names.add(key)
                yield _set_apart(item, before, taken)


def _list_all(sources: Iterable[str], lists: set[str], skip: Skip) -> Iterator[Item]:
    for source, place in _expand(sources, lists):
        try:
            yield from _list_source(source, skip)
        except Exception as error:  # noqa: BLE001 - readers of archives, tables and file systems have their own
            yield Item(source, make_target(source), problem=explain(error) + place)


def count_items(sources: Iterable[str], skip: Skip = skip_none) -> int | None:
    """Count the descriptions of several sources without reading any; a name that is listed twice counts twice.

    Return None if that takes as long as listing them (archives, URLs), or if a source cannot be opened.
    """
    total = 0
    try:
        for source, _ in _expand(sources, set()):
            if "://" in source or find_kind(source):
                return None
            if table := _TABLE.fullmatch(source):
                from pyarrow import parquet
                total += parquet.read_metadata(table[1]).num_rows
            else:
                total += sum(1 for _ in _list_source(source, skip))
    except (OSError, ImportError, ValueError):  # ArrowInvalid is a ValueError
        return None
    return total


def _set_apart(item: Item, before: set[int], taken: set[int]) -> Item:
    """Return the item with a unique target.

    A target that an earlier source uses becomes the whole path, such as for ``model.sdf`` in a second folder. A target
    that this source uses gets the suffix, such as for ``arm.urdf`` beside ``arm.sdf``; then numbers follow.
    """
    target = make_target(item.name) if hash(fold_name(item.target)) in before else item.target
    suffix = os.path.splitext(item.name)[1]
    choices = chain((target, target + suffix), (f"{target}{suffix}_{number}" for number in count(2)))
    target = next(choice for choice in choices if hash(fold_name(choice)) not in taken)
    taken.add(hash(fold_name(target)))
    return item if target == item.target else replace(item, target=target)


def _expand(sources: Iterable[str], lists: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the sources that are neither a list nor a glob, and where they are listed, such as ``" (names.txt:2)"``.

    Each list is read once; `lists` has the lists that were read.
    """
    pending = [iter([(source, "") for source in sources])]
    while pending:
        if (entry := next(pending[-1], None)) is None:
            pending.pop()
            continue
        source, place = entry
        if source.endswith(".txt") and os.path.isfile(source):
            if (path := os.path.realpath(source)) not in lists:
                lists.add(path)
                try:
                    pending.append(iter(_read_list(source)))
                except OSError:  # reading it as a description reports why
                    yield entry
        elif "://" in source or _TABLE.fullmatch(source) or os.path.lexists(source):
            yield entry
        elif "\0" not in source and (names := sorted(glob.glob(source, recursive=True))):
            pending.append(iter([(name, place) for name in names]))
        else:
            yield entry


def _read_list(path: str) -> list[tuple[str, str]]:
    """Return the sources that a file lists, one per line, relative to its folder, and their lines."""
    folder = os.path.dirname(path)
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        return [(name if "://" in name else os.path.join(folder, name), f" ({path}:{number})")
                for number, line in enumerate(lines, 1) if (name := line.strip())]


def _list_source(source: str, skip: Skip) -> Iterator[Item]:
    if "://" in source:
        yield from _list_url(source)
    elif table := _TABLE.fullmatch(source):
        yield from _list_table(table[1], table[2] or "path")
    elif not os.path.lexists(source):
        raise FileNotFoundError(ENOENT, "no such file, folder or glob")
    elif os.path.isdir(source):
        for path in search_folder(source, SUFFIXES, skip):
            yield Item(path, make_target(os.path.relpath(path, source)))
    elif find_kind(source):
        yield from _list_archive(source)
    else:
        yield Item(source, make_target(source))


def _list_archive(path: str) -> Iterator[Item]:
    """Yield the descriptions in an archive, searched as a folder."""
    protocol = "zip" if find_kind(path) == ".zip" else "tar"
    whole = os.path.abspath(path)
    for name in open_archive(path).names:
        if name.endswith(SUFFIXES) and is_searched("/".join(part for part in name.split("/") if part != "..")):
            yield Item(f"{protocol}://{name}::file://{whole}", make_target(name), within=whole, member=name)


def _list_url(url: str) -> Iterator[Item]:
    """Yield the files of a URL; the names from its server are names in its file system, not further URLs."""
    system, path = _open_url(url)
    found = [path]
    if "*" in path:
        found = [name for name in sorted(system.glob(path)) if name.endswith(SUFFIXES) and not system.isdir(name)]
    _, *chained = url.split("::")
    for name in found:
        yield Item("::".join((system.unstrip_protocol(name), *chained)), make_target(name), within=url, member=name)


@lru_cache(maxsize=1)
def _open_url(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    try:
        import fsspec
    except ModuleNotFoundError:
        raise ImportError("URLs need fsspec: pip install 'sdf_frames[batch]'") from None
    from fsspec.utils import compressions
    compressions["tgz"] = "gzip"
    return fsspec.core.url_to_fs(url)


def _list_table(path: str, column: str) -> Iterator[Item]:
    from pyarrow import parquet  # which a batch has, for its tables
    if not os.path.lexists(path):
        raise FileNotFoundError(ENOENT, "no such file")
    # Read in batches: by default, Arrow reads far ahead, up to the whole column.
    table = parquet.ParquetFile(path, pre_buffer=False, buffer_size=_READ_BYTES)
    if column not in table.schema_arrow.names:
        raise ValueError(f"there is no column {column!r}; it has {', '.join(table.schema_arrow.names)}")
    row = 0
    for batch in table.iter_batches(batch_size=_READ_ROWS, columns=[column], use_threads=False):
        for value in batch.column(0).to_pylist():
            name = f"{path}:{column}[{row}]"
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
            if text.lstrip("\ufeff \t\r\n").startswith("<"):
                yield Item(name, make_target(f"{os.path.basename(path)}/{row}"), text)
            else:
                yield from _list_named(text) if text else (Item(name, make_target(name), ""),)
            row += 1


def _list_named(name: str) -> Iterator[Item]:
    """Return the description that a cell of a table names: a file or a URL, not a pattern."""
    if "://" in name:
        yield Item(name, make_target(name.split("::")[0].split("://")[1]), within=name)
    else:
        yield Item(name, make_target(name))


def make_target(name: str) -> str:
    """Return a relative path for results: no root, no ``..``, no suffix, no characters that file names cannot have."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    path = os.path.splitext("/".join(parts))[0]
    return "/".join(_shorten(part) for part in path.split("/")) or "description"


def _shorten(part: str) -> str:
    text = "".join(letter if letter.isprintable() else "_" for letter in part)
    return text.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore")
