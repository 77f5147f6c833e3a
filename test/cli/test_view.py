"""`sdf_frames view`: files, wrong usage, and what is said without the extras."""
import pytest

from sdf_frames.cli import main

ARM = """<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><box/></geometry></visual></link>
</model></sdf>"""


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "robot.sdf"
    path.write_text(ARM)
    return str(path)


@pytest.mark.parametrize("words", [
    ["--png", "out.png"], ["robot.sdf", "--layers", "skin"], ["robot.sdf", "--size", "0x5"],
    ["robot.sdf", "--joint", "a"],
    ["robot.sdf", "--view", "below"]])
def test_wrong_usage(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["view", *words])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) <= 2


@pytest.mark.parametrize(("option", "module", "extra"), [("--png", "pyvista", "png"), ("--html", "viser", "view")])
def test_missing_extra_is_named(robot, monkeypatch, capsys, option, module, extra):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == module else object())
    assert main(["view", robot, option, "out"]) == 2
    assert f"pip install 'sdf_frames[{extra}]'" in capsys.readouterr().err


def test_png(robot, tmp_path):
    pytest.importorskip("pyvista")
    pytest.importorskip("trimesh")
    out = tmp_path / "robot.png"
    assert main(["view", robot, "--png", str(out), "--size", "160x120"]) == 0
    assert out.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_html_of_a_file_with_an_error(tmp_path, capsys):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    path, out = tmp_path / "robot.sdf", tmp_path / "robot.html"
    path.write_text(ARM.replace("</model>", '<frame name="f" attached_to="nothing"/></model>'))
    assert main(["view", str(path), "--html", str(out)]) == 1
    assert "nothing" in capsys.readouterr().err
    assert "__VISER_EMBED_DATA__" in out.read_text(encoding="utf-8")


def test_missing_file_is_an_error(tmp_path, capsys):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    assert main(["view", str(tmp_path / "none.sdf"), "--html", str(tmp_path / "o.html")]) == 1
    assert "none.sdf" in capsys.readouterr().err
    assert not (tmp_path / "o.html").exists()
