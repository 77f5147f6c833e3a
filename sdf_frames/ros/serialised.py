"""Messages as bytes: numbers are read and written at places that are found by comparing two serialisations.

Nothing here knows how a message is serialised: its own serialiser writes it twice, with numbers that differ in every
byte. Where that does not show the places, messages are read and filled as objects.
"""
from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from geometry_msgs.msg import TransformStamped
from numpy.lib.stride_tricks import sliding_window_view
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from sdf_frames.frames.joint_tracker import Moved

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]
    State = tuple["Names", int, int, NDArray[np.float64]]

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
    texts = [np.frombuffer(serialize_message(fill(numbers.view(kind).tolist())), np.uint8)
             for numbers in (codes, ~codes)]
    if texts[0].shape != texts[1].shape:
        return None
    # What stands at each byte. Bytes between numbers and texts are never written, and differ by chance.
    one, other = (np.ascontiguousarray(sliding_window_view(text, size)).view(codes.dtype)[:, 0] for text in texts)
    places = np.flatnonzero((one == ~other) & np.isin(one, codes))
    order = np.argsort(one[places])
    return places[order] if np.array_equal(one[places][order], codes) else None


def _view(text: bytes | bytearray, kind: str, places: Indices) -> tuple[Any, Indices]:
    """Return numbers of a text, and which of them stand at `places`.

    Raises
    ------
    ValueError
        The places are not whole numbers apart.
    """
    size = np.dtype(kind).itemsize
    offset = int(places.min()) % size
    numbers, rest = np.divmod(places - offset, size)
    if rest.any():
        raise ValueError("places between the numbers")
    return np.frombuffer(text, kind, (len(text) - offset) // size, offset), numbers


class _Template(NamedTuple):
    """A serialised message, its numbers, and where the stamps and poses (7, n) are among them."""

    text: bytearray
    integers: Any
    seconds: Indices
    nanoseconds: Indices
    doubles: Any
    poses: Indices


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
        template.integers[template.seconds], template.integers[template.nanoseconds] = divmod(moved.stamps, _BILLION)
        template.doubles[template.poses] = moved.poses
        return bytes(template.text)

    def fill(self, moved: Moved) -> TFMessage:
        """Return such a message as an object."""
        stamps = np.broadcast_to(moved.stamps, len(moved.edges))
        return self._fill(moved.edges, *divmod(stamps, _BILLION), moved.poses)

    def _fill(self, edges: Indices, seconds: Any, nanoseconds: Any, poses: Any) -> TFMessage:
        chosen = [self._stamped[i] for i in edges]
        for stamped, sec, nanosec, X in zip(chosen, seconds.tolist(), nanoseconds.tolist(), poses.T.tolist()):
            stamped.header.stamp.sec, stamped.header.stamp.nanosec = sec, nanosec
            t, q = stamped.transform.translation, stamped.transform.rotation
            t.x, t.y, t.z, q.w, q.x, q.y, q.z = X
        return TFMessage(transforms=chosen)

    def _make_template(self, edges: Indices) -> _Template | None:
        count = len(edges)
        zeros = [np.zeros(count, dtype=int), np.zeros(count, dtype=int), np.zeros((7, count))]

        def find(part: int, kind: str) -> Indices | None:
            """Find the places of the seconds, nanoseconds or poses."""
            def fill(numbers: list[Any]) -> TFMessage:
                given = [*zeros]
                given[part] = np.reshape(numbers, zeros[part].shape)
                return self._fill(edges, *given)
            return find_places(fill, kind, zeros[part].size)
        seconds, nanoseconds, poses = find(0, "i4"), find(1, "u4"), find(2, "f8")
        if seconds is None or nanoseconds is None or poses is None:
            return None
        text = bytearray(serialize_message(self._fill(edges, *zeros)))
        try:
            integers, stamps = _view(text, "i4", np.array([seconds, nanoseconds]))
            doubles, poses = _view(text, "f8", poses.reshape(7, count))
        except ValueError:
            return None
        return _Template(text, integers, stamps[0], stamps[1], doubles, poses)


@dataclass(eq=False, slots=True)
class Names:
    """The names of joint states, and how those that have them are serialised, if that is known.

    Attributes
    ----------
    names : of the joints.
    count, size : of positions, and of bytes.
    bits, same : the bits of such a state as a number, and which of them are the same in all.
    seconds, nanoseconds, positions : where the numbers begin; the positions are in one row.
    """

    names: list[str]
    count: int = 0
    size: int = -1
    bits: int = 0
    same: int = 0
    seconds: int = 0
    nanoseconds: int = 0
    positions: int = 0

    def read(self, data: bytes) -> State:
        """Read a state that has these names."""
        return (self, struct.unpack_from("=i", data, self.seconds)[0],
                struct.unpack_from("=I", data, self.nanoseconds)[0],
                np.frombuffer(data, "f8", self.count, self.positions))


class StateBytes:
    """Reads serialised joint states; the names of those that are like others, only once."""

    def __init__(self) -> None:
        self._known: list[Names] = []

    def read(self, data: bytes) -> State:
        """Return names, seconds, nanoseconds and positions of a state."""
        size, bits = len(data), int.from_bytes(data, "little")  # as a number: NumPy takes four times as long
        like = [said for said in self._known if said.size == size]
        for said in like:
            if not (bits ^ said.bits) & said.same:
                return said.read(data)
        message = deserialize_message(data, JointState)
        for said in like:
            if said.names == message.name and said.count == len(message.position):
                said.same &= ~(bits ^ said.bits)  # what differs are other numbers, or bytes without a meaning
                return said.read(data)
        said = Names(message.name, len(message.position), size, bits, (1 << 8 * size) - 1)
        stamp, positions = message.header.stamp, np.array(message.position)
        state = said, stamp.sec, stamp.nanosec, positions
        # Learning costs ten times as much as reading; a publisher of ever new names is not learnt.
        if positions.size and len(self._known) < _MOST_KEPT and _learn(said, message):
            _, *numbers, read = said.read(data)
            if numbers == [*state[1:3]] and (read == positions).all():
                self._known.append(said)
        return state


def _learn(said: Names, message: JointState) -> bool:
    """Find out where such a state has its numbers, by changing them; whether that can be told."""
    starts = []
    for part, name, kind in ((message.header.stamp, "sec", "i4"), (message.header.stamp, "nanosec", "u4"),
                             (message, "position", "f8")):
        def fill(numbers: list[Any], part: object = part, name: str = name) -> JointState:
            setattr(part, name, numbers if name == "position" else numbers[0])
            return message
        places = find_places(fill, kind, said.count if name == "position" else 1)
        if places is None or (np.diff(places) != 8).any() or places[-1] + 8 > said.size:
            return False
        starts.append(int(places[0]))
    said.seconds, said.nanoseconds, said.positions = starts
    return True
