"""Validity of mass matrices: examples that libsdformat was asked about, and laws of rigid bodies."""
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sdf_frames.spatial.inertia import ROUNDING, find_defects, find_principal_moments, find_unphysical, tolerance_of


# spec/inertia.md §1 and §3.
@pytest.mark.parametrize("mass, moments", [
    (1, (1, 1, 2, 0, 0, 0)), (1, (1, 1, 2.000000000000004, 0, 0, 0)), (1, (1, 2, 3, 1e-3, 0, 0)),
    (0, (0,) * 6), (0, (1, 1, 1, 0, 0, 0)), (1, (0,) * 6)])
def test_valid_for_the_reference(mass, moments):
    assert find_defects(mass, moments) == ()


@pytest.mark.parametrize("mass, moments, condition", [
    (1, (1, 1, 2.0000000000000062, 0, 0, 0), "I1 + I2 >= I3"), (1, (1, 1, 3, 0, 0, 0), "I1 + I2 >= I3"),
    (1, (1, 2, 3, .1, .2, .3), "I1 + I2 >= I3"), (1, (3, 1, 2, .01, 0, 0), "I1 + I2 >= I3"),
    (-1, (1, 1, 1, 0, 0, 0), "m >= 0"), (1, (-1, 1, 1, 0, 0, 0), "I >= 0"), (1, (1, 1, 1, 2, 0, 0), "I >= 0"),
    (float("nan"), (1, 1, 1, 0, 0, 0), "finite"), (1, (1, 1, float("inf"), 0, 0, 0), "finite")])
def test_invalid_for_the_reference(mass, moments, condition):
    assert [d.condition for d in find_defects(mass, moments)] == [condition]


# Flat bodies: the last bit decides. The verdicts are those of gz-math 10's MassMatrix3d::IsValid.
@pytest.mark.parametrize("valid, moments", [
    (True, (0.146080742200833, 1.01928483854317, 0.958902263019059, -0.139366278470727, 0.11466658854509,
            0.0613071591277209)),
    (True, (0.697024797129826, 0.996361883968249, 0.610714773574607, 0.260459789899094, 0.0443904863591606,
            0.0341239572250024)),
    (True, (0.400747320473085, 0.298599626203078, 0.540609972131844, 0.241469415493848, -0.104330052339124,
            0.15549477214976)),
    (False, (0.842308673910639, 0.5787829421059, 0.538443930404702, -0.14174462585888, 0.245198054354765,
             0.284537279450258))])
def test_flat_bodies_are_judged_to_the_last_bit(valid, moments):
    assert (find_defects(1, moments) == ()) is valid


def test_two_defects_are_both_found():
    assert [d.condition for d in find_defects(-1, (1, 1, 3, 0, 0, 0))] == ["m >= 0", "I1 + I2 >= I3"]


entries = st.floats(-10, 10)


points = st.lists(st.tuples(entries, entries, entries, st.floats(1e-3, 10)), min_size=4, max_size=12)


def gather(points):
    """Mass matrix of points (x, y, z, m), by the definition."""
    P = np.array(points)
    m, x = P[:, 3], P[:, :3]
    x = x - m @ x / m.sum()
    S = (x.T * m) @ x
    I = np.trace(S) * np.eye(3) - S
    return float(m.sum()), (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]), I


@given(points, st.booleans(), entries, entries)
@example([(0.0, 0.0, 0.0, 8.0)] * 3 + [(0.0, 4.5, 0.0, 1.5)], True, 0.0, 7.0)
def test_any_points_are_valid_as_seven_digits_say_them(points, flat, a, b):
    if flat:  # in a plane, where the two smaller moments are just the largest
        points = [(x, y, a * x + b * y, m) for x, y, _, m in points]
    mass, moments, _ = gather(points)
    written = tuple(float(f"{value:.6e}") for value in moments)
    assert find_defects(mass, written, ROUNDING) == ()


@given(points)
def test_any_collection_of_points_is_valid(points):
    mass, moments, I = gather(points)
    # Points in a plane or on a line lie on the boundary, where rounding decides: a hair of volume settles it.
    hair = 1e-6 * max(np.trace(I), 1e-9)
    assert find_defects(mass, (moments[0] + hair, moments[1] + hair, moments[2] + hair, *moments[3:])) == ()


