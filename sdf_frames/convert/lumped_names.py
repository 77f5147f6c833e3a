"""Names of links and collisions under ``<gazebo>`` after lumping: those of the bodies that carry them."""
from __future__ import annotations

from sdf_frames.convert.emit import ensure
from sdf_frames.convert.job import CollisionNames, Job
from sdf_frames.convert.lump import origin_of_pose
from sdf_frames.document.elements import Element
from sdf_frames.document.numbers import read_numbers
from sdf_frames.spatial.pose import Pose, compose, pose_from_rpy


def rewrite_bodies(job: Job, element: Element) -> None:
    """Replace the names of lumped links in an element of ``<gazebo>`` by those of their bodies."""
    if element.tag == "plugin":
        _rewrite_plugin(job, element)
    elif element.tag == "joint":
        _rewrite_joint(job, element)
    elif element.tag == "gripper":
        _rewrite_gripper(job, element)


def _body_of(job: Job, name: str) -> tuple[str, Pose] | None:
    """Return the body of URDF link `name` and the link's pose in it; None unless the name of the body differs."""
    tree, lumping = job.tree, job.lumping
    i = tree.indices.get(name)
    if i is None or not lumping.parts[lumping.body[i]]:
        return None
    body = job.names.links[lumping.body[i]]
    return None if body == name else (body, lumping.in_body[i].X)


def _rewrite_plugin(job: Job, plugin: Element) -> None:
    """Replace the name of a lumped link in a plugin by that of its body; add the link's pose to the plugin's offset.

    This concerns ``<bodyName>`` and ``<frameName>``. The offset is changed once, even if the plugin has both.
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
    """Replace the names of lumped links in a joint by their bodies; its pose becomes relative to its child's frame."""
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


def rewrite_contacts(job: Job, sensor: Element, source: int) -> None:
    """Replace the names of collisions in the contact sensor of a lumped link by their names after lumping."""
    body = job.lumping.body[source]
    if body not in job.collisions:
        job.collisions[body] = _map_collision_names(job, body)
    names = job.collisions[body]
    for element in sensor.iterfind("contact/collision"):
        text = (element.text or "").strip()
        new = names.of_link.get((source, text)) or names.first.get(text)  # its own, if several links use one name
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
