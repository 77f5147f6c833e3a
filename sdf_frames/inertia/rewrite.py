"""Computed inertias written into the SDFormat or URDF text that they came from, every other byte left as it is."""
from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

from sdf_frames.document.numbers import format_number, format_numbers
from sdf_frames.document.xml_in import Element, tag_of
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.spatial.inertia import MOMENTS
from sdf_frames.urdf.model import TENSOR

_REPLACED = {"sdf": ("pose", "mass", "inertia"), "robot": ("origin", "mass", "inertia")}
_AUTO = re.compile(rb"(?<!\s)\s+auto\s*=\s*(\"[^\"]*\"|'[^']*')")
#: A start tag; ``>`` may stand in its attributes.
_TAG = re.compile(rb"""<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>""")
#: Tag and name of a link and of all above it, from the root down.
Key = tuple[tuple[str, str | None], ...]


class _Span:
    """An element's bytes: ``start`` and ``inner`` around its start tag, ``end`` of its content, ``stop`` of it all."""

    __slots__ = ("key", "tag", "start", "inner", "end", "stop", "children")

    def __init__(self, key: Key, tag: str, start: int):
        self.key, self.tag, self.start = key, tag, start
        self.children: list[_Span] = []
        self.inner = self.end = self.stop = start


def find_key(element: Element) -> Key:
    """Tags and names from the root down, which tell a link from all others of its file."""
    key = []
    around: Element | None = element
    while around is not None:
        key.append((tag_of(around), around.get("name")))
        around = around.getparent()
    return tuple(reversed(key))


def write_inertials(text: bytes, inertias: Mapping[Key, LinkInertia],
                    encoding: str | None = None) -> tuple[bytes, set[Key]]:
    """Put inertias into a document.

    Parameters
    ----------
    text : the document, in an encoding that keeps ASCII as it is.
    inertias : by the :func:`find_key` of their link.
    encoding : of `text`, whatever its declaration says; None to believe that.

    Returns
    -------
    text, written
        The new text, and the keys of the links that were found in it. In their ``<inertial>`` pose (a URDF's origin),
        mass and inertia are replaced and ``auto`` goes; density, parameters and comments stay.

    Raises
    ------
    ValueError
        Where the text is not well-formed.
    """
    spans = _find_links(text, encoding)
    edits: list[tuple[int, int, bytes]] = []
    written: set[Key] = set()
    for span in spans:
        inertia = inertias.get(span.key)
        if inertia is not None and span.key not in written:
            written.add(span.key)
            edits.append(_make_edit(text, span, inertia))
    for start, stop, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[stop:]
    return text, written


def _find_links(text: bytes, encoding: str | None) -> list[_Span]:
    """Spans of all links, with those of their children and their children's children."""
    links: list[_Span] = []
    stack: list[_Span] = []
    parser = expat.ParserCreate(encoding)

    def start(tag: str, attributes: Mapping[str, str]) -> None:
        at = parser.CurrentByteIndex
        span = _Span((*(stack[-1].key if stack else ()), (tag, attributes.get("name"))), tag, at)
        tag_end = _TAG.match(text, at)
        span.inner = tag_end.end() if tag_end else len(text)
        if stack:
            stack[-1].children.append(span)
        stack.append(span)
        if tag == "link":
            links.append(span)

    def end(_tag: str) -> None:
        span, at = stack.pop(), parser.CurrentByteIndex
        if text[span.inner - 2:span.inner] == b"/>":
            span.end = span.stop = span.inner  # the parser is already at what follows
        else:
            span.end, span.stop = at, text.index(b">", at) + 1

    def refuse(*_declaration: object) -> None:
        raise ValueError("the document declares entities")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = start, end, refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error
    return links


def _make_edit(text: bytes, link: _Span, inertia: LinkInertia) -> tuple[int, int, bytes]:
    inertial = next((c for c in link.children if c.tag == "inertial"), None)
    newline = b"\r\n" if b"\r\n" in text[:4096] else b"\n"
    outer = _find_indent(text, link.start)
    step = b"  " if b"\t" not in outer else b"\t"
    indent = outer + step
    language = link.key[0][0]
    render = _render_urdf if language == "robot" else _render_sdf
    fresh = render(inertia, newline + indent + step, step)
    if inertial is None:
        body = newline + indent + b"<inertial>" + fresh + newline + indent + b"</inertial>"
        if link.inner == link.stop:  # <link/>
            tag = text[link.start:link.inner].rstrip()[:-2].rstrip() + b">"
            return link.start, link.stop, tag + body + newline + outer + b"</link>"
        return link.inner, link.inner, body
    tag = _AUTO.sub(b"", text[inertial.start:inertial.inner])
    if inertial.inner == inertial.stop:
        tag = tag.rstrip()[:-2].rstrip() + b">"
        return inertial.start, inertial.stop, tag + fresh + newline + indent + b"</inertial>"
    rest, at = b"", inertial.inner
    for child in inertial.children:
        if child.tag in _REPLACED.get(language, ()):
            gap, at = text[at:child.start], child.stop
            # A line that held nothing else goes with it.
            if (rest + gap).rstrip(b" \t").endswith(b"\n") and text[at:at + 1] in (b"\n", b"\r"):
                gap, at = gap.rstrip(b" \t"), text.index(b"\n", at) + 1
            rest += gap
    rest += text[at:inertial.end]
    if not rest.strip():
        rest = newline + indent
    elif not rest.startswith((b"\n", b"\r")):
        rest = newline + indent + step + rest.lstrip()
    return inertial.start, inertial.stop, tag + fresh + rest + text[inertial.end:inertial.stop]


def _find_indent(text: bytes, at: int) -> bytes:
    """White space before `at` on its line."""
    line = text[text.rfind(b"\n", 0, at) + 1:at]
    return line if not line.strip() else b""


def _render_sdf(inertia: LinkInertia, lead: bytes, step: bytes) -> bytes:
    x, y, z, roll, pitch, yaw = _find_pose(inertia)
    lines = [f"<pose>{format_numbers((x, y, z, roll, pitch, yaw))}</pose>",
             f"<mass>{format_number(inertia.mass)}</mass>",
             "<inertia>"]
    inner = [f"<{tag}>{format_number(v)}</{tag}>" for tag, v in zip(MOMENTS, inertia.inertia)]
    return b"".join([lead + line.encode() for line in lines] + [lead + step + line.encode() for line in inner]
                    + [lead + b"</inertia>"])


def _render_urdf(inertia: LinkInertia, lead: bytes, step: bytes) -> bytes:
    pose = _find_pose(inertia)
    moments = dict(zip(MOMENTS, inertia.inertia))
    tensor = " ".join([f'{tag}="{format_number(moments[tag])}"' for tag in TENSOR])
    lines = [f'<origin xyz="{format_numbers(pose[:3])}" rpy="{format_numbers(pose[3:])}"/>',
             f'<mass value="{format_number(inertia.mass)}"/>', f"<inertia {tensor}/>"]
    return b"".join([lead + line.encode() for line in lines])


def _find_pose(inertia: LinkInertia) -> tuple[float, ...]:
    """x, y, z in metres, then roll, pitch and yaw."""
    x, y, z, qw, qx, qy, qz = inertia.pose
    if (qx, qy, qz) == (0, 0, 0):
        return x, y, z, 0, 0, 0
    from sdf_frames.spatial.pose import rpy_from_quaternion
    return (x, y, z, *rpy_from_quaternion(qw, qx, qy, qz))
