"""Decides where the content of each ``<gazebo>`` element goes: to a link, a joint, or nowhere in the SDF."""

from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.convert.extensions import MODEL, Extension, Extensions, Setting
from sdf_frames.convert.lump import DROPPED, FRAME, KEPT, LUMPED, WORLD, Lumping
from sdf_frames.document.elements import Element
from sdf_frames.urdf.model import JOINT_TYPES, Joint, Link, Robot

REFERENCE_LEFT_OUT = "the link or joint of the reference is left out"
REFERENCE_UNKNOWN = "no link or joint has the name of the reference"
_JOINT_SENSORS = {"force_torque", "wrench"}
#: What may stand in a joint, and not in a link.
_JOINT_ELEMENTS = {"axis", "axis2", "physics"}
_FATES = {LUMPED: "is lumped and remains only as a frame",
          FRAME: "becomes a frame, because its child link {cause!r} is massless",
          DROPPED: "is left out, because its child link {cause!r} is massless", WORLD: "is not in the SDF"}
_BELOW = "is left out, because it is below the massless link {cause!r}"
_GIVE_MASS = ("give link {cause!r} a realistic mass and inertia, or convert with --massless keep "
              "(in Python: massless='keep')")


class Rejected(NamedTuple):
    """Parts of one ``<gazebo>`` element that have no place in the SDF, and why.

    Attributes
    ----------
    finding : name of the warning, if any.
    about : the kind of shape that the parts are for, if the link has none of that kind.
    """

    settings: list[Setting]
    elements: list[Element]
    reason: str
    finding: str | None = None
    about: str | None = None


class Share(NamedTuple):
    """The content of one ``<gazebo>`` element: for the link and its shapes, for the joint, and left out."""

    element: Element
    link: list[Setting]
    link_elements: list[Element]
    for_shapes: dict[str, list[Element]]
    joint: list[Setting]
    joint_elements: list[Element]
    left_out: list[Rejected]


class Destination(NamedTuple):
    """The meaning of a reference of ``<gazebo>`` elements in the SDF.

    Attributes
    ----------
    key : the reference as written.
    joint : the URDF's joint of that name.
    joint_fate : what became of that joint, in words, if the SDF has no such joint; else None.
    joint_remedy : how to make it a joint of the SDF; None if ``<preserveFixedJoint>`` is all it takes.
    link : the URDF's link of that name.
    body : index of the link that carries that link; None if it is left out.
    link_remedy : how to make it a link of the SDF, if it is left out with a massless link.
    is_beside : whether the reference names a link or joint that is not connected to the robot's tree.
    shares : its ``<gazebo>`` elements, in document order.
    """

    key: str
    joint: Joint | None
    joint_fate: str | None
    joint_remedy: str | None
    link: Link | None
    body: int | None
    link_remedy: str | None
    is_beside: bool
    shares: list[Share]


def find_destinations(robot: Robot, extensions: Extensions, lumping: Lumping) -> dict[str, Destination]:
    """Find the destination of every reference, in document order."""
    beside = {part.owner for part in robot.left_out if part.kind in ("link", "joint")}
    causes = _find_causes(lumping)
    destinations = {}
    for key, of_key in extensions.by_key.items():
        if key == MODEL:
            continue
        link, joint = lumping.tree.indices.get(key), lumping.tree.joints.get(key)
        body = None if link is None or not lumping.parts[lumping.body[link]] else lumping.body[link]
        fate, remedy = (None, None) if joint is None else _find_joint_fate(lumping, joint, causes)
        named = None if link is None else robot.links[link]
        give = _GIVE_MASS.format(cause=causes[link]) if link in causes else None
        to = destinations[key] = Destination(key, joint, fate, remedy, named, body, give, key in beside, [])
        to.shares.extend([_divide(extension, to) for extension in of_key])
    return destinations


def _find_causes(lumping: Lumping) -> dict[int | None, str]:
    """Return for each link that is left out the name of the massless link that it is left out with."""
    tree, causes = lumping.tree, dict[int | None, str]()
    for i in tree.order if DROPPED in lumping.status else ():
        if lumping.status[i] == DROPPED:
            causes[i] = causes.get(tree.parent[i]) or tree.links[i].name
    return causes


def _find_joint_fate(lumping: Lumping, joint: Joint, causes: dict[int | None, str]) -> tuple[str | None, str | None]:
    child = lumping.tree.indices[joint.child]
    status = lumping.status[child]
    free = JOINT_TYPES[joint.type].sdf is None
    if status == KEPT and not free:
        return None, None
    cause = causes.get(child, joint.child)
    fate = f"is {joint.type} and becomes a frame" if free else (
        _FATES[status] if cause == joint.child else _BELOW).format(cause=cause)
    if status == LUMPED:
        return fate, None
    if free:
        return fate, "use a joint type that SDF supports"
    return fate, _GIVE_MASS.format(cause=cause)


def _divide(extension: Extension, to: Destination) -> Share:
    """Divide one ``<gazebo>`` element between the link and the joint that its reference names."""
    settings = extension.settings.values()
    elements: dict[str, list[Element]] = {"link": [], **extension.for_shapes, "joint": [], "model": []}
    for element in extension.elements:
        elements["joint" if _is_for_joint(element, to) else "link"].append(element)
    refusals = [*_find_refusals(to)]
    left_out = [Rejected([s for s in settings if s.kind.about in about], [e for a in about for e in elements[a]], *why)
                for about, why in refusals]
    refused = {about for abouts, _ in refusals for about in abouts}
    kept = {about: [s for s in settings if s.kind.about == about] for about in elements.keys() - refused}
    elements |= {about: [] for about in refused}
    return Share(extension.element, [s for about in ("collision", "visual", "link") for s in kept.get(about, ())],
                 elements["link"], {kind: elements[kind] for kind in extension.for_shapes},
                 kept.get("joint", []), elements["joint"], left_out)


def _is_for_joint(element: Element, to: Destination) -> bool:
    """Return whether an element is for the joint; if a link has the same name, only if no link can have it."""
    return to.joint is not None and (to.link is None or element.tag in _JOINT_ELEMENTS or (
        element.tag == "sensor" and element.get("type") in _JOINT_SENSORS))


def _find_refusals(to: Destination) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the subjects of parts without a place, and the other fields of :class:`Rejected`."""
    if to.link is None and to.joint is None:
        why = REFERENCE_LEFT_OUT if to.is_beside else REFERENCE_UNKNOWN
        yield ("link", "collision", "visual", "joint", "model"), (why,)
        return
    if to.body is None:
        yield ("link", "collision", "visual"), ("has no effect on a joint",) if to.link is None else (
            "its link is left out", "extension-of-lost-link")
    yield ("model",), ("has no effect in a <gazebo> with a reference",)
    if to.body is not None and to.link is not None:
        for kind, shapes in (("collision", to.link.collisions), ("visual", to.link.visuals)):
            if not shapes:
                yield (kind,), (f"the link has no {kind}", "extension-without-shape", kind)
    if to.joint is None:
        yield ("joint",), ("has no effect on a link",)
    elif to.joint_fate is not None:
        yield ("joint",), (f"its joint {to.joint_fate}", "extension-of-lost-joint")
