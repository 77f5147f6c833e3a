"""The element table of SDFormat 1.12: the attributes, values and children of each element, and which hold URIs.

The table is data, condensed from the published element files by ``tools/build_sdf_data.py``.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any

from sdf_frames.document.elements import Element, tag_of
from sdf_frames.document.memory import remember_short
from sdf_frames.document.own_data import read_data

VERSIONS = ("1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12")
#: The version that everything is upgraded to and read as.
VERSION = VERSIONS[-1]
#: The first version with an element or attribute, by its name: what a conversion may write or carry over.
SINCE = {"capsule": "1.8", "ellipsoid": "1.8", "degrees": "1.9", "rotation_format": "1.9",
         "fluid_added_mass": "1.10", "screw_thread_pitch": "1.10", "auto": "1.11", "auto_inertia_params": "1.11",
         "cone": "1.11", "convex_decomposition": "1.11", "density": "1.11", "mimic": "1.11",
         "namespace": "1.11", "frame_id": "1.12"}
#: Since this version, a joint's parent or child may be a frame, joint or model.
FRAME_ENDS_SINCE = "1.8"

# The specification has these children once; readers read all of them: the outlines of one shape, the collisions that a
# contact sensor watches, the cameras of a multicamera.
_ALL_READ = {("geometry", "polyline"), ("contact", "collision"), ("sensor", "camera")}
#: Tags that mean a URI wherever they are.
URI_TAGS = ("uri", "albedo_map", "roughness_map", "metalness_map", "ambient_occlusion_map", "normal_map",
            "emissive_map", "light_map", "environment_map", "specular_map", "glossiness_map", "cubemap_uri")
#: Tags that mean a URI in the ``<texture>`` of a heightmap; elsewhere they are colours and vectors.
TEXTURE_TAGS = ("diffuse", "normal")
#: Uses of a URI that names a file of a shape: see :func:`find_uris`. An include may name a folder, and so may a script.
FILE_USES = {"mesh", "heightmap", "image", "texture", *URI_TAGS} - {"uri"}


def load_data(name: str) -> Any:
    """Load a JSON file of ``sdf/data/``."""
    import json
    return json.loads(read_data(__file__, name))


@remember_short  # called six times for each file
def version_key(version: str) -> tuple[int, ...]:
    """Return a version such as ``1.10`` in comparable form; () for other texts."""
    parts = version.split(".")
    sound = all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts)
    return tuple([int(p) for p in parts]) if sound else ()


class ValueSpec:
    """Type of a value or attribute.

    ``type``, ``default`` text, ``required`` ("0", "1", "*", "+", "-1"), and the bounds ``least`` and ``most`` or None.
    ``free`` is true if every text is valid, also an empty one.
    """

    __slots__ = ("type", "default", "required", "least", "most", "free")

    def __init__(self, *row: str):
        self.type, self.default, self.required = row[:3]
        self.least = float(row[3]) if len(row) > 3 and row[3] else None
        self.most = float(row[4]) if len(row) > 4 and row[4] else None
        self.free = self.type == "string" and self.required != "1"


# Equal types are one object, so that results for a type and text can be reused.
_make_value = cache(ValueSpec)


class Spec:
    """One element of the table.

    Its ``value`` (or None), ``attributes`` and ``children`` by name, ``required`` and ``deprecated`` child tags.
    ``anything`` is true if any content is allowed (plugins); ``needed`` holds the required attributes.
    ``single`` holds the tags of children of which only one is read; ``number`` is its row.
    """

    def __init__(self, number: int, table: Sequence[dict[str, Any]], made: dict[int, Spec]):
        row = table[number]
        self._table, self._made = table, made
        made[number] = self
        self.number = number
        self.tag = row["tag"]
        self.value = _make_value(*row["value"]) if "value" in row else None
        self.attributes = {n: _make_value(*v) for n, v in row.get("attributes", {}).items()}
        self.needed = tuple(n for n, v in self.attributes.items() if v.required == "1")
        self.anything = bool(row.get("any"))
        self.occurrence = {n: required for n, (_, required) in row.get("children", {}).items()}
        self.deprecated = frozenset(n for n, r in self.occurrence.items() if r == "-1")
        self.required = tuple(n for n, r in self.occurrence.items() if r in ("1", "+"))
        # Of what may stand in a document one kind counts, which is another rule.
        self.single = frozenset(n for n, r in self.occurrence.items() if r in ("0", "1", "-1")
                                and self.tag != "sdf" and (self.tag, n) not in _ALL_READ)

    @cached_property
    def children(self) -> dict[str, Spec]:
        """The specs of the children, made on demand: a file has few of the 682."""
        numbers = {tag: number for tag, (number, _) in self._table[self.number].get("children", {}).items()}
        return {tag: self._made.get(n) or Spec(n, self._table, self._made) for tag, n in numbers.items()}


@cache
def load_table() -> Spec:
    """Return the spec of ``<sdf>``, the root of all specs."""
    content = load_data("elements.json")
    return Spec(content["root"], content["specs"], {})


@cache
def load_descriptions() -> list[dict[str, str]]:
    """Load the specification's descriptions of each row: ``""`` is the element, other keys are its attributes."""
    texts: list[dict[str, str]] = load_data("descriptions.json")
    return texts


def find_spec(element: Element) -> Spec | None:
    """Return the row of an element of an ``<sdf>`` tree, by its path from the root; None if there is no such row."""
    return follow([*reversed([a.tag for a in element.iterancestors()]), element.tag][1:])


def follow(steps: Iterable[str]) -> Spec | None:
    """Return the row at a path of tags below the root; None if there is no such row."""
    spec: Spec | None = load_table()
    for step in steps:
        spec = spec.children.get(step) if spec is not None else None
    return spec


def find_uris(tree: Element, plugins: bool = False) -> Iterator[tuple[Element, str]]:
    """Yield each element with a URI in a tree, in document order, and the use of the URI.

    The use is a tag: of the element around it (``mesh``, ``include``, ``texture``), or its own (``albedo_map``).
    With `plugins`, also yield elements in plugins, where ``<uri>`` may mean anything.
    """
    for element in tree.iter(*URI_TAGS, *TEXTURE_TAGS):
        if is_uri(element) and (plugins or next(element.iterancestors("plugin"), None) is None):
            by_holder = element.tag in ("uri", *TEXTURE_TAGS)
            yield element, (_find_holder(element) or "uri") if by_holder else tag_of(element)


def is_uri(element: Element) -> bool:
    """Return whether the text of an element is a URI."""
    return element.tag in URI_TAGS or element.tag in TEXTURE_TAGS and _find_holder(element) == "texture"


def _find_holder(element: Element) -> str:
    """Return the tag of the element around; "" if there is none."""
    above = element.getparent()
    return "" if above is None else tag_of(above)
