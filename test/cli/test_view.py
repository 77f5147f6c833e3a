"""`sdf_frames view`: files, wrong usage, and what is said without the extras."""
import errno
import io
import os
import sys
from types import SimpleNamespace

import pytest
import urdf_text
from urdf_text import joint, link

from sdf_frames.cli import main

ARM = """<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><box/></geometry></visual></link>
<link name="k"/><joint name="hinge" type="revolute"><parent>l</parent><child>k</child><axis><xyz>0 0 1</xyz></axis>
</joint></model></sdf>"""


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "robot.sdf"
    path.write_text(ARM)
    return str(path)


@pytest.mark.parametrize("name, start", [("robot.png", b"\x89PNG\r\n\x1a\n"), ("robot.JPG", b"\xff\xd8\xff")])
def test_the_name_of_a_picture_says_its_format(robot, tmp_path, name, start):
    pytest.importorskip("pyvista")
    pytest.importorskip("trimesh")
    out = tmp_path / name
    assert main(["view", robot, "--png", str(out), "--size", "160x120"]) == 0
    assert out.read_bytes().startswith(start)


@pytest.mark.parametrize(("position", "said"), [
    ("1.5", ""), ("-2", "--joint: 'hinge' is drawn at -2, beyond its limits -1.5 to 1.5")])
def test_a_position_beyond_the_limits_is_drawn_with_a_warning(tmp_path, capsys, position, said):
    pytest.importorskip("pyvista")
    pytest.importorskip("trimesh")
    path, out = tmp_path / "robot.urdf", tmp_path / "robot.png"
    path.write_text(urdf_text.robot(link("a", 1), link("b", 1), joint(
        "hinge", "revolute", "a", "b", '<limit lower="-1.5" upper="1.5" effort="1" velocity="1"/>')))
    assert main(["view", str(path), "--png", str(out), "--size", "160x120", "--joint", f"hinge={position}"]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if "X031" in line]
    assert out.exists() and len(warnings) == bool(said) and said in "".join(warnings)


@pytest.mark.parametrize(("good", "bad"), [
    ("</model>", '<frame name="f" attached_to="nothing"/></model>'), ("<box/>", "<mesh><uri>no.stl</uri></mesh>")])
def test_a_file_with_an_error_is_drawn_as_far_as_possible(tmp_path, capsys, good, bad):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    path, out = tmp_path / "robot.sdf", tmp_path / "robot.html"
    path.write_text(ARM.replace(good, bad))
    assert main(["view", str(path), "--html", str(out)]) == 1
    said = [f"sdf_frames view: {path}: 1 error; 'sdf_frames check --assets' shows them"]
    said += [f"sdf_frames view: {path}: drawn as a red box: no.stl is not found"] * ("no.stl" in bad)
    said += [f"{out}: written"]
    assert capsys.readouterr().err.splitlines() == said
    assert "__VISER_EMBED_DATA__" in out.read_text(encoding="utf-8")


def test_a_mesh_in_millimetres_is_named(tmp_path, capsys):
    """A picture of it shows this mesh, and nothing of the rest."""
    pytest.importorskip("viser")
    trimesh = pytest.importorskip("trimesh")
    path, out = tmp_path / "robot.urdf", tmp_path / "robot.html"
    trimesh.creation.box([50.0, 50.0, 300.0]).export(tmp_path / "arm.stl")
    path.write_text(urdf_text.robot(
        link("a", 1, '<visual><geometry><box size="0.1 0.1 0.2"/></geometry></visual>'),
        link("b", 1, '<visual><geometry><mesh filename="arm.stl"/></geometry></visual>'),
        joint("j", "fixed", "a", "b")))
    assert main(["view", str(path), "--html", str(out)]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"sdf_frames view: {path}: 1 warning; 'sdf_frames check --assets' shows them",
        f"sdf_frames view: {path}: mesh arm.stl is 300 m long, the rest of its model 0.2 m; its coordinates look like "
        'millimetres; write scale="0.001 0.001 0.001"', f"{out}: written"]


def test_meshes_that_cannot_be_read_are_said(tmp_path, capsys):
    """Other than a missing file, `check --assets` does not see them."""
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    path, out = tmp_path / "robot.sdf", tmp_path / "robot.html"
    path.write_text(ARM.replace("<box/>", "<mesh><uri>bad.stl</uri></mesh>"))
    (tmp_path / "bad.stl").write_text("")
    assert main(["view", str(path), "--html", str(out)]) == 1
    assert capsys.readouterr().err == (f"sdf_frames view: {path}: drawn as a red box: bad.stl: mesh "
                                       f"{tmp_path}/bad.stl cannot be read: it is empty\n{out}: written\n")
    assert main(["view", str(path), "--html", str(out), "--layers", "frames"]) == 0
    assert capsys.readouterr().err == f"{out}: written\n" and out.exists()


