"""Write SDFormat with names that its version allows: the fixes of findings on names."""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Edit, Fix
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.edits import Watch
from sdf_frames.document.xml_in import read_whole
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import Rename, fix_names

#: Findings that renaming fixes.
FIXABLE = frozenset(["name-duplicate", "name-shared", "name-shared-aside", "name-shared-in-scope", "name-reserved",
                     "name-with-delimiter", "name-renamed", "name-not-allowed"])


class Renaming(NamedTuple):
    """A renamed element, and the edits of the element and of all references."""

    rename: Rename
    fix: Fix


def find_renamings(description: Description) -> list[Renaming]:
    """Find the new names that an SDFormat document needs, in document order; none for other documents.

    Raises
    ------
    ValueError
        The text of a name cannot be edited.
    """
    if description.kind != "sdf" or description.source is None or description.source.expanded is not None:
        return []
    root = read_whole(description.source)
    watch = Watch(root)
    renames = fix_names(root, LookAhead(description.resolver, description.options.budget))
    causes = {use: number for number, rename in reversed([*enumerate(renames)]) for use in rename.uses}
    edits: list[list[Edit]] = [[] for _ in renames]
    for change in watch.find_changes() if renames else ():
        edits[causes[change.element, collapse_blanks(change.old)]].append(change.edit)
    return [Renaming(rename, Fix(f"rename <{rename.tag}> {rename.old!r} to {rename.new!r}", tuple(made)))
            for rename, made in zip(renames, edits)]


def attach_fixes(found: Iterable[Diagnostic], renamings: list[Renaming]) -> list[Diagnostic]:
    """Attach to findings the fixes of the names at their locations, or at their related locations in the same file."""
    fixes = {(r.rename.place.file, r.rename.place.line, r.rename.place.column): r.fix for r in renamings}
    attached = []
    for d in found:
        keys = [(d.file, d.line, d.column), *[(d.file, r.line, r.column) for r in d.related if r.file == d.file]]
        fix = next((fixes[key] for key in keys if key in fixes), None) if d.name in FIXABLE else None
        attached.append(d if fix is None else d._replace(fixes=(fix,)))
    return attached

