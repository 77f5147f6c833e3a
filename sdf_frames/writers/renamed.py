"""Write SDFormat with names that its version allows: the fixes of findings on names."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Fix
from sdf_frames.document.edits import Edited, Watch
from sdf_frames.document.places import Element
from sdf_frames.document.xml_in import read_whole
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import Rename, fix_names

#: Findings that renaming fixes.
FIXABLE = frozenset(["name-duplicate", "name-shared", "name-shared-aside", "name-reserved", "name-with-delimiter",
                     "name-renamed", "name-not-allowed"])
_MOST_LENGTHS = 8


class Renaming(NamedTuple):
    """An element that gets another name, and the edits that give it to the element and to all references."""

    rename: Rename
    fix: Fix


def find_renamings(description: Description) -> list[Renaming]:
    """Find the new names that an SDFormat document needs, in document order; other documents need none.

    Raises
    ------
    ValueError
        A name is written in a way that no edit can be made for.
    """
    if description.kind != "sdf" or description.source is None or description.source.expanded is not None:
        return []
    root = read_whole(description.source)
    watch = Watch(root)
    renames = fix_names(root, LookAhead(description.resolver, description.options.budget))
    causes = _Causes(renames)
    changes: list[list[Edited]] = [[] for _ in renames]
    for change in watch.find_changes() if renames else ():
        changes[causes.find(change)].append(change)
    return [Renaming(rename, Fix(f"rename <{rename.tag}> {rename.old!r} to {rename.new!r}",
                                 tuple([change.edit for change in made])))
            for rename, made in zip(renames, changes)]


class _Causes:
    """Renamings, by the places of their elements and by the old names."""

    def __init__(self, renames: list[Rename]):
        self._renames = renames
        self._by_place = {(rename.place.line, rename.place.column): number for number, rename in enumerate(renames)}
        self._by_name: dict[str, list[int]] = {}
        for number, rename in enumerate(renames):
            self._by_name.setdefault(rename.old, []).append(number)
        # Names hold few delimiters, if any; a name with more is looked for among all.
        self._lengths = sorted({old.count("::") + 1 for old in self._by_name})[:_MOST_LENGTHS]

    def find(self, change: Edited) -> int:
        """Return the number of the renaming that a change belongs to: of the element or of what it refers to."""
        if (own := self._by_place.get(change.edit[:2])) is not None:
            return own
        steps = change.old.strip().split("::")
        ways = {"::".join(steps[i:i + length]) for length in self._lengths for i in range(len(steps))}
        meant = sorted(number for way in ways for number in self._by_name.get(way, ())
                       if self._renames[number].new in change.new)
        return max(meant or range(len(self._renames)), key=lambda n: _count_shared(change.element, self._renames[n]))


def _count_shared(element: Element, rename: Rename) -> int:
    """Count the elements around a renamed one that are also around `element`."""
    names = [name for e in element.iterancestors() if (name := e.get("name"))]
    return sum(f'[@name="{name}"]' in (rename.place.path or "") for name in names)


def attach_fixes(found: Iterable[Diagnostic], renamings: list[Renaming]) -> list[Diagnostic]:
    """Attach to findings the fixes of the names at their locations, or at their related locations."""
    fixes = {(r.rename.place.line, r.rename.place.column): r.fix for r in renamings}
    attached = []
    for d in found:
        keys = [(d.line, d.column), *[(r.line, r.column) for r in d.related]]
        fix = next((fixes[key] for key in keys if key in fixes), None) if d.name in FIXABLE else None
        attached.append(d if fix is None else d._replace(fixes=(fix,)))
    return attached

