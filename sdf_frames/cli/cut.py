"""Cut a part out of the URDF FILE, as a separate robot.

Its root is the link that --from names. Without --to, everything below that link stays. With --to, only the links and
joints on the way to that link stay, without other links beside or below them. Poses, inertias and the meaning of joint
positions do not change. The <gazebo> elements, transmissions and <ros2_control> joints of removed links and joints are
removed, too.

    sdf_frames cut robot.urdf --from gripper_base -o gripper.urdf
    sdf_frames cut robot.urdf --from arm_base --to tool0 -o arm.urdf
    sdf_frames cut robot.urdf --from base_link --in-place"""
from __future__ import annotations

import argparse

from sdf_frames.cli.edits import add_edit_arguments, run_edit
from sdf_frames.writers.cut_out import cut


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_edit_arguments(parser)
    parser.add_argument("--from", required=True, dest="start", metavar="LINK", help="the root of the part")
    parser.add_argument("--to", dest="end", metavar="LINK", help="the end of a chain (default: keep all links below)")


def run(args: argparse.Namespace) -> int:
    return run_edit(args, lambda loaded: cut(loaded, args.start, args.end))
