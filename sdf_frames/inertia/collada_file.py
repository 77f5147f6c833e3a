"""COLLADA files as placed triangles, in double precision and without trusting them.

What the scene shows is read: every node's geometry where the node puts it, what is instanced from elsewhere included. A skin
is taken in its bind shape, a morph as its base mesh. Lines have no faces; the unit is applied, the up axis is not, as in Gazebo.

Source: COLLADA 1.4.1 specification, chapter 5 (geometry, mesh and its primitives, skin, node).
"""
from __future__ import annotations

from math import radians
from typing import Iterator, NamedTuple

import numpy as np
from lxml import etree

from sdf_frames.document.numbers import read_number
from sdf_frames.inertia.mesh_parts import Part, cut_polygons

# Instances of instances can make a small file a large mesh.
MOST_TRIANGLES, MOST_NODES, DEEPEST = 50_000_000, 200_000, 200
_PRIMITIVES = ("triangles", "polylist", "polygons", "tristrips", "trifans")
_MODELS = ("instance_geometry", "instance_controller", "instance_node")


class _Place(NamedTuple):
    """Where a node is: its transform, its own name or else the nearest ancestor's, and the names and ids above it."""

    X: np.ndarray
    name: str
    above: frozenset
    depth: int


def read_collada(content: bytes) -> list[Part]:
    """Parts of the scene of a COLLADA file.

    Raises
    ------
    ValueError
        What is malformed, unsupported or missing, in words.
    """
    if any("<!DOCTYPE".encode(code) in content for code in ("utf-8", "utf-16-le", "utf-16-be")):
        raise ValueError("it has a document type declaration; entities are not expanded")
    # Numbers come in one text of any length; the file's size is bounded, and there are no entities.
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=True, remove_comments=True)
    root = etree.fromstring(content, parser)
    if etree.QName(root).localname != "COLLADA":
        raise ValueError(f"its root element is <{etree.QName(root).localname}>, not <COLLADA>")
    return _Reader(root).read_scene()


