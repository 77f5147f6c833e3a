"""Inertias in a conversion that no body can have: the one defect of a robot that no conversion mends."""
from __future__ import annotations

from sdf_frames.convert.urdf_to_sdf import Conversion, convert_robot
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, diagnose
from sdf_frames.urdf.model import Robot
from sdf_frames.spatial.mass_matrix import find_defects


def check_robot(robot: Robot) -> list[Diagnostic]:
    """The errors for which a robot that has been made is no valid URDF: those of its conversion to SDF and of its inertias."""
    conversion = convert_robot(robot)
    return [d for d in (*conversion.diagnostics, *check_written_inertials(conversion)) if d.severity == ERROR]


def check_written_inertials(conversion: Conversion) -> list[Diagnostic]:
    """A finding for each link of the result whose inertia libsdformat would refuse."""
    found = []
    model = f'/sdf/model[@name="{conversion.root.find("model").get("name")}"]'
    for link, inertial in conversion.inertials:
        _, mass, ixx, ixy, ixz, iyy, iyz, izz, line = inertial
        if defects := find_defects(mass, (ixx, iyy, izz, ixy, ixz, iyz)):
            found.append(diagnose("inertia-invalid", Location(conversion.file, line, f'{model}/link[@name="{link}"]/inertial'),
                                  link=link, defect="; ".join(d.text for d in defects)))
    return found
