"""Reads links, joints and frames from their elements.

Values that cannot be read take their defaults: the schema check reports them.

Until 1.6, the pose of an inertial could be in any frame, and the pose of a joint whose child is the world was in the
world, which no attribute of SDFormat 1.12 can express. Such a pose is read, and its frame is kept in an attribute of
this library. It is an attribute, and not a table beside the tree, because elements are copied in 15 places (includes,
merging, params, printing), and the frame has to go with the copy. The name of the attribute is drawn when this module
is imported, so that no file can contain it.
:func:`sdf_frames.convert.computed_poses.compute_legacy_poses` removes the attribute before a text is written.
"""
from __future__ import annotations

import os

from sdf_frames.document.blanks import BLANKS, collapse_blanks
from sdf_frames.document.elements import Element, find_child
from sdf_frames.document.numbers import read_bool, read_vector
from sdf_frames.sdf.model import UNPOSED, Axis, Collision, Frame, Inertial, Joint, Link, Mimic, Part, RawPose
from sdf_frames.sdf.names import is_foreign
from sdf_frames.sdf.values import read_pose_text, read_value
from sdf_frames.spatial.inertia import MOMENTS, Tensor
from sdf_frames.spatial.pose import IDENTITY

#: The attribute. Its value is the name of a frame in the scope, or ``__root__`` for the world that the model is in.
LEGACY_FRAME = f"{{sdf_frames:{os.urandom(8).hex()}}}relative_to"
#: Children of a link that have a name and a pose, besides collisions.
PARTS = {"visual", "sensor", "light", "projector", "particle_emitter", "audio_source"}
#: The moments of inertia that libsdformat assumes if they are not written, kg·m².
MOMENT_DEFAULTS = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def keep_inertial_frames(root: Element) -> None:
    """Keep the frames of inertials' poses, in place, when an ``<sdf>`` tree of 1.6 becomes one of 1.7."""
    for inertial in root.iter("inertial"):
        for pose in inertial:
            if pose.tag != "pose" or pose.get("frame") is None or is_foreign(inertial):
                continue
            if frame := str(pose.attrib.pop("frame")).strip(BLANKS):
                pose.set(LEGACY_FRAME, frame)


def read_pose(element: Element) -> RawPose:
    """Read the ``<pose>`` child of an element; `UNPOSED` if there is none."""
    pose = find_child(element, "pose")
    return UNPOSED if pose is None else read_pose_element(pose)


def read_pose_element(pose: Element) -> RawPose:
    if pose.attrib:
        X, _ = read_pose_text(pose.text or "", pose.get("rotation_format", ""), pose.get("degrees", ""))
        return RawPose(X or IDENTITY, pose.get(LEGACY_FRAME) or pose.get("relative_to", "").strip(BLANKS), pose)
    if not (text := pose.text):
        return RawPose(IDENTITY, "", pose)
    return RawPose(read_pose_text(text)[0] or IDENTITY, "", pose)


def _find_first(element: Element) -> dict[str, Element]:
    """Return the first child of each tag, in one pass over the children."""
    first: dict[str, Element] = {}
    for child in element:
        first.setdefault(child.tag, child)
    return first


def read_child_number(element: Element, tag: str) -> float | None:
    """Read the number in the child `tag`; None if there is no such child, or no number in it."""
    child = find_child(element, tag)
    return read_value(child.text) if child is not None and child.text else None


def read_child_text(element: Element, tag: str) -> str:
    child = find_child(element, tag)
    return "" if child is None else collapse_blanks(child.text or "")


def read_child_bool(element: Element, tag: str) -> bool:
    child = find_child(element, tag)
    return child is not None and bool(read_bool(child.text or ""))


def read_link(element: Element) -> Link:
    pose, inertial = UNPOSED, None
    collisions, parts = [], []
    for child in element:
        tag = child.tag
        if tag == "pose" and pose is UNPOSED:
            pose = read_pose_element(child)
        elif tag == "collision":
            collisions.append(_read_collision(child))
        elif tag in PARTS:
            parts.append(read_part(child))
        elif tag == "inertial" and inertial is None:
            inertial = _read_inertial(child)
    return Link(element.get("name") or "", element, pose, inertial, tuple(collisions), tuple(parts))


