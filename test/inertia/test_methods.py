"""The methods that integrate a mesh: estimates of their errors by hand, bounds of refining, and the choice."""
from math import inf, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from inertia_snippets import CORNERS, CUBE, FLOOR, WALLS

from sdf_frames.document.budget import Budget
from sdf_frames.inertia import methods
from sdf_frames.inertia.methods import METHODS, MeshOutcome, MeshTask, choose_method, encloses
from sdf_frames.spatial.mesh_topology import examine_topology
from sdf_frames.spatial.solids import Solid, integrate_box


def make_task(V=CORNERS, F=CUBE, size=None, **budget):
    V, F = np.asarray(V, dtype=float), np.asarray(F)
    return MeshTask(V, F, examine_topology(V, F), size, "m.stl", None, Budget(**budget))


def names(outcome):
    return [d.name for d in outcome.diagnostics]


@pytest.mark.parametrize("offset", [(0, 0, 0), (100, -50, 3)])
@pytest.mark.parametrize("volume, enough", [(8.1e-13, True), (8e-13, False), (5e-13, False), (-1.0, False)])
def test_a_volume_is_more_than_rounding_of_the_cube_of_the_extent(offset, volume, enough):
    """1e-13 of a cube of 2 m, wherever it stands."""
    V = np.array([(0, 0, 0), (1, 2, 0), (1, 1, 1)])
    assert encloses(volume, V) == enough and encloses(volume, V + offset) == enough


def test_exact():
    outcome = METHODS["exact"](make_task())
    assert outcome.solid.volume == pytest.approx(1) and outcome.solid.centroid == pytest.approx((.5, .5, .5))
    assert outcome.solid.moments == pytest.approx(integrate_box(1, 1, 1).moments, abs=1e-15)
    assert outcome[1:] == ("exact", 0.0, ())
    turned = METHODS["exact"](make_task(F=CUBE[:, ::-1]))
    assert turned.solid.volume == pytest.approx(1) and turned.error == 0.0 and names(turned) == ["mesh-turned"]
    flat = METHODS["exact"](make_task(CORNERS * [1, 1, 0]))
    assert flat == (None, "exact", inf, ())


@pytest.mark.parametrize("way", [1, -1])
def test_exact_counts_the_rays_through_an_overlap(way):
    """Cubes at x = 0 and 1/2 share the middle third of what 64 rays along z meet: multiples of 0.7549, less ones."""
    task = make_task(np.vstack([CORNERS, CORNERS + [.5, .25, .125]]), np.vstack([CUBE, CUBE + 8])[:, ::way])
    outcome = METHODS["exact"](task)
    assert outcome.solid.volume == pytest.approx(2) and outcome.error == 0.0
    g = 1.32471795724474602596
    x, y = (1.5 * (np.arange(1, 65) / g % 1), 1.25 * (np.arange(1, 65) / g ** 2 % 1))
    one, two = (x < 1) & (y < 1), (x > .5) & (y > .25)
    assert outcome.diagnostics[-1].message.endswith(f"({(one & two).sum()} of {(one | two).sum()} sampled rays)")
    assert names(outcome) == ["mesh-turned"] * (way < 0) + ["mesh-self-intersecting"]


def test_exact_of_an_open_surface_says_how_much_depends_on_the_apex():
    """Without half of its lid: from the floor's height a tetrahedron of 1/6 is missing, from the lid's nothing."""
    outcome = METHODS["exact"](make_task(F=np.delete(CUBE, 2, axis=0)))
    assert outcome.error >= 1 / 6 and names(outcome) == []


@pytest.mark.parametrize("height", [0.0, 0.3])
@pytest.mark.parametrize("faces", ["as they are", "turned", "mixed"])
def test_a_hole_is_closed_from_its_middle_and_the_error_is_that_of_other_fans(height, faces):
    """A cube whose lid is missing, with one corner of the border raised by h: the mean height above its floor is 1 +
    h/4 with a fan from the middle, 1 + h/3 or 1 + h/6 with two triangles."""
    V, F = CORNERS.copy(), np.array(FLOOR + WALLS)
    V[6, 2] += height
    F = F[:, ::-1] if faces == "turned" else np.vstack([F[:3, ::-1], F[3:]]) if faces == "mixed" else F
    outcome = methods.integrate_closed(make_task(V, F))
    assert outcome.solid.volume == pytest.approx(1 + height / 4) and outcome.method == "exact"
    # The raised corner moves the centroid and the moments less than the volume, relative to their sizes.
    assert outcome.error == pytest.approx(height / 12 / (1 + height / 4), abs=1e-12)
    assert names(outcome) == ["mesh-turned"] * (faces == "turned") + ["mesh-holes-closed"]
    said = "2.3%" if height else "none"
    assert outcome.diagnostics[-1].message.endswith(f"1 hole closed along the border; the estimated error is {said}")


