"""Rewrites joints whose child is the world, which SDFormat allowed until 1.6."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import WARNING, Diagnostic, diagnose
from sdf_frames.document.numbers import format_numbers, read_vector
from sdf_frames.document.xml_in import Element, find_child, locate, text_of
from sdf_frames.sdf.axes import find_xyz
from sdf_frames.sdf.legacy_poses import LEGACY_FRAME
from sdf_frames.sdf.names import ROOT, WORLD_FRAME


def turn_world_children(root: Element) -> list[Diagnostic]:
    """Swap parent and child of each joint whose child is the world, in an ``<sdf>`` tree before 1.7.

    The axes are reversed, and the pose stays in the world, so that the joint is the same. If the model has a link named
    ``world``, the joint means that link, and does not change. Returns a warning for each joint.
    """
    found: list[Diagnostic] = []
    if all(text_of(child) != WORLD_FRAME for child in root.iter("child")):
        return found
    for model in _walk_models(root):
        if any(link.get("name", "").strip() == WORLD_FRAME for link in model.iterchildren("link")):
            continue
        for joint in model.iterchildren("joint"):
            parent, child = find_child(joint, "parent"), find_child(joint, "child")
            if parent is None or child is None or text_of(child) != WORLD_FRAME or text_of(parent) in ("", WORLD_FRAME):
                continue
            finding = diagnose("joint-child-is-world", locate(child), name=joint.get("name"))
            hint = "swap parent and child in the file; they are read swapped"
            found.append(finding._replace(severity=WARNING, hint=hint))
            parent.text, child.text = child.text, parent.text
            _turn_axes(joint)
            _keep_in_world(joint)
    return found


def _walk_models(parent: Element) -> Iterator[Element]:
    """Every model that is read: of the document, its worlds, and other models."""
    for child in parent:
        if child.tag == "model":
            yield child
        if child.tag in ("model", "world"):
            yield from _walk_models(child)


def _turn_axes(joint: Element) -> None:
    for axis in joint.iterchildren("axis", "axis2"):
        xyz = find_xyz(axis)
        if (numbers := read_vector(xyz.text or "", 3)) is not None:
            xyz.text = format_numbers([-n for n in numbers])


def _keep_in_world(joint: Element) -> None:
    """Keep the pose of a joint relative to the world, which was its child, unless the pose names a frame."""
    pose = find_child(joint, "pose")
    if pose is None:
        pose = joint.makeelement("pose")
        pose.tail = joint.text
        joint.insert(0, pose)
    if not any(pose.get(name, "").strip() for name in ("frame", "relative_to")):
        pose.set(LEGACY_FRAME, ROOT)
