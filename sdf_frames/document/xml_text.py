"""The text of an XML document before it is parsed: its lines, parts that readers skip, characters that XML forbids.

Every character keeps its line and column.
"""
from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from itertools import accumulate

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.budget import Budget, report_exceeded

_CONTINUATION = bytes(range(0x80, 0xC0))  # bytes of UTF-8 that begin no character
_BLOCK = 4096
_SHORTEST = len('a=""')  # the shortest attribute; some writers leave out the blank before it
# One that does not end is not searched for its end again and again
_COMMENT = rb"(?s)<!--(.*?)(-->|\Z)"
_BEHIND_COMMENT = re.compile(rb"-->\s*[^<\s]")
_CHARACTER = rb"[^\n\x80-\xbf][\x80-\xbf]*"
# Encodings in which a character has the same bytes everywhere: edits insert some.
_DECLARATION = (
    rb"""<\?xml\s+version\s*=\s*(["'])1\.\d\1"""
    rb"""(?:\s+encoding\s*=\s*(["'])(?i:(?P<wide>utf-?(?:16|32)(?:[bl]e)?)|"""
    rb"""(?P<encoding>utf-?8|us-ascii|ascii|iso-?8859-\d+|latin-?1|windows-125\d|"""
    rb"""koi8-r|euc-(?:jp|kr)|shift_jis|cp932|big5|gb(?:k|2312|18030)))\2)?"""
    rb"""(?:\s+standalone\s*=\s*(["'])(?:yes|no)\5)?\s*\?>""")
# Encodings in which the bytes of ASCII mean other characters after a shift, and the bytes that shift.
_STATEFUL = rb"""(?i)encoding\s*=\s*["'](iso-2022|hz|utf-7)"""
_SHIFTS = {b"iso-2022": rb"[\x0e\x1b]", b"hz": b"~", b"utf-7": rb"\+"}
_DECLARATION_START = re.compile(rb"[ \n]*<\?xml[\s?]")
# Byte order marks of UTF-16 and UTF-32.
_WIDE = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_ENCODING = re.compile(r"""\A(\s*<\?xml\s[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')""")


