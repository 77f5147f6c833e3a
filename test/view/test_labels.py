"""Which names are written: those that cover no nearer one."""
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("trimesh")

from sdf_frames.view import labels  # noqa: E402
from sdf_frames.view.labels import PageLabels, choose_labels  # noqa: E402


@pytest.mark.parametrize(("boxes", "chosen"), [
    ([], []), ([(0, 0, 9, 2)], [0]), ([(0, 0, 9, 2), (8, 1, 17, 3)], [0]),
    ([(0, 0, 9, 2), (9, 0, 18, 2), (0, 2, 9, 4), (-9, -2, 0, 0)], [0, 1, 2, 3]),  # side by side
    ([(0, 0, 9, 2), (8, 0, 17, 2), (16, 0, 25, 2)], [0, 2]),  # what the second would cover
    ([(0, 0, 0, 0), (0, 0, 0, 0)], [0, 1])])
def test_labels_cover_none_before_them(boxes, chosen):
    assert choose_labels(np.array(boxes, dtype=float).reshape(-1, 4)) == chosen


def make_label(text, x, y, z, anchor="top-left", marked=False):
    return SimpleNamespace(text=text, anchor=anchor, visible=False), np.array((x, y, z)), marked


def choose(*given, **camera):
    """The texts that a camera at the origin, which looks along x with z up, sees of labels, and how many it misses."""
    missed = []
    view = {"position": np.zeros(3), "wxyz": np.array((.5, -.5, .5, -.5)), "fov": np.pi / 2, "aspect": 1.0} | camera
    nodes = SimpleNamespace(list_labels=lambda: given)
    PageLabels(lambda: [nodes], missed.append).choose(SimpleNamespace(**view))
    return [label.text for label, *_ in given if label.visible], missed


def test_of_names_that_cover_each_other_the_nearest_is_seen():
    assert choose(make_label("far", 3, 0, 0), make_label("near", 1, 0, 0)) == (["near"], [1])
    assert choose() == ([], [0])


def test_more_names_are_seen_from_near():
    """At 90 degrees a page of 800 pixels is as high as twice the distance: 0.1 m are 20 pixels at 2 m, 4 at 10 m."""
    names = [make_label("one", 0, 0, 0), make_label("two", 0, 0, .1)]
    assert choose(*names, position=np.array((-2, 0, 0))) == (["one", "two"], [0])
    assert choose(*names, position=np.array((-10, 0, 0)))[1] == [1]
    # Beside each other: 100 pixels at 2 m, which is less than a long name.
    long = [make_label("a" * 30, 0, .5, 0), make_label("b" * 30, 0, 0, 0)]
    assert choose(*long, position=np.array((-2, 0, 0)))[1] == [1]
    assert choose(*long, position=np.array((-.9, 0, 0)))[1] == [0]


def test_names_at_one_place_have_room_at_its_corners():
    corners = [make_label(name, 2, 0, 0, anchor) for name, anchor in (
        ("a", "top-left"), ("b", "bottom-left"), ("c", "top-right"), ("d", "bottom-right"), ("e", "top-left"))]
    assert choose(*corners) == (["a", "b", "c", "d"], [1])


def test_names_that_are_searched_for_come_before_nearer_ones():
    assert choose(make_label("near", 1, 0, 0), make_label("found", 3, 0, 0, marked=True)) == (["found"], [1])
    assert choose(make_label("same", 1, 0, 0), make_label("same", 1, 0, 0, marked=True)) == (["same"], [0])


def test_names_outside_of_the_page_hide_and_count_as_nothing():
    outside = [make_label("behind", -1, 0, 0), make_label("above", 1, 0, 1.1), make_label("right", 1, -1.1, 0)]
    assert choose(*outside, make_label("seen", 1, -.9, 0)) == (["seen"], [0])
    assert choose(*outside, aspect=1.2) == (["right"], [0])


def test_a_choice_is_made_once_for_all_that_happens_meanwhile(monkeypatch):
    """For the camera that moved last; without one, there is nothing to choose."""
    started, seen = [], []
    monkeypatch.setattr(labels, "Timer", lambda wait, run: SimpleNamespace(
        start=lambda: started.append(run), daemon=None))
    page = PageLabels(list, lambda count: None)
    page.choose = seen.append
    for cameras in ([None, None], ["a", "b", None], [None]):
        for camera in cameras:
            page.update(camera)
        assert len(started) == 1
        started.pop()()
    assert seen == ["b", "b"]
