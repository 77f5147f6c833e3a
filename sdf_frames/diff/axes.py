"""Compares the axes of two joints: directions, limits and mimics."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import degrees, isinf

import numpy as np

import sdf_frames as sf
from sdf_frames.diff.changes import Change


def compare_axes(name: str, kind: str, suffix: str, p: sf.JointAxis, q: sf.JointAxis, leaders: Mapping[str, str],
                 tolerance: float) -> Iterator[Change]:
    """Compare an axis of a joint in A and B.

    Parameters
    ----------
    name, kind : of the joint.
    suffix : "" for its first axis, "2" for the second.
    leaders : names of joints of B by names of A.
    """
    turn = float(np.arctan2(np.linalg.norm(np.cross(p.xyz, q.xyz)), np.dot(p.xyz, q.xyz)))
    if turn > tolerance:
        yield Change("joint", name, f"axis{suffix}", p.xyz, q.xyz,
                     f"axis{suffix} {_join(p.xyz)} -> {_join(q.xyz)} ({degrees(turn):.4g} deg)")
    unit = "m" if kind == "prismatic" else "rad"
    units = {"lower": unit, "upper": unit, "effort": "N" if unit == "m" else "N m", "velocity": f"{unit}/s"}
    for limit, old, new in zip(p.limits._fields, p.limits, q.limits):
        if old != new and (isinf(old) or isinf(new) or abs(old - new) > tolerance * max(1.0, abs(old))):
            yield Change("joint", name, limit + suffix, old, new,
                         f"{limit}{suffix} {old:.6g} -> {new:.6g} {units[limit]}")
    if _spell_mimic(p.mimic, leaders, tolerance) != _spell_mimic(q.mimic, {}, tolerance):
        old_text, new_text = (_show_mimic(m) for m in (p.mimic, q.mimic))
        yield Change("joint", name, f"mimic{suffix}", old_text, new_text, f"mimics {old_text} -> {new_text}")


def _spell_mimic(mimic: sf.Mimic | None, names: Mapping[str, str], tolerance: float) -> tuple[object, ...] | None:
    if mimic is None:
        return None
    step = max(tolerance, 1e-12)
    return (names.get(mimic.joint, mimic.joint), mimic.axis, round(mimic.multiplier / step),
            round(mimic.offset / step))


def _join(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def _show_mimic(mimic: sf.Mimic | None) -> str:
    return "nothing" if mimic is None else f"{mimic.joint} ({mimic.multiplier:.6g} q + {mimic.offset:.6g})"
