"""The files that a mesh file refers to: images of COLLADA, materials of OBJ and their maps, and files of glTF."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from lxml import etree

from sdf_frames.document.confinement import decode
from sdf_frames.document.door import Door
from sdf_frames.document.xml_in import read_xml

#: Says what a name in a mesh file is to be; None for as it is.
Rename = Callable[[str], "str | None"]
_MTLLIB = re.compile(rb"(?m)^([ \t]*mtllib[ \t]+)(\S[^\r\n]*)")
_MTL_NAME = re.compile(rb"\S.*?\.mtl(?=\s|$)|\S(?:.*\S)?", re.IGNORECASE)
_MAP = re.compile(rb"(?mi)^([ \t]*(?:map_\w+|bump|disp|decal|refl|norm)[ \t]+)(\S[^\r\n]*)")
_NUMBER = rb"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?"
#: Options that stand before the name of a map, and what follows each.
_OPTION = re.compile(rb"-(?:(?:o|s|t)(?:[ \t]+" + _NUMBER + rb"){1,3}|mm(?:[ \t]+" + _NUMBER + rb"){2}"
                     rb"|(?:blendu|blendv|boost|bm|cc|clamp|imfchan|texres|type)[ \t]+\S+)[ \t]+", re.IGNORECASE)
#: Bytes in front of the header of a binary glTF file: magic, version, length; the header's length and type.
_CHUNK = 20


def rename_references(content: bytes, extension: str, rename: Rename) -> bytes:
    """Return a file with other names of the files that it refers to; all else in it stays as it is.

    Parameters
    ----------
    content, extension : the file, and its kind: ``dae``, ``obj``, ``mtl``, ``gltf`` or ``glb``; others name no files.
    rename : asked for each name, as it is written.
    """
    writer = _WRITERS.get(extension)
    return content if writer is None else writer(content, rename)


def follow_references(paths: Iterable[str], door: Door) -> Iterator[str]:
    """Yield files, those that the meshes among them refer to, and those that these refer to, each once."""
    files = [*{os.path.normpath(path): path for path in paths}.values()]
    materials, known = set[str](), {*files}
    for path in files:  # the list grows
        yield path
        kind = "mtl" if path in materials else path.rpartition(".")[2].lower()
        names: list[str] = []
        if kind in _WRITERS:
            with suppress(OSError):
                rename_references(door.read(path), kind, names.append)
        found = {file for name in names if (file := find_reference(path, name, door)) is not None} - known
        materials.update(found if kind == "obj" else ())
        known |= found
        files += sorted(found)


def find_reference(path: str, name: str, door: Door) -> str | None:
    """Return the file that the mesh or material file at `path` calls `name`; None if it is not found."""
    plain = decode(name).replace("\\", "/")
    plain = re.sub(r"^file:/*(?=[A-Za-z]:|/)", "", plain, flags=re.IGNORECASE)
    # Gazebo looks for textures in the last folder, too.
    tried = [os.path.join(os.path.dirname(path), one) for one in (name, plain, f"../materials/textures/{plain}")]
    return next(filter(door.is_file, tried), None)


def _rename_collada(content: bytes, rename: Rename) -> bytes:
    document = read_xml(content, keep_comments=True)[0] if b"init_from" in content else None
    changed = False
    for image in () if document is None else document.root.iter("{*}image"):
        for element in image.iter("{*}init_from", "{*}ref"):
            if (name := (element.text or "").strip()) and (new := rename(name)) is not None and new != name:
                element.text, changed = new, True
    return etree.tostring(document.root.getroottree(), encoding="utf-8", xml_declaration=True) if (
        document is not None and changed) else content


def _rename_obj(content: bytes, rename: Rename) -> bytes:
    return _MTLLIB.sub(lambda line: line[1] + _MTL_NAME.sub(lambda name: _replace(name[0], rename), line[2]), content)


def _rename_mtl(content: bytes, rename: Rename) -> bytes:
    def change(line: re.Match[bytes]) -> bytes:
        rest, place = line[2].rstrip(), 0
        while option := _OPTION.match(rest, place):
            place = option.end()
        return bytes(line[1] + rest[:place] + _replace(rest[place:], rename))
    return _MAP.sub(change, content)


def _replace(name: bytes, rename: Rename) -> bytes:
    new = rename(name.decode("utf-8", "surrogateescape"))
    return name if new is None else new.encode()


def change_gltf_header(content: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return a glTF file, text or binary, with the JSON header that `change` returns."""
    end = _CHUNK + int.from_bytes(content[12:16], "little") if content.startswith(b"glTF") else 0
    if not end:
        return change(content)
    text = change(header := content[_CHUNK:end])
    if text == header:
        return content
    text += b" " * (-len(text) % 4)
    length = len(content) - end + _CHUNK + len(text)
    return b"".join((content[:8], length.to_bytes(4, "little"), len(text).to_bytes(4, "little"), content[16:_CHUNK],
                     text, content[end:]))


def _rename_gltf(content: bytes, rename: Rename) -> bytes:
    return change_gltf_header(content, partial(_rename_header, rename))


def _rename_header(rename: Rename, text: bytes) -> bytes:
    try:
        header = json.loads(text)
        named = [part for key in ("buffers", "images") for part in header.get(key, ())
                 if isinstance(part.get("uri"), str) and not part["uri"].startswith("data:")]
    except (ValueError, AttributeError, TypeError, RecursionError):  # readers of the mesh report the defect
        return text
    before = [part["uri"] for part in named]
    for part in named:
        part["uri"] = rename(part["uri"]) or part["uri"]
    return text if before == [part["uri"] for part in named] else json.dumps(header).encode()


_WRITERS = {"dae": _rename_collada, "obj": _rename_obj, "mtl": _rename_mtl, "gltf": _rename_gltf, "glb": _rename_gltf}
