"""Finds what MuJoCo refuses in a URDF that Gazebo takes.

MuJoCo leaves visuals out. It joins links behind fixed joints with what they are fixed to, and links that do not move
with the world; each body that moves needs a mass and a tensor.
"""
from __future__ import annotations

from collections.abc import Iterator

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.budget import Spending
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xml_in import find_child, locate, tag_of
from sdf_frames.inertia.mesh_formats import get_extension
from sdf_frames.spatial.inertia import find_principal_moments
from sdf_frames.urdf.model import JOINT_TYPES, Box, Inertial, Joint, Link, Mesh, Robot, find_short_axis, shape_of
from sdf_frames.urdf.read_parts import numbers_in

_READERS = ("stl", "obj", "msh")
_MOST_FACES = 200_000  # of an STL file
_LEAST = 1e-15  # kg, kg m² and m³
_LEAST_MOMENT = 0.99e-14  # of a tensor that is written, kg m²
_SHORTEST_AXIS = 1e-6
_EXACT = 1e-15  # part of a moment that is rounding


def check_for_mujoco(robot: Robot, resolver: Resolver, spending: Spending) -> Iterator[Diagnostic]:
    """Report what makes MuJoCo's compiler refuse the robot."""
    for part in robot.left_out:
        if part.kind == "collision" and part.element is not None:
            yield diagnose("mujoco-collision-refused", locate(part.element), link=part.owner, problem=part.reason)
    judged: dict[tuple[str, tuple[float, ...]], Diagnostic | None] = {}
    for link in robot.links:
        if link.inertial is not None and (problem := _judge_tensor(link.inertial)):
            yield diagnose("mujoco-inertia-refused", locate(link.inertial.element), link=link.name, problem=problem)
        for collision in link.collisions:
            shape, element = collision.geometry, shape_of(collision)
            if element is None:
                continue
            if not isinstance(shape, Mesh):
                if min(shape.size if isinstance(shape, Box) else shape) <= 0.0:
                    yield diagnose("mujoco-size-refused", locate(element), link=link.name, shape=tag_of(element))
            elif (key := (shape.filename, shape.scale)) not in judged:
                problem = _judge_mesh(shape, resolver.find(shape.filename, robot.file), resolver, spending)
                judged[key] = diagnose("mujoco-mesh-refused", locate(element, "filename"), file=shape.filename,
                                       problem=problem) if problem else None
    yield from filter(None, judged.values())
    for joint in robot.joints:
        yield from _check_joint(joint)
    yield from _check_bodies(robot)


def _check_joint(joint: Joint) -> Iterator[Diagnostic]:
    axis = None if joint.element is None else find_child(joint.element, "axis")
    if axis is not None and "xyz" not in axis.attrib:
        yield diagnose("mujoco-joint-refused", locate(axis), joint=joint.name, problem="its <axis> has no xyz")
    elif axis is not None and len(numbers_in(axis.get("xyz", "")) or ()) != 3:  # of a joint that does not use it
        yield diagnose("mujoco-joint-refused", locate(axis, "xyz"), joint=joint.name,
                       problem="its axis is not three numbers", hint="remove <axis>")
    elif (axis := find_short_axis(joint, _SHORTEST_AXIS)) is not None:
        yield diagnose("mujoco-joint-refused", locate(axis, "xyz"), joint=joint.name, problem="its axis is too short",
                       hint="write an axis of length 1")
    mimic = joint.mimic if JOINT_TYPES[joint.type].one_axis else None
    if mimic is not None and mimic.element is not None:
        if "joint" not in mimic.element.attrib:
            yield diagnose("mujoco-joint-refused", locate(mimic.element), joint=joint.name,
                           problem="its <mimic> has no joint")
        elif mimic.joint == joint.name:
            yield diagnose("mujoco-joint-refused", locate(mimic.element, "joint"), joint=joint.name,
                           problem="it mimics itself",
                           hint="name another joint of the robot in <mimic>, or remove <mimic>")


