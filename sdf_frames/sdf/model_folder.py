"""Folders that are models: which of its files a folder's ``model.config`` names."""
from __future__ import annotations

import os

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.budget import read_bounded
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, locate, read_xml
from sdf_frames.sdf.table import VERSION, version_key

_OLD_NAME = "manifest.xml"
_UNCONFINED = Resolver()


def find_model_file(folder: str, resolver: Resolver = _UNCONFINED,
                    ) -> tuple[str | None, str | None, tuple[Diagnostic, ...]]:
    """Find the ``model.config`` of a folder, and the file of the newest SDFormat version that it names.

    Returns
    -------
    config, file, diagnostics
        Paths, None for a file that does not exist or that `resolver` does not admit; warnings on the ``model.config``.
    """
    config = next((p for name in ("model.config", _OLD_NAME) if (p := _find_in(folder, name, resolver))), None)
    if config is None:
        return None, None, ()
    try:
        with open(config, "rb") as stream:
            document, _ = read_xml(read_bounded(stream), config)
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
    return config, _find_in(folder, (best.text or "").strip(), resolver), tuple(found)


def _find_in(folder: str, name: str, resolver: Resolver) -> str | None:
    """The file `name` of a folder, if it is there and `resolver` admits it."""
    path = resolver.admit(os.path.join(folder, name))
    return path if path is not None and os.path.isfile(path) else None
