"""The inertias of a document's links, and their total."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.diagnostics.nearest import find_nearest
from sdf_frames.document.budget import Budget, Spending
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import Element, file_of
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.inertia.aggregate import Body, add_bodies
from sdf_frames.inertia.calculators import Calculator, Found, check_keys, find_calculators
from sdf_frames.inertia.link import REFUSE, Settings, compute_link
from sdf_frames.inertia.result import AUTO, METHODS, InertiaResult, LinkInertia
from sdf_frames.sdf.model import Collision, Link, Model, Root
from sdf_frames.spatial.inertia import ZERO_TENSOR, Tensor
from sdf_frames.spatial.pose import Pose, Vector, compose, invert, normalise

if TYPE_CHECKING:
    from sdf_frames.inertia.meshes import MeshIntegrator
    from sdf_frames.inertia.shapes import MeshAnswer
    from sdf_frames.sdf.geometry import Mesh

ResolvePose = Callable[[int, str, str, str], Pose | None]


def walk_links(root: Root) -> Iterator[tuple[int, str, Link]]:
    """Every link with the number of its scope and the prefix of its model ("", ``M::``, ``M::N::``).

    Scopes are numbered worlds first, then the root model, as the frame graphs are. A model's own links come before
    those of its nested models.
    """
    for number, world in enumerate(root.worlds):
        for model in world.models:
            yield from _walk_model(number, f"{model.name}::", model)
    if root.model is not None:
        yield from _walk_model(len(root.worlds), "", root.model)


def _walk_model(scope: int, prefix: str, model: Model) -> Iterator[tuple[int, str, Link]]:
    pending = [(prefix, model)]
    while pending:
        prefix, model = pending.pop()
        for link in model.links:
            yield scope, prefix, link
        pending += [(f"{prefix}{m.name}::", m) for m in reversed(model.models)]


def find_static(root: Root) -> set[tuple[int, str]]:
    """Scope and prefix of each static model, and of those nested in one."""
    static = set()
    pending = [(number, f"{m.name}::", m, False) for number, world in enumerate(root.worlds) for m in world.models]
    pending += [(len(root.worlds), "", root.model, False)] if root.model is not None else []
    while pending:
        scope, prefix, model, inside = pending.pop()
        if inside or model.static:
            static.add((scope, prefix))
        pending += [(scope, f"{prefix}{m.name}::", m, inside or model.static) for m in model.models]
    return static


def compute_root_inertias(root: Root, *, links: Iterable[str] = (), settings: Settings = Settings(),
                          resolve_pose: ResolvePose | None = None) -> InertiaResult:
    """Inertias of the links of a typed document.

    Parameters
    ----------
    root : the document.
    links : scoped names of the links wanted; all when empty.
    settings : how to compute.
    resolve_pose : ``(scope number, model prefix, frame name, link name) -> pose of the frame in the link, or None``;
        asked for collisions whose pose is relative to another frame. Without it those collisions are left out.

    Returns
    -------
    InertiaResult
    """
    wanted = set(links)
    found: list[Diagnostic] = []
    computed: list[LinkInertia] = []
    names = []
    static = find_static(root)
    for scope, prefix, link in walk_links(root):
        name = prefix + link.name
        names.append(name)
        if wanted and name not in wanted:
            continue

        def X_of(collision: Collision, scope: int = scope, prefix: str = prefix, link: Link = link) -> Pose | None:
            X = normalise(collision.pose.X)
            if not collision.pose.relative_to:
                return X
            X_LF = resolve_pose(scope, prefix, collision.pose.relative_to, link.name) if resolve_pose else None
            return None if X_LF is None else compose(X_LF, X)

        if (written := link.inertial) is not None and written.frame and written.X_LI is not None and resolve_pose:
            X_LF = resolve_pose(scope, prefix, written.frame, link.name)
            X_LI = written.X_LI if X_LF is None else compose(X_LF, normalise(written.X_LI))
            link = link._replace(inertial=written._replace(X_LI=X_LI, frame=""))
        fixed = link.inertial is None and (scope, prefix) in static
        inertia, problems = compute_link(link, name, scope, X_of, settings._replace(recompute=False) if fixed
                                         else settings)
        computed.append(inertia)
        found += problems
    for name in sorted(wanted.difference(names)):
        known = find_nearest(name, names, 5) or names[:5]
        found.append(diagnose("inertia-unknown-link", Location(file_of(root.element)), link=name,
                              known=", ".join(known) or "none"))
    return InertiaResult(tuple(computed), tuple(dict.fromkeys(found)))


class InertiaOptions(NamedTuple):
    """How to compute inertias.

    Attributes
    ----------
    links : scoped names of the links wanted; all when empty.
    density : kg/m³, for collisions that state none themselves or through their link (default: that of water).
    method : for meshes: ``auto``, ``exact``, ``voxel``, ``hull`` or ``shell`` (then densities are kg/m²).
    voxel_size : edge in metres for method voxel; default ``gz:voxel_size`` of the description, else 1/64 of the
        mesh's longest side.
    recompute : compute links that declare their inertia too (from collisions, keeping a declared mass unless
        `density` is given), and those without ``<inertial>`` unless their model is static.
    calculator : ``(density, mesh, params)``, asked first for every mesh (the custom inertia calculator of the
        proposal); or the name of an entry point of the group ``sdf_frames.inertia_calculators`` that is one; or a
        mapping of some such to what they are for: scoped names of collisions or links, or mesh URIs, in this order.
        It is given the collision's density in kg/m³, the :class:`~sdf_frames.sdf.geometry.Mesh` with the ``path`` of
        its file, and the ``<auto_inertia_params>`` element or None. It returns a
        :class:`~sdf_frames.spatial.solids.Solid` of density one, or None to leave the mesh to `method`; or a pair of
        that and a list of diagnostics.
    on_failure : what becomes of a collision that cannot be computed: an ``error``, or the ``default``, 1 kg and a unit
        tensor, with a warning.
    budget : what the meshes may cost.
    """

    links: Sequence[str] = ()
    density: float | None = None
    method: str = AUTO
    voxel_size: float | None = None
    recompute: bool = False
    calculator: Calculator | None = None
    on_failure: str = REFUSE
    budget: Budget = Budget()


def compute_inertias(root: Root, graphs: Sequence[FrameGraph], resolver: Resolver,
                     options: InertiaOptions = InertiaOptions(),
                     reported: frozenset[tuple[str | None, str]] = frozenset()) -> InertiaResult:
    """Compute the inertias of a document's links.

    Parameters
    ----------
    root : the document.
    graphs : those of its worlds and root model.
    resolver : finds mesh files.
    options : see :class:`InertiaOptions`.
    reported : links, as (file, name), whose declared inertia is not judged again.

    Raises
    ------
    TypeError
        A key of a mapping of calculators names nothing in the description, or a calculator is no function.
    """
    if options.method not in METHODS:
        return InertiaResult((), (diagnose("inertia-unknown-method", method=options.method, known=", ".join(METHODS)),))
    for option, value in (("density", options.density), ("voxel size", options.voxel_size)):
        if value is not None and not 0 < value < inf:
            return InertiaResult((), (diagnose("inertia-option-not-positive", option=option, value=value),))
    calculator, problems = find_calculators(options.calculator)
    if isinstance(calculator, Mapping):
        check_keys(calculator, walk_links(root))
    if problems:
        return InertiaResult((), problems)
    meshes = _LazyMeshes(resolver, options, calculator)
    settings = Settings(options.density, options.recompute, meshes, options.on_failure, reported)
    return compute_root_inertias(root, links=options.links, settings=settings,
                                 resolve_pose=lambda scope, *place: _resolve_in_link(graphs[scope], *place))


def drop_density_notices(found: Iterable[Diagnostic], density: float | None) -> list[Diagnostic]:
    """Findings of loading, but for those on water's density if the caller computes with another `density`."""
    return [d for d in found if density is None or d.name != "auto-inertia-default-density"]


