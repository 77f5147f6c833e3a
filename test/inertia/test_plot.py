"""The picture: that there is one, for every shape, and one finding where there cannot be one."""
import sys

import pytest

from sdf_frames.cli import main

SHAPES = ["<box/>", "<sphere/>", "<cylinder/>", "<capsule/>", "<cone/>", "<ellipsoid/>", "<plane/>", "<empty/>",
          "<mesh><uri>cube.obj</uri><scale>2 1 -1</scale></mesh>", "<mesh><uri>none.obj</uri></mesh>"]
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "".join(
    f"f {f}\n" for f in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    links = "".join(f'<link name="l{i}"><pose>{2 * i} 0 0 0.3 0 0</pose><inertial><inertia><ixy>0.1</ixy></inertia></inertial>'
                    f'<visual name="v"><geometry>{shape}</geometry></visual></link>' for i, shape in enumerate(SHAPES))
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m"><frame name="f"/>{links}<link name="far"><visual name="v">'
                    '<pose relative_to="f">0 0 1 0 0 0</pose><geometry><box/></geometry></visual></link></model></sdf>')
    return path


def test_a_picture_of_every_shape(path, tmp_path, capsys, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.delenv("DISPLAY", raising=False)
    out = tmp_path / "out.png"
    assert main(["inertia", "--plot", str(out), str(path)]) == 0, capsys.readouterr().err
    content = out.read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) > 10_000


def test_no_picture_says_why(path, tmp_path, capsys, monkeypatch):
    assert main(["inertia", "--plot", "out.png", str(path), str(path)]) == 2
    empty = tmp_path / "w.sdf"
    empty.write_text('<sdf version="1.12"><world name="w"/></sdf>')
    capsys.readouterr()
    if not _lacks_matplotlib():
        assert main(["inertia", "--plot", str(tmp_path / "out.png"), str(empty)]) == 1
        assert "no link to draw" in capsys.readouterr().err
        assert main(["inertia", "--plot", str(tmp_path / "out.unheard"), str(path)]) == 1
        assert capsys.readouterr().err.count("I019") == 1
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["inertia", "--plot", str(tmp_path / "never.png"), str(path)]) == 1
    captured = capsys.readouterr()
    assert "I019" in captured.err and "matplotlib is not installed" in captured.err and "total" in captured.out
    assert not (tmp_path / "never.png").exists()


def _lacks_matplotlib() -> bool:
    from importlib.util import find_spec
    return find_spec("matplotlib") is None
