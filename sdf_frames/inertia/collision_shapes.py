"""Integrates collision shapes: volume, centroid and second moments."""
from __future__ import annotations

from collections.abc import Callable

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.inertia.result import EXACT
from sdf_frames.sdf.geometry import Box, Capsule, Cone, Cylinder, Ellipsoid, Geometry, Mesh, Polyline, Sphere
from sdf_frames.spatial import solids
from sdf_frames.spatial.prisms import integrate_prism
from sdf_frames.spatial.solids import Solid

#: Solid of density one or None, the method that was used, and findings.
MeshAnswer = tuple[Solid | None, str, tuple[Diagnostic, ...]]
#: Integrates a mesh, given the ``<auto_inertia_params>`` that apply, the name of its collision and a density.
IntegrateMesh = Callable[[Mesh, Element | None, str, float], MeshAnswer]

_PRIMITIVES: dict[type, Callable[..., Solid]] = {
    Box: lambda g: solids.integrate_box(*g.size),
    Sphere: lambda g: solids.integrate_sphere(g.radius),
    Cylinder: lambda g: solids.integrate_cylinder(g.radius, g.length),
    Capsule: lambda g: solids.integrate_capsule(g.radius, g.length),
    Ellipsoid: lambda g: solids.integrate_ellipsoid(*g.radii),
    Cone: lambda g: solids.integrate_cone(g.radius, g.length),
}


def name_shape(geometry: Geometry) -> str:
    """Return the SDFormat name of the shape."""
    return type(geometry).__name__.lower()


def integrate_geometry(geometry: Geometry, collision: str, element: Element, params: Element | None,
                       density: float, integrate_mesh: IntegrateMesh | None) -> MeshAnswer:
    """Integrate over the shape of a collision with density one.

    Parameters
    ----------
    collision : scoped name of the collision, for findings.
    element : the ``<geometry>`` element (or the collision, if it has none), for findings.
    params : the ``<auto_inertia_params>`` that apply, or None.
    density : of the collision, kg/m³; passed to `integrate_mesh`.
    integrate_mesh : integrates meshes; None leaves meshes out.

    Returns
    -------
    solid, method, diagnostics
    """
    if isinstance(geometry, Mesh):
        return (None, EXACT, ()) if integrate_mesh is None else integrate_mesh(geometry, params, collision, density)
    if (integrate := _PRIMITIVES.get(type(geometry))) is not None:
        return integrate(geometry), EXACT, ()
    place = locate(next((c for c in element if tag_of(c) == name_shape(geometry)), element))
    if isinstance(geometry, Polyline) and geometry.prisms:
        # Gazebo extrudes all outlines of a geometry to the height of the first.
        solid, crossing = integrate_prism([prism.points for prism in geometry.prisms], geometry.prisms[0].height)
        if crossing is not None:
            return None, EXACT, (diagnose("auto-inertia-outlines-cross", place, collision=collision, x=crossing[0],
                                          y=crossing[1]),)
        if solid.volume > 0:
            return solid, EXACT, ()
    return None, EXACT, (diagnose("auto-inertia-unsupported-geometry", place, collision=collision,
                                  shape=name_shape(geometry)),)