class _LazyMeshes:
    """Imports NumPy and the mesh reader when the first mesh comes along."""

    def __init__(self, resolver: Resolver, options: InertiaOptions, calculator: Found):
        self.resolver, self.options, self.calculator = resolver, options, calculator
        self.integrator: MeshIntegrator | None = None

    def __call__(self, mesh: Mesh, params: Element | None, collision: str, density: float) -> MeshAnswer:
        if self.integrator is None:
            from sdf_frames.inertia.meshes import MeshIntegrator
            self.integrator = MeshIntegrator(self.resolver, self.options.method, self.options.voxel_size,
                                             self.calculator, Spending(self.options.budget))
        return self.integrator.integrate(mesh, params, collision, density)


def _resolve_in_link(graph: FrameGraph, prefix: str, frame: str, link: str) -> Pose | None:
    """Pose of a frame in a link of the same model."""
    X_F, X_L = (None if (i := graph.find(prefix, name)) is None else graph.poses[i] for name in (frame, link))
    return None if X_F is None or X_L is None else normalise(compose(invert(X_L), X_F))


def total_inertia(graphs: Sequence[FrameGraph], links: Iterable[LinkInertia]) -> tuple[float, Vector, Tensor]:
    """Mass (kg), centre of mass (m) and moments about it (kg·m²) of links of one scope, in the scope's frame.

    Links whose pose cannot be resolved, and those of other scopes than the first link's, are left out.
    """
    links = list(links)
    if not links:
        return 0.0, (0.0, 0.0, 0.0), ZERO_TENSOR
    graph = graphs[links[0].scope]
    bodies = []
    for link in links:
        vertex = graph.find("", link.name) if link.scope == links[0].scope else None
        if vertex is not None and (X := graph.poses[vertex]) is not None:
            bodies.append(Body(link.mass, compose(X, normalise(link.pose)), link.inertia))
    total = add_bodies(bodies)
    return total.mass, total.X[:3], total.moments
