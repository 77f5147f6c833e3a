"""A located document to a :class:`~sdf_frames.urdf.model.Robot`.

What urdfdom 3 refuses is refused here, with every cause named, not only the first. What urdfdom drops on the quiet
(the rest of a link after a part that it cannot read) is kept; only the part itself is left out, with a finding.
"""
from __future__ import annotations

import re

from sdf_frames.diagnostics import Diagnostic, Related, diagnose
from sdf_frames.diagnostics.model import has_errors
from sdf_frames.document.xml_in import Document, Element, locate, path_of, tag_of
from sdf_frames.urdf.model import (
    JOINT_TYPES,
    NO_ORIGIN,
    Collision,
    Joint,
    LeftOut,
    Link,
    Material,
    Origin,
    Robot,
    Visual,
    make,
)
from sdf_frames.urdf.read_parts import (
    Unreadable,
    read_calibration,
    read_dynamics,
    read_geometry,
    read_inertial,
    read_limit,
    read_material,
    read_mimic,
    read_origin,
    read_safety,
    read_vector,
)
from sdf_frames.urdf.tree import judge_tree
from sdf_frames.urdf.unread import JOINT_PARTS, find_unread
from sdf_frames.urdf.values import judge_values

OF_INERTIA = frozenset(("mass-unknown",))

_VERSION = re.compile(r"0*1\.0*[012]")
_XACRO_HINT = "the text holds a ${…}: expand the file with xacro first"
_NAME_TYPE, _LINK = ["name", "type"], ["link"]  # attributes as most write them
_X_AXIS = (1.0, 0.0, 0.0)
_PARTS = {"limit": read_limit, "dynamics": read_dynamics, "mimic": read_mimic, "safety_controller": read_safety,
          "calibration": read_calibration}


class _Reading:
    """What reading one robot gathers.

    Attributes
    ----------
    materials : by name, those of the robot and those that visuals have defined so far.
    extras : elements that hold more than is read of them, or may.
    """

    __slots__ = ("found", "left_out", "extras", "materials")

    def __init__(self):
        self.found: list[Diagnostic] = []
        self.left_out: list[LeftOut] = []
        self.extras: list[Element] = []
        self.materials: dict[str, Material] = {}


def read_robot(document: Document) -> tuple[Robot | None, tuple[Diagnostic, ...]]:
    """Read the ``<robot>`` that `document` holds.

    Returns
    -------
    robot, diagnostics
        All errors are reported, not the first. With an error the robot is None, but for those of :data:`OF_INERTIA`,
        which leave its kinematics as they are: a link whose mass is unknown has no inertial.
    """
    root, reading = document.root, _Reading()
    found = reading.found
    if tag_of(root) != "robot":
        return None, (diagnose("not-a-robot-description", locate(root), tag=tag_of(root)),)
    name = root.get("name")
    if name is None:
        found.append(diagnose("robot-name-missing", locate(root)))
    version = root.get("version")
    if version is not None and not _VERSION.fullmatch(version):
        found.append(diagnose("urdf-version-unknown", locate(root), version=version))

    link_elements, joint_elements, material_elements = [], [], []
    gazebo, transmissions, ros2_control, others = [], [], [], []
    origin = None
    groups = {"link": link_elements, "joint": joint_elements, "material": material_elements, "gazebo": gazebo,
              "transmission": transmissions, "ros2_control": ros2_control}
    for child in root:
        tag = child.tag
        if (group := groups.get(tag)) is not None:
            group.append(child)
        elif tag == "origin":
            origin = _read_model_origin(child, found) if origin is None else origin
        elif isinstance(tag, str):
            others.append(child)
    if unexpanded := [child for child in others if tag_of(child).startswith("xacro:")]:
        found.append(diagnose("xacro-unexpanded", locate(unexpanded[0]), count=len(unexpanded),
                              tag=tag_of(unexpanded[0])))

    _read_materials(material_elements, reading)
    named = tuple(reading.materials.values())  # before the links add theirs
    links = _read_links(link_elements, reading)
    joints = _read_joints(joint_elements, reading)
    left_out = reading.left_out
    if not link_elements:
        found.append(diagnose("robot-without-links", locate(root), robot=name or ""))
    elif not _is_unreadable(found):
        root_link, links, joints = judge_tree(root, links, joints, found, left_out)
    if _is_unreadable(found):
        return None, tuple(found)
    left_out += find_unread(root, others, reading.extras, found)
    judge_values(root, links, joints, found)
    return Robot(name, tuple(links.values()), tuple(joints.values()), root_link,
                 named, tuple(gazebo), tuple(transmissions), tuple(ros2_control), tuple(others), origin, version,
                 document.file, root.sourceline, tuple(left_out)), tuple(found)


