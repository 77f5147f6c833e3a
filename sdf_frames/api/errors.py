"""What the library says of descriptions with errors, and of names that do not exist: those that are like them."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from sdf_frames.diagnostics import ERROR, Diagnostic, find_nearest

T = TypeVar("T")
_MOST_SHOWN = 5


class InvalidDescription(ValueError):
    """The description has errors, and the call needs a description without errors.

    Attributes
    ----------
    file : file name of the description, or None.
    findings : all errors, warnings and notes.
    """

    def __init__(self, file: str | None, findings: Iterable[Diagnostic]) -> None:
        self.file, self.findings = file, tuple(findings)
        errors = [d for d in self.findings if d.severity == ERROR]
        lines = [f"{d.file or file or '<text>'}:{'' if d.line is None else f'{d.line}:'} {d.code} {d.message}"
                 for d in errors]
        more = [f"and {len(lines) - _MOST_SHOWN} more errors"] if len(lines) > _MOST_SHOWN else []
        super().__init__("\n".join([*lines[:_MOST_SHOWN], *more]) or "the description has errors")


class Named(Mapping[str, T]):
    """Elements of one kind by SDF name, in the order of the document.

    A KeyError says what became of an element of that name, if `fates` has it, or suggests similar names.
    """

    __slots__ = ("_items", "_kind", "_fates")

    def __init__(self, kind: str, items: dict[str, T], fates: Mapping[tuple[str, str], str] = {}) -> None:
        self._kind, self._items, self._fates = kind, items, fates

    def __getitem__(self, name: str) -> T:
        try:
            return self._items[name]
        except (KeyError, TypeError):  # the latter for what cannot be a key
            raise unknown_name(self._kind, name, self._items, self._fates) from None

    def __contains__(self, name: object) -> bool:
        return name in self._items  # Mapping's own would look for the nearest name of each that is not there

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        names = [*list(self._items)[:4], *(["…"] if len(self._items) > 4 else [])]
        return f"<{len(self._items)} {self._kind}s: {', '.join(names) or 'none'}>"


def unknown_name(kind: str, name: object, known: Iterable[str],
                 fates: Mapping[tuple[str, str], str] = {}) -> KeyError:
    """Make the error for a name that does not exist, with its fate, or the nearest names that do."""
    if isinstance(name, str) and (fate := fates.get((kind, name))) is not None:
        return KeyError(f"no {kind} {name!r} in the SDF: it is {fate}")
    near = find_nearest(name, known, 3) if isinstance(name, str) else []
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return KeyError(f"no {kind} {name!r}{hint}")


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
        from dataclasses import FrozenInstanceError
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
