"""Controls of a page that is one HTML file: switches for layers and sliders for joints, without a server.

viser's client plays recorded messages. The controls send it more messages of the same kind.
"""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite
from typing import Any

import numpy as np

from sdf_frames.api.elements import Joint
from sdf_frames.api.pose import Pose
from sdf_frames.frames.forest import find_top
from sdf_frames.view.camera import LENS, MARGIN, VIEWS
from sdf_frames.view.lines import join_poses
from sdf_frames.view.nodes import SceneNodes
from sdf_frames.view.page_script import SCRIPT
from sdf_frames.view.scene import LAYERS, DrawnScene
from sdf_frames.view.sliders import choose_range

_DIGITS = 7
#: Radians or metres: a mimic joint whose position in joint_states is so near to its leader's follows it.
_SAME = 1e-3
#: Joints that rotate about one axis or slide along it.
_SIMPLE = ("continuous", "prismatic", "revolute")
_CONTROLS = """<style>
body {display: flex; height: 100dvh; overflow: hidden}
#root {flex: 1; min-width: 0; min-height: 0; width: auto !important; height: auto !important; transform: translate(0)}
#controls {flex: 0 0 270px; box-sizing: border-box; overflow: auto; padding: .6em 1em; background: #fff;
  border-left: 1px solid #ccc; font: 14px sans-serif; overflow-wrap: anywhere}
#controls header {display: flex; gap: .3em}
#controls button {flex: 1 0 auto; padding: .3em; border: 1px solid #aaa; border-radius: 4px; background: #f4f6f9}
#controls summary {cursor: pointer; font-weight: bold; margin: .5em 0 .3em}
#controls label, #controls p {display: block; margin: .3em 0 .5em}
#controls input[type=range] {width: 100%; margin: .2em 0}
#controls small {display: block; color: #666}
#controls.folded > :not(header) {display: none}
@media (min-width: 36em) {#controls.folded {flex-basis: auto} #controls.folded button:not([name=fold]) {display: none}}
@media (max-width: 36em) {body {flex-direction: column}
  #controls {flex: 0 0 auto; max-height: 45dvh; border-left: 0; border-top: 1px solid #ccc}}
</style><div id="controls"></div>
<script>(() => {
const scenes = $SCENES, box = document.getElementById("controls");
const add = (parent, tag, what) => parent.appendChild(Object.assign(document.createElement(tag), what));
const fold = (textContent, open) => {
  const list = add(box, "details", {open}); add(list, "summary", {textContent}); return list; };
const send = messages => { const viewer = window.__viserMutable;
  if (viewer) { viewer.messageQueue.push(...messages); viewer.requestRender?.(); } };
const dot = (p, q) => p.reduce((sum, v, i) => sum + v * q[i], 0), unit = p => p.map(v => v / Math.sqrt(dot(p, p)));
const cross = ([a, b, c], [x, y, z]) => [b*z-c*y, c*x-a*z, a*y-b*x];
// A function takes about 100,000 arguments; a large world has more points.
const ends = list => list.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
// As `aim` of camera.py.
function fit(direction) {
  const {clientWidth, clientHeight} = window.__viserMutable.canvas, aspect = clientWidth / clientHeight;
  const back = unit(direction), right = unit(cross([0, 0, 1], [back[0] - 1e-9, back[1], back[2]]));
  const axes = [right, cross(back, right), back], seen = findPoints().map(p => axes.map(axis => dot(axis, p)));
  const sides = [0, 1, 2].map(i => ends(seen.map(p => p[i])));
  const middle = sides.map(([low, high]) => (low + high) / 2), size = sides.map(([low, high]) => high - low);
  const least = .05 * (Math.sqrt(dot(size, size)) || 1);
  let distance = 0;
  for (let step = 0; step < 4; step++) {
    const moved = seen.map(p => p.map((v, i) => v - middle[i]));
    distance = ends(moved.map(([x, y, z]) => z + scenes.margin / Math.tan(scenes.lens / 2)
      * Math.max(Math.abs(x) / aspect, Math.abs(y), least)))[1];
    for (const i of [0, 1]) {
      const [low, high] = ends(moved.map(p => p[i] / (distance - p[2])));
      middle[i] += (low + high) / 2 * distance;
    }
  }
  const place = p => [0, 1, 2].map(i => p.reduce((sum, v, k) => sum + v * axes[k][i], 0));
  const [x, y, z] = middle, initial = false;
  send([{type: "SetCameraPositionMessage", position: place([x, y, z + distance]), initial},
    {type: "SetCameraLookAtMessage", look_at: place(middle), initial}]);
}
const head = add(box, "header", {}), press = (name, onclick) => add(head, "button", {name, textContent: name, onclick});
for (const [name, direction] of Object.entries(scenes.views)) press(name, () => fit(direction));
press("zero", () => scenes.scenes.forEach(scene => { scene.joints.forEach(joint => {
  joint.q = Math.min(Math.max(0, joint.low), joint.high); joint.show?.(); }); move(scene); }));
press("fold", () => box.classList.toggle("folded")).textContent = "\u2630";
if (innerWidth <= 576) box.classList.add("folded");
const started = setInterval(() => { const viewer = window.__viserMutable;
  if (viewer?.cameraControl && viewer.canvas && viewer.nodeRefFromName?.["/0"]) {
    clearInterval(started); fit(scenes.views.all); } }, 100);
// Quaternions are w x y z; a pose is [position, quaternion].
const turn = ([w, x, y, z], [a, b, c]) => { const t = [2*(y*c-z*b), 2*(z*a-x*c), 2*(x*b-y*a)];
  return [a+w*t[0]+y*t[2]-z*t[1], b+w*t[1]+z*t[0]-x*t[2], c+w*t[2]+x*t[1]-y*t[0]]; };
const compose = ([p, q], [r, s]) => [turn(q, r).map((v, i) => v + p[i]), [
  q[0]*s[0]-q[1]*s[1]-q[2]*s[2]-q[3]*s[3], q[0]*s[1]+q[1]*s[0]+q[2]*s[3]-q[3]*s[2],
  q[0]*s[2]-q[1]*s[3]+q[2]*s[0]+q[3]*s[1], q[0]*s[3]+q[1]*s[2]-q[2]*s[1]+q[3]*s[0]]];
const REST = [[0, 0, 0], [1, 0, 0, 0]];
function position(joints, joint, seen = new Set()) {
  if (!joint || seen.has(joint)) return 0;  // it is fixed, or joints follow each other in a circle
  const {follows, q} = joint;
  return follows ? follows.k * position(joints, joints[follows.of], seen.add(joint)) + follows.c : q; }
// How far the link below each joint has moved from its place at zero.
function turnJoints(joints) {
  const moved = [];
  for (const joint of joints) {  // parents come first
    const q = position(joints, joint), s = Math.sin(q / 2), turned = [Math.cos(q / 2), ...joint.axis.map(v => v * s)];
    const there = turn(turned, joint.at);
    moved.push(compose(joint.parent < 0 ? REST : moved[joint.parent], joint.slides
      ? [joint.axis.map(v => v * q), REST[1]] : [joint.at.map((v, i) => v - there[i]), turned]));
  }
  return moved;
}
const carry = ({of, X}, moved) => X.map((x, i) =>
  compose(of[i] < 0 ? REST : moved[of[i]], [x.slice(0, 3), x.slice(3)]));
const findPoints = () => scenes.scenes.flatMap(({joints, points, y}) =>
  carry(points, turnJoints(joints)).map(([p]) => [p[0], p[1] + y, p[2]]));
function move({joints, parts}) {
  const moved = turnJoints(joints);
  send(parts.map(part => {
    const poses = carry(part, moved), xyz = Float32Array.from(poses.flatMap(X => X[0]));
    if (part.kind === "label") return {type: "SetPositionMessage", name: part.name, position: poses[0][0], owner: ""};
    return {type: "SceneNodeUpdateMessage", name: part.name, owner: "", updates: part.kind === "points" ? {points: xyz}
      : {batched_positions: xyz, batched_wxyzs: Float32Array.from(poses.flatMap(X => X[1]))}};
  }));
}
if (scenes.problems.length) {
  const list = fold(`Missing: ${scenes.problems.length}`, scenes.problems.length < 4);
  for (const textContent of scenes.problems) add(list, "p", {textContent});
}
const layers = fold("Layers", true);
for (const [layer, on, nodes] of scenes.layers) {
  const label = add(layers, "label", {});
  const input = add(label, "input", {type: "checkbox", checked: on, name: layer});
  label.append(" " + layer);
  input.onchange = () => send(nodes.map(name => ({type: "SetSceneNodeVisibilityMessage", name,
    visible: input.checked, owner: ""})));
}
for (const scene of scenes.scenes) {
  const free = scene.joints.filter(joint => !joint.follows);
  if (!free.length) continue;
  const list = fold(scene.title, free.length < 30);
  for (const joint of free) {
    const label = add(list, "label", {}), said = add(label, "span", {});
    const input = add(label, "input", {type: "range", min: joint.low, max: joint.high, name: joint.name,
      step: (joint.high - joint.low) / 1000, value: joint.q});
    add(label, "small", {textContent: joint.limits});
    joint.show = () => {
      const unit = joint.slides ? "m" : `rad (${Math.round(joint.q * 180 / Math.PI)}\u00b0)`;
      const beyond = joint.q < joint.low || joint.q > joint.high ? ", beyond the slider" : "";
      said.textContent = `${joint.name}: ${joint.q.toFixed(3)} ${unit}${beyond}`;
      input.value = joint.q;
    };
    input.oninput = () => { joint.q = Number(input.value); joint.show(); move(scene); };
    joint.show();
  }
}
})();</script>"""


