"""Where what ``<gazebo>`` says goes: decided once for each reference, for the SDF and for the report alike."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sdf_frames.convert.extensions import MODEL, Extension, Extensions, Setting
from sdf_frames.convert.lump import DROPPED, FRAME, KEPT, LUMPED, WORLD, LumpedRobot
from sdf_frames.document.xml_in import Element
from sdf_frames.urdf.model import Joint, Robot

_JOINT_SENSORS = {"force_torque", "wrench"}
_FATES = {LUMPED: "is lumped and lives on as a frame only",
          FRAME: "becomes a frame, since its child link [{child}] is massless",
          DROPPED: "is left out, since a massless link above or below it is", WORLD: "is not in the SDF"}


class LeftOut(NamedTuple):
    """Parts of one ``<gazebo>`` element that have no place in the SDF, and why; `finding` is the rule that says so."""

    settings: tuple[Mapping[str, Setting], ...]
    elements: list[Element]
    reason: str
    finding: str | None = None


class Destination(NamedTuple):
    """What a reference means in the SDF.

    Attributes
    ----------
    key : the reference as written.
    joint : the URDF's joint of that name.
    joint_fate : what becomes of it where it is no joint of the SDF, for people, else None.
    joint_remedy : how it would be one; None where ``<preserveFixedJoint>`` alone keeps it.
    has_link : whether a link has that name.
    body : index of the link that carries it; None where that is left out.
    is_beside : whether what it names is beside the robot's tree.
    """

    key: str
    joint: Joint | None
    joint_fate: str | None
    joint_remedy: str | None
    has_link: bool
    body: int | None
    is_beside: bool

    def split(self, extension: Extension) -> tuple[list[Element], list[Element]]:
        """The elements that are for the link, and those for the joint: where both bear the name, its sensors."""
        if self.joint is None:
            return extension.elements, []
        if not self.has_link:
            return [], extension.elements
        elements = extension.elements
        return [e for e in elements if not is_joint_sensor(e)], [e for e in elements if is_joint_sensor(e)]

    def find_left_out(self, extension: Extension) -> Iterator[LeftOut]:
        """What of one ``<gazebo>`` element has no place."""
        for_link, for_joint = self.split(extension)
        link, joint, collision, visual, model = (
            extension.link, extension.joint, extension.collision, extension.visual, extension.model)
        for_shapes = [*extension.collision_elements, *extension.visual_elements]
        if not self.has_link and self.joint is None:
            yield LeftOut((link, joint, collision, visual, model), [*extension.elements, *for_shapes],
                          "what it refers to is left out" if self.is_beside else "the reference names nothing")
            return
        if not self.has_link:
            yield LeftOut((link, collision, visual), for_shapes, "of no effect on a joint")
        elif self.body is None:
            yield LeftOut((collision, visual, link), [*for_link, *for_shapes], "its link is left out",
                          "extension-of-lost-link")
        yield LeftOut((model,), [], "of no effect with a reference")
        if self.joint is None:
            yield LeftOut((joint,), [], "of no effect on a link")
        elif self.joint_fate is not None:
            yield LeftOut((joint,), for_joint, f"its joint {self.joint_fate}", "extension-of-lost-joint")


def is_joint_sensor(element: Element) -> bool:
    """True for a sensor that sits on a joint."""
    return element.tag == "sensor" and element.get("type") in _JOINT_SENSORS


def find_destinations(robot: Robot, extensions: Extensions, tree: LumpedRobot) -> dict[str, Destination]:
    """Destination of every reference, in document order."""
    joints = {joint.name: joint for joint in robot.joints}
    beside = {part.owner for part in robot.left_out if part.kind in ("link", "joint")}
    destinations = {}
    for key in extensions.by_key:
        if key == MODEL:
            continue
        link, joint = tree.index.get(key), joints.get(key)
        body = None if link is None or tree.parts[tree.body[link]] is None else tree.body[link]
        fate, remedy = (None, None) if joint is None else _find_joint_fate(tree, joint)
        destinations[key] = Destination(key, joint, fate, remedy, link is not None, body, key in beside)
    return destinations


def _find_joint_fate(tree: LumpedRobot, joint: Joint) -> tuple[str | None, str | None]:
    status = tree.status[tree.index[joint.child]]
    free = joint.type in ("floating", "planar")
    if status == KEPT and not free:
        return None, None
    fate = f"is {joint.type} and becomes a frame" if free else _FATES[status].format(child=joint.child)
    if status == LUMPED:
        return fate, None
    if free:
        return fate, "use a joint type that SDF has"
    return fate, (f"give link [{joint.child}] a realistic mass and inertia, "
                  "or convert with massless=keep (--massless keep)")
