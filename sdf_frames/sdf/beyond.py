"""Poses that SDFormat 1.12 has no words for: read all the same, and computed when they are written.

A joint that an old version hangs with its child on the world has its pose there; until 1.6 an inertial's pose could be
in any frame. Such a pose bears its frame in an attribute of ours. It is an attribute, and not a table beside the tree,
because elements are copied in 15 places (includes, merging, params, printing), and the frame has to go with the copy.
Its name is drawn when this is imported, so that no author of a file can know it: a file cannot have such poses.
:func:`sdf_frames.convert.beyond.write_beyond` takes it away again, before a text is written.
"""
from __future__ import annotations

import os

from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.names import has_prefix

#: The attribute; its value is a name of the scope, or ``__root__`` for the world, wherever the model stands in it.
BEYOND = f"{{sdf_frames:{os.urandom(8).hex()}}}relative_to"


def keep_inertial_frames(root: Element) -> None:
    """Keep the frames of inertials' poses of an ``<sdf>`` tree before 1.7, which 1.7 and later do not have."""
    for inertial in root.iter("inertial"):
        if any(a.tag == "plugin" or has_prefix(a.tag) for a in inertial.iterancestors()):
            continue
        for pose in inertial.iterchildren("pose"):
            frame = pose.attrib.pop("frame", "").strip()
            if frame:
                pose.set(BEYOND, frame)
