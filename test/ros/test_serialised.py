"""Numbers in serialised messages: the places that are found hold what the message's own reader reads there."""
from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rclpy")

from builtin_interfaces.msg import Time
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from sdf_frames.frames.joint_tracker import Moved
from sdf_frames.ros import serialised
from sdf_frames.ros.messages import to_transform
from sdf_frames.ros.serialised import StateBytes, TfBytes, find_places
from sdf_frames.spatial.pose import IDENTITY


def make_state(names, frame="", velocity=(), effort=(), seed=0) -> JointState:
    draw = np.random.default_rng(seed)
    state = JointState(name=names, position=draw.normal(size=len(names)).tolist(), velocity=velocity, effort=effort)
    state.header.frame_id = frame
    state.header.stamp.sec, state.header.stamp.nanosec = int(draw.integers(2**31)), int(draw.integers(10**9))
    return state


@pytest.mark.parametrize("count", [1, 2, 3, 45, 400])
@pytest.mark.parametrize("frame", ["", "a", "ab", "abc", "abcd", "a_longer_name"])
def test_states_are_read_as_the_serialiser_wrote_them(count, frame):
    names = [f"joint_{'x' * (i % 5)}{i}" for i in range(count)]
    states, said = StateBytes(), set()
    for seed in range(20):
        more = np.random.default_rng(seed + 100).normal(size=(2, count)).tolist()
        state = make_state(names, frame, *more, seed)
        found, *stamp, positions = states.read(serialize_message(state))
        assert stamp == [state.header.stamp.sec, state.header.stamp.nanosec]
        assert positions.tolist() == state.position.tolist() and found == (*names,)
        said.add(id(found))
    assert len(said) == 1, "the names were read once"


def test_states_of_several_publishers_are_told_apart():
    states = StateBytes()
    kinds = [["a", "b"], ["b", "a"], ["a", "c"], ["abcdefgh"], [], ["a", "b"]]
    for seed in range(10):
        for names in kinds:
            state = make_state(names, seed=seed)
            found, *_, positions = states.read(serialize_message(state))
            assert found == (*names,) and positions.tolist() == state.position.tolist()


@pytest.mark.parametrize("at_home", [0.0, 0.5])
def test_states_of_one_size_with_other_lists_or_frames_are_told_apart(at_home):
    """The name of a frame takes the room of a velocity; at zero, both kinds seem to have the same numbers."""
    states, sizes = StateBytes(), set()
    kinds = {"": {"velocity": [0.25]}, "base_link": {}, "gripper_tip": {"velocity": [0.25], "effort": [0.0]},
             "left_arm/gripper_mount_link": {}}
    for position in (at_home, at_home, 0.75, 1.25, at_home):
        for frame, more in kinds.items():
            state = JointState(name=["j"], position=[position], **more)
            state.header.frame_id, state.header.stamp.sec = frame, 100
            data = serialize_message(state)
            sizes.add(len(data))
            names, sec, _, positions = states.read(data)
            assert (names, sec, positions.tolist()) == (("j",), 100, [position])
    assert len(sizes) == 2


def test_a_state_whose_lists_differ_in_length_is_read():
    states = StateBytes()
    for position, velocity in (([1.0, 2.0], []), ([], [1.0, 2.0]), ([1.0, 2.0], []), ([float("nan"), 1.0], [])):
        state = JointState(name=["a", "b"], position=position, velocity=velocity)
        np.testing.assert_array_equal(states.read(serialize_message(state))[3], position)


@pytest.mark.parametrize("count", [1, 2, 45, 400])
def test_transforms_are_written_as_the_serialiser_writes_them(count):
    tf = TfBytes([to_transform(f"p{'x' * (i % 7)}{i}", f"c{'y' * (i % 3)}{i}", IDENTITY, Time()) for i in range(count)])
    draw = np.random.default_rng(count)
    for _ in range(5):
        edges = np.sort(draw.choice(count, (count + 1) // 2, replace=False))
        moved = Moved(edges, draw.integers(2**31 * 10**9, size=len(edges)), draw.normal(size=(7, len(edges))))
        data = tf.write(moved)
        assert isinstance(data, bytes)
        read = deserialize_message(data, TFMessage)
        assert [t.child_frame_id for t in read.transforms] == [f"c{'y' * (i % 3)}{i}" for i in edges]
        for t, stamp, X in zip(read.transforms, moved.stamps.tolist(), moved.poses.T.tolist()):
            p, q = t.transform.translation, t.transform.rotation
            assert [p.x, p.y, p.z, q.w, q.x, q.y, q.z] == X
            assert (t.header.stamp.sec, t.header.stamp.nanosec) == divmod(stamp, 10**9)
        assert read == tf.fill(moved)


def test_places_that_cannot_be_told_are_not_guessed(monkeypatch):
    """A serialiser that writes text, and one that writes a number twice."""
    for write in (lambda message: str(message).encode(), lambda message: serialize_message(message) * 2):
        monkeypatch.setattr(serialised, "serialize_message", write)
        assert find_places(lambda numbers: JointState(position=numbers), "f8", 3) is None
        moved = Moved(np.array([0]), np.array([3]), np.ones((7, 1)))
        tf = TfBytes([to_transform("a", "b", IDENTITY, Time())])
        assert tf.write(moved) == tf.fill(moved)
        states = StateBytes()
        for seed in range(3):
            state = make_state(["a", "b"], seed=seed)
            assert states.read(serialize_message(state))[3].tolist() == state.position.tolist()


def test_a_state_that_was_serialised_in_another_way_is_not_read_from_its_bytes(monkeypatch):
    """The message's own reader finds other numbers in it than stand where our serialiser writes them."""
    data, meant = serialize_message(make_state(["a", "b"], seed=1)), make_state(["a", "b"], seed=2)
    monkeypatch.setattr(serialised, "deserialize_message", lambda *_: deserialize_message(serialize_message(meant),
                                                                                          JointState))
    states = StateBytes()
    for _ in range(3):
        assert states.read(data)[3].tolist() == meant.position.tolist()
