"""Inertias in a converted document that no body can have: the one defect of a robot that no conversion mends."""
from __future__ import annotations

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.xml_in import Element, locate
from sdf_frames.spatial.mass_matrix import find_defects

_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def check_written_inertials(root: Element) -> list[Diagnostic]:
    """A finding for each link of a converted ``<sdf>`` tree whose inertia libsdformat would refuse."""
    found = []
    for link in root.iterfind("model/link"):
        inertial = link.find("inertial")
        if inertial is None:
            continue
        inertia = inertial.find("inertia")
        moments = tuple([float(inertia.findtext(tag)) for tag in _MOMENTS])
        if defects := find_defects(float(inertial.findtext("mass")), moments):
            found.append(diagnose("inertia-invalid", locate(inertial), link=link.get("name"),
                                  defect="; ".join(d.text for d in defects)))
    return found
