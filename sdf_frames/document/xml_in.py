"""Parses XML text that is not trusted into a tree whose elements can be located.

Robot descriptions arrive over the network: entities are not expanded, nothing external is loaded, depth and size stay
within libxml2's limits. What libsdformat's parser forgives (unbound prefixes, ``--`` in comments, text before the
declaration, …) is mended in the text, with a warning, by the project's own rules (``xml_scan.py``), the same with
every version of libxml2; anything else that is malformed is an error.
"""

import re
from contextlib import suppress
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors, relate
from sdf_frames.diagnostics.not_a_robot import CONFIG, NAME_TEXT, explain_root, explain_text
from sdf_frames.document.budget import Budget, Spending, report_exceeded
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.expanded import Expanded, plain_text
from sdf_frames.document.places import DocumentParser, Source, copy_document, keep_places
from sdf_frames.document.xml_text import (
    Lines,
    check_attributes,
    clear_what_readers_skip,
    find_long_run,
    locate_offset,
    prepare_text,
    wide_encoding,
)

# Advice of libxml2 to programs that use it.
_ADVICE = r",? (?:use|try|see) (?:XML_PARSE_HUGE|xmlCtxt\w+)(?: option)?\.?"
# Messages of libxml2 for an element without an end tag.
_MISMATCH = ("Opening and ending tag mismatch", "Premature end of data in tag")
_IN_TAG = ("error parsing attribute name", "attributes construct error", "Couldn't find end of Start Tag")
_UNQUOTED, _QUOTE = "AttValue: \" or ' expected", 'put the value into quotation marks: name="value"'
_COUNT = etree.XPath("count(descendant-or-self::*)")
# Every finding repeats the names around its element.
_LONG_TEXTS = etree.XPath("//name[string-length() > $most]/..")
_LONG_NAMES = etree.XPath("(//@name | //@reference | //name)[string-length() > $most]/..")
_COMMENTS = etree.XPath("//comment()")  # also those before and behind the root element
_DEFAULT_NAMESPACE = rb"xmlns\s*=\s*[\"']"


class Document(NamedTuple):
    """A document: its root element and the file it came from, if any.

    `carried` is None for a document that was read. For a document that this library made, it holds the elements that
    must be checked: those that were copied from the user's file, or hold a value from it.
    """

    root: Element
    file: str | None = None
    carried: tuple[Element, ...] | None = None

    def copy(self) -> "Document":
        """Return a copy whose elements have the places of those of this document, which must not change."""
        root = copy_document(self.root)
        copies = dict(zip(self.root.iter(), root.iter())) if self.carried else {}
        carried = [copies[e] for e in self.carried or () if e in copies]  # some may have been replaced
        return Document(root, self.file, None if self.carried is None else tuple(carried))


