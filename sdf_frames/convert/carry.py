"""Elements under ``<gazebo>`` carried over into the SDF, and rewritten where their link has been lumped.

libsdformat rewrites them step by step up the chain and rounds each time; here the pose of the lumped link in its
body is applied once, with all its digits. Why some results differ on purpose is in docs/differences.md.
"""
from __future__ import annotations

from math import pi

from sdf_frames.convert.emit_parts import ensure, put
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import DROPPED, origin_of_pose
from sdf_frames.convert.names import free_name
from sdf_frames.convert.report import Row, row_kind
from sdf_frames.convert.shape_names import map_collision_names
from sdf_frames.document.numbers import read_numbers
from sdf_frames.document.xml_in import Element, copy_element, tag_of
from sdf_frames.spatial.pose import Pose, compose, pose_from_rpy

# Elements of a link whose <pose> is given in the link's frame.
_POSED = {"sensor", "light", "projector", "particle_emitter", "audio_source"}
# Tags and attributes by the SDF version that brought them.
_SINCE = {"capsule": "1.8", "ellipsoid": "1.8", "fluid_added_mass": "1.10", "screw_thread_pitch": "1.10",
          "cone": "1.11",
          "mimic": "1.11", "density": "1.11", "auto_inertia_params": "1.11", "convex_decomposition": "1.11"}


def carry_elements(job: Job, parent: Element, elements: list, source: int | None, into: str | None) -> None:
    """Append copies of `elements` to `parent`, an SDF link, joint or model.

    Parameters
    ----------
    source : index of the URDF link that it refers to; None for a joint or the model.
    into : name of the SDF link or joint, for the report; None for the model.
    """
    tree = job.tree
    moved = source is not None and tree.body[source] != source
    for element in elements:
        copy = copy_element(element)
        tag = copy.tag
        name = copy.get("name")
        if moved:
            if tag in _POSED:
                _move_pose(job, copy, source, tree.X_body[source])
            if tag in _POSED or tag == "visual" or tag == "collision":
                _make_name_free(job, parent, copy, source, into)
        elif parent is job.out.model and tag != "plugin" and name:
            _make_name_free_in_model(job, copy)
        if tag == "plugin":
            _rewrite_plugin(job, copy)
        elif tag == "joint":
            _rewrite_joint(job, copy)
        elif tag == "gripper":
            _rewrite_texts(job, copy, ("gripper_link", "palm_link"))
        elif tag == "sensor" and source is not None and copy.find("contact") is not None:
            _rewrite_contacts(job, copy, source)
        if _note_versions(job, copy):
            job.out.scoped += [e for e in _iterate(element) if "::" in e.get("name", "")]
        parent.append(copy)
        job.out.carried.append(copy)
        label = tag_of(element)
        job.rows.append(Row(row_kind(label), name or label, "moved" if moved else "kept",
                            into or job.out.model.get("name"),
                            element.sourceline, "from a lumped link" if moved else None))


def _iterate(element: Element) -> list[Element]:
    """An element and all within, but for plugins, whose content is their own."""
    of_plugins = {part for plugin in element.iter("plugin") for part in plugin.iter("*")}
    return [part for part in element.iter("*") if part not in of_plugins]


def _note_versions(job: Job, carried: Element) -> bool:
    """Note what of `carried` takes a newer SDF than 1.7; whether any name in it holds ``::``."""
    scoped = False
    for element in _iterate(carried):
        tag = element.tag
        scoped = scoped or "::" in element.get("name", "")
        if tag in _SINCE:
            job.out.need(_SINCE[tag], f"<{tag}>")
        elif tag == "pose":
            if element.get("degrees") is not None or element.get("rotation_format") is not None:
                job.out.need("1.9", "<pose> with degrees or rotation_format")
        elif tag == "inertial" and element.get("auto") is not None:
            job.out.need("1.11", "<inertial auto>")
    return scoped


