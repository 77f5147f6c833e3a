"""Computed inertias written into the SDFormat or URDF text that they came from, every other byte left as it is."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from sdf_frames.document.numbers import format_number, format_numbers
from sdf_frames.document.xml_scan import read_tag, tokenize
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.spatial.inertia import MOMENTS
from sdf_frames.urdf.model import TENSOR

_REPLACED = {"sdf": ("pose", "mass", "inertia"), "robot": ("origin", "mass", "inertia")}
_AUTO = re.compile(rb"(?<!\s)\s+auto\s*=\s*(\"[^\"]*\"|'[^']*')")


class _Span(NamedTuple):
    """An element's bytes: ``start`` and ``inner`` around its start tag, ``end`` of its content, ``stop`` of it all.

    The children are tags with start and stop.
    """

    start: int
    inner: int
    end: int
    stop: int
    children: list[tuple[str, int, int]]


def write_inertials(text: bytes, inertias: Mapping[int, LinkInertia]) -> bytes:
    """Put inertias into a document.

    Parameters
    ----------
    text : the document, in an encoding that keeps ASCII as it is.
    inertias : by the number of their link's start tag, as :func:`sdf_frames.document.places.find_number` gives it.

    Returns
    -------
    text
        In the ``<inertial>`` of each link, pose (a URDF's origin), mass and inertia are replaced and ``auto`` goes;
        density, parameters and comments stay.

    Raises
    ------
    ValueError
        The text has fewer start tags.
    """
    starts = [start for kind, start, _ in tokenize(text) if kind == "start"]
    if max(inertias, default=-1) >= len(starts):
        raise ValueError("its text is not in UTF-8 or another encoding that keeps ASCII")
    language = read_tag(text, starts[0]) if starts else ""
    edits = [_make_edit(text, _find_span(text, starts[number]), inertia, language)
             for number, inertia in inertias.items()]
    for start, stop, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[stop:]
    return text


def _find_span(text: bytes, start: int) -> _Span:
    """Find the bytes of the element whose start tag is at `start`."""
    children: list[tuple[str, int, int]] = []
    depth, inner, below, begin, stop = 0, start, start, start, start
    for kind, begin, stop in tokenize(text, start):
        if kind == "start":
            inner = stop if not depth else inner
            below = begin if depth == 1 else below
            depth += 1
        if kind == "end" or (kind == "start" and text[stop - 2:stop] == b"/>"):
            depth -= 1
            if depth == 1:
                children.append((read_tag(text, below), below, stop))
            elif not depth:
                break
    return _Span(start, inner, begin if stop > inner else stop, stop, children)


def _make_edit(text: bytes, link: _Span, inertia: LinkInertia, language: str) -> tuple[int, int, bytes]:
    found = next((start for tag, start, _ in link.children if tag == "inertial"), None)
    newline = b"\r\n" if b"\r\n" in text[:4096] else b"\n"
    outer = _find_indent(text, link.start)
    step = b"  " if b"\t" not in outer else b"\t"
    indent = outer + step
    render = _render_urdf if language == "robot" else _render_sdf
    fresh = render(inertia, newline + indent + step, step)
    if found is None:
        body = newline + indent + b"<inertial>" + fresh + newline + indent + b"</inertial>"
        if link.inner == link.stop:  # <link/>
            tag = text[link.start:link.inner].rstrip()[:-2].rstrip() + b">"
            return link.start, link.stop, tag + body + newline + outer + b"</link>"
        return link.inner, link.inner, body
    inertial = _find_span(text, found)
    tag = _AUTO.sub(b"", text[inertial.start:inertial.inner])
    if inertial.inner == inertial.stop:
        tag = tag.rstrip()[:-2].rstrip() + b">"
        return inertial.start, inertial.stop, tag + fresh + newline + indent + b"</inertial>"
    rest, at = b"", inertial.inner
    for child, start, stop in inertial.children:
        if child in _REPLACED.get(language, ()):
            gap, at = text[at:start], stop
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
