"""Checks joints: types, parent and child, axes, mimics, loops, links without joints, and distances."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from sdf_frames.diagnostics import WARNING, Diagnostic, count_of, diagnose, relate, suggest_name
from sdf_frames.document.elements import child_or_self, locate
from sdf_frames.document.numbers import format_number
from sdf_frames.frames.forest import find_top
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import LARGEST_ZERO, JointEdge, list_joint_edges, name_of_body, resolve_axis
from sdf_frames.sdf.entities import read_mass
from sdf_frames.sdf.model import JOINT_TYPES, Axis, Joint, Link, Mimic, Model
from sdf_frames.sdf.names import ROOT, WORLD_FRAME
from sdf_frames.spatial.inertia import Tensor, rotate_tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, rotate

_AXES = ("axis", "axis2")


def check_joints(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Check every joint of a scope.

    When libsdformat loads a file, it resolves joints of root models, of worlds and of a world's own models. Errors in
    joints of nested models are warnings here, except for unknown children, which libsdformat refuses too.
    """
    for vertex, prefix in graph.joints:
        joint = graph.joint(vertex)
        checked = not prefix or (graph.kind == "world" and prefix.count("::") == 1)
        found = [*_check_type(joint), *_check_ends(graph, vertex, prefix, joint),
                 *_check_axes(graph, vertex, prefix, joint)]
        yield from found if checked else (_soften(d, joint) for d in found)


def _soften(diagnostic: Diagnostic, joint: Joint) -> Diagnostic:
    """Turn an error in a nested model into a warning, unless the joint's own text shows the error."""
    own = (diagnostic.name in ("joint-type-invalid", "joint-axis-zero", "joint-child-is-world")
           or joint.parent == joint.child
           or (diagnostic.name == "joint-mimic-invalid" and any(_follows_itself(joint, a.number, a.mimic)
                                                                or a.mimic.axis not in _AXES
                                                                for a in joint.axes if a.mimic is not None)))
    return diagnostic if own else diagnostic._replace(severity=WARNING)


def _check_type(joint: Joint) -> Iterator[Diagnostic]:
    if joint.type and joint.type not in JOINT_TYPES:
        yield diagnose("joint-type-invalid", locate(joint.element, "type"), name=joint.name,
                       type=joint.element.get("type"), hint=suggest_name(joint.type, JOINT_TYPES))


def _check_ends(graph: FrameGraph, vertex: int, prefix: str, joint: Joint) -> Iterator[Diagnostic]:
    parent = graph.find(prefix, joint.parent)
    child = graph.find(prefix, joint.child)
    if joint.child == WORLD_FRAME and (child is None or graph.kinds[child] == "world"):
        # Swapped, it would be no better if both ends are the world.
        hint = "so is its parent; name a link of the model as the child" if joint.parent == WORLD_FRAME else None
        yield diagnose("joint-child-is-world", locate(child_or_self(joint.element, "child")), name=joint.name,
                       hint=hint)
        child = None
    if parent == vertex:
        yield diagnose("joint-is-own-parent", locate(child_or_self(joint.element, "parent")), name=joint.name)
        return
    if parent is None and joint.parent not in ("", WORLD_FRAME, ROOT) and graph.is_unknown(prefix, joint.parent):
        yield diagnose("joint-parent-unknown", locate(child_or_self(joint.element, "parent")), name=joint.name,
                       reference=joint.parent,
                       hint=graph.hints.suggest(prefix, joint.parent, joint.name, joint.child, also=[WORLD_FRAME]))
    if child is None or child == vertex or (child_body := graph.bodies[child]) < 0:
        return
    if graph.kinds[child_body] == "world":
        yield diagnose("joint-child-is-world", locate(child_or_self(joint.element, "child")), name=joint.name)
        return
    if parent is not None and graph.bodies[parent] == child_body:
        yield diagnose("joint-parent-same-as-child", locate(joint.element), name=joint.name,
                       link=name_of_body(graph, child_body),
                       hint=None if joint.parent != joint.child else "name two different links")


