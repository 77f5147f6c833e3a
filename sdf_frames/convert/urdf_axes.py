"""One axis of an SDFormat joint as URDF has it: direction, limits and dynamics, numbers as they are written."""
from __future__ import annotations

from math import inf

from sdf_frames.convert.urdf_parts import copy_child
from sdf_frames.document.numbers import copy_numbers, read_number, read_numbers
from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.model import Axis
from sdf_frames.urdf import model as urdf

#: Stands for no limit, which URDF cannot say.
ANY_EFFORT = 1e16


def copy_axis(axis: Axis, joint: str, xyz: tuple[float, ...]) -> tuple[float, ...]:
    """An axis as it is written, where that is in its joint: URDF does not ask for length one."""
    text = axis.element.findtext("xyz")
    written = read_numbers(text, 3) if text and axis.expressed_in in ("", joint) else None
    return xyz if written is None else copy_numbers(text, written)


def read_limit(axis: Element) -> tuple[float, float, urdf.Limit]:
    """Lower, upper, and URDF's limit; URDF knows no infinity, a huge number stands for it."""
    def value(tag: str, default: float) -> float:
        text = axis.findtext(f"limit/{tag}")
        number = read_number(text) if text else None
        return default if number is None else number

    lower, upper = value("lower", -inf), value("upper", inf)
    lower, upper = (-inf if lower <= -1e15 else lower), (inf if upper >= 1e15 else upper)
    effort, velocity = value("effort", inf), value("velocity", inf)
    effort, velocity = (v if 0 <= v < ANY_EFFORT else ANY_EFFORT for v in (effort, velocity))
    return lower, upper, urdf.Limit(
        copy_child(axis, "limit/lower", max(lower, -ANY_EFFORT)),
        copy_child(axis, "limit/upper", min(upper, ANY_EFFORT)),
        copy_child(axis, "limit/effort", effort), copy_child(axis, "limit/velocity", velocity))


def read_dynamics(axis: Element) -> urdf.Dynamics | None:
    """Damping and friction; None if neither is written."""
    values = [read_number(axis.findtext(f"dynamics/{tag}") or "") for tag in ("damping", "friction")]
    return None if values == [None, None] else urdf.Dynamics(
        copy_child(axis, "dynamics/damping", values[0] or 0.0), copy_child(axis, "dynamics/friction", values[1] or 0.0))
