"""Upload and download, told to a server that takes notes."""
import io
import re
import zipfile
from contextlib import nullcontext
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

import sdf_frames as sf

pytest.importorskip("viser")
pytest.importorskip("trimesh")

from sdf_frames.view.exchange import Downloads, Exchange  # noqa: E402

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
URDF = (f'<robot name="arm">\n<link name="base"><colour/>{INERTIAL}</link>\n<link name="camera"/>\n'
        '<joint name="mount" type="fixed"><parent link="base"/><child link="camera"/></joint></robot>')
SDF = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'


class Button:
    def __init__(self):
        self.callbacks = []

    def on_upload(self, callback):
        self.callbacks.append(callback)

    on_click = on_upload


class Gui:
    def __init__(self):
        self.buttons, self.texts = {}, []

    def add_folder(self, label, **look):
        return nullcontext()

    def add_markdown(self, text):
        self.texts.append(SimpleNamespace(content=text))
        return self.texts[-1]

    def add_button(self, label):
        return self.buttons.setdefault(label, Button())

    def add_button_group(self, label, options):
        self.options = options
        return self.add_button(label)

    add_upload_button = add_button


class Bench:
    """An exchange with what it showed and sent, and the downloads of each description."""

    def __init__(self):
        self.shown, self.sent, self.gui, self.guis = [], [], Gui(), []
        self.exchange = Exchange(SimpleNamespace(gui=self.gui), self.show, True)

    def show(self, load, folder):
        self.shown.append(load())
        self.guis.append(Gui())
        Downloads(SimpleNamespace(gui=self.guis[-1]), self.shown[-1], folder, lambda: "<page>")
        return self.shown[-1]

    def upload(self, name, content):
        (callback,) = self.gui.buttons["upload"].callbacks
        uploaded = SimpleNamespace(name=name, content=content)
        callback(SimpleNamespace(target=SimpleNamespace(value=uploaded), client=None))
        return self.said

    def download(self, what, client=True, number=-1):
        (callback,) = self.guis[number].buttons["download"].callbacks

        def send(name, content, save_immediately):
            assert save_immediately  # without a second click
            self.sent.append((name, content))
        client = SimpleNamespace(send_file_download=send) if client else None
        callback(SimpleNamespace(client=client, target=SimpleNamespace(value=what)))
        return self.sent[-1] if self.sent else None

    @property
    def said(self):
        (message,) = self.gui.texts
        return unescape(message.content)

    @property
    def refused(self):
        (message,) = self.guis[-1].texts
        return unescape(message.content)


@pytest.fixture
def bench():
    bench = Bench()
    yield bench
    bench.exchange.close()


def test_an_upload_is_shown_beside_the_last(bench):
    assert bench.said.startswith("Upload a ")
    assert bench.upload("arm.urdf", URDF.encode()) == "read arm.urdf"
    assert bench.upload("arm.urdf", SDF.encode()) == "read arm.urdf"  # the same name does no harm
    assert [robot.name for robot in bench.shown] == ["arm", "m"]


def test_an_upload_that_is_refused_says_why_and_keeps_the_last(bench):
    bench.upload("arm.urdf", URDF.encode())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("readme.txt", "x")
    assert bench.upload("m.zip", stream.getvalue()).startswith("**not read**: m.zip contains no model.config")
    assert bench.download("SDF")[0] == "arm.sdf"


def test_each_description_is_sent_in_the_other_format_and_as_a_page(bench):
    bench.upload("a.urdf", URDF.encode())
    bench.upload("a.sdf", SDF.encode())
    assert [gui.options for gui in bench.guis] == [["SDF", "HTML", "report"], ["URDF", "HTML", "report"]]
    assert bench.download("SDF", number=0) == ("arm.sdf", sf.loads(URDF).to_sdf().encode())
    assert bench.download("URDF", number=1) == ("m.urdf", sf.loads(SDF).to_urdf().encode())
    assert bench.download("HTML", number=0) == ("arm.html", b"<page>")
    assert bench.download("report", number=1)[0] == "m-report.tsv"


def test_only_what_is_shown_keeps_its_folder(bench):
    """Whether an upload is refused, or something fails on the way."""
    home = Path(bench.exchange._home.name)
    for _ in range(2):
        bench.upload("x.zip", b"")
        bench.upload("a.xacro", b"<robot/>")
        assert list(home.iterdir()) == []
    bench.upload("a.sdf", SDF.encode())
    bench.exchange._show = lambda load, folder: 1 / 0
    with pytest.raises(ZeroDivisionError):
        bench.upload("b.sdf", SDF.encode())
    assert [file.name for file in home.rglob("*.sdf")] == ["a.sdf"]


def test_there_is_a_button_for_uploads_only_where_they_are_wanted():
    gui = Gui()
    Exchange(SimpleNamespace(gui=gui), None, False).close()
    assert "upload" not in gui.buttons and gui.texts[0].content == ""


@pytest.mark.parametrize("content", [b"<sdf", b'<sdf version="1.9"><world name="w"/></sdf>'])
def test_a_failed_conversion_gives_the_reason_without_a_path_of_the_machine(bench, content):
    bench.upload("a.sdf", content)
    assert bench.download("URDF") is None
    assert re.fullmatch(r"\*\*not converted\*\*: [A-Z]\d+ [^/]*", bench.refused)


def test_the_report_holds_findings_and_rows(bench):
    lost = '<visual><geometry><mesh filename="no.stl"/></geometry></visual>'
    bench.upload("arm.urdf", URDF.replace("<colour/>", f"<colour/>{lost}").encode())
    name, content = bench.download("report")
    assert name == "arm-report.tsv"
    assert content.decode() == """\
warning\tR029\t2\t<link> contains <colour>, which URDF does not define; it has no effect
error\tU016\t2\tthe file 'no.stl' is not found
link\tbase\tkept\t\t2\t
visual\tbase_visual\tkept\t\t2\t
joint\tmount\tlumped\tbase\t4\tfixed joint, now a frame
link\tcamera\tlumped\tbase\t3\tbehind a fixed joint, now a frame
link/colour\tbase\tcarried\t\t2\tURDF does not define it
"""
    bench.upload("a.sdf", b"<sdf")
    assert bench.download("report")[0] == "robot-report.tsv"


def test_no_name_breaks_the_columns_of_the_report(bench):
    bench.upload("arm.urdf", URDF.replace("base", "a&#9;b&#10;c").encode())
    cells = [line.split("\t") for line in bench.download("report")[1].decode().splitlines()]
    assert [len(row) for row in cells] == 2 * [4] + 4 * [6]
    assert cells[2] == ["link", "a\\tb\\nc", "renamed", "a b c", "2", ""]


def test_nothing_is_sent_where_nobody_asks_any_more(bench):
    bench.upload("arm.urdf", URDF.encode())
    assert bench.download("SDF", client=False) is None


def test_uploads_are_removed_at_the_end(bench, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    other = Bench()
    other.upload("arm.urdf", URDF.encode())
    assert list(tmp_path.iterdir())
    other.exchange.close()
    assert not list(tmp_path.iterdir())


def test_the_buttons(bench):
    assert list(bench.gui.buttons) == ["upload", "download picture"]
