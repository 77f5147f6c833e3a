"""Automatic inertia of primitives: the reference's vectors, precedence, scaling, errors."""
from math import pi

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inertia_snippets import AUTO, MODELS, codes

from sdf_frames.inertia.compute import total_inertia
from sdf_frames.load import LoadOptions, load_file, load_text
from sdf_frames.spatial.inertia import rotate_tensor
from sdf_frames.spatial.pose import quaternion_from_rpy, rotate

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"


def compute(loaded, **options):
    (link,) = loaded.inertias(**options).links
    return link


# spec/inertia.md §12: shape, collision pose, mass, centre, moments.
@pytest.mark.parametrize("shape, pose, mass, centre, moments", [
    ("<cone><radius>.5</radius><length>2</length></cone>", "0 0 1 .3 0 0", 523.59877559829886,
     (0, .14776010333066983, .5223317554371969),
     (98.174770424681043, 93.030479652397915, 44.414198942155537, 0, 0, 16.630093559274506)),
    ("<box><size>1 2 3</size></box>", "1 0 0 0 0 .5", 6000, (1, 0, 0),
     (6155.2267294011044, 5344.7732705988956, 2500, 631.10323860592234, 0, 0))])
def test_posed_shapes_match_the_reference(load, shape, pose, mass, centre, moments):
    link = compute(
        load(f'{AUTO}<collision name="c"><density>1000</density><pose>{pose}</pose><geometry>{shape}</geometry>'
             f'</collision>'))
    assert link.mass == pytest.approx(mass, rel=1e-14)
    assert link.pose == pytest.approx((*centre, 1, 0, 0, 0), rel=1e-14, abs=1e-15)
    assert link.inertia == pytest.approx(moments, rel=1e-14, abs=1e-11)
    assert link.auto and link.method == "exact" and link.physical


def test_six_collisions_and_a_given_mass_match_the_reference():
    loaded = load_file(MODELS / "six_shapes.sdf")
    assert loaded.diagnostics == ()
    link = compute(loaded)
    unscaled = 6717.5513067479214
    assert sum(c.mass for c in link.collisions) == pytest.approx(unscaled, rel=1e-14)
    assert link.mass == 5
    assert link.pose[:3] == pytest.approx((.44659130433234473, .0011517144514921686, .0040713089504548728), rel=1e-13)
    reference = (5157.8643236951229, 6175.5955379436027, 3557.2102722620175,
                 319.00676265743778, 12.213926851364615, -2.3466167164918121)
    assert [i * unscaled / 5 for i in link.inertia] == pytest.approx(reference, rel=1e-13)
    assert [c.density_from for c in link.collisions] == ["link", "collision", "link", "link", "link", "link"]


lengths = st.floats(1e-2, 1e2)
angles, places = st.floats(-3, 3, allow_subnormal=False), st.floats(-10, 10, allow_subnormal=False)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lengths, lengths, lengths, st.floats(1e-2, 1e4), st.tuples(places, places, places),
       st.tuples(angles, angles, angles))
def test_ellipsoid_of_any_size_pose_and_density(load, a, b, c, density, p, rpy):
    pose = " ".join(map(repr, (*p, *rpy)))
    link = compute(load(f'{AUTO}<collision name="c"><density>{density!r}</density><pose>{pose}</pose>'
                        f"<geometry><ellipsoid><radii>{a!r} {b!r} {c!r}</radii></ellipsoid></geometry></collision>"))
    m = density * 4 / 3 * pi * a * b * c
    expected = rotate_tensor(quaternion_from_rpy(*rpy), tuple(m / 5 * s for s in (
        b * b + c * c, a * a + c * c, a * a + b * b)) + (0.0,) * 3)
    assert link.mass == pytest.approx(m, rel=1e-12)
    assert link.pose[:3] == pytest.approx(p, rel=1e-12)
    assert link.inertia == pytest.approx(expected, abs=1e-12 * max(expected))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(angles, angles, angles), st.tuples(places, places, places))
