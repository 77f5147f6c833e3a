"""The result of a writer, and its text for a file."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sdf_frames.convert.moved_uris import (
    Change,
    find_references,
    is_one_folder,
    make_moves,
    may_be_relative,
    move_uri,
    report_lost,
    report_packages,
)
from sdf_frames.convert.report import Entry, Row, make_rows
from sdf_frames.diagnostics import ERROR, LISTED, Diagnostic, Edit, Location, diagnose, suggest_name
from sdf_frames.document.edits import Watch, apply_edits, apply_to_text
from sdf_frames.document.elements import locate, put_text_first
from sdf_frames.document.expanded import plain_text
from sdf_frames.document.numbers import OVERFLOW, may_be_infinite
from sdf_frames.document.places import Element, Source, source_of
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import read_whole, read_xml
from sdf_frames.document.xml_out import write_tree, write_xml
from sdf_frames.document.xml_text import decode_document


class Refused(Exception):
    """A writer cannot write; the argument is the finding with the reason."""


def report_unknown(file: str | None, name: str, known: Collection[str], kind: str = "frame") -> Diagnostic:
    """Return the error for an unknown frame, with similar names; `kind` is what it has to be, if not any frame."""
    names = [*known][:LISTED] + ["…"] * (len(known) > LISTED)
    lists = "'sdf_frames frames FILE' lists the frames" if kind == "frame" else f"choose one of {', '.join(names)}"
    return diagnose("frame-unknown", Location(file), kind=kind, frame=name, nearest=suggest_name(name, known) or lists)


class Written(NamedTuple):
    """The result of a writer: a tree, or edits of a text that was read; neither if a finding has the reason.

    Attributes
    ----------
    kind : ``sdf`` or ``urdf``.
    findings : those of loading and of writing, each once.
    entries : what happened to every element.
    tree : the root of the written tree.
    source, edits : the text that was read, and its edits.
    """

    kind: str
    findings: tuple[Diagnostic, ...] = ()
    entries: Sequence[Entry] = ()
    tree: Element | None = None
    source: Source | None = None
    edits: tuple[Edit, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return the rows of the report: the entries with their lines."""
        return make_rows(self.entries)


def render(written: Written) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Return the text, and all findings. There is no text if a number in it would not be finite."""
    text, tree, source, odd = None, written.tree, written.source, list[Diagnostic]()
    if tree is not None:
        text = write_xml(tree) if source_of(tree).text is None else write_tree(tree)
    elif source is not None:
        text = apply_to_text(decode_document(plain_text(source.given or "")), written.edits)
        odd += [diagnose("number-overflow", Location(source.file, edit.line, column=edit.column))
                for edit in written.edits if OVERFLOW in edit.text][:1]
    if text is not None and not odd and may_be_infinite(text):
        if tree is None:
            document = read_xml(text, None if source is None else source.file)[0]
            tree = None if document is None else document.root
        odd += _find_infinite(written, tree)
    places = {place for d in odd if d.path for place in (d.path, d.path.rpartition("/")[0])}
    told = any(d.severity == ERROR and d.path in places for d in written.findings)  # as of the value, or its element
    return None if odd else text, (*written.findings, *([] if told else odd))


def _find_infinite(written: Written, tree: Element | None) -> list[Diagnostic]:
    """Report the first number of a result that is not finite, where it is written."""
    from sdf_frames.convert.finite import find_infinite
    if tree is None or (element := find_infinite(tree)) is None:
        return []
    at = locate(element)
    if written.source is not None and written.edits:
        given = read_xml(written.source.given or "", written.source.file)[0]
        stated = None if given is None else find_infinite(given.root)
        at = Location(written.source.file, path=at.path) if stated is None else locate(stated)
    elif at.file is None:
        at = Location(next((d.file for d in written.findings), None), path=at.path)
    told = [d.location for d in written.findings if d.name == "value-undefined"]
    return [diagnose("number-overflow", (*told, at)[0])]


def rewrite(written: Written) -> tuple[str | bytes | None, tuple[Diagnostic, ...]]:
    """Return the content of a file, and all findings; edits of a file keep its encoding and all other bytes."""
    text, found = render(written)
    return _encode(written, text), found


def _encode(written: Written, text: str | None) -> str | bytes | None:
    given = None if written.source is None else plain_text(written.source.given or "")
    return apply_edits(given, written.edits) if text is not None and isinstance(given, bytes) else text


def render_for(written: Written, old: str | None, new: str | None,
               resolver: Resolver) -> tuple[str | None, str | bytes | None, tuple[Diagnostic, ...]]:
    """Return the results of :func:`render` and :func:`rewrite`, with relative URIs for the folder of another file.

    Parameters
    ----------
    old : the file that the URIs are relative to; None or ``-`` if it is unknown.
    new : the file that the text is written to; None if it is unknown, as for standard output.

    Returns
    -------
    text, content, findings
        For URIs that find a file from the old place, but not from the new one: a warning names the relative URIs, a
        note each package.
    """
    stays = new is not None and is_one_folder(old, new)
    if stays:
        pass
    elif written.tree is not None or written.source is not None and may_be_relative(written.source.text or b""):
        written, lost = change_references(written, lambda _, uri: move_uri(uri, old, new, resolver))
        written = written._replace(findings=(*written.findings, *report_lost(lost, old)))
    text, found = render(written)
    if text is not None and not stays:
        found += tuple(report_packages(text, old, new, resolver))
    return text, _encode(written, text), found


def change_references(written: Written, change: Change) -> tuple[Written, list[str]]:
    """Change the URIs of a written robot; return the robot, and the URIs that cannot change."""
    if written.tree is not None:
        return written, make_moves(find_references(written.tree), change)
    if written.source is None:
        return written, []
    # What was inserted names files, too, and what was removed names none.
    if any(not edit.text or may_be_relative(edit.text.encode()) for edit in written.edits):
        document, _ = read_xml(rewrite(written)[0] or "", written.source.file, keep_comments=True)
        if document is not None:
            edits, lost = edit_references(document.root, change)
            return written._replace(source=source_of(document.root), edits=tuple(edits)), lost
    edits, lost = edit_references(read_whole(written.source), change)
    return written._replace(edits=(*written.edits, *edits)), lost


def edit_references(root: Element, change: Change) -> tuple[list[Edit], list[str]]:
    """Change the URIs in a tree with comments; return the edits of its text, and the URIs that cannot change."""
    put_text_first(root)
    watch = Watch(root)
    lost = make_moves(find_references(root), change)
    return [change.edit for change in watch.find_changes()], lost
