"""XML text to a located tree, without trusting it.

Robot descriptions arrive over the network: entities are not expanded, nothing external is loaded, depth and size stay
within libxml2's limits. What libsdformat's parser forgives (unbound prefixes, ``--`` in comments, text before the
declaration, …) is mended in the text, with a warning, by the project's own rules (``xml_scan.py``), the same with
every version of libxml2; anything else that is malformed is an error.
"""
from __future__ import annotations

import os
import re
from copy import deepcopy
from typing import NamedTuple
from urllib.parse import quote, unquote

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.budget import Spending
from sdf_frames.document.xml_scan import BARE_LESS_THAN, COLON, UNSPACED, mend_text
from sdf_frames.document.xml_text import prepare_text, wide_encoding

Element = etree._Element

# Numbers of the children of parents with many: of thousands of siblings each may have a finding.
_FEW_SIBLINGS = 32
_MOST_NUMBERED = 8
_numbers: dict[Element, dict[Element, int]] = {}
# Attributes that say where an element was brought from, percent-encoded, and on the root that there are such elements;
# in a namespace that the author of a file cannot know.
_NAMESPACE = f"sdf_frames:{os.urandom(8).hex()}"
_ORIGIN, _FOREIGN = f"{{{_NAMESPACE}}}file", f"{{{_NAMESPACE}}}foreign"
# What libxml2 recommends to programs that use it.
_ADVICE = re.compile(r",? (?:use|try|see) (?:XML_PARSE_HUGE|xmlCtxt\w+)(?: option)?\.?")
_COUNT = etree.XPath("count(descendant-or-self::*)")
_DEFAULT_NAMESPACE = re.compile(rb"xmlns\s*=\s*[\"']")


class Document(NamedTuple):
    """A document: its root element (lines in ``sourceline``) and the file it came from, if any.

    `carried` is None for a document that was read. Of one that this library has made it holds the elements that stem from
    somebody else, as they are or with a value of his: what there is to be checked.
    """

    root: Element
    file: str | None = None
    carried: tuple[Element, ...] | None = None


def read_xml(text: str | bytes, file: str | None = None, *, keep_comments: bool = False,
             spending: Spending | None = None) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Parse `text`.

    Parameters
    ----------
    text : the document; bytes in the encoding that its declaration names, or a string.
    file : name to report, and what relative URIs are relative to.
    keep_comments : keep comments, processing instructions and blank text (for rewriting a file).
    spending : what the load that this is part of has spent; without it the default budget is this document's alone.

    Returns
    -------
    document, diagnostics
        The document is None exactly when one of the diagnostics is an error.
    """
    encoding = None
    if isinstance(text, str):
        text, encoding = text.encode("utf-8", "surrogatepass"), "utf-8"
    spending = spending or Spending()
    if not spending.spend("bytes", len(text)):
        return None, spending.report(Location(file))
    wide = None if encoding else wide_encoding(text)
    if not wide and (nul := text.find(b"\0")) >= 0:
        line = text.count(b"\n", 0, nul) + 1
        return None, (diagnose("xml-malformed", Location(file, line), problem="a NUL byte: this is no text, or in no encoding that can be told"),)
    if wide:
        text, encoding = text.decode(wide, "replace").encode("utf-8"), "utf-8"
    found: list[Diagnostic] = []
    text = prepare_text(text, encoding, file, found, keep_comments=keep_comments)
    root, error = _parse(text, keep_comments)
    if error or b"<!DOCTYPE" in text:
        root, findings = _parse_mended(text, file, keep_comments)
        found += (d for d in findings if d not in found)
    if root is None:
        return None, tuple(found)
    if not spending.spend("elements", int(_COUNT(root))):
        return None, (*found, *spending.report(Location(file)))
    if wide:
        found.append(diagnose("xml-encoding-wide", Location(file, 1)))
    root.getroottree().docinfo.URL = url_of(file)
    if None in root.nsmap or (b"xmlns" in text and _DEFAULT_NAMESPACE.search(text)):
        _drop_default_namespaces(root)
    return Document(root, file), tuple(found)


def _parse(text: bytes, keep_comments: bool) -> tuple[Element | None, tuple[int | None, str] | None]:
    """Root (or None), and line and text of libxml2's first error (or None)."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, encoding="utf-8",
        remove_comments=not keep_comments, remove_pis=not keep_comments, remove_blank_text=not keep_comments)
    root, raised = None, None
    try:
        root = etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raised = (getattr(error, "lineno", None), str(error))
    first = next((entry for entry in parser.error_log if entry.level >= etree.ErrorLevels.ERROR), None)
    if first is not None:
        return root, (first.line, _ADVICE.sub("", first.message).strip())
    return root, None if root is not None else raised or (None, "the document is empty")


