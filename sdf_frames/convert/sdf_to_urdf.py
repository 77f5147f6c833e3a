"""Converts a model of SDFormat to URDF: its kinematic tree, with a fixed link for every frame.

In a URDF the frame of a joint is the frame of its child link. If the two differ in SDFormat, a massless link is written
at the joint, and a fixed joint from there to the child, so that every frame keeps its name and place. Frames that
represent links and joints of a URDF become links and joints again.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from sdf_frames.convert.carried_content import restore_content
from sdf_frames.convert.one_model import report_models
from sdf_frames.convert.report import Action, Entry
from sdf_frames.convert.undo_lumping import find_parent_link, is_locked
from sdf_frames.convert.urdf_bodies import (
    copy_origin,
    is_identity,
    keep_massless,
    make_links,
    make_origin,
    name_materials,
)
from sdf_frames.convert.urdf_gazebo import (
    carry_settings,
    carry_springs,
    drop_axis_settings,
    drop_model_settings,
    drop_namespaces,
)
from sdf_frames.convert.urdf_job import MassProperties, UrdfJob, UriWriter
from sdf_frames.convert.urdf_joints import (
    ResolvedAxis,
    find_leader_problem,
    find_parents,
    make_joint,
    mark_joint,
    report_left_out,
    sort_tree,
)
from sdf_frames.convert.urdf_names import WORLD_TAKEN
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import Element, file_of, locate
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import JointEdge, resolve_axis
from sdf_frames.sdf.model import JOINT_TYPES, Axis, Entity, Frame, Joint, Model, World, pose_element_of
from sdf_frames.sdf.names import SEPARATOR, WORLD_FRAME
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.versions import OLDEST, Version, write_version


@dataclass(frozen=True, slots=True)
class UrdfConversion:
    """The robot (None if the model cannot be converted), an entry for each part of the model, and findings."""

    robot: urdf.Robot | None
    entries: list[Entry]
    diagnostics: tuple[Diagnostic, ...]


def convert_model(graph: FrameGraph, inertias: Mapping[str, MassProperties], write_uri: UriWriter,
                  separator: str = SEPARATOR, to_display: bool = False, joint_frames: bool = False,
                  version: Version = OLDEST, move_uri: UriWriter = lambda uri, _: uri) -> UrdfConversion:
    """Convert a root model to URDF.

    Parameters
    ----------
    graph : its frame graph, without errors.
    inertias : mass properties by name of the link.
    write_uri : makes the URI to write for a mesh or texture, from its text and the element that holds it.
    separator : written between the names of nested models instead of ``::``.
    to_display : write joints that URDF cannot express as floating ones, without a finding; TF then places the child.
    joint_frames : write a link for every frame, also for frames that represent joints of a URDF.
    version : of the URDF; before 1.1, a capsule is written as a cylinder and two spheres.
    move_uri : makes the URI to write in a ``<gazebo>``.
    """
    if isinstance(graph.scope, World):
        return UrdfConversion(None, [], (report_models(locate(graph.scope.element), graph.scope),))
    writer = _Writer(graph, inertias, write_uri, separator, to_display, joint_frames, version, move_uri)
    return writer.convert(graph.scope)


class _Place(NamedTuple):
    """A parent link: its name, its pose in the scope, and its vertex (for the world: 0, the model's)."""

    name: str
    X: Pose
    vertex: int


class _Ends(NamedTuple):
    """Parent and child link of a joint, and its pose in the parent."""

    parent: str
    child: str
    origin: urdf.Origin


class _Writer(UrdfJob):
    """Writes a model, one kind of parts after the other."""

    def convert(self, model: Model) -> UrdfConversion:
        parents, left = find_parents(self.graph, self.free)
        self.left_out = frozenset([edge.joint for edge in left])
        for edge, twice in left.items():
            report_left_out(self, edge, twice, [] if self.to_display else mark_joint(self, edge))
        links = [i for i, kind in enumerate(self.graph.kinds) if kind == "link"]
        if not links:
            return UrdfConversion(None, [], (diagnose(
                "urdf-needs-one-model", locate(model.element), problem=f"model {model.name!r} has no link",
                hint="add a link"),))
        for i in links:
            self._add_link(i)
        static = () if self.to_display else self.graph.list_static()
        root = self._choose_root(links, parents, static)
        held = root if (model.static or root.name == WORLD_FRAME) and not self.to_display else None
        self._add_joints(links, parents, root, static)
        if root.name != WORLD_FRAME and not is_identity(self.graph.raw[0] or IDENTITY):
            self._drop_pose(model.name, model, "model")
        self._add_frames(held, parents)
        carry_settings(self, 0, None)
        drop_namespaces(self)
        whole = restore_content(self)
        links_down, joints_down = sort_tree(whole.links, whole.joints, root.name)
        order = [*[link.name for link in links_down], *[joint.name for joint in joints_down], None]
        rank = {name: number for number, name in enumerate(order)}
        gazebo = sorted(self.gazebo, key=lambda element: rank[element.get("reference")])
        robot = urdf.Robot(model.name, name_materials(links_down), joints_down, root.name, (), tuple(gazebo),
                           whole.transmissions, whole.ros2_control, keep_massless(links_down, whole.others),
                           version=None if self.version == OLDEST else write_version(self.version),
                           file=file_of(model.element), element=model.element)
        return UrdfConversion(robot, self.rows, tuple(self.found))

    def _drop_pose(self, name: str, posed: Entity, what: str) -> None:
        self.tell("pose", name, "dropped", None, posed.element,
                  f"URDF has no pose of a {what}; the pose is given when the robot is spawned")
        self.report("urdf-pose-dropped", locate(pose_element_of(posed)), what=what, name=name)

    def _add_link(self, i: int) -> None:
        old, name = self.graph.names[i], self.names[i]
        renamed = name != old
        made = make_links(self, i)
        self.links.append(made.pop(i))
        self.lumped.update(made)
        self.tell("link", old, "renamed" if renamed else "kept", name if renamed else None, self.links[-1].element,
                  WORLD_TAKEN if old == WORLD_FRAME else None)

    def _add_joints(self, links: list[int], parents: dict[int, JointEdge], root: _Place,
                    static: tuple[str, ...]) -> None:
        """Write the joints between the links; a link without one floats, or is fixed to the root in a static model."""
        if root.vertex and not is_identity(root.X):
            self._drop_pose(root.name, self.graph.entities[root.vertex], "root link")
        for i in links:
            if i not in parents and i != root.vertex:
                kind = "fixed" if self.graph.names[i].startswith(static) else "floating"
                name = self.used.find_free(f"{self.names[i]}_{kind}")
                X = compose(invert(root.X), self.poses[i])
                self.joints.append(urdf.Joint(name, kind, root.name, self.names[i], make_origin(X)))
                if kind == "floating":
                    self.report("urdf-link-floats", locate(self.graph.entities[i].element), name=self.names[i],
                                joint=name, root=root.name)
                elif self._may_be_lumped(root.name, i):
                    etree.SubElement(self.add_gazebo(name), "preserveFixedJoint").text = "true"
        for i in links:
            if (above := parents.get(i)) is not None:
                place, origin = root, None
                if above.parent is not None:
                    at, origin = find_parent_link(self.graph, self.pairs, above.joint, above.prefix, above.parent)
                    place = self._place(at)
                add = self._add_joint if self.graph.kinds[above.joint] == "joint" else self._add_free_joint
                add(above, place, origin)

    def _may_be_lumped(self, parent: str, child: int) -> bool:
        """Return whether the conversion back would lump a link that is fixed to its parent."""
        inertia = self.inertias.get(self.graph.names[child])
        return parent != WORLD_FRAME and inertia is not None and inertia.mass > 0

    def _choose_root(self, links: list[int], parents: dict[int, JointEdge], static: tuple[str, ...]) -> _Place:
        """Choose the root link: the world if a link is fixed or joined to it, else the root above the canonical link.

        A nested static model fixes its links to the world. In a static root model, the links are fixed to the root.
        """
        fixed = "" not in static and any(self.graph.names[i].startswith(static) for i in links if i not in parents)
        if fixed or any(above.parent is None for above in parents.values()):
            self.links.append(urdf.Link(WORLD_FRAME))
            return _Place(WORLD_FRAME, invert(self.graph.raw[0] or IDENTITY), 0)
        body = self.bodies[0]
        while (above := parents.get(body)) is not None and above.parent is not None:
            body = above.parent
        roots = [i for i in links if i not in parents]
        return self._place(body if body in roots else roots[0])

    def _place(self, link: int) -> _Place:
        return _Place(self.names[link], self.poses[link], link)

    def _copy_joint_origin(self, joint: Joint | Frame, prefix: str, parent: int) -> urdf.Origin | None:
        """Return the pose of a joint as written, if it is relative to vertex `parent` (for the world: the model's)."""
        at_origin = parent > 0 or is_identity(self.graph.raw[0] or IDENTITY)
        if joint.pose.relative_to and at_origin and self.graph.find(prefix, joint.pose.relative_to) == parent:
            return copy_origin(joint.pose.element)
        return None

    def _add_free_joint(self, edge: JointEdge, parent: _Place, origin: urdf.Origin | None) -> None:
        """Write a floating or planar joint, which is a frame in the SDF."""
        free, frame, name = self.free[edge.child], self.graph.entities[edge.joint], self.names[edge.joint]
        assert isinstance(frame, Frame)
        origin = origin or self._copy_joint_origin(frame, edge.prefix, parent.vertex) or make_origin(
            compose(invert(parent.X), self.poses[edge.joint]))
        self.joints.append(urdf.Joint(name, free.type, parent.name, self.names[edge.child], origin, free.axis,
                                      element=frame.element))
        self.tell("frame", self.graph.names[edge.joint], "moved", name, frame.element,
                  f"it stands for a {free.type} joint")

    def _add_joint(self, edge: JointEdge, parent: _Place, origin: urdf.Origin | None) -> None:
        """Write a joint, at `origin` if an attribute states that, with its sensors."""
        joint, name = self.graph.joint(edge.joint), self.names[edge.joint]
        X_PJ = compose(invert(parent.X), self.poses[edge.joint])
        X_JC = compose(invert(self.poses[edge.joint]), self.poses[edge.child])
        origin = origin or self._copy_joint_origin(joint, edge.prefix, parent.vertex) or make_origin(X_PJ)
        below = self.names[edge.child]
        offset, locked = not is_identity(X_JC), is_locked(joint)
        if offset and not locked and joint.type != "fixed":
            # The joint moves about its own frame: a massless link stands there, and the child is fixed to it.
            middle, fixed = map(self.used.find_free, (f"{name}_frame", f"{below}_offset"))
            self.links.append(urdf.Link(middle))
            self.joints.append(urdf.Joint(fixed, "fixed", middle, below, make_origin(X_JC)))
            below = middle
        elif offset:
            origin = make_origin(compose(X_PJ, X_JC))
        kind = self._write_joint(edge, _Ends(parent.name, below, origin), offset)
        if locked:
            etree.SubElement(self.add_gazebo(name), "disableFixedJointLumping").text = "true"
        elif kind == "fixed" and (joint.sensors or self._may_be_lumped(parent.name, edge.child)):
            etree.SubElement(self.add_gazebo(name), "preserveFixedJoint").text = "true"
        springs = carry_springs(self, joint.element, name) if locked or kind not in urdf.WITHOUT_AXIS else ()
        carry_settings(self, edge.joint, name, springs)
        if joint.type != "fixed":
            drop_axis_settings(self, joint.element, kind == "fixed" and not locked)

    def _write_joint(self, edge: JointEdge, ends: _Ends, offset: bool) -> str:
        """Write a joint as the nearest type of URDF, with its row; return that type."""
        joint, name = self.graph.joint(edge.joint), self.names[edge.joint]
        old = self.graph.names[edge.joint].removeprefix("::")  # of a joint of the world around
        axes = {a.number: ResolvedAxis(resolve_axis(self.graph, edge.joint, a), a,
                                   self._name_leader(edge.joint, name, a)) for a in joint.axes}
        type_ = JOINT_TYPES["fixed" if is_locked(joint) else joint.type] if joint.type in JOINT_TYPES else None
        kind = None if type_ is None else type_.urdf
        if self.to_display and kind in (None, "floating"):
            self.joints.append(make_joint(name, "floating", *ends, None, joint.element))
            return "floating"
        if edge.joint in self.second_axes:
            self._split_joint(edge.joint, ends, axes)
            return "revolute"
        if kind in (None, "floating"):  # a type with more degrees of freedom replaces a ball joint
            self.report("urdf-joint-type-unsupported", locate(joint.element), name=name, type=joint.type,
                        instead=kind or "fixed")
        self.joints.append(make_joint(name, kind or "fixed", *ends, axes.get(0), joint.element))
        if kind is None:
            self.tell("joint", name, "moved", None, joint.element,
                      f"URDF has no {joint.type} joint; it is written as a fixed one")
            return "fixed"
        action: Action = "moved" if offset else "kept" if name == old else "renamed"
        reason = "a fixed link is added between the joint and its child" if offset and kind != "fixed" else None
        self.tell("joint", old, action, None if name == old else name, joint.element, reason)
        return kind

    def _split_joint(self, vertex: int, ends: _Ends, axes: dict[int, ResolvedAxis]) -> None:
        """Write a joint of two axes as two revolute joints, with a massless link between them."""
        joint, name, second = self.graph.joint(vertex), self.names[vertex], self.second_axes[vertex]
        middle = self.used.find_free(f"{name}_cross")
        self.links.append(urdf.Link(middle))
        self.joints.append(make_joint(name, "revolute", ends.parent, middle, ends.origin, axes[0], joint.element))
        self.joints.append(make_joint(second, "revolute", middle, ends.child, urdf.NO_ORIGIN, axes[1], joint.element))
        self.tell("joint", name, "moved", second, joint.element,
                  f"a {joint.type} joint is written as two revolute ones")
        self.report("urdf-cross-link-massless", locate(joint.element), type=joint.type, link=middle)

    def _name_leader(self, i: int, joint: str, axis: Axis) -> str | None:
        """Return the name of the URDF joint that an axis mimics, None if there is none. A lost leader is reported."""
        if axis.mimic is None:
            return None
        reason = f"{axis.mimic.joint!r} is not in the URDF"
        vertex = self.graph.find(self.graph.prefix(i), axis.mimic.joint)
        if vertex is not None and vertex not in self.left_out:
            leader = self.second_axes.get(vertex) if axis.mimic.axis == "axis2" else self.names[vertex]
            problem = find_leader_problem(self.graph.joint(vertex))
            if leader and not problem:
                return leader
            reason = f"{self.names[vertex]!r} {problem}"
        self.tell("mimic", joint, "dropped", None, axis.mimic.element, reason)
        self.report("urdf-mimic-dropped", locate(axis.mimic.element), name=joint, reason=reason)
        return None

    def _add_frames(self, held: _Place | None, parents: dict[int, JointEdge]) -> None:
        """Write a massless link for every explicit frame and every nested model's frame, fixed to the frame's body.

        A frame that represents a link of a URDF is fixed by the joint that it had there. In a static model, a frame
        that no link carries is fixed to `held`.
        """
        joints = {pair.joint for pair in self.pairs.values()} | {free.vertex for free in self.free.values()}
        for i, (kind, entity) in enumerate(zip(self.graph.kinds, self.graph.entities)):
            if kind not in ("frame", "model") or i == 0 or i in joints or (isinstance(entity, Frame) and entity.proxy):
                continue
            name, element = self.names[i], entity.element
            body = self.bodies[i]
            if isinstance(entity, Model):
                is_fixed = held is not None and entity.static and not any(
                    self.graph.names[child].startswith(f"{self.graph.names[i]}::") for child in parents)
                drop_model_settings(self, i, held.name if held is not None and is_fixed else None)
            place = self._place(body) if body >= 0 and self.graph.kinds[body] == "link" else held
            if place is None:
                self.tell(kind, name, "dropped", None, element, "it is not attached to a link")
                if kind == "frame":
                    self.report("urdf-setting-dropped", locate(element), tag="frame", hint="attach it to a link",
                                reason=f"no link carries {name!r}, only a static model")
                continue
            self.links.append(self.lumped.get(i) or urdf.Link(name, element=element))
            if i in self.pairs:
                self._add_pair(i, name, element)
                continue
            X = compose(invert(place.X), self.poses[i])
            self.joints.append(urdf.Joint(self.used.find_free(f"{name}_fixed"), "fixed", place.name, name,
                                          make_origin(X), element=element))
            self.tell(kind, name, "to-frame", place.name, element, "written as a massless link on a fixed joint")

    def _add_pair(self, i: int, name: str, element: Element) -> None:
        """Write the fixed joint of a frame that represents a link of a URDF."""
        joint, parent, posed = self.pairs[i]
        at, origin = find_parent_link(self.graph, self.pairs, i, self.graph.prefix(i), parent)
        frame = self.graph.entities[posed]
        if at == parent and isinstance(frame, Frame):
            origin = copy_origin(frame.pose.element)
        origin = origin or make_origin(compose(invert(self.poses[at]), self.poses[i]))
        self.joints.append(urdf.Joint(self.names[joint], "fixed", self.names[at], name, origin, element=element))
        body, what = self.names[self.bodies[i]], "mass" if i in self.lumped else "mass and shapes"
        self.tell("frame", name, "to-frame", self.names[at], element,
                  f"it stands for a lumped link; {body!r} has its {what}, if any")
        self.tell("frame", self.graph.names[joint], "moved", self.names[joint], self.graph.entities[joint].element,
                  "it stands for a lumped fixed joint")
