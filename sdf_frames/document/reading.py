"""Bytes of files and streams, as many as a document may have."""
from __future__ import annotations

from typing import BinaryIO

from sdf_frames.document.xml_in import MAX_BYTES


def read_bounded(stream: BinaryIO) -> bytes:
    """What a stream holds, cut off where it is longer than what is read: a device such as /dev/zero never ends."""
    return stream.read(MAX_BYTES + 1)
