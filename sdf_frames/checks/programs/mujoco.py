"""MuJoCo, and what it refuses in a URDF that Gazebo takes.

MuJoCo leaves visuals out, unless the ``<compiler>`` of a ``<mujoco>`` keeps them. It merges links behind fixed joints
with the link that they are fixed to, and links that do not move with the world. Each body that moves needs a mass and
a tensor. MuJoCo looks for meshes in the URDF's folder or in the compiler's ``meshdir``: by their paths, or only by
their names if ``strippath`` is true, as it is by default before 3.7.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.checks.programs import Program
from sdf_frames.checks.refusals import check_rotations, check_world
from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.document.budget import Spending
from sdf_frames.document.elements import Element, find_child, locate, tag_of
from sdf_frames.document.numbers import EXPAND, is_unexpanded, read_number
from sdf_frames.document.uris import Resolver
from sdf_frames.inertia.mesh_formats import get_extension
from sdf_frames.sdf.names import WORLD_FRAME
from sdf_frames.spatial.inertia import find_principal_moments
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.content import kind_of
from sdf_frames.urdf.read_parts import numbers_in

_READERS = ("stl", "obj", "msh")
_MOST_FACES = 200_000  # of an STL file
_LEAST = 1e-15  # kg, kg m² and m³
_LEAST_MOMENT = 0.99e-14  # of a tensor that is written, kg m²
_SHORTEST_AXIS = 1e-6
_FLAT = 1e-12  # squared, part of the largest extent
_EXACT = 1e-15  # rounding error, relative to a moment
_KEEPS_FOLDERS = (3, 7)  # the first version that looks for meshes by their whole paths
_HAS_PATHS = (4,)  # since then, it tells meshes apart by their paths
_FLAGS = {"true": True, "false": False}
#: Children of which MuJoCo accepts only one each, by the tag of their parent.
_SINGLE = {
    "robot": ("mujoco",), "link": ("inertial",), "inertial": ("origin", "mass", "inertia"), "material": ("color",),
    "joint": ("origin", "parent", "child", "axis", "dynamics", "limit", "mimic"), "collision": ("origin", "geometry"),
    "visual": ("material", "origin", "geometry"), "geometry": ("box", "cylinder", "sphere", "capsule", "mesh")}


class _Compiler(NamedTuple):
    """The settings of the ``<compiler>`` of a robot's ``<mujoco>``.

    Attributes
    ----------
    keeps_visuals : visuals are loaded, too.
    balances : a tensor whose largest moment exceeds the sum of the others is replaced.
    least_mass, least_moment : what smaller masses and principal moments are raised to, in kg and kg m².
    weighs_shapes : whether the mass and tensor of a link with collisions are computed from the collisions; None if they
        are for links without an ``<inertial>``.
    folder : the folder that paths of meshes are relative to.
    strips_folders : only the file names of meshes are used; None if the version decides.
    """

    keeps_visuals: bool
    balances: bool
    least_mass: float
    least_moment: float
    weighs_shapes: bool | None
    folder: str
    strips_folders: bool | None


def _read_compiler(robot: urdf.Robot) -> _Compiler:
    element = None if robot.element is None else robot.element.find("mujoco/compiler")

    def read(name: str) -> str:
        return "" if element is None else element.get(name, "")
    return _Compiler(keeps_visuals=read("discardvisual") == "false", balances=read("balanceinertia") == "true",
                     least_mass=read_number(read("boundmass")) or 0.0,
                     least_moment=read_number(read("boundinertia")) or 0.0,
                     weighs_shapes=_FLAGS.get(read("inertiafromgeom")), folder=read("meshdir") or read("assetdir"),
                     strips_folders=_FLAGS.get(read("strippath")))


def check_for_mujoco(robot: urdf.Robot, resolver: Resolver, spending: Spending,
                     version: tuple[int, ...]) -> Iterator[Diagnostic]:
    """Report what makes MuJoCo's compiler refuse the robot."""
    compiler = _read_compiler(robot)
    if compiler.strips_folders is None:
        compiler = compiler._replace(strips_folders=version < _KEEPS_FOLDERS[:len(version)])
    yield from _check_elements(robot, compiler)
    for link in robot.links:
        if link.inertial is not None and (problem := _judge_tensor(link, link.inertial, compiler)):
            yield diagnose("mujoco-inertia-refused", locate(link.inertial.element), link=link.name, problem=problem)
    yield from _check_shapes(robot, compiler, resolver, spending, version)
    for joint in robot.joints:
        yield from _check_joint(joint)
    yield from _check_bodies(robot, compiler)