@given(entries, entries, entries, entries, entries, entries)
def test_principal_moments_are_eigenvalues(a, b, c, d, e, f):
    found = find_principal_moments((a, b, c, d, e, f))
    largest = max(map(abs, (a, b, c, d, e, f)))
    expected = np.linalg.eigvalsh([[a, d, e], [d, b, f], [e, f, c]])
    assert sorted(found) == pytest.approx(expected, abs=1e-5 * largest + 1e-12)


@pytest.mark.parametrize("moments", [(-2.0, -2.0, -2.0, 0, 0, 0), (3.0, 3.0, 3.0, 0, 0, 0)])
def test_equal_moments_are_their_own_principal_moments(moments):
    assert find_principal_moments(moments) == pytest.approx(moments[:3])


anything = st.floats(allow_nan=True, allow_infinity=True)


@given(anything, st.tuples(anything, anything, anything, anything, anything, anything))
def test_any_numbers_are_judged_without_an_exception(mass, moments):
    find_unphysical(mass, moments)


@pytest.mark.parametrize("scale", [1e-150, 1e-120, 1.0, 1e100, 1e120])
def test_principal_moments_have_the_tensors_trace(scale):
    """Also where the closed form's powers underflow or overflow."""
    moments = find_principal_moments(tuple(scale * i for i in (2.0, 3.0, 4.0, 0.5, 0.25, 0.125)))
    assert sum(moments) == pytest.approx(9 * scale, rel=1e-6, abs=0)


def test_the_tolerance_is_ten_epsilons_of_half_the_trace():
    assert tolerance_of(8) == tolerance_of(-8) == 40 * 2.0 ** -52


@pytest.mark.parametrize("moments, condition, amount, text", [
    ((-1, 2, 2, 0, 0, 0), "I >= 0", 1, "the smallest principal moment is -1 kg·m², below zero"),
    ((3, -.25, 5, 0, 0, 0), "I >= 0", .25, "the smallest principal moment is -0.25 kg·m², below zero"),
    # Principal moments 1 ± 2 and 1.
    ((1, 1, 1, 2, 0, 0), "I >= 0", 1, "the smallest principal moment is -1 kg·m², below zero"),
    ((1, 4, 1, 0, 0, 0), "I1 + I2 >= I3", 2, "the two smaller principal moments together are less than the largest, "
     "by 2 kg·m² (1 + 1 < 4)"),
    ((2.125, .5, .5, 0, 0, 0), "I1 + I2 >= I3", 1.125, "the two smaller principal moments together are less than the "
     "largest, by 1.12 kg·m² (0.5 + 0.5 < 2.125)"),
    # A thousandth of the largest and more is said shortly, less with all digits.
    ((1, 1, 2.0078125, 0, 0, 0), "I1 + I2 >= I3", 2 ** -7, "the two smaller principal moments together are less than "
     "the largest, by 0.00781 kg·m² (1 + 1 < 2.00781)"),
    ((1.0, 1.0, 2.0009765625, 0, 0, 0), "I1 + I2 >= I3", 2 ** -10, "the two smaller principal moments together are "
     "less than the largest, by 0.000977 kg·m² (1.0 + 1.0 < 2.0009765625)")])
def test_what_is_said_of_a_tensor(moments, condition, amount, text):
    (defect,) = find_defects(1.0, moments)
    assert defect == (condition, pytest.approx(amount), text, None)
    assert find_unphysical(1.0, moments) == (defect,)


@pytest.mark.parametrize("mass, moments, expected", [
    (-2.5, (1, 1, 1, 0, 0, 0), [("m >= 0", 2.5, "the mass is -2.5 kg")]),
    (0, (1, 1, 1, 0, 0, 0), [("m > 0", 0, "the mass is zero")]),
    (3, (0, 1, 1, 0, 0, 0), [("I > 0", 0, "the inertia is zero about an axis")]),
    (0, (0,) * 6, [("m > 0", 0, "the mass is zero"), ("I > 0", 0, "the inertia is zero about an axis")]),
    (float("inf"), (1, 1, 1, 0, 0, 0), [("finite", 0, "a value is not a finite number")]),
    (1, (1, 1, 1, 0, float("nan"), 0), [("finite", 0, "a value is not a finite number")]),
    (1, (1, 1, 1.5, 0, 0, 0), [])])
