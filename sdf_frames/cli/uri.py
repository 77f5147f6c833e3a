"""Print every URI of each FILE with the file that was found, or the paths that were tried and files with similar names.

    sdf_frames uri robot.urdf --resource-path models

Exit status: 1 if a file is not found."""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sdf_frames.cli.answers import Answer, answer_each
from sdf_frames.cli.common import add_file_arguments, open_robot
from sdf_frames.diagnostics import Diagnostic, Location, count_of, diagnose
from sdf_frames.diagnostics.render import escape_controls

if TYPE_CHECKING:
    from sdf_frames.api.uris import FileReference


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)


def run(args: argparse.Namespace) -> int:
    return answer_each(args, _answer, {"uris": []})


def _answer(name: str, args: argparse.Namespace) -> Answer:
    robot = open_robot(name, args)
    if robot.kind is None:
        return Answer(name, robot.findings)
    references = robot.uris
    found = [_report(reference) for reference in references if reference.path is None]
    if args.json:
        return Answer(name, found, {"uris": [reference._asdict() for reference in references]})
    return Answer(name, found, text=_render(name, references, args.resource_paths))


def _report(reference: FileReference) -> Diagnostic:
    """Return the finding that a URI is not found."""
    at = Location(reference.file, reference.line, column=reference.column)
    return diagnose("asset-not-found", at, uri=reference.uri, hint=reference.hint)


def _render(name: str, references: tuple[FileReference, ...], resource_paths: Sequence[str]) -> str:
    """Return two lines for each URI that is found, else a line for each path that was tried; then the places."""
    lost = sum(reference.path is None for reference in references)
    lines = [f"{name}: {count_of(len(references), 'URI')}, {lost} not found"]
    for reference in references:
        place = f"{reference.file}:{reference.line}" if reference.file != name else f"line {reference.line}"
        lines.append(f"  {reference.uri}  ({reference.kind}, {place})")
        if reference.path is not None:
            lines.append(f"    found  {reference.path}" + (reference.place and f"  ({reference.place})"))
        else:
            lines += [f"    tried  {path}" for path in reference.tried] or ["    no folder to search; give "
                                                                            "--resource-path DIR"]
            lines += [f"    near   {path}" for path in reference.near]
    if lost:
        from sdf_frames.document.search_places import describe_places
        lines += ["  packages and models are searched in this order:",
                  *[f"    {number:>2}  {text}" for number, (text, _) in enumerate(describe_places(resource_paths), 1)]]
    return "".join(escape_controls(line) + "\n" for line in lines)
