"""A URDF describes one model: chooses the model of a file, with what the world around holds for it.

A file that has no model, several, or not the one that was asked for, has a finding.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.convert.report import Account
from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.frames.graph import SINK, FrameGraph, build_graph
from sdf_frames.frames.resolve import Scope, list_joint_edges, name_of_body, resolve_axis
from sdf_frames.sdf.model import Frame, Joint, Model, RawPose, World
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.spatial.pose import IDENTITY, compose, invert, rotate

_MOST_NAMED = 8


def choose_model(scope: Scope, wanted: str | None = None, alone: bool = False) -> tuple[FrameGraph, str, Account]:
    """Return the frame graph of one model of a scope, and the prefix of its links' names in the scope.

    Joints and frames of a world that belong to the model become the model's; the account has those that cannot.

    Parameters
    ----------
    scope : a root model, or a world.
    wanted : the name of the world's model; None for its only one. If there is no such model, the graph is that of the
        world, which cannot be written as a URDF.
    alone : leave out what the world holds for the model.
    """
    world, account = scope.graph.scope, Account()
    models = [m for m in world.models if wanted in (None, m.name)] if isinstance(world, World) else []
    if len(models) != 1:
        return scope.graph, "", account
    (model,) = models
    prefix = f"{model.name}::"
    given = {f"::{part.name}": part for part in (() if alone else _take_parts(scope.graph, prefix, account))}
    parts = [part._replace(name=name) for name, part in given.items()]
    # Joints to the world need the model's pose in it. A model without a pose has an error of its own.
    X = next(f.pose for f in scope.frames if f.name == model.name) or IDENTITY
    graph = build_graph(model._replace(
        pose=RawPose(X, element=model.pose.element), placement_frame="",
        joints=(*[p for p in parts if isinstance(p, Joint)], *model.joints),
        frames=(*model.frames, *[p for p in parts if isinstance(p, Frame)])))
    # What these parts name is in the scope "::", that of the world, where the names of the model have its prefix.
    graph.entities[:] = [given.get(entity.name, entity) for entity in graph.entities]
    graph.vertices.update([(f"::{prefix}{name}", i) for i, name in enumerate(graph.names)])
    return graph, prefix, account


def _take_parts(graph: FrameGraph, prefix: str, account: Account) -> Iterator[Joint | Frame]:
    """Yield the joints and frames of a world that belong to a model, with poses in links of the model.

    A frame belongs to the model if it is on a link of the model, or on the model itself, which is then static. A joint
    does if it connects a link of the model with another one, or with the world; a joint to another model is left out,
    with a finding.
    """
    edges = {edge.joint: edge for edge in list_joint_edges(graph)}
    for i, part in enumerate(graph.entities):
        if graph.prefix(i):  # it belongs to a model
            continue
        body = graph.bodies[i]
        if isinstance(part, Frame) and body != SINK and f"{graph.names[body]}::".startswith(prefix):
            yield part._replace(attached_to=graph.names[body][len(prefix):], pose=_find_pose(graph, body, i))
        if not isinstance(part, Joint) or i not in edges:
            continue
        child = _name_in(graph, prefix, edges[i].child)
        parent = WORLD_FRAME if (end := edges[i].parent) is None else _name_in(graph, prefix, end)
        if parent and child:
            pose = _find_pose(graph, edges[i].child, i)
            # An axis may be expressed in a frame that is not in the model; the child link is.
            axes = [axis._replace(xyz=rotate(pose.X[3:], xyz), expressed_in=prefix + child)
                    if axis.expressed_in and (xyz := resolve_axis(graph, i, axis)) else axis for axis in part.axes]
            yield part._replace(parent=parent, child=child, pose=pose, axes=tuple(axes))
        elif child or parent not in (WORLD_FRAME, None):
            reason = f"it connects {part.parent!r} to {part.child!r}, and a URDF describes one model"
            account.tell("joint", part.name, "dropped", None, part.element, reason)
            account.report("urdf-joint-dropped", locate(part.element), name=part.name, reason=reason)


def _name_in(graph: FrameGraph, prefix: str, body: int) -> str | None:
    """Return the name of a link in a model; None if the body is not in the model, or is the whole, static model."""
    name = name_of_body(graph, body) or ""
    return name.removeprefix(prefix) if name.startswith(prefix) and graph.kinds[body] == "link" else None


def _find_pose(graph: FrameGraph, body: int, vertex: int) -> RawPose:
    """Return the pose of a vertex in a body."""
    return RawPose(compose(invert(graph.poses[body] or IDENTITY), graph.poses[vertex] or IDENTITY))


def report_models(at: Location, scope: World | Model | None, wanted: str | None = None) -> Diagnostic:
    """The finding that a file has not the one model that is to be written as a URDF.

    Parameters
    ----------
    scope : its world or root model; None if it has neither.
    wanted : the name of the model that was asked for; None for the only model.
    """
    models = () if scope is None else scope.models if isinstance(scope, World) else (scope,)
    place = f"the world {scope.name!r}" if isinstance(scope, World) else "the file"  # which may have a model beside it
    if not models:
        return diagnose("urdf-needs-one-model", at, problem=f"{place} has no model",
                        hint="give a file with a <model>"
                        + ", and without an empty <world>" * isinstance(scope, World))
    names = ", ".join([repr(model.name) for model in models[:_MOST_NAMED]] + ["…"] * (len(models) > _MOST_NAMED))
    if wanted is not None or not isinstance(scope, World):
        return diagnose("urdf-needs-one-model", at, problem=f"{place} has no model {wanted!r}, but {names}")
    return diagnose("urdf-needs-one-model", at,
                    problem=f"the file is the world {scope.name!r} with {count_of(len(models), 'model')}: {names}")
