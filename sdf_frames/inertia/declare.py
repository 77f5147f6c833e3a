"""Computed inertias written where they belong: into a text, or the file or the model that was loaded.

In a text every other byte stays as it is. What becomes of inertias when a document is loaded is the choice that the
automatic-inertia proposal gives (ConfigureCalculateInertial), with the third value of libsdformat's
ConfigureResolveAutoInertials.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lxml import etree

from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Edit
from sdf_frames.document.numbers import write_number, write_numbers
from sdf_frames.document.places import Element, Source, find_number, source_of
from sdf_frames.document.xml_scan import read_tag, tokenize
from sdf_frames.inertia.result import DEFAULT, GIVEN, InertiaResult, LinkInertia
from sdf_frames.inertia.urdf_links import find_converted_names
from sdf_frames.sdf.model import Inertial, Link, Member, Model, Root, walk_links
from sdf_frames.spatial.inertia import MOMENTS
from sdf_frames.urdf.model import TENSOR, Robot


class Places(NamedTuple):
    """Where inertias belong.

    Attributes
    ----------
    wanted : the inertias to write into a document, by the number of the link's start tag.
    elsewhere : names of links that are in other files.
    """

    wanted: dict[int, LinkInertia]
    elsewhere: list[str]


def find_robot_places(robot: Robot, report: Iterable[Row], result: InertiaResult) -> Places:
    """Find where the inertias of a URDF's links belong, which ``urdf_links.compute_urdf_links`` computes."""
    names = find_converted_names(report)
    computed = _index_computed(result)
    return _place([(link.element, computed.get((0, names.get(link.name, link.name)))) for link in robot.links],
                  robot.element)


def find_places(root: Root, result: InertiaResult) -> Places:
    """Find where the inertias of an SDFormat document belong, without declared ones and those that no body has."""
    computed = _index_computed(result)
    return _place([(link.element, computed.get((scope, prefix + link.name)))
                   for scope, prefix, link in walk_links(root)], root.element)


def _place(links: Iterable[tuple[Element | None, LinkInertia | None]], root: Element | None) -> Places:
    """Find where links are in the document of `root`; of links of one name, the first counts."""
    places = Places({}, [])
    done: set[int] = set()
    for element, inertia in links:
        if inertia is None or id(inertia) in done:
            continue
        done.add(id(inertia))
        if element is not None and root is not None and source_of(element) is source_of(root) and (
                number := find_number(element)) is not None:
            places.wanted[number] = inertia
        else:
            places.elsewhere.append(inertia.name)
    return places


def _index_computed(result: InertiaResult) -> dict[tuple[int, str], LinkInertia]:
    return {(x.scope, x.name): x for x in result.links if x.method not in GIVEN and x.physical}


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


def edit_inertials(source: Source, inertias: Mapping[int, LinkInertia]) -> list[Edit]:
    """Find the edits that put inertias into a document.

    In the ``<inertial>`` of each link, pose (a URDF's origin), mass and inertia are replaced and ``auto`` goes;
    density, parameters and comments stay.

    Parameters
    ----------
    source : of the document.
    inertias : by the number of their link's start tag, as :func:`sdf_frames.document.places.find_number` gives it.
    """
    text = source.text or b""
    starts = [start for kind, start, _ in tokenize(text) if kind == "start"] if inertias else []
    language = read_tag(text, starts[0]) if starts else ""
    edits = [_make_edit(text, _find_span(text, starts[number]), inertia, language)
             for number, inertia in inertias.items()]
    return [Edit(*source.place(start), *source.place(stop), new.decode()) for start, stop, new in edits]


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
    """Return the white space before `at` on its line."""
    line = text[text.rfind(b"\n", 0, at) + 1:at]
    return line if not line.strip() else b""


def _render_sdf(inertia: LinkInertia, lead: bytes, step: bytes) -> bytes:
    x, y, z, roll, pitch, yaw = _find_pose(inertia)
    lines = [f"<pose>{write_numbers((x, y, z, roll, pitch, yaw))}</pose>",
             f"<mass>{write_number(inertia.mass)}</mass>",
             "<inertia>"]
    inner = [f"<{tag}>{write_number(v)}</{tag}>" for tag, v in zip(MOMENTS, inertia.inertia)]
    return b"".join([lead + line.encode() for line in lines] + [lead + step + line.encode() for line in inner]
                    + [lead + b"</inertia>"])


