"""Sensors as frames: where each is, and the frame id that Gazebo gives its messages."""
from __future__ import annotations

from typing import Iterator, NamedTuple

from sdf_frames.document.xml_in import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.spatial.pose import compose

#: Elements of a sensor that name its frame, the present one first.
_FRAME_IDS = ("gz_frame_id", "ignition_frame_id")


class SensorFrame(NamedTuple):
    """A sensor's frame: its id, whether the sensor itself names it, the vertex that it is rigidly attached to, and its pose in
    the scope's frame."""

    name: str
    is_named: bool
    vertex: int
    X: tuple
    element: Element


def find_sensor_frames(graph: FrameGraph, rows: list, separator: str) -> Iterator[SensorFrame]:
    """The frames of all sensors of links and joints whose pose can be resolved.

    Parameters
    ----------
    graph : of a world or a root model.
    rows : poses of its vertices in the scope's frame, with NaN where there is none.
    separator : written between the parts of MODEL::LINK::SENSOR, which is the name of a sensor that names no frame itself.
    """
    scope = "" if graph.kind == "world" else f"{graph.name}::"
    for i, (name, kind, entity) in enumerate(zip(graph.names, graph.kinds, graph.entities)):
        parts = entity.parts if kind == "link" else entity.sensors if kind == "joint" else ()
        for part in parts:
            if part.kind != "sensor":
                continue
            prefix = name[:len(name) - len(entity.name)]
            base = graph.find(prefix, part.pose.relative_to) if part.pose.relative_to else i
            if base is None or rows[base][0] != rows[base][0]:
                continue
            named = next((text for tag in _FRAME_IDS if (text := (part.element.findtext(tag) or "").strip())), "")
            yield SensorFrame((named or f"{scope}{name}::{part.name}").replace("::", separator), bool(named), i,
                              compose(tuple(rows[base]), part.pose.X), part.element)
