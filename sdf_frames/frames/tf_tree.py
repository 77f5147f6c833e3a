"""The tree of frames in TF, as nodes.

The parent of a frame is what it is rigidly attached to, the parent of a link is its joint's parent link, and that of a
model frame its canonical link. A world's frame is the root of a world. Movable links are at their zero position.
"""
from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.elements import Element, locate
from sdf_frames.frames.forest import find_cycles
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import list_joint_edges
from sdf_frames.frames.sensor_frames import OPTICAL, OPTICAL_FRAME_NAME, Sensor, find_sensors, is_near
from sdf_frames.sdf.model import Frame, Model
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME, is_reserved
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert
from sdf_frames.urdf.model import Joint as RobotJoint
from sdf_frames.urdf.model import Robot

_RANKS = ("world", "link", "joint", "frame", "model", "sensor")  # order of precedence for a shared name
_OUTSIDE = -1  # the world that a model is joined to, in place of a vertex


class Node:
    """A frame that may be published.

    Attributes
    ----------
    name, kind : its name in TF, and ``world``, ``model``, ``link``, ``joint``, ``frame`` or ``sensor``.
    parent : its parent node, None for the root.
    X : pose in the scope's frame.
    origin : the element that defines it, or its location in a URDF.
    joint : the joint that holds it: the robot's, or the vertex of the graph's.
    movable : whether it can move in its parent.
    left_out : whether it is not published.
    """

    __slots__ = ("name", "kind", "parent", "X", "origin", "left_out", "movable", "joint")

    def __init__(self, name: str, kind: str, parent: Node | None, X: Pose, origin: Element | None, *,
                 left_out: bool = False, movable: bool = False, joint: RobotJoint | int | None = None):
        self.name, self.kind, self.parent, self.X, self.origin = name, kind, parent, X, origin
        self.left_out, self.movable, self.joint = left_out, movable, joint

    @property
    def place(self) -> Location:
        """The location in the description, found on demand: few frames need it."""
        return locate(self.origin)


class Nodes(NamedTuple):
    """The nodes of a scope.

    Attributes
    ----------
    vertices : one node for each vertex of the graph.
    added : the world that a model is joined to, sensors, and links and joints of a URDF that the SDF does not have.
    """

    vertices: list[Node]
    added: list[Node]

    def all(self) -> list[Node]:
        """Return every node."""
        return [*self.vertices, *self.added]


class SensorNaming(NamedTuple):
    """The frames that sensors add.

    Attributes
    ----------
    sensor_frames : add a frame for every sensor, under the id that Gazebo gives its messages.
    optical_frames : add a frame with z forward for every camera that has none.
    optical_frame_name : its name, in which ``{id}``, ``{sensor}`` and ``{link}`` stand for those of the camera.
    prefix : it is removed from ids that begin with it, because it is put before every name later.
    """

    sensor_frames: bool = False
    optical_frames: bool = False
    optical_frame_name: str = OPTICAL_FRAME_NAME
    prefix: str = ""


_NO_SENSORS = SensorNaming()


def build_nodes(graph: FrameGraph, robot: Robot | None, separator: str, *, sensors: SensorNaming = _NO_SENSORS,
                model_name: str = "") -> Nodes:
    """Build the nodes of a scope, before names are compared.

    Parameters
    ----------
    robot : the URDF's robot that the scope was converted from, None for SDFormat.
    separator : written between the names of nested models instead of ``::``.
    sensors : the frames to add for sensors.
    model_name : name of the root model in place of its own; empty for its own.
    """
    if model_name and graph.kind == "model":
        graph = graph._replace(name=model_name)
    vertices = [_make_node(graph, i, separator) for i in range(len(graph.names))]
    parents, joints = find_link_parents(graph)
    outside = None
    if _OUTSIDE in parents.values() or robot is not None and robot.root == WORLD_FRAME:
        outside = Node(WORLD_FRAME, "world", None, invert(graph.raw[0] or IDENTITY), None)
    root = outside or vertices[_find_root(graph, parents)]
    for i, node in enumerate(vertices):
        node.parent = None if node is root else _find_parent(graph, i, parents, vertices, outside, root)
        node.joint = joints.get(i) if i in parents else None
        # A link without a joint is free to move; links of a static model hang below the model's frame.
        welded = i in joints and graph.joint(joints[i]).type == "fixed"
        node.movable = node.kind == "link" and not welded and node.parent is not None and (
            i in parents or node.parent.kind != "model")
    nodes = Nodes(vertices, [] if outside is None else [outside])
    if robot is not None:
        _follow_robot(robot, nodes)
    if sensors.sensor_frames or sensors.optical_frames:
        _add_sensors(graph, nodes, separator, sensors)
    return nodes


