"""Write a loaded robot with its fixed joints lumped."""
from __future__ import annotations

from collections.abc import Sequence

from sdf_frames.api.errors import InvalidDescription
from sdf_frames.api.to_urdf import UrdfText, decode_text, write_tree
from sdf_frames.convert.simplify import ALL, KEEP, MERGE, NONE, SimplifyOptions
from sdf_frames.description import Description
from sdf_frames.diagnostics import diagnose, has_errors
from sdf_frames.document.budget import Spending
from sdf_frames.document.expanded import restore
from sdf_frames.document.xml_in import locate, read_xml, report_root, tag_of
from sdf_frames.options import LoadOptions


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
                  options: LoadOptions = LoadOptions()) -> UrdfText:
    """Simplify a URDF text.

    Parameters
    ----------
    text, file : the document and its name.
    choices : how to simplify.
    options : limits.
    """
    from sdf_frames.convert.report import make_rows, place_rows
    from sdf_frames.convert.simplify import simplify_robot
    from sdf_frames.urdf.parse import read_robot
    decoded = decode_text(text, file)
    document, found = read_xml(decoded, file, spending=Spending(options.budget))
    if document is None:
        return UrdfText(None, (), found)
    if tag_of(document.root) != "robot":
        return UrdfText(None, (), (*found, diagnose("simplify-needs-urdf", locate(document.root)) if tag_of(
            document.root) == "sdf" else report_root(document.root)))
    robot, problems = read_robot(document)
    copy, _ = read_xml(decoded, file, keep_comments=True)
    found = restore(text, (*found, *problems))
    if robot is None or copy is None or has_errors(found):
        return UrdfText(None, (), found)
    entries, more = simplify_robot(robot, dict(zip(document.root.iter("*"), copy.root.iter("*"))), choices)
    found = tuple(dict.fromkeys([*found, *restore(text, more)]))
    return UrdfText(None if has_errors(found) else write_tree(copy.root), place_rows(make_rows(entries), text), found)


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
