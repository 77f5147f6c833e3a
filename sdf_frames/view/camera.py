"""The camera of a page: where it stands, and what it looks at."""
from __future__ import annotations

from typing import Any

import numpy as np
import viser

from sdf_frames.view.scene import BACKGROUND, DrawnScene, Numbers

#: Radians that the camera sees from the lower to the upper edge: as a lens of 50 mm, which bends no robot.
_LENS = 0.7
#: Width over height of a window that shows a row of robots beside its controls.
_WIDE = 1.3
#: From what is looked at to the camera, over 1.2 times the size of what is looked at. Seen from above, x is up.
VIEWS = {"all": (0.8, -0.66, 0.5), "front": (1.15, 0.0, 0.0), "side": (0.0, -1.15, 0.0), "top": (-0.001, 0.0, 1.15)}


def look_at(server: viser.ViserServer, scene: DrawnScene, aside: float = 0.0) -> None:
    """Have everybody who opens the page see a scene, with a grid below it; `aside` as in :func:`aim`."""
    middle, extent = (scene.low + scene.high) / 2, scene.extent
    server.initial_camera.fov = _LENS
    aim(server.initial_camera, np.array([scene.low, scene.high]), np.array(VIEWS["all"]), aside)
    server.scene.set_background_image(np.full((1, 1, 3), BACKGROUND, dtype=np.uint8), format="png")
    server.scene.add_grid("/grid", width=4 * extent, height=4 * extent, cell_size=extent / 5, section_size=extent,
                          position=(middle[0], middle[1], scene.low[2] if scene.low[2] < 0 else 0.0))


def go_to(camera: Any, points: Numbers, direction: Numbers | None = None) -> None:
    """Have a person see points (N, 3) from a direction, as in :func:`aim`.

    Without a direction, the camera keeps its direction, and shows more around the points. In a narrow window, it stands
    farther away.
    """
    if direction is None:
        back = camera.position - camera.look_at
        direction = 2.0 * back / np.linalg.norm(back)
    aim(camera, points, direction * max(1.0, _WIDE / camera.aspect))


def aim(camera: Any, points: Numbers, direction: Numbers, aside: float = 0.15) -> None:
    """Have a camera see points (N, 3), in metres, from a `direction` (3,).

    The distance is 1.2 times the size of the points times the length of the direction. The points are left of the
    middle by the part `aside` of their size, since controls cover the right.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    size = float(np.linalg.norm(high - low)) or 1.0
    right = np.cross((0.0, 0.0, 1.0), direction)  # of a camera straight above, nothing
    target = (low + high) / 2 + aside * size * right / (np.linalg.norm(right) or 1.0)
    camera.position = target + 1.2 * size * direction  # takes along what it looks at
    camera.look_at = target
