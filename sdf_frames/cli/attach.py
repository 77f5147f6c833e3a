"""Attach the robot PART, such as a gripper, to a link of the robot FILE by a fixed joint.

The pose is that of PART's root link (in SDFormat: of its model) in the link that --at names, in metres and radians;
without a pose, the frames coincide. Both files have the same format. The content of PART, with comments, is added at
the end of FILE; the rest of FILE does not change. Relative URIs of meshes are rewritten for the folder of the output.

    sdf_frames attach arm.urdf gripper.urdf --at tool0 --rpy 0 0 1.5708 -o robot.urdf
    sdf_frames attach two_arms.urdf gripper.urdf --at left_tool0 --prefix left_ --in-place
    sdf_frames attach arm.sdf gripper.sdf --at tool0 --xyz 0 0 0.01 --include -o robot.sdf"""
from __future__ import annotations

import argparse

from sdf_frames.cli.edits import add_edit_arguments, add_pose_arguments, read_pose, run_edit
from sdf_frames.writers.attached import attach


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_edit_arguments(parser, ("part", "the robot to attach: a file of the same format"))
    parser.add_argument("--at", required=True, metavar="LINK",
                        help="the link of FILE, in SDFormat also a frame; nested names with ::")
    add_pose_arguments(parser)
    parser.add_argument("--prefix", default="", metavar="TEXT",
                        help="prefix of the names of PART's links, joints, transmissions and ros2_control in the "
                             "result; in SDFormat, of the name of its model")
    parser.add_argument("--joint", metavar="NAME",
                        help="name of the fixed joint (default: the name of PART's root link or model, with _joint)")
    parser.add_argument("--include", action="store_true",
                        help="in SDFormat, add the file of PART by <include merge=\"true\"> instead of a copy")


def run(args: argparse.Namespace) -> int:
    X = read_pose(args)
    if args.part == "-" == args.files[0]:
        args.parser.error("only one of FILE and PART can be -")
    if not f"{args.prefix}{args.joint}".isprintable():
        args.parser.error("--prefix and --joint must not have control characters")
    if args.include and args.prefix:
        args.parser.error("--include keeps the names as they are; leave out --prefix")
    return run_edit(args, lambda loaded, part: attach(loaded, part, args.at, X, prefix=args.prefix, joint=args.joint,
                                                      include=args.include))
