"""What a description offers to change: each method returns the changed robot as a new description."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sdf_frames.api.texts import Texts

if TYPE_CHECKING:
    from typing_extensions import Self

    from sdf_frames.api.pose import Pose
    from sdf_frames.spatial.pose import Pose as PoseNumbers
    from sdf_frames.writers.written import Written


class Edits(Texts):
    """A description that can be changed; a base of :class:`sdf_frames.RobotDescription`."""

    def place(self, frame: str, relative_to: str, pose: Pose, *, move: str | None = None,
              positions: Mapping[str, float | Sequence[float]] | None = None) -> Self:
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

    def _load_changed(self, made: Written) -> Self:
        from sdf_frames.load import load_text
        kind: Any = type(self)  # RobotDescription, whose module imports this one
        return kind(load_text(self._render(made)[0], self.file, self._description.options))


def read_pose(pose: Pose) -> PoseNumbers:
    """Return one pose as (x, y, z, qw, qx, qy, qz)."""
    if pose.shape:
        raise ValueError(f"one pose is needed, not a batch of the shape {pose.shape}")
    x, y, z = pose.xyz.tolist()
    qw, qx, qy, qz = pose.quat_wxyz.tolist()
    return x, y, z, qw, qx, qy, qz
