"""Elements under ``<gazebo>`` copied into the SDF, and rewritten if their link has been lumped.

libsdformat rewrites them step by step up the chain of lumped links and rounds each time. This module applies the pose
of the lumped link in its body once, with all its digits. docs/differences.md lists the results that differ on purpose.
"""
from __future__ import annotations

from sdf_frames.convert.emit import put
from sdf_frames.convert.job import Job
from sdf_frames.convert.lump import DROPPED, origin_of_pose
from sdf_frames.convert.lumped_names import rewrite_bodies, rewrite_contacts
from sdf_frames.convert.report import row_kind
from sdf_frames.document.elements import Element, child_or_self, locate, tag_of
from sdf_frames.document.places import copy_made
from sdf_frames.sdf.entities import PARTS
from sdf_frames.sdf.names import Taken
from sdf_frames.sdf.table import SINCE
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.pose import IDENTITY, Pose, compose

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
                rewrite_contacts(job, copy, source)
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


def _note_versions(job: Job, carried: Element, original: Element) -> None:
    """Note what `carried` holds that takes a newer SDF than 1.7. The content of plugins does not count."""
    scoped = False
    for element in carried.iter():
        tag = element.tag
        if tag in _NEWER and not _is_in_plugin(element):
            attribute = next((name for name in _NEWER_ATTRIBUTES.get(tag, ()) if element.get(name) is not None), None)
            if (version := SINCE.get(attribute or tag)) is not None:
                job.need(version, f"<{tag} {attribute}>" if attribute else f"<{tag}>", original)
        scoped = scoped or _is_scoped(element)
    if scoped:
        job.scoped.extend([element for element in original.iter() if _is_scoped(element)])


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
