"""Text to a parsed, upgraded, checked model with its findings: the one entry that everything else uses."""
from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.collection import without_collection
from sdf_frames.document.reading import read_bounded
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document, forget_numbers, read_xml, tag_of

if TYPE_CHECKING:
    from sdf_frames.frames.tf import TfTree, Transform


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load.

    ``resource_paths`` are searched for ``model://``, ``package://`` and bare URIs as ``DIR/NAME/…``; ``confined``
    refuses files outside of them (for text from the network). The rest steers the conversion of URDF:
    ``preserve_fixed_joints`` keeps fixed joints, ``massless`` says what becomes of links without mass, and
    ``sdf_version`` is the version to write (None: the lowest that can express the robot).

    ``auto_inertia`` says what becomes of inertias that are to be computed (``<inertial auto="true">``): ``skip`` leaves
    them to whoever asks for :attr:`Loaded.inertias`; ``save`` computes them, and what is found on the way is among the
    findings; ``save-in-element`` also puts them into the model and the text in place of ``auto="true"``.
    ``inertia_failure`` says what becomes of a collision that cannot be computed: an ``error``, or, with a warning, the
    ``default`` of 1 kg and a unit tensor in its place.

    ``inertia_calculator`` computes the inertias of meshes: see :func:`sdf_frames.inertia.compute_inertias`.

    ``include_readers`` read included files of other formats: see docs/include_readers.md.

    ``budget`` bounds what the description may cost: see docs/limits.md.
    """

    resource_paths: tuple[str, ...] = ()
    preserve_fixed_joints: bool = False
    massless: str = "frame"
    sdf_version: str | None = None
    confined: bool = False
    auto_inertia: str = "skip"
    inertia_failure: str = "error"
    inertia_calculator: object | None = None
    include_readers: tuple[Callable[[str], "str | bytes | None"], ...] = ()
    budget: Budget = Budget()


@dataclass(eq=False)
class Loaded:
    """What a text said, and what was found wrong with it.

    Attributes
    ----------
    file : name of the input, or None.
    kind : ``"urdf"``, ``"sdf"``, or None where it is neither.
    diagnostics : findings of reading, converting and checking.
    root : the typed SDFormat model; None where there is none to speak of.
    robot : the URDF's robot, for a URDF that could be read.
    conversion : rows of the conversion report (URDF only).
    kept : of a URDF that cannot be converted, the robot with every link and fixed joint kept; else None. Its kinematics and
        its declared inertias need no conversion.
    judged : links, as (file, name in SDF), that carry an inertia which was reported as written in a URDF.
    excused : errors of inertias as written that the SDF does not have, because lumping makes up for them.
    """

    file: str | None
    kind: str | None = None
    root: object | None = None
    robot: object | None = None
    conversion: tuple = ()
    resolver: Resolver = field(default_factory=Resolver)
    text: str | None = None
    document: Document | None = None
    early: tuple[Diagnostic, ...] = ()
    auto_inertia: str = "skip"
    inertia_failure: str = "error"
    inertia_calculator: object | None = None
    budget: Budget = Budget()
    kept: "Loaded | None" = None
    judged: frozenset = frozenset()
    excused: frozenset[Diagnostic] = frozenset()

    @property
    def valid(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.diagnostics)

    @property
    def resolved(self) -> bool:
        """Whether the description was read and every frame has a pose, whatever else is wrong.

        The frames that a failed include should have brought have none.
        """
        read = self.root is not None or self.kept is not None
        whole = read and not any([getattr(entity, "missing", ()) for graph in self.graphs for entity in graph.entities])
        return whole and all([frame.pose is not None for scope in self.scopes for frame in (*scope.frames, *scope.left_out)])

    @property
    def convertible(self) -> bool:
        """Whether there is an SDFormat model without errors; of SDFormat itself, whether it has none."""
        return self.root is not None and not has_errors([d for d in self.diagnostics if d not in self.excused])

    @cached_property
    @without_collection
    def graphs(self) -> tuple:
        """One :class:`~sdf_frames.frames.graph.FrameGraph` a world, and one for a root model."""
        from sdf_frames.frames.graph import build_graph
        if self.root is None:
            return () if self.kept is None else self.kept.graphs
        scopes = [*self.root.worlds, *([self.root.model] if self.root.model is not None else ())]
        return tuple([build_graph(scope) for scope in scopes])

    @cached_property
    @without_collection
    def scopes(self) -> tuple:
        """One resolved :class:`~sdf_frames.frames.resolve.Scope` a graph."""
        from sdf_frames.frames.resolve import resolve_scope
        from sdf_frames.frames.tf import find_left_out
        return tuple([replace(resolve_scope(graph), left_out=find_left_out(graph, self.robot)) for graph in self.graphs])

    @cached_property
    @without_collection
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, each once, in the order in which they came about."""
        found = list(self.early)
        if self.root is not None:
            from sdf_frames.checks.frames import check_frames
            from sdf_frames.checks.inertia import check_inertials
            from sdf_frames.inertia.link import Settings
            from sdf_frames.checks.joints import check_joints
            from sdf_frames.checks.kinematics import check_kinematics
            from sdf_frames.checks.names import check_names
            found += check_names(self.root)
            alone = self._check_merged()
            found += alone.values()
            for graph in self.graphs:
                more = [*graph.diagnostics, *check_frames(graph), *check_joints(graph)]
                found += [d for d in more if _place(d) not in alone] if alone else more
                found += check_kinematics(graph)
            found += check_inertials(self.root, Settings(on_failure=self.inertia_failure, judged=self.judged))
            if self.auto_inertia != "skip":
                found += self.inertias.diagnostics
        elif self.kept is not None:
            from sdf_frames.checks.frames import check_frames
            found += [d for graph in self.graphs for d in check_frames(graph)]
        return tuple(dict.fromkeys(found))

    def _check_merged(self) -> dict[tuple, Diagnostic]:
        """Errors by place of merged models: each must be sound on its own, whatever it is merged into."""
        from sdf_frames.checks.joints import check_joints
        from sdf_frames.frames.graph import build_graph
        graphs = [build_graph(model) for model in self.root.merged]
        return {_place(d): d for g in graphs for d in (*g.diagnostics, *check_joints(g)) if d.severity == "error"}

    def tf_tree(self, **naming: Any) -> TfTree:
        """The static TF tree of the robot, or of the first world; options of :func:`sdf_frames.frames.tf.build_tf_tree`."""
        from sdf_frames.frames.tf import TfTree, build_tf_tree
        return build_tf_tree(self.graphs[0], self.robot, **naming) if self.graphs else TfTree()

    def static_transforms(self, mode: str = "all", **naming: Any) -> tuple[tuple[Transform, ...], tuple[Diagnostic, ...]]:
        """The transforms to publish in a mode (``all``, ``complement``, ``none``), and findings on their names."""
        tree = self.tf_tree(**naming)
        return tree.select(mode), tree.diagnostics

    @cached_property
    def inertias(self):
        """The links' inertias as the description has them: :func:`sdf_frames.inertia.compute_inertias` by default."""
        from sdf_frames.inertia.compute import compute_inertias
        return compute_inertias(self)

    @cached_property
    def sdf_text(self) -> str | None:
        """The SDFormat text: the converted one for a URDF, the one given for SDFormat."""
        if self.kind == "sdf":
            return self.text
        if self.document is None:
            return None
        from sdf_frames.document.xml_out import write_xml
        return write_xml(self.document.root)


