"""The methods that integrate a mesh, each with an estimate of its error, and the choice between them."""
from __future__ import annotations

from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose
from sdf_frames.document.budget import Budget, explain_raise
from sdf_frames.inertia.result import EXACT, HULL, SHELL, VOXEL
from sdf_frames.spatial import mesh_integrals, voxels
from sdf_frames.spatial.mesh_holes import close_borders, find_borders
from sdf_frames.spatial.mesh_topology import (
    Topology,
    count_overlaps,
    examine_topology,
    find_inside_out,
    find_normals,
    orient_faces,
)
from sdf_frames.spatial.solids import Solid

# Cracks that change the integrals by less come from T-junctions and rounding.
TIGHT = 1e-6
# Largest share of the columns of voxels at the surface that may run through a gap.
MOST_CRACKED = 0.25
# Voxels are refined until the result changes by less; a part has this many of them across, or a warning.
SETTLED = 0.01
# Refining on one's own account takes a second or so, and no gigabyte: so many cells in a grid and along a side, and so
# many steps in all grids together. A test of a ray against a triangle counts as several.
MOST_REFINED = 1 << 24
MOST_ALONG = 1 << 14
MOST_STEPS = 50_000_000
TEST_STEPS = 5
ENOUGH_CELLS = 4
# Distances of faces from planes that are computed to estimate the volume between a surface and its hull.
MOST_DISTANCES = 2_000_000
# Fans from these places are compared where a hole is not plane.
_APEXES = (0.0, 0.5)


class MeshTask(NamedTuple):
    """A mesh to integrate: (V, 3) merged vertices in metres, (F, 3) faces, what they enclose, the voxel size wanted
    (m)."""

    V: np.ndarray
    F: np.ndarray
    topology: Topology
    size: float | None
    file: str
    at: Location | None
    budget: Budget


class MeshOutcome(NamedTuple):
    """The solid of density one or None, the method, an estimate of its relative error, and findings."""

    solid: Solid | None
    method: str
    error: float = inf
    diagnostics: tuple[Diagnostic, ...] = ()


def integrate_exact(task: MeshTask) -> MeshOutcome:
    """Integrate by the divergence theorem; for an open surface, the error is the dependence on the apex."""
    found = []
    F = task.F
    solid = mesh_integrals.integrate_faces(task.V, F)
    if solid.volume < 0:
        found.append(diagnose("mesh-turned", task.at, file=task.file))
        solid, F = mesh_integrals.turn_solid(solid), F[:, ::-1]
    if not encloses(solid.volume, task.V):
        return MeshOutcome(None, EXACT)
    error = 0.0 if task.topology.oriented else mesh_integrals.measure_leak(task.V, F)
    if error < TIGHT:
        found += _find_overlaps(task, task.V, F)
    return MeshOutcome(solid, EXACT, error, tuple(found))


def _find_overlaps(task: MeshTask, V: np.ndarray, F: np.ndarray, hint: str | None = None) -> tuple[Diagnostic, ...]:
    overlapping, sampled = count_overlaps(V, F)
    return () if not overlapping else (
        diagnose("mesh-self-intersecting", task.at, file=task.file, count=overlapping, total=sampled, hint=hint),)


def integrate_closed(task: MeshTask) -> MeshOutcome:
    """Integrate exactly after closing holes along their borders; the error is the difference between several fans.

    Where shells overlap, voxels that count the overlap once are used instead, unless their error is larger than it.
    """
    F = task.F
    loops = find_borders(F)
    if loops is None and (turned := orient_faces(task.V, F)) is not None:
        F, loops = turned, find_borders(turned)
    if not loops:
        return MeshOutcome(None, EXACT)
    closed = [_turn_bodies(*close_borders(task.V, F, loops, apex)) for apex in (None, *_APEXES)]
    solids = [mesh_integrals.integrate_faces(*mesh) for mesh in closed]
    found = []
    (V, F), solid = closed[0], solids[0]
    if solid.volume < 0:
        found.append(diagnose("mesh-turned", task.at, file=task.file))
        F, solids = F[:, ::-1], [mesh_integrals.turn_solid(solid) for solid in solids]
        solid = solids[0]
    if not encloses(solid.volume, task.V):
        return MeshOutcome(None, EXACT)
    error = max(_compare(solid, other, task.V) for other in solids[1:])
    found.append(diagnose("mesh-holes-closed", task.at, file=task.file, holes=count_of(len(loops), "hole"),
                          error=_say(error)))
    # If the user chose voxels, they are those of the open surface: they leave out the overlap of its shells.
    if overlaps := _find_overlaps(task, V, F, "close the holes, and merge the overlapping parts"):
        return _take_once(task._replace(V=V, F=F, topology=examine_topology(V, F)),
                          MeshOutcome(solid, EXACT, error, (*found, *overlaps)))
    return MeshOutcome(solid, EXACT, error, tuple(found))


