"""Write a loaded description as SDFormat text, and upgrade such a text to a newer version."""
from __future__ import annotations

from sdf_frames.api.errors import InvalidDescription
from sdf_frames.convert.computed_poses import compute_legacy_poses, has_legacy_poses
from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.xml_in import locate, put_text_first, read_xml, report_root, tag_of
from sdf_frames.document.xml_out import write_tree
from sdf_frames.load import load_text
from sdf_frames.options import LoadOptions
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import choose_writing_rules, settle_names
from sdf_frames.sdf.table import VERSIONS, version_key
from sdf_frames.sdf.upgrade import upgrade_document, upgrade_tree


def write_sdf(description: Description, source: str | bytes, version: str | None = None) -> str:
    """Write a description as SDFormat: see :meth:`RobotDescription.to_sdf`."""
    if version is not None and version not in VERSIONS:
        hint = "; to write a file, call save" if str(version).endswith((".sdf", ".world")) else ""
        raise ValueError(f"version must be one of {', '.join(VERSIONS)}, not {version!r}{hint}")
    if description.kind == "urdf":
        return _write_converted(description, source, version)
    if description.kind != "sdf" or (text := description.sdf_text) is None:
        raise InvalidDescription(description.file, description.diagnostics)
    text = text.removeprefix("\ufeff")
    return text if version is None else _upgrade(description, text, version)


def _write_converted(description: Description, source: str | bytes, version: str | None) -> str:
    """The SDFormat of a URDF, converted again if it is in another version."""
    from sdf_frames.convert.options import SDF_VERSIONS
    if version is not None and version not in SDF_VERSIONS:
        raise ValueError(f"version must be one of {', '.join(SDF_VERSIONS)} for a URDF, not {version!r}")
    if version not in (None, description.options.sdf_version):
        description = load_text(source, description.file, description.options._replace(sdf_version=version))
    text = description.sdf_text
    if text is None or not description.convertible:
        raise InvalidDescription(description.file, description.diagnostics)
    return text


def _upgrade(description: Description, text: str, version: str) -> str:
    """The text in a newer version; comments, includes and unknown content stay."""
    written = "" if description.root is None else description.root.version
    if version_key(written) > version_key(version):
        raise ValueError(f"the description is SDFormat {written}; it cannot be written as the older {version}")
    upgraded, found = upgrade_text(text, description.file, version, description.options)
    if upgraded is None:
        raise InvalidDescription(description.file, found)
    return upgraded


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
    root = document.root
    if (tag := tag_of(root)) == "gazebo" and root.get("version"):
        root.tag = tag = "sdf"  # as files of Gazebo 1.0 call it
    if tag != "sdf":
        return None, (*found, diagnose("upgrade-of-urdf", locate(root)) if tag == "robot" else report_root(root))
    written = root.get("version", "").strip()
    put_text_first(root)
    look_into = LookAhead(options.make_resolver(), options.budget)
    found += upgrade_document(document, to, look_into)
    if has_errors(found):
        return None, found
    rules_to = to
    if has_legacy_poses(root):
        if to == "1.7":
            # Which names with "::" make a model depends on references that are now written otherwise: make them here.
            rules_to = "1.8"
            found += upgrade_tree(root, rules_to, look_into)
            root.set("version", to)
        compute_legacy_poses(root, load_text(text, file, options).graphs)
    renames = settle_names(root, choose_writing_rules(written, rules_to), look_into)
    return write_tree(root), (*found, *[rename.report() for rename in renames])
