"""Finds features of an SDFormat file that programs interpret differently: a detector for each feature."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import sub
from typing import Any

from sdf_frames.checks.features import Found, add_features, feature
from sdf_frames.document.elements import Element, text_of
from sdf_frames.document.numbers import read_bool
from sdf_frames.frames.graph import SINK, build_graph
from sdf_frames.frames.resolve import name_of_body
from sdf_frames.sdf.model import Frame, Inertial, Joint, Root, pose_element_of, walk_links, walk_models
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.spatial.pose import IDENTITY, compose, invert

_ROUNDING = 1e-9
sdf_feature, add_sdf_features = partial(feature, kind="sdf"), partial(add_features, kind="sdf")


def _elements(root: Root, tag: str, where: Callable[[Element], bool] = lambda element: True) -> Found:
    for element in root.element.iter(tag):
        if where(element):
            yield element, {}


def _joints(root: Root, where: Callable[[Joint], Any]) -> Found:
    for *_, model, _ in walk_models(root):
        for joint in model.joints:
            if where(joint):
                yield joint.element, {"name": joint.name}


def _is_since(root: Root, least: tuple[int, int]) -> bool:
    numbers = [int(part) for part in root.version.split(".") if part.isdecimal()]
    return tuple(numbers) >= least


def _version(root: Root, where: bool) -> Found:
    if _is_since(root, (1, 7)) is where:
        yield root.element, {"version": root.version}


add_sdf_features(_version,
    ("version-1.7", "the file is SDFormat {version}", "write SDFormat 1.6, where poses have no relative_to", True),
    ("version-1.6", "the file is SDFormat {version}", "write SDFormat 1.7: sdf_frames upgrade FILE --to 1.7", False))


@sdf_feature("frame-relative-to", "link {name!r} has a pose with relative_to",
             "write its pose relative to the model frame")
def _find_relative(root: Root) -> Found:
    if _is_since(root, (1, 7)):
        for *_, link in walk_links(root):
            if link.pose.relative_to:
                yield pose_element_of(link), {"name": link.name}


@sdf_feature("frame-attached-to-posed",
             "frame {name!r} is attached to {other!r}, which is not at the origin of {body!r}",
             "attach the frame to that body")
def _find_late_frames(root: Root) -> Found:
    """Find frames attached to a joint, or to a later frame of their scope: Drake adds the frame before these."""
    frames = [*[frame for world in root.worlds for frame in world.frames],
              *[frame for *_, model, _ in walk_models(root) for frame in model.frames]]
    if not any(frame.attached_to for frame in frames):
        return  # no graph needs to be built
    for graph in [build_graph(scope) for scope in (*root.worlds, root.model) if scope is not None]:
        for number, frame in enumerate(graph.entities):
            body, other = graph.bodies[number], graph.attached[number]
            if isinstance(frame, Frame) and body != SINK and (
                    graph.kinds[other] == "joint" or graph.kinds[other] == "frame" and other > number
                    and graph.prefix(other) == graph.prefix(number)):
                X_SB, X_SO = graph.poses[body], graph.poses[other]
                if X_SB and X_SO and max(map(abs, map(sub, compose(invert(X_SB), X_SO), IDENTITY))) > _ROUNDING:
                    yield frame.element, {"name": frame.name, "other": frame.attached_to,
                                           "body": name_of_body(graph, body)}


add_sdf_features(partial(_elements, tag="pose"),
    ("pose-quaternion", "a pose is written with a quaternion", "write the rotation as roll, pitch and yaw",
     lambda pose: pose.get("rotation_format") == "quat_xyzw"),
    ("pose-degrees", "a pose is written in degrees", "write it in radians",
     lambda pose: bool(read_bool(pose.get("degrees", "")))))
add_sdf_features(partial(_elements, tag="inertia"),
    ("inertia-without-products", "an <inertia> has no ixy, ixz or iyz", "write them: their default is 0",
     lambda tensor: not {"ixy", "ixz", "iyz"} <= {str(part.tag) for part in tensor}))


@sdf_feature("nested-model", "model {name!r} is nested in another model", "move its links into the outer model")
def _find_nested(root: Root) -> Found:
    for *_, model, _ in walk_models(root):
        for inner in model.models:
            yield inner.element, {"name": inner.name}


def _inertials(root: Root, where: Callable[[Inertial], bool]) -> Found:
    for *_, link in walk_links(root):
        if link.inertial is not None and where(link.inertial):
            yield link.inertial.element, {"name": link.name}


add_sdf_features(_inertials,
    ("auto-inertial", "link {name!r} has <inertial auto=\"true\">",
     "write the numbers into the file: sdf_frames inertia FILE --write", lambda inertial: inertial.auto),
    ("mass-without-tensor", "link {name!r} has a mass and no <inertia>", "write its inertia",
     lambda inertial: inertial.element.get("auto") is None and inertial.element.find("mass") is not None
     and inertial.element.find("inertia") is None))


def _is_limited(joint: Joint) -> bool:
    return any(axis.lower is not None or axis.upper is not None for axis in joint.axes)


add_sdf_features(_joints,
    ("mimic", "joint {name!r} mimics another one", "couple the joints in the program",
     lambda joint: any(axis.mimic is not None for axis in joint.axes)),
    ("revolute-without-limits", "joint {name!r} is revolute and has no limits", "write its <limit>",
     lambda joint: joint.type == "revolute" and not _is_limited(joint)),
    ("joint-fixed-to-world", "joint {name!r} fixes a link to the world", "place the model in the program",
     lambda joint: joint.type == "fixed" and joint.parent == WORLD_FRAME),
    ("joint-pose", "joint {name!r} has a <pose>", "move the origin of the child link there",
     lambda joint: joint.type != "fixed" and (joint.pose.relative_to or joint.pose.X != IDENTITY)),
    ("universal-joint-limits", "joint {name!r} is of type universal and has limits", "",
     lambda joint: joint.type == "universal" and _is_limited(joint)),
    ("screw-joint-limits", "joint {name!r} is of type screw and has limits", "",
     lambda joint: joint.type == "screw" and _is_limited(joint)),
    *[(f"joint-{kind}", f"joint {{name!r}} is of type {kind}", "", lambda joint, kind=kind: joint.type == kind)
      for kind in ("ball", "universal", "revolute2", "screw")])


@sdf_feature("use-parent-model-frame", "joint {name!r} has an axis that is not in the joint frame",
             "write the axis in the joint frame")
def _find_expressed(root: Root) -> Found:
    """Find axes in other frames, unless nothing is rotated: the joint's frame is then parallel to the model's."""
    for *_, model, _ in walk_models(root):
        turned = {link.name for link in model.links if any(link.pose.X[4:]) or link.pose.relative_to}
        for joint in model.joints:
            if any(axis.expressed_in not in ("", MODEL_FRAME) or axis.expressed_in and (
                    joint.child in turned or any(joint.pose.X[4:])) for axis in joint.axes):
                yield joint.element, {"name": joint.name}


def _find_flag(path: str, value: bool, root: Root) -> Found:
    for element in root.element.iterfind(f".//{path}"):
        if read_bool(text_of(element)) is value:
            yield element, {}


for _path, _value in (("model/static", True), ("link/kinematic", True), ("link/gravity", False)):
    _parent, _, _tag = _path.partition("/")
    sdf_feature(f"{_tag}-{str(_value).lower()}", f"a {_parent} has <{_tag}>{str(_value).lower()}</{_tag}>")(
        partial(_find_flag, _path, _value))


add_sdf_features(_inertials, ("inertia", "link {name!r} has an inertia",
                              "set it with pybullet.changeDynamics after loading",
                              lambda inertial: inertial.moments is not None))
sdf_feature("velocity-decay", "a link has a <velocity_decay>")(partial(_elements, tag="velocity_decay"))
sdf_feature("screw-thread-pitch", "a joint has a <screw_thread_pitch>")(
    partial(_elements, tag="screw_thread_pitch"))
for _shape in ("ellipsoid", "cone", "polyline"):
    sdf_feature(f"shape-{_shape}", f"a shape is <{_shape}>")(partial(_elements, tag=_shape))
