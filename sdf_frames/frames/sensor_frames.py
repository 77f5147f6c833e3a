"""The frames of sensors: the ids that Gazebo gives their messages, and where the sensors are."""
from __future__ import annotations

from collections.abc import Iterator
from math import degrees, hypot
from typing import NamedTuple

from sdf_frames.document.elements import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.model import Joint, Link
from sdf_frames.sdf.sensor_ids import CAMERAS, NAMED_ANYWAY, StatedId, find_stated, read_baseline
from sdf_frames.spatial.pose import IDENTITY, Pose, angle_of, compose, invert

#: Pose of the optical frame of a camera (REP 103: z forward, x to the right) in the camera (x forward): rpy -90 0 -90.
OPTICAL: Pose = (0.0, 0.0, 0.0, 0.5, -0.5, 0.5, -0.5)
#: The name of an added optical frame: `{id}`, `{sensor}` and `{link}` stand for those of the camera.
OPTICAL_FRAME_NAME = "{id}_optical"
# A frame this near to a sensor counts as the frame of the sensor: files have angles such as 1.57 and 3.14.
_METRES, _DEGREES = 1e-3, 0.2
# The measurements of these sensors depend only on the position, or only on the rotation.
_POSITION_ONLY = frozenset(("navsat", "gps", "altimeter", "air_pressure", "force_torque"))
_ROTATION_ONLY = frozenset(("magnetometer",))
#: Types whose messages have no frame, or hold data that was transformed into the frame that they name.
WITHOUT_FRAME = frozenset(("contact", "rfid", "rfidtag", "wireless_receiver", "wireless_transmitter"))


class Sensor(NamedTuple):
    """A sensor of a link or joint whose pose can be resolved.

    Attributes
    ----------
    name : ``MODEL::LINK::SENSOR``, the id of its messages if it states none.
    vertex : the link or joint that holds the sensor.
    X : pose in the scope's frame.
    element : the ``<sensor>``.
    stated : the frame ids that it states, in the order of precedence.
    """

    name: str
    vertex: int
    X: Pose
    element: Element
    stated: tuple[StatedId, ...]

    @property
    def type(self) -> str:
        """The type of the sensor, such as ``imu``."""
        return self.element.get("type", "")

    @property
    def is_camera(self) -> bool:
        """Whether the sensor produces images."""
        return self.type in CAMERAS

    @property
    def id(self) -> str:
        """The frame id of its messages in Gazebo, without that for images only."""
        return next((stated.text for stated in self.stated if not stated.row.is_optical and not stated.row.is_classic),
                    self.name)

    def list_messages(self) -> dict[str, Pose]:
        """Return the frame ids of its messages, and the poses of their frames in the scope's frame.

        An image is in the optical frame that its camera states; Gazebo Classic has ids of its own.
        """
        frames = {self.id: self.X}
        if self.type in NAMED_ANYWAY:
            frames.setdefault(self.name, self.X)
        for stated in self.stated:
            if stated.row.is_optical or stated.row.is_classic:
                frames.setdefault(stated.text, compose(self.X, OPTICAL) if stated.row.is_optical else self.X)
        return frames


def find_sensors(graph: FrameGraph, prefix: str = "") -> Iterator[Sensor]:
    """Yield all sensors of links and joints whose pose can be resolved, in a world or a root model.

    A stated id that begins with `prefix` has it without the prefix, which TF puts before every name.
    """
    scope = "" if graph.kind == "world" else f"{graph.name}::"
    for i, (name, entity) in enumerate(zip(graph.names, graph.entities)):
        parts = entity.parts if isinstance(entity, Link) else entity.sensors if isinstance(entity, Joint) else ()
        for part in parts:
            if part.kind != "sensor":
                continue
            base = graph.find(graph.prefix(i), part.pose.relative_to) if part.pose.relative_to else i
            X_SB = None if base is None else graph.poses[base]
            if X_SB is not None:
                stated = [s._replace(text=s.text.removeprefix(prefix)) for s in find_stated(part.element)]
                yield Sensor(f"{scope}{name}::{part.name}", i, compose(X_SB, part.pose.X), part.element, tuple(stated))


def measure_error(sensor: Element, X_SF: Pose, is_optical: bool = False) -> tuple[float, float] | None:
    """Measure how far a frame is from its sensor, as far as it matters to readers of the messages.

    Parameters
    ----------
    sensor : the ``<sensor>``. A camera may also be in its optical frame, or in that of the left camera of its pair.
    X_SF : pose of the frame in the sensor.
    is_optical : whether the frame must be an optical one.

    Returns
    -------
    error
        Metres and degrees; None if the frame is right.
    """
    type_ = sensor.get("type", "")
    places = [IDENTITY]
    if type_ in CAMERAS:
        places = [OPTICAL] if is_optical else [IDENTITY, OPTICAL]
        if baseline := read_baseline(sensor):
            places += [compose((0.0, baseline, 0.0, 1.0, 0.0, 0.0, 0.0), X) for X in places]
    errors = [_measure(compose(invert(X), X_SF)) for X in places]
    distance, angle = min(errors, key=lambda error: (error[1] > _DEGREES, *error))
    if type_ in _POSITION_ONLY:
        angle = 0.0
    if type_ in _ROTATION_ONLY:
        distance = 0.0
    return (distance, angle) if distance > _METRES or angle > _DEGREES else None


def is_near(X_AB: Pose) -> bool:
    """Return whether two frames are the same within the rounding of files."""
    distance, angle = _measure(X_AB)
    return distance <= _METRES and angle <= _DEGREES


def _measure(X_AB: Pose) -> tuple[float, float]:
    """Return the distance in metres and the angle in degrees of a pose."""
    return hypot(*X_AB[:3]), degrees(angle_of(X_AB[3:]))
