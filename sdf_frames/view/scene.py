"""A description as parts to draw, each at a fixed pose in the frame of a link."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.elements import Frame, Joint
from sdf_frames.api.inertias import Inertia
from sdf_frames.api.pose import Pose
from sdf_frames.api.scene import World
from sdf_frames.view.triangles import Surface

#: The layers, in the order of the page's list.
LAYERS = ("visuals", "collisions", "frames", "names", "tree", "joints", "limits", "sensors", "inertia")
#: Direction to the camera, and up direction, of each view of a picture.
VIEWS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "iso": ((1.0, -0.9, 0.55), (0.0, 0.0, 1.0)), "front": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "side": ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)), "top": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
}
#: Red, green and blue from 0 to 255 of layers with their own colour, of missing meshes, and of moved frames.
COLOURS = {"collisions": (240, 140, 30), "tree": (70, 70, 70), "joints": (20, 160, 170), "limits": (0, 110, 120),
           "sensors": (20, 90, 200), "inertia": (140, 60, 190), "mark": (250, 190, 0),
           "missing": (220, 40, 40), "moved": (200, 0, 160)}
#: Red, green and blue from 0 to 255 of the background, on which white robots are visible.
BACKGROUND = (228, 232, 238)
Colour = tuple[float, ...]
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
#: Letters of a name in a label.
LONGEST_NAME = 40
#: The kinds of frames in the order in which they name a label, if several share a place.
_FIRST = ("link", "frame", "model", "world", "joint")


@dataclass(frozen=True, slots=True)
class DrawnShape:
    """A visual or collision.

    Attributes
    ----------
    layer : ``visuals`` or ``collisions``.
    name : ``link::shape``, ``link::visual[2]`` of a URDF's second visual if that has no name.
    body : the link of the shape.
    X_BS : pose of the shape in the link.
    surfaces : triangles in the shape's frame, metres.
    colour : r, g, b, a from 0 to 1; None if the surfaces have their own colours, or no colour is stated.
    problem : why a collision, or else a small box, replaces a visual that cannot be drawn, or a box a collision; None
        if nothing is missing.
    """

    layer: str
    name: str
    body: str
    X_BS: Pose
    surfaces: tuple[Surface, ...]
    colour: Colour | None
    problem: str | None = None

    @property
    def is_box(self) -> bool:
        """Whether a box in the colour of missing meshes replaces the shape."""
        return self.problem is not None and self.colour is None


@dataclass(frozen=True, slots=True)
class DrawnFrame:
    """A frame at the pose `X_BF` in the link `body` ("": in the world or root model); axes of `length` metres."""

    frame: Frame
    body: str
    X_BF: Pose
    length: float


@dataclass(frozen=True, slots=True)
class DrawnInertia:
    """The uniform box with a link's mass and inertia; its centre is the centre of mass. ``size`` in metres."""

    body: str
    X_BI: Pose
    size: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class DrawnLabel:
    """A text at a place `xyz` (3,) of a link, in metres; `body` is "" in the world or root model."""

    body: str
    xyz: Numbers
    text: str


@dataclass(frozen=True, slots=True)
class DrawnSensor:
    """A sensor or light of a link: its axes, a label with its name and type, and the lines of its range.

    `outline` (2 N, 3) is in the link, metres; points 2 i and 2 i + 1 are the ends of a line.
    """

    axes: DrawnFrame
    label: DrawnLabel
    outline: Numbers


