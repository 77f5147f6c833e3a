"""URIs of a text that is written to another folder, or in another style.

Relative URIs become relative to the other folder, so that they lead to the same files. Packages that the text leaves
are reported.
"""
from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from sdf_frames.convert.emit import rewrite_uri
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.budget import DEFAULT, Budget, Spending
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.uris import Resolver, explain
from sdf_frames.document.xml_in import Element, file_of, locate, put_text_first, read_xml, tag_of, text_of
from sdf_frames.sdf.table import TEXTURE_TAGS, URI_TAGS, find_uris

#: What has a scheme. A path that begins with ``/`` may be relative: if there is no such file, it is looked for as if it
#: had no ``/``.
_ABSOLUTE = re.compile(r"(?!file://[^/])[A-Za-z][A-Za-z0-9+.-]*://|__default__$")
#: Tags whose text is the name of a file in actors and particle emitters.
_FILE_TAGS = ("filename", "color_range_image")
#: Where a text may have a relative URI: few texts have any, and only these are parsed.
_MAY_BE_RELATIVE = re.compile(
    rf"""(?:\bfilename\s*=\s*["']|<(?:{'|'.join((*URI_TAGS, *TEXTURE_TAGS, *_FILE_TAGS))})(?:\s[^<>]*)?>)"""
    rf"""\s*(?!{_ABSOLUTE.pattern})[^\s"']""")
#: What XML can hold, and readers do not strip.
_WRITABLE = re.compile(r"(?!\s)[^\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+(?<!\s)")
#: A file in no folder: from there, relative URIs lead only below the resource paths.
_NOWHERE = os.path.join(os.devnull, "output")
_STANDARD_INPUT = "-"
#: URIs that a message lists.
_LISTED = 8
#: What a URI of an element is to be; None if it cannot be written.
Change = Callable[[Element, str], "str | None"]
_PACKAGE = re.compile(r"""\b(?:package|model)://+([^/\s"'<>&]+)""")


def move_text(text: str, old: str | None, new: str | None, resolver: Resolver,
              budget: Budget = DEFAULT) -> tuple[str, tuple[Diagnostic, ...]]:
    """Rewrite the relative URIs of a URDF or SDFormat text for another place. Nothing else in it changes.

    Parameters
    ----------
    old : the file that the URIs lead from; None or ``-`` if it is unknown.
    new : the file that the text is written to; None if it is unknown, as for standard output.

    Returns
    -------
    text, findings
        What leads to a file from the old place and will not from the new one: a warning names the relative URIs, a note
        each package.
    """
    if new is not None and _find_folder(old) == _find_folder(new):
        return text, ()
    text, found = _move_relative(text, old, new, resolver, budget)
    return text, (*found, *_report_packages(text, old, new, resolver))


def _move_relative(text: str, old: str | None, new: str | None, resolver: Resolver,
                   budget: Budget) -> tuple[str, tuple[Diagnostic, ...]]:
    if not _MAY_BE_RELATIVE.search(text):
        return text, ()
    text, lost = change_references(text, old, lambda _, uri: move_uri(uri, old, new, resolver), budget)
    return text, _report_lost(lost, old)


def change_references(text: str, file: str | None, change: Change, budget: Budget) -> tuple[str, list[str]]:
    """Rewrite the URIs of the text of `file`; nothing else in it changes. Return it, and the URIs that must stay."""
    document, _ = read_xml(text, file, keep_comments=True, spending=Spending(budget))
    if document is None:
        return text, []
    put_text_first(document.root)
    moves, lost = _find_moves(find_references(document.root), change)
    if moves:
        from sdf_frames.document.edits import Watch, apply_to_text
        watch = Watch(document.root)
        before = [uri for _, _, uri in find_references(document.root)]
        _make_moves(moves)
        try:
            text = apply_to_text(text, [change.edit for change in watch.find_changes()])
        except ValueError:  # of a text in pieces, with comments in between
            after = [uri for _, _, uri in find_references(document.root)]
            lost += [uri for uri, moved in zip(before, after) if uri != moved]
    return text, lost


def move_uris(tree: Element, old: str | None, new: str | None, resolver: Resolver, base: str = "") -> None:
    """Rewrite the relative URIs of a tree that stems from the file `old` for the file `new`: see :func:`move_uri`.

    Those of plugins stay.
    """
    _make_moves(_find_moves(find_references(tree, plugins=False),
                            lambda _, uri: move_uri(uri, old, new, resolver, base))[0])


