"""Write a description as one SDFormat document in the newest version, with its includes in place."""
from __future__ import annotations

from sdf_frames.convert.computed_poses import compute_legacy_poses
from sdf_frames.convert.expand_includes import expand_includes, find_oldest_version
from sdf_frames.convert.number_style import NO_STYLE, NumberStyle, restyle_numbers
from sdf_frames.description import Description
from sdf_frames.diagnostics import Location
from sdf_frames.document.places import Element, copy_element
from sdf_frames.sdf.scopes import LookInto
from sdf_frames.sdf.settle import choose_writing_rules, settle_names
from sdf_frames.writers.written import Written


def write_flat(loaded: Description, preserve_includes: bool = False, expand_inertials: bool = False,
               style: NumberStyle = NO_STYLE) -> Written:
    """Write a loaded description, even if it has errors.

    Parameters
    ----------
    preserve_includes : leave ``<include>`` elements as they are.
    expand_inertials : write computed inertias in place of ``<inertial auto="true">``.
    style : how to write numbers.
    """
    found, root = list(loaded.diagnostics), loaded.root
    if root is None:
        return Written("sdf", loaded.diagnostics)
    if preserve_includes:
        tree, oldest = copy_element(root.element), root.version
    else:
        tree, oldest = expand_includes(root, loaded.resolver), find_oldest_version(root)
    compute_legacy_poses(tree, loaded.graphs)
    if expand_inertials:
        from sdf_frames.inertia.declare import save_in_tree
        inertias = loaded.inertias()
        save_in_tree(tree, inertias)
        found += [d for d in inertias.diagnostics if d not in found]
    look_into = _look_ahead(tree, root.element, loaded) if preserve_includes else None
    renames = settle_names(tree, choose_writing_rules(oldest), look_into)
    found += [r._replace(place=Location(loaded.file, path=r.place.path)).report() for r in renames]
    if style != NO_STYLE:
        restyle_numbers(tree, style)
    return Written("sdf", tuple(found), tree=tree)


def _look_ahead(copy: Element, root: Element, loaded: Description) -> LookInto:
    """Return a function that names the includes of a copy; the copy has no file for relative URIs."""
    from sdf_frames.sdf.look_ahead import LookAhead
    look_ahead = LookAhead(loaded.resolver, loaded.options.budget)
    originals = dict(zip(copy.iter("include"), root.iter("include")))
    return lambda include, wanted: look_ahead(originals[include], wanted)
