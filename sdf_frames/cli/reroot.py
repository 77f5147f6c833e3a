"""Make LINK the root of the URDF FILE.

All links keep their poses and content, and all joints their names, limits and the meaning of their positions. Parent
and child of each joint between LINK and the old root are exchanged. A revolute or continuous joint whose axis does not
pass through the origin of its old parent gets a massless link as its child; the old parent is fixed to that link.

    sdf_frames reroot robot.urdf tool0 --dry-run
    sdf_frames reroot robot.urdf base_footprint -o rerooted.urdf
    sdf_frames reroot robot.urdf gripper_base --in-place"""
from __future__ import annotations

import argparse

from sdf_frames.cli.edits import add_edit_arguments, run_edit
from sdf_frames.writers.rerooted import reroot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_edit_arguments(parser, ("link", "the new root link"))


def run(args: argparse.Namespace) -> int:
    return run_edit(args, lambda loaded: reroot(loaded, args.link))
