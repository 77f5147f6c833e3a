"""The static TF tree of a robot or world: which frame hangs below which, and where.

Every frame hangs below what it is rigidly attached to, a link below its joint's parent link, a model frame below
its canonical link; a world's frame is the root of a world. Movable links are at their zero position.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.xml_in import locate
from sdf_frames.frames.graph import WORLD_FRAME, FrameGraph
from sdf_frames.frames.motion import Motion, find_motion, find_robot_motion
from sdf_frames.frames.resolve import FrameRow, name_of_body
from sdf_frames.frames.sensors import find_sensor_frames
from sdf_frames.sdf.names import is_reserved
from sdf_frames.spatial.pose import IDENTITY, compose, invert, normalise

MODES = ("all", "complement", "none")
_RANK = {"world": 0, "link": 1, "joint": 2, "frame": 3, "model": 4, "sensor": 5}


@dataclass(frozen=True, slots=True)
class Transform:
    """Pose ``X`` (x, y, z, qw, qx, qy, qz) of the frame `child` in the frame `parent`; metres, unit quaternion.

    `movable` says whether the child can move in the parent, `motion` how, where it was asked for and is about or along
    one axis; `place` is where the description has the child.
    """

    parent: str
    child: str
    pose: tuple
    movable: bool = False
    place: Location = field(default=Location(), compare=False)
    motion: Motion | None = field(default=None, compare=False)


@dataclass(slots=True)
class _Node:
    """A frame that may be published: its parent node (None for the root), its pose in the scope's frame."""

    name: str
    kind: str
    parent: _Node | None
    X: tuple
    place: Location
    joined: bool = False
    left_out: bool = False
    movable: bool = False
    motion: Motion | None = None


def static_transforms(loaded, mode: str = "all", scope_separator: str = "/", frame_prefix: str = "",
                      sensor_frames: bool = False, motions: bool = False) -> tuple[tuple[Transform, ...], tuple[Diagnostic, ...]]:
    """Transforms of the static TF tree of a loaded robot or world (its first one).

    Parameters
    ----------
    loaded : :class:`sdf_frames.load.Loaded`.
    mode : ``all``; ``complement``: only what robot_state_publisher does not publish, to run beside it; ``none``.
    scope_separator : written between the names of nested models instead of ``::``.
    frame_prefix : put before every name as it is.
    sensor_frames : add a frame for every sensor, under the id that Gazebo gives its messages.
    motions : say of what can move how it moves.

    Returns
    -------
    transforms, diagnostics
        Every child once, in the order of the document. Frames whose name another one bears are left out and
        reported; names that the format reserves, and proxy frames of merged includes, are left out.

    Raises
    ------
    ValueError
        For an unknown mode.
    """
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}, not one of {', '.join(MODES)}")
    if mode == "none" or not loaded.graphs:
        return (), ()
    graph = loaded.graphs[0]
    nodes = _build_nodes(graph, scope_separator, motions)
    if sensor_frames:
        nodes += _make_sensors(graph, nodes, scope_separator)
    if loaded.robot is not None:
        nodes += _follow_robot(loaded.robot, nodes, motions)
    found = _settle_names(nodes)
    published = _published_elsewhere(loaded.robot, nodes) if mode == "complement" else ()
    transforms = []
    for node in nodes:
        if node.left_out or node.parent is None or id(node) in published:
            continue
        parent, movable, motion = node.parent, node.movable, node.motion if node.movable else None
        while parent.left_out and parent.parent is not None:
            if parent.movable:
                movable, motion = True, None
            parent = parent.parent
        if not parent.left_out:
            transforms.append(Transform(_frame_id(frame_prefix, parent.name), _frame_id(frame_prefix, node.name),
                                        normalise(compose(invert(parent.X), node.X)), movable, node.place, motion))
    return tuple(transforms), found


