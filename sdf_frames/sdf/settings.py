"""What elements say, by its place in them: settings of links, joints and shapes, of sensors, plugins and lights."""
from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sdf_frames.document.numbers import read_bool
from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.entities import collapse_blanks
from sdf_frames.sdf.names import NOT_WRITTEN, has_prefix
from sdf_frames.sdf.table import Spec, ValueSpec, find_spec

#: Tags of what has a name and settings of its own within a world, model, link, joint, visual or sensor.
PARTS = frozenset({"sensor", "light", "plugin", "projector", "audio_source", "particle_emitter", "battery", "gripper",
                   "actor", "physics", "road", "population"})
_MODEL = {"model", "link", "joint", "frame", "include", "pose", "model_state", "@placement_frame", "@canonical_link"}
_AXIS = ("xyz", "mimic", "limit/lower", "limit/upper", "limit/effort", "limit/velocity")
_SHAPE = ("pose", *[f"geometry/{path}" for path in (
    "empty", "box", "capsule", "cone", "cylinder", "ellipsoid", "plane", "polyline", "sphere", "heightmap/uri",
    "heightmap/size", "heightmap/pos", "image/uri", "image/scale", "image/height", "mesh/uri", "mesh/scale",
    "mesh/submesh", "mesh/@optimization")])
#: What is read from an element in another way, by its tag.
_READ_ELSEWHERE: dict[str, frozenset[str]] = {
    "world": frozenset({*_MODEL, "state"}), "model": frozenset(_MODEL),
    "link": frozenset({"pose", "visual", "collision", "inertial/mass", "inertial/pose", "inertial/inertia",
                       "inertial/density", "inertial/auto_inertia_params", "inertial/@auto"}),
    "joint": frozenset({"parent", "child", "pose", "@type",
                        *[f"{axis}/{path}" for axis in ("axis", "axis2") for path in _AXIS]}),
    "visual": frozenset(_SHAPE), "collision": frozenset({*_SHAPE, "density", "auto_inertia_params"}),
}
_POSE = frozenset({"pose"})


class ElementSettings(NamedTuple):
    """What an element says, by the place in it: ``tag/tag`` or ``tag/@attribute``.

    ``texts`` as written, ``defaults`` what the specification takes where such a place has no text; ``parts`` the parts
    within the element, which have settings of their own.
    """

    texts: dict[str, str]
    defaults: dict[str, str]
    parts: list[Element]

    def note(self, place: str, text: str, value: ValueSpec | None) -> None:
        """Note the text at a place, a truth value as ``true`` or ``false``."""
        default = "" if value is None or value.default == NOT_WRITTEN else value.default
        if default:
            self.defaults[place] = default
        truth = read_bool(text) if value is not None and value.type == "bool" else None
        self.texts[place] = (text.strip() or default) if truth is None else str(truth).lower()


def read_settings(element: Element) -> ElementSettings:
    """Read what an element of an upgraded ``<sdf>`` tree says beyond its name, pose, and what has its own reader.

    What readers ignore is left out.
    """
    found = ElementSettings({}, {}, [])
    _read(element, find_spec(element), "", _READ_ELSEWHERE.get(element.tag, _POSE), found)
    return found


def _read(element: Element, spec: Spec | None, path: str, skipped: frozenset[str], found: ElementSettings) -> None:
    """Note the texts of an element and of what is in it; without a `spec`, everything that is there."""
    free = spec is None or spec.anything
    for key, text in sorted((str(key), str(text)) for key, text in element.attrib.items()):
        value, place = None if spec is None else spec.attributes.get(key), f"{path}@{key}"
        if place != "@name" and place not in skipped and not has_prefix(key) and (free or value):
            found.note(place, text, value)
    counts: Counter[str] = Counter()
    for child in element:
        if not isinstance(tag := child.tag, str):
            continue  # a comment
        child_spec = None if spec is None else spec.children.get(tag)
        counts[tag] += 1
        if path + tag in skipped or (spec is not None and tag in spec.single and counts[tag] > 1):
            continue
        if child_spec is not None and tag in PARTS:
            found.parts.append(child)
        elif child_spec is not None or free or has_prefix(tag):
            place = f"{path}{tag}" if counts[tag] == 1 else f"{path}{tag}[{counts[tag]}]"
            text = collapse_blanks(child.text or "")
            if (text or not len(child)) if child_spec is None else child_spec.value:
                found.note(place, text, None if child_spec is None else child_spec.value)
            _read(child, child_spec, f"{place}/", skipped, found)
