"""Draws pictures in a separate process: without OpenGL, VTK ends its process."""
from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any

from sdf_frames.api.pose import Pose
from sdf_frames.view.scene import DrawnScene

#: The message of the process after it has drawn a first, empty picture.
_READY = b"\n"
#: On Debian 12, libegl1 comes without the driver that draws in software.
_HINT = ": apt-get install libegl1 libgl1-mesa-dri"


class NoPicture(RuntimeError):
    """No picture can be drawn on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class _Still:
    """Replaces the description of a scene; it has the poses of links in the picture."""

    found: Mapping[str, Pose]

    def poses(self, _: Mapping[str, Any]) -> Mapping[str, Pose]:
        return self.found


def render_picture(scenes: Iterable[DrawnScene], layers: Iterable[str] = ("visuals", "frames"), view: str = "iso",
                   size: tuple[int, int] = (1200, 900), positions: Mapping[str, Any] | None = None) -> bytes:
    """Draw scenes as :func:`sdf_frames.view.painter.draw_picture` does, and return the bytes of a PNG.

    Raises
    ------
    NoPicture
        There is no OpenGL, or the process ended for another reason.
    """
    layers = tuple(layers)
    still = [_hold_still(scene, layers, positions or {}) for scene in scenes]
    code = f"import sys; sys.path[:] = {sys.path!r}; from sdf_frames.view.rendering import serve; serve()"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps((still, layers, view, size, positions)),
                          capture_output=True, check=False)
    if done.returncode == 1:  # an exception
        raise RuntimeError(done.stderr.decode(errors="replace"))
    if done.returncode and not done.stdout:
        raise NoPicture("no OpenGL on this machine" + _HINT * (sys.platform == "linux"))
    if done.returncode:
        raise NoPicture(f"the process that draws the picture ended with status {done.returncode}")
    return done.stdout.removeprefix(_READY)


def _hold_still(scene: DrawnScene, layers: tuple[str, ...], positions: Mapping[str, Any]) -> DrawnScene:
    """Return a scene that can be sent to another process: its description has only the poses of links."""
    source: Any = _Still(scene.place(positions))
    sensors = tuple(scene.list_sensors()) if "sensors" in layers else ()
    return replace(scene, source=source, masses={}, list_sensors=partial(tuple, sensors), root=None)


def serve() -> None:
    """Read the request for a picture from standard input, and write the picture to standard output."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # text that a library prints is not part of the picture
    asked = pickle.load(sys.stdin.buffer)
    from sdf_frames.view.painter import draw_picture
    draw_picture((), size=(16, 16))
    answer.write(_READY)
    answer.flush()
    answer.write(draw_picture(*asked))
    answer.close()


def encode_picture(png: bytes, name: str) -> bytes:
    """Return the picture in the format of a file's suffix: a JPEG, or the PNG as it is."""
    if name.lower().endswith(".png"):
        return png
    from PIL import Image
    picture = BytesIO()
    Image.open(BytesIO(png), formats=("PNG",)).convert("RGB").save(picture, "JPEG", quality=90)
    return picture.getvalue()
