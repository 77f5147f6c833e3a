"""Write a description as SDFormat: a URDF converted, SDFormat in a newer version."""
from __future__ import annotations

from sdf_frames.convert.computed_poses import compute_legacy_poses, has_legacy_poses
from sdf_frames.convert.moved_uris import FILE_STYLE, change_style
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, Diagnostic, diagnose, has_errors
from sdf_frames.document.xml_in import Document, Element, locate, put_text_first, read_whole, tag_of
from sdf_frames.load import complete, convert, judge_conversion
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import choose_writing_rules, settle_names
from sdf_frames.sdf.upgrade import upgrade_document, upgrade_tree
from sdf_frames.writers.written import Written


def convert_to_sdf(begun: Description, uri_style: str = "model", check: bool = False) -> Written:
    """Convert a URDF to SDFormat. Errors of its inertias are found, and the SDF is written all the same.

    Parameters
    ----------
    begun : what :func:`sdf_frames.load.read_text` returned.
    uri_style : scheme of the URIs of meshes and textures: ``model``, ``package``, ``keep``, or ``file``.
    check : also find what a check of the SDF finds. Without it, only errors in what `begun` carries are looked for.
    """
    if begun.kind == "sdf" and begun.document is not None:
        return Written("sdf", (*begun.diagnostics, diagnose("already-sdf", locate(begun.document.root))))
    if begun.robot is None or has_errors(begun.diagnostics):
        return Written("sdf", begun.diagnostics)
    to_file, options = uri_style == FILE_STYLE, begun.options._replace(uri_style=uri_style)
    conversion = convert(begun.robot, options._replace(uri_style="keep") if to_file else options)
    found = judge_conversion(conversion, begun.diagnostics)
    document = conversion.document
    tree = None if has_errors(found) else document.root
    if to_file and tree is not None:
        _name_files(tree, begun, found)
    if check or document.carried:
        # Half as much again as converting, and twice the modules to import. Checking upgrades the tree in place.
        if tree is not None:
            conversion = conversion._replace(document=document.copy())
        found += [d for d in complete(begun, conversion).diagnostics if check or d.severity == ERROR]
    else:
        from sdf_frames.checks.robot_inertia import check_conversion
        found += check_conversion(conversion)
    return Written("sdf", tuple(dict.fromkeys(found)), conversion.entries, tree)


def _name_files(root: Element, begun: Description, found: list[Diagnostic]) -> None:
    """Replace each URI of a mesh or texture by its file; URIs that lead nowhere stay."""
    for element in root.iter("uri", "albedo_map"):
        if (parent := element.getparent()) is not None and parent.tag in ("mesh", "metal"):
            element.text = change_style(element.text or "", FILE_STYLE, element, begun.resolver, found)


def write_sdf(loaded: Description, version: str | None = None) -> Written:
    """Write a description that was loaded: a URDF as it was converted, SDFormat as it is; or both in a `version`."""
    found, document = loaded.diagnostics, loaded.document
    if loaded.kind == "sdf":
        return upgrade(loaded, version) if version is not None else Written(
            "sdf", found, source=loaded.source, edits=loaded.saved or ())
    if version not in (None, loaded.options.sdf_version) and loaded.robot is not None:
        conversion = convert(loaded.robot, loaded.options._replace(sdf_version=version))
        document = conversion.document
        found = tuple(dict.fromkeys((*found, *conversion.diagnostics)))
        if has_errors(conversion.diagnostics):
            return Written("sdf", found)
    return Written("sdf", found) if document is None or loaded.root is None else Written(
        "sdf", found, loaded.entries, document.copy().root)


def upgrade(begun: Description, to: str) -> Written:
    """Write SDFormat in a newer version; comments, includes and unknown content are kept."""
    if begun.source is None:
        return Written("sdf", begun.diagnostics)
    root, options, found = read_whole(begun.source), begun.options, begun.diagnostics
    if root.tag == "gazebo" and root.get("version"):  # as files of Gazebo 1.0 call it
        root.tag, found = "sdf", tuple([d for d in found if d.name != "not-a-robot-description"])
    if tag_of(root) == "robot" and begun.srdf is None:
        return Written("sdf", (diagnose("upgrade-of-urdf", locate(root)),))
    if has_errors(found):
        return Written("sdf", found)
    written = root.get("version", "").strip()
    put_text_first(root)
    look_into = LookAhead(begun.resolver, options.budget)
    found += upgrade_document(Document(root, begun.file), to, look_into)
    if has_errors(found):
        return Written("sdf", found)
    rules_to = to
    if has_legacy_poses(root):
        if to == "1.7":
            # Which names with "::" make a model depends on references that are now written otherwise: make them here.
            rules_to = "1.8"
            found += upgrade_tree(root, rules_to, look_into)
            root.set("version", to)
        compute_legacy_poses(root, complete(begun).graphs)
    renames = settle_names(root, choose_writing_rules(written, rules_to), look_into)
    return Written("sdf", (*found, *[rename.report() for rename in renames]), tree=root)
