"""Boxes around primitives, and inertias out of proportion to them: at the limits."""
import json
from math import hypot

import pytest

from sdf_frames.cli import main
from sdf_frames.document.uris import Resolver
from sdf_frames.inertia import mesh_file
from sdf_frames.inertia.plausibility import check_plausibility, find_half_size
from sdf_frames.inertia.result import InertiaResult
from sdf_frames.load import load_text
from sdf_frames.sdf.geometry import Box, Capsule, Cone, Cylinder, Ellipsoid, Empty, Sphere


@pytest.mark.parametrize("shape, half", [
    (Box((2, 4, 6)), (1, 2, 3)), (Sphere(3), (3, 3, 3)), (Ellipsoid((1, 2, 3)), (1, 2, 3)), (Cylinder(2, 6), (2, 2, 3)),
    (Cone(2, 6), (2, 2, 3)), (Capsule(2, 6), (2, 2, 5)), (Empty(), None), (None, None)])
def test_half_the_box_around_a_primitive(shape, half):
    assert find_half_size(shape) == half


def judge(mass, moment, x=0.0):
    """Names of what is implausible of a link whose collision is a box of 4 × 6 × 12 m: corners 7 m from the centre."""
    moments = "".join(f"<{tag}>{moment!r}</{tag}>" for tag in ("ixx", "iyy", "izz"))
    loaded = load_text(f'<sdf version="1.12"><model name="m"><link name="l"><inertial><pose>{x!r} 0 0 0 0 0</pose>'
                       f'<mass>{mass!r}</mass><inertia>{moments}</inertia></inertial><collision name="c"><geometry>'
                       "<box><size>4 6 12</size></box></geometry></collision></link></model></sdf>")
    return [d.name for d in check_plausibility(loaded.root, loaded.inertias(), loaded.resolver)]


LARGEST = (1.05 * 7) ** 2


@pytest.mark.parametrize("mass, moment, found", [
    (1.0, LARGEST, False), (1.0, LARGEST * (1 + 1e-12), True), (1.0, LARGEST / 2, False), (2.0, 1.5 * LARGEST, False),
    (2.0, 2.1 * LARGEST, True)])
def test_an_inertia_of_the_farthest_corner_and_a_twentieth_is_allowed(mass, moment, found):
    assert judge(mass, moment) == ["inertia-too-large-for-geometry"] * found


@pytest.mark.parametrize("x, found", [(2.0, False), (5.5, False), (5.5 + 1e-9, True), (-5.5, False), (-5.6, True)])
def test_a_centre_of_mass_may_be_outside_by_a_quarter_of_the_diagonal(x, found):
    """The diagonal is 14 m, the box ends at x = 2 m."""
    assert judge(1.0, 1.0001, x) == ["centre-of-mass-outside-geometry"] * found


@pytest.mark.parametrize("factor, found", [(1.0, False), (1 + 1e-12, True)])
def test_a_link_denser_than_the_densest_metal_gets_a_warning(factor, found):
    mass = 22_600 * 4 * 6 * 12 * factor  # osmium has 22,600 kg/m³
    assert judge(mass, mass) == ["density-implausible"] * found


def check(content, file=None):
    """Findings of a model, as (name, line of the link, message, lines of what they point at)."""
    loaded = load_text(f'<sdf version="1.12">\n<model name="m">{content}</model>\n</sdf>', file)
    return [(d.name, d.line, d.message, [(r.message, r.line) for r in d.related])
            for d in check_plausibility(loaded.root, loaded.inertias(), loaded.resolver)]


def link(name, mass=2.0, moments=(2.0, 2.0, 2.0), inside="", pose=None):
    at = f"<pose>{pose}</pose>" if pose else ""
    values = "".join(f"<{tag}>{m!r}</{tag}>" for tag, m in zip(("ixx", "iyy", "izz"), moments))
    return (f'\n<link name="{name}"><inertial>{at}<mass>{mass!r}</mass><inertia>{values}</inertia></inertial>'
            f"{inside}</link>")


def collide(shape="<box><size>4 4 4</size></box>", pose="0 0 0 0 0 0", name="c", attributes=""):
    return f'<collision name="{name}"><pose{attributes}>{pose}</pose><geometry>{shape}</geometry></collision>'


SMALL = "<box><size>0.1 0.1 0.1</size></box>"  # no mass of it is as far out as a unit tensor needs
DEFAULT = ": a mass of 1 kg and a unit inertia tensor look like defaults"
COPIED = " have the same mass and inertia, although their collision geometry differs"


