"""Computes the inertia of one link, as declared or from its collisions, and combines bodies.

Source: SDFormat's automatic-inertia proposal and libsdformat's Link::ResolveAutoInertials.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from sdf_frames.diagnostics import ERROR, Diagnostic, diagnose
from sdf_frames.document.budget import Budget
from sdf_frames.document.elements import Element, child_or_self, locate
from sdf_frames.inertia.declared import check_declared, read_params
from sdf_frames.inertia.result import AUTO, DECLARED, DEFAULT, FAILED, CollisionInertia, LinkInertia
from sdf_frames.sdf.entities import MOMENT_DEFAULTS, read_mass
from sdf_frames.sdf.model import Collision, Inertial, Link, RawPose
from sdf_frames.spatial.inertia import ZERO_TENSOR, Tensor, combine_bodies, find_unphysical, rotate_tensor, scale_tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, normalise

if TYPE_CHECKING:  # it takes a fifth of the time of starting up
    from sdf_frames.document.memory import Memory
    from sdf_frames.inertia.calculators import Calculator
    from sdf_frames.inertia.collision_shapes import IntegrateMesh

WATER = 1000.0
REFUSE, STAND_IN = "error", "default"


class Body(NamedTuple):
    """``mass`` in kg, pose ``X`` of the inertial frame in the common frame (origin at the centre of mass), and
    ``moments`` (ixx, iyy, izz, ixy, ixz, iyz) about the centre of mass in the inertial frame, kg·m²."""

    mass: float
    X: Pose = IDENTITY
    moments: Tensor = ZERO_TENSOR


def add_bodies(bodies: Iterable[Body]) -> Body:
    """Combine bodies: moments about the common centre of mass along the axes of the common frame.

    Bodies without mass are left out, as libsdformat does; no body at all gives mass zero at the origin.
    """
    mass, centre, moments = combine_bodies([(b.mass, b.X[:3], rotate_tensor(b.X[3:], b.moments))
                                            for b in bodies if b.mass > 0])
    return Body(mass, (*centre, 1.0, 0.0, 0.0, 0.0), moments) if mass > 0 else Body(0.0)


class InertiaOptions(NamedTuple):
    """The options of computing inertias.

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
    memory : keeps results of meshes that other descriptions share; None to compute all anew.
    """

    links: Sequence[str] = ()
    density: float | None = None
    method: str = AUTO
    voxel_size: float | None = None
    recompute: bool = False
    calculator: Calculator | None = None
    on_failure: str = REFUSE
    budget: Budget = Budget()
    memory: Memory | None = None


def read_declared(link: Link) -> Body:
    """Return the inertial as written, with SDFormat's defaults: 1 kg, unit tensor, at the link's origin."""
    inertial = link.inertial
    mass, moments = read_mass(inertial)
    X = None if inertial is None or inertial.auto else inertial.X_LI
    return Body(mass, IDENTITY if X is None else _keep_written(X), moments)


def _keep_written(X: Pose) -> Pose:
    """Return the pose with its quaternion as written if that has unit length except for rounding, else normalised."""
    return X if abs(sum([q * q for q in X[3:]]) - 1) < 1e-6 else normalise(X)


def compute_link(link: Link, name: str, scope: int, X_of: Callable[[RawPose], Pose | None],
                 options: InertiaOptions, integrate_mesh: IntegrateMesh | None = None,
                 judged: frozenset[tuple[str | None, str]] = frozenset()) -> tuple[LinkInertia, tuple[Diagnostic, ...]]:
    """Compute the inertia of a link.

    Parameters
    ----------
    link, name, scope : the link, its scoped name, the number of its scope.
    X_of : returns the pose in the link frame of what has this pose in it, or None if it cannot be resolved (reported
        elsewhere).
    integrate_mesh : None to leave meshes out.
    judged : links, as (file, name), whose declared inertia has been checked before.

    Returns
    -------
    inertia, diagnostics
    """
    inertial = link.inertial
    auto = inertial is not None and inertial.auto
    if not auto and not (options.recompute and link.collisions):
        body = read_declared(link)
        return (_conclude(name, scope, body, False, DEFAULT if inertial is None else DECLARED),
                check_declared(link, name, judged))
    found: list[Diagnostic] = []
    if auto and inertial is not None:
        found += _check_unused(inertial, name)
        if not link.collisions:
            found.append(diagnose("auto-inertia-no-collision", locate(inertial.element), link=name))
            return _conclude(name, scope, read_declared(link), auto, DEFAULT), tuple(found)
    mass = _find_given_mass(inertial, auto, name, options, found)
    bodies: list[Body] = []
    parts: list[CollisionInertia] = []
    for collision in link.collisions:
        problems: list[Diagnostic] = []
        part, placed = _compute_collision(collision, f"{name}::{collision.name}", inertial, mass, X_of, options,
                                          integrate_mesh, problems)
        if placed is None and part.geometry and options.on_failure == STAND_IN:
            part, placed = _stand_in(part, problems)
        found += problems
        parts.append(part)
        if placed is not None:
            bodies.append(placed)
    body = add_bodies(bodies)
    if mass is not None and 0 < mass < inf and body.mass > 0:
        body = Body(mass, body.X, scale_tensor(mass / body.mass, body.moments))
    method = "+".join(dict.fromkeys(p.method for p in parts if p.method)) or FAILED
    return _conclude(name, scope, body, auto, method, tuple(parts)), tuple(found)


def _conclude(name: str, scope: int, body: Body, auto: bool, method: str,
              parts: tuple[CollisionInertia, ...] = ()) -> LinkInertia:
    return LinkInertia(name, body.mass, body.X, body.moments, auto, method,
                       not find_unphysical(body.mass, body.moments), parts, scope)


def _check_unused(inertial: Inertial, name: str) -> Iterator[Diagnostic]:
    """Warn about a pose or inertia that is written although it is to be computed."""
    for tag in ("pose", "inertia"):
        child = inertial.element.find(tag)
        if child is not None:
            yield diagnose("auto-inertia-overwrites", locate(child), link=name, tag=tag)


def _find_given_mass(inertial: Inertial | None, auto: bool, name: str, options: InertiaOptions,
                     found: list[Diagnostic]) -> float | None:
    """Return the mass (kg) to which the result is scaled, or None."""
    if inertial is None or inertial.mass is None or (not auto and options.density is not None):
        return None
    if not 0 < inertial.mass < inf and auto:
        found.append(diagnose("auto-inertia-mass-not-positive", locate(child_or_self(inertial.element, "mass")),
                              link=name, mass=inertial.mass))
    return inertial.mass


def _compute_collision(collision: Collision, name: str, inertial: Inertial | None, mass: float | None,
                       X_of: Callable[[RawPose], Pose | None], options: InertiaOptions,
                       integrate_mesh: IntegrateMesh | None,
                       found: list[Diagnostic]) -> tuple[CollisionInertia, Body | None]:
    """Compute a collision; return its part of the result, and its body in the link frame, or None."""
    # Shapes take a fifth of the time of starting up, and few descriptions compute an inertia.
    from sdf_frames.inertia.collision_shapes import integrate_geometry, name_shape
    from sdf_frames.sdf.geometry import Mesh, read_geometry
    geometry, problems = read_geometry(collision.geometry)
    found += problems
    density, source, place = _find_density(collision, inertial, options.density)
    if geometry is None:
        return CollisionInertia(name, "", density, source), None
    part = CollisionInertia(name, name_shape(geometry), density, source)
    if not 0 < density < inf:
        found.append(diagnose("density-not-positive", locate(place), where=f"collision {name!r}", density=density))
        return part, None
    params = collision.params if collision.params is not None else inertial.params if inertial is not None else None
    element = collision.element if collision.geometry is None else collision.geometry
    solid, method, problems = integrate_geometry(geometry, name, element, params, density, integrate_mesh)
    found += read_params(params).diagnostics
    if source == "default" and mass is None and (solid is not None or isinstance(geometry, Mesh)):
        found.append(diagnose("auto-inertia-default-density", locate(collision.element), collision=name,
                              density=density))
    found += problems
    X_LC = X_of(collision.pose)
    if solid is None or X_LC is None:
        return part, None
    m = density * solid.volume
    body = Body(m, compose(X_LC, (*solid.centroid, 1.0, 0.0, 0.0, 0.0)), scale_tensor(density, solid.moments))
    return CollisionInertia(name, part.geometry, density, source, method, m, solid.volume), body


def _stand_in(part: CollisionInertia, problems: list[Diagnostic]) -> tuple[CollisionInertia, Body | None]:
    """Replace a collision with errors by the default inertial, at the link's origin, and the errors by a warning.

    This is libsdformat's WARN_AND_USE_DEFAULT_INERTIAL.
    """
    errors = [d for d in problems if d.severity == ERROR]
    if not errors:
        return part, None
    problems[:] = [d for d in problems if d.severity != ERROR]
    problems.append(diagnose("inertia-default-used", errors[0].location, collision=part.name,
                             problem=errors[0].message))
    return part._replace(method=DEFAULT, mass=1.0), Body(1.0, IDENTITY, MOMENT_DEFAULTS)


def _find_density(collision: Collision, inertial: Inertial | None,
                  given: float | None) -> tuple[float, str, Element]:
    """Find the density (kg/m³), its source, and its element: of the collision, else link, else caller, else water."""
    if collision.density is not None:
        return collision.density, "collision", child_or_self(collision.element, "density")
    if inertial is not None and inertial.density is not None:
        return inertial.density, "link", child_or_self(inertial.element, "density")
    if given is not None:
        return given, "argument", collision.element
    return WATER, "default", collision.element
