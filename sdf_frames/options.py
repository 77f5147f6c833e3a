"""The options of loading, each in one place: name, type, default, values, text, and the interfaces that offer it.

The arguments of commands, parameters of the node, arguments of launch files, checks of values, and tables in docs/ are
made from these rows. ``Options`` in :mod:`sdf_frames.api.loading` repeats names and types for type checkers.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from sdf_frames.convert.options import MASSLESS_POLICIES, SDF_VERSIONS, ConvertOptions
from sdf_frames.diagnostics import suggest_name
from sdf_frames.document.budget import LIMITS, Budget, make_budget
from sdf_frames.document.uris import Resolver
from sdf_frames.sdf.sensor_ids import GAZEBOS, NEWEST

if TYPE_CHECKING:
    from sdf_frames.document.memory import Memory
    from sdf_frames.inertia.calculators import Calculator


class Option(NamedTuple):
    """A row of the table: the name, type and default are those of the field that it belongs to.

    Attributes
    ----------
    text : what the option does; code is between double backticks.
    choices : the values that it may have; empty if there are many.
    otherwise : what the default means, if it is not a value.
    flag, metavar : its argument on the command line; `help` replaces `text` there.
    alone : the value of an argument without a value; empty if it needs one.
    group : commands add an option by its name or by the name of its group.
    node, launch : texts that the node and the launch files add; None if they do not offer the option.
    name : the name for users, if it differs from that of the field.
    """

    text: str
    choices: tuple[str, ...] = ()
    otherwise: str = ""
    flag: str = ""
    metavar: str = ""
    help: str = ""
    alone: str = ""
    group: str = ""
    node: str | None = None
    launch: str | None = None
    name: str = ""
    field: str = ""
    default: Any = None

    def read(self, value: Any) -> Any:
        """Return the value for the field; raise ValueError or TypeError if a user gave something else."""
        name = self.name
        if isinstance(self.default, bool) and not isinstance(value, bool):
            raise TypeError(f"{name} must be True or False, not {value!r}")
        if self.choices and value != self.default and value not in self.choices:
            raise ValueError(f"{name} must be one of {', '.join(self.choices)}, not {value!r}")
        if isinstance(self.default, Budget):
            if not isinstance(value, Mapping):
                raise TypeError(f"{name} must be a mapping from names to numbers, not {type(value).__name__}")
            return make_budget(value)
        if isinstance(self.default, tuple):
            if isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, Iterable):
                raise TypeError(f"{name} must be a sequence, such as [{value!r}], not a single {type(value).__name__}")
            return tuple([item if callable(item) else os.fspath(item) for item in value])
        return value


class LoadOptions(NamedTuple):
    """How to load: the table of options.

    Callers inside the package also set `named`, folders that a person names, which a confined load may read, too,
    `memory`, which keeps included files and what was computed of meshes, for loads that share it, and `uri_style`, in
    which a conversion writes URIs.
    """

    resource_paths: Annotated[tuple[str, ...], Option(
        "folders to search for ``model://NAME``, ``package://NAME`` and plain URIs, as ``DIR/NAME``",
        flag="--resource-path", metavar="DIR",
        help="look for model://NAME, package://NAME and plain include URIs in DIR/NAME (repeatable). Then SDF_PATH, "
             "GZ_SIM_RESOURCE_PATH, the package or model around the file, installed ROS packages, and other places "
             "are searched: docs/commands.md",
        node="; the node reads files only below these folders, SDF_PATH, GZ_SIM_RESOURCE_PATH and installed ROS "
             "packages",
        launch="; separated by colons; of a file in a package or model folder, the folders around it are added")] = ()
    preserve_fixed_joints: Annotated[bool, Option(
        "keep a URDF's fixed joints instead of lumping their links",
        flag="--preserve-fixed-joints", group="conversion", node="", launch="")] = False
    massless: Annotated[str, Option(
        "policy for massless links of a URDF behind movable joints: leave them out (``frame``), keep them with a tiny "
        "mass (``keep``), or report an error (``error``). Behind fixed joints, they become frames", MASSLESS_POLICIES,
        flag="--massless", group="conversion", node="", launch="")] = "frame"
    sdf_version: Annotated[str | None, Option(
        "SDF version to which a URDF is converted", SDF_VERSIONS, "the lowest that can express the robot",
        flag="--sdf-version", metavar="V", node="", launch="")] = None
    sensor_frame_ids: Annotated[str | None, Option(
        "give each sensor of a URDF without a frame id the name of the link at the pose of the sensor, in the element "
        "that this release of Gazebo reads", tuple(GAZEBOS), "no ids are added",
        flag="--sensor-frame-ids", metavar="RELEASE", alone=NEWEST, node="", launch="")] = None
    confined: Annotated[bool, Option(
        "do not read files outside of the resource paths, or of the folder that is loaded; for text from the network. "
        "A .xacro file is then an error, because it runs Python code")] = False
    auto_inertia: Annotated[str, Option(
        'when ``<inertial auto="true">`` is computed: when inertias are requested (``skip``), on loading (``save``), '
        "or on loading, to replace it in the model and the text (``save-in-element``)",
        ("skip", "save", "save-in-element"))] = "skip"
    inertia_failure: Annotated[str, Option(
        "a collision whose inertia cannot be computed is an error (``error``), or gets 1 kg and a unit tensor with a "
        "warning (``default``), as libsdformat's WARN_AND_USE_DEFAULT_INERTIAL", ("error", "default"),
        flag="--on-failure")] = "error"
    inertia_calculator: Annotated["Calculator | None", Option(
        "a function ``(density, mesh, params) -> sf.Solid | None`` (or a pair of that and findings) that is called "
        "first for every mesh; a mapping from names of links or collisions, or URIs, to functions; or the name of an "
        "entry point", flag="--calculator", metavar="NAME",
        help="compute meshes with this calculator, an entry point of an installed package")] = None
    include_readers: Annotated[tuple[Callable[[str], str | bytes | None], ...], Option(
        "functions that read included files of other formats, from a path to SDFormat text or None: "
        "docs/include_readers.md")] = ()
    budget: Annotated[Budget, Option(
        "limits on the cost of one description, by their names: docs/limits.md", name="limits",
        flag="--limit", metavar="NAME=VALUE",
        help="change a limit on the cost of one FILE (repeatable; docs/limits.md lists the limits)",
        node=f"; as NAME=VALUE, where NAME is one of {', '.join(LIMITS)}",
        launch="; as NAME=VALUE, separated by spaces")] = Budget()
    strict: Annotated[bool, Option("raise InvalidDescription if the description has errors")] = False
    named: tuple[str, ...] = ()
    memory: "Memory | None" = None
    uri_style: str = "model"

    def make_resolver(self) -> Resolver:
        """Return the resolver that finds and opens the files of one load."""
        return Resolver(self.resource_paths, confined=self.confined, named=self.named, readers=self.include_readers)

    def for_conversion(self) -> ConvertOptions:
        """Return the options of the conversion of a URDF."""
        return ConvertOptions(**{name: getattr(self, name) for name in ConvertOptions._fields if name in self._fields})


#: The table, by the names for users.
OPTIONS: dict[str, Option] = {
    (row.name or field): row._replace(name=row.name or field, field=field, default=LoadOptions._field_defaults[field])
    for field, kind in LoadOptions.__annotations__.items() for row in getattr(kind, "__metadata__", ())}


#: Names of other libraries for the folders in which they look for packages and meshes.
_SEARCH_PATHS = ("package_dirs", "package_paths", "mesh_dir", "search_paths", "asset_path", "model_paths")


def make_options(given: Mapping[str, object]) -> LoadOptions:
    """Return load options from their values by the names for users.

    Raises
    ------
    ValueError, TypeError
        An option is unknown, or has an invalid value or type.
    """
    if unknown := [name for name in given if name not in OPTIONS]:
        hint = "write resource_paths" if unknown[0] in _SEARCH_PATHS else suggest_name(unknown[0], OPTIONS)
        said = [f"unknown option {unknown[0]!r}", *([hint] if hint else []), f"the options are {', '.join(OPTIONS)}"]
        raise TypeError("; ".join([*said, "load also takes xacro_args"]))
    return LoadOptions(**{OPTIONS[name].field: OPTIONS[name].read(value) for name, value in given.items()})