def _judge_tensor(inertial: Inertial) -> str:
    """Return what MuJoCo refuses in a tensor; zeros are judged with the body that they belong to."""
    if not any(inertial.tensor):
        return ""
    a, b, c = sorted(find_principal_moments(inertial.tensor))
    if a < _LEAST_MOMENT:
        return f"its smallest principal moment is {a:.3g} kg m², below 1e-14"
    return f"its largest principal moment {c:.9g} exceeds the sum of the others" if a + b < c * (1 - _EXACT) else ""


def _judge_mesh(mesh: Mesh, path: str | None, resolver: Resolver, spending: Spending) -> str:
    """Return what MuJoCo refuses in the mesh of a collision; nothing of a file that is missing."""
    extension = get_extension(mesh.filename)
    if extension not in _READERS:
        return f"MuJoCo reads {', '.join(f'.{known}' for known in _READERS)} files only"
    if path is None or extension == "msh":
        return ""
    if extension == "stl":
        size, head = resolver.door.measure(path), resolver.door.read(path, 84)[80:84]
        faces = int.from_bytes(head, "little")
        if not 1 <= faces <= _MOST_FACES or size != 84 + 50 * faces:
            return (f"it has {faces:,} faces, more than {_MOST_FACES:,}" if size == 84 + 50 * faces and faces else
                    "it is an STL file in ASCII, or an empty one; MuJoCo reads binary ones")
    return _judge_volume(mesh, path, resolver, spending)


def _judge_volume(mesh: Mesh, path: str, resolver: Resolver, spending: Spending) -> str:
    """Judge the first group of an OBJ file, which is all that MuJoCo reads of it."""
    import numpy as np

    from sdf_frames.inertia.mesh_file import read_mesh_file, take_used
    surface, _ = read_mesh_file(path, spending=spending, door=resolver.door, only_first=True)
    if surface is None:
        return ""
    corners = surface.vertices * mesh.scale
    used = take_used(corners, surface.faces)
    spread = np.linalg.svd(used - used.mean(axis=0), compute_uv=False) if len(used) < 10_000 else np.ones(3)
    if len(np.unique(used, axis=0)) < 4 or spread[-1] <= 1e-9 * spread[0]:
        return "it is flat, and so has no convex hull"
    a, b, c = (corners[surface.faces[:, k]] - used.mean(axis=0) for k in range(3))
    volume = abs(float(np.einsum("ij,ij->i", np.cross(a, b), c).sum())) / 6
    return f"its volume is {volume:.3g} m³, below {_LEAST:g}" if volume < _LEAST else ""


def _check_bodies(robot: Robot) -> Iterator[Diagnostic]:
    """Report bodies that move and have no mass or no tensor, and what cannot be joined to the world."""
    links = {link.name: link for link in robot.links}
    below: dict[str, list[tuple[str, str]]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append((joint.child, joint.type))
        if joint.child == "world" and joint.type != "fixed":
            yield diagnose("mujoco-world-moves", locate(links["world"].element), joint=joint.name)
    children = {joint.child for joint in robot.joints}
    order = [name for name in links if name not in children]
    bodies: dict[str, list[str]] = {}
    host: dict[str, str | None] = dict.fromkeys(order)  # None: the world, which each root is fixed to
    for name in order:
        for child, kind in below.get(name, ()):
            host[child] = body = host[name] if kind == "fixed" else child
            if body is not None:
                bodies.setdefault(body, []).append(child)
            order.append(child)
    for joint in robot.joints:
        if joint.type == "floating" and host[joint.parent] is not None:
            yield diagnose("mujoco-floating-inside", locate(joint.element), joint=joint.name)
    for body, members in bodies.items():
        if not _has_mass([links[name] for name in members]):
            yield diagnose("mujoco-massless-body", locate(links[body].element), link=body)


def _has_mass(members: list[Link]) -> bool:
    """Whether a body has a mass and a tensor: as written, or from the collisions of a link that has no inertial."""
    written = [link.inertial for link in members if link.inertial is not None]
    if any(link.inertial is None and link.collisions for link in members):
        return True
    return sum(i.mass for i in written) > _LEAST and (
        any(min(i.tensor[:3]) > _LEAST for i in written) or len([i for i in written if i.mass > _LEAST]) > 1)
