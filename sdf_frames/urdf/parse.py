"""Reads a document as a :class:`~sdf_frames.urdf.model.Robot`.

Every URDF that urdfdom 3 refuses is refused, with all causes, not only the first. If urdfdom cannot read a part of a
link, it silently drops the rest of the link. Here only the part itself is left out, with a finding.
"""
from __future__ import annotations

from collections.abc import Iterable

from sdf_frames.diagnostics import ERROR, Diagnostic, count_of, diagnose, has_errors, relate
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.numbers import EXPAND, is_unexpanded
from sdf_frames.document.xml_in import Document, report_root
from sdf_frames.urdf import read_parts
from sdf_frames.urdf.content import Mistakes
from sdf_frames.urdf.model import (
    NO_ORIGIN,
    Collision,
    Inertial,
    LeftOut,
    Link,
    Material,
    Origin,
    Robot,
    Visual,
    child_of,
)
from sdf_frames.urdf.read_joints import read_joints
from sdf_frames.urdf.tree import find_misspelt, judge_tree, spell
from sdf_frames.urdf.unread import find_unread
from sdf_frames.urdf.values import judge_values
from sdf_frames.urdf.versions import read_version

_OF_SDFORMAT = 'this is SDFormat: write <sdf version="1.12"> for <robot>, and </sdf> at the end'
OF_INERTIA = frozenset(("mass-unknown",))
_SMALL = Inertial(NO_ORIGIN, 1e-9, 1e-12, 0.0, 0.0, 1e-12, 0.0, 1e-12)


class _Reading:
    """The state that the functions share while they read one robot.

    Attributes
    ----------
    materials : by name, the materials of the robot, and those that visuals have defined so far.
    extras : elements that have, or may have, more content than is read.
    mistakes : the content that findings on missing parts already report.
    unread_masses : see :class:`~sdf_frames.urdf.model.Robot`.
    """

    __slots__ = ("found", "left_out", "extras", "mistakes", "unread_masses", "materials")

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.left_out: list[LeftOut] = []
        self.extras: list[Element] = []
        self.mistakes = Mistakes()
        self.unread_masses: dict[str, Diagnostic] = {}
        self.materials: dict[str, Material] = {}


def read_robot(document: Document) -> tuple[Robot | None, tuple[Diagnostic, ...]]:
    """Read the ``<robot>`` that `document` holds.

    Returns
    -------
    robot, diagnostics
        All errors are reported, not only the first. The robot is None if there is an error, except for errors of
        :data:`OF_INERTIA`, which do not concern kinematics: a link whose mass is unknown has no inertial.
    """
    robot, found = read_for_all(document)
    return None if is_refused(found) else robot, found


def is_refused(found: Iterable[Diagnostic]) -> bool:
    """Return whether findings on reading a robot prevent its use in this project."""
    return has_errors(d for d in found if d.name not in OF_INERTIA)


def stand_in(robot: Robot, found: Iterable[Diagnostic]) -> tuple[Robot, set[str]]:
    """Give a small body to each link whose mass is unknown by `found`; also return the paths in these inertials.

    The body has too little mass to change other links, and enough that the link is not massless.
    """
    reported = {(d.path or "").partition("/@")[0] for d in found if d.name in OF_INERTIA}
    links, unknown = [], set[str]()
    for link in robot.links:
        inertial = None if link.inertial is not None else child_of(link, "inertial")
        if inertial is not None and reported.intersection(inside := [locate(e).path or "" for e in inertial.iter("*")]):
            link = link._replace(inertial=_SMALL._replace(element=inertial))
            unknown.update(inside)
        links.append(link)
    return robot._replace(links=tuple(links)), unknown


