"""Reads and writes numbers in serialised messages, at places that are found by comparing two serialisations.

Nothing here knows how a message is serialised: its own serialiser writes it twice, with numbers that differ in every
byte. Where that does not show the places, messages are read and filled as objects.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

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

#: The most sets of transforms, and of names in states, whose places are stored.
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
    # Padding between numbers and texts is never written, and differs by chance.
    places = np.flatnonzero((one == ~other) & np.isin(one, codes))
    order = np.argsort(one[places])
    return places[order] if np.array_equal(one[places][order], codes) else None


def _view(text: bytes | bytearray, kind: Any) -> NDArray[Any]:
    """Return the number of a type at each byte of a text."""
    return np.ndarray(max(len(text) - np.dtype(kind).itemsize + 1, 0), kind, text, strides=(1,))


class _Layout(NamedTuple):
    """The places of the stamps and other numbers in a serialised message, in their order."""

    seconds: Indices
    nanoseconds: Indices
    numbers: Indices


def _find_layout(fill: Callable[[list[int], list[int], list[float]], object], stamps: int,
                 numbers: int) -> _Layout | None:
    """Find the places of stamps and numbers in the message that `fill` makes of them; None if that is impossible."""
    no_stamps, zeros = [0] * stamps, [0.0] * numbers
    seconds = find_places(lambda given: fill(given, no_stamps, zeros), "i4", stamps)
    nanoseconds = find_places(lambda given: fill(no_stamps, given, zeros), "u4", stamps)
    places = find_places(lambda given: fill(no_stamps, no_stamps, given), "f8", numbers)
    return None if seconds is None or nanoseconds is None or places is None else _Layout(seconds, nanoseconds, places)


class TfBytes:
    """Messages of some of the given transforms, serialised once for each choice; stamps and poses are replaced."""

    def __init__(self, stamped: Sequence[TransformStamped]):
        self._stamped = stamped
        self._templates: dict[bytes, tuple[bytearray, _Layout] | None] = {}

    def write(self, moved: Moved) -> bytes | TFMessage:
        """Return a message with the moved transforms, as bytes if possible."""
        key = moved.edges.tobytes()
        if key not in self._templates:
            if len(self._templates) >= _MOST_KEPT:
                self._templates.clear()
            layout = _find_layout(partial(self._fill, moved.edges), len(moved.edges), moved.poses.size)
            self._templates[key] = layout and (bytearray(serialize_message(self.fill(moved))), layout)
        if (template := self._templates[key]) is None:
            return self.fill(moved)
        text, layout = template
        integers = _view(text, "i4")
        integers[layout.seconds], integers[layout.nanoseconds] = divmod(moved.stamps, _BILLION)
        _view(text, "f8")[layout.numbers] = moved.poses.ravel()
        return bytes(text)

    def fill(self, moved: Moved) -> TFMessage:
        """Return a message with the moved transforms as an object."""
        seconds, nanoseconds = divmod(moved.stamps, _BILLION)
        return self._fill(moved.edges, seconds.tolist(), nanoseconds.tolist(), moved.poses.ravel().tolist())

    def _fill(self, edges: Indices, seconds: list[int], nanoseconds: list[int], numbers: list[float]) -> TFMessage:
        chosen = [self._stamped[i] for i in edges]
        for stamped, sec, nanosec, X in zip(chosen, seconds, nanoseconds, np.reshape(numbers, (7, -1)).T.tolist()):
            stamped.header.stamp.sec, stamped.header.stamp.nanosec = sec, nanosec
            t, q = stamped.transform.translation, stamped.transform.rotation
            t.x, t.y, t.z, q.w, q.x, q.y, q.z = X
        return TFMessage(transforms=chosen)


@dataclass(eq=False, slots=True)
class _Kind:
    """Joint states that are serialised in the same way, except for their numbers.

    Attributes
    ----------
    names : of the joints.
    shape : all that decides where the numbers are: the names, the frame, and the number of each list.
    layout : places of the stamp and the positions.
    size, bits, same : number of bytes, the bytes of one state as a number, and the bits that are the same in all.
    """

    names: tuple[str, ...]
    shape: tuple[object, ...]
    layout: _Layout
    size: int
    bits: int
    same: int

    def read(self, data: bytes) -> State:
        """Read a state of this kind."""
        integers, (seconds, nanoseconds, positions) = _view(data, "i4"), self.layout
        return self.names, int(integers[seconds[0]]), int(integers[nanoseconds[0]]), _view(data, "f8")[positions]

    def finds(self, data: bytes, state: State) -> bool:
        """Return whether the numbers of a state are at the places of this kind."""
        _, sec, nanosec, positions = self.read(data)
        return (sec, nanosec) == state[1:3] and np.array_equal(positions, state[3], equal_nan=True)


class StateBytes:
    """Reads serialised joint states; the names of states of one kind only once.

    `known` are the kinds of states that came.
    """

    def __init__(self) -> None:
        self.known: list[_Kind] = []

    def read(self, data: bytes) -> State:
        """Return names, seconds, nanoseconds and positions of a state."""
        size, bits = len(data), int.from_bytes(data, "little")  # as a number: NumPy needs four times as long
        like = [said for said in self.known if said.size == size]
        for said in like:
            if not (bits ^ said.bits) & said.same:
                return said.read(data)
        message = deserialize_message(data, JointState)
        header, names, positions = message.header, tuple(message.name), np.array(message.position)
        state = names, header.stamp.sec, header.stamp.nanosec, positions
        shape = names, header.frame_id, len(positions), len(message.velocity), len(message.effort)
        for said in like:
            if said.shape == shape and said.finds(data, state):
                said.same &= ~(bits ^ said.bits)  # other numbers, or padding, differ
                return said.read(data)
        # Learning costs ten times as much as reading: a publisher of ever new names is not learnt.
        if positions.size and len(self.known) < _MOST_KEPT and (layout := _learn(message)) is not None:
            said = _Kind(names, shape, layout, size, bits, (1 << 8 * size) - 1)
            with suppress(IndexError):  # the sender may serialise in another way
                if said.finds(data, state):
                    self.known.append(said)
        return state


def _learn(message: JointState) -> _Layout | None:
    """Find the places of the numbers in a state by changing them; None if that is impossible."""
    def fill(seconds: list[int], nanoseconds: list[int], positions: list[float]) -> JointState:
        message.header.stamp.sec, message.header.stamp.nanosec, message.position = *seconds, *nanoseconds, positions
        return message
    return _find_layout(fill, 1, len(message.position))