def _check_axes(graph: FrameGraph, vertex: int, prefix: str, joint: Joint) -> Iterator[Diagnostic]:
    for axis in joint.axes:
        x, y, z = axis.xyz
        if (length := sqrt(x * x + y * y + z * z)) <= LARGEST_ZERO:
            yield diagnose("joint-axis-zero", locate(child_or_self(axis.element, "xyz"), "xyz"), name=joint.name,
                           length=length)
        if axis.expressed_in and graph.is_unknown(prefix, axis.expressed_in) and not joint.parent.startswith(
                axis.expressed_in + "::"):  # then the parent is unknown for the same reason
            place = locate(child_or_self(axis.element, "xyz"), "expressed_in")
            yield diagnose("joint-axis-expressed-in-unknown", place, name=joint.name, reference=axis.expressed_in,
                           hint=graph.hints.suggest(prefix, axis.expressed_in))
        yield from _check_limits(joint, axis)
        if (mimic := axis.mimic) is not None and mimic.joint and (
                problem := _find_mimic_problem(graph, vertex, prefix, axis.number, mimic)):
            yield diagnose("joint-mimic-invalid", locate(mimic.element, "joint"), name=joint.name,
                           leader=mimic.joint, problem=problem, hint=_suggest_leader(graph, prefix, mimic.joint))


def _check_limits(joint: Joint, axis: Axis) -> Iterator[Diagnostic]:
    lower, upper = axis.lower, axis.upper
    if joint.type != "continuous" and lower is not None and upper is not None and lower > upper:
        place = locate(child_or_self(child_or_self(axis.element, "limit"), "lower"))
        yield diagnose("joint-limits-reversed", place, name=joint.name, lower=format_number(lower),
                       upper=format_number(upper))


def _suggest_leader(graph: FrameGraph, prefix: str, leader: str) -> str | None:
    """Suggest a joint if no joint has the name of the leader."""
    vertex = graph.find(prefix, leader)
    if vertex is not None and graph.kinds[vertex] == "joint":
        return None
    close = graph.hints.find_nearest(leader, (graph.names[v][len(prefix):] for v, _ in graph.joints
                                              if graph.names[v].startswith(prefix)))
    return f"did you mean {close!r}?" if close else None


def _follows_itself(joint: Joint, index: int, mimic: Mimic) -> bool:
    return mimic.joint == joint.name and mimic.axis == _AXES[index]


def _find_mimic_problem(graph: FrameGraph, vertex: int, prefix: str, index: int, mimic: Mimic) -> str | None:
    if mimic.axis not in _AXES:
        return f"its axis {mimic.axis!r} is neither axis nor axis2"
    leader = graph.find(prefix, mimic.joint)
    if leader is None and not graph.is_unknown(prefix, mimic.joint):
        return None
    if leader is None or graph.kinds[leader] != "joint":
        return "there is no joint of that name"
    wanted = _AXES.index(mimic.axis)
    if _follows_itself(graph.joint(vertex), index, mimic):
        return "an axis cannot follow itself"
    if all(a.number != wanted for a in graph.joint(leader).axes):
        return f"that joint has no {mimic.axis}"
    return None


_FAR = 1000.0
#: A distance is suspicious if the rest of the model is this many times as close and as small.
_FAR_BESIDE, _TIMES = 10.0, 100.0
_TURNING = frozenset(("revolute", "continuous", "universal"))
_EXACT = 1e-12  # rounding error, relative to a moment
_ON_AXIS = 1e-9  # metres
_MOST_LOOKS = 100_000  # at links, for all joints
_WORLD = -1  # in place of a vertex


