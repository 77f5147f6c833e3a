"""The server of a page: it answers before anything is there to draw."""
import subprocess
import sys
from urllib.request import urlopen

import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sdf_frames.view.page import Page  # noqa: E402
from sdf_frames.view.server import find_url, start_server  # noqa: E402


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
