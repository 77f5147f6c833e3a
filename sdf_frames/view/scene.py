"""A description as things to draw, each at a fixed pose in the frame of a link."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from trimesh import creation

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.elements import Frame, Joint, Link, Shape
from sdf_frames.api.inertias import Inertia
from sdf_frames.api.loading import find_door
from sdf_frames.api.pose import Pose
from sdf_frames.api.scene import World
from sdf_frames.view.outlines import outline_part
from sdf_frames.view.surfaces import PLACEHOLDER, SurfaceReader, has_colours
from sdf_frames.view.triangles import Surface, has_depth

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
#: r, g, b, a from 0 to 1 of a collision that stands for visuals.
_STAND_IN = (*[value / 255 for value in COLOURS["collisions"]], 0.6)
#: Red, green and blue from 0 to 255 behind everything: white robots are seen before it.
BACKGROUND = (228, 232, 238)
Colour = tuple[float, ...]
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
#: Length of a frame's axes over the longest side of the model around it.
_AXIS = 0.06
#: Letters of a name in a label.
_LONGEST_NAME = 40
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


def build_scene(source: RobotDescription | World, inertias: Mapping[str, Inertia] | None = None,
                most_faces: int | None = None, as_sdf: bool = False) -> DrawnScene:
    """Collect what there is to draw, with meshes read.

    Parameters
    ----------
    source : the description; of one with several worlds, each world is a scene of its own.
    inertias : of the links, by name; None to draw none.
    most_faces : triangles that a part of a mesh may have; those with more are decimated.
    as_sdf : of a URDF, draw the links that its SDF has, not those of the file.
    """
    links, by_name = (source.sdf_links, source.sdf_joints) if as_sdf else (source.links, source.joints)
    bodies = {name: link.pose for name, link in links.items() if link.pose is not None}
    reader = SurfaceReader(most_faces=most_faces, door=find_door(source))
    shapes = tuple([shape for name in bodies for shape in _draw_shapes(links[name], reader, source.kind)])
    joints = tuple([joint for joint in by_name.values() if joint.pose is not None])
    points, lengths = _measure(source, bodies, shapes)
    low, high = points.min(axis=0), points.max(axis=0)
    frames = tuple(_draw_frames(source, bodies, lengths))
    extent = float((high - low).max()) or 1.0
    box = creation.box((max(min(PLACEHOLDER, extent / 40), extent / 100),) * 3)  # boxes of a robot are apart
    shapes = tuple([replace(shape, surfaces=(box,)) if shape.is_box else shape for shape in shapes])
    return DrawnScene(source, bodies, shapes, frames, joints, tuple(_draw_inertias(inertias or {}, bodies)), points,
                      masses=inertias or {}, list_sensors=partial(_draw_sensors, source, frames, low, high))


def build_scenes(robot: RobotDescription, most_faces: int | None = None, as_sdf: bool = False) -> list[DrawnScene]:
    """The scenes of a description: of each world, or of the one root model; none if it could not be read.

    `most_faces` and `as_sdf` are those of :func:`build_scene`.
    """
    if not robot.frames:
        return []
    sources: list[RobotDescription | World] = [*robot.worlds.values()] if len(robot.worlds) > 1 else [robot]
    inertias = robot.inertias() if as_sdf or robot.kind == "sdf" else _list_stated(robot.links.values())
    return [build_scene(source, inertias if number == 0 else None, most_faces, as_sdf)
            for number, source in enumerate(sources)]


def _list_stated(links: Iterable[Link]) -> dict[str, Inertia]:
    """The inertias that the links of a URDF state; a box of no mass has no size."""
    return {link.name: Inertia(link.mass, link.com, link.inertia, "declared", True) for link in links
            if link.mass and link.mass > 0 and link.com is not None and link.inertia is not None}


def stand_beside(scene: DrawnScene, edge: float | None) -> tuple[float, float]:
    """Find where along y (metres) a scene stands beside those that end at `edge`, and where it ends itself."""
    offset = 0.0 if edge is None else edge + 0.5 * scene.extent - float(scene.low[1])
    return offset, offset + float(scene.high[1])


def _draw_shapes(link: Link, reader: SurfaceReader, kind: str | None) -> Iterator[DrawnShape]:
    """The shapes of a link. Its collisions stand for its visuals, if none of them can be drawn."""
    visuals, collisions = ([*_draw_layer(layer, link.name, shapes, reader, kind)] for layer, shapes in (
        ("visuals", link.visuals), ("collisions", link.collisions)))
    sound = [shape for shape in collisions if not shape.is_box]
    if sound and visuals and all(shape.is_box for shape in visuals):
        why = "; ".join(dict.fromkeys(shape.problem or "" for shape in visuals))
        visuals = [replace(shape, layer="visuals", colour=_STAND_IN, problem=None if number else why)
                   for number, shape in enumerate(sound)]
    yield from (*visuals, *collisions)


def _draw_layer(layer: str, link: str, shapes: Iterable[Shape], reader: SurfaceReader,
                kind: str | None) -> Iterator[DrawnShape]:
    """The shapes of a layer. As in RViz, colours of a mesh file count more than a URDF's material."""
    for number, shape in enumerate(shapes, 1):
        if shape.geometry is None or shape.pose is None:
            continue
        name = shape.name or f"{layer.removesuffix('s')}[{number}]"  # as `diff` calls it
        surfaces, problem = reader.read(shape.geometry, shape.path)
        if surfaces:
            own = kind == "urdf" and problem is None and all(map(has_colours, surfaces))
            covered = reader.cover(surfaces, shape.texture) if shape.texture and not (own or problem) else []
            yield DrawnShape(layer, f"{link}::{name}", link, shape.pose, tuple(covered or surfaces),
                             None if own or covered or problem else shape.colour, problem)


