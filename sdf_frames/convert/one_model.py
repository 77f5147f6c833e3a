"""A URDF describes one model: chooses the model of a file, with what the world around holds for it.

A file that has no model, several, or not the one that was asked for, has a finding.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.convert.report import Account
from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.frames.graph import FrameGraph, build_graph
from sdf_frames.frames.resolve import Scope, list_joint_edges, name_of_body, resolve_axis
from sdf_frames.sdf.model import Frame, Joint, Model, RawPose, World, kind_of
from sdf_frames.sdf.names import WORLD_FRAME, Taken
from sdf_frames.spatial.pose import IDENTITY, compose, invert, rotate

_MOST_NAMED = 8


def choose_model(scope: Scope, name: str | None = None) -> tuple[FrameGraph, str, Account]:
    """Return the frame graph of one model of a scope, and the prefix of its links' names in the scope.

    Joints and frames of a world that belong to the model become the model's; the account has those that cannot.

    Parameters
    ----------
    scope : a root model, or a world.
    name : the name of the world's model; None for its only one. If there is no such model, the graph is that of the
        world, which cannot be written as a URDF.
    """
    world, account = scope.graph.scope, Account()
    models = [m for m in world.models if name in (None, m.name)] if isinstance(world, World) else []
    if len(models) != 1:
        return scope.graph, "", account
    (model,) = models
    prefix, taken = f"{model.name}::", Taken([member.name for member in model.order])
    joints = tuple(_take_joints(scope.graph, prefix, taken, account))
    frames = tuple(_take_frames(scope.graph, prefix, taken, account))
    # Joints to the world need the model's pose in it. A model without a pose has an error of its own.
    X = next(f.pose for f in scope.frames if f.name == model.name) or IDENTITY
    graph = build_graph(model._replace(pose=RawPose(X, element=model.pose.element), placement_frame="",
                                       joints=model.joints + joints, frames=model.frames + frames))
    return graph, prefix, account


def _take_joints(graph: FrameGraph, prefix: str, taken: Taken, account: Account) -> Iterator[Joint]:
    """Yield the joints of a world between links of a model, or between one and the world, as joints of the model.

    A joint to another model is left out, with a finding.
    """
    for edge in list_joint_edges(graph):
        joint, child = graph.joint(edge.joint), _name_in(graph, prefix, edge.child)
        parent = WORLD_FRAME if edge.parent is None else _name_in(graph, prefix, edge.parent)
        if edge.prefix or parent in (WORLD_FRAME, None) and child is None:
            continue  # it is a joint of a model, or between other models
        if parent is None or child is None:
            reason = f"it connects {joint.parent!r} to {joint.child!r}, and a URDF describes one model"
            account.tell("joint", joint.name, "dropped", None, joint.element, reason)
            account.report("urdf-joint-dropped", locate(joint.element), name=joint.name, reason=reason)
            continue
        pose = _find_pose(graph, edge.child, edge.joint)
        # An axis may be expressed in a frame that is not in the model; the child link is.
        axes = [axis._replace(xyz=rotate(pose.X[3:], xyz), expressed_in=child) if axis.expressed_in and (
                xyz := resolve_axis(graph, edge.joint, axis)) else axis for axis in joint.axes]
        yield joint._replace(name=_find_name(joint, taken, account), parent=parent, child=child, pose=pose,
                             axes=tuple(axes))


def _take_frames(graph: FrameGraph, prefix: str, taken: Taken, account: Account) -> Iterator[Frame]:
    """Yield the frames of a world that are attached to links of a model, as frames of the model."""
    for i, frame in enumerate(graph.entities):
        link = _name_in(graph, prefix, graph.bodies[i])
        if isinstance(frame, Frame) and link is not None and not graph.prefix(i):
            yield frame._replace(name=_find_name(frame, taken, account), attached_to=link,
                                 pose=_find_pose(graph, graph.bodies[i], i))


def _find_name(part: Joint | Frame, taken: Taken, account: Account) -> str:
    """Return a free name in the model for a part of the world; a new name is reported."""
    name = taken.find_free(part.name)
    if name != part.name:
        account.report("urdf-name-taken", locate(part.element), kind=kind_of(part), name=part.name, new=name,
                       taken=part.name, what="a part of the model")
    return name


def _name_in(graph: FrameGraph, prefix: str, body: int) -> str | None:
    """Return the name of a body in a model; None if it is not in the model."""
    name = name_of_body(graph, body) or ""
    return name.removeprefix(prefix) if name.startswith(prefix) else None


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
    if not models:
        return diagnose("urdf-needs-one-model", at, problem="the file has no model",
                        hint="give a file with a <model>")
    names = ", ".join([repr(model.name) for model in models[:_MOST_NAMED]] + ["…"] * (len(models) > _MOST_NAMED))
    if wanted is not None or not isinstance(scope, World):
        return diagnose("urdf-needs-one-model", at, problem=f"the file has no model {wanted!r}, but {names}")
    return diagnose("urdf-needs-one-model", at,
                    problem=f"the file is the world {scope.name!r} with {count_of(len(models), 'model')}: {names}")