def read_for_all(document: Document) -> tuple[Robot | None, tuple[Diagnostic, ...]]:
    """Read a robot even if it breaks rules that some programs do not have; it may then have several roots."""
    root, reading = document.root, _Reading()
    found = reading.found
    if tag_of(root) != "robot":
        return None, (report_root(root),)
    name = root.get("name")
    if name is None:
        found.append(diagnose("robot-name-missing", locate(root)))
    version = root.get("version")
    if read_version(version) is None:
        found.append(diagnose("urdf-version-unknown", locate(root, "version"), version=version))

    children = _sort_children(root)
    others = children[""]
    origin = _read_model_origin(children["origin"][0], found) if children["origin"] else None
    if unexpanded := [child for child in others if tag_of(child).startswith("xacro:")]:
        found.append(diagnose("xacro-unexpanded", locate(unexpanded[0]), tag=tag_of(unexpanded[0]),
                              elements=count_of(len(unexpanded), "xacro element")))
    _read_materials(children["material"], reading)
    named = tuple(reading.materials.values())  # before the links add theirs
    links = _read_links(children["link"], reading)
    joints = read_joints(_name_each(children["joint"], "joint", "joint-name-missing", found), found, reading.extras,
                         reading.mistakes)
    tree = None
    if not children["link"]:
        misspelt = next(find_misspelt(root), None)
        hint = _OF_SDFORMAT if next(root.iterchildren("model", "world"), None) is not None else None
        found.append(diagnose("robot-without-links", locate(root if misspelt is None else misspelt), robot=name or "",
                              hint=hint if misspelt is None else spell(misspelt)))
    elif not _is_refused_by_all(found):
        tree = judge_tree(root, links, joints, found, reading.left_out, reading.mistakes.told)
    if tree is None or _is_refused_by_all(found):
        return None, tuple(found)
    reading.left_out += find_unread(root, others, reading.extras, reading.mistakes, found)
    judge_values(tree.links, tree.joints, found)
    robot = Robot(name or "", tuple(tree.links.values()), tuple(tree.joints.values()), tree.root, named,
                  tuple(children["gazebo"]), tuple(children["transmission"]), tuple(children["ros2_control"]),
                  tuple(others), origin, version, document.file, tuple(reading.left_out), root,
                  tuple(reading.unread_masses.items()))
    return robot, tuple(found)


def _sort_children(root: Element) -> dict[str, list[Element]]:
    """Sort the children of the root by tag; the key of tags that URDF does not define is ""."""
    children: dict[str, list[Element]] = {tag: [] for tag in (
        "link", "joint", "material", "origin", "gazebo", "transmission", "ros2_control", "")}
    others = children[""]
    for child in root:
        tag = child.tag
        if isinstance(tag, str):
            children.get(tag, others).append(child)
    return children


def _is_refused_by_all(found: list[Diagnostic]) -> bool:
    """Return whether there is an error that is an error for all programs."""
    errors = [d.name for d in found if d.severity == ERROR]
    if not errors:
        return False
    from sdf_frames.diagnostics.catalogue import CATALOGUE
    rules = [CATALOGUE[name] for name in errors]
    return any(rule.severity == ERROR and rule.code[0] in "XR" and {*rule.consumers.values()} <= {ERROR}
               for rule in rules)


def _read_model_origin(element: Element, found: list[Diagnostic]) -> Origin:
    values = []
    for attribute in ("xyz", "rpy"):
        try:
            values.append(read_parts.read_vector(element, attribute))
        except read_parts.Unreadable as unreadable:
            values.append(read_parts.ZERO)
            found.append(diagnose("model-origin-malformed", locate(unreadable.element, unreadable.attribute),
                                  attribute=attribute, text=unreadable.text, wanted=unreadable.wanted,
                                  hint=unreadable.hint))
    return Origin(*values)


def _read_materials(elements: list[Element], reading: _Reading) -> None:
    for element in _name_each(elements, "material", None, reading.found).values():
        material, _ = _read_material(element, reading)
        reading.materials[material.name] = material


def _read_material(element: Element, reading: _Reading) -> tuple[Material, bool]:
    """Read a material, and whether its colour was read without a problem, which is reported."""
    material, unreadable = read_parts.read_material(element, reading.extras)
    if unreadable is not None:
        reading.found.append(diagnose("colour-malformed", locate(unreadable.element, unreadable.attribute),
                                      material=material.name, text=unreadable.text,
                                      hint=EXPAND if is_unexpanded(unreadable.text) else None))
    return material, unreadable is None


