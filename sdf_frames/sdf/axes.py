"""``<use_parent_model_frame>`` of SDFormat 1.5 and 1.6 as the ``expressed_in`` of 1.7."""
from __future__ import annotations

from sdf_frames.diagnostics import WARNING, Diagnostic, diagnose
from sdf_frames.document.numbers import read_bool
from sdf_frames.document.xml_in import Element, locate, text_of
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.scopes import LookInto, NameScope, build_scopes

_TAG = "use_parent_model_frame"


def express_axes(root: Element, look_into: LookInto | None = None) -> list[Diagnostic]:
    """Express axes of an ``<sdf>`` tree of version 1.6 in the model of the parent link, where they ask for that.

    Returns a warning for each value that is neither true nor false.
    """
    found: list[Diagnostic] = []
    if next(root.iter(_TAG), None) is None:
        return found
    pending = build_scopes(root, look_into)
    while pending:
        scope = pending.pop(0)
        for joint in scope.element.iterchildren("joint"):
            for axis in joint.iterchildren("axis", "axis2"):
                _express(axis, joint, scope, found)
        pending += scope.nested()
    return found


def find_xyz(axis: Element) -> Element:
    """Return the ``<xyz>`` of an axis; where it is missing, make it with SDFormat's default."""
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
    if (value := read_bool(text)) is None:
        problem = f"{text!r} is neither true nor false"
        finding = diagnose("value-invalid", locate(flag), tag=_TAG, problem=problem,
                           hint="write true or false; it is read as false")
        found.append(finding._replace(severity=WARNING))
    if value:
        find_xyz(axis).set("expressed_in", _find_parent_model(joint, scope))
        axis.remove(flag)


def _find_parent_model(joint: Element, scope: NameScope) -> str:
    """Name of the frame of the parent link's model, seen from the joint; of the child's if the parent is the world."""
    ends = [" ".join((joint.findtext(tag) or "").split()) for tag in ("parent", "child")]
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
