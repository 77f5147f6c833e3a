"""Folders that are models: which of its files a folder's ``model.config`` names."""
from __future__ import annotations

import os

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.xml_in import Element, locate, read_xml
from sdf_frames.sdf.table import VERSION, version_key

_OLD_NAME = "manifest.xml"


def find_model_file(folder: str, door: Door = UNCONFINED) -> tuple[str | None, str | None, tuple[Diagnostic, ...]]:
    """Find the ``model.config`` of a folder, and the file of the newest SDFormat version that it names.

    Returns
    -------
    config, file, diagnostics
        Paths, None for a file that does not exist or that `door` does not admit; warnings on the ``model.config``.
    """
    config = next((p for name in ("model.config", _OLD_NAME) if (p := _find_in(folder, name, door))), None)
    if config is None:
        return None, None, ()
    try:
        document, _ = read_xml(door.read(config), config)
    except OSError:
        document = None
    if document is None:
        return config, None, ()
    found: list[Diagnostic] = []

    def say(element: Element, problem: str) -> None:
        found.append(diagnose("model-config-unclear", locate(element), problem=problem))

    best: Element | None = None
    best_version: tuple[int, ...] = ()
    for sdf in document.root.findall("sdf"):
        version = version_key((sdf.get("version") or "0").strip())
        if best is not None and version <= best_version:
            continue
        if version > version_key(VERSION):
            say(sdf, f"it names a file for SDFormat {sdf.get('version')}, newer than the newest supported version")
        elif (sdf.text or "").strip():
            best, best_version = sdf, version
    if best is None:
        return config, None, tuple(found)
    if best.get("version") is None:
        say(best, "it does not give the version of the file")
    if os.path.basename(config) == _OLD_NAME:
        say(document.root, f"it is called {_OLD_NAME}, the old name of model.config")
    return config, _find_in(folder, (best.text or "").strip(), door), tuple(found)


def _find_in(folder: str, name: str, door: Door) -> str | None:
    """The file `name` of a folder, if it is there and `door` admits it."""
    path = os.path.join(folder, name)
    return door.admit(path) if door.is_file(path) else None
