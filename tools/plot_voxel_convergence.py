#!/usr/bin/env python3
"""Draw how method voxel approaches closed forms as its cells shrink: docs/voxel_convergence.png. Needs matplotlib.

usage: plot_voxel_convergence.py [OUT.png]

Every body is a polyhedron whose integrals are known in closed form, so that nothing but the voxels is in the error.
Each is measured in twelve attitudes; points are the means. The fitted orders and a table are printed.
"""
import sys
from math import cos, pi, sin
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from sdf_frames.spatial.inertia import rotate_tensor  # noqa: E402
from sdf_frames.spatial.pose import rotation_matrix  # noqa: E402
from sdf_frames.spatial.solids import Solid, integrate_box  # noqa: E402
from sdf_frames.spatial.voxels import integrate_voxels, voxelise_mesh  # noqa: E402

CELLS = (8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256)
ATTITUDES = 12
COLOURS = ("#0072b2", "#d55e00", "#009e73")


def make_prism(corners: int, outer: float, inner: float, height: float) -> tuple[np.ndarray, np.ndarray, Solid]:
    """A regular polygon drawn up along z, with a like hole where `inner` is above zero: vertices, faces, closed form.

    A regular n-gon of circumradius R has the area n/2·R²·sin(2π/n) and the polar moment area·R²·(2 + cos(2π/n))/6.
    """
    def measure(radius):
        area = corners / 2 * radius ** 2 * sin(2 * pi / corners)
        return area, area * radius ** 2 * (2 + cos(2 * pi / corners)) / 6

    (area, polar), (hole, hole_polar) = measure(outer), measure(inner)
    volume, turn = (area - hole) * height, (polar - hole_polar) * height
    across = turn / 2 + volume * height ** 2 / 12
    solid = Solid(volume, (0.0, 0.0, 0.0), (across, across, turn, 0.0, 0.0, 0.0))
    angle = 2 * pi * np.arange(corners) / corners
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vertices = np.concatenate([np.c_[r * ring, np.full(corners, z)] for r in (outer, inner)
                               for z in (-height / 2, height / 2)])
    i = np.arange(corners)
    j = (i + 1) % corners
    n = corners  # outer bottom, outer top, inner bottom, inner top: 0, n, 2n, 3n
    quads = [(i, j, n + j, n + i), (3 * n + i, 3 * n + j, 2 * n + j, 2 * n + i), (n + i, n + j, 3 * n + j, 3 * n + i),
             (2 * n + i, 2 * n + j, j, i)]
    faces = np.concatenate([np.stack(t, axis=1) for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    return vertices, faces, solid


def make_bodies() -> dict:
    """Name: (vertices, faces, closed form)."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-1.0, 1.0) for z in (-1.5, 1.5)])
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    box = np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    return {"box 1 × 2 × 3": (corners, box, integrate_box(1, 2, 3)),
            "tube of 64 sides, radii 0.3 and 1, length 2": make_prism(64, 1.0, 0.3, 2.0),
            "plate of 6 sides, radius 1, thickness 0.2": make_prism(6, 1.0, 0.0, 0.2)}


def measure_errors(vertices: np.ndarray, faces: np.ndarray, solid: Solid) -> np.ndarray:
    """(sizes, 2) mean relative errors of volume and of the tensor (its largest entry) over the attitudes."""
    rng = np.random.default_rng(3)
    errors = np.zeros((len(CELLS), 2))
    for _ in range(ATTITUDES):
        q = rng.standard_normal(4)
        q = tuple((q / np.linalg.norm(q)).tolist())
        turned = vertices @ np.array(rotation_matrix(q)).T
        wanted = np.array(rotate_tensor(q, solid.moments))
        longest = np.ptp(turned, axis=0).max()
        for k, cells in enumerate(CELLS):
            got = integrate_voxels(voxelise_mesh(turned, faces, longest / cells))
            errors[k] += abs(got.volume / solid.volume - 1), np.abs(np.array(got.moments) - wanted).max() / wanted.max()
    return errors / ATTITUDES


def main() -> int:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "voxel_convergence.png"
    figure = Figure(figsize=(7, 4.2), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    h = 1 / np.array(CELLS)
    for (name, body), colour in zip(make_bodies().items(), COLOURS):
        errors = measure_errors(*body)
        orders = [np.polyfit(np.log(h), np.log(errors[:, k]), 1)[0] for k in (0, 1)]
        print(f"{name}: order {orders[0]:.2f} in volume, {orders[1]:.2f} in the tensor")
        for cells, (volume, tensor) in zip(CELLS, errors):
            print(f"  {cells:4d}  {volume:.1e}  {tensor:.1e}")
        for axes, values in zip(panels, errors.T):
            axes.loglog(CELLS, values, "o-", color=colour, markersize=3.5, linewidth=1, label=name)
    for axes, title in zip(panels, ("volume", "inertia tensor")):
        for order, style in ((1, ":"), (2, "--")):
            axes.loglog(CELLS, 0.1 * (h / h[0]) ** order, style, color="0.6", linewidth=1, label=f"order {order}")
        axes.set_title(title)
        axes.set_xlabel("cells along the longest side")
        axes.set_xticks([8, 16, 32, 64, 128, 256], [8, 16, 32, 64, 128, 256])
        axes.minorticks_off()
        axes.grid(color="0.9")
    panels[0].set_ylabel("relative error, mean of attitudes")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize="small",
                  frameon=False)
    figure.savefig(out, metadata={"Software": None})
    return 0


if __name__ == "__main__":
    sys.exit(main())