def find_left_out(graph: FrameGraph, robot=None) -> tuple[FrameRow, ...]:
    """Frames that the TF tree of a scope has beside the scope's own, as rows.

    Parameters
    ----------
    graph : the scope.
    robot : the URDF's robot that the scope was converted from, None for SDFormat.

    Returns
    -------
    rows
        The world that a model is joined to, and links and joints of the robot that are not in SDF: movable ones at their zero
        position, ``link`` the first link of their rigid body, poses in the scope's frame.
    """
    welded = graph.kind == "model" and any([graph.entities[i].parent == WORLD_FRAME for i, _ in graph.joints])
    if not welded and (robot is None or all([link.name in graph.index for link in robot.links])):
        return ()
    nodes = _build_nodes(graph, "::", False)
    vertices = nodes[-len(graph.names):]
    added = [*nodes[:-len(vertices)], *(() if robot is None else _follow_robot(robot, nodes, False))]
    _settle_names([*vertices, *added])
    bodies = {id(node): name_of_body(graph, body) for node, body in zip(vertices, graph.bodies)}
    rows = []
    for node in added:
        carried = node.kind == "joint" or (node.kind == "link" and not node.movable)
        bodies[id(node)] = body = bodies[id(node.parent)] if carried else node.name
        if not node.left_out and node.name not in graph.index:
            rows.append(FrameRow(node.name, node.kind, node.parent.name if node.kind == "joint" else None, None, body,
                                 normalise(node.X)))
    return tuple(rows)


def _frame_id(prefix: str, name: str) -> str:
    return (prefix + name).lstrip("/")


def _build_nodes(graph: FrameGraph, separator: str, motions: bool) -> list[_Node]:
    bodies = graph.bodies
    nodes = []
    for i, (name, kind, entity) in enumerate(zip(graph.names, graph.kinds, graph.entities)):
        node = _Node(graph.name if i == 0 and kind == "model" else name.replace("::", separator), kind, None,
                     graph.poses[i] or IDENTITY, locate(entity.element))
        local = name.rpartition("::")[2]
        node.left_out = (graph.poses[i] is None or not node.name or getattr(entity, "proxy", False)
                         or (i > 0 and is_reserved(local)))
        nodes.append(node)
    outside = None
    parents, joints = _find_link_parents(graph, bodies)
    if graph.kind == "model" and WORLD_FRAME in parents.values():
        outside = _Node(WORLD_FRAME, "world", None, invert(graph.raw[0] or IDENTITY), nodes[0].place)
    root = _find_root(graph, bodies, parents, nodes, outside)
    for i, node in enumerate(nodes):
        node.parent = _find_parent(graph, i, bodies, parents, nodes, outside, root)
        node.joined = i in parents
        # A link that nothing holds is free to move; those of a static model hang below its frame.
        welded = i in joints and graph.entities[joints[i][0]].type == "fixed"
        node.movable = node.kind == "link" and not welded and node.parent is not None and (
            node.joined or node.parent.kind != "model")
        if motions and node.movable and node.joined:
            node.motion = find_motion(graph, *joints[i], i)
    return nodes if outside is None else [outside, *nodes]


def _make_sensors(graph: FrameGraph, nodes: list[_Node], separator: str) -> list[_Node]:
    """Nodes for the sensors; one that names a frame which is there already needs none."""
    known = {node.name for node in nodes if not node.left_out}
    vertices = nodes[-len(graph.names):]  # after the world that a model may be fixed to
    return [_Node(sensor.name, "sensor", vertices[sensor.vertex], sensor.X, locate(sensor.element))
            for sensor in find_sensor_frames(graph, separator)
            if not (sensor.is_named and sensor.name in known)]


def _find_link_parents(graph: FrameGraph, bodies: list[int]) -> tuple[dict, dict]:
    """Link vertex -> vertex of its joint's parent body (or ``"world"``), loops cut open; and -> vertex and prefix of the joint.

    Where several joints end in one link, the first counts.
    """
    parents: dict = {}
    joints: dict = {}
    for vertex, prefix in graph.joints:
        joint = graph.entities[vertex]
        child = graph.find(prefix, joint.child)
        child = -1 if child is None else bodies[child]
        if child < 0 or child in parents:
            continue
        parent = graph.find(prefix, joint.parent)
        if parent is not None:
            parent = bodies[parent]
            if parent < 0:
                continue
            if graph.kinds[parent] == "world":
                parent = 0
        elif joint.parent == WORLD_FRAME:
            parent = WORLD_FRAME if graph.kind == "model" else 0
        else:
            continue
        parents[child] = parent
        joints[child] = vertex, prefix
    return _cut_loops(parents), joints