@pytest.mark.parametrize("V, F", [
    (CORNERS, CUBE),  # nothing to close
    (CORNERS * [1, 1, 0], FLOOR),  # its border closes to nothing
    (CORNERS, [*FLOOR, (0, 1, 4), (0, 5, 1), (2, 3, 6)]),  # no simple border
])
def test_surfaces_that_cannot_be_closed(V, F):
    assert methods.integrate_closed(make_task(V, F)) == (None, "exact", inf, ())


def test_shells_in_each_other_count_once_where_a_hole_is_closed():
    """A cube of 1 m without a triangle, around cubes of 0.8 and 0.5 m: 1.637 m³ by the divergence theorem."""
    V = np.vstack([CORNERS, .5 + (CORNERS - .5) * .8, .5 + (CORNERS - .5) * .5])
    F = np.vstack([CUBE[1:], CUBE + 8, CUBE + 16])
    for way in (1, -1):
        outcome = choose_method(make_task(V, F[:, ::way]), "it leaks")
        assert outcome.method == "voxel" and names(outcome)[-1] == "mesh-self-intersecting"
        assert outcome.diagnostics[-1].hint == "close the holes, and merge the overlapping parts"
        assert abs(outcome.solid.volume - 1) <= outcome.error + 1e-12 < .05
        assert outcome.solid.centroid == pytest.approx((.5, .5, .5), abs=.01)
        assert outcome.solid.moments[:3] == pytest.approx([1 / 6] * 3, rel=.05)
        said = outcome.diagnostics[0].message
        assert said.startswith("mesh m.stl: its shells overlap; method voxel is used instead of exact, with an est")


def test_an_overlap_that_voxels_do_not_see_is_counted_twice():
    """Plates of a tenth of a millimetre on one another, which share a hundredth: the error of voxels is larger."""
    V = np.vstack([CORNERS * [1, 1, 1e-4], CORNERS * [1, 1, 1e-4] + [0, 0, .99e-4]])
    outcome = methods.integrate_closed(make_task(V, np.vstack([CUBE[1:], CUBE + 8])))
    assert outcome.method == "exact" and outcome.solid.volume == pytest.approx(2e-4)
    assert "mesh-self-intersecting" in names(outcome) and outcome.error >= .005


DENT = 0.3
DENTED = np.vstack([CORNERS, [(.5, .5, 1 - DENT)]])
DENTED_FACES = np.array(FLOOR + WALLS + [(4 + k, 4 + (k + 1) % 4, 8) for k in range(4)])


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("most", [2_000_000, 150])
def test_hull_is_off_by_the_area_of_a_dent_times_its_depth(monkeypatch, scale, most):
    """Four triangles of height √(1/4 + d²) over 1, whose centres are d/3 below the hull, each twice: every second
    face, as where distances are too many, tells the same."""
    pytest.importorskip("scipy")
    monkeypatch.setattr(methods, "MOST_DISTANCES", most)
    F = np.repeat(DENTED_FACES, 2, axis=0)
    outcome = METHODS["hull"](make_task(DENTED * scale, F))
    assert outcome.solid.volume == pytest.approx(scale ** 3)
    assert outcome.error == pytest.approx(2 * 4 * sqrt(1 / 4 + DENT ** 2) / 2 * DENT / 3)


def test_depth_is_measured_from_all_planes_of_a_hull():
    """A ball of 320 faces, some of whose corners are pressed in."""
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=3)
    V, F = np.array(ball.vertices), np.array(ball.faces)
    V[::7] *= 0.8
    T = V[F]
    hull = trimesh.convex.convex_hull(V)
    assert len(hull.faces) > 2 * 256
    depth = -((T.mean(axis=1)[:, None] - np.array(hull.triangles)[None, :, 0])
              * np.array(hull.face_normals)).sum(axis=2).max(axis=1)
    area = np.linalg.norm(np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]), axis=1) / 2
    assert METHODS["hull"](make_task(V, F)).error == pytest.approx(area @ depth / hull.volume, rel=1e-6)


def test_shell():
    outcome = METHODS["shell"](make_task())
    assert outcome.solid.volume == pytest.approx(6) and outcome[1:] == ("shell", 0.0, ())
    assert METHODS["shell"](make_task(CORNERS * [1, 0, 0])).solid is None


