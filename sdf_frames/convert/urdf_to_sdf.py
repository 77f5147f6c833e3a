"""URDF to SDF: a robot in, an SDF document, a report and findings out."""
from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from sdf_frames.convert.carry import carry_elements
from sdf_frames.convert.emit_joints import emit_joint, emit_lumped_frames, emit_massless_frame, report_lumped
from sdf_frames.convert.emit_links import emit_link
from sdf_frames.convert.emit_parts import MAX_LINE, put, put_only
from sdf_frames.convert.extensions import MODEL, is_true, read_extensions
from sdf_frames.convert.fates import find_destinations
from sdf_frames.convert.job import Job, Output
from sdf_frames.convert.losses import put_loss_first, report_dropped, report_loss, report_unused
from sdf_frames.convert.lump import DROPPED, FRAME, KEPT, LUMPED, WORLD, lump
from sdf_frames.convert.names import choose_names
from sdf_frames.convert.options import SDF_VERSIONS, ConvertOptions
from sdf_frames.convert.places import Places
from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.budget import DEFAULT, Budget, Spending
from sdf_frames.document.xml_in import Document, locate, read_xml, tag_of, url_of
from sdf_frames.document.xml_out import write_xml
from sdf_frames.urdf.model import Inertial, Robot
from sdf_frames.urdf.parse import read_robot


@dataclass(frozen=True, slots=True)
class Conversion:
    """A robot as SDF, and what became of its parts.

    Attributes
    ----------
    robot : what was converted.
    document : the ``<sdf>`` that came of it; what stems from the URDF has its line there as ``sourceline``.
    rows : what became of every element of the URDF, as :class:`~sdf_frames.convert.report.Row`.
    diagnostics : findings of the conversion; with an error among them the result is not to be used.
    inertials : names of the links, and the inertials written for them.
    unproven : whether the result holds what only reading it back can judge: elements of ``<gazebo>``, which are taken
        over as they are, or axes of hardly any length.
    """

    robot: Robot
    document: Document
    rows: tuple[Row, ...]
    diagnostics: tuple[Diagnostic, ...]
    inertials: tuple[tuple[str, Inertial], ...]
    unproven: bool

    def write(self) -> str:
        """The result as text."""
        return write_xml(self.document.root)


_DEFAULT = ConvertOptions()
_SHORT = 1e-5


def convert_robot(robot: Robot, options: ConvertOptions = _DEFAULT, file: str | None = None) -> Conversion:
    """Convert `robot`, which is left as it is.

    Parameters
    ----------
    file : name to report; the robot's own where None.
    """
    found: list[Diagnostic] = []
    file = robot.file if file is None else file
    extensions = read_extensions(robot)
    tree = lump(robot, extensions.held, options)
    model_name, new_links, joint_names = choose_names(
        robot, _names_in_elements(extensions.by_key.get(MODEL, ())), found)
    root = etree.Element("sdf", version="1.7")
    root.sourceline = min(robot.line or 0, MAX_LINE)
    root.getroottree().docinfo.URL = url_of(file)
    out = Output(put(root, "model", None, robot.line, name=model_name))
    link_names = [new_links.get(link.name, link.name) for link in robot.links]
    joints = {joint.name: joint for joint in robot.joints}
    destinations = find_destinations(robot, extensions, tree)
    job = Job(robot, options, extensions, tree, link_names, joint_names, joints, destinations, Places(robot), out,
              [], found)
    report_loss(job)
    for i in tree.order:
        _emit(job, i)
    _emit_model_settings(job)
    emit_lumped_frames(job)
    if robot.origin is not None:
        put(out.model, "pose", out.numbers.pose(robot.origin), robot.line)
    report_unused(job)
    if not out.numbers.finite:
        job.report("number-overflow", Location(file, robot.line, job.places.base))
    root.set("version", _choose_version(job))
    # What has been carried over, and axes of hardly any length, only a reader of the SDF can judge.
    unproven = any(e.elements or e.collision_elements or e.visual_elements
                   for of_key in extensions.by_key.values() for e in of_key)
    unproven = unproven or any(j.axis is not None and max(j.axis) < _SHORT > -min(j.axis) for j in robot.joints)
    return Conversion(robot, Document(root, file, tuple(out.carried)), tuple(job.rows), tuple(found),
                      tuple(out.inertials),
                      unproven)


