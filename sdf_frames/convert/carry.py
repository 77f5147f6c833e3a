"""Elements under ``<gazebo>`` copied into the SDF, and rewritten if their link has been lumped.

libsdformat rewrites them step by step up the chain of lumped links and rounds each time. This module applies the pose
of the lumped link in its body once, with all its digits. docs/differences.md lists the results that differ on purpose.
"""
from __future__ import annotations

from sdf_frames.convert.emit import ensure, put
from sdf_frames.convert.job import CollisionNames, Job
from sdf_frames.convert.lump import DROPPED, origin_of_pose
from sdf_frames.convert.report import row_kind
from sdf_frames.document.elements import Element, child_or_self, locate, tag_of
from sdf_frames.document.numbers import read_numbers
from sdf_frames.document.places import copy_made
from sdf_frames.sdf.entities import PARTS
from sdf_frames.sdf.names import Taken
from sdf_frames.sdf.table import SINCE
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, pose_from_rpy

# Elements of a link whose <pose> is given in the link's frame.
_POSED = PARTS - {"visual"}
# Attributes that take a newer SDF than 1.7, by their elements.
_NEWER_ATTRIBUTES = {"pose": ("degrees", "rotation_format"), "inertial": ("auto",)}
_NEWER = SINCE.keys() | _NEWER_ATTRIBUTES.keys()


def carry_elements(job: Job, elements: list[Element], source: int | None, into: str | None,
                   taken: dict[str, Taken] | None = None) -> list[Element]:
    """Copy `elements` for an SDF link, joint or model, and add a row to the report for each.

    Parameters
    ----------
    source : index of the URDF link that the elements refer to, for those of a joint its child link; None for the
        model.
    into : name of the SDF link or joint, for the report; None for the model.
    taken : for a link, the names that elements before these have, by tag; updated by this function.
    """
    lumping = job.lumping
    lumped = source if source is not None and lumping.body[source] != source else None
    copies = []
    for element in elements:
        copy = copy_made(element, job.starts)
        tag, label, name = copy.tag, tag_of(copy), copy.get("name")
        if lumped is not None and tag in _POSED:
            _move_pose(job, copy, element, lumped)
        if taken is not None and name is not None:
            if lumped is not None and tag in _POSED:
                source_name = job.tree.links[lumped].name
                _make_name_free(job, copy, element, taken.setdefault(tag, Taken()), "moved-name-taken",
                                f"{source_name}_fixed_joint_lump__{name.strip()}", source=source_name, link=into)
            taken.setdefault(tag, Taken()).add(copy.get("name", "").strip())
        elif into is None and tag != "plugin" and name:
            _make_name_free_in_model(job, copy, element)
        rewrite_bodies(job, copy)
        if tag == "sensor" and source is not None:
            if copy.find("contact") is not None:
                _rewrite_contacts(job, copy, source)
            if job.options.sensor_frame_ids is not None:
                from sdf_frames.convert.sensor_frame_ids import give_frame_id
                give_frame_id(job, copy, element, source)
        _note_versions(job, copy, element)
        copies.append(copy)
        new = copy.get("name")
        reasons = ["from a lumped link"] * (lumped is not None) + [f"named {new!r}"] * (new != name)
        job.tell(row_kind(label), name or label, "kept" if lumped is None else "moved", into or job.names.model,
                 element, ", ".join(reasons) or None)
    return copies


def rewrite_bodies(job: Job, element: Element) -> None:
    """Let an element of ``<gazebo>`` name the bodies of lumped links."""
    if element.tag == "plugin":
        _rewrite_plugin(job, element)
    elif element.tag == "joint":
        _rewrite_joint(job, element)
    elif element.tag == "gripper":
        _rewrite_gripper(job, element)


def _note_versions(job: Job, carried: Element, original: Element) -> None:
    """Note what `carried` holds that takes a newer SDF than 1.7. The content of plugins does not count."""
    scoped = False
    for element in carried.iter():
        tag = element.tag
        if tag in _NEWER and not _is_in_plugin(element):
            attribute = next((name for name in _NEWER_ATTRIBUTES.get(tag, ()) if element.get(name) is not None), None)
            if (version := SINCE.get(attribute or tag)) is not None:
                job.needs.note(version, f"<{tag} {attribute}>" if attribute else f"<{tag}>", original)
        scoped = scoped or _is_scoped(element)
    if scoped:
        job.needs.scoped.extend([element for element in original.iter() if _is_scoped(element)])


def _is_scoped(element: Element) -> bool:
    return "::" in (element.get("name") or "") and not _is_in_plugin(element)


def _is_in_plugin(element: Element) -> bool:
    """Return whether an element is a plugin, or inside one."""
    return element.tag == "plugin" or next(element.iterancestors("plugin"), None) is not None


def _move_pose(job: Job, carried: Element, original: Element, source: int) -> None:
    """Express the pose of an element of lumped link `source` in its body's frame, unless the pose names its frame."""
    pose = carried.find("pose")
    if pose is not None and pose.get("relative_to"):
        return
    X_LS: Pose | None = IDENTITY
    if pose is not None:
        X_LS, _ = read_pose_text(pose.text or "", pose.get("rotation_format", ""), pose.get("degrees", ""))
    if X_LS is None:
        job.report("moved-pose-malformed", locate(child_or_self(original, "pose")), tag=carried.tag,
                   called=carried.get("name", ""), link=job.tree.links[source].name,
                   text=carried.findtext("pose", "").strip())
        X_LS = IDENTITY
    if pose is not None:
        carried.remove(pose)
    moved = put(carried, "pose", job.numbers.pose(origin_of_pose(compose(job.lumping.in_body[source].X, X_LS))))
    job.starts[moved] = child_or_self(original, "pose")