def _read_pose(element: Element | None) -> Pose | None:
    """The pose that a ``<pose>`` states, None where it cannot be read."""
    text = "" if element is None else (element.text or "").strip()
    if not text:
        return (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    if element.get("rotation_format") == "quat_xyzw":
        values = read_numbers(text, 7)
        return None if values is None else (*values[:3], values[6], *values[3:6])
    values = read_numbers(text, 6)
    if values is None:
        return None
    if element.get("degrees", "").strip().lower() in ("true", "1"):
        values = (*values[:3], *[angle * pi / 180 for angle in values[3:]])
    return pose_from_rpy(*values)


def _move_pose(job: Job, carried: Element, source: int, X_BL: Pose) -> None:
    """Give the pose of an element of lumped link `source` in its body's frame; one that names its frame stays."""
    pose = carried.find("pose")
    if pose is not None and pose.get("relative_to"):
        return
    X_LS = _read_pose(pose)
    line = carried.sourceline if pose is None else pose.sourceline
    if X_LS is None:
        job.report("moved-pose-malformed", job.places.at_gazebo(job.tree.links[source].name, carried.tag, line),
                   tag=carried.tag,
                   called=carried.get("name", ""), link=job.tree.links[source].name, text=(pose.text or "").strip())
        X_LS = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    if pose is not None:
        carried.remove(pose)
    put(carried, "pose", job.out.numbers.pose(origin_of_pose(compose(X_BL, X_LS))), line)


def _make_name_free_in_model(job: Job, carried: Element) -> None:
    """Rename an element that ``<gazebo>`` adds to the model where a link or joint of the robot has its name."""
    name = carried.get("name").strip()
    taken = job.out.taken.get(("", "model"))
    if taken is None:
        tree = job.tree
        taken = job.out.taken["", "model"] = {job.link_names[i] for i, what in enumerate(tree.status)
                                              if what != DROPPED}
        taken |= {job.joint_name(joint.name) for i, joint in enumerate(tree.joint)
                  if joint is not None and tree.status[i] != DROPPED}
    if name in taken:
        tag = tag_of(carried)
        new = free_name(f"{name}_{tag.rpartition(':')[2]}", taken)
        carried.set("name", new)
        job.report("added-name-taken", job.places.at_gazebo("", tag, carried.sourceline), tag=tag, called=name, new=new)
    taken.add(carried.get("name").strip())


def _make_name_free(job: Job, link: Element, carried: Element, source: int, into: str | None) -> None:
    """Rename an element that moves to a link where its name is taken."""
    name = carried.get("name")
    if name is None:
        return
    name = name.strip()
    taken = job.out.taken.get((into, carried.tag))
    if taken is None:
        taken = job.out.taken[into, carried.tag] = {(other.get("name") or "").strip()
                                                    for other in link.iterfind(carried.tag)}
    if name not in taken:
        taken.add(name)
        return
    source_name = job.tree.links[source].name
    new = free_name(f"{source_name}_fixed_joint_lump__{name}", taken)
    taken.add(new)
    carried.set("name", new)
    job.report("moved-name-taken", job.places.at_gazebo(source_name, carried.tag, carried.sourceline), tag=carried.tag,
               called=name,
               source=source_name, link=into, new=new)


def _body_of(job: Job, name: str) -> tuple[str, Pose] | None:
    """Body and pose in it of the URDF link `name`, where that is lumped (or has another name in SDF)."""
    tree = job.tree
    i = tree.index.get(name)
    if i is None or tree.parts[tree.body[i]] is None:
        return None
    body = job.link_names[tree.body[i]]
    return None if body == name else (body, tree.X_body[i])


def _rewrite_plugin(job: Job, plugin: Element) -> None:
    """``<bodyName>`` and ``<frameName>`` of a lumped link name its body, offset by where the link is in it.

    The offset is applied once, however many of the two there are and however deep the link was lumped.
    """
    moved = None
    for tag in ("bodyName", "frameName"):
        element = plugin.find(tag)
        if element is not None and (found := _body_of(job, (element.text or "").strip())) is not None:
            element.text = found[0]
            moved = moved or found
    if moved is not None:
        line = plugin.sourceline
        values = []
        for tag in ("xyzOffset", "rpyOffset"):
            element = plugin.find(tag)
            numbers = None if element is None else read_numbers((element.text or "").replace(",", " "), 3)
            values += numbers or (0.0, 0.0, 0.0)
        xyz, rpy = origin_of_pose(compose(moved[1], pose_from_rpy(*values)))
        ensure(plugin, "xyzOffset", line).text = job.out.numbers.join(xyz)
        ensure(plugin, "rpyOffset", line).text = job.out.numbers.join(rpy)
    for element in plugin.iter("projector"):
        link, slash, name = (element.text or "").strip().partition("/")
        if slash and (found := _body_of(job, link)) is not None:
            element.text = f"{found[0]}/{name}"
    if job.joint_names:
        for element in plugin.iter():
            tag = element.tag
            if isinstance(tag, str) and "joint" in tag.lower() and not len(element):
                new = job.joint_names.get((element.text or "").strip())
                if new is not None:
                    element.text = new


def _rewrite_joint(job: Job, joint: Element) -> None:
    """Parent and child links that have been lumped; the pose, given in the child, then says so."""
    for tag in ("parent", "child"):
        element = joint.find(tag)
        name = "" if element is None else (element.text or "").strip()
        found = _body_of(job, name)
        if found is None:
            continue
        element.text = found[0]
        if tag == "child":
            pose = joint.find("pose")
            if pose is None:
                pose = joint.makeelement("pose")
                pose.sourceline = joint.sourceline
                joint.insert(0, pose)
            if not pose.get("relative_to"):
                pose.set("relative_to", job.link_names[job.tree.index[name]])


def _rewrite_texts(job: Job, carried: Element, tags: tuple) -> None:
    for tag in tags:
        for element in carried.iter(tag):
            if (found := _body_of(job, (element.text or "").strip())) is not None:
                element.text = found[0]


def _rewrite_contacts(job: Job, sensor: Element, source: int) -> None:
    """``<contact><collision>`` of a lumped link: the name it has without lumping becomes the one it has now."""
    if job.tree.parts[job.tree.body[source]] is None:
        return
    names, before = map_collision_names(job, source)
    for element in sensor.iterfind("contact/collision"):
        text = (element.text or "").strip()
        if text not in names and text in before:
            element.text = before[text]
