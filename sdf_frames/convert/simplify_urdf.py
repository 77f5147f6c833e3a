"""Simplifies a copy of a URDF: lumps fixed joints by the same decisions as the conversion to SDF.

All other content stays as it is written, including unknown elements and comments.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import NamedTuple

from lxml import etree

from sdf_frames.convert.decide_joints import decide_lumped
from sdf_frames.convert.decide_links import decide_link
from sdf_frames.convert.extensions import REPLACED
from sdf_frames.convert.fates import LinkFate, ShapeFate
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import KEPT, LUMPED, origin_of_pose
from sdf_frames.convert.options import EPSILON_INERTIA, EPSILON_MASS, ConvertOptions
from sdf_frames.convert.report import Entry
from sdf_frames.convert.simplify_gazebo import GazeboEditing
from sdf_frames.convert.urdf_to_sdf import make_job
from sdf_frames.diagnostics import Diagnostic, diagnose, suggest_name
from sdf_frames.document.budget import Budget
from sdf_frames.document.edits import insert_elements, remove_element
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.sdf.references import find_named, list_frames
from sdf_frames.spatial.pose import compose, invert
from sdf_frames.urdf.model import NO_ORIGIN, Inertial, Joint, Origin, Robot
from sdf_frames.urdf.write import fill_inertial, write_value

_FIXED = "no link below the joint has mass: the joint is fixed"
ALL, NONE = "all", "none"
KEEP, MERGE = "keep", "merge"
# Findings of the decisions that also concern the URDF; the others are about limits of SDF.
_SHARED = frozenset((
    "setting-of-lumped-link", "gravity-of-lumped-link", "moved-name-taken",
    "moved-pose-malformed", "extension-value-malformed", "fixed-joint-lumped-for-root", "extension-of-lost-joint",
    "sensor-without-joint", "shape-setting-of-lumped-link", "extension-without-shape",
    "limit-exceeded"))


class SimplifyOptions(NamedTuple):
    """The options of a simplification.

    Attributes
    ----------
    keep : names of fixed joints that are not lumped.
    frames : which lumped links stay as links without mass: ``("all",)``, ``("none",)``, or their names.
    massless : policy for massless links behind moving joints: ``keep`` them as they are, ``merge`` those with only
        massless links below them, or a mass in kg for each.
    """

    keep: tuple[str, ...] = ()
    frames: tuple[str, ...] = (ALL,)
    massless: str | float = KEEP


def simplify_robot(robot: Robot, twins: Mapping[Element, Element],
                   options: SimplifyOptions, budget: Budget) -> tuple[list[Entry], list[Diagnostic]]:
    """Simplify a robot in a copy of its document.

    Parameters
    ----------
    twins : the elements of the copy, which is edited, by the elements of the robot's document.

    Returns
    -------
    entries, diagnostics
        A row for each element, and the findings. If one is an error, do not use the copy.
    """
    merged = _find_merged(robot) if options.massless == MERGE else set()
    moved = dict[str, Origin]()
    if merged:
        robot = robot._replace(joints=tuple(_fix(robot.joints, merged, moved)))
    if found := list(_check_names(robot, options)):
        return [], found
    job = make_job(robot, ConvertOptions(massless="keep", budget=budget), options.keep, rename=False)
    editing = _Editing(job, twins, options, merged, moved)
    editing.edit()
    return [editing.describe(row) for row in job.rows], [
        *[d for d in job.found if d.name in _SHARED], *editing.find_named()]


def _check_names(robot: Robot, options: SimplifyOptions) -> Iterator[Diagnostic]:
    fixed = {joint.name: joint.child for joint in robot.joints if joint.type == "fixed"}
    wanted = () if options.frames in ((ALL,), (NONE,)) else options.frames
    for names, known, what in ((options.keep, fixed.keys(), "fixed joint"),
                               (wanted, fixed.values(), "link behind a fixed joint")):
        for name in names:
            if name not in known:
                yield diagnose("simplify-name-unknown", locate(robot.element), name=name, what=what,
                               hint=suggest_name(name, known) or f"name a {what}")


def _find_merged(robot: Robot) -> set[str]:
    """Find the moving joints without mass below them, except for joints that another joint mimics."""
    above = {joint.child: joint.parent for joint in robot.joints}
    heavy = {link.name for link in robot.links if link.inertial is not None and (
        link.inertial.mass or any(link.inertial.tensor))}
    for name in list(heavy):
        while (parent := above.get(name)) is not None and parent not in heavy:
            heavy.add(name := parent)
    merged = {joint.name for joint in robot.joints if joint.type != "fixed" and joint.child not in heavy}
    leaders = {joint.name: joint.mimic.joint for joint in robot.joints if joint.mimic is not None}
    for name in leaders.keys() - merged:
        while (leader := leaders.get(name)) is not None and leader in merged:
            merged.remove(name := leader)
    return merged


def _fix(joints: Sequence[Joint], merged: set[str], moved: dict[str, Origin]) -> Iterator[Joint]:
    """Yield the joints, those of `merged` fixed at zero, or where their leader is with the joints at zero.

    The origins of the latter are also added to `moved`.
    """
    from sdf_frames.frames.kinematics import Lead, find_position, move_joint
    from sdf_frames.frames.mechanism import describe_robot_joint
    every = {joint.name: moving for joint in joints if (moving := describe_robot_joint(joint, {})) is not None}
    leads = dict[tuple[str, int], Lead]()
    for joint in joints:
        if joint.name in merged:
            origin = joint.origin
            if joint.mimic is not None and (moving := every.get(joint.name)) is not None:
                q = find_position(moving, {}, every, leads)
                if any(q) and all(map(isfinite, q)):
                    x, y, z, qw, qx, qy, qz = map(float, move_joint(moving, q))
                    origin = moved[joint.name] = origin_of_pose(compose(origin.pose(), (x, y, z, qw, qx, qy, qz)))
            joint = Joint(joint.name, "fixed", joint.parent, joint.child, origin, element=joint.element)
        yield joint


class _Editing:
    """Edits one document.

    Attributes
    ----------
    merged : names of moving joints that become fixed.
    moved : the new origins of those of them that do not stand at zero.
    frames : indices of the lumped links that stay as links without mass.
    """

    def __init__(self, job: Job, twins: Mapping[Element, Element], options: SimplifyOptions, merged: set[str],
                 moved: Mapping[str, Origin]):
        self.job, self.twins, self.options, self.merged, self.moved = job, twins, options, merged, moved
        self.gazebo = GazeboEditing(job, twins)
        self.lumped = [i for i in job.tree.order if job.lumping.status[i] == LUMPED]
        inside = [name for block in job.robot.gazebo for element in block.iter("*") for name in list_frames(
            element).values()]
        needed = {joint.mimic.joint for joint in job.robot.joints if joint.mimic is not None}.union(inside)
        named = {*options.frames, *inside} - ({NONE} if options.frames == (NONE,) else set())
        named |= {joint.child for joint in job.robot.joints if joint.name in needed}
        self.frames = {i for i in self.lumped if options.frames == (ALL,) or job.tree.links[i].name in named}

    def edit(self) -> None:
        """Edit and report every part of the robot."""
        job, fates = self.job, dict[int, LinkFate]()
        for i in job.tree.order:
            joint, status = job.tree.joint[i], job.lumping.status[i]
            if joint is not None:
                decide_lumped(job, i, joint) if status == LUMPED else self._edit_joint(i, joint)
            if status == KEPT:
                fates[i] = decide_link(job, i)
        for i, fate in fates.items():
            self._edit_link(i, fate)
            self.gazebo.edit_body(i, fate)
        for i in self.lumped:
            self._edit_lumped(i)
        self.gazebo.edit_model()
        self._edit_actuators()

    def _edit_joint(self, i: int, joint: Joint) -> None:
        """Connect a remaining joint to the body of its parent link."""
        tree, lumping, reason = self.job.tree, self.job.lumping, None
        self._fix_twin(joint)
        p = tree.parent[i]
        host = lumping.host[p]
        if host != p:
            self._hang(joint, host, lumping.in_host[p].place(joint.origin))
            reason = f"its parent link is now {tree.links[host].name!r}"
        self.job.tell("joint", joint.name, "moved" if reason else "kept", None, joint.element, reason)

    def _fix_twin(self, joint: Joint) -> None:
        """Make a joint of `merged` fixed in the copy."""
        if joint.name not in self.merged:
            return
        element = self._twin(joint.element)
        element.set("type", "fixed")
        for child in [child for child in element if child.tag not in ("origin", "parent", "child")]:
            remove_element(child)
        if joint.name in self.moved:
            _set_origin(element, self.moved[joint.name])

    def _hang(self, joint: Joint, parent: int, origin: Origin) -> None:
        element = self._twin(joint.element)
        for child in element.iterchildren("parent"):
            child.set("link", self.job.tree.links[parent].name)
        _set_origin(element, origin)

    def _edit_link(self, i: int, fate: LinkFate) -> None:
        """Give a body the mass and the shapes of the links that are lumped into it."""
        link, body = self.job.tree.links[i], self._twin(self.job.tree.links[i].element)
        inertial: Inertial | None = fate.inertial
        if i in self.job.lumping.massless:
            mass = self.options.massless
            inertial = link.inertial if isinstance(mass, str) else _make_inertial(mass)
        if inertial is not link.inertial and inertial is not None:
            block = body.find("inertial")
            if block is None:
                insert_elements(body, None, [block := etree.Element("inertial")])
            block[:] = []
            fill_inertial(block, inertial)
        moved: dict[str, list[Element]] = {}
        for shape in fate.shapes:
            if shape.shape.element is not None and shape.shape.element.getparent() is not link.element:
                moved.setdefault(shape.kind, []).append(self._move_shape(shape, shape.shape.element))
        for kind, twins in moved.items():
            last = next(body.iterchildren(kind, reversed=True), None)
            insert_elements(body, next(body.iterchildren(reversed=True), None) if last is None else last, twins)

    def _move_shape(self, fate: ShapeFate, element: Element) -> Element:
        """Remove a shape from its link, and set its name and its origin in the body."""
        twin = self._twin(element)
        remove_element(twin)
        _set_origin(twin, fate.origin)
        twin.set("name", fate.shape.name or _name_owner(element))
        return twin

    def _edit_lumped(self, i: int) -> None:
        """Remove a lumped link and its joint, or keep them as a frame."""
        tree, lumping = self.job.tree, self.job.lumping
        joint = tree.joint_above(i)
        link, above = self._twin(tree.links[i].element), self._twin(joint.element)
        if i not in self.frames:
            remove_element(link)
            remove_element(above)
            self.gazebo.drop_joint(joint)
            return
        link[:], link.text = [], None
        self._fix_twin(joint)
        p = tree.parent[i]
        while lumping.status[p] == LUMPED and p not in self.frames:
            p = tree.parent[p]
        if p != tree.parent[i]:
            self._hang(joint, p, lumping.in_body[i].place() if lumping.status[p] != LUMPED else origin_of_pose(
                compose(invert(lumping.in_body[p].X), lumping.in_body[i].X)))

    def _edit_actuators(self) -> None:
        """Remove transmissions and interfaces of joints that are removed or no longer move."""
        gone = self.merged | {self.job.tree.joint_above(i).name for i in self.lumped if i not in self.frames}
        for block in (*self.job.robot.transmissions, *self.job.robot.ros2_control):
            for joint in block.iter("joint"):
                if (name := (joint.get("name") or "").strip()) in gone:
                    element = block if block.tag == "transmission" else joint
                    remove_element(self._twin(element))
                    self.job.tell(str(block.tag), element.get("name", ""), "dropped", None, element,
                                  f"joint {name!r} is {'fixed' if name in self.merged else 'lumped'}")

    def find_named(self) -> Iterator[Diagnostic]:
        """Yield a warning for each part of the copy that refers to a lumped link or joint that is not there."""
        tree, root = self.job.tree, self._twin(self.job.robot.element)
        lost = [i for i in self.lumped if i not in self.frames]
        above = {tree.joint_above(i).name for i in lost}  # in Drake, NAME_parent is a frame
        gone = {tree.links[i].name for i in lost} | above | {f"{name}_parent" for name in above}
        shaped = {tree.links[i].name for i in self.lumped if tree.links[i].collisions}
        others = {e for e in root.iterchildren("*") if e.tag in ("link", "joint")}
        groups = {e for e in root.iterchildren("*") if tag_of(e).endswith("collision_filter_group")}
        gone -= {e.get("name", "") for e in others}
        found = [*find_named(root, gone, others | groups),
                 *(find_named(root, gone | shaped, {*root.iterchildren("*")} - groups) if groups else ())]
        originals = {twin: element for element, twin in self.twins.items()} if found else {}
        for block, names in found:
            at = next((e for part in block.iter("*") if isinstance(e := originals.get(
                part, self.job.starts.get(part)), Element)), None)
            yield diagnose("simplify-still-named", locate(at), tag=tag_of(block), names=names)

    def describe(self, row: Entry) -> Entry:
        """Return a row of the conversion as a row for a URDF, where shapes keep their names."""
        if row.element in self.gazebo.replaced:
            return row._replace(action="dropped", into=None, reason=REPLACED)
        if row.element in self.gazebo.lost:
            return row._replace(action="dropped", into=None, reason="not all shapes of the link have it")
        if row.kind in ("visual", "collision") and row.element is not None:
            row = row._replace(name=row.element.get("name") or _name_owner(row.element))
            return row._replace(action="kept", into=None) if row.action == "renamed" else row._replace(
                reason="from a lumped link" if row.action == "moved" else row.reason)
        if row.kind == "joint" and row.name in self.merged and row.action != "lumped":
            return row._replace(reason=_FIXED)
        if row.kind not in ("link", "joint") or row.action != "lumped":
            return row._replace(reason=None) if row.kind == "link" else row
        reason = "fixed joint" if row.kind == "joint" else "behind a fixed joint"
        joint = self.job.tree.joints.get(row.name) if row.kind == "joint" else (
            self.job.tree.joint[self.job.tree.indices[row.name]])
        if joint is not None and joint.name in self.merged:
            reason = _FIXED
        stays = joint is not None and self.job.tree.indices[joint.child] in self.frames
        return row._replace(reason=f"{reason}; it stays as a frame" if stays else reason)

    def _twin(self, element: Element | None) -> Element:
        assert element is not None
        return self.twins[element]


def _name_owner(shape: Element) -> str:
    """Return the name of the link of a shape."""
    link = shape.getparent()
    return "" if link is None else link.get("name", "")


def _make_inertial(mass: float) -> Inertial:
    """Return the inertial of a ball, with the ratio of inertia to mass that the conversion gives massless links."""
    moment = mass * EPSILON_INERTIA / EPSILON_MASS
    return Inertial(NO_ORIGIN, mass, moment, 0.0, 0.0, moment, 0.0, moment)


def _set_origin(element: Element, origin: Origin) -> None:
    block = element.find("origin")
    if block is None:
        insert_elements(element, None, [block := etree.Element("origin")])
    block.attrib.clear()
    block.set("xyz", write_value(origin.xyz))
    block.set("rpy", write_value(origin.rpy))
