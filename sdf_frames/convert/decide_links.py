"""Decides the content of each link of the SDF: its shapes and settings, and those of all links lumped into it."""
from __future__ import annotations

from typing import Union

from lxml import etree

from sdf_frames.convert.carry import carry_elements
from sdf_frames.convert.destinations import Share
from sdf_frames.convert.emit import WHOLE
from sdf_frames.convert.extensions import REPLACED, Setting
from sdf_frames.convert.fates import Contents, LinkFate, Marks, ShapeFate, Value, rank_of
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import combine_inertia
from sdf_frames.convert.massless import describe_massless
from sdf_frames.convert.options import EPSILON_INERTIA, EPSILON_MASS
from sdf_frames.convert.report import Action, Entry, row_kind
from sdf_frames.convert.round_trip_attributes import ORIGIN, PARENT
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.numbers import read_number
from sdf_frames.document.places import copy_made
from sdf_frames.sdf.names import Taken
from sdf_frames.sdf.table import SINCE
from sdf_frames.spatial.inertia import find_defects
from sdf_frames.urdf.model import NO_ORIGIN, Capsule, Collision, Inertial, Link, Material, Visual

# The values of every setting for a link and for the links lumped into it; None if its text is malformed.
Read = dict[Setting, Union[list[Value], None]]

# What a link of SDFormat has once, with the default.
_OF_WHOLE_LINK = {"gravity": "1", "velocity_decay": "0", "self_collide": "0", "kinematic": "0", "enable_wind": "0",
                  "must_be_base_link": "0"}
_EPSILON = Inertial(NO_ORIGIN, EPSILON_MASS, EPSILON_INERTIA, 0.0, 0.0, EPSILON_INERTIA, 0.0, EPSILON_INERTIA)


def decide_link(job: Job, i: int) -> LinkFate:
    """Decide on kept link `i`: its name, inertial, shapes and settings."""
    tree, lumping = job.tree, job.lumping
    link, joint = tree.links[i], tree.joint[i]
    name, reason = job.names.links[i], None
    inertial = combine_inertia(lumping, i)
    if i in lumping.massless:
        reason = f"massless; its mass is set to {EPSILON_MASS:g} kg"
        inertial = _make_inertial(job, link, inertial)
        if link.name in job.consequences:
            job.consequences[link.name] = f", and its mass in the SDF is {EPSILON_MASS:g} kg"
        else:
            job.report("massless-link-kept", locate(link.element), link=link.name, mass=f"{EPSILON_MASS:g}",
                       problem=describe_massless(link))
    assert inertial is not None
    renamed = name != link.name
    job.tell("link", link.name, "renamed" if renamed else "kept", name if renamed else None, link.element, reason)
    shares = [(k, share) for k in lumping.parts[i] for share in job.shares(tree.links[k].name)]
    read: Read = {setting: job.read_setting(setting) for _, share in shares for setting in share.link}
    return LinkFate(name, None if joint is None else job.names.joint(joint.name), inertial,
                    _decide_shapes(job, i, read), _decide_contents(job, i, shares, read), link.element)


def _make_inertial(job: Job, link: Link, own: Inertial | None) -> Inertial:
    """Return a tiny inertial for a link without mass, with the tensor that its URDF states, if that is possible."""
    if own is not None and any(own.tensor):
        if not (defects := find_defects(EPSILON_MASS, own.tensor)):
            return own._replace(mass=EPSILON_MASS)
        reason = "; ".join(d.text for d in defects)
        job.tell("inertial", link.name, "dropped", None, own.element, reason)
    return _EPSILON._replace(element=link.element)


