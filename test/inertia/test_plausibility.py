"""Boxes around primitives, and inertias out of proportion to them: at the limits."""
import pytest

from sdf_frames.inertia.plausibility import DENSEST, check_plausibility, find_half_size
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
    mass = DENSEST * 4 * 6 * 12 * factor
    assert judge(mass, mass) == ["density-implausible"] * found