def read_xml(given: str | bytes | Expanded, file: str | None = None, *, keep_comments: bool = False,
             spending: Spending | None = None) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Parse a text.

    Parameters
    ----------
    given : the document: bytes in the encoding that its declaration names, a string, or a text expanded by xacro.
    file : name to report, and the file that relative URIs are relative to.
    keep_comments : keep comments, processing instructions and blank text (for rewriting a file).
    spending : counts the cost of the load that this is part of; None for a default budget of its own.

    Returns
    -------
    document, diagnostics
        The document is None exactly when one of the diagnostics is an error.
    """
    text, encoding = plain_text(given), None
    if isinstance(text, str):
        text, encoding = text.encode(errors="surrogatepass"), "utf-8"
    source = Source(file, text, given=given)
    root, found = _read(source, text, encoding, keep_comments, spending or Spending())
    if source.expanded is not None:  # findings on the text itself, before it has elements
        found = [d._replace(**at._asdict()) if d.file == file and (at := source.place_line(d.line)) else d
                 for d in found]
    return None if root is None else Document(root, file), tuple(found)


def read_whole(source: Source) -> Element:
    """Parse a text, which was read before, with its comments, instructions and blanks: for rewriting it."""
    assert source.text is not None
    twin = Source(source.file, source.text, given=source.given)
    root, error = _parse(source.text, True, twin)
    if error or b"<!DOCTYPE" in source.text:
        root, _ = _parse_mended(source.text, True, twin, None)
    assert root is not None  # or it could not be read before
    _drop_default_namespaces(root)
    keep_places(root)  # the caller is about to change the tree
    return root


def _read(source: Source, text: bytes, encoding: str | None, keep_comments: bool,
          spending: Spending) -> tuple[Element | None, list[Diagnostic]]:
    """Check, prepare and parse the text of `source`, and store the text as it was parsed in `source`."""
    file, given = source.file, text
    if not spending.spend("bytes", len(text)):
        return None, [*spending.report(Location(file))]
    wide = None if encoding else wide_encoding(text)
    found = [] if wide else _check_nul(text, file)
    if has_errors(found):
        return None, found
    if found:
        text = text.replace(b"\0", b" ")
    if wide:
        given = text = text.decode(wide, "replace").encode()
    source.text = text = prepare_text(text, "utf-8" if wide else encoding, file, found)
    if has_errors(found):
        return None, found
    if not keep_comments:
        text = clear_what_readers_skip(text, file, found)
    if crowded := check_attributes(text, file, spending.budget):
        return None, [*found, crowded]
    root, error = _parse(text, keep_comments, source)
    if mended := bool(error) or b"<!DOCTYPE" in text:
        root, findings = _parse_mended(text, keep_comments, source, spending.budget)
        found += [d for d in findings if d not in found]
    if root is None:
        if hint := explain_text(given):
            found = [found[-1]._replace(hint=hint)]
        return None, found
    # An attribute that needed no mending holds no "<", so it is shorter than what stands between two of them.
    is_long = mended or find_long_run(text, 0, spending.budget.name_letters) >= 0
    find = _LONG_NAMES if is_long else _LONG_TEXTS if b"<name" in text else None
    if exceeded := _check_size(root, file, spending, find):
        return None, [*found, *exceeded]
    if wide:
        found.append(diagnose("xml-encoding-wide", Location(file, 1)))
    if None in root.nsmap or (b"xmlns" in text and re.search(_DEFAULT_NAMESPACE, text)):
        _drop_default_namespaces(root)
    return root, found


def _check_nul(text: bytes, file: str | None) -> list[Diagnostic]:
    """Return an error if a text has NUL bytes, or a warning if they all are behind its last tag."""
    if (nul := text.find(b"\0")) < 0:
        return []
    at = locate_offset(file, text, nul)
    if text[nul:].strip(b"\0 \t\r\n") or not text[:nul].rstrip().endswith(b">"):
        return [diagnose("xml-malformed", at, hint=NAME_TEXT,
                         problem="it contains a NUL byte, so it is not text, or its encoding is unknown")]
    return [diagnose("xml-trailing-nul", at)]


def _check_size(root: Element, file: str | None, spending: Spending,
                    find: etree.XPath | None) -> tuple[Diagnostic, ...]:
    """Return an error if a tree has more elements, or a name of more letters, than the budget allows.

    `find` selects the elements with a name, or reference of ``<gazebo>``, of more than ``most`` letters; None if no
    name can be so long.
    """
    count = _COUNT(root)
    assert isinstance(count, float)
    if not spending.spend("elements", int(count)):
        return spending.report(Location(file))
    elements = [] if find is None else find(root, most=spending.budget.name_letters)
    if not isinstance(elements, list) or not elements:
        return ()
    element = elements[0]
    assert isinstance(element, Element)
    words = (element.get("name", ""), element.get("reference", ""), element.findtext("name", ""))
    return (report_exceeded("name_letters", max(map(len, words)), spending.budget, locate(element)),)


def _parse(text: bytes, keep_comments: bool, source: Source) -> tuple[Element | None, tuple[int, str] | None]:
    """Return the root (or None), and line and text of libxml2's first error (or None)."""
    # By lxml's defaults, no document type is loaded, nothing comes from the network, and no tree is huge.
    parser = DocumentParser(
        recover=True, resolve_entities=False, encoding="utf-8",
        remove_comments=not keep_comments, remove_pis=not keep_comments, remove_blank_text=not keep_comments)
    parser.source = source
    root: Element | None = None
    with suppress(etree.XMLSyntaxError):  # the log has an error, then
        root = etree.fromstring(text, parser)
    first = next((entry for entry in parser.error_log if entry.level >= etree.ErrorLevels.ERROR), None)
    return root, None if first is None else (first.line, re.sub(_ADVICE, "", first.message).strip())


