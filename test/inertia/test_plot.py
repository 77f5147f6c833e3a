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


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """The figure, and what the axes hold, of a model with these links."""
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure
    figures, save = [], Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *a, **k: (figures.append(self), save(self, *a, **k))[1])

    def drawn(content, name="out.svg"):
        path = tmp_path / "m.sdf"
        path.write_text(f'<sdf version="1.12"><model name="m">{content}</model></sdf>')
        assert main(["inertia", "--plot", str(tmp_path / name), str(path)]) == 0
        (figure,) = figures
        return figure, figure.axes[0]
    return drawn


# A box of 1 x 2 x 3 m has m (b² + c²) / 12 about x: 12 kg make 13, 10 and 5.
BRICK = ("<inertial><pose>{}</pose><mass>{}</mass><inertia><ixx>13</ixx><iyy>10</iyy><izz>5</izz></inertia></inertial>")
BALL = '<visual name="v"><pose>0 0 9 0 0 0</pose><geometry><box><size>1 1 2</size></box></geometry></visual>'


def test_what_is_drawn_where(drawn):
    """A brick at (1, 2, 3), and what another link looks like at z = 9: the axes enclose both, and 2 % of the height."""
    figure, axes = drawn(f'<link name="a">{BRICK.format("1 2 3 0 0 0", "12.0")}</link>'
                         f'<link name="b"><pose>5 5 0 0 0 0</pose>{BRICK.format("0 0 0 0 0 0", "0")}{BALL}</link>')
    (collection,) = axes.collections
    low, high = [.5, 1, 1.5], [5.5, 5.5, 10]
    margin = .02 * 8.5
    for limits, a, b in zip((axes.get_xlim(), axes.get_ylim(), axes.get_zlim()), low, high):
        assert limits == pytest.approx((a - margin, b + margin))
    assert [axes.get_xlabel(), axes.get_ylabel(), axes.get_zlabel()] == ["x in m", "y in m", "z in m"]
    (text,) = axes.texts
    assert text.get_text() == "a 12 kg" and text.get_position_3d() == pytest.approx((1, 2, 3))
    (mark,) = axes.lines
    assert [c[0] for c in mark.get_data_3d()] == pytest.approx([1, 2, 3]) and mark.get_marker() == "+"
    (title,) = figure.texts
    assert title.get_text() == "m: 12 kg, centre of mass at 1 2 3 m (+)"
    # Twelve triangles of what it looks like, grey and without edges; six sides of the brick, which are seen through.
    faces, edges = list(collection.get_facecolor()), list(collection.get_edgecolor())
    assert len(faces) == len(edges) == 18
    grey = [face for face in faces if max(face[:3]) - min(face[:3]) < .1]
    assert len(grey) == 12 and all(.1 < face[3] < .4 for face in faces)
    assert sorted(edge[3] > .5 for edge in edges) == [False] * 12 + [True] * 6
    assert {edge[3] for edge in edges if edge[3] < .5} == {0}


def test_how_the_picture_looks(drawn):
    """700 × 620 pixels in small type: bodies pale grey, boxes seen through, names centred on white, all seen from
    above."""
    figure, axes = drawn(f'<link name="a">{BRICK.format("1 2 3 0 0 0", "12.0")}{BALL}</link>')
    (collection,), (name,), (mark,), (title,) = axes.collections, axes.texts, axes.lines, figure.texts
    assert (figure.get_size_inches() * figure.dpi).tolist() == pytest.approx([700, 620])
    assert axes.get_position(original=True).bounds == pytest.approx((0, 0, 1, 0.94))  # the title is above
    assert axes.elev == 18
    assert {tuple(c) for c in collection.get_facecolor()} == {(.5, .5, .55, .22), (*DECLARED, .25)}
    assert {tuple(c) for c in collection.get_edgecolor()} == {(0, 0, 0, 0), (*DECLARED, .95)}
    assert collection.get_linewidth() == [.7]
    assert title.get_fontsize() == 10
    assert {text.get_fontsize() for text in (name, *axes.get_xticklabels(), *axes.get_zticklabels())} == {7}
    frame = name.get_bbox_patch()
    assert (name.get_ha(), name.get_va(), name.get_color()) == ("center", "center", "0.15")
    assert (frame.get_facecolor(), frame.get_edgecolor()) == ((1, 1, 1, .6), (0, 0, 0, 0))
    assert (mark.get_color(), mark.get_markersize(), mark.get_markeredgewidth()) == ("black", 12, 1.6)
    assert collection.get_zorder() < name.get_zorder() < mark.get_zorder()


