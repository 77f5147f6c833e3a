"""Scans the text of an XML document: finds its tokens, and mends the defects that are forgiven.

The versions of libxml2 differ in the defects that they forgive and in how they report them. A text that libxml2
refuses goes through :func:`mend_text`, which mends each defect that libsdformat's parser also accepts. What libxml2
reports for the mended text is final. Every line keeps its number. Time and memory are linear in the text's length.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

BARE_LESS_THAN = "xml-bare-less-than"
UNSPACED = "xml-attributes-unspaced"
_HYPHENS = "xml-hyphens-in-comment"
_UNBOUND = "xml-unbound-prefix"
#: Stands for the colons of names in :attr:`Mended.bare`: a letter of XML names that looks like a colon.
COLON = "\ua4fd"
_NAME = rb"[A-Za-z_:\x80-\xff][-\w.:\x80-\xff]*"
_VALUE = rb"""(?:"[^"]*"|'[^']*')"""
# Each token matches in one way only, so that a token without an end is found in linear time.
_TOKEN = re.compile(
    rb"(?P<text>[^<]+)"
    rb"|(?P<comment><!--.*?-->)"
    rb"|(?P<section><!\[CDATA\[.*?\]\]>)"
    rb"|(?P<instruction><\?.*?\?>)"
    rb"|(?P<type><!DOCTYPE)"
    rb"|(?P<end></%(name)b\s*>)"
    rb"|(?P<start><%(name)b(?=[\s/>])(?:\s*%(name)b\s*=\s*%(value)b)*\s*/?>)"
    % {b"name": _NAME, b"value": _VALUE}, re.DOTALL)
_UNENDED = re.compile(rb"<%(name)b(?:\s+%(name)b\s*=\s*%(value)b)*\s*/?\s*<" % {b"name": _NAME, b"value": _VALUE})
_TAG_NAME = re.compile(rb"<[/?]?(%b)" % _NAME)
# A text or tag in which nothing is mended: without references and prefixes, "<" in values and blanks that lack.
_PLAIN = re.compile(rb"""[^<&\]]+|</?%(name)b(?:\s+%(name)b\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*\s*/?>"""
                    % {b"name": _NAME.replace(b":", b"")})
_ATTRIBUTE = re.compile(rb"(\s*)(%b)(\s*=\s*)(%b)" % (_NAME, _VALUE))
_TYPE_PART = re.compile(rb"""<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|"[^"]*"?|'[^']*'?|[\[\]>]""", re.DOTALL)
_REFERENCE = re.compile(rb"&(?:#(?:x0*([0-9A-Fa-f]{1,6});|0*([0-9]{1,7});)?|(%b);)?" % _NAME)
_PREDEFINED = (b"amp", b"lt", b"gt", b"quot", b"apos")
_DECLARATION = re.compile(rb"<\?(?i:xml)[\s?]")
_INVALID = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
_VISIBLE = re.compile(rb"[^\n]")
_QNAME = re.compile(rb"([A-Za-z_\x80-\xff][^:]*):[A-Za-z_\x80-\xff][^:]*")


class Defect(NamedTuple):
    """A kind of forgiven defect: the finding's name, the offset where it stands first, and the finding's text."""

    name: str
    offset: int
    problem: str | None


class Mended(NamedTuple):
    """A text without the defects that are forgiven.

    text : the text, well-formed but for prefixes that are not bound.
    bare : the same text with :data:`COLON` for the colons of names; libxml2 judges this one: no name has a prefix.
    defects : the defects that were mended, one of each kind, by offset.
    comments : the contents of all comments as written, if one of them was mended.
    """

    text: bytes
    bare: bytes
    defects: tuple[Defect, ...]
    comments: tuple[str, ...]


def tokenize(text: bytes, place: int = 0) -> Iterator[tuple[str, int, int]]:
    """Yield the kind and span of each token of `text` from `place`, up to the first that is not well-formed."""
    while token := _TOKEN.match(text, place):
        start, place = token.span()
        kind = token.lastgroup or ""
        if kind == "type":
            place = _find_type_end(text, place)
        yield kind, start, place


