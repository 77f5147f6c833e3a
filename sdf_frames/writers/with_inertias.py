"""Write the same file with computed inertias; every other byte stays as it is."""
from __future__ import annotations

from sdf_frames.description import Description
from sdf_frames.diagnostics import Location, diagnose
from sdf_frames.inertia.declare import edit_inertials, find_places
from sdf_frames.inertia.result import InertiaResult
from sdf_frames.inertia.urdf_links import drop_placeholders, find_bare_links
from sdf_frames.load import complete
from sdf_frames.writers.written import Written


def keep_links(begun: Description, loaded: Description) -> Description:
    """Return the same URDF without lumping, because the written inertias belong to its own links.

    The findings stay: they are about the default conversion of the file.
    """
    kept = complete(begun._replace(options=begun.options._replace(preserve_fixed_joints=True, massless="keep")))
    if kept.root is None or kept.robot is None:
        return loaded
    root = drop_placeholders(kept.root, find_bare_links(kept.robot, kept.report))
    return kept._replace(root=root, diagnostics=loaded.diagnostics)


def write_inertias(loaded: Description, result: InertiaResult) -> Written:
    """Put computed inertias into the text that a description was loaded from.

    The findings name the links, or the file, that cannot be written.
    """
    kind, source = loaded.kind or "sdf", loaded.source
    if source is None or loaded.root is None:
        return Written(kind)
    places = find_places(loaded.root, result, loaded.robot, loaded.report)
    problem = ""
    if source.expanded is not None and any(places):
        problem = "the file is a xacro file; expand it, and write into the result"
    elif places.elsewhere:
        problem = f"these links are not written in this file itself: {', '.join(places.elsewhere[:8])}"
    found = (diagnose("inertia-not-written", Location(loaded.file), problem=problem),) if problem else ()
    if source.expanded is not None:
        return Written(kind, found)
    return Written(kind, found, source=source, edits=tuple(edit_inertials(source, places.wanted)))
