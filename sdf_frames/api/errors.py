"""The errors of the library: for descriptions with errors, unknown names and attributes, and missing modules."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, TypeVar

from sdf_frames.diagnostics import ERROR, Diagnostic, find_nearest

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
_MOST_SHOWN = 5
#: How to change an element of a description.
_CHANGE = "change the XML: tree = robot.tree, then robot = sf.loads(tree)"
_JOINTS = "for j in robot.joints.values() if j.movable]"
_KINEMATICS = {
    ".pose(frame, relative_to=…, positions=…)": "get_transform transform get_pose frame_pose",
    ".poses(positions)": "fk link_fk forward_kinematics compute_fk cfg",
    ".pose(frame, positions=…), or .poses(positions)": "update_cfg set_joint_positions set_positions",
    ".inertias().total.mass": "mass total_mass", ".inertias().total.com": "com center_of_mass center_mass",
    ".inertias()": "inertia total_inertia",
    "set(robot.links) - {j.child for j in robot.joints.values()}": "root root_link base_link base",
    f"[j {_JOINTS}": "actuated_joints", f"[j.name {_JOINTS}": "actuated_joint_names movable_joints",
    f"sum(j.size - sum(a.mimic is not None for a in j.axes) {_JOINTS[:-1]})": "dof dofs ndof num_dofs nq",
    f"len([j {_JOINTS})": "num_actuated_joints",
    "len(robot.joints)": "num_joints n_joints", "len(robot.links)": "num_links n_links",
    "list(robot.joints)": "joint_names", "list(robot.links)": "link_names", "list(robot.frames)": "frame_names",
    ".joints": "joint_map", ".links": "link_map", ".links[name]": "link link_by_name get_link",
    ".joints[name]": "joint joint_by_name get_joint", ".frames[name]": "frame frame_by_name get_frame",
    ".models[name]": "model model_by_name",
    "[(j.parent, j.child) for j in robot.joints.values()]": "chain get_chain children parent_map",
    "[p for p in robot.parts if p.kind == 'sensor'], or another kind": "sensors lights plugins",
}
#: By the class of an object ("": the package): what to write here for the names of other libraries.
INSTEAD: dict[str, dict[str, str]] = {
    "": {
        "sf.load(path)": "parse read open from_file load_file load_urdf load_sdf load_robot read_urdf read_sdf URDF "
                         "Root Robot RobotModel buildModelFromUrdf",
        "sf.loads(text)": "parse_string load_string from_string from_xml_string",
        "sf.load(path).findings": "validate is_valid issues",
        "sf.load(path).poses(positions)": "fk forward_kinematics compute_fk",
        "sf.load(path).findings, or sf.load(path).verdict('drake')": "check",
        "sf.load(path).to_sdf()": "urdf_to_sdf to_sdf",
        "sf.load(path).to_urdf()": "sdf_to_urdf to_urdf", "sf.show(robot)": "view visualize draw plot render",
        "robot.save(path)": "save write dump export", "sf.diff(a, b)": "compare", "robot.simplify()": "simplify",
        "sf.mesh_inertia(path), or robot.inertias()": "inertia"},
    "World": _KINEMATICS,
    "RobotDescription": {
        **_KINEMATICS,
        "sf.load(path)": "load from_file from_xml_file", "sf.loads(text)": "from_string from_xml_string",
        ".valid": "is_valid", ".findings": "validate diagnostics problems messages issues",
        ".poses()": "transforms", ".joints[name].limits": "limits joint_limits",
        ".links[name].collisions": "collisions",
        ".frames, .links and .joints, or run sdf_frames frames --json FILE": "to_dict to_json as_dict",
        ".findings, or .verdict('drake')": "check", "sf.diff(a, b)": "compare diff",
        ".show(), or .picture() for a PNG": "visualize view scene draw plot animate render",
        ".static_transforms()": "tf tf_tree",
        ".save(path)": "write export dump to_file write_xml_file save_sdf save_urdf",
        ".to_sdf() or .to_urdf()": "to_xml to_string convert to_sdf_string write_xml_string",
        ".to_sdf()": "sdf", ".to_urdf()": "urdf", ".tree": "xml", ".list_files()": "files",
        ".uris, or .links[name].visuals": "meshes mesh_files assets",
        ".links[name].visuals": "visuals materials colors"},
    "Frame": {".attached_to, .relative_to or .body": "parent parent_frame", ".pose": "transform", ".body": "link",
              ".pose.xyz": "xyz position", ".pose.rpy": "rpy"},
    "Link": {"[j.parent for j in robot.joints.values() if j.child == link.name]": "parent",
             "[j for j in robot.joints.values() if j.child == link.name]": "parent_joint",
             "[j.child for j in robot.joints.values() if j.parent == link.name]": "children",
             ".com": "center_of_mass center_mass", ".pose": "origin", ".mass, .com and .inertia": "inertial",
             ".visuals": "visual", ".collisions": "collision"},
    "Joint": {"robot.pose(joint.name, relative_to=joint.parent)": "origin",
              "[p.settings for p in robot.parts if p.kind == 'joint' and p.name == joint.name], with joint from "
              "robot.sdf_joints": "dynamics damping friction",
              ".limits": "limit", ".limits.lower": "lower", ".limits.upper": "upper", ".limits.effort": "effort",
              ".limits.velocity": "velocity", ".axes[0].xyz": "axis", ".type": "joint_type", ".parent": "parent_link",
              ".child": "child_link", "not joint.movable": "is_fixed"},
    "Axes": {"joint.axes[0].xyz": "xyz", "joint.limits": "limits", "joint.mimic": "mimic"},
    "Shape": {".colour": "color rgba", ".colour and .texture": "material", ".geometry": "mesh",
              ".path or .uri": "filename", ".pose": "origin"},
    "Pose": {".xyz": "position translation trans t p", ".rpy, .quat_wxyz or .matrix": "rotation euler",
             ".matrix[:3, :3]": "R", ".quat_wxyz": "orientation quaternion quat wxyz",
             ".quat_wxyz[..., [1, 2, 3, 0]]": "xyzw quat_xyzw", ".matrix": "homogeneous T as_matrix to_matrix",
             ".inverse()": "inv invert", "sf.Pose()": "identity", ".from_rpy(xyz, rpy)": "from_xyz_rpy",
             "points @ X.matrix[:3, :3].T + X.xyz": "apply transform_points",
             ".xyz[0]": "x", ".xyz[1]": "y", ".xyz[2]": "z"},
    "Inertias": {".total.mass": "mass total_mass", ".total.com": "com center_of_mass",
                 ".total.tensor": "tensor inertia"},
    "Inertia": {".tensor": "inertia moment_inertia I matrix", ".com": "center_of_mass center_mass",
                ".valid, .verdict and .findings": "is_watertight", ".valid": "is_volume",
                ".mass / density": "volume", "sf.mesh_inertia(path)": "from_mesh",
                **{f".tensor[{i}, {j}]": f"i{'xyz'[i]}{'xyz'[j]}" for i in range(3) for j in range(i, 3)}},
}
#: Names for features that the library does not have, or that only a command has.
_ELSEWHERE = {
    "sdf_frames has none; use Pinocchio on robot.to_urdf()":
        "jacobian jac get_jacobian mass_matrix gravity_torque rnea crba aba inverse_dynamics ik inverse_kinematics",
    _CHANGE: "rename rename_link rename_joint set_name prefix add_link add_joint remove_link",
    "run sdf_frames view FILE --png OUT": "picture screenshot", "run sdf_frames graph FILE": "graph print_tree",
}


class InvalidDescription(ValueError):
    """The description has errors, and the call needs a description without errors.

    Attributes
    ----------
    file : file name of the description, or None.
    findings : all errors, warnings and notes.
    """

    def __init__(self, file: str | None, findings: Iterable[Diagnostic]) -> None:
        self.file, self.findings = file, tuple(findings)
        lines = [f"{d._replace(file=d.file or file)}" + (f"\n    hint: {d.hint}" if d.hint else "")
                 for d in self.findings if d.severity == ERROR]
        more = [f"and {len(lines) - _MOST_SHOWN} more errors"] if len(lines) > _MOST_SHOWN else []
        super().__init__("\n".join([*lines[:_MOST_SHOWN], *more]) or "the description has errors")

    def __reduce__(self) -> tuple[Callable[..., InvalidDescription], tuple[object, ...]]:
        return type(self), (self.file, self.findings)  # a process pool pickles the errors of its workers


class Named(Mapping[str, T]):
    """Elements of one kind by SDF name, in the order of the document.

    A KeyError states the fate of an element of that name, if `fates` has it, or suggests similar names.
    """

    __slots__ = ("_items", "_kind", "_fates")

    def __init__(self, kind: str, items: dict[str, T], fates: Mapping[tuple[str, str], str] = {}) -> None:
        self._kind, self._items, self._fates = kind, items, fates

    def __getitem__(self, name: str) -> T:
        try:
            return self._items[name]
        except (KeyError, TypeError):  # TypeError: an unhashable key
            raise unknown_name(self._kind, name, self._items, self._fates) from None

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            error = unknown_attribute(self, type(self).__name__, name)
            if not name.startswith("_") and name in self._items:  # _items is missing while it is unpickled
                error = AttributeError(f"{error}; write [{name!r}]", name=name, obj=self)
            raise error

    def __contains__(self, name: object) -> bool:
        return name in self._items  # Mapping's own method would search similar names

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
    if isinstance(name, int):
        hint = "; the keys are names: list(…) has them in the order of the document"
    return KeyError(f"no {kind} {name!r}{hint}")


def demand_sequence(name: str, value: object) -> None:
    """Raise TypeError for a value that is no sequence of strings; of a single string, the letters would be used."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a sequence, such as [{value!r}], not a single {type(value).__name__}")
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence of names, not {type(value).__name__}")


