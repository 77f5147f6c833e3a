"""Folders that are models: which of its files a folder's ``model.config`` names."""
from __future__ import annotations

import os

from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.table import VERSION, version_key


def find_model_file(folder: str) -> tuple[str | None, str | None]:
    """Paths of a folder's ``model.config`` and of the newest file in it that can be read, None for what is not there."""
    config = next((p for name in ("model.config", "manifest.xml")
                   if os.path.isfile(p := os.path.join(folder, name))), None)
    if config is None:
        return None, None
    try:
        with open(config, "rb") as stream:
            document, _ = read_xml(stream.read(), config)
    except OSError:
        document = None
    best, best_version = None, None
    for sdf in document.root.findall("sdf") if document else ():
        name = (sdf.text or "").strip()
        version = version_key((sdf.get("version") or "0").strip())
        if name and version <= version_key(VERSION) and (best_version is None or version > best_version):
            best, best_version = os.path.join(folder, name), version
    return config, best if best is not None and os.path.isfile(best) else None
