"""Attach one robot to another: ``sf.attach``."""
from __future__ import annotations

from typing import TYPE_CHECKING

from sdf_frames.api.edits import read_pose
from sdf_frames.api.errors import demand_names

if TYPE_CHECKING:
    from sdf_frames.api.description import RobotDescription
    from sdf_frames.api.pose import Pose


def attach(robot: RobotDescription, part: RobotDescription, at: str, pose: Pose | None = None, *, prefix: str = "",
           joint: str | None = None, include: bool = False) -> RobotDescription:
    """Attach a robot, such as a gripper, to a link of another one by a fixed joint.

    Parameters
    ----------
    robot, part : two URDFs, or two SDFormat descriptions; the second must have exactly one model.
    at : name of the link of `robot`; in SDFormat, it may also be a frame.
    pose : pose of the root link of `part` (SDFormat: of its model) in `at`, metres; None for the identity.
    prefix : prefix of the names of `part` in the result; in SDFormat, only of the name of its model.
    joint : name of the joint; None for the name of the root link or of the model, with ``_joint``.
    include : in SDFormat, include the file of `part` and merge its model, instead of copying it.

    Returns
    -------
    RobotDescription
        The combined robot. It keeps the file name of `robot`: relative URIs are relative to that file.

    Raises
    ------
    InvalidDescription
        Both have a link, joint or material of the same name, or they have different formats or versions.
    ValueError
        A prefix is given with `include`, which keeps the names as they are; or a name has control characters.

    Examples
    --------
    >>> attach(load("arm.urdf"), load("gripper.urdf"), "tool0", prefix="left_").save("robot.urdf")  # doctest: +SKIP
    """
    from sdf_frames.api.description import demand_robot
    from sdf_frames.spatial.pose import IDENTITY
    from sdf_frames.writers.attached import attach as write
    demand_robot("attach", robot, part)
    demand_names(at=at, prefix=prefix, joint="" if joint is None else joint)
    if include and prefix:
        raise ValueError("include=True keeps the names as they are: give no prefix")
    if not f"{prefix}{joint}".isprintable():
        raise ValueError("prefix and joint must not have control characters")
    made = write(robot._description, part._description, at, IDENTITY if pose is None else read_pose(pose),
                 prefix=prefix, joint=joint, include=include)
    return robot._load_changed(made, part)
