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
from sdf_frames.sdf.model import walk_links
from sdf_frames.spatial.inertia import MOMENTS, Tensor, find_defects
from sdf_frames.spatial.pose import IDENTITY
from sdf_frames.writers.with_inertias import keep_links
from sdf_frames.writers.written import Written

#: Findings on inertias that no body can have.
_IMPOSSIBLE = ("inertia-invalid", "inertia-invalid-as-written")
#: Of the largest moment: less is what turning a tensor to its axes and back changes.
_ROUNDING = 1e-12


class Repair(NamedTuple):
    """The impossible inertia of a link, and the one in its place; the name is that in the file."""

    old: LinkInertia
    new: LinkInertia


class Repaired(NamedTuple):
    """What was written, and what changed in it."""

    written: Written
    repairs: tuple[Repair, ...] = ()


class _Wrong(NamedTuple):
    """A link with an impossible inertia, and its elements."""

    inertia: LinkInertia
    link: Element
    inertial: Element


def repair_inertias(loaded: Description, from_shapes: bool = False, **choices: Any) -> Repaired:
    """Replace each inertia that no body can have by the nearest possible tensor, or by that of the link's collisions.

    Parameters
    ----------
    loaded : a description.
    from_shapes : compute mass, centre of mass and tensor from the collisions; without a density, the mass stays.
    choices : of :meth:`Description.inertias`: ``density``, ``method``, ``voxel_size``.

    Returns
    -------
    Repaired
        The findings say which inertias stay, and why. Those on the others are no longer among them.
    """
    source, kind = loaded.source, loaded.kind or "sdf"
    if source is None or loaded.root is None and loaded.robot is None:
        return Repaired(Written(kind, loaded.diagnostics))
    wrong = list(_find_wrong(loaded))
    result = _compute(loaded, wrong, choices) if from_shapes and wrong else InertiaResult()
    computed = {(link.scope, link.name): link for link in result.links} if from_shapes else None
    repairs, edits, left, wanted = list[Repair](), list[Edit](), list[Diagnostic](), dict[int, LinkInertia]()
    done = set()
    for link in wrong:
        new, at = _choose(link, computed, choices.get("density")), locate(link.inertial)
        number = find_number(link.link)
        if source_of(link.inertial) is not source or not is_written(link.inertial):
            new = "it is not written in this file"
        if isinstance(new, str) or number is None:
            left.append(diagnose("inertia-not-repaired", at, link=link.inertia.name, problem=new))
            continue
        if from_shapes:
            wanted[number] = new
        else:
            edits += _edit_tensor(link.inertial, link.inertia.inertia, new.inertia)
        repairs.append(Repair(link.inertia, new))
        done.add((at.file, at.line, at.column))
    found = [d for d in loaded.diagnostics
             if d.name not in _IMPOSSIBLE or left and (d.file, d.line, d.column) not in done]
    edits += edit_inertials(source, wanted)
    found = [*dict.fromkeys((*found, *result.diagnostics, *left))]
    return Repaired(Written(kind, tuple(found), source=source, edits=tuple(edits)), tuple(repairs))


def _find_wrong(loaded: Description) -> Iterator[_Wrong]:
    """Yield the links whose declared inertia libsdformat calls invalid, each by itself."""
    if loaded.robot is not None:
        for link in loaded.robot.links:
            stated = link.inertial
            if stated is not None and stated.element is not None and link.element is not None and find_defects(
                    stated.mass, stated.tensor):
                yield _Wrong(LinkInertia(link.name, stated.mass, stated.origin.pose(), stated.tensor, physical=False),
                             link.element, stated.element)
    elif loaded.root is not None:
        for scope, prefix, body in walk_links(loaded.root):
            inertial = body.inertial
            if inertial is None or inertial.auto or holds_unreadable(inertial.element):
                continue
            if find_defects(*(values := read_mass(inertial))):
                mass, tensor = values
                yield _Wrong(LinkInertia(prefix + body.name, mass, inertial.X_LI or IDENTITY, tensor, physical=False,
                                         scope=scope), body.element, inertial.element)


def _compute(loaded: Description, wrong: list[_Wrong], choices: dict[str, Any]) -> InertiaResult:
    """Compute the inertias of links from their collisions; the links have the names of the file."""
    names = [link.inertia.name for link in wrong]
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


def _choose(link: _Wrong, computed: dict[tuple[int, str], LinkInertia] | None,
            density: float | None) -> LinkInertia | str:
    """Return the inertia in place of an impossible one, or why there is none; `computed` are those of the shapes."""
    old = link.inertia
    if not old.mass > 0 and (computed is None or density is None):
        return f"its mass is {old.mass:g} kg; correct the mass, or compute all with --from shapes --density KG/M3"
    if computed is not None:
        new = computed.get((old.scope, old.name))
        return new if new is not None and new.physical and new.method not in GIVEN else (
            "no inertia can be computed from its collisions")
    nearest = find_nearest_tensor(old.inertia)
    return "the nearest possible tensor is zero" if nearest is None else old._replace(inertia=nearest, physical=True)


def _edit_tensor(inertial: Element, old: Tensor, new: Tensor) -> Iterator[Edit]:
    """Yield the edits that give an ``<inertial>`` another tensor."""
    least = _ROUNDING * max(map(abs, old))
    changed = {name: write_number(b) for name, a, b in zip(MOMENTS, old, new) if abs(a - b) > least}
    tensor = find_child(inertial, "inertia")
    if tensor is None:
        written = "".join([f"<{name}>{value}</{name}>" for name, value in changed.items()])
        yield insert_first(inertial, f"<inertia>{written}</inertia>")
    elif not len(tensor):
        yield from edit_attributes(tensor, {name: (name, value) for name, value in changed.items()})
    else:
        for name, value in changed.items():
            moment = find_child(tensor, name)
            yield insert_first(tensor, f"<{name}>{value}</{name}>") if moment is None else edit_text(moment, value)