class Grids:
    """Voxels of made-up solids: what they hold and cost, by their size in eighths of a metre."""

    def __init__(self, volumes, cracked=0.0, cells=lambda size: 1, tests=lambda size: 0):
        self.volumes, self.cracked, self.cells, self.tests = volumes, cracked, cells, tests
        self.filled, self.axes = [], set()

    def voxelise_mesh(self, V, F, size, axes, oriented):
        self.filled.append(size * 8)
        self.axes.add(axes)
        return SimpleNamespace(size=size, cracked=self.cracked)

    def integrate_voxels(self, grid):
        solid = self.volumes(grid.size * 8)
        return solid if isinstance(solid, Solid) else make_solid(solid)

    def count_voxels(self, V, size):
        return self.cells(size * 8)

    def count_tests(self, V, F, size, axes):
        self.axes.add(axes)
        return self.tests(size * 8)


def make_solid(volume, centroid=(0.0, 0.0, 0.0), sides=(10, 10, 10)):
    """A solid whose moments per volume are those of a box."""
    box = integrate_box(*sides)
    return Solid(volume, centroid, tuple(volume * i / box.volume for i in box.moments))


@pytest.fixture
def fill(monkeypatch):
    """The outcome for a box of 8 × 9 × 64 m of made-up voxels, and their sizes in eighths of a metre."""
    def fill(volumes, size=None, V=CORNERS * [8, 9, 64] + [0, 0, 500], F=CUBE, budget=Budget().voxels, **grids):
        fake = Grids(volumes, **grids)
        monkeypatch.setattr(methods, "voxels", fake)
        return METHODS["voxel"](make_task(V, F, size, voxels=budget)), fake
    return fill


@pytest.mark.parametrize("volumes, error", [
    ({32: 10, 16: 10, 8: 8}, .25), ({32: 10, 16: 8, 8: 8}, .25), ({32: 8, 16: 10, 8: 10}, .2),
    ({32: 10, 16: 10, 8: 10}, 0), ({32: 8, 16: 12, 8: 10}, 1 / 3), ({32: 0, 16: 10, 8: 10}, inf),
    ({32: 10, 16: 0, 8: 10}, inf)])
def test_voxels_of_a_size_that_is_asked_for_are_not_refined(fill, volumes, error):
    """The larger one of the changes from size 4 to 2 and from 2 to 1, relative to the finer solid."""
    outcome, grids = fill(volumes.__getitem__, size=1.0)
    assert outcome == (make_solid(volumes[8]), "voxel", pytest.approx(error), ())
    assert sorted(grids.filled) == [8, 16, 32] and grids.axes == {1}


@pytest.mark.parametrize("change, error", [
    ({"centroid": (0, -.32, .16)}, .32 / 64), ({"centroid": (.64, .32, 0)}, .01),
    # Moments of boxes of 10 and of 10, 10 and 8 m, relative to half the sum of squares of sides, 3 · 200 / 12.
    ({"sides": (10, 10, 8)}, (200 - 164) / 600), ({"sides": (10, 8, 10)}, 36 / 600)])
def test_centroid_and_moments_change_relative_to_length_and_trace(fill, change, error):
    outcome, _ = fill(lambda size: make_solid(10, **(change if size == 32 else {})), size=1.0)
    assert outcome.error == pytest.approx(error)


def test_an_open_surface_is_seen_along_three_axes(fill):
    outcome, grids = fill(lambda size: 10, size=1.0, F=CUBE[1:], cracked=0.125)
    assert grids.axes == {3} and outcome.error == 0.125


@pytest.mark.parametrize("cracked, error", [(0.25, 0.25), (0.26, inf)])
def test_voxels_fail_if_a_quarter_of_the_columns_is_cracked(fill, cracked, error):
    """Refining goes on until then: 99 and 100 m³ differ by just so much that it does not settle."""
    volumes = {32: 90, 16: 98, 8: 99, 4: 100, 2: 100, 1: 100}
    outcome, grids = fill(volumes.__getitem__, cracked=cracked)
    assert outcome.error == (error if error < inf else inf)
    assert grids.filled == ([32, 16, 8, 4, 2, 1] if error < inf else [32, 16, 8])


@pytest.mark.parametrize("thick, filled", [
    (1.001, [32, 16, 8, 4, 2]), (.999, [32, 16, 8, 4, 2, 1]), (4.004, [32, 16, 8])])
