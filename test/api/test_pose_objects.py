"""sf.Pose: what its numbers mean, and its laws."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdf_frames as sf

NUMBERS = st.floats(-10, 10)
ANGLES = st.floats(-3, 3)
poses = st.builds(sf.Pose.from_rpy, st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(ANGLES, ANGLES, ANGLES))


def test_a_quarter_turn_about_z():
    X = sf.Pose.from_rpy([1, 2, 3], [0, 0, pi / 2])
    assert X.xyz.tolist() == [1, 2, 3]
    assert X.quat_wxyz == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5])
    assert X.matrix == pytest.approx(np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]))
    assert (X @ sf.Pose([1, 0, 0])).xyz == pytest.approx([1, 3, 3])
    assert np.array_equal(np.array(X), X.matrix) and np.asarray(X, dtype=np.float32).dtype == np.float32


def test_rpy_is_yaw_after_pitch_after_roll():
    r, p, y = 0.3, -0.4, 0.5
    Rx = np.array([[1, 0, 0], [0, np.cos(r), -np.sin(r)], [0, np.sin(r), np.cos(r)]])
    Ry = np.array([[np.cos(p), 0, np.sin(p)], [0, 1, 0], [-np.sin(p), 0, np.cos(p)]])
    Rz = np.array([[np.cos(y), -np.sin(y), 0], [np.sin(y), np.cos(y), 0], [0, 0, 1]])
    X = sf.Pose.from_rpy([0, 0, 0], [r, p, y])
    assert X.matrix[:3, :3] == pytest.approx(Rz @ Ry @ Rx, abs=1e-15)
    assert X.rpy == pytest.approx([r, p, y], abs=1e-15)


@given(poses, poses)
def test_poses_are_composed_and_undone_as_matrices_are(a, b):
    assert (a @ b).matrix == pytest.approx(a.matrix @ b.matrix, abs=1e-12)
    assert (a @ a.inverse()).matrix == pytest.approx(np.eye(4), abs=1e-12)
    assert a.inverse().matrix == pytest.approx(np.linalg.inv(a.matrix), abs=1e-12)
    assert sf.Pose.from_matrix(a.matrix).is_close(a, 1e-12)


@given(st.lists(poses, min_size=1, max_size=5), poses)
def test_a_batch_is_its_members(members, X):
    batch = sf.Pose([m.xyz for m in members], [m.quat_wxyz for m in members])
    assert batch.shape == (len(members),) == (len(batch),)
    for i, (member, product, rpy) in enumerate(zip(members, X @ batch, batch.rpy)):
        assert product.is_close(X @ member, 1e-12)
        assert batch[i].is_close(member, 1e-12)
        assert sf.Pose.from_rpy(member.xyz, rpy).is_close(member, 1e-12)
    assert sf.Pose.from_matrix(batch.matrix).is_close(batch, 1e-12)
    assert sf.Pose.from_rpy(batch.xyz, batch.rpy).is_close(batch, 1e-12)


def test_a_quaternion_of_any_length_is_a_rotation_and_none_the_identity():
    assert sf.Pose(quat_wxyz=[0, 0, 0, 5]) == sf.Pose(quat_wxyz=[0, 0, 0, 1])
    assert sf.Pose().matrix == pytest.approx(np.eye(4))


def test_changing_the_arrays_of_a_pose_does_not_change_the_pose():
    X = sf.Pose([1, 2, 3])
    X.xyz[0] = 9
    assert X.xyz[0] == 1


def test_one_position_has_many_rotations_and_the_other_way_round():
    turns = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 3, 0]]
    assert sf.Pose([1, 2, 3], turns).xyz.tolist() == [[1, 2, 3]] * 3
    assert sf.Pose([1, 2, 3], turns).quat_wxyz.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    places = [[1, 2, 3], [4, 5, 6]]
    assert sf.Pose(places, [1, 0, 0, 0]).xyz.tolist() == places
    assert sf.Pose(places).quat_wxyz.tolist() == [[1, 0, 0, 0]] * 2
    both = sf.Pose([[[1, 2, 3]], [[4, 5, 6]]], turns)
    assert both.xyz.shape == (2, 3, 3) and both.quat_wxyz.shape == (2, 3, 4)


def test_a_single_pose_is_not_a_batch():
    one, two = sf.Pose([1, 2, 3]), sf.Pose([[1, 2, 3], [4, 5, 6]])
    assert bool(one) and bool(two) and len(two) == 2
    assert [X.xyz.tolist() for X in two] == [[1, 2, 3], [4, 5, 6]]
    for use in (len, lambda X: X[0], list):
        with pytest.raises(TypeError, match="this is one pose, not a batch"):
            use(one)


@pytest.mark.parametrize("other", [None, 1.0, "pose"])
def test_poses_are_composed_with_poses_only(other):
    with pytest.raises(TypeError):
        sf.Pose([1, 2, 3]) @ other
    assert sf.Pose([1, 2, 3]) != other


@pytest.mark.parametrize(("use", "problem"), [
    (lambda: sf.Pose([1, 2]), "xyz has the shape (2,), not (..., 3)"),
    (lambda: sf.Pose(5.0), "xyz has the shape (), not (..., 3)"),
    (lambda: sf.Pose(quat_wxyz=[[1, 0, 0]]), "quat_wxyz has the shape (1, 3), not (..., 4)"),
    (lambda: sf.Pose([0, 0, float("inf")]), "xyz contains a number that is not finite"),
    (lambda: sf.Pose(quat_wxyz=[1, 0, 0, float("nan")]), "quat_wxyz contains a number that is not finite"),
    (lambda: sf.Pose.from_rpy([0, 0, 0], [0, 0]), "rpy has the shape (2,), not (..., 3)"),
    (lambda: sf.Pose(quat_wxyz=[[1, 0, 0, 0], [0, 0, 0, 0]]),
     "quat_wxyz: a quaternion of length zero does not define a rotation"),
    (lambda: sf.Pose.from_matrix(np.eye(3)), "matrix has the shape (3, 3), not (..., 4, 4)"),
    (lambda: sf.Pose.from_matrix(np.eye(4)[:3]), "matrix has the shape (3, 4), not (..., 4, 4)")])
def test_why_numbers_are_refused(use, problem):
    with pytest.raises(ValueError, match=r"\S") as refused:
        use()
    assert str(refused.value) == problem


def change(row, column, by):
    M = np.eye(4)
    M[row, column] += by
    return M


@pytest.mark.parametrize(("matrix", "rigid"), [
    (change(0, 0, 4e-7), True), (change(0, 0, 2e-5), False), (change(0, 1, 5e-7), True),
    (change(0, 1, 9e-6), True), (change(0, 1, 2e-5), False), (change(3, 3, 5e-13), True), (change(3, 3, 2e-5), False),
    (change(3, 0, 5e-13), True), (change(3, 0, 2e-12), False), (np.diag([1.0, 1, -1, 1]), False),
    (np.diag([-1.0, -1, 1, 1]), True), (np.stack([np.eye(4), np.diag([1.0, 1, -1, 1])]), False)])
def test_a_matrix_is_rigid_up_to_rounding(matrix, rigid):
    if rigid:
        assert sf.Pose.from_matrix(matrix).shape == ()
    else:
        with pytest.raises(ValueError, match="matrix must be a rigid transform"):
            sf.Pose.from_matrix(matrix)


@pytest.mark.parametrize(("matrix", "problem"), [
    (change(0, 1, 0.125), "for a rotation R, R·Rᵀ differs by at most 1e-05 from the identity, but here by 0.12; "
                          "write the numbers with at least 6 decimals, or give a quaternion"),
    (np.diag([1.0, 1, -1, 1]), "its determinant is -1, so that it mirrors instead of rotating"),
    (change(3, 0, 1.0), "the last row must be 0 0 0 1")])
def test_why_a_matrix_is_refused(matrix, problem):
    with pytest.raises(ValueError, match=r"\S") as refused:
        sf.Pose.from_matrix(matrix)
    assert str(refused.value) == f"matrix must be a rigid transform: {problem}"


def test_a_rotation_with_six_decimals_is_a_rotation():
    """Each number is wrong by at most 5e-7, so that R·Rᵀ is wrong by at most 2·√3·5e-7, the square of 5e-7 aside."""
    turns = sf.Pose(quat_wxyz=np.random.default_rng(0).normal(size=(2000, 4)))
    assert sf.Pose.from_matrix(turns.matrix.round(6)).is_close(turns, 2e-6)
    with pytest.raises(ValueError, match="at least 6 decimals"):
        sf.Pose.from_matrix(turns.matrix.round(4))


TURNS = [*np.eye(4), (0.5, 0.5, 0.5, 0.5), (0.5, -0.5, 0.5, -0.5), (0.1, 0.7, -0.1, 0.7), (0.1, 0.1, 0.7, -0.7),
         (0.1, -0.7, 0.7, 0.1), (0.1, -0.9, -0.3, 0.3), (0.1, 0.3, -0.9, -0.3), (0.1, -0.3, 0.3, -0.9),
         (0.9, 0.1, -0.3, 0.3)]  # fmt: skip


@pytest.mark.parametrize("q", TURNS)
def test_a_matrix_of_any_turn_gives_its_quaternion(q):
    q = np.array(q) / np.linalg.norm(q)
    found = sf.Pose.from_matrix(sf.Pose([1, 2, 3], q).matrix)
    assert found.xyz.tolist() == [1, 2, 3]
    assert found.quat_wxyz * np.sign(found.quat_wxyz @ q) == pytest.approx(q, abs=1e-15)


def test_distance_and_angle():
    a = sf.Pose([1, 2, 3])
    b = sf.Pose.from_rpy([4, 6, 3], [0, 0, -0.5])
    assert a.measure(b) == (pytest.approx(5), pytest.approx(0.5))
    assert b.measure(a) == (pytest.approx(5), pytest.approx(0.5))
    half = sf.Pose(quat_wxyz=[[1, 0, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 0]])
    metres, radians = sf.Pose().measure(half)
    assert metres.tolist() == [0, 0, 0]
    assert radians == pytest.approx([0, pi, 0])
    assert sf.Pose(half.xyz + [3, 0, 4]).measure(half)[0].tolist() == [5, 5, 5]


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_distance_whose_square_no_float_holds():
    assert sf.Pose([3e200, 0, 0]).measure(sf.Pose([0, 4e200, 0]))[0] == pytest.approx(5e200)


@pytest.mark.parametrize(("xyz", "yaw", "tolerance", "close"), [
    ([0.5, 0, 0], 0, 0.5, True), ([0.5, 0, 0], 0, 0.499, False), ([0, 0, 0], 0.5, 0.501, True),
    ([0, 0, 0], 0.5, 0.499, False), ([0, 0, 0.5], 0.5, 0.501, True), ([[0, 0, 0], [0.5, 0, 0]], 0, 0.4, False),
    ([[0, 0, 0], [0.5, 0, 0]], 0, 0.5, True), ([0.9e-9, 0, 0], 0, None, True), ([1.1e-9, 0, 0], 0, None, False)])
def test_poses_are_close_within_a_tolerance_of_metres_and_radians(xyz, yaw, tolerance, close):
    other = sf.Pose.from_rpy(xyz, [0, 0, yaw])
    assert sf.Pose().is_close(other, *([] if tolerance is None else [tolerance])) is close


def test_poses_are_equal_if_every_number_is():
    batch = sf.Pose([[1, 2, 3], [4, 5, 6]])
    assert sf.Pose([1, 2, 3]) == sf.Pose([1, 2, 3])
    assert batch == sf.Pose([[1, 2, 3], [4, 5, 6]])
    assert batch != sf.Pose([[1, 2, 3], [4, 5, 7]])
    assert batch != sf.Pose([1, 2, 3])
    assert sf.Pose([[1, 2, 3]]) != sf.Pose([1, 2, 3])
    with pytest.raises(TypeError):
        hash(batch)


def test_parts_of_a_batch():
    grid = sf.Pose(np.arange(18.0).reshape(2, 3, 3))
    assert (grid.shape, grid[1, 2].shape) == ((2, 3), ())
    assert (grid.matrix.shape, np.array(grid).shape, grid.rpy.shape) == ((2, 3, 4, 4), (2, 3, 4, 4), (2, 3, 3))
    assert grid[1].xyz.tolist() == [[9, 10, 11], [12, 13, 14], [15, 16, 17]]
    assert grid[1, 2].xyz.tolist() == [15, 16, 17]
    assert grid[:, 1].xyz.tolist() == [[3, 4, 5], [12, 13, 14]]
    assert grid[..., 0].xyz.tolist() == [[0, 1, 2], [9, 10, 11]]
    assert grid[[1, 0]].shape == (2, 3)
    assert grid[-1][0].xyz.tolist() == [9, 10, 11]
    assert len(grid) == 2 and [row.shape for row in grid] == [(3,), (3,)]


def test_what_is_written_rounds_and_has_no_minus_zero():
    X = sf.Pose.from_rpy([1.23456789, -1e-9, -2.5], [0, 0, -pi / 2])
    assert repr(X) == "<Pose: xyz 1.23457 0 -2.5 m, rpy 0 0 -1.5708 rad>"
    assert repr(sf.Pose(np.zeros((2, 3, 3)))) == "<Pose: batch of 2 x 3>"
    assert repr(sf.Pose(np.zeros((7, 3)))) == "<Pose: batch of 7>"
    assert str(sf.Pose(quat_wxyz=[1, -0.0, -0.0, -0.0]).rpy.tolist()) == "[0.0, 0.0, 0.0]"


@pytest.mark.parametrize("value", ["x", b"x", 1j, ["1", "2", "3"], None, sf.Pose(), [[1], [1, 2]]])
def test_values_that_are_no_numbers(value):
    for make, name in ((sf.Pose, "xyz"), (lambda v: sf.Pose(quat_wxyz=v), "quat_wxyz"), (sf.Pose.from_matrix, "matrix"),
                       (lambda v: sf.Pose.from_rpy([0, 0, 0], v), "rpy")):
        with pytest.raises(ValueError, match=f"{name} must consist of numbers: "):
            make(value)


@pytest.mark.parametrize("tolerance", ["x", b"x", 1j, None, [1, 2]])
def test_a_tolerance_that_is_no_number(tolerance):
    with pytest.raises(ValueError, match="tolerance must be a number, not "):
        sf.Pose().is_close(sf.Pose(), tolerance)
