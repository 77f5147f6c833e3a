"""Write a description as SDFormat: a URDF converted, SDFormat as it is."""
from __future__ import annotations

from sdf_frames.convert.moved_uris import FILE_STYLE, change_style
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, Diagnostic, diagnose, has_errors
from sdf_frames.document.elements import Element, locate
from sdf_frames.load import complete, convert, read_text
from sdf_frames.writers.written import Written, render


def convert_to_sdf(begun: Description, uri_style: str = "model", check: bool = False) -> Written:
    """Convert a URDF to SDFormat. Errors of its inertias are reported, but the SDF is written.

    Parameters
    ----------
    begun : the result of :func:`sdf_frames.load.read_text`.
    uri_style : scheme of the URIs of meshes and textures: ``model``, ``package``, ``keep``, or ``file``.
    check : also check the SDF. Without it, only the elements that `begun` carries are checked.
    """
    if begun.kind == "sdf" and begun.document is not None:
        return Written("sdf", (*begun.diagnostics, diagnose("already-sdf", locate(begun.document.root))))
    if begun.robot is None or has_errors(begun.diagnostics):
        return Written("sdf", begun.diagnostics)
    to_file, options = uri_style == FILE_STYLE, begun.options._replace(uri_style=uri_style)
    conversion = convert(begun.robot, options._replace(uri_style="keep") if to_file else options)
    found = conversion.judge(begun.diagnostics)
    document = conversion.document
    tree = None if has_errors(found) else document.root
    if to_file and tree is not None:
        _name_files(tree, begun, found)
    if check or document.carried:
        # Half as much time as the conversion, and twice as many modules. Checking upgrades the tree in place.
        if tree is not None:
            conversion = conversion._replace(document=document.copy())
        found += [d for d in complete(begun, conversion).diagnostics if check or d.severity == ERROR]
    else:
        from sdf_frames.checks.robot_inertia import check_conversion
        found += check_conversion(conversion)
    return Written("sdf", tuple(dict.fromkeys(found)), conversion.entries, tree)


def _name_files(root: Element, begun: Description, found: list[Diagnostic]) -> None:
    """Replace each URI of a mesh or texture by its file; URIs that are not found stay."""
    for element in root.iter("uri", "albedo_map"):
        if (parent := element.getparent()) is not None and parent.tag in ("mesh", "metal"):
            element.text = change_style(element.text or "", FILE_STYLE, element, begun.resolver, found)


def write_sdf(loaded: Description, version: str | None = None) -> Written:
    """Write a loaded description: a URDF as it was converted, SDFormat as it is; or both in a `version`."""
    found, document = loaded.diagnostics, loaded.document
    if loaded.kind == "sdf":
        written = Written("sdf", found, source=loaded.source, edits=loaded.saved or ())
        if version is None:
            return written
        from sdf_frames.writers.upgraded import upgrade
        begun = read_text(render(written)[0] or "", loaded.file, loaded.options) if loaded.saved else (
            loaded._replace(diagnostics=()))  # a text with errors of checks can be upgraded
        return upgrade(begun, version)
    if version not in (None, loaded.options.sdf_version) and loaded.robot is not None:
        conversion = convert(loaded.robot, loaded.options._replace(sdf_version=version))
        document = conversion.document
        found = tuple(dict.fromkeys((*found, *conversion.diagnostics)))
        if has_errors(conversion.diagnostics):
            return Written("sdf", found)
    return Written("sdf", found) if document is None or loaded.root is None else Written(
        "sdf", found, loaded.entries, document.copy().root)
