"""Limits what trimesh reads of a glTF file: no file outside of its folder, and no more data than its size justifies.

trimesh makes arrays as large as the file says that they are, walks along the nodes without looking where they lead, and
takes another file if it cannot decode this one. It is given a new header with the validated fields that it needs.
"""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from transforms3d.affines import compose
from transforms3d.quaternions import quat2mat

from sdf_frames.convert.mesh_references import change_gltf_header
from sdf_frames.document.budget import DEFAULT, Budget, LimitExceeded
from sdf_frames.document.door import Door

if TYPE_CHECKING:
    from trimesh.resolvers import Resolver

_COMPRESSIONS = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"}
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_STRIP = 5  # the mode of a primitive
_LEAST_BYTES = 4  # of a number in an array

_Kind = Callable[[Any], bool]
_Fields = dict[str, tuple[_Kind, str]]


def _is_index(value: Any) -> bool:
    return type(value) is int and value >= 0  # True is no index


def _is_numbers(count: int) -> _Kind:
    return lambda value: (type(value) is list and len(value) == count
                          and all(type(number) in (int, float) for number in value))


_OBJECTS = (lambda value: type(value) is list and all(type(item) is dict for item in value), "a list of objects")
_INDEX = (_is_index, "an index or count from 0")
_INDICES = (lambda value: type(value) is list and all(map(_is_index, value)), "a list of indices from 0")
_TEXT = (lambda value: type(value) is str, "a text")
_OBJECT = (lambda value: type(value) is dict, "an object")
#: The fields that are kept of each list in a header.
_LISTS: dict[str, _Fields] = {
    "scenes": {"nodes": _INDICES},
    "nodes": {"children": _INDICES, "mesh": _INDEX,
              **{name: (_is_numbers(count), f"a list of {count} numbers")
                 for name, count in (("matrix", 16), ("translation", 3), ("rotation", 4), ("scale", 3))}},
    "meshes": {"name": _TEXT, "primitives": _OBJECTS},
    "accessors": {"bufferView": _INDEX, "byteOffset": _INDEX, "componentType": _INDEX, "count": _INDEX, "type": _TEXT,
                  "sparse": (lambda value: type(value) is dict, "an object")},
    "bufferViews": {"buffer": _INDEX, "byteOffset": _INDEX, "byteLength": _INDEX,
                    "byteStride": (lambda value: _is_index(value) and value > 0, "a number above 0")},
    "buffers": {"uri": _TEXT},
}
_PRIMITIVE: _Fields = {"attributes": _OBJECT, "indices": _INDEX, "mode": _INDEX, "material": _INDEX}
_ATTRIBUTES: _Fields = dict.fromkeys(("POSITION", "TEXCOORD_0", "COLOR_0"), _INDEX)
#: Fields that only pictures need; they are kept unchanged.
_LOOKS = ("materials", "textures", "images", "samplers")


def take_gltf(content: bytes, budget: Budget = DEFAULT, looks: bool = False) -> bytes:
    """Return the file with what trimesh may see of it, or refuse what trimesh would read wrongly or without end.

    With `looks`, that includes materials and textures.

    Refused are compression, which trimesh passes over and leaves empty meshes; sparse positions and indices, whose
    changes it passes over; arrays without bytes, or of the same bytes again and again; and nodes that are no trees
    (glTF 2.0, 3.5.2).

    Raises
    ------
    LimitExceeded
        Its arrays or nodes are too many.
    ValueError
        Why it is refused, in words.
    """
    return change_gltf_header(content, lambda text: _take_header(text, budget, looks))


def _take_header(text: bytes, budget: Budget, looks: bool) -> bytes:
    try:
        header = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("its content is malformed: its header is not JSON in UTF-8") from None
    if not isinstance(header, dict):
        raise ValueError("its content is not a JSON object")
    required = header.get("extensionsRequired", ())
    for name in sorted(_COMPRESSIONS):
        if name in required:
            raise ValueError(f"it is compressed ({name}); save it without compression")
    if not (version := str(header.get("asset", {}).get("version", "2.0"))).startswith("2."):
        raise ValueError(f"it is glTF {version}; save it as glTF 2.0")
    taken: dict[str, Any] = {}
    for name, fields in _LISTS.items():
        items = _take_fields(header, {name: _OBJECTS}, "").get(name, [])
        taken[name] = [_take_fields(item, fields, f"{name}[{k}].") for k, item in enumerate(items)]
    taken["scenes"] = [{"nodes": [], **scene} for scene in taken["scenes"] or [{}]]
    for mesh in taken["meshes"]:
        mesh["primitives"] = [_take_primitive(primitive, looks) for primitive in mesh.get("primitives", [])]
    _check_arrays(taken, budget)
    # trimesh makes a mesh of each primitive, and a node of each that a node has.
    parts = {number: len(mesh["primitives"]) for number, mesh in enumerate(taken["meshes"])}
    placed = sum(max(1, parts.get(node.get("mesh", -1), 1)) for node in taken["nodes"])
    if (count := max(placed, sum(parts.values()))) > budget.mesh_nodes:
        raise LimitExceeded("mesh_nodes", count)
    _check_nodes(taken)
    roots = taken["scenes"][_take_fields(header, {"scene": _INDEX}, "").get("scene", 0)]["nodes"]
    taken["nodes"] = _place_nodes(taken["nodes"], roots)
    taken["scenes"] = [{"nodes": list(range(len(taken["nodes"])))}]
    if looks:
        taken |= {name: header[name] for name in _LOOKS if name in header}
    return json.dumps(taken).encode()


