"""Poses of old versions that no attribute of SDFormat 1.12 can express.

Until 1.6, the pose of an inertial could be in any frame, and the pose of a joint whose child is the world was in the
world. Such a pose is read, and its frame is kept in an attribute of this library. It is an attribute, and not a table
beside the tree, because elements are copied in 15 places (includes, merging, params, printing), and the frame has to
go with the copy. The name of the attribute is drawn when this module is imported, so that no file can contain it.
:func:`sdf_frames.convert.computed_poses.compute_legacy_poses` removes the attribute before a text is written.
"""
from __future__ import annotations

import os

from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.names import is_foreign

#: The attribute. Its value is the name of a frame in the scope, or ``__root__`` for the world that the model is in.
LEGACY_FRAME = f"{{sdf_frames:{os.urandom(8).hex()}}}relative_to"


def keep_inertial_frames(root: Element) -> None:
    """Keep the frames of inertials' poses, in place, when an ``<sdf>`` tree of 1.6 becomes one of 1.7."""
    for inertial in root.iter("inertial"):
        for pose in inertial:
            if pose.tag != "pose" or pose.get("frame") is None or is_foreign(inertial):
                continue
            if frame := pose.attrib.pop("frame").strip():
                pose.set(LEGACY_FRAME, frame)