def test_voxels_are_halved_until_a_part_is_four_of_them_thick(fill, thick, filled):
    """By its moments, in whatever direction it is thin; turned by 45° here."""
    solid = make_solid(10, sides=(thick, 9, 9))
    ixx, iyy, izz, *_ = solid.moments
    mean = (ixx + iyy) / 2
    turned = solid._replace(moments=(mean, mean, izz, (ixx - iyy) / 2, 0.0, 0.0))
    for volumes in (lambda size: solid, lambda size: turned):
        outcome, grids = fill(volumes)
        assert grids.filled == filled and names(outcome) == []


@pytest.mark.parametrize("V, thick", [(CORNERS * [8, 3, 64] + [0, 0, 500], "3"), (CORNERS * [3.5, 8, 64], "3.5")])
def test_a_part_of_less_than_four_voxels_gets_a_warning(fill, V, thick):
    outcome, _ = fill(lambda size: 10, size=1.0, V=V)
    assert outcome.diagnostics[0].message == (f"mesh m.stl: the part is {thick} voxels of 1 m thick, and halving the "
                                              "size changes the result by none")
    assert names(fill(lambda size: 10, size=1.0, V=CORNERS * [4, 8, 64])[0]) == []


@pytest.mark.parametrize("cells, tests, filled", [
    (lambda size: 1 << 24, lambda size: 0, [32, 16, 8, 4]),  # three times that are more than 50 million
    (lambda size: (1 << 24) + (size < 8), lambda size: 0, [32, 16, 8]),
    (lambda size: 0, lambda size: 5_000_000, [32, 16, 8, 4]),  # two times five million, five cells each: 50 million
    (lambda size: size == 8, lambda size: 5_000_000, [32, 16, 8]),  # and one more
    (lambda size: 25_000_000 // 2, lambda size: 0, [32, 16, 8, 4, 2, 1])])
def test_refining_ends_where_it_would_cost_more_than_a_second(fill, cells, tests, filled):
    volumes = {32: 1, 16: 2, 8: 4, 4: 8, 2: 16, 1: 32, .5: 64}
    outcome, grids = fill(volumes.__getitem__, cells=cells, tests=tests)
    assert grids.filled == filled and names(outcome) == ["voxels-too-coarse"]
    assert outcome.diagnostics[0].message.endswith("changes the result by 50.0%")


@pytest.mark.parametrize("budget, filled", [(1000, [32, 16, 8, 4]), (999, [32, 16, 8])])
def test_refining_keeps_to_the_limit_on_voxels(fill, budget, filled):
    _, grids = fill(lambda size: 1 / size, budget=budget, cells=lambda size: 4000 / size)
    assert grids.filled == filled


@pytest.mark.parametrize("size, said", [(64.0, None), (64.1, "64.1 m is larger than the part, which is 64 m long")])
def test_a_voxel_may_be_as_long_as_the_part(fill, size, said):
    outcome, _ = fill(lambda size: 10, size=size, budget=10 ** 9)
    assert (outcome.solid is None) == bool(said)
    if said:
        assert names(outcome) == ["voxel-size-too-large"] and said in outcome.diagnostics[0].message
        assert (outcome.method, outcome.error) == ("voxel", inf)


def test_a_flat_mesh_and_empty_voxels_enclose_nothing(fill):
    assert fill(lambda size: 10, V=CORNERS * [1, 1, 0])[0] == (None, "voxel", inf, ())
    assert fill(lambda size: 0.0, size=1.0)[0] == (None, "voxel", inf, ())


@pytest.mark.parametrize("sides", [(1, 1, 1), (1, .5, .3), (1, 1, .01), (1, .01, .01)])
@pytest.mark.parametrize("budget", [9, 100, 1000, 100_000])
def test_the_limit_on_voxels_is_kept(sides, budget, monkeypatch):
    made, real = [], methods.voxels.voxelise_mesh
    monkeypatch.setattr(methods.voxels, "voxelise_mesh", lambda *given: made.append(real(*given)) or made[-1])
    METHODS["voxel"](make_task(CORNERS * sides, CUBE, 1e-4, voxels=budget))
    assert made and max(grid.filled.size for grid in made) <= budget


@pytest.mark.parametrize("budget, size", [(1000, None), (999, 1.01)])
def test_voxels_beyond_the_limit_are_made_larger(fill, budget, size):
    """1,000 voxels of 1 m are wanted of 10 × 10 × 10 m; with 999, the cube root of 1000/999 m and a hundredth."""
    outcome, grids = fill(lambda size: 10, size=1.0, V=CORNERS * 10 + [0, 0, 99], budget=budget,
                          cells=lambda size: 512_000 / size ** 3)
    if size is None:
        assert names(outcome) == [] and grids.filled[-1] == 8
    else:
        assert grids.filled[-1] / 8 == pytest.approx((1000 / 999) ** (1 / 3) * 1.01)
        assert outcome.diagnostics[0].message == ("mesh m.stl: a voxel size of 1 m would need more than 999 voxels; "
                                                  "1.01 m is used")
        assert "--limit voxels=N" in outcome.diagnostics[0].hint


@pytest.mark.parametrize("most, size", [(6400, 8), (6399, 8 * sqrt(2)), (3200, 8 * sqrt(2)), (3199, 16)])
def test_voxels_grow_until_the_tests_of_rays_keep_to_the_limit(fill, most, size):
    """6,400 rays through voxels of 1 m, half as many of √2 m."""
    outcome, grids = fill(lambda size: 10, size=1.0, budget=most, tests=lambda size: round(6400 * 64 / size ** 2))
    assert grids.filled[-1] == pytest.approx(size)
    if size > 8:
        assert f"more than {most} tests of rays against triangles; {size / 8:.3g} m is used" in \
            outcome.diagnostics[0].message


def test_voxels_grow_up_to_the_length_of_the_part(fill):
    for size, used in ((64.0, 64.0), (63.0, 63 * sqrt(2))):
        _, grids = fill(lambda size: 10, size=size, tests=lambda size: 1e99)
        assert grids.filled[-1] / 8 == pytest.approx(used)


SOLID = Solid(1.0, (0, 0, 0), (1, 1, 1, 0, 0, 0))


@pytest.fixture
def choose(monkeypatch):
    """The choice among methods with made-up errors, None for no solid; and the methods that were tried."""
    def choose(closed, voxel, hull, exact=None, open_edge=False):
        tried = []

        def give(name, method, error):
            def integrate(task):
                tried.append(name)
                note = methods.diagnose("mesh-turned", file=name)
                return MeshOutcome(None if error is None else SOLID, method, inf if error is None else error, (note,))
            return integrate
        monkeypatch.setattr(methods, "integrate_closed", give("closed", "exact", closed))
        monkeypatch.setattr(methods, "integrate_voxels", give("voxel", "voxel", voxel))
        monkeypatch.setattr(methods, "integrate_hull", give("hull", "hull", hull))
        monkeypatch.setattr(methods, "integrate_exact", give("exact", "exact", exact))
        outcome = choose_method(make_task(F=CUBE[1:] if open_edge else CUBE), "it leaks")
        said = [d.message.partition(": ")[2] for d in outcome.diagnostics if d.name == "mesh-method-fallback"]
        notes = [d.message.split()[1].rstrip(":") for d in outcome.diagnostics if d.name == "mesh-turned"]
        return outcome, said, notes, tried
    return choose


def test_holes_that_close_without_error_are_closed(choose):
    outcome, said, notes, tried = choose(0.9e-6, 0.0, 0.0, 0.0, True)
    assert outcome.solid == SOLID and outcome.error == 0.9e-6 and said == [] and notes == tried == ["closed"]


@pytest.mark.parametrize("errors, open_edge, best, said", [
    ((1e-6, .1, .2), False, "closed", []), ((.1, .1, .1), False, "closed", []),
    ((.2, .1, .1), False, "voxel", ["method voxel is used instead of exact, with an estimated error of 10.0%"]),
    ((.2, .1, .01), False, "hull", ["method hull is used instead of exact, with an estimated error of 1.0%"]),
    ((None, None, 1e-3), False, "hull", ["method hull is used instead of exact, with an estimated error of 0.1%"]),
    ((None, inf, .999e-3), False, "hull",
     ["method hull is used instead of exact, with an estimated error of under 0.1%"]),
    ((None, 1e-6, 1), False, "voxel", ["method voxel is used instead of exact, with an estimated error of under 0.1%"]),
    ((None, .9e-6, 1), False, "voxel", ["method voxel is used instead of exact, with an estimated error of none"]),
    ((.2, .1, .3, .05), True, "exact",
     ["method exact is used instead of closing its holes, with an estimated error of 5.0%"]),
    ((.2, .1, .3, .4), True, "voxel",
     ["method voxel is used instead of closing its holes, with an estimated error of 10.0%"])])
def test_the_method_of_least_error_is_taken(choose, errors, open_edge, best, said):
    outcome, words, notes, tried = choose(*errors, open_edge=open_edge)
    assert notes == [best] and words == [f"it leaks; {text}" for text in said]
    assert tried == ["closed", "voxel", "hull"] + ["exact"] * open_edge


def test_without_any_method_the_hull_says_why(choose):
    outcome, said, notes, _ = choose(None, inf, None)
    assert (outcome.solid, outcome.method, outcome.error, said, notes) == (None, "hull", inf, [], ["hull"])