def _decide_shapes(job: Job, i: int, read: Read) -> list[ShapeFate]:
    """Decide on the collisions, then the visuals, of link `i` and of the links lumped into it."""
    lumping, fates = job.lumping, []
    for kind in ("collision", "visual"):
        contents: Contents = []
        size = 0  # elements in them
        for name, shape, k, place in job.name_shapes(i, kind):
            link, origin = job.tree.links[k], shape.origin
            if not place:  # the settings for a shape are those of the link it comes from, whatever its name is
                contents = _drop_replaced(job, _decide_for_shapes(job.shares(link.name), kind, read), kind)
                size = sum(1 for part in contents if not isinstance(part, Value) for _ in part.iter())
            if not job.spend_elements(size, shape.element):
                contents = []
            _report_shape(job, i, k, shape, kind, name)
            marks: Marks = ()
            if k != i:
                marks = ((PARENT, job.names.links[k]), (ORIGIN, job.numbers.pose(origin)))
                origin = lumping.in_body[k].place(origin)
            if type(shape.geometry) is Capsule:
                job.need(SINCE["capsule"], f"<capsule> in link {link.name!r}", shape.element)
            fates.append(ShapeFate(kind, name, origin, shape, [
                part if isinstance(part, Value) else copy_made(part, job.starts) for part in contents],
                _decide_material(job, link, shape, contents) if isinstance(shape, Visual) else None, marks))
    return fates


def _decide_for_shapes(shares: list[Share], kind: str, read: Read) -> Contents:
    """Collect the ``<gazebo>`` settings of every collision or visual of a link."""
    contents: Contents = []
    values: list[Value] = []
    for share in shares:
        if elements := share.for_shapes[kind]:
            # The order counts: an element replaces, or follows, the values before it.
            contents += [*sorted(values, key=rank_of), *elements]
            values = []
        for setting in share.link:
            if setting.kind.about == kind:
                values += read[setting] or ()
    return contents + sorted(values, key=rank_of)


def _drop_replaced(job: Job, contents: Contents, kind: str) -> Contents:
    """Leave out content that a later setting or element replaces in each shape: there may be many of both."""
    kept: Contents = []
    values: set[tuple[str, ...]] = set()  # of later elements
    is_whole = False  # whether a later element replaces all content of such an element
    for part in reversed(contents):
        if isinstance(part, Value):
            path = (*part.around, part.tag)
            if path in values or is_whole and path[0] == WHOLE[kind]:
                job.replaced.update([] if part.element is None else [part.element])
                continue
            values.add(path)
        elif part.tag == WHOLE[kind]:
            if is_whole:
                job.replaced.update(part.iter(etree.Element))
                continue
            is_whole = True
        else:  # a later value replaces this element, not what is before it
            values = {path for path in values if path[0] != part.tag}
        kept.append(part)
    return kept[::-1]


def _decide_material(job: Job, link: Link, visual: Visual, contents: Contents) -> Material | None:
    """Decide which of colour and texture a visual of the SDF takes; ``<gazebo>`` replaces them."""
    material = visual.material
    if material is None or not (material.rgba or material.texture):
        return None
    given = next((part for part in contents[::-1] if not isinstance(part, Value) and part.tag == "material"), None)
    if given is None:
        return material
    is_coloured = next(given.iterchildren("diffuse", "ambient"), None) is not None
    if is_coloured or (material.texture and given.find("pbr") is not None):
        job.tell("material" if is_coloured else "texture", visual.name or link.name, "dropped", None, material.element,
                 "the <material> of <gazebo> is used")
        material = None if is_coloured else material._replace(texture=None)
    return material


def _report_shape(job: Job, i: int, k: int, shape: Visual | Collision, kind: str, name: str) -> None:
    """Report a shape of link `k` that goes to link `i` under the name `name`."""
    scoped = "::" in shape.name
    if scoped:
        job.report("name-not-allowed", locate(shape.element, "name"), kind=kind, called=shape.name, new=name)
    if k != i:
        job.tell(kind, shape.name or name, "moved", job.names.links[i], shape.element,
                 f"from a lumped link, named {name!r}" if shape.name else "from a lumped link")
    elif shape.name:
        job.tell(kind, shape.name, "renamed", name, shape.element)
    else:
        job.tell(kind, name, "kept", None, shape.element)