def _take_fields(item: dict[str, Any], fields: _Fields, place: str) -> dict[str, Any]:
    taken = {name: item[name] for name in fields if name in item}
    for name, value in taken.items():
        is_right, kind = fields[name]
        if not is_right(value):
            raise ValueError(f"its content is malformed: {place}{name} is not {kind}")
    return taken


def _take_primitive(primitive: dict[str, Any], looks: bool) -> dict[str, Any]:
    taken = {"attributes": {}} | _take_fields(primitive, _PRIMITIVE, "a primitive's ")
    taken["attributes"] = _take_fields(taken["attributes"], _ATTRIBUTES, "an attribute ")
    if not looks:
        taken.pop("material", None)
        taken["attributes"] = {name: index for name, index in taken["attributes"].items() if name == "POSITION"}
    if taken.get("mode") == _STRIP and "indices" not in taken:
        raise ValueError("it has triangle strips without indices, which versions of trimesh read differently")
    return taken


def _check_arrays(header: dict[str, Any], budget: Budget) -> None:
    """Count the bytes of all arrays, again where they are drawn, and of all views."""
    sizes = [a["count"] * _COMPONENTS[a["type"]] for a in header["accessors"]]
    drawn = [index for mesh in header["meshes"] for primitive in mesh["primitives"]
             for index in (primitive["attributes"].get("POSITION"), primitive.get("indices")) if index is not None]
    if sparse := [index for index in drawn if "sparse" in header["accessors"][index]]:
        raise ValueError(f"its accessors[{sparse[0]}] is sparse; save it without sparse accessors")
    size = max((sum(sizes) + sum(sizes[index] for index in drawn)) * _LEAST_BYTES,
               sum(view["byteLength"] for view in header["bufferViews"]))
    if size > budget.mesh_bytes:
        raise LimitExceeded("mesh_bytes", size)


def _check_nodes(header: dict[str, Any]) -> None:
    """Compare the nodes with glTF 2.0, 3.5: they are trees, with their roots in scenes."""
    children = [node.get("children", ()) for node in header["nodes"]]
    below = [child for some in children for child in some]
    scenes = [scene["nodes"] for scene in header["scenes"]]
    if (unknown := max(chain(below, *scenes), default=-1)) >= len(children):
        raise ValueError(f"its content is malformed: there is no node {unknown}; its nodes are {len(children)}")
    if len(inner := set(below)) < len(below):
        raise ValueError("a node has two parents")
    reached = [node for node in range(len(children)) if node not in inner]
    for node in reached:  # the list grows
        reached += children[node]
    if len(reached) < len(children):
        raise ValueError("a node is below itself")
    for roots in scenes:
        if len(set(roots)) < len(roots) or not inner.isdisjoint(roots):
            raise ValueError("a scene lists a node twice, or one that is below another")


def _place_nodes(nodes: list[dict[str, Any]], roots: list[int]) -> list[dict[str, Any]]:
    """The nodes with meshes in trees, each as a root with the matrix from its tree's root: trimesh walks up from each
    node to the scene."""
    placed = []
    pending = [(node, np.eye(4)) for node in reversed(roots)]
    while pending:
        number, X_SP = pending.pop()
        node = nodes[number]
        X_SN = X_SP @ _make_matrix(node)
        if "mesh" in node:
            placed.append({"mesh": node["mesh"], "matrix": X_SN.T.ravel().tolist()})
        pending += [(child, X_SN) for child in reversed(node.get("children", ()))]
    return placed


def _make_matrix(node: dict[str, Any]) -> np.ndarray:
    """Return (4, 4) the transform of a node in its parent, from a matrix by columns or translation, rotation, scale."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    return compose(node.get("translation", (0, 0, 0)), quat2mat((w, x, y, z)), node.get("scale", (1, 1, 1)))


def read_mesh_bytes(path: str, most: int, door: Door) -> bytes:
    """Read a mesh file, or one that it refers to.

    Raises
    ------
    LimitExceeded
        The file has too many bytes.
    OSError, ValueError
        As :meth:`Door.read`.
    """
    if (size := door.measure(path)) > most:
        raise LimitExceeded("mesh_bytes", size)
    return door.read(path, most)


def make_file_resolver(folder: str, door: Door, budget: Budget = DEFAULT) -> Resolver:
    """Make the resolver by which trimesh opens the files that a mesh file in `folder` refers to, through `door`."""
    from trimesh.resolvers import Resolver

    class FileResolver(Resolver):
        def __init__(self) -> None:
            self.left = budget.mesh_bytes  # for all buffers together: one file may be named many times

        def get(self, name: str) -> bytes:
            path = os.path.join(folder, name)
            if door.admit(path) is None:
                raise ValueError(f"it refers to {name}, outside of its folder")
            if not door.is_file(path):
                raise ValueError(f"its buffer {name} is not found")
            self.left -= door.measure(path)
            if self.left < 0:
                raise LimitExceeded("mesh_bytes", budget.mesh_bytes - self.left)
            return door.read(path, budget.mesh_bytes)

        def write(self, _name: str, _data: object) -> None:
            raise ValueError("nothing is written")

        def namespaced(self, _namespace: str) -> Resolver:
            return self

        def keys(self) -> tuple[str, ...]:
            return ()

    return FileResolver()
