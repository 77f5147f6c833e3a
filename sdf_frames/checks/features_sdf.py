"""Finds features of an SDFormat file that programs interpret differently: one function for each feature."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sdf_frames.checks.features import Found, feature
from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import read_bool
from sdf_frames.sdf.model import Joint, Root, pose_element_of, walk_links, walk_models
from sdf_frames.sdf.names import WORLD_FRAME

sdf_feature = partial(feature, kind="sdf")


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


@sdf_feature("version-1.7", "the file is SDFormat {version}", "write SDFormat 1.6, where poses have no relative_to")
def _find_version(root: Root) -> Found:
    if _is_since(root, (1, 7)):
        yield root.element, {"version": root.version}


@sdf_feature("version-1.6", "the file is SDFormat {version}", "write SDFormat 1.7: sdf_frames upgrade FILE --to 1.7")
def _find_old_version(root: Root) -> Found:
    if not _is_since(root, (1, 7)):
        yield root.element, {"version": root.version}


@sdf_feature("frame-relative-to", "link {name!r} has a pose with relative_to",
             "write its pose relative to the model frame")
def _find_relative(root: Root) -> Found:
    if _is_since(root, (1, 7)):
        for *_, link in walk_links(root):
            if link.pose.relative_to:
                yield pose_element_of(link), {"name": link.name}


@sdf_feature("pose-quaternion", "a pose is written with a quaternion", "write the rotation as roll, pitch and yaw")
def _find_quaternions(root: Root) -> Found:
    return _elements(root, "pose", lambda pose: pose.get("rotation_format") == "quat_xyzw")


@sdf_feature("pose-degrees", "a pose is written in degrees", "write it in radians")
def _find_degrees(root: Root) -> Found:
    return _elements(root, "pose", lambda pose: bool(read_bool(pose.get("degrees", ""))))


@sdf_feature("nested-model", "model {name!r} is nested in another model", "move its links into the outer model")
def _find_nested(root: Root) -> Found:
    for *_, model, _ in walk_models(root):
        for inner in model.models:
            yield inner.element, {"name": inner.name}


@sdf_feature("auto-inertial", "link {name!r} has <inertial auto=\"true\">",
             "write the numbers into the file: sdf_frames inertia FILE --write")
def _find_auto(root: Root) -> Found:
    for *_, link in walk_links(root):
        if link.inertial is not None and link.inertial.auto:
            yield link.inertial.element, {"name": link.name}


@sdf_feature("mass-without-tensor", "link {name!r} has a mass and no <inertia>", "write its inertia")
def _find_masses(root: Root) -> Found:
    for *_, link in walk_links(root):
        inertial = None if link.inertial is None else link.inertial.element
        if inertial is not None and inertial.get("auto") is None and inertial.find("mass") is not None and (
                inertial.find("inertia") is None):
            yield inertial, {"name": link.name}


@sdf_feature("mimic", "joint {name!r} mimics another one", "couple the joints in the program")
def _find_mimics(root: Root) -> Found:
    return _joints(root, lambda joint: any(axis.mimic is not None for axis in joint.axes))


@sdf_feature("revolute-without-limits", "joint {name!r} is revolute and has no limits", "write its <limit>")
def _find_unlimited(root: Root) -> Found:
    return _joints(root, lambda joint: joint.type == "revolute" and all(
        axis.lower is None and axis.upper is None for axis in joint.axes))


@sdf_feature("joint-fixed-to-world", "joint {name!r} fixes a link to the world", "place the model in the program")
def _find_bolted(root: Root) -> Found:
    return _joints(root, lambda joint: joint.type == "fixed" and joint.parent == WORLD_FRAME)


def _find_type(kind: str, root: Root) -> Found:
    return _joints(root, lambda joint: joint.type == kind)


for _type in ("ball", "universal", "revolute2", "screw"):
    sdf_feature(f"joint-{_type}", f"joint {{name!r}} is of type {_type}")(partial(_find_type, _type))
sdf_feature("screw-thread-pitch", "a joint has a <screw_thread_pitch>")(
    partial(_elements, tag="screw_thread_pitch"))
for _shape in ("ellipsoid", "cone", "polyline"):
    sdf_feature(f"shape-{_shape}", f"a shape is <{_shape}>")(partial(_elements, tag=_shape))
