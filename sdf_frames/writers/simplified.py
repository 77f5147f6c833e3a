"""Write a URDF with its fixed joints lumped."""
from __future__ import annotations

from collections.abc import Sequence
from math import inf
from numbers import Real

from sdf_frames.checks.robot_inertia import IMPOSSIBLE, check_lumped
from sdf_frames.convert.simplify_urdf import ALL, KEEP, MERGE, NONE, SimplifyOptions, simplify_robot
from sdf_frames.description import Description
from sdf_frames.diagnostics import diagnose, has_errors
from sdf_frames.document.elements import locate
from sdf_frames.document.xml_in import read_whole
from sdf_frames.urdf.parse import OF_INERTIA
from sdf_frames.writers.written import Written


def read_simplify_options(keep: Sequence[str], frames: str | Sequence[str],
                          massless: str | float) -> SimplifyOptions:
    """Return the options of a simplification.

    Raises
    ------
    TypeError, ValueError
        `frames` is a single name, or `massless` is not ``keep``, ``merge`` or a positive mass.
    """
    if isinstance(frames, str) and frames not in (ALL, NONE):
        raise TypeError(f"frames must be 'all', 'none' or a sequence, such as [{frames!r}], not a single str")
    is_mass = isinstance(massless, Real) and not isinstance(massless, bool) and 0 < massless < inf
    if not is_mass and massless not in (KEEP, MERGE):
        raise ValueError(f"massless must be 'keep', 'merge' or a positive mass in kg, not {massless!r}")
    return SimplifyOptions(tuple(keep), (frames,) if isinstance(frames, str) else tuple(frames), massless)


def simplify(begun: Description, choices: SimplifyOptions) -> Written:
    """Lump the fixed joints of a URDF; everything else, including comments, stays as it is.

    Parameters
    ----------
    begun : the result of :func:`sdf_frames.load.read_text` or :func:`sdf_frames.load.load_text`. Of its errors, only an
        unknown mass, or a negative one that lumping would add to others, prevents the simplification: the others may be
        those of one program, or get solved by it.
    choices : the options of the simplification.
    """
    robot, found = begun.robot, begun.diagnostics
    if begun.kind == "sdf" and begun.document is not None:
        return Written("urdf", (*found, diagnose("simplify-needs-urdf", locate(begun.document.root))))
    if robot is None or robot.element is None or begun.source is None:
        return Written("urdf", found)
    whole = read_whole(begun.source)
    entries, more = simplify_robot(robot, dict(zip(robot.element.iter("*"), whole.iter("*"))), choices,
                                   begun.options.budget)
    lumped = check_lumped(robot, {e.name: e.into for e in entries if e.kind == "link" and e.action == "lumped"})
    told = {d.location for d in found if d.name in IMPOSSIBLE}
    more += [d for d in lumped if d.location not in told]
    refused = has_errors(lumped) or has_errors([*more, *[d for d in found if d.name in OF_INERTIA]])
    return Written("urdf", tuple(dict.fromkeys([*found, *more])), entries, None if refused else whole)
