"""Writes computed inertias into the elements of their links: in a text, in the loaded file or in the loaded model.

In a text every other byte stays as it is. What becomes of inertias when a document is loaded is the choice that the
automatic-inertia proposal gives (ConfigureCalculateInertial), with the third value of libsdformat's
ConfigureResolveAutoInertials.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Edit
from sdf_frames.document.edits import edit_attributes, edit_out, fill_element, find_line_start, read_edited
from sdf_frames.document.elements import find_child
from sdf_frames.document.numbers import write_number, write_numbers
from sdf_frames.document.places import Element, Source, find_number, source_of
from sdf_frames.inertia.result import DEFAULT, GIVEN, InertiaResult, LinkInertia
from sdf_frames.inertia.urdf_links import find_converted_names
from sdf_frames.sdf.model import Inertial, Link, Member, Model, Root, walk_links
from sdf_frames.spatial.inertia import MOMENTS
from sdf_frames.urdf.model import TENSOR, Robot


class Places(NamedTuple):
    """The places of inertias.

    Attributes
    ----------
    wanted : the inertias to write into a document, by the number of the link's start tag.
    elsewhere : names of links that are in other files.
    """

    wanted: dict[int, LinkInertia]
    elsewhere: list[str]


def find_places(root: Root, result: InertiaResult, robot: Robot | None = None, report: Iterable[Row] = ()) -> Places:
    """Find the places of computed and possible inertias; for links with the same name, the place of the first.

    Parameters
    ----------
    root : the SDFormat document of the links.
    robot, report : the URDF that the document was converted from, to find places there, and the report.
    """
    links: list[tuple[Element | None, tuple[int, str]]]
    if robot is None:
        top: Element | None = root.element
        links = [(link.element, (scope, prefix + link.name)) for scope, prefix, link in walk_links(root)]
    else:
        top, names = robot.element, find_converted_names(report)
        links = [(link.element, (0, names.get(link.name, link.name))) for link in robot.links]
    computed, places = _index_computed(result), Places({}, [])
    for element, key in links:
        if (inertia := computed.pop(key, None)) is None:
            continue
        if element is not None and top is not None and source_of(element) is source_of(top) and (
                number := find_number(element)) is not None:
            places.wanted[number] = inertia
        else:
            places.elsewhere.append(inertia.name)
    return places


def _index_computed(result: InertiaResult) -> dict[tuple[int, str], LinkInertia]:
    return {(x.scope, x.name): x for x in result.links if x.method not in GIVEN and x.physical}


_REPLACED = ("mass", "inertia")


def edit_inertials(source: Source, inertias: Mapping[int, LinkInertia]) -> list[Edit]:
    """Find the edits that put inertias into a document.

    In the ``<inertial>`` of each link, pose (a URDF's origin), mass and inertia are replaced and ``auto`` goes;
    density, parameters and comments stay.

    Parameters
    ----------
    source : of the loaded document. Its upgrade has moved no ``<pose>``, ``<mass>`` or ``<inertia>``.
    inertias : by the number of their link's start tag, as :func:`sdf_frames.document.places.find_number` gives it.
    """
    is_urdf = bool(inertias) and source.element(0).tag == "robot"
    return [edit for number, inertia in inertias.items()
            for edit in _edit_link(source.element(number), is_urdf, inertia)]


def _edit_link(link: Element, is_urdf: bool, inertia: LinkInertia) -> Iterator[Edit]:
    """Yield the edits for one link: on separate lines, if the link begins a line."""
    outer = find_line_start(link)
    step = "\t" if "\t" in outer else "  " * bool(outer)
    inertial = find_child(link, "inertial")
    indent = outer + step
    lines = [indent + step + line for line in (_write_urdf if is_urdf else _write_sdf)(inertia, step)]
    if inertial is None:
        yield fill_element(link, "".join([f"{indent}<inertial>", *lines, f"{indent}</inertial>"]), outer)
        return
    replaced = inertial.iterchildren("origin" if is_urdf else "pose", *_REPLACED)
    kept = read_edited(inertial, map(edit_out, replaced), whole=False).strip()
    yield from edit_attributes(inertial, {"auto": None})
    yield fill_element(inertial, "".join([*lines, *([indent + step + kept] if kept else []), indent]), replace=True)


def _write_sdf(inertia: LinkInertia, step: str) -> list[str]:
    """Return the lines of an ``<inertial>`` of SDFormat."""
    return [f"<pose>{write_numbers(_find_pose(inertia))}</pose>", f"<mass>{write_number(inertia.mass)}</mass>",
            "<inertia>", *[f"{step}<{tag}>{write_number(v)}</{tag}>" for tag, v in zip(MOMENTS, inertia.inertia)],
            "</inertia>"]


def _write_urdf(inertia: LinkInertia, _: str) -> list[str]:
    """Return the lines of an ``<inertial>`` of a URDF."""
    pose, moments = _find_pose(inertia), dict(zip(MOMENTS, inertia.inertia))
    tensor = " ".join([f'{tag}="{write_number(moments[tag])}"' for tag in TENSOR])
    return [f'<origin xyz="{write_numbers(pose[:3])}" rpy="{write_numbers(pose[3:])}"/>',
            f'<mass value="{write_number(inertia.mass)}"/>', f"<inertia {tensor}/>"]


def _find_pose(inertia: LinkInertia) -> tuple[float, ...]:
    """Return x, y, z in metres, then roll, pitch and yaw in radians."""
    x, y, z, qw, qx, qy, qz = inertia.pose
    if (qx, qy, qz) == (0, 0, 0):
        return x, y, z, 0, 0, 0
    from sdf_frames.spatial.pose import rpy_from_quaternion
    return (x, y, z, *rpy_from_quaternion(qw, qx, qy, qz))


SAVE_IN_ELEMENT = "save-in-element"


def save_in_root(root: Root, result: InertiaResult) -> Root:
    """Return the document with its computed inertias in place of ``auto="true"``; failed ones stay as they are."""
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
            for old in [*inertial.iterchildren("pose", *_REPLACED)]:
                inertial.remove(old)
            inertial[:0] = etree.fromstring(f"<a>{''.join(_write_sdf(inertia, ''))}</a>")
