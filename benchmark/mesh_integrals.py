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


def take_turns(functions, repeats):
    """Wall times in ms of some functions, called in turns so that all see the same machine: {name: sorted times}."""
    times = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            times[name].append(best_of(function, 1)[0])
    return {name: sorted(taken) for name, taken in times.items()}


def main():
    subdivisions = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    mesh = trimesh.creation.icosphere(subdivisions=subdivisions)
    V, F = np.array(mesh.vertices) * [1, 2, 3] + [.1, .2, .3], np.array(mesh.faces)
    T = V[F]
    theirs, reference = best_of(lambda: trimesh.triangles.mass_properties(T), max(2, repeats // 3))
    times = take_turns({"read of the array (sum)": T.sum,
                        "integrate_triangles": lambda: integrate_triangles(T),
                        "integrate_triangles, one thread": lambda: integrate_triangles(T, workers=1),
                        "integrate_faces (indexed)": lambda: integrate_faces(V, F)}, repeats)
    solid = integrate_triangles(T)
    error = max(abs(solid.volume / reference["volume"] - 1),
                max(abs(a - b) for a, b in zip(solid.moments[:3], np.diag(reference["inertia"]))) / max(solid.moments))
    print(f"{len(F)} triangles, {T.nbytes / 1e6:.0f} MB; relative difference {error:.1e}")
    print(f"{'least and median of turns':<34}{'ms':>7}{'ms':>9}   reads of the array")
    print(f"{'trimesh mass_properties':<34}{theirs:7.1f}")
    (least, middle), *_ = ends = [(t[0], t[len(t) // 2]) for t in times.values()]
    for name, (low, high) in zip(times, ends):
        print(f"{name:<34}{low:7.1f}{high:9.1f}{low / least:9.1f}{high / middle:7.1f}")
    print(f"faster than trimesh              {theirs / ends[1][0]:8.1f} x  (goal: 10)")
    print(f"slower than one read             {ends[1][0] / least:8.1f} x  (goal: 10)")


if __name__ == "__main__":
    main()
