"""XML text to a located tree, without trusting it.

Robot descriptions arrive over the network: entities are not expanded in text (in attributes libxml2 puts in those
that the document itself defines, within its limit), nothing external is loaded, depth and size stay within libxml2's
limits. What libsdformat's parser forgives (unbound prefixes, ``--`` in comments, text before the declaration, …)
is read with a warning; anything else that is malformed is an error.
"""
from __future__ import annotations

import os
import re
from copy import deepcopy
from typing import NamedTuple
from urllib.parse import quote, unquote

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.xml_text import BAD_REFERENCE, is_unspaced, mend_text, prepare_text

Element = etree._Element

# libxml2 error types that leave the meaning of the document intact.
_FORGIVEN = {
    etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE: "xml-unbound-prefix",
    etree.ErrorTypes.NS_ERR_XML_NAMESPACE: "xml-unbound-prefix",
    etree.ErrorTypes.NS_ERR_QNAME: "xml-unbound-prefix",
    etree.ErrorTypes.NS_ERR_COLON: "xml-unbound-prefix",
    etree.ErrorTypes.NS_ERR_EMPTY: "xml-unbound-prefix",
    etree.ErrorTypes.WAR_NS_URI: None,
    etree.ErrorTypes.WAR_NS_URI_RELATIVE: None,
    etree.ErrorTypes.WAR_UNDECLARED_ENTITY: "xml-unknown-entity",
    etree.ErrorTypes.ERR_UNDECLARED_ENTITY: "xml-unknown-entity",
    etree.ErrorTypes.ERR_HYPHEN_IN_COMMENT: "xml-hyphens-in-comment",
    etree.ErrorTypes.ERR_RESERVED_XML_NAME: "xml-late-declaration",
    etree.ErrorTypes.ERR_LT_IN_ATTRIBUTE: "xml-bare-less-than",
    etree.ErrorTypes.WAR_UNKNOWN_VERSION: None,
    etree.ErrorTypes.ERR_UNKNOWN_VERSION: None,
}
# What is mended in the text before it is parsed a second time: error types, and what is said of it.
_MENDED = {
    etree.ErrorTypes.ERR_NAME_REQUIRED: "xml-bare-ampersand",
    etree.ErrorTypes.ERR_ENTITYREF_SEMICOL_MISSING: "xml-bare-ampersand",
    etree.ErrorTypes.ERR_COMMENT_NOT_FINISHED: "xml-hyphens-in-comment",
    etree.ErrorTypes.ERR_INVALID_ENCODING: "xml-invalid-bytes",
    etree.ErrorTypes.ERR_INVALID_CHAR: "xml-invalid-bytes",
    etree.ErrorTypes.ERR_SPACE_REQUIRED: "xml-attributes-unspaced",
    etree.ErrorTypes.ERR_MISPLACED_CDATA_END: "xml-section-end-in-text",
    etree.ErrorTypes.ERR_INVALID_CHARREF: BAD_REFERENCE,
    etree.ErrorTypes.ERR_INVALID_DEC_CHARREF: BAD_REFERENCE,
    etree.ErrorTypes.ERR_INVALID_HEX_CHARREF: BAD_REFERENCE,
}
_MOST_ERRORS = 100  # that libxml2 reports
# Numbers of the children of parents with many: of thousands of siblings each may have a finding.
_FEW_SIBLINGS = 32
_MOST_NUMBERED = 8
_numbers: dict[Element, dict[Element, int]] = {}
# Attributes that say where an element was brought from, percent-encoded, and on the root that there are such elements;
# in a namespace that the author of a file cannot know.
_NAMESPACE = f"sdf_frames:{os.urandom(8).hex()}"
_ORIGIN, _FOREIGN = f"{{{_NAMESPACE}}}file", f"{{{_NAMESPACE}}}foreign"
# Byte order marks of UTF-16 and UTF-32.
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
# What libxml2 recommends to programs that use it.
_ADVICE = re.compile(r",? (?:use|try|see) (?:XML_PARSE_HUGE|xmlCtxt\w+)(?: option)?\.?")
_COUNT = etree.XPath("count(descendant-or-self::*)")
_DEFAULT_NAMESPACE = re.compile(rb"xmlns\s*=\s*[\"']")


