"""Warns about inertias that do not fit the geometry of their links.

Nothing here is an error: a simulator accepts such values, but a person should look at them.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import hypot, log10, sqrt
from typing import TYPE_CHECKING, NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, Related, diagnose, plural, relate
from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.elements import Element, child_or_self, file_of, locate
from sdf_frames.document.uris import Resolver
from sdf_frames.inertia.declared import judge_zeros
from sdf_frames.inertia.result import DECLARED, InertiaResult, LinkInertia
from sdf_frames.sdf.entities import MOMENT_DEFAULTS
from sdf_frames.sdf.geometry import Geometry, Mesh, find_half_size, read_geometry
from sdf_frames.sdf.model import Link, Root, find_static, walk_links
from sdf_frames.spatial.inertia import LEAST_REACH2, LIKE, Tensor, find_principal_moments, rotate_tensor
from sdf_frames.spatial.pose import Quaternion, Vector, normalise, rotation_matrix

if TYPE_CHECKING:
    from sdf_frames.inertia.mesh_file import Surface

DENSEST = 22_600.0  # osmium, kg/m³
#: Factors from kg·m² to other units. For smaller factors, placeholders such as 1 are more likely.
_UNITS = {"kg·mm²": 1e6, "g·cm²": 1e7, "g·mm²": 1e9}
_ROUND = 1e-9  # of the exponent of a power of ten
#: The least ratio of length to width of a long link.
_LONG = 2.5
_LEAST_FACTOR, _MOST_FACTOR = 3e5, 3e10

#: Two corners, or centre and half edges, of a box.
Bounds = tuple[Vector, Vector]
#: (centre, half edges) of the box around a shape along its own axes, of a mesh named in an element; None if unknown.
Measure = Callable[[Geometry | None, Element], Bounds | None]


class _Suspect(NamedTuple):
    """A link, the location of its inertial, and the shapes of its collisions as text, to compare links."""

    name: str
    at: Location
    shapes: tuple[str, ...] = ()


def check_plausibility(root: Root | None, result: InertiaResult, resolver: Resolver,
                       budget: Budget = Budget()) -> tuple[Diagnostic, ...]:
    """Warn about declared inertias: zero, left at the default, copied, or out of proportion to the geometry.

    Mesh files of collisions are read for their size. Their errors are not reported here, but when they are integrated.
    Links that are not in the `result` are not looked at.
    """
    if root is None:
        return ()
    wanted = {(link.scope, link.name): link for link in result.links}
    found: list[Diagnostic] = []
    measure = Boxes(resolver, Spending(budget)).find
    alike: dict[tuple[int, float, Tensor], list[_Suspect]] = {}
    defaults: dict[tuple[int, str], list[_Suspect]] = {}
    static = find_static(root)
    for scope, prefix, link in walk_links(root):
        inertia = wanted.get((scope, prefix + link.name))
        # One of two links with the same name may have no inertial.
        if inertia is None or inertia.method != DECLARED or link.inertial is None:
            continue
        at = locate(link.inertial.element)
        if is_default := inertia.mass == 1.0 and inertia.inertia == MOMENT_DEFAULTS:
            defaults.setdefault((scope, prefix), []).append(_Suspect(inertia.name, at))
        elif not inertia.physical and (scope, prefix) not in static:
            found += judge_zeros(inertia.name, inertia.mass, inertia.inertia, at)
        shapes = [read_geometry(c.geometry)[0] for c in link.collisions]
        key = tuple([repr(s) if find_half_size(s) else "" for s in shapes])
        if inertia.mass > 0 and inertia.inertia != MOMENT_DEFAULTS and all(key) and key:
            alike.setdefault((scope, inertia.mass, inertia.inertia), []).append(_Suspect(inertia.name, at, key))
        if inertia.physical and not is_default and (box := find_bounds(link, shapes, measure)) is not None:
            found += _check_against_box(inertia, box, link.inertial.element)
    for group in defaults.values():
        found.append(diagnose("inertia-left-at-default", group[0].at, links=_name_links(group),
                              related=_point_at(group)))
    for group in alike.values():
        if len({suspect.shapes for suspect in group}) > 1:
            found.append(diagnose("inertia-repeated", group[0].at, links=_name_links(group), related=_point_at(group)))
    return tuple(found)


def _name_links(group: list[_Suspect]) -> str:
    names = [suspect.name for suspect in group]
    shown = ", ".join(map(repr, names[:6])) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    return f"{plural('link', len(names))} {shown}"


def _point_at(group: list[_Suspect]) -> list[Related]:
    """Return the locations of all links of a group but the first."""
    return [relate(f"link {name!r}", at) for name, at, *_ in group[1:]]


def _check_against_box(link: LinkInertia, box: Bounds, inertial: Element) -> Iterator[Diagnostic]:
    """Compare with the axis-aligned box (low, high) around the geometry, in the link frame."""
    at, (low, high) = locate(inertial), box
    size = [h - l for l, h in zip(low, high)]
    diagonal = hypot(*size)
    c = link.pose[:3]
    outside = hypot(*[max(l - x, 0.0, x - h) for l, x, h in zip(low, c, high)])
    if outside > 0.25 * diagonal:
        yield diagnose("centre-of-mass-outside-geometry", at, link=link.name, distance=outside)
    # No mass lies farther from the centre than the farthest corner, so no moment exceeds m·r².
    extent = hypot(*[max(abs(l - x), abs(h - x)) for l, x, h in zip(low, c, high)])
    reach = sqrt(max(find_principal_moments(link.inertia)) / link.mass)
    if (mistaken := report_unit(link.name, link.mass, link.inertia, box, inertial)) is not None:
        yield mistaken
    elif reach > 1.05 * extent:
        yield diagnose("inertia-too-large-for-geometry", at, link=link.name, reach=reach, extent=extent)
    yield from check_axes(link.name, link.mass, link.pose[3:], link.inertia, box, at)
    volume = size[0] * size[1] * size[2]
    if volume > 0 and link.mass / volume > DENSEST:
        yield diagnose("density-implausible", at, link=link.name, mass=link.mass, volume=volume,
                       density=link.mass / volume)


def check_axes(name: str, mass: float, q_wxyz: Quaternion, moments: Tensor, box: Bounds,
               at: Location) -> Iterator[Diagnostic]:
    """Warn if moments about two axes of a link are exchanged: they fit a long box of its size only after the exchange.

    Parameters
    ----------
    name, mass, q_wxyz, moments : of the link; `moments` in the inertial frame, which `q_wxyz` turns into the link's.
    box : (low, high) corners of the box around its geometry, in the link frame.
    at : the place of the inertial.
    """
    size = [h - l for l, h in zip(*box)]
    *_, other, long = sorted(range(3), key=lambda k: size[k])
    if size[long] < _LONG * size[other] or not size[other]:
        return
    about = rotate_tensor(q_wxyz, moments)[:3]
    least = min(range(3), key=lambda k: about[k])
    thin, across = [mass * sum(s * s for k, s in enumerate(size) if k != axis) / 12 for axis in (long, least)]
    fits_exchanged = _fits(about[least], thin) and _fits(about[long], across)
    if least != long and fits_exchanged and not _fits(about[long], thin):
        a, b = sorted(("xyz"[least], "xyz"[long]))
        yield diagnose("inertia-axes-exchanged", at, link=name, least="xyz"[least], long="xyz"[long],
                       hint=f"exchange i{a}{a} and i{b}{b}")


def _fits(moment: float, expected: float) -> bool:
    return expected / LIKE <= moment <= expected * LIKE


def measure_simple(shape: Geometry | None, _: Element) -> Bounds | None:
    """Return (centre, half edges) of the box around a shape along its own axes; None for meshes."""
    half = find_half_size(shape)
    return None if half is None else ((0.0, 0.0, 0.0), half)


class Boxes:
    """Boxes around shapes, each mesh file read once.

    `found` is what makes meshes unreadable, each at the first place that names the file.
    """

    def __init__(self, resolver: Resolver, spending: Spending):
        self.resolver, self.spending = resolver, spending
        self.found: list[Diagnostic] = []
        self._surfaces: dict[tuple[str, str | None], Surface | None] = {}

    def find(self, shape: Geometry | None, element: Element) -> Bounds | None:
        """Return (centre, half edges) of the box around a shape along its own axes; None if there is none."""
        return self._measure_mesh(shape, element) if isinstance(shape, Mesh) else measure_simple(shape, element)

    def _measure_mesh(self, mesh: Mesh, element: Element) -> Bounds | None:
        path = self.resolver.find(mesh.uri, file_of(element))
        if path is None:
            return None
        from sdf_frames.inertia.mesh_file import read_mesh_file, take_used
        from sdf_frames.inertia.meshes import place_surface
        key = (path, mesh.submesh)
        if key not in self._surfaces:
            self._surfaces[key], found = read_mesh_file(path, mesh.submesh, locate(element), self.spending,
                                                        self.resolver.door)
            self.found += found
            if mesh.submesh is None:
                self.resolver.surfaces[path] = self._surfaces[key]
        surface = self._surfaces[key]
        if surface is None:
            return None
        placed = place_surface(surface, mesh)
        used = take_used(placed.vertices, placed.faces)
        low, high = used.min(axis=0), used.max(axis=0)
        (x, y, z), (a, b, c) = ((low + high) / 2).tolist(), ((high - low) / 2).tolist()
        return (x, y, z), (a, b, c)


def find_bounds(link: Link, shapes: Sequence[Geometry | None], measure: Measure) -> Bounds | None:
    """(low, high) corners of the box around a link's collisions in the link frame.

    None where there are none, or one of them has no size or is posed in another frame: an incomplete box would mislead.
    """
    low, high = [float("inf")] * 3, [float("-inf")] * 3
    for collision, shape in zip(link.collisions, shapes):
        box = None if collision.pose.relative_to else measure(shape, collision.element)
        if box is None:
            return None
        X_C = normalise(collision.pose.X)
        for k, row in enumerate(rotation_matrix(X_C[3:])):
            centre = X_C[k] + sum([r * c for r, c in zip(row, box[0])])
            reach = sum([abs(r) * h for r, h in zip(row, box[1])])
            low[k], high[k] = min(low[k], centre - reach), max(high[k], centre + reach)
    return ((low[0], low[1], low[2]), (high[0], high[1], high[2])) if link.collisions else None


def report_unit(name: str, mass: float, moments: Tensor, box: Bounds, inertial: Element) -> Diagnostic | None:
    """Warn if moments could be those of a box of this mass, but in another unit than kg·m².

    A power of ten, such as 1 or 0.01, is a placeholder, and in no unit.
    """
    largest = max(moments[:3])
    if not largest > LEAST_REACH2 * mass > 0:
        return None
    moment = max(find_principal_moments(moments))
    _, b, a = sorted(high - low for low, high in zip(*box))
    expected = mass * (a * a + b * b) / 12
    if not expected or not _LEAST_FACTOR < moment / expected < _MOST_FACTOR:
        return None
    exponent = log10(moment)
    if abs(exponent - round(exponent)) < _ROUND:
        return None
    unit = min(_UNITS, key=lambda unit: abs(log10(moment / expected / _UNITS[unit])))
    return diagnose("unit-mistaken", locate(child_or_self(inertial, "inertia")), unit=unit,
                    what=f"the inertia of link {name!r}, for its mass and its shapes",
                    wanted=f"kg·m²: {largest / _UNITS[unit]:.6g} for {largest:.6g}",
                    value=f"a largest moment of {largest:.6g} kg·m²")