def _make_name_free_in_model(job: Job, carried: Element, original: Element) -> None:
    """Rename an element that ``<gazebo>`` adds to the model if a link or joint of the robot has its name."""
    taken = job.names.in_model
    if not taken:
        status, joints = job.lumping.status, job.tree.joint
        taken.update(job.names.links[i] for i, what in enumerate(status) if what != DROPPED)
        taken.update(job.names.joint(joint.name) for i, joint in enumerate(joints)
                     if joint is not None and status[i] != DROPPED)
    name, tag = carried.get("name", "").strip(), tag_of(carried)
    _make_name_free(job, carried, original, taken, "added-name-taken", f"{name}_{tag.rpartition(':')[2]}")
    taken.add(carried.get("name", "").strip())


def _make_name_free(job: Job, carried: Element, original: Element, taken: Taken, finding: str, base: str,
                    **fields: str | None) -> None:
    """Name an element after `base` if its name is taken, and report that."""
    if (name := carried.get("name", "").strip()) in taken:
        new = taken.find_free(base)
        carried.set("name", new)
        job.report(finding, locate(original, "name"), tag=tag_of(carried), called=name, new=new, **fields)


def _body_of(job: Job, name: str) -> tuple[str, Pose] | None:
    """Return the body of URDF link `name` and the link's pose in it; None unless the name of the body differs."""
    tree, lumping = job.tree, job.lumping
    i = tree.indices.get(name)
    if i is None or not lumping.parts[lumping.body[i]]:
        return None
    body = job.names.links[lumping.body[i]]
    return None if body == name else (body, lumping.in_body[i].X)


def _rewrite_plugin(job: Job, plugin: Element) -> None:
    """Let a plugin name the body of a lumped link, and add the link's pose in the body to the plugin's offset.

    That concerns ``<bodyName>`` and ``<frameName>``. The offset is changed once, even if the plugin has both.
    """
    moved = None
    for tag in ("bodyName", "frameName"):
        element = plugin.find(tag)
        if element is not None and (found := _body_of(job, (element.text or "").strip())) is not None:
            element.text = found[0]
            moved = moved or found
    if moved is not None:
        values: list[float] = []
        for tag in ("xyzOffset", "rpyOffset"):
            element = plugin.find(tag)
            numbers = None if element is None else read_numbers((element.text or "").replace(",", " "), 3)
            values += numbers or (0.0, 0.0, 0.0)
        xyz, rpy = origin_of_pose(compose(moved[1], pose_from_rpy(*values)))
        ensure(plugin, "xyzOffset").text = job.numbers.join(xyz)
        ensure(plugin, "rpyOffset").text = job.numbers.join(rpy)
    for element in plugin.iter("projector"):
        link, slash, name = (element.text or "").strip().partition("/")
        if slash and (found := _body_of(job, link)) is not None:
            element.text = f"{found[0]}/{name}"
    if job.names.joints:
        for element in plugin.iter("*"):
            if "joint" in str(element.tag).lower() and not len(element):
                element.text = job.names.joints.get((element.text or "").strip(), element.text)


def _rewrite_joint(job: Job, joint: Element) -> None:
    """Let a joint name the bodies of lumped links. Its pose then names the frame of the child link that it is in."""
    for tag in ("parent", "child"):
        element = joint.find(tag)
        name = "" if element is None else (element.text or "").strip()
        found = _body_of(job, name)
        if element is None or found is None:
            continue
        element.text = found[0]
        if tag == "child":
            pose = joint.find("pose")
            if pose is None:
                pose = joint.makeelement("pose")
                joint.insert(0, pose)
            if not pose.get("relative_to"):
                pose.set("relative_to", job.names.links[job.tree.indices[name]])


def _rewrite_gripper(job: Job, gripper: Element) -> None:
    for element in gripper.iter("gripper_link", "palm_link"):
        if (found := _body_of(job, (element.text or "").strip())) is not None:
            element.text = found[0]


def _rewrite_contacts(job: Job, sensor: Element, source: int) -> None:
    """Let the contact sensor of a lumped link name its collisions as they are called after lumping."""
    body = job.lumping.body[source]
    if body not in job.collisions:
        job.collisions[body] = _map_collision_names(job, body)
    names = job.collisions[body]
    for element in sensor.iterfind("contact/collision"):
        text = (element.text or "").strip()
        new = names.of_link.get((source, text)) or names.first.get(text)  # if several links use one name, its own
        if text not in names.now and new is not None:
            element.text = new


def _map_collision_names(job: Job, body: int) -> CollisionNames:
    """Map the names of the collisions of a body before lumping to those after it."""
    names = CollisionNames(set(), {}, {})
    for name, shape, k, place in job.name_shapes(body, "collision"):
        stem = shape.name or job.names.links[k]
        names.now.add(name)
        for before in (f"{stem}_collision_{place}" if place else f"{stem}_collision", shape.name):
            if before:
                names.first.setdefault(before, name)
                names.of_link.setdefault((k, before), name)
    return names