def check_kinematics(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Check the graph of bodies and joints of a scope: links with two parent joints, loops, links without joints."""
    above: dict[int, int] = {}  # the first joint above each body
    joined: set[int | None] = set()
    group: dict[int, int] = {}  # union-find: from a body to the representative of all that are joined to it
    closing: list[int] = []
    kept: list[tuple[int, int | None, int]] = []  # joints that URDF and TF use
    others: list[tuple[int, int | None, int]] = []
    edges = list(list_joint_edges(graph))
    for vertex, _, parent, child in edges:
        if parent == child:
            continue
        joined |= {child, parent}
        first = above.setdefault(child, vertex)
        (kept if first == vertex else others).append((vertex, parent, child))
        if first != vertex:
            yield diagnose("link-with-several-parents", locate(graph.entities[vertex].element), link=graph.names[child],
                           joint=graph.names[vertex], first=graph.names[first],
                           related=[relate(f"joint {graph.names[first]!r}", locate(graph.entities[first].element))])
    for vertex, parent, child in kept + others:
        a, b = find_top(group, _WORLD if parent is None else parent), find_top(group, child)
        if a == b:
            closing.append(vertex)
        else:
            group[a] = b
    if closing:
        yield diagnose("kinematic-loops", locate(graph.entities[closing[0]].element),
                       loops=count_of(len(closing), "kinematic loop"),
                       joints=", ".join(repr(graph.names[v]) for v in closing[:8]) + (" …" if len(closing) > 8 else ""))
    # A joint with an unknown end may be meant for any of the unconnected links.
    if isinstance(graph.scope, Model) and 0 < len(graph.joints) == len(edges):
        yield from _check_loose_links(graph, joined)
    yield from _check_turned(graph, edges)
    yield from _check_distances(graph)


def _check_turned(graph: FrameGraph, edges: Sequence[JointEdge]) -> Iterator[Diagnostic]:
    """Report joints that turn no inertia: everything that moves with them is a point or a line on their axis."""
    if not (turning := [edge for edge in edges if graph.joint(edge.joint).type in _TURNING]):
        return
    below: dict[int | None, list[int]] = {}
    for edge in edges:
        below.setdefault(edge.parent, []).append(edge.child)
    static = graph.list_static()
    looks = iter(range(_MOST_LOOKS))
    for vertex, _, _, child in turning:
        joint, X_SJ = graph.joint(vertex), graph.poses[vertex]
        if X_SJ is None or graph.names[vertex].startswith(static):
            continue
        for axis in joint.axes:
            xyz = resolve_axis(graph, vertex, axis)
            if xyz is not None and not _has_moment(graph, below, child, X_SJ, rotate(X_SJ[3:], xyz), looks):
                yield diagnose("joint-turns-no-inertia", locate(joint.element), name=graph.names[vertex],
                               link=name_of_body(graph, child))


def _has_moment(graph: FrameGraph, below: dict[int | None, list[int]], child: int, X_SJ: Pose, axis: Vector,
                looks: Iterator[int]) -> bool:
    """Return whether a link, or a link below it, has a moment of inertia about an axis of the scope's frame."""
    seen, pending = {child}, [child]
    while pending:
        body = pending.pop()
        link, X_SL = graph.entities[body], graph.poses[body]
        if not isinstance(link, Link) or X_SL is None or next(looks, None) is None:
            return True
        mass, moments = read_mass(link.inertial)
        X_SI = compose(X_SL, link.inertial and link.inertial.X_LI or IDENTITY)
        offset = (X_SI[0] - X_SJ[0], X_SI[1] - X_SJ[1], X_SI[2] - X_SJ[2])
        if not mass > 0.0 or _turn(rotate_tensor(X_SI[3:], moments), axis) > _EXACT * sum(moments[:3]) or (
                _distance(offset, axis) > _ON_AXIS):
            return True
        more = [vertex for vertex in below.get(body, ()) if vertex not in seen]
        seen.update(more)
        pending += more
    return False


def _turn(tensor: Tensor, axis: Vector) -> float:
    """Return the moment of a tensor about an axis."""
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    x, y, z = axis
    return ixx * x * x + iyy * y * y + izz * z * z + 2 * (ixy * x * y + ixz * x * z + iyz * y * z)


def _distance(point: Vector, axis: Vector) -> float:
    """Return the distance of a point from a line through the origin."""
    (x, y, z), (a, b, c) = point, axis
    return sqrt((y * c - z * b) ** 2 + (z * a - x * c) ** 2 + (x * b - y * a) ** 2)


def _check_loose_links(graph: FrameGraph, joined: set[int | None]) -> Iterator[Diagnostic]:
    """Report links that are neither parents nor children of joints; `joined` are the other links."""
    static = graph.list_static()
    for vertex, kind in enumerate(graph.kinds):
        if kind == "link" and vertex not in joined and not graph.names[vertex].startswith(static):
            yield diagnose("link-unjoined", locate(graph.entities[vertex].element), link=graph.names[vertex])


def _check_distances(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Report poses in a model that look like millimetres: by themselves, or beside the rest of their model."""
    distances = {vertex: max(map(abs, X[:3])) for vertex, (kind, X) in enumerate(zip(graph.kinds, graph.raw))
                 if kind in ("link", "joint") and X is not None}
    if max(distances.values(), default=0.0) < _FAR_BESIDE:
        return
    from sdf_frames.checks.sizes import group_by_model, measure_shapes
    for model, vertices in group_by_model(graph, distances):
        farthest, *others = sorted(vertices, key=lambda vertex: -distances[vertex])
        if distances[farthest] < _FAR_BESIDE or model is None or model.static:
            rest = 0.0
        else:
            links = [link for vertex in vertices if isinstance(link := graph.entities[vertex], Link)]
            rest = max([distances[vertex] for vertex in others[:1]] + [measure_shapes(links)])
        for vertex in vertices:
            distance, beside = distances[vertex], rest if vertex == farthest else 0.0
            if distance >= _FAR or 0.0 < _TIMES * beside <= distance:
                yield diagnose("distance-suspicious", locate(graph.entities[vertex].element), kind=graph.kinds[vertex],
                               name=graph.names[vertex], distance=f"{distance:g}",
                               rest=f"; the rest of its model is about {beside:.3g} m" if beside else "")