def test_defaults_are_said_once_for_each_model():
    unit = (1.0, (1.0, 1.0, 1.0))
    found = check(link("a", *unit) + link("b") + link("c", *unit, inside=collide(SMALL)) + link("d", *unit)
                  + '\n<model name="n">' + link("e", *unit) + "</model>" + link("f", 1.0, (1.0, 1.0, 1.5))
                  + link("g", 2.0, unit[1]))
    others = [("link 'c'", 5), ("link 'd'", 6)]
    assert found == [("inertia-left-at-default", 3, f"links 'a', 'c', 'd'{DEFAULT}", others),
                     ("inertia-left-at-default", 8, f"link 'n::e'{DEFAULT}", [])]


@pytest.mark.parametrize("count, more", [(6, ""), (7, " and 1 more"), (9, " and 3 more")])
def test_of_many_links_six_are_named(count, more):
    ((_, _, message, related),) = check("".join(link(f"l{i}", 1.0, (1.0, 1.0, 1.0)) for i in range(count)))
    assert message == f"links 'l0', 'l1', 'l2', 'l3', 'l4', 'l5'{more}{DEFAULT}" and len(related) == count - 1


SPHERE, BALL = collide("<sphere><radius>2</radius></sphere>"), collide("<sphere><radius>2.5</radius></sphere>")


@pytest.mark.parametrize("links, said, lines", [
    ([SPHERE, BALL], "links 'l0', 'l1'", [4]), ([SPHERE, SPHERE, BALL], "links 'l0', 'l1', 'l2'", [4, 5]),
    ([SPHERE, SPHERE], None, []),
    # What has no collision, or one whose size is not known, says nothing.
    ([SPHERE, "", BALL], "links 'l0', 'l2'", [5]),
    ([SPHERE, collide("<mesh><uri>none.stl</uri></mesh>")], None, []), ([SPHERE, collide("<plane/>") + BALL], None, []),
    ([SPHERE, SPHERE + collide(name="d")], "links 'l0', 'l1'", [4])])
def test_values_that_look_copied(links, said, lines):
    found = check("".join(link(f"l{i}", inside=inside) for i, inside in enumerate(links)))
    assert [f for f in found if f[0] == "inertia-repeated"] == ([] if said is None else [
        ("inertia-repeated", 3, said + COPIED, [(f"link 'l{line - 3}'", line) for line in lines])])


@pytest.mark.parametrize("one, other", [
    ((2.0, (2.0,) * 3), (2.5, (2.0,) * 3)), ((2.0, (2.0,) * 3), (2.0, (2.0, 2.0, 2.5))),
    ((0.0, (2.0,) * 3), (0.0, (2.0,) * 3)), ((2.0, (1.0,) * 3), (2.0, (1.0,) * 3))])
def test_other_values_zeros_and_unit_tensors_are_no_copies(one, other):
    names = [name for name, *_ in check(link("a", *one, SPHERE) + link("b", *other, BALL))]
    assert "inertia-repeated" not in names


@pytest.mark.parametrize("mass, moments, said", [
    (0.0, (2.0, 2.0, 2.0), "the mass is zero"), (2.0, (0.0, 2.0, 2.0), "the inertia is zero about an axis"),
    (0.0, (0.0, 0.0, 0.0), "the mass is zero; the inertia is zero about an axis"), (-1.0, (2.0, 2.0, 2.0), None),
    (0.0, (1.0, 1.0, 3.0), None)])
def test_zeros_are_said(mass, moments, said):
    """What is impossible is an error of its own."""
    assert check(link("a", mass, moments, SPHERE)) == (
        [] if said is None else [("inertia-not-physical", 3, f"link 'a': {said}", [])])


def test_zeros_of_a_static_model_do_not_move():
    weightless = link("a", 0.0, (0.0, 0.0, 0.0), SPHERE)
    loaded = load_text(f'<sdf version="1.12"><model name="m"><static>1</static>{weightless}</model></sdf>')
    assert check_plausibility(loaded.root, loaded.inertias(), loaded.resolver) == ()


FLAT = "<box><size>4 6 12</size></box>"


@pytest.mark.parametrize("shapes, low, high", [
    (collide(FLAT, "10 0 0 0 0 1.5707963267948966"), (7, -2, -6), (13, 2, 6)),
    (collide(FLAT, "10 20 30 1.5707963267948966 0 0"), (8, 14, 27), (12, 26, 33)),
    (collide(FLAT, "10 0 0 0 1.5707963267948966 0"), (4, -3, -2), (16, 3, 2)),
    (collide(FLAT, "10 0 0 0 0 0") + collide("<sphere><radius>1</radius></sphere>", "15 1 -9 0 0 0", "d"),
     (8, -3, -10), (16, 3, 6)),
    # An octagon's corners: 45° about z.
    (collide("<box><size>2 2 2</size></box>", "9 0 0 0 0 0.7853981633974483"), (9 - 2 ** .5, -2 ** .5, -1),
     (9 + 2 ** .5, 2 ** .5, 1))])