def _check_shapes(robot: urdf.Robot, compiler: _Compiler, resolver: Resolver, spending: Spending,
                  version: tuple[int, ...]) -> Iterator[Diagnostic]:
    kinds = ("collision", "visual") if compiler.keeps_visuals else ("collision",)
    for left in robot.left_out:
        if left.kind in kinds and left.element is not None:
            yield diagnose("mujoco-collision-refused", locate(left.element), link=left.owner, kind=left.kind,
                           problem=left.reason)
    known: dict[tuple[str, tuple[float, ...]], urdf.Mesh] = {}
    judged: set[urdf.Mesh] = set()
    for link in robot.links:
        parts: list[urdf.Visual | urdf.Collision] = [*link.collisions]
        parts += link.visuals if compiler.keeps_visuals else ()
        for part in sorted(parts, key=_find_place):
            shape, element = part.geometry, urdf.shape_of(part)
            if element is None:
                continue
            if not isinstance(shape, urdf.Mesh):
                if min(shape.size if isinstance(shape, urdf.Box) else shape) <= 0.0:
                    yield diagnose("mujoco-size-refused", locate(element), link=link.name, shape=tag_of(element))
                continue
            path = _place_mesh(shape.filename, robot.file, compiler)
            name = _name_mesh(path, compiler, version)
            first = known.setdefault((name, shape.scale), shape)
            if not _is_same_file(first, shape, robot.file, resolver):
                yield diagnose("mujoco-mesh-confused", locate(element, "filename"), file=shape.filename,
                               first=first.filename, name=name)
            elif shape not in judged:
                judged.add(shape)
                problem, hint = _judge_mesh(shape, path, resolver, spending), None
                if not problem and not resolver.door.exists(path):
                    problem, hint = _explain_missing(shape.filename, path)
                if problem:
                    yield diagnose("mujoco-mesh-refused", locate(element, "filename"), file=shape.filename,
                                   kind=tag_of(part.element) if part.element is not None else "collision",
                                   problem=problem, hint=hint)


def _name_mesh(path: str, compiler: _Compiler, version: tuple[int, ...]) -> str:
    """Return what MuJoCo tells meshes of the same scale apart by."""
    name = os.path.basename(path)
    return os.path.splitext(name)[0] if version < _HAS_PATHS else name if compiler.strips_folders else path


def _is_same_file(one: urdf.Mesh, other: urdf.Mesh, file: str | None, resolver: Resolver) -> bool:
    if one.filename == other.filename:
        return True
    first, second = (os.path.normpath(resolver.find_file(mesh.filename, file) or mesh.filename)
                     for mesh in (one, other))
    return first == second


def _find_place(part: urdf.Visual | urdf.Collision) -> int:
    """Return the place of a shape in its link: MuJoCo reads shapes in the order of the file."""
    link = None if part.element is None else part.element.getparent()
    return 0 if link is None or part.element is None else link.index(part.element)


def _place_mesh(filename: str, file: str | None, compiler: _Compiler) -> str:
    """Return the path that MuJoCo opens for the mesh of a robot in a file."""
    name = filename.replace("\\", "/")
    if compiler.strips_folders:
        name = name.rpartition("/")[2]
    return os.path.join(os.path.dirname(file or ""), compiler.folder.replace("\\", "/"), name)


def _explain_missing(filename: str, path: str) -> tuple[str, str]:
    """Return why MuJoCo does not find a mesh at a path, and a hint."""
    if is_unexpanded(filename):
        return "it is not found", EXPAND
    scheme, colon, _ = filename.partition("://")
    if colon and colon in path:
        return (f"it does not open {scheme}://", "if all files have names of their own, write <mujoco><compiler "
                'strippath="true" meshdir="FOLDER"/></mujoco> into the robot, with the folder of the meshes; else '
                "write a path relative to the URDF, which RViz, however, does not open")
    return f"it looks for it at {path}", "write a path relative to the URDF, or to the meshdir of <compiler>"


def _check_elements(robot: urdf.Robot, compiler: _Compiler) -> Iterator[Diagnostic]:
    """Report elements that may occur once but occur twice, and colours that MuJoCo cannot read."""
    for around in () if robot.element is None else robot.element.iter(*_SINGLE):
        kind = kind_of(around)
        if kind is None or not kind.children:  # of another program, or of Gazebo
            continue
        is_left_out = not compiler.keeps_visuals and (around.tag == "visual" or _is_in_visual(around))
        for tag in ("material", "color") if is_left_out else _SINGLE[around.tag]:
            if len(alike := [*around.iterchildren(tag)]) > 1:
                yield diagnose("mujoco-element-refused", locate(alike[1]), tag=tag, parent=around.tag,
                               problem="it occurs twice", hint="remove one of them")
        if around.tag == "material":
            yield from _check_colour(around)


