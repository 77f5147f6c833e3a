"""What to write for a name that people try and that does not exist: in the errors of the library and its objects."""
from __future__ import annotations

from typing import TYPE_CHECKING

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
    "xml": "tree", "convert": "to_sdf() or to_urdf()",
    "limit": "limits", "axis": "axes", "origin": "pose", "inertial": "mass, com and inertia", "visual": "visuals",
    "collision": "collisions", "joint_type": "type", "parent_link": "parent", "child_link": "child",
    "position": "xyz", "translation": "xyz", "trans": "xyz", "rotation": "rpy or quat_wxyz", "orientation": "quat_wxyz",
    "quaternion": "quat_wxyz", "quat": "quat_wxyz", "homogeneous": "matrix", "inv": "inverse()",
}


def explain_name(owner: str, name: str) -> str:
    """The text of the error for a name that `owner` does not have."""
    hint = f"; write {_INSTEAD[name]}" if name in _INSTEAD else ""
    return f"{owner} has no attribute {name!r}{hint}"


class Guided:
    """An object whose AttributeError says what to write for names that people try."""

    __slots__ = ()

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            if hasattr(type(self), name):  # a property that failed: its own error, not one about its name
                return object.__getattribute__(self, name)
            raise AttributeError(explain_name(f"{type(self).__name__!r} object", name), name=name, obj=self)
