"""Reports massless links, and what is lost below them: a link without mass can be neither in the SDF nor lumped."""
from __future__ import annotations

from collections.abc import Callable, Iterator

from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import DROPPED, KEPT, LinkTree, find_mass_below, list_below
from sdf_frames.diagnostics import ERROR, Related, count_of, plural, relate
from sdf_frames.document.elements import find_child, locate
from sdf_frames.urdf.model import JOINT_TYPES, Link

_LISTED = 5
#: Findings that say which links are not in the SDF.
LOSSES = ("massless-subtree-dropped", "massless-link-dropped", "massless-link-refused")


def describe_massless(link: Link) -> str:
    """Say, for a message, why `link` is massless."""
    if link.inertial is None:
        written = link.element is not None and find_child(link.element, "inertial") is not None
        return "has an <inertial> without a usable mass" if written else "has no mass"
    return f"has a mass of {link.inertial.mass:g}"


def list_names(names: list[str], show: Callable[[str], str] = repr) -> str:
    """Return the first of these names, separated by commas."""
    return ", ".join(map(show, names[:_LISTED])) + (", …" if len(names) > _LISTED else "")


def report_loss(job: Job) -> None:
    """Summarize how much of the robot is lost below massless links on moving joints: in the first row.

    If there are several of these links, a finding summarizes it, too.
    """
    tree, lumping = job.tree, job.lumping
    if KEPT not in lumping.status:
        return
    dropped = [i for i in tree.order if lumping.status[i] == DROPPED]  # not the root: nothing would be kept
    causes = [i for i in dropped if lumping.status[tree.parent[i]] != DROPPED]
    if len(dropped) == len(causes):
        return
    count, mass = _measure(tree, dropped)
    names = [tree.links[i].name for i in causes]
    first = tree.links[causes[0]]
    if len(causes) > 1:
        job.report("massless-subtree-dropped", locate(first.element), count=count, mass=mass, links=list_names(names),
                   severity=ERROR if job.options.massless == "error" else None)
    job.tell("subtree", list_names(names, str), "dropped", None, first.element, f"{count}, {mass} are not in the SDF")


def _measure(tree: LinkTree, links: list[int]) -> tuple[str, str]:
    """Say which part of the robot's links and of its mass `links` are."""
    masses = [0.0 if inertial is None else inertial.mass for inertial in tree.inertials]
    return (f"{len(links)} of {count_of(len(tree.links), 'link')}",
            f"{sum(masses[i] for i in links):.4g} of {sum(masses):.4g} kg")


def report_dropped(job: Job, i: int) -> None:
    """Report a dropped link and its joint. The uppermost link of a dropped subtree also gets a finding."""
    tree, lumping = job.tree, job.lumping
    link, joint, p = tree.links[i], tree.joint[i], tree.parent[i]
    cause = p < 0 or lumping.status[p] != DROPPED
    if cause:
        _report_massless(job, i)
    reason = ("the link is massless, and no fixed joint connects it to a link with mass" if cause else
              "the link is below a massless link that is left out")
    if joint is not None:
        job.tell("joint", joint.name, "dropped", None, joint.element, "its child link is massless" if cause else reason)
        if joint.mimic is not None and JOINT_TYPES[joint.type].one_axis:
            job.tell("mimic", joint.name, "dropped", None, joint.mimic.element, "its joint is left out")
    job.tell("link", link.name, "dropped", None, link.element, reason)
    for kind, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            job.tell(kind, shape.name or link.name, "dropped", None, shape.element, "its link is left out")


def _report_massless(job: Job, i: int) -> None:
    """Report a massless link; related places and hint say what libsdformat says in a chain of messages."""
    tree, robot = job.tree, job.robot
    link, joint = tree.links[i], tree.joint[i]
    below = list_below(tree.children, i)[1:]
    related = [*_relate_lost(tree, i, below)]
    hint = _hint_mass(job, i)
    problem = describe_massless(link)
    consequences = job.consequences if link.name in job.consequences else {}
    if (unread := dict(robot.unread_masses).get(link.name)) is not None:
        hint = unread.hint or hint
        related.append(Related(unread.message, unread.line, unread.path, unread.file, unread.column))
    if joint is None:
        consequences[link.name] = None
        job.report("robot-without-mass", locate(link.element), robot=robot.name, link=link.name,
                   problem=problem, hint=hint, related=related)
        return
    lost = " is"
    if below:
        lost = f" and the {plural('link', len(below))} below it ({', '.join(_measure(tree, [i, *below]))}) are"
    refused = job.options.massless == "error"
    if consequences and not refused:
        consequences[link.name] = f"; its joint moves, so the link{lost} left out of the SDF"
        return
    consequences[link.name] = None
    job.report("massless-link-refused" if refused else "massless-link-dropped", locate(link.element), link=link.name,
               problem=problem, hint=hint, related=related, lost=lost)


def _relate_lost(tree: LinkTree, i: int, below: list[int]) -> Iterator[Related]:
    """Relate what is lost with a massless link: the links `below` it and their joints, and its own joint."""
    if below:
        parts = (("link", [tree.links[k] for k in below]), ("joint", [tree.joint_above(k) for k in below]))
        for kind, listed in parts:
            yield relate(f"{count_of(len(below), kind)} below it: {list_names([part.name for part in listed])}",
                         locate(listed[0].element))
    if (joint := tree.joint[i]) is not None:
        yield relate(f"its joint {joint.name!r} is left out of the SDF", locate(joint.element))


def _hint_mass(job: Job, i: int) -> str:
    """Say how a massless link gets mass; lumping helps only where it brings some."""
    tree, inertial = job.tree, job.tree.links[i].inertial
    if inertial is not None and inertial.mass < 0.0:
        return "write its mass as a positive number of kilograms"
    hint = "give it a mass and an inertia, or convert with --massless keep (in Python: massless='keep')"
    fixed = [name for k in find_mass_below(tree, i)
             if (name := tree.joint_above(k).name) in job.extensions.held or job.options.preserve_fixed_joints]
    if not fixed:
        return hint
    joints = f"fixed child {plural('joint', len(fixed))} {list_names(fixed)}"
    if job.options.preserve_fixed_joints:
        return f"{hint}; or lump fixed joints: the link then gets the mass behind {joints}"
    return (f"{hint}; or allow joint lumping by removing <disableFixedJointLumping> and <preserveFixedJoint> from "
            f"{joints}, or setting them to false")