def read_part(element: Element) -> Part:
    return Part(element.tag, element.get("name") or "", element, read_pose(element))


def _read_collision(element: Element) -> Collision:
    first = _find_first(element)
    pose = first.get("pose")
    return Collision(element.get("name") or "", element, UNPOSED if pose is None else read_pose_element(pose),
                     first.get("geometry"), _read_number(first.get("density"), 1000.0),
                     first.get("auto_inertia_params"))


def _read_number(element: Element | None, default: float) -> float | None:
    """Read the number in an element, `default` if the element is empty; None without an element or a number in it."""
    if element is None:
        return None
    return read_value(element.text) if element.text and element.text.strip(BLANKS) else default


def _read_inertial(element: Element) -> Inertial:
    auto = bool(read_bool(element.get("auto", "false")))
    first = _find_first(element)
    pose, inertia = first.get("pose"), first.get("inertia")
    return Inertial(element, auto, _read_number(first.get("mass"), 1.0),
                    None if pose is None else read_pose_element(pose).X,
                    None if inertia is None else _read_moments(inertia),
                    _read_number(first.get("density"), 1000.0), first.get("auto_inertia_params"),
                    "" if pose is None else pose.get(LEGACY_FRAME, ""))


def _read_moments(inertia: Element) -> Tensor:
    first = _find_first(inertia)
    ixx, iyy, izz, ixy, ixz, iyz = [
        default if (value := _read_number(first.get(tag), default)) is None else value
        for tag, default in zip(MOMENTS, MOMENT_DEFAULTS)]
    return ixx, iyy, izz, ixy, ixz, iyz


def read_mass(inertial: Inertial | None) -> tuple[float, Tensor]:
    """Return mass (kg) and moments (kg·m²) as written, with SDFormat's defaults: 1 kg and the unit tensor."""
    if inertial is None or inertial.auto:
        return 1.0, MOMENT_DEFAULTS
    return (1.0 if inertial.mass is None else inertial.mass,
            MOMENT_DEFAULTS if inertial.moments is None else inertial.moments)


def read_joint(element: Element) -> Joint:
    pose = UNPOSED
    parent = child_name = ""
    axes: dict[str, Element] = {}
    sensors = []
    for child in element:
        tag = child.tag
        if tag == "parent":
            parent = parent or collapse_blanks(child.text or "")
        elif tag == "child":
            child_name = child_name or collapse_blanks(child.text or "")
        elif tag == "pose" and pose is UNPOSED:
            pose = read_pose_element(child)
        elif tag == "axis" or tag == "axis2":
            axes.setdefault(tag, child)
        elif tag == "sensor":
            sensors.append(read_part(child))
    return Joint(element.get("name") or "", (element.get("type") or "").strip(BLANKS).lower(), parent, child_name,
                 element, pose,
                 tuple([_read_axis(axes[tag], i) for i, tag in enumerate(("axis", "axis2")) if tag in axes]),
                 tuple(sensors))


def _read_axis(element: Element, index: int) -> Axis:
    xyz, expressed_in = (0.0, 0.0, 1.0), ""
    first = _find_first(element)
    if (vector := first.get("xyz")) is not None:
        x, y, z = (read_vector(vector.text, 3) if vector.text else None) or xyz
        xyz = (x, y, z)
        expressed_in = vector.get("expressed_in", "").strip(BLANKS)
    mimic = lower = upper = None
    if (leader := first.get("mimic")) is not None:
        multiplier = read_child_number(leader, "multiplier")
        mimic = Mimic(leader.get("joint", "").strip(BLANKS), leader.get("axis") or "axis",
                      1.0 if multiplier is None else multiplier, read_child_number(leader, "offset") or 0.0,
                      read_child_number(leader, "reference") or 0.0, leader)
    if (limit := first.get("limit")) is not None:
        lower, upper = read_child_number(limit, "lower"), read_child_number(limit, "upper")
    return Axis(index, xyz, expressed_in, element, mimic, lower, upper)


def read_frame(element: Element) -> Frame:
    return Frame(element.get("name") or "", element.get("attached_to", "").strip(BLANKS), element, read_pose(element))
