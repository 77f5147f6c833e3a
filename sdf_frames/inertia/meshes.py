"""Integrates meshes: examines a mesh, chooses a method, and reports defects of the mesh."""
from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose, has_errors
from sdf_frames.document.budget import DEFAULT, Budget, LimitExceeded, Spending
from sdf_frames.document.door import Door
from sdf_frames.document.elements import Element, child_or_self, locate
from sdf_frames.document.memory import Memory
from sdf_frames.document.uri_hints import report_missing
from sdf_frames.document.uris import Resolver
from sdf_frames.inertia.calculators import Found, ask_calculator, choose_calculator
from sdf_frames.inertia.collision_shapes import MeshAnswer
from sdf_frames.inertia.declared import read_params
from sdf_frames.inertia.gltf_file import read_mesh_bytes
from sdf_frames.inertia.mesh_file import Surface, read_mesh_file, take_used
from sdf_frames.inertia.mesh_formats import find_format, get_extension
from sdf_frames.inertia.methods import METHODS as INTEGRATORS
from sdf_frames.inertia.methods import TIGHT, MeshTask, choose_method, encloses
from sdf_frames.inertia.result import AUTO, EXACT, VOXEL
from sdf_frames.sdf.geometry import Mesh
from sdf_frames.spatial import mesh_integrals
from sdf_frames.spatial.mesh_topology import (
    Topology,
    examine_topology,
    find_first_copies,
    find_inside_out,
    find_net_faces,
    merge_vertices,
    orient_faces,
)
from sdf_frames.spatial.pose import Vector
from sdf_frames.spatial.solids import Solid

#: Bytes of a result, and of a finding, with its key.
_SIZE = 1500


class MeshResult(NamedTuple):
    """The result of integrating a mesh.

    Attributes
    ----------
    solid : of density one; None if it has none.
    method : the one that was used.
    findings : without a place.
    cost : what reading the file spends of the budget, by name of the limit.
    """

    solid: Solid | None
    method: str
    findings: tuple[Diagnostic, ...]
    cost: dict[str, int]

    def place(self, at: Location) -> tuple[Diagnostic, ...]:
        """Return the findings, at a place."""
        return tuple([d._replace(**at._asdict()) for d in self.findings])


def hash_mesh_file(path: str, most: int, door: Door) -> tuple[str, str] | None:
    """The format and the content hash of a file.

    Returns None for files that cannot be known by their own content, that are no files, or that are larger than `most`
    bytes.
    """
    form = find_format(path)
    with suppress(OSError, ValueError, LimitExceeded):
        if form is None or not form.refers:
            return get_extension(path), hashlib.sha256(read_mesh_bytes(path, most, door)).hexdigest()
    return None


# m. Second moments go with the fifth power of a length, and are multiplied by a density: all can still be held.
FARTHEST = 1e50
# Findings whose content the error "mesh-without-volume" repeats.
_SAID_BY_THE_ERROR = frozenset(("mesh-leaky",))