def _is_unreadable(found: list[Diagnostic]) -> bool:
    return has_errors(d for d in found if d.name not in OF_INERTIA)


def _read_model_origin(element: Element, found: list) -> Origin:
    values = []
    for attribute in ("xyz", "rpy"):
        try:
            text = element.get(attribute)
            values.append((0.0, 0.0, 0.0) if text is None else read_vector(element, attribute, text))
        except Unreadable as unreadable:
            values.append((0.0, 0.0, 0.0))
            found.append(diagnose("model-origin-malformed", locate(element), attribute=attribute, text=unreadable.text,
                                  wanted=unreadable.wanted, hint=_XACRO_HINT if "${" in unreadable.text else None))
    return Origin(*values)


def _read_materials(elements: list, reading: _Reading) -> None:
    for element in _name_each(elements, "material", None, reading.found).values():
        material, unreadable = read_material(element, reading.extras)
        if unreadable is not None:
            reading.found.append(diagnose("colour-malformed", locate(unreadable.element), material=material.name,
                                          text=unreadable.text))
        reading.materials[material.name] = material


def _name_each(elements: list, kind: str, nameless: str | None, found: list) -> dict[str, Element]:
    """The elements by name, without those whose name is taken, and without nameless ones if `nameless` reports them."""
    named: dict[str, Element] = {}
    for element in elements:
        name = element.get("name", "")
        if not name and nameless:
            found.append(diagnose(nameless, locate(element)))
        elif (first := named.setdefault(name, element)) is not element:
            found.append(diagnose("urdf-name-duplicate", locate(element), kind=kind, called=name, related=(
                Related(f"the first {kind} [{name}]", first.sourceline, path_of(first)),)))
    return named


def _read_links(elements: list, reading: _Reading) -> dict[str, Link]:
    links: dict[str, Link] = {}
    found, extras = reading.found, reading.extras
    for name, element in _name_each(elements, "link", "link-name-missing", found).items():
        inertial = None
        visuals, collisions = [], []
        seen_inertial = False
        if len(element.keys()) != 1:
            extras.append(element)
        for child in element:
            tag = child.tag
            if tag == "visual":
                if (visual := _read_visual(child, name, reading)) is not None:
                    visuals.append(visual)
            elif tag == "collision":
                if (parts := _read_shape(child, name, reading)) is not None:
                    shape_name, at, shape, _ = parts
                    collisions.append(make(Collision, (shape_name, at, shape, child.sourceline)))
            elif tag == "inertial" and not seen_inertial:
                seen_inertial = True
                inertial, unreadable_parts = read_inertial(child, extras)
                for problem in unreadable_parts:
                    _report_inertial(problem, name, inertial is None, found)
            else:
                extras.append(child)
        links[name] = make(Link, (name, inertial, tuple(visuals), tuple(collisions), element.sourceline))
    return links


def _report_inertial(problem: Unreadable, link: str, massless: bool, found: list[Diagnostic]) -> None:
    """Report a part of an ``<inertial>`` that cannot be read: an error for a mass that is written, but unknown."""
    hint = _XACRO_HINT if "${" in problem.text else None
    if massless and problem.attribute is not None and problem.element.tag in ("mass", "origin"):
        found.append(diagnose("mass-unknown", locate(problem.element), link=link, tag=problem.element.tag,
                              problem=problem.problem,
                              hint=hint))
        return
    found.append(diagnose(
        "inertial-incomplete", locate(problem.element), link=link, problem=problem.problem, hint=hint,
        consequence="the link counts as massless" if massless else "its inertia counts as zero"))


def _read_visual(element: Element, link: str, reading: _Reading) -> Visual | None:
    if (parts := _read_shape(element, link, reading)) is None:
        return None
    name, at, shape, material = parts
    paint = None if material is None else _choose_material(material, link, reading)
    return make(Visual, (name, at, shape, paint, element.sourceline))


def _read_shape(element: Element, link: str, reading: _Reading) -> tuple | None:
    """Name, origin, geometry and, of a visual, the ``<material>`` element; None, with a finding, if one is unreadable."""
    origin = geometry = material = None
    extras = reading.extras
    for child in element:
        tag = child.tag
        if tag == "geometry" and geometry is None:
            geometry = child
        elif tag == "origin" and origin is None:
            origin = child
        elif tag == "material" and material is None and element.tag == "visual":
            material = child
        else:
            extras.append(child)
    name = None
    if keys := element.keys():
        name = element.get("name")
        if len(keys) != (name is not None):
            extras.append(element)
    try:
        shape = read_geometry(geometry, element, extras)
        return name or "", NO_ORIGIN if origin is None else read_origin(origin, extras), shape, material
    except Unreadable as unreadable:
        reading.left_out.append(LeftOut(element.tag, link, name or "", unreadable.problem, element.sourceline))
        reading.found.append(diagnose("shape-left-out", locate(unreadable.element), link=link, kind=element.tag,
                                      problem=unreadable.problem, hint=_XACRO_HINT if "${" in unreadable.text
                                      else None))
        return None