def _check_colour(material: Element) -> Iterator[Diagnostic]:
    """Report a material without the colour or the name that MuJoCo needs; in a visual, it needs one of them."""
    color, is_in_visual, has_name = find_child(material, "color"), _is_in_visual(material), "name" in material.attrib
    if color is None and is_in_visual and not has_name:
        yield diagnose("mujoco-element-refused", locate(material), tag="material", parent="visual",
                       problem="it has neither a name nor a <color>", hint="give it a name")
    elif color is not None and (is_in_visual or has_name) and len(numbers_in(color.get("rgba", "")) or ()) != 4:
        yield diagnose("mujoco-element-refused", locate(color), tag="color", parent="material",
                       problem="its rgba is not four numbers",
                       hint=EXPAND if is_unexpanded(color.get("rgba", "")) else 'write rgba="RED GREEN BLUE ALPHA"')


def _is_in_visual(element: Element) -> bool:
    return (parent := element.getparent()) is not None and parent.tag == "visual"


def _check_joint(joint: urdf.Joint) -> Iterator[Diagnostic]:
    axis = None if joint.element is None else find_child(joint.element, "axis")
    if axis is not None and "xyz" not in axis.attrib:
        yield diagnose("mujoco-joint-refused", locate(axis), joint=joint.name, problem="its <axis> has no xyz")
    elif axis is not None and len(numbers_in(axis.get("xyz", "")) or ()) != 3:  # of a joint that does not use it
        yield diagnose("mujoco-joint-refused", locate(axis, "xyz"), joint=joint.name,
                       problem="its axis is not three numbers", hint="remove <axis>")
    elif (axis := urdf.find_short_axis(joint, _SHORTEST_AXIS)) is not None:
        yield diagnose("mujoco-joint-refused", locate(axis, "xyz"), joint=joint.name, problem="its axis is too short",
                       hint="write an axis of length 1")
    mimic = joint.mimic if urdf.JOINT_TYPES[joint.type].one_axis else None
    if mimic is not None and mimic.element is not None:
        if "joint" not in mimic.element.attrib:
            yield diagnose("mujoco-joint-refused", locate(mimic.element), joint=joint.name,
                           problem="its <mimic> has no joint")
        elif mimic.joint == joint.name:
            yield diagnose("mujoco-joint-refused", locate(mimic.element, "joint"), joint=joint.name,
                           problem="it mimics itself",
                           hint="name another joint of the robot in <mimic>, or remove <mimic>")


def _judge_tensor(link: urdf.Link, inertial: urdf.Inertial, compiler: _Compiler) -> str:
    """Return what MuJoCo refuses in a tensor; a tensor of zeros is checked with its body."""
    if not any(inertial.tensor):
        return ""
    a, b, c = sorted(find_principal_moments(inertial.tensor))
    if compiler.least_moment > 0.0 and a > -_LEAST_MOMENT:
        a, b, c = [max(moment, compiler.least_moment) for moment in (a, b, c)]
    if a < _LEAST_MOMENT:
        return f"its smallest principal moment is {a:.3g} kg m², below 1e-14"
    if compiler.balances or _is_weighed(link, compiler) or a + b >= c * (1 - _EXACT):
        return ""
    return f"its largest principal moment {c:.9g} exceeds the sum of the others"


def _judge_mesh(mesh: urdf.Mesh, path: str, resolver: Resolver, spending: Spending) -> str:
    """Return what MuJoCo refuses in the mesh of a collision; empty if the file is missing."""
    extension = get_extension(mesh.filename)
    if extension not in _READERS:
        return f"MuJoCo reads {', '.join(f'.{known}' for known in _READERS)} files only"
    if extension == "msh" or not resolver.door.is_file(path):
        return ""
    if extension == "stl":
        size, head = resolver.door.measure(path), resolver.door.read(path, 84)[80:84]
        faces = int.from_bytes(head, "little")
        if not 1 <= faces <= _MOST_FACES or size != 84 + 50 * faces:
            return (f"it has {faces:,} faces, more than {_MOST_FACES:,}" if size == 84 + 50 * faces and faces else
                    "it is an STL file in ASCII, or an empty one; MuJoCo reads binary ones")
    return _judge_volume(mesh, path, resolver, spending)


