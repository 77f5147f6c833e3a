"""Finds the files of a command line: searches folders, and adds the settings of the project to the options."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial

from sdf_frames.cli.config import ProjectSettings, WrongSettings, find_settings, matches, read_settings
from sdf_frames.cli.files import Sources, name_input
from sdf_frames.cli.printing import print_line
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.document.door import UNCONFINED, Door
from sdf_frames.document.expanded import is_xacro, split_arguments
from sdf_frames.document.folders import MODEL_CONFIG, search_folder

#: Suffixes that a search of folders finds; other .xacro files are parts of robots.
SUFFIXES = (".urdf", ".sdf", ".world", ".urdf.xacro", ".sdf.xacro", ".world.xacro")
#: The finding that an argument for .xacro files has no effect.
UNUSED = "xacro-argument-unknown"


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--exclude``, ``--config`` and ``--no-config``."""
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN",
                        help="in folders, skip files and folders that match PATTERN, such as old or 'test/*.sdf' "
                             "(repeatable)")
    parser.add_argument("--force-exclude", action="store_true",
                        help="also skip files that are named: for pre-commit, which names each file")
    add_config_arguments(parser)


def add_config_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--config`` and ``--no-config``."""
    parser.add_argument("--config", metavar="FILE",
                        help="read settings from FILE (default: the nearest .sdf_frames.toml, or pyproject.toml with "
                             "[tool.sdf_frames])")
    parser.add_argument("--no-config", action="store_true", help="do not read settings")


def settle_inputs(args: argparse.Namespace) -> None:
    """Read the settings, and replace folders by the files in them.

    ``args.door`` opens the files of untrusted input; ``args.sources`` keeps their texts, for quotes.
    """
    if not hasattr(args, "no_config"):
        return
    args.settings, args.door = ProjectSettings(), UNCONFINED
    untrusted = getattr(args, "untrusted", None)
    if not args.no_config:
        try:
            args.settings = read_settings(args.config) if args.config else find_settings(bool(untrusted))
        except WrongSettings as error:
            args.parser.error(str(error))
    if untrusted or untrusted is False and args.settings.untrusted:
        args.door = _confine(args)
    for path in filter(None, args.resource_paths):
        if not UNCONFINED.is_folder(path):
            print_line(f"{args.parser.prog}: --resource-path {path}: there is no such folder", sys.stderr)
    args.resource_paths = [*args.resource_paths, *args.settings.resource_paths]
    if not hasattr(args, "files"):
        return
    args.sources = Sources(args.door)
    if isinstance(getattr(args, "urdf", None), str):
        _settle_urdf(args)
    if not args.files and getattr(args, "searches_here", False):
        if args.xacro_arguments:
            args.parser.error("name at least one FILE")
        args.files = ["."]
    named = [name_input(name, args.door) for name in args.files
             if not (args.force_exclude and is_left_out(name, args.exclude, args.settings))]
    args.files = [file for name in named for file in search(name, args.exclude, args.settings, args.door)]
    args.searched = args.files != named


def report_unused(args: argparse.Namespace) -> list[Diagnostic]:
    """Report, on the first file, the arguments for .xacro files if there is no such file."""
    if any(map(is_xacro, [*args.files, getattr(args, "part", ""), str(getattr(args, "urdf", ""))])):
        return []
    first = Location(next(iter(args.files), None))
    return [diagnose(UNUSED, first, name=argument, problem="no FILE is a .xacro file")
            for argument in args.xacro_arguments]


def _settle_urdf(args: argparse.Namespace) -> None:
    """Use the word after ``--urdf`` as one of the files, unless one of them is an SRDF: without one, it is a flag."""
    if not any(_is_srdf(name, args.door) for name in args.files):
        files, more = split_arguments([args.urdf])
        args.files[:0], args.urdf = files, True
        args.xacro_arguments.update(more)


def _is_srdf(name: str, door: Door) -> bool:
    """Return whether a file is an SRDF, by its root, if it can be read at once."""
    from sdf_frames.checks.srdf import is_srdf
    from sdf_frames.document.xml_in import read_xml
    if name == "-" or name.endswith((".srdf", ".srdf.xacro")):
        return True
    if is_xacro(name) or not door.is_file(name):
        return False
    try:
        document, _ = read_xml(door.read(name))
    except OSError:
        return False
    return document is not None and is_srdf(document.root)


def _confine(args: argparse.Namespace) -> Door:
    """Return the door to files below the working directory, below named folders outside of it, and resource paths."""
    from sdf_frames.document.uris import Resolver
    here = os.path.join(os.getcwd(), "")
    outside = [name for name in args.files if not os.path.abspath(name).startswith(here)]
    named = tuple(dict.fromkeys([here, *filter(UNCONFINED.is_folder, outside)]))
    own = Resolver(confined=True, named=named).door
    for path in (*args.settings.resource_paths, *filter(None, [args.settings.baseline])):
        if own.admit(path) is None:
            args.parser.error(f"the settings name {path}, which is outside of the checked folders; with --untrusted, "
                              "give --resource-path or --baseline")
    return Resolver([*args.resource_paths, *args.settings.resource_paths], confined=True, named=named).door


def search(name: str, exclude: Sequence[str], settings: ProjectSettings, door: Door = UNCONFINED) -> list[str]:
    """List the robots and worlds in a folder, sorted; the name itself for a file, a model folder, or an empty folder.

    A model.config that names no readable file, and a folder that cannot be read, are among them: they are reported.
    """
    if not door.is_folder(name):
        return [name]
    from sdf_frames.sdf.model_folder import find_model_file
    if find_model_file(name, door).config is not None:
        return [name]
    skip = partial(is_left_out, exclude=exclude, settings=settings)
    files = search_folder(name, (*SUFFIXES, MODEL_CONFIG), skip)
    return [file for file in files if os.path.basename(file) != MODEL_CONFIG
            or find_model_file(os.path.dirname(file), door).problem] or [name]


def is_left_out(path: str, exclude: Sequence[str], settings: ProjectSettings) -> bool:
    """Return whether a search of folders skips a file or folder."""
    return any(matches(path, pattern) for pattern in exclude) or \
        any(matches(path, pattern, settings.folder) for pattern in settings.exclude)
