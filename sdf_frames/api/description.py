"""The object that loading returns: its findings, its computed values, and its files."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sdf_frames.api.edits import Edits
from sdf_frames.api.errors import (
    InvalidDescription,
    demand_names,
    demand_names_in,
    demand_sequence,
    name_methods,
    unknown_name,
)
from sdf_frames.convert.report import Row
from sdf_frames.description import Description
from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, count_of, has_errors
from sdf_frames.sdf.names import SEPARATOR

if TYPE_CHECKING:
    from lxml import etree

    from sdf_frames.api.elements import Transform
    from sdf_frames.api.inertias import Inertias
    from sdf_frames.api.uris import FileReference


@name_methods
class RobotDescription(Edits):
    """A loaded robot or world, made by :func:`sdf_frames.load` or :func:`sdf_frames.loads`.

    If a file has several worlds, `worlds` contains all of them, and `frames`, `links`, `joints`, `models`, `parts`,
    `pose` and `poses` are those of the first world. If the description cannot be resolved, they are empty.

    Attributes
    ----------
    file : name of the file, or None.
    kind : ``"urdf"``, ``"sdf"``, or None for neither.
    findings : all errors, warnings and notes, each with code, severity, message, file, line, path and hint.
    """

    def __init__(self, description: Description, loaded: Iterable[str | None] = ()) -> None:
        if not isinstance(description, Description):
            raise TypeError(f"sf.load(path) makes a RobotDescription; it is not made of a {type(description).__name__}")
        self._description, self._loaded = description, tuple(filter(None, loaded))
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
            The program is unknown.
        """
        from sdf_frames.checks.programs import CONSUMERS, list_judges, read_consumer
        if not isinstance(consumer, str):
            raise TypeError(f"consumer must be the name of a program, such as 'drake', not {type(consumer).__name__}")
        key = read_consumer(consumer, tuple(list_judges()))
        found = tuple(self._description.judge([key]))
        return Verdict(key, CONSUMERS[key].version, not has_errors(found), found)

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

    def simplify(self, *, keep: Sequence[str] = (), frames: str | Sequence[str] = "all",
                 massless: str | float = "keep") -> RobotDescription:
        """Lump the fixed joints of a URDF, and load the result, whose findings name the lines of the URDF.

        Parameters
        ----------
        keep : names of fixed joints that are not lumped.
        frames : lumped links that stay as links without mass: ``"all"``, ``"none"``, or a sequence of names.
        massless : massless links behind movable joints: ``"keep"`` leaves them as they are; ``"merge"`` fixes those
            without any mass below them to their parent, with the joint at zero or at the offset of its mimic; a number
            is their mass in kg.

        Raises
        ------
        InvalidDescription
            The description is not a readable URDF, a mass is unknown, a negative mass would be added to others, or
            a name is not that of a fixed joint or lumped link.
        """
        from sdf_frames.writers.simplified import read_simplify_options, simplify
        demand_sequence("keep", keep)
        if not isinstance(frames, str):
            demand_sequence("frames", frames)
        choices = read_simplify_options(keep, frames, massless)
        demand_names_in("keep", choices.keep)
        demand_names_in("frames", choices.frames)
        return self._load_changed(simplify(self._description, choices))

    def _keep_links(self) -> RobotDescription:
        """Return a URDF whose `sdf_links` and `sdf_joints` are its links and joints: none is lumped."""
        from sdf_frames.load import keep_links
        return RobotDescription(keep_links(self._description))

    @property
    def report(self) -> tuple[Row, ...]:
        """The result of the conversion for every element of a URDF: element, name, action, into, line, reason."""
        return self._description.report

    @cached_property
    def uris(self) -> tuple[FileReference, ...]:
        """Every URI of the description and its included files, with its place, file and the paths that were tried."""
        from sdf_frames.api.uris import list_uris
        return list_uris(self._description, lambda: self.tree)

    def find_missing_files(self) -> tuple[Diagnostic, ...]:
        """Find missing meshes, heightmaps and textures: one error for each, as ``check --assets`` reports it."""
        return tuple(self._description.find_missing_files())

    def check_srdf(self, srdf: RobotDescription) -> tuple[Diagnostic, ...]:
        """Check every name and state of an SRDF, MoveIt's description of planning groups, against this URDF.

        Parameters
        ----------
        srdf : the SRDF, as :func:`sdf_frames.load` or :func:`sdf_frames.loads` returns it.

        Returns
        -------
        findings
            The findings on the SRDF, or the errors of this URDF if it cannot be read. An error if this is not a URDF.

        Raises
        ------
        ValueError
            `srdf` is not an SRDF.
        """
        if not isinstance(srdf, RobotDescription):
            raise TypeError(f"srdf must be what sf.load returns for an SRDF, not {type(srdf).__name__}")
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
        from sdf_frames.document.xml_in import read_whole
        if self._description.source is None:
            raise InvalidDescription(self.file, self.findings)
        return read_whole(self._description.source)

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
        InvalidDescription
            The description cannot be read.
        KeyError
            A link of this name does not exist.
        ValueError
            The method is unknown, or a number is not positive.
        """
        from sdf_frames.api.inertias import check_choices, collect_inertias
        from sdf_frames.api.urdf_elements import list_fates
        check_choices(method, density=density, voxel_size=voxel_size)
        demand_sequence("links", links)
        if not self._description.scopes and not self.valid:
            raise InvalidDescription(self.file, self.findings)
        fates = list_fates(self._description.report)
        for name in links:
            if name not in self.sdf_links:
                raise unknown_name("link", name, self.sdf_links, fates)
        result = self._description.inertias(method=method, density=density, links=tuple(links), voxel_size=voxel_size,
                                            recompute=recompute)
        return collect_inertias(result, self._description.graphs, fates)

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
        demand_names(prefix=prefix, separator=separator, optical_frame_name=optical_frame_name)
        transforms, _ = self._description.static_transforms(mode, frame_prefix=prefix, scope_separator=separator,
                                                            sensor_frames=sensor_frames,
                                                            optical_frames=optical_frames,
                                                            optical_frame_name=optical_frame_name)
        return tuple([Transform(t.parent, t.child, Pose._wrap(np.array(t.pose)), t.movable) for t in transforms])

    def show(self) -> None:
        """Show the description in the browser: see :func:`sdf_frames.show`."""
        import sdf_frames
        sdf_frames.show(self)

    def picture(self, layers: Iterable[str] = ("visuals", "frames"), view: str = "iso",
                size: tuple[int, int] = (1200, 900), positions: Mapping[str, Any] | None = None) -> bytes:
        """Draw the description as a PNG: see :func:`sdf_frames.picture`."""
        import sdf_frames
        return sdf_frames.picture(self, layers, view, size, positions)

    def _repr_png_(self) -> bytes | None:
        """Return the picture for a notebook; None if no picture can be drawn: then the notebook shows the text."""
        try:
            return self.picture(size=(640, 480))
        except (ImportError, ValueError, RuntimeError):
            return None

    def __reduce__(self) -> tuple[Any, ...]:
        return RobotDescription, (self._description, self._loaded)

    def __repr__(self) -> str:
        counted = [(0, 0, 0), *[scene.count_elements() for scene in self._scenes]]
        links, joints, frames = (sum(counts) for counts in zip(*counted))
        return (f"<RobotDescription {self.name!r} from {self.file or 'text'} ({self.kind or 'neither URDF nor SDF'}): "
                f"{count_of(links, 'link')}, {count_of(joints, 'joint')}, {count_of(frames, 'frame')}, "
                f"{count_of(len(self.findings), 'finding')}, {count_of(len(self.errors), 'error')}>")


class Verdict(NamedTuple):
    """Whether a program loads a description, made by :meth:`RobotDescription.verdict`.

    Attributes
    ----------
    consumer : the program: ``"gazebo"``, ``"ros"``, ``"drake"``, ``"mujoco"``, ``"pinocchio"`` or ``"urdfdom"``.
    version : the version of the program that the verdicts were compared with.
    valid : whether no finding is an error.
    findings : the findings that concern the program, each with the severity that it has for it.
    """

    consumer: str
    version: str
    valid: bool
    findings: tuple[Diagnostic, ...]

    def __repr__(self) -> str:
        return (f"<Verdict {self.consumer}: {'valid' if self.valid else 'invalid'}, "
                f"{count_of(len(self.findings), 'finding')}>")


def demand_robot(what: str, *given: object) -> None:
    """Raise TypeError for a value that is not a loaded description, such as the name of a file."""
    for value in given:
        if not isinstance(value, RobotDescription):
            raise TypeError(f"{what} takes descriptions that were loaded, not {type(value).__name__}")