def add_controls(html: str, drawn: Sequence[SceneNodes], positions: Mapping[str, Any]) -> str:
    """Put switches and sliders into a page.

    Parameters
    ----------
    html : the page of viser's client for `drawn`.
    drawn : nodes with all their layers.
    positions : positions of the joints on the page.
    """
    layers = [(layer, any(nodes.visible[layer] for nodes in drawn), [nodes.tops[layer].name for nodes in drawn])
              for layer in LAYERS if any(nodes.layers[layer] for nodes in drawn)]
    problems = dict.fromkeys(shape.problem for nodes in drawn for shape in nodes.scene.shapes if shape.problem)
    data = json.dumps({
        "layers": layers, "scenes": [_describe(nodes, positions) for nodes in drawn], "problems": [*problems],
        "views": VIEWS, "lens": LENS, "margin": MARGIN})
    title = escape(", ".join(nodes.scene.source.name or "robot" for nodes in drawn))
    head, end, tail = html.replace("<title>Viser</title>", f"<title>{title}</title>", 1).rpartition("</body>")
    return head + _CONTROLS.replace("$SCENES", data.replace("<", "\\u003c")) + SCRIPT + end + tail


def _describe(nodes: SceneNodes, positions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the joints of a scene with a slider, parents first, and the pose of all that they move, at their zero."""
    scene, positions = nodes.scene, nodes.scene.keep_known(positions)
    order, carrier = _find_carriers(scene)
    index = {joint.name: i for i, joint in enumerate(order)}
    others = {name: q for name, q in positions.items() if name not in index}
    X_zero = {**(scene.place({**others, **dict.fromkeys(index, 0.0)}) if others else scene.bodies), "": Pose()}
    moved = {body: X_zero[body] @ X.inverse() for body, X in scene.bodies.items()} if others else {}
    index |= {joint.name: -1 for joint in scene.joints if joint.type == "fixed"}  # which is at zero
    joints = [_describe_joint(joint, moved.get(joint.child, Pose()), index, carrier, positions) for joint in order]
    parts = []
    for part in (part for layer in nodes.layers.values() for part in layer):
        X = join_poses([X_zero[body] for body in part.bodies]) @ part.X
        parts.append({"name": part.node.name, "kind": part.kind, "of": [carrier.get(body, -1) for body in part.bodies],
                      "X": np.round(np.column_stack([X.xyz, X.quat_wxyz]), _DIGITS).tolist()})
    places = (join_poses([moved.get(body, Pose()) for body in scene.movers]) @ Pose(scene.points)).xyz
    points = {"of": [carrier.get(body, -1) for body in scene.movers],
              "X": [[*xyz, 1, 0, 0, 0] for xyz in np.round(places, _DIGITS).tolist()]}
    return {"title": f"Joints of {scene.source.name or 'the model'}", "joints": joints, "parts": parts,
            "points": points, "y": float(nodes.root.position[1])}


def _find_carriers(scene: DrawnScene) -> tuple[list[Joint], dict[str, int]]:
    """Return the joints with sliders, parents first, and for each link the last such joint between it and the root."""
    above: dict[str, Joint] = {}
    higher: dict[str, str] = {}
    for one in sorted(scene.joints, key=lambda joint: not joint.movable):  # a movable joint takes precedence
        if one.child not in above and find_top(higher, one.parent) != one.child:
            above[one.child], higher[one.child] = one, one.parent
    order: list[Joint] = []
    carrier: dict[str, int] = {}
    for body in scene.bodies:
        chain = [body]
        while chain[-1] in above and chain[-1] not in carrier:
            chain.append(above[chain[-1]].parent)
        for link in reversed(chain):
            if link not in carrier:
                joint = above.get(link)
                carrier[link] = carrier.get(joint.parent, -1) if joint else -1
                if joint and joint.movable and joint.type in _SIMPLE and joint.pose is not None:
                    carrier[link] = len(order)
                    order.append(joint)
    return order, carrier


def _describe_joint(joint: Joint, moved: Pose, index: Mapping[str, int], carrier: Mapping[str, int],
                    positions: Mapping[str, Any]) -> dict[str, Any]:
    """Return a joint for the script; its axis, and a point on the axis, in the root with all sliders at zero.

    Joints without sliders have `moved` its child.
    """
    M = (moved @ joint.pose).matrix if joint.pose is not None else np.eye(4)
    low, high, _ = choose_range(joint, 0)
    return {"name": joint.name, "parent": carrier.get(joint.parent, -1), "slides": joint.type == "prismatic",
            "at": M[:3, 3].tolist(), "axis": (M[:3, :3] @ np.asarray(joint.axes[0].xyz)).tolist(),
            "low": low, "high": high, "limits": _write_limits(joint), "q": _choose_position(joint, index, positions),
            "follows": _describe_mimic(joint, index, positions)}


def _choose_position(joint: Joint, index: Mapping[str, int], positions: Mapping[str, Any]) -> float:
    """Return the position that a joint starts with: a leader without a slider has moved it already."""
    mimic = joint.mimic
    if joint.name not in positions and mimic is not None and mimic.joint not in index:
        led = np.ravel(positions.get(mimic.joint, (0.0, 0.0)))
        if mimic.axis < led.size <= 2:  # else the leader's position is no number for each axis
            return float(mimic.multiplier * led[mimic.axis] + mimic.offset)
    return float(positions.get(joint.name, 0.0))


def _describe_mimic(joint: Joint, index: Mapping[str, int], positions: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return how a joint follows another one; None if it does not, or has another position than it would follow to."""
    if (mimic := joint.mimic) is None or mimic.axis > 0 or mimic.joint not in index:  # in which all have one axis
        return None
    followed = mimic.multiplier * positions.get(mimic.joint, 0.0) + mimic.offset
    is_led = abs(positions.get(joint.name, followed) - followed) < _SAME
    return {"of": index[mimic.joint], "k": mimic.multiplier, "c": mimic.offset} if is_led else None


def _write_limits(joint: Joint) -> str:
    """Return limits as text: ``-1.57 to 1.57 rad``, or ``no limits``."""
    limits, unit = joint.limits, "m" if joint.type == "prismatic" else "rad"
    limited = isfinite(limits.lower) or isfinite(limits.upper)
    return f"{limits.lower:.4g} to {limits.upper:.4g} {unit}" if limited else "no limits"
