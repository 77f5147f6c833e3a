"""Load descriptions from files and texts, and convert files: ``sf.load``, ``sf.loads`` and ``sf.convert``."""
from __future__ import annotations

import copyreg
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.errors import InvalidDescription, demand_names_in
from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, has_errors
from sdf_frames.document.door import UNCONFINED, explain_unreadable, read_named
from sdf_frames.document.expanded import Expanded, is_xacro
from sdf_frames.document.uris import Resolver
from sdf_frames.load import load_text, open_named
from sdf_frames.options import LoadOptions, make_options

if TYPE_CHECKING:
    from lxml import etree
    from typing_extensions import Unpack

    from sdf_frames.inertia.calculators import Calculator

    StrPath = str | os.PathLike[str]


class Options(TypedDict, total=False):
    """The table of :mod:`sdf_frames.options` for type checkers: keyword arguments of :func:`load` and :func:`loads`."""

    resource_paths: Sequence[StrPath]
    preserve_fixed_joints: bool
    massless: str
    sdf_version: str | None
    sensor_frame_ids: str | None
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
    resource_paths : folders to search for ``model://NAME``, ``package://NAME`` and plain URIs, as ``DIR/NAME``. Then
        SDF_PATH, GZ_SIM_RESOURCE_PATH, the package or model around the file, installed ROS packages, and other places
        are searched: docs/commands.md.
    preserve_fixed_joints : keep a URDF's fixed joints instead of lumping their links.
    massless : policy for massless links of a URDF behind movable joints: leave them out (``frame``), keep them with a
        tiny mass (``keep``), or report an error (``error``). Behind fixed joints, they become frames. Default:
        ``frame``.
    sdf_version : SDF version to which a URDF is converted; None for the lowest that can express the robot.
    sensor_frame_ids : give each sensor of a URDF without a frame id the name of the link at the pose of the sensor, in
        the element that this release of Gazebo reads: ``fortress``, ``garden``, ``harmonic``, ``ionic`` or ``jetty``.
        None adds no ids.
    confined : do not read files outside of the resource paths, or of the folder that is loaded; for text from the
        network. A .xacro file is then an error, because it runs Python code.
    auto_inertia : when ``<inertial auto="true">`` is computed: when inertias are requested (``skip``), on loading
        (``save``), or on loading, to replace it in the model and the text (``save-in-element``). Default: ``skip``.
    inertia_failure : a collision whose inertia cannot be computed is an error (``error``), or gets 1 kg and a unit
        tensor with a warning (``default``), as libsdformat's WARN_AND_USE_DEFAULT_INERTIAL. Default: ``error``.
    inertia_calculator : a function ``(density, mesh, params) -> sf.Solid | None`` (or a pair of that and findings)
        that is called first for every mesh; a mapping from names of links or collisions, or URIs, to functions; or
        the name of an entry point.
    include_readers : functions that read included files of other formats, from a path to SDFormat text or None:
        docs/include_readers.md.
    limits : limits on the cost of one description, by their names: docs/limits.md.
    strict : raise InvalidDescription if the description has errors.

    Returns
    -------
    RobotDescription
        The description, even if it has errors: see its `findings`. The description and its findings have absolute
        paths, so that the working directory may change.

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
    chosen, name = _make_absolute(read_options(options)), os.fsdecode(path)
    if name.lstrip().startswith("<") and not UNCONFINED.exists(name):
        raise FileNotFoundError("load takes the name of a file; for a text, call loads")
    try:
        opened = open_description(os.path.abspath(name), chosen, xacro_args)
    except (FileNotFoundError, IsADirectoryError) as error:
        problem, hint = explain_unreadable(os.fsdecode(path), error)
        if hint is None or error.strerror is None:
            raise
        raise type(error)(error.errno, f"{problem}; {hint}", error.filename) from None
    return _finish(opened, [opened.file])


def open_description(path: StrPath, chosen: LoadOptions,
                     xacro_args: Mapping[str, object] | None = None) -> Description:
    """Load a file as :func:`load` does."""
    name, door = os.fsdecode(path), UNCONFINED
    if UNCONFINED.is_folder(name):
        from sdf_frames.sdf.model_folder import find_model_file
        chosen = chosen._replace(named=(name,))
        door = chosen.make_resolver().door
        folder = find_model_file(name, door)
        name = folder.file or folder.config or name
    if xacro_args is not None and not isinstance(xacro_args, Mapping):
        raise TypeError(f"xacro_args must be a mapping from names to values, not {type(xacro_args).__name__}")
    demand_names_in("xacro_args", xacro_args or {})
    if xacro_args and not is_xacro(name):
        raise ValueError(f"xacro_args: {name} is not a .xacro file")
    if is_xacro(name):
        if chosen.confined:
            raise ValueError("confined: a .xacro file runs Python code, and cannot be confined")
        read_named(name, 1)  # raises if it cannot be opened
    content, found = open_named(name, chosen, {key: _spell(value) for key, value in (xacro_args or {}).items()}, door)
    if any(d.name == "xacro-missing" for d in found):
        raise ImportError("a .xacro file needs xacro: pip install 'sdf_frames[xacro]'")
    if content is None:
        return Description(name, chosen.make_resolver(), diagnostics=found, options=chosen)
    return load_text(content, name, chosen)