class Document(NamedTuple):
    """A parsed document: its root element (lines in ``sourceline``) and the file it came from, if any."""

    root: Element
    file: str | None = None


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
    found: list[Diagnostic] = []
    is_wide = text.startswith(_WIDE)
    if not is_wide and (nul := text.find(b"\0")) >= 0:
        line = text.count(b"\n", 0, nul) + 1
        return None, (diagnose("xml-malformed", Location(file, line), problem="a NUL byte: this is no text, or in no encoding that can be told"),)
    if not is_wide:
        text = prepare_text(text, file, found, keep_comments=keep_comments)
    root, findings, mendable = _parse(text, file, encoding, keep_comments)
    if BAD_REFERENCE in mendable and not is_unspaced(text):
        mendable.pop("xml-attributes-unspaced", None)  # the parser gave up within an attribute
    if mendable and ((mended := mend_text(text, mendable)) != text or "xml-invalid-bytes" in mendable):
        encoding = "utf-8" if "xml-invalid-bytes" in mendable else encoding
        root, again, _ = _parse(mended, file, encoding, keep_comments)
        # A quotation that is not closed looks like attributes without a blank, until the text is parsed again.
        if "xml-attributes-unspaced" not in mendable or not has_errors(again):
            text, findings = mended, again
            if not has_errors(again):
                found += [diagnose(name, Location(file, line)) for name, line in mendable.items()]
    found += findings
    if root is None or any(d.severity == "error" for d in findings):
        return None, tuple(found)
    if not spending.spend("elements", int(_COUNT(root))):
        return None, (*found, *spending.report(Location(file)))
    if is_wide:
        found.append(diagnose("xml-encoding-wide", Location(file, 1)))
    if b"&" in text and (entities := list(root.iter(etree.Entity))):
        if not any(d.name == "xml-unknown-entity" for d in found):
            found.append(diagnose("xml-unknown-entity", Location(file, entities[0].sourceline),
                                  problem=f"{entities[0].text} is taken as it stands"))
        if not keep_comments:
            for entity in entities:
                _write_out(entity)
    if None in root.nsmap or (b"xmlns" in text and _DEFAULT_NAMESPACE.search(text)):
        _drop_default_namespaces(root)
    return Document(root, file), tuple(found)


def _parse(text: bytes, file: str | None, encoding: str | None, keep_comments: bool) -> tuple:
    """Root (or None), findings, and where something stands that can be mended: ``{finding: line}``."""
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, encoding=encoding,
        remove_comments=not keep_comments, remove_pis=not keep_comments, remove_blank_text=not keep_comments)
    try:
        root = etree.fromstring(text, parser, base_url=url_of(file))
    except (etree.XMLSyntaxError, ValueError) as error:
        root = None
        if not parser.error_log:
            return None, [diagnose("xml-malformed", Location(file, getattr(error, "lineno", None)),
                                   problem=str(error) or "the document is empty")], {}
    mendable: dict[str, int] = {}
    hyphens = None
    for entry in parser.error_log:
        if entry.type == etree.ErrorTypes.ERR_HYPHEN_IN_COMMENT:
            hyphens = hyphens or entry.line
        elif entry.type in _MENDED:
            name = BAD_REFERENCE if entry.message.startswith("xmlParseCharRef") else _MENDED[entry.type]
            unfinished = entry.type == etree.ErrorTypes.ERR_COMMENT_NOT_FINISHED
            mendable.setdefault(name, unfinished and hyphens or entry.line)
    if hyphens and _is_full(parser.error_log):
        mendable.setdefault("xml-hyphens-in-comment", hyphens)
    findings = _judge_log(parser.error_log, file)
    if root is None and not findings:
        findings = [diagnose("xml-malformed", Location(file), problem="the document is empty")]
    return root, findings, mendable


def _judge_log(log, file: str | None) -> list[Diagnostic]:
    """Findings for libxml2's messages: one warning a kind of forgiven defect, one error for the first other."""
    found, seen = [], set()
    suspect = None
    for entry in log:
        if entry.type == etree.ErrorTypes.ERR_LT_IN_ATTRIBUTE:
            suspect = suspect or entry
        if entry.type in _FORGIVEN:
            name = _FORGIVEN[entry.type]
            if name and name not in seen:
                seen.add(name)
                found.append(diagnose(name, Location(file, entry.line), problem=entry.message))
        elif entry.level >= etree.ErrorLevels.ERROR:
            if suspect is not None:  # where a quotation is not closed, that comes of it
                found, entry = [d for d in found if d.name != "xml-bare-less-than"], suspect
            return [*found, diagnose("xml-malformed", Location(file, entry.line), problem=_ADVICE.sub("", entry.message).strip())]
    if _is_full(log):
        found.append(diagnose("xml-malformed", Location(file, log[-1].line),
                              problem="there are too many defects to tell whether what follows is sound"))
    return found


def _is_full(log) -> bool:
    """Whether libxml2 has said all that it says of one document: errors that come behind the first fatal ones are lost."""
    levels = [entry.level for entry in log]
    return etree.ErrorLevels.FATAL in levels and len(levels) - levels.count(etree.ErrorLevels.WARNING) >= _MOST_ERRORS


def _write_out(entity) -> None:
    """Put the reference itself (``&name;``) into the text in place of the node that stands for it."""
    parent, before = entity.getparent(), entity.getprevious()
    text = entity.text + (entity.tail or "")
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text
    entity.tail = None
    parent.remove(entity)


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
    if element not in (numbers := _numbers.get(parent, {})):
        by_tag: dict[str, list] = {}
        for child in parent.iterchildren(etree.Element):
            by_tag.setdefault(child.tag, []).append(child)
        numbers = {child: number for children in by_tag.values()
                   for number, child in enumerate(children, 1 if len(children) > 1 else 0)}
        if len(numbers) > _FEW_SIBLINGS:
            if len(_numbers) >= _MOST_NUMBERED:
                _numbers.clear()
            _numbers[parent] = numbers
    return numbers[element]


def forget_numbers() -> None:
    """Count siblings anew from now on: a document is done with, or its elements move."""
    _numbers.clear()
