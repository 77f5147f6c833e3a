"""Finds numbers in a description that are not finite. No command writes such a number.

A setting with a single number may be ``inf``, as limits are. Names and the content of plugins are no numbers.
"""
from __future__ import annotations

from math import isfinite, isnan

from sdf_frames.convert.extensions import SETTINGS
from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import OVERFLOW, may_be_infinite, read_number
from sdf_frames.sdf.table import follow
from sdf_frames.urdf.content import kind_of

_INERTIAS = ("inertial", "inertia", "fluid_added_mass")
_SUBJECTS = (("model",), ("model", "link"), ("model", "joint"))  # what a <gazebo> is about
_SINGLE, _TEXTS = ("double", "float"), ("string", "bool")  # types
_NAMES = frozenset(("name", "link", "joint", "filename", "reference", "type", "version"))  # attributes of URDF


def find_infinite(root: Element) -> Element | None:
    """Return the first element of an SDFormat or URDF tree with a number that is not finite; None if there is none."""
    for element in root.iter("*"):
        for name, text in [("", element.text or ""), *[(str(name), str(text)) for name, text in element.items()]]:
            if may_be_infinite(text) and (OVERFLOW in text or _is_refused(element, name, text)):
                return element
    return None


def _is_refused(element: Element, name: str, text: str) -> bool:
    """Return whether a text, or the attribute `name`, has a number that is nan, or inf where that has no meaning."""
    kind = _find_type(element, name)
    numbers = [] if kind in (None, *_TEXTS) else [number for word in text.split()
                                                  if (number := read_number(word)) is not None]
    above = element.getparent()
    if kind in _SINGLE and (above is None or above.tag not in _INERTIAS):
        return any(map(isnan, numbers))
    return not all(map(isfinite, numbers))


def _find_type(element: Element, name: str) -> str | None:
    """Return the type of a text, or of the attribute `name`, in SDFormat; None if neither format defines it."""
    root, *steps = [str(each.tag) for each in [element, *element.iterancestors()][::-1]]
    paths = [steps]
    if root != "sdf":
        if steps[:1] != ["gazebo"]:
            kind = kind_of(element)
            return "vector3" if kind is not None and name in kind.attributes - _NAMES else None
        if (setting := SETTINGS.get(steps[-1])) is not None and steps[1:-1] in ([], ["collision"], ["visual"]):
            return "string" if setting.read is str else "double"
        paths = [[*subject, *steps[1:]] for subject in _SUBJECTS]
    values = [spec.attributes.get(name) if name else spec.value for spec in map(follow, paths) if spec is not None]
    return next((value.type for value in values if value is not None), None)
