"""Reports losses in the SDF: settings for links and joints that are left out, and parts of the URDF without a place in
SDF."""
from __future__ import annotations

from typing import Any

from lxml import etree

from sdf_frames.convert.destinations import REFERENCE_LEFT_OUT, REFERENCE_UNKNOWN, Destination, Rejected
from sdf_frames.convert.extensions import MODEL, REPLACED, STEERS, STEERS_NOT, Extension, find_overridden, value_of
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import KEPT, WORLD
from sdf_frames.convert.massless import list_names
from sdf_frames.convert.report import Action, Entry, row_kind
from sdf_frames.diagnostics import INFO, relate, suggest_name
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.urdf.model import JOINT_TYPES
from sdf_frames.urdf.unread import UNKNOWN

_OTHERS = {"sensor": "readers of robots do not use it", **dict.fromkeys(
    ("transmission", "ros2_control"), "SDF has no such element")}


def report_unused(job: Job) -> None:
    """Report everything without a place in the SDF: in rows, and in findings if the loss matters."""
    robot, tree = job.robot, job.tree
    status = job.lumping.status
    root = tree.order[0]
    for link in robot.links:
        if link.inertial is not None and link.inertial.mass < 0.0:
            job.tell("inertial", link.name, "dropped", None, link.inertial.element,
                     "a link with a negative mass is treated as massless")
    is_empty = KEPT not in status
    if status[root] == WORLD and is_empty:
        job.report("robot-without-mass", locate(tree.links[root].element), robot=robot.name,
                   link=robot.root,
                   problem="is the SDF world, and no link with mass is connected to it")
    for part in robot.left_out:
        what = part.kind.partition("/")[2]
        action = _choose_action(job, part.element, what if what[:1] == "@" else "")
        job.tell(part.kind, part.name or part.owner, action, None, part.element, part.reason)
    _report_joint_parts(job)
    used = {id(visual.material) for link in robot.links for visual in link.visuals} if robot.materials else ()
    for material in robot.materials:
        if id(material) not in used:
            job.tell("material", material.name, "dropped", None, material.element, "no visual uses it")
    for element in (*robot.transmissions, *robot.ros2_control, *robot.others):
        tag = tag_of(element)
        job.tell(tag, element.get("name") or tag, "carried", None, element, _OTHERS.get(tag, UNKNOWN))
    written = {e.get("name") for block in robot.gazebo for e in block.iterchildren("link", "joint")}
    for key, extensions in job.extensions.by_key.items():
        _report_reference(job, key, extensions, is_empty, key in written)


def _report_reference(job: Job, key: str, extensions: list[Extension], is_empty: bool, is_sdf: bool) -> None:
    """Report what is left out of the ``<gazebo>`` elements of one reference: in rows alone if the SDF has no link.

    `is_sdf` says whether a ``<gazebo>`` element holds a link or joint of that name.
    """
    _report_lumping_tags(job, key, extensions)
    if key == MODEL:
        _report_overridden(job, key, extensions)
        settings = [s for e in extensions for s in e.settings.values() if s.kind.about != "model"]
        job.rows.extend([Entry(setting.tag, job.robot.name, "dropped", None, setting.element,
                               "has no effect in a <gazebo> without a reference") for setting in settings])
        return
    to = job.destinations[key]
    if to.joint is None and to.link is None and not to.is_beside:
        # One finding for each key: the name is wrong, not each of its settings.
        hint = "write the settings into the element of that name, which stands in another <gazebo>." if is_sdf else (
            suggest_name(key, (*job.tree.indices, *job.tree.joints), job.comparisons))
        job.report("gazebo-reference-unknown", locate(extensions[0].element, "reference"), called=key,
                   hint=hint and f"{hint} The content of this <gazebo> element is left out")
    else:
        _report_overridden(job, key, extensions)
    for share in to.shares:
        for left_out in share.left_out:
            report_left_out(job, to, left_out._replace(finding=None) if is_empty else left_out)


def _report_overridden(job: Job, key: str, extensions: list[Extension]) -> None:
    for last, other in find_overridden(extensions):
        job.report("setting-overridden", locate(other), tag=tag_of(other), called=key or job.robot.name,
                   value=value_of(other), last=value_of(last), related=[relate("the value that counts", locate(last))])


def _report_lumping_tags(job: Job, key: str, extensions: list[Extension]) -> None:
    """Add the rows that reading made. Tags for fixed joints that have no effect are dropped, with a finding."""
    rows = [row for extension in extensions for row in extension.rows]
    welded = _is_weld(job, key)
    idle = [row for row in rows if row.reason == STEERS or welded and row.reason == STEERS_NOT]
    problem, remedy = _judge_lumping_tags(job, key) if idle else (None, None)
    if welded:
        problem, remedy = f"joint {key!r} holds the robot to the world, and such a joint is never lumped", "remove it"
    if idle and remedy:
        tags = sorted({row.kind for row in idle})
        job.report("lumping-tag-without-effect", locate(idle[0].element), called=key or job.robot.name,
                   tags=" and ".join(f"<{tag}>" for tag in tags), problem=problem, remedy=remedy,
                   severity=INFO if welded else None)
    job.rows.extend([row._replace(action="dropped", reason=problem) if problem and row in idle else row
                     for row in rows])


def _is_weld(job: Job, key: str) -> bool:
    """Return whether a reference names a fixed joint to the world, which stays one whatever its tags say."""
    joint = job.tree.joints.get(key)
    return (joint is not None and joint.type == "fixed" and key not in job.extensions.disabled
            and job.lumping.status[job.tree.indices[joint.parent]] == WORLD)


