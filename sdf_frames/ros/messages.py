"""The library's results as ROS messages: pure functions, no node."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import isfinite
from typing import Any

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from geometry_msgs.msg import Inertia, Point, Pose, Quaternion, Transform, TransformStamped, Vector3

import sdf_frames.msg as msg
from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Diagnostic, count_of
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.ros.frame_table import FrameEntry
from sdf_frames.ros.settings import name_parameters
from sdf_frames.spatial import pose as spatial
from sdf_frames.spatial.inertia import Tensor, rotate_tensor

#: A message, or a request or response of a service: their generated classes have no annotations.
Message = Any

#: More findings than this are not listed on /diagnostics, which is for monitors; the services give all of them.
_MOST_VALUES = 100


def to_pose(pose: spatial.Pose) -> Pose:
    """(x, y, z, qw, qx, qy, qz), metres and unit quaternion, as a Pose."""
    message = Pose()
    _set_pose(message.position, message.orientation, pose)
    return message


def _set_pose(p: Point | Vector3, q: Quaternion, pose: spatial.Pose) -> None:
    p.x, p.y, p.z, q.w, q.x, q.y, q.z = [value + 0.0 for value in pose]  # no minus zero


def to_transform(parent: str, child: str, pose: spatial.Pose, stamp: Time) -> TransformStamped:
    """`pose` of the frame `child` in `parent`, as TF has it."""
    stamped = TransformStamped()
    stamped.header.stamp = stamp
    stamped.header.frame_id = parent
    stamped.child_frame_id = child
    _set_pose(stamped.transform.translation, stamped.transform.rotation, pose)
    return stamped


def read_transform(message: Transform) -> spatial.Pose:
    """A Transform as (x, y, z, qw, qx, qy, qz)."""
    t, q = message.translation, message.rotation
    return t.x, t.y, t.z, q.w, q.x, q.y, q.z


def to_diagnostic(finding: Diagnostic) -> msg.Diagnostic:
    """A finding, None written as the empty string or 0."""
    return msg.Diagnostic(
        code=finding.code, name=finding.name, severity=finding.severity,
        message=to_text(name_parameters(finding.message)),
        file=to_text(finding.file), line=finding.line or 0, column=finding.column or 0,
        path=to_text(finding.path), hint=to_text(name_parameters(finding.hint or "")),
        related=[msg.Related(message=to_text(r.message), file=to_text(r.file), line=r.line or 0, column=r.column or 0,
                             path=to_text(r.path)) for r in finding.related], sdformat=finding.sdformat or "")


def to_text(value: str | None) -> str:
    """A string that a ROS message can carry: lone surrogates, which UTF-8 has no form for, are replaced."""
    return (value or "").encode("utf-8", "replace").decode()


def summarise(findings: Iterable[Diagnostic], good: str = "valid", bad: str = "invalid") -> str:
    """One line: the verdict, how many errors and warnings, and the first of the worst."""
    findings = list(findings)
    by_severity = {severity: [f for f in findings if f.severity == severity] for severity in ("error", "warning")}
    if not any(by_severity.values()):
        return good
    counts = " and ".join(count_of(len(found), severity) for severity, found in by_severity.items() if found)
    worst = (by_severity["error"] or by_severity["warning"])[0]
    return to_text(f"{bad if by_severity['error'] else good}, {counts}; {describe(worst)}")


def describe(finding: Diagnostic) -> str:
    """A finding in one line that is safe for a terminal: code, name, message, place and hint."""
    place = f" (line {finding.line})" if finding.line else ""
    if finding.file:
        place = f" ({finding.file}:{finding.line})" if finding.line else f" ({finding.file})"
    hint = f" [{finding.hint}]" if finding.hint else ""
    return escape_controls(name_parameters(f"{finding.code} {finding.name}: {finding.message}{place}{hint}"))


@lru_cache(64)  # most are repeated each second
def to_status(name: str, findings: tuple[Diagnostic, ...], robot: str, verdicts: tuple[str, str] = ("valid", "invalid"),
              pairs: tuple[tuple[str, str], ...] = ()) -> DiagnosticStatus:
    """Findings as a status for /diagnostics: its level is that of the worst, a value for each, and counts by family.

    `pairs` of key and value follow.
    """
    severities = {finding.severity for finding in findings}
    level = DiagnosticStatus.ERROR if "error" in severities else (
        DiagnosticStatus.WARN if "warning" in severities else DiagnosticStatus.OK)
    values = [KeyValue(key=f"{f.code} {f.name}", value=to_text(describe(f))) for f in findings[:_MOST_VALUES]]
    if len(findings) > _MOST_VALUES:
        values.append(KeyValue(key="more", value=f"{len(findings) - _MOST_VALUES} further findings; ask validate_sdf"))
    counts = Counter((finding.code[0], finding.severity) for finding in findings)
    values += [KeyValue(key=f"count {family} {severity}", value=str(n))
               for (family, severity), n in sorted(counts.items())]
    values += [KeyValue(key=key, value=to_text(value)) for key, value in pairs]
    return DiagnosticStatus(level=level, name=name, message=summarise(findings, *verdicts),
                            hardware_id=escape_controls(to_text(robot)), values=values)


def to_conversion_row(row: Row) -> msg.ConversionRow:
    """A row of the conversion report."""
    return msg.ConversionRow(element=row.element, name=to_text(row.name), action=row.action, into=to_text(row.into),
                             line=row.line or 0, reason=to_text(row.reason))


def to_frame(entry: FrameEntry) -> msg.Frame:
    """A resolved frame, with its frame id in TF (empty where it has none)."""
    frame = entry.frame
    message = msg.Frame(name=to_text(frame.name), kind=frame.kind, scope=to_text(entry.scope),
                        tf_frame=to_text(entry.tf_frame),
                        attached_to=to_text(frame.attached_to), relative_to=to_text(frame.relative_to),
                        link=to_text(frame.link), resolved=frame.pose is not None)
    if frame.pose is not None:
        message.pose = to_pose(frame.pose)
    return message


def to_inertia(mass: float, centre: spatial.Vector, tensor: Tensor) -> Inertia:
    """Mass (kg), centre of mass (m) and tensor (ixx, iyy, izz, ixy, ixz, iyz; kg m²) about it, in one frame's axes."""
    message = Inertia(m=float(mass))
    message.com.x, message.com.y, message.com.z = map(float, centre)
    message.ixx, message.iyy, message.izz, message.ixy, message.ixz, message.iyz = map(float, tensor)
    return message


def to_link_inertia(link: LinkInertia) -> msg.LinkInertia:
    """A link's inertia, in the axes of its inertial frame and of the link."""
    # A description may hold infinities; turning them would give NaN everywhere.
    tensor = rotate_tensor(link.pose[3:], link.inertia) if all(map(isfinite, link.inertia)) else link.inertia
    ixx, iyy, izz, ixy, ixz, iyz = map(float, link.inertia)
    return msg.LinkInertia(
        name=to_text(link.name), inertia=to_inertia(link.mass, link.pose[:3], tensor), pose=to_pose(link.pose),
        ixx=ixx, iyy=iyy, izz=izz, ixy=ixy, ixz=ixz, iyz=iyz, is_auto=link.auto, method=link.method,
        physical=link.physical)
