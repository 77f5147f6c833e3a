"""A description as things to draw, each at a fixed pose in the frame of a link."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.elements import Frame, Joint, Link, Shape
from sdf_frames.api.inertias import Inertia
from sdf_frames.api.pose import Pose
from sdf_frames.api.scene import World
from sdf_frames.inertia.boxes import find_equivalent_box
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.inertia.triangles import Surface
from sdf_frames.view.surfaces import SurfaceReader

#: What can be switched on and off, in the order in which the page lists it.
LAYERS = ("visuals", "collisions", "frames", "names", "joints", "inertia")
Colour = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DrawnShape:
    """A visual or collision.

    Attributes
    ----------
    layer : ``visuals`` or ``collisions``.
    name : ``link::shape``.
    body : the link that carries the shape.
    X_BS : pose of the shape in the link.
    surfaces : triangles in the shape's frame, metres.
    colour : r, g, b, a from 0 to 1; None where the surfaces have colours of their own, or no colour is stated.
    problem : why a small box stands for a mesh; None if nothing is missing.
    """

    layer: str
    name: str
    body: str
    X_BS: Pose
    surfaces: tuple[Surface, ...]
    colour: Colour | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class DrawnFrame:
    """A frame at the pose `X_BF` in the link `body` ("": in the world or root model)."""

    frame: Frame
    body: str
    X_BF: Pose


@dataclass(frozen=True, slots=True)
class DrawnInertia:
    """The uniform box with a link's mass and inertia; its centre is the centre of mass. ``size`` in metres."""

    body: str
    mass: float
    X_BI: Pose
    size: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to draw of a world or root model.

    Attributes
    ----------
    source : what was loaded.
    bodies : pose of each link at zero joint positions.
    shapes, frames, joints, inertias : what to draw.
    extent : longest side in metres of the box around all frames and shapes.
    """

    source: RobotDescription | World
    bodies: dict[str, Pose]
    shapes: tuple[DrawnShape, ...]
    frames: tuple[DrawnFrame, ...]
    joints: tuple[Joint, ...]
    inertias: tuple[DrawnInertia, ...]
    extent: float

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


def build_scene(source: RobotDescription | World, inertias: Mapping[str, Inertia] | None = None) -> Scene:
    """Collect what there is to draw, with meshes read.

    Parameters
    ----------
    source : the description; of one with several worlds, each world is a scene of its own.
    inertias : of the links, by name; None to draw none.
    """
    bodies = {name: link.pose for name, link in source.links.items() if link.pose is not None}
    reader = SurfaceReader()
    shapes = tuple([shape for name in bodies for shape in _draw_shapes(source.links[name], reader)])
    joints = tuple([joint for joint in source.joints.values() if joint.pose is not None])
    frames = tuple(_draw_frames(source, bodies))
    boxes = tuple(_draw_inertias(inertias or {}, bodies))
    return Scene(source, bodies, shapes, frames, joints, boxes, _find_extent(bodies, shapes, frames))


def build_scenes(robot: RobotDescription) -> list[Scene]:
    """The scenes of a description: of each world, or of the one root model; none if it could not be read."""
    if not robot.frames:
        return []
    sources: list[RobotDescription | World] = [*robot.worlds.values()] if len(robot.worlds) > 1 else [robot]
    return [build_scene(source, robot.inertias() if number == 0 else None) for number, source in enumerate(sources)]


def _draw_shapes(link: Link, reader: SurfaceReader) -> Iterator[DrawnShape]:
    shapes: list[tuple[str, Shape]] = [("visuals", shape) for shape in link.visuals]
    shapes += [("collisions", shape) for shape in link.collisions]
    for layer, shape in shapes:
        if shape.geometry is None or shape.pose is None:
            continue
        surfaces, problem = reader.read(shape.geometry, shape.path)
        if surfaces:
            yield DrawnShape(layer, f"{link.name}::{shape.name}", link.name, shape.pose, tuple(surfaces), shape.colour,
                             problem)


def _draw_frames(source: RobotDescription | World, bodies: Mapping[str, Pose]) -> Iterator[DrawnFrame]:
    for frame in source.frames.values():
        if frame.pose is not None:
            body = frame.body if frame.body in bodies else None
            X_BF = frame.pose if body is None else bodies[body].inverse() @ frame.pose
            yield DrawnFrame(frame, body or "", X_BF)


def _draw_inertias(inertias: Mapping[str, Inertia], bodies: Mapping[str, Pose]) -> Iterator[DrawnInertia]:
    for name, inertia in inertias.items():
        if name not in bodies or not inertia.physical:
            continue
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tensor.tolist()
        x, y, z = inertia.com.tolist()
        X_BC = (x, y, z, 1.0, 0.0, 0.0, 0.0)
        box = find_equivalent_box(LinkInertia(name, inertia.mass, X_BC, (xx, yy, zz, xy, xz, yz)))
        if box is not None:
            yield DrawnInertia(name, inertia.mass, Pose(box.X[:3], box.X[3:]), box.size)


def _find_extent(bodies: Mapping[str, Pose], shapes: tuple[DrawnShape, ...], frames: tuple[DrawnFrame, ...]) -> float:
    """Longest side of the box around frames and shapes, without planes, which have no end."""
    points = [drawn.frame.pose.xyz for drawn in frames if drawn.frame.pose is not None]
    for shape in shapes:
        M = (bodies[shape.body] @ shape.X_BS).matrix
        for surface in shape.surfaces:
            if surface.extents is not None and surface.extents.min() > 0:
                points.extend(surface.bounding_box.vertices @ M[:3, :3].T + M[:3, 3])
    spread = float(np.ptp(np.array(points), axis=0).max()) if points else 0.0
    return spread or 1.0