def test_what_is_said_of_a_link_beside_its_geometry(shapes, low, high):
    """2,000,000 t at the origin of the link, with moments that need mass 100 m away."""
    outside = hypot(*(max(a, 0, -b) for a, b in zip(low, high)))
    reach = hypot(*(max(abs(a), abs(b)) for a, b in zip(low, high)))
    volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2])
    assert [(name, line, text) for name, line, text, _ in check(link("a", 2e9, (2e13, 2e13, 1e13), shapes))] == [
        ("centre-of-mass-outside-geometry", 3, f"link 'a': the centre of mass is {outside:.3g} m outside the bounding "
         "box of the link's geometry"),
        ("inertia-too-large-for-geometry", 3, "link 'a': its largest moment needs mass 100 m away from the centre of "
         f"mass, but its geometry reaches only {reach:.3g} m"),
        ("density-implausible", 3, f"link 'a': mass 2e+09 kg in a bounding box of {volume:.3g} m³ is "
         f"{2e9 / volume:.3g} kg/m³ on average, denser than any metal")]


def test_meshes_have_the_size_of_what_is_used_of_them(tmp_path, monkeypatch):
    """Two parts in one file, which is read once for each part: 2 m at the origin, and 1 m at x = 50, scaled by 2."""
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    sides = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
    big = cube.replace("1", "2")
    far = "".join(f"v {50 + x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    near = "".join(f"f {s}\n" for s in sides)
    beyond = "".join("f " + " ".join(str(int(k) + 8) for k in s.split()) + "\n" for s in sides)
    (tmp_path / "m.obj").write_text(f"o big\n{big}{near}o far\n{far}{beyond}")
    read, real = [], mesh_file.read_mesh_file
    monkeypatch.setattr(mesh_file, "read_mesh_file", lambda *a, **k: (read.append(a[1]), real(*a, **k))[1])
    part = "<mesh><uri>m.obj</uri><submesh><name>{}</name></submesh><scale>2 1 1</scale></mesh>"
    whole = "<mesh><uri>m.obj</uri></mesh>"
    found = check(link("a", inside=collide(part.format("big"))) + link("b", inside=collide(part.format("far")))
                  + link("c", inside=collide(part.format("far"), "-101 0 0 0 0 0")) + link("d", inside=collide(whole))
                  + link("e", 2e9, (2e13,) * 3, collide(part.format("gone"))), str(tmp_path / "m.sdf"))
    assert found == [("centre-of-mass-outside-geometry", 4, "link 'b': the centre of mass is 100 m outside the "
                      "bounding box of the link's geometry", [])]
    assert read == ["big", "far", None, "gone"]


def test_without_a_document_there_is_nothing_to_say():
    assert check_plausibility(None, InertiaResult(), Resolver()) == ()


ROD = "<cylinder><radius>0.05</radius><length>0.6</length></cylinder>"


@pytest.mark.parametrize("shape, moments, pose, said", [
    # 2 kg, 0.6 m long along z, 0.05 m thick: m (3 r² + l²) / 12 across, m r² / 2 along.
    (ROD, (0.06125, 0.06125, 0.0025), None, None),
    (ROD, (0.0025, 0.06125, 0.06125), None, ("x", "z")),
    (ROD, (0.06125, 0.0025, 0.06125), None, ("y", "z")),
    # The frame of the inertial is turned, so that its x is along z.
    (ROD, (0.0025, 0.06125, 0.06125),
     "0 0 0 0 1.5707963267948966 0", None),
    # Not long; and moments of neither order.
    ("<box><size>0.1 0.1 0.24</size></box>", (0.00333, 0.0112, 0.0112), None, None),
    (ROD, (0.02, 0.03, 0.03), None, None),
    # 0.0033 along and 0.0167 across: both orders fit as well.
    ("<box><size>0.1 0.1 0.3</size></box>", (0.008, 0.009, 0.009), None, None)])
def test_moments_that_fit_if_two_are_exchanged(shape, moments, pose, said):
    found = [(name, message) for name, _, message, _ in check(link("l", 2.0, moments, collide(shape), pose))]
    assert found == ([] if said is None else [(
        "inertia-axes-exchanged", f"link 'l': its smallest moment is about {said[0]}, but it is long along {said[1]}")])


@pytest.mark.parametrize("mass, names", [(1.0, ["I013"]), (50.0, ["I015"])])
def test_shapes_that_are_too_small_for_mass_and_inertia_are_told_once(mass, names, tmp_path, capsys):
    """A cube of 0.1 m: its corners are 0.087 m from the centre, and 50 kg of it are denser than any metal."""
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m">{link("l", mass, 3 * (mass / 50,), collide(SMALL))}</model>'
                    "</sdf>")
    for command in (["check", "--assets"], ["inertia"]):
        main([*command, "--json", str(path)])
        assert [d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == names
