"""Which names are written: of those that would cover each other, the nearest."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from math import tan
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

import numpy as np

from sdf_frames.api.pose import Pose
from sdf_frames.view.scene import Numbers

if TYPE_CHECKING:
    from sdf_frames.view.nodes import SceneNodes

#: Pixels between letters, and between lines, of a label of the page; and those around its text.
_LETTER, _AROUND = (6, 17), 6
#: Pixels of the page from top to bottom. viser tells those of its picture alone, which are others on many screens.
_HEIGHT = 800
#: Seconds between two choices while the camera or the joints move.
_WAIT = 0.2


def choose_labels(boxes: Numbers) -> list[int]:
    """Choose the labels that cover none of those before them; `boxes` (N, 4) are left, top, right and bottom."""
    chosen, left = list[int](), np.arange(len(boxes))
    while len(left):
        chosen.append(int(left[0]))
        box, others = boxes[left[0]], boxes[left]
        apart = (others[:, :2] >= box[2:]).any(axis=1) | (others[:, 2:] <= box[:2]).any(axis=1)
        left = left[1:][apart[1:]]
    return chosen


class PageLabels:
    """The labels of a page, as the camera that moved last sees them: all people at a page see the same.

    `list_nodes` lists what is on the page. `say` is called with the number of labels that are left out, but for those
    whose text is written elsewhere.
    """

    def __init__(self, list_nodes: Callable[[], Iterable[SceneNodes]], say: Callable[[int], None]):
        self._list_nodes, self._say = list_nodes, say
        self._camera: Any = None
        self._timer: Timer | None = None
        self._lock = Lock()

    def update(self, camera: Any = None) -> None:
        """Choose soon, and once for all that happens until then; `camera` is one that moved."""
        with self._lock:
            self._camera = camera or self._camera
            if self._timer is None:
                self._timer = Timer(_WAIT, self._run)
                self._timer.daemon = True
                self._timer.start()

    def _run(self) -> None:
        with self._lock:
            self._timer, camera = None, self._camera
        if camera is not None:
            self.choose(camera)

    def choose(self, camera: Any) -> None:
        """Show the labels that do not cover each other: first those of marks, then those that are nearer."""
        labels = [label for nodes in self._list_nodes() for label in nodes.list_labels()]
        if not labels:
            self._say(0)
            return
        nodes, places, first = zip(*labels)
        seen = (Pose(camera.position, camera.wxyz).inverse() @ Pose(places)).xyz  # to the right, down, ahead
        half = seen[:, 2] * tan(camera.fov / 2)
        inside = (np.abs(seen[:, 1]) < half) & (np.abs(seen[:, 0]) < half * camera.aspect)
        order = np.lexsort((np.linalg.norm(seen, axis=1), np.logical_not(first)))
        order = order[inside[order]]
        sizes = np.array([(_LETTER[0] * len(node.text) + _AROUND, _LETTER[1]) for node in nodes])
        before = np.array([("right" in node.anchor, "bottom" in node.anchor) for node in nodes])  # the place
        corners = seen[order, :2] / half[order, None] * _HEIGHT / 2 - (before * sizes)[order]
        chosen = set(order[choose_labels(np.hstack([corners, corners + sizes[order]]))].tolist())
        for number, node in enumerate(nodes):
            node.visible = number in chosen
        written = {nodes[number].text for number in chosen}
        self._say(sum(nodes[number].text not in written for number in order))
