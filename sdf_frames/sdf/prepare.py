"""Prepares the tree of a document for reading: upgrades it to 1.12, and checks it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lxml import etree

from sdf_frames.diagnostics import WARNING, Diagnostic, diagnose
from sdf_frames.document.blanks import BLANKS
from sdf_frames.document.elements import Element, locate
from sdf_frames.document.xml_in import Document
from sdf_frames.sdf.names import ROOT, UNDIVIDED_SINCE, UNIQUE_SINCE
from sdf_frames.sdf.reading import Reading
from sdf_frames.sdf.scopes import LookInto
from sdf_frames.sdf.table import VERSION, version_key

# Attributes with white space around their values, which has no meaning. XPath finds the few faster than Python.
_PADDED: Callable[[Element], Any] = etree.XPath("descendant-or-self::*/@*[. != normalize-space()]")


def prepare_document(document: Document, reading: Reading, look_into: LookInto | None) -> str | None:
    """Upgrade and check a document's tree; return its version as written, or None if it has none.

    A document that this library made is not upgraded; only the elements that it carried over are checked.
    `look_into` returns the names of models that the document includes; it is None if there are none.
    """
    root = document.root
    version = root.get("version", "").strip()
    if not version:
        from sdf_frames.document.mends import MENDS, SDF
        inside = MENDS[SDF, "sdf", "robot"].hint if root.find("robot") is not None else None
        reading.found.append(diagnose("version-missing", locate(root), newest=VERSION, hint=inside))
        return None
    written = version_key(version)
    if not reading.chain:
        reading.delimiter_banned = written >= UNDIVIDED_SINCE
    if document.carried is not None and not document.carried:
        return version
    from sdf_frames.sdf.features import check_features
    from sdf_frames.sdf.schema import check_schema
    from sdf_frames.sdf.upgrade import upgrade_tree
    only = None if document.carried is None else [e for top in document.carried for e in top.iter()]
    reading.found += check_features(root, look_into, only)
    reading.found += upgrade_tree(root, look_into=look_into)
    for value in [value for top in document.carried or (root,) for value in _PADDED(top)]:
        value.getparent().set(value.attrname, value.strip(BLANKS))
    known = len(reading.found)
    check_schema(root, reading.found, delimiter_banned=reading.delimiter_banned or written >= UNDIVIDED_SINCE,
                 names_unique=written >= UNIQUE_SINCE, only=document.carried)
    if reading.delimiter_banned and written < UNDIVIDED_SINCE:
        reading.found[known:] = [_allow_delimiter(d, version) for d in reading.found[known:]]
    for element in root.iterchildren("model", "light"):
        _check_root_pose(element, reading)
    return version


def _check_root_pose(element: Element, reading: Reading) -> None:
    """Report the pose of a model or light outside of a world that names a frame: no frame exists there."""
    pose, included = element.find("pose"), bool(reading.chain)
    reference = None if pose is None else pose.get("relative_to")
    # libsdformat checks models only; for a light, it uses the numbers of the pose, or the frame where it is included.
    if pose is None or reference in (None, "", ROOT) or included and element.tag == "light":
        return
    reading.found.append(diagnose("root-pose-relative", locate(pose, "relative_to"), tag=element.tag,
                                  reference=reference, severity=None if element.tag == "model" else WARNING))
    if included:
        del pose.attrib["relative_to"]  # it may be unknown where the model is included, too


def _allow_delimiter(finding: Diagnostic, version: str) -> Diagnostic:
    """Turn an error about ``::`` in a name into a warning, for a file whose own version allows that."""
    if finding.name != "name-with-delimiter":
        return finding
    hint = (f"SDFormat {version} allows it, but libsdformat does not if a file of 1.8 or later includes it; "
            "'sdf_frames upgrade' renames it")
    return finding._replace(severity=WARNING, hint=hint)