def demand_names(**given: object) -> None:
    """Raise TypeError for an argument that is not a string."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")


def demand_names_in(name: str, values: Iterable[object]) -> None:
    """Raise TypeError for an element of a sequence, or a key of a mapping, that is not a string."""
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"each name in {name} must be a str, not {type(value).__name__}")


def demand_positions(positions: object) -> None:
    """Raise TypeError for positions of joints that do not have the names of the joints."""
    if not isinstance(positions, Mapping):
        raise TypeError("positions must be a mapping from joint names to positions, not "
                        f"{type(positions).__name__}; dict(zip(names, values)) makes one")


def demand_choice(name: str, value: object, choices: Sequence[str], more: str = "") -> None:
    """Raise ValueError for a value that is none of the choices; `more` ends the message."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}{more}")


def read_only(kind: type[T]) -> type[T]:
    """Make a frozen dataclass say how to change a description when an attribute is set."""
    def refuse(self: T, name: str, value: object) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"{kind.__name__}.{name} is read-only; {_CHANGE}")

    setattr(kind, "__setattr__", refuse)  # noqa: B010
    return kind


def name_methods(kind: type[T]) -> type[T]:
    """Name a class as the owner of the methods of its bases, in the errors of Python."""
    for base in kind.__mro__[1:]:
        for name, value in vars(base).items():
            if isinstance(value, FunctionType) and not name.startswith("_"):
                value.__module__, value.__qualname__ = kind.__module__, f"{kind.__qualname__}.{name}"
    return kind


