"""Builds the scenes of a description: collects the parts to draw, and reads their meshes."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
from trimesh import creation

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.elements import Frame, Link, Shape
from sdf_frames.api.inertias import Inertia
from sdf_frames.api.pose import Pose
from sdf_frames.api.scene import World
from sdf_frames.view.colours import has_colours
from sdf_frames.view.outlines import outline_part
from sdf_frames.view.scene import (
    COLOURS,
    LONGEST_NAME,
    DrawnFrame,
    DrawnInertia,
    DrawnLabel,
    DrawnScene,
    DrawnSensor,
    DrawnShape,
    Numbers,
    keep_end,
)
from sdf_frames.view.surfaces import PLACEHOLDER, SurfaceReader
from sdf_frames.view.triangles import has_depth

#: r, g, b, a from 0 to 1 of a collision that replaces visuals.
_STAND_IN = (*[value / 255 for value in COLOURS["collisions"]], 0.6)
#: Length of a frame's axes, relative to the longest side of the model around it.
_AXIS = 0.06


def build_scene(source: RobotDescription | World, inertias: Mapping[str, Inertia] | None = None,
                most_faces: int | None = None, as_sdf: bool = False) -> DrawnScene:
    """Collect the parts to draw, and read their meshes.

    Parameters
    ----------
    source : the description; each of several worlds is a separate scene.
    inertias : the inertias of the links, by name; None to draw none.
    most_faces : most triangles of a part of a mesh; parts with more are decimated.
    as_sdf : for a URDF, draw the links of its SDF, not those of the file.
    """
    links, by_name = (source.sdf_links, source.sdf_joints) if as_sdf else (source.links, source.joints)
    bodies = {name: link.pose for name, link in links.items() if link.pose is not None}
    reader = SurfaceReader(most_faces=most_faces, door=source._description.resolver.door)
    shapes = tuple([shape for name in bodies for shape in _draw_shapes(links[name], reader, source.kind)])
    joints = tuple([joint for joint in by_name.values() if joint.pose is not None])
    points, movers, lengths = _measure(source, bodies, shapes)
    low, high = points.min(axis=0), points.max(axis=0)
    frames = tuple(_draw_frames(source, bodies, lengths))
    extent = float((high - low).max()) or 1.0
    box = creation.box((max(min(PLACEHOLDER, extent / 40), extent / 100),) * 3)  # boxes do not overlap
    shapes = tuple([replace(shape, surfaces=(box,)) if shape.is_box else shape for shape in shapes])
    return DrawnScene(source, bodies, shapes, frames, joints, tuple(_draw_inertias(inertias or {}, bodies)), points,
                      movers, masses=inertias or {}, list_sensors=partial(_draw_sensors, source, frames, low, high),
                      root=_find_still_root(source))


def build_scenes(robot: RobotDescription, most_faces: int | None = None, as_sdf: bool = False) -> list[DrawnScene]:
    """Build the scenes of a description: of each world, or of the root model; none if it could not be read.

    `most_faces` and `as_sdf` are those of :func:`build_scene`.
    """
    if not robot.frames:
        return []
    sources: list[RobotDescription | World] = [*robot.worlds.values()] if len(robot.worlds) > 1 else [robot]
    inertias = robot.inertias() if as_sdf or robot.kind == "sdf" else _list_stated(robot.links.values())
    return [build_scene(source, inertias if number == 0 else None, most_faces, as_sdf)
            for number, source in enumerate(sources)]


def _list_stated(links: Iterable[Link]) -> dict[str, Inertia]:
    """Return the declared inertias of the links of a URDF; a box without mass has no size."""
    return {link.name: Inertia(link.mass, link.com, link.inertia, "declared", True) for link in links
            if link.mass and link.mass > 0 and link.com is not None and link.inertia is not None}


def _draw_shapes(link: Link, reader: SurfaceReader, kind: str | None) -> Iterator[DrawnShape]:
    """Yield the shapes of a link. Its collisions replace its visuals if no visual can be drawn."""
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
    """Yield the shapes of a layer. As in RViz, colours of a mesh file take precedence over a URDF's material."""
    for number, shape in enumerate(shapes, 1):
        if shape.geometry is None or shape.pose is None:
            continue
        name = shape.name or f"{layer.removesuffix('s')}[{number}]"  # the name that `diff` uses
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
    """Yield the sensors and lights, whose lines cover at most a quarter of their model or a tenth of the scene.

    A directional light of a world is above everything.
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
        text = f"{keep_end(name, LONGEST_NAME)} ({keep_end(kind, LONGEST_NAME)})"
        yield DrawnSensor(DrawnFrame(Frame(part.name, part.kind, body, None), body, X, length),
                          DrawnLabel(body, X.xyz, text), (X @ Pose(outline)).xyz)


def _draw_inertias(inertias: Mapping[str, Inertia], bodies: Mapping[str, Pose]) -> Iterator[DrawnInertia]:
    for name, inertia in inertias.items():
        if name in bodies and (box := inertia.equivalent_box()) is not None:
            yield DrawnInertia(name, *box)


def _find_root(source: RobotDescription | World, name: str) -> str:
    """Return the model of a world that contains a link or frame; in a root model, all belong together."""
    return name.partition("::")[0] if isinstance(source, World) or source.worlds else ""


def _find_still_root(source: RobotDescription | World) -> tuple[str, Pose] | None:
    """Return :attr:`DrawnScene.root`."""
    model = None if isinstance(source, World) else source.models.get("__model__")
    if model is None or model.canonical_link is None:
        return None
    above: dict[str, str] = {}
    for joint in source.sdf_joints.values():
        above.setdefault(joint.child, joint.parent)
    root = model.canonical_link
    while root in above:
        root = above.pop(root)  # so that a loop ends
    frame = source.frames.get(root)
    return None if root == model.canonical_link or frame is None or frame.pose is None else (root, frame.pose)


def _measure(source: RobotDescription | World, bodies: Mapping[str, Pose],
             shapes: tuple[DrawnShape, ...]) -> tuple[Numbers, tuple[str, ...], dict[str, float]]:
    """Return the points of a scene, the link that moves each point, and the length of axes in each model."""
    found: list[tuple[str, str, Numbers]] = []  # model, link, points
    only_flat = not any(has_depth(surface) for shape in shapes for surface in shape.surfaces)
    for frame in source.frames.values():
        if frame.pose is not None:
            body = frame.body if frame.body and frame.body in bodies else ""
            found.append((_find_root(source, frame.name), body, frame.pose.xyz[None]))
    for shape in shapes:
        M = (bodies[shape.body] @ shape.X_BS).matrix
        for surface in shape.surfaces:
            if has_depth(surface) or (only_flat and surface.extents is not None):
                corners = np.array([*product(*zip(*surface.bounds))]) @ M[:3, :3].T + M[:3, 3]
                found.append((_find_root(source, shape.body), shape.body, corners))
    # The origin is the frame of the model or world.
    whole = np.concatenate([np.zeros((1, 3)), *[xyz for *_, xyz in found]])
    movers = ("", *[body for _, body, xyz in found for _ in xyz])
    extent = float(np.ptp(whole, axis=0).max()) or 1.0
    clouds: dict[str, list[Numbers]] = {}
    for root, _, xyz in found:
        clouds.setdefault(root, []).append(xyz)
    lengths = {root: _AXIS * max(float(np.ptp(np.concatenate(cloud), axis=0).max()), 0.05 * extent)
               for root, cloud in clouds.items()}
    return whole, movers, lengths
