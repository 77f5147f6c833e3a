"""The lines of the tree and of limits. Expected values are worked out by hand."""
from math import pi

import numpy as np
import pytest

import sdf_frames as sf

pytest.importorskip("trimesh")

from sdf_frames.api.pose import Pose  # noqa: E402
from sdf_frames.view.lines import draw_axes, draw_limits, draw_tree  # noqa: E402
from sdf_frames.view.scene import build_scene  # noqa: E402


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
    assert lines == {((0, 0, 0), (0, 0, 2)), ((0, 0, 2), (1, 0, 2)), ((1, 0, 2), (1, 1, 2)),
                     ((0, 0, 2), (0, 0, 1))}
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


def test_the_rail_of_a_prismatic_joint_has_its_length_and_a_bar_that_slides():
    scene = build("prismatic", -.25, .75)
    lines = place(scene, draw_limits(scene), {"j": .5})
    np.testing.assert_allclose(lines[0], [(0, 0, .75), (0, 0, 1.75)], atol=1e-9)
    np.testing.assert_allclose(lines[:, :, 2].mean(axis=1), [1.25, .75, 1.75, 1.5])


@pytest.mark.parametrize(("kind", "lower", "upper"), [
    ("revolute", "-inf", "inf"), ("revolute", "0", "inf"), ("revolute", "1", "1"), ("continuous", "-1", "1"),
    ("fixed", "-1", "1")])
def test_joints_without_two_limits_have_no_range(kind, lower, upper):
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
