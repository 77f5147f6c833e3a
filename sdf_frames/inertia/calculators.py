"""Custom inertia calculators for meshes: finds them by name, calls them, and checks their answers.

Source: the automatic-inertia proposal, "Callback-based API for Mesh/Custom Inertia Calculator".
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Union

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, suggest_name
from sdf_frames.document.elements import Element, text_of
from sdf_frames.sdf.model import Link
from sdf_frames.spatial.inertia import find_defects
from sdf_frames.spatial.solids import Solid

if TYPE_CHECKING:
    from sdf_frames.sdf.geometry import Mesh

#: A function, the name of an entry point, or a mapping of collisions, links or mesh URIs to such. The answers of
#: functions are judged by :func:`ask_calculator`.
Calculator = Union[Callable[..., Any], str, Mapping[str, Any]]
#: A :data:`Calculator` with functions in place of names.
Found = Union[Callable[..., Any], Mapping[str, Any], None]
GROUP = "sdf_frames.inertia_calculators"


def find_calculators(calculator: Calculator | None) -> tuple[Found, tuple[Diagnostic, ...]]:
    """Replace names by functions; return that, and findings on names that no package registers.

    Raises
    ------
    TypeError
        `calculator` is neither None nor a function, a name, or a mapping to such.
    """
    if isinstance(calculator, str):
        return find_calculator(calculator)
    if not isinstance(calculator, Mapping):
        if calculator is not None and not callable(calculator):
            raise TypeError(f"a calculator is a function, a name or a mapping, not {calculator!r:.60}")
        return calculator, ()
    found = {key: find_calculators(value) for key, value in calculator.items()}
    problems = [d for _, missing in found.values() for d in missing]
    return {key: value for key, (value, _) in found.items()}, tuple(problems)


def find_calculator(name: str) -> tuple[Callable[..., Any] | None, tuple[Diagnostic, ...]]:
    """Find the calculator that an installed package registers under `name`; return None and why if there is none."""
    from importlib.metadata import entry_points
    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in known:
        listed = ", ".join(sorted(known)) or "none"
        return None, (diagnose("inertia-unknown-calculator", calculator=name, known=listed),)
    try:
        return known[name].load(), ()
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
        return None, (diagnose("inertia-calculator-failed", collision=name, problem=str(error)),)


def check_keys(calculators: Mapping[str, Any], links: Iterable[tuple[int, str, Link]]) -> None:
    """Check that each key names a collision or a link, or is the URI of a mesh.

    `links` are as :func:`sdf_frames.sdf.model.walk_links` gives them. A key that is none of these is a TypeError.
    """
    known: dict[str, None] = {}
    for _, prefix, link in links:
        known[prefix + link.name] = None
        for collision in link.collisions:
            known[f"{prefix}{link.name}::{collision.name}"] = None
            known.update((text_of(uri), None) for uri in collision.element.iterfind("geometry/mesh/uri"))
    for key in calculators:
        if key not in known:
            hint = suggest_name(key, known) if isinstance(key, str) else None
            raise TypeError(f"calculator: {key!r} is no name of a collision or link, and no mesh URI, of this model"
                            + (f"; {hint}" if hint else ""))


def choose_calculator(calculator: Found, collision: str, uri: str) -> Callable[..., Any] | None:
    """Choose the calculator for a mesh; from a mapping, that of the collision, else its link, else the URI."""
    if not isinstance(calculator, Mapping):
        return calculator
    keys = (collision, collision.rpartition("::")[0], uri)
    return next((calculator[key] for key in keys if key in calculator), None)


def ask_calculator(calculator: Callable[..., Any], density: float, mesh: Mesh, params: Element | None, name: str,
                   at: Location) -> tuple[Solid | None, tuple[Diagnostic, ...]]:
    """Ask a calculator for the mesh of collision `name`; return a Solid of density one, or None, and findings.

    Findings without a location get the location `at`.
    """
    try:
        answer = calculator(density, mesh, params)
        more: tuple[Diagnostic, ...] = ()
        if isinstance(answer, tuple) and len(answer) == 2:
            answer, more = answer
            more = tuple([d if d.file or d.line else d._replace(**at._asdict()) for d in more])
        return None if answer is None else _check_answer(answer), more
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
        problem = str(error) or type(error).__name__
        return None, (diagnose("inertia-calculator-failed", at, collision=name, problem=problem),)


def _check_answer(answer: Any) -> Solid:
    """Return a calculator's answer as plain numbers; raise ValueError if it is not a solid."""
    try:
        volume, centroid, moments = answer
        numbers = [float(volume), *map(float, centroid), *map(float, moments)]
        shape = len(centroid), len(moments)
    except (TypeError, ValueError):
        raise ValueError(f"it returned {answer!r:.60}, not a Solid") from None
    if shape != (3, 6) or not all(map(isfinite, numbers)):
        raise ValueError("its result is not a volume, three coordinates and six moments, all finite")
    volume, x, y, z, ixx, iyy, izz, ixy, ixz, iyz = numbers
    solid = Solid(volume, (x, y, z), (ixx, iyy, izz, ixy, ixz, iyz))
    if not solid.volume > 0:
        raise ValueError(f"it returned a volume of {solid.volume:g} m³")
    defects = find_defects(solid.volume, solid.moments)
    if defects:
        raise ValueError(f"it returned moments that no rigid body can have: {defects[0].text}")
    return solid
