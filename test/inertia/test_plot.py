"""The picture: that there is one, for every shape, and one finding where there cannot be one."""
import sys

import pytest

from sdf_frames.cli import main

pytest.importorskip("trimesh")

SHAPES = ["<box/>", "<sphere/>", "<cylinder/>", "<capsule/>", "<cone/>", "<ellipsoid/>", "<plane/>", "<empty/>",
          "<mesh><uri>cube.obj</uri><scale>2 1 -1</scale></mesh>", "<mesh><uri>none.obj</uri></mesh>"]
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "".join(
    f"f {f}\n" for f in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "cube.obj").write_text(CUBE)
    links = "".join(
        f'<link name="l{i}"><pose>{2 * i} 0 0 0.3 0 0</pose><inertial><inertia><ixy>0.1</ixy></inertia></inertial>'
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
    with pytest.raises(SystemExit, match="2"):
        main(["inertia", "--plot", "out.png", str(path), str(path)])
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


def read_pixels(path):
    """(height, width, 3) of a picture, 0 to 1."""
    pytest.importorskip("matplotlib")
    from matplotlib.image import imread
    return imread(str(path))[:, :, :3]


def find_colour(pixels, red, green, blue, within=0.12):
    """(N, 2) rows and columns of the pixels of about a colour."""
    import numpy as np
    return np.argwhere((abs(pixels - (red, green, blue)) < within).all(axis=2))


DECLARED, COMPUTED = (0.8, 0.2, 0.55), (0.1, 0.5, 0.8)
SOLID = "<inertial>{}<mass>6</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz></inertia></inertial>"


def draw(tmp_path, *links):
    path, out = tmp_path / "m.sdf", tmp_path / "out.png"
    path.write_text('<sdf version="1.12"><model name="m">' + "".join(f'<link name="l{i}">{x}</link>'
                                                                     for i, x in enumerate(links)) + "</model></sdf>")
    assert main(["inertia", "--plot", str(out), str(path)]) == 0
    return read_pixels(out)


def test_the_box_of_an_inertia_has_the_colour_of_where_it_comes_from(tmp_path):
    """Pink what is declared, blue what is computed; the edges of a box are drawn in full colour."""
    shape = "<collision name='c'><density>1</density><geometry><box><size>1 1 1</size></box></geometry></collision>"
    declared, computed = SOLID.format("", 1, 1, 1), f'<inertial auto="true"/>{shape}'
    # at one place, it depends on matplotlib's version which box hides the other
    beside = f"<pose>0 2 0 0 0 0</pose>{computed}"
    for links, pink, blue in (([declared], True, False), ([computed], False, True), ([declared, beside], True, True)):
        pixels = draw(tmp_path, *links)
        assert (len(find_colour(pixels, *DECLARED)) > 100, len(find_colour(pixels, *COMPUTED)) > 100) == (pink, blue)


def test_a_box_is_as_long_as_the_moments_say(tmp_path):
    """A rod along z is drawn high, one along x wide; a picture of a cube is neither."""
    shapes = []
    for moments in ((5, 5, 0.1), (0.1, 5, 5), (1, 1, 1)):
        rows, columns = find_colour(draw(tmp_path, SOLID.format("", *moments)), *DECLARED).T
        shapes.append((rows.max() - rows.min()) / (columns.max() - columns.min()))
    assert shapes[0] > 2.5 and shapes[1] < 0.6 and 0.8 < shapes[2] < 1.6


@pytest.mark.parametrize("moment", [1, 1e-6, 1e6])
def test_the_centre_of_mass_is_marked_and_the_picture_fills_the_page(tmp_path, moment):
    """However small or large the robot is: cubes of 0.001 to 1,000 m."""
    pixels = draw(tmp_path, SOLID.format("", moment, moment, moment))
    height, width, _ = pixels.shape
    (top, left), (bottom, right) = (f(find_colour(pixels, *DECLARED)[:, [0, 1]])
                                    for f in (lambda x: x.min(0), lambda x: x.max(0)))
    assert bottom - top > 0.4 * height and right - left > 0.4 * width
    black = find_colour(pixels[top:bottom, left:right], 0, 0, 0)
    middle = abs(black - [(bottom - top) / 2, (right - left) / 2]).max(axis=1) < 10
    assert middle.sum() > 15


def test_the_title_says_the_mass_and_its_centre(path, tmp_path):
    pytest.importorskip("matplotlib")
    out = tmp_path / "out.svg"
    import matplotlib
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        assert main(["inertia", "--plot", str(out), str(path)]) == 0
    text = out.read_text()
    assert "m: 11 kg, centre of mass at" in text and "x in m" in text


def test_each_shape_gives_a_body_and_each_inertia_a_box(path):
    """Plane, empty and the mesh that is not there have nothing to draw; the mesh has 12 triangles."""
    pytest.importorskip("trimesh")
    from sdf_frames.inertia.plot import _collect
    from sdf_frames.load import load_file
    loaded = load_file(path)
    solids, bodies, _ = _collect(loaded.root, loaded.graphs[0], list(loaded.inertias().links), loaded.resolver)
    assert len(solids) == len(SHAPES) + 1
    assert len(bodies) == len(SHAPES) + 1 - 3
    mesh = bodies[-2]
    assert mesh.shape == (12, 3, 3)
    # Scaled by 2, 1 and -1, and turned about x by 0.3 at x = 16.
    assert mesh[:, :, 0].min() == pytest.approx(16) and mesh[:, :, 0].max() == pytest.approx(18)


@pytest.mark.parametrize(("mass", "boxes"), [(0.9e-3, 1), (1.1e-3, 2)])
def test_a_stand_in_for_no_mass_has_no_box(mass, boxes):
    """Less than a millionth of all, here 1,000 kg; what is no mass takes no part."""
    from sdf_frames.inertia.plot import _collect
    from sdf_frames.load import load_text
    moments = "<inertia><ixx>{0}</ixx><iyy>{0}</iyy><izz>{0}</izz></inertia>"
    links = "".join(f'<link name="l{i}"><inertial><mass>{m}</mass>{moments.format(max(m, 0) / 6)}</inertial></link>'
                    for i, m in enumerate((1000, mass, -1e9)))
    loaded = load_text(f'<sdf version="1.12"><model name="m">{links}</model></sdf>')
    scene = _collect(loaded.root, loaded.graphs[0], list(loaded.inertias().links), loaded.resolver)
    assert len(scene[0]) == boxes
