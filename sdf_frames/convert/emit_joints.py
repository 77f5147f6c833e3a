"""Joints and frames of the SDF model."""
from __future__ import annotations

from sdf_frames.convert.carry import carry_elements
from sdf_frames.convert.emit_parts import ensure, put, put_only
from sdf_frames.convert.extensions import Extension, is_true
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import FRAME, KEPT, WORLD, place_origin
from sdf_frames.convert.report import Row
from sdf_frames.document.xml_in import Element
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME
from sdf_frames.urdf.model import Joint, Limit, Origin

# Settings of joints: the tag under <gazebo>, the elements that hold it in SDF, and its tags there. Every number is a
# value of each, so that nobody needs to look at them again.
_SETTINGS = (
    ("springReference", ("axis", "dynamics"), ("spring_reference",)),
    ("springStiffness", ("axis", "dynamics"), ("spring_stiffness",)),
    ("provideFeedback", ("physics",), ("provide_feedback",)),
    ("implicitSpringDamper", ("physics", "ode"), ("implicit_spring_damper", "cfm_damping")),
    ("fudgeFactor", ("physics", "ode"), ("fudge_factor",)),
    ("stopCfm", ("physics", "ode", "limit"), ("cfm",)),
    ("stopErp", ("physics", "ode", "limit"), ("erp",)))
_SWITCHES = ("provideFeedback", "implicitSpringDamper")
_SDF_TYPE = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}


def joint_parent(job: Job, i: int) -> tuple[str, str, Origin]:
    """Name of what the joint above link `i` hangs on, the frame its pose is given in, and that pose."""
    tree = job.tree
    p = tree.parent[i]
    joint = tree.joint[i]
    h = tree.host[p]
    if tree.status[h] == WORLD:
        return WORLD_FRAME, MODEL_FRAME, joint.origin
    name = job.link_names[h]
    if h == p:
        return name, name, joint.origin
    return name, name, place_origin(tree.X_host[p], tree.at_host[p], joint.origin)


def emit_joint(job: Job, i: int) -> None:
    """The joint above kept link `i`, or the frame that stands for it."""
    tree, model, numbers = job.tree, job.out.model, job.out.numbers
    joint: Joint = tree.joint[i]
    name = job.joint_name(joint.name)
    parent, relative_to, origin = joint_parent(job, i)
    line, kind = joint.line, joint.type
    child = job.link_names[i]
    renamed = name if name != joint.name else None
    if kind == "floating" or kind == "planar":
        # attached_to the child, so that it moves with it as a joint's frame does; the link's own pose refers to it.
        put_frame(model, name, child, numbers.pose(origin), relative_to, line)
        free, hint = "moves freely, as it does in the URDF", {"hint": "nothing is lost"}
        if kind == "planar":
            free = f"moves freely: nothing holds it in the plane with the normal {numbers.join(joint.axis)} any more"
            hint = {}
        job.report("joint-without-counterpart", job.places.at("joint", joint.name, line), type=kind, joint=joint.name,
                   link=tree.links[i].name, free=free, **hint)
        job.rows.append(Row("joint", joint.name, "to-frame", child, line,
                            f"SDF has no {kind} joint; link [{child}] {free}"))
        return
    locked = kind == "fixed" and joint.name in job.extensions.disabled
    if parent != WORLD_FRAME and tree.status[tree.host[tree.parent[i]]] == FRAME:
        job.out.need("1.8", f"joint [{name}] with frame [{parent}] as its parent")
    element = put(model, "joint", None, line, type="revolute" if locked else _SDF_TYPE[kind], name=name)
    put(element, "pose", numbers.pose(origin), line, relative_to=relative_to)
    put(element, "parent", parent, line)
    put(element, "child", child, line)
    if locked:
        _put_locked_axis(element, line)
    elif kind != "fixed":
        _put_axis(job, element, joint)
    job.rows.append(Row("joint", joint.name, "renamed" if renamed else "kept", renamed, line,
                        "disableFixedJointLumping: a revolute joint locked at 0" if locked
                        else "SDF allows no link and joint of one name" if renamed else None))
    for extension in job.extensions.by_key.get(joint.name, ()):
        _put_joint_settings(job, element, joint, extension)


def _put_locked_axis(element: Element, line: int | None) -> None:
    """``<axis>`` of a joint that cannot move."""
    axis = put(element, "axis", None, line)
    put(axis, "xyz", "0 0 1", line)
    for tag, parts in (("limit", ("lower", "upper")), ("dynamics", ("damping", "friction"))):
        node = put(axis, tag, None, line)
        for part in parts:
            put(node, part, "0", line)


def _put_axis(job: Job, element: Element, joint: Joint) -> None:
    """``<axis>`` with the limits, dynamics and mimic of a joint that moves."""
    numbers, line = job.out.numbers, joint.line
    axis = put(element, "axis", None, line)
    put(axis, "xyz", numbers.join(joint.axis), line)
    limit, held = joint.limit, None
    if joint.mimic is not None:
        held = _put_mimic(job, axis, joint)
        if held is not None and limit is None:
            limit = Limit(held, held, -1.0, -1.0, joint.mimic.line)
    if limit is None:
        put(axis, "limit", None, line)
    else:
        lower, upper, effort, velocity, at = limit
        bounds = [("effort", effort), ("velocity", velocity)]
        if held is not None:
            bounds = [("lower", held), ("upper", held), *bounds]
        elif joint.type != "continuous":
            if lower > upper:
                job.report("limit-reversed", job.places.at("joint", joint.name, at), joint=joint.name, lower=lower,
                           upper=upper)
                lower, upper = upper, lower
            bounds = [("lower", lower), ("upper", upper), *bounds]
        node = put(axis, "limit", None, at)
        for tag, value in bounds:
            put(node, tag, numbers[value], at)
    if (dynamics := joint.dynamics) is None:
        put(axis, "dynamics", None, line)
    else:
        node = put(axis, "dynamics", None, dynamics.line or line)
        put(node, "damping", numbers[dynamics.damping], dynamics.line or line)
        put(node, "friction", numbers[dynamics.friction], dynamics.line or line)


