"""COLLADA files as placed triangles.

pycollada reads the file. Positions and transformations are taken from the file's text, in double precision.

What the scene shows is read: every node's geometry where the node puts it, what is instanced from elsewhere included. A
skin is taken in its bind shape, a morph as its base mesh. Lines have no faces; the unit is applied, the up axis is not,
as in Gazebo.

pycollada is handed what makes up the mesh alone, and no document of a stranger's: it opens archives and expands
entities. What it would pass over without a word is checked here: polygons whose counts are wrong, holes, strides,
transformations.
"""
from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from io import BytesIO
from math import radians
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from sdf_frames.document.budget import LimitExceeded, Spending
from sdf_frames.document.numbers import read_number
from sdf_frames.document.places import Element
from sdf_frames.inertia.mesh_parts import MeshPart, VertexUnknown, cut_polygons, drop_unused, read_numbers

_NAMESPACE = b' xmlns="http://www.collada.org/2005/11/COLLADASchema"'
_LOOKS = (
    "asset", "extra", "bind_material", "instance_camera", "instance_light", "lines", "linestrips", "points",
    "library_animations", "library_cameras", "library_effects", "library_images", "library_lights",
    "library_materials")
#: An object of pycollada, which has no types.
_Dae = Any
_ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_SIZES = {"matrix": 16, "translate": 3, "scale": 3, "rotate": 4}


class _Place(NamedTuple):
    """Where a node is: its transform, its own name or else the nearest ancestor's, and the names and ids above it."""

    X: np.ndarray
    name: str
    above: frozenset[str]


def read_collada(content: bytes, spending: Spending) -> list[MeshPart]:
    """Parts of the scene of a COLLADA file.

    Raises
    ------
    LimitExceeded
        Instances of instances make a small file a large mesh.
    ValueError, collada.DaeError
        What is malformed, unsupported or missing, in words.
    """
    import collada
    root = _parse(content)
    unit = root.find("{*}asset/{*}unit")
    meter = read_number(unit.get("meter", "1")) if unit is not None else 1.0
    scale = np.eye(4)
    if meter is not None and 0 < meter < float("inf"):
        scale[:3, :3] *= meter
    text = _leave_mesh(root)
    try:
        with warnings.catch_warnings():
            # Where NumPy does not refuse what is no number yet, it warns.
            warnings.filterwarnings("error", "string or file could not be read", DeprecationWarning)
            # What is not supported is a fault only where something refers to it.
            scene = collada.Collada(BytesIO(text), ignore=[collada.common.DaeUnsupportedError]).scene
    except collada.common.DaeMalformedError as error:
        if found := re.search(r"maxindex=(\d+)\).*\(len=(\d+)\)", error.msg):
            raise VertexUnknown(*map(int, found.groups())) from None
        raise
    except DeprecationWarning as error:
        raise ValueError(f"Corrupted numbers: {error}") from None
    except ValueError as error:  # NumPy's
        raise ValueError(f"its primitives are malformed ({error})") from None
    if scene is None:
        raise ValueError("it has no scene")
    reader, place = _Reader(spending), _Place(scale, "", frozenset())
    return [part for node in scene.nodes for part in reader.read_node(node, place)]


def _parse(content: bytes) -> Element:
    # Before libxml2 expands the entities of attributes; it knows more encodings, so it is asked, too.
    has_type = any("<!DOCTYPE".encode(code) in content for code in _ENCODINGS)
    # Numbers come in one text of any length; the file's size is bounded, and there are no entities.
    root = None if has_type else etree.fromstring(content, etree.XMLParser(
        resolve_entities=False, huge_tree=True, remove_comments=True, remove_pis=True))
    if root is None or root.getroottree().docinfo.internalDTD is not None:
        raise ValueError("it has a document type declaration; entities are not expanded")
    if etree.QName(root).localname != "COLLADA":
        raise ValueError(f"its root element is <{etree.QName(root).localname}>, not <COLLADA>")
    return root


def _leave_mesh(root: Element) -> bytes:
    """The document without looks, so that a defect in them is none."""
    etree.strip_elements(root, *("{*}" + name for name in _LOOKS), with_tail=False)
    for element in root.iter("{*}input"):
        if not element.get("offset", "0").strip().isdigit():
            raise ValueError(f"an <input> has the offset {element.get('offset')!r}")
        # The input keeps its place among the indices, but nobody looks at what it is.
        if element.get("semantic") in ("NORMAL", "TEXCOORD", "TEXTANGENT", "TEXBINORMAL"):
            element.set("semantic", "COLOR")
    for primitive in list(root.iter("{*}triangles", "{*}polylist", "{*}tristrips", "{*}trifans")):
        if primitive.find("{*}p") is None and (parent := primitive.getparent()) is not None:
            parent.remove(primitive)
    if any(re.search(r"\d{10}", element.text or "") for element in root.iter("{*}p", "{*}vcount")):
        raise ValueError("an index has more than nine digits")
    _order_nodes(root.findall("{*}library_nodes"))
    for scene in root.iterfind("{*}library_visual_scenes/{*}visual_scene"):
        _order_nodes([scene])
    text = etree.tostring(root)
    return text if root.tag != "COLLADA" else text.replace(b"<COLLADA", b"<COLLADA" + _NAMESPACE, 1)


