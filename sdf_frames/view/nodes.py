"""A scene as nodes of a viser page: one moving node a link, everything else below it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
import viser

from sdf_frames.api.pose import Pose
from sdf_frames.inertia.triangles import Surface
from sdf_frames.view.scene import LAYERS, DrawnShape, Scene
from sdf_frames.view.surfaces import find_colour, has_colours

_COLLISION, _INERTIA, _JOINT, _MISSING = (240, 140, 30), (140, 60, 190), (20, 160, 170), (220, 40, 40)
_MOVE = (200, 0, 160)
#: Letters of a label; the list of findings has the rest.
_LONGEST_LABEL = 48
_AT_START = frozenset(("visuals", "frames"))
#: Of visuals that let frames inside of them be seen.
_THIN = 0.3
#: Labels of one place, one corner of each: links that share a place have labels of their own, since they move.
_CORNERS: tuple[Literal["top-left", "bottom-left", "top-right", "bottom-right"], ...] = (
    "top-left", "bottom-left", "top-right", "bottom-right")


class SceneNodes:
    """The nodes of one scene.

    Parameters
    ----------
    server : of the page.
    root : name of the node that everything hangs below, such as ``/0``.
    scene : what to draw.
    offset : metres along y by which the scene stands beside others.
    on_click : called with the name of a frame or link that is clicked.
    """

    def __init__(self, server: viser.ViserServer, root: str, scene: Scene, offset: float = 0.0,
                 on_click: Callable[[str], None] = lambda name: None):
        self.server, self.scene, self.on_click = server, scene, on_click
        self.layers: dict[str, list[viser.SceneNodeHandle]] = {layer: [] for layer in LAYERS}
        self.visible = {layer: layer in _AT_START for layer in LAYERS}
        self.root = server.scene.add_frame(root, show_axes=False, position=(0.0, offset, 0.0))
        self.bodies = {name: self._add_body(f"{root}/{number}", X)
                       for number, (name, X) in enumerate(scene.bodies.items())}
        self.names = {name: node.name for name, node in self.bodies.items()}
        self.names[""] = root
        self._see_through = False
        self._add_moves()
        # Of a large robot most nodes are joints and inertias, which few people look at.
        self._later: dict[str, Callable[[], None]] = {
            "visuals": partial(self._add_shapes, "visuals"), "collisions": partial(self._add_shapes, "collisions"),
            "frames": self._add_frames, "joints": self._add_joints, "inertia": self._add_inertias}
        self._add_names()  # a page draws labels that come later only when the camera moves
        for layer, visible in self.visible.items():
            self.show(layer, visible)

    def _add_body(self, name: str, X: Pose) -> viser.FrameHandle:
        return self.server.scene.add_frame(name, show_axes=False, wxyz=X.quat_wxyz, position=X.xyz)

    def _click(self, frame: str, _: object) -> None:
        self.on_click(frame)

    def _keep(self, layer: str, node: Any) -> None:
        self.layers[layer].append(node)

    def _add_shape(self, number: int, shape: DrawnShape) -> None:
        for part, surface in enumerate(shape.surfaces):
            name = f"{self.names[shape.body]}/shape{number}-{part}"
            placed: dict[str, Any] = {"wxyz": shape.X_BS.quat_wxyz, "position": shape.X_BS.xyz,
                                      "visible": self.visible[shape.layer]}
            node: viser.GlbHandle | viser.MeshHandle
            if shape.layer == "visuals" and shape.colour is None and has_colours(surface) and not self._see_through:
                node = self.server.scene.add_mesh_trimesh(name, surface, **placed)
            else:
                colour, opacity = _choose_colour(shape, surface)
                if self._see_through and shape.layer == "visuals":
                    opacity = min(opacity or 1.0, _THIN)
                node = self.server.scene.add_mesh_simple(
                    name, np.asarray(surface.vertices, dtype=np.float32), np.asarray(surface.faces, dtype=np.uint32),
                    color=colour, opacity=opacity, flat_shading=True, side="double", **placed)
            node.on_click(partial(self._click, shape.body))
            self._keep(shape.layer, node)
        if shape.problem is not None:
            self._keep(shape.layer, self.server.scene.add_label(
                f"{self.names[shape.body]}/problem{number}", _shorten(shape.problem),
                position=shape.X_BS.xyz, visible=self.visible[shape.layer]))

    def _add_shapes(self, layer: str) -> None:
        for number, shape in enumerate(self.scene.shapes):
            if shape.layer == layer:
                self._add_shape(number, shape)

    def _add_inertias(self) -> None:
        for number, box in enumerate(self.scene.inertias):
            self._keep("inertia", self.server.scene.add_box(
                f"{self.names[box.body]}/inertia{number}", _INERTIA, box.size, opacity=0.45,
                wxyz=box.X_BI.quat_wxyz, position=box.X_BI.xyz))

    def _add_frames(self) -> None:
        for number, drawn in enumerate(self.scene.frames):
            name, X = f"{self.names[drawn.body]}/frame{number}", drawn.X_BF
            axes = self.server.scene.add_frame(name, axes_length=drawn.length, axes_radius=0.04 * drawn.length,
                                               wxyz=X.quat_wxyz, position=X.xyz)
            axes.on_click(partial(self._click, drawn.frame.name))
            self._keep("frames", axes)

    def _add_names(self) -> None:
        taken: Counter[tuple[float, ...]] = Counter()
        step = 0.01 * self.scene.extent
        for number, label in enumerate(self.scene.list_labels()):
            X = self.scene.bodies.get(label.body, Pose())
            place = tuple(np.rint((X @ Pose(label.xyz)).xyz / step).tolist())
            self._keep("names", self.server.scene.add_label(
                f"{self.names[label.body]}/name{number}", label.text, position=label.xyz, visible=False,
                font_screen_scale=0.85, anchor=_CORNERS[taken[place] % len(_CORNERS)]))
            taken[place] += 1

    def _add_moves(self) -> None:
        if self.scene.moves:
            points = np.array([(move.start, move.end) for move in self.scene.moves], dtype=np.float32)
            self.server.scene.add_line_segments(f"{self.root.name}/moves", points, _MOVE,
                                                thickness=0.004 * self.scene.extent)

    def _add_joints(self) -> None:
        """An arrow along each axis of each joint, through the joint's origin."""
        length = 0.12 * self.scene.extent
        for number, joint in enumerate(self.scene.joints):
            if joint.pose is None or joint.child not in self.scene.bodies:
                continue
            X_BJ = self.scene.bodies[joint.child].inverse() @ joint.pose
            for index, axis in enumerate(joint.axes):
                along = np.asarray(axis.xyz, dtype=float) * length / 2
                self._keep("joints", self.server.scene.add_arrows(
                    f"{self.names[joint.child]}/joint{number}-{index}", np.array([[-along, along]], dtype=np.float32),
                    _JOINT, shaft_radius=0.02 * length, head_radius=0.06 * length, head_length=0.15 * length,
                    wxyz=X_BJ.quat_wxyz, position=X_BJ.xyz))

    def show(self, layer: str, visible: bool) -> None:
        """Switch a layer on or off; its nodes are made when it is seen for the first time."""
        self.visible[layer] = visible
        if visible and layer in self._later:
            self._later.pop(layer)()
        for node in self.layers[layer]:
            node.visible = visible

    def see_through(self, on: bool) -> None:
        """Let what is inside of visuals be seen, or not."""
        self._see_through = on
        for node in self.layers["visuals"]:
            node.remove()
        self.layers["visuals"].clear()
        if "visuals" not in self._later:
            self._add_shapes("visuals")

    def move(self, positions: Mapping[str, Any]) -> None:
        """Move the links to joint positions."""
        for name, X in self.scene.place(positions).items():
            node = self.bodies[name]
            node.wxyz, node.position = X.quat_wxyz, X.xyz

    def remove(self) -> None:
        """Take everything off the page."""
        self.root.remove()


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else "…" + text[-_LONGEST_LABEL:]


def show_layers(scenes: Iterable[SceneNodes], layers: Iterable[str]) -> None:
    """Show just these layers."""
    chosen = set(layers)
    for nodes in scenes:
        for layer in LAYERS:
            nodes.show(layer, layer in chosen)


def _choose_colour(shape: DrawnShape, surface: Surface) -> tuple[tuple[int, int, int], float | None]:
    """Colour from 0 to 255, and opacity (None: opaque), of a shape without a texture."""
    if shape.problem is not None:
        return _MISSING, 0.6
    if shape.layer == "collisions":
        return _COLLISION, 0.35
    r, g, b, a = shape.colour if shape.colour is not None else find_colour(surface)
    opacity = float(a) if a < 1 else None
    return (round(255 * r), round(255 * g), round(255 * b)), opacity
