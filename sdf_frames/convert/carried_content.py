"""Content of a URDF that SDFormat has no element for, carried in elements of this project's namespace.

Transmissions, ros2_control, safety controllers, calibrations, settings of joints that do not move and elements that
URDF does not define stand in a ``<sdf_frames:robot>`` of the model, or in a ``<sdf_frames:link>`` or
``<sdf_frames:joint>`` of the link, joint or frame. All elements in them are in the namespace, so that no reader takes
them for those of SDFormat. Names of links and joints are those of the SDF.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lxml import etree

from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import DROPPED, WORLD
from sdf_frames.convert.report import Entry
from sdf_frames.convert.round_trip_attributes import NAMESPACE, VERSION, attribute
from sdf_frames.document.numbers import copy_numbers, read_numbers
from sdf_frames.document.places import copy_element, copy_made
from sdf_frames.document.xml_in import Element, tag_of
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.references import rename_in_urdf
from sdf_frames.urdf.joint_types import JOINT_TYPES
from sdf_frames.urdf.model import RATES, Calibration, Dynamics, Joint, Limit, Link, Mimic, Safety
from sdf_frames.urdf.unread import AGAIN
from sdf_frames.urdf.versions import CHECKED, OLDEST, Version, read_version

_POSITIONS = ("lower", "upper")
#: The parts of a joint: field, class, and the attributes that the class demands.
_PARTS: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    "limit": ("limit", Limit, ()), "dynamics": ("dynamics", Dynamics, ()), "mimic": ("mimic", Mimic, ("",)),
    "safety_controller": ("safety", Safety, (0.0,)), "calibration": ("calibration", Calibration, ())}
_IN_NAMESPACE = f"{{{NAMESPACE}}}"


class Holder(NamedTuple):
    """What one element of the SDF carries: the tag of the container, the name of the element ("" for the model)."""

    tag: str
    name: str
    contents: list[Element]


def carry_content(job: Job) -> list[Holder]:
    """Copy what can be carried, and note it in ``job.carried``: not what belongs to links and joints left out."""
    robot, tree, status = job.robot, job.tree, job.lumping.status
    whole = [*robot.transmissions, *robot.ros2_control, *robot.others]
    job.carried.update((element, "") for element in whole)
    holders = {("robot", robot.name): Holder("robot", "", [copy_made(e, job.starts, whole=False) for e in whole])}
    for joint in robot.joints:
        if status[tree.indices[joint.child]] != DROPPED:
            holders["joint", joint.name] = Holder("joint", job.names.joint(joint.name), list(_carry_parts(job, joint)))
    parts: dict[Element, Element] = {}  # what carries further attributes, by the element that has them
    for kind, owner, _, reason, element in robot.left_out:
        parent, _, what = kind.partition("/")
        is_whole = element is not None and element.tag == what and reason != AGAIN
        if element is None or not is_whole and what[:1] != "@":
            continue
        i = tree.indices.get(owner) if parent == "link" else None
        if i is not None and status[i] not in (DROPPED, WORLD):
            holders.setdefault((parent, owner), Holder(parent, job.names.links[i], []))
        if (holder := holders.get(("joint" if parent in _PARTS else parent, owner))) is None:
            continue
        if not is_whole:
            _carry_attribute(job, element, what, parts, holder)
        else:
            holder.contents.append(copy_made(element, job.starts, whole=False))
            job.carried.add((element, ""))
    found = [holder for holder in holders.values() if holder.contents]
    links = {link.name: new for link, new in zip(tree.links, job.names.links) if new != link.name} if found else {}
    for element in [element for holder in found for element in holder.contents]:
        _rename(element, job.names.joints, links)
        for part in element.iter(etree.Element):
            if ":" not in (tag := str(part.tag)) and tag[0] != "{":
                part.tag = _IN_NAMESPACE + tag
    return found


def _carry_parts(job: Job, joint: Joint) -> Iterator[Element]:
    """Yield the parts of a joint that SDF has no place for, with the attributes that are missing there."""
    type_ = JOINT_TYPES[joint.type]
    moves = type_.one_axis and joint.name not in job.extensions.disabled
    for tag, (field, _, _) in _PARTS.items():
        part = getattr(joint, field)
        if part is None or part.element is None or moves and tag in ("dynamics", "mimic"):
            continue
        names = part._fields
        if moves and tag == "limit":
            names = (*RATES, *(_POSITIONS if not type_.bounded and (part.lower or part.upper) else ()))
        names = [name for name in names if part.element.get(name) is not None]
        if names:
            job.carried.update((part.element, f"@{name}" if name in RATES else "") for name in names)
            copy = copy_made(part.element, job.starts, whole=False)
            del copy[:]
            for name in set(copy.keys()) - set(names):
                del copy.attrib[name]
            yield copy


def _carry_attribute(job: Job, part: Element, what: str, parts: dict[Element, Element], holder: Holder) -> None:
    """Carry an attribute that URDF does not define of the robot, a link, a joint or its parts, if it is not empty.

    libsdformat refuses an attribute that is.
    """
    prefix, colon, name = what[1:].rpartition(":")
    if colon:
        name = f"{{{part.nsmap.get(prefix)}}}{name}"
    if text := part.get(name):
        if part not in parts:
            prefixes = {key: uri for key, uri in part.nsmap.items() if key}
            holder.contents.append(parts.setdefault(part, etree.Element(part.tag, nsmap=prefixes)))
            job.starts[parts[part]] = part
        parts[part].set(name, text)
        job.carried.add((part, what))


def put_content(model: Element, holders: Iterable[Holder], job: Job) -> None:
    """Put the content, and the version of the URDF if it is not 1.0, into the model of the SDF."""
    places = {child.get("name"): child for child in model.iterchildren("link", "joint", "frame")}
    for tag, name, contents in holders:
        place = places.get(name) if name else model
        assert place is not None
        container = etree.SubElement(place, attribute(tag))
        job.starts[container] = job.starts.get(contents[0])
        container.extend(contents)
    if read_version(job.robot.version) not in (OLDEST, None):
        model.set(attribute(VERSION), job.robot.version or "")


def _rename(element: Element, joints: Mapping[str, str], links: Mapping[str, str]) -> None:
    """Give the joints and links that an element and what is in it name their new names."""
    names = {"joint": joints, "link": links}
    for part in element.iter(etree.Element) if joints or links else ():
        rename_in_urdf(part, lambda kind, name: names[kind].get((name or "").strip()))


class Restored(NamedTuple):
    """Links and joints of a URDF with the content that a scope of SDF carries, and that of the robot."""

    links: list[Link]
    joints: list[Joint]
    transmissions: tuple[Element, ...]
    ros2_control: tuple[Element, ...]
    others: tuple[Element, ...]


def find_version(model: Element) -> str | None:
    """Return the version of the URDF that a model was made of; None for 1.0, or if there was none."""
    return model.get(attribute(VERSION))


def restore_content(graph: FrameGraph, names: Mapping[int, str], links: Iterable[Link], joints: Iterable[Joint],
                    version: Version, rows: list[Entry]) -> Restored:
    """Give links and joints of a URDF of this version what the SDF carries of them, with a row for each part.

    Parameters
    ----------
    names : of the URDF, by vertex.
    """
    whole, of_links, of_joints = _copy_content(graph, names)
    full_links = []
    for link in links:
        others = tuple(of_links.pop(link.name, ()))
        rows += [Entry(tag_of(element), link.name, "carried", None, element) for element in others]
        full_links.append(link._replace(others=others))
    full_joints = [_restore_joint(joint, of_joints.pop(joint.name, ()), version, rows) for joint in joints]
    rows += [Entry(tag_of(element), name, "dropped", None, element, "its link or joint is not in the URDF")
             for lost in (of_links, of_joints) for name, elements in lost.items() for element in elements]
    rows += [Entry(tag_of(e), e.get("name") or tag_of(e), "carried", None, e) for e in whole]
    kinds: dict[str, list[Element]] = {"transmission": [], "ros2_control": [], "": []}
    for element in whole:
        kinds.get(str(element.tag), kinds[""]).append(element)
    return Restored(full_links, full_joints, *map(tuple, kinds.values()))


def _copy_content(graph: FrameGraph, names: Mapping[int, str]) -> tuple[
        list[Element], dict[str, list[Element]], dict[str, list[Element]]]:
    """Copy, as URDF has it, what a scope carries of the robot, and of its links and joints by name."""
    whole: list[Element] = []
    of_links: dict[str, list[Element]] = {}
    of_joints: dict[str, list[Element]] = {}
    new = {kind: _find_new(graph, kind, names) for kind in ("joint", "link")}
    for i, entity in enumerate(graph.entities):
        for container in entity.element.iterchildren(*map(attribute, ("robot", "link", "joint"))):
            tag = container.tag.removeprefix(_IN_NAMESPACE)
            prefix = graph.prefix(i)
            if tag == "robot":
                prefix = f"{graph.names[i]}::" if i else ""
            joints_here, links_here = new["joint"].get(prefix, {}), new["link"].get(prefix, {})
            for child in container.iterchildren(etree.Element):
                copy = copy_element(child)
                for part in copy.iter(etree.Element):
                    part.tag = str(part.tag).removeprefix(_IN_NAMESPACE)
                etree.cleanup_namespaces(copy)
                _rename(copy, joints_here, links_here)
                into = {"link": of_links, "joint": of_joints}.get(tag)
                (whole if into is None else into.setdefault(names[i], [])).append(copy)
    return whole, of_links, of_joints


def _find_new(graph: FrameGraph, kind: str, names: Mapping[int, str]) -> dict[str, dict[str, str]]:
    """Return, by prefix, the names of links or joints that are others in the URDF; a frame may stand for both."""
    new: dict[str, dict[str, str]] = {}
    for i, name in enumerate(graph.names):
        if i and graph.kinds[i] in (kind, "frame"):
            above, separator, local = name.rpartition("::")
            if local != names[i]:
                new.setdefault(above + separator, {})[local] = names[i]
    return new


def _restore_joint(joint: Joint, contents: Iterable[Element], version: Version, rows: list[Entry]) -> Joint:
    """Give a joint of a URDF of this version the content that the SDF carries, with a row for each part."""
    others = []
    for element in contents:
        field, make, demanded = _PARTS.get(str(element.tag), ("", None, ()))
        known = {*map(str, element.keys())} & {*make._fields} - {"element"} if field else set[str]()
        if not field or not known and getattr(joint, field) is not None:
            others.append(element)
            rows.append(Entry(tag_of(element), joint.name, "carried", None, element))
            continue
        values = {name: value for name in sorted(known) if _belongs(joint, field, name, version)
                  and (value := _read(name, element.get(name, ""))) is not None}
        if values:
            part = getattr(joint, field) or make(*demanded)
            joint = joint._replace(**{field: part._replace(**values)})
        reason = None if len(values) == len(element.attrib) else f"a {joint.type} joint of this URDF has no such part"
        rows.append(Entry(tag_of(element), joint.name, "carried" if values else "dropped", None, element, reason))
    return joint._replace(others=tuple(others))


def _belongs(joint: Joint, field: str, name: str, version: Version) -> bool:
    """Return whether an attribute of a joint's part is still missing, whatever has become of the joint."""
    type_ = JOINT_TYPES[joint.type]
    if field == "limit" and name in RATES:
        return version >= CHECKED
    if field == "limit" and name in _POSITIONS and joint.type == "continuous":
        return True
    return not type_.one_axis or field in ("safety", "calibration")


def _read(name: str, text: str) -> str | float | None:
    if name == "joint":
        return text
    numbers = read_numbers(text, 1)
    return None if numbers is None else copy_numbers(text, numbers)[0]
