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
from shlex import quote

from sdf_frames.convert.emit import rewrite_uri
from sdf_frames.diagnostics import LISTED, Diagnostic, Location, diagnose
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.elements import Element, file_of, locate, tag_of, text_of
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver, name_file
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
#: What a URI of an element is to be; None if it cannot be written.
Change = Callable[[Element, str], "str | None"]
#: The name of a package or model; a name with blanks ends at a slash.
_PACKAGE = re.compile(r"""\b(?:package|model)://+([^/\s"'<>&]+(?:(?: +[^/\s"'<>&:]+)+(?=/))?)""")


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
    moved = name_file(path)
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


def make_moves(references: Iterable[tuple[Element, str, str]], change: Change) -> list[str]:
    """Change URIs; return those that would have to change and cannot."""
    lost, moves = [], list[tuple[Element, str, str]]()
    for element, attribute, uri in references:
        moved = change(element, uri)
        if moved is None:
            lost.append(uri)
        elif moved != uri:
            moves.append((element, attribute, moved))
    for element, attribute, uri in moves:
        if attribute:
            element.set(attribute, uri)
        else:
            element.text = uri
    return lost


def may_be_relative(text: bytes) -> bool:
    """Return whether a text may have a relative URI: few texts have any."""
    return _MAY_BE_RELATIVE.search(text.decode(errors="replace")) is not None


def is_one_folder(old: str | None, new: str | None) -> bool:
    """Return whether two files are in one folder, links aside; standard input is in the working directory."""
    return _find_folder(old) == _find_folder(new)


def _find_folder(file: str | None) -> str:
    """Find the folder of a file, without links; the working directory for standard input."""
    return UNCONFINED.real(os.path.dirname(file or "") or ".")


def report_lost(lost: Sequence[str], old: str | None) -> tuple[Diagnostic, ...]:
    uris = list(dict.fromkeys(lost))
    if not uris:
        return ()
    more = f" and {len(uris) - LISTED} more" if len(uris) > LISTED else ""
    folder = os.path.dirname(old or "") or "."
    return (diagnose("relative-uris-lost", Location(old), folder=folder, uris=", ".join(uris[:LISTED]) + more),)


def list_gazebo_paths(text: str, file: str | None, resolver: Resolver) -> list[str]:
    """List the folders that GZ_SIM_RESOURCE_PATH needs for the packages and models that the text of `file` names.

    A package whose folder has another name is not among them: Gazebo does not find it.
    """
    names = dict.fromkeys(_PACKAGE.findall(text))
    folders = [os.path.abspath(folder) for name in names if (folder := resolver.find(f"model://{name}", file))
               and os.path.basename(os.path.abspath(folder)) == name]
    return list(dict.fromkeys(map(os.path.dirname, folders)))


def report_packages(text: str, old: str | None, new: str | None, resolver: Resolver) -> Iterator[Diagnostic]:
    """Report each package or model of the text that is found, but where no other program looks."""
    for name in dict.fromkeys(_PACKAGE.findall(text)):
        uri = f"package://{name}"
        folder = resolver.find(uri, old)
        place = resolver.find_place(uri, new or _NOWHERE)
        if folder is not None and (place is None or not place.is_known):
            above, called = os.path.split(os.path.abspath(folder))
            yield diagnose("package-left", Location(old), package=name, folder=folder,
                           path=quote(above) if called == name else f"a folder that has it as {name}")


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
    path = resolver.find_file(uri, base)
    if path is None:
        found.append(diagnose("asset-not-found", locate(element), uri=uri, hint=explain(uri, base, resolver)))
        return uri
    return name_file(path)
