"""The elements of a ``<sensor>`` that name the frame of its messages, and the simulators that read each of them.

A sensor without such an element has the id ``MODEL::LINK::SENSOR`` (gz-sim, src/systems/sensors/Sensors.cc), which
bridges to ROS write with ``/``.
"""
from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from sdf_frames.document.elements import Element, text_of
from sdf_frames.document.numbers import read_numbers
from sdf_frames.sdf.rules import SENSORS

#: Releases of Gazebo, the newest last, with the library that makes the messages.
GAZEBOS = {"fortress": "ign-sensors 6", "garden": "gz-sensors 7", "harmonic": "gz-sensors 8", "ionic": "gz-sensors 9",
           "jetty": "gz-sensors 10"}
NEWEST = "jetty"
CLASSIC = "classic"


class IdElement(NamedTuple):
    """A row: the path of the element in a sensor, the simulators that read it, and where they do so.

    `is_optical` marks the frame of a camera's images with z forward, which takes precedence for images.
    """

    path: str
    gazebos: tuple[str, ...]
    source: str
    is_optical: bool = False

    @property
    def is_classic(self) -> bool:
        """Whether only Gazebo Classic reads it."""
        return self.gazebos == (CLASSIC,)


#: The table. The first element that a sensor has is used; only Fortress prefers ignition_frame_id to gz_frame_id.
ID_ELEMENTS = (
    IdElement("frame_id", ("ionic", "jetty"), "gz-sensors 9 and 10, src/Sensor.cc, Sensor::Load"),
    IdElement("gz_frame_id", ("fortress", "garden", "harmonic", "ionic", "jetty"),
              "gz-sensors 7 to 10 and ign-sensors 6.8, src/Sensor.cc, Sensor::Load"),
    IdElement("ignition_frame_id", ("fortress", "garden"),
              "ign-sensors 6 and gz-sensors 7, src/Sensor.cc, Sensor::Load"),
    IdElement("camera/optical_frame_id", ("fortress", "garden", "harmonic", "ionic"),
              "ign-sensors 6.7 and gz-sensors 7.1 to 9, src/CameraSensor.cc, PopulateInfo", is_optical=True),
    IdElement("plugin/frame_name", (CLASSIC,), "gazebo_ros_pkgs, branch ros2, gazebo_ros/src/utils.cpp, SensorFrameID"),
    IdElement("plugin/frameName", (CLASSIC,), "gazebo_ros_pkgs, branch noetic-devel, gazebo_plugins/src"),
)
_TAGS = tuple([row.path.rpartition("/")[2] for row in ID_ELEMENTS])
# These cameras put the scoped name of the sensor into their images, and the id only into their CameraInfo.
# Source: gz-sensors 10, src/BoundingBoxCameraSensor.cc and src/WideAngleCameraSensor.cc.
NAMED_ANYWAY = frozenset(("boundingbox", "boundingbox_camera", "wideanglecamera", "wide_angle_camera"))
CAMERAS = frozenset((*[type_ for type_, described in SENSORS.items() if described == "camera"], "multicamera"))


class StatedId(NamedTuple):
    """A frame id that a sensor states, and the element and the row that state it."""

    text: str
    element: Element
    row: IdElement


def find_stated(sensor: Element) -> Iterator[StatedId]:
    """Yield the frame ids that a ``<sensor>`` states, in the order of the table; empty ones are skipped."""
    for row in ID_ELEMENTS if next(sensor.iter(*_TAGS), None) is not None else ():  # most sensors state none
        for element in sensor.iterfind(row.path):
            if text := text_of(element):
                yield StatedId(text, element, row)


def choose_element(gazebo: str) -> str:
    """Return the tag of the element that states the frame id of a sensor for a release of Gazebo."""
    return next(row.path for row in ID_ELEMENTS if gazebo in row.gazebos)


def read_baseline(sensor: Element) -> float:
    """Return the distance in metres from a right camera to the left camera of its stereo pair; 0 for other cameras.

    The right camera's images are in the frame of the left one, and its CameraInfo has the distance: sensor_msgs,
    CameraInfo.msg, P.
    """
    for path in ("plugin/hackBaseline", "plugin/hack_baseline"):
        if (number := read_numbers(sensor.findtext(path) or "", 1)) and isfinite(number[0]):
            return number[0]
    numbers = [read_numbers(sensor.findtext(f"camera/lens/projection/{tag}") or "", 1) for tag in ("tx", "p_fx")]
    tx, focal = [number[0] if number else 0.0 for number in numbers]
    return -tx / focal if focal and isfinite(tx / focal) else 0.0
