"""Inertias for RViz: every link's equivalent box, in the link's TF frame.

visualization_msgs is part of every ROS desktop, yet not of every robot; without it there are no markers, and all else
works.
"""
from __future__ import annotations

from collections.abc import Iterable

try:
    from visualization_msgs.msg import Marker
    from visualization_msgs.msg import MarkerArray as MarkerArray
except ImportError:
    Marker = MarkerArray = None

from sdf_frames.inertia.result import GIVEN, LinkInertia, find_equivalent_box
from sdf_frames.ros.frame_table import FrameTable
from sdf_frames.ros.messages import to_pose

#: Red, green, blue and opacity: a link that declares its inertia, and one whose inertia was computed.
_DECLARED, _COMPUTED = (0.85, 0.25, 0.75, 0.5), (0.2, 0.7, 0.9, 0.5)


def to_inertia_markers(links: Iterable[LinkInertia], table: FrameTable | None) -> MarkerArray:
    """One box a link, after an order to forget all earlier ones.

    Parameters
    ----------
    links
        Of the published model or world. Links without a frame in TF, and those whose inertia no solid body has, get
        no box.
    table : the model's frames.
    """
    message = MarkerArray(markers=[Marker(action=Marker.DELETEALL)])
    frames = {entry.frame.name: entry.tf_frame for entry in table.entries
              if entry.frame.kind == "link"} if table else {}
    for number, link in enumerate(links):
        box = find_equivalent_box(link) if link.scope == 0 and frames.get(link.name) else None
        if box is None:
            continue
        # No stamp and locked: the box is drawn where the link is at any time.
        marker = Marker(ns="inertia", id=number, type=Marker.CUBE, action=Marker.ADD, pose=to_pose(box.X),
                        frame_locked=True)
        marker.header.frame_id = frames[link.name]
        marker.scale.x, marker.scale.y, marker.scale.z = box.size
        colour = _DECLARED if link.method in GIVEN else _COMPUTED
        marker.color.r, marker.color.g, marker.color.b, marker.color.a = colour
        message.markers.append(marker)
    return message
