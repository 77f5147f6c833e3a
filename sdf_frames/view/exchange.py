"""Upload and download: the controls of the page by which files come and go."""
from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import viser

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.errors import InvalidDescription
from sdf_frames.diagnostics import ERROR
from sdf_frames.view.markdown import Paragraph, write
from sdf_frames.view.server import listen
from sdf_frames.view.upload import UploadRefused, hide_paths, list_findings, load_upload, unpack_upload

_WELCOME = "Upload a .urdf, .sdf or .world file, or a .zip of a model's folder."
Show = Callable[[Callable[[], RobotDescription], Path], RobotDescription]


class Exchange:
    """The controls for upload and download.

    `show` puts a description on the page, beside those that are there; it also takes the folder of the upload.
    """

    def __init__(self, server: viser.ViserServer, show: Show, upload: bool):
        self.server, self._show = server, show
        self.latest: RobotDescription | None = None
        self.folder: Path | None = None
        # Uploaded meshes are read when the page is drawn again; the folder lives as long as the page.
        self._home = tempfile.TemporaryDirectory(prefix="sdf_frames-")
        with server.gui.add_folder("Files", order=-1, expand_by_default=upload):
            self.message = Paragraph(server, write(_WELCOME if upload else ""))
            if upload:
                listen(server.gui.add_upload_button("upload").on_upload, self._receive)
            for label, send in (("converted file", self._send_converted), ("report", self._send_report),
                                ("picture", self._send_picture)):
                listen(server.gui.add_button(f"download {label}").on_click, send)

    def note(self, robot: RobotDescription | None, folder: Path | None) -> None:
        """Take what came last onto the page: downloads are made of it."""
        self.latest, self.folder = robot, folder

    def _receive(self, event: viser.GuiEvent[Any]) -> None:
        """Show an upload, or say why not; only what is shown keeps its folder."""
        name, content = event.target.value.name, event.target.value.content
        folder = Path(os.path.realpath(tempfile.mkdtemp(dir=self._home.name)))
        with ExitStack() as failed:
            failed.callback(shutil.rmtree, folder, ignore_errors=True)
            try:
                self._show(partial(load_upload, unpack_upload(name, content, folder), folder), folder)
            except UploadRefused as refused:
                self.message.content = write("**not read**: {}", refused)
                return
            failed.pop_all()
        self.message.content = write("read {}", name)

    def _send_converted(self, event: viser.GuiEvent[Any]) -> None:
        robot = self.latest
        if robot is None:
            self.message.content = write("there is no file to convert")
            return
        try:
            text, suffix = (robot.to_sdf(), ".sdf") if robot.kind == "urdf" else (robot.to_urdf(), ".urdf")
        except InvalidDescription as error:
            self.message.content = write("**not converted**: {}", self._say(error))
            return
        self._send(event, f"{robot.name}{suffix}", text)

    def _say(self, error: InvalidDescription) -> str:
        """The first errors, without the path of the file."""
        errors = hide_paths([d for d in error.findings if d.severity == ERROR][:3], self.folder)
        return "; ".join([f"{d.code} {d.message}" for d in errors]) or "the description has errors"

    def _send_report(self, event: viser.GuiEvent[Any]) -> None:
        robot = self.latest
        if robot is not None:
            rows = [f"{row.element}\t{row.name}\t{row.action}\t{row.into or ''}\t{row.line or ''}\t{row.reason or ''}"
                    for row in robot.report]
            found = [f"{d.severity}\t{d.code}\t{d.line or ''}\t{d.message}" for d in list_findings(robot, self.folder)]
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
