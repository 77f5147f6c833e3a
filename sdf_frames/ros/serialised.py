"""Messages as bytes: numbers are read and written at places that are found by comparing two serialisations.

Nothing here knows how a message is serialised: its own serialiser writes it twice, with numbers that differ in every
byte. Where that does not show the places, messages are read and filled as objects.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from sdf_frames.frames.joint_tracker import Moved

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]
    State = tuple[tuple[str, ...], int, int, NDArray[np.float64]]

_BILLION = 1_000_000_000

#: Sets of transforms, and of names in states, whose places are remembered.
_MOST_KEPT = 16


def find_places(fill: Callable[[list[Any]], object], kind: str, count: int) -> Indices | None:
    """Find the bytes at which a serialised message holds `count` numbers of a NumPy type.

    Parameters
    ----------
    fill : makes the message with these numbers, and all else as always.

    Returns
    -------
    places
        Of each number's first byte, in the order of the numbers; None if they cannot be told.
    """
    size = np.dtype(kind).itemsize
    # Doubles a little above 1, whose complements are finite; integers with a bit that makes them long.
    codes = np.arange(count, dtype=f"u{size}") + (0x3FF << 52 if kind == "f8" else 1 << 30)
    one, other = (_view(serialize_message(fill(numbers.view(kind).tolist())), codes.dtype)
                  for numbers in (codes, ~codes))
    if one.shape != other.shape:
        return None
    # Bytes between numbers and texts are never written, and differ by chance.
    places = np.flatnonzero((one == ~other) & np.isin(one, codes))
    order = np.argsort(one[places])
    return places[order] if np.array_equal(one[places][order], codes) else None


def _view(text: bytes | bytearray, kind: Any) -> NDArray[Any]:
    """Return the numbers of a type that begin at each byte of a text."""
    return np.ndarray(max(len(text) - np.dtype(kind).itemsize + 1, 0), kind, text, strides=(1,))


#: A serialised message, and the places of its seconds, nanoseconds and poses (7, n).
_Template = tuple[bytearray, "Indices", "Indices", "Indices"]


class TfBytes:
    """Messages of some of these transforms, serialised once for each choice; stamps and poses are replaced."""

    def __init__(self, stamped: Sequence[TransformStamped]):
        self._stamped = stamped
        self._templates: dict[bytes, _Template | None] = {}

    def write(self, moved: Moved) -> bytes | TFMessage:
        """Return a message with transforms that have moved, as bytes if possible."""
        key = moved.edges.tobytes()
        if key not in self._templates:
            if len(self._templates) >= _MOST_KEPT:
                self._templates.clear()
            self._templates[key] = self._make_template(moved.edges)
        template = self._templates[key]
        if template is None:
            return self.fill(moved)
        text, seconds, nanoseconds, poses = template
        integers = _view(text, "i4")
        integers[seconds], integers[nanoseconds] = divmod(moved.stamps, _BILLION)
        _view(text, "f8")[poses] = moved.poses
        return bytes(text)

    def fill(self, moved: Moved) -> TFMessage:
        """Return such a message as an object."""
        seconds, nanoseconds = divmod(moved.stamps, _BILLION)
        return self._fill(moved.edges, seconds.tolist(), nanoseconds.tolist(), moved.poses)

    def _fill(self, edges: Indices, seconds: list[int], nanoseconds: list[int], poses: NDArray[Any]) -> TFMessage:
        chosen = [self._stamped[i] for i in edges]
        for stamped, sec, nanosec, X in zip(chosen, seconds, nanoseconds, poses.T.tolist()):
            stamped.header.stamp.sec, stamped.header.stamp.nanosec = sec, nanosec
            t, q = stamped.transform.translation, stamped.transform.rotation
            t.x, t.y, t.z, q.w, q.x, q.y, q.z = X
        return TFMessage(transforms=chosen)

    def _make_template(self, edges: Indices) -> _Template | None:
        zeros, X = [0] * len(edges), np.zeros((7, len(edges)))
        seconds = find_places(lambda numbers: self._fill(edges, numbers, zeros, X), "i4", len(edges))
        nanoseconds = find_places(lambda numbers: self._fill(edges, zeros, numbers, X), "u4", len(edges))
        poses = find_places(lambda numbers: self._fill(edges, zeros, zeros, np.reshape(numbers, X.shape)), "f8", X.size)
        if seconds is None or nanoseconds is None or poses is None:
            return None
        text = bytearray(serialize_message(self._fill(edges, zeros, zeros, X)))
        return text, seconds, nanoseconds, poses.reshape(X.shape)


@dataclass(eq=False, slots=True)
class _Kind:
    """Joint states that are serialised in the same way, but for their numbers.

    Attributes
    ----------
    names : of the joints.
    count, size : of positions, and of bytes.
    bits, same : the bits of such a state as a number, and which of them are the same in all.
    places : of seconds, nanoseconds and positions.
    """

    names: tuple[str, ...]
    count: int
    size: int
    bits: int
    same: int
    places: tuple[Indices, ...] = ()

    def read(self, data: bytes) -> State:
        """Read a state of this kind."""
        integers, (seconds, nanoseconds, positions) = _view(data, "i4"), self.places
        return self.names, int(integers[seconds[0]]), int(integers[nanoseconds[0]]), _view(data, "f8")[positions]


class StateBytes:
    """Reads serialised joint states; the names of those that are like others, only once.

    `known` are the kinds of states that came.
    """

    def __init__(self) -> None:
        self.known: list[_Kind] = []

    def read(self, data: bytes) -> State:
        """Return names, seconds, nanoseconds and positions of a state."""
        size, bits = len(data), int.from_bytes(data, "little")  # as a number: NumPy takes four times as long
        like = [said for said in self.known if said.size == size]
        for said in like:
            if not (bits ^ said.bits) & said.same:
                return said.read(data)
        message = deserialize_message(data, JointState)
        names = tuple(message.name)
        for said in like:
            if said.names == names and said.count == len(message.position):
                said.same &= ~(bits ^ said.bits)  # what differs are other numbers, or bytes without a meaning
                return said.read(data)
        said = _Kind(names, len(message.position), size, bits, (1 << 8 * size) - 1)
        stamp, positions = message.header.stamp, np.array(message.position)
        state = names, stamp.sec, stamp.nanosec, positions
        # Learning costs ten times as much as reading; a publisher of ever new names is not learnt.
        if positions.size and len(self.known) < _MOST_KEPT and _learn(said, message):
            # Its sender may serialise in another way.
            *numbers, read = said.read(data)
            if numbers == [*state[:3]] and np.array_equal(read, positions):
                self.known.append(said)
        return state


def _learn(said: _Kind, message: JointState) -> bool:
    """Find out where such a state has its numbers, by changing them; whether that can be told."""
    def find(part: object, name: str, kind: str, count: int) -> Indices | None:
        def fill(numbers: list[Any]) -> JointState:
            setattr(part, name, numbers if part is message else numbers[0])
            return message
        return find_places(fill, kind, count)
    stamp = message.header.stamp
    found = find(stamp, "sec", "i4", 1), find(stamp, "nanosec", "u4", 1), find(message, "position", "f8", said.count)
    said.places = tuple([places for places in found if places is not None])
    return len(said.places) == len(found) and max(int(places[-1]) for places in said.places) + 8 <= said.size