def _cut_loops(parents: dict) -> dict:
    """`parents` without the first link of each loop, so that every walk upwards ends."""
    done: set = set()
    for start in list(parents):
        path: list = []
        on_path: set = set()
        node = start
        while node in parents and node not in done and node not in on_path:
            path.append(node)
            on_path.add(node)
            node = parents[node]
        if node in on_path:
            del parents[min(path[path.index(node):])]
        done.update(path)
    return parents


def _find_root(graph: FrameGraph, bodies: list[int], parents: dict, nodes: list[_Node], outside: _Node | None) -> _Node:
    """The node that links without a parent joint hang below (its own parent is None)."""
    if outside is not None:
        return outside
    if graph.kind == "world" or bodies[0] == 0 or bodies[0] < 0:
        return nodes[0]
    body = bodies[0]
    while body in parents:
        body = parents[body]
    return nodes[body]


def _find_parent(graph: FrameGraph, i: int, bodies: list[int], parents: dict, nodes: list[_Node],
                 outside: _Node | None, root: _Node) -> _Node | None:
    node, kind = nodes[i], graph.kinds[i]
    if node is root:
        return None
    attached = graph.attached[i]
    if kind == "link":
        if i in parents:
            return outside if parents[i] == WORLD_FRAME else nodes[parents[i]]
        model = _enclosing_model(graph, i)
        return nodes[model] if graph.entities[model] and getattr(graph.entities[model], "static", False) else root
    if kind == "joint":
        return nodes[bodies[i]] if bodies[i] >= 0 else root
    if attached >= 0:
        return nodes[bodies[i]] if kind == "model" and bodies[i] >= 0 else nodes[attached]
    return root if kind != "world" else None


def _enclosing_model(graph: FrameGraph, i: int) -> int:
    """Vertex of the model (or scope) that a link is in."""
    scope = graph.names[i][:len(graph.names[i]) - len(graph.entities[i].name)]
    return graph.index.get(scope + "__model__", 0)


def _follow_robot(robot, nodes: list[_Node], motions: bool) -> list[_Node]:
    """Make the links' tree that of the URDF.

    A link hangs below its URDF parent also where that has become a frame of another link, and links that the
    conversion dropped stand where the URDF has them. Returns the nodes to add for those.
    """
    by_name = {n.name: n for n in nodes if n.kind in ("link", "frame", "world") and not n.left_out}
    if robot.root not in by_name:
        return []
    joint_names = {n.name for n in nodes if n.kind in ("joint", "frame")}
    lines = {link.name: link.line for link in robot.links}
    children: dict[str, list] = {}
    for joint in robot.joints:
        children.setdefault(joint.parent, []).append(joint)
    added, todo = [], [robot.root]
    while todo:
        parent = by_name[todo.pop()]
        for joint in children.get(parent.name, ()):
            todo.append(joint.child)
            if (child := by_name.get(joint.child)) is not None:
                if child.kind == "link":
                    child.parent, child.movable = parent, joint.type != "fixed"
                    child.motion = find_robot_motion(joint) if motions else None
                continue
            X = compose(parent.X, joint.origin.pose())
            child = by_name[joint.child] = _Node(joint.child, "link", parent, X, Location(robot.file, lines[joint.child]),
                                                 joined=True, movable=joint.type != "fixed",
                                                 motion=find_robot_motion(joint) if motions else None)
            child.left_out = not all(map(isfinite, X))
            added.append(child)
            if joint.name not in joint_names and joint.name not in lines and not child.left_out:
                added.append(_Node(joint.name, "joint", child, X, Location(robot.file, joint.line)))
    return added


def _settle_names(nodes: list[_Node]) -> tuple[Diagnostic, ...]:
    """Leave out all but one of the nodes that bear one name: the link stays, then the joint, then the frame."""
    found, holders = [], {}
    for node in sorted((n for n in nodes if not n.left_out), key=lambda n: _RANK[n.kind]):
        holder = holders.setdefault(node.name, node)
        if holder is not node:
            node.left_out = True
            found.append(diagnose("tf-name-taken", node.place, kind=node.kind, name=node.name, other=holder.kind))
    return tuple(found)


def _published_elsewhere(robot, nodes: list[_Node]) -> set[int]:
    """The nodes that robot_state_publisher publishes: every link below a joint."""
    if robot is None:
        return {id(n) for n in nodes if n.kind == "link" and n.joined}
    links = {link.name for link in robot.links} - {robot.root}
    return {id(n) for n in nodes if n.name in links and n.kind in ("link", "frame")}


