"""Methods that change a description: each returns the changed robot as a new description."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sdf_frames.api.errors import demand_choice, demand_names, demand_names_in
from sdf_frames.api.texts import Texts

if TYPE_CHECKING:
    from typing_extensions import Self

    from sdf_frames.api.pose import Pose
    from sdf_frames.spatial.pose import Pose as PoseNumbers
    from sdf_frames.writers.written import Written


class Edits(Texts):
    """A description that can be changed; a base of :class:`sdf_frames.RobotDescription`.

    The findings of the changed robot include the warnings about the change.
    """

    def place(self, frame: str, relative_to: str, pose: Pose, *, move: str | None = None,
              positions: Mapping[str, float | Sequence[float] | Pose] | None = None) -> Self:
        """Put a frame at a pose in another frame. Only the origin or pose that determines it changes.

        Parameters
        ----------
        frame, relative_to : names of links, joints, frames or models; nested names with ``::``.
        pose : the new pose of `frame` in `relative_to`, metres.
        move : name of the joint of a URDF whose origin changes; None for the joint above `frame`. In SDFormat, the
            link, joint, frame or model whose pose changes; None for `frame`, or for the joint or frame that its pose
            equals (an empty ``<pose relative_to>``).
        positions : joint name -> radians, metres, or for a floating joint a Pose, at which the pose holds. Each moving
            joint between the frames needs a position, or follows a joint that has one.

        Returns
        -------
        RobotDescription
            The changed robot. Its poses are ``changed.pose(frame, relative_to, positions)``.

        Raises
        ------
        InvalidDescription
            A frame or joint of this name does not exist, no single pose determines where `frame` is, or the pose comes
            from xacro: the findings say what to change.

        Examples
        --------
        >>> robot.place("camera_link", "tool0", Pose.from_rpy([0.02, 0, 0.08], [0, -1.57, 0]))  # doctest: +SKIP
        """
        from sdf_frames.api.pose import Pose, read_array
        from sdf_frames.api.urdf_elements import name_as_in_file
        from sdf_frames.writers.placed import place
        demand_names(frame=frame, relative_to=relative_to, move="" if move is None else move)
        given = None
        if positions is not None:
            named = name_as_in_file(positions, self._description.report)
            demand_names_in("positions", named)
            values = {name: value._X if isinstance(value, Pose) else value for name, value in named.items()}
            given = {name: read_array(value, f"the position of {name!r}").ravel().tolist()
                     for name, value in values.items()}
        return self._load_changed(place(self._description, frame, relative_to, read_pose(pose), move, given))

    def reroot(self, link: str) -> Self:
        """Make another link the root of a URDF, and load the result.

        All links keep their poses, and joint positions keep their meaning: see :doc:`/howto/another_base`.

        Parameters
        ----------
        link : name of the link.

        Raises
        ------
        InvalidDescription
            The description is not a readable URDF, has no such link, or has a floating or planar joint between the
            old root and that link.
        """
        from sdf_frames.writers.rerooted import reroot
        demand_names(link=link)
        return self._load_changed(reroot(self._description, link))

    def cut(self, start: str, end: str | None = None) -> Self:
        """Cut a part out of a URDF, and load it as a separate robot.

        Parameters
        ----------
        start : name of the link that is the root of the part.
        end : name of a link: only the links and joints from `start` to it stay. None for everything below `start`.

        Raises
        ------
        InvalidDescription
            The description is not a readable URDF, has no such link, `end` is not below `start`, or a joint that stays
            mimics a joint that is cut off.
        """
        from sdf_frames.writers.cut_out import cut
        demand_names(start=start, end="" if end is None else end)
        return self._load_changed(cut(self._description, start, end))

    def repair_inertias(self, source: str = "nearest", *, density: float | None = None) -> Self:
        """Replace each declared inertia that no body can have, and load the result; the others do not change.

        Parameters
        ----------
        source : ``"nearest"`` for the nearest possible tensor in the Frobenius norm; ``"shapes"`` to compute mass,
            centre of mass and tensor from the link's collisions.
        density : kg/m³, for collisions without a density; None for the density of water, and to keep declared masses.

        Raises
        ------
        InvalidDescription
            The description cannot be read.
        ValueError
            The source is unknown, or the density is not positive or not needed.
        """
        from sdf_frames.api.inertias import check_choices
        from sdf_frames.writers.repaired import repair_inertias
        demand_choice("source", source, ("nearest", "shapes"))
        check_choices("auto", density=density)
        if source == "nearest" and density is not None:
            raise ValueError('density is for source="shapes"; the nearest tensor has the declared mass')
        return self._load_changed(repair_inertias(self._description, source == "shapes", density=density)[0])

    def _load_changed(self, made: Written, *parts: Texts) -> Self:
        from sdf_frames.api.uris import list_expanded
        from sdf_frames.document.elements import place_of
        from sdf_frames.document.expanded import Expanded
        from sdf_frames.load import load_text
        kind: Any = type(self)  # RobotDescription, whose module imports this one
        text, found = self._render(made, *parts)
        # Elements of a new tree know where they were written.
        given = text if made.tree is None else Expanded(text, self.file, tuple(map(place_of, made.tree.iter("*"))))
        options = self._description.options
        for part in parts:  # files that only the part found are still found
            paths = (*options.resource_paths, *part._description.options.resource_paths)
            options = options._replace(resource_paths=tuple(dict.fromkeys(paths)))
        loaded = load_text(given, self.file, options)
        warned = tuple([d for d in found if d.severity == "warning"])
        made_from: list[Texts] = [self, *parts]
        files = [file for part in made_from for file in (*part._loaded, *list_expanded(part._description))]
        return kind(loaded._replace(diagnostics=(*loaded.diagnostics, *warned)), dict.fromkeys(files))


def read_pose(pose: Pose) -> PoseNumbers:
    """Return one pose as (x, y, z, qw, qx, qy, qz)."""
    from sdf_frames.api.pose import Pose
    if not isinstance(pose, Pose):
        raise TypeError(f"a pose is needed, such as Pose([x, y, z]), not {type(pose).__name__}")
    if pose.shape:
        raise ValueError(f"one pose is needed, not a batch of the shape {pose.shape}")
    x, y, z = pose.xyz.tolist()
    qw, qx, qy, qz = pose.quat_wxyz.tolist()
    return x, y, z, qw, qx, qy, qz
