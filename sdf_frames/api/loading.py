"""Load descriptions from files and texts: ``sf.load`` and ``sf.loads``."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.errors import InvalidDescription
from sdf_frames.description import Description, LoadOptions
from sdf_frames.diagnostics import has_errors
from sdf_frames.document.budget import LIMITS, Budget
from sdf_frames.document.door import UNCONFINED, Door, read_named
from sdf_frames.document.uris import Resolver
from sdf_frames.document.xacro import is_xacro
from sdf_frames.load import load_text

if TYPE_CHECKING:
    from lxml import etree
    from typing_extensions import Unpack

    from sdf_frames.api.scene import Scene
    from sdf_frames.inertia.calculators import Calculator

    StrPath = str | os.PathLike[str]

T = TypeVar("T")


class Options(TypedDict, total=False):
    """Keyword arguments of :func:`loads` and :func:`load`; see :func:`load`."""

    resource_paths: Sequence[StrPath]
    preserve_fixed_joints: bool
    massless: str
    sdf_version: str | None
    confined: bool
    auto_inertia: str
    inertia_failure: str
    inertia_calculator: Calculator | None
    include_readers: Sequence[Callable[[str], str | bytes | None]]
    limits: Mapping[str, float]
    strict: bool


def load(path: StrPath, *, xacro_args: Mapping[str, object] | None = None,
         **options: Unpack[Options]) -> RobotDescription:
    """Load a robot or world from a file.

    Parameters
    ----------
    path : a .urdf, .sdf, .world or .xacro file, or a folder with a model.config. The root element determines the
        format; a .xacro file is expanded first.
    xacro_args : mapping of names to values of the arguments of a .xacro file.
    resource_paths : folders to search for ``model://NAME``, ``package://NAME`` and plain URIs, as ``DIR/NAME``. After
        these, the search includes SDF_PATH, GZ_SIM_RESOURCE_PATH, the package or model around the file, and installed
        ROS packages.
    preserve_fixed_joints : keep the fixed joints of a URDF, and their links, instead of lumping them.
    massless : policy for the massless links of a URDF: ``frame`` (the default), ``keep``, or ``error``.
    sdf_version : version to which a URDF is converted; None for the lowest version that can express the robot.
    confined : do not read files outside of the resource paths, or of the folder `path`; for text from the network.
        A .xacro file is then an error, because it runs Python code.
    auto_inertia : ``skip`` (the default), ``save`` or ``save-in-element``: when ``<inertial auto="true">`` is computed.
    inertia_failure : ``error`` (the default) or ``default`` (1 kg and a unit tensor): result for a collision whose
        inertia cannot be computed.
    inertia_calculator : a function ``(density, mesh, params) -> sf.Solid | None`` (or a pair of that and findings)
        that is called first for every mesh; a mapping from names of links or collisions, or URIs, to functions; or
        the name of an entry point.
    include_readers : functions that read included files of other formats, from a path to SDFormat text or None.
    limits : mapping of names to limits on the cost of the description: docs/limits.md.
    strict : raise InvalidDescription if the description has errors.

    Returns
    -------
    RobotDescription
        The description, even if it has errors: see its `findings`.

    Raises
    ------
    OSError
        The file cannot be opened: FileNotFoundError, PermissionError, IsADirectoryError, …; same errors as `open`.
    ImportError
        The file is a .xacro file, and xacro is not installed.
    InvalidDescription
        The description has errors, and `strict` is True.
    ValueError, TypeError
        An option has an invalid value or type.

    Examples
    --------
    >>> robot = load("pr2.urdf")                                                          # doctest: +SKIP
    >>> robot.valid, len(robot.links)                                                     # doctest: +SKIP
    (True, 57)
    """
    description, source = open_description(path, read_options(options), xacro_args)
    return _finish(description, source, options, from_file=True)


def open_description(path: StrPath, chosen: LoadOptions,
                     xacro_args: Mapping[str, object] | None = None) -> tuple[Description, str | bytes]:
    """Load a file as :func:`load` does. Return the description, and the text that it was made of."""
    name, read = os.fspath(path), read_named
    if UNCONFINED.is_folder(name):
        from sdf_frames.sdf.model_folder import find_model_file
        chosen = chosen._replace(named=(name,))
        door = chosen.make_resolver().door
        if (file := find_model_file(name, door)[1]) is not None:
            name, read = file, door.read
    if xacro_args is not None and not isinstance(xacro_args, Mapping):
        raise TypeError(f"xacro_args must be a mapping from names to values, not {type(xacro_args).__name__}")
    if is_xacro(name):
        return _load_xacro(name, xacro_args or {}, chosen)
    if xacro_args:
        raise ValueError(f"xacro_args: {name} is not a .xacro file")
    content = read(name, chosen.budget.bytes)
    return load_text(content, name, chosen), content


def loads(text: str | bytes | etree._Element, *, file: StrPath | None = None,
          **options: Unpack[Options]) -> RobotDescription:
    """Load a robot or world from text.

    Parameters
    ----------
    text : URDF or SDFormat: a string, bytes in the encoding of their XML declaration, or an lxml element, which is
        not changed.
    file : name for messages; relative URIs start from its folder. The file itself is not read.
    **options : the options of :func:`load`.

    Raises
    ------
    InvalidDescription
        The description has errors, and `strict` is True.
    ValueError, TypeError
        An option has an invalid value or type, or `text` is not a string, bytes or an lxml element.
    """
    chosen = read_options(options)
    if not isinstance(text, (str, bytes)):
        from lxml import etree
        if not isinstance(text, etree._Element):
            raise TypeError(f"text must be a string, bytes or an lxml element, not {type(text).__name__}")
        text = etree.tostring(text, encoding="unicode", with_tail=False)
    return _finish(load_text(text, None if file is None else os.fspath(file), chosen), text, options)


def find_door(source: RobotDescription | Scene) -> Door:
    """Return what opens the files that a description names."""
    return source._description.resolver.door


def _load_xacro(name: str, arguments: Mapping[str, object], options: LoadOptions) -> tuple[Description, str]:
    """Load a .xacro file; return also the text that xacro made of it."""
    if options.confined:
        raise ValueError("confined: a .xacro file runs Python code, and cannot be confined")
    from sdf_frames.document.xacro_expansion import expand_xacro
    read_named(name, 1)  # raises if it cannot be opened
    text, found = expand_xacro(name, {key: _spell(value) for key, value in arguments.items()}, options.resource_paths)
    if text is not None:
        return load_text(text, name, options), text
    if any(d.name == "xacro-missing" for d in found):
        raise ImportError("a .xacro file needs xacro: pip install 'sdf_frames[xacro]'")
    return Description(name, Resolver(), diagnostics=tuple(found), options=options), ""


def _finish(description: Description, source: str | bytes, options: Options,
            from_file: bool = False) -> RobotDescription:
    if options.get("strict") and has_errors(description.diagnostics):
        raise InvalidDescription(description.file, description.diagnostics)
    return RobotDescription(description, source, from_file)


def _spell(value: object) -> str:
    """An argument of a .xacro file as xacro reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_options(options: Options) -> LoadOptions:
    """Return the options of loading; raise ValueError or TypeError for an invalid option."""
    if unknown := [name for name in options if name not in Options.__annotations__]:
        raise TypeError(f"unknown option {unknown[0]!r}; the options are {', '.join(Options.__annotations__)}")
    for name in ("preserve_fixed_joints", "confined", "strict"):
        if not isinstance(value := options.get(name, False), bool):
            raise TypeError(f"{name} must be True or False, not {value!r}")
    limits = options.get("limits", {})
    if not isinstance(limits, Mapping):
        raise TypeError(f"limits must be a mapping from names to numbers, not {type(limits).__name__}")
    if bad := [name for name in limits if name not in LIMITS]:
        raise ValueError(f"there is no limit {bad[0]!r}; the limits are {', '.join(LIMITS)}")
    paths = _check_sequence("resource_paths", options.get("resource_paths", ()))
    readers = _check_sequence("include_readers", options.get("include_readers", ()))
    given: dict[str, Any] = {name: value for name, value in options.items() if name not in ("limits", "strict")}
    chosen = LoadOptions(**{
        **given, "resource_paths": tuple([os.fspath(path) for path in paths]), "include_readers": tuple(readers),
        "budget": Budget(**dict(limits))})  # type: ignore[arg-type]
    _check_choices(chosen)
    if chosen.inertia_calculator is not None:
        from sdf_frames.inertia.calculators import find_calculators
        for problem in find_calculators(chosen.inertia_calculator)[1]:
            raise ValueError(f"inertia_calculator: {problem.message}")
    return chosen


def _check_sequence(name: str, value: Sequence[T]) -> Sequence[T]:
    if isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence, such as [{value!r}], not a single {type(value).__name__}")
    return value


def _check_choices(options: LoadOptions) -> None:
    from sdf_frames.convert.options import SDF_VERSIONS, ConvertOptions
    options.check()
    ConvertOptions(massless=options.massless)
    if options.sdf_version is not None and options.sdf_version not in SDF_VERSIONS:
        raise ValueError(f"sdf_version must be one of {', '.join(SDF_VERSIONS)}, not {options.sdf_version!r}")
