"""A URDF describes one model: the finding that a file has none, several, or not the one that was asked for."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose
from sdf_frames.sdf.model import Model, World

_MOST_NAMED = 8


def report_models(at: Location, scope: World | Model | None, wanted: str | None = None) -> Diagnostic:
    """The finding that a file has not the one model that is to be written as a URDF.

    Parameters
    ----------
    scope : its world or root model; None if it has neither.
    wanted : the name of the model that was asked for; None for the only model.
    """
    models = () if scope is None else scope.models if isinstance(scope, World) else (scope,)
    if not models:
        return diagnose("urdf-needs-one-model", at, problem="the file has no model",
                        hint="give a file with a <model>")
    names = ", ".join([repr(model.name) for model in models[:_MOST_NAMED]] + ["…"] * (len(models) > _MOST_NAMED))
    if wanted is not None or not isinstance(scope, World):
        return diagnose("urdf-needs-one-model", at, problem=f"the file has no model {wanted!r}, but {names}")
    return diagnose("urdf-needs-one-model", at,
                    problem=f"the file is the world {scope.name!r} with {count_of(len(models), 'model')}: {names}")