def test_a_brick_has_six_sides(drawn):
    """Each is a plane rectangle, whose corners go round it."""
    import numpy as np

    from sdf_frames.inertia.plot import _collect
    from sdf_frames.load import load_text
    loaded = load_text(f'<sdf version="1.12"><model name="m"><link name="a">{BRICK.format("1 2 3 0 0 0", 12)}</link>'
                       "</model></sdf>")
    ((faces, _),), _, _ = _collect(loaded.root, loaded.graphs[0], list(loaded.inertias().links), loaded.resolver)
    found = []
    for face in faces - [1, 2, 3]:
        (axis,) = np.flatnonzero(np.ptp(face, axis=0) < 1e-9)
        found.append((int(axis), round(2 * face[0, axis] / (1, 2, 3)[axis])))
        sides = np.diff(np.vstack([face, face[:1]]), axis=0)
        assert sorted(np.linalg.norm(sides, axis=1)) == pytest.approx(sorted(
            2 * [edge for k, edge in enumerate((1, 2, 3)) if k != axis]))
        assert (np.abs(sides) > 1e-9).sum() == 4
    assert sorted(found) == [(0, -1), (0, 1), (1, -1), (1, 1), (2, -1), (2, 1)]


@pytest.mark.parametrize("masses, named", [((97.4, 2.6), ["a", "b"]), ((97.6, 2.4), ["a"]), ((39, 1), ["a", "b"])])
def test_links_of_a_fortieth_of_the_mass_are_named(drawn, masses, named):
    _, axes = drawn("".join(f'<link name="{name}">{BRICK.format("0 0 0 0 0 0", mass)}</link>'
                            for name, mass in zip("ab", masses)))
    assert [text.get_text().split()[0] for text in axes.texts] == named


def test_a_link_looks_like_its_visuals_or_else_its_collisions(drawn):
    """A box of either, of which one is drawn."""
    shape = "<geometry><box><size>1 1 1</size></box></geometry>"
    collision, visual = (f'<{tag} name="{tag}"><pose>{x} 0 0 0 0 0</pose>{shape}</{tag}>'
                         for tag, x in (("collision", 9), ("visual", 20)))
    _, axes = drawn(f'<link name="a"><inertial><mass>0</mass></inertial>{collision}{visual}</link>')
    assert axes.get_xlim() == pytest.approx((19.48, 20.52)) and len(axes.collections[0].get_facecolor()) == 12


def test_frames_put_parts_in_their_places(drawn):
    """Of a part in a frame that is not there nothing is drawn."""
    shape = "<geometry><box><size>1 1 1</size></box></geometry>"
    parts = "".join(f'<collision name="{k}"><pose relative_to="{frame}">1 0 0 0 0 0</pose>{shape}</collision>'
                    for k, frame in enumerate(("f", "a", "nowhere")))
    _, axes = drawn(f'<frame name="f"><pose>0 7 0 0 0 1.5707963267948966</pose></frame><link name="a">'
                    f'<inertial><mass>0</mass></inertial>{parts}</link>')
    # (1, 0, 0) of the frame is (0, 8, 0).
    assert axes.get_xlim() == pytest.approx((-.5 - .02 * 9, 1.5 + .02 * 9))
    assert axes.get_ylim() == pytest.approx((-.5 - .02 * 9, 8.5 + .02 * 9))
    assert len(axes.collections[0].get_facecolor()) == 24


@pytest.mark.parametrize("faces, drawn_faces", [(3000, 3000), (3001, 12)])
def test_a_mesh_of_very_many_faces_is_drawn_as_its_hull(drawn, tmp_path, faces, drawn_faces):
    pytest.importorskip("scipy")
    sides = [s.split() for s in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")]
    triangles = [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))]
    (tmp_path / "cube.obj").write_text(CUBE.partition("f ")[0] + "".join(
        "f {} {} {}\n".format(*triangles[k % 12]) for k in range(faces)))
    _, axes = drawn('<link name="a"><inertial><mass>0</mass></inertial><visual name="v"><geometry><mesh>'
                    "<uri>cube.obj</uri></mesh></geometry></visual></link>")
    assert len(axes.collections[0].get_facecolor()) == drawn_faces
    assert axes.get_xlim() == pytest.approx((-.02, 1.02))


@pytest.mark.parametrize("name, written, start", [
    ("out", "out.png", b"\x89PNG"), ("out.pdf", "out.pdf", b"%PDF"), ("out.svg", "out.svg", b"<?xml")])
def test_the_ending_says_the_format(drawn, tmp_path, name, written, start):
    drawn(f'<link name="a">{BRICK.format("0 0 0 0 0 0", 12)}</link>', name)
    assert (tmp_path / written).read_bytes().startswith(start)