class MeshIntegrator:
    """Integrates meshes: reads each file once, and integrates each scaled copy once.

    Parameters
    ----------
    resolver : finds files by URI (:class:`sdf_frames.document.uris.Resolver`).
    method : auto, exact, voxel, hull or shell.
    voxel_size : m, or None for what the description says, else 1/64 of the longest side.
    calculator : a function that is asked first, or a mapping to such from names of collisions, names of links or URIs;
        or None. See :func:`sdf_frames.inertia.compute.compute_inertias`.
    spending : what has been spent, triangles among it. A result that is remembered spends what reading its file does.
    memory : results of other descriptions; None for those of this one alone.
    """

    def __init__(self, resolver: Resolver, method: str = AUTO, voxel_size: float | None = None,
                 calculator: Found = None, spending: Spending | None = None, memory: Memory | None = None):
        self.spending = spending or Spending()
        self.resolver, self.method, self.voxel_size, self.calculator = resolver, method, voxel_size, calculator
        self._shared, self._memory = memory is not None, memory or Memory()
        self._surfaces: dict[tuple[str, str | None], tuple[Surface | None, tuple[Diagnostic, ...]]] = {}
        self._costs: dict[tuple[str, str | None], dict[str, int]] = {}
        self._hashes: dict[str, tuple[str, str] | None] = {}

    def integrate(self, mesh: Mesh, params: Element | None = None, collision: str = "",
                  density: float = 1.0) -> MeshAnswer:
        """Integrate the mesh of a collision with density one; a calculator gets `density` (kg/m³)."""
        assert mesh.element is not None  # it was read, not unpickled
        element = child_or_self(mesh.element, "uri")
        at = locate(element)
        path = self.resolver.find(mesh.uri, at.file)
        calculator = choose_calculator(self.calculator, collision, mesh.uri)
        said: tuple[Diagnostic, ...] = ()
        if calculator is not None:
            solid, said = ask_calculator(calculator, density, replace(mesh, path=path), params, collision or mesh.uri,
                                         at)
            if solid is not None or has_errors(said):
                return solid, "custom", said
        stated = read_params(params)
        method = stated.method or AUTO if self.method == AUTO else self.method
        size = self.voxel_size or stated.voxel_size
        if path is None:
            missing = report_missing(mesh.uri, element, self.resolver)
            return None, method, (*said, missing)
        solid, used, found = self._integrate_file(path, mesh, method, size, at)
        if solid is not None and bool(self.voxel_size) == (self.method != AUTO):  # one person chose both
            found = (*found, *report_useless_size(size, used, path, at if self.voxel_size else locate(params)))
        return solid, used, (*said, *found)

    def _integrate_file(self, path: str, mesh: Mesh, method: str, size: float | None, at: Location) -> MeshAnswer:
        if not self.spending.spend("faces", 0):
            return None, method, self.spending.report(at)
        known = self._identify(path)
        key = (MeshResult, known, mesh.submesh, mesh.center, mesh.scale, method, size, mesh.optimization,
               self.spending.budget)
        # Findings name the file; a result without findings is used for all files with the same content.
        result: MeshResult | None = None if known is None else (
            self._memory.find((*key, None)) or self._memory.find((*key, path)))
        if result is None or not self._pay(path, mesh.submesh, result.cost):
            surface, problems = self._read(path, mesh.submesh, at)
            if surface is None:
                return None, method, problems
            result = self._integrate_surface(surface, path, mesh, method, size)
            if known is not None:
                self._memory.keep((*key, path if result.findings else None), result, _SIZE * (1 + len(result.findings)))
        return result.solid, result.method, result.place(at)

    def _identify(self, path: str) -> object:
        """Return the key of a file: its path within one description, else its content; None if it has none."""
        if not self._shared:
            return path
        if path not in self._hashes:
            self._hashes[path] = hash_mesh_file(path, self.spending.budget.mesh_bytes, self.resolver.door)
        return self._hashes[path]

    def _pay(self, path: str, submesh: str | None, cost: dict[str, int]) -> bool:
        """Spend the cost of reading a file, once; return whether the budget allows it."""
        if (path, submesh) not in self._costs:
            if any(self.spending.left(name) < amount for name, amount in cost.items()):
                return False
            for name, amount in cost.items():
                self.spending.spend(name, amount)
            self._costs[path, submesh] = cost
        return True

    def _read(self, path: str, submesh: str | None, at: Location) -> tuple[Surface | None, tuple[Diagnostic, ...]]:
        key = (path, submesh)
        if key not in self._surfaces:
            spending = Spending(self.spending.budget) if key in self._costs else self.spending
            before = spending.spent.copy()
            self._surfaces[key] = read_mesh_file(path, submesh, at, spending, self.resolver.door)
            self._costs[key] = {name: spent - before[name] for name, spent in spending.spent.items()}
        return self._surfaces[key]

    def _integrate_surface(self, surface: Surface, path: str, mesh: Mesh, method: str,
                           size: float | None) -> MeshResult:
        found = [] if not mesh.optimization else [
            diagnose("mesh-optimization-ignored", file=path, optimization=mesh.optimization)]
        solid, used = integrate_surface_by(place_surface(surface, mesh), path, method, size, None, found,
                                           self.spending.budget)
        return MeshResult(solid, used, tuple(found), self._costs[path, mesh.submesh])


def report_useless_size(size: float | None, method: str, file: str, at: Location) -> tuple[Diagnostic, ...]:
    """Report that a voxel size has no effect on a method without voxels."""
    return (diagnose("voxel-size-without-effect", at, file=file, method=method),) if size and method != VOXEL else ()


def place_surface(surface: Surface, mesh: Mesh) -> Surface:
    """Return the surface centred and scaled as the ``<mesh>`` says."""
    V, F = surface.vertices, surface.faces
    if mesh.center:
        used = take_used(V, F)
        V = V - (used.min(axis=0) + used.max(axis=0)) / 2
    return scale_surface(Surface(V, F, surface.has_unit), mesh.scale)


def scale_surface(surface: Surface, scale: Vector) -> Surface:
    """Return the surface scaled by a factor for each axis; an odd number of negative factors reverses the faces."""
    V, F = surface.vertices, surface.faces
    if scale != (1.0, 1.0, 1.0):
        with np.errstate(over="ignore"):  # integrating reports what is too large
            V = V * np.array(scale)
        if np.prod(np.sign(scale)) < 0:
            F = F[:, ::-1]
    return Surface(V, F, surface.has_unit)


