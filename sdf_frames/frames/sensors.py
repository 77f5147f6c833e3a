"""The frames of sensors: the pose of each, and the frame id that Gazebo gives its messages."""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.document.xml_in import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.model import Joint, Link
from sdf_frames.spatial.pose import Pose, compose

#: Elements of a sensor that name its frame, the present one first.
_FRAME_IDS = ("gz_frame_id", "ignition_frame_id")


class SensorFrame(NamedTuple):
    """The frame of a sensor.

    Attributes
    ----------
    name, is_named : the frame id, and whether the sensor itself states it.
    vertex : the link or joint that holds the sensor.
    X : pose in the scope's frame.
    element : the ``<sensor>``.
    """

    name: str
    is_named: bool
    vertex: int
    X: Pose
    element: Element


def find_sensor_frames(graph: FrameGraph, separator: str) -> Iterator[SensorFrame]:
    """Yield the frames of all sensors of links and joints whose pose can be resolved.

    Parameters
    ----------
    graph : of a world or a root model.
    separator : written between the parts of MODEL::LINK::SENSOR, the frame id of a sensor that does not state one.
    """
    scope = "" if graph.kind == "world" else f"{graph.name}::"
    for i, (name, entity) in enumerate(zip(graph.names, graph.entities)):
        parts = entity.parts if isinstance(entity, Link) else entity.sensors if isinstance(entity, Joint) else ()
        for part in parts:
            if part.kind != "sensor":
                continue
            base = graph.find(graph.prefix(i), part.pose.relative_to) if part.pose.relative_to else i
            X_SB = None if base is None else graph.poses[base]
            if X_SB is None:
                continue
            named = next((text for tag in _FRAME_IDS if (text := (part.element.findtext(tag) or "").strip())), "")
            yield SensorFrame((named or f"{scope}{name}::{part.name}").replace("::", separator), bool(named), i,
                              compose(X_SB, part.pose.X), part.element)
