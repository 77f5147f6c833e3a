"""ROS: robot_state_publisher and RViz."""
from __future__ import annotations

import re
from collections.abc import Iterator

from sdf_frames.checks.programs import Program
from sdf_frames.checks.refusals import check_files, list_files
from sdf_frames.diagnostics import ANOTHER, Diagnostic, diagnose, relate, times_of
from sdf_frames.document.elements import locate
from sdf_frames.document.uri_hints import spell_by_package
from sdf_frames.document.uris import Resolver
from sdf_frames.urdf.model import Robot

#: What resource_retriever opens. For libcurl, what stands behind ``file://`` and is no slash is a host.
_OPENED = re.compile("package://[^/]+/.|file:///|https?://")


def check_uris(robot: Robot, resolver: Resolver, *_: object) -> Iterator[Diagnostic]:
    """Warn once about URIs that RViz does not open, although their files exist."""
    closed = [(uri, locate(element, "filename")) for _, uri, element in list_files(robot)
              if not _OPENED.match(uri) and resolver.find_file(uri, robot.file) is not None]
    if closed:
        uri, first = closed[0]
        new = spell_by_package(uri, robot.file, resolver)
        yield diagnose("rviz-uri-refused", first, uri=uri, times=times_of(len(closed)),
                       hint=None if new == uri else f"write {new}",
                       related=[relate(ANOTHER, at) for _, at in closed[1:]])


PROGRAM = Program("ros", "ROS", "Lyrical: urdfdom 6.0", ("urdf",),
                  "robot_state_publisher and RViz read the robot; missing meshes are not shown",
                  "urdfdom 3.1", (check_files, check_uris))
