"""Computes the inertias of a document's links, and their total."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from math import inf, isfinite
from typing import TYPE_CHECKING

from sdf_frames.diagnostics import Diagnostic, Location, diagnose, find_nearest
from sdf_frames.document.budget import Spending
from sdf_frames.document.elements import file_of, locate
from sdf_frames.document.uris import Resolver
from sdf_frames.frames.graph import SINK, FrameGraph
from sdf_frames.frames.resolve import find_pose_in
from sdf_frames.inertia.calculators import Found, check_keys, find_calculators
from sdf_frames.inertia.link import Body, InertiaOptions, add_bodies, compute_link
from sdf_frames.inertia.result import FAILED, GIVEN, METHODS, InertiaResult, LinkInertia
from sdf_frames.sdf.model import Link, RawPose, Root, find_static, walk_links
from sdf_frames.spatial.inertia import ZERO_TENSOR, Tensor
from sdf_frames.spatial.pose import Pose, Vector, compose, normalise

if TYPE_CHECKING:
    from sdf_frames.inertia.collision_shapes import IntegrateMesh
    from sdf_frames.inertia.meshes import MeshIntegrator


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
    return _compute_links(root, graphs, options, _integrate_later(resolver, options, calculator), reported)


def _compute_links(root: Root, graphs: Sequence[FrameGraph], options: InertiaOptions, integrate_mesh: IntegrateMesh,
                   reported: frozenset[tuple[str | None, str]]) -> InertiaResult:
    """Compute the inertias of the requested links."""
    found: list[Diagnostic] = []
    computed: list[LinkInertia] = []
    names = []
    wanted, static = set(options.links), find_static(root)
    for scope, prefix, link in walk_links(root):
        names.append(name := prefix + link.name)
        if wanted and name not in wanted:
            continue
        place = partial(_place_in_link, graphs[scope], prefix, link.name)
        without = link.inertial is None and (scope, prefix) in static  # it needs none
        inertia, problems = compute_link(_place_inertial(link, place), name, scope, place,
                                         options._replace(recompute=False) if without else options, integrate_mesh,
                                         reported)
        if inertia.method not in GIVEN and not all(map(isfinite, (
                inertia.mass, *inertia.pose, *inertia.inertia))):
            problems = (diagnose("number-overflow", locate(link.element)),)
            inertia = LinkInertia(name, 0.0, inertia=ZERO_TENSOR, auto=inertia.auto, method=FAILED, physical=False,
                                  scope=scope)
        computed.append(inertia)
        found += problems
    if not isfinite(sum(filter(isfinite, (link.mass for link in computed)))):  # others have an error of their own
        found.append(diagnose("number-overflow", locate(root.element)))
    at = Location(file_of(root.element))
    found += [_report_unknown(at, name, names, graphs) for name in sorted(wanted.difference(names))]
    return InertiaResult(tuple(computed), tuple(dict.fromkeys(found)))


def _report_unknown(at: Location, name: str, names: list[str], graphs: Sequence[FrameGraph]) -> Diagnostic:
    """Return the finding on an unknown link. A lumped link is a frame of the link that has its mass."""
    for graph in graphs:
        vertex = graph.vertices.get(name)
        if vertex is not None and (body := graph.bodies[vertex]) != SINK and graph.kinds[body] == "link":
            link = graph.names[body]
            return diagnose("inertia-unknown-link", at, link=name, known="",
                            hint=f"the {graph.kinds[vertex]} {name!r} moves with the link {link!r}: use {link!r}")
    known = find_nearest(name, names, 5) or names[:5] + ["…"] * (len(names) > 5)
    return diagnose("inertia-unknown-link", at, link=name, known=", ".join(known) or "none")


def _place_inertial(link: Link, place: Callable[[RawPose], Pose | None]) -> Link:
    """Return a link whose inertial's pose is in the link, also if it was written in another frame (until 1.6)."""
    inertial = link.inertial
    if inertial is None or not inertial.frame or inertial.X_LI is None:
        return link
    X_LI = place(RawPose(inertial.X_LI, inertial.frame)) or inertial.X_LI
    return link._replace(inertial=inertial._replace(X_LI=X_LI, frame=""))


def _place_in_link(graph: FrameGraph, prefix: str, link: str, pose: RawPose) -> Pose | None:
    """Return the pose of an element in its link; None if it is relative to a frame that cannot be resolved."""
    vertex = graph.find(prefix, link)
    if vertex is None:
        return None if pose.relative_to else normalise(pose.X)
    return find_pose_in(graph, vertex, pose)


def drop_density_notices(found: Iterable[Diagnostic], density: float | None) -> list[Diagnostic]:
    """Return findings of loading, without those on the density of water if the caller gives a `density`."""
    return [d for d in found if density is None or d.name != "auto-inertia-default-density"]


def _integrate_later(resolver: Resolver, options: InertiaOptions, calculator: Found) -> IntegrateMesh:
    """Return the function that integrates meshes; NumPy and the mesh reader are imported for the first mesh."""
    @cache
    def make() -> MeshIntegrator:
        from sdf_frames.inertia.meshes import MeshIntegrator
        return MeshIntegrator(resolver, options.method, options.voxel_size, calculator, Spending(options.budget),
                              options.memory)

    return lambda mesh, params, collision, density: make().integrate(mesh, params, collision, density)


def total_inertia(graphs: Sequence[FrameGraph], links: Iterable[LinkInertia]) -> tuple[float, Vector, Tensor]:
    """Add up links of one scope: mass (kg), centre of mass (m) and moments about it (kg·m²), in the scope's frame.

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
