"""Adds to viser's client, on the page and in the HTML file: lines in front of bodies, and names that do not overlap.

The script draws lines, axes and marks into the nearest twentieth of all depths. There they hide the bodies around
them, and each other as before. If names overlap, the script keeps the chosen name, or else the first one that a search
finds, or else the nearest name, for the view of each window. It shows nothing that the server hides. Collisions and
boxes of inertias, whose faces may coincide with those of visuals, are drawn slightly nearer. On a phone, viser's panel
is as wide as the window, opens with its handle, and is below the robot. The number of a slider has room for 7 decimals.
If a later viser lacks the internals that the script uses, bodies hide lines, and names overlap.
"""
from __future__ import annotations

SCRIPT = """<style>
.mantine-Slider-root + .mantine-NumberInput-root {width: 4.3rem !important}
@media (max-width: 36em) {  /* viser's panel of a phone */
  .mantine-Paper-root[style*="min-height: 3.5em"] {width: 100% !important; max-height: 45% !important}
  .mantine-Paper-root[style*="min-height: 3.5em"] [style*="width: 20em"] {width: 100% !important}
  .mantine-Paper-root [style*="cursor: pointer"][style*="height: 3.5em"]::after {content: "\\2630"; margin-left: .5em}
}</style><script>(() => {
const lines = /^[/][0-9]+[/](frames|tree|joints|limits|sensors|mark|moves)([/]|$)/;
const boxes = /^[/][0-9]+[/](collisions|inertia)[/]/, known = new WeakSet();
const pen = document.createElement("canvas").getContext("2d"), said = document.createElement("div");
let high, open;
pen.font = "12px sans-serif";  // as the largest label
said.style.cssText = "position:absolute;right:1em;bottom:.5em;font:13px sans-serif;color:#444;pointer-events:none";
function bring(part) {
  if (!part.material || known.has(part)) return;
  known.add(part);
  const {onBeforeRender: before, onAfterRender: after} = part;
  part.onBeforeRender = function (renderer, ...more) {
    before.call(this, renderer, ...more);
    renderer.getContext().depthRange(...(renderer.capabilities.reversedDepthBuffer ? [0.95, 1] : [0, 0.05]));
  };
  part.onAfterRender = function (renderer, ...more) {
    renderer.getContext().depthRange(0, 1);
    after.call(this, renderer, ...more);
  };
  window.__viserMutable.requestRender?.();
}
const lift = steps => ({material}) => {
  if (!material || material.polygonOffset) return;
  Object.assign(material, {polygonOffset: true, polygonOffsetFactor: -steps, polygonOffsetUnits: -16 * steps});
  window.__viserMutable.requestRender?.();
};
function makeRoom() {
  const panel = document.querySelector('.mantine-Paper-root[style*="min-height: 3.5em"]'), now = panel?.offsetHeight;
  if (panel && !known.has(panel)) {
    known.add(panel);
    open = now;
    panel.querySelector('[style*="height: 3.5em"]').click();
  }
  if (now < open && now === high) open = Infinity;  // it is folded for the first time
  if (!panel || open === Infinity && now === high)
    document.getElementById("root").style.height = panel ? `${innerHeight - now}px` : "";
  high = now;
}
function choose({camera, canvas, nodePoseData, nodeRefFromName, requestRender}, state) {
  const names = [], seen = [], {clientWidth: width, clientHeight: height} = canvas;
  for (const [name, node] of Object.entries(state)) {
    const layer = name.replace(/[/][^/]*$/, ""), place = nodePoseData[name]?.position, carrier = nodeRefFromName[layer];
    if (node.message.type !== "LabelMessage" || !place || !carrier || !state[layer].effectiveVisibility
        || (node.overrideVisibility ?? node.visibility) === false) continue;
    const there = carrier.localToWorld(camera.position.clone().set(...place));
    const depth = -there.clone().applyMatrix4(camera.matrixWorldInverse).z;
    const {x, y} = there.project(camera), {text, anchor} = node.message.props, w = pen.measureText(text).width + 3;
    const low = [(x + 1) / 2 * width - anchor.includes("right") * w,
                 (1 - y) / 2 * height - anchor.includes("bottom") * 17], high = [low[0] + w, low[1] + 17];
    if (depth > 0 && high[0] > 0 && high[1] > 0 && low[0] < width && low[1] < height)
      names.push({node, text, depth, low, high,
        rank: layer.endsWith("/mark") ? Number(name.slice(layer.length + 1)) : Infinity});  // the chosen name is first
  }
  for (const one of names.sort((a, b) => a.rank - b.rank || a.depth - b.depth)) {
    const free = seen.every(({low, high}) => [0, 1].some(i => one.low[i] >= high[i] || one.high[i] <= low[i]));
    if (free) seen.push(one);
    if (one.node.effectiveVisibility !== free) requestRender?.();
    one.node.effectiveVisibility = free;  // the client reads it for each picture, and finds it anew from the server's
  }
  const written = new Set(seen.map(({text}) => text)), missed = names.filter(({text}) => !written.has(text)).length;
  said.textContent = missed ? `${missed} more name${missed > 1 ? "s" : ""}: come nearer` : "";
  if (!said.isConnected) canvas.parentElement.append(said);
}
setInterval(() => {
  const viewer = window.__viserMutable, state = window.__viserSceneTree?.getState();
  for (const [name, node] of Object.entries(viewer?.nodeRefFromName ?? {}))
    if (node && lines.test(name)) node.traverse(bring);
    else if (node && boxes.test(name)) node.traverse(lift(name.includes("/inertia/") ? 2 : 1));
  makeRoom();
  if (viewer?.camera && viewer.canvas && state) choose(viewer, state);
}, 200);
})();</script>"""
