"""Two descriptions in one scene: what is grey, what has a colour, which frames are joined by lines."""
import numpy as np
import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf

pytest.importorskip("trimesh")

from sdf_frames.view.build_scene import build_scenes  # noqa: E402
from sdf_frames.view.overlay import NEW, OLD, SAME, list_changes, overlay_scenes  # noqa: E402

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


def test_what_is_in_one_only_is_orange_or_blue_and_seen_through():
    """As docs/view.md says; lightness (ITU-R BT.709) tells them apart in grey, too."""
    assert 1 > OLD[0] > OLD[1] > OLD[2] > 0 and 0 < NEW[0] < NEW[1] < NEW[2] < 1 and max(SAME[:3]) - min(SAME[:3]) < .05
    assert 0 < OLD[3] < 1 and 0 < NEW[3] < 1 == SAME[3]
    dark, middle, light = sorted(.2126 * r + .7152 * g + .0722 * b for r, g, b, _ in (OLD, NEW, SAME))
    assert min(middle - dark, light - middle) > .15


def test_equal_robots_are_grey():
    scene = overlay(model(BASE), model(BASE))
    assert colours(scene) == [("B base", SAME)]
    assert len(scene.moves) == 0 and scene.frames == ()


@pytest.mark.parametrize("other", [LINK.format("arm", 2, 0.2, 0.2), LINK.format("arm", 1, 0.3, 0.2)])
def test_link_that_moved_or_has_another_shape_is_there_twice(other):
    scene = overlay(model(BASE, LINK.format("arm", 1, 0.2, 0.2)), model(BASE, other))
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


