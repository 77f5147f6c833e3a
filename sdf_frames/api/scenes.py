"""The worlds of a description, and the elements and kinematics of its first world or root model."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdf_frames.api.errors import Immutable, InvalidDescription, Named

if TYPE_CHECKING:
    from sdf_frames.api.elements import Frame, Joint, Link, Model
    from sdf_frames.api.parts import Part
    from sdf_frames.api.pose import Pose
    from sdf_frames.api.scene import Scene, World
    from sdf_frames.description import Description
    from sdf_frames.diagnostics import Diagnostic


class Scenes(Immutable):
    """The worlds of a description, or its root model; the base of :class:`sdf_frames.RobotDescription`."""

    _description: Description
    file: str | None
    findings: tuple[Diagnostic, ...]

    @cached_property
    def _scenes(self) -> tuple[Scene, ...]:
        from sdf_frames.api.scene import make_scenes
        return tuple(make_scenes(self._description))

    @property
    def _scene(self) -> Scene:
        if not self._scenes and self._description.valid:
            raise KeyError("the description has no frames: it has neither a model nor a world")
        if not self._scenes:
            raise InvalidDescription(self.file, self.findings)
        return self._scenes[0]

    @property
    def name(self) -> str | None:
        """Name of the robot, root model or first world; None if there is none."""
        named = next(iter(self._description.scopes), self._description.refused)
        return None if named is None else named.name

    @property
    def frames(self) -> Named[Frame]:
        """Every frame of links, joints, models and ``<frame>`` elements, by SDF name (``::`` between nested names)."""
        return self._scene.frames if self._scenes else Named("frame", {})

    @property
    def links(self) -> Named[Link]:
        """Every link of the file by its name; for a URDF also links that the SDF lumps or leaves out."""
        return self._scene.links if self._scenes else Named("link", {})

    @property
    def joints(self) -> Named[Joint]:
        """Every joint of the file by its name; for a URDF also fixed joints."""
        return self._scene.joints if self._scenes else Named("joint", {})

    @property
    def sdf_links(self) -> Named[Link]:
        """Every link of the SDF by its SDF name: for a URDF, the links after lumping."""
        return self._scene.sdf_links if self._scenes else Named("link", {})

    @property
    def sdf_joints(self) -> Named[Joint]:
        """Every joint of the SDF by its SDF name, and the movable joints of a URDF that are not in the SDF."""
        return self._scene.sdf_joints if self._scenes else Named("joint", {})

    @property
    def models(self) -> Named[Model]:
        """Every model by the SDF name of its frame; a root model is ``__model__``."""
        return self._scene.models if self._scenes else Named("model", {})

    @property
    def parts(self) -> tuple[Part, ...]:
        """Sensors, lights, plugins and other elements, and the settings of links, joints and shapes."""
        if self._scenes:
            return self._scene.parts
        from sdf_frames.api.parts import list_root_parts
        root, find = self._description.root, self._description.resolver.find
        return () if root is None else tuple(list_root_parts(root, find))

    @cached_property
    def worlds(self) -> Named[World]:
        """Every world by its name."""
        from sdf_frames.api.scene import World
        return Named("world", {scene.name: scene for scene in self._scenes if isinstance(scene, World)})

    def pose(self, frame: str, relative_to: str | None = None, positions: Mapping[str, Any] | None = None) -> Pose:
        """Compute the pose of a frame in another frame, by forward kinematics.

        Parameters
        ----------
        frame, relative_to : SDF names of frames. If `relative_to` is None, the pose is in the world or root model.
        positions : joint name -> radians or metres. Two numbers for joints of two axes, a quaternion w x y z for ball
            joints, a Pose (or x y z qw qx qy qz) for floating joints, and for planar joints metres along two directions
            and radians about the normal. Each number may be an array: a batch of configurations, as (...), (..., 2),
            (..., 4), …; batches broadcast. Joints that are not named are at zero, or follow the joint that they mimic.
            Limits are not enforced. If `positions` is None, every frame has the pose of the description.

        Returns
        -------
        Pose
            The pose, in metres, with the shape of the batch.

        Raises
        ------
        KeyError
            A frame or movable joint of this name does not exist; the error suggests similar names.
        ValueError
            A frame cannot be resolved, or a position is invalid.
        InvalidDescription
            The description cannot be read.

        Notes
        -----
        Source: pose frame semantics of SDFormat 1.12; joint types of joint.sdf 1.12 and of URDF. A screw
        turns by its position and moves by the pitch along its axis.

        Examples
        --------
        >>> robot = load("pr2.urdf")                                                      # doctest: +SKIP
        >>> robot.pose("head_pan_link", "base_link", {"torso_lift_joint": 0.2}).xyz       # doctest: +SKIP
        """
        return self._scene.pose(frame, relative_to, positions)

    def poses(self, positions: Mapping[str, Any] | None = None, relative_to: str | None = None) -> Named[Pose]:
        """Compute the poses of all frames at once; see :meth:`pose`.

        Returns
        -------
        mapping
            Poses by SDF name. Frames that cannot be resolved are missing.
        """
        if not self._scenes and self._description.resolved and relative_to is None and not positions:
            return Named("resolved frame", {})
        return self._scene.poses(positions, relative_to)
