"""A picture of a robot with the equivalent box of every link's inertia; matplotlib draws it, without a display.

The solid boxes show at a glance what numbers hide: mass in the wrong place, axes that are mixed up, a unit that is off.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.uris import Resolver
from sdf_frames.document.writing import OutputRefused, report_unwritten, write_whole
from sdf_frames.document.xml_in import file_of
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import find_pose_in
from sdf_frames.inertia.boxes import find_equivalent_box
from sdf_frames.inertia.compute import total_inertia
from sdf_frames.inertia.mesh_file import Surface, read_mesh_file
from sdf_frames.inertia.meshes import place_surface
from sdf_frames.inertia.result import GIVEN, LinkInertia
from sdf_frames.sdf.geometry import Geometry, Mesh, Plane, read_geometry
from sdf_frames.sdf.model import Link, Root, walk_links
from sdf_frames.spatial.pose import Pose, Vector, compose, normalise, rotation_matrix

_BODY, _DECLARED, _COMPUTED, _FOREIGN = (0.5, 0.5, 0.55, 0.22), (0.8, 0.2, 0.55), (0.1, 0.5, 0.8), "0.15"
#: More faces than this of a mesh would hide one another on paper; its hull is drawn.
_MOST_FACES = 3000
#: Links with at least this share of the mass are named.
_NAMED_SHARE = 0.025
#: Less than this share is a stand-in for no mass, and its box no body.
_LEAST_SHARE = 1e-6
_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
#: Triangles by mesh, None for one that cannot be read.
_Meshes = dict[Mesh, "np.ndarray | None"]
_SIDES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


class _Scene(NamedTuple):
    """Boxes with colours, faces of what links look like, and (centre, text) of links worth naming.

    Faces are (N, K, 3) corners in the scope's frame.
    """

    solids: list[tuple[np.ndarray, tuple[float, float, float]]]
    bodies: list[np.ndarray]
    named: list[tuple[Vector, str]]


def plot_inertias(root: Root, graph: FrameGraph, links: Iterable[LinkInertia], path: str,
                  resolver: Resolver, file: str | None = None, read: Iterable[str] = ()) -> tuple[Diagnostic, ...]:
    """Draw the first world or robot of a document, whose graph is given, to a file.

    The ending of `path` says the format: png (also without an ending), svg or pdf. `read` are files that the document
    is made of or refers to, which are not replaced.

    Links stand where joints at zero put them. Grey is what a link looks like (its visuals, else its collisions);
    coloured the uniform solid box with its mass, centre of mass and tensor.

    Returns
    -------
    Findings that say why there is no picture; none where there is one.
    """
    here = Location(file)
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return (diagnose("inertia-not-plotted", here, problem="matplotlib is not installed",
                         hint="pip install 'sdf_frames[plot]', or apt-get install python3-matplotlib"),)
    if find_spec("trimesh") is None:
        return (diagnose("inertia-not-plotted", here, problem="trimesh is not installed", hint="pip install trimesh"),)
    links = [link for link in links if link.scope == 0]
    scene = _collect(root, graph, links, resolver)
    if not scene.solids and not scene.bodies:
        return (diagnose("inertia-not-plotted", here, problem="it has no link to draw"),)
    figure = Figure(figsize=(7, 6.2), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 0.94), projection="3d", proj_type="ortho", computed_zorder=False)
    _draw(scene, axes)
    mass, centre, _ = total_inertia([graph], links)
    axes.plot(*[[c] for c in centre], marker="+", color="black", markersize=12, markeredgewidth=1.6, zorder=11)
    figure.suptitle(f"{graph.name}: {mass:.6g} kg, centre of mass at "
                    f"{centre[0]:.3g} {centre[1]:.3g} {centre[2]:.3g} m (+)", fontsize=10)
    extension = os.path.splitext(path)[1][1:]
    path = path if extension else f"{path}.png"
    try:
        picture = BytesIO()
        figure.savefig(picture, format=extension or "png")
        write_whole(path, picture.getvalue(), "picture", read)
    except OutputRefused as error:
        return (report_unwritten(path, error),)
    except OSError as error:
        return (diagnose("inertia-not-plotted", here, problem=f"cannot write {path}: {error.strerror or error}"),)
    except ValueError as error:  # of matplotlib, about the format
        return (diagnose("inertia-not-plotted", here, problem=f"{path}: {error}"),)
    return ()


def _draw(scene: _Scene, axes: Any) -> None:
    """Draw faces and names, and let the axes enclose them."""
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
    solids, bodies, named = scene
    # One collection, so that what is behind is drawn first, whatever it belongs to.
    faces = [face for shape in bodies for face in shape] + [face for box, _ in solids for face in box]
    colours = [_BODY for shape in bodies for _ in shape] + [(*colour, 0.25) for box, colour in solids for _ in box]
    edges = [(0, 0, 0, 0)] * sum(map(len, bodies)) + [(*colour, 0.95) for box, colour in solids for _ in box]
    axes.add_collection3d(Poly3DCollection(faces, facecolors=colours, edgecolors=edges, linewidths=0.7))
    corners = np.vstack([np.asarray(face) for face in faces])
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.02 * float((high - low).max()) or 1.0
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin),
             zlim=(low[2] - margin, high[2] + margin), xlabel="x in m", ylabel="y in m", zlabel="z in m")
    span = high - low + 2 * margin
    for axis, length in zip((axes.xaxis, axes.yaxis, axes.zaxis), span):
        axis.set_major_locator(MaxNLocator(max(2, round(7 * length / max(span)))))
        axis.set_tick_params(labelsize=7)
    axes.set_box_aspect(span, zoom=1.05)
    axes.view_init(elev=18, azim=-58)
    for centre, text in named:
        axes.text(*centre, text, fontsize=7, color=_FOREIGN, ha="center", va="center", zorder=10,
                  bbox={"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 0.8})


def _collect(root: Root, graph: FrameGraph, links: list[LinkInertia], resolver: Resolver) -> _Scene:
    """What is drawn of the links of the first scope."""
    by_name = {link.name: link for link in links}
    total = sum([link.mass for link in links if link.physical])
    scene = _Scene([], [], [])
    meshes: _Meshes = {}
    for scope, prefix, link in walk_links(root):
        inertia = by_name.get(prefix + link.name)
        vertex = graph.find(prefix, link.name)
        if scope != 0 or inertia is None or vertex is None or (X_WL := graph.poses[vertex]) is None:
            continue
        for triangles, X in _find_shapes(graph, vertex, link, resolver, meshes):
            scene.bodies.append(_place(triangles, compose(X_WL, X)))
        box = find_equivalent_box(inertia)
        if box is not None and inertia.mass >= _LEAST_SHARE * total:
            sides = (_CORNERS * box.size)[np.array(_SIDES)]
            colour = _DECLARED if inertia.method in GIVEN else _COMPUTED
            scene.solids.append((_place(sides, compose(X_WL, box.X)), colour))
            if inertia.mass >= _NAMED_SHARE * total:
                scene.named.append((compose(X_WL, box.X)[:3], f"{inertia.name} {inertia.mass:.3g} kg"))
    return scene


def _place(faces: np.ndarray, X: Pose) -> np.ndarray:
    """(N, K, 3) corners of faces, moved by a pose."""
    X = normalise(X)
    return faces @ np.array(rotation_matrix(X[3:])).T + X[:3]


def _find_shapes(graph: FrameGraph, vertex: int, link: Link, resolver: Resolver,
                 meshes: _Meshes) -> Iterator[tuple[np.ndarray, Pose]]:
    """(N, 3, 3) triangles and their pose in the link, of a link's visuals or else collisions."""
    visuals = [part for part in link.parts if part.kind == "visual"]
    for part in visuals or link.collisions:
        if (X := find_pose_in(graph, vertex, part.pose)) is None:
            continue
        shape, _ = read_geometry(part.element.find("geometry"))
        triangles = _find_triangles(shape, resolver, file_of(part.element), meshes)
        if triangles is not None and len(triangles):
            yield triangles, X


