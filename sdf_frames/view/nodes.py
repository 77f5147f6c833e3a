"""A scene as nodes of a viser page: one node below the root for each layer, and few below that.

Thousands of nodes take a browser seconds. So all copies of a shape are one node with a pose for each copy.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Literal

import numpy as np
import viser
from trimesh import creation

from sdf_frames.api.pose import Pose
from sdf_frames.view.colours import as_linear, find_colour, has_colours, has_pattern, to_linear
from sdf_frames.view.lines import Segments, draw_axes, draw_box, draw_limits, draw_outlines, draw_tree, join_poses
from sdf_frames.view.scene import COLOURS, LAYERS, DrawnFrame, DrawnLabel, DrawnScene, DrawnShape, Numbers, keep_end
from sdf_frames.view.server import listen
from sdf_frames.view.triangles import Surface

#: Letters of a label; the list of findings has the rest.
_LONGEST_LABEL = 48
#: Most labels of boxes for missing meshes, and of sensors without a range: more labels would hide each other.
_MOST_PROBLEMS, _MOST_SENSORS = 10, 20
#: Most labels of a layer. Each takes a browser some milliseconds at the start, and viser drops those beyond 4,096.
_MOST_LABELS = 1_000
#: The layer of a mark; it has no switch.
_MARK = "mark"
_AT_START = frozenset(("visuals", "frames"))
#: Opacity of visuals that show the frames inside of them.
THIN = 0.3
#: Radius of an axis, relative to its length; of the ball at a centre of mass, to the longest side of the scene.
_SLIM, _BALL = 0.04, 0.008
#: Thickness of lines in pixels, at any distance: in a large world, people come near to a small robot.
_LINE: dict[str, Any] = {"thickness": 3.0, "thickness_units": "screen"}
#: Corners for the labels of one place: links that share a place have separate labels, because they move.
_CORNERS: tuple[Literal["top-left", "bottom-left", "top-right", "bottom-right"], ...] = (
    "top-left", "bottom-left", "top-right", "bottom-right")


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A node that moves with links.

    Attributes
    ----------
    node : the handle of the node.
    kind : ``copies`` of a surface, ``points`` of lines or arrows (two each), or a ``label``.
    bodies : (N) the link that moves each copy, point or label.
    X : (N) the pose of each in its link.
    """

    node: Any
    kind: Literal["copies", "points", "label"]
    bodies: tuple[str, ...]
    X: Pose

    def put(self, X: Pose) -> None:
        """Move all copies, points or labels to the poses (N) in the root."""
        if self.kind == "copies":
            self.node.batched_positions = X.xyz.astype(np.float32)
            self.node.batched_wxyzs = X.quat_wxyz.astype(np.float32)
        elif self.kind == "points":
            self.node.points = X.xyz.astype(np.float32).reshape(-1, 2, 3)
        else:
            self.node.position = X.xyz[0]


