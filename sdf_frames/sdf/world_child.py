"""Joints whose child is the world, which SDFormat allowed until 1.4, turned round."""
from __future__ import annotations

from sdf_frames.diagnostics import WARNING, Diagnostic, diagnose
from sdf_frames.document.numbers import format_numbers, read_vector
from sdf_frames.document.xml_in import Element, locate, text_of
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, rpy_from_quaternion

_AXES = ("axis/xyz", "axis2/xyz")


def turn_world_children(root: Element) -> tuple[Diagnostic, ...]:
    """Swap parent and child of each joint whose child is the world in an ``<sdf>`` tree of version 1.4; a warning each.

    The same joint has its axes turned round, and its pose, which was in the world, is written in the model frame.
    A link named ``world`` is what such a joint means where there is one.
    """
    found = []
    for model in (*root.iterfind("model"), *root.iterfind("world/model")):
        turned = [(joint, parent, child) for joint in model.iterfind("joint")
                  if (child := joint.find("child")) is not None and text_of(child) == WORLD_FRAME
                  and (parent := joint.find("parent")) is not None]
        if not turned or any(link.get("name") == WORLD_FRAME for link in model.iterfind("link")):
            continue
        X_MW = invert(_read_pose(model.find("pose")))
        for joint, parent, child in turned:
            finding = diagnose("joint-child-is-world", locate(child), name=joint.get("name"))
            hint = "it is read with parent and child swapped; write it so"
            found.append(finding._replace(severity=WARNING, hint=hint))
            parent.text, child.text = child.text, parent.text
            for path in _AXES:
                xyz = joint.find(path)
                if xyz is not None and (numbers := read_vector(xyz.text or "", 3)) is not None:
                    xyz.text = format_numbers([-n for n in numbers])
            _write_in_model(joint, X_MW)
    return tuple(found)


def _read_pose(pose: Element | None) -> Pose:
    return IDENTITY if pose is None else read_pose_text(pose.text or "")[0] or IDENTITY


def _write_in_model(joint: Element, X_MW: Pose) -> None:
    """Give a joint, whose pose is in the world, the same pose in the model frame."""
    pose = joint.find("pose")
    if pose is None:
        pose = joint.makeelement("pose")
        pose.sourceline, pose.tail = joint.sourceline, joint.text
        joint.insert(0, pose)
    if pose.get("frame"):
        return
    X, _ = read_pose_text(pose.text or "")
    if X_MW != IDENTITY and X is not None:
        X = compose(X_MW, X)
        pose.text = format_numbers((*X[:3], *rpy_from_quaternion(*X[3:])))
    pose.set("frame", MODEL_FRAME)
