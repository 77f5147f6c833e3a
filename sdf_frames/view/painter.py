"""Draws a scene as a PNG with VTK, without a display, in the calling process: see `rendering`."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np
import pyvista

from sdf_frames.api.pose import Pose
from sdf_frames.diagnostics import count_of
from sdf_frames.view.colours import find_colour, find_texture
from sdf_frames.view.lines import draw_axes, draw_limits, draw_outlines, draw_tree
from sdf_frames.view.scene import BACKGROUND, COLOURS, VIEWS, DrawnFrame, DrawnScene, Numbers, stand_beside
from sdf_frames.view.triangles import has_depth

_AXES = ("#e02020", "#18a818", "#2050f0")
#: Steps of depth by which frames are drawn nearer.
_FRONT = -66000
#: Steps of depth by which a box of an inertia is nearer than the link that it encloses.
_NEARER = -20
#: Pixels.
_LINE = 6.0
#: Pixels between letters, and between lines, of a name.
_LETTER = (7, 18)
#: Width or height of the picture, relative to that of its content.
_MARGIN = 1.08


def draw_picture(scenes: Iterable[DrawnScene], layers: Iterable[str] = ("visuals", "frames"), view: str = "iso",
                 size: tuple[int, int] = (1200, 900), positions: Mapping[str, Any] | None = None) -> bytes:
    """Draw scenes side by side.

    Parameters
    ----------
    layers : names from :data:`sdf_frames.view.scene.LAYERS`.
    view : ``iso``, ``front``, ``side`` or ``top``.
    size : width and height in pixels.
    positions : positions of joints, as for :meth:`sdf_frames.RobotDescription.poses`.

    Returns
    -------
    The bytes of a PNG.
    """
    # Without a display, VTK tries X first and prints an error.
    pyvista.vtk_verbosity("off")
    plotter = pyvista.Plotter(off_screen=True, window_size=list(size), lighting="light kit")
    plotter.set_background(BACKGROUND)
    plotter.enable_anti_aliasing("ssaa")
    edge, points, names = None, [], list[tuple[Numbers, str]]()
    for scene in scenes:
        offset, edge = stand_beside(scene, edge)
        painter = _Painter(plotter, scene, positions, offset)
        painter.paint(set(layers))
        points += painter.points
        if positions:  # else pictures of a robot whose visible links all move together would be equal
            points.append(scene.points + (0.0, offset, 0.0))
        names += painter.names
    direction, up = VIEWS[view]
    plotter.view_vector(direction, viewup=up)
    if points:
        _fill(plotter.camera, np.concatenate(points), size)
    if names:
        _write_names(plotter, names)
    picture = BytesIO()
    plotter.screenshot(picture)
    plotter.close()
    return picture.getvalue()


def _fill(camera: pyvista.Camera, points: np.ndarray[Any, Any], size: tuple[int, int]) -> None:
    """Aim the camera so that (N, 3) points fill the picture."""
    for _ in range(3):  # aiming at the middle changes the angles slightly
        seen = points - camera.position
        ahead = np.array(camera.focal_point) - camera.position
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, camera.up)
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        across, upward = (seen @ right) / (seen @ ahead), (seen @ up) / (seen @ ahead)
        middle = (np.max(across) + np.min(across)) / 2 * right + (np.max(upward) + np.min(upward)) / 2 * up
        camera.focal_point = camera.position + ahead + middle
    slope = max(float(np.ptp(upward)), float(np.ptp(across)) * size[1] / size[0]) / 2
    camera.view_angle = 2 * np.degrees(np.arctan(max(_MARGIN * slope, 1e-3)))


def choose_names(boxes: Numbers) -> list[int]:
    """Choose the names that cover no name before them; `boxes` (N, 4) are left, top, right and bottom."""
    chosen, left = list[int](), np.arange(len(boxes))
    while len(left):
        chosen.append(int(left[0]))
        box, others = boxes[left[0]], boxes[left]
        apart = (others[:, :2] >= box[2:]).any(axis=1) | (others[:, 2:] <= box[:2]).any(axis=1)
        left = left[1:][apart[1:]]
    return chosen


def _write_names(plotter: pyvista.Plotter, names: Sequence[tuple[Numbers, str]]) -> None:
    """Write each name at its place, or left of the edge; leave out and count those that would cover a nearer one."""
    names = sorted(names, key=lambda name: float(np.linalg.norm(name[0] - plotter.camera.position)))
    widths = np.array([_LETTER[0] * len(text) for _, text in names])
    places = np.array([_see(plotter.renderer, xyz) for xyz, _ in names])
    places[:, 0] = np.minimum(places[:, 0], plotter.renderer.GetSize()[0] - _LETTER[0] - widths)
    x, y = places[:, 0], places[:, 1]
    placed = choose_names(np.column_stack([x, y, x + widths, y + _LETTER[1]]))
    labels = plotter.add_point_labels(
        np.array([_find(plotter.renderer, places[i]) for i in placed]), [names[i][1] for i in placed], font_size=13,
        point_size=0, margin=2, shape_color="white", shape_opacity=0.75, text_color="black", always_visible=True)
    labels.GetMapper().SetPlaceAllLabels(True)  # VTK would silently leave out some
    if len(placed) < len(names):
        more = count_of(len(names) - len(placed), "more name")
        plotter.add_text(more, position="lower_left", font_size=9, color="black")


def _see(renderer: Any, xyz: Numbers) -> Numbers:
    """Return the place of a point in the picture: pixels from the left and from below, and depth (3,)."""
    renderer.SetWorldPoint(*xyz, 1.0)
    renderer.WorldToDisplay()
    return np.array(renderer.GetDisplayPoint())


def _find(renderer: Any, place: Numbers) -> Numbers:
    """Return the point (3,) at a place in the picture."""
    renderer.SetDisplayPoint(*place)
    renderer.DisplayToWorld()
    *xyz, w = renderer.GetWorldPoint()
    return np.array(xyz) / w


class _Painter:
    """Draws one scene into a picture, `offset` metres along y."""

    def __init__(self, plotter: pyvista.Plotter, scene: DrawnScene, positions: Mapping[str, Any] | None, offset: float):
        self.plotter, self.scene = plotter, scene
        shift = Pose((0.0, offset, 0.0))
        self.bodies = {name: shift @ X for name, X in scene.place(positions).items()}
        self.bodies[""] = shift
        self.points: list[np.ndarray[Any, Any]] = []
        self.names: list[tuple[Numbers, str]] = []

    def _add(self, mesh: Any, **look: Any) -> Any:
        self.points.append(np.asarray(mesh.points))
        return self.plotter.add_mesh(mesh, **look)

    def paint(self, layers: set[str]) -> None:
        self._paint_shapes(layers)
        if "inertia" in layers:
            for box in self.scene.inertias:
                cube = pyvista.Cube(x_length=box.size[0], y_length=box.size[1], z_length=box.size[2])
                cube.transform((self.bodies[box.body] @ box.X_BI).matrix, inplace=True)
                mapper = self._add(cube, color=COLOURS["inertia"], opacity=0.4).mapper
                mapper.SetResolveCoincidentTopologyToPolygonOffset()  # the faces coincide for a box-shaped link
                mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0, _NEARER)
        if "joints" in layers:
            self._paint_joints(0.12 * self.scene.extent)
        self._draw_lines(self.scene.moves + self.bodies[""].xyz, COLOURS["moved"])
        for layer, draw in (("tree", draw_tree), ("limits", draw_limits)):
            if layer in layers:
                self._draw_lines(draw(self.scene).place(self.bodies), COLOURS[layer])
        if "frames" in layers:
            self._paint_frames(self.scene.frames)
        labels = self.scene.list_labels() if "names" in layers else []
        if "sensors" in layers:
            sensors = [*self.scene.list_sensors()]
            self._draw_lines(draw_outlines(sensors).place(self.bodies), COLOURS["sensors"])
            self._paint_frames([sensor.axes for sensor in sensors])
            labels += [sensor.label for sensor in sensors]
        self.names = [((self.bodies[label.body] @ Pose(label.xyz)).xyz, label.text) for label in labels]

    def _paint_shapes(self, layers: set[str]) -> None:
        flat: list[np.ndarray[Any, Any]] = []
        add = self.plotter.add_mesh
        for shape in self.scene.shapes:
            if shape.layer not in layers:
                continue
            M = (self.bodies[shape.body] @ shape.X_BS).matrix
            for surface in shape.surfaces:
                mesh = pyvista.make_tri_mesh(np.asarray(surface.vertices, dtype=float), np.asarray(surface.faces))
                mesh.transform(M, inplace=True)
                (self.points if has_depth(surface) else flat).append(np.asarray(mesh.points))
                if shape.is_box:
                    add(mesh, color=COLOURS["missing"], opacity=0.6)
                elif shape.layer == "collisions":
                    add(mesh, color=COLOURS["collisions"], opacity=0.35)
                elif shape.colour is None and (image := find_texture(surface.visual)) is not None:
                    visual: Any = surface.visual
                    mesh.active_texture_coordinates = np.asarray(visual.uv, dtype=float)
                    add(mesh, texture=pyvista.Texture(np.asarray(image.convert("RGB"))), smooth_shading=True,
                        split_sharp_edges=True)
                else:
                    colour = shape.colour or find_colour(surface)
                    add(mesh, color=colour[:3], opacity=colour[3], smooth_shading=True, split_sharp_edges=True)
        self.points = self.points or flat

    def _paint_joints(self, length: float) -> None:
        for start, end in draw_axes(self.scene, length).place(self.bodies).reshape(-1, 2, 3):
            arrow = pyvista.Arrow(start=start, direction=end - start, scale=length, tip_length=0.2, tip_radius=0.08,
                                  shaft_radius=0.04)
            _bring_to_front(self._add(arrow, color=COLOURS["joints"]).mapper)

    def _paint_frames(self, frames: Sequence[DrawnFrame]) -> None:
        """Draw three coloured lines for each frame, all lines of one colour at once."""
        poses = [self.bodies[f.body] @ f.X_BF for f in frames]
        origins = np.array([X.xyz for X in poses]).reshape(-1, 3)
        turns = np.array([X.matrix[:3, :3] for X in poses]).reshape(-1, 3, 3)
        lengths = np.array([f.length for f in frames])
        for axis, colour in enumerate(_AXES):
            points = np.empty((2 * len(origins), 3))
            points[::2], points[1::2] = origins, origins + lengths[:, None] * turns[:, :, axis]
            self._draw_lines(points, colour)

    def _draw_lines(self, ends: np.ndarray[Any, Any], colour: str | tuple[int, int, int]) -> None:
        """Draw lines between pairs of (2 N, 3) points, in front of everything, because frames are inside of bodies."""
        if not len(ends):
            return
        lines = pyvista.line_segments_from_points(ends)
        _bring_to_front(self._add(lines, color=colour, lighting=False, line_width=_LINE).mapper)


def _bring_to_front(mapper: Any) -> None:
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0, _FRONT)
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0, _FRONT)
