"""Write the same file with computed inertias; every other byte stays as it is."""
from __future__ import annotations

from sdf_frames.checks.robot_inertia import IMPOSSIBLE
from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.inertia.declare import edit_inertials, find_places
from sdf_frames.inertia.result import InertiaResult
from sdf_frames.inertia.urdf_links import drop_placeholders, find_bare_links
from sdf_frames.load import complete, load_text
from sdf_frames.writers.written import Written, rewrite


def keep_links(begun: Description, loaded: Description) -> Description:
    """Return the same URDF without lumping, because the written inertias belong to its own links.

    Findings and options stay: they are those of the default conversion of the file.
    """
    kept = complete(begun._replace(options=begun.options._replace(preserve_fixed_joints=True, massless="keep")))
    if kept.root is None or kept.robot is None:
        return loaded
    root = drop_placeholders(kept.root, find_bare_links(kept.robot, kept.report))
    return kept._replace(root=root, diagnostics=loaded.diagnostics, options=loaded.options)


def write_inertias(loaded: Description, result: InertiaResult) -> tuple[Written, int]:
    """Put computed inertias into the text that a description was loaded from; return the result, and their number.

    The findings name the links, or the file, that cannot be written.
    """
    kind, source = loaded.kind or "sdf", loaded.source
    if source is None or loaded.root is None:
        return Written(kind), 0
    places = find_places(loaded.root, result, loaded.robot, loaded.report)
    problem = ""
    if source.expanded is not None and any(places):
        problem = "the file is a xacro file; expand it, and write into the result"
    elif places.elsewhere:
        problem = f"these links are not written in this file itself: {', '.join(places.elsewhere[:8])}"
    found = (diagnose("inertia-not-written", Location(loaded.file), problem=problem),) if problem else ()
    if source.expanded is not None:
        return Written(kind, found), 0
    written = Written(kind, found, source=source, edits=tuple(edit_inertials(source, places.wanted)))
    return written, len(places.wanted)


#: The families of codes with findings on masses and inertias. Those on files (U, X) depend on more than the text.
_ON_INERTIAS = "CIJR"


def find_cured(loaded: Description, written: Written) -> set[Diagnostic]:
    """Return the findings of a description that its written text, with other inertias, no longer has.

    Findings on how an inertia was computed (``auto-inertia-…``) are about the written numbers, and not among them.
    """
    suspects = {d for d in loaded.diagnostics
                if d.code[0] in _ON_INERTIAS and not d.name.startswith("auto-inertia-")}
    text = rewrite(written)[0] if suspects and written.edits else None
    if text is None:
        return set()
    left = set(map(_identify, load_text(text, loaded.file, loaded.options).diagnostics))
    return {d for d in suspects if _identify(d) not in left}


def _identify(finding: Diagnostic) -> tuple[str, str | None]:
    """Return what stays of a finding when lines move."""
    if finding.name in IMPOSSIBLE:
        return IMPOSSIBLE[0], finding.path
    return finding.name, finding.message
