"""Decides the fates of joints, and of links that become frames."""
from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from sdf_frames.convert.carry import carry_elements
from sdf_frames.convert.fates import AxisFate, Contents, FrameFate, JointFate, Marks, Value, rank_of
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import FRAME, KEPT, LUMPED, WORLD
from sdf_frames.convert.report import Entry
from sdf_frames.convert.round_trip_attributes import AXIS, NAME, ORIGIN, PARENT, TYPE
from sdf_frames.diagnostics import suggest_name
from sdf_frames.document.elements import locate
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.sdf.table import FRAME_ENDS_SINCE, SINCE
from sdf_frames.urdf.model import JOINT_TYPES, Dynamics, Joint, Mimic, Origin, child_of

UNLIMITED = -1.0  # SDF's number for no limit of effort or velocity


def _find_place(job: Job, i: int, joint: Joint) -> tuple[str, str, Origin, Marks]:
    """Find the pose of the joint above link `i` in the SDF.

    Returns
    -------
    parent, relative_to, origin, marks
        The joint's parent frame, the frame that its pose is in, the pose, and attributes that keep a lumped parent.
    """
    tree, lumping = job.tree, job.lumping
    p = tree.parent[i]
    h = lumping.host[p]
    if lumping.status[h] == WORLD:
        return WORLD_FRAME, MODEL_FRAME, joint.origin, ()
    name = job.names.links[h]
    if h == p:
        return name, name, joint.origin, ()
    marks = ((PARENT, job.names.links[p]), (ORIGIN, job.numbers.pose(joint.origin)))
    return name, name, lumping.in_host[p].place(joint.origin), marks


def _mark_name(job: Job, joint: Joint) -> Marks:
    return ((NAME, joint.name),) if joint.name in job.names.joints and joint.name.strip() else ()


def decide_joint(job: Job, i: int, joint: Joint) -> JointFate | FrameFate:
    """Decide on the joint above kept link `i`: a joint of the SDF, or a frame for a floating or planar joint."""
    tree, lumping, child = job.tree, job.lumping, job.names.links[i]
    name = job.names.joint(joint.name)
    parent, relative_to, origin, marks = _find_place(job, i, joint)
    marks += _mark_name(job, joint)
    kind = JOINT_TYPES[joint.type]
    if kind.sdf is None:
        _report_free(job, joint, tree.links[i].name, child)
        # attached_to the child, so that it moves with it as a joint's frame does; the link's own pose refers to it.
        marks += ((TYPE, joint.type),) if joint.axis is None else (
            (TYPE, joint.type), (AXIS, job.numbers.join(joint.axis)))
        return FrameFate(name, child, origin, relative_to, joint.element, marks)
    locked = joint.type == "fixed" and joint.name in job.extensions.disabled
    if parent != WORLD_FRAME and lumping.status[lumping.host[tree.parent[i]]] == FRAME:
        job.need(FRAME_ENDS_SINCE, f"joint {name!r} with frame {parent!r} as its parent", joint.element)
    axis = _decide_axis(job, joint) if kind.one_axis else None
    if locked:
        axis = AxisFate((0.0, 0.0, 1.0), joint.element, [("lower", 0.0), ("upper", 0.0)], joint.element, Dynamics())
        marks += ((TYPE, joint.type),)
    renamed = name if name != joint.name else None
    job.tell("joint", joint.name, "renamed" if renamed else "kept", renamed, joint.element,
             "disableFixedJointLumping makes it a revolute joint locked at 0" if locked
             else "SDF does not allow a link and a joint of the same name" if renamed else None)
    contents = _decide_contents(job, joint, name, axis is not None)
    return JointFate(name, "revolute" if locked else kind.sdf, parent, child, origin, relative_to, axis, contents,
                     joint.element, marks)


def _report_free(job: Job, joint: Joint, link: str, child: str) -> None:
    """Report that the child link of a floating or planar joint moves freely in the SDF."""
    free, hint = "moves freely, as it does in the URDF", {"hint": "leave it as it is: no motion is lost"}
    if joint.axis is not None:
        normal = job.numbers.join(joint.axis)
        free, hint = f"moves freely, and is no longer held in the plane with the normal {normal}", {}
    job.report("joint-without-counterpart", locate(joint.element), type=joint.type,
               joint=joint.name, link=link, free=free, **hint)
    job.tell("joint", joint.name, "to-frame", child, joint.element,
             f"SDF has no {joint.type} joint; link {child!r} {free}")


def _decide_axis(job: Job, joint: Joint) -> AxisFate:
    """Decide on the axis of a joint that moves: its limits, dynamics and mimic."""
    limit, mimic, leader, held = joint.limit, joint.mimic, "", None
    if mimic is not None:
        leader, held = _decide_mimic(job, joint, mimic)
    bounds: list[tuple[str, float]] = []
    element = joint.element
    if held is not None and mimic is not None:
        bounds = [("lower", held), ("upper", held), ("effort", UNLIMITED), ("velocity", UNLIMITED)]
        element = mimic.element
    if limit is not None:
        lower, upper, effort, velocity, element = limit[:5]
        if held is None and JOINT_TYPES[joint.type].bounded:
            if lower > upper:
                job.report("limit-reversed", locate(element, "lower"), joint=joint.name,
                           lower=lower, upper=upper)
                lower, upper = upper, lower
            bounds = [("lower", lower), ("upper", upper)]
        bounds = [*bounds[:2], *[(tag, value if isfinite(value) else UNLIMITED)
                                 for tag, value in (("effort", effort), ("velocity", velocity))]]
    return AxisFate(joint.axis or (), child_of(joint, "axis"), bounds, element, joint.dynamics, mimic, leader)


