"""The server of a page: it answers before anything is there to draw, and answers nobody but who has its address."""
import subprocess
import sys
from http.client import HTTPConnection
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

import msgspec  # noqa: E402
import viser  # noqa: E402
import websockets.asyncio.server  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from sdf_frames.view.page import Page  # noqa: E402
from sdf_frames.view.page_script import SCRIPT  # noqa: E402
from sdf_frames.view.server import find_url, listen, start_server, stop_server  # noqa: E402


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


def test_viser_says_nothing_and_has_no_button_for_a_public_address(capsys):
    server = start_server(0, "127.0.0.1")
    sent = server._websock_server._broadcast_buffer.message_from_id.values()  # what a new client gets
    assert [message.show_share_button for message in sent if hasattr(message, "show_share_button")] == [False]
    stop_server(server)
    assert capsys.readouterr() == ("", "")  # viser's own words do not mix with the command's


@pytest.fixture(scope="module", params=["127.0.0.1", "0.0.0.0"])
def server(request):
    server = start_server(0, request.param)
    yield server
    stop_server(server)


def ask(server, path, host, origin, upgrade):
    """The status of the answer to a request: 101 where a WebSocket is opened."""
    connection = HTTPConnection("127.0.0.1", server.get_port(), timeout=30)
    connection.putrequest("GET", path, skip_host=True)
    given = {"Host": host, "Origin": origin}
    if upgrade:
        given |= {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "MTIzNDU2Nzg5MDEyMzQ1Ng==",
                  "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": f"viser-v{viser.__version__}"}
    for name, value in given.items():
        if value is not None:
            connection.putheader(name, value.format(port=server.get_port()))
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("upgrade", [False, True])
@pytest.mark.parametrize(("host", "origin", "local", "anywhere"), [
    ("127.0.0.1:{port}", "http://127.0.0.1:{port}", True, True), ("localhost:{port}", None, True, True),
    ("localhost:{port}", "http://localhost:{port}", True, True), ("[::1]:{port}", None, True, True),
    ("127.8.9.1", None, True, True), ("LOCALHOST", None, True, True),
    ("192.0.2.7:{port}", "http://192.0.2.7:{port}", False, True), ("[2001:db8::1]", None, False, True),
    ("localhost:{port}", "http://127.0.0.1:{port}", False, False), ("127.0.0.1:{port}", "null", False, False),
    ("127.0.0.1:{port}", "http://127.0.0.1", False, False), ("127.0.0.1:{port}", "", False, False),
    ("127.0.0.1:{port}", "http://evil.example", False, False), ("evil.example:{port}", None, False, False),
    ("evil.example:{port}", "http://evil.example:{port}", False, False), ("localhost.evil.example", None, False, False),
    ("127.0.0.1.evil.example", None, False, False), ("", None, False, False), (None, None, False, False),
    ("[", None, False, False), ("a@localhost", None, False, False), ("localhost/x", None, False, False)])
def test_only_the_page_itself_may_ask(server, host, origin, local, anywhere, upgrade):
    """A page of another origin cannot: by its Origin, and by its Host if its name leads here (DNS rebinding)."""
    expected = anywhere if server.get_host() == "0.0.0.0" else local
    assert ask(server, f"/{server.secret}/", host, origin, upgrade) == ((101 if upgrade else 200) if expected else 403)


@pytest.mark.parametrize("upgrade", [False, True])
@pytest.mark.parametrize("path", ["/", "/index.html", "//", "/{0}x/", "/x{0}/", "/{1}/", "/?{0}", "/x/{0}/", "/%2e/{0}",
                                  "/?websocket=ws://evil.example"])
def test_only_who_knows_the_secret_may_ask(server, path, upgrade):
    """Not even the client, which `?websocket=` would lead to another server in the name of this page."""
    path = path.format(server.secret, "0" * 32)
    assert ask(server, path, "localhost", None, upgrade) == 403
    assert ask(server, f"/{server.secret}", "localhost", None, upgrade) == (101 if upgrade else 200)
    assert upgrade or ask(server, f"/{server.secret}/no-such-file", "localhost", None, False) == 404


