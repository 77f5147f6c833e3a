"""Checks the inertias of a URDF: as each link states them, and as lumping combines them."""
from __future__ import annotations

from collections.abc import Collection

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.urdf_to_sdf import Conversion, convert_robot
from sdf_frames.diagnostics import ERROR, Diagnostic, diagnose
from sdf_frames.document.xml_in import locate
from sdf_frames.spatial.mass_matrix import ROUNDING, find_defects
from sdf_frames.urdf.model import Inertial, Robot


def check_robot_inertials(conversion: Conversion) -> dict[str, Diagnostic]:
    """Judge every ``<inertial>`` of a URDF as written, also of links that are lumped or are not in the SDF.

    What the rounding of the written digits can explain is no error here. Of what is written to the SDF, libsdformat's
    own verdict counts.

    Returns
    -------
    dict
        One error for each link with an impossible inertia, by the link's name in the URDF.
    """
    ends = {link: end if end is None else f"; the link is treated as massless{end}"
            for link, end in conversion.consequences.items()}
    return {link.name: finding._replace(message=finding.message + end) for link in conversion.robot.links
            if link.inertial is not None and (end := ends.get(link.name, "")) is not None
            and (finding := _judge(link.name, link.inertial, ROUNDING)) is not None}


def find_hosts(conversion: Conversion, links: Collection[str]) -> dict[str, str]:
    """Return, for each of the URDF's `links` whose inertia is in the SDF, the name of the SDF link that carries it.

    If an inertia as written is impossible, it is reported. An impossible inertia of its SDF link then follows from it,
    and is not reported.
    """
    if not links:
        return {}
    return {row.name: row.into or row.name for row in conversion.entries
            if row.kind == "link" and row.name in links and row.action in ("kept", "renamed", "lumped")}


def find_excused(conversion: Conversion, written: dict[str, Diagnostic],
                 hosts: dict[str, str]) -> frozenset[Diagnostic]:
    """Return the errors of `written` that do not concern the SDF, because the lumped inertia is possible."""
    affected = set(hosts.values())
    impossible = {name for name, inertial in conversion.inertials
                  if name in affected and find_defects(inertial.mass, inertial.tensor)}
    return frozenset([finding for link, finding in written.items() if hosts.get(link) not in impossible])


def check_conversion(conversion: Conversion) -> list[Diagnostic]:
    """Report each impossible inertia of a URDF, as written, or if that is possible, as combined by lumping."""
    written = check_robot_inertials(conversion)
    hosts = set(find_hosts(conversion, written).values())
    combined = [_judge(name, inertial) for name, inertial in conversion.inertials if name not in hosts]
    return [*written.values(), *filter(None, combined)]


def check_robot(robot: Robot) -> list[Diagnostic]:
    """Return the errors in a robot that this library made: those of its conversion to SDF, and of its inertias.

    Links that only stand between two axes have no mass, which is no error in a URDF.
    """
    conversion = convert_robot(robot, ConvertOptions(massless="keep"))
    return [d for d in (*conversion.diagnostics, *check_conversion(conversion)) if d.severity == ERROR]


def _judge(link: str, inertial: Inertial, rounding: float = 0.0) -> Diagnostic | None:
    """Report an inertia that no body can have."""
    defects = find_defects(inertial.mass, inertial.tensor, rounding)
    if not defects:
        return None
    return diagnose("inertia-invalid", locate(inertial.element), link=link, defect="; ".join(d.text for d in defects))