def _choose_material(element: Element, link: str, reading: _Reading) -> Material | None:
    """The robot's material of that name; else the one defined here, which later visuals may then name, too."""
    found = reading.found
    name = element.get("name")
    if name is None:
        found.append(diagnose("material-unnamed", locate(element), link=link))
    if name and (known := reading.materials.get(name)) is not None:
        if len(element) or len(element.keys()) != 1:
            reading.extras.append(element)
            other, _ = read_material(element, reading.extras)
            if other[1:3] not in (known[1:3], (None, None)):
                reading.left_out.append(LeftOut("material", link, name, "another definition of that name counts",
                                                other.line))
                found.append(diagnose("material-redefined", locate(element), link=link, material=name, related=(
                    Related(f"the definition of [{name}] that counts", known.line, None),)))
        return known
    material, unreadable = read_material(element, reading.extras)
    if unreadable is not None:
        found.append(diagnose("colour-malformed", locate(unreadable.element), material=material.name,
                              text=unreadable.text))
    if material.rgba is None and material.texture is None:
        if unreadable is None and name is not None:
            found.append(diagnose("material-undefined", locate(element), link=link, material=name))
        return None
    if name:
        reading.materials[name] = material
    return material


def _read_joints(elements: list, reading: _Reading) -> dict[str, Joint]:
    joints: dict[str, Joint] = {}
    found, extras = reading.found, reading.extras
    for name, element in _name_each(elements, "joint", "joint-name-missing", found).items():
        try:
            joints[name] = _read_joint(element, name, found, extras)
        except Unreadable as unreadable:
            tag = tag_of(unreadable.element)
            if unreadable.attribute is None:
                found.append(diagnose("joint-attribute-missing", locate(unreadable.element), joint=name, tag=tag,
                                      attribute=unreadable.text))
            else:
                found.append(diagnose(
                    "joint-attribute-malformed", locate(unreadable.element), joint=name, tag=tag,
                    attribute=unreadable.attribute, text=unreadable.text, wanted=unreadable.wanted,
                    hint=_XACRO_HINT if "${" in unreadable.text else None))
    return joints


def _read_joint(element: Element, name: str, found: list, extras: list) -> Joint:
    keys = element.keys()
    kind = element.values()[1] if keys == _NAME_TYPE else element.get("type")
    if kind not in JOINT_TYPES:
        found.append(diagnose("joint-type-unknown", locate(element), joint=name,
                              problem="no type" if kind is None else f"an unknown type [{kind}]"))
    first: dict[str, Element] = {}
    for child in element:
        tag = child.tag
        if tag not in first:
            first[tag] = child
    if len(first) != len(element) or not first.keys() <= JOINT_PARTS.keys() or len(keys) != 2:
        extras.append(element)
    ends = []
    take = first.pop
    for role in ("parent", "child"):
        part = take(role, None)
        link = None
        if part is not None:
            keys = part.keys()
            link = part.values()[0] if keys == _LINK else part.get("link")
            if len(keys) != 1 or len(part):
                extras.append(part)
        ends.append(link)
        if not link:
            found.append(diagnose("joint-link-missing", locate(element), joint=name, role=role))
    axis = None
    origin, at = take("origin", None), take("axis", None)
    if kind != "fixed" and kind != "floating":
        if at is None:
            axis = _X_AXIS
        else:
            text = at.get("xyz")
            axis = (0.0, 0.0, 0.0) if text is None else read_vector(at, "xyz", text)
            if text is None or len(at.keys()) != 1 or len(at):
                extras.append(at)
    elif at is not None:
        extras.append(at)
    limit = dynamics = mimic = safety = calibration = None
    if first:
        parts = {}
        for tag, read in _PARTS.items():
            if (part := first.get(tag)) is not None:
                parts[tag] = read(part)
                if len(part) or not JOINT_PARTS[tag].attributes.issuperset(part.keys()):
                    extras.append(part)
        limit, dynamics, mimic, safety, calibration = map(parts.get, _PARTS)
    if limit is None and (kind == "revolute" or kind == "prismatic"):
        found.append(diagnose("joint-limit-missing", locate(element), joint=name, type=kind))
    return make(Joint, (name, kind, *ends, read_origin(origin, extras), axis, limit, dynamics, mimic, safety,
                        calibration, element.sourceline))
