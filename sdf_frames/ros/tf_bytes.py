"""Messages of /tf as DDS carries them (CDR): who hangs below whom, without building a message. Imports no ROS.

The messages of one publisher differ in stamps and poses alone. :func:`read_layout` finds the names of a message once; a
later message of the same length is compared with these names byte by byte, at a tenth of the cost.
"""
from __future__ import annotations

import struct
from collections.abc import Container
from dataclasses import dataclass

from sdf_frames.frames.tf_check import Observed

#: Little-endian CDR, the form that every ROS 2 middleware sends on x86-64 and arm64.
_LITTLE_ENDIAN = b"\0\1"

_POSE = struct.Struct("<7d")

#: Layouts that are remembered; a publisher of ever new names must not fill the memory.
_MOST_LAYOUTS = 1000


@dataclass(frozen=True)
class Layout:
    """Where the parts of a message are.

    Attributes
    ----------
    edges : parent and child of each transform.
    spans, names : the bytes that hold a name and its length, as (start, end), and what they are.
    poses : where the pose of each transform begins.
    """

    edges: tuple[tuple[str, str], ...]
    spans: tuple[tuple[int, int], ...]
    names: list[bytes]
    poses: tuple[int, ...]

    def matches(self, data: bytes) -> bool:
        """Whether a message of the same length has the same names at the same places."""
        return [data[start:end] for start, end in self.spans] == self.names

    def read_transforms(self, data: bytes) -> list[Observed]:
        """The transforms of a message that has this layout."""
        heard = []
        for (parent, child), place in zip(self.edges, self.poses):
            x, y, z, qx, qy, qz, qw = _POSE.unpack_from(data, place)
            heard.append(Observed(parent, child, (x, y, z, qw, qx, qy, qz), False))
        return heard


def read_layout(data: bytes) -> Layout:
    """Find the parts of a serialised tf2_msgs/TFMessage.

    Raises
    ------
    ValueError
        It is not one, or not in little-endian CDR.
    """
    if data[:2] != _LITTLE_ENDIAN:
        raise ValueError("not in little-endian CDR")
    edges, spans, poses = [], [], []
    try:
        (count,), place = struct.unpack_from("<I", data, 4), 8
        for _ in range(count):
            place = _align(place, 4) + 8  # the stamp
            names = []
            for _ in range(2):
                place = _align(place, 4)
                (length,) = struct.unpack_from("<I", data, place)
                end = place + 4 + length
                names.append(data[place + 4:end - 1].decode("utf-8", "replace"))
                spans.append((place, end))
                place = end
            place = _align(place, 8)
            _POSE.unpack_from(data, place)  # it is all there
            edges.append((names[0], names[1]))
            poses.append(place)
            place += _POSE.size
    except struct.error as error:
        raise ValueError("the message is cut short") from error
    return Layout(tuple(edges), tuple(spans), [data[start:end] for start, end in spans], tuple(poses))


def _align(place: int, size: int) -> int:
    """The next place for a number of `size` bytes; places count from the end of the four bytes of the header."""
    return place + (4 - place) % size


class Moving:
    """What was heard on /tf: the last message of each layout.

    A transform counts no more that was not heard for `stale` seconds, while its child has another parent.
    """

    def __init__(self, stale: float):
        self._stale = stale
        self._by_length: dict[int, list[Layout]] = {}
        self._last: dict[int, tuple[Layout, bytes, float]] = {}

    def take(self, data: bytes, now: float) -> bool:
        """Take a message in; return whether names have come that were not there before.

        Raises
        ------
        ValueError
            As :func:`read_layout`.
        """
        layout = next((known for known in self._by_length.get(len(data), ()) if known.matches(data)), None)
        is_new = layout is None
        if layout is None:
            layout = read_layout(data)
            if len(self._last) >= _MOST_LAYOUTS:
                self._by_length, self._last = {}, {}
            self._by_length.setdefault(len(data), []).append(layout)
        self._last[id(layout)] = layout, data, now
        return is_new

    def list_transforms(self, now: float, static: Container[str] = ()) -> list[Observed]:
        """The transforms that were heard last, one for each parent and child; `static` are children on /tf_static."""
        heard: dict[tuple[str, str], tuple[Observed, float]] = {}
        newest: dict[str, float] = {}
        for layout, data, at in sorted(self._last.values(), key=lambda row: row[2]):
            for o in layout.read_transforms(data):
                heard[o.parent, o.child] = o, at
                newest[o.child] = at
        return [o for o, at in heard.values()
                if now - at <= self._stale or newest[o.child] == at and o.child not in static]
