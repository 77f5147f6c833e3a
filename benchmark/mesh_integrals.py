"""Integrals over a closed mesh: ours, trimesh's, and one read of the same array, in one run.

usage: python benchmark/mesh_integrals.py [SUBDIVISIONS] [REPEATS]

SUBDIVISIONS 8 (the default) makes an icosphere of 1.3 million triangles. Absolute times do not travel between
machines; the ratios in the last lines do.
"""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import trimesh

from sdf_frames.spatial.mesh_integrals import integrate_faces, integrate_triangles


def best_of(function, repeats):
    """Least wall time of some calls in ms, and the last result."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        times.append(1e3 * (time.perf_counter() - start))
    return min(times), result


def main():
    subdivisions = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    mesh = trimesh.creation.icosphere(subdivisions=subdivisions)
    V, F = np.array(mesh.vertices) * [1, 2, 3] + [.1, .2, .3], np.array(mesh.faces)
    T = V[F]
    read, _ = best_of(T.sum, repeats)
    theirs, reference = best_of(lambda: trimesh.triangles.mass_properties(T), max(2, repeats // 3))
    ours, solid = best_of(lambda: integrate_triangles(T), repeats)
    indexed, _ = best_of(lambda: integrate_faces(V, F), repeats)
    error = max(abs(solid.volume / reference["volume"] - 1),
                max(abs(a - b) for a, b in zip(solid.moments[:3], np.diag(reference["inertia"]))) / max(solid.moments))
    print(f"{len(F)} triangles, {T.nbytes / 1e6:.0f} MB; relative difference {error:.1e}")
    print(f"read of the array (sum)          {read:8.1f} ms")
    print(f"trimesh mass_properties          {theirs:8.1f} ms")
    print(f"integrate_triangles              {ours:8.1f} ms")
    print(f"integrate_faces (indexed)        {indexed:8.1f} ms")
    print(f"faster than trimesh              {theirs / ours:8.1f} x  (goal: 10)")
    print(f"slower than one read             {ours / read:8.1f} x  (goal: 10)")


if __name__ == "__main__":
    main()
