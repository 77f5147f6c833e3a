"""List the Python modules that are installed, the settings, and the places that are searched.

    sdf_frames doctor
    sdf_frames doctor --resource-path models

Problems are marked with 'wrong:'. In ROS, 'ros2 run sdf_frames doctor' also checks packages, nodes and topics.

Exit status: 1 if there is a problem."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from sdf_frames.api.machine import Remark, look_at_modules, look_at_places, write_remarks
from sdf_frames.cli.common import add_options
from sdf_frames.cli.config import ProjectSettings
from sdf_frames.cli.inputs import add_config_arguments
from sdf_frames.cli.printing import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "resource_paths")
    add_config_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    remarks = [*look_at_modules(), *_look_around(args.settings), *look_at_places(args.resource_paths)]
    wrong = sum(remark.is_wrong for remark in remarks)
    if args.json:
        print_json({"wrong": wrong, "remarks": [remark._asdict() for remark in remarks]})
    else:
        sys.stdout.write(write_remarks(remarks))
    return 1 if wrong else 0


def _look_around(settings: ProjectSettings) -> Iterator[Remark]:
    """Yield the settings of the working directory, and whether ROS 2 is set up."""
    yield Remark(False, "no settings" if settings == ProjectSettings() else f"settings of the folder {settings.folder}")
    distribution = os.environ.get("ROS_DISTRO")
    yield Remark(False, "ROS 2 is not set up in this shell" if not distribution else
                 f"ROS 2 {distribution}; ros2 run sdf_frames doctor checks its nodes and topics")
