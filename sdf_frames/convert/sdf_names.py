"""Replaces names that URDF allows and SDF does not; names shapes, because SDF requires names that URDFs seldom have.

In SDF, links, joints and frames share one scope; ``world`` and ``__x__`` are reserved, ``::`` separates scopes. A
link keeps its name wherever it can, since TF knows it by that; a joint of the same name gets ``_joint`` added.
"""

from typing import Any, NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.blanks import collapse_blanks
from sdf_frames.document.elements import locate
from sdf_frames.sdf.names import WORLD_FRAME, Taken, is_reserved
from sdf_frames.urdf.model import Robot

#: In the name of a shape of a lumped link, between the name of its body and the rest.
LUMPED = "_fixed_joint_lump__"


class Names(NamedTuple):
    """Names in the SDF.

    Attributes
    ----------
    model, links : name of the model, and names of the links by index.
    joints : new names of renamed joints, by the old name.
    in_model : names in use in the model; set when ``<gazebo>`` adds to the model.
    """

    model: str
    links: list[str]
    joints: dict[str, str]
    in_model: Taken

    def joint(self, name: str) -> str:
        """Return the name of a joint in SDF."""
        return self.joints.get(name, name)


def allow_name(name: str, kind: str) -> str:
    """Return `name` in a form that SDF allows.

    White space around the name is removed, and inside becomes one blank, because references lose it. ``::`` becomes
    ``__``. ``_KIND`` is added to a reserved name.
    """
    allowed = collapse_blanks(name).replace("::", "__")
    return f"{allowed}_{kind}" if is_reserved(allowed) else allowed


def _hint(name: str) -> dict[str, Any]:
    """Return a hint about white space that replaces the catalogue's."""
    return {} if name == collapse_blanks(name) or "::" in name else {
        "hint": "remove the white space around the name, or write one blank inside, here and where it is used"}


def _hint_of_world() -> dict[str, Any]:
    """Return the hint for a link ``world`` that is not the root."""
    from sdf_frames.diagnostics.catalogue import CATALOGUE  # few robots have such a link
    return {"hint": CATALOGUE["world-below-link"].hint}


def choose_names(robot: Robot, taken: set[str], lost: set[str], found: list[Diagnostic]) -> Names:
    """Choose the names of the model, links and joints; names that SDF does not allow are changed.

    Parameters
    ----------
    taken : names that ``<gazebo>`` content adds to the model.
    lost : names of links that are not in the SDF.
    found : gets one warning for each renamed element of the SDF.
    """
    model = allow_name(robot.name, "model") or "robot"
    if model != robot.name:
        found.append(diagnose("name-not-allowed", locate(robot.element, "name"), kind="robot",
                              called=robot.name, new=model, **_hint(robot.name)))
    links = {link.name for link in robot.links}
    occupied = Taken(links | {joint.name for joint in robot.joints} | taken)
    new_links: dict[str, str] = {}
    new_joints: dict[str, str] = {}
    for link in robot.links:
        name = link.name
        allowed = allow_name(name, "link")
        if allowed != name and not (name == WORLD_FRAME == robot.root):
            new_links[name] = new = occupied.find_free(allowed or "link")
            if name not in lost:
                found.append(diagnose("name-not-allowed", locate(link.element, "name"), kind="link", called=name,
                                      new=new, **(_hint_of_world() if name == WORLD_FRAME else _hint(name))))
    used = links | set(new_links.values())
    for joint in robot.joints:
        name = joint.name
        allowed = allow_name(name, "joint")
        if name in used or collapse_blanks(name) in used:
            allowed += "" if is_reserved(name) else "_joint"
        if allowed != name:
            new_joints[name] = new = occupied.find_free(allowed or "joint")
            if joint.child not in lost:
                found.append(diagnose("joint-renamed" if name in used else "name-not-allowed",
                                      locate(joint.element, "name"), kind="joint", joint=name, called=name, new=new,
                                      **_hint(name)))
    return Names(model, [new_links.get(link.name, link.name) for link in robot.links], new_joints, Taken())


def name_shape(body: str, stem: str, kind: str, place: int) -> str:
    """Return libsdformat's name for a shape, with ``__`` in place of ``::``, which SDF 1.8 and later do not allow.

    Parameters
    ----------
    body : SDF link that carries the shape.
    stem : name of the shape in the URDF; for a shape without a name, the name of its URDF link.
    kind : ``visual`` or ``collision``.
    place : index of the shape among the body's shapes of that kind.
    """
    stem = stem.replace("::", "__")
    name = f"{stem}_{kind}_{place}" if place else f"{stem}_{kind}"
    return name if name.startswith(body) else f"{body}{LUMPED}{name}"


def restore_name(body: str, name: str, kind: str, place: int, link: str) -> str:
    """Return the URDF name from which :func:`name_shape` makes `name`: the inverse of that function.

    Return "" if a shape without a name of the URDF's `link` gets this name. If no shape gets it, return `name`, without
    the name of the body that the next conversion adds.
    """
    whole = name.removesuffix(f"_{kind}_{place}" if place else f"_{kind}")
    for stem in (whole.removeprefix(f"{body}{LUMPED}"), whole):
        if stem and name_shape(body, stem, kind, place) == name:
            return "" if stem == link else stem
    stem = name.removeprefix(f"{body}{LUMPED}")
    return stem if stem and not stem.startswith(body) else name