@dataclass(frozen=True, slots=True)
class DrawnScene:
    """The parts to draw of a world or root model.

    Attributes
    ----------
    source : the loaded description.
    bodies : pose of each link at zero joint positions.
    shapes, frames, joints, inertias : the parts to draw.
    points : (N, 3) in metres: the origin, the frames, and the corners of the box around each shape, without planes,
        which are infinite; at zero joint positions.
    movers : (N) the link that moves each of the points; "" for the world or root model.
    moves : for a comparison, (2 N, 3): the place of each moved frame in A, and in B, in metres from the origin.
    masses : the known masses of the links by name.
    list_sensors : returns the sensors and lights to draw, which takes half as long as a load.
    root : name, and pose at zero joint positions, of the link above all joints that lead to the canonical link, or of
        ``world``; None if that is the canonical link, and for a world.
    """

    source: RobotDescription | World
    bodies: dict[str, Pose]
    shapes: tuple[DrawnShape, ...]
    frames: tuple[DrawnFrame, ...]
    joints: tuple[Joint, ...]
    inertias: tuple[DrawnInertia, ...]
    points: Numbers
    movers: tuple[str, ...]
    moves: Numbers = field(default_factory=lambda: np.zeros((0, 3)))
    masses: Mapping[str, Inertia] = field(default_factory=dict)
    list_sensors: Callable[[], Iterable[DrawnSensor]] = tuple
    root: tuple[str, Pose] | None = None

    @property
    def low(self) -> Numbers:
        """Lowest corner (3,) of the box around all `points`."""
        return self.points.min(axis=0)

    @property
    def high(self) -> Numbers:
        """Highest corner (3,) of the box around all `points`."""
        return self.points.max(axis=0)

    @property
    def extent(self) -> float:
        """Longest side in metres of the box from `low` to `high`; 1 if that is a point."""
        return float((self.high - self.low).max()) or 1.0

    def list_labels(self) -> list[DrawnLabel]:
        """Return names at the places of links, or of all frames if links have other names, as in a comparison.

        If frames of one link share a place, the label has the name of the first link, else of the last frame.
        """
        places: dict[tuple[str, tuple[int, ...]], list[DrawnFrame]] = {}
        step = 1e-3 * self.extent
        for drawn in self.frames:
            place = tuple(np.rint(drawn.X_BF.xyz / step).astype(int).tolist())
            places.setdefault((drawn.body, place), []).append(drawn)
        children: dict[str, list[str]] = {}
        for joint in self.joints:
            children.setdefault(joint.name, []).append(joint.child)
        for there in places.values():  # the frame of a joint is at its child, so it is not counted
            names = {drawn.frame.name for drawn in there}
            there[:] = [drawn for drawn in there if drawn.frame.name in self.bodies or names.isdisjoint(
                children.get(drawn.frame.urdf_name or drawn.frame.name, ()))]
        linked = {place: drawn for place, drawn in places.items() if any(d.frame.name in self.bodies for d in drawn)}
        return [DrawnLabel(body, drawn[0].X_BF.xyz, _write_label(drawn))
                for (body, _), drawn in (linked or places).items()]

    def list_tree(self) -> Iterator[tuple[str, int]]:
        """List the links, each after its parent link, with the number of links above it.

        Links of a loop without a root are left out.
        """
        below: dict[str, list[str]] = {}
        parents = {joint.child: joint.parent for joint in reversed(self.joints) if joint.parent in self.bodies}
        for name in self.bodies:
            below.setdefault(parents.get(name, ""), []).append(name)
        pending = [(name, 0) for name in reversed(below.get("", []))]
        while pending:
            name, depth = pending.pop()
            yield name, depth
            pending += [(child, depth + 1) for child in reversed(below.get(name, []))]

    def keep_known(self, positions: Mapping[str, Any]) -> dict[str, Any]:
        """Return the positions that joints of this scene can take; others are for another scene, or an older file."""
        sizes = {joint.name: joint.size for joint in self.joints if joint.movable}
        return {name: q for name, q in positions.items()
                if name in sizes and sizes[name] == (7 if isinstance(q, Pose) else np.size(q))}

    def find_given(self, positions: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the positions that joints can take; None if all joints, also mimic joints, are at zero."""
        offsets = (axis.mimic.offset for joint in self.joints for axis in joint.axes if axis.mimic is not None)
        return self.keep_known(positions) or ({} if any(offsets) else None)

    def place(self, positions: Mapping[str, Any] | None = None) -> dict[str, Pose]:
        """Compute the pose of every link; `positions` as for :meth:`sdf_frames.RobotDescription.poses`.

        The frame of a model moves with its canonical link. Here the `root` stays still, as in RViz.
        """
        known = self.find_given(positions or {})
        if known is None:
            return self.bodies
        poses = self.source.poses(known)
        if self.root is None:
            return {body: poses[body] for body in self.bodies}
        name, X_root = self.root
        X = X_root @ poses[name].inverse()
        return {body: X @ poses[body] for body in self.bodies}


def stand_beside(scene: DrawnScene, edge: float | None) -> tuple[float, float]:
    """Return the place along y (metres) of a scene beside those that end at `edge`, and its own end."""
    offset = 0.0 if edge is None else edge + 0.5 * scene.extent - float(scene.low[1])
    return offset, offset + float(scene.high[1])


def _write_label(drawn: list[DrawnFrame]) -> str:
    """Return a label such as ``wrist_link +1``: the last frame names it, as a fixed joint comes before its child."""
    name = min(reversed(drawn), key=lambda one: _FIRST.index(one.frame.kind)).frame.name
    shown = keep_end(name, LONGEST_NAME)
    return f"{shown} +{len(drawn) - 1}" if len(drawn) > 1 else shown


def keep_end(text: str, most: int) -> str:
    """Cut the beginning of a text with more than `most` letters."""
    return text if len(text) <= most else "…" + text[-most:]