def move_uri(uri: str, old: str | None, new: str | None, resolver: Resolver, base: str = "") -> str | None:
    """Return what leads from the file `new` to the file that a relative URI leads to from the file `old`.

    That is the URI itself if it is not relative, leads to no file, or leads to the same file from both places. A URI
    that leads from the folder of `old` has to lead from that of `new`: who reads it may have other resource paths.

    Parameters
    ----------
    base : a URI of the folder of `old`, which is taken if it leads there from `new`.

    Returns
    -------
    str or None
        A relative URI, or if there is none, one with the whole path. None if a place is unknown, or if XML cannot hold
        the path.
    """
    path = None if not uri or _ABSOLUTE.match(uri) else resolver.find(uri, old)
    if path is None:
        return uri
    door, real = resolver.door, resolver.door.real(path)

    def leads_there(text: str) -> bool:
        there = resolver.find(text, new or _NOWHERE)
        return there is not None and door.real(there) == real

    is_left = bool(old and new and resolver.find_beside(uri, old) and not resolver.find_beside(uri, new))
    if leads_there(uri) and not is_left:
        return uri
    if new is None or old in (None, _STANDARD_INPUT):
        return None
    if base and leads_there(moved := posixpath.join(base, uri)):
        return moved
    folder = _find_folder(new)
    for target in (os.path.abspath(path), real):
        with suppress(ValueError):  # on Windows, of another drive
            moved = os.path.relpath(target, folder).replace(os.sep, "/")
            # Not by the resolver, which needs the folder to be there.
            if UNCONFINED.real(os.path.join(folder, moved)) == real and _WRITABLE.fullmatch(moved):
                return f"file://{moved}" if uri.startswith("file://") else moved
    moved = "file://" + os.path.abspath(path)
    return moved if leads_there(moved) and _WRITABLE.fullmatch(moved) else None


def find_references(tree: Element, plugins: bool = True) -> Iterator[tuple[Element, str, str]]:
    """Yield each element of a URDF or SDFormat tree that names a file, the attribute ("" for the text), and the URI.

    `plugins` includes the content of plugins: see :func:`sdf_frames.sdf.table.find_uris`.
    """
    for element in tree.iter("mesh", "texture"):
        if element.get("filename"):
            yield element, "filename", (element.get("filename") or "").strip()
    for element, _ in find_uris(tree, plugins):
        yield element, "", text_of(element)
    for element in tree.iter(*_FILE_TAGS):  # of actors and particle emitters; no URIs but paths
        above = element.getparent()
        if element.tag == "color_range_image" or (above is not None and tag_of(above) in ("skin", "animation")):
            yield element, "", text_of(element)


def _find_moves(references: Iterable[tuple[Element, str, str]],
                change: Change) -> tuple[list[tuple[Element, str, str]], list[str]]:
    """Find what changes, as (element, attribute, new URI), and the URIs that would have to and cannot."""
    moves, lost = [], []
    for element, attribute, uri in references:
        moved = change(element, uri)
        if moved is None:
            lost.append(uri)
        elif moved != uri:
            moves.append((element, attribute, moved))
    return moves, lost


def _make_moves(moves: Sequence[tuple[Element, str, str]]) -> None:
    for element, attribute, uri in moves:
        if attribute:
            element.set(attribute, uri)
        else:
            element.text = uri


def _find_folder(file: str | None) -> str:
    """Find the folder of a file, without links; the working directory for standard input."""
    return UNCONFINED.real(os.path.dirname(file or "") or ".")


def _report_lost(lost: Sequence[str], old: str | None) -> tuple[Diagnostic, ...]:
    uris = list(dict.fromkeys(lost))
    if not uris:
        return ()
    more = f" and {len(uris) - _LISTED} more" if len(uris) > _LISTED else ""
    folder = os.path.dirname(old or "") or "."
    return (diagnose("relative-uris-lost", Location(old), folder=folder, uris=", ".join(uris[:_LISTED]) + more),)


def list_gazebo_paths(text: str, file: str | None, resolver: Resolver) -> list[str]:
    """List the folders that GZ_SIM_RESOURCE_PATH needs for the packages and models that the text of `file` names.

    A package whose folder has another name is not among them: Gazebo does not find it.
    """
    names = dict.fromkeys(_PACKAGE.findall(text))
    folders = [os.path.abspath(folder) for name in names if (folder := resolver.find(f"model://{name}", file))
               and os.path.basename(os.path.abspath(folder)) == name]
    return list(dict.fromkeys(map(os.path.dirname, folders)))


def _report_packages(text: str, old: str | None, new: str | None, resolver: Resolver) -> Iterator[Diagnostic]:
    """Report each package or model of the text that is found, but where no other program looks."""
    for name in dict.fromkeys(_PACKAGE.findall(text)):
        uri = f"package://{name}"
        folder = resolver.find(uri, old)
        place = resolver.find_place(uri, new or _NOWHERE)
        if folder is not None and (place is None or not place.is_known):
            above, called = os.path.split(os.path.abspath(folder))
            yield diagnose("package-left", Location(old), package=name, folder=folder,
                           path=above if called == name else f"a folder that has it as {name}")


#: The style of ``file://`` and a path, beside those of :data:`sdf_frames.convert.options.URI_STYLES`.
FILE_STYLE = "file"


def change_style(uri: str, style: str, element: Element, resolver: Resolver, found: list[Diagnostic],
                 home: str | None = None) -> str:
    """Return the URI in a style. In the style of files, a URI whose file is not found stays, and is reported.

    Parameters
    ----------
    uri, element : the URI, and the element that holds it.
    home : the file that relative URIs lead from in the result; None for that of the element.
    """
    base = file_of(element)
    if style != FILE_STYLE:
        moved = None if home in (None, base) else move_uri(uri, base, home, resolver)
        return rewrite_uri(moved or uri, style)
    path = resolver.find(uri, base)
    if path is None:
        found.append(diagnose("asset-not-found", locate(element), uri=uri, hint=explain(uri, base, resolver)))
        return uri
    return "file://" + os.path.abspath(path)