def loads(text: str | bytes | etree._Element, *, file: StrPath | None = None,
          **options: Unpack[Options]) -> RobotDescription:
    """Load a robot or world from text.

    Parameters
    ----------
    text : URDF or SDFormat: a string, bytes in the encoding of their XML declaration, or an lxml element, which is
        not changed.
    file : name for messages; relative URIs start from its folder. The file itself is not read. A changed `robot.tree`
        keeps the name of its file.
    **options : the options of :func:`load`.

    Raises
    ------
    InvalidDescription
        The description has errors, and `strict` is True.
    ValueError, TypeError
        An option has an invalid value or type, or `text` is not a string, bytes or an lxml element.
    """
    chosen = _make_absolute(read_options(options))
    if not isinstance(text, (str, bytes)):
        from lxml import etree

        from sdf_frames.document.places import source_of
        from sdf_frames.document.xml_out import write_tree
        if not isinstance(text, etree._Element):
            raise TypeError(f"text must be a string, bytes or an lxml element, not {type(text).__name__}; "
                            "for a file, call load")
        file = source_of(text).file if file is None else file  # a robot.tree has the name of its file
        text = write_tree(text)
    return _finish(load_text(text, None if file is None else os.fspath(file), chosen))


def convert(source: StrPath, target: StrPath | None = None, **options: Unpack[Options]) -> str:
    """Convert a file: URDF to SDFormat, SDFormat to URDF, or to the format of the suffix of `target`.

    Parameters
    ----------
    source : the file, as :func:`load` takes it.
    target : a .sdf, .world or .urdf file to write, which may exist; None to write none.
    **options : the options of :func:`load`.

    Returns
    -------
    str
        The text, as written to `target`.

    Raises
    ------
    InvalidDescription
        The description cannot be converted.
    FileExistsError
        The target is the source, a file that the source refers to, or a file of another kind.
    OSError, ImportError, ValueError, TypeError
        As for :func:`load` and :meth:`RobotDescription.save`.

    Examples
    --------
    >>> text = convert("pr2.urdf", "pr2.sdf")                                             # doctest: +SKIP
    """
    robot = load(source, **options)
    if target is not None:
        return robot._save(os.fspath(target))[0]
    return robot.to_urdf() if robot.kind == "sdf" else robot.to_sdf()


def _load_again(given: str | bytes | Expanded | None, file: str | None, options: LoadOptions,
                findings: tuple[Diagnostic, ...]) -> Description:
    """Load a pickled description: its text, with the files that it refers to; without a text, only its findings."""
    if given is not None:
        return load_text(given, file, options)
    return Description(file, Resolver(), diagnostics=findings, options=options)


# A robot and its worlds share their description in a pickle, so that it is loaded again once.
copyreg.pickle(Description, lambda loaded: (
    _load_again, (loaded.source and loaded.source.given, loaded.file, loaded.options, loaded.diagnostics)))


def _finish(description: Description, loaded: Sequence[str | None] = ()) -> RobotDescription:
    if description.options.strict and has_errors(description.diagnostics):
        raise InvalidDescription(description.file, description.diagnostics)
    return RobotDescription(description, loaded)


def _make_absolute(chosen: LoadOptions) -> LoadOptions:
    """Make the resource paths absolute, so that the working directory may change."""
    return chosen._replace(resource_paths=tuple([os.path.abspath(path) for path in chosen.resource_paths if path]))


def _spell(value: object) -> str:
    """Return an argument of a .xacro file as xacro reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_options(options: Mapping[str, object]) -> LoadOptions:
    """Return the options of loading; raise ValueError or TypeError for an invalid option."""
    chosen = make_options(options)
    if chosen.inertia_calculator is not None:
        from sdf_frames.inertia.calculators import find_calculators
        for problem in find_calculators(chosen.inertia_calculator)[1]:
            raise ValueError(f"inertia_calculator: {problem.message}")
    return chosen
