"""Write a loaded robot with its fixed joints lumped."""
from __future__ import annotations

from collections.abc import Sequence

from sdf_frames.api.errors import InvalidDescription
from sdf_frames.api.to_urdf import WrittenText
from sdf_frames.convert.simplify import ALL, KEEP, MERGE, NONE, SimplifyOptions
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.expanded import restore
from sdf_frames.document.xml_in import read_xml, report_root, tag_of
from sdf_frames.document.xml_out import write_tree
from sdf_frames.document.xml_text import decode_document
from sdf_frames.options import LoadOptions
from sdf_frames.sdf.table import version_key


def read_simplify_options(keep: Sequence[str], frames: str | Sequence[str],
                          massless: str | float) -> SimplifyOptions:
    """Return the options of a simplification.

    Raises
    ------
    TypeError, ValueError
        `keep` is a single name, or `massless` neither ``keep``, ``merge`` nor a positive mass.
    """
    if isinstance(keep, str):
        raise TypeError(f"keep must be a sequence, such as [{keep!r}], not a single str")
    if isinstance(frames, str) and frames not in (ALL, NONE):
        raise TypeError(f"frames must be 'all', 'none' or a sequence, such as [{frames!r}], not a single str")
    if massless not in (KEEP, MERGE) and (isinstance(massless, (str, bool)) or not 0 < massless < float("inf")):
        raise ValueError(f"massless must be 'keep', 'merge' or a positive mass in kg, not {massless!r}")
    return SimplifyOptions(tuple(keep), (frames,) if isinstance(frames, str) else tuple(frames), massless)


def simplify_text(text: str | bytes, file: str | None, choices: SimplifyOptions,
                  options: LoadOptions = LoadOptions()) -> WrittenText:
    """Simplify a URDF or SDFormat text.

    Parameters
    ----------
    text, file : the document and its name.
    choices : how to simplify.
    options : resource paths of included files, and limits.
    """
    decoded = decode_document(text)
    document, found = read_xml(decoded, file, spending=Spending(options.budget))
    if document is None:
        return WrittenText(None, (), found)
    tag = tag_of(document.root)
    if tag == "sdf":
        return _simplify_sdf(text, file, choices, options)
    if tag != "robot":
        return WrittenText(None, (), (*found, report_root(document.root)))
    from sdf_frames.convert.report import make_rows, place_rows
    from sdf_frames.convert.simplify import simplify_robot
    from sdf_frames.urdf.parse import read_robot
    robot, problems = read_robot(document)
    copy, _ = read_xml(decoded, file, keep_comments=True)
    found = restore(text, (*found, *problems))
    if robot is None or copy is None or has_errors(found):
        return WrittenText(None, (), found)
    entries, more = simplify_robot(robot, dict(zip(document.root.iter("*"), copy.root.iter("*"))), choices)
    found = tuple(dict.fromkeys([*found, *restore(text, more)]))
    rows = place_rows(make_rows(entries), text)
    return WrittenText(None if has_errors(found) else write_tree(copy.root), rows, found)


def _simplify_sdf(text: str | bytes, file: str | None, choices: SimplifyOptions, options: LoadOptions) -> WrittenText:
    """Simplify an SDFormat text, in version 1.7 at least, the first that has frames."""
    from sdf_frames.api.to_sdf import upgrade_text
    from sdf_frames.convert.report import make_rows, place_rows
    from sdf_frames.convert.simplify_sdf import simplify_document
    from sdf_frames.load import load_text
    before = load_text(text, file, options)
    found, root = before.diagnostics, before.root
    if choices.massless != KEEP:
        found = (diagnose("simplify-massless-needs-urdf", Location(file)), *found)
    if root is None or has_errors(found):
        return WrittenText(None, (), found, "sdf")
    old = version_key(root.version) < (1, 7)
    upgraded, more = upgrade_text(text, file, "1.7", options) if old else (text, ())
    loaded = load_text(upgraded, file, options) if old and upgraded is not None else before
    copy, _ = read_xml(upgraded or "", file, keep_comments=True)
    if copy is None:
        return WrittenText(None, (), (*found, *more), "sdf")
    entries, notes = simplify_document(copy.root, loaded.graphs, choices)
    rows = make_rows(entries)
    if old:  # the lines are those of the upgraded text
        rows, notes = tuple([row._replace(line=None) for row in rows]), [_unplace(d) for d in notes]
    found = tuple(dict.fromkeys([*found, *more, *restore(text, notes)]))
    if has_errors(found):
        return WrittenText(None, (), found, "sdf")
    made = write_tree(copy.root)
    known = {(d.code, d.message) for d in loaded.diagnostics}
    new = [_unplace(d) for d in load_text(made, file, options).diagnostics
           if (d.code, d.message) not in known and (d.severity == ERROR or d.code[0] == "N")]
    return WrittenText(None if has_errors(new) else made, place_rows(rows, text), (*found, *new), "sdf")


def _unplace(found: Diagnostic) -> Diagnostic:
    """Leave out where in the file a finding is, if it is on a text made of that file."""
    return found._replace(line=None, column=None, path=None, related=(), fixes=())


def simplify_description(description: Description, source: str | bytes,
                         choices: SimplifyOptions) -> tuple[Description, str]:
    """Simplify the text that a description was loaded from; return what is loaded from the result, and its text.

    Raises
    ------
    InvalidDescription
        The text cannot be simplified.
    """
    from sdf_frames.load import load_text
    made = simplify_text(source, description.file, choices, description.options)
    if made.text is None:
        raise InvalidDescription(description.file, made.diagnostics)
    return load_text(made.text, description.file, description.options), made.text
