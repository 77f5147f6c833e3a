"""The object that loading returns: the description in a text, with all findings."""
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, Edit, diagnose, has_errors, tell_once
from sdf_frames.document.budget import Spending
from sdf_frames.document.elements import find_child, locate
from sdf_frames.document.places import Source
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Document
from sdf_frames.options import LoadOptions

if TYPE_CHECKING:
    from sdf_frames.checks.becomes import Becoming
    from sdf_frames.convert.report import Entry, Row
    from sdf_frames.convert.urdf_to_sdf import Conversion
    from sdf_frames.frames.graph import FrameGraph
    from sdf_frames.frames.resolve import Scope
    from sdf_frames.frames.tf import TfTree, Transform
    from sdf_frames.inertia.result import InertiaResult
    from sdf_frames.sdf.model import Root
    from sdf_frames.urdf.model import Robot

#: Defects of a mesh file that every reader refuses.
_BROKEN_MESHES = ("mesh-unreadable", "mesh-empty", "mesh-not-finite", "mesh-index-out-of-range", "mesh-without-submesh")


class Kept(NamedTuple):
    """A URDF that cannot be converted, read with every link and fixed joint kept, for its kinematics."""

    root: "Root"
    conversion: "Conversion"


class Description(NamedTuple):
    """The description in a text, and all findings on it.

    Attributes
    ----------
    file : name of the input, or None.
    resolver : finds the files of its URIs.
    kind : ``"urdf"``, ``"sdf"``, or None for neither.
    diagnostics : all findings, each once, in the order of the checks.
    options : the options of the load.
    spending : the spent part of the budget.
    source : the text and the places of its elements; None if it cannot be parsed.
    document : the XML of the SDFormat document; of a URDF, the converted one.
    saved : the edits of an SDFormat text that write the inertias of ``save-in-element`` into it.
    robot : the URDF's robot, if it could be read.
    root : the typed SDFormat model; None if there is none, or if the URDF cannot be converted.
    conversion : the conversion of a URDF that could be read.
    kept : the source of the kinematics of a URDF that cannot be converted.
    scopes : every world and the root model, resolved; those of `kept` if there is no `root`.
    convertible : whether there is an SDFormat model without errors.
    reported : links, as (file, name in SDF), whose inertia was checked as their URDF states it.
    computed : the inertias computed for ``auto_inertia``; None for ``skip``.
    srdf : the document, if it is an SRDF; then `kind` is None.
    refused : the robot of a URDF that this project refuses, if some program may load it; it may have several roots.
    """

    file: str | None
    resolver: Resolver
    kind: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    options: LoadOptions = LoadOptions()
    spending: Spending | None = None
    source: Source | None = None
    document: Document | None = None
    saved: tuple[Edit, ...] | None = None
    robot: "Robot | None" = None
    root: "Root | None" = None
    conversion: "Conversion | None" = None
    kept: Kept | None = None
    scopes: "tuple[Scope, ...]" = ()
    convertible: bool = False
    reported: frozenset[tuple[str | None, str]] = frozenset()
    computed: "InertiaResult | None" = None
    srdf: Document | None = None
    refused: "Robot | None" = None

    @property
    def valid(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.diagnostics)

    @property
    def resolved(self) -> bool:
        """Whether the description was read and every frame has a pose, even if there are other errors.

        Frames of a failed include have no pose.
        """
        if self.root is None and self.kept is None:
            return False
        if self.root is not None and not self.scopes and find_child(self.root.element, "include") is not None:
            return False  # its model is missing
        whole = not any(getattr(entity, "missing", ()) for graph in self.graphs for entity in graph.entities)
        return whole and all(f.pose is not None for scope in self.scopes for f in (*scope.frames, *scope.left_out))

    @property
    def entries(self) -> "Sequence[Entry]":
        """What happened to every element of a URDF."""
        return () if self.conversion is None else self.conversion.entries

    @property
    def report(self) -> "tuple[Row, ...]":
        """The entries as rows of the conversion report."""
        return () if self.conversion is None else self.conversion.rows

    @property
    def graphs(self) -> "tuple[FrameGraph, ...]":
        """The frame graph of each scope."""
        return tuple([scope.graph for scope in self.scopes])

    def tf_tree(self, **naming: Any) -> "TfTree":
        """Build the static TF tree of the robot, or of the first world.

        Its options are those of :func:`sdf_frames.frames.tf.build_tf_tree`.
        """
        from sdf_frames.frames.tf import TfTree, build_tf_tree
        return build_tf_tree(self.graphs[0], self.robot, **naming) if self.scopes else TfTree()

    def static_transforms(self, mode: str = "all",
                          **naming: Any) -> "tuple[tuple[Transform, ...], tuple[Diagnostic, ...]]":
        """Return the transforms to publish in a mode (``all``, ``complement``, ``none``), and findings on names."""
        tree = self.tf_tree(**naming)
        return tree.select(mode), tree.diagnostics

    def inertias(self, **choices: Any) -> "InertiaResult":
        """Compute the inertias of the links, with the options of :class:`sdf_frames.inertia.link.InertiaOptions`.

        For a URDF that cannot be converted, compute the links that state a mass, without lumping. The diagnostics are
        only those on inertia.

        Raises
        ------
        TypeError
            A key of a mapping of calculators names nothing in the description, or a calculator is not a function.
        """
        from sdf_frames.inertia.compute import compute_inertias
        from sdf_frames.inertia.link import InertiaOptions
        from sdf_frames.inertia.result import ASSUMED, DECLARED, InertiaResult
        root = self.root
        if root is None and self.kept is not None and self.robot is not None:
            from sdf_frames.inertia.urdf_links import drop_bare_links
            root = drop_bare_links(self.kept.root, self.robot, self.kept.conversion.rows)
        if root is None:
            return InertiaResult()
        options = InertiaOptions(**{**inertia_choices(self.options), **choices})
        result = compute_inertias(root, self.graphs, self.resolver, options, self.reported)
        assumed = () if self.conversion is None else self.conversion.assumed
        links = [link._replace(method=ASSUMED) if link.name in assumed and link.method == DECLARED else link
                 for link in result.links]
        return drop_known(InertiaResult(tuple(links), result.diagnostics), self.diagnostics)

    def judge(self, consumers: Collection[str]) -> list[Diagnostic]:
        """Judge for programs: the causes that concern one of them, each once with its highest severity."""
        from sdf_frames.checks.programs import combine, judge
        found = [*self.diagnostics, *self.find_refusals(consumers)]
        return tell_once(combine(judge(found, consumer, self.kind, self.file, consumers) for consumer in consumers))

    def find_refusals(self, consumers: Collection[str]) -> list[Diagnostic]:
        """Find the causes for which consumers other than Gazebo refuse or misread the description."""
        from sdf_frames.checks.programs import find_refusals
        found: Iterable[Diagnostic] = ()
        if (robot := self.robot or self.refused) is not None:
            found = find_refusals(consumers, "urdf", robot, self.resolver, Spending(self.options.budget))
        elif self.root is not None:
            found = find_refusals(consumers, "sdf", self.root, self.resolver, self.file, self.graphs)
        from sdf_frames.checks.becomes import report_becomes
        return [*found, *self._find_causes(consumers), *report_becomes(self.find_becomes(consumers), consumers)]

    def _find_causes(self, consumers: Collection[str]) -> Iterator[Diagnostic]:
        """Yield findings on masses that a finding for Gazebo alone replaces, such as that its model would be empty."""
        if self.conversion is None:
            return
        from sdf_frames.checks.programs import CONSUMERS, GAZEBO, judge
        ends = self.conversion.consequences
        causes = [d for link, d in self.conversion.robot.unread_masses if ends[link] is None]
        for consumer in consumers if causes else ():
            if CONSUMERS[consumer].base != GAZEBO:
                for cause in judge(causes, consumer, self.kind, self.file):
                    yield cause._replace(consumers=(consumer,))

    def find_becomes(self, consumers: Collection[str]) -> "list[Becoming]":
        """Find each element of each feature that the programs refuse, change or lose."""
        from sdf_frames.checks.becomes import find_becomes
        parts = self.robot or self.refused or self.root
        return [] if parts is None or self.kind is None else [*find_becomes(parts, self.kind, consumers, self.resolver)]

    def check_srdf(self, other: "Description") -> list[Diagnostic]:
        """Check the SRDF `other` against this URDF; return the errors of the URDF if it cannot be read.

        Raises
        ------
        ValueError
            `other` is not an SRDF.
        """
        from sdf_frames.checks.srdf import check_srdf
        if other.srdf is None:
            raise ValueError(f"{other.file or 'the text'} is not an SRDF")
        if self.kind == "sdf":
            return [diagnose("srdf-needs-urdf", locate(other.srdf.root), file=self.file or "the other text")]
        if self.robot is None:
            return [d for d in self.diagnostics if d.severity == ERROR]
        found = [d for d in other.diagnostics if d.name != "srdf-without-urdf"]
        return [*found, *check_srdf(other.srdf, self.robot, Spending(self.options.budget))]

    def find_missing_files(self) -> list[Diagnostic]:
        """Find missing meshes, heightmaps and textures: one error each."""
        from sdf_frames.checks.assets import check_assets
        return list(check_assets(self.root, self.resolver, self.robot or self.refused))

    def find_odd_inertias(self) -> list[Diagnostic]:
        """Find the declared inertias that do not fit the geometry of their links, including meshes."""
        from sdf_frames.inertia.plausibility import check_plausibility
        from sdf_frames.sdf.model import walk_links
        root = self.root if self.kept is None else self.kept.root
        links = [] if root is None else [prefix + link.name for _, prefix, link in walk_links(root)
                                         if link.inertial is not None and not link.inertial.auto]
        result = self.inertias(links=links)
        return list(check_plausibility(root, result, self.resolver, self.options.budget) if links else ())

    def find_odd_meshes(self) -> list[Diagnostic]:
        """Find the meshes that cannot be read, or are probably in another unit than the rest of their model."""
        from sdf_frames.checks.sizes import check_mesh_units
        from sdf_frames.inertia.plausibility import Boxes
        boxes = Boxes(self.resolver, Spending(self.options.budget))
        odd = [*check_mesh_units(self.scopes, boxes.find, self.kind == "urdf")]
        unread = [d._replace(severity=WARNING) for d in boxes.found if d.name in _BROKEN_MESHES]
        return [*unread, *odd]


def inertia_choices(options: LoadOptions) -> dict[str, Any]:
    """Return the load options that concern the computation of inertias."""
    return {"on_failure": options.inertia_failure, "calculator": options.inertia_calculator, "budget": options.budget,
            "memory": options.memory}


def drop_known(result: "InertiaResult", found: Iterable[Diagnostic]) -> "InertiaResult":
    """Drop findings about shapes that the schema check has refused, and about an overflow that is already reported."""
    name = "geometry-value-unreadable"
    known = {(d.file, d.line, d.path) for d in found if d.severity == "error" and d.name != name}
    overflows = any(d.name == "number-overflow" for d in found)
    return result._replace(diagnostics=tuple([
        d for d in result.diagnostics if (d.name != name or (d.file, d.line, d.path) not in known)
        and not (overflows and d.name == "number-overflow")]))
