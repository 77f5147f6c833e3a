"""A description as things to draw, each at a fixed pose in the frame of a link."""
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

#: What can be switched on and off, in the order in which the page lists it.
LAYERS = ("visuals", "collisions", "frames", "names", "tree", "joints", "limits", "sensors", "inertia")
#: Direction from which each view of a picture looks, and what is up in it.
VIEWS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "iso": ((1.0, -0.9, 0.55), (0.0, 0.0, 1.0)), "front": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "side": ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)), "top": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
}
#: Red, green and blue from 0 to 255 of what has a colour by its layer, of a missing mesh, and of what moved.
COLOURS = {"collisions": (240, 140, 30), "tree": (70, 70, 70), "joints": (20, 160, 170), "limits": (0, 110, 120),
           "sensors": (20, 90, 200), "inertia": (140, 60, 190), "mark": (250, 190, 0),
           "missing": (220, 40, 40), "moved": (200, 0, 160)}
#: Red, green and blue from 0 to 255 behind everything: white robots are seen before it.
BACKGROUND = (228, 232, 238)
Colour = tuple[float, ...]
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
#: Letters of a name in a label.
LONGEST_NAME = 40
#: Whose name a label has, if several frames share a place.
_FIRST = ("link", "frame", "model", "world", "joint")


@dataclass(frozen=True, slots=True)
class DrawnShape:
    """A visual or collision.

    Attributes
    ----------
    layer : ``visuals`` or ``collisions``.
    name : ``link::shape``, ``link::visual[2]`` of a URDF's second visual if that has no name.
    body : the link that carries the shape.
    X_BS : pose of the shape in the link.
    surfaces : triangles in the shape's frame, metres.
    colour : r, g, b, a from 0 to 1; None where the surfaces have colours of their own, or no colour is stated.
    problem : why a collision, or a small box if there is none, stands for a visual that cannot be drawn, and a box for
        a collision; None if nothing is missing.
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
        """Whether a box stands for the shape, which is drawn in the colour of what is missing."""
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
    """A sensor or light of a link: its axes, a label of its name and type, and lines around what it covers.

    `outline` (2 N, 3) is in the link, metres; points 2 i and 2 i + 1 are the ends of a line.
    """

    axes: DrawnFrame
    label: DrawnLabel
    outline: Numbers


@dataclass(frozen=True, slots=True)
class DrawnScene:
    """What there is to draw of a world or root model.

    Attributes
    ----------
    source : what was loaded.
    bodies : pose of each link at zero joint positions.
    shapes, frames, joints, inertias : what to draw.
    points : (N, 3) in metres: the origin, the frames, and the corners of the box around each shape, without planes,
        which have no end.
    moves : of a comparison, (2 N, 3): where each frame that moved is in A, and where in B, in metres from the origin.
    masses : of the links by name, as far as they are known.
    list_sensors : makes what there is to draw of sensors and lights, which takes as long as half of a load.
    """

    source: RobotDescription | World
    bodies: dict[str, Pose]
    shapes: tuple[DrawnShape, ...]
    frames: tuple[DrawnFrame, ...]
    joints: tuple[Joint, ...]
    inertias: tuple[DrawnInertia, ...]
    points: Numbers
    moves: Numbers = field(default_factory=lambda: np.zeros((0, 3)))
    masses: Mapping[str, Inertia] = field(default_factory=dict)
    list_sensors: Callable[[], Iterable[DrawnSensor]] = tuple

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
        """Names at the places of links, or of all frames if no link is drawn under its own name, as in a comparison.

        Of frames of one link that share a place, the first link has its name there, else the last frame.
        """
        places: dict[tuple[str, tuple[int, ...]], list[DrawnFrame]] = {}
        step = 1e-3 * self.extent
        for drawn in self.frames:
            place = tuple(np.rint(drawn.X_BF.xyz / step).astype(int).tolist())
            places.setdefault((drawn.body, place), []).append(drawn)
        own = {(joint.name, joint.child) for joint in self.joints}
        for there in places.values():  # a joint's own frame is where its child is: nothing to count
            there[:] = [drawn for drawn in there if drawn.frame.name in self.bodies or not own & {
                (drawn.frame.urdf_name or drawn.frame.name, other.frame.name) for other in there}]
        linked = {place: drawn for place, drawn in places.items() if any(d.frame.name in self.bodies for d in drawn)}
        return [DrawnLabel(body, drawn[0].X_BF.xyz, _write_label(drawn))
                for (body, _), drawn in (linked or places).items()]

    def list_tree(self) -> Iterator[tuple[str, int]]:
        """List the links, each after the link that its joint hangs it on, with the number of links above it.

        Links of a loop that nothing holds are left out.
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
        """The positions of joints that this scene has; those of others belong to another scene."""
        movable = {joint.name for joint in self.joints if joint.movable}
        return {name: q for name, q in positions.items() if name in movable}

    def place(self, positions: Mapping[str, Any] | None = None) -> dict[str, Pose]:
        """Compute the pose of every link; `positions` as :meth:`sdf_frames.RobotDescription.poses` takes them."""
        known = self.keep_known(positions or {})
        if not known:
            return self.bodies
        poses = self.source.poses(known)
        return {body: poses[body] for body in self.bodies}


def stand_beside(scene: DrawnScene, edge: float | None) -> tuple[float, float]:
    """Find where along y (metres) a scene stands beside those that end at `edge`, and where it ends itself."""
    offset = 0.0 if edge is None else edge + 0.5 * scene.extent - float(scene.low[1])
    return offset, offset + float(scene.high[1])


def _write_label(drawn: list[DrawnFrame]) -> str:
    """``wrist_link +1``: the last frame counts, because a fixed joint's stands before that of the link behind it."""
    name = min(reversed(drawn), key=lambda one: _FIRST.index(one.frame.kind)).frame.name
    shown = keep_end(name, LONGEST_NAME)
    return f"{shown} +{len(drawn) - 1}" if len(drawn) > 1 else shown


def keep_end(text: str, most: int) -> str:
    """Leave out the beginning of a text with more than `most` letters."""
    return text if len(text) <= most else "…" + text[-most:]