def _judge_volume(mesh: urdf.Mesh, path: str, resolver: Resolver, spending: Spending) -> str:
    """Return what MuJoCo refuses in an OBJ file, of which it reads the first group only."""
    import numpy as np

    from sdf_frames.inertia.mesh_file import read_mesh_file, take_used
    surface = resolver.surfaces.get(path) or read_mesh_file(path, spending=spending, door=resolver.door)[0]
    if surface is None:
        return ""
    corners, faces = surface.vertices * mesh.scale, surface.faces[:surface.first]
    used = take_used(corners, faces)
    around = used - used.mean(axis=0)
    least, *_, most = np.linalg.eigvalsh(around.T @ around)
    if least <= _FLAT * most:  # then it is worth a closer look
        spread = np.linalg.svd(around, full_matrices=False, compute_uv=False)
        if spread[-1] <= 1e-9 * spread[0]:
            return "it is flat, and so has no convex hull"
    a, b, c = (corners[faces[:, k]] - used.mean(axis=0) for k in range(3))
    volume = abs(float(np.einsum("ij,ij->i", np.cross(a, b), c).sum())) / 6
    return f"its volume is {volume:.3g} m³, below {_LEAST:g}" if volume < _LEAST else ""


def _check_bodies(robot: urdf.Robot, compiler: _Compiler) -> Iterator[Diagnostic]:
    """Report bodies that move without mass or tensor, and links that cannot be merged with the world."""
    links = {link.name: link for link in robot.links}
    below: dict[str, list[tuple[str, str]]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append((joint.child, joint.type))
        if joint.child == WORLD_FRAME and joint.type != "fixed":
            yield diagnose("mujoco-world-moves", locate(links[WORLD_FRAME].element), joint=joint.name)
    children = {joint.child for joint in robot.joints}
    waiting = [name for name in reversed(links) if name not in children]
    bodies: dict[str, list[str]] = {}
    host: dict[str, str | None] = dict.fromkeys(waiting)  # None: the world, which each root is fixed to
    while waiting:  # depth first, as MuJoCo merges them
        name = waiting.pop()
        if (body := host[name]) is not None:
            bodies.setdefault(body, []).append(name)
        for child, kind in reversed(below.get(name, ())):
            host[child] = body if kind == "fixed" else child
            waiting.append(child)
    for joint in robot.joints:
        if joint.type == "floating" and host[joint.parent] is not None:
            yield diagnose("mujoco-floating-inside", locate(joint.element), joint=joint.name)
    for body, members in bodies.items():
        if not _has_mass([links[name] for name in members], compiler):
            yield diagnose("mujoco-massless-body", locate(links[body].element), link=body)


def _is_weighed(link: urdf.Link, compiler: _Compiler) -> bool:
    """Return whether the mass and tensor of a link are computed from its collisions."""
    weighs = link.inertial is None if compiler.weighs_shapes is None else compiler.weighs_shapes
    return weighs and bool(link.collisions)


def _has_mass(members: list[urdf.Link], compiler: _Compiler) -> bool:
    """Return whether a body has a mass and a tensor, written or computed.

    `members` are its links in the order in which MuJoCo merges them with the first one. A link without a positive mass
    adds nothing to it, and the tensor must be positive after each link that does.
    """
    if any(_is_weighed(link, compiler) for link in members):
        return True
    stated = [(0.0, 0.0) if link.inertial is None else (link.inertial.mass, min(link.inertial.tensor[:3]))
              for link in members]
    raised = [(max(compiler.least_mass, mass), max(compiler.least_moment, moment)) for mass, moment in stated]
    if compiler.weighs_shapes:  # unless a bound changes a link, the links are merged, and only the first one counts
        return any(mass > _LEAST and moment > _LEAST for mass, moment in (raised if raised != stated else raised[:1]))
    mass = moment = 0.0
    for k, (added, least) in enumerate(raised):
        if k and added <= _LEAST:
            continue
        mass, moment = max(mass, 0.0) + added, moment + least
        if k and moment <= _LEAST:
            return False
    return mass > _LEAST and moment > _LEAST


PROGRAM = Program("mujoco", "MuJoCo", "4.0", ("urdf",),
                  "MjModel.from_xml_path compiles the model, without visuals unless its `<compiler>` keeps them",
                  "2.3.7", (check_rotations, check_world), version_checks=(check_for_mujoco,))