def _parse_mended(text: bytes, file: str | None, keep_comments: bool) -> tuple[Element | None, list[Diagnostic]]:
    """Root and warnings where all defects of `text` are forgiven, else None and an error as well."""
    mended = mend_text(text, keep_types=keep_comments)
    root, error = _parse(mended.bare, keep_comments)
    defects = mended.defects
    if error:
        line, problem = error
        defects = tuple(d for d in defects if d.line <= (line or d.line))
        # Both come of a quotation that is not closed.
        if (less_than := next((d for d in defects if d.name == BARE_LESS_THAN), None)):
            line, problem = less_than.line, "Unescaped '<' not allowed in attributes values"
        defects = tuple(d for d in defects if d.name not in (BARE_LESS_THAN, UNSPACED))
    found = [diagnose(d.name, Location(file, d.line), **({"problem": d.problem} if d.problem else {})) for d in defects]
    if error:
        return None, [*found, diagnose("xml-malformed", Location(file, line), problem=problem.replace(COLON, ":"))]
    if mended.text != mended.bare:
        root, _ = _parse(mended.text, keep_comments)
    if keep_comments:
        for comment, content in zip(root.xpath("//comment()"), mended.comments):
            comment.text = content
    return root, found


def _drop_default_namespaces(root: Element) -> None:
    """Give elements of a default namespace their bare names: the formats know no namespaces."""
    for element in root.iter(etree.Element):
        tag = element.tag
        if tag[0] == "{" and element.prefix is None:
            element.tag = tag[tag.index("}") + 1:]


def url_of(file: str | None) -> str | None:
    """`file` as a document's URL; bytes of it that are no UTF-8, which lxml refuses, are written out."""
    return file and file.encode("utf-8", "backslashreplace").decode("utf-8")


def copy_element(element: Element) -> Element:
    """A copy that can go into another document: without the text behind it, and without what :func:`set_origin` wrote."""
    copy = deepcopy(element)
    copy.tail = None
    if element.getroottree().getroot().get(_FOREIGN) is not None:
        etree.strip_attributes(copy, _ORIGIN, _FOREIGN)
        etree.cleanup_namespaces(copy)
    return copy


def tag_of(element: Element) -> str:
    """The tag as written, ``prefix:name`` included."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    if tag[0] == "{":
        name = tag[tag.index("}") + 1:]
        return f"{element.prefix}:{name}" if element.prefix else name
    return tag


def text_of(element: Element) -> str:
    """The element's text up to its first child, stripped; empty where there is none."""
    text = element.text
    return text.strip() if text else ""


def locate(element: Element) -> Location:
    """File, line and path of an element of a document read by :func:`read_xml`."""
    return Location(file_of(element), element.sourceline, path_of(element))


def file_of(element: Element) -> str | None:
    """The file that an element was written in: its document's, unless it was brought there from another one."""
    tree = element.getroottree()
    if tree.getroot().get(_FOREIGN) is None:
        return tree.docinfo.URL
    while element is not None and (file := element.get(_ORIGIN)) is None:
        element = element.getparent()
    return tree.docinfo.URL if element is None else unquote(file) or None


def set_origin(element: Element, source: Element, *, whole: bool) -> None:
    """Let an element count as written where `source` is: with the `whole` of what stands below it, or without."""
    file, here = quote(file_of(source) or ""), quote(file_of(element) or "")
    element.sourceline = source.sourceline
    if file == here:
        return
    if not whole:
        for child in element.iterchildren(etree.Element):
            if child.get(_ORIGIN) is None:
                child.set(_ORIGIN, here)
    element.set(_ORIGIN, file)
    element.getroottree().getroot().set(_FOREIGN, "")


def path_of(element: Element) -> str:
    """XPath-like path with names: ``/sdf/model[@name="m"]/link[@name="l"]``; nameless siblings of one tag counted from 1."""
    steps = []
    while element is not None:
        tag, name = tag_of(element), element.get("name")
        parent = element.getparent()
        if name is not None:
            steps.append(f'{tag}[@name="{name}"]')
        elif parent is not None and (number := _find_number(element, parent)):
            steps.append(f"{tag}[{number}]")
        else:
            steps.append(tag)
        element = parent
    return "/" + "/".join(reversed(steps))


def _find_number(element: Element, parent: Element) -> int:
    """Which of its parent's children of its tag an element is, from 1; 0 for the only one."""
    if (numbers := _numbers.pop(parent, None)) and element in numbers:
        _numbers[parent] = numbers  # the last used are the last to go
    else:
        by_tag: dict[str, list] = {}
        for child in parent.iterchildren(etree.Element):
            by_tag.setdefault(child.tag, []).append(child)
        numbers = {child: number for children in by_tag.values()
                   for number, child in enumerate(children, 1 if len(children) > 1 else 0)}
        if len(numbers) > _FEW_SIBLINGS:
            if len(_numbers) >= _MOST_NUMBERED:
                _numbers.pop(next(iter(_numbers)))
            _numbers[parent] = numbers
    return numbers[element]


def forget_numbers(element: Element | None = None) -> None:
    """Count siblings anew from now on: in the document of `element`, whose elements move, or everywhere."""
    moved = None if element is None else element.getroottree().getroot()
    for parent in list(_numbers):
        if moved is None or parent.getroottree().getroot() is moved:
            del _numbers[parent]
