"""What trimesh may read of a glTF file: nothing outside of its folder, and no more than its size justifies.

trimesh makes arrays as large as the file says that they are, and walks up from every node to the scene.
"""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from sdf_frames.document.budget import DEFAULT, Budget, LimitExceeded
from sdf_frames.document.confinement import Boundary

if TYPE_CHECKING:
    from trimesh.resolvers import Resolver

_COMPRESSIONS = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"}
_COMPONENTS = {"VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_STRIP = 5  # the mode of a primitive
_LEAST_BYTES = 4  # that a number of an array takes
_MOST_STEPS = 5  # from a node up to the scene, on average, where there are as many nodes as are read


def check_gltf(content: bytes, budget: Budget = DEFAULT) -> None:
    """Refuse what trimesh would read wrongly, or with more memory and time than the file is worth.

    That is compression, which it passes over and leaves empty meshes; arrays without bytes, or of the same bytes again
    and again; and nodes that are no trees (glTF 2.0, 3.5.2) or too deep.

    Raises
    ------
    LimitExceeded
        Its arrays or nodes are too many.
    ValueError
        Why it is refused, in words.
    """
    text = content[20:20 + int.from_bytes(content[12:16], "little")] if content.startswith(b"glTF") else content
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        return  # trimesh says what is wrong
    if not isinstance(header, dict):
        raise ValueError("its content is not a JSON object")
    for name in _COMPRESSIONS.intersection(header.get("extensionsRequired", ())):
        raise ValueError(f"it is compressed ({name}); save it without compression")
    if any(primitive.get("mode") == _STRIP and "indices" not in primitive
           for mesh in header.get("meshes", ()) for primitive in mesh["primitives"]):
        raise ValueError(
            "it has triangle strips without indices, which versions of trimesh read differently")
    sizes = [max(a["count"], 0) * _COMPONENTS.get(a["type"], 1) for a in header.get("accessors", ())]
    drawn = [sizes[index] for mesh in header.get("meshes", ()) for primitive in mesh["primitives"]
             for index in (primitive["attributes"].get("POSITION"), primitive.get("indices")) if index is not None]
    if (size := (sum(sizes) + sum(drawn)) * _LEAST_BYTES) > budget.mesh_bytes:
        raise LimitExceeded("mesh_bytes", size)
    nodes = header.get("nodes", ())
    if (steps := _count_steps([node.get("children", ()) for node in nodes])) > _MOST_STEPS * budget.mesh_nodes:
        raise LimitExceeded("mesh_nodes", steps // _MOST_STEPS)


def _count_steps(children: list[list[int]]) -> int:
    """How many steps it is from each node up to its root, all together."""
    below = [child for some in children for child in some]
    if len(set(below)) < len(below):
        raise ValueError("a node has two parents")
    level = list(set(range(len(children))).difference(below))
    seen, steps, depth = len(level), 0, 0
    while level:
        level = [child for node in level for child in children[node]]
        depth += 1
        seen += len(level)
        steps += depth * len(level)
    if seen < len(children):
        raise ValueError("a node is below itself")
    return steps


def make_folder_resolver(folder: str, budget: Budget = DEFAULT) -> Resolver:
    """What trimesh asks for a glTF file's buffers: files in its folder or below, nothing else."""
    from trimesh.resolvers import Resolver

    boundary = Boundary((folder,))

    class FolderResolver(Resolver):
        def __init__(self) -> None:
            pass

        def get(self, name: str) -> bytes:
            target = boundary.admit(os.path.join(folder, name))
            if target is None:
                raise ValueError(f"it refers to {name}, outside of its folder")
            if not os.path.isfile(target):  # a pipe or a device may never end
                raise ValueError(f"its buffer {name} is not found")
            if (size := os.path.getsize(target)) > budget.mesh_bytes:
                raise LimitExceeded("mesh_bytes", size)
            with open(target, "rb") as stream:
                return stream.read()

        def write(self, _name: str, _data: object) -> None:
            raise ValueError("nothing is written")

        def namespaced(self, _namespace: str) -> Resolver:
            return self

        def keys(self) -> tuple[str, ...]:
            return ()

    return FolderResolver()
