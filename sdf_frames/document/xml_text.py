"""The text of an XML document before it is parsed: what readers of the formats skip, and what XML cannot hold.

Every line keeps its number.
"""
from __future__ import annotations

import re

from sdf_frames.diagnostics import Diagnostic, Location, diagnose

BAD_REFERENCE = "xml-character-reference-invalid"
_COMMENT = re.compile(rb"<!--(.*?)(-->|\Z)", re.DOTALL)  # one that does not end is not searched for its end again and again
_BEHIND_COMMENT = re.compile(rb"-->\s*[^<\s]")
_VISIBLE = re.compile(rb"[^\s]")
# What stands in comments and sections is left alone; one that does not end goes to the end.
_OPAQUE = rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)"
_SECTION_END = re.compile(rb"(%b)|\]\]>" % _OPAQUE, re.DOTALL)
_REFERENCE = re.compile(rb"(%b)|&#(?:x0*([0-9A-Fa-f]{1,6});|0*([0-9]{1,7});)?" % _OPAQUE, re.DOTALL)
_INSTRUCTION = re.compile(rb"%b|(<[^!?])|(<\?)(?!xml\s)" % _OPAQUE, re.DOTALL)
_BARE_AMPERSAND = re.compile(rb"&(?!#?\w+;)")
_UNSPACED = re.compile(rb"""(=\s*(?:"[^"]*"|'[^']*'))(?=[A-Za-z_:])""")
_DECLARATION = re.compile(
    rb"""<\?xml\s+version\s*=\s*(["'])1\.\d\1"""
    rb"""(?:\s+encoding\s*=\s*(["'])(?i:utf-?8|us-ascii|ascii|iso-?8859-\d+|latin-?1|windows-125\d)\2)?"""
    rb"""(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>""")
_LEADING = re.compile(rb"\s*[^<]*")


def prepare_text(text: bytes, file: str | None, found: list[Diagnostic], *, keep_comments: bool) -> bytes:
    """`text`, in an encoding that extends ASCII, as a parser wants it: nothing before the declaration, a declaration that
    can be read and, unless comments are kept, no text behind a comment; a finding for each of these."""
    if not text.startswith(b"<"):
        text = _clear_leading(text, file, found)
    if text.startswith(b"<?xml") and not _DECLARATION.match(text):
        text = _drop_declaration(text, file, found)
    if not keep_comments:
        text = _clear_what_readers_skip(text, file, found)
    if text.find(b"<?", 1) > 0:
        _find_instruction(text, file, found)
    return text


def is_unspaced(text: bytes) -> bool:
    """Whether any attribute follows another one's value without a blank."""
    return _UNSPACED.search(text) is not None


def mend_text(text: bytes, mendable: dict) -> bytes:
    """`text` with what XML cannot hold replaced: the defects whose findings are the keys of `mendable`."""
    if "xml-invalid-bytes" in mendable:
        text = re.sub(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", b"?", text.decode("utf-8", "replace").encode("utf-8"))
    if "xml-hyphens-in-comment" in mendable:
        text = _COMMENT.sub(lambda m: b"<!--" + m[1].replace(b"-", b" ") + m[2], text)
    if "xml-attributes-unspaced" in mendable:
        text = _UNSPACED.sub(rb"\1 ", text)
    if "xml-section-end-in-text" in mendable:
        text = _SECTION_END.sub(lambda m: m[1] or b"]]&gt;", text)
    if BAD_REFERENCE in mendable:
        text = _REFERENCE.sub(lambda m: m[1] or (m[0] if _names_character(m) else b"&amp;" + m[0][1:]), text)
    return _BARE_AMPERSAND.sub(b"&amp;", text) if "xml-bare-ampersand" in mendable else text


def _names_character(reference: re.Match) -> bool:
    """Whether a match of a reference is one to a character that XML has."""
    code = int(reference[2], 16) if reference[2] else int(reference[3] or 0)
    return 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF or code in (9, 10, 13)


def _find_instruction(text: bytes, file: str | None, found: list[Diagnostic]) -> None:
    """Report the first processing instruction behind the start of the root element."""
    inside = False
    for match in _INSTRUCTION.finditer(text):
        inside = inside or bool(match[1])
        if inside and match[2]:
            found.append(diagnose("xml-processing-instruction", Location(file, text.count(b"\n", 0, match.start()) + 1)))
            return


def _drop_declaration(text: bytes, file: str | None, found: list[Diagnostic]) -> bytes:
    """`text` without a declaration that says nothing useful; what follows keeps its lines."""
    end = text.find(b"?>", 0, 1000)
    if end < 0:
        return text
    found.append(diagnose("xml-declaration-malformed", Location(file, 1),
                          declaration=text[:end + 2].decode("utf-8", "replace")))
    return b"\n" * text.count(b"\n", 0, end) + text[end + 2:].lstrip(b" \t")


def _clear_leading(text: bytes, file: str | None, found: list[Diagnostic]) -> bytes:
    """Blank out what stands before the first tag, keeping its line breaks so that lines stay right."""
    if b"<" not in text:
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


def _clear_what_readers_skip(text: bytes, file: str | None, found: list[Diagnostic]) -> bytes:
    """Blank out text that stands behind a comment in the same value: libsdformat and urdfdom read what stands before it."""
    if not _BEHIND_COMMENT.search(text):
        return text
    pieces, done, last, valued = [], 0, 0, False
    for comment in _COMMENT.finditer(text):
        start, end = comment.span()
        tag = text.rfind(b">", last, start) if b"<" in text[last:start] else -1
        valued = bool(text[tag + 1:start].strip()) if tag >= 0 else valued or bool(text[last:start].strip())
        last, after = end, text.find(b"<", end)
        rest = text[end:after] if after >= 0 else b""
        if valued and rest.strip():
            pieces += [text[done:end], _VISIBLE.sub(b" ", rest)]
            done = after
            if len(pieces) == 2:
                found.append(diagnose("xml-text-behind-comment", Location(file, text.count(b"\n", 0, end) + 1)))
    return b"".join([*pieces, text[done:]]) if pieces else text
