"""SDFormat to URDF: the kinematic tree of a model, with a fixed link for every frame.

URDF puts a child link where its joint is. Where SDFormat puts it elsewhere, a link without mass stands at the joint
and a fixed joint leads from it to the child, so that every frame keeps its name and place.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite

from lxml import etree

from sdf_frames.convert.report import DROPPED, KEPT, MOVED, RENAMED, TO_FRAME, Row
from sdf_frames.convert.urdf_axes import ANY_EFFORT, copy_axis, read_dynamics, read_limit
from sdf_frames.convert.urdf_parts import copy_child, copy_origin, make_inertial, make_origin, make_shapes
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.numbers import format_numbers
from sdf_frames.document.places import copy_element
from sdf_frames.document.xml_in import Element, file_of, locate
from sdf_frames.frames.graph import FrameGraph, build_graph
from sdf_frames.frames.resolve import Scope, resolve_axis, resolve_joint_end
from sdf_frames.sdf.joint_types import JOINT_TYPES
from sdf_frames.sdf.model import Axis, Joint, Link, Model, RawPose, World
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.sdf.settle import find_free
from sdf_frames.spatial.pose import IDENTITY, compose, invert, normalise, rpy_from_quaternion
from sdf_frames.urdf import model as urdf

_NEAR = 1e-12
_WORLD_TAKEN = "in a URDF 'world' is the inertial frame"


@dataclass(frozen=True, slots=True)
class UrdfConversion:
    """The robot (None where there is none), a row for everything in the model, and findings."""

    robot: urdf.Robot | None
    rows: tuple[Row, ...]
    diagnostics: tuple[Diagnostic, ...]


def convert_model(graph: FrameGraph, inertias: dict, write_uri: Callable[[str, Element], str],
                  separator: str = "/", to_display: bool = False) -> UrdfConversion:
    """URDF of a root model.

    Parameters
    ----------
    graph : its frame graph, without errors.
    inertias : link name -> :class:`~sdf_frames.inertia.LinkInertia`.
    write_uri : what is written for the URI of a mesh or texture, from the text and the element that holds it.
    separator : written between the names of nested models instead of ``::``.
    to_display : write every joint that URDF cannot express as a floating one, without a finding: TF places its child.
    """
    if graph.kind == "world":
        names = ", ".join(repr(m.name) for m in graph.scope.models[:8])
        return UrdfConversion(None, (), (diagnose("urdf-needs-one-model", locate(graph.scope.element),
                                                  count=len(graph.scope.models), models=names or "none"),))
    return _Writer(graph, inertias, write_uri, separator, to_display).convert()


def choose_model(scope: Scope, name: str | None = None) -> tuple[FrameGraph, str]:
    """Return the frame graph of one model of a scope, and the prefix of its links' names in the scope.

    Parameters
    ----------
    scope : a root model, which is the one meant, or a world.
    name : of the world's model; None for its only one. Where there is no such model, the graph is the world's, which
        :func:`convert_model` refuses.
    """
    if not isinstance(scope.graph.scope, World):
        return scope.graph, ""
    models = [m for m in scope.graph.scope.models if name in (None, m.name)]
    if len(models) != 1:
        return scope.graph, ""
    (model,) = models
    pose = next(f.pose for f in scope.frames if f.name == model.name)
    # Where it stands in the world counts for what is joined to the world.
    return build_graph(replace(model, pose=RawPose(pose), placement_frame="")), f"{model.name}::"


def _find_top(above: dict[int, int], link: int) -> int:
    """The uppermost link of the tree that a link is in; the way up is made shorter, so that chains stay cheap."""
    while (higher := above.get(link)) is not None:
        above[link] = above.get(higher, higher)
        link = higher
    return link


class _Writer:
    def __init__(self, graph: FrameGraph, inertias: dict, write_uri: Callable[[str, Element], str], separator: str,
                 to_display: bool):
        self.separator, self.to_display = separator, to_display
        self.graph = graph
        self.inertias = inertias
        self.write_uri = write_uri
        self.poses = [X or IDENTITY for X in graph.poses]
        self.bodies = graph.bodies
        self.rows: list[Row] = []
        self.found: list[Diagnostic] = []
        self.links: list[urdf.Link] = []
        self.joints: list[urdf.Joint] = []
        self.gazebo: list[Element] = []
        self.names = {i: name.replace("::", separator) for i, name in enumerate(graph.names)}
        self.used = {WORLD_FRAME} | {name for i, name in self.names.items() if i}
        self._name_world_link()

    def convert(self) -> UrdfConversion:
        model: Model = self.graph.scope
        parents = self._find_parents()
        links = [i for i, kind in enumerate(self.graph.kinds) if kind == "link"]
        if not links:
            return UrdfConversion(None, (), (diagnose("model-without-link", locate(model.element), name=model.name),))
        for i in links:
            self._add_link(i)
        root = self._add_joints(links, parents)
        self._add_frames()
        if model.static:
            etree.SubElement(self._gazebo(None), "static").text = "true"
        for plugin in model.element.findall("plugin"):
            self._gazebo(None).append(copy_element(plugin))
            self.rows.append(Row("plugin", plugin.get("name") or "", MOVED, "<gazebo>", plugin.sourceline))
        robot = urdf.Robot(model.name, tuple(self.links), tuple(self.joints), root, gazebo=tuple(self.gazebo),
                           file=file_of(model.element))
        return UrdfConversion(robot, tuple(self.rows), tuple(self.found))

    def _find_parents(self) -> dict[int, tuple[int | None, int, str]]:
        """Link -> (parent link or None for the world, joint vertex, prefix); joints that close a loop are reported."""
        parents: dict[int, tuple[int | None, int, str]] = {}
        above: dict[int, int] = {}  # a link that is higher up in the same tree
        for vertex, prefix in self.graph.joints:
            joint: Joint = self.graph.entities[vertex]
            child = resolve_joint_end(self.graph, prefix, joint.child)
            parent = resolve_joint_end(self.graph, prefix, joint.parent)
            if child is None or (parent is None and joint.parent != WORLD_FRAME):
                continue
            if child in parents or (parent is not None and _find_top(above, parent) == child):
                self._drop_joint(vertex, joint, "it closes a kinematic loop, which URDF cannot express")
            else:
                parents[child] = (parent, vertex, prefix)
                if parent is not None:
                    above[child] = parent
        return parents

    def _name_world_link(self) -> None:
        """Rename a link named ``world``: in a URDF that is the inertial frame."""
        i = self.graph.index.get(WORLD_FRAME)
        if i is not None:
            self.names[i] = find_free(f"{WORLD_FRAME}_{self.graph.kinds[i]}", self.used)
            self.used.add(self.names[i])
            self.found.append(diagnose("urdf-name-taken", locate(self.graph.entities[i].element),
                                       kind=self.graph.kinds[i], name=WORLD_FRAME, new=self.names[i]))

    def _drop_joint(self, vertex: int, joint: Joint, reason: str) -> None:
        self.rows.append(Row("joint", self.names[vertex], DROPPED, None, joint.element.sourceline, reason))
        self.found.append(diagnose("urdf-joint-dropped", locate(joint.element), name=self.names[vertex], reason=reason))

    def _add_link(self, i: int) -> None:
        link: Link = self.graph.entities[i]
        name, line = self.names[i], link.element.sourceline
        prefix = self.graph.names[i][:len(self.graph.names[i]) - len(link.name)]
        visuals, collisions = [], []
        for part in (*link.collisions, *link.parts):
            kind = getattr(part, "kind", "collision")
            X = self._pose_in_link(i, prefix, part)
            own = part.pose.relative_to in ("", link.name)
            if kind in ("visual", "collision"):
                (visuals if kind == "visual" else collisions).extend(
                    make_shapes(part.element, part.name, kind, X, copy_origin(part.pose.element) if own else None,
                                self.rows, self.write_uri))
            else:
                self._carry_part(name, part, kind, X)
        inertia = self.inertias.get(self.graph.names[i])
        written = None if link.inertial is None else link.inertial.element
        inertial = make_inertial(inertia, written, line) if inertia is not None else None
        self.links.append(urdf.Link(name, inertial, tuple(visuals), tuple(collisions), line))
        self.rows.append(Row("link", self.graph.names[i], KEPT if name == self.graph.names[i] else RENAMED,
                             None if name == self.graph.names[i] else name, line,
                             _WORLD_TAKEN if self.graph.names[i] == WORLD_FRAME else None))

    def _pose_in_link(self, i: int, prefix: str, part) -> tuple:
        if not part.pose.relative_to:
            return normalise(part.pose.X)
        frame = self.graph.find(prefix, part.pose.relative_to)
        X_LF = IDENTITY if frame is None else compose(invert(self.poses[i]), self.poses[frame])
        return compose(X_LF, normalise(part.pose.X))

    def _carry_part(self, link: str, part, kind: str, X: tuple) -> None:
        """A sensor, light or other part: whole under ``<gazebo>``, its pose in the link."""
        element = copy_element(part.element)
        for pose in element.findall("pose"):
            element.remove(pose)
        pose = etree.Element("pose")
        pose.text = format_numbers((*X[:3], *rpy_from_quaternion(*X[3:])))
        element.insert(0, pose)
        self._gazebo(link).append(element)
        self.rows.append(Row(kind, part.name, MOVED, f'<gazebo reference="{link}">', part.element.sourceline))

    def _gazebo(self, reference: str | None) -> Element:
        element = etree.Element("gazebo", {} if reference is None else {"reference": reference})
        self.gazebo.append(element)
        return element

    def _add_joints(self, links: list[int], parents: dict) -> str:
        """Joints between the links, depth first from the root; the root link's name."""
        children: dict[int | None, list[int]] = {}
        for i in links:
            if i in parents:
                children.setdefault(parents[i][0], []).append(i)
        roots = [i for i in links if i not in parents]
        on_world = children.get(None, [])
        if on_world:
            self.links.insert(0, urdf.Link(WORLD_FRAME))
            root, root_name, X_root = None, WORLD_FRAME, invert(self.graph.raw[0] or IDENTITY)
        else:
            body = self.bodies[0]
            while body in parents:
                body = parents[body][0]
            root = body if body in roots else roots[0]
            root_name, X_root = self.names[root], self.poses[root]
        for i in roots:
            if i != root:
                name = self._unused(f"{self.names[i]}_floating")
                X = compose(invert(X_root), self.poses[i])
                self.joints.append(urdf.Joint(name, "floating", root_name, self.names[i], make_origin(X)))
                self.found.append(diagnose("urdf-link-floats", locate(self.graph.entities[i].element),
                                           name=self.names[i], joint=name, root=root_name))
        for i in links:
            if i in parents:
                parent, vertex, prefix = parents[i]
                self._add_joint(vertex, prefix, i, root_name if parent is None else self.names[parent],
                                X_root if parent is None else self.poses[parent], 0 if parent is None else parent)
        if not on_world and not _is_identity(self.graph.raw[0] or IDENTITY):
            model: Model = self.graph.scope
            self.rows.append(Row("pose", model.name, DROPPED, None, model.element.sourceline,
                                 "URDF has no pose of a model: who spawns the robot says where"))
        return root_name

    def _copy_joint_origin(self, joint: Joint, prefix: str, parent: int) -> urdf.Origin | None:
        """The pose of a joint as written, where it is written in its parent: a vertex, the model's for the world."""
        at_origin = parent > 0 or _is_identity(self.graph.raw[0] or IDENTITY)
        if joint.pose.relative_to and at_origin and self.graph.find(prefix, joint.pose.relative_to) == parent:
            return copy_origin(joint.pose.element)
        return None

    def _add_joint(self, vertex: int, prefix: str, child: int, parent_name: str, X_parent: tuple, parent: int) -> None:
        joint: Joint = self.graph.entities[vertex]
        name, line = self.names[vertex], joint.element.sourceline
        X_PJ = compose(invert(X_parent), self.poses[vertex])
        origin = self._copy_joint_origin(joint, prefix, parent) or make_origin(X_PJ)
        X_JC = compose(invert(self.poses[vertex]), self.poses[child])
        below = self.names[child]
        offset = not _is_identity(X_JC)
        if offset and joint.type != "fixed":
            # The joint moves about its own frame: a massless link stands there, and the child is fixed to it.
            middle = self._unused(f"{name}_frame")
            self.links.append(urdf.Link(middle))
            self.joints.append(urdf.Joint(self._unused(f"{below}_offset"), "fixed", middle, below, make_origin(X_JC)))
            below = middle
        elif offset:
            origin = make_origin(compose(X_PJ, X_JC))
        axes = {a.index: (resolve_axis(self.graph, vertex, prefix, a), a, self._name_leader(prefix, a))
                for a in joint.axes}
        type_ = JOINT_TYPES.get(joint.type)
        kind = None if type_ is None else type_.urdf
        if self.to_display and kind in (None, "floating"):
            self._put_joint(name, "floating", parent_name, below, origin, None, line)
        elif type_ is not None and type_.split and len(axes) == 2:
            middle = self._unused(f"{name}_cross")
            self.links.append(urdf.Link(middle))
            self._put_joint(name, "revolute", parent_name, middle, origin, axes[0], line)
            second = self._unused(f"{name}_axis2")
            self._put_joint(second, "revolute", middle, below, urdf.NO_ORIGIN, axes[1], line)
            self.rows.append(Row("joint", name, MOVED, second, line,
                                 f"a {joint.type} joint is written as two revolute ones"))
        elif kind is None:
            self._put_joint(name, "fixed", parent_name, below, origin, None, line)
            reason = f"URDF has no {joint.type} joint; it is written as a fixed one"
            self.rows.append(Row("joint", name, MOVED, None, line, reason))
            self.found.append(diagnose("urdf-joint-type-unsupported", locate(joint.element), name=name, type=joint.type,
                                       instead="fixed"))
        else:
            self._put_joint(name, kind, parent_name, below, origin, axes.get(0), line)
            if joint.type == "ball":
                self.found.append(diagnose("urdf-joint-type-unsupported", locate(joint.element), name=name, type="ball",
                                           instead="floating"))
            old = self.graph.names[vertex]
            action = MOVED if offset else KEPT if name == old else RENAMED
            reason = "a fixed link stands between it and its child" if offset and joint.type != "fixed" else None
            self.rows.append(Row("joint", old, action, None if name == old else name, line, reason))
        if joint.sensors and (kind or "fixed") == "fixed":
            etree.SubElement(self._gazebo(name), "preserveFixedJoint").text = "true"  # lumped, it would lose them
        for sensor in joint.sensors:
            self._gazebo(name).append(copy_element(sensor.element))
            self.rows.append(Row("sensor", sensor.name, MOVED, f'<gazebo reference="{name}">',
                                 sensor.element.sourceline))

    def _name_leader(self, prefix: str, axis: Axis) -> str:
        """Name of the joint that an axis follows, as it is in the URDF."""
        leader = None if axis.mimic is None else self.graph.find(prefix, axis.mimic.joint)
        return "" if leader is None else self.names[leader]

    def _put_joint(self, name: str, kind: str, parent: str, child: str, origin, axis: tuple | None,
                   line: int | None) -> None:
        xyz = limit = dynamics = mimic = None
        if axis is not None and kind not in ("fixed", "floating"):
            xyz, raw, leader = axis
            xyz = copy_axis(raw, name, xyz or (0.0, 0.0, 1.0))
            lower, upper, limit = read_limit(raw.element)
            if kind == "revolute" and not (isfinite(lower) or isfinite(upper)):
                kind = "continuous"
                limit = limit._replace(lower=0.0, upper=0.0) if limit else None
            dynamics = read_dynamics(raw.element)
            if raw.mimic is not None:
                m = raw.mimic
                # URDF's q = multiplier · q_leader + offset has no reference.
                mimic = urdf.Mimic(leader, copy_child(m.element, "multiplier", m.multiplier),
                                   copy_child(m.element, "offset", m.offset - m.multiplier * m.reference))
        elif kind not in ("fixed", "floating"):
            xyz, limit = (0.0, 0.0, 1.0), urdf.Limit(-ANY_EFFORT, ANY_EFFORT, ANY_EFFORT, ANY_EFFORT)
        self.joints.append(urdf.Joint(name, kind, parent, child, origin, xyz, limit, dynamics, mimic, line=line))

    def _add_frames(self) -> None:
        """A massless link for every explicit frame and nested model's frame, fixed to the link that carries it."""
        for i, kind in enumerate(self.graph.kinds):
            if kind not in ("frame", "model") or i == 0 or getattr(self.graph.entities[i], "proxy", False):
                continue
            name, line = self.names[i], self.graph.entities[i].element.sourceline
            body = self.bodies[i]
            if body < 0 or self.graph.kinds[body] != "link":
                self.rows.append(Row(kind, name, DROPPED, None, line, "no link carries it"))
                continue
            self.links.append(urdf.Link(name, line=line))
            X = compose(invert(self.poses[body]), self.poses[i])
            self.joints.append(urdf.Joint(self._unused(f"{name}_fixed"), "fixed", self.names[body], name,
                                          make_origin(X), line=line))
            self.rows.append(Row(kind, name, TO_FRAME, self.names[body], line,
                                 "a link without mass, fixed in its place"))

    def _unused(self, name: str) -> str:
        """`name`, numbered where it is taken."""
        result, number = name, 2
        while result in self.used:
            result, number = f"{name}{number}", number + 1
        self.used.add(result)
        return result


def _is_identity(X: tuple) -> bool:
    return all(abs(a - b) <= _NEAR for a, b in zip(X[:3], IDENTITY)) and abs(abs(X[3]) - 1) <= _NEAR
