"""Writes a bundle: a self-contained folder with a robot and every file that it needs.

A bundle of SDFormat is a model folder for Gazebo, a bundle of URDF a ROS package. Each file is there once, with a plain
name.
"""
from __future__ import annotations

import hashlib
import json
import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from errno import EEXIST
from functools import partial
from html import escape
from typing import NamedTuple

from sdf_frames.convert.mesh_references import find_reference, rename_references
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.budget import LimitExceeded, Spending, report_exceeded
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.edits import apply_edits
from sdf_frames.document.elements import Element, tag_of
from sdf_frames.document.folders import list_files
from sdf_frames.document.uri_hints import explain
from sdf_frames.document.uris import Resolver
from sdf_frames.document.writing import NEW, OutputRefused, write_folder, write_whole
from sdf_frames.document.xml_in import read_whole, read_xml
from sdf_frames.sdf.model_folder import find_model_file
from sdf_frames.sdf.names import Taken
from sdf_frames.writers.written import Written, change_references, edit_references, render

#: The list of a bundle's files, by which a bundle is recognized.
LIST = "bundle.json"
_MARK = "bundle"
_MESHES, _OTHERS, _MODELS = "meshes", "materials/textures", "models"
#: Elements around the URI of a file that a robot needs.
_NEEDED = ("mesh", "heightmap", "image", "include", "skin", "animation")
_MODEL_CONFIG = """<?xml version="1.0"?>
<model>
  <name>{name}</name>
  <version>1.0</version>
  <sdf version="{version}">model.sdf</sdf>
</model>
"""
_PACKAGE_XML = """<?xml version="1.0"?>
<package format="3">
  <name>{package}</name>
  <version>0.0.0</version>
  <description>The robot {name}</description>
  <maintainer email="maintainer@example.com">unknown</maintainer>
  <license>unknown</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <export>
    <build_type>ament_cmake</build_type>
  </export>
</package>
"""
_CMAKE = """cmake_minimum_required(VERSION 3.8)
project({package})
find_package(ament_cmake REQUIRED)
install(DIRECTORY {folders} DESTINATION share/${{PROJECT_NAME}})
ament_package()
"""


class Bundle(NamedTuple):
    """A written bundle.

    Attributes
    ----------
    folder : the folder as named.
    files : the files in it, by their paths in the folder; the robot is the first.
    size : bytes of these files.
    missing : names of files that were not found, as they are written.
    findings : an error for each missing file of the robot, a warning for each that a mesh file names.
    """

    folder: str
    files: tuple[str, ...]
    size: int
    missing: tuple[str, ...]
    findings: tuple[Diagnostic, ...]


def write_bundle(folder: str, written: Written, file: str | None, resolver: Resolver,
                 spending: Spending, read: Iterable[str] = ()) -> Bundle | tuple[Diagnostic, ...]:
    """Write a robot to a folder, atomically. An older bundle is replaced.

    Parameters
    ----------
    folder : the bundle; a folder with other files is refused.
    written : the robot: SDFormat with one model, or a URDF.
    file : the file that its relative URIs are relative to.
    read : the files that it was made from, which are not replaced.

    Returns
    -------
    Bundle, or the findings that say why there is none, without those of `written`.

    Raises
    ------
    OSError
        The folder is not a bundle (OutputRefused), or cannot be written.
    """
    root = written.tree
    if root is None and written.source is not None:
        root = read_whole(written.source)
    robot = None if root is None else root if written.kind == "urdf" else root.find("model")
    if root is None or robot is None:
        return (diagnose("bundle-without-model", Location(file), file=file or "the text"),)
    about = {"name": escape(robot.get("name", ""), quote=False), "version": root.get("version", "")}
    try:
        with write_folder(folder, find_refusal) as place:
            writer = _Writer(folder, place, resolver, spending)
            for path in read:
                writer.look(path, UNCONFINED)
            return writer.write(written, file, about)
    except _NotFinite as error:
        return error.found
    except LimitExceeded as error:
        return (report_exceeded(error.name, error.counted, spending.budget, Location(file)),)