class Page:
    """In place of the page: takes notes."""

    def __init__(self, most_faces, upload, server, as_sdf):
        self.upload, self.server, self.shown, self.closed, self.watch = upload, server, [], False, None
        self.scenes = [SimpleNamespace(keep_known=lambda positions: {}, joints=[])]
        Page.latest = self

    def add(self, load, path, positions):
        robot = load()
        self.shown.append((robot.name, path, positions))
        return robot

    def run(self, watch):
        self.watch = watch
        raise KeyboardInterrupt

    def close(self):
        self.closed = True


@pytest.fixture
def started(monkeypatch):
    """The addresses of the pages that are started: none is."""
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    asked = []
    monkeypatch.setattr("sdf_frames.view.page.Page", Page)
    monkeypatch.setattr("sdf_frames.view.server.start_server", lambda *where: asked.append(where) or where)
    monkeypatch.setattr("sdf_frames.view.server.find_url", lambda server: "http://here:1")
    return asked


def test_page_shows_every_file_until_ctrl_c(robot, tmp_path, capsys, started):
    other = tmp_path / "other.sdf"
    other.write_text(ARM.replace('"m"', '"n"'))
    gone = str(tmp_path / "gone.sdf")
    assert main(["view", robot, gone, str(other), "--port", "7777", "--host", "0.0.0.0", "--watch",
                 "--joint", "a=0.5", "--joint", "b=-1"]) == 1
    page = Page.latest
    positions = {"a": 0.5, "b": -1.0}
    assert page.shown == [("m", robot, positions), (None, gone, positions), ("n", str(other), positions)]
    assert page.server == (7777, "0.0.0.0") and page.watch and page.closed and not page.upload
    said = capsys.readouterr()
    assert said.out == "http://here:1  (Ctrl-C to stop)\n"
    assert said.err.startswith(f"{gone}: error X001 file-unreadable: cannot read {gone}: No such file or directory\n")
    assert said.err.count("no movable joint") == 2, "this Page has no joints"
    assert main(["view", robot]) == 0
    assert Page.latest.server == (8080, "127.0.0.1") and Page.latest.watch is False


@pytest.mark.parametrize(("name", "code"), [("gone.sdf", "X001"), ("folder", "X001"), ("empty.sdf", "X002"),
                                            ("half.sdf", "X002"), ("page.html", "X004")])
