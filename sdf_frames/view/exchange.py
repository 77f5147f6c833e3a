"""The controls for upload and download."""
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
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.view.markdown import Paragraph, write
from sdf_frames.view.server import listen
from sdf_frames.view.upload import UploadRefused, hide_paths, list_findings, load_upload, unpack_upload

_WELCOME = "Upload a .urdf, .sdf or .world file, or a .zip of a model's folder."
Show = Callable[[Callable[[], RobotDescription], Path], RobotDescription]


class Exchange:
    """The controls for upload, and for a picture of the page.

    `show` adds a description to the page; it also gets the folder of the upload.
    """

    def __init__(self, server: viser.ViserServer, show: Show, upload: bool):
        self._show = show
        # Uploaded meshes are read when the page is drawn again, so a folder is kept while its robot is shown.
        self._home = tempfile.TemporaryDirectory(prefix="sdf_frames-")
        with server.gui.add_folder("Files", order=-1, expand_by_default=upload):
            self.message = Paragraph(server, write(_WELCOME if upload else ""))
            if upload:
                listen(server.gui.add_upload_button("upload").on_upload, self._receive)
            listen(server.gui.add_button("download picture").on_click, _send_picture)

    def _receive(self, event: viser.GuiEvent[Any]) -> None:
        """Show an upload, or the reason why it was refused; then remove its folder."""
        name, content = event.target.value.name, event.target.value.content
        folder = Path(os.path.realpath(tempfile.mkdtemp(dir=self._home.name)))
        with ExitStack() as failed:
            failed.callback(remove_upload, folder)
            try:
                self._show(partial(load_upload, unpack_upload(name, content, folder), folder), folder)
            except UploadRefused as refused:
                self.message.content = write("**not read**: {}", refused)
                return
            failed.pop_all()
        self.message.content = write("read {}", name)

    def close(self) -> None:
        """Remove the uploaded files."""
        self._home.cleanup()


class Downloads:
    """The control for downloads of one description: its converted file, one HTML file, its report.

    `folder` holds its upload, or is None; `write_page` returns the HTML file of the description as the page shows it.
    """

    def __init__(self, server: viser.ViserServer, robot: RobotDescription, folder: Path | None,
                 write_page: Callable[[], str]):
        self.robot, self.folder = robot, folder
        self._makers = {"SDF" if robot.kind == "urdf" else "URDF": self._convert,
                        "HTML": lambda: (".html", write_page()), "report": self._report}
        listen(server.gui.add_button_group("download", [*self._makers]).on_click, self._send)
        self.message = Paragraph(server, write(""))

    def _send(self, event: viser.GuiEvent[Any]) -> None:
        try:
            ending, text = self._makers[event.target.value]()
        except InvalidDescription as error:
            self.message.content = write("**not converted**: {}", self._say(error))
            return
        if event.client is not None:
            _send_file(event.client, f"{self.robot.name or 'robot'}{ending}", text.encode("utf-8"))

    def _convert(self) -> tuple[str, str]:
        return (".sdf", self.robot.to_sdf()) if self.robot.kind == "urdf" else (".urdf", self.robot.to_urdf())

    def _say(self, error: InvalidDescription) -> str:
        """Return the first errors, without the path of the file."""
        errors = hide_paths([d for d in error.findings if d.severity == ERROR][:3], self.folder)
        return "; ".join([f"{d.code} {d.message}" for d in errors]) or "the description has errors"

    def _report(self) -> tuple[str, str]:
        found = [(d.severity, d.code, d.line, d.message) for d in list_findings(self.robot, self.folder)]
        rows = [(row.element, row.name, row.action, row.into, row.line, row.reason) for row in self.robot.report]
        lines = ["\t".join([escape_controls(str(cell or "")) for cell in cells]) for cells in (*found, *rows)]
        return "-report.tsv", "\n".join(lines) + "\n"


def remove_upload(folder: Path) -> None:
    """Remove the folder of an upload that is no longer shown."""
    shutil.rmtree(folder, ignore_errors=True)


def _send_picture(event: viser.GuiEvent[Any]) -> None:
    """Send a PNG of the person's view, without the controls."""
    if event.client is not None:
        camera = event.client.camera
        pixels = event.client.get_render(camera.image_height, camera.image_width)
        _send_file(event.client, "page.png", imageio.imwrite("<bytes>", pixels, extension=".png"))


def _send_file(client: viser.ClientHandle, name: str, content: bytes) -> None:
    client.send_file_download(name, content, save_immediately=True)  # without a second click
