"""Say a URDF text in another version of URDF."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.expanded import restore
from sdf_frames.document.xml_in import locate, read_xml, report_root, tag_of
from sdf_frames.document.xml_text import decode_document
from sdf_frames.options import LoadOptions
from sdf_frames.urdf.versions import read_version


def change_text_version(text: str | bytes, file: str | None, to: str,
                        options: LoadOptions = LoadOptions()) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Say a URDF text in another version; what needs no change stays as it was.

    Parameters
    ----------
    text, file : the document and its name.
    to : the version to write, one of ``urdf.versions.VERSIONS``.
    options : limits.

    Returns
    -------
    text, diagnostics
        The text is None if one of the diagnostics is an error.
    """
    from sdf_frames.document.edits import apply_to_text
    from sdf_frames.urdf.change_version import change_version
    from sdf_frames.urdf.parse import read_robot
    decoded = decode_document(text)
    document, found = read_xml(decoded, file, spending=Spending(options.budget))
    if document is None:
        return None, found
    root = document.root
    if (tag := tag_of(root)) != "robot":
        return None, (*found, diagnose("urdf-version-of-sdf", locate(root)) if tag == "sdf" else report_root(root))
    robot, problems = read_robot(document)
    version = read_version(to)
    if robot is None or version is None:
        return None, restore(text, (*found, *problems))
    edits, changes = change_version(robot, version)
    found = restore(text, (*found, *changes))
    return None if has_errors(found) else apply_to_text(decoded, edits), found
