"""Joints of SDFormat 1.6 and before: those whose child is the world, and ``<use_parent_model_frame>``."""
from __future__ import annotations

from sdf_frames.diagnostics import WARNING, Diagnostic, diagnose
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import Element, find_child, locate, text_of
from sdf_frames.document.numbers import format_numbers, read_bool, read_vector
from sdf_frames.sdf.entities import LEGACY_FRAME
from sdf_frames.sdf.names import MODEL_FRAME, ROOT, WORLD_FRAME
from sdf_frames.sdf.scopes import LookInto, NameScope, build_scopes, walk_scopes


def turn_world_children(root: Element) -> list[Diagnostic]:
    """Swap parent and child of each joint whose child is the world, in an ``<sdf>`` tree before 1.7.

    The axes are reversed, and the pose stays in the world, so that the joint is the same. If the model has a link named
    ``world``, the joint means that link, and does not change. Returns a warning for each joint.
    """
    found: list[Diagnostic] = []
    if all(text_of(child) != WORLD_FRAME for child in root.iter("child")):
        return found
    for model in [scope.element for scope in walk_scopes(build_scopes(root)) if scope.element.tag == "model"]:
        if any(link.get("name", "").strip() == WORLD_FRAME for link in model.iterchildren("link")):
            continue
        for joint in model.iterchildren("joint"):
            parent, child = find_child(joint, "parent"), find_child(joint, "child")
            if parent is None or child is None or text_of(child) != WORLD_FRAME or text_of(parent) in ("", WORLD_FRAME):
                continue
            found.append(diagnose("joint-child-is-world", locate(child), name=joint.get("name"), severity=WARNING,
                                  hint="swap parent and child in the file; they are read swapped"))
            parent.text, child.text = child.text, parent.text
            _turn_axes(joint)
            _keep_in_world(joint)
    return found


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


_TAG = "use_parent_model_frame"
_TRUE = ("true", "True", "TRUE", "1")  # the spellings in libsdformat's recipe; it reads all others as false


def express_axes(root: Element, look_into: LookInto | None = None) -> list[Diagnostic]:
    """Express axes of an ``<sdf>`` tree of version 1.6 in the model of the parent link, if they ask for that.

    Return a warning for each value that is not spelled as true or false.
    """
    found: list[Diagnostic] = []
    if next(root.iter(_TAG), None) is None:
        return found
    for scope in walk_scopes(build_scopes(root, look_into)):
        for joint in scope.element.iterchildren("joint"):
            for axis in joint.iterchildren("axis", "axis2"):
                _express(axis, joint, scope, found)
    return found


def find_xyz(axis: Element) -> Element:
    """Return the ``<xyz>`` of an axis; add a missing one with SDFormat's default."""
    xyz = axis.find("xyz")
    if xyz is None:
        xyz = axis.makeelement("xyz")
        xyz.text, xyz.tail = "0 0 1", axis.text
        axis.insert(0, xyz)
    return xyz


def _express(axis: Element, joint: Element, scope: NameScope, found: list[Diagnostic]) -> None:
    flag = axis.find(_TAG)
    if flag is None or not (text := text_of(flag)):
        return
    if (in_model := text in _TRUE) != read_bool(text):
        found.append(diagnose("value-invalid", locate(flag), tag=_TAG, problem=f"{text!r} is neither true nor false",
                              hint="write true or false; it is read as false", severity=WARNING))
    if in_model:
        find_xyz(axis).set("expressed_in", _find_parent_model(joint, scope))
        axis.remove(flag)


def _find_parent_model(joint: Element, scope: NameScope) -> str:
    """Return the name of the frame of the parent link's model in the joint's scope; the child's for a world parent."""
    ends = [collapse_blanks(joint.findtext(tag) or "") for tag in ("parent", "child")]
    reference = next((end for end in ends if end != WORLD_FRAME or scope.find(end) is not None), "")
    path = scope.find(reference)
    if path is None:
        return reference.rpartition("::")[0] or MODEL_FRAME
    members, rest = path
    names = [m.new for m in members]
    if rest:
        names += [rest] if rest == MODEL_FRAME else rest.split("::")[:-1]
    elif members[-1].kind != "model":
        names.pop()
    return "::".join(names) or MODEL_FRAME