@pytest.mark.parametrize("options", [[], ["--watch"]])
def test_page_without_anything_to_show_ends(name, code, options, tmp_path, capsys, monkeypatch, started):
    """With --watch, a file that is not a robot yet may become one; a name that is no file is a mistake."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for file, text in {"empty.sdf": "", "half.sdf": ARM[:99], "page.html": "<html/>"}.items():
        (tmp_path / file).write_text(text)
    assert main(["view", name, *options]) == 1
    said = capsys.readouterr()
    assert f" {code} " in said.err.splitlines()[0]
    assert bool(started) == bool(said.out) == (code != "X001" and bool(options))
    assert not started or Page.latest.closed and Page.latest.watch is (True if options else None)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd here")
def test_page_shows_a_stream(started):
    """A shell names one for <(COMMAND)."""
    reader, writer = os.pipe()
    os.write(writer, ARM.encode())
    os.close(writer)
    try:
        assert main(["view", f"/dev/fd/{reader}"]) == 0
    finally:
        os.close(reader)
    assert started and Page.latest.shown == [("m", None, {})], "it cannot be watched"


@pytest.fixture
def drawn(monkeypatch):
    """In place of pictures and documents: what each of them was asked for."""
    pytest.importorskip("trimesh")
    asked = []
    monkeypatch.setattr("sdf_frames.cli.view.refuse_missing", lambda *_: False)
    monkeypatch.setitem(sys.modules, "sdf_frames.view.page", SimpleNamespace(
        write_html=lambda *words: asked.append(words) or "<html>"))
    monkeypatch.setattr("sdf_frames.view.rendering.render_picture",
                        lambda *words: asked.append(words) or b"GIF8 picture")
    return asked


def test_picture_of_the_files_that_can_be_read(robot, tmp_path, capsys, drawn):
    gone, png, html = (str(tmp_path / name) for name in ("gone.sdf", "o.png", "o.html"))
    assert main(["view", gone, robot, robot, "--png", png, "--html", html, "--layers", "frames,names", "--view", "top",
                 "--size", "320x200", "--joint", "hinge=0.5"]) == 1
    assert ((tmp_path / "o.png").read_bytes(), (tmp_path / "o.html").read_text()) == (b"GIF8 picture", "<html>")
    assert "gone.sdf" in capsys.readouterr().err
    (scenes, layers, view, size, positions), (_, layers_of_page, positions_of_page) = drawn
    assert len(scenes) == 2 and (view, size) == ("top", (320, 200))
    assert set(layers) == set(layers_of_page) == {"frames", "names"}
    assert positions == positions_of_page == {"hinge": 0.5}
    drawn.clear()
    assert main(["view", robot, "--png", png]) == 0
    (_, layers, view, size, positions), = drawn
    assert (set(layers), view, size, positions) == ({"visuals", "frames"}, "iso", (1200, 900), {})


def test_files_are_found_as_other_commands_find_them(tmp_path, monkeypatch, drawn):
    """Folders, standard input, arguments of .xacro files, and what becomes of links without mass."""
    pytest.importorskip("xacro")
    text = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="n" default="a"/>'
            '<link name="l"/><link name="$(arg n)"/><joint name="j" type="floating"><parent link="l"/>'
            '<child link="$(arg n)"/></joint></robot>')
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "r.urdf.xacro").write_text(text)
    html = str(tmp_path / "o.html")
    main(["view", str(tmp_path), "n:=b", "--massless", "keep", "--html", html])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ARM.encode())))
    main(["view", "-", "--html", html])
    assert [[*scene.source.links] for scenes, *_ in drawn for scene in scenes] == [["l", "b"], ["l", "k"]]


def test_a_joint_of_several_values_is_an_error(tmp_path, capsys):
    pytest.importorskip("viser")
    path, out = tmp_path / "r.urdf", tmp_path / "o.html"
    path.write_text('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="floating">'
                    '<parent link="a"/><child link="b"/></joint></robot>')
    assert main(["view", str(path), "--html", str(out), "--joint", "j=1"]) == 1
    assert "X027 joint-position-refused: wrong joint position: joint 'j' is floating and takes 7 values, not 1" in (
        capsys.readouterr().err)
    assert out.exists()


@pytest.mark.parametrize(("scenes", "status"), [(["elbow"], 1), (["elbow", "hing"], 0)])
def test_a_joint_that_the_live_page_cannot_move_is_an_error(robot, capsys, monkeypatch, scenes, status):
    """The page goes on: the error is on standard error before Ctrl-C."""
    limits = SimpleNamespace(lower=-9, upper=9)
    joints = [SimpleNamespace(name=name, movable=True, limits=limits) for name in scenes]
    scene = SimpleNamespace(joints=joints, keep_known=lambda q: {name: q[name] for name in q if name in scenes})

    class Moved(Page):
        def add(self, load, path, positions):
            self.scenes.append(scene)
            return load()
    monkeypatch.setattr("sdf_frames.cli.view.refuse_missing", lambda *_: False)
    monkeypatch.setitem(sys.modules, "sdf_frames.view.page", SimpleNamespace(Page=Moved))
    monkeypatch.setitem(sys.modules, "sdf_frames.view.server", SimpleNamespace(
        start_server=lambda port, host: None, find_url=lambda server: "url"))
    assert main(["view", robot, "--joint", "hing=1", "--joint", "elbow=1"]) == status
    said = capsys.readouterr().err
    assert said.count("no movable joint 'hing'") == status and "'elbow'" not in said and Page.latest.closed


@pytest.mark.parametrize(("words", "said"), [
    (["r.sdf", "--layers", "frames"], "--layers is for --png and --html: the live page has a switch for each layer"),
    (["r.sdf", "--view", "top"], "--view is for --png"), (["r.sdf", "--size", "64x64"], "--size is for --png"),
    (["r.sdf", "--html", "o", "--size", "64x64"], "--size is for --png"),
    (["r.sdf", "--html", "o", "--view", "iso"], "--view is for --png"),
    (["r.sdf", "--png", "o.png", "--port", "8080"], "--port is for the live page, not for --png and --html"),
    (["r.sdf", "--html", "o", "--host", "::1"], "--host is for the live page, not for --png and --html"),
    (["r.sdf", "--png", "o.png", "--watch"], "--watch is for the live page, not for --png and --html"),
    (["r.sdf", "--upload", "--html", "o"], "--upload is for the live page, not for --png and --html"),
    (["r.sdf", "--png", "o.gif"], "argument --png: 'o.gif' does not end in .png or .jpg"),
    (["r.sdf", "--png", "png"], "argument --png: 'png' does not end in .png or .jpg"),
    (["--joint", "a=1"], "--joint needs a FILE"), (["--watch"], "--watch needs a FILE")])
def test_options_without_effect_are_wrong_usage(words, said, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["view", *words])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[0] == f"sdf_frames view: {said}"


def test_a_picture_that_cannot_be_written_is_an_error_that_names_it(robot, tmp_path, capsys, drawn):
    out = str(tmp_path / "missing" / "o.png")
    assert main(["view", robot, "--png", out]) == 1
    assert f"cannot write {out}: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize(("installed", "options", "said"), [
    ([], ["--png", "x.png"], "pyvista is not installed: pip install 'sdf_frames[png]'"),
    (["pyvista"], ["--png", "x.png"], "trimesh is not installed: pip install 'sdf_frames[view]'"),
    (["pyvista"], ["--png", "x.png", "--html", "y"], "viser is not installed: pip install 'sdf_frames[view]'"),
    ([], ["--html", "y"], "viser is not installed: pip install 'sdf_frames[view]'"),
    (["viser"], ["--html", "y"], "trimesh is not installed: pip install 'sdf_frames[view]'"),
    ([], [], "viser is not installed: pip install 'sdf_frames[view]'"),
    (["pyvista", "trimesh"], ["--png", "x.png", "--decimate", "9"],
     "fast_simplification is not installed: pip install 'sdf_frames[view]'")])
def test_the_first_extra_that_is_missing_is_named(robot, monkeypatch, capsys, installed, options, said):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if name in installed else None)
    assert main(["view", robot, *options]) == 2
    assert capsys.readouterr().err == f"sdf_frames view: {said}\n"


def test_a_page_without_files_waits_for_uploads_and_meshes_are_decimated(robot, monkeypatch):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    made = []

    class Other(Page):
        def __init__(self, most_faces, upload, server, as_sdf):
            made.append((most_faces, upload))
            super().__init__(most_faces, upload, server, as_sdf)

        def run(self, watch):
            """Ends by itself."""
    monkeypatch.setattr("sdf_frames.cli.view.refuse_missing", lambda *_: False)
    monkeypatch.setattr("sdf_frames.view.page.Page", Other)
    monkeypatch.setattr("sdf_frames.view.server.start_server", lambda port, host: None)
    monkeypatch.setattr("sdf_frames.view.server.find_url", lambda server: "url")
    assert main(["view"]) == main(["view", robot, "--decimate", "1000"]) == main(["view", robot, "--upload"]) == 0
    assert made == [(None, True), (1000, False), (None, True)] and Page.latest.closed


@pytest.mark.parametrize(("host", "said"), [("203.0.113.1", os.strerror(errno.EADDRNOTAVAIL)),
                                            ("no.such.host.invalid", "")])
def test_an_address_of_another_machine_is_wrong_usage(host, said, capsys, monkeypatch):
    """One that is for documentation only: no machine has it. The server would wait for ever."""
    monkeypatch.setattr("sdf_frames.cli.view.refuse_missing", lambda *_: False)
    with pytest.raises(SystemExit, match="2"):
        main(["view", "--host", host])
    assert capsys.readouterr().err.splitlines()[0].startswith(f"sdf_frames view: --host {host}: {said}")


OTHER = ARM.replace('"m"', '"n"').replace("hinge", "wheel").replace(
    "</model>", '<link name="e"/><joint name="bolt" type="fixed"><parent>l</parent><child>e</child></joint></model>')


@pytest.mark.parametrize(("joints", "said"), [
    (["hinge=1", "wheel=1"], []), (["whel=1"], ["no movable joint 'whel'", "did you mean 'wheel'?"]),
    (["bolt=1", "hinge=1"], ["no movable joint 'bolt'"])])
def test_joints_of_every_file_count(joints, said, robot, tmp_path, capsys, drawn):
    other = tmp_path / "other.sdf"
    other.write_text(OTHER)
    options = [word for joint in joints for word in ("--joint", joint)]
    assert main(["view", robot, str(other), "--png", str(tmp_path / "o.png"), *options]) == int(bool(said))
    err = capsys.readouterr().err
    assert all(words in err for words in said) and err.count("error") == len(said[:1])
    assert ("did you mean" in err) == (len(said) == 2) and (tmp_path / "o.png").read_bytes() == b"GIF8 picture"
