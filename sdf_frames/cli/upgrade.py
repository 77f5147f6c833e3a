"""Write each FILE in another version of its format: a newer one of SDFormat, or any of URDF.

Comments and unknown content are kept. In a URDF, only what the version requires changes. Before SDFormat 1.7, siblings
of different kinds could have the same name; such elements are renamed. Before 1.8, names could contain '::'; it is
replaced by '_', unless the element moves into a nested model.

    sdf_frames upgrade old.sdf -o new.sdf
    sdf_frames upgrade --in-place worlds/*.sdf
    sdf_frames upgrade --to 1.9 --output-dir upgraded worlds/*.sdf
    sdf_frames upgrade --to 1.0 robot.urdf -o for_drake.urdf
    sdf_frames upgrade robot.sdf --bundle my_robot
"""
from __future__ import annotations

import argparse
from collections.abc import Iterator

from sdf_frames.cli.answers import Made, write_each
from sdf_frames.cli.common import add_file_arguments, begin_input
from sdf_frames.cli.files import add_output_arguments
from sdf_frames.description import Description
from sdf_frames.document.expanded import is_xacro
from sdf_frames.sdf.table import VERSION, VERSIONS
from sdf_frames.urdf import versions as urdf_versions
from sdf_frames.writers.as_urdf import change_urdf_version
from sdf_frames.writers.upgraded import upgrade


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    parser.add_argument("--to", default=VERSION, metavar="V", choices=(*urdf_versions.VERSIONS, *VERSIONS[1:]),
                        help=f"version to write: {', '.join(urdf_versions.VERSIONS)} of URDF, or {VERSIONS[1]} to "
                             f"{VERSION} of SDFormat (default: {VERSION})")
    add_output_arguments(parser, in_place=True, bundle="a model for Gazebo (a URDF: a ROS package)")


def run(args: argparse.Namespace) -> int:
    if args.in_place and (scripts := [name for name in args.files if is_xacro(name)]):
        args.parser.error(f"--in-place: {scripts[0]} is a xacro file, and the result is not")
    return write_each(args, "urdf" if args.to in urdf_versions.VERSIONS else "sdf", _upgrade)


def _upgrade(name: str, args: argparse.Namespace) -> Made:
    begun = begin_input(name, args)
    write = change_urdf_version if args.to in urdf_versions.VERSIONS else upgrade
    return Made(write(begun, args.to), begun.resolver, _list_included(begun))


def _list_included(begun: Description) -> Iterator[str]:
    """Yield the files that a file includes or refers to; the file is loaded only when they are needed."""
    from sdf_frames.api.uris import list_files
    from sdf_frames.load import complete
    yield from list_files(complete(begun))
