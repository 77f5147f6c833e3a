"""COLLADA files as placed triangles.

What the scene shows is read: the geometry of every node where the node puts it, also if it is instanced from elsewhere.
A skin is read in its bind shape, a morph as its base mesh. Lines have no faces. The unit is applied. The up axis is
not, as in Gazebo.

The file is read here, from its XML: pycollada reads positions in single precision and NaN as zero, opens archives,
expands entities, and passes over polygons whose counts are wrong.
"""
from __future__ import annotations

from collections.abc import Iterator
from math import inf, radians
from typing import NamedTuple

import numpy as np
from lxml import etree

from sdf_frames.document.budget import LimitExceeded, Spending
from sdf_frames.document.numbers import read_number
from sdf_frames.document.places import Element
from sdf_frames.inertia.mesh_parts import MeshPart, drop_unused, read_numbers
from sdf_frames.inertia.polygons import cut_polygons

_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_SIZES = {"matrix": 16, "translate": 3, "scale": 3, "rotate": 4}
_PRIMITIVES = ("triangles", "polylist", "polygons", "trifans", "tristrips")
#: Instances in a node: the tag of the instance, and the tag of the instanced element.
_SHOWN = {"node": "", "instance_node": "node", "instance_geometry": "geometry", "instance_controller": "controller"}


class _Place(NamedTuple):
    """The place of a node: its transform, its name or that of the nearest ancestor, and the names and ids above it."""

    X: np.ndarray
    name: str
    above: frozenset[str]


def read_collada(content: bytes, spending: Spending) -> list[MeshPart]:
    """Read the parts of the scene of a COLLADA file.

    Raises
    ------
    LimitExceeded
        Instances of instances make a small file a large mesh.
    ValueError
        What is malformed, unsupported or missing, in words.
    """
    root = _parse(content)
    unit = root.find("{*}asset/{*}unit")
    written = "1" if unit is None else unit.get("meter", "1")
    meter = read_number(written)
    if meter is None or not 0 < meter < inf:
        raise ValueError(f"the meter of its <unit> is not a positive number: {written!r:.40}")
    scale = np.diag((meter, meter, meter, 1.0))
    instance = root.find("{*}scene/{*}instance_visual_scene")
    if instance is None:
        raise ValueError("it has no scene")
    reader, place = _Reader(root, spending), _Place(scale, "", frozenset())
    scene = reader.find("visual_scene", instance.get("url"))
    return [part for node in scene.iterfind("{*}node") for part in reader.read_node(node, place)]


def _parse(content: bytes) -> Element:
    # Before libxml2 expands the entities of attributes. libxml2 knows more encodings, so it also checks.
    has_type = any("<!DOCTYPE".encode(code) in content for code in _ENCODINGS)
    # Numbers come in one text of any length; the file's size is bounded, and there are no entities.
    root = None if has_type else etree.fromstring(content, etree.XMLParser(
        resolve_entities=False, huge_tree=True, remove_comments=True, remove_pis=True))
    if root is None or root.getroottree().docinfo.internalDTD is not None:
        raise ValueError("it has a document type declaration; entities are not expanded")
    if _tag(root) != "COLLADA":
        raise ValueError(f"its root element is <{_tag(root)}>, not <COLLADA>")
    return root


def _tag(element: Element) -> str:
    return etree.QName(element).localname


class _Reader:
    """One file: the elements that can be instanced, the geometries that were read, and the number of placed parts."""

    def __init__(self, root: Element, spending: Spending):
        kinds = ("visual_scene", "node", "geometry", "controller")
        self.elements = {(_tag(e), e.get("id")): e for e in root.iter(*("{*}" + kind for kind in kinds))}
        self.geometries: dict[Element, list[tuple[np.ndarray, np.ndarray]]] = {}
        self.spending, self.nodes = spending, 0
        self.entered: set[Element] = set()

    def find(self, kind: str, url: str | None) -> Element:
        """Find the element that a url in this file refers to."""
        if url is None or not url.startswith("#") or (kind, url[1:]) not in self.elements:
            raise ValueError(f"it refers to the {kind} {url}, which is not in the file")
        return self.elements[kind, url[1:]]

    def read_node(self, node: Element, above: _Place) -> Iterator[MeshPart]:
        """Read the geometries of a node and of the nodes below it."""
        self.count_nodes(1)
        shown = [child for child in node if _tag(child) in _SHOWN]
        if not shown:
            return
        if node in self.entered:
            raise ValueError("a node contains an instance of itself")
        self.entered.add(node)
        own = {name for name in (node.get("name"), node.get("id")) if name}
        place = _Place(above.X @ _read_transform(node), node.get("name") or above.name, above.above | own)
        for child in shown:
            kind = _SHOWN[_tag(child)]
            model = self.find(kind, child.get("url")) if kind else child
            if _tag(model) == "node":
                yield from self.read_node(model, place)
            else:
                yield from self.place_geometry(model, node, place)
        self.entered.remove(node)

    def count_nodes(self, count: int) -> None:
        self.nodes += count
        if self.nodes > self.spending.budget.mesh_nodes:
            raise LimitExceeded("mesh_nodes", self.nodes)

    def place_geometry(self, model: Element, node: Element, place: _Place) -> Iterator[MeshPart]:
        """Yield the parts of a geometry, skin or morph of a node."""
        X, geometry = place.X, model
        if _tag(model) == "controller":
            geometry = self.find("geometry", next(model.iterchildren("{*}skin", "{*}morph"), model).get("source"))
            if (shape := model.find("{*}skin/{*}bind_shape_matrix")) is not None:
                X = X @ _read_exactly(shape, 16).reshape(4, 4)
        if geometry not in self.geometries:
            self.geometries[geometry] = _read_geometry(geometry)
        # The name of the node, else of the geometry, else of an ancestor.
        own = {name for name in (node.get("id"), geometry.get("id"), geometry.get("name")) if name}
        names = (frozenset({place.name}), frozenset(own), place.above)
        self.count_nodes(len(self.geometries[geometry]) - 1)  # as nodes of their own
        for V, F in self.geometries[geometry]:
            self.spending.demand("faces", len(F))
            # A mirror turns the faces inside out.
            yield MeshPart(names, V @ X[:3, :3].T + X[:3, 3], F[:, ::-1] if np.linalg.det(X[:3, :3]) < 0 else F)