def _emit(job: Job, i: int) -> None:
    """Link `i` and the joint above it, as it was decided by lumping."""
    status, link = job.tree.status[i], job.tree.links[i]
    if status == KEPT:
        if job.tree.joint[i] is not None:
            emit_joint(job, i)
        emit_link(job, i)
    elif status == LUMPED:
        report_lumped(job, i)
    elif status == FRAME:
        emit_massless_frame(job, i)
    elif status == DROPPED:
        report_dropped(job, i)
    elif status == WORLD:
        job.rows.append(Row("link", link.name, "kept", "world", link.line, "the SDF world"))
        parts = (("an inertial", link.inertial), ("visuals", link.visuals), ("collisions", link.collisions))
        if content := [name for name, part in parts if part]:
            job.report("world-link-content", job.places.at("link", link.name, link.line), what=" and ".join(content))


def convert_text(text: str | bytes, file: str | None = None, options: ConvertOptions = _DEFAULT,
                 budget: Budget = DEFAULT) -> tuple[str | None, Conversion | None, tuple[Diagnostic, ...]]:
    """URDF text to SDF text.

    Returns
    -------
    sdf, conversion, diagnostics
        All findings from reading to writing; the text is None exactly when one of them is an error, the conversion
        where it did not come to one.
    """
    document, found = read_xml(text, file, spending=Spending(budget))
    if document is None:
        return None, None, found
    if document.root.tag == "sdf":
        return None, None, (*found, diagnose("already-sdf", locate(document.root)))
    robot, more = read_robot(document)
    found += more
    if robot is None or has_errors(more):
        return None, None, found
    conversion = convert_robot(robot, options)
    found = put_loss_first((*found, *conversion.diagnostics))
    return None if has_errors(found) else conversion.write(), conversion, found


def _names_in_elements(extensions) -> set[str]:
    """Names that elements under a bare ``<gazebo>`` take in the model's scope."""
    return {name for extension in extensions for element in extension.elements
            if element.tag in ("link", "joint", "frame", "model") and (name := element.get("name", "").strip())}


def _emit_model_settings(job: Job) -> None:
    for extension in job.extensions.by_key.get(MODEL, ()):
        if (setting := extension.model.get("static")) is not None:
            put_only(job.out.model, "static", "true" if is_true(setting.value) else "false", setting.line)
            job.rows.append(Row("static", job.robot.name, "kept", job.out.model.get("name"), setting.line))
        elements = extension.elements
        if job.robot.origin is not None and any(element.tag == "pose" for element in elements):
            job.rows.extend([Row("pose", job.robot.name, "dropped", None, element.sourceline,
                                 "the robot's <origin> counts")
                         for element in elements if element.tag == "pose"])
            elements = [element for element in elements if element.tag != "pose"]
        carry_elements(job, job.out.model, elements, None, None)


def _choose_version(job: Job) -> str:
    """The version asked for, or the lowest that does; findings where what is asked for does not."""
    needed = max(job.out.needs, key=SDF_VERSIONS.index, default="1.7")
    wanted = job.options.sdf_version
    at = Location(job.robot.file, job.robot.line, job.places.base)
    if wanted is not None and wanted not in SDF_VERSIONS:
        job.report("sdf-version-unknown", at, version=wanted)
        return needed
    if wanted is not None and SDF_VERSIONS.index(wanted) < SDF_VERSIONS.index(needed):
        job.found.append(diagnose("sdf-version-too-low", at, version=wanted, content=job.out.needs[needed],
                                  needed=needed))
    version = wanted or needed
    for element in job.out.scoped if version != "1.7" else ():
        job.report("scoped-name-in-extension", locate(element), version=version, called=element.get("name"),
                   tag=tag_of(element))
    return version