def find_root_link(graph: FrameGraph) -> str | None:
    """Return the name of the link above all joints that lead to the canonical link; None for a static model."""
    root = _find_root(graph, find_link_parents(graph)[0])
    return graph.names[root] if root else None


def choose_names(nodes: Iterable[Node]) -> tuple[Diagnostic, ...]:
    """Leave out all but one of the nodes with the same name: a link stays, else a joint, else a frame."""
    found = []
    holders: dict[str, Node] = {}
    for node in sorted((n for n in nodes if not n.left_out), key=lambda n: _RANKS.index(n.kind)):
        holder = holders.setdefault(node.name, node)
        if holder is not node:
            node.left_out = True
            found.append(diagnose("tf-name-taken", node.place, kind=node.kind, name=node.name, other=holder.kind))
    return tuple(found)


def find_way(node: Node) -> list[Node]:
    """Return a published node, the left-out ones above it, and the next published one; empty if there is none."""
    way = [node]
    while not node.left_out and (above := way[-1].parent) is not None:
        way.append(above)
        if not above.left_out:
            return way
    return []


def frame_id(prefix: str, name: str) -> str:
    """Return the frame id in TF of a node's name."""
    return (prefix + name).lstrip("/")


def _make_node(graph: FrameGraph, i: int, separator: str) -> Node:
    name, kind, entity, X = graph.names[i], graph.kinds[i], graph.entities[i], graph.poses[i]
    node = Node(graph.name if i == 0 and kind == "model" else name.replace("::", separator), kind, None,
                X or IDENTITY, entity.element)
    is_proxy = isinstance(entity, Frame) and entity.proxy
    node.left_out = X is None or not node.name or is_proxy or (i > 0 and is_reserved(name.rpartition("::")[2]))
    return node


def _add_sensors(graph: FrameGraph, nodes: Nodes, separator: str, naming: SensorNaming) -> None:
    """Add nodes for sensors, unless they name an existing frame, and for the optical frames of cameras."""
    published = [node for node in nodes.all() if not node.left_out]
    known = {node.name for node in published}
    carried: dict[Node, list[Node]] = {}
    for node in published if naming.optical_frames else ():
        carried.setdefault(_find_carrier(node), []).append(node)
    for sensor in find_sensors(graph, naming.prefix):
        above = nodes.vertices[sensor.vertex]
        frames = sensor.list_messages() if naming.sensor_frames else {}
        if naming.optical_frames and sensor.is_camera:
            frames |= _name_optical_frame(sensor, above, carried.get(_find_carrier(above), ()), naming)
        stated = {stated.text for stated in sensor.stated}
        for text, X in frames.items():
            name = text.replace("::", separator)
            if not (text in stated and name in known):
                nodes.added.append(Node(name, "sensor", above, X, sensor.element))


