"""Which files a command line names: folders are searched; settings of the project add to the options."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from sdf_frames.cli.config import Settings, WrongSettings, find_settings, matches, read_settings
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.folders import search_folder

#: What a search of folders takes; other .xacro files are parts of robots.
SUFFIXES = (".urdf", ".sdf", ".world", ".urdf.xacro", ".sdf.xacro", ".world.xacro")


def add_input_arguments(parser: argparse.ArgumentParser) -> None:
    """``--exclude``, ``--config`` and ``--no-config``."""
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN",
                        help="in folders, skip files and folders that match PATTERN, such as old or 'test/*.sdf' "
                             "(repeatable)")
    add_config_arguments(parser)


def add_config_arguments(parser: argparse.ArgumentParser) -> None:
    """``--config`` and ``--no-config``."""
    parser.add_argument("--config", metavar="FILE",
                        help="read settings from FILE (default: the nearest .sdf_frames.toml, or pyproject.toml with "
                             "[tool.sdf_frames])")
    parser.add_argument("--no-config", action="store_true", help="do not read settings")


def settle_inputs(args: argparse.Namespace) -> None:
    """Read the settings, and replace folders by the files in them."""
    if not hasattr(args, "no_config"):
        return
    args.settings = Settings()
    if not args.no_config:
        try:
            args.settings = read_settings(args.config) if args.config else find_settings()
        except WrongSettings as error:
            args.parser.error(str(error))
        args.resource_path = [*args.resource_path, *args.settings.resource_paths]
    if not hasattr(args, "files"):
        return
    named = args.files
    args.files = [file for name in named for file in search(name, args.exclude, args.settings)]
    args.searched = args.files != named


def search(name: str, exclude: Sequence[str], settings: Settings) -> list[str]:
    """The robots and worlds in a folder, sorted; the name itself if it is no folder, or a model's, or has none."""
    if not UNCONFINED.is_folder(name):
        return [name]
    from sdf_frames.sdf.model_folder import find_model_file
    if find_model_file(name)[0] is not None:
        return [name]
    return list(search_folder(name, SUFFIXES, partial(is_left_out, exclude=exclude, settings=settings))) or [name]


def is_left_out(path: str, exclude: Sequence[str], settings: Settings) -> bool:
    """Whether a search of folders skips a file or folder."""
    return any(matches(path, pattern) for pattern in exclude) or \
        any(matches(path, pattern, settings.folder) for pattern in settings.exclude)