def _decide_mimic(job: Job, joint: Joint, mimic: Mimic) -> tuple[str, float | None]:
    """Return the name of the leader if it moves in the SDF (else ""), and the position to hold if it is fixed."""
    at = locate(mimic.element, "joint")
    leader, held, into = job.tree.joints.get(mimic.joint), None, None
    if leader is None or leader is joint:
        problem = "which does not exist" if leader is None else "which is itself"
        others = (name for name in job.tree.joints if name != joint.name)
        job.report("mimic-joint-missing", at, joint=joint.name, leader=mimic.joint, problem=problem,
                   hint=suggest_name(mimic.joint, others, job.comparisons) if leader is None else None)
        reason = "the joint to mimic does not exist"
    elif leader.type == "fixed":
        job.report("mimic-leader-fixed", at, joint=joint.name, leader=mimic.joint, offset=job.numbers[mimic.offset])
        held, into = mimic.offset, "limit"
        reason = "the joint that it mimics is fixed: the limits hold this joint at its offset"
    elif (is_out := job.lumping.status[job.tree.indices[leader.child]] != KEPT) or JOINT_TYPES[leader.type].sdf is None:
        problem = "left out" if is_out else "not a joint"
        job.report("mimic-dropped", at, joint=joint.name, leader=mimic.joint, problem=problem)
        reason = f"the joint that it mimics is {problem} in SDF"
    else:
        job.need(SINCE["mimic"], f"<mimic> of joint {joint.name!r}", mimic.element)
        return job.names.joint(mimic.joint), None
    job.tell("mimic", joint.name, "moved" if into else "dropped", into, mimic.element, reason)
    return "", held


def _decide_contents(job: Job, joint: Joint, name: str, has_axis: bool) -> Contents:
    """Collect the ``<gazebo>`` settings of a joint that the SDF has."""
    contents: Contents = []
    for share in job.shares(joint.name):
        if not has_axis:
            # libsdformat gives every referenced joint an axis, even a fixed joint; that axis has no meaning.
            contents.append(Value(0, ("axis",), "xyz", "0 0 1", share.element))
            has_axis = True
        values: list[Value] = []
        for setting in share.joint:
            if read := job.read_setting(setting):
                values += read
                job.tell(setting.tag, joint.name, "kept", name, setting.element)
        contents += sorted(values, key=rank_of)
        contents += carry_elements(job, share.joint_elements, job.tree.indices[joint.child], name)
    return contents


def decide_massless_frame(job: Job, i: int, joint: Joint) -> None:
    """Report massless link `i` behind a fixed joint that is not to be lumped, and its joint."""
    link, name = job.tree.links[i], job.names.links[i]
    parent, *_ = _find_place(job, i, joint)
    reason = "the link is massless, and its fixed joint is preserved"
    job.rows.extend([Entry("joint", joint.name, "to-frame", name, joint.element, reason),
                     Entry("link", link.name, "to-frame", parent, link.element, reason)])


def decide_lumped(job: Job, i: int, joint: Joint) -> None:
    """Report a lumped link and its joint."""
    lumping, link = job.lumping, job.tree.links[i]
    into = job.names.links[lumping.body[i]]
    reason = "fixed joint, now a frame"
    if joint.name in lumping.forced:
        reason = "the root link has no mass, so the joint is lumped all the same and became a frame"
        job.report("fixed-joint-lumped-for-root", locate(joint.element), joint=joint.name,
                   root=job.robot.root, link=link.name)
    job.rows.extend([Entry("joint", joint.name, "lumped", into, joint.element, reason),
                     Entry("link", link.name, "lumped", into, link.element, "behind a fixed joint, now a frame")])


def place_frames(job: Job) -> Iterator[FrameFate]:
    """Yield two frames for every link that becomes a frame, a frame before those that are attached to it.

    Drake misplaces a frame that comes before the one that it is attached to. The joint of a lumped link is attached to
    its parent link, and the link to the joint; the joint of a massless link is attached to that link.
    """
    tree, names = job.tree, job.names
    for i in tree.order:
        link = tree.links[i]
        if (status := job.lumping.status[i]) == LUMPED:
            joint = tree.joint_above(i)
            name, parent = names.joint(joint.name), names.links[tree.parent[i]]
            yield FrameFate(name, parent, joint.origin, None, joint.element, _mark_name(job, joint))
            yield FrameFate(names.links[i], name, None, None, link.element)
        elif status == FRAME:
            joint, name = tree.joint_above(i), names.links[i]
            parent, relative_to, origin, marks = _find_place(job, i, joint)
            yield FrameFate(name, parent, origin, relative_to, link.element, marks)
            yield FrameFate(names.joint(joint.name), name, origin, relative_to, joint.element, _mark_name(job, joint))
