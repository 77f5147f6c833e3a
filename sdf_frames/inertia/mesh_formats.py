"""The formats of mesh files, a row each. Imports nothing slow: commands ask whether a FILE is a mesh."""

import os
from typing import NamedTuple


class MeshFormat(NamedTuple):
    """How files of a format are read.

    Attributes
    ----------
    reader : of ``plain_meshes.py``, or ``collada``; trimesh reads all others.
    has_unit : whether the format knows its unit of length.
    refers : whether a file refers to others that its triangles depend on.
    has_looks : whether the format has colours or textures.
    """

    reader: str
    has_unit: bool = False
    refers: bool = False
    has_looks: bool = True


#: By extension, in lower case.
FORMATS = {
    "stl": MeshFormat("stl", has_looks=False),
    "obj": MeshFormat("obj"),
    "dae": MeshFormat("collada", has_unit=True),
    "glb": MeshFormat("gltf", has_unit=True),
    "gltf": MeshFormat("gltf", has_unit=True, refers=True),
    "ply": MeshFormat("ply"),
    "off": MeshFormat("off", has_looks=False),
}


def find_format(path: str) -> MeshFormat | None:
    """Return the format of a file by its extension."""
    return FORMATS.get(get_extension(path))


def get_extension(path: str) -> str:
    """Return a file's extension in lower case, without the dot."""
    return os.path.splitext(path)[1][1:].lower()
