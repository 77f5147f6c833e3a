"""Checks the inertias of a URDF: as each link states them, and as lumping combines them."""
from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.urdf_to_sdf import Conversion, convert_robot
from sdf_frames.diagnostics import ERROR, Diagnostic, diagnose
from sdf_frames.document.elements import locate
from sdf_frames.spatial.inertia import ROUNDING, FailedCondition, find_defects
from sdf_frames.urdf.model import Inertial, Robot

#: Findings on inertias that no body can have. Which one depends on the links that are lumped.
IMPOSSIBLE = ("inertia-invalid", "inertia-invalid-as-written")


class Written(NamedTuple):
    """The defects of the inertias that a URDF states.

    Attributes
    ----------
    found : a finding for each link with an impossible inertia.
    excused : those of them that are errors, although the inertia in the SDF is possible.
    carriers : SDF links that carry these inertias; an impossible inertia of theirs is not reported again.
    """

    found: list[Diagnostic]
    excused: list[Diagnostic]
    carriers: frozenset[str]


def check_robot_inertials(conversion: Conversion) -> Written:
    """Check every ``<inertial>`` of a URDF as written, also of links that are lumped or are not in the SDF.

    An inertia that may only be impossible because its digits are rounded is accepted. If libsdformat accepts the
    inertia in the SDF, the finding is a warning. A negative mass remains an error.
    """
    wrong = {link.name: (link.inertial, defects) for link in conversion.robot.links if link.inertial is not None
             and conversion.consequences.get(link.name, "") is not None
             and (defects := find_defects(link.inertial.mass, link.inertial.tensor, ROUNDING))}
    if not wrong:
        return Written([], [], frozenset())
    hosts = {row.name: row.into or row.name for row in conversion.entries
             if row.kind == "link" and row.name in wrong and row.action in ("kept", "renamed", "lumped")}
    carriers = frozenset(hosts.values())
    impossible = {name for name, inertial in conversion.inertials
                  if name in carriers and find_defects(inertial.mass, inertial.tensor)}
    found, excused = [], []
    for link, (inertial, defects) in wrong.items():
        host, unseen = hosts.get(link), bool(conversion.inertials) and hosts.get(link) not in impossible
        if link in conversion.consequences:
            found.append(_report(link, inertial, defects,
                                 f"; the link is treated as massless{conversion.consequences[link]}"))
            excused += found[-1:] if unseen else []
        elif unseen:
            found.append(_report(link, inertial, defects, "; the link is not in the SDF" if host is None else
                                 f"; the lumped inertia of {host!r} is possible, so Gazebo loads it",
                                 "inertia-invalid-as-written"))
        else:
            found.append(_report(link, inertial, defects))
    return Written(found, excused, carriers)


def check_lumped(robot: Robot, hosts: dict[str, str | None]) -> list[Diagnostic]:
    """Report impossible inertias of links that are lumped into `hosts`, and of hosts: the sum may hide them."""
    stated = {link.name: link.inertial for link in robot.links if link.inertial is not None}
    ends: dict[str | None, str] = {}
    for name in hosts.keys() & stated.keys():
        ends.setdefault(hosts[name], "; other links are lumped into the link")
        ends[name] = f"; the link is lumped into {hosts[name]!r}"
    return [_report(name, inertial, defects, ends[name],
                    "inertia-invalid" if inertial.mass < 0 else "inertia-invalid-as-written")
            for name, inertial in stated.items() if name in ends
            and (defects := find_defects(inertial.mass, inertial.tensor, ROUNDING))]


def check_conversion(conversion: Conversion) -> list[Diagnostic]:
    """Report each impossible inertia of a URDF: as written, or if that is possible, after lumping."""
    written = check_robot_inertials(conversion)
    return [*written.found, *[_report(name, inertial, defects) for name, inertial in conversion.inertials
                              if name not in written.carriers and isfinite(sum(inertial.tensor, inertial.mass))
                              and (defects := find_defects(inertial.mass, inertial.tensor))]]


def check_robot(robot: Robot) -> list[Diagnostic]:
    """Return the errors in a robot that this library made: those of its conversion to SDF, and of its inertias.

    Links between the two axes of one joint have no mass, which is not an error in a URDF. Numbers that are not finite
    are reported when the text is made.
    """
    conversion = convert_robot(robot, ConvertOptions(massless="keep"))
    return [d for d in (*conversion.diagnostics, *check_conversion(conversion))
            if d.severity == ERROR and d.name != "number-overflow"]


def _report(link: str, inertial: Inertial, defects: tuple[FailedCondition, ...], end: str = "",
            rule: str = "inertia-invalid") -> Diagnostic:
    """Report an inertia that no body can have; `end` states the consequence."""
    return diagnose(rule, locate(inertial.element), link=link, defect="; ".join(d.text for d in defects) + end,
                    hint=defects[0].remedy)
