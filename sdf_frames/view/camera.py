"""The camera of a page: its position and target."""
from __future__ import annotations

from collections.abc import Sequence
from math import tan
from typing import Any

import numpy as np
import viser

from sdf_frames.view.nodes import SceneNodes
from sdf_frames.view.scene import BACKGROUND, Numbers

#: Vertical field of view in radians: that of a 50 mm lens, which does not distort robots.
LENS = 0.7
#: Width or height of the page, relative to that of the points: the axes of frames reach beyond their origins.
MARGIN = 1.2
#: The direction to the camera; viser's camera turns around z, and cannot be straight above.
VIEWS = {"all": (0.8, -0.66, 0.5), "front": (1.0, 0.0, 0.0), "side": (0.0, -1.0, 0.0), "top": (-0.001, 0.0, 1.0)}


def look_at(server: viser.ViserServer, drawn: Sequence[SceneNodes]) -> None:
    """Aim the camera of everybody who opens the page at scenes, with a grid below the first scene."""
    scene = drawn[0].scene
    middle, extent = (scene.low + scene.high) / 2, scene.extent
    server.initial_camera.fov = LENS
    aim(server.initial_camera, np.concatenate([nodes.points for nodes in drawn]), VIEWS["all"])
    server.scene.set_background_image(np.full((1, 1, 3), BACKGROUND, dtype=np.uint8), format="png")
    server.scene.add_grid("/grid", width=4 * extent, height=4 * extent, cell_size=extent / 5, section_size=extent,
                          position=(middle[0], middle[1], scene.low[2] if scene.low[2] < 0 else 0.0))


def go_to(camera: Any, points: Numbers) -> None:
    """Aim a person's camera at points (N, 3) from its direction, with some surroundings."""
    aim(camera, points, camera.position - camera.look_at, camera.aspect, 1.5 * MARGIN)


def aim(camera: Any, points: Numbers, direction: Numbers | tuple[float, ...], aspect: float = 1.0,
        margin: float = MARGIN) -> None:
    """Aim a camera at points (N, 3), in metres, so that they fill the page.

    Parameters
    ----------
    direction : (3,) from the points to the camera, of any length.
    aspect : width of the page, relative to its height.
    margin : width or height of the page, relative to that of the points.
    """
    back = np.asarray(direction) / np.linalg.norm(direction)
    right = np.cross((0.0, 0.0, 1.0), back - (1e-9, 0.0, 0.0))  # seen straight from above, x is up
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(back, right), back])
    seen = points @ axes.T  # to the right, up, and towards the camera
    middle, least = (seen.min(axis=0) + seen.max(axis=0)) / 2, 0.05 * (np.linalg.norm(np.ptp(seen, axis=0)) or 1.0)
    for _ in range(4):  # a step sideways changes the angles slightly
        x, y, z = (seen - middle).T
        reach = np.maximum(np.abs(x) / aspect, np.abs(y))
        distance = float((margin * np.maximum(reach, least) / tan(LENS / 2) + z).max())
        for side, slopes in enumerate((x / (distance - z), y / (distance - z))):
            middle[side] += (slopes.min() + slopes.max()) / 2 * distance
    camera.position = (middle + (0.0, 0.0, distance)) @ axes  # this also moves the target
    camera.look_at = middle @ axes
