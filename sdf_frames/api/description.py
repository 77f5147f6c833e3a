"""The object that loading returns: elements of a robot or world, findings, and conversions to text."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sdf_frames.api.errors import InvalidDescription
from sdf_frames.api.named import unknown_name
from sdf_frames.api.scenes import Scenes
from sdf_frames.convert.report import Row
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic
from sdf_frames.diagnostics.plural import count_of
from sdf_frames.sdf.names import SEPARATOR

if TYPE_CHECKING:
    from lxml import etree

    from sdf_frames.api.elements import Transform
    from sdf_frames.api.inertias import Inertias
    from sdf_frames.api.uris import FileReference
    from sdf_frames.api.verdicts import Verdict
    from sdf_frames.convert.bundle import Bundle

_SUFFIXES = {".sdf": "sdf", ".world": "sdf", ".urdf": "urdf"}


class RobotDescription(Scenes):
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
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings that are errors."""
        return tuple([d for d in self.findings if d.severity == ERROR])

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings that are warnings."""
        return tuple([d for d in self.findings if d.severity == WARNING])

    @property
    def valid(self) -> bool:
        """Whether no finding is an error."""
        return self._description.valid

    def verdict(self, consumer: str) -> Verdict:
        """Judge the description for a program that reads it; `valid` and `findings` are those of Gazebo.

        Parameters
        ----------
        consumer : ``"gazebo"``, ``"ros"``, ``"drake"``, ``"mujoco"``, ``"pinocchio"`` or ``"urdfdom"``.

        Raises
        ------
        ValueError
            There is no such program.
        """
        from sdf_frames.api.verdicts import judge_for
        return judge_for(self._description, consumer)

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

    def to_urdf(self, model: str | None = None, uri_style: str = "keep", *, joint_frames: bool = False,
                version: str | None = None) -> str:
        """Write the description as URDF text.

        The text of a URDF is changed only for URIs of another style, and for another version.

        If the SDFormat was converted from a URDF, frames of lumped links and joints become links and joints again.

        Parameters
        ----------
        model : name of the model to write, if a world has several models.
        uri_style : scheme of URIs of meshes and textures: ``keep``, ``model``, ``package`` or ``file``.
        joint_frames : write a link for every frame, even for frames that come from fixed joints of a URDF.
        version : ``"1.0"``, ``"1.1"`` or ``"1.2"`` of URDF; None to keep that of a URDF, and for 1.0 of a converted
            SDFormat description.

        Raises
        ------
        InvalidDescription
            The model has errors, or URDF (of this version) cannot express it.
        KeyError
            A model of this name does not exist.
        ValueError
            The URI style or the version is unknown.
        """
        from sdf_frames.api.to_urdf import check_style, check_version, convert_to_urdf, rewrite_uris
        check_style(uri_style)
        check_version(version)
        known = [name for name in self.models if "::" not in name] if self.worlds else [self.name or ""]
        if model is not None and model not in known:
            raise unknown_name("model", model, known)
        if self.kind == "urdf":
            text = self._decode() if version is None else self._change_version(version)
            return text if uri_style == "keep" else rewrite_uris(self._description, text, uri_style)
        result = convert_to_urdf(self._description, model, uri_style, joint_frames, version)
        if result.text is None:
            raise InvalidDescription(self.file, result.diagnostics)
        return result.text

    def simplify(self, *, keep: Sequence[str] = (), frames: str | Sequence[str] = "all",
                 massless: str | float = "keep") -> RobotDescription:
        """Lump the fixed joints of a URDF, as the conversion to SDFormat does, and load the result.

        Parameters
        ----------
        keep : names of fixed joints that are not lumped.
        frames : lumped links that stay as links without mass: ``"all"``, ``"none"``, or a sequence of names.
        massless : massless links behind moving joints: ``"keep"`` them as they are; ``"merge"`` those on which nothing
            with mass hangs with their parent, at the joint's zero; or give them a mass in kg.

        Raises
        ------
        InvalidDescription
            The description is no URDF or has errors, or a name is that of no fixed joint or lumped link.
        """
        from sdf_frames.api.simplify import read_simplify_options, simplify_description
        return RobotDescription(*simplify_description(
            self._description, self._source, read_simplify_options(keep, frames, massless)))

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

    def check_srdf(self, srdf: RobotDescription) -> tuple[Diagnostic, ...]:
        """Check every name and state of an SRDF, MoveIt's description of planning groups, against this URDF.

        Parameters
        ----------
        srdf : the SRDF, as :func:`sdf_frames.load` or :func:`sdf_frames.loads` returns it.

        Returns
        -------
        findings
            Those on the SRDF; the errors of this URDF instead, if it cannot be read. An error if this is not a URDF.

        Raises
        ------
        ValueError
            `srdf` is not an SRDF.
        """
        return tuple(self._description.check_srdf(srdf._description))

    @property
    def tree(self) -> etree._Element:
        """A copy of the XML tree as loaded (for a URDF, the tree of the URDF), with comments.

        Edit the copy, then load it: ``sf.loads(tree)``.

        Raises
        ------
        InvalidDescription
            The text is not well-formed XML, or the file has no text that could be read.
        """
        from sdf_frames.document.xml_in import read_xml
        document, found = read_xml(self._source, self.file, keep_comments=True)
        if document is None:
            raise InvalidDescription(self.file, self.findings or found)
        return document.root

    def _decode(self) -> str:
        """The text as it was given; what is not UTF-8 as a text that says so."""
        from sdf_frames.api.to_urdf import decode_text
        text = decode_text(self._source, self.file)
        return text if isinstance(self._source, str) else text.removeprefix("\ufeff")

    def _change_version(self, version: str) -> str:
        """The text of a URDF in another version of URDF."""
        from sdf_frames.api.urdf_version import change_text_version
        text, found = change_text_version(self._decode(), self.file, version, self._description.options)
        if text is None:
            raise InvalidDescription(self.file, found)
        return text

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
        return self._save(os.fspath(path))[1]

    def _save(self, name: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """Write a file as :meth:`save` does; return also its text."""
        suffix = os.path.splitext(name)[1].lower()
        if suffix not in _SUFFIXES:
            raise ValueError(f"the suffix says the format: {', '.join(_SUFFIXES)}, not {suffix or 'none'!r}")
        from sdf_frames.convert.moved_uris import move_text
        from sdf_frames.document.writing import write_whole
        kind, description = _SUFFIXES[suffix], self._description
        text, found = move_text(self.to_sdf() if kind == "sdf" else self.to_urdf(), self.file, name,
                                description.resolver, description.options.budget)
        write_whole(name, text, kind, self.list_files())
        return text, found

    def save_bundle(self, folder: str | os.PathLike[str], kind: str = "sdf") -> Bundle:
        """Write the description to a folder that works alone, with its meshes, textures and the files that these name.

        Parameters
        ----------
        folder : a new folder, or an older bundle, which is replaced. It is written whole or not at all.
        kind : ``"sdf"`` for a model for Gazebo (model.config, model.sdf), ``"urdf"`` for a ROS package (package.xml).

        Returns
        -------
        Bundle
            `folder`, `files`, `size` in bytes, `missing` names, and `findings`: an error for each missing file of the
            robot, and a warning for each that a mesh file names.

        Raises
        ------
        ValueError
            The kind is unknown.
        InvalidDescription
            The description cannot be converted, has no model outside of a world, or exceeds the limit `bundle_bytes`.
        FileExistsError
            The folder has files that are not of a bundle, or the description was loaded from it.
        OSError
            The folder cannot be written, or a file cannot be read.
        """
        if kind not in ("sdf", "urdf"):
            raise ValueError(f"kind must be one of sdf, urdf, not {kind!r}")
        from sdf_frames.convert.bundle import Bundle, write_bundle
        from sdf_frames.document.budget import Spending
        description = self._description
        made = write_bundle(os.fspath(folder), self.to_sdf() if kind == "sdf" else self.to_urdf(), kind, self.file,
                            description.resolver, Spending(description.options.budget))
        if not isinstance(made, Bundle):
            raise InvalidDescription(self.file, made)
        return made

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
            if name not in self.sdf_links:
                raise unknown_name("link of the SDF", name, self.sdf_links)
        result = self._description.inertias(method=method, density=density, links=tuple(links), voxel_size=voxel_size,
                                            recompute=recompute)
        return collect_inertias(result, self._description.graphs)

    def static_transforms(self, prefix: str = "", separator: str = SEPARATOR, *, mode: str = "all",
                          sensor_frames: bool = False, optical_frames: bool = False,
                          optical_frame_name: str = "{id}_optical") -> tuple[Transform, ...]:
        """List the transforms of the TF tree as the node publishes them, with movable joints at zero.

        Parameters
        ----------
        prefix : prefix of every frame id.
        separator : separator between the names of nested models, in place of ``::``.
        mode : ``all``; ``complement`` for frames that robot_state_publisher does not publish; or ``none``.
        sensor_frames : if True, also list a frame for every sensor, under the frame id of its messages in Gazebo.
        optical_frames : if True, also list a frame with z forward for every camera that has none.
        optical_frame_name : name of these frames; ``{id}``, ``{sensor}`` and ``{link}`` stand for the frame id, the
            sensor and its link.
        """
        import numpy as np

        from sdf_frames.api.elements import Transform
        from sdf_frames.api.pose import Pose
        transforms, _ = self._description.static_transforms(mode, frame_prefix=prefix, scope_separator=separator,
                                                            sensor_frames=sensor_frames,
                                                            optical_frames=optical_frames,
                                                            optical_frame_name=optical_frame_name)
        return tuple([Transform(t.parent, t.child, Pose._wrap(np.array(t.pose)), t.movable) for t in transforms])

    def show(self) -> None:
        """Show the description in the browser: see :func:`sdf_frames.show`."""
        import sdf_frames
        sdf_frames.show(self)

    def __copy__(self) -> RobotDescription:
        return self  # nothing of it changes

    def __deepcopy__(self, _: object) -> RobotDescription:
        return self

    def __repr__(self) -> str:
        counted = [(0, 0, 0), *[scene.count_elements() for scene in self._scenes]]
        links, joints, frames = (sum(counts) for counts in zip(*counted))
        return (f"<RobotDescription {self.name!r} from {self.file or 'text'} ({self.kind or 'neither URDF nor SDF'}): "
                f"{count_of(links, 'link')}, {count_of(joints, 'joint')}, {count_of(frames, 'frame')}, "
                f"{count_of(len(self.findings), 'finding')}, {count_of(len(self.errors), 'error')}>")