def _decide_contents(job: Job, i: int, shares: list[tuple[int, Share]], read: Read) -> Contents:
    """Collect the settings and elements for link `i` and the links lumped into it; the last of each setting counts.

    Parameters
    ----------
    shares : those of link `i` and of the links lumped into it, each with the index of its link.
    read : the values of their settings.
    """
    contents: Contents = []
    taken: dict[str, Taken] = {}
    last = {setting.tag: setting for setting, values in read.items() if values and setting.kind.about == "link"}
    _compare_lumped(job, i, shares, read)
    into = job.names.links[i]
    for k, share in shares:
        action: Action = "kept" if k == i else "moved"
        for setting in share.link:
            if (values := read[setting]) is None:
                continue
            if (counts := last.get(setting.tag, setting)) is setting:
                row = Entry(setting.tag, setting.key, action, into, setting.element)
                contents += values if setting.kind.about == "link" else ()
            else:
                row = Entry(setting.tag, setting.key, "dropped", None, setting.element,
                            REPLACED if counts.key == setting.key else f"the value for {counts.key!r} is used")
            job.rows.append(row)
        job.rows.extend([Entry(row_kind(tag_of(e)), job.tree.links[k].name, "kept", into, e)
                         for elements in share.for_shapes.values() for e in elements])
        contents += carry_elements(job, share.link_elements, k, into, taken)
    return contents


def _compare_lumped(job: Job, i: int, shares: list[tuple[int, Share]], read: Read) -> None:
    """Warn if a lumped link sets a value that holds for all of link `i`, and another of its links has another value."""
    given: dict[str, list[tuple[int, str, str, Element]]] = {}
    for k, share in shares:
        for setting in share.link:
            if (values := read[setting]) and setting.kind.about == "link":
                given.setdefault((*setting.kind.around, *setting.kind.tags)[0], []).append(
                    (k, setting.tag, _simplify(values[0].text), setting.element))
        for element in share.link_elements:
            if (default := _OF_WHOLE_LINK.get(path := str(element.tag))) is not None:
                parts = [*map(element.findtext, ("linear", "angular"))] if path == "velocity_decay" else [element.text]
                value = " ".join(dict.fromkeys([_simplify(part) or default for part in parts]))
                given.setdefault(path, []).append((k, path, value, element))
    for path, each in given.items():  # a setting replaces what is before it, and the first of several elements counts
        source, tag, value, element = next((one for one in reversed(each) if one[1] != path), each[0])
        others = [k for k, _, other, _ in each if k != source and other != value]
        if source == i or not others and value == _OF_WHOLE_LINK[path]:
            continue
        link = others[-1] if others else _find_unset(job, i, {k for k, *_ in each})
        if link is not None:
            job.report("gravity-of-lumped-link" if tag == "turnGravityOff" else "setting-of-lumped-link",
                       locate(element), tag=tag, source=job.tree.links[source].name, link=job.tree.links[link].name)


def _simplify(value: str | None) -> str:
    """Return a value to compare: a number, also of a switch, in its shortest form."""
    text = (value or "").strip()
    number = {"true": 1.0, "false": 0.0}.get(text.lower(), read_number(text))
    return text if number is None else f"{number:.17g}"


def _find_unset(job: Job, i: int, setters: set[int]) -> int | None:
    """Return the link that gives body `i` its mass, unless that link or link `i` is one of the `setters` of a setting.

    That is link `i`, or if it has no mass, the heaviest link that is lumped into it.
    """
    inertials = job.tree.inertials
    masses = {k: own.mass for k in job.lumping.parts[i] if (own := inertials[k]) is not None and own.mass}
    main = i if i in masses else max(masses, key=masses.__getitem__, default=i)
    return main if main in masses and setters.isdisjoint((i, main)) else None
