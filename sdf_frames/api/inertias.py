"""Inertias of links, of a whole robot, and of mesh files."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np

from sdf_frames.api.arrays import WithArrays
from sdf_frames.api.errors import Named, demand_choice
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, diagnose, has_errors
from sdf_frames.inertia.compute import total_inertia
from sdf_frames.inertia.result import AUTO, METHODS, InertiaResult, LinkInertia, find_equivalent_box
from sdf_frames.spatial.inertia import Tensor, rotate_tensor, scale_tensor
from sdf_frames.spatial.pose import Pose, Vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdf_frames.api.pose import Pose as PoseObject
    from sdf_frames.document.budget import Spending
    from sdf_frames.frames.graph import FrameGraph
    from sdf_frames.spatial.solids import Solid

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Inertia(WithArrays):
    """Mass properties of a body.

    Attributes
    ----------
    mass : kg.
    com : (3,) centre of mass in the body's frame, metres.
    tensor : (3, 3) inertia tensor about the centre of mass along the axes of the body's frame, kg·m².
    method : origin of the values: ``declared``, ``default`` (nothing was declared), ``exact``, ``voxel``,
        ``hull``, ``shell``, ``custom``, several joined by ``+``, ``failed``, or ``total``.
    physical : whether a solid body can have this inertia.
    findings : errors, warnings and notes on the shapes from which the inertia was computed.
    """

    mass: float
    com: Array
    tensor: Array
    method: str
    physical: bool
    findings: tuple[Diagnostic, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the inertia can be used: it is physical, and no finding is an error."""
        return self.physical and not has_errors(self.findings)

    def equivalent_box(self) -> tuple[PoseObject, Vector] | None:
        """Return the uniform box with this inertia: its pose in the body's frame, and its size; None if not physical.

        The centre of the box is the centre of mass.
        """
        from sdf_frames.api.pose import Pose
        box = find_equivalent_box(describe_link("", self))
        return None if box is None else (Pose(box.X[:3], box.X[3:]), box.size)

    @property
    def verdict(self) -> str:
        """A sentence that says whether the inertia can be used, and if not, why."""
        errors = [d for d in self.findings if d.severity == ERROR]
        if errors:
            return f"not usable: {errors[0].message}"
        if not self.physical:
            return "not usable: no solid body can have this inertia"
        noted = [d for d in self.findings if d.severity != "info"]
        return f"usable, with a warning: {noted[0].message}" if noted else f"usable, method {self.method}"

    def __repr__(self) -> str:
        com = " ".join(f"{v:.6g}" for v in self.com.tolist())
        return f"<Inertia: {self.mass:.6g} kg, com {com} m, {self.method}, {'valid' if self.valid else 'not valid'}>"


class Inertias(Named[Inertia]):
    """Inertias of the links by SDF name, each in the frame of its link.

    Attributes
    ----------
    total : inertia of all links together, in the frame of the world or root model, with the joints at the positions
        of the description.
    findings : errors, warnings and notes on inertias.
    """

    __slots__ = ("total", "findings")

    def __init__(self, items: dict[str, Inertia], total: Inertia, findings: tuple[Diagnostic, ...],
                 fates: Mapping[tuple[str, str], str]) -> None:
        super().__init__("link", items, fates)
        self.total, self.findings = total, findings


def collect_inertias(result: InertiaResult, graphs: Sequence[FrameGraph], fates: Mapping[tuple[str, str], str],
                     scope: int = 0) -> Inertias:
    """Make the public mapping of the computed inertias of one scope, given by its number.

    Its errors state the `fates` of links that are not in the SDF.
    """
    links = [link for link in result.links if link.scope == scope]
    mass, com, tensor = total_inertia(graphs, links)
    total = _make(mass, com, tensor, "total", all(link.physical for link in links), result.diagnostics)
    return Inertias({link.name: _wrap_link(link) for link in links}, total, result.diagnostics, fates)


def _wrap_link(link: LinkInertia) -> Inertia:
    com, turn = link.pose[:3], link.pose[3:]
    return _make(link.mass, com, rotate_tensor(turn, link.inertia), link.method, link.physical, ())


