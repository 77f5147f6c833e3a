"""Upload and download: the controls of the page by which files come and go."""
from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import viser

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.errors import InvalidDescription
from sdf_frames.view.upload import UploadRefused, load_upload, unpack_upload

_WELCOME = "Upload a .urdf, .sdf or .world file, or a .zip of a model's folder."
Show = Callable[[Callable[[], RobotDescription]], RobotDescription]


class Exchange:
    """The controls for upload and download.

    Parameters
    ----------
    server : of the page.
    show : puts a description on the page, beside those that are there.
    empty : there is nothing else on the page.
    """

    def __init__(self, server: viser.ViserServer, show: Show, empty: bool):
        self.server, self.show = server, show
        self.latest: RobotDescription | None = None
        # Uploaded meshes are read when the page is drawn again; the folder lives as long as the page.
        self._home = tempfile.TemporaryDirectory(prefix="sdf_frames-")
        self._count = 0
        with server.gui.add_folder("Files", order=-1, expand_by_default=empty):
            self.message = server.gui.add_markdown(_WELCOME)
            upload = server.gui.add_upload_button("upload")
            upload.on_upload(lambda event: self._receive(event.target.value.name, event.target.value.content))
            server.gui.add_button("download converted file").on_click(self._send_converted)
            server.gui.add_button("download report").on_click(self._send_report)
            server.gui.add_button("download picture").on_click(self._send_picture)

    def _receive(self, name: str, content: bytes) -> None:
        self._count += 1
        folder = Path(self._home.name) / str(self._count)
        folder.mkdir()
        try:
            path = unpack_upload(name, content, folder)
            self.latest = self.show(lambda: load_upload(path, folder))
            self.message.content = f"read {path.name}"
        except UploadRefused as refused:
            self.message.content = f"**not read**: {refused}"

    def _send_converted(self, event: viser.GuiEvent[Any]) -> None:
        robot = self.latest
        if robot is None:
            self.message.content = "there is no file to convert"
            return
        try:
            text, suffix = (robot.to_sdf(), ".sdf") if robot.kind == "urdf" else (robot.to_urdf(), ".urdf")
        except InvalidDescription as error:
            self.message.content = f"**not converted**: {error}"
            return
        self._send(event, f"{robot.name}{suffix}", text)

    def _send_report(self, event: viser.GuiEvent[Any]) -> None:
        robot = self.latest
        if robot is not None:
            rows = [f"{row.element}\t{row.name}\t{row.action}\t{row.into or ''}\t{row.line or ''}\t{row.reason or ''}"
                    for row in robot.report]
            found = [f"{d.severity}\t{d.code}\t{d.line or ''}\t{d.message}"
                     for d in (*robot.findings, *robot.find_missing_files())]
            self._send(event, (robot.name or "robot") + "-report.tsv", "\n".join([*found, *rows]) + "\n")

    def _send_picture(self, event: viser.GuiEvent[Any]) -> None:
        """What the person sees, without the controls."""
        if event.client is not None:
            camera = event.client.camera
            pixels = event.client.get_render(camera.image_height, camera.image_width)
            picture = imageio.imwrite("<bytes>", pixels, extension=".png")
            name = self.latest.name if self.latest else None
            event.client.send_file_download(f"{name or 'page'}.png", picture)

    def _send(self, event: viser.GuiEvent[Any], name: str, text: str) -> None:
        if event.client is not None:
            event.client.send_file_download(name, text.encode("utf-8"))

    def close(self) -> None:
        """Remove what was uploaded."""
        self._home.cleanup()
