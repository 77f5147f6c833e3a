"""The lines of the tree and of limits. Expected values are worked out by hand."""
from math import pi

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("trimesh")

from sdf_frames.api.pose import Pose  # noqa: E402
from sdf_frames.view.build_scene import build_scene  # noqa: E402
from sdf_frames.view.lines import draw_axes, draw_limits, draw_tree  # noqa: E402


def build(kind, lower, upper, axis="0 0 1"):
    """Two links, the upper one 2 m above the lower one; its joint is halfway."""
    return build_scene(sf.loads(f"""<sdf version="1.11"><model name="m">
      <link name="base"/><link name="tip"><pose>0 0 2 0 0 0</pose></link>
      <joint name="j" type="{kind}"><parent>base</parent><child>tip</child><pose>0 0 -1 0 0 0</pose>
        <axis><xyz>{axis}</xyz><limit><lower>{lower}</lower><upper>{upper}</upper></limit></axis></joint>
      <frame name="hand" attached_to="tip"><pose>1 0 0 0 0 0</pose></frame>
      <frame name="palm" attached_to="hand"><pose>0 1 0 0 0 0</pose></frame></model></sdf>"""))


def place(scene, segments, positions=None):
    return segments.place({**scene.place(positions), "": Pose()}).reshape(-1, 2, 3)


def test_the_tree_joins_parents_to_children_and_frames_to_what_they_are_attached_to():
    scene = build("revolute", -1, 1, "0 1 0")
    lines = {tuple(map(tuple, np.round(line, 9).tolist())) for line in place(scene, draw_tree(scene))}
    assert lines == {((0, 0, 0), (0, 0, 2)), ((0, 0, 2), (1, 0, 2)), ((1, 0, 2), (1, 1, 2)), ((0, 0, 2), (0, 0, 1))}
    moved = place(scene, draw_tree(scene), {"j": pi / 2})
    np.testing.assert_allclose(moved[0], [(0, 0, 0), (1, 0, 1)], atol=1e-9)


def test_the_arc_of_a_revolute_joint_stays_and_the_needle_turns():
    """The needle stands at one end of the arc when the joint is at that limit."""
    scene = build("revolute", -1, .5)
    for q in (-1, .5):
        *arc, needle = place(scene, draw_limits(scene), {"j": q})
        np.testing.assert_allclose(np.array(arc), np.array(place(scene, draw_limits(scene))[:-1]))
        spokes = [arc[0][1], arc[-1][0]]
        np.testing.assert_allclose([arc[0][0], arc[-1][1], needle[0]], [(0, 0, 1)] * 3, atol=1e-9)
        end = spokes[q > 0]
        np.testing.assert_allclose(needle[1] - needle[0], 1.3 * (end - (0, 0, 1)), atol=1e-9)
    radii = np.linalg.norm(np.array(arc)[1:-1] - (0, 0, 1), axis=-1)
    np.testing.assert_allclose(radii, .05 * scene.extent)
    first, last = (point - (0, 0, 1) for point in spokes)
    assert np.arctan2(np.cross(first, last)[2], first @ last) == pytest.approx(1.5)


@pytest.mark.parametrize(("kind", "lower", "upper"), [
    ("revolute", "-inf", "inf"), ("revolute", "0", "inf"), ("revolute", "1", "1"), ("continuous", "-1", "1"),
    ("fixed", "-1", "1"), ("screw", "-1", "1"), ("universal", "-1", "1")])
def test_joints_without_two_limits_and_screws_have_no_range(kind, lower, upper):
    scene = build(kind, lower, upper)
    assert place(scene, draw_limits(scene)).shape == (0, 2, 3)


def test_an_arc_is_one_turn_at_most():
    scene = build("revolute", -10, 10)
    arc = place(scene, draw_limits(scene))[:-1]
    turns = np.arccos(np.clip(np.einsum("ni,ni->n", arc[1:-1, 0] - (0, 0, 1), arc[1:-1, 1] - (0, 0, 1))
                              / (.05 * scene.extent) ** 2, -1, 1))
    assert turns.sum() == pytest.approx(2 * pi)


