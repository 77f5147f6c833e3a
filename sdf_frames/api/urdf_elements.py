"""Links and joints of a URDF as in its file: also those that are frames in the SDF, or not in it."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sdf_frames.api.elements import Frame, Joint, Link, Shape
from sdf_frames.api.errors import demand_positions
from sdf_frames.api.inertias import state_inertia
from sdf_frames.api.pose import wrap_pose
from sdf_frames.document.elements import locate
from sdf_frames.frames.mechanism import Mechanism, describe_robot_joint
from sdf_frames.sdf import geometry as sdf
from sdf_frames.urdf import model as urdf

if TYPE_CHECKING:
    from sdf_frames.convert.report import Row
    from sdf_frames.document.elements import Element

#: The fate of an element, by its kind and name.
Fates = Mapping[tuple[str, str], str]
_WORDS = {"to-frame": "a frame", "dropped": "left out"}


def list_fates(report: Iterable[Row]) -> Fates:
    """Return the fate of each link and joint, such as ``lumped into base_link``."""
    return {(row.element, row.name): _say_fate(row) for row in report if row.element in ("link", "joint")}


def _say_fate(row: Row) -> str:
    words = _WORDS.get(row.action, row.action)
    if row.into is None or row.action == "kept":
        return words
    return f"{words} {'to' if row.action == 'renamed' else 'in' if row.action == 'to-frame' else 'into'} {row.into}"


def list_renamed_joints(report: Iterable[Row]) -> dict[str, str]:
    """Return the SDF name of each joint that the conversion renamed."""
    return {row.name: row.into for row in report
            if row.element == "joint" and row.action == "renamed" and row.into is not None}


def name_as_in_file(positions: Mapping[str, Any], report: Iterable[Row]) -> dict[str, Any]:
    """Return positions of joints, with the names of the file in place of names that only the SDF has."""
    demand_positions(positions)
    written = {renamed: name for name, renamed in list_renamed_joints(report).items()}
    return {written.get(name, name): value for name, value in positions.items()}


def place_of(element: Element | None) -> tuple[str | None, int | None]:
    """Return the file and the line of an element."""
    at = locate(element)
    return at.file, at.line


def list_links(robot: urdf.Robot, frames: Mapping[str, Frame], fates: Fates,
               find_file: Callable[[str, str | None], str | None]) -> Iterator[Link]:
    """Yield the links; `find_file` finds the file of a URI in a file."""
    for link in robot.links:
        pose = frames[link.name].pose if link.name in frames else None
        visuals = tuple([_make_shape(visual, find_file) for visual in link.visuals])
        collisions = tuple([_make_shape(collision, find_file) for collision in link.collisions])
        stated = link.inertial
        mass, com, inertia = (None, None, None) if stated is None else \
            state_inertia(stated.mass, stated.origin.pose(), stated.tensor)
        if stated is None and (link.element is None or link.element.find("inertial") is None):
            mass = 0.0
        yield Link(link.name, pose, visuals, collisions, *place_of(link.element), mass, com, inertia,
                   fates.get(("link", link.name)))


def _make_shape(part: urdf.Visual | urdf.Collision,
                find_file: Callable[[str, str | None], str | None]) -> Shape:
    file, line = place_of(part.element)
    colour, material = None, part.material if isinstance(part, urdf.Visual) else None
    if material is not None and material.rgba is not None:
        r, g, b, a = material.rgba
        colour = r, g, b, a
    texture = None if material is None or not material.texture else find_file(material.texture, file)
    uri = part.geometry.filename if isinstance(part.geometry, urdf.Mesh) else ""
    path = find_file(uri, file) if uri else None
    return Shape(part.name, wrap_pose(part.origin.pose()), _make_geometry(part, path), path, colour, file, line,
                 texture)


def _make_geometry(part: urdf.Visual | urdf.Collision, path: str | None) -> sdf.Geometry | None:
    shape = part.geometry
    if isinstance(shape, urdf.Mesh):
        element = urdf.shape_of(part)
        return None if element is None else sdf.Mesh(shape.filename, element, shape.scale, path=path)
    if isinstance(shape, urdf.Box):
        return sdf.Box(shape.size)
    if isinstance(shape, urdf.Sphere):
        return sdf.Sphere(shape.radius)
    return (sdf.Cylinder if isinstance(shape, urdf.Cylinder) else sdf.Capsule)(shape.radius, shape.length)


def list_joints(robot: urdf.Robot, frames: Mapping[str, Frame], fates: Fates, moving: Mechanism,
                written: Iterable[str]) -> Iterator[Joint]:
    """Yield the joints, each with the frame of its child at zero; `written` are the names of the SDF's joints."""
    in_sdf = frozenset(written)
    for joint in robot.joints:
        name = moving.aliases.get(joint.name, joint.name)
        described = describe_robot_joint(joint, {})
        pose = frames[joint.child].pose if joint.child in frames else None
        yield Joint(joint.name, joint.type, joint.parent, joint.child, described.axes if described else (), pose,
                    name in moving.carried, name in in_sdf, *place_of(joint.element), fates.get(("joint", joint.name)))
