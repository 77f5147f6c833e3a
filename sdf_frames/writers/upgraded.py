"""Write SDFormat in a newer version."""
from __future__ import annotations

from sdf_frames.convert.computed_poses import compute_legacy_poses, has_legacy_poses
from sdf_frames.description import Description
from sdf_frames.diagnostics import diagnose, has_errors
from sdf_frames.document.elements import locate, put_text_first, tag_of
from sdf_frames.document.xml_in import read_whole
from sdf_frames.load import complete
from sdf_frames.sdf.features import check_features
from sdf_frames.sdf.look_ahead import LookAhead
from sdf_frames.sdf.settle import choose_writing_rules, settle_names
from sdf_frames.sdf.upgrade import upgrade_tree
from sdf_frames.writers.written import Written


def upgrade(begun: Description, to: str) -> Written:
    """Write SDFormat in a newer version; comments, includes and unknown content are kept."""
    if begun.source is None:
        return Written("sdf", begun.diagnostics)
    root, options, found = read_whole(begun.source), begun.options, begun.diagnostics
    if root.tag == "gazebo" and root.get("version"):  # the name in files of Gazebo 1.0
        root.tag, found = "sdf", tuple([d for d in found if d.name != "not-a-robot-description"])
    if tag_of(root) == "robot" and begun.srdf is None:
        return Written("sdf", (diagnose("upgrade-of-urdf", locate(root)),))
    if has_errors(found):
        return Written("sdf", found)
    written = root.get("version", "").strip()
    put_text_first(root)
    look_into = LookAhead(begun.resolver, options.budget)
    found += upgrade_tree(root, to, look_into)
    if has_errors(found):
        return Written("sdf", found)
    rules_to = to
    if has_legacy_poses(root):
        if to == "1.7":
            # Whether names with "::" become a model depends on references that have changed: create the models here.
            rules_to = "1.8"
            found += upgrade_tree(root, rules_to, look_into)
            root.set("version", to)
        compute_legacy_poses(root, begun.graphs or complete(begun).graphs)
    renames = settle_names(root, choose_writing_rules(written, rules_to), look_into)
    found += (*[rename.report() for rename in renames], *check_features(root, look_into))
    return Written("sdf", found, tree=root)