def test_frames_have_their_names_in_the_urdf_before_those_in_the_sdf():
    text = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0"
      ixz="0" iyz="0"/></inertial></link><link name="tool"/><joint name="tool" type="fixed"><parent link="base"/>
      <child link="tool"/><origin xyz="0 0 1"/></joint></robot>"""
    old = sf.loads(text)
    new = sf.loads(sf.loads(text.replace("0 0 1", "0 0 2")).to_sdf())
    (scene,) = overlay_scenes(*[build_scenes(robot, as_sdf=True) for robot in (old, new)], sf.diff(old, new))
    assert [label.text for label in scene.list_labels()] == ["tool (tool_joint)", "tool_joint"]
    assert old.frames["tool_joint"].urdf_name == "tool" and old.frames["tool"].urdf_name is None
    assert sf.loads(old.to_sdf()).frames["tool_joint"].urdf_name is None  # the SDF has no other name


def test_page_lists_the_differences_and_cannot_be_broken_out_of():
    found = sf.diff(model(BASE), model(BASE, FRAME.format("&lt;b&gt;", 1)))
    page = list_changes("<body><p>scene</p></body>", found)
    assert "1 difference<" in page and "+ &lt;b&gt;" in page and "<b>" not in page.partition("<pre")[2]
    assert page.startswith("<body><p>scene</p><details") and page.endswith("</details></body>")


def test_a_shape_of_another_colour_is_drawn_once_as_new():
    red, blue = (BASE.replace("</visual>", f"<material><diffuse>{rgba}</diffuse></material></visual>", 1)
                 for rgba in ("1 0 0 1", "0 0 1 1"))
    assert colours(overlay(model(red), model(blue))) == [("B base", NEW)]
    assert colours(overlay(model(red), model(red))) == [("B base", SAME)]


def test_shapes_of_a_urdf_have_their_names_in_it():
    """Those of a lumped link, without names: the second one has another colour."""
    ball = "<visual><geometry><sphere radius='.{}'/></geometry><material name=''><color rgba='{}'/></material></visual>"
    text = robot(link("base", 1), link("tip", 1, ball.format(1, "1 0 0 1") + ball.format(2, "{}")),
                 joint("weld", "fixed", "base", "tip"))
    old, new = (sf.loads(text.format(colour)) for colour in ("0 1 0 1", "0 0 1 1"))
    assert [change.name for change in sf.diff(old, new)] == ["tip::visual[2]"]
    assert colours(overlay(old, new)) == sorted([("B tip", SAME), ("B tip", NEW)])


def test_worlds_are_laid_over_worlds_of_the_same_name():
    def worlds(*names):
        return sf.loads('<sdf version="1.9">' + "".join(
            f'<world name="{name}"><model name="m">{LINK.format("l", at, .1, .1)}</model></world>'
            for name, at in names) + "</sdf>")
    a, b = worlds(("one", 0), ("two", 5)), worlds(("two", 6), ("three", 0), ("one", 0))
    scenes = overlay_scenes(build_scenes(a), build_scenes(b), sf.diff(a, b))
    assert [scene.source.name for scene in scenes] == ["one", "two"]
    assert [colours(scene) for scene in scenes] == [[("B m::l", SAME)], [("A m::l", OLD), ("B m::l", NEW)]]
    # One world each is the same world, whatever it is called; of several, those that the other file lacks are left out.
    (only,) = overlay_scenes(build_scenes(worlds(("x", 0))), build_scenes(worlds(("y", 0))), sf.diff(a, b))
    assert [shape.colour for shape in only.shapes] == [SAME]
    assert overlay_scenes(build_scenes(worlds(("x", 0))), build_scenes(b), sf.diff(a, b)) == []
    assert len(overlay_scenes(build_scenes(b), build_scenes(worlds(("one", 0))), sf.diff(a, b))) == 1


def test_links_within_the_tolerance_are_the_same():
    a, b = model(BASE), model(BASE.replace("<pose>0 0 0", "<pose>.01 0 0"))
    found = sf.diff(a, b)
    for tolerance, seen in ((.011, [("B base", SAME)]), (.009, [("A base", OLD), ("B base", NEW)])):
        assert colours(overlay_scenes(build_scenes(a), build_scenes(b), found, tolerance)[0]) == seen
    near = model(BASE.replace("<pose>0 0 0", "<pose>1e-5 0 0"))
    (scene,) = overlay_scenes(build_scenes(a), build_scenes(near), found)
    assert len(scene.shapes) == 2  # a micrometre is the default


def test_the_scene_holds_both_with_the_box_around_them():
    a, b = model(LINK.format("l", 0, 1, 1)), model(LINK.format("k", 10, 2, 2), LINK.format("l", 10, 2, 2))
    scene = overlay(a, b)
    np.testing.assert_allclose((scene.low, scene.high), ((-1, -2, -2), (12, 2, 2)), rtol=.01)
    assert {name: X.xyz.tolist() for name, X in scene.bodies.items()} == {
        "A l": [0, 0, 0], "B k": [10, 0, 0], "B l": [10, 0, 0]}
    assert scene.source.links.keys() == {"k", "l"} and scene.joints == scene.inertias == ()


def test_the_line_of_a_frame_that_was_renamed_and_moved():
    a = model(BASE, FRAME.format("eye", 1), FRAME.format("ear", 2))
    b = model(BASE, FRAME.format("nose", 1), FRAME.format("ear", 3))
    scene = overlay(a, b)
    assert scene.moves.tolist() == [[0, 2, 0], [0, 3, 0]]
    # A frame that only has another name stands once, where it is in B.
    assert [(drawn.body, drawn.frame.name) for drawn in scene.frames] == [
        ("A base", "ear"), ("B base", "nose"), ("B base", "ear")]


def test_two_equal_shapes_of_a_link_are_two_pairs():
    twice = BASE.replace("</visual>", '</visual><visual name="w"><geometry><sphere><radius>0.5</radius></sphere>'
                         "</geometry></visual>", 1)
    assert colours(overlay(model(twice), model(twice))) == [("B base", SAME)] * 2
    assert colours(overlay(model(twice), model(BASE))) == [("A base", OLD), ("B base", SAME)]
    assert colours(overlay(model(BASE), model(twice))) == [("B base", NEW), ("B base", SAME)]


def test_links_without_visuals_show_their_collisions():
    bare = BASE.partition("<visual")[0] + "<collision" + BASE.partition("<collision")[2]
    scene = overlay(model(bare), model(bare))
    assert [(shape.layer, shape.body, shape.problem) for shape in scene.shapes] == [("visuals", "B base", None)]


@pytest.mark.parametrize(("count", "title"), [(0, "no differences"), (1, "1 difference"), (2, "2 differences")])
def test_the_title_of_the_list(count, title):
    a, b = model(BASE), model(BASE, *[FRAME.format(f"f{i}", 1) for i in range(count)])
    found = sf.diff(a, b)
    page = list_changes("<body></body>x</body></html>", found)
    assert f">text &rarr; text: {title}</summary>" in page
    assert page.startswith("<body></body>x<details") and page.endswith("</details></body></html>")


def test_files_are_named_without_their_folders(tmp_path):
    for name in ("<a>.sdf", "b.sdf"):
        (tmp_path / name).write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    page = list_changes("</body>", sf.diff(sf.load(tmp_path / "<a>.sdf"), sf.load(tmp_path / "b.sdf")))
    assert ">&lt;a&gt;.sdf &rarr; b.sdf: no differences<" in page
    assert "</b> only &lt;a&gt;.sdf" in page and "</b> only in b.sdf" in page
