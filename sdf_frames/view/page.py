"""The live page: files side by side, each with its controls; changed files are read again."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
import viser

from sdf_frames.api.description import RobotDescription
from sdf_frames.document.door import read_state
from sdf_frames.view.build_scene import build_scenes
from sdf_frames.view.camera import VIEWS, aim, look_at
from sdf_frames.view.controls import add_controls
from sdf_frames.view.exchange import Downloads, Exchange, remove_upload
from sdf_frames.view.nodes import SceneNodes, show_layers
from sdf_frames.view.panel import Panel
from sdf_frames.view.scene import LAYERS, DrawnScene, stand_beside
from sdf_frames.view.server import PageServer, find_url, listen, report_failure, start_server, stop_server
from sdf_frames.view.upload import list_findings

Load = Callable[[], RobotDescription]
#: The states of files, None for one that is missing: see :func:`read_state`.
_States = dict[str, tuple[int, int, int] | None]


@dataclass
class _Shown:
    """A file on the page: the function that reads it, its scenes and its controls.

    `states` are those of the files that were read, if they are watched; `offsets` are the places of its scenes along y.
    """

    load: Load
    folder: Path | None
    states: _States
    offsets: list[float] = field(default_factory=list)
    panel: Panel | None = None
    scenes: list[SceneNodes] = field(default_factory=list)


class Page:
    """A page that shows descriptions.

    Parameters
    ----------
    port : TCP port; another if it is taken.
    host : address to listen on: by default only this machine.
    most_faces : most triangles of a part of a mesh; parts with more are decimated.
    upload : people may upload files to the page.
    server : the server of a page that was started before; None to start one.
    as_sdf : for a URDF, show its SDF.
    """

    def __init__(self, port: int = 8080, host: str = "127.0.0.1", most_faces: int | None = None, upload: bool = False,
                 server: PageServer | None = None, as_sdf: bool = False):
        self._drawing: dict[str, Any] = {"most_faces": most_faces, "as_sdf": as_sdf}
        self.server = start_server(port, host) if server is None else server
        self.shown: list[_Shown] = []
        self._turns = RLock()  # so that no thread draws a file that another one removes
        self._next_root = 0
        self._edge: float | None = None
        self._exchange = Exchange(self.server, lambda load, folder: self.add(load, folder=folder), upload)
        listen(self.server.gui.add_button_group("view", [*VIEWS], order=-1).on_click, self._look)
        listen(self.server.on_client_connect, lambda client: listen(client.camera.on_update, self._follow))

    @property
    def url(self) -> str:
        """The address of the page."""
        return find_url(self.server)

    @property
    def scenes(self) -> list[DrawnScene]:
        """All scenes on the page."""
        return [nodes.scene for shown in self.shown for nodes in shown.scenes]

    def _look(self, event: viser.GuiEvent[Any]) -> None:
        """Aim the camera of the person who asked at everything on the page, from the chosen side."""
        if event.client is not None:
            self._show_all(event.client.camera, event.target.value)

    def _follow(self, camera: viser.CameraHandle) -> None:
        """Make everything fill the page for a camera at viser's default place.

        viser puts all cameras at the same place, regardless of the width of the page.
        """
        if np.allclose(camera.position, self.server.initial_camera.position, rtol=1e-4):
            self._show_all(camera, "all")

    def _show_all(self, camera: Any, view: str) -> None:
        if points := [nodes.points for shown in self.shown for nodes in shown.scenes]:
            aim(camera, np.concatenate(points), VIEWS[view], camera.aspect)

    def add(self, load: Load, path: str | None = None, positions: Mapping[str, Any] | None = None,
            folder: Path | None = None) -> RobotDescription:
        """Add a description to the page, and let everybody see everything.

        Parameters
        ----------
        load : reads the description; called again when the file changes.
        path : the file to watch, with its included files and meshes; or None.
        positions : positions of joints, as for :meth:`sdf_frames.RobotDescription.poses`.
        folder : the folder of an upload, or None.
        """
        shown = _Shown(load, folder, _read_states([] if path is None else [path]))
        robot = load()
        with self._turns:
            try:
                self._draw(shown, robot, positions)
            except Exception:  # remove what was drawn before the error
                self._erase(shown)
                raise
            self.shown.append(shown)
        for client in self.server.get_clients().values():
            self._show_all(client.camera, "all")
        return robot

    def _draw(self, shown: _Shown, robot: RobotDescription, positions: Mapping[str, Any] | None = None) -> None:
        """Draw a description on the page, or draw it again: then layers keep their switches, joints their positions."""
        positions = positions or {} if shown.panel is None else shown.panel.positions
        scenes = build_scenes(robot, **self._drawing)
        if shown.states:  # the state before reading counts; a file that is no longer named may be named again
            missing = [path for uri in (robot.uris if robot.kind else ()) if uri.path is None for path in uri.tried]
            shown.states = _read_states([*robot.list_files(), *missing]) | shown.states
        is_first = bool(scenes) and self._edge is None
        for scene in scenes[len(shown.offsets):]:
            offset, self._edge = stand_beside(scene, self._edge)
            shown.offsets.append(offset)
        visible = [dict(nodes.visible) for nodes in shown.scenes]
        order = None if shown.panel is None else shown.panel.folder.order
        self._erase(shown)
        for number, (scene, offset) in enumerate(zip(scenes, shown.offsets)):
            self._next_root += 1
            nodes = SceneNodes(self.server, f"/{self._next_root}", scene, offset,
                               partial(self._select, shown, scene.source.name))
            for layer, on in (visible[number] if number < len(visible) else {}).items():
                nodes.show(layer, on)
            shown.scenes.append(nodes)
        shown.panel = Panel(self.server, robot, list_findings(robot, shown.folder), shown.scenes, positions,
                            order)
        with shown.panel.folder:
            Downloads(self.server, robot, shown.folder, partial(self._write_html, shown))
        shown.panel.offer("remove from the page", lambda _: self._drop(shown))
        if is_first:
            look_at(self.server, shown.scenes)

    def _select(self, shown: _Shown, world: str | None, frame: str) -> None:
        if shown.panel is not None:
            shown.panel.select(shown.panel.name_frame(frame, world))

    def _write_html(self, shown: _Shown) -> str:
        """Return one HTML file of a description as it is shown."""
        return write_html([nodes.scene for nodes in shown.scenes],
                          [layer for layer in LAYERS if any(nodes.visible[layer] for nodes in shown.scenes)],
                          shown.panel.positions if shown.panel else None)

    def _drop(self, shown: _Shown) -> None:
        """Remove a file from the page, and its upload from the disk."""
        with self._turns:
            if shown not in self.shown:  # the button was pressed twice
                return
            self.shown.remove(shown)
            self._erase(shown)
            if not self.shown:
                self._edge = None
        if shown.folder is not None:
            remove_upload(shown.folder)

    def _erase(self, shown: _Shown) -> None:
        if shown.panel is not None:
            shown.panel.remove()  # first, so that no control moves removed nodes
            shown.panel = None
        for nodes in shown.scenes:
            nodes.remove()
        shown.scenes.clear()

    def refresh(self) -> bool:
        """Read changed files again; return whether a file has changed."""
        any_changed = False
        for shown in [*self.shown]:  # a person may remove one meanwhile
            states = _read_states(shown.states)
            if states != shown.states:
                shown.states, any_changed = states, True
                self._read_again(shown)
        return any_changed

    def _read_again(self, shown: _Shown) -> None:
        """Show a file as it is now; if it is incomplete or missing, keep the last state."""
        try:
            robot = shown.load()
            has_links = robot.links or any(world.links for world in robot.worlds.values())
            with self._turns:
                if shown.panel is not None and not (has_links or robot.valid):
                    shown.panel.warn(robot.findings)
                else:
                    self._draw_again(shown, robot)
        except OSError:
            with self._turns:
                if shown.panel is not None:
                    shown.panel.warn(())
        except Exception:
            report_failure(self.server.get_clients().values())

    def _draw_again(self, shown: _Shown, robot: RobotDescription) -> None:
        """Draw a file again, unless a person has removed it meanwhile."""
        with self._turns:
            if shown in self.shown:
                self._draw(shown, robot)

    def show(self, load: Load) -> RobotDescription:
        """Show a description in place of the first one that is no upload; joints keep their positions."""
        shown = next((shown for shown in self.shown if shown.folder is None), None)
        if shown is None:
            return self.add(load)
        robot = load()
        shown.load = load
        self._draw_again(shown, robot)
        return robot

    def move(self, positions: Mapping[str, Any]) -> None:
        """Move the joints with these names in all shown descriptions."""
        for panel in [shown.panel for shown in self.shown]:
            if panel is not None:
                panel.move(positions)

    def run(self, watch: bool = False) -> None:
        """Serve the page until Ctrl-C."""
        while True:
            time.sleep(0.5 if watch else 3600)
            if watch:
                self.refresh()

    def close(self) -> None:
        """End the server, and remove uploaded files."""
        stop_server(self.server)
        self._exchange.close()


def write_html(scenes: Sequence[DrawnScene], layers: Iterable[str] = ("visuals", "frames"),
               positions: Mapping[str, Any] | None = None) -> str:
    """Draw scenes side by side as one HTML document that needs no server, with switches and sliders."""
    server = start_server(0, "127.0.0.1")
    try:
        drawn: list[SceneNodes] = []
        edge = None
        for number, scene in enumerate(scenes):
            offset, edge = stand_beside(scene, edge)
            drawn.append(SceneNodes(server, f"/{number}", scene, offset))
            drawn[-1].move(positions or {})
        show_layers(drawn, LAYERS)
        show_layers(drawn, layers)
        if drawn:
            look_at(server, drawn)
        return add_controls(server.get_scene_serializer().as_html(), drawn, positions or {})
    finally:
        stop_server(server)


def _read_states(paths: Iterable[str]) -> _States:
    return {path: read_state(path) for path in paths}
