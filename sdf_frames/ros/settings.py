"""Values of the node's parameters as one frozen object. Imports no ROS: worker processes use it."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sdf_frames.document.budget import read_limits
from sdf_frames.load import LoadOptions
from sdf_frames.sdf.names import SEPARATOR

_NOT_FOR_READING = ("robot_description", "inertia_markers", "time_limit", "publish_frequency", "ignore_timestamp",
                    "model_file", "xacro_args", "watch", "monitor")


@dataclass(frozen=True)
class Settings:
    """Values of the parameters, in the order in which they are declared."""

    robot_description: str = ""
    frame_prefix: str = ""
    scope_separator: str = SEPARATOR
    tf_mode: str = "all"
    preserve_fixed_joints: bool = False
    massless: str = "frame"
    sdf_version: str = ""
    resource_paths: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    inertia_markers: bool = False
    sensor_frames: bool = False
    time_limit: float = 60.0
    joint_states: bool = False
    publish_frequency: float = 20.0
    ignore_timestamp: bool = False
    model_name: str = ""
    model_file: str = ""
    xacro_args: str = ""
    watch: bool = False
    monitor: bool = False

    def load_options(self) -> LoadOptions:
        """Return how a description from the network is loaded: confined to the resource paths.

        An empty path, which is all that `ros2 param set` can give for none, is not the current folder.
        """
        paths = tuple(filter(None, self.resource_paths))
        return LoadOptions(resource_paths=paths, preserve_fixed_joints=self.preserve_fixed_joints,
                           massless=self.massless, sdf_version=self.sdf_version or None, confined=True,
                           budget=read_limits(filter(None, self.limits)))

    def naming(self) -> dict[str, Any]:
        """Return the options of :func:`sdf_frames.frames.tf.build_tf_tree`."""
        return {"scope_separator": self.scope_separator, "frame_prefix": self.frame_prefix,
                "sensor_frames": self.sensor_frames, "model_name": self.model_name}

    def for_reading(self) -> Settings:
        """Return these settings with the defaults for all that does not change how a description is read."""
        return replace(self, **{name: getattr(Settings, name) for name in _NOT_FOR_READING})
