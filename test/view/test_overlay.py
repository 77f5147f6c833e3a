"""Two descriptions in one scene: what is grey, what has a colour, which frames are joined by lines."""
import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("trimesh")

from sdf_frames.view.overlay import NEW, OLD, SAME, list_changes, overlay_scenes  # noqa: E402
from sdf_frames.view.scene import build_scenes  # noqa: E402

LINK = ('<link name="{0}"><pose>{1} 0 0 0 0 0</pose><visual name="v"><geometry><sphere><radius>{2}</radius></sphere>'
        '</geometry></visual><collision name="c"><geometry><sphere><radius>{3}</radius></sphere></geometry></collision>'
        "</link>")
FRAME = '<frame name="{}"><pose>0 {} 0 0 0 0</pose></frame>'


def model(*parts):
    return sf.loads(f'<sdf version="1.9"><model name="m">{"".join(parts)}</model></sdf>')


def overlay(a, b):
    (scene,) = overlay_scenes(build_scenes(a), build_scenes(b), sf.diff(a, b))
    return scene


def colours(scene):
    return sorted((shape.body, shape.colour) for shape in scene.shapes)


BASE = LINK.format("base", 0, 0.5, 0.5)


def test_equal_robots_are_grey():
    scene = overlay(model(BASE), model(BASE))
    assert colours(scene) == [("B base", SAME)]
    assert scene.moves == () and scene.frames == ()


@pytest.mark.parametrize("link", [LINK.format("arm", 2, 0.2, 0.2), LINK.format("arm", 1, 0.3, 0.2)])
def test_link_that_moved_or_has_another_shape_is_there_twice(link):
    scene = overlay(model(BASE, LINK.format("arm", 1, 0.2, 0.2)), model(BASE, link))
    assert colours(scene) == [("A arm", OLD), ("B arm", NEW), ("B base", SAME)]


def test_link_of_one_only_has_its_colour():
    arm = LINK.format("arm", 1, 0.2, 0.2)
    assert colours(overlay(model(BASE, arm), model(BASE))) == [("A arm", OLD), ("B base", SAME)]
    assert colours(overlay(model(BASE), model(BASE, arm))) == [("B arm", NEW), ("B base", SAME)]


def test_renamed_link_is_the_same_link():
    first = LINK.format("arm", 1, 0.2, 0.2)
    assert colours(overlay(model(BASE, first), model(BASE, first.replace("arm", "hand")))) == [
        ("B base", SAME), ("B hand", SAME)]


def test_collisions_are_seen_if_only_they_differ():
    scene = overlay(model(BASE), model(LINK.format("base", 0, 0.5, 0.7)))
    assert colours(scene) == [("A base", OLD), ("B base", NEW)]
    np.testing.assert_allclose(scene.shapes[1].surfaces[0].extents, (1.4,) * 3, rtol=0.01)


def test_line_joins_a_frame_that_moved():
    scene = overlay(model(BASE, FRAME.format("eye", 1), FRAME.format("ear", 2)),
                    model(BASE, FRAME.format("eye", 4), FRAME.format("ear", 2)))
    (move,) = scene.moves
    assert (move.name, move.start.tolist(), move.end.tolist()) == ("eye", [0, 1, 0], [0, 4, 0])
    assert [(drawn.body, drawn.frame.name) for drawn in scene.frames] == [("A base", "eye"), ("B base", "eye")]


def test_page_lists_the_differences_and_cannot_be_broken_out_of():
    found = sf.diff(model(BASE), model(BASE, FRAME.format("&lt;b&gt;", 1)))
    page = list_changes("<body><p>scene</p></body>", found)
    assert "1 difference<" in page and "+ &lt;b&gt;" in page and "<b>" not in page.partition("<pre")[2]
    assert page.startswith("<body><p>scene</p><details") and page.endswith("</details></body>")


def test_picture_shows_both_and_the_line():
    pytest.importorskip("pyvista")
    image = pytest.importorskip("PIL.Image")
    from io import BytesIO

    from sdf_frames.view.picture import draw_picture
    scene = overlay(model(BASE, LINK.format("arm", 2, 0.5, 0.5)), model(BASE, LINK.format("arm", 6, 0.5, 0.5)))
    drawn = draw_picture([scene], ("visuals", "frames"), "side", (600, 200))
    pixels = np.asarray(image.open(BytesIO(drawn)).convert("RGB")).astype(int)
    red, green, blue = (pixels[:, :, i] for i in range(3))
    orange, blues, line = (red > 2 * blue + 20) & (green > 50), (blue > 1.5 * red + 20) & (blue > 1.5 * green), \
        (red > 2 * green + 60) & (blue > 2 * green + 60)
    middles = [np.nonzero(mask)[1].mean() for mask in (orange, line, blues)]
    assert middles == sorted(middles) and middles[2] - middles[0] > 200
    assert line.sum() > 200


def test_a_shape_of_another_colour_is_drawn_once_as_new():
    red, blue = (BASE.replace("</visual>", f"<material><diffuse>{rgba}</diffuse></material></visual>", 1)
                 for rgba in ("1 0 0 1", "0 0 1 1"))
    assert colours(overlay(model(red), model(blue))) == [("B base", NEW)]
    assert colours(overlay(model(red), model(red))) == [("B base", SAME)]
