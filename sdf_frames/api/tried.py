"""What to write for a name that people try and that does not exist: in the errors of the library and its objects."""
from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, TypeVar

T = TypeVar("T")

_ROOT = "set(links) - {j.child for j in joints.values()}"
#: Names of the module and of its objects that other libraries have, and what to write here.
_INSTEAD = {
    "parse": "load", "read": "load", "open": "load", "from_file": "load", "URDF": "load",
    "parse_string": "loads", "from_string": "loads", "from_xml_string": "loads",
    "validate": "load(path).findings", "check": "load(path).findings, or .verdict('drake')",
    "urdf_to_sdf": "load(path).to_sdf()", "sdf_to_urdf": "load(path).to_urdf()", "compare": "diff",
    "is_valid": "valid", "diagnostics": "findings", "problems": "findings", "messages": "findings",
    "get_transform": "pose(frame, relative_to=…, positions=…)", "transform": "pose(frame, relative_to=…)",
    "fk": "poses(positions)", "link_fk": "poses(positions)", "forward_kinematics": "poses(positions)",
    "mass": "inertias().total.mass", "total_mass": "inertias().total.mass", "com": "inertias().total.com",
    "center_of_mass": "inertias().total.com", "inertia": "inertias()",
    "root": _ROOT, "root_link": _ROOT, "base_link": "links['base_link']",
    "actuated_joints": "[j for j in joints.values() if j.movable]", "joint_names": "list(joints)",
    "link_names": "list(links)", "frame_names": "list(frames)", "visualize": "show()", "view": "show()",
    "write": "save(path)", "export": "save(path)", "dump": "save(path)", "to_file": "save(path)",
    "to_xml": "to_sdf() or to_urdf()", "to_string": "to_sdf() or to_urdf()",
    "joint_map": "joints", "link_map": "links",
    "actuated_joint_names": "[j.name for j in joints.values() if j.movable]",
    "update_cfg": "pose(frame, positions=…), or poses(positions)", "cfg": "poses(positions)", "scene": "show()",
    "Root": "load", "buildModelFromUrdf": "load", "load_file": "load", "link": "links[name]", "joint": "joints[name]",
    "frame": "frames[name]", "model": "models[name]", "link_by_name": "links[name]", "joint_by_name": "joints[name]",
    "frame_by_name": "frames[name]", "model_by_name": "models[name]", "num_joints": "len(joints)",
    "num_links": "len(links)", "center_mass": "com",
    "moment_inertia": "tensor", "is_watertight": "valid, verdict and findings", "is_volume": "valid",
    "Inertia.inertia": "tensor", "Frame.parent": "attached_to, relative_to or body", "filename": "path or uri",
    "Link.parent": "[j.parent for j in joints.values() if j.child == link.name]",
    "Link.children": "[j.child for j in joints.values() if j.parent == link.name]", "mesh": "geometry",
    "xml": "tree", "convert": "to_sdf() or to_urdf()",
    "limit": "limits", "axis": "axes", "origin": "pose", "inertial": "mass, com and inertia", "visual": "visuals",
    "collision": "collisions", "joint_type": "type", "parent_link": "parent", "child_link": "child",
    "position": "xyz", "translation": "xyz", "trans": "xyz", "rotation": "rpy or quat_wxyz", "orientation": "quat_wxyz",
    "quaternion": "quat_wxyz", "quat": "quat_wxyz", "homogeneous": "matrix", "inv": "inverse()",
}


def explain_name(owner: str, name: str) -> str:
    """The text of the error for a name that objects of the class `owner` do not have; "" is the package."""
    instead = _INSTEAD.get(f"{owner}.{name}") or _INSTEAD.get(name)
    said = f"{owner!r} object" if owner else "module 'sdf_frames'"
    return f"{said} has no attribute {name!r}" + (f"; write {instead}" if instead else "")


def read_only(kind: type[T]) -> type[T]:
    """Make a frozen dataclass say how a description is changed where somebody sets an attribute."""
    def refuse(self: T, name: str, value: object) -> None:
        raise FrozenInstanceError(f"{kind.__name__}.{name} is read-only; change the XML: tree = robot.tree, "
                                  "then robot = sf.loads(tree)")

    setattr(kind, "__setattr__", refuse)  # noqa: B010
    return kind


class Guided:
    """An object whose AttributeError says what to write for names that people try."""

    __slots__ = ()

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            if hasattr(type(self), name):  # a property that failed: its own error, not one about its name
                return object.__getattribute__(self, name)
            raise AttributeError(explain_name(type(self).__name__, name), name=name, obj=self)
