"""Children of ``<state>`` under their names of SDFormat 1.12, which gave each of them the suffix ``_state``.

libsdformat has no recipe for this step: it reads the old names as unknown elements. Source: the descriptions in
link_state.sdf and joint_state.sdf of 1.12, which say what the deprecated ``velocity``, ``acceleration``, ``wrench``
and ``angle`` hold.
"""
from __future__ import annotations

from lxml import etree

from sdf_frames.document.places import Element, place_like

_SUFFIXED = {"state": ("model", "light", "joint"), "model_state": ("model", "link", "joint"),
             "link_state": ("collision",)}
# What held six numbers: the names of the first three and of the last three.
_SPLIT = {"velocity": ("linear_velocity", "angular_velocity"),
          "acceleration": ("linear_acceleration", "angular_acceleration"), "wrench": ("force", "torque")}


def rename_states(root: Element) -> None:
    """Rewrite the ``<state>`` of each world of an ``<sdf>`` tree of version 1.11, in place."""
    pending = list(root.iterfind("world/state"))
    while pending:
        element = pending.pop()
        for child in list(element):
            if child.tag in _SUFFIXED.get(element.tag, ()):
                child.tag += "_state"
                pending.append(child)
        if element.tag == "link_state":
            _split_vectors(element)
        elif element.tag == "joint_state":
            _name_angles(element)


def _split_vectors(link_state: Element) -> None:
    for tag, names in _SPLIT.items():
        old = link_state.find(tag)
        if old is None:
            continue
        words = (old.text or "").split()
        if len(words) != 6 or any(link_state.find(name) is not None for name in names):
            continue  # left as it is, deprecated
        old.tag, old.text = names[0], " ".join(words[:3])
        second = etree.Element(names[1])
        second.text, second.tail = " ".join(words[3:]), old.tail
        link_state.insert(link_state.index(old) + 1, second)
        place_like(second, old)


def _name_angles(joint_state: Element) -> None:
    for index, name in (("0", "axis_state"), ("1", "axis2_state")):
        angles = [a for a in joint_state.iterfind("angle") if a.get("axis", "0").strip() == index]
        if len(angles) == 1 and joint_state.find(name) is None:
            angle = angles[0]
            angle.tag = name
            angle.attrib.pop("axis", "")
            position = etree.SubElement(angle, "position")
            position.text, angle.text = angle.text, None
            for child in angle:  # blank text is layout, now that the element holds no text
                child.tail = (child.tail or "").strip() or None