class Lines:
    """The lines of a text in UTF-8, which end at line feeds, as libxml2 and editors count them.

    Every offset takes the same time, also on a line of many megabytes.
    """

    __slots__ = ("_text", "_starts", "_counts")

    def __init__(self, text: bytes):
        self._text = text
        self._starts = [*accumulate([len(line) + 1 for line in text.split(b"\n")], initial=0)]
        # The number of characters before each block; not needed for ASCII, where a byte is a character.
        self._counts = None if text.isascii() else [0, *accumulate(
            _count_characters(text[start:start + _BLOCK]) for start in range(0, len(text), _BLOCK))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a byte, from 1; a column counts Unicode code points, and a tab is one."""
        line = bisect_right(self._starts, offset)
        return line, self._count_before(offset) - self._count_before(self._starts[line - 1]) + 1

    def _count_before(self, offset: int) -> int:
        if self._counts is None:
            return offset
        block = offset // _BLOCK
        return self._counts[block] + _count_characters(self._text[block * _BLOCK:offset])


def _count_characters(text: bytes) -> int:
    return len(text.translate(None, _CONTINUATION))


def locate_offset(file: str | None, text: bytes, offset: int) -> Location:
    """Return the location of one byte of a file."""
    line, column = Lines(text).place(offset)
    return Location(file, line, column=column)


def check_attributes(text: bytes, file: str | None, budget: Budget) -> Diagnostic | None:
    """Return an error for the first element of `text` with more attributes than the budget allows.

    libxml2 before 2.12 compares each attribute of an element with all others: 50,000 took 26 s.
    """
    most = budget.attributes
    # Only few texts need the second scan, which skips comments and sections.
    if _find_crowded(text, 0, most) is None or (crowded := _find_crowded_element(text, most)) is None:
        return None
    start, count = crowded
    return report_exceeded("attributes", count, budget, locate_offset(file, text, start))


def _find_crowded_element(text: bytes, most: int) -> tuple[int, int] | None:
    """Call :func:`_find_crowded` without text in comments and sections that looks like a tag."""
    from sdf_frames.document.xml_scan import tokenize
    done = 0
    for kind, start, end in tokenize(text):
        done = end
        if kind == "start" and (count := _count_attributes(text, start)) > most:
            return start, count
    return _find_crowded(text, done, most)  # not well-formed, but libxml2 reads on


def _find_crowded(text: bytes, place: int, most: int) -> tuple[int, int] | None:
    """Return the offset of the first tag from `place` on that has more than `most` attributes, and how many it has.

    A tag is looked at only if no other ``<`` follows within the bytes that so many attributes need.
    """
    shortest = _SHORTEST * most
    start = find_long_run(text, place, shortest)
    while start >= 0:
        if (count := _count_attributes(text, start)) > most:
            return start, count
        start = find_long_run(text, start + shortest, shortest)
    return None


def find_long_run(text: bytes, place: int, length: int) -> int:
    """Return the offset of the first ``<`` from `place` on that no other follows within `length` bytes; -1 if none."""
    start = text.find(b"<", place)
    while 0 <= start < len(text) - length:
        if (following := text.rfind(b"<", start + 1, start + length)) < 0:
            return start
        start = following
    return -1


def _count_attributes(text: bytes, start: int) -> int:
    from sdf_frames.document.xml_scan import read_attributes
    return sum(1 for _ in read_attributes(text, start))


def wide_encoding(text: bytes) -> str | None:
    """Return UTF-16 or UTF-32 if `text` begins with such a byte order mark, else None."""
    return next((_WIDE[mark] for mark in _WIDE if text.startswith(mark)), None)


def find_encoding(content: bytes) -> str:
    """Return the encoding of a document, by its byte order mark (which it keeps) or declaration; else UTF-8."""
    if wide := wide_encoding(content):
        return f"{wide}-{'le' if content[:1] == bytes([0xFF]) else 'be'}"
    text = content.removeprefix(codecs.BOM_UTF8)
    return _take_declaration(text, False, None, [])[1] or "utf-8" if _DECLARATION_START.match(text) else "utf-8"


def decode_document(content: str | bytes) -> str:
    """Return a document in any encoding as a string, whose declaration names no encoding but UTF-8 or ASCII.

    A document in UTF-8 or ASCII keeps every byte, also its byte order mark.
    """
    if isinstance(content, str):
        return content
    encoding = find_encoding(content)
    if encoding.lower() in ("utf-8", "ascii", "us-ascii"):
        return content.decode("utf-8", "replace")
    return _ENCODING.sub(r"\1", content.decode(encoding, "replace").removeprefix("\ufeff"), 1)


def prepare_text(text: bytes, encoding: str | None, file: str | None, found: list[Diagnostic]) -> bytes:
    """Prepare `text` for the parser, and append a finding for each kind of change.

    Without an `encoding`, its declaration names it.

    Returns UTF-8 with blanks for the declaration and what is before the first tag; every character but a byte order
    mark keeps its line and column.
    """
    if not text.startswith(b"<"):
        text = _clear_leading(text, file, found)
    if _DECLARATION_START.match(text):
        text, declared = _take_declaration(text, encoding is not None, file, found)
        encoding = encoding or declared
    text = _decode(text, encoding or "utf-8", file, found)
    if b"<?" in text:
        from sdf_frames.document.xml_scan import find_instruction
        if (offset := find_instruction(text)) is not None:
            found.append(diagnose("xml-processing-instruction", locate_offset(file, text, offset)))
    return text


def _take_declaration(text: bytes, is_known: bool, file: str | None, found: list[Diagnostic],
                      ) -> tuple[bytes, str | None]:
    """Return `text` with blanks for its declaration, and the encoding that the declaration names.

    If the encoding `is_known` already, the declaration may name UTF-16 or UTF-32.
    """
    end = text.find(b"?>", 0, text.find(b"<") + 1000) + 2
    if end < 2:
        return text, None
    match = re.fullmatch(_DECLARATION, declaration := text[:end].strip())
    encoding = (match["encoding"] or b"utf-8").decode() if match else None
    if match is None or encoding is None or not _is_codec(encoding) or (match["wide"] and not is_known):
        stateful = None if is_known else re.search(_STATEFUL, declaration)
        is_shifted = stateful and re.search(_SHIFTS[stateful[1].lower()], text)
        found.append(diagnose("xml-encoding-stateful" if is_shifted else "xml-declaration-malformed",
                              locate_offset(file, text, text.index(declaration)),
                              declaration=declaration.decode(errors="replace")))
        encoding = None
    return _blank(text[:end]) + text[end:], encoding


def _blank(text: bytes) -> bytes:
    """Replace every character except line breaks by a blank."""
    return re.sub(_CHARACTER, b" ", text)


def _is_codec(encoding: str) -> bool:
    try:
        codecs.lookup(encoding)
    except LookupError:
        return False
    return True


def _decode(text: bytes, encoding: str, file: str | None, found: list[Diagnostic]) -> bytes:
    """Return `text` in UTF-8, with a finding for the first bytes that are invalid in its encoding."""
    try:
        decoded = text.decode(encoding)
        return text if encoding == "utf-8" else decoded.encode()
    except UnicodeDecodeError as error:
        offset = error.start
    encoding = "utf-8" if encoding.endswith("ascii") else encoding
    sound = text[:offset].decode(encoding).encode()
    found.append(diagnose("xml-invalid-bytes", locate_offset(file, sound, len(sound))))
    return text.decode(encoding, "replace").encode()


def _clear_leading(text: bytes, file: str | None, found: list[Diagnostic]) -> bytes:
    """Replace everything before the first tag by blanks."""
    if b"<" not in text:
        return text
    body = text.removeprefix(codecs.BOM_UTF8)
    lead = body[:body.index(b"<")]
    if lead.strip():
        found.append(diagnose("xml-leading-text", locate_offset(file, body, len(lead) - len(lead.lstrip()))))
    return _blank(lead) + body[len(lead):]


def clear_what_readers_skip(text: bytes, file: str | None, found: list[Diagnostic]) -> bytes:
    """Replace text after a comment in a value by blanks: libsdformat and urdfdom read only the text before it."""
    if not _BEHIND_COMMENT.search(text):
        return text
    pieces, done, last, valued = [], 0, 0, False
    for comment in re.finditer(_COMMENT, text):
        start, end = comment.span()
        tag = text.rfind(b">", last, start) if b"<" in text[last:start] else -1
        valued = bool(text[tag + 1:start].strip()) if tag >= 0 else valued or bool(text[last:start].strip())
        last, after = end, text.find(b"<", end)
        rest = text[end:after] if after >= 0 else b""
        if valued and rest.strip():
            pieces += [text[done:end], _blank(rest)]
            done = after
            if len(pieces) == 2:
                found.append(diagnose("xml-text-behind-comment", locate_offset(file, text, end)))
    return b"".join([*pieces, text[done:]]) if pieces else text