def test_turned_then_computed_is_computed_then_turned(load, rpy, p):
    """All collisions moved together move the result with them."""
    shapes = ["<box><size>1 2 3</size></box>", "<cone><radius>.5</radius><length>2</length></cone>"]
    at = [(.3, -.2, 1.), (-1., .5, .25)]
    q = quaternion_from_rpy(*rpy)

    def build(place, turn):
        return compute(load(AUTO + "".join(
            f'<collision name="c{i}"><density>7</density><pose>{" ".join(map(repr, (*place(x), *turn)))}</pose>'
            f"<geometry>{s}</geometry></collision>" for i, (s, x) in enumerate(zip(shapes, at)))))

    still = build(lambda x: x, (0., 0., 0.))
    moved = build(lambda x: tuple(u + v for u, v in zip(rotate(q, x), p)), rpy)
    assert moved.pose[:3] == pytest.approx([u + v for u, v in zip(rotate(q, still.pose[:3]), p)], abs=1e-12)
    assert moved.inertia == pytest.approx(rotate_tensor(q, still.inertia), abs=1e-12 * max(still.inertia))


@pytest.mark.parametrize("collision, link, argument, density, source", [
    ("<density>3</density>", "<density>4</density>", 5, 3, "collision"), ("", "<density>4</density>", 5, 4, "link"),
    ("", "", 5, 5, "argument"), ("", "", None, 1000, "default"), ("<density/>", "", 5, 1000, "collision")])
def test_density_precedence(load, collision, link, argument, density, source):
    loaded = load(f'<inertial auto="true">{link}</inertial><collision name="c">{collision}{BOX}</collision>')
    result = loaded.inertias(density=argument)
    (part,) = result.links[0].collisions
    assert (part.density, part.density_from) == (density, source)
    assert result.links[0].mass == 6 * density
    assert codes(result) == (["I003"] if source == "default" else [])


@pytest.mark.parametrize("text, code, sdformat", [
    (AUTO, "I002", "ELEMENT_MISSING"),
    (f'{AUTO}<collision name="c"><density>0</density>{BOX}</collision>', "I006", "LINK_INERTIA_INVALID"),
    (f'{AUTO}<collision name="c"><density>-1</density>{BOX}</collision>', "I006", "LINK_INERTIA_INVALID"),
    (f'<inertial auto="true"><mass>-2</mass></inertial><collision name="c">{BOX}</collision>', "I007", None),
    (f'<inertial auto="true"><mass>0</mass></inertial><collision name="c">{BOX}</collision>', "I007", None),
    (f'{AUTO}<collision name="c"><density>1</density><geometry><plane/></geometry></collision>', "I005",
     "LINK_INERTIA_INVALID"),
    (f'{AUTO}<collision name="c"><density>1</density><geometry><empty/></geometry></collision>', "I005",
     "LINK_INERTIA_INVALID"),
    (f'{AUTO}<collision name="c"><density>1</density></collision>', "I005", "LINK_INERTIA_INVALID"),
    (f'{AUTO}<collision name="c"><density>1</density><geometry><polyline><point>0 0</point><point>1 1</point>'
     "<point>1 0</point><point>0 1</point><height>1</height></polyline></geometry></collision>", "I031",
     "LINK_INERTIA_INVALID")])
def test_each_defect_gives_its_one_error(load, text, code, sdformat):
    loaded = load(text)
    for diagnostics in (loaded.diagnostics, loaded.inertias().diagnostics):
        errors = [d for d in diagnostics if d.severity == "error" and d.code[0] in "IG"]
        assert [(d.code, d.sdformat) for d in errors] == [(code, sdformat)]
        assert errors[0].line and errors[0].path


MODEL = '<sdf version="1.12"><model name="m"><link name="l">{}</link></model></sdf>'
STAND_IN = LoadOptions(inertia_failure="default")


