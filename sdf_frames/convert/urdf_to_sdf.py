"""Converts a URDF robot to SDFormat: makes an SDF document, a report and findings."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from lxml import etree

from sdf_frames.convert.carried_content import carry_content, put_content
from sdf_frames.convert.carry import carry_elements
from sdf_frames.convert.decide_joints import decide_joint, decide_lumped, decide_massless_frame, place_frames
from sdf_frames.convert.decide_links import decide_link
from sdf_frames.convert.emit import Emitter
from sdf_frames.convert.extensions import MODEL, Extension, read_extensions
from sdf_frames.convert.fates import Contents, Fate, LinkFate, ModelFate, Value, has_marks
from sdf_frames.convert.job import Job
from sdf_frames.convert.losses import report_replaced, report_unused
from sdf_frames.convert.lump import DROPPED, FRAME, KEPT, WORLD, lump
from sdf_frames.convert.massless import LOSSES, report_dropped, report_loss
from sdf_frames.convert.options import SDF_VERSIONS, ConvertOptions
from sdf_frames.convert.report import Entry, Row, make_rows
from sdf_frames.convert.round_trip_attributes import PREFIXES
from sdf_frames.convert.sdf_names import Names, choose_names
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.elements import locate, tag_of
from sdf_frames.document.places import make_root
from sdf_frames.document.xml_in import Document
from sdf_frames.sdf.names import UNDIVIDED_SINCE, Taken
from sdf_frames.sdf.table import version_key
from sdf_frames.urdf.model import Inertial, Robot, child_of
from sdf_frames.urdf.versions import OLDEST, read_version


class Conversion(NamedTuple):
    """A robot as SDF, and the fates of its parts.

    Attributes
    ----------
    robot : the converted robot.
    document : the ``<sdf>`` tree; its elements have the locations of their origins in the URDF.
    entries : the fate of every element of the URDF.
    diagnostics : findings of the conversion; if one is an error, do not use the result.
    inertials : the name of each link of the SDF, and the inertial written for it.
    assumed : names of the links of the SDF whose mass and inertia the URDF does not state.
    consequences : the effects of a mass that is negative or cannot be read, by the name of its URDF link: the end of
        the message about the mass; None if a finding of the conversion has both.
    """

    robot: Robot
    document: Document
    entries: list[Entry]
    diagnostics: tuple[Diagnostic, ...]
    inertials: tuple[tuple[str, Inertial], ...]
    assumed: frozenset[str]
    consequences: dict[str, str | None]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The entries with the lines of their start tags; found when asked for."""
        return make_rows(self.entries)

    def judge(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the findings on the URDF and of the conversion: losses first, then each mass with its consequences."""
        ends = {finding: self.consequences[link] for link, finding in self.robot.unread_masses}
        told = [d._replace(message=d.message + (ends.get(d) or "")) for d in found if ends.get(d, "") is not None]
        return sorted([*told, *self.diagnostics], key=lambda d: d.name not in LOSSES)


_DEFAULT = ConvertOptions()


def convert_robot(robot: Robot, options: ConvertOptions = _DEFAULT) -> Conversion:
    """Convert `robot` without changing it."""
    job = make_job(robot, options)
    found, starts = job.found, job.starts
    root = make_root("sdf", robot.file, starts, version=SDF_VERSIONS[0])
    starts[root] = robot.element
    fates = list(decide(job))
    content = carry_content(job, fates)
    marked = content or has_marks(fates) or read_version(robot.version) not in (OLDEST, None)
    model = etree.SubElement(root, "model", {"name": job.names.model}, PREFIXES if marked else None)
    emitter = Emitter(model, job)
    emitter.emit(fates)
    put_content(model, content, job)
    report_unused(job)
    if job.replaced:
        report_replaced(job)
    if not job.numbers.finite:
        from sdf_frames.convert.finite import find_infinite
        element = find_infinite(root)
        job.report("number-overflow", locate(robot.element if element is None else element))
    root.set("version", _choose_version(job))
    return Conversion(robot, Document(root, robot.file, tuple(emitter.carried)), job.rows,
                      tuple(found), tuple([(fate.name, fate.inertial) for fate in fates if isinstance(fate, LinkFate)]),
                      frozenset([job.names.links[i] for i in job.lumping.massless]), job.consequences)


def make_job(robot: Robot, options: ConvertOptions, held: Collection[str] = (), rename: bool = True) -> Job:
    """Lump a robot, and choose the names and destinations of its parts.

    Parameters
    ----------
    held : further fixed joints that are not to be lumped.
    rename : give parts the names that SDF allows.
    """
    found: list[Diagnostic] = []
    extensions = read_extensions(robot)
    lumping = lump(robot, extensions.held | {*held}, options)
    lost = {robot.links[i].name for i in lumping.tree.order if lumping.status[i] == DROPPED}
    names = choose_names(robot, _names_in_elements(extensions.by_key.get(MODEL, ())), lost, found) if rename else (
        Names(robot.name, [link.name for link in robot.links], {}, Taken()))
    return Job(robot, options, extensions, lumping, names, found)


def decide(job: Job) -> Iterator[Fate]:
    """Decide the content of the SDF: yield fates in the order in which they are written, and report the rest."""
    report_loss(job)
    for i in job.tree.order:
        yield from _decide_part(job, i)
    yield from place_frames(job)
    yield from _decide_model(job)
    if (origin := job.robot.origin) is not None:
        yield ModelFate([Value(0, (), "pose", job.numbers.pose(origin), child_of(job.robot, "origin"))])


def _decide_part(job: Job, i: int) -> Sequence[Fate]:
    """Decide on link `i` and the joint above it, as the lumping requires."""
    tree, lumping = job.tree, job.lumping
    status, link, joint = lumping.status[i], tree.links[i], tree.joint[i]
    if status == KEPT:
        return (decide_link(job, i),) if joint is None else (decide_joint(job, i, joint), decide_link(job, i))
    if status == DROPPED:
        report_dropped(job, i)
    elif status == WORLD:
        job.tell("link", link.name, "kept", "world", link.element, "becomes the SDF world")
        parts = (("an inertial", link.inertial), ("visuals", link.visuals), ("collisions", link.collisions))
        if content := [name for name, part in parts if part]:
            job.report("world-link-content", locate(link.element), what=" and ".join(content))
    elif joint is not None:
        if status == FRAME:
            decide_massless_frame(job, i, joint)
        else:
            decide_lumped(job, i, joint)
    return ()


def _names_in_elements(extensions: Iterable[Extension]) -> set[str]:
    """Return the names of elements under a bare ``<gazebo>`` in the model's scope."""
    return {name for extension in extensions for element in extension.elements
            if element.tag in ("link", "joint", "frame", "model") and (name := element.get("name", "").strip())}


def _decide_model(job: Job) -> Iterator[Fate]:
    """Decide on the content of ``<gazebo>`` elements without a reference, which is for the model."""
    for extension in job.extensions.by_key.get(MODEL, ()):
        contents: Contents = []
        if (setting := extension.settings.get("static")) is not None:
            contents += job.read_setting(setting) or ()
            job.tell("static", job.robot.name, "kept", job.names.model, setting.element)
        elements = extension.elements
        if job.robot.origin is not None:
            job.rows.extend([Entry("pose", job.robot.name, "dropped", None, element,
                                   "the robot's <origin> is used") for element in elements if element.tag == "pose"])
            elements = [element for element in elements if element.tag != "pose"]
        yield ModelFate([*contents, *carry_elements(job, elements, None, None)])


def _choose_version(job: Job) -> str:
    """Return the SDF version to write: the lowest possible, or the one asked for; report that if it is too low."""
    needed = max(job.needs, key=SDF_VERSIONS.index, default=SDF_VERSIONS[0])
    wanted = job.options.sdf_version
    if wanted is not None and wanted not in SDF_VERSIONS:
        job.report("sdf-version-unknown", locate(job.robot.element), version=wanted, oldest=SDF_VERSIONS[0],
                   newest=SDF_VERSIONS[-1])
        return needed
    if wanted is not None and SDF_VERSIONS.index(wanted) < SDF_VERSIONS.index(needed):
        content, element = job.needs[needed]
        job.report("sdf-version-too-low", locate(element), version=wanted, content=content, needed=needed)
    version = wanted or needed
    for element in job.scoped if version_key(version) >= UNDIVIDED_SINCE else ():
        job.report("scoped-name-in-extension", locate(element), version=version, called=element.get("name"),
                   tag=tag_of(element))
    return version
