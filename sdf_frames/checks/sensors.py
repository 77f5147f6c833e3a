"""Checks the frame ids of sensors: each names a frame, and the frame is where the sensor is."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import degrees
from typing import Any

from sdf_frames.diagnostics import Diagnostic, diagnose, steps_of
from sdf_frames.document.elements import Element, locate
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.frames.resolve import Scope
from sdf_frames.frames.sensor_frames import OPTICAL, WITHOUT_FRAME, Sensor, find_sensors, measure_error
from sdf_frames.sdf.names import Taken
from sdf_frames.sdf.sensor_ids import StatedId
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, invert, rpy_from_quaternion

_SCOPE = "::"  # between the parts of a name
_NameFrame = Callable[[Element, str, bool], str]  # the name of a new frame for a sensor
_MOST_PREFIXES = 8  # prefixes that an id may have before the name of a frame


def check_sensor_frames(scope: Scope) -> Iterator[Diagnostic]:
    """Check the frame ids that the sensors of a world or root model state."""
    left_out = {row.name: row.pose for row in scope.left_out}
    taken = Taken(scope.graph.names)

    @cache
    def name_frame(sensor: Element, prefix: str, is_optical: bool) -> str:
        return taken.find_free(f"{prefix}{sensor.get('name', '')}_frame").removeprefix(prefix)

    for sensor in find_sensors(scope.graph):
        if sensor.type in WITHOUT_FRAME:
            continue
        seen: set[tuple[str, bool]] = set()
        for stated in sensor.stated:
            key = stated.text, stated.row.is_optical
            if key not in seen and (finding := _check_id(scope, left_out, name_frame, sensor, stated)) is not None:
                yield finding
            seen.add(key)


def _check_id(scope: Scope, left_out: Mapping[str, Pose | None], name_frame: _NameFrame, sensor: Sensor,
              stated: StatedId) -> Diagnostic | None:
    graph = scope.graph
    is_known, X_WF = _find_frame(graph, left_out, sensor, stated.text)
    X_WL = graph.poses[sensor.vertex]
    if X_WL is None or is_known and X_WF is None:
        return None
    X_LW = invert(X_WL)
    fields: dict[str, Any] = {
        "name": sensor.element.get("name", ""), "id": stated.text, "link": graph.names[sensor.vertex],
        "pose": _describe(compose(X_LW, sensor.X))}
    if X_WF is None:
        return diagnose("sensor-frame-unknown", locate(stated.element), hint=_mend(scope, name_frame, sensor, stated),
                        **fields)
    error = measure_error(sensor.element, compose(invert(sensor.X), X_WF), stated.row.is_optical)
    if error is None:
        return None
    distance, angle = [f"{round(value, 6):.3g}" for value in error]
    return diagnose("sensor-frame-elsewhere", locate(stated.element), error=f"{distance} m and {angle}°",
                    framed=_describe(compose(X_LW, X_WF)), hint=_mend(scope, name_frame, sensor, stated), **fields)


def _find_frame(graph: FrameGraph, left_out: Mapping[str, Pose | None], sensor: Sensor,
                text: str) -> tuple[bool, Pose | None]:
    """Find the frame that an id names, and whether it names one at all.

    The id is looked for in the model of the sensor, then in the models around it: as it is, and without the part
    before its first ``/`` or ``::``, which may be a TF prefix.
    """
    own = f"{graph.names[sensor.vertex]}{_SCOPE}{sensor.element.get('name', '')}".split(_SCOPE)
    name = text.lstrip("/")
    for _ in range(_MOST_PREFIXES):
        path = name.replace("/", _SCOPE)
        if len(parts := path.split(_SCOPE)) > 1 and own[-len(parts):] == parts:
            return True, sensor.X  # the default id of Gazebo
        prefix = graph.prefix(sensor.vertex)
        while True:
            for candidate in (name, path):
                if (vertex := graph.find(prefix, candidate)) is not None:
                    return True, graph.poses[vertex]
                if candidate in left_out:
                    return True, left_out[candidate]
                if not graph.is_unknown(prefix, candidate):
                    return True, None  # it may be in an include that failed
            if not prefix:
                break
            prefix = prefix.removesuffix(_SCOPE).rpartition(_SCOPE)[0]
            prefix += _SCOPE if prefix else ""
        name = name[min((i for i in (name.find("/") + 1, name.find(_SCOPE) + 2) if i > 1), default=len(name)):]
    return False, None


def _mend(scope: Scope, name_frame: _NameFrame, sensor: Sensor, stated: StatedId) -> str:
    """Suggest a frame for the messages of a sensor: an existing one, or a new one."""
    graph, tag, optical = scope.graph, str(stated.element.tag), stated.row.is_optical
    prefix = graph.prefix(sensor.vertex)
    for wanted in dict.fromkeys((optical or sensor.is_camera, optical)):  # best the optical frame of a camera
        for i in _list_beside(graph, sensor.vertex) if graph.hints.spend_look() else ():
            X = graph.poses[i]
            if X and measure_error(sensor.element, compose(invert(sensor.X), X), wanted) is None and (
                    _step(graph.entities[i].element, 2) != "joint"):  # robot_state_publisher publishes no joints
                return (f"write <{tag}>{graph.names[i].removeprefix(prefix)}</{tag}>, a {graph.kinds[i]} that is where "
                        "the sensor is")
    X_WL = graph.poses[sensor.vertex]
    X = compose(invert(X_WL) if X_WL else IDENTITY, compose(sensor.X, OPTICAL if optical else IDENTITY))
    name = name_frame(sensor.element, prefix, optical)
    link = graph.names[sensor.vertex].removeprefix(prefix)
    xyz, rpy = _write(X[:3]), _write(rpy_from_quaternion(*X[3:]))
    if _step(sensor.element, 1) == "robot":
        return (f'write <{tag}>{name}</{tag}>, and add a link of this name with a fixed joint to {link!r} and '
                f'<origin xyz="{xyz}" rpy="{rpy}"/>')
    return (f'write <{tag}>{name}</{tag}>, and add <frame name="{name}" attached_to="{link}">'
            f'<pose>{xyz} {rpy}</pose></frame> to the {"model" if prefix else graph.kind}')


def _list_beside(graph: FrameGraph, vertex: int) -> Iterator[int]:
    """Yield the links and frames of a sensor's model that move with the link or joint that holds the sensor."""
    prefix, body = graph.prefix(vertex), graph.bodies[vertex]
    for i, kind in enumerate(graph.kinds):
        if graph.bodies[i] == body and kind in ("link", "frame") and graph.prefix(i) == prefix:
            yield i


def _step(element: Element | None, number: int) -> str:
    """Return the tag of a step, counted from 1, in the path of an element in its file."""
    steps = steps_of(locate(element).path)
    return steps[number - 1][0] if len(steps) >= number else ""


def _describe(X: Pose) -> str:
    """Return position in metres, and roll, pitch and yaw in degrees, as text."""
    roll, pitch, yaw = rpy_from_quaternion(*X[3:])
    return f"({', '.join(_round(X[:3]))}) m, rpy ({', '.join(_round((degrees(roll), degrees(pitch), degrees(yaw))))})°"


def _round(values: Vector) -> list[str]:
    return [f"{round(value, 6) + 0.0:g}" for value in values]


def _write(values: Vector) -> str:
    return " ".join([f"{round(value, 9) + 0.0:.10g}" for value in values])