def _parse_mended(text: bytes, keep_comments: bool, source: Source,
                  budget: Budget | None) -> tuple[Element | None, list[Diagnostic]]:
    """Parse a text with its defects mended: return root and warnings, or None, warnings and an error."""
    from sdf_frames.document.xml_scan import BARE_LESS_THAN, COLON, UNSPACED, mend_text
    file, source.mended = source.file, True
    mended = mend_text(text, keep_types=keep_comments)
    if budget is not None and (crowded := check_attributes(mended.bare, file, budget)):
        return None, [crowded]
    root, error = _parse(mended.bare, keep_comments, source)
    lines = Lines(text)
    defects = [(d, *lines.place(d.offset)) for d in mended.defects]
    if error:
        last, problem = error
        column = None
        defects = [(d, line, at) for d, line, at in defects if line <= (last or line)]
        # Both defects come from a quotation mark that is missing.
        if less_than := next(((line, at) for d, line, at in defects if d.name == BARE_LESS_THAN), None):
            (last, column), problem = less_than, "Unescaped '<' not allowed in attributes values"
        defects = [(d, line, at) for d, line, at in defects if d.name not in (BARE_LESS_THAN, UNSPACED)]
    found = [diagnose(d.name, Location(file, line, column=at), problem=d.problem) for d, line, at in defects]
    if error:
        return None, [*found, _report_malformed(Location(file, last, column=column), problem.replace(COLON, ":"),
                                                text, lines)]
    if mended.text != mended.bare:
        root, _ = _parse(mended.text, keep_comments, source)
    if keep_comments and root is not None:
        comments: Any = _COMMENTS(root)
        for comment, content in zip(comments, mended.comments):
            comment.text = content
    return root, found


def _report_malformed(at: Location, problem: str, text: bytes, lines: Lines) -> Diagnostic:
    """Report libxml2's error; an element without an end tag is reported at its start tag."""
    from sdf_frames.document.xml_scan import find_mismatch, find_unended, read_tag
    if problem.startswith(_IN_TAG) and (start := find_unended(text)) is not None:
        return diagnose("xml-malformed", _place(at.file, lines, start), hint="write > or /> in front of the next tag",
                        problem=f"the tag <{read_tag(text, start)}> has no > at its end")
    opened, end = find_mismatch(text) if problem.startswith(_MISMATCH) else ([], None)
    if not opened:
        hint = (_QUOTE if problem.startswith(_UNQUOTED) else None) if text.strip() else (
            "give the text of a URDF or SDFormat file")
        return diagnose("xml-malformed", at, problem=problem, hint=hint)
    begin, tag = opened[-1], read_tag(text, opened[-1])
    problem, hint, related = f"<{tag}> is not closed", f"write </{tag}> where the element ends", []
    if end is not None:
        last, is_open = read_tag(text, end), any(read_tag(text, start) == read_tag(text, end) for start in opened)
        problem, hint = (f"{problem} before </{last}>", f"{hint}, or correct the name in </{last}>") if is_open else (
            f"</{last}> does not match the open element <{tag}>", f"remove </{last}>, or write </{tag}> in its place")
        related = [relate(f"</{last}>", _place(at.file, lines, end)) if is_open else
                   relate(f"<{tag}>", _place(at.file, lines, begin))]
        begin = begin if is_open else end
    return diagnose("xml-malformed", _place(at.file, lines, begin), problem=problem, hint=hint, related=related)


def _place(file: str | None, lines: Lines, offset: int) -> Location:
    line, column = lines.place(offset)
    return Location(file, line, column=column)


def report_root(root: Element) -> Diagnostic:
    """Report a root element that is neither URDF's nor SDFormat's."""
    tag = tag_of(root)
    is_config = tag == "model" and root.find("sdf") is not None
    return diagnose("not-a-robot-description", locate(root), tag=tag, hint=explain_root(CONFIG if is_config else tag))


def _drop_default_namespaces(root: Element) -> None:
    """Give elements of a default namespace their bare names: the formats have no namespaces."""
    for element in root.iter(etree.Element):
        if element.tag[0] == "{" and element.prefix is None:
            element.tag = tag_of(element)