def _find_type_end(text: bytes, place: int) -> int:
    """Return the end of the document type declaration around `place`."""
    inside = False
    for part in _TYPE_PART.finditer(text, place):
        if part[0] == b">" and not inside:
            return part.end()
        if part[0] in (b"[", b"]"):
            inside = part[0] == b"["
    return len(text)


def read_attributes(text: bytes, start: int) -> Iterator[re.Match[bytes]]:
    """Yield the well-formed attributes of the tag at `start`; groups 2 and 4 are the name and the quoted value."""
    part = _TAG_NAME.match(text, start)
    while part and (part := _ATTRIBUTE.match(text, part.end())):
        yield part


def read_tag(text: bytes, start: int) -> str:
    """Return the name in the tag at an offset."""
    match = _TAG_NAME.match(text, start)
    return match[1].decode(errors="replace") if match else ""


def find_mismatch(text: bytes) -> tuple[list[int], int | None]:
    """Find the first end tag that does not close the innermost open element.

    Returns
    -------
    opened, end
        The offsets of the start tags of all open elements, and that of the end tag; None if the text ends before.
    """
    opened: list[int] = []
    for kind, start, end in tokenize(text):
        if kind == "start" and text[end - 2:end] != b"/>":
            opened.append(start)
        elif kind == "end":
            if not opened or read_tag(text, opened[-1]) != read_tag(text, start):
                return opened, start
            opened.pop()
    return opened, None


def find_unended(text: bytes) -> int | None:
    """Return the offset where a scan stops if it is a start tag with another tag in place of its end, or None."""
    end = max((end for _, _, end in tokenize(text)), default=0)
    return end if _UNENDED.match(text, end) else None


def find_instruction(text: bytes) -> int | None:
    """Return the offset of the first processing instruction inside of or after the root element, or None."""
    inside, last = False, text.rfind(b"<?")
    for kind, start, _ in tokenize(text):
        if start > last:
            break
        inside = inside or kind == "start"
        if inside and kind == "instruction" and not _DECLARATION.match(text, start):
            return start
    return None


def mend_text(text: bytes, *, keep_types: bool) -> Mended:
    """Mend the defects that are forgiven.

    Parameters
    ----------
    text : UTF-8. What follows a token that is not well-formed is left as it is.
    keep_types : leave document type declarations in the text (for rewriting a file).
    """
    mender = _Mender(_INVALID.sub(b"?", text), keep_types)
    if invalid := _INVALID.search(text):
        mender.note("xml-invalid-bytes", invalid.start())
    return mender.mend()


