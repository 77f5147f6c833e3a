"""Messages of /tf read as bytes, against messages that rclpy has serialised."""
from __future__ import annotations

import pytest

pytest.importorskip("rclpy")

from geometry_msgs.msg import TransformStamped
from rclpy.serialization import serialize_message
from tf2_msgs.msg import TFMessage

from sdf_frames.frames.tf_check import Observed
from sdf_frames.ros.tf_bytes import Moving, read_layout


def make_message(*edges: tuple[str, str], x: float = 0.0, sec: int = 0) -> bytes:
    message = TFMessage()
    for number, (parent, child) in enumerate(edges):
        stamped = TransformStamped(child_frame_id=child)
        stamped.header.frame_id, stamped.header.stamp.sec, stamped.header.stamp.nanosec = parent, sec, 999_999_999
        t, q = stamped.transform.translation, stamped.transform.rotation
        t.x, t.y, t.z, q.x, q.y, q.z, q.w = x + number, 2.0, 3.0, 0.1, 0.2, 0.3, 0.4
        message.transforms.append(stamped)
    return serialize_message(message)


@pytest.mark.parametrize("edges", [
    [], [("a", "b")], [("base", "arm"), ("arm", "héé"), ("", "x"), ("seven__", "eight___"), ("nine_____", "b" * 300)]])
def test_names_and_poses_are_those_of_the_message(edges):
    data = make_message(*edges, x=1.5)
    layout = read_layout(data)
    assert list(layout.edges) == edges and layout.matches(data)
    assert layout.read_transforms(data) == [
        Observed(parent, child, (1.5 + number, 2.0, 3.0, 0.4, 0.1, 0.2, 0.3), False)
        for number, (parent, child) in enumerate(edges)]


def test_a_layout_matches_messages_of_the_same_names_alone():
    layout = read_layout(make_message(("base", "arm"), ("arm", "tip")))
    assert layout.matches(make_message(("base", "arm"), ("arm", "tip"), x=7.0, sec=99))
    assert not layout.matches(make_message(("base", "arm"), ("arm", "top")))
    assert not layout.matches(make_message(("bas", "earm"), ("arm", "tip")))


@pytest.mark.parametrize("data", [b"", b"\0\1\0\0", b"\0\0" + make_message(("a", "b"))[2:],
                                  make_message(("a", "b"))[:-1],
                                  b"\0\1\0\0\xff\xff\xff\xff", b"\0\1\0\0\1\0\0\0" + b"\xff" * 40])
def test_bytes_that_are_no_message_are_refused(data):
    with pytest.raises(ValueError, match="cut short|not in little-endian"):
        read_layout(data)


def test_the_last_of_each_frame_is_kept_and_a_second_parent_until_it_is_stale():
    moving = Moving(stale=3.0)
    assert moving.take(make_message(("base", "arm"), x=1.0), 0.0), "names that are new"
    assert not moving.take(make_message(("base", "arm"), x=2.0), 1.0)
    assert moving.take(make_message(("rail", "arm")), 1.5)
    assert {(o.parent, o.pose[0]) for o in moving.list_transforms(1.5)} == {("base", 2.0), ("rail", 0.0)}
    assert not moving.take(make_message(("base", "arm")), 4.0)
    assert {o.parent for o in moving.list_transforms(4.5)} == {"base", "rail"}
    assert {o.parent for o in moving.list_transforms(4.6)} == {"base"}
    assert {o.parent for o in moving.list_transforms(99.0)} == {"base"}, "nothing came since: it stays where it is"
    assert not moving.list_transforms(99.0, static={"arm"})
    assert not moving.take(make_message(("rail", "arm")), 99.0), "names that were there before are no news"


def test_names_without_end_do_not_fill_the_memory():
    moving = Moving(stale=3.0)
    for number in range(2500):
        moving.take(make_message(("base", f"frame{number}")), float(number))
    assert len(moving.list_transforms(2500.0)) <= 1000
