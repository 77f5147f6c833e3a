"""The server of a page. It starts without the libraries that draw, so that a browser can load the page meanwhile."""
from __future__ import annotations

from contextlib import redirect_stdout
from io import StringIO

import viser


def start_server(port: int, host: str) -> viser.ViserServer:
    """Start a page without anything on it.

    Parameters
    ----------
    port : TCP port; another if it is taken, or 0.
    host : address to listen on.
    """
    with redirect_stdout(StringIO()):  # viser frames its address
        server = viser.ViserServer(host=host, port=port, label="sdf_frames", verbose=False)
    server.scene.set_up_direction("+z")
    # Drawn in software, mirrored surroundings and shadows take most of the time to the first picture.
    server.scene.configure_environment_map(None)
    server.scene.configure_default_lights(cast_shadow=False)
    server.scene.add_light_hemisphere("/light", sky_color=(255, 255, 255), ground_color=(150, 150, 150), intensity=1.6)
    return server


def stop_server(server: viser.ViserServer) -> None:
    """End a page."""
    with redirect_stdout(StringIO()):  # viser says so
        server.stop()


def find_url(server: viser.ViserServer) -> str:
    """Address of a page."""
    return f"http://{server.get_host()}:{server.get_port()}"
