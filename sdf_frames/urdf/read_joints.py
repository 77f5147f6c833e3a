"""Reads ``<joint>`` elements."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sdf_frames.diagnostics import Diagnostic, diagnose, suggest_name
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.spatial.pose import Vector
from sdf_frames.urdf.content import JOINT_PARTS, Mistakes
from sdf_frames.urdf.model import JOINT_TYPES, Calibration, Joint, JointType, Safety
from sdf_frames.urdf.read_parts import (
    Unreadable,
    read_calibration,
    read_dynamics,
    read_limit,
    read_mimic,
    read_origin,
    read_safety,
    read_vector,
)
from sdf_frames.urdf.versions import NEWER, ends_with_blank

_X_AXIS = (1.0, 0.0, 0.0)
_UNKNOWN_TYPE = JointType(True, False, None)  # so that its axis is read and checked
_PARTS: dict[str, Callable[[Element], Any]] = {
    "limit": read_limit, "dynamics": read_dynamics, "mimic": read_mimic, "safety_controller": read_safety,
    "calibration": read_calibration}
_ONLY_URDFDOM = {"safety_controller": Safety(0.0), "calibration": Calibration()}  # no other program reads them
# Elements with other attributes are examined again.
_OF_EVERY_VERSION = {tag: kind.attributes - {what[1:] for parent, what in NEWER if parent == tag}
                     for tag, kind in JOINT_PARTS.items()}


def read_joints(elements: dict[str, Element], found: list[Diagnostic], extras: list[Element],
                mistakes: Mistakes) -> dict[str, Joint]:
    """Read the ``<joint>`` elements, by name; one that no program can read is left out, with an error."""
    joints: dict[str, Joint] = {}
    for name, element in elements.items():
        try:
            joints[name] = _read_joint(element, name, found, extras, mistakes)
        except Unreadable as unreadable:
            found.append(_report(unreadable, name, mistakes))
    return joints


def _report(unreadable: Unreadable, joint: str, mistakes: Mistakes) -> Diagnostic:
    element, attribute = unreadable.element, unreadable.attribute
    if attribute is None:
        return diagnose("joint-attribute-missing", locate(element), joint=joint, tag=tag_of(element),
                        attribute=unreadable.text, hint=mistakes.explain_unreadable(unreadable))
    return diagnose("joint-attribute-malformed" if unreadable.instead is None else "joint-attribute-refused",
                    locate(element, attribute), joint=joint, tag=tag_of(element), attribute=attribute,
                    text=unreadable.text, wanted=unreadable.wanted, hint=unreadable.hint)


def _read_joint(element: Element, name: str, found: list[Diagnostic], extras: list[Element],
                mistakes: Mistakes) -> Joint:
    kind = element.get("type")
    row = JOINT_TYPES.get(kind or "", _UNKNOWN_TYPE)
    if row is _UNKNOWN_TYPE:
        found.append(diagnose("joint-type-unknown", locate(element, "type"), joint=name,
                              hint=suggest_name((kind or "").lower(), JOINT_TYPES),
                              problem="no type" if kind is None else f"an unknown type {kind!r}"))
    first: dict[str, Element] = {}
    for child in element:
        first.setdefault(child.tag, child)
    if len(first) != len(element) or not first.keys() <= JOINT_PARTS.keys() or len(element.keys()) != 2:
        extras.append(element)
    ends = [_read_end(element, first.get(role), role, name, found, extras, mistakes) for role in ("parent", "child")]
    axis = _read_axis(first.get("axis"), row, extras)
    parts: dict[str, Any] = {}
    for tag, read in _PARTS.items():
        if (part := first.get(tag)) is not None:
            try:
                parts[tag] = read(part)
            except Unreadable as unreadable:
                parts[tag] = unreadable.instead = unreadable.instead or _ONLY_URDFDOM.get(tag)
                if parts[tag] is None:
                    raise
                found.append(_report(unreadable, name, mistakes))
            if len(part) or not _OF_EVERY_VERSION[tag].issuperset(part.keys()) or ends_with_blank(part):
                extras.append(part)
    if row.bounded and "limit" not in parts:
        found.append(diagnose("joint-limit-missing", locate(element), joint=name, type=kind,
                              hint=mistakes.explain(element, "limit"),
                              instead=", or make it continuous" if kind == "revolute" else ""))
    return Joint._make((name, kind, *ends, read_origin(first.get("origin"), extras), axis, *map(parts.get, _PARTS),
                        element, ()))


def _read_end(joint: Element, end: Element | None, role: str, name: str, found: list[Diagnostic],
              extras: list[Element], mistakes: Mistakes) -> str | None:
    """Read the link that the ``<parent>`` or ``<child>`` of a joint names."""
    link = None
    if end is not None:
        link = end.get("link")
        if len(end.keys()) != 1 or len(end):
            extras.append(end)
    if not link:
        given = None if end is None else next(filter(None, map(end.get, end.keys())), end.text)
        hint = f'write <{role} link="{given.strip()}"/>' if given and given.strip() else (
            mistakes.explain(joint, role) if end is None else None)
        found.append(diagnose("joint-link-missing", locate(joint), joint=name, role=role, hint=hint))
    return link


def _read_axis(axis: Element | None, row: JointType, extras: list[Element]) -> Vector | None:
    """Read the axis as written; x if there is none, None for a type without an axis."""
    if axis is None:
        return _X_AXIS if row.has_axis else None
    if not row.has_axis or axis.keys() != ["xyz"] or len(axis):
        extras.append(axis)
    return read_vector(axis, "xyz") if row.has_axis else None
