"""What a description offers to change: each method returns the changed robot as a new description."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sdf_frames.api.texts import Texts

if TYPE_CHECKING:
    from sdf_frames.api.description import RobotDescription
    from sdf_frames.api.pose import Pose
    from sdf_frames.spatial.pose import Pose as PoseNumbers
    from sdf_frames.writers.written import Written


class Edits(Texts):
    """A description that can be changed; a base of :class:`sdf_frames.RobotDescription`."""

    def place(self, frame: str, relative_to: str, pose: Pose, *, move: str | None = None,
              positions: Mapping[str, float | Sequence[float]] | None = None) -> RobotDescription:
        """Put a frame at a pose in another frame: the one origin or pose that decides it changes, and no other byte.

        Parameters
        ----------
        frame, relative_to : names of links, joints, frames or models; nested names with ``::``.
        pose : the pose that `frame` gets in `relative_to`, metres.
        move : name of the joint of a URDF whose origin changes; None for the joint above `frame`. Of SDFormat, the
            link, joint, frame or model whose pose changes; None for `frame`, or the joint or frame in whose place it is
            written to be.
        positions : joint name -> radians or metres, at which the pose holds. Each moving joint between the frames needs
            a position, or follows a joint that has one.

        Returns
        -------
        RobotDescription
            The changed robot. Its poses are ``changed.pose(frame, relative_to, positions)``.

        Raises
        ------
        InvalidDescription
            A frame or joint of this name does not exist, no single pose decides where `frame` is, or xacro makes it:
            the findings say what to change.

        Examples
        --------
        >>> robot.place("camera_link", "tool0", Pose.from_rpy([0.02, 0, 0.08], [0, -1.57, 0]))  # doctest: +SKIP
        """
        from sdf_frames.writers.placed import place
        return self._load_changed(place(self._description, frame, relative_to, read_pose(pose), move, positions))

    def _load_changed(self, made: Written) -> RobotDescription:
        from sdf_frames.api.description import RobotDescription
        from sdf_frames.load import load_text
        return RobotDescription(load_text(self._render(made)[0], self.file, self._description.options))


def read_pose(pose: Pose) -> PoseNumbers:
    """Return one pose as (x, y, z, qw, qx, qy, qz)."""
    if pose.shape:
        raise ValueError(f"one pose is needed, not a batch of the shape {pose.shape}")
    x, y, z = pose.xyz.tolist()
    qw, qx, qy, qz = pose.quat_wxyz.tolist()
    return x, y, z, qw, qx, qy, qz


def attach(robot: RobotDescription, part: RobotDescription, at: str, pose: Pose | None = None, *, prefix: str = "",
           joint: str | None = None, include: bool = False) -> RobotDescription:
    """Attach a robot, such as a gripper, to a link of another one by a fixed joint.

    Parameters
    ----------
    robot, part : two URDFs, or two descriptions of SDFormat, of which the second has one model.
    at : name of the link of `robot`, in SDFormat also of a frame.
    pose : pose of the root link of `part` (SDFormat: of its model) in `at`, metres; None for the same place.
    prefix : what the names of `part` begin with in the result; in SDFormat, the name of its model.
    joint : name of the joint; None for that of the root link or the model, with ``_joint``.
    include : in SDFormat, include the file of `part` and merge its model, instead of copying it.

    Returns
    -------
    RobotDescription
        The whole, in the place of the file of `robot`: relative URIs lead from there.

    Raises
    ------
    InvalidDescription
        Both have a link, joint or material of one name, or they have different formats or versions.
    ValueError
        A prefix is given for an include, which merges the names as they are.

    Examples
    --------
    >>> attach(load("arm.urdf"), load("gripper.urdf"), "tool0", prefix="left_").save("robot.urdf")  # doctest: +SKIP
    """
    from sdf_frames.spatial.pose import IDENTITY
    from sdf_frames.writers.attached import attach as write
    if include and prefix:
        raise ValueError("an include merges the names as they are: give no prefix")
    made = write(robot._description, part._description, at, IDENTITY if pose is None else read_pose(pose),
                 prefix=prefix, joint=joint, include=include)
    return robot._load_changed(made)