def test_a_default_stands_in_for_a_calculator_that_fails_and_a_given_mass_scales_it():
    loaded = load_text(
        MODEL.format('<inertial auto="true"><mass>3</mass></inertial><collision name="c"><geometry><mesh>'
                                    '<uri>a.stl</uri></mesh></geometry></collision>'), None, STAND_IN)

    def fail(*arguments):
        raise ValueError("no luck")
    result = loaded.inertias(calculator=fail)
    (link,) = result.links
    assert codes(result) == ["I020"] and "no luck" in result.diagnostics[0].message
    assert (link.mass, link.inertia, link.method) == (3, (3, 3, 3, 0, 0, 0), "default")


def test_static_models_are_computed_too(load):
    loaded = load(
        f'<static>true</static><link name="l">{AUTO}<collision name="c"><density>1</density>{BOX}</collision></link>')
    assert compute(loaded).mass == 6


def test_total_matches_the_reference_statistics(corpus):
    loaded = load_file(corpus / "gazebosim+sdformat/test/sdf/inertial_stats_auto.sdf")
    assert total_inertia(loaded.graphs, loaded.inertias().links) == (24, (0, 0, 0), (304, 304, 604, 0, 0, 0))


def test_numpy_stays_out_until_there_is_a_mesh():
    import subprocess
    import sys
    code = ("import sys; from sdf_frames.sdf.parse import read_sdf; from sdf_frames.document.xml_in import read_xml;"
            "from sdf_frames.checks.inertia import check_inertials;"
            "from sdf_frames.inertia.compute import compute_inertias;"
            "from sdf_frames.frames.graph import build_graph;"
            "from sdf_frames.document.uris import Resolver;"
            "import sdf_frames.cli.inertia;"
            f"root = read_sdf(read_xml(open({str(MODELS / 'six_shapes.sdf')!r}, 'rb').read())[0])[0];"
            "inertias = compute_inertias(root, [build_graph(root.model)], Resolver());"
            "check_inertials(root); assert inertias.links[0].mass == 5;"
            "sys.exit('numpy' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("shape", ["<plane/>", "<empty/>"])
def test_a_shape_without_volume_needs_no_density(load, shape):
    """A plane of any density has no mass."""
    loaded = load(f'{AUTO}<collision name="c"><geometry>{shape}</geometry></collision>')
    assert "I003" not in codes(loaded) + codes(loaded.inertias())


@pytest.mark.parametrize("inertial, collision, name", [
    ("<density>inf</density>", "", "density-not-positive"), ("", "<density>inf</density>", "density-not-positive"),
    ("", "<density>nan</density>", "density-not-positive"),
    ("<mass>inf</mass>", "<density>1</density>", "auto-inertia-mass-not-positive"),
    ("<mass>nan</mass>", "<density>1</density>", "auto-inertia-mass-not-positive")])
def test_density_and_mass_are_finite(load, inertial, collision, name):
    loaded = load(f'<inertial auto="true">{inertial}</inertial><collision name="c">{collision}{BOX}</collision>')
    assert name in [d.name for d in loaded.diagnostics if d.severity == "error"]
    result = loaded.inertias()
    assert name in [d.name for d in result.diagnostics]
    assert not any(value in (float("inf"), float("-inf")) or value != value
                   for value in (result.links[0].mass, *result.links[0].inertia))


def test_static_links_without_inertial_are_left_alone(load):
    """Line 108 of the proposal: without <inertial>, nothing is computed if <static> is true."""
    link = f'<link name="{{}}">{{}}<collision name="c"><density>1</density>{BOX}</collision></link>'
    bare, declared = link.format("bare", ""), link.format("declared", "<inertial><mass>3</mass></inertial>")
    nested = f'<static>true</static>{bare}{declared}<model name="inner">{bare}</model>'
    found = {x.name: (x.method, x.mass) for x in load(nested).inertias(recompute=True).links}
    assert found == {"bare": ("default", 1), "declared": ("exact", 3), "inner::bare": ("default", 1)}
    moving = load(bare + declared).inertias(recompute=True).links
    assert [(x.method, x.mass) for x in moving] == [("exact", 6), ("exact", 3)]
