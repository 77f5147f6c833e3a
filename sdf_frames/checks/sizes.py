"""Checks sizes of shapes and meshes against the rest of their model, and inertias against shapes: units and axes."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import dist, isfinite
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.elements import Element, child_or_self, locate, written_uri
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import Scope
from sdf_frames.inertia.plausibility import Measure, check_axes, find_bounds, measure_simple, report_unit
from sdf_frames.sdf.geometry import Geometry, Mesh, read_geometry
from sdf_frames.sdf.model import Frame, Link, Model
from sdf_frames.spatial.inertia import find_unphysical
from sdf_frames.spatial.pose import IDENTITY, normalise

#: Shapes of this length, in metres, and meshes are reported if they are so many times as long as the rest.
LONG, _TIMES = 100.0, 100.0
#: Beside such a mesh, others with its format and scale are reported if they are so many times as long as the rest.
_TIMES_ALIKE = 5.0
#: Small meshes, such as screws, are not reported if the repaired mesh were so many times as long as the rest.
_TIMES_REPAIRED = 2.0
#: Meshes longer than this, in metres, may all be in another unit: other meshes are not compared with them.
_LONG_MESH = 10.0


def check_shape_units(graph: FrameGraph) -> Iterator[Diagnostic]:
    """Report shapes of 100 m and more that are much longer than the rest of their model."""
    for shape, rest, _ in chain.from_iterable(_compare_shapes(graph, measure_simple)):
        if rest and shape.size >= max(LONG, _TIMES * rest):
            yield diagnose("unit-mistaken", locate(shape.element), unit="millimetres",
                           wanted=f"metres: {shape.size / 1000:.6g} for {shape.size:.6g}",
                           what=f"a shape of link {shape.link!r}, in a model of about {rest:.3g} m",
                           value=f"{shape.size:.6g} m")


def check_mesh_units(scopes: Sequence[Scope], measure: Measure, of_urdf: bool) -> Iterator[Diagnostic]:
    """Warn about meshes that are hundreds of times larger or smaller than the rest of their model, and those like them.

    Parameters
    ----------
    scopes : worlds and root model.
    measure : finds the box around a shape; it reads mesh files.
    of_urdf : whether the scopes are those of a URDF.
    """
    for shapes in chain.from_iterable(_compare_shapes(scope.graph, measure) for scope in scopes):
        found: dict[tuple[str, Mesh], Diagnostic] = {}
        meshes = [(shape, mesh, (mesh.uri.rpartition(".")[2].lower(), mesh.scale), rest, least)
                  for shape, rest, least in shapes if isinstance(mesh := shape.geometry, Mesh)]
        # Exporters write all meshes in one unit: a hand of 30 mm is 30 m long, less than 100 times an arm of 1 m.
        large_kinds = {kind for shape, _, kind, rest, _ in meshes if shape.size > _TIMES * rest > 0}
        for shape, mesh, kind, rest, least in meshes:
            times = _TIMES_ALIKE if kind in large_kinds else _TIMES
            small = 0 < _TIMES * shape.size < least and 1000.0 * shape.size < _TIMES_REPAIRED * rest
            if not (large := shape.size > times * rest > 0) and not small:
                continue
            at, key = locate(shape.element), (shape.link, mesh)
            if (first := found.get(key)) is not None:  # the visual and the collision of a link
                found[key] = first._replace(related=(*first.related, relate("the same mesh", at)))
                continue
            uri = child_or_self(child_or_self(shape.element, "mesh"), "uri")
            scale = " ".join(f"{factor * (0.001 if large else 1000.0):.12g}" for factor in mesh.scale)
            found[key] = diagnose(
                "mesh-unit-suspicious", at, file=written_uri(uri, mesh.uri), extent=shape.size, scale=0.001,
                reason=f", the rest of its model {rest if large else least:.3g} m{'' if large else ' and more'}",
                unit="millimetres" if large else "metres scaled down once too often",
                hint=f'write scale="{scale}"' if of_urdf else f"write <scale>{scale}</scale>")
        yield from found.values()


def measure_shapes(links: Iterable[Link]) -> float:
    """Return the size of the largest shape of some links, in metres; meshes are not looked at."""
    return max([shape.size for link in links for shape in _measure_shapes(link, measure_simple)], default=0.0)


class _Shape(NamedTuple):
    geometry: Geometry
    size: float
    link: str
    element: Element


def _compare_shapes(graph: FrameGraph, measure: Measure) -> Iterator[list[tuple[_Shape, float, float]]]:
    """Yield for each model that moves its shapes, each with the largest and the smallest size of the rest.

    The largest also counts the distances between the links, lumped ones included, which are frames. Long meshes are
    not part of the rest.
    """
    placed = [vertex for vertex, (entity, X) in enumerate(zip(graph.entities, graph.poses))
              if isinstance(entity, (Link, Frame)) and X is not None]
    for model, vertices in group_by_model(graph, placed):
        if model is not None and not model.static:
            shapes = [shape for vertex in vertices if isinstance(link := graph.entities[vertex], Link)
                      for shape in _measure_shapes(link, measure)]
            places = [X[:3] for vertex in vertices if (X := graph.poses[vertex]) is not None]
            spread = max(dist(places[0], place) for place in places)
            sizes = {s.geometry: s.size for s in shapes if s.size <= _LONG_MESH or not isinstance(s.geometry, Mesh)}
            ranked = sorted(sizes.items(), key=lambda pair: pair[1])
            compared = []
            for shape in shapes:
                rest = [size for geometry, size in (*ranked[:2], *ranked[-2:]) if geometry != shape.geometry]
                # Of two sizes, only the small one is reported; the other one may be right.
                compared.append((shape, max([*rest, spread]), min(rest) if len(ranked) > 2 else 0.0))
            yield compared


def group_by_model(graph: FrameGraph, vertices: Iterable[int]) -> Iterator[tuple[Model | None, list[int]]]:
    """Yield vertices by the model of a world that holds them, or None; without a world, all with the root model."""
    groups: dict[str, list[int]] = {}
    for vertex in vertices:
        groups.setdefault(graph.names[vertex].partition("::")[0] if graph.kind == "world" else "", []).append(vertex)
    for name, group in groups.items():
        number = graph.vertices.get(name) if name else 0  # None for a part of a name that has '::' (N004)
        model = None if number is None else graph.entities[number]
        yield model if isinstance(model, Model) else None, group


def _measure_shapes(link: Link, measure: Measure) -> Iterator[_Shape]:
    for element in [*[c.element for c in link.collisions], *[p.element for p in link.parts if p.kind == "visual"]]:
        geometry = element.find("geometry")
        shape = None if geometry is None else read_geometry(geometry)[0]
        box = None if geometry is None or shape is None else measure(shape, geometry)
        if geometry is not None and shape is not None and box is not None and isfinite(size := 2 * max(box[1])):
            yield _Shape(shape, size, link.name, geometry)


def check_inertia(name: str, link: Link) -> Iterator[Diagnostic]:
    """Check a declared inertia against the box around the link's collisions, if none of them is a mesh."""
    inertial = link.inertial
    if inertial is None or inertial.moments is None or inertial.mass is None or inertial.frame:
        return
    mass, moments = inertial.mass, inertial.moments
    bounds = find_bounds(link, [read_geometry(c.geometry)[0] for c in link.collisions], measure_simple)
    if bounds is None:
        return
    if (mistaken := report_unit(name, mass, moments, bounds, inertial.element)) is not None:
        yield mistaken
    elif not find_unphysical(mass, moments):
        yield from check_axes(name, mass, normalise(inertial.X_LI or IDENTITY)[3:], moments, bounds,
                              locate(inertial.element))
