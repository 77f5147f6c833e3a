"""Inertias in a conversion that no body can have: the one defect of a robot that no conversion mends."""
from __future__ import annotations

from sdf_frames.convert.urdf_to_sdf import Conversion
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.spatial.mass_matrix import find_defects


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
