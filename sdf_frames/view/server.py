"""The server of a page, and its access control.

It starts before the drawing libraries are imported, so that a browser can load the page meanwhile.
"""
from __future__ import annotations

import re
import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from http import HTTPStatus
from io import StringIO
from ipaddress import ip_address
from typing import Any

import viser
import websockets.asyncio.server

from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.view.page_script import SCRIPT

#: The Host of a request: a name, or a numeric address in brackets, before the port.
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:/?#@\s]+))(?::\d+)?", re.IGNORECASE)
_STARTING = threading.Lock()
#: A method of viser for an event of a handle, such as ``on_click``, which registers a function of the event.
Register = Callable[[Callable[[Any], None]], object]


class PageServer(viser.ViserServer):
    """viser's server, which answers only requests for its own address with the secret.

    Parameters
    ----------
    port : TCP port; another if it is taken, or 0.
    host : address to listen on.

    `secret` is the first part of the path of every request. viser's client asks for its WebSocket below the page's
    address.
    """

    def __init__(self, port: int, host: str):
        self.secret, self._name = secrets.token_hex(16), host
        with _look_first(self._refuse), redirect_stdout(StringIO()):  # viser prints its address in a frame
            super().__init__(host=host, port=port, label="sdf_frames", verbose=False)

    def _refuse(self, request: Any) -> str | None:
        """Return why a request is refused, or None; remove the secret, which viser does not know, from `request`."""
        hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            return "Use the address that sdf_frames printed: --host NAME makes the page answer to another name."
        if any(origin not in (f"http://{hosts[0]}", f"https://{hosts[0]}") for origin in origins):
            return "A page of another address may not use this page."
        _, secret, *path = [*request.path.partition("?")[0].split("/", 2), ""][:3]
        if not secrets.compare_digest(secret.encode(errors="replace"), self.secret.encode()):
            return "Use the whole address that sdf_frames printed: its last part is a secret."
        request.path = "/".join(["", *path])
        return None

    def _is_own(self, host: str) -> bool:
        """Return whether a Host header names this machine or the value of ``--host``; 0.0.0.0 accepts any number."""
        match = _HOST.fullmatch(host)
        name = (match[1] or match[2]).lower() if match else ""
        if name in ("localhost", self._name.lower()):
            return match is not None
        try:
            return ip_address(name).is_loopback or ip_address(self._name or "::").is_unspecified
        except ValueError:
            return False

    def request_share_url(self, **_: object) -> None:
        """Do nothing: viser would open a public tunnel to the page, even if a client asks for it."""


@contextmanager
def _look_first(refuse: Callable[[Any], str | None]) -> Iterator[None]:
    """Replace the function that starts viser's server, so that `refuse` sees each request before viser does.

    viser has no hook for this, and accepts every WebSocket.
    """
    library, guarded = websockets.asyncio.server, []
    start = library.serve

    def start_guarded(*words: Any, process_request: Any = None, **options: Any) -> Any:
        if not getattr(process_request, "__module__", "").startswith("viser."):  # the server of another thread
            return start(*words, process_request=process_request, **options)

        def answer(connection: Any, request: Any) -> Any:
            if (why := refuse(request)) is not None:
                return connection.respond(HTTPStatus.FORBIDDEN, f"{why}\n")
            request.headers.pop("Accept-Encoding", None)  # viser's page is already compressed
            return _add_script(process_request(connection, request))
        guarded.append(answer)
        return start(*words, process_request=answer, **options)
    with _STARTING:
        library.serve = start_guarded
        try:
            yield
        finally:
            library.serve = start
    if not guarded:
        raise RuntimeError(f"viser {viser.__version__} cannot be guarded: pip install 'sdf_frames[view]'")


def _add_script(response: Any) -> Any:
    """Return the answer to a request; a page gets its title, and the script of `page_script`."""
    if response is not None and response.headers.get("Content-Type", "").startswith("text/html"):
        response.body = response.body.replace(b"<title>Viser<", b"<title>sdf_frames<", 1) + SCRIPT.encode()
        del response.headers["Content-Length"]
        response.headers["Content-Length"] = str(len(response.body))
    return response


def start_server(port: int, host: str) -> PageServer:
    """Start an empty page; port and host are those of :class:`PageServer`."""
    server = PageServer(port, host)
    server.gui.configure_theme(show_share_button=False)
    server.gui.main_panel.dock_right()
    server.scene.set_up_direction("+z")
    # Without a GPU, reflections and shadows take most of the time until the first picture.
    server.scene.configure_environment_map(None)
    server.scene.configure_default_lights(cast_shadow=False)
    server.scene.add_light_hemisphere("/light", sky_color=(255, 255, 255), ground_color=(150, 150, 150), intensity=1.6)
    return server


def stop_server(server: PageServer) -> None:
    """End a page."""
    with redirect_stdout(StringIO()):  # viser prints a message
        server.stop()


def find_url(server: PageServer) -> str:
    """Return the address of a page, with the secret that opens it."""
    host = server.get_host()
    return f"http://{f'[{host}]' if ':' in host else host}:{server.get_port()}/{server.secret}/"


def listen(register: Register, callback: Callable[[Any], None]) -> None:
    """Have viser call a function at an event. On an exception, the person gets a message, and the page continues."""
    def call(event: Any) -> None:
        try:
            callback(event)
        except Exception:
            if event.client is None:  # the program itself set a value: its caller reports
                raise
            report_failure([event.client])
    register(call)


def report_failure(clients: Iterable[Any]) -> None:
    """Show a message on the page that an action failed, and write the current exception to standard error."""
    for line in traceback.format_exc().splitlines():
        print(escape_controls(line), file=sys.stderr)
    for client in clients:
        client.add_notification("This did not work", "This is an error in sdf_frames; the page goes on. The terminal "
                                "shows the details: please report them.", color="red")