def _draw_frames(source: RobotDescription | World, bodies: Mapping[str, Pose],
                 lengths: Mapping[str, float]) -> Iterator[DrawnFrame]:
    for frame in source.frames.values():
        if frame.pose is not None:
            body = frame.body if frame.body in bodies else None
            X_BF = frame.pose if body is None else bodies[body].inverse() @ frame.pose
            yield DrawnFrame(frame, body or "", X_BF, lengths[_find_root(source, frame.name)])


def _draw_sensors(source: RobotDescription | World, frames: tuple[DrawnFrame, ...], low: Numbers,
                  high: Numbers) -> Iterator[DrawnSensor]:
    """The sensors and lights, which cover at most a quarter of their model or a tenth of all.

    A directional light of a world stands above everything.
    """
    extent = float((high - low).max()) or 1.0
    owners = {drawn.frame.name: drawn for drawn in frames}
    for part in source.parts:
        if part.kind not in ("sensor", "light") or (part.owner and part.owner not in owners):
            continue
        owner = owners.get(part.owner or "")
        kind = part.find("@type")
        body, length = (owner.body, owner.length) if owner else ("", _AXIS * extent)
        X = (owner.X_BF if owner else Pose()) @ (part.pose or Pose())
        if not body and kind == "directional":
            X = Pose((*(low[:2] + high[:2]) / 2, high[2] + 0.15 * extent), X.quat_wxyz)
        name = part.name.rpartition("::")[2]
        kind = f"{kind} light" if part.kind == "light" else kind or "sensor"
        outline = outline_part(part, max(length / (4 * _AXIS), extent / 10))
        text = f"{keep_end(name, _LONGEST_NAME)} ({keep_end(kind, _LONGEST_NAME)})"
        yield DrawnSensor(DrawnFrame(Frame(part.name, part.kind, body, None), body, X, length),
                          DrawnLabel(body, X.xyz, text), (X @ Pose(outline)).xyz)


def _draw_inertias(inertias: Mapping[str, Inertia], bodies: Mapping[str, Pose]) -> Iterator[DrawnInertia]:
    for name, inertia in inertias.items():
        if name in bodies and (box := inertia.equivalent_box()) is not None:
            yield DrawnInertia(name, *box)


def _find_root(source: RobotDescription | World, name: str) -> str:
    """The model of a world that has a link or frame; of a root model, all are one."""
    return name.partition("::")[0] if isinstance(source, World) or source.worlds else ""


def _measure(source: RobotDescription | World, bodies: Mapping[str, Pose],
             shapes: tuple[DrawnShape, ...]) -> tuple[Numbers, dict[str, float]]:
    """The points of a scene, and the length of axes in each model."""
    points: dict[str, list[Numbers]] = {}
    only_flat = not any(has_depth(surface) for shape in shapes for surface in shape.surfaces)
    for frame in source.frames.values():
        if frame.pose is not None:
            points.setdefault(_find_root(source, frame.name), []).append(frame.pose.xyz[None])
    for shape in shapes:
        M = (bodies[shape.body] @ shape.X_BS).matrix
        for surface in shape.surfaces:
            if has_depth(surface) or (only_flat and surface.extents is not None):
                corners = np.array([*product(*zip(*surface.bounds))]) @ M[:3, :3].T + M[:3, 3]
                points.setdefault(_find_root(source, shape.body), []).append(corners)
    clouds = {root: np.concatenate(found) for root, found in points.items()}
    whole = np.concatenate([np.zeros((1, 3)), *clouds.values()])  # the origin is the frame of the model or world
    extent = float(np.ptp(whole, axis=0).max()) or 1.0
    lengths = {root: _AXIS * max(float(np.ptp(cloud, axis=0).max()), 0.05 * extent) for root, cloud in clouds.items()}
    return whole, lengths


def _write_label(drawn: list[DrawnFrame]) -> str:
    """``wrist_link +1``: the last frame counts, because a fixed joint's stands before that of the link behind it."""
    name = min(reversed(drawn), key=lambda one: _FIRST.index(one.frame.kind)).frame.name
    shown = keep_end(name, _LONGEST_NAME)
    return f"{shown} +{len(drawn) - 1}" if len(drawn) > 1 else shown


def keep_end(text: str, most: int) -> str:
    """Leave out the beginning of a text with more than `most` letters."""
    return text if len(text) <= most else "…" + text[-most:]
