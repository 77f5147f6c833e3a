"""XML text to a located tree, without trusting it.

Robot descriptions arrive over the network: entities are not expanded, nothing external is loaded, depth and size
stay within libxml2's limits. What libsdformat's parser forgives (unbound prefixes, ``--`` in comments, text
before the declaration) is read with a warning; anything else that is malformed is an error.
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Location, diagnose

Element = etree._Element
MAX_BYTES = 256 * 1024 * 1024

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
    etree.ErrorTypes.ERR_UNSUPPORTED_ENCODING: None,
    etree.ErrorTypes.WAR_UNKNOWN_VERSION: None,
    etree.ErrorTypes.ERR_UNKNOWN_VERSION: None,
}
_LEADING = re.compile(rb"\s*[^<]*")
_DEFAULT_NAMESPACE = re.compile(rb"<[^<>]*\sxmlns\s*=\s*[\"']")


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document: its root element (lines in ``sourceline``) and the file it came from, if any."""

    root: Element
    file: str | None = None


def read_xml(text: str | bytes, file: str | None = None, *, keep_comments: bool = False,
             ) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Parse `text`.

    Parameters
    ----------
    text : the document; bytes in the encoding that its declaration names, or a string.
    file : name to report, and what relative URIs are relative to.
    keep_comments : keep comments, processing instructions and blank text (for rewriting a file).

    Returns
    -------
    document, diagnostics
        The document is None exactly when one of the diagnostics is an error.
    """
    encoding = None
    if isinstance(text, str):
        text, encoding = text.encode("utf-8", "surrogatepass"), "utf-8"
    if len(text) > MAX_BYTES:
        return None, (diagnose("xml-too-large", Location(file), size=len(text), limit=MAX_BYTES),)
    found: list[Diagnostic] = []
    if not text.startswith(b"<"):
        text = _clear_leading_text(text, file, found)
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, encoding=encoding,
        remove_comments=not keep_comments, remove_pis=not keep_comments, remove_blank_text=not keep_comments)
    try:
        root = etree.fromstring(text, parser, base_url=file)
    except (etree.XMLSyntaxError, ValueError) as error:
        return None, (*found, diagnose("xml-malformed", Location(file, getattr(error, "lineno", None)),
                                       problem=str(error) or "the document is empty"))
    if log := parser.error_log:
        found += _judge_log(log, file)
    if root is None:
        return None, (*found, diagnose("xml-malformed", Location(file), problem="the document is empty"))
    if any(d.severity == "error" for d in found):
        return None, tuple(found)
    if None in root.nsmap or _DEFAULT_NAMESPACE.search(text):
        _drop_default_namespaces(root)
    return Document(root, file), tuple(found)


def _clear_leading_text(text: bytes, file: str | None, found: list[Diagnostic]) -> bytes:
    """Blank out what stands before the first tag, keeping its line breaks so that lines stay right."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        return text
    body = text[3:] if text.startswith(b"\xef\xbb\xbf") else text
    lead = _LEADING.match(body).group()
    breaks = lead.count(b"\n")
    rest = body[len(lead):]
    if lead.strip():
        found.append(diagnose("xml-leading-text", Location(file, 1)))
    if breaks and rest.startswith(b"<?xml"):
        # A declaration may only stand at the very start: move it there, before the line breaks.
        end = rest.find(b"?>") + 2
        if end > 1:
            return rest[:end] + b"\n" * breaks + rest[end:]
    return b"\n" * breaks + rest


def _judge_log(log, file: str | None) -> list[Diagnostic]:
    """Findings for libxml2's messages: one warning a kind of forgiven defect, one error for the first other."""
    found, seen = [], set()
    for entry in log:
        if entry.type in _FORGIVEN:
            name = _FORGIVEN[entry.type]
            if name and name not in seen:
                seen.add(name)
                found.append(diagnose(name, Location(file, entry.line), problem=entry.message))
        elif entry.level >= etree.ErrorLevels.ERROR:
            return [*found, diagnose("xml-malformed", Location(file, entry.line), problem=entry.message)]
    return found


def _drop_default_namespaces(root: Element) -> None:
    """Give elements of a default namespace their bare names: the formats know no namespaces."""
    for element in root.iter(etree.Element):
        tag = element.tag
        if tag[0] == "{" and element.prefix is None:
            element.tag = tag[tag.index("}") + 1:]


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
    return Location(element.getroottree().docinfo.URL, element.sourceline, path_of(element))


def path_of(element: Element) -> str:
    """XPath-like path with names: ``/sdf/model[@name="m"]/link[@name="l"]``; nameless siblings of one tag counted from 1."""
    steps = []
    while element is not None:
        tag, name = tag_of(element), element.get("name")
        parent = element.getparent()
        if name is not None:
            steps.append(f'{tag}[@name="{name}"]')
        elif parent is not None and len(same := [c for c in parent if c.tag == element.tag]) > 1:
            steps.append(f"{tag}[{same.index(element) + 1}]")
        else:
            steps.append(tag)
        element = parent
    return "/" + "/".join(reversed(steps))
