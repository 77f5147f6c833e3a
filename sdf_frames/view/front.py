"""Lines and axes in front of bodies, in which they lie, on the page and in the HTML file.

viser's client has no choice for that. The script draws these layers into the nearest twentieth of all depths: they
hide bodies, and each other as before. On a page of another viser, without these internals, bodies hide them.
"""
from __future__ import annotations

FRONT = """<script>(() => {
const lines = /^[/][0-9]+[/](frames|tree|joints|limits|sensors|mark|moves)([/]|$)/, known = new WeakSet();
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
setInterval(() => {
  for (const [name, node] of Object.entries(window.__viserMutable?.nodeRefFromName ?? {}))
    if (node && lines.test(name)) node.traverse(bring);
}, 200);
})();</script>"""