def test_what_is_said_of_a_mass_and_of_zeros(mass, moments, expected):
    assert [defect[:3] for defect in find_unphysical(mass, moments)] == expected


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_moments_keep_their_order_up_to_a_millionth_of_the_largest(order):
    """8e-6 of products beside a largest moment of 8, which may be any of the three."""
    diagonal = [(8.0, 5.0, 4.0)[k] for k in order]
    for place in (3, 4, 5):
        for product, kept in ((8e-6, True), (-8e-6, True), (8.1e-6, False), (-8.1e-6, False)):
            moments = [*diagonal, 0.0, 0.0, 0.0]
            moments[place] = product
            found = find_principal_moments(tuple(moments))
            assert found == tuple(diagonal) if kept else found == pytest.approx((4, 5, 8), abs=1e-8)


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e6])
def test_principal_moments_of_tensors_by_hand(scale):
    """Blocks of two axes [[a, b], [b, a]] have the moments a - b and a + b; ones with 1 beside them have 2 and 0."""
    for moments, expected in (((5, 5, 3, 1, 0, 0), (3, 4, 6)), ((5, 3, 5, 0, -1, 0), (3, 4, 6)),
                              ((7, 5, 5, 0, 0, 1), (4, 6, 7)), ((2, 2, 2, 1, 1, 1), (1, 1, 4)),
                              ((2, 2, 2, -1, -1, -1), (0, 3, 3)), ((3, 3, 3, 1, 0, 1), (3 - 2 ** .5, 3, 3 + 2 ** .5))):
        found = find_principal_moments(tuple(scale * m for m in moments))
        assert found == pytest.approx([scale * m for m in expected], abs=1e-7 * scale)
        assert list(found) == sorted(found)


@pytest.mark.parametrize("moments, short", [
    ((-2.0 ** -31, 2.0 ** 20, 2.0 ** 20, 0, 0, 0), "512"), ((2.0 ** 20, -2.0 ** -31, 2.0 ** 20, 0, 0, 0), "512"),
    ((2.0 ** 20, 2.0 ** 20, -2.0 ** -31, 0, 0, 0), "512"),
    # The determinant is positive, the minor of x and y is not.
    ((2.0 ** 20, -2.0 ** -31, -2.0 ** -31, 0, 0, 0), "0.00048828125"),
    # 2^20 · 2^-21 - 1; the determinant is that times 2^-21.
    ((2.0 ** 20, 2.0 ** -21, 2.0 ** -21, 1, 0, 0), "0.5")])
def test_a_tensor_is_judged_by_its_determinant_and_minors_too(moments, short):
    """As by gz-math: a principal moment within the tolerance below zero makes them negative beyond it."""
    (defect,) = find_defects(1.0, moments)
    assert defect == ("I >= 0", float(short), f"the tensor is not positive semidefinite (by {float(short):.6g})", None)


@pytest.mark.parametrize("written, said", [
    # ixx ixy ixz iyy iyz izz as written, of a body with the moments 6, 7 and 8.
    ((6, 0.1, 0.2, 0.1, 7, 0.3), "rows of the tensor"), ((6, 0, 0, 0, 7, 0), "rows of the tensor"),
    ((6, 7, 8, 0.1, 0.2, 0.3), 'write ixx="6" iyy="7" izz="8" ixy="0.1" ixz="0.2" iyz="0.3"'),
    ((6, 7, 8, 0, 0, 0), 'write ixx="6" iyy="7" izz="8" ixy="0" ixz="0" iyz="0"'),
    ((6, 0.1, 0.2, -7, 0.3, 8), None), ((6, 10, 0, 7, 0, 8), None), ((-6, 7, 8, 0, 0, 0), None)])
def test_numbers_in_another_order_are_recognized(written, said):
    ixx, ixy, ixz, iyy, iyz, izz = written
    defect, *_ = find_defects(1, (ixx, iyy, izz, ixy, ixz, iyz))
    assert defect.remedy is None if said is None else said in defect.remedy


def test_numbers_in_an_order_that_no_order_mends():
    """In each of the orders that one step after the other makes of them they are impossible."""
    (defect,) = find_defects(1.0, (1.0, 2.0, 4.0, 0.1, 2.0, 0.3))
    assert defect.condition == "I >= 0" and defect.remedy is None
