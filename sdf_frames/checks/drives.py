"""Warns of limits that lock a joint, and of those that programs interpret differently."""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import ANOTHER, Diagnostic, diagnose, relate, times_of
from sdf_frames.document.elements import locate
from sdf_frames.urdf.model import JOINT_TYPES, Joint, Robot


def check_drives(robot: Robot) -> Iterator[Diagnostic]:
    """Report efforts and velocities of 0, once if the same joints have both, and ranges of continuous joints once.

    Also report joints that cannot move because lower and upper are 0 or missing, once for each way to write it.
    """
    limited = [(joint, limit, limit.element.attrib) for joint in robot.joints if (limit := joint.limit) is not None
               and limit.element is not None and JOINT_TYPES[joint.type].one_axis]
    found: list[tuple[list[str], list[Joint], str]] = []
    for name in ("effort", "velocity"):
        written = [(joint, getattr(limit, name)) for joint, limit, given in limited if name in given]
        zero = [joint for joint, value in written if value == 0.0]
        if zero:
            among = "" if len(zero) == len(written) else ", unlike other joints"
            if found and found[0][1:] == (zero, among):  # exporters write 0 for both
                found[0][0].append(name)
            else:
                found.append(([name], zero, among))
    for names, zero, among in found:
        yield _report(zero, names[0], f"a limit of 0 for {' and '.join(names)}{among}", "joint-limit-zero")
    for name in ("lower", "upper"):
        endless = [joint for joint, _, given in limited if joint.type == "continuous" and name in given]
        if endless:
            yield _report(endless, name, f"{name}={getattr(endless[0].limit, name):g}", "continuous-joint-limited")
            break
    locked: dict[str, list[Joint]] = {}
    for joint, limit, given in limited:
        if joint.type != "continuous" and limit.lower == limit.upper == 0.0:
            missing = " and ".join(name for name in ("lower", "upper") if name not in given)
            locked.setdefault(missing, []).append(joint)
    for missing, joints in locked.items():
        yield _report(joints, "lower", missing, "joint-range-missing" if missing else "joint-range-zero")


def _report(joints: list[Joint], attribute: str, what: str, rule: str) -> Diagnostic:
    """Report the limits of joints at the first one."""
    first, *others = [locate(joint.limit.element, attribute) for joint in joints if joint.limit is not None]
    return diagnose(rule, first, joint=joints[0].name, what=what, times=times_of(len(joints)),
                    related=[relate(ANOTHER, at) for at in others])
