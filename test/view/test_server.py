"""The server of a page: it answers before anything is there to draw."""
import subprocess
import sys
from urllib.request import urlopen

import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sdf_frames.view.page import Page  # noqa: E402
from sdf_frames.view.server import find_url, start_server, stop_server  # noqa: E402


def test_a_page_takes_a_server_that_runs():
    server = start_server(0, "127.0.0.1")
    assert urlopen(find_url(server)).status == 200
    page = Page(server=server)
    page.add(lambda: sf.loads('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'))
    assert page.url == find_url(server)
    page.close()


def test_the_server_does_not_wait_for_the_libraries_that_draw():
    said = subprocess.run([sys.executable, "-c", "import sys, sdf_frames.cli.view, sdf_frames.view.server\n"
                           "print('viser' in sys.modules, 'trimesh' in sys.modules)"], capture_output=True, text=True)
    assert said.stdout == "True False\n"


def test_what_viser_is_told(monkeypatch, capsys):
    """Without mirrored surroundings and shadows, which are slow in software; light comes from above."""
    told = []

    class Scene:
        def __getattr__(self, name):
            return lambda *words, **look: told.append((name, words, look))

    class Server:
        def __init__(self, **options):
            print("viser is here")
            told.append(("ViserServer", (), options))
            self.scene = Scene()

        def stop(self):
            print("viser is gone")
            told.append(("stop", (), {}))
    monkeypatch.setattr("viser.ViserServer", Server)
    stop_server(start_server(7, "0.0.0.0"))
    assert capsys.readouterr() == ("", "")  # viser's own words do not mix with the command's
    white, grey = (255, 255, 255), (150, 150, 150)
    assert told == [
        ("ViserServer", (), {"host": "0.0.0.0", "port": 7, "label": "sdf_frames", "verbose": False}),
        ("set_up_direction", ("+z",), {}), ("configure_environment_map", (None,), {}),
        ("configure_default_lights", (), {"cast_shadow": False}),
        ("add_light_hemisphere", ("/light",), {"sky_color": white, "ground_color": grey, "intensity": 1.6}),
        ("stop", (), {})]


@pytest.mark.parametrize(("options", "where", "opened"), [
    ({}, (8080, "127.0.0.1"), False), ({"port": 7, "host": "0.0.0.0", "empty": True}, (7, "0.0.0.0"), True)])
def test_where_a_page_listens(options, where, opened, monkeypatch):
    """The folder with the button for uploads is open on a page that is empty."""
    asked, folders = [], []
    server = start_server(0, "127.0.0.1")
    monkeypatch.setattr("sdf_frames.view.page.start_server", lambda *words: asked.append(words) or server)
    add = server.gui.add_folder
    monkeypatch.setattr(server.gui, "add_folder", lambda label, **look: folders.append((label, look)) or add(
        label, **look))
    Page(**options).close()
    assert asked == [where] and folders == [("Files", {"order": -1, "expand_by_default": opened})]
