"""Write the same file with possible inertias in place of impossible ones; every other byte stays as it is."""
from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Edit, diagnose
from sdf_frames.document.edits import edit_attributes, edit_text, insert_first
from sdf_frames.document.elements import Element, find_child, locate
from sdf_frames.document.numbers import write_number
from sdf_frames.document.places import find_number, is_written, source_of
from sdf_frames.inertia.declare import edit_inertials
from sdf_frames.inertia.declared import holds_unreadable
from sdf_frames.inertia.nearest import find_nearest_tensor
from sdf_frames.inertia.result import GIVEN, InertiaResult, LinkInertia
from sdf_frames.inertia.urdf_links import compute_urdf_links, find_bare_links, find_converted_names
from sdf_frames.sdf.entities import read_mass
from sdf_frames.sdf.model import find_static, walk_links
from sdf_frames.spatial.inertia import MOMENTS, Tensor, find_defects, find_unphysical
from sdf_frames.spatial.pose import IDENTITY
from sdf_frames.writers.with_inertias import find_cured, keep_links
from sdf_frames.writers.written import Written


class Repair(NamedTuple):
    """The impossible inertia of a link, and the new inertia; the name of the link is that in the file."""

    old: LinkInertia
    new: LinkInertia


def repair_inertias(loaded: Description, from_shapes: bool = False, **choices: Any) -> tuple[Written, list[Repair]]:
    """Replace each impossible inertia by the nearest possible tensor, or by that of the link's collisions.

    Parameters
    ----------
    from_shapes : compute mass, centre of mass and tensor from the collisions; without a density, the mass stays.
    choices : of :meth:`Description.inertias`: ``density``, ``method``, ``voxel_size``.

    Returns
    -------
    written, repairs
        The findings have the reason for each inertia that stays. The findings on repaired inertias are left out.
    """
    wrong, source = list(_find_wrong(loaded)), loaded.source
    if loaded.robot is None and loaded.root is None:
        source = None
    result = _compute(loaded, [old.name for old, *_ in wrong], choices) if from_shapes and wrong else InertiaResult()
    computed = {(link.scope, link.name): link for link in result.links}
    repairs, edits, left = list[Repair](), list[Edit](), list[Diagnostic]()
    wanted: dict[int, LinkInertia] = {}
    for old, link, inertial in wrong:
        new = computed.get((old.scope, old.name)) if from_shapes else _find_nearest(old)
        number = find_number(link)
        problem = _find_problem(old, new, link, from_shapes, choices.get("density"))
        if source_of(inertial) is not source or not is_written(inertial):
            problem = "it is not written in this file"
        if problem or new is None or source is None or number is None:
            left.append(diagnose("inertia-not-repaired", locate(inertial), link=old.name, problem=problem))
            continue
        wanted[number] = new
        edits += [] if from_shapes else _edit_tensor(inertial, old.inertia, new.inertia)
        repairs.append(Repair(old, new))
    if from_shapes and source is not None:
        edits = edit_inertials(source, wanted)
    written = Written(loaded.kind or "sdf", source=source, edits=tuple(edits))
    cured = find_cured(loaded, written)
    found = dict.fromkeys((*[d for d in loaded.diagnostics if d not in cured], *result.diagnostics, *left))
    return written._replace(findings=tuple(found)), repairs


def _find_wrong(loaded: Description) -> Iterator[tuple[LinkInertia, Element, Element]]:
    """Yield each inertia that no solid body has, with its link and its ``<inertial>``."""
    if loaded.robot is not None:
        for link in loaded.robot.links:
            stated = link.inertial
            if stated is not None and stated.element is not None and link.element is not None and _is_wrong(
                    stated.mass, stated.tensor):
                yield LinkInertia(link.name, stated.mass, stated.origin.pose(), stated.tensor), link.element, (
                    stated.element)
    elif loaded.root is not None:
        static = find_static(loaded.root)
        for scope, prefix, body in walk_links(loaded.root):
            inertial, (mass, tensor) = body.inertial, read_mass(body.inertial)
            if inertial is not None and not holds_unreadable(inertial.element) and (
                    _is_wrong(mass, tensor, (scope, prefix) in static)):
                yield LinkInertia(prefix + body.name, mass, inertial.X_LI or IDENTITY, tensor, scope=scope), (
                    body.element), inertial.element


def _is_wrong(mass: float, tensor: Tensor, is_static: bool = False) -> bool:
    """Return whether no solid body has this inertia; if it is static or has no mass, whether libsdformat refuses it."""
    return bool((find_unphysical if mass > 0 and not is_static else find_defects)(mass, tensor))


def _compute(loaded: Description, names: list[str], choices: dict[str, Any]) -> InertiaResult:
    """Compute the inertias of links from their collisions; the links have the names of the file."""
    if loaded.robot is None:
        return loaded.inertias(links=names, recompute=True, **choices)
    kept = keep_links(loaded._replace(diagnostics=()), loaded)
    if kept.root is None or kept.robot is None:
        return InertiaResult()
    converted = find_converted_names(kept.report)
    written = {converted.get(name, name): name for name in names}
    result = compute_urdf_links(partial(kept.inertias, **choices), kept.root, find_bare_links(kept.robot, kept.report),
                                list(written), recompute=True)
    return result._replace(links=tuple([link._replace(name=written[link.name]) for link in result.links]))


def _find_nearest(old: LinkInertia) -> LinkInertia | None:
    nearest = find_nearest_tensor(old.inertia)
    return None if nearest is None else old._replace(inertia=nearest)


def _find_problem(old: LinkInertia, new: LinkInertia | None, link: Element, from_shapes: bool,
                  density: float | None) -> str | None:
    """Return why an inertia cannot replace an impossible one, or None; a `density` also replaces the mass."""
    has_shapes = find_child(link, "collision") is not None
    if not old.mass > 0 and not (from_shapes and density):
        more = ", or compute all with --from shapes --density KG/M3" if has_shapes else ""
        return f"its mass is {old.mass:g} kg; correct the mass{more}"
    if new is not None and new.physical and (not from_shapes or new.method not in GIVEN):
        return None
    return "no inertia can be computed from its collisions" if from_shapes else (
        f"no possible tensor is near it; {'compute it with --from shapes' if has_shapes else 'write its moments'}")


def _edit_tensor(inertial: Element, old: Tensor, new: Tensor) -> Iterator[Edit]:
    """Yield the edits that replace the tensor of an ``<inertial>``."""
    changed = {name: write_number(b) for name, a, b in zip(MOMENTS, old, new) if a != b}
    tensor = find_child(inertial, "inertia")
    assert tensor is not None  # the default is possible
    if not len(tensor):
        yield from edit_attributes(tensor, {name: (name, value) for name, value in changed.items()})
        return
    for name, value in changed.items():
        moment = find_child(tensor, name)
        yield insert_first(tensor, f"<{name}>{value}</{name}>") if moment is None else edit_text(moment, value)