def describe_link(name: str, inertia: Inertia) -> LinkInertia:
    """Describe a link with this inertia; its inertial frame has the axes of the link."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tensor.tolist()
    x, y, z = inertia.com.tolist()
    return LinkInertia(name, inertia.mass, (x, y, z, 1.0, 0.0, 0.0, 0.0), (xx, yy, zz, xy, xz, yz),
                       method=inertia.method, physical=inertia.physical)


def state_inertia(mass: float | None, X_LI: Pose | None,
                  moments: Tensor | None) -> tuple[float | None, Array | None, Array | None]:
    """Express the values of an ``<inertial>`` in the link frame; `X_LI` is its frame in the link, None if unknown.

    Returns
    -------
    mass, com, tensor
        Each None if it is not stated, in kg, m and kg·m².
    """
    if X_LI is None:
        return mass, None, None
    return mass, np.array(X_LI[:3]), None if moments is None else _write_matrix(rotate_tensor(X_LI[3:], moments))


def _make(mass: float, com: Vector, tensor: Tensor, method: str, physical: bool,
          findings: Iterable[Diagnostic]) -> Inertia:
    return Inertia(mass, np.array(com, dtype=np.float64), _write_matrix(tensor), method, physical, tuple(findings))


def _write_matrix(tensor: Tensor) -> Array:
    xx, yy, zz, xy, xz, yz = tensor
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=np.float64) + 0.0


def mesh_inertia(path: str | os.PathLike[str], density: float = 1000.0, *, method: str = "auto",
                 scale: float | Sequence[float] = 1.0, voxel_size: float | None = None,
                 submesh: str | None = None, mass: float | None = None,
                 limits: Mapping[str, float] | None = None) -> Inertia:
    """Compute mass, centre of mass and inertia tensor of a mesh file filled with a material.

    Parameters
    ----------
    path : an STL, OBJ, OFF, PLY, COLLADA or glTF file. Lengths are in metres, unless the format has a unit.
    density : kg/m³ (kg/m² with method ``shell``); by default the density of water.
    method : ``exact`` (closed surfaces), ``voxel``, ``hull``, ``shell``, or ``auto``: exact if the mesh allows it,
        else the method with the smallest estimated error.
    scale : factor for all coordinates, or one factor for each axis: 0.001 for a mesh in millimetres.
    voxel_size : edge of a voxel in metres; None lets the method choose.
    submesh : name of the part of the file to use; None for all parts.
    mass : kg, in place of the density; None if it is not known.
    limits : limits on the cost, by their names: docs/limits.md.

    Returns
    -------
    Inertia
        The inertia in the frame of the mesh. If it cannot be computed, the values are NaN, and `findings` has
        the reason.

    Raises
    ------
    OSError
        The file cannot be opened; same errors as `open`.
    ValueError
        The method or a limit is unknown, or a number is not positive.

    Notes
    -----
    Closed surfaces are integrated by the divergence theorem: see docs/inertia.md.

    Examples
    --------
    >>> mesh_inertia("part.stl", density=2700.0).verdict                                  # doctest: +SKIP
    'usable, method exact'
    """
    from sdf_frames.document.budget import Spending
    from sdf_frames.options import OPTIONS
    from sdf_frames.spatial.inertia import find_unphysical
    factors, spending = _read_scale(scale), Spending(OPTIONS["limits"].read({} if limits is None else limits))
    if density is None and mass is None:
        raise ValueError("give a density or a mass: both are None")
    check_choices(method, density=density, voxel_size=voxel_size, mass=mass)
    found: list[Diagnostic] = []
    solid, method = _integrate_file(os.fspath(path), submesh, factors, method, voxel_size, spending, found)
    if solid is None or has_errors(found):
        return _make(nan, (nan,) * 3, (nan,) * 6, "failed", False, found)
    if mass is None:
        mass = density * solid.volume
    else:
        density = mass / solid.volume
    tensor = scale_tensor(density, solid.moments)
    if not all(map(isfinite, (mass, *solid.centroid, *tensor))):
        found.append(diagnose("number-overflow", Location(os.fspath(path))))
        return _make(nan, (nan,) * 3, (nan,) * 6, "failed", False, found)
    return _make(mass, solid.centroid, tensor, method, not find_unphysical(mass, tensor), found)


def _integrate_file(path: str, submesh: str | None, factors: Vector, method: str, voxel_size: float | None,
                    spending: Spending, found: list[Diagnostic]) -> tuple[Solid | None, str]:
    """Return the solid in a mesh file, or None, and the method that was used; add the findings to `found`."""
    from sdf_frames.document.door import UNCONFINED
    from sdf_frames.inertia.mesh_file import read_mesh_file
    from sdf_frames.inertia.meshes import integrate_surface_by, report_useless_size, scale_surface
    UNCONFINED.read(path, 1)  # raises if the file cannot be opened
    at = Location(path)
    surface, problems = read_mesh_file(path, submesh, at, spending)
    found += problems
    if surface is None:
        return None, method
    if method != AUTO:
        found += report_useless_size(voxel_size, method, path, at)
    return integrate_surface_by(scale_surface(surface, factors), path, method, voxel_size, at, found, spending.budget)


def check_choices(method: str, **numbers: float | None) -> None:
    """Raise ValueError for an unknown method, and for a number that is neither None nor positive."""
    for name, value in numbers.items():
        if value is not None and not (isinstance(value, Real) and 0 < value < inf):
            raise ValueError(f"{name} must be a positive number, not {value!r:.60}")
    demand_choice("method", method, METHODS)


def _read_scale(scale: float | Sequence[float]) -> Vector:
    from sdf_frames.api.pose import read_array
    array = read_array(scale, "scale")
    factors = np.broadcast_to(array, 3).tolist() if array.shape in ((), (3,)) else []
    if not factors or not all(isfinite(value) and value for value in factors):
        raise ValueError(f"scale must be one number or three numbers, all nonzero, not {scale!r}")
    x, y, z = factors
    return x, y, z