def _take_once(task: MeshTask, twice: MeshOutcome) -> MeshOutcome:
    """Choose the outcome for a closed surface whose shells overlap: `twice` counts the overlap twice, voxels once."""
    once = integrate_voxels(task)
    if once.solid is None or twice.solid is None:
        return twice
    doubled, error = twice.error + _compare(once.solid, twice.solid, task.V), twice.error + once.error
    if not error < doubled:
        return twice._replace(error=doubled)
    said = diagnose("mesh-method-fallback", task.at, file=task.file, reason="its shells overlap", method=VOXEL,
                    wanted=EXACT, error=_say(error))
    return MeshOutcome(once.solid, VOXEL, error, (said, *twice.diagnostics, *once.diagnostics))


def _turn_bodies(V: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the closed mesh, with bodies flipped that point inward and are not cavities."""
    return V, np.where(find_inside_out(V, F)[:, None], F[:, ::-1], F)


def integrate_voxels(task: MeshTask) -> MeshOutcome:
    """Integrate over filled voxels of the requested size, else refine until the result settles or the budget ends.

    The error is the change from voxels of twice the size, and the share of columns that run through a gap.
    """
    longest, least = float(np.ptp(task.V, axis=0).max()), float(np.ptp(task.V, axis=0).min())
    if not least > 0:
        return MeshOutcome(None, VOXEL)
    if task.size and task.size > longest:
        return MeshOutcome(None, VOXEL, diagnostics=(
            diagnose("voxel-size-too-large", task.at, file=task.file, size=task.size, extent=longest),))
    size, found = _keep_to_budget(task, task.size or longest / 64, longest)
    solid, cracked, change, size = _refine(task, size)
    if not encloses(solid.volume, task.V):
        return MeshOutcome(None, VOXEL)
    cells, error = _count_cells(task.V, solid, size), change + cracked
    if cells < ENOUGH_CELLS or not (task.size or change < SETTLED):
        found.append(diagnose("voxels-too-coarse", task.at, file=task.file, size=size, cells=cells,
                              change=_say(change)))
    if cells < ENOUGH_CELLS:  # both sides of the part may be off by half a voxel, in all grids
        error = max(error, 1 / cells if cells > 0 else inf)
    return MeshOutcome(solid, VOXEL, error if cracked <= MOST_CRACKED else inf, tuple(found))


def _keep_to_budget(task: MeshTask, wanted: float, longest: float) -> tuple[float, list[Diagnostic]]:
    """Return the requested voxel size, or the next that the limits allow: on cells, and on tests of rays against
    triangles, which are many if large triangles overlap."""
    size, most, what = wanted, task.budget.voxels, "voxels"
    if not longest / size < 1e7 or voxels.count_voxels(task.V, size) > most:
        size = float(np.prod(np.maximum(np.ptp(task.V, axis=0), longest * 1e-3)) / most) ** (1 / 3) * 1.01
        while size < longest and voxels.count_voxels(task.V, size) > most:
            size *= 1.01
    while size < longest and _count_tests(task, size) > most:
        size, what = size * 2 ** 0.5, "tests of rays against triangles"
    if size == wanted:
        return size, []
    return size, [diagnose("voxels-too-many", task.at, file=task.file, wanted=wanted, size=size,
                           count=f"more than {most} {what}", hint=explain_raise("voxels"))]


def _refine(task: MeshTask, size: float) -> tuple[Solid, float, float, float]:
    """Return the solid of voxels of `size`, or smaller if none is requested; share of cracked columns; change; size.

    The change is the larger one of the last two halvings: of a plate, one alone may fill the same layers by chance.
    """
    coarser, coarse = _fill(task, 4 * size)[0], _fill(task, 2 * size)[0]
    solid, cracked = _fill(task, size)
    steps = _count_steps(task, size)
    while True:
        change = max(_compare(solid, coarse, task.V), _compare(coarse, coarser, task.V))
        settled = change < SETTLED and _count_cells(task.V, solid, size) >= ENOUGH_CELLS
        if task.size or settled or cracked > MOST_CRACKED:
            return solid, cracked, change, size
        steps += _count_steps(task, size / 2)
        if steps > MOST_STEPS:
            return solid, cracked, change, size
        size /= 2
        coarser, coarse, (solid, cracked) = coarse, solid, _fill(task, size)


def _count_steps(task: MeshTask, size: float) -> float:
    """Return the cost of filling voxels of a size, in cells; infinite beyond the limits of refining."""
    cells = voxels.count_voxels(task.V, size)
    if cells > min(task.budget.voxels, MOST_REFINED) or float(np.ptp(task.V, axis=0).max()) / size > MOST_ALONG:
        return inf
    return cells + TEST_STEPS * _count_tests(task, size)


def _count_tests(task: MeshTask, size: float) -> int:
    return voxels.count_tests(task.V, task.F, size, _count_axes(task))


def _count_axes(task: MeshTask) -> int:
    """Return the number of axes for rays: a closed surface needs one."""
    return 1 if task.topology.closed else 3


def _fill(task: MeshTask, size: float) -> tuple[Solid, float]:
    grid = voxels.voxelise_mesh(task.V, task.F, size, _count_axes(task), task.topology.oriented)
    return voxels.integrate_voxels(grid), grid.cracked


def _count_cells(V: np.ndarray, solid: Solid, size: float) -> float:
    """Return the thickness of the part in voxels, by its extents and by the uniform box with its moments."""
    least = float(np.ptp(V, axis=0).min())
    if solid.volume > 0:
        ixx, iyy, izz, ixy, ixz, iyz = solid.moments
        principal = np.linalg.eigvalsh([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
        least = min(least, max(0.0, 6 * float(principal[0] + principal[1] - principal[2]) / solid.volume) ** 0.5)
    return least / size


def integrate_hull(task: MeshTask) -> MeshOutcome:
    """Integrate over the convex hull; the error is the volume between hull and surface, relative to the hull."""
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError:
        return MeshOutcome(None, HULL, diagnostics=(
            diagnose("inertia-method-unavailable", task.at, file=task.file, method=HULL, module="scipy"),))
    try:
        hull = ConvexHull(task.V)
    except (QhullError, ValueError):
        return MeshOutcome(None, HULL)
    F = hull.simplices
    outward = np.einsum("ni,ni->n", find_normals(task.V[F]), hull.equations[:, :3]) > 0
    solid = mesh_integrals.integrate_faces(task.V, np.where(outward[:, None], F, F[:, ::-1]))
    if not encloses(solid.volume, task.V):
        return MeshOutcome(None, HULL)
    return MeshOutcome(solid, HULL, _measure_hollows(task, hull.equations) / solid.volume)


def _measure_hollows(task: MeshTask, planes: np.ndarray) -> float:
    """Estimate the volume (m³) between the surface and the planes (N, 4) of its hull, from a sample of the faces."""
    T = task.V[task.F]
    area = 0.5 * np.linalg.norm(find_normals(T), axis=1)
    step = max(1, len(T) * len(planes) // MOST_DISTANCES)
    centres, depth = T[::step].mean(axis=1), np.inf
    for start in range(0, len(planes), 256):
        block = planes[start:start + 256]
        depth = np.minimum(depth, -(centres @ block[:, :3].T + block[:, 3]).max(axis=1))
    share = area[::step]
    return float(area.sum() * (share @ np.maximum(depth, 0)) / share.sum()) if share.sum() > 0 else inf


def integrate_shell(task: MeshTask) -> MeshOutcome:
    """Integrate over the surface itself, for densities in kg/m²."""
    solid = mesh_integrals.integrate_surface(task.V, task.F)
    return MeshOutcome(solid if solid.volume > 0 else None, SHELL, 0.0)


METHODS = {EXACT: integrate_exact, VOXEL: integrate_voxels, HULL: integrate_hull, SHELL: integrate_shell}


def choose_method(task: MeshTask, reason: str) -> MeshOutcome:
    """Return the outcome with the least estimated error for a surface that encloses nothing, for the `reason`
    given."""
    best = integrate_closed(task)
    if best.solid is not None and (best.error < TIGHT or best.method == VOXEL):
        return best
    outcomes = [best, integrate_voxels(task), integrate_hull(task)]
    if not task.topology.closed:
        outcomes.append(integrate_exact(task))
    usable = [o for o in outcomes if o.solid is not None and isfinite(o.error)]
    if not usable:
        return MeshOutcome(None, HULL, diagnostics=outcomes[2].diagnostics)
    best = min(usable, key=lambda outcome: outcome.error)
    chosen = () if best is outcomes[0] else (diagnose(
        "mesh-method-fallback", task.at, file=task.file, reason=reason, method=best.method, wanted="closing its holes"
        if not task.topology.closed else EXACT, error=_say(best.error)),)
    return best._replace(diagnostics=(*chosen, *best.diagnostics))


def _compare(solid: Solid, other: Solid, V: np.ndarray) -> float:
    """Return the largest change of volume, centroid and moments, each relative to its size."""
    if not (solid.volume > 0 and other.volume > 0):
        return inf
    length, trace = float(np.ptp(V, axis=0).max()), sum(solid.moments[:3])
    return max(abs(solid.volume - other.volume) / solid.volume,
               max(abs(a - b) for a, b in zip(solid.centroid, other.centroid)) / length,
               max(abs(a - b) for a, b in zip(solid.moments, other.moments)) / trace if trace > 0 else inf)


def _say(error: float) -> str:
    if error < TIGHT:
        return "none"
    return f"{error:.1%}" if error >= 0.001 else "under 0.1%"


def encloses(volume: float, V: np.ndarray) -> bool:
    """Return whether a volume is larger than the rounding error of zero."""
    extent = float(np.ptp(V, axis=0).max())
    return volume > 1e-13 * extent * extent * extent
