"""The tree of an included file, upgraded and checked: made once for all descriptions that share a memory.

Without its includes, the meaning of a file depends only on its bytes. Name, pose and params are applied to a copy, and
the includes of the file are read for that copy, from the trees of their files in turn. Upgrading and checking may look
up names in these files: then the tree is used only if the same includes lead to files with the same text.
"""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.budget import Spending
from sdf_frames.document.places import Element, copy_document
from sdf_frames.sdf.look_ahead import AllSeen, LookAhead
from sdf_frames.sdf.prepare import prepare_document
from sdf_frames.sdf.reading import Reading, parse_included_text, read_included_text

#: Bytes that an element or a finding takes in memory: of 564 models, an element takes 350 bytes besides its text.
_SIZE = 400


class _Kept(NamedTuple):
    """The result for a file.

    Attributes
    ----------
    root : the root element; only copies of it are used elsewhere.
    version : the version that the file was written in.
    found : the findings on the file.
    cost : the amounts of the budget that reading the file spends, by name of the limit.
    seen : the files in which names were looked up.
    """

    root: Element
    version: str
    found: tuple[Diagnostic, ...]
    cost: dict[str, int]
    seen: AllSeen


def read_included_tree(path: str, include: Element, reading: Reading) -> tuple[Element, str] | None:
    """Read an included file: its ``<sdf>`` tree, upgraded and checked, and the version it was written in.

    The tree is the caller's own. Returns None on failure, with findings.
    """
    content = read_included_text(path, include, reading)
    if content is None:
        return None
    reading.files[path] = None
    spending, memory, found = reading.spending, reading.memory, reading.found
    # The key has the path, because findings name it, and relative URIs start there.
    key = (_Kept, path, content, reading.delimiter_banned, spending.budget)
    look_ahead = LookAhead(reading.resolver, spending.budget)
    kept: _Kept | None = memory.find(key) if memory is not None else None
    if kept is not None and look_ahead.sees(kept.seen) and _pay(kept.cost, spending):
        found += kept.found
        return copy_document(kept.root), kept.version
    known, before = len(found), spending.spent.copy()
    document = parse_included_text(content, path, reading)
    version = None if document is None else prepare_document(document, reading, look_ahead)
    if document is None or version is None:
        return None
    if memory is None or document.carried is not None:  # load.py keeps the conversion of a URDF
        return document.root, version
    cost = {name: spending.spent[name] - before[name] for name in ("bytes", "elements")}
    kept = _Kept(document.root, version, tuple(found[known:]), cost, look_ahead.seen)
    texts = [content, content, *[seen.text for seen in kept.seen.values() if seen is not None]]
    size = sum(map(len, texts)) + _SIZE * (cost["elements"] + len(kept.found))
    return copy_document(document.root) if memory.keep(key, kept, size) else document.root, version


def _pay(cost: dict[str, int], spending: Spending) -> bool:
    """Spend the cost of reading the file; if not enough is left, the file is read as without a memory."""
    if any(amount > spending.left(name) for name, amount in cost.items()):
        return False
    within = [spending.spend(name, amount) for name, amount in cost.items()]
    return all(within)  # the time may be up
