"""Draws two descriptions in one scene: common parts are grey, parts only in A orange, parts only in B blue."""
from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np

import sdf_frames as sf
from sdf_frames.api.pose import Pose
from sdf_frames.diagnostics import count_of
from sdf_frames.view.scene import DrawnFrame, DrawnScene, DrawnShape, Numbers

#: r, g, b, a from 0 to 1; the colours also differ in lightness.
SAME, OLD, NEW = (0.78, 0.79, 0.80, 1.0), (0.95, 0.55, 0.10, 0.45), (0.10, 0.30, 0.85, 0.6)
_PANEL = """<details open style="position:fixed;left:1em;top:1em;max-width:30em;max-height:85vh;overflow:auto;z-index:9;
padding:.6em 1em;background:#fffffff0;border:1px solid #ccc;border-radius:6px;font:14px sans-serif">
<summary style="cursor:pointer;font-weight:bold">{title}</summary>
<p><b style="color:#d9730d">&#9632;</b> only {a} &nbsp; <b style="color:#1a4dd9">&#9632;</b> only in {b}, or changed
<b style="color:#999">&#9632;</b> both &nbsp; <b style="color:#c800a0">&#9472;</b> moved</p>
<pre style="white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px">{changes}</pre></details>"""


def overlay_scenes(olds: Sequence[DrawnScene], news: Sequence[DrawnScene], found: sf.Differences,
                   tolerance: float = 1e-6) -> list[DrawnScene]:
    """Put each world or root model of A into one scene with its counterpart in B.

    Parameters
    ----------
    olds, news : the scenes of A and B, from :func:`sdf_frames.view.build_scene.build_scenes`.
    found : the result of :func:`sdf_frames.diff` for A and B.
    tolerance : metres and radians that a link may move and still count as the same.
    """
    if len(olds) == len(news) == 1:
        return [_overlay(olds[0], news[0], found, tolerance)]
    named = {scene.source.name: scene for scene in news}
    return [_overlay(old, named[old.source.name], found, tolerance) for old in olds if old.source.name in named]


def _overlay(old: DrawnScene, new: DrawnScene, found: sf.Differences, tolerance: float) -> DrawnScene:
    """Build one scene: the names of bodies are ``A`` or ``B`` with the link's name; it has only changed frames."""
    names = {change.name: change.new for change in found if change.what == "renamed"}
    there = {(old_name, names.get(old_name, old_name)) for old_name in old.bodies}
    pairs = {new_name: old_name for old_name, new_name in there if new_name in new.bodies
             and old.bodies[old_name].is_close(new.bodies[new_name], tolerance)}
    only_collisions = {change.subject for change in found} & {"visual", "collision"} == {"collision"}
    ours, theirs = (_choose_shapes(scene, only_collisions) for scene in (old, new))
    changed = {change.name for change in found if change.subject in ("visual", "collision")}
    same: set[int] = set()
    for shape in theirs:
        twin = next((p for p in ours if p.body == pairs.get(shape.body) and id(p) not in same
                     and _is_same(p, shape, tolerance)), None)
        if twin is not None:  # drawn once, as new if its colour or another setting differs
            same |= {id(twin)} if twin.name in changed else {id(shape), id(twin)}
    shapes = [replace(p, body=f"A {p.body}", colour=OLD) for p in ours if id(p) not in same]
    shapes += [replace(q, body=f"B {q.body}", colour=SAME if id(q) in same else NEW) for q in theirs]
    touched = {change.name for change in found}
    after = {drawn.frame.name: drawn.frame.pose for drawn in new.frames}
    frames = [replace(drawn, body=drawn.body and f"A {drawn.body}") for drawn in old.frames
              if (name := drawn.frame.name) in touched and not _stays(drawn, after.get(names.get(name, name)))]
    frames += [replace(drawn, body=drawn.body and f"B {drawn.body}") for drawn in new.frames
               if drawn.frame.name in touched | {names[name] for name in touched & set(names)}]
    frames = [replace(drawn, frame=replace(drawn.frame, name=f"{given} ({drawn.frame.name})"))
              if (given := drawn.frame.urdf_name) else drawn for drawn in frames]
    bodies = {f"{side} {name}": X for side, scene in (("A", old), ("B", new)) for name, X in scene.bodies.items()}
    points = np.concatenate([old.points, new.points])
    return DrawnScene(new.source, bodies, tuple(shapes), tuple(frames), (), (), points, ("",) * len(points),
                      _find_moves(old, new, found, names))


def _choose_shapes(scene: DrawnScene, only_collisions: bool) -> list[DrawnShape]:
    """Yield the visuals; the collisions of links without visuals, or if only the collisions differ."""
    seen = set[str]() if only_collisions else {shape.body for shape in scene.shapes if shape.layer == "visuals"}
    return [replace(shape, layer="visuals", problem=None) for shape in scene.shapes
            if shape.layer == ("visuals" if shape.body in seen else "collisions")]


def _is_same(p: DrawnShape, q: DrawnShape, tolerance: float) -> bool:
    """Return whether two shapes have the same triangles at the same place of their links."""
    return len(p.surfaces) == len(q.surfaces) and p.X_BS.is_close(q.X_BS, tolerance) and all(
        s.vertices.shape == t.vertices.shape and np.allclose(s.vertices, t.vertices, rtol=0, atol=tolerance)
        for s, t in zip(p.surfaces, q.surfaces))


def _stays(drawn: DrawnFrame, X: Pose | None) -> bool:
    return X is not None and drawn.frame.pose is not None and X.is_close(drawn.frame.pose, 1e-6)


def _find_moves(old: DrawnScene, new: DrawnScene, found: sf.Differences, names: dict[str, str]) -> Numbers:
    places: list[dict[str, Pose]] = [{d.frame.name: d.frame.pose for d in scene.frames if d.frame.pose is not None}
                                     for scene in (old, new)]
    moved = [change.name for change in found if (change.subject, change.what) == ("frame", "pose")]
    ends = [(places[0][name].xyz, places[1][names.get(name, name)].xyz) for name in moved
            if name in places[0] and names.get(name, name) in places[1]]
    return np.array(ends).reshape(-1, 3)


def list_changes(html: str, found: sf.Differences) -> str:
    """Insert the list of differences and the meaning of the colours into a page of an overlay."""
    count = count_of(len(found), "difference") if found else "no differences"
    a, b = (escape(os.path.basename(name or "text")) for name in (found.a, found.b))
    panel = _PANEL.format(title=f"{a} &rarr; {b}: {count}", a=a, b=b, changes=escape(str(found)) if found else "")
    head, end, tail = html.rpartition("</body>")
    return f"{head}{panel}{end}{tail}"
