"""Bytes of files and streams, as many as a document may have."""
from __future__ import annotations

from typing import BinaryIO

from sdf_frames.document.budget import DEFAULT


def read_bounded(stream: BinaryIO, most: int = DEFAULT.bytes) -> bytes:
    """What a stream holds, cut off one byte behind the `most` that are read: a device such as /dev/zero never ends."""
    return stream.read(most + 1)