def _name_optical_frame(sensor: Sensor, above: Node, others: Iterable[Node], naming: SensorNaming) -> dict[str, Pose]:
    """Return the name and pose of the optical frame of a camera, unless another frame is that frame."""
    X = compose(sensor.X, OPTICAL)
    stated = next((stated.text for stated in sensor.stated if stated.row.is_optical), None)
    if stated is None and any(is_near(compose(invert(X), node.X)) for node in others):
        return {}
    name = naming.optical_frame_name
    for word, text in (("{id}", sensor.id), ("{sensor}", sensor.element.get("name", "")), ("{link}", above.name)):
        name = name.replace(word, text)
    return {stated or name: X}


def _find_carrier(node: Node) -> Node:
    """Return `node`, or the nearest node above it, that can move; all nodes below move with it."""
    while not node.movable and node.parent is not None:
        node = node.parent
    return node


def find_link_parents(graph: FrameGraph) -> tuple[dict[int, int], dict[int, int]]:
    """Find, for each link vertex, the parent body of its joint (or `_OUTSIDE`), and the vertex of the joint.

    If several joints have one child link, the first counts. Loops are cut.
    """
    parents: dict[int, int] = {}
    joints: dict[int, int] = {}
    world = _OUTSIDE if graph.kind == "model" else 0
    for vertex, _, parent, child in list_joint_edges(graph):
        if child not in parents:
            parents[child] = world if parent is None else parent
            joints[child] = vertex
    for loop in find_cycles([parents.get(i, _OUTSIDE) for i in range(len(graph.names))]):
        del parents[min(loop)]  # so that every path upwards ends
    return parents, joints


def _find_root(graph: FrameGraph, parents: dict[int, int]) -> int:
    """Return the vertex that is the parent of links without a parent joint."""
    body = graph.bodies[0]
    if body <= 0:
        return 0
    while (above := parents.get(body, 0)) > 0:
        body = above
    return body


def _find_parent(graph: FrameGraph, i: int, parents: dict[int, int], vertices: list[Node], outside: Node | None,
                 root: Node) -> Node | None:
    """Return the parent node of a vertex that is not the root."""
    kind, body = graph.kinds[i], graph.bodies[i]
    if kind == "link":
        if i in parents:
            return outside if parents[i] == _OUTSIDE else vertices[parents[i]]
        holder = graph.vertices[graph.prefix(i) + MODEL_FRAME]  # the model that the link is in
        entity = graph.entities[holder]
        return vertices[holder] if isinstance(entity, Model) and entity.static else root
    above = body if kind in ("joint", "model") and body != i else graph.attached[i]
    return vertices[above] if above >= 0 and body >= 0 else root  # no body: it may be in a cycle


def _follow_robot(robot: Robot, nodes: Nodes) -> None:
    """Change the tree of links to that of the URDF, and add the links and joints that the SDF does not have.

    The parent of a link is its URDF parent even if that has become a frame of another link. Links that the conversion
    left out have the pose that the URDF states.
    """
    by_name = {n.name: n for n in nodes.all() if n.kind in ("link", "frame", "world") and not n.left_out}
    if robot.root not in by_name:
        return
    joint_names = {n.name for n in nodes.vertices if n.kind in ("joint", "frame")}
    links = {link.name: link for link in robot.links}
    children: dict[str, list[RobotJoint]] = {}
    for joint in robot.joints:
        children.setdefault(joint.parent, []).append(joint)
    todo = [robot.root]
    while todo:
        parent = by_name[todo.pop()]
        for joint in children.get(parent.name, ()):
            todo.append(joint.child)
            if (child := by_name.get(joint.child)) is not None:
                if child.kind == "link":
                    child.parent, child.movable, child.joint = parent, joint.type != "fixed", joint
                continue
            X = compose(parent.X, joint.origin.pose())
            child = by_name[joint.child] = Node(
                joint.child, "link", parent, X, links[joint.child].element,
                left_out=not all(map(isfinite, X)), movable=joint.type != "fixed", joint=joint)
            nodes.added.append(child)
            if joint.name not in joint_names and joint.name not in links and not child.left_out:
                nodes.added.append(Node(joint.name, "joint", child, X, joint.element))