def _order_nodes(parents: list[Element]) -> None:
    """Move what others instance before them: pycollada tries all that are left again after each that it finds."""
    nodes = {node.get("id"): node for parent in parents for node in parent.iterfind("{*}node")}
    uses = {name: {i.get("url", "")[1:] for i in node.iter("{*}instance_node")} & nodes.keys()
            for name, node in nodes.items()}
    try:
        for name in TopologicalSorter(uses).static_order():
            parents[0].append(nodes[name])
    except CycleError:
        raise ValueError("a node contains an instance of itself") from None


class _Reader:
    """One file: geometries that were read, and how much was placed."""

    def __init__(self, spending: Spending):
        self.geometries: dict[_Dae, list[tuple[np.ndarray, np.ndarray]]] = {}
        self.spending, self.nodes = spending, 0

    def read_node(self, node: _Dae, above: _Place) -> Iterator[MeshPart]:
        self.count_nodes(1)
        if not node.children:
            return
        element = node.xmlnode
        own = {name for name in (element.get("name"), element.get("id")) if name}
        place = _Place(above.X @ _read_transform(element), element.get("name") or above.name, above.above | own)
        for child in node.children:
            if hasattr(child, "children"):
                yield from self.read_node(getattr(child, "node", child), place)
            else:
                yield from self.place_geometry(getattr(child, "controller", child), element, place)

    def count_nodes(self, count: int) -> None:
        self.nodes += count
        if self.nodes > self.spending.budget.mesh_nodes:
            raise LimitExceeded("mesh_nodes", self.nodes)

    def place_geometry(self, model: _Dae, node: Element, place: _Place) -> Iterator[MeshPart]:
        """Parts of what a node shows: a geometry's instance, a skin or a morph."""
        geometry = model.geometry if hasattr(model, "geometry") else model.source_geometry
        shape = model.xmlnode.find("{*}skin/{*}bind_shape_matrix")
        X = place.X if shape is None else place.X @ _read_exactly(shape, 16).reshape(4, 4)
        if geometry not in self.geometries:
            self.geometries[geometry] = _read_geometry(geometry)
        # Its node before its geometry, and that before what is above the node.
        own = {name for name in (node.get("id"), geometry.id, geometry.name) if name}
        names = (frozenset({place.name}), frozenset(own), place.above)
        self.count_nodes(len(self.geometries[geometry]) - 1)  # as nodes of their own
        for V, F in self.geometries[geometry]:
            self.spending.demand("faces", len(F))
            # A mirror turns the faces inside out.
            yield MeshPart(names, V @ X[:3, :3].T + X[:3, 3], F[:, ::-1] if np.linalg.det(X[:3, :3]) < 0 else F)


def _read_geometry(geometry: _Dae) -> list[tuple[np.ndarray, np.ndarray]]:
    """(positions, faces), one for each set of positions."""
    faces: dict[_Dae, list[np.ndarray]] = {}
    for primitive in geometry.primitives:
        kind = etree.QName(primitive.xmlnode).localname
        if primitive.xmlnode.find("{*}ph") is not None:
            raise ValueError("polygons with holes (<ph>) are not read")
        if kind == "triangles" and len(primitive.xmlnode.findall("{*}p")) > 1:
            raise ValueError("<triangles> has more than one <p>")
        if not len(primitive.index):
            continue
        F = primitive.vertex_index
        if F.ndim == 1:
            counts = primitive.vcounts
            if (counts < 0).any() or counts.sum() != len(F):
                raise ValueError(f"<{kind}> has {len(F)} corners, which do not make its polygons")
            F = cut_polygons(F, counts)
        if len(F):
            faces.setdefault(primitive.sources["VERTEX"][0][4], []).append(F)
    return [drop_unused(_read_positions(source), np.concatenate(found)) for source, found in faces.items()]


def _read_positions(source: _Dae) -> np.ndarray:
    """(V, 3); pycollada's own have single precision and zeros where there are no numbers.

    As in other readers, the accessor's count does not matter: some programs write that of the numbers.
    """
    accessor = source.xmlnode.find("{*}technique_common/{*}accessor")
    values = read_numbers(source.xmlnode.findtext("{*}float_array"))
    if accessor.get("stride", "1") != "3" or accessor.get("offset", "0") != "0":
        raise ValueError(f"the positions of source {source.id} are not three numbers in a row each")
    return values.reshape(-1, 3)


def _read_transform(node: Element) -> np.ndarray:
    """A node's transformations, multiplied in the order in which they stand."""
    from transforms3d.axangles import axangle2mat
    X = np.eye(4)
    for element in node:
        tag = etree.QName(element).localname
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
        raise ValueError(f"<{etree.QName(element).localname}> does not hold {count} numbers")
    return values
