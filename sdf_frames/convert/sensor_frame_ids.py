"""Gives sensors the frame ids of the links of the URDF that stand where the sensors are."""
from __future__ import annotations

from sdf_frames.convert.emit import put
from sdf_frames.convert.job import MOST_LOOKS, Job
from sdf_frames.document.elements import Element, locate
from sdf_frames.frames.sensor_frames import WITHOUT_FRAME, measure_error
from sdf_frames.sdf.sensor_ids import CAMERAS, choose_element, find_stated
from sdf_frames.sdf.values import read_pose_text
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert

_NONE, _SPENT = "no link moves with it and has its pose", f"{MOST_LOOKS} poses of links were compared before"


def give_frame_id(job: Job, carried: Element, original: Element, holder: int) -> None:
    """Write the frame id of a sensor for the Gazebo that the options name, unless the sensor states one for it.

    An id that the sensor states for another Gazebo is taken; else the name of a link that is where the sensor is, best
    the optical frame of a camera.

    Parameters
    ----------
    carried : the ``<sensor>`` as it is written.
    original : the same sensor in the URDF.
    holder : index of the URDF link that the sensor belongs to, for a sensor of a joint the child link.
    """
    gazebo, type_ = job.options.sensor_frame_ids, original.get("type", "")
    stated = [s for s in find_stated(original) if not s.row.is_optical]
    if gazebo is None or type_ in WITHOUT_FRAME or any(gazebo in s.row.gazebos for s in stated):
        return
    name = next((s.text for s in stated if not s.row.is_classic), None) or _find_link(job, original, holder)
    if name is None:
        is_spent = job.looks.left < 0
        job.report("sensor-without-frame", locate(original), called=original.get("name", ""),
                   link=job.tree.links[holder].name, why=_SPENT if is_spent else _NONE,
                   hint="write the frame id into the sensor" if is_spent else None)
        return
    element = put(carried, choose_element(gazebo), name)
    job.starts[element] = original


def _find_link(job: Job, sensor: Element, holder: int) -> str | None:
    """Find a link that is where a sensor is, and moves with it: the link of the sensor before all others."""
    lumping, links = job.lumping, job.tree.links
    body = lumping.body[holder]
    X_BS = _find_pose(job, sensor, holder)
    if X_BS is None:
        return None
    X_SB = invert(X_BS)
    for wanted in (True, False) if sensor.get("type") in CAMERAS else (False,):
        for k in (holder, *lumping.parts[body]):
            job.looks.left -= 1
            if job.looks.left < 0:
                return None
            if measure_error(sensor, compose(X_SB, lumping.in_body[k].X), wanted) is None:
                return links[k].name
    return None


def _find_pose(job: Job, sensor: Element, holder: int) -> Pose | None:
    """Find the pose of a sensor in the body of its link; None if it cannot be read."""
    pose, X_LS, base = sensor.find("pose"), IDENTITY, holder
    if pose is not None:
        X, _ = read_pose_text(pose.text or "", pose.get("rotation_format", ""), pose.get("degrees", ""))
        k = job.tree.indices.get(pose.get("relative_to", "").strip(), -1) if pose.get("relative_to") else holder
        if X is None or k < 0 or job.lumping.body[k] != job.lumping.body[holder]:
            return None
        X_LS, base = X, k
    return compose(job.lumping.in_body[base].X, X_LS)