class SceneNodes:
    """The nodes of one scene.

    `root` is the name of the node above all others, such as ``/0``. The scene is shifted by `offset` metres along y
    beside others. `on_click` is called with the name of a frame or link that is clicked.
    """

    def __init__(self, server: viser.ViserServer, root: str, scene: DrawnScene, offset: float = 0.0,
                 on_click: Callable[[str], None] = lambda name: None):
        self.server, self.scene, self.on_click = server, scene, on_click
        self._home = Pose((0.0, offset, 0.0))
        self._held: tuple[DrawnFrame, Pose] | None = None  # a frame, and its fixed pose
        self.root = server.scene.add_frame(root, show_axes=False, position=(0.0, offset, 0.0))
        self.visible = {layer: layer in _AT_START for layer in LAYERS}
        self.layers: dict[str, list[DrawnPart]] = {layer: [] for layer in LAYERS}
        self.tops = {layer: server.scene.add_frame(f"{root}/{layer}", show_axes=False, visible=visible)
                      for layer, visible in self.visible.items()}
        self._places = {body: i for i, body in enumerate((*scene.bodies, ""))}
        self._stacked = _stack(scene.bodies)
        self._points = self._find(scene.movers, Pose()).inverse() @ Pose(scene.points)  # each in its link
        self._stacked = _stack(scene.place())  # where mimic joints are at their offsets
        self._see_through, self._opacities = False, dict[str, float]()
        self._add_moves()
        # Most nodes of a large robot are joints and inertias, which few people switch on.
        self._later: dict[str, Callable[[], None]] = {
            "visuals": partial(self._add_shapes, "visuals"), "collisions": partial(self._add_shapes, "collisions"),
            "frames": lambda: self._add_frames("frames", scene.frames, [drawn.frame.name for drawn in scene.frames]),
            "joints": self._add_joints,
            "names": lambda: self._add_labels("names", scene.list_labels()), "sensors": self._add_sensors,
            "tree": lambda: self._add_lines("tree", draw_tree(scene)),
            "limits": lambda: self._add_lines("limits", draw_limits(scene)), "inertia": self._add_inertias}
        try:
            for layer, visible in self.visible.items():
                if visible:
                    self._later.pop(layer)()
        except Exception:  # remove what was drawn before the error
            self.root.remove()
            raise

    def _add(self, layer: str, kind: Literal["copies", "points", "label"], bodies: Sequence[str], X: Pose,
             add: Callable[[str, Pose], Any], names: Sequence[str] = ()) -> None:
        """Add a node to a layer.

        Parameters
        ----------
        kind, bodies, X : as in :class:`DrawnPart`.
        add : makes the node, from its name and the poses (N) in the root.
        names : (N) the name of the part that a click on each copy selects.
        """
        if not bodies:
            return
        node = add(f"{self.root.name}/{layer}/{len(self.layers[layer])}", self._find(bodies, X))
        self.layers[layer].append(DrawnPart(node, kind, tuple(bodies), X))
        if names:
            listen(node.on_click, lambda event: self.on_click(names[event.instance_index or 0]))

    def _find(self, bodies: Sequence[str], X: Pose) -> Pose:
        return self._stacked[[self._places[body] for body in bodies]] @ X

    def _see(self, xyz: Numbers) -> Numbers:
        """Return the places of points (N, 3) of the root on the page."""
        return (Pose(self.root.position, self.root.wxyz) @ Pose(xyz)).xyz

    def hold(self, drawn: DrawnFrame | None) -> None:
        """Keep a frame in its place and move the root instead; None keeps the root."""
        self._held = None if drawn is None else (drawn, self._home @ self._locate(drawn))
        self._put_root()

    def _locate(self, drawn: DrawnFrame) -> Pose:
        return self._stacked[self._places[drawn.body]] @ drawn.X_BF

    def _put_root(self) -> None:
        X = self._held[1] @ self._locate(self._held[0]).inverse() if self._held else self._home
        self.root.position, self.root.wxyz = X.xyz, X.quat_wxyz

    def _add_shapes(self, layer: str) -> None:
        """Add one node for all copies of a surface."""
        groups: dict[tuple[int, bool, float | None], list[tuple[DrawnShape, Surface, tuple[int, int, int]]]] = {}
        thin = THIN if self._see_through and layer == "visuals" else 1.0
        shapes = [(shape, most) for shape in self.scene.shapes if shape.layer == layer
                  and (most := min(thin, self._opacities.get(shape.body, 1.0))) > 0]
        for shape, most in shapes:
            for surface in shape.surfaces:
                own = layer == "visuals" and shape.colour is None and has_pattern(surface) and most == 1
                colour, opacity = _choose_colour(shape, surface)
                if most < 1:
                    opacity = min(opacity or 1.0, most)
                groups.setdefault((id(surface), own, None if own else opacity), []).append((shape, surface, colour))
        for (_, own, opacity), copies in groups.items():
            self._add_copies(layer, own, opacity, copies)
        missing = [(shape, shape.problem) for shape, _ in shapes if shape.problem is not None]
        for shape, problem in missing if len(missing) <= _MOST_PROBLEMS else ():
            self._add_label(layer, shape.body, keep_end(problem, _LONGEST_LABEL), shape.X_BS.xyz)

    def _add_copies(self, layer: str, own: bool, opacity: float | None,
                    copies: Sequence[tuple[DrawnShape, Surface, tuple[int, int, int]]]) -> None:
        """Draw a surface for each shape that has it, in its own colours or in those of the shapes."""
        bodies, surface = [shape.body for shape, _, _ in copies], copies[0][1]

        def add(name: str, X: Pose) -> Any:
            if own:
                return self.server.scene.add_batched_meshes_trimesh(name, as_linear(surface), X.quat_wxyz, X.xyz,
                                                                    lod="off")
            return self._add_plain(surface, name, X, [colour for _, _, colour in copies], opacity=opacity,
                                   flat_shading=not has_colours(surface))
        self._add(layer, "copies", bodies, join_poses([shape.X_BS for shape, _, _ in copies]), add, bodies)

    def _add_plain(self, surface: Surface, name: str, X: Pose, colours: Any, **look: Any) -> viser.BatchedMeshHandle:
        """Draw a surface in one colour (3,), or in one for each copy (N, 3); viser's page treats colours as linear."""
        return self.server.scene.add_batched_meshes_simple(
            name, np.asarray(surface.vertices), np.asarray(surface.faces), X.quat_wxyz, X.xyz, lod="off", side="double",
            batched_colors=to_linear(colours), **look)

    def _add_inertias(self) -> None:
        """Draw a box for each inertia, and a ball at the centre of mass."""
        boxes = self.scene.inertias
        bodies, X = [box.body for box in boxes], join_poses([box.X_BI for box in boxes])
        sizes, ball = np.array([box.size for box in boxes]), creation.icosphere(2, _BALL * self.scene.extent)
        self._add("inertia", "copies", bodies, X, partial(
            self._add_plain, creation.box((1.0,) * 3), colours=COLOURS["inertia"], batched_scales=sizes, opacity=0.45,
            flat_shading=True), bodies)
        self._add("inertia", "copies", bodies, X, partial(self._add_plain, ball, colours=COLOURS["inertia"]), bodies)

    def _add_frames(self, layer: str, frames: Sequence[DrawnFrame], names: Sequence[str]) -> None:
        self._add(layer, "copies", [drawn.body for drawn in frames], join_poses([drawn.X_BF for drawn in frames]),
                  lambda name, X: self.server.scene.add_batched_axes(
                      name, X.quat_wxyz, X.xyz, np.array([drawn.length for drawn in frames]), axes_length=1.0,
                      axes_radius=_SLIM), names)

    def _add_sensors(self) -> None:
        sensors = [*self.scene.list_sensors()]
        axes = [sensor.axes for sensor in sensors]
        self._add_frames("sensors", axes, [drawn.body for drawn in axes])
        self._add_lines("sensors", draw_outlines(sensors))
        self._add_labels("sensors", [sensor.label for sensor in sensors
                                     if len(sensors) <= _MOST_SENSORS or len(sensor.outline)])

    def _add_labels(self, layer: str, labels: Iterable[DrawnLabel]) -> None:
        taken: Counter[tuple[float, ...]] = Counter()
        step = 0.01 * self.scene.extent
        for label in islice(labels, _MOST_LABELS):
            place = tuple(np.rint(self._find([label.body], Pose([label.xyz])).xyz[0] / step).tolist())
            self._add_label(layer, label.body, label.text, label.xyz, font_screen_scale=0.85,
                            anchor=_CORNERS[taken[place] % len(_CORNERS)])
            taken[place] += 1

    def _add_label(self, layer: str, body: str, text: str, xyz: Numbers, **look: Any) -> None:
        self._add(layer, "label", [body], Pose([xyz]), lambda name, X: self.server.scene.add_label(
            name, text, position=X.xyz[0], **look))

    def _add_moves(self) -> None:
        if len(self.scene.moves):
            points = self.scene.moves.astype(np.float32).reshape(-1, 2, 3)
            self.server.scene.add_line_segments(f"{self.root.name}/moves", points, COLOURS["moved"], **_LINE)

    def _add_joints(self) -> None:
        """Draw an arrow along each axis of each joint, through the joint's origin."""
        length = 0.12 * self.scene.extent
        self._add_segments("joints", draw_axes(self.scene, length), lambda name, points: self.server.scene.add_arrows(
            name, points, to_linear(COLOURS["joints"]), shaft_radius=0.02 * length, head_radius=0.06 * length,
            head_length=0.15 * length))

    def _add_lines(self, layer: str, segments: Segments) -> None:
        self._add_segments(layer, segments, lambda name, points: self.server.scene.add_line_segments(
            name, points, COLOURS[layer], **_LINE))

    def _add_segments(self, layer: str, segments: Segments, add: Callable[[str, Any], Any]) -> None:
        self._add(layer, "points", segments.bodies, Pose(segments.xyz),
                  lambda name, X: add(name, X.xyz.astype(np.float32).reshape(-1, 2, 3)))

    def show(self, layer: str, visible: bool) -> None:
        """Switch a layer on or off; its nodes are made when it is first shown."""
        self.visible[layer] = visible
        if visible and layer in self._later:
            self._later.pop(layer)()
        self.tops[layer].visible = visible

    def mark(self, drawn: DrawnFrame | None, named: Iterable[DrawnFrame]) -> None:
        """Draw a box around a link or frame (None: no box), and the names of some; earlier marks are removed."""
        self._clear(_MARK)
        if drawn is not None:
            self._add_lines(_MARK, draw_box(self.scene, drawn))
        self._add_labels(_MARK, [DrawnLabel(frame.body, frame.X_BF.xyz, keep_end(frame.frame.name, _LONGEST_LABEL))
                                 for frame in named])

    @property
    def points(self) -> Numbers:
        """The points (N, 3) of the scene with its joints where they are, in metres on the page."""
        return self._see(self._find(self.scene.movers, self._points).xyz)

    def find_box(self, drawn: DrawnFrame) -> Numbers:
        """Find the corners (N, 3) of the box around a link or frame, in metres on the page."""
        box = draw_box(self.scene, drawn)
        return self._see(self._find(box.bodies, Pose(box.xyz)).xyz)

    def _clear(self, layer: str) -> None:
        for part in self.layers.get(layer, ()):
            part.node.remove()
        self.layers[layer] = []

    def see_through(self, on: bool) -> None:
        """Make visuals transparent, or opaque again."""
        self._see_through = on
        self._redraw_shapes()

    def fade(self, body: str, opacity: float) -> None:
        """Draw the shapes of a link with at most this opacity; 0 hides them."""
        self._opacities[body] = opacity
        self._redraw_shapes()

    def _redraw_shapes(self) -> None:
        for layer in ("visuals", "collisions"):
            if layer not in self._later:
                self._clear(layer)
                self._add_shapes(layer)

    def move(self, positions: Mapping[str, Any]) -> None:
        """Move the links to joint positions."""
        self._stacked = _stack(self.scene.place(positions))
        self._put_root()
        for parts in self.layers.values():
            for part in parts:
                part.put(self._find(part.bodies, part.X))

    def remove(self) -> None:
        """Remove everything from the page."""
        self.root.remove()


def _stack(bodies: Mapping[str, Pose]) -> Pose:
    """Return the poses of all links, and of the root as the last."""
    return join_poses([*bodies.values(), Pose()])


def show_layers(scenes: Iterable[SceneNodes], layers: Iterable[str]) -> None:
    """Show only these layers."""
    chosen = set(layers)
    for nodes in scenes:
        for layer in LAYERS:
            nodes.show(layer, layer in chosen)


def _choose_colour(shape: DrawnShape, surface: Surface) -> tuple[tuple[int, int, int], float | None]:
    """Return colour from 0 to 255, and opacity (None: opaque), of a shape without a texture."""
    if shape.is_box:
        return COLOURS["missing"], 0.6
    if shape.layer == "collisions":
        return COLOURS["collisions"], 0.35
    r, g, b, a = shape.colour if shape.colour is not None else find_colour(surface)
    opacity = float(a) if a < 1 else None
    return (round(255 * r), round(255 * g), round(255 * b)), opacity