def _place(diagnostic: Diagnostic) -> tuple:
    return diagnostic.name, diagnostic.file, diagnostic.line, diagnostic.path


def load_file(path: str | os.PathLike, options: LoadOptions = LoadOptions()) -> Loaded:
    """Load a URDF or SDFormat file; an unreadable one gives a finding, not an exception."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as stream:
            content = read_bounded(stream, options.budget.bytes)
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        return Loaded(name, early=(diagnose("file-unreadable", Location(name), file=name, problem=problem),))
    return load_text(content, name, options)


@without_collection
def load_text(text: str | bytes, file: str | None = None, options: LoadOptions = LoadOptions()) -> Loaded:
    """Load URDF or SDFormat text, told apart by the root element.

    Parameters
    ----------
    text : the document.
    file : its name, for locations and for what is relative to it.
    options : see :class:`LoadOptions`.

    Returns
    -------
    Loaded
        Also for text that is no robot description: the findings say what is wrong. Nothing is raised.

    Raises
    ------
    ValueError
        An option has a value that it cannot have.
    TypeError
        ``inertia_calculator`` is no function, name or mapping, or a key of the mapping names nothing in the text.
    """
    loaded = _load(text, file, options)
    if options.inertia_failure not in ("error", "default"):
        raise ValueError(f"inertia_failure must be error or default, not {options.inertia_failure!r}")
    loaded.inertia_failure = options.inertia_failure
    loaded.inertia_calculator = options.inertia_calculator
    loaded.budget = options.budget
    if options.auto_inertia != "skip":
        _compute_auto(loaded, options.auto_inertia)
    return loaded


def _compute_auto(loaded: Loaded, choice: str) -> None:
    """Have the inertias of a document computed, and saved in it where `choice` says so."""
    from sdf_frames.inertia.saving import CHOICES, SAVE_IN_ELEMENT, save_in_root, save_in_text
    if choice not in CHOICES:
        raise ValueError(f"auto_inertia must be one of {', '.join(CHOICES)}, not {choice!r}")
    loaded.auto_inertia = choice
    if choice == SAVE_IN_ELEMENT and loaded.root is not None:
        result = loaded.inertias
        try:
            loaded.text = save_in_text(loaded, result)
        except ValueError as error:  # a parser stricter than ours
            loaded.early += (diagnose("inertia-not-written", Location(loaded.file), problem=str(error)),)
        loaded.root = save_in_root(loaded.root, result)
        # What was made of the model as it was is out of date.
        for name in ("graphs", "scopes"):
            loaded.__dict__.pop(name, None)


def _load(text: str | bytes, file: str | None, options: LoadOptions) -> Loaded:
    resolver = Resolver(options.resource_paths, confined=options.confined, readers=options.include_readers)
    forget_numbers()
    spending = Spending(options.budget)
    document, found = read_xml(text, file, spending=spending)
    if document is None:
        return Loaded(file, early=found, resolver=resolver)
    tag = tag_of(document.root)
    if tag == "robot":
        return _load_urdf(document, found, file, options, resolver, spending)
    if tag != "sdf":
        return Loaded(file, early=(*found, diagnose(
            "not-a-robot-description", Location(file, document.root.sourceline, f"/{tag}"), tag=tag)), resolver=resolver)
    from sdf_frames.sdf.parse import read_sdf
    judged, excused = set(), set()
    root, more = read_sdf(document, resolver, lambda d: _convert_included(d, options, judged, excused), spending)
    return Loaded(file, "sdf", root, early=(*found, *more), resolver=resolver, document=document,
                  judged=frozenset(judged), excused=frozenset(excused),
                  text=text if isinstance(text, str) else text.decode("utf-8", "replace"))


def _load_urdf(document: Document, found: tuple, file: str | None, options: LoadOptions, resolver: Resolver,
               spending: Spending) -> Loaded:
    from sdf_frames.convert.losses import put_loss_first
    from sdf_frames.urdf.parse import read_robot
    robot, more = read_robot(document)
    found = (*found, *more)
    if robot is None:
        return Loaded(file, "urdf", early=found, resolver=resolver)
    unread = has_errors(more)
    loaded = Loaded(file, "urdf", robot=robot, resolver=resolver) if unread else \
        _load_robot(robot, file, options, resolver, spending)
    if loaded.root is None:
        keep = replace(options, preserve_fixed_joints=True, massless="keep", sdf_version=None)
        loaded.kept = _load_robot(robot, file, keep, resolver, spending, despite_errors=True)
    if unread:  # What a conversion of the rest would find follows from that; the inertias as written do not.
        loaded.early = tuple([d for d in loaded.kept.early if d.name == "inertia-invalid"])
    loaded.early = put_loss_first((*found, *loaded.early))
    return loaded


def _load_robot(robot, file: str | None, options: LoadOptions, resolver: Resolver, spending: Spending,
                despite_errors: bool = False) -> Loaded:
    """`robot` as converted; its root is None where the conversion met errors, unless it is wanted despite them."""
    from sdf_frames.sdf.parse import read_sdf
    judged, excused = set(), set()
    conversion, found = _convert(robot, options, file, judged, excused)
    root, document = None, conversion.document
    if despite_errors or not has_errors(conversion.diagnostics):
        tree = document.root
        version = tree.get("version")
        root, more = read_sdf(document, resolver, lambda d: _convert_included(d, options, judged, excused), spending)
        tree.set("version", version)  # what a converter writes needs no change in 1.12, but it is written as what it is
        found = (*found, *more)
    return Loaded(file, "urdf", root, robot, conversion.rows, resolver, document=document, early=found,
                  judged=frozenset(judged), excused=frozenset(excused))


def _convert(robot, options: LoadOptions, file: str | None, judged: set, excused: set) -> tuple:
    """Conversion of a robot and its findings; `judged` and `excused` are added to as :class:`Loaded` describes them."""
    from sdf_frames.checks.robot_inertia import check_robot_inertials, find_excused, find_hosts
    from sdf_frames.convert.urdf_to_sdf import ConvertOptions, convert_robot
    conversion = convert_robot(robot, ConvertOptions(
        preserve_fixed_joints=options.preserve_fixed_joints, massless=options.massless, sdf_version=options.sdf_version), file)
    written = check_robot_inertials(conversion)
    hosts = find_hosts(conversion, written)
    judged.update([(file, link) for link in hosts.values()])
    excused |= find_excused(conversion, written, hosts)
    return conversion, (*conversion.diagnostics, *written.values())


def _convert_included(document: Document, options: LoadOptions, judged: set, excused: set) -> tuple:
    """SDFormat document of an included URDF."""
    from sdf_frames.urdf.parse import read_robot
    robot, found = read_robot(document)
    if robot is None or has_errors(found):
        return None, found
    conversion, more = _convert(robot, options, document.file, judged, excused)
    return conversion.document, (*found, *more)
