"""The camera of a page: its position and target."""
from __future__ import annotations

from collections.abc import Sequence
from math import tan
from typing import Any

import numpy as np
import viser

from sdf_frames.view.nodes import SceneNodes
from sdf_frames.view.scene import BACKGROUND, Numbers

#: Radians that the camera sees from the lower to the upper edge: as a lens of 50 mm, which bends no robot.
LENS = 0.7
#: Width or height of the page over that of the points: axes of frames reach beyond theirs.
MARGIN = 1.2
#: The side on which the camera stands; viser's turns around z, and cannot stand straight above.
VIEWS = {"all": (0.8, -0.66, 0.5), "front": (1.0, 0.0, 0.0), "side": (0.0, -1.0, 0.0), "top": (-0.001, 0.0, 1.0)}


def look_at(server: viser.ViserServer, drawn: Sequence[SceneNodes]) -> None:
    """Have everybody who opens the page see scenes, with a grid below the first."""
    scene = drawn[0].scene
    middle, extent = (scene.low + scene.high) / 2, scene.extent
    server.initial_camera.fov = LENS
    aim(server.initial_camera, np.concatenate([nodes.points for nodes in drawn]), VIEWS["all"])
    server.scene.set_background_image(np.full((1, 1, 3), BACKGROUND, dtype=np.uint8), format="png")
    server.scene.add_grid("/grid", width=4 * extent, height=4 * extent, cell_size=extent / 5, section_size=extent,
                          position=(middle[0], middle[1], scene.low[2] if scene.low[2] < 0 else 0.0))


def go_to(camera: Any, points: Numbers) -> None:
    """Have a person see points (N, 3) from where the camera stands, with some of what is around them."""
    aim(camera, points, camera.position - camera.look_at, camera.aspect, 1.5 * MARGIN)


def aim(camera: Any, points: Numbers, direction: Numbers | tuple[float, ...], aspect: float = 1.0,
        margin: float = MARGIN) -> None:
    """Have a camera see points (N, 3), in metres, which fill the page.

    Parameters
    ----------
    direction : (3,) from the points to the camera, of any length.
    aspect : width of the page over its height.
    margin : width or height of the page over that of the points.
    """
    back = np.asarray(direction) / np.linalg.norm(direction)
    right = np.cross((0.0, 0.0, 1.0), back - (1e-9, 0.0, 0.0))  # seen straight from above, x is up
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(back, right), back])
    seen = points @ axes.T  # to the right, up, and towards the camera
    middle, least = (seen.min(axis=0) + seen.max(axis=0)) / 2, 0.05 * (np.linalg.norm(np.ptp(seen, axis=0)) or 1.0)
    for _ in range(4):  # a step aside changes the angles a little
        x, y, z = (seen - middle).T
        reach = np.maximum(np.abs(x) / aspect, np.abs(y))
        distance = float((margin * np.maximum(reach, least) / tan(LENS / 2) + z).max())
        for side, slopes in enumerate((x / (distance - z), y / (distance - z))):
            middle[side] += (slopes.min() + slopes.max()) / 2 * distance
    camera.position = (middle + (0.0, 0.0, distance)) @ axes  # takes along what it looks at
    camera.look_at = middle @ axes
