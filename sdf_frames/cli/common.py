"""Arguments that commands share, and loading with these arguments."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from functools import cache
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from sdf_frames.cli.files import read_input, say_written, write_file
from sdf_frames.cli.inputs import UNUSED, add_input_arguments
from sdf_frames.cli.jobs import add_jobs_argument
from sdf_frames.cli.usage import read_number
from sdf_frames.document.budget import Budget, read_limits
from sdf_frames.document.expanded import split_arguments
from sdf_frames.options import OPTIONS, make_options

if TYPE_CHECKING:
    from sdf_frames.api.description import RobotDescription
    from sdf_frames.diagnostics import Diagnostic
    from sdf_frames.document.memory import Memory
    from sdf_frames.load import Description


class _FilesAction(argparse.Action):
    """Stores files in ``files``, and words such as ``name:=value`` in ``xacro_arguments``."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option_string: str | None = None) -> None:
        more, arguments = split_arguments(values)
        files = [*getattr(namespace, self.dest), *more]
        namespace.xacro_arguments = {**getattr(namespace, "xacro_arguments", {}), **arguments}
        if not files and self.nargs == "+":
            parser.error("name at least one FILE")
        if files.count("-") > 1:
            parser.error("standard input (-) can be read only once")
        setattr(namespace, self.dest, files)


class ArgumentsAction(argparse.Action):
    """Stores words such as ``name:=value`` in a dictionary; refuses others."""

    refusal = "unexpected argument {!r}"

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any,
                 option_string: str | None = None) -> None:
        others, arguments = split_arguments(values, or_files=False)
        if others:
            parser.error(self.refusal.format(others[0]))
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), **arguments})


class _LimitAction(argparse.Action):
    """Stores each ``NAME=VALUE`` in the budget."""

    words: tuple[str, ...] = ()

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: Any,
                 option_string: str | None = None) -> None:
        self.words += (value,)
        try:
            setattr(namespace, self.dest, read_limits(self.words))
        except ValueError as error:
            parser.error(str(error))


def add_files_argument(parser: argparse.ArgumentParser, nargs: str) -> None:
    """Add ``FILE…``, stored in ``files`` and ``xacro_arguments``."""
    parser.add_argument("files", nargs=nargs, metavar="FILE", action=_FilesAction, default=[],
                        help="URDF, SDFormat or .xacro file, a folder with a model.config, or a folder to search; "
                             "- for standard input; NAME:=VALUE sets an argument of the .xacro files")


def add_file_arguments(parser: argparse.ArgumentParser, nargs: str = "+") -> None:
    """Add ``FILE…``, ``--json``, ``--resource-path`` and ``--limit``."""
    add_files_argument(parser, nargs)
    parser.add_argument("--json", action="store_true", help="print one JSON object for each file, one per line")
    add_options(parser, "resource_paths", "limits")
    add_input_arguments(parser)
    add_jobs_argument(parser)


#: How the command line reads the values of an option, by the type of its default.
_ACTIONS: dict[type, dict[str, Any]] = {
    bool: {"action": "store_true"}, tuple: {"action": "append", "default": []}, Budget: {"action": _LimitAction}}


def add_options(parser: argparse.ArgumentParser, *wanted: str) -> None:
    """Add the load options of these names and groups, each stored in its field of :class:`LoadOptions`."""
    for option in OPTIONS.values():
        if not option.flag or not {option.name, option.group} & set(wanted):
            continue
        text, default = option.help or option.text.replace("``", ""), option.otherwise or option.default
        if option.choices and option.metavar:
            text += f", {option.choices[0]} to {option.choices[-1]}"
        parser.add_argument(option.flag, dest=option.field, **{
            "default": option.default, **{key: getattr(option, key) for key in ("choices", "metavar")
                                          if getattr(option, key)}, **_ACTIONS.get(type(option.default), {}),
            **({"nargs": "?", "const": option.alone} if option.alone else {})},
            help=f"{text} (default: {default})" if option.choices else text)


def read_given(args: argparse.Namespace) -> dict[str, Any]:
    """Return the load options of a command line as keywords of :func:`sdf_frames.load`."""
    given = {name: getattr(args, option.field) for name, option in OPTIONS.items()
             if option.flag and hasattr(args, option.field)}
    return {name: value._asdict() if isinstance(value, Budget) else tuple(value) if isinstance(value, list) else value
            for name, value in given.items()}


def add_uri_style_argument(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--uri-style``, for commands that write URIs of meshes and textures."""
    from sdf_frames.convert.moved_uris import FILE_STYLE
    from sdf_frames.convert.options import URI_STYLES
    parser.add_argument("--uri-style", choices=(*URI_STYLES, FILE_STYLE), default=default,
                        help=f"scheme of URIs of meshes and textures: model://, package://, as written (keep), or "
                             f"file:// with the path of the file (default: {default})")


def read_positive(word: str) -> float:
    """Read a positive number from a word of the command line."""
    return read_number(word, lambda value: 0 < value < inf, "a positive number")


def read_position(word: str) -> tuple[str, float | list[float]]:
    """Read the position of a joint: NAME=VALUE, or for several axes NAME=VALUE,VALUE."""
    name, equals, text = word.rpartition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=VALUE")
    try:
        values = [read_number(part, isfinite, "a number") for part in text.split(",")]
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{word!r}: {text!r} is not a number, in radians or metres") from None
    return name, values[0] if len(values) == 1 else values


def begin_input(name: str, args: argparse.Namespace) -> Description:
    """Read a file of the command line and recognize its format; findings on the arguments go to ``args.notices``."""
    from sdf_frames.document.uris import Resolver
    from sdf_frames.load import Description, read_text
    options = make_options(read_given(args))._replace(confined=args.door.confined, named=args.door.folders,
                                                      memory=_share_memory() if len(args.files) > 1 else None)
    content, found = read_input(name, args, options)
    begun = Description(name, Resolver(), diagnostics=found) if content is None else read_text(content, name, options)
    notices = [d for d in begun.diagnostics if d.name == UNUSED]
    args.notices += notices
    return begun._replace(diagnostics=tuple([d for d in begun.diagnostics if d not in notices]))


def load_input(name: str, args: argparse.Namespace) -> Description:
    """Load, resolve and check a file of the command line."""
    return complete_input(begin_input(name, args), args)


def complete_input(begun: Description, args: argparse.Namespace) -> Description:
    """Resolve and check the result of :func:`begin_input`."""
    from sdf_frames.load import complete
    loaded = complete(begun)
    for path, text in loaded.resolver.texts.items():
        args.sources.keep(path, text)
    return loaded


@cache
def _share_memory() -> Memory:
    """Return the memory that the files of a command share in this process."""
    from sdf_frames.document.memory import Memory
    return Memory()


def open_robot(name: str, args: argparse.Namespace) -> RobotDescription:
    """Load a file of the command line as the public library does; kind None, with a finding, if it cannot be read."""
    from sdf_frames.api.description import RobotDescription
    description = load_input(name, args)
    return RobotDescription(description, [] if name == "-" else [description.file])


def write_drawing(path: str, content: str | bytes, kind: str, found: list[Diagnostic],
                  robots: Iterable[RobotDescription]) -> None:
    """Write a page or picture of robots, and print its name to standard error."""
    read = (file for robot in robots for file in robot.list_files())  # listed only when needed
    if write_file(path, content, kind, found, read):
        sys.stderr.write(say_written(path))
