"""A pose, or a batch of poses as arrays."""
from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sdf_frames.api.errors import Guided
from sdf_frames.spatial import pose as scalar
from sdf_frames.spatial.batch import (
    NumbersPose,
    compose_batch,
    invert_batch,
    normalise_batch,
    quaternions_from_matrices,
)

if TYPE_CHECKING:
    Array = NDArray[np.float64]

#: The largest difference between R·Rᵀ and the identity for a rotation R; it is at most 1.8e-6 with 6 decimals.
_MOST_DEVIATION = 1e-5


class Pose(Guided):
    """Position and rotation of a frame B in a frame A, ``X_AB``; or a batch of such poses.

    Parameters
    ----------
    xyz : (..., 3) position of B's origin in A, metres.
    quat_wxyz : (..., 4) quaternion w x y z of any nonzero length; it rotates vectors from B to A.

    Raises
    ------
    ValueError
        An array has a wrong shape, a number is not finite, or a quaternion has length zero.

    Examples
    --------
    >>> X_AB = Pose([1, 0, 0])
    >>> X_BC = Pose.from_rpy([0, 0, 0], [0, 0, 1.5707963267948966])
    >>> (X_AB @ X_BC).xyz
    array([1., 0., 0.])
    """

    __slots__ = ("_X",)
    __hash__ = None  # type: ignore[assignment]
    _X: Array

    def __init__(self, xyz: ArrayLike = (0.0, 0.0, 0.0), quat_wxyz: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> None:
        p, q = _read(xyz, 3, "xyz"), _read(quat_wxyz, 4, "quat_wxyz")
        if not q.any(axis=-1).all():
            raise ValueError("quat_wxyz: a quaternion of length zero does not define a rotation")
        shape = np.broadcast_shapes(p.shape[:-1], q.shape[:-1])
        parts = ((p, 3), (normalise_batch(q, -1), 4))
        self._X = np.concatenate([np.broadcast_to(part, (*shape, size)) for part, size in parts], axis=-1)

    @classmethod
    def from_rpy(cls, xyz: ArrayLike, rpy: ArrayLike) -> Pose:
        """Make a pose from a position (..., 3) in metres and roll, pitch, yaw (..., 3) in radians, R = Rz·Ry·Rx."""
        half = np.moveaxis(_read(rpy, 3, "rpy"), -1, 0) / 2
        (cr, cp, cy), (sr, sp, sy) = np.cos(half), np.sin(half)
        return cls(xyz, np.stack([cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                                  cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy], axis=-1))

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Pose:
        """Make a pose from homogeneous matrices (..., 4, 4).

        Raises
        ------
        ValueError
            The upper left 3x3 part R is not a rotation (R·Rᵀ differs by more than 1e-5 from the identity, or R
            mirrors), or the last row is not 0 0 0 1.
        """
        M = read_array(matrix, "matrix")
        if M.shape[-2:] != (4, 4):
            raise ValueError(f"matrix has the shape {M.shape}, not (..., 4, 4)")
        R = M[..., :3, :3]
        deviation = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0)
        problem = None
        if not np.allclose(M[..., 3, :], (0, 0, 0, 1), atol=1e-12):
            problem = "the last row must be 0 0 0 1"
        elif not deviation <= _MOST_DEVIATION:
            problem = (f"for a rotation R, R·Rᵀ differs by at most {_MOST_DEVIATION:g} from the identity, but here by "
                       f"{deviation:.2g}; write the numbers with at least 6 decimals, or give a quaternion")
        elif not (np.linalg.det(R) > 0).all():
            problem = "its determinant is -1, so that it mirrors instead of rotating"
        if problem:
            raise ValueError(f"matrix must be a rigid transform: {problem}")
        return cls(M[..., :3, 3], quaternions_from_matrices(R))

    @classmethod
    def _wrap(cls, X: Array) -> Pose:
        """Wrap an array (..., 7) of xyz and unit quaternions wxyz without a copy."""
        pose = cls.__new__(cls)
        pose._X = X
        return pose

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the batch; () for a single pose."""
        return self._X.shape[:-1]

    @property
    def xyz(self) -> Array:
        """(..., 3) position, metres."""
        return self._X[..., :3].copy()

    @property
    def quat_wxyz(self) -> Array:
        """(..., 4) unit quaternion w x y z."""
        return self._X[..., 3:].copy()

    @property
    def rpy(self) -> Array:
        """(..., 3) roll, pitch, yaw in radians: R = Rz(yaw)·Ry(pitch)·Rx(roll)."""
        Q = self._X[..., 3:].reshape(-1, 4)
        return np.array([scalar.rpy_from_quaternion(*q) for q in Q.tolist()]).reshape(*self.shape, 3) + 0.0

    @property
    def matrix(self) -> Array:
        """(..., 4, 4) homogeneous matrix."""
        M = np.zeros((*self.shape, 4, 4))
        M[..., 3, 3] = 1.0
        M[..., :3, 3] = self._X[..., :3]
        w, x, y, z = np.moveaxis(self._X[..., 3:], -1, 0)
        for i, row in enumerate(scalar.rotation_matrix((w, x, y, z))):
            for j, value in enumerate(row):
                M[..., i, j] = value
        return M

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return :attr:`matrix` for ``np.array(X)``."""
        return np.asarray(self.matrix, dtype)

    def inverse(self) -> Pose:
        """Return ``X_BA``: the pose of A in B."""
        return Pose._wrap(_stack(invert_batch(self._parts())))

    def __matmul__(self, other: Pose) -> Pose:
        """Return ``X_AC`` from ``X_AB @ X_BC``; batches broadcast."""
        if not isinstance(other, Pose):
            raise TypeError(f"@ takes another Pose, not {type(other).__name__}; points move with "
                            "points @ X.matrix[:3, :3].T + X.xyz")
        return Pose._wrap(_stack(compose_batch(self._parts(), other._parts())))

    def __getitem__(self, item: Any) -> Pose:
        """Return the poses of a batch at an index of its shape."""
        if not self.shape:
            raise TypeError("this is one pose, not a batch")
        return Pose._wrap(self._X[(*item, slice(None)) if isinstance(item, tuple) else (item, ..., slice(None))])

    def __len__(self) -> int:
        """Return the length of the batch."""
        if not self.shape:
            raise TypeError("this is one pose, not a batch")
        return self.shape[0]

    def __iter__(self) -> Iterator[Pose]:
        """Iterate over the first axis of the batch."""
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        """Return True: a pose is not a container."""
        return True

    def __eq__(self, other: object) -> bool:
        """Compare every number; see :meth:`is_close` for a tolerance."""
        return isinstance(other, Pose) and self._X.shape == other._X.shape and bool((self._X == other._X).all())

    def is_close(self, other: Pose, tolerance: float = 1e-9) -> bool:
        """Return whether all positions (metres) and all rotations (radians) differ by at most `tolerance`."""
        if not isinstance(tolerance, Real):
            raise ValueError(f"tolerance must be a number, not {tolerance!r:.60}")
        metres, radians = self.measure(other)
        return bool((metres <= tolerance).all() and (radians <= tolerance).all())

    def measure(self, other: Pose) -> tuple[Array, Array]:
        """Return the distance (...) in metres and the angle (...) in radians between this pose and `other`."""
        X = (self.inverse() @ other)._X
        angle = 2 * np.arctan2(np.linalg.norm(X[..., 4:], axis=-1), np.abs(X[..., 3]))
        return np.hypot(np.hypot(X[..., 0], X[..., 1]), X[..., 2]), angle

    def __repr__(self) -> str:
        if self.shape:
            return f"<Pose: batch of {' x '.join(map(str, self.shape))}>"
        def show(values: Array) -> str:
            return " ".join(f"{round(v, 6) + 0.0:g}" for v in values.tolist())
        return f"<Pose: xyz {show(self.xyz)} m, rpy {show(self.rpy)} rad>"

    def _parts(self) -> NumbersPose:
        x, y, z, w, i, j, k = np.moveaxis(self._X, -1, 0)
        return x, y, z, w, i, j, k


def _stack(X: NumbersPose) -> Array:
    return np.stack(np.broadcast_arrays(*X), axis=-1)


def read_array(value: object, what: str) -> Array:
    """Return an array of numbers; raise ValueError for all else, such as text, poses and complex numbers."""
    try:
        array = np.asarray(value)
        is_number = [isinstance(each, Real) for each in array.flat] if array.dtype.kind == "O" else []
        if array.dtype.kind not in "biufO" or isinstance(value, Pose) or not all(is_number):
            raise TypeError  # NumPy would convert most of them
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must consist of numbers: {value!r:.60}") from None


def _read(value: ArrayLike, size: int, name: str) -> Array:
    array = read_array(value, name)
    if array.ndim < 1 or array.shape[-1] != size:
        raise ValueError(f"{name} has the shape {array.shape}, not (..., {size})")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} contains a number that is not finite")
    return array


def wrap_pose(X: scalar.Pose | None) -> Pose | None:
    """Wrap a single pose; None stays None."""
    return None if X is None else Pose._wrap(np.array(X))
