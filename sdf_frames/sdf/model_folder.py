"""Model folders: finds the file that a folder's ``model.config`` names."""
from __future__ import annotations

import os
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, relate, suggest_name
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.folders import MODEL_CONFIG, MODEL_CONFIGS
from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.table import VERSION, version_key


class ModelFolder(NamedTuple):
    """The result of reading the ``model.config`` of a folder.

    Attributes
    ----------
    config, file : paths of the ``model.config`` and of the file that it names; None if there is no readable one.
    findings : other errors of the ``model.config``.
    problem, at, hint : why the ``model.config`` names no file that can be read, where, and what to do. `problem` is ""
        if there is such a file, or no ``model.config``.
    """

    config: str | None = None
    file: str | None = None
    findings: tuple[Diagnostic, ...] = ()
    problem: str = ""
    at: Location = Location()
    hint: str | None = None


def find_model_file(folder: str, door: Door = UNCONFINED) -> ModelFolder:
    """Find the ``model.config`` of a folder that `door` admits, and the file of the newest version that it names."""
    config = next((p for name in MODEL_CONFIGS if (p := _find_in(folder, name, door))), None)
    if config is None:
        return ModelFolder()
    try:
        document, errors = read_xml(door.read(config), config)
    except OSError as error:
        return ModelFolder(config, problem=f"it cannot be read: {error.strerror or error}", at=Location(config))
    if document is None:
        last = errors[-1]
        return ModelFolder(config, problem=last.message, hint=last.hint, at=last.location)
    root, is_old = document.root, os.path.basename(config) != MODEL_CONFIG
    if root.tag != "model" and is_old:  # a file of ROS before catkin
        return ModelFolder()
    if root.tag != "model":
        return ModelFolder(config, problem=f"its root is <{tag_of(root)}>", at=locate(root), hint="write <model>")
    best, found = _find_newest(root)
    if best is None:
        return ModelFolder(config, None, tuple(found), "no <sdf> in it has the name of one", locate(root))
    if best.get("version") is None:
        found.append(_report(best, "it does not give the version of the file"))
    if is_old:
        found.append(_report(root, f"it is called {os.path.basename(config)}, the old name of {MODEL_CONFIG}"))
    name = (best.text or "").strip()
    if (file := _find_in(folder, name, door)) is not None:
        return ModelFolder(config, file, tuple(found))
    beside = door.list_names(folder or os.curdir)
    template = next((file for file in beside if file.startswith(f"{name}.")), None)
    return ModelFolder(config, None, tuple(found), f"{name!r} is not found", locate(best),
                       f"{template} exists: generate {name} from it" if template else suggest_name(name, beside))


def report_incomplete(folder: ModelFolder, at: Location | None = None) -> Diagnostic:
    """Report that a ``model.config`` names no file that can be read: there, or at the include that needs it."""
    related = [] if at is None else [relate("the place in it", folder.at)]
    return diagnose("model-config-incomplete", at or folder.at, file=folder.config, problem=folder.problem,
                    hint=folder.hint, related=related)


def check_config(path: str, door: Door = UNCONFINED) -> tuple[Diagnostic, ...]:
    """Return the errors of the ``model.config`` at `path` if it names no readable file; else nothing."""
    folder = find_model_file(os.path.dirname(path), door)
    return (*folder.findings, report_incomplete(folder)) if folder.problem else ()


def _find_newest(root: Element) -> tuple[Element | None, list[Diagnostic]]:
    """Return the ``<sdf>`` of a ``model.config`` with the newest version that is supported."""
    best: Element | None = None
    best_version: tuple[int, ...] = ()
    found: list[Diagnostic] = []
    for sdf in root.findall("sdf"):
        version = version_key((sdf.get("version") or "0").strip())
        if best is not None and version <= best_version:
            continue
        if version > version_key(VERSION):
            found.append(_report(sdf, f"it names a file for SDFormat {sdf.get('version')}, newer than the newest "
                                      "supported version"))
        elif (sdf.text or "").strip():
            best, best_version = sdf, version
    return best, found


def _report(element: Element, problem: str) -> Diagnostic:
    return diagnose("model-config-unclear", locate(element), problem=problem)


def _find_in(folder: str, name: str, door: Door) -> str | None:
    """Return the file `name` of a folder, if it exists and `door` admits it."""
    path = os.path.join(folder, name)
    return door.admit(path) if door.is_file(path) else None