class _Mender:
    """Reads a text once, and writes it without its defects."""

    def __init__(self, text: bytes, keep_types: bool):
        self.text, self.keep_types = text, keep_types
        self.mended, self.bare = bytearray(), bytearray()
        self.found: dict[str, tuple[int, str | None]] = {}
        self.comments: list[str] = []
        self.bound = Counter((b"xml",))
        self.open: list[Sequence[bytes]] = []  # the prefixes that each open element binds

    def mend(self) -> Mended:
        done = copied = 0
        for kind, start, done in tokenize(self.text):
            if _PLAIN.fullmatch(self.text, start, done):
                self.follow(kind, start, done)
                continue
            self.write(self.text[copied:start])
            piece, copied = self.text[start:done], done
            if kind == "text":
                self.write(self.mend_content(piece, start))
            elif kind == "comment":
                self.write(self.mend_comment(piece, start))
            elif kind == "instruction" and _DECLARATION.match(piece):
                self.note("xml-late-declaration", start)
                self.write(_VISIBLE.sub(b" ", piece))
            elif kind == "type" and not self.keep_types:
                self.write(_VISIBLE.sub(b" ", piece))
            elif kind in ("start", "end", "instruction") and (tag := _TAG_NAME.match(self.text, start)):
                self.mend_tag(kind, tag, done)
            else:
                self.write(piece)
        self.write(self.text[copied:])
        defects = tuple([Defect(name, place, problem)
                         for name, (place, problem) in sorted(self.found.items(), key=lambda item: item[1][0])])
        comments = tuple(self.comments) if _HYPHENS in self.found else ()
        return Mended(bytes(self.mended), bytes(self.bare), defects, comments)

    def write(self, piece: bytes) -> None:
        self.mended += piece
        self.bare += piece

    def write_name(self, name: bytes) -> None:
        self.mended += name
        self.bare += name.replace(b":", COLON.encode())

    def note(self, name: str, place: int, problem: str | None = None) -> None:
        self.found.setdefault(name, (place, problem))

    def mend_comment(self, comment: bytes, start: int) -> bytes:
        content = comment[4:-3]
        self.comments.append(content.decode())
        if b"--" not in content and not content.endswith(b"-"):
            return comment
        self.note(_HYPHENS, start + 4 + (content + b"-").find(b"--"))
        return b"<!--" + content.replace(b"-", b" ") + b"-->"

    def mend_content(self, piece: bytes, start: int) -> bytes:
        if b"]]>" in piece:
            self.note("xml-section-end-in-text", start + piece.find(b"]]>"))
        return self.mend_references(piece, start).replace(b"]]>", b"]]&gt;")

    def mend_tag(self, kind: str, tag: re.Match[bytes], end: int) -> None:
        """Write a tag or a processing instruction that begins with `tag`, with its defects mended."""
        start = tag.start()
        self.write(self.text[start:tag.start(1)])
        self.write_name(tag[1])
        done, names, binds = tag.end(), [], []
        for attribute in _ATTRIBUTE.finditer(self.text, done, end) if kind == "start" else ():
            blank, name, equals, value = attribute.groups()
            if not blank:
                self.note(UNSPACED, attribute.start())
            self.write(blank or b" ")
            self.write_name(name)
            self.write(equals + self.mend_value(value, attribute.start(4)))
            done = attribute.end()
            if name.startswith(b"xmlns:") and b":" not in name[6:] and len(value) > 2:
                binds.append(name[6:])
            elif b":" in name:
                names.append(name)
        self.write(self.text[done:end])
        self.bound.update(binds)
        if kind != "end":
            self.note_unbound(tag[1], names, start)
        self.follow(kind, start, end, binds)

    def follow(self, kind: str, start: int, end: int, binds: Sequence[bytes] = ()) -> None:
        """Record the elements that a token opens, with the prefixes that it binds, and closes."""
        if kind == "start":
            self.open.append(binds)
        if self.open and (kind == "end" or (kind == "start" and self.text.endswith(b"/>", start, end))):
            for prefix in self.open.pop():
                self.bound[prefix] -= 1

    def note_unbound(self, tag: bytes, attributes: list[bytes], place: int) -> None:
        """Report the first name, of the attributes of a tag or the tag itself, whose prefix is not bound."""
        for name in (*attributes, tag):
            if b":" in name and not ((qname := _QNAME.fullmatch(name)) and self.bound[qname[1]] > 0):
                prefix, _, local = name.decode().partition(":")
                owner = f"on {local}" if name is tag else f"for {local} on {tag.decode()}"
                self.note(_UNBOUND, place, f"Namespace prefix {prefix} {owner} is not defined")

    def mend_value(self, value: bytes, start: int) -> bytes:
        if b"<" in value:
            self.note(BARE_LESS_THAN, start + value.find(b"<"))
        return self.mend_references(value, start).replace(b"<", b"&lt;")

    def mend_references(self, piece: bytes, start: int) -> bytes:
        """Return `piece`, which begins at `start`, with ``&amp;`` for ampersands that begin no character reference."""
        def mend_reference(match: re.Match[bytes]) -> bytes:
            place, whole = start + match.start(), match[0]
            if match[3]:
                if match[3] in _PREDEFINED:
                    return whole
                self.note("xml-unknown-entity", place,
                          problem=f"entity &{match[3].decode()}; is not expanded; it is kept as plain text")
            elif not whole.startswith(b"&#"):
                self.note("xml-bare-ampersand", place)
            elif _names_character(match):
                return whole
            else:
                self.note("xml-character-reference-invalid", place)
            return b"&amp;" + whole[1:]

        return _REFERENCE.sub(mend_reference, piece)


def _names_character(reference: re.Match[bytes]) -> bool:
    """Return whether a character reference names a character that XML allows."""
    if not (reference[1] or reference[2]):
        return False
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF or code in (9, 10, 13)
