"""Forward kinematics: poses of frames from positions of joints, for one configuration or a batch."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sdf_frames.api.errors import demand_positions, unknown_name
from sdf_frames.api.pose import Pose, read_array
from sdf_frames.frames.kinematics import MOTIONS, Lead, MovingJoint, find_position, move_joint
from sdf_frames.frames.mechanism import Mechanism
from sdf_frames.spatial.batch import Numbers, NumbersPose, compose_batch, invert_batch, normalise_batch
from sdf_frames.spatial.pose import IDENTITY, compose, invert

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Configuration:
    """A mechanism with its joints at given positions.

    Parameters
    ----------
    mechanism : frames and joints.
    positions : joint name -> radians, metres, or what `MOTIONS` says, each number a scalar or an array of one
        shape for a batch. Joints that are not named are at zero, or follow the joint that they mimic. None gives every
        frame the pose of the description.

    Raises
    ------
    KeyError
        A movable joint of this name does not exist.
    ValueError
        A position has a wrong shape, contains a number that is not finite, or does not broadcast with the others; or
        the position of a mimic joint is not finite.
    TypeError
        `positions` is not a mapping.
    """

    def __init__(self, mechanism: Mechanism, positions: Mapping[str, Any] | None) -> None:
        self.mechanism = mechanism
        self.shape: tuple[int, ...] = ()
        self.values: dict[str, tuple[Numbers, ...]] = {}
        self._edges: dict[int, NumbersPose] = {}
        if positions is not None:
            self._read(positions)
            joints = {joint.name: joint for joint in mechanism.joints.values()}
            leads: dict[tuple[str, int], Lead] = {}
            for i, joint in mechanism.joints.items():
                q = find_position(joint, self.values, joints, leads)
                if not all(np.isfinite(value).all() for value in q):
                    raise ValueError(f"the position of {joint.name!r}, which follows another joint, is not finite")
                self._edges[i] = _move(joint, mechanism.poses[i], q)

    def _read(self, positions: Mapping[str, Any]) -> None:
        demand_positions(positions)
        joints, arrays = self.mechanism.carried, {}
        for name, value in positions.items():
            known = self.mechanism.aliases.get(name, name)
            if known not in joints:
                raise unknown_name("movable joint", name, joints)
            arrays[known] = _read_position(self.mechanism.joints[joints[known]], name, value)
        try:
            self.shape = np.broadcast_shapes(*[array.shape[1:] for array in arrays.values()])
        except ValueError:
            shapes = ", ".join(f"{name} {array.shape[1:]}" for name, array in arrays.items())
            raise ValueError(f"the batches of positions do not broadcast: {shapes}") from None
        for name, array in arrays.items():
            self.values[name] = tuple([float(part) if part.ndim == 0 else np.broadcast_to(part, self.shape).ravel()
                                       for part in array])

    def locate(self, place: int) -> NumbersPose:
        """Return the pose of the frame at `place` in the scope's root."""
        m = self.mechanism
        X: NumbersPose = IDENTITY
        while place >= 0:
            X = compose_batch(self._edges.get(place, m.poses[place]), X)
            place = m.parents[place]
        return X

    def locate_all(self, X_base: NumbersPose) -> dict[int, NumbersPose]:
        """Return the pose of every frame in a base, which has the pose `X_base` in the scope's root."""
        m, X_BR = self.mechanism, invert_batch(X_base)
        poses: dict[int, NumbersPose] = {}
        for place in m.order:
            parent = m.parents[place]
            poses[place] = compose_batch(poses[parent] if parent >= 0 else X_BR, self._edges.get(place, m.poses[place]))
        return poses

    def wrap(self, poses: list[NumbersPose]) -> list[Pose]:
        """Return the poses as objects of this configuration's shape."""
        if not self.shape:
            return [Pose._wrap(row) for row in np.array(poses, dtype=np.float64).reshape(-1, 7)]
        size = int(np.prod(self.shape))
        block = np.empty((len(poses), 7, size))  # components apart: each is written in one go
        for rows, pose in zip(block, poses):
            for row, part in zip(rows, pose):
                row[:] = part
        return [Pose._wrap(np.moveaxis(rows, 0, -1).reshape(*self.shape, 7)) for rows in block]


def _read_position(joint: MovingJoint, name: str, value: Any) -> Array:
    """Return a position as an array (numbers of the position, *batch)."""
    motion = MOTIONS[joint.type]
    size = motion.size
    if isinstance(value, Pose) and size == 7:
        value = value._X
    array = read_array(value, f"the position of {name!r}")
    if size == 1:
        array = array[np.newaxis]
    elif array.ndim and array.shape[-1] == size:
        array = np.moveaxis(array, -1, 0)
    else:
        raise ValueError(
            f"the position of the {joint.type} joint {name!r} has the shape {array.shape}, not (..., {size})")
    if not np.isfinite(array).all():
        raise ValueError(f"the position of {name!r} contains a number that is not finite")
    if motion.has_quaternion:
        if not array[-4:].any(axis=0).all():
            raise ValueError(f"the position of {name!r} contains a quaternion of length zero")
        array = np.concatenate([array[:-4], normalise_batch(array[-4:], 0)])
    return array


def _move(joint: MovingJoint, X_PC: tuple[float, ...], q: tuple[Numbers, ...]) -> NumbersPose:
    """Return the pose of the child in the parent; `X_PC` is the pose at zero, `q` the joint's position."""
    if not q:  # a ball or floating joint that is not named
        return X_PC  # type: ignore[return-value]
    X_PJ = compose(X_PC, invert(joint.X_JC))  # type: ignore[arg-type]
    return compose_batch(compose_batch(X_PJ, move_joint(joint, q)), joint.X_JC)
