"""Saying what does not make it into the SDF: massless subtrees, settings of lost joints, parts of the URDF that SDF has no
place for."""
from __future__ import annotations

from typing import Iterable

from sdf_frames.convert.carry import is_joint_sensor
from sdf_frames.convert.emit_links import describe_massless
from sdf_frames.convert.extensions import MODEL, STEERS
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import DROPPED, FRAME, KEPT, LUMPED, WORLD, find_mass_below
from sdf_frames.convert.report import Row, row_kind
from sdf_frames.diagnostics import ERROR, Diagnostic, Related, diagnose
from sdf_frames.document.xml_in import tag_of

_LISTED = 5


def _list_names(names: list[str]) -> str:
    return ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")


def put_loss_first(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """`found`, with the finding about the part of the robot that is not in the SDF ahead of all others."""
    return tuple(sorted(found, key=lambda d: d.name != "massless-subtree-dropped"))


def report_loss(job: Job) -> None:
    """One finding and the first row of the report that say how much of the robot massless links on moving joints take with them."""
    tree = job.tree
    lost = [i for i in tree.order if tree.status[i] == DROPPED]
    causes = [i for i in lost if tree.parent[i] < 0 or tree.status[tree.parent[i]] != DROPPED]
    if len(lost) == len(causes) or KEPT not in tree.status:
        return
    masses = [0.0 if inertial is None else inertial.mass for inertial in tree.inertials]
    part = (f"{len(lost)} of {len(tree.links)} links, {sum(masses[i] for i in lost):.4g} of {sum(masses):.4g} kg "
            f"are not in the SDF")
    names = _list_names([tree.links[i].name for i in causes])
    first = tree.links[causes[0]]
    finding = diagnose("massless-subtree-dropped", job.at("link", first.name, first.line), part=part, links=names)
    job.found.insert(0, finding._replace(severity=ERROR) if job.options.massless == "error" else finding)
    job.rows.append(Row("subtree", names, "dropped", None, first.line, part))


def report_dropped(job: Job, i: int) -> None:
    """Rows of a dropped link and its joint; where the loss begins here, the finding about it."""
    tree = job.tree
    link, joint, p = tree.links[i], tree.joint[i], tree.parent[i]
    cause = p < 0 or tree.status[p] != DROPPED
    if cause:
        _report_massless(job, i)
    reason = "massless, and no fixed joint joins it to a link with mass" if cause else "hangs on a massless link"
    if joint is not None:
        job.rows.append(Row("joint", joint.name, "dropped", None, joint.line,
                            "its child link is massless" if cause else reason))
    job.rows.append(Row("link", link.name, "dropped", None, link.line, reason))
    for kind, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            job.rows.append(Row(kind, shape.name or link.name, "dropped", None, shape.line, "its link is left out"))


def _report_massless(job: Job, i: int) -> None:
    """One finding, with libsdformat's chain of messages as its related places and its hint."""
    tree, robot = job.tree, job.robot
    link, joint = tree.links[i], tree.joint[i]
    below = tree.names_below(i)[1:]
    related = []
    if below:
        names = [tree.links[k].name for k in below]
        joints = [tree.joint[k].name for k in below]
        first = tree.children[i][0]
        related.append(Related(f"[{len(below)}] child links ignored: {_list_names(names)}", tree.links[first].line,
                               job.at("link", tree.links[first].name, None).path, robot.file))
        related.append(Related(f"[{len(below)}] child joints ignored: {_list_names(joints)}", tree.joint[first].line,
                               job.at("joint", tree.joint[first].name, None).path, robot.file))
    if joint is not None:
        related.append(Related(f"parent joint [{joint.name}] ignored", joint.line,
                               job.at("joint", joint.name, None).path, robot.file))
    related.append(Related(f"link [{link.name}] is not modelled in SDF", link.line,
                           job.at("link", link.name, None).path, robot.file))
    hint = "give it a mass and an inertia, or convert with massless=keep (--massless keep)"
    # Lumping helps only where it brings mass.
    fixed = [tree.joint[k].name for k in find_mass_below(tree, i)
             if tree.joint[k].name in job.extensions.held or job.options.preserve_fixed_joints]
    if fixed:
        many = "s" if len(fixed) > 1 else ""
        if job.options.preserve_fixed_joints:
            hint += f"; or lump fixed joints: that joins it to what fixed child joint{many} [{_list_names(fixed)}] carries"
        else:
            hint += (f"; or allow joint lumping by removing <disableFixedJointLumping> and <preserveFixedJoint> from fixed "
                     f"child joint{many} [{_list_names(fixed)}], or setting them to false")
    problem = describe_massless(link)
    if joint is None:
        job.report("robot-without-mass", job.at("link", link.name, link.line), robot=robot.name, link=link.name,
                   problem=problem, hint=hint, related=related)
        return
    job.report("massless-link-refused" if job.options.massless == "error" else "massless-link-dropped",
               job.at("link", link.name, link.line), link=link.name, problem=problem, hint=hint, related=related,
               reason=f"does not have a fixed parent joint (joint [{joint.name}] is {joint.type}), so it cannot become a frame")


_FATES = {LUMPED: "is lumped and lives on as a frame only", FRAME: "becomes a frame, since its child link [{child}] is massless",
          DROPPED: "is left out, since a massless link above or below it is", WORLD: "is not in the SDF"}


def report_unused(job: Job) -> None:
    """Rows, and findings where it matters, for all that has no place in the SDF."""
    robot, tree, rows = job.robot, job.tree, job.rows
    root = tree.order[0]
    for link in robot.links:
        if link.inertial is not None and link.inertial.mass < 0.0:
            rows.append(Row("inertial", link.name, "dropped", None, link.inertial.line, "a link of negative mass counts as massless"))
    if tree.status[root] == WORLD and KEPT not in tree.status:
        job.report("robot-without-mass", job.at("link", robot.root, tree.links[root].line), robot=robot.name, link=robot.root,
                   problem="is the SDF world, and nothing with mass hangs on it")
    for part in robot.left_out:
        rows.append(Row(part.kind, part.name or part.owner, "dropped", None, part.line, part.reason))
    _report_joint_parts(job)
    used = {id(visual.material) for link in robot.links for visual in link.visuals} if robot.materials else ()
    for material in robot.materials:
        if id(material) not in used:
            rows.append(Row("material", material.name, "dropped", None, material.line, "no visual uses it"))
    for element in (*robot.transmissions, *robot.ros2_control, *robot.others):
        tag = tag_of(element)
        rows.append(Row(tag, element.get("name") or tag, "dropped", None, element.sourceline, "SDF has nothing like it"))
    beside = {part.owner for part in robot.left_out if part.kind == "link" or part.kind == "joint"}
    for key, records in job.extensions.by_key.items():
        idle, remedy = _judge_lumping_tags(job, key, key in beside)
        for record in records:
            for tag, line, action, reason in record.settled:
                if idle and reason == STEERS:
                    action, reason = "dropped", idle
                rows.append(Row(tag, key or robot.name, action, None, line, reason))
        if remedy:
            tags = {tag: line for record in records for tag, line, _, reason in record.settled[::-1] if reason == STEERS}
            if tags:
                job.report("lumping-tag-without-effect", job.gazebo_at(key, next(iter(tags)), min(tags.values())),
                           tags=" and ".join(f"<{tag}>" for tag in sorted(tags)), called=key, problem=idle, remedy=remedy)
        if key == MODEL:
            for record in records:
                for group in (record.link, record.joint, record.collision, record.visual):
                    for setting in group.values():
                        rows.append(Row(setting.tag, robot.name, "dropped", None, setting.line,
                                        "of no effect without a reference"))
            continue
        link, joint = tree.index.get(key), job.joints.get(key)
        if link is None and joint is None and key not in beside:
            # One finding a key: the name is what is wrong, not each of its settings.
            job.report("gazebo-reference-unknown", job.gazebo_at(key, "*", records[0].line), called=key)
        joint_status = None if joint is None else _joint_status(job, joint)
        link_lost = link is not None and tree.parts[tree.body[link]] is None
        for record in records:
            _report_unused_record(job, record, link, link_lost, joint, joint_status, key in beside)


def _judge_lumping_tags(job: Job, key: str, beside: bool) -> tuple[str | None, str | None]:
    """Why tags for `key` that are to keep a fixed joint have no effect, and what they would have to name.

    Both None where they have one; the second None where another finding says it.
    """
    tree = job.tree
    joint, link = job.joints.get(key), tree.index.get(key)
    if joint is not None and joint.type == "fixed":
        return (f"overruled: root link [{job.robot.root}] has no mass of its own" if key in tree.forced else None), None
    if joint is None and link is None and key != MODEL:
        return "what it refers to is left out" if beside else "the reference names nothing", None
    near = []
    if joint is not None:
        problem = f"joint [{key}] is {joint.type}, and only fixed joints are lumped"
        near = tree.children[tree.index[joint.child]]
    elif link is not None:
        problem = f"[{key}] is a link, and only joints are lumped"
        near = [link, *tree.children[link]]
    else:
        problem = "it names no joint"
    fixed = [tree.joint[k].name for k in near if tree.joint[k] is not None and tree.joint[k].type == "fixed"]
    many = "s" if len(fixed) > 1 else ""
    return problem, f"name a fixed joint: next to it {'are' if many else 'is'} [{_list_names(fixed)}]" if fixed else (
        "name a fixed joint, or remove it")


def _report_joint_parts(job: Job) -> None:
    """Rows of what a joint says that SDF has no place for, or that means nothing for such a joint."""
    rows, locked = job.rows, job.extensions.disabled
    for name, kind, _, _, _, axis, limit, dynamics, mimic, safety, calibration, line in job.robot.joints:
        if axis is limit is dynamics is mimic is safety is calibration is None:
            continue
        for tag, part in (("safety_controller", safety), ("calibration", calibration)):
            if part is not None:
                rows.append(Row(tag, name, "dropped", None, part.line, "SDF has nothing like it"))
        if kind == "continuous":
            if limit is not None and (limit.lower or limit.upper):
                rows.append(Row("limit", name, "dropped", None, limit.line, "a continuous joint has neither lower nor upper limit"))
        elif kind != "revolute" and kind != "prismatic":
            reason = (f"SDF has no {kind} joint" if kind != "fixed" else "it is locked at 0" if name in locked
                      else "a fixed joint does not move")
            for tag, part in (("limit", limit), ("dynamics", dynamics), ("mimic", mimic)):
                if part is not None:
                    rows.append(Row(tag, name, "dropped", None, part.line, reason))
            if axis is not None:
                rows.append(Row("axis", name, "dropped", None, line, reason))


def _joint_status(job: Job, joint) -> int:
    status = job.tree.status[job.tree.index[joint.child]]
    return DROPPED if status == KEPT and joint.type in ("floating", "planar") else status


def _report_unused_record(job: Job, record, link: int | None, link_lost: bool, joint, joint_status, beside: bool) -> None:
    rows, key = job.rows, record.key

    def drop(tag: str, name: str, line: int, reason: str) -> None:
        rows.append(Row(tag, name, "dropped", None, line, reason))

    blobs = [*record.blobs, *record.collision_blobs, *record.visual_blobs]
    if link is None and joint is None:
        reason = "what it refers to is left out" if beside else "the reference names nothing"
        for group in (record.link, record.joint, record.collision, record.visual, record.model):
            for setting in group.values():
                drop(setting.tag, key, setting.line, reason)
        for blob in blobs:
            drop(row_kind(tag_of(blob)), blob.get("name") or key, blob.sourceline, reason)
        return
    if link_lost:
        for group in (record.collision, record.visual, record.link):
            for setting in group.values():
                drop(setting.tag, key, setting.line, "its link is left out")
        for blob in blobs:
            if joint is None or not is_joint_sensor(blob):
                job.report("extension-of-lost-link", job.gazebo_at(key, tag_of(blob), blob.sourceline), tag=tag_of(blob),
                           link=key)
                drop(row_kind(tag_of(blob)), blob.get("name") or key, blob.sourceline, "its link is left out")
    if link is None:
        for group in (record.link, record.collision, record.visual):
            for setting in group.values():
                drop(setting.tag, key, setting.line, "of no effect on a joint")
        for blob in (*record.collision_blobs, *record.visual_blobs):
            drop(row_kind(tag_of(blob)), blob.get("name") or key, blob.sourceline, "of no effect on a joint")
    elif not link_lost:
        # What applies to every shape of a link that has none is not lost on anybody.
        for blob in (*record.collision_blobs, *record.visual_blobs):
            rows.append(Row(row_kind(tag_of(blob)), key, "kept", job.link_names[job.tree.body[link]], blob.sourceline))
    for setting in record.model.values():
        drop(setting.tag, key, setting.line, "of no effect with a reference")
    if joint is None:
        for setting in record.joint.values():
            drop(setting.tag, key, setting.line, "of no effect on a link")
        return
    if joint_status == KEPT:
        return
    fate = _FATES[joint_status].format(child=joint.child)
    if joint.type in ("floating", "planar"):
        fate = f"is {joint.type} and becomes a frame"
    for setting in record.joint.values():
        job.report("extension-of-lost-joint", job.gazebo_at(key, setting.tag, setting.line), tag=setting.tag,
                   joint=key, fate=fate, **({} if joint_status == LUMPED else {"hint": _remedy(joint, joint_status)}))
        drop(setting.tag, key, setting.line, f"its joint {fate}")
    for blob in record.blobs:
        tag = tag_of(blob)
        if link is not None and not is_joint_sensor(blob):
            continue  # went to the link of the same name
        name = blob.get("name") or tag
        at = job.gazebo_at(key, tag, blob.sourceline)
        if tag == "sensor":
            job.report("sensor-without-joint", at, type=blob.get("type", ""), sensor=name, joint=key, fate=fate,
                       remedy=_remedy(joint, joint_status))
        else:
            job.report("extension-of-lost-joint", at, tag=tag, joint=key, fate=fate,
                       **({} if joint_status == LUMPED else {"hint": _remedy(joint, joint_status)}))
        drop(row_kind(tag), name, blob.sourceline, f"its joint {fate}")


def _remedy(joint, status: int) -> str:
    if status == LUMPED:
        return (f'add <preserveFixedJoint>true</preserveFixedJoint> to <gazebo reference="{joint.name}">, and give link '
                f"[{joint.child}] a realistic mass and inertia if it has none")
    if joint.type in ("floating", "planar"):
        return "use a joint type that SDF has"
    return f"give link [{joint.child}] a realistic mass and inertia, or convert with massless=keep (--massless keep)"