def _find_triangles(shape: Geometry | None, resolver: Resolver, file: str | None,
                    meshes: _Meshes) -> np.ndarray | None:
    """(N, 3, 3) corners of a shape's triangles in its own frame; None for what has no body or cannot be read."""
    if isinstance(shape, Mesh):
        if shape not in meshes:
            path = resolver.find(shape.uri, file)
            surface = read_mesh_file(path, shape.submesh, door=resolver.door)[0] if path else None
            meshes[shape] = None if surface is None else _thin(place_surface(surface, shape))
        return meshes[shape]
    if shape is None or isinstance(shape, Plane):
        return None
    from sdf_frames.inertia.triangles import make_solid
    solids = make_solid(shape)
    return np.concatenate([np.asarray(solid.triangles) for solid in solids]) if solids else None


def _thin(surface: Surface) -> np.ndarray:
    """(N, 3, 3) corners of a mesh's triangles, or of its hull's where they are too many."""
    if len(surface.faces) > _MOST_FACES:
        try:
            from trimesh import Trimesh
            return np.asarray(Trimesh(surface.vertices, surface.faces, process=False).convex_hull.triangles)
        except Exception:  # noqa: BLE001 - without scipy, or for a flat mesh, there is no hull
            return surface.vertices[surface.faces[::len(surface.faces) // _MOST_FACES + 1]]
    return surface.vertices[surface.faces]
