"""Put a frame at a pose: change only the origin or pose in FILE that determines it.

The pose is that of FRAME in the frame that --in names, in metres and radians, as 'frames --from IN --to FRAME' and
'tf2_echo IN FRAME' print it. In a URDF, the origin of the joint above FRAME changes; in SDFormat, the pose of FRAME.
For a .xacro file, place prints the line and the new value.

    sdf_frames place robot.urdf camera_link --in tool0 --xyz 0.02 0 0.08 --rpy 0 -1.57 0 -o calibrated.urdf
    sdf_frames place robot.urdf camera_optical_frame --in base_link --move camera_joint --matrix hand_eye.txt --in-place
    sdf_frames place robot.sdf lidar --in base --tf "0.1 0 0.3 0 0 0.7071 0.7071" --dry-run"""
from __future__ import annotations

import argparse

from sdf_frames.cli.common import read_position
from sdf_frames.cli.edits import add_edit_arguments, add_pose_arguments, read_pose, run_edit
from sdf_frames.writers.placed import place


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_edit_arguments(parser, ("frame", "link, joint, frame or model to place; nested names with ::"))
    parser.add_argument("--in", required=True, dest="base", metavar="FRAME", help="the frame that the pose is in")
    add_pose_arguments(parser)
    parser.add_argument("--move", metavar="NAME",
                        help="change the origin of this joint, or the pose of this part of SDFormat, instead")
    parser.add_argument("--joint", action="append", default=[], type=read_position, metavar="NAME=VALUE",
                        help="position of a joint between the frames, in radians or metres, at which the pose holds; "
                             "NAME=V,V for joints with two axes (repeatable)")


def run(args: argparse.Namespace) -> int:
    if not (args.xyz or args.matrix or args.tf is not None):
        args.parser.error("give the pose: --xyz with --rpy or --quat, --matrix, or --tf")
    X, positions = read_pose(args), dict(args.joint)
    return run_edit(args, lambda loaded: place(loaded, args.frame, args.base, X, args.move, positions))
