"""The object that loading returns: elements of a robot or world, findings, and conversions to text."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdf_frames.api.errors import InvalidDescription
from sdf_frames.api.named import Named, unknown_name
from sdf_frames.convert.report import Row
from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.diagnostics.plural import count_of
from sdf_frames.sdf.names import SEPARATOR

if TYPE_CHECKING:
    from lxml import etree

    from sdf_frames.api.elements import Frame, Joint, Link, Model
    from sdf_frames.api.inertias import Inertias
    from sdf_frames.api.parts import Part
    from sdf_frames.api.pose import Pose
    from sdf_frames.api.scene import Scene, World
    from sdf_frames.api.uris import FileReference

_SUFFIXES = {".sdf": "sdf", ".world": "sdf", ".urdf": "urdf"}


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform of TF: the `pose` of `child` in `parent`; `movable` is True if the pose can change."""

    parent: str
    child: str
    pose: Pose
    movable: bool = False


class RobotDescription:
    """A loaded robot or world, made by :func:`sdf_frames.load` or :func:`sdf_frames.loads`.

    If a file has several worlds, `worlds` contains all of them, and `frames`, `links`, `joints`, `models`, `parts`,
    `pose` and `poses` are those of the first world. If the description cannot be resolved, they are empty.

    Attributes
    ----------
    file : name of the file, or None.
    kind : ``"urdf"``, ``"sdf"``, or None for neither.
    findings : all errors, warnings and notes, each with code, severity, message, file, line, path and hint.
    """

    def __init__(self, description: Description, source: str | bytes, from_file: bool = False) -> None:
        self._description, self._source, self._from_file = description, source, from_file
        self.file, self.kind = description.file, description.kind
        self.findings: tuple[Diagnostic, ...] = description.diagnostics

    @property
    def valid(self) -> bool:
        """Whether no finding is an error."""
        return self._description.valid

    @property
    def resolved(self) -> bool:
        """Whether every frame has a pose, even if the description has other errors."""
        return self._description.resolved

    @property
    def convertible(self) -> bool:
        """Whether the description can be written as SDFormat without errors."""
        return self._description.convertible

    @property
    def version(self) -> str | None:
        """The SDFormat version in the file; None for a URDF, or if the file cannot be read."""
        root = self._description.root
        return root.version if self.kind == "sdf" and root is not None else None

    @property
    def name(self) -> str | None:
        """Name of the robot, root model or first world; None if there is none."""
        return self._description.scopes[0].name if self._description.scopes else None

    @cached_property
    def _scenes(self) -> tuple[Scene, ...]:
        from sdf_frames.api.scene import make_scenes
        return tuple(make_scenes(self._description))

    @property
    def _scene(self) -> Scene:
        if not self._scenes:
            raise InvalidDescription(self.file, self.findings)
        return self._scenes[0]

    @property
    def frames(self) -> Named[Frame]:
        """Every frame of links, joints, models and ``<frame>`` elements, by SDF name (``::`` between nested names)."""
        return self._scene.frames if self._scenes else Named("frame", {})

    @property
    def links(self) -> Named[Link]:
        """Every link of the SDF by its SDF name."""
        return self._scene.links if self._scenes else Named("link", {})

    @property
    def joints(self) -> Named[Joint]:
        """Every joint of the SDF by its SDF name, and the movable joints of a URDF that are not in the SDF."""
        return self._scene.joints if self._scenes else Named("joint", {})

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
        return () if self._description.root is None else tuple(list_root_parts(self._description.root))

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
            joints, a Pose (or x y z qw qx qy qz) for floating ones, and for planar ones metres along two directions and
            radians about the normal. Each number may be an array: a batch of configurations, as (...), (..., 2), (...,
            4), …; batches are broadcast. Joints that are not named are at zero, or follow the joint that they mimic.
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
        return self._scene.poses(positions, relative_to)

    def to_sdf(self, version: str | None = None) -> str:
        """Write the description as SDFormat text.

        Parameters
        ----------
        version : ``"1.7"`` to ``"1.12"``; None for the lowest version that can express a URDF, or for the unchanged
            text of an SDFormat description. An older SDFormat text is upgraded; its comments and includes are kept.

        Raises
        ------
        InvalidDescription
            The URDF cannot be converted, or the SDFormat text cannot be upgraded.
        ValueError
            The version is unknown, or older than that of the text.
        """
        from sdf_frames.api.to_sdf import write_sdf
        return write_sdf(self._description, self._source, version)

    def to_urdf(self, model: str | None = None, uri_style: str = "keep", *, joint_frames: bool = False) -> str:
        """Write the description as URDF text; the text of a URDF is not changed, except for URIs of another style.

        If the SDFormat was converted from a URDF, frames of lumped links and joints become links and joints again.

        Parameters
        ----------
        model : name of the model to write, if a world has several models.
        uri_style : scheme of URIs of meshes and textures: ``keep``, ``model``, ``package`` or ``file``.
        joint_frames : write a link for every frame, even for frames that come from fixed joints of a URDF.

        Raises
        ------
        InvalidDescription
            The model has errors, or URDF cannot express it.
        KeyError
            A model of this name does not exist.
        ValueError
            The URI style is unknown.
        """
        from sdf_frames.api.to_urdf import check_style, convert_to_urdf, rewrite_uris
        check_style(uri_style)
        known = [name for name in self.models if "::" not in name] if self.worlds else [self.name or ""]
        if model is not None and model not in known:
            raise unknown_name("model", model, known)
        if self.kind == "urdf":
            return self._decode() if uri_style == "keep" else rewrite_uris(self._description, self.tree, uri_style)
        result = convert_to_urdf(self._description, model, uri_style, joint_frames)
        if result.text is None:
            raise InvalidDescription(self.file, result.diagnostics)
        return result.text

    @property
    def report(self) -> tuple[Row, ...]:
        """The result of the conversion for every element of a URDF: element, name, action, into, line, reason."""
        return self._description.report

    @cached_property
    def uris(self) -> tuple[FileReference, ...]:
        """Every URI of the description and its included files, with its place, file and the paths that were tried."""
        from sdf_frames.api.uris import list_uris
        return list_uris(self._description, self.tree)

    def list_files(self) -> Iterator[str]:
        """Yield the files that the description was made of (the file itself first), and those that its URIs lead to."""
        from sdf_frames.api.uris import list_files
        if self._from_file and self.file is not None:
            yield self.file
        yield from list_files(self._description)

    def find_missing_files(self) -> tuple[Diagnostic, ...]:
        """Find the meshes, heightmaps and textures that are not there: one error each, as ``check --assets`` says."""
        return tuple(self._description.find_missing_files())

    @property
    def tree(self) -> etree._Element:
        """A copy of the XML tree as loaded (for a URDF, the tree of the URDF), with comments.

        Edit the copy, then load it: ``sf.loads(tree)``.

        Raises
        ------
        InvalidDescription
            The text is not well-formed XML.
        """
        from sdf_frames.document.xml_in import read_xml
        document, found = read_xml(self._source, self.file, keep_comments=True)
        if document is None:
            raise InvalidDescription(self.file, found)
        return document.root

    def _decode(self) -> str:
        """The text as it was given; what is not UTF-8 as a text that says so."""
        if isinstance(self._source, str):
            return self._source
        from sdf_frames.api.to_urdf import write_tree
        from sdf_frames.document.xml_text import find_encoding
        if find_encoding(self._source).lower() in ("utf-8", "us-ascii"):
            return self._source.decode("utf-8-sig", "replace")
        return write_tree(self.tree)

    def save(self, path: str | os.PathLike[str]) -> tuple[Diagnostic, ...]:
        """Write the description to a file: as SDFormat to .sdf and .world, as URDF to .urdf.

        Relative URIs of meshes and other files are rewritten if the file is in another folder.

        Returns
        -------
        findings
            A warning names relative URIs that lead to a file from the old folder, and cannot be rewritten.

        Raises
        ------
        ValueError
            The name has another suffix.
        InvalidDescription
            The description cannot be converted.
        FileExistsError
            The description was loaded from this file or refers to it, or it is a file of another kind. It is not
            changed.
        OSError
            The file cannot be written; an existing file is not changed.
        """
        name = os.fspath(path)
        suffix = os.path.splitext(name)[1].lower()
        if suffix not in _SUFFIXES:
            raise ValueError(f"the suffix says the format: {', '.join(_SUFFIXES)}, not {suffix or 'none'!r}")
        from sdf_frames.convert.moved_uris import move_text
        from sdf_frames.document.writing import write_whole
        kind, description = _SUFFIXES[suffix], self._description
        text, found = move_text(self.to_sdf() if kind == "sdf" else self.to_urdf(), self.file, name,
                                description.resolver, description.options.budget)
        write_whole(name, text, kind, self.list_files())
        return found

    def inertias(self, method: str = "auto", density: float | None = None, *, links: Sequence[str] = (),
                 voxel_size: float | None = None, recompute: bool = False) -> Inertias:
        """Compute the inertia of every link, and the total of all links.

        Parameters
        ----------
        method : for meshes: ``auto``, ``exact``, ``voxel``, ``hull`` or ``shell``.
        density : kg/m³, for collisions without a density; None for the density of water.
        links : SDF names of the links to compute; all links if empty.
        voxel_size : edge of a voxel in metres.
        recompute : also compute links that declare an inertia.

        Returns
        -------
        Inertias
            A mapping from SDF names of links to :class:`Inertia` in the link frame, with `total` and `findings`.

        Raises
        ------
        KeyError
            A link of this name does not exist.
        ValueError
            The method is unknown, or a number is not positive.
        """
        from sdf_frames.api.inertias import check_choices, collect_inertias
        check_choices(method, density=density, voxel_size=voxel_size)
        if isinstance(links, str):
            raise TypeError(f"links must be a sequence, such as [{links!r}], not a single str")
        for name in links:
            self.links[name]
        result = self._description.inertias(method=method, density=density, links=tuple(links), voxel_size=voxel_size,
                                            recompute=recompute)
        return collect_inertias(result, self._description.graphs)

    def static_transforms(self, prefix: str = "", separator: str = SEPARATOR, *, mode: str = "all",
                          sensor_frames: bool = False) -> tuple[Transform, ...]:
        """List the transforms of the TF tree as the node publishes them, with movable joints at zero.

        Parameters
        ----------
        prefix : prefix of every frame id.
        separator : separator between the names of nested models, in place of ``::``.
        mode : ``all``; ``complement`` for frames that robot_state_publisher does not publish; or ``none``.
        sensor_frames : if True, also list a frame for every sensor.
        """
        import numpy as np

        from sdf_frames.api.pose import Pose
        transforms, _ = self._description.static_transforms(mode, frame_prefix=prefix, scope_separator=separator,
                                                            sensor_frames=sensor_frames)
        return tuple([Transform(t.parent, t.child, Pose._wrap(np.array(t.pose)), t.movable) for t in transforms])

    def __repr__(self) -> str:
        counts = Counter(row.kind for scope in self._description.scopes for row in scope.frames)
        errors = sum(d.severity == "error" for d in self.findings)
        return (f"<RobotDescription {self.name!r} from {self.file or 'text'} ({self.kind or 'neither URDF nor SDF'}): "
                f"{count_of(counts['link'], 'link')}, {count_of(counts['joint'], 'joint')}, "
                f"{count_of(counts.total(), 'frame')}, {count_of(len(self.findings), 'finding')}, "
                f"{count_of(errors, 'error')}>")

