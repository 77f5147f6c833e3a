"""Content of a URDF that SDFormat has no element for, carried in elements of this project's namespace.

Transmissions, ros2_control, safety controllers, calibrations, settings of joints that do not move, and elements and
attributes that URDF does not define stand in a ``<sdf_frames:robot>`` of the model, or in a ``<sdf_frames:link>``,
``<sdf_frames:joint>``, ``<sdf_frames:visual>`` or ``<sdf_frames:collision>`` of the link, joint, frame or shape. All
elements in them are in the namespace, so that no reader takes them for those of SDFormat. Names of links and joints are
those of the SDF.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lxml import etree

from sdf_frames.convert.fates import Fate, LinkFate, ModelFate
from sdf_frames.convert.job import Job
from sdf_frames.convert.report import Entry
from sdf_frames.convert.round_trip_attributes import VERSION, attribute
from sdf_frames.document.elements import Element, tag_of
from sdf_frames.document.numbers import copy_numbers, read_numbers
from sdf_frames.document.places import copy_element, copy_made
from sdf_frames.sdf.names import CARRIED
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.content import SHAPES
from sdf_frames.urdf.unread import AGAIN
from sdf_frames.urdf.versions import CHECKED, OLDEST, Version, read_version

if TYPE_CHECKING:
    from sdf_frames.convert.urdf_job import UrdfJob

_POSITIONS = ("lower", "upper")
#: The parts of a joint: field, class, and the attributes that the class demands.
_PARTS: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    "limit": ("limit", urdf.Limit, (0.0, 0.0, urdf.UNLIMITED, urdf.UNLIMITED)),
    "dynamics": ("dynamics", urdf.Dynamics, ()), "mimic": ("mimic", urdf.Mimic, ("",)),
    "safety_controller": ("safety", urdf.Safety, (0.0,)), "calibration": ("calibration", urdf.Calibration, ())}
_OF_SHAPES = ("visual", "collision")
_HOLDERS = ("robot", "link", "joint", *_OF_SHAPES)
_Shape = TypeVar("_Shape", urdf.Visual, urdf.Collision)


#: Carried content, by the element of the URDF that it belongs to.
Carried = dict[Any, list[Element]]


def carry_content(job: Job, fates: Iterable[Fate]) -> Carried:
    """Copy content that can be carried, and record it in ``job.carried``.

    Content of links and joints without a fate is not carried, nor are empty attributes, which libsdformat refuses.
    """
    robot, tree = job.robot, job.tree
    whole = [*robot.transmissions, *robot.ros2_control, *robot.others]
    job.carried.update((element, "") for element in whole)
    contents: Carried = {part: [] for part in _list_placed(fates)}
    contents[robot.element] = [copy_made(e, job.starts, whole=False) for e in whole]
    for joint in robot.joints:
        if joint.element in contents:
            contents[joint.element] += _carry_parts(job, joint)
    _carry_unread(job, contents)
    contents = {part: elements for part, elements in contents.items() if elements}
    links = {link.name: new for link, new in zip(tree.links, job.names.links) if new != link.name} if contents else {}
    for element in chain.from_iterable(contents.values()):
        _rename(element, job.names.joints, links)
        for part in element.iter(etree.Element):
            for name in [name for name, value in part.items() if not value]:
                del part.attrib[name]
            if ":" not in (tag := str(part.tag)) and tag[0] != "{":
                part.tag = CARRIED + tag
    return contents


def _list_placed(fates: Iterable[Fate]) -> Iterator[Element | None]:
    """Yield the links, joints and shapes of the URDF that the SDF has."""
    for fate in fates:
        if not isinstance(fate, ModelFate):
            yield fate.element
        if isinstance(fate, LinkFate):
            yield from [shape.shape.element for shape in fate.shapes]


def _carry_parts(job: Job, joint: urdf.Joint) -> Iterator[Element]:
    """Yield the parts of a joint that SDF has no element for, with their missing attributes."""
    type_ = urdf.JOINT_TYPES[joint.type]
    moves = type_.one_axis and joint.name not in job.extensions.disabled
    for tag, (field, _, _) in _PARTS.items():
        part = getattr(joint, field)
        if part is None or part.element is None or moves and tag in ("dynamics", "mimic"):
            continue
        names = part._fields
        if moves and tag == "limit":
            names = (*urdf.RATES, *(_POSITIONS if not type_.bounded and (part.lower or part.upper) else ()))
        names = [name for name in names if part.element.get(name) is not None]
        if names:
            job.carried.update((part.element, f"@{name}" if name in urdf.RATES else "") for name in names)
            made = etree.Element(tag, {name: value for name, value in part.element.items() if name in names})
            job.starts[made] = part.element
            yield made


def _carry_unread(job: Job, contents: Carried) -> None:
    """Carry elements and attributes that no reader reads, in copies of the elements that they are in."""
    parts: dict[Element, Element] = {}  # the copies, which have nothing else
    for kind, _, _, reason, element in job.robot.left_out:
        what = kind.partition("/")[2]
        if element is None or what[:1] != "@" and (tag_of(element) != what or reason == AGAIN):
            continue
        name = _name_attribute(element, what) if what[0] == "@" else ""
        *around, top = _list_around(element if name else next(element.iterancestors()))
        # Content of a part of the robot itself, such as a <material>, has no place; later URDF versions read a
        # quaternion.
        if top not in contents or around and top.tag == "robot" or name and not element.get(name) or (
                name == "quat_xyzw"):
            continue
        into: list[Element] | Element = contents[top]
        for step in around[::-1] or ([top] if name else []):
            if step not in parts:
                parts[step] = etree.Element(step.tag, nsmap={key: uri for key, uri in step.nsmap.items() if key})
                job.starts[parts[step]] = step
                into.append(parts[step])
            into = parts[step]
        if name:
            parts[element].set(name, element.get(name, ""))
        else:
            into.append(copy_made(element, job.starts, whole=False))
        job.carried.add((element, what if name else ""))


def _list_around(element: Element) -> list[Element]:
    """List an element and those around it, up to the robot, link, joint or shape that it is in."""
    around = [element]
    while around[-1].tag not in _HOLDERS and (outer := around[-1].getparent()) is not None:
        around.append(outer)
    return around


def _name_attribute(element: Element, what: str) -> str:
    """Return the name of an ``@attribute`` as lxml has it."""
    prefix, colon, name = what[1:].rpartition(":")
    return f"{{{element.nsmap.get(prefix)}}}{name}" if colon else name


def put_content(model: Element, contents: Carried, job: Job) -> None:
    """Put the content, and the version of the URDF if it is not 1.0, into the model of the SDF."""
    places: dict[Any, Element] = {}
    for child in model.iterchildren("link", "joint", "frame") if contents else ():
        places |= {job.starts.get(part): part for part in (child, *child.iterchildren(*_OF_SHAPES))}
    places[job.robot.element] = model
    for part, elements in contents.items():
        container = etree.SubElement(place := places[part], attribute("robot" if place is model else tag_of(part)))
        job.starts[container] = job.starts.get(elements[0])
        container.extend(elements)
    if read_version(job.robot.version) not in (OLDEST, None):
        model.set(attribute(VERSION), job.robot.version or "")


def _rename(element: Element, joints: Mapping[str, str], links: Mapping[str, str]) -> None:
    """Give the joints and links that an element and what is in it name their new names."""
    if not joints and not links:
        return
    from sdf_frames.sdf.references import rename_in_urdf  # few descriptions are renamed
    names = {"joint": joints, "link": links}
    for part in element.iter(etree.Element):
        rename_in_urdf(part, lambda kind, name: names[kind].get((name or "").strip()))


class Restored(NamedTuple):
    """Links and joints of a URDF with the content that a scope of SDF carries, and that of the robot."""

    links: list[urdf.Link]
    joints: list[urdf.Joint]
    transmissions: tuple[Element, ...]
    ros2_control: tuple[Element, ...]
    others: tuple[Element, ...]


def restore_content(job: UrdfJob) -> Restored:
    """Give the links and joints of a URDF their carried content, with a row for each part."""
    content, rows = _copy_content(job), job.rows
    of_links, of_joints, of_shapes = content["link"], content["joint"], content["shape"]
    full_links = []
    for link in job.links:
        absent = {"inertial"} if link.inertial is None else set[str]()
        others = _keep_fitting(of_links.pop(link.name, ()), absent, link.name, rows)
        visuals = [_restore_shape(shape, of_shapes, link.name, rows) for shape in link.visuals]
        collisions = [_restore_shape(shape, of_shapes, link.name, rows) for shape in link.collisions]
        full_links.append(link._replace(others=others, visuals=tuple(visuals), collisions=tuple(collisions)))
    full_joints = [_restore_joint(joint, of_joints.pop(joint.name, ()), job.version, rows) for joint in job.joints]
    for shape in [shape for link in full_links for shape in link.shapes]:
        of_shapes.pop(shape.element, None)
    lost = [*of_links.items(), *of_joints.items(), *[(shape.get("name"), some) for shape, some in of_shapes.items()]]
    rows += [Entry(tag_of(element), name, "dropped", None, element, "its link, joint or shape is not in the URDF")
             for name, elements in lost for element in elements]
    whole = [element for elements in content["robot"].values() for element in elements]
    rows += [Entry(tag_of(e), e.get("name") or tag_of(e), "carried", None, e) for e in whole]
    kinds: dict[str, list[Element]] = {"transmission": [], "ros2_control": [], "": []}
    for element in whole:
        kinds.get(str(element.tag), kinds[""]).append(element)
    return Restored(full_links, full_joints, *map(tuple, kinds.values()))


def _copy_content(job: UrdfJob) -> dict[str, dict[Any, list[Element]]]:
    """Copy, as URDF has it, what a scope carries: of the robot, its links and joints by name, its shapes by element."""
    graph = job.graph
    contents: dict[str, dict[Any, list[Element]]] = {tag: {} for tag in ("robot", "link", "joint", "shape")}
    tags = {*map(attribute, _HOLDERS)}
    for i, inside in enumerate(job.contents):
        shapes = [part for part in inside if part.tag in _OF_SHAPES]
        for container in [part for part in chain(inside, *shapes) if part.tag in tags]:
            tag = container.tag.removeprefix(CARRIED)
            key: Any = job.names[i]
            if tag in _OF_SHAPES:
                tag, key = "shape", container.getparent()
            prefix = graph.prefix(i)
            if tag == "robot":
                prefix = f"{graph.names[i]}::" if i else ""
            for child in container.iterchildren(etree.Element):
                copy = copy_element(child)
                for part in copy.iter(etree.Element):
                    part.tag = str(part.tag).removeprefix(CARRIED)
                etree.cleanup_namespaces(copy)
                job.rename(copy, prefix)
                contents[tag].setdefault(key, []).append(copy)
    return contents


def _restore_shape(shape: _Shape, contents: Mapping[Any, list[Element]], link: str, rows: list[Entry]) -> _Shape:
    """Give a shape of a URDF the content that the SDF carries, with a row for each part."""
    absent = SHAPES.keys() - {type(shape.geometry).__name__.lower()}
    if isinstance(shape, urdf.Visual) and shape.material is None:
        absent = absent | {"material"}
    return shape._replace(others=_keep_fitting(contents.get(shape.element, ()), absent, shape.name or link, rows))


def _keep_fitting(contents: Iterable[Element], absent: AbstractSet[str], owner: str,
                  rows: list[Entry]) -> tuple[Element, ...]:
    """Return the content of a link or shape, with a row for each part: without what is for parts that are `absent`."""
    kept = []
    for element in contents:
        fits = element.tag not in absent and (element.tag != "geometry" or absent.isdisjoint(
            [child.tag for child in element]))
        rows.append(Entry(tag_of(element), owner, "carried" if fits else "dropped", None, element,
                          None if fits else "its part of the link is not in the URDF"))
        if fits:
            kept.append(element)
    return tuple(kept)


def _restore_joint(joint: urdf.Joint, contents: Iterable[Element], version: Version, rows: list[Entry]) -> urdf.Joint:
    """Give a joint of a URDF of this version the content that the SDF carries, with a row for each part."""
    others = []
    for element in contents:
        field, make, demanded = _PARTS.get(str(element.tag), ("", None, ()))
        known = {*map(str, element.keys())} & {*make._fields} - {"element"} if field else set[str]()
        if field == "limit" and not known and joint.limit is None and joint.type == "continuous":
            joint = joint._replace(limit=make(*demanded))  # URDF 1.2 needs neither effort nor velocity
        if not field or not known and getattr(joint, field) is not None:
            others.append(element)
            rows.append(Entry(tag_of(element), joint.name, "carried", None, element))
            continue
        values = {name: value for name in sorted(known) if _belongs(joint, field, name, version)
                  and (value := _read(name, element.get(name, ""))) is not None}
        if values:
            part = getattr(joint, field) or make(*demanded)
            joint = joint._replace(**{field: part._replace(**values)})
        is_whole = values and len(values) == len(element.attrib)
        reason = None if is_whole else f"a {joint.type} joint of this URDF has no such part"
        rows.append(Entry(tag_of(element), joint.name, "carried" if values else "dropped", None, element, reason))
    return joint._replace(others=tuple(others))


def _belongs(joint: urdf.Joint, field: str, name: str, version: Version) -> bool:
    """Return whether an attribute of a joint's part is still missing, whatever has become of the joint."""
    type_ = urdf.JOINT_TYPES[joint.type]
    if field == "limit" and name in urdf.RATES:
        return version >= CHECKED
    if field == "limit" and name in _POSITIONS and joint.type == "continuous":
        return True
    return not type_.one_axis or field in ("safety", "calibration")


def _read(name: str, text: str) -> str | float | None:
    if name == "joint":
        return text
    numbers = read_numbers(text, 1)
    return None if numbers is None else copy_numbers(text, numbers)[0]