class _Reader:
    """One file: its elements by id, geometries that were read, and how much was placed."""

    def __init__(self, root):
        self.root = root
        self.by_id = {e.get("id"): e for e in root.iter(etree.Element) if e.get("id")}
        self.geometries: dict = {}
        self.nodes = self.triangles = 0

    def read_scene(self) -> list[Part]:
        instance = self.root.find("{*}scene/{*}instance_visual_scene")
        if instance is None:
            raise ValueError("it has no scene")
        unit = self.root.find("{*}asset/{*}unit")
        meter = read_number(unit.get("meter", "1")) if unit is not None else 1.0
        scale = np.eye(4)
        if meter is not None and 0 < meter < float("inf"):
            scale[:3, :3] *= meter
        place = _Place(scale, "", frozenset(), 0)
        return [part for node in self.follow(instance).findall("{*}node") for part in self.read_node(node, place)]

    def follow(self, element, attribute: str = "url"):
        """The element that an attribute of `element` refers to."""
        url = element.get(attribute, "")
        if not url.startswith("#"):
            raise ValueError(f"<{_tag(element)}> refers to {url!r}, outside of the file")
        if url[1:] not in self.by_id:
            raise ValueError(f"<{_tag(element)}> refers to {url}, which is not there")
        return self.by_id[url[1:]]

    def read_node(self, node, above: _Place) -> Iterator[Part]:
        self.nodes += 1
        if self.nodes > MOST_NODES or above.depth > DEEPEST:
            raise ValueError("its nodes are instanced in themselves, or too many")
        models = [e for e in node if _tag(e) in _MODELS or _tag(e) == "node"]
        if not models:
            return
        own = {name for name in (node.get("name"), node.get("id")) if name}
        place = _Place(above.X @ _read_transform(node), node.get("name") or above.name, above.above | own, above.depth + 1)
        for element in models:
            if _tag(element) == "node":
                yield from self.read_node(element, place)
            elif _tag(element) == "instance_node":
                yield from self.read_node(self.follow(element), place)
            else:
                yield from self.place_geometry(self.follow(element), node, place)

    def place_geometry(self, element, node, place: _Place) -> Iterator[Part]:
        X = place.X
        for _ in range(8):
            if _tag(element) == "geometry":
                break
            skin, morph = element.find("{*}skin"), element.find("{*}morph")
            if skin is None and morph is None:
                raise ValueError(f"<{_tag(element)}> {element.get('id')} has neither geometry nor skin nor morph")
            if skin is not None and (shape := skin.find("{*}bind_shape_matrix")) is not None:
                X = X @ _read_matrix(shape)
            element = self.follow(morph if skin is None else skin, "source")
        else:
            raise ValueError("its controllers refer to one another")
        if element not in self.geometries:
            self.geometries[element] = list(self.read_geometry(element))
        # Its node before its geometry, and that before what is above the node.
        names = (frozenset({place.name}), frozenset({node.get("id"), element.get("id"), element.get("name")}), place.above)
        for V, F in self.geometries[element]:
            self.triangles += len(F)
            if self.triangles > MOST_TRIANGLES:
                raise ValueError(f"it places more than {MOST_TRIANGLES} triangles")
            # A mirror turns the faces inside out.
            yield Part(names, V @ X[:3, :3].T + X[:3, 3], F[:, ::-1] if np.linalg.det(X[:3, :3]) < 0 else F)

    def read_geometry(self, geometry) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(positions, faces), one for each set of positions."""
        mesh = geometry.find("{*}mesh")
        if mesh is None:
            raise ValueError(f"geometry {geometry.get('id')} is no <mesh>")
        faces: dict = {}
        for primitive in mesh:
            if _tag(primitive) in _PRIMITIVES:
                source, F = self.read_primitive(primitive)
                if len(F):
                    faces.setdefault(source, []).append(F)
        for source, found in faces.items():
            yield self.read_positions(source), np.concatenate(found)

    def read_primitive(self, primitive) -> tuple:
        """The source of the positions, and (F, 3) indices into it."""
        inputs = primitive.findall("{*}input")
        vertex = next((i for i in inputs if i.get("semantic") == "VERTEX"), None)
        if vertex is None:
            raise ValueError(f"<{_tag(primitive)}> names no vertices")
        position = next((i for i in self.follow(vertex, "source").findall("{*}input") if i.get("semantic") == "POSITION"), None)
        if position is None:
            raise ValueError("its <vertices> have no positions")
        if primitive.find("{*}ph") is not None:
            raise ValueError("polygons with holes (<ph>) are not read")
        stride = 1 + max(_read_integer(i.get("offset", "0")) for i in inputs)
        offset = _read_integer(vertex.get("offset", "0"))
        runs = []
        for p in primitive.findall("{*}p"):
            index = _read_array(p, np.int64)
            if len(index) % stride:
                raise ValueError(f"<{_tag(primitive)}> has {len(index)} indices, no multiple of {stride}")
            runs.append(index.reshape(-1, stride)[:, offset])
        return self.follow(position, "source"), _cut_to_triangles(primitive, runs)

    def read_positions(self, source) -> np.ndarray:
        accessor = source.find("{*}technique_common/{*}accessor")
        if accessor is None:
            raise ValueError(f"source {source.get('id')} has no <accessor>")
        array = source.find("{*}float_array")
        values = _read_array(self.follow(accessor, "source") if array is None else array, np.float64)
        stride, offset = _read_integer(accessor.get("stride", "1")), _read_integer(accessor.get("offset", "0"))
        count = accessor.get("count")
        count = max(0, len(values) - offset) // max(stride, 1) if count is None else _read_integer(count)
        # Parameters without a name are to be skipped.
        named = [k for k, p in enumerate(accessor.findall("{*}param")) if p.get("name")][:3]
        columns = named if len(named) == 3 else [0, 1, 2]
        if stride <= max(columns):
            raise ValueError(f"the positions of source {source.get('id')} have fewer than three coordinates")
        if offset + count * stride > len(values):
            raise ValueError(f"source {source.get('id')} has {len(values)} numbers, fewer than its accessor says")
        return values[offset:offset + count * stride].reshape(count, stride)[:, columns]


def _tag(element) -> str:
    return etree.QName(element).localname


def _cut_to_triangles(primitive, runs: list[np.ndarray]) -> np.ndarray:
    """(F, 3) of a primitive's lists of corners."""
    kind = _tag(primitive)
    none = np.empty((0, 3), dtype=np.int64)
    if kind in ("triangles", "polylist"):
        corners = np.concatenate(runs) if runs else none.ravel()
        counts = np.full(len(corners) // 3, 3)
        if kind == "polylist":
            vcount = primitive.find("{*}vcount")
            counts = none.ravel() if vcount is None else _read_array(vcount, np.int64)
        if (counts < 0).any() or counts.sum() != len(corners):
            raise ValueError(f"<{kind}> has {len(corners)} corners, which do not make its polygons")
    elif kind == "tristrips":
        found = [np.stack([r[:-2], r[1:-1], r[2:]], axis=1) for r in runs if len(r) > 2]
        for F in found:
            F[1::2] = F[1::2, ::-1]
        return np.concatenate([none, *found])
    else:  # polygons and trifans: each <p> is one
        corners = np.concatenate([none.ravel(), *runs])
        counts = np.array([len(r) for r in runs], dtype=np.int64)
    return cut_polygons(corners, counts)


def _read_array(element, kind: type) -> np.ndarray:
    try:
        return np.array((element.text or "").split(), dtype=kind)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"<{_tag(element)}> at line {element.sourceline} holds something that is no number: {error}") from None


def _read_integer(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def _read_numbers(element, count: int) -> np.ndarray:
    values = _read_array(element, np.float64)
    if len(values) != count or not np.isfinite(values).all():
        raise ValueError(f"<{_tag(element)}> at line {element.sourceline} does not hold {count} numbers")
    return values


def _read_matrix(element) -> np.ndarray:
    return _read_numbers(element, 16).reshape(4, 4)


def _read_transform(node) -> np.ndarray:
    """A node's transformations, multiplied in the order in which they stand."""
    X = np.eye(4)
    for element in node:
        step, tag = np.eye(4), _tag(element)
        if tag == "matrix":
            step = _read_matrix(element)
        elif tag == "translate":
            step[:3, 3] = _read_numbers(element, 3)
        elif tag == "scale":
            step[:3, :3] = np.diag(_read_numbers(element, 3))
        elif tag == "rotate":
            *axis, angle = _read_numbers(element, 4)
            step[:3, :3] = _turn(np.array(axis), radians(angle))
        elif tag in ("skew", "lookat"):
            raise ValueError(f"a node with <{tag}> is not read")
        else:
            continue
        X = X @ step
    return X


def _turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation about an axis of any length (Rodrigues); none about an axis of length zero."""
    length = float(np.linalg.norm(axis))
    x, y, z = axis / length if length else axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