def _read_geometry(geometry: Element) -> list[tuple[np.ndarray, np.ndarray]]:
    """Yield (positions, faces), one pair for each set of positions."""
    mesh = geometry.find("{*}mesh")
    if mesh is None:
        raise ValueError(f"the geometry #{geometry.get('id')} has no <mesh>")
    sources = {"#" + child.get("id", ""): child for child in mesh}
    positions: dict[Element, np.ndarray] = {}
    faces: dict[Element, list[np.ndarray]] = {}
    for primitive in mesh.iterchildren(*("{*}" + kind for kind in _PRIMITIVES)):
        if primitive.find("{*}p") is None and primitive.find("{*}ph") is None:
            continue
        vertex = _find_input(primitive, "VERTEX")
        source = sources.get(vertex.get("source", ""))
        if source is not None and _tag(source) == "vertices":
            source = sources.get(_find_input(source, "POSITION").get("source", ""))
        if source is None:
            raise ValueError(f"<{_tag(primitive)}> refers to positions that are not in its mesh")
        if source not in positions:
            positions[source] = _read_positions(source)
        width = max(map(_read_offset, primitive.iterfind("{*}input"))) + 1
        F = _read_faces(primitive, _read_offset(vertex), width, positions[source])
        if len(F):
            faces.setdefault(source, []).append(F)
    return [drop_unused(positions[source], np.concatenate(found)) for source, found in faces.items()]


def _read_offset(element: Element) -> int:
    text = element.get("offset", "0").strip()
    if not text.isdigit():
        raise ValueError(f"an <input> has the offset {element.get('offset')!r}")
    return int(text)


def _find_input(element: Element, semantic: str) -> Element:
    for child in element.iterfind("{*}input"):
        if child.get("semantic") == semantic:
            return child
    raise ValueError(f"<{_tag(element)}> has no input {semantic}")


def _read_faces(primitive: Element, offset: int, width: int, V: np.ndarray) -> np.ndarray:
    """Return (F, 3) indices of the positions `V`: those at `offset` of the `width` indices of each corner."""
    kind = _tag(primitive)
    if primitive.find("{*}ph") is not None:
        raise ValueError("polygons with holes (<ph>) are not read")
    indices = [_read_indices(p) for p in primitive.iterfind("{*}p")]
    if any(len(some) % width for some in indices):
        raise ValueError(f"<{kind}> has a corner without {width} indices")
    lists = [some[offset::width] for some in indices]
    corners, counts = np.concatenate(lists), np.array([*map(len, lists)])
    if kind == "triangles":
        if len(lists) > 1:
            raise ValueError("<triangles> has more than one <p>")
        counts = np.full(len(corners) // 3, 3)
    elif kind == "polylist":
        counts = _read_indices(primitive.find("{*}vcount"))
    elif kind == "tristrips":  # every other triangle is turned
        strips = [np.stack([strip[:-2], strip[1:-1], strip[2:]], axis=1) for strip in lists]
        for F in strips:
            F[1::2] = F[1::2, [1, 0, 2]]
        return np.concatenate(strips)
    if (counts < 0).any() or counts.sum() != len(corners):
        raise ValueError(f"<{kind}> has {len(corners)} corners, which do not make its polygons")
    return cut_polygons(corners, counts, None if kind == "trifans" else V)


def _read_indices(element: Element | None) -> np.ndarray:
    values = read_numbers("" if element is None else element.text or "")
    if not ((np.trunc(values) == values) & (np.abs(values) < 2 ** 53)).all():
        raise ValueError("an index is not a whole number")
    return values.astype(np.int64)


def _read_positions(source: Element) -> np.ndarray:
    """Return (V, 3). As in other readers, the accessor's count is ignored: some programs count numbers, not points."""
    accessor = source.find("{*}technique_common/{*}accessor")
    values = read_numbers(source.findtext("{*}float_array") or "")
    if accessor is None or accessor.get("stride", "1") != "3" or accessor.get("offset", "0") != "0" or len(values) % 3:
        raise ValueError(f"the positions of source {source.get('id')} are not three numbers in a row each")
    return values.reshape(-1, 3)


def _read_transform(node: Element) -> np.ndarray:
    """Return the product of a node's transformations, in their order."""
    from transforms3d.axangles import axangle2mat
    X = np.eye(4)
    for element in node:
        tag = _tag(element)
        if tag in ("skew", "lookat"):
            raise ValueError(f"a node with <{tag}> is not read")
        if tag not in _SIZES:
            continue
        values, step = _read_exactly(element, _SIZES[tag]), np.eye(4)
        if tag == "matrix":
            step = values.reshape(4, 4)
        elif tag == "translate":
            step[:3, 3] = values
        elif tag == "scale":
            step[:3, :3] = np.diag(values)
        elif values[:3].any():
            step[:3, :3] = axangle2mat(values[:3], radians(values[3]))
        X = X @ step
    return X


def _read_exactly(element: Element, count: int) -> np.ndarray:
    values = read_numbers(element.text or "")
    if len(values) != count or not np.isfinite(values).all():
        raise ValueError(f"<{_tag(element)}> does not hold {count} numbers")
    return values