def _put_mimic(job: Job, axis: Element, joint: Joint) -> float | None:
    """Write ``<mimic>`` if its leader moves in the SDF; return the position to hold if the leader is fixed."""
    mimic, tree = joint.mimic, job.tree
    at = job.places.at("joint", joint.name, mimic.line)
    leader = job.joints.get(mimic.joint)
    if leader is None or leader is joint:
        job.report("mimic-joint-missing", at, joint=joint.name, leader=mimic.joint,
                   problem="which does not exist" if leader is None else "which is itself")
        job.rows.append(Row("mimic", joint.name, "dropped", None, mimic.line, "no such joint"))
        return None
    if leader.type == "fixed":
        job.report("mimic-leader-fixed", at, joint=joint.name, leader=mimic.joint, offset=job.out.numbers[mimic.offset])
        job.rows.append(Row("mimic", joint.name, "moved", "limit", mimic.line,
                            "its leader is fixed: the limits hold it at its offset"))
        return mimic.offset
    problem = None
    if tree.status[tree.index[leader.child]] != KEPT:
        problem = "left out"
    elif leader.type in ("floating", "planar"):
        problem = "not a joint"
    if problem is not None:
        job.report("mimic-dropped", at, joint=joint.name, leader=mimic.joint, problem=problem)
        job.rows.append(Row("mimic", joint.name, "dropped", None, mimic.line, f"its leader is {problem} in SDF"))
        return None
    job.out.need("1.11", f"<mimic> of joint [{joint.name}]")
    element = put(axis, "mimic", None, mimic.line, joint=job.joint_name(mimic.joint))
    put(element, "multiplier", job.out.numbers[mimic.multiplier], mimic.line)
    put(element, "offset", job.out.numbers[mimic.offset], mimic.line)
    return None


def _put_joint_settings(job: Job, element: Element, joint: Joint, extension: Extension) -> None:
    """What a ``<gazebo>`` element says of a joint that is emitted."""
    line = extension.line
    if (axis := element.find("axis")) is None:
        # libsdformat gives every referenced joint an axis, a fixed one, too; it means nothing there.
        axis = put(element, "axis", None, line)
        put(axis, "xyz", "0 0 1", line)
    texts = {}
    for tag, setting in extension.joint.items():
        if tag in _SWITCHES:
            text: str | None = "true" if is_true(setting.value) else "false"
        else:
            text = job.read_number(extension.key, setting)
        if text is not None:
            texts[tag] = text
            job.rows.append(Row(setting.tag, joint.name, "kept", job.joint_name(joint.name), setting.line))
    for tag, around, names in _SETTINGS:
        if tag in texts:
            place = element
            for step in around:
                place = ensure(place, step, line)
            for name in names:
                put_only(place, name, texts[tag], extension.joint[tag].line)
    carry_elements(job, element, job.destinations[joint.name].split(extension)[1], None, job.joint_name(joint.name))


def put_frame(model: Element, name: str, attached_to: str, pose: str, relative_to: str, line: int | None) -> None:
    """``<frame>``."""
    frame = put(model, "frame", None, line, name=name, attached_to=attached_to)
    put(frame, "pose", pose, line, relative_to=relative_to)


def emit_massless_frame(job: Job, i: int) -> None:
    """Frames for massless link `i` and its fixed joint that is not to be lumped: the link first, the joint on it."""
    tree = job.tree
    joint, link = tree.joint[i], tree.links[i]
    parent, relative_to, origin = joint_parent(job, i)
    pose = job.out.numbers.pose(origin)
    name, joint_name = job.link_names[i], job.joint_name(joint.name)
    put_frame(job.out.model, name, parent, pose, relative_to, link.line)
    put_frame(job.out.model, joint_name, name, pose, relative_to, joint.line)
    reason = "the link is massless, and the joint is fixed and not to be lumped"
    job.rows.append(Row("joint", joint.name, "to-frame", name, joint.line, reason))
    job.rows.append(Row("link", link.name, "to-frame", parent, link.line, reason))


def emit_lumped_frames(job: Job) -> None:
    """Two frames for every lumped joint and link: the joint on its parent link, the link on the joint."""
    tree = job.tree
    for i in tree.lump_order:
        joint = tree.joint[i]
        name = job.joint_name(joint.name)
        frame = put(job.out.model, "frame", None, joint.line, name=name, attached_to=job.link_names[tree.parent[i]])
        put(frame, "pose", job.out.numbers.pose(joint.origin), joint.line)
        put(job.out.model, "frame", None, tree.links[i].line, name=job.link_names[i], attached_to=name)


def report_lumped(job: Job, i: int) -> None:
    """Rows of a lumped link and its joint."""
    tree = job.tree
    joint, link = tree.joint[i], tree.links[i]
    into = job.link_names[tree.body[i]]
    reason = "fixed joint, now a frame"
    if joint.name in tree.forced:
        root = job.robot.root
        reason = "its root link has no mass of its own; now a frame"
        job.report("fixed-joint-lumped-for-root", job.places.at("joint", joint.name, joint.line), joint=joint.name,
                   root=root,
                   link=link.name)
    job.rows.extend([Row("joint", joint.name, "lumped", into, joint.line, reason),
                 Row("link", link.name, "lumped", into, link.line, "behind a fixed joint, now a frame")])