def _render_urdf(inertia: LinkInertia, lead: bytes, step: bytes) -> bytes:
    pose = _find_pose(inertia)
    moments = dict(zip(MOMENTS, inertia.inertia))
    tensor = " ".join([f'{tag}="{write_number(moments[tag])}"' for tag in TENSOR])
    lines = [f'<origin xyz="{write_numbers(pose[:3])}" rpy="{write_numbers(pose[3:])}"/>',
             f'<mass value="{write_number(inertia.mass)}"/>', f"<inertia {tensor}/>"]
    return b"".join([lead + line.encode() for line in lines])


def _find_pose(inertia: LinkInertia) -> tuple[float, ...]:
    """Return x, y, z in metres, then roll, pitch and yaw in radians."""
    x, y, z, qw, qx, qy, qz = inertia.pose
    if (qx, qy, qz) == (0, 0, 0):
        return x, y, z, 0, 0, 0
    from sdf_frames.spatial.pose import rpy_from_quaternion
    return (x, y, z, *rpy_from_quaternion(qw, qx, qy, qz))


SAVE_IN_ELEMENT = "save-in-element"


def save_in_root(root: Root, result: InertiaResult) -> Root:
    """Return the document with the inertias that its ``auto="true"`` asks for; those that failed stay as they are."""
    computed = {(link.scope, link.name): link for link in result.links
                if link.auto and link.physical and link.method != DEFAULT}

    def renew_link(link: Link, scope: int, prefix: str) -> Link:
        inertia = computed.get((scope, prefix + link.name))
        if inertia is None or link.inertial is None:
            return link
        return link._replace(inertial=_declare(link.inertial, inertia))

    def renew(model: Model, scope: int, prefix: str) -> Model:
        models = {id(m): renew(m, scope, f"{prefix}{m.name}::") for m in model.models}
        links = {id(link): renew_link(link, scope, prefix) for link in model.links}
        members: dict[int, Member] = {**models, **links}
        return model._replace(links=tuple(links.values()), models=tuple(models.values()),
                              order=tuple([members.get(id(m), m) for m in model.order]))

    worlds = []
    for scope, world in enumerate(root.worlds):
        models = {id(m): renew(m, scope, f"{m.name}::") for m in world.models}
        worlds.append(world._replace(models=tuple(models.values()),
                                     order=tuple([models.get(id(m), m) for m in world.order])))
    model = None if root.model is None else renew(root.model, len(worlds), "")
    return root._replace(worlds=tuple(worlds), model=model)


def _declare(inertial: Inertial, inertia: LinkInertia) -> Inertial:
    return inertial._replace(auto=False, mass=inertia.mass, X_LI=inertia.pose, frame="", moments=inertia.inertia)


def save_in_source(source: Source, root: Root, result: InertiaResult) -> tuple[Edit, ...]:
    """Return edits of an SDFormat text that declare the same inertias, except for links of includes."""
    asked = InertiaResult(tuple([link for link in result.links if link.auto]))
    return tuple(edit_inertials(source, find_places(root, asked).wanted))


def save_in_tree(tree: Element, result: InertiaResult) -> None:
    """Declare the same inertias in an ``<sdf>`` tree with its includes in place."""
    computed = _index_computed(InertiaResult(tuple([link for link in result.links if link.auto])))
    tops = [*tree.iterchildren("world"), *list(tree.iterchildren("model"))[:1]]
    pending = [(top, number, "") for number, top in enumerate(tops)]
    while pending:
        scope, number, prefix = pending.pop()
        pending += [(model, number, f"{prefix}{model.get('name')}::") for model in scope.iterchildren("model")]
        for link in scope.iterchildren("link"):
            inertial = link.find("inertial")
            inertia = computed.get((number, prefix + (link.get("name") or "")))
            if inertia is None or inertial is None:
                continue
            inertial.attrib.pop("auto", "")
            for tag in _REPLACED["sdf"]:
                for old in inertial.findall(tag):
                    inertial.remove(old)
            inertial[:0] = etree.fromstring(b"<a>" + _render_sdf(inertia, b"", b"") + b"</a>")
