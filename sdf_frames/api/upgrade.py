"""Upgrade SDFormat text to a newer version."""
from __future__ import annotations

from lxml import etree

from sdf_frames.convert.computed_poses import compute_legacy_poses, has_legacy_poses
from sdf_frames.description import LoadOptions
from sdf_frames.diagnostics import Diagnostic, diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.xml_in import locate, put_text_first, read_xml, report_root, tag_of
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import choose_writing_rules, settle_names
from sdf_frames.sdf.upgrade import upgrade_document, upgrade_tree


def upgrade_text(text: str | bytes, file: str | None, to: str,
                 options: LoadOptions = LoadOptions()) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Upgrade an SDFormat text; comments, includes and unknown content are kept.

    Parameters
    ----------
    text, file : the document and its name.
    to : the version to write.
    options : resource paths of included files, and limits.

    Returns
    -------
    text, diagnostics
        The text is None if one of the diagnostics is an error.
    """
    document, found = read_xml(text, file, keep_comments=True, spending=Spending(options.budget))
    if document is None:
        return None, found
    if (tag := tag_of(document.root)) != "sdf":
        root = document.root
        return None, (*found, diagnose("upgrade-of-urdf", locate(root)) if tag == "robot" else report_root(root))
    written = document.root.get("version", "").strip()
    put_text_first(document.root)
    look_into = LookAhead(options.make_resolver(), options.budget)
    found += upgrade_document(document, to, look_into)
    if has_errors(found):
        return None, found
    rules_to = to
    if has_legacy_poses(document.root):
        from sdf_frames.load import load_text
        if to == "1.7":
            # Which names with "::" make a model depends on references that are now written otherwise: make them here.
            rules_to = "1.8"
            found += upgrade_tree(document.root, rules_to, look_into)
            document.root.set("version", to)
        compute_legacy_poses(document.root, load_text(text, file, options).graphs)
    renames = settle_names(document.root, choose_writing_rules(written, rules_to), look_into)
    upgraded = etree.tostring(document.root.getroottree(), encoding="unicode")
    return f'<?xml version="1.0"?>\n{upgraded.rstrip()}\n', (*found, *[rename.report() for rename in renames])