def integrate_surface_by(surface: Surface, file: str, method: str, size: float | None, at: Location | None,
                         found: list[Diagnostic], budget: Budget = DEFAULT) -> tuple[Solid | None, str]:
    """Judge a surface, then integrate it.

    With ``auto``: exact where the surface is closed (faces that disagree are turned first), its cracks have no area, or
    its holes can be closed along simple borders; else the method with the smallest estimated error.
    An explicit method is used as it is, with the same findings on the mesh.

    Returns the solid for density one, or None, and the method used; findings are appended to `found`.
    """
    kept = len(found)
    reach = float(np.abs(take_used(surface.vertices, surface.faces)).max())
    for length, what in ((reach, f"a coordinate of {reach:g} m"), (size or 0.0, f"a voxel of {size or 0.0:g} m")):
        if not length <= FARTHEST:
            found.append(diagnose("mesh-beyond-computation", at, file=file, what=what, limit=FARTHEST))
            return None, method
    V, F, topology = _merge(surface)
    _judge_unit(V, surface.has_unit, file, at, found)
    if topology.degenerate:
        found.append(diagnose("mesh-degenerate-faces", at, file=file, count=topology.degenerate, total=topology.faces))
    F, topology = _settle_faces(V, F, topology, file, at, found)
    tight = topology.oriented
    if not topology.closed:
        tight = method == AUTO and mesh_integrals.measure_leak(V, F) < TIGHT
        found.append(diagnose("mesh-cracks-without-area" if tight else "mesh-leaky", at, file=file, open=topology.open,
                              edges=topology.edges))
    elif topology.bodies > 1:
        found.append(diagnose("mesh-several-bodies", at, file=file, count=topology.bodies))
    task = MeshTask(V, F, topology, size, file, at, budget)
    if method == AUTO and not tight:
        outcome = choose_method(task, "its faces do not agree on which side is outside" if topology.closed
                                else "its gaps can be closed in several ways")
    else:
        outcome = INTEGRATORS[EXACT if method == AUTO else method](task)
    found += outcome.diagnostics
    if outcome.solid is None and not has_errors(found[kept:]):
        why = f": {topology.open} of its {topology.edges} edges are open" if not topology.closed else ""
        found[kept:] = [d for d in found[kept:] if d.name not in _SAID_BY_THE_ERROR]
        found.append(diagnose("mesh-without-volume", at, file=file, method=outcome.method, why=why))
    return outcome.solid, outcome.method


def _merge(surface: Surface) -> tuple[np.ndarray, np.ndarray, Topology]:
    """Merge equal vertices; if gaps remain, also vertices that are within a millionth of the mesh's size."""
    V, F = merge_vertices(surface.vertices, surface.faces)
    topology = examine_topology(V, F)
    if not topology.closed:
        grid = 1e-6 * float(np.ptp(V, axis=0).max())
        if grid > 0:
            V2, F2 = merge_vertices(V, F, grid)
            closer = examine_topology(V2, F2)
            if closer.open < topology.open and closer.degenerate <= topology.degenerate + topology.faces // 100:
                return V2, F2, closer
    return V, F, topology


def _settle_faces(V: np.ndarray, F: np.ndarray, topology: Topology, file: str, at: Location | None,
                  found: list[Diagnostic]) -> tuple[np.ndarray, Topology]:
    """Remove duplicate faces, and turn faces that disagree with their neighbours.

    A face and its reverse cancel in every integral, so two bodies may share one; only where everything cancels is
    the mesh drawn from both sides, and one side is kept.
    """
    if topology.duplicate:
        found.append(diagnose("mesh-duplicate-faces", at, file=file, count=topology.duplicate))
        net = find_net_faces(F)
        F = F[net if len(net) else find_first_copies(F)]
        topology = examine_topology(V, F)
    if topology.oriented and not encloses(abs(mesh_integrals.integrate_faces(V, F).volume), V):
        single = F[find_first_copies(F, directed=False)]
        if 2 * len(single) == len(F):
            found.append(diagnose("mesh-duplicate-faces", at, file=file, count=len(single)))
            F, topology = single, examine_topology(V, single)
    if topology.closed and topology.misdirected:
        found.append(diagnose("mesh-inconsistent-winding", at, file=file, edges=count_of(topology.misdirected, "edge")))
        turned = orient_faces(V, F)
        if turned is not None:
            F, topology = turned, examine_topology(V, turned)
    if topology.oriented and topology.bodies > 1 and (inside_out := find_inside_out(V, F)).any():
        found.append(diagnose("mesh-bodies-turned", at, file=file, count=int(inside_out.sum()), total=len(F)))
        F = np.where(inside_out[:, None], F[:, ::-1], F)
    return F, topology


def _judge_unit(V: np.ndarray, has_unit: bool, file: str, at: Location | None, found: list[Diagnostic]) -> None:
    """Warn about meshes that are probably in millimetres: longer than 50 m, or smaller than 0.2 mm.

    Findings on a file that is not part of a description have the place `at`; its scale is an option.
    """
    extent = float(np.ptp(V, axis=0).max())
    large = extent > 50.0 and not has_unit
    if large or 0 < extent < 2e-4:
        scale = 0.001 if large else 1000.0
        found.append(diagnose(
            "mesh-unit-suspicious", at, file=file, extent=extent, scale=scale,
            reason=", and its format has no unit" if large else "",
            unit="millimetres" if large else "metres scaled down once too often",
            hint=None if at is None else f"give --scale {scale:g} (in Python: scale={scale:g}), or save the mesh in "
                                         "metres"))