def test_each_page_has_a_secret_of_its_own_which_its_address_holds(server):
    other = start_server(0, "127.0.0.1")
    try:
        assert len(server.secret) == 32 and server.secret != other.secret
        assert find_url(other) == f"http://127.0.0.1:{other.get_port()}/{other.secret}/"
        assert urlopen(find_url(other)).status == 200
        with pytest.raises(HTTPError, match="403") as refused:
            urlopen(find_url(other).replace(other.secret, server.secret))
        assert refused.value.read().decode() == (
            "Use the whole address that sdf_frames printed: its last part is a secret.\n")
    finally:
        stop_server(other)


def test_the_page_has_the_script_for_lines_and_names(server):
    page = urlopen(Request(find_url(server), headers={"Accept-Encoding": "gzip"}))
    text = page.read().decode()
    assert text.endswith(SCRIPT) and int(page.headers["Content-Length"]) == len(text.encode())
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{find_url(server)}nothing.html")


def test_an_address_of_version_6_has_brackets():
    assert find_url(SimpleNamespace(get_host=lambda: "::1", get_port=lambda: 7, secret="s")) == "http://[::1]:7/s/"


def test_a_viser_that_starts_its_server_otherwise_gives_no_page(monkeypatch):
    monkeypatch.setattr(viser.ViserServer, "__init__", lambda self, **options: None)
    with pytest.raises(RuntimeError, match="cannot be guarded: pip install"):
        start_server(0, "127.0.0.1")


def test_servers_of_others_are_left_alone(monkeypatch):
    """Those that another thread starts while a page starts."""
    started = []
    monkeypatch.setattr("websockets.asyncio.server.serve", lambda *words, **options: started.append((words, options)))

    def start(self, **options):
        websockets.asyncio.server.serve(1, process_request=ask)
        websockets.asyncio.server.serve(2)
    monkeypatch.setattr(viser.ViserServer, "__init__", start)
    with pytest.raises(RuntimeError, match="cannot be guarded"):
        start_server(0, "127.0.0.1")
    assert started == [((1,), {"process_request": ask}), ((2,), {"process_request": None})]


def open_socket(server):
    """A client of the page as viser's is one."""
    return connect(find_url(server).replace("http", "ws"), subprotocols=[f"viser-v{viser.__version__}"], max_size=None,
                   compression=None)


def read_to_the_end(socket):
    """Read until the server ends the connection, as it does at a broken message."""
    with pytest.raises(ConnectionClosed, match="1011|internal error"):
        [*iter(lambda: socket.recv(30), None)]


def ask_for_public_address(server):
    """Send what viser's Share button sends, and wait until the server has read it."""
    with open_socket(server) as socket:
        for kind in ("ShareUrlRequest", "ShareUrlDisconnect"):
            socket.send(msgspec.msgpack.encode({"type": kind}))
        socket.send(b"")
        read_to_the_end(socket)
    server._thread_executor.shutdown(wait=True)
    stop_server(server)


def test_nobody_can_ask_for_a_public_address(monkeypatch):
    class Tunnel:
        def __init__(self, *words):
            opened.append(words)
            raise OSError("no network")
    opened = []
    monkeypatch.setattr(viser._viser, "ViserTunnel", Tunnel)
    ask_for_public_address(start_server(0, "127.0.0.1"))
    assert opened == []
    monkeypatch.delattr("sdf_frames.view.server.PageServer.request_share_url")
    ask_for_public_address(start_server(0, "127.0.0.1"))
    assert len(opened) == 1, "viser itself would open it"


def test_an_exception_of_a_callback_is_said_to_who_caused_it(capsys):
    said, callbacks = [], []
    client = SimpleNamespace(add_notification=lambda title, body, **look: said.append((title, body)))
    listen(callbacks.append, lambda event: event.nothing)
    callbacks[0](SimpleNamespace(client=client))
    assert said == [("This did not work", "This is an error in sdf_frames; the page goes on. The terminal shows the "
                                          "details: please report them.")]
    assert "AttributeError" in capsys.readouterr().err
    with pytest.raises(AttributeError):  # a value that the program sets: its caller hears
        callbacks[0](SimpleNamespace(client=None))


@pytest.mark.parametrize(("options", "where", "opened"), [
    ({}, (8080, "127.0.0.1"), False), ({"port": 7, "host": "0.0.0.0", "upload": True}, (7, "0.0.0.0"), True)])
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