def test_axes_go_through_the_joint():
    scene = build("revolute", -1, 1, "0 1 0")
    np.testing.assert_allclose(place(scene, draw_axes(scene, .4)), [[(0, -.2, 1), (0, .2, 1)]], atol=1e-9)


def load(inside):
    return build_scene(sf.loads(f'<sdf version="1.11"><model name="m">{inside}</model></sdf>'))


SLIDE = ('<joint name="slide" type="prismatic"><parent>{}</parent><child>{}</child><axis><xyz>0 0 1</xyz><limit>'
         "<lower>0</lower><upper>1</upper></limit></axis></joint>")
CHAIN = ('<link name="base"/><link name="tip"><pose>0 0 2 0 0 0</pose></link><link name="end"><pose>0 0 3 0 0 0</pose>'
         '</link><joint name="turn" type="continuous"><parent>base</parent><child>tip</child><pose>0 0 -1 0 0 0</pose>'
         "<axis><xyz>0 1 0</xyz></axis></joint>" + SLIDE.format("tip", "end"))


@pytest.mark.parametrize(("turn", "rail", "needle"), [
    (0, [(0, 0, 3), (0, 0, 4)], (0, 0, 3.5)), (pi / 2, [(2, 0, 1), (3, 0, 1)], (2.5, 0, 1))])
def test_a_range_moves_with_the_parent_and_its_needle_with_the_child(turn, rail, needle):
    """The first joint turns about y, 1 m above the base; the range of the second begins 2 m behind that."""
    scene = load(CHAIN)
    segments = draw_limits(scene)
    assert segments.bodies == ["tip"] * 6 + ["end"] * 2
    lines = place(scene, segments, {"turn": turn, "slide": .5})
    np.testing.assert_allclose(lines[0], rail, atol=1e-9)
    np.testing.assert_allclose(lines[-1].mean(axis=0), needle, atol=1e-9)
    np.testing.assert_allclose(lines[1:3].mean(axis=1), rail, atol=1e-9)  # a bar at each end
    lengths = np.linalg.norm(lines[1:, 1] - lines[1:, 0], axis=1) / (.05 * scene.extent)
    np.testing.assert_allclose(lengths, [1, 1, 2])


def test_what_hangs_on_the_world_has_its_range_there():
    model = f'<model name="m"><link name="base"/>{SLIDE.format("world", "base")}</model>'
    scene = build_scene(sf.loads(f'<sdf version="1.11"><world name="w">{model}</world></sdf>'))
    segments = draw_limits(scene)
    assert segments.bodies == [""] * 6 + ["m::base"] * 2
    lines = place(scene, segments, {"m::slide": .5})
    np.testing.assert_allclose(lines[0], [(0, 0, 0), (0, 0, 1)])
    np.testing.assert_allclose(lines[-1].mean(axis=0), (0, 0, .5))
    tree = draw_tree(scene)
    assert tree.bodies == ["", "m::base"]
    np.testing.assert_allclose(place(scene, tree, {"m::slide": .5}), [[(0, 0, 0), (0, 0, .5)]])


def test_frames_of_a_nested_model_hang_on_those_of_their_scope():
    """A frame of the same name stands in the model around it."""
    frame = '<frame name="{}"{}><pose>{} 0 0 0 0</pose></frame>'
    scene = load('<link name="l"/>' + frame.format("g", "", "5 0") + '<model name="n"><pose>0 0 9 0 0 0</pose>'
                 '<link name="k"/>' + frame.format("g", "", "0 2") + frame.format("f", ' attached_to="g"', "1 0")
                 + "</model>")
    lines = {tuple(map(tuple, np.round(line, 9).tolist())) for line in place(scene, draw_tree(scene))}
    assert ((0, 2, 9), (1, 2, 9)) in lines and ((0, 0, 9), (0, 2, 9)) in lines and ((0, 0, 0), (5, 0, 0)) in lines
    assert len(lines) == 3


def test_an_arc_has_a_point_every_ten_degrees_at_least():
    """Its sides, and 90° in nine steps and one."""
    segments = draw_limits(build("revolute", 0, pi / 2))
    assert len(segments.points) == 2 * (2 + 10 + 1)