def _judge_lumping_tags(job: Job, key: str) -> tuple[str | None, str | None]:
    """Say why tags that are meant to keep a fixed joint have no effect, and which joint they could name.

    Both are None if the tags have an effect. The second is None if another finding reports the reference.
    """
    tree, lumping = job.tree, job.lumping
    joint, link = job.tree.joints.get(key), tree.indices.get(key)
    if joint is not None and joint.type == "fixed":
        return (f"has no effect: root link {job.robot.root!r} has no mass, so the joint is lumped all the same"
                if key in lumping.forced else None), None
    if joint is None and link is None and key != MODEL:
        return REFERENCE_LEFT_OUT if job.destinations[key].is_beside else REFERENCE_UNKNOWN, None
    near = []
    if joint is not None:
        problem = f"joint {key!r} is {joint.type}, and only fixed joints are lumped"
        near = tree.children[tree.indices[joint.child]]
    elif link is not None:
        problem = f"{key!r} is a link, and only joints are lumped"
        near = [link, *tree.children[link]]
    else:
        problem = "its <gazebo> has no reference to a joint"
    fixed = [other.name for k in near if (other := tree.joint[k]) is not None and other.type == "fixed"]
    if not fixed:
        return problem, "use the name of a fixed joint as the reference, or remove the element"
    verb = "are" if len(fixed) > 1 else "is"
    return problem, f"use the name of a fixed joint as the reference: adjacent {verb} {list_names(fixed)}"


def _report_joint_parts(job: Job) -> None:
    """Report parts of joints that SDF has no place for, or that mean nothing for a joint of that type."""
    locked = job.extensions.disabled
    for joint in job.robot.joints:
        _, kind, _, _, _, axis, limit, dynamics, mimic, safety, calibration, element, _ = joint
        row = JOINT_TYPES[kind]
        if limit is not None:
            rates = {"acceleration": limit.acceleration, "deceleration": limit.deceleration, "jerk": limit.jerk}
            job.rows.extend([Entry(f"limit/@{name}", joint.name, _choose_action(job, limit.element, f"@{name}"), None,
                                   limit.element, "SDF has no such limit")
                             for name, rate in rates.items() if rate is not None])
        _drop_parts(job, joint.name, [("safety_controller", safety), ("calibration", calibration)],
                    "SDF has no such element")
        if not row.one_axis:
            reason = ("it is locked at 0" if joint.name in locked else "a fixed joint does not move") if row.sdf else (
                f"SDF has no {kind} joint")
            _drop_parts(job, joint.name, [("limit", limit), ("dynamics", dynamics), ("mimic", mimic)], reason)
            if axis is not None:
                job.tell("axis", joint.name, "carried", None, element, reason)
        elif not row.bounded and limit is not None and (limit.lower or limit.upper):
            _drop_parts(job, joint.name, [("limit", limit)], f"a {kind} joint has neither lower nor upper limit")


def report_replaced(job: Job) -> None:
    """Drop the rows of what something later in ``<gazebo>`` replaced; add one for each part that was replaced."""
    rows, job.rows[:] = job.rows[:], []
    for row in rows:
        if row.element is None or row.action not in ("kept", "moved"):
            job.rows.append(row)
        elif row.element in job.replaced:
            job.rows.append(row._replace(action="dropped", into=None, reason=REPLACED))
        else:
            job.rows.append(row)
            job.rows.extend([Entry(tag_of(part), row.name, "dropped", None, part, REPLACED)
                             for part in row.element.iterdescendants(etree.Element)
                             if part in job.replaced and part.getparent() not in job.replaced])


def _drop_parts(job: Job, joint: str, parts: list[tuple[str, Any]], reason: str) -> None:
    job.rows.extend([Entry(tag, joint, _choose_action(job, part.element), None, part.element, reason)
                     for tag, part in parts if part is not None])


def _choose_action(job: Job, element: Element | None, what: str = "") -> Action:
    return "carried" if element is not None and (element, what) in job.carried else "dropped"


def report_left_out(job: Job, to: Destination, left_out: Rejected) -> None:
    """Report what is left out of one ``<gazebo>`` element."""
    settings, elements, reason, finding, _ = left_out
    if finding == "extension-without-shape" and (parts := [setting.element for setting in settings] + elements):
        tags = ", ".join(dict.fromkeys([f"<{tag_of(part)}>" for part in parts]))
        job.report(finding, locate(parts[0]), tags=tags, link=to.key, reason=reason)
        finding = None
    for setting in settings:
        if finding == "extension-of-lost-joint":
            _report_at_joint(job, to, setting.tag, setting.element, finding)
        job.tell(setting.tag, to.key, "dropped", None, setting.element, reason)
    for element in elements:
        tag = tag_of(element)
        if finding == "extension-of-lost-joint":
            _report_at_joint(job, to, tag, element, "sensor-without-joint" if tag == "sensor" else finding,
                             type=element.get("type", ""), sensor=element.get("name") or tag)
        elif finding is not None:
            job.report(finding, locate(element), tag=tag, link=to.key, hint=to.link_remedy)
        name = element.get("name") or (tag if finding == "extension-of-lost-joint" else to.key)
        job.tell(row_kind(tag), name, "dropped", None, element, reason)


def _report_at_joint(job: Job, to: Destination, tag: str, element: Element, finding: str, **fields: str) -> None:
    """Report a setting or sensor for a joint that the SDF does not have."""
    remedy = to.joint_remedy
    if finding == "sensor-without-joint" and remedy is None:
        remedy = (f'add <preserveFixedJoint>true</preserveFixedJoint> to <gazebo reference="{to.key}">, and give link '
                  f"{job.tree.joints[to.key].child!r} a realistic mass and inertia if it has none")
    job.report(finding, locate(element), tag=tag, joint=to.key, fate=to.joint_fate,
               hint=remedy, **fields)