def _name_each(elements: list[Element], kind: str, nameless: str | None, found: list[Diagnostic]) -> dict[str, Element]:
    """Return elements by name, without duplicates, which are reported; nameless ones too, by the rule `nameless`."""
    named: dict[str, Element] = {}
    for element in elements:
        name = element.get("name", "")
        if not name and nameless:
            found.append(diagnose(nameless, locate(element)))
        elif (first := named.setdefault(name, element)) is not element:
            found.append(diagnose("urdf-name-duplicate", locate(element, "name"), kind=kind, called=name, related=(
                relate(f"the first {kind} {name!r}", locate(first, "name")),)))
    return named


def _read_links(elements: list[Element], reading: _Reading) -> dict[str, Link]:
    links: dict[str, Link] = {}
    found, extras = reading.found, reading.extras
    for name, element in _name_each(elements, "link", "link-name-missing", found).items():
        inertial, seen_inertial = None, False
        shapes: dict[str, list[Visual | Collision]] = {"visual": [], "collision": []}
        if len(element.keys()) != 1:
            extras.append(element)
        for child in element:
            tag = child.tag
            if tag in shapes:
                if (shape := _read_shape(child, name, reading)) is not None:
                    shapes[tag].append(shape)
            elif tag == "inertial" and not seen_inertial:
                seen_inertial = True
                inertial, unreadable_parts = read_parts.read_inertial(child, extras)
                for problem in unreadable_parts:
                    _report_inertial(problem, name, inertial is None, reading)
            else:
                extras.append(child)
        links[name] = Link._make((name, inertial, *map(tuple, shapes.values()), element, ()))
    return links


def _report_inertial(problem: read_parts.Unreadable, link: str, massless: bool, reading: _Reading) -> None:
    """Report a part of an ``<inertial>`` that cannot be read; a mass that is written but unknown is an error."""
    element, hint = problem.element, reading.mistakes.explain_unreadable(problem)
    if massless and problem.attribute is not None and element.tag in ("mass", "origin"):
        reading.found.append(diagnose("mass-unknown", locate(element, problem.attribute), link=link,
                                      tag=element.tag, problem=problem.problem, hint=hint))
        return
    finding = diagnose(
        "inertial-incomplete", locate(element, problem.attribute), link=link, problem=problem.problem, hint=hint,
        consequence="the link is treated as massless" if massless else "its inertia is treated as zero")
    reading.found.append(finding)
    if massless:
        reading.unread_masses.setdefault(link, finding)


def _read_shape(element: Element, link: str, reading: _Reading) -> Visual | Collision | None:
    """Read a ``<visual>`` or ``<collision>``; report one that cannot be read, and return None."""
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
    name = element.get("name", "")
    if not read_parts.NAME.issuperset(element.keys()):
        extras.append(element)
    try:
        shape = read_parts.read_geometry(geometry, element, extras)
        at = read_parts.read_origin(origin, extras)
    except read_parts.Unreadable as unreadable:
        reading.left_out.append(LeftOut(element.tag, link, name, unreadable.problem, element))
        reading.found.append(diagnose("shape-left-out", locate(unreadable.element, unreadable.attribute), link=link,
                                      kind=element.tag, problem=unreadable.problem,
                                      hint=reading.mistakes.explain_unreadable(unreadable)))
        return None
    if element.tag == "collision":
        return Collision(name, at, shape, element)
    paint = None if material is None else _choose_material(material, link, reading)
    return Visual(name, at, shape, paint, element)


def _choose_material(element: Element, link: str, reading: _Reading) -> Material | None:
    """Return the robot's material of that name, else the one defined here, which later visuals may then name."""
    found = reading.found
    name = element.get("name")
    if name is None:
        found.append(diagnose("material-unnamed", locate(element), link=link))
    if name and (known := reading.materials.get(name)) is not None:
        if len(element) or len(element.keys()) != 1:
            other, _ = read_parts.read_material(element, reading.extras)
            if other[1:3] not in (known[1:3], (None, None)):
                reading.left_out.append(LeftOut("material", link, name, "another definition of that name is used",
                                                element))
                found.append(diagnose("material-redefined", locate(element), link=link, material=name, related=(
                    relate(f"the definition of {name!r} that is used", locate(known.element)),)))
        return known
    material, readable = _read_material(element, reading)
    if material.rgba is None and material.texture is None:
        if readable and name is not None:
            found.append(diagnose("material-undefined", locate(element), link=link, material=name))
        return None
    if name:
        reading.materials[name] = material
    return material