def find_refusal(folder: str) -> str | None:
    """Return why a folder is not a bundle that may be replaced; None if it is."""
    try:
        known = json.loads(UNCONFINED.read(os.path.join(folder, LIST)))
        files = {*known["files"], LIST} if known["sdf_frames"] == _MARK else set()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"{folder} exists, and is not a bundle; name another folder, or remove it"
    if more := sorted({*list_files(folder)} - files):
        return f"{folder} has a file that is not part of the bundle, {more[0]}; name another folder, or remove it"
    return None


class _NotFinite(Exception):
    """The robot cannot be written as text; `found` has the reason."""

    def __init__(self, found: tuple[Diagnostic, ...]):
        self.found = found


class _Writer:
    """Writes the files of a bundle, and records their names."""

    def __init__(self, folder: str, place: str, resolver: Resolver, spending: Spending):
        self.folder, self.place, self.resolver, self.spending = folder, place, resolver, spending
        self.name = os.path.basename(os.path.abspath(folder))
        self.door = resolver.door
        self.sizes: dict[str, int] = {}
        self.missing: dict[str, Diagnostic] = {}
        self._names: dict[str, str | None] = {}  # by real path; None while a file is being read
        self._contents: dict[tuple[bytes, str], str] = {}
        self._taken = Taken()
        self.depth = 0  # of the chain of included models

    def write(self, written: Written, file: str | None, about: Mapping[str, str]) -> Bundle:
        kind = written.kind
        package = re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_")
        package = package if package[:1].isalpha() else f"robot_{package}".rstrip("_")
        main = "model.sdf" if kind == "sdf" else f"urdf/{package}.urdf"
        self.sizes[main] = 0  # the first
        change = partial(self._change, file, "" if kind == "sdf" else f"package://{package}/")
        text, found = render(change_references(written._replace(findings=()), change)[0])
        if text is None:
            raise _NotFinite(found)
        self._put(main, text)
        if kind == "sdf":
            self._put("model.config", _MODEL_CONFIG.format(**about))
        else:
            folders = " ".join(sorted({path.partition("/")[0] for path in self.sizes}))
            self._put("package.xml", _PACKAGE_XML.format(package=package, **about))
            self._put("CMakeLists.txt", _CMAKE.format(package=package, folders=folders))
        missing = [*self.missing]
        self._put(LIST, json.dumps({"sdf_frames": _MARK, "kind": kind, "files": self.sizes, "missing": missing},
                                   indent=1) + "\n")
        return Bundle(self.folder, tuple(self.sizes), sum(self.sizes.values()), tuple(missing),
                      tuple(self.missing.values()))

    def _change(self, file: str | None, prefix: str, element: Element, uri: str) -> str:
        """Return the URI of a file in the bundle for a URI in the text of `file`; the URI itself if it is not found."""
        parent = element.getparent()
        around = tag_of(element) if element.get("filename") or parent is None else tag_of(parent)
        path = self.resolver.find(uri, file)
        if path is not None and self.door.is_folder(path):
            if around == "script":
                return prefix + self._add_folder(path)
            path = find_model_file(path, self.door).file if around == "include" else None
        if path is None:
            if (around in _NEEDED or element.tag not in ("uri", "filename")) and uri != "__default__":
                self.missing.setdefault(uri, diagnose("asset-not-found", Location(file), uri=uri,
                                                      hint=explain(uri, file, self.resolver)))
            return uri
        if around == "include":  # libsdformat looks for a relative URI in its working directory
            return f"model://{self.name}/{self._add_model(path)}"
        name = self._add(path, _MESHES if around in ("mesh", "skin", "animation") else _OTHERS)
        return uri if name is None else prefix + name

    def _add(self, path: str, below: str, kind: str | None = None) -> str | None:
        """Put a file, and the files that it names, into a folder of the bundle; return its name.

        Return None for a file that refers to itself through other files.

        Parameters
        ----------
        kind : how the file names others: by its suffix, or as another file uses it.
        """
        real = self.look(path)
        if real in self._names:
            return self._names[real]
        self._names[real] = None
        content = self._read(path)
        stem, dot, extension = os.path.basename(path).rpartition(".")
        kind = extension.lower() if kind is None else kind
        content = rename_references(content, kind, partial(self._rename, path, below, "mtl" if kind == "obj" else ""))
        key = (hashlib.sha256(content).digest(), extension.lower())
        if (name := self._contents.get(key)) is None:
            name = self._contents[key] = self._choose(below, stem or extension, dot and extension)
            self._put(name, content)
        self._names[real] = name
        return name

    def _rename(self, path: str, below: str, kind: str, name: str) -> str | None:
        """Return the name, in a file of the folder `below`, of a file that the file `path` calls `name`."""
        found = find_reference(path, name, self.door)
        if found is None:
            self.missing.setdefault(f"{name} (in {os.path.basename(path)})",
                                    diagnose("mesh-reference-missing", Location(path), file=path, name=name))
            return None
        new = self._add(found, below, kind)
        return None if new is None else posixpath.relpath(new, below)

    def _add_model(self, file: str) -> str:
        """Put an included model into the bundle, with the files that it refers to."""
        real = self.look(file)
        if (known := self._names.get(real)) is None:
            known = self._names[real] = self._choose(_MODELS, os.path.basename(os.path.dirname(real)), "sdf")
            self.depth += 1
            if self.depth > self.spending.budget.include_depth:
                raise LimitExceeded("include_depth", self.depth)
            change = partial(self._change, file, "../")
            content = self._read(file)
            document, _ = read_xml(content, file, keep_comments=True, spending=Spending(self.spending.budget))
            edits = [] if document is None else edit_references(document.root, change)[0]
            self._put(known, apply_edits(content, edits))
            self.depth -= 1
        return known

    def _add_folder(self, path: str) -> str:
        """Put a folder of scripts into the bundle, whose files are found by their names: no folders or hidden files."""
        real = self.look(path)
        if (known := self._names.get(real)) is None:
            names = [name for name in self.door.list_names(path)
                     if not name.startswith(".") and self.door.is_file(os.path.join(path, name))]
            known = self._choose("materials", os.path.basename(real), "")
            while not self._taken.isdisjoint(f"{known}/{name}".lower() for name in names):
                known = self._choose("materials", os.path.basename(real), "")
            self._names[real] = known
            self._taken.update(f"{known}/{name}".lower() for name in names)
            for name in names:
                self._put(f"{known}/{name}", self._read(os.path.join(path, name)))
        return known

    def look(self, path: str, door: Door | None = None) -> str:
        """Return the path of an input without links; raise OutputRefused if the bundle would replace the input."""
        real, target = (door or self.door).real(path), UNCONFINED.real(self.folder)
        if real.startswith(os.path.join(target, "")):
            problem = f"the bundle {self.folder} would overwrite its input {path}; name another folder"
            raise OutputRefused(EEXIST, problem, self.folder)
        return real

    def _read(self, path: str) -> bytes:
        try:
            self.spending.demand("bundle_bytes", self.door.measure(path))
            return self.door.read(path, self.spending.budget.bundle_bytes)
        except OSError as error:
            raise OSError(error.errno, f"its file {path} cannot be read: {error.strerror}", self.folder) from error

    def _choose(self, below: str, stem: str, extension: str) -> str:
        """Choose a unique name in the bundle, in letters that every program and file system accepts."""
        stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", stem).lstrip(".-") or "file"
        base, end = f"{below}/{stem}", re.sub(r"[^A-Za-z0-9]+", "_", extension)
        end = f".{end}" if end else ""
        free = self._taken.find_free(base.lower(), end.lower())  # file systems may ignore the case
        return f"{base}{free[len(base):len(free) - len(end)]}{end}"

    def _put(self, name: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.sizes[name] = len(data)
        write_whole(os.path.join(self.place, name), data, NEW, make_folders=True)


def render_bundle(bundle: Bundle, kind: str) -> str:
    """Return a summary of a bundle in one line."""
    what = "model for Gazebo" if kind == "sdf" else "ROS package"
    missing = f"; not found: {', '.join(bundle.missing)}" if bundle.missing else ""
    return f"{bundle.folder}: a {what} of {len(bundle.files)} files, {bundle.size:,} bytes{missing}\n"


def to_json(bundle: Bundle) -> Mapping[str, object]:
    """Return the JSON fields of a bundle."""
    return {"folder": bundle.folder, "files": list(bundle.files), "bytes": bundle.size, "missing": list(bundle.missing)}