def unknown_attribute(owner: object, kind: str, name: str) -> AttributeError:
    """Make the error for a name that objects of the class `kind` do not have; "" is the package."""
    said = f"{kind!r} object" if kind else "module 'sdf_frames'"
    words = {f"write {word}": names for word, names in INSTEAD.get(kind, {}).items()}
    if kind in ("", "World", "RobotDescription"):
        words |= _ELSEWHERE
    found = [word for word, names in words.items() if name in names.split()]
    return AttributeError("; ".join([f"{said} has no attribute {name!r}", *found]), name=name, obj=owner)


class _GuidedType(type):
    if not TYPE_CHECKING:
        def __getattr__(cls, name):
            raise unknown_attribute(cls, cls.__name__, name)


class Guided(metaclass=_GuidedType):
    """A base class whose AttributeError suggests what to write for names that people try."""

    __slots__ = ()

    if not TYPE_CHECKING:  # where it would allow every name
        def __getattr__(self, name):
            if hasattr(type(self), name):  # a property that failed: its own error, not one about its name
                return object.__getattribute__(self, name)
            raise unknown_attribute(self, type(self).__name__, name)


class Immutable(Guided):
    """A base class whose objects are their own copies."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Name the extra that installs a missing module that is imported inside of the block."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(f"{error.name} is not installed: pip install 'sdf_frames[{extra}]'",
                          name=error.name) from None
