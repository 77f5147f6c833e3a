"""Selects the findings of 'check' by options, settings, comments in files, and the baseline."""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sdf_frames.checks.programs import CONSUMERS, GAZEBO, combine, judge, read_consumers
from sdf_frames.cli.config import Choices, ProjectSettings
from sdf_frames.cli.usage import complete_codes, read_known
from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, tell_once

if TYPE_CHECKING:
    from sdf_frames.cli.known import Key


class Selection(NamedTuple):
    """Decides whether each finding counts, and its severity.

    Attributes
    ----------
    consumers : programs to judge for; empty for Gazebo.
    choices, settings : those of the command line, and of the project.
    known : findings of the baseline, if there is one, in the folder `baseline_folder`.
    """

    choices: Choices
    settings: ProjectSettings
    known: Mapping[Key, int]
    baseline_folder: str = "."
    consumers: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a text that differs for selections that may decide differently."""
        chosen = [(pattern, sorted(c.ignore), sorted(c.error), c.strict)
                  for pattern, c in (("", self.choices), ("", self.settings.choices), *self.settings.per_file)]
        return repr((chosen, self.settings.folder, sorted(self.known.items()), self.baseline_folder, self.consumers))

    def apply(self, found: Iterable[Diagnostic], kind: str | None, file: str,
              read: Callable[[str], bytes]) -> list[Diagnostic]:
        """Return the findings on a file that count for any requested program, with their highest severities."""
        kept, _ = self.keep(found, file, read)
        return tell_once(combine(self.weigh(kept, consumer, kind, file) for consumer in self.consumers or (GAZEBO,)))

    def keep(self, found: Iterable[Diagnostic], file: str,
             read: Callable[[str], bytes]) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """Return the findings on a file that are not left out, and those that only the baseline leaves out.

        Comments in the texts that `read` returns are applied.
        """
        if not (found := list(found)):
            return found, []
        from sdf_frames.cli.known import drop_suppressed
        chosen = self._choose(found, file)
        kept = [d for d in drop_suppressed(found, read) if d.code not in chosen[d.file].ignore]
        if not self.known:
            return kept, []
        from sdf_frames.cli.known import part_known
        return part_known(kept, self.known, self.baseline_folder)

    def weigh(self, kept: Iterable[Diagnostic], consumer: str, kind: str | None, file: str) -> list[Diagnostic]:
        """Return the findings that concern a program, with their severities for it in this selection."""
        found = [*judge(kept, consumer, kind, file, self.consumers)]
        chosen = self._choose(found, file)
        return [d._replace(severity=ERROR) if d.code in (own := chosen[d.file]).error
                or (own.strict and d.severity == WARNING) else d for d in found]

    def _choose(self, found: Iterable[Diagnostic], file: str) -> dict[str | None, Choices]:
        """Return the choices for findings on a file, by the files of their places: an included file has its own.

        The settings do not leave out what the command line makes an error.
        """
        chosen = self.settings.choices_for(file)
        joined = {own: chosen if own is None else chosen.join(self.settings.choices_for(own))
                  for own in {d.file for d in found}}
        return {own: choices._replace(ignore=choices.ignore - self.choices.error).join(self.choices)
                for own, choices in joined.items()}


def add_selection_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--for``, ``--error``, ``--ignore``, ``--strict``, ``--baseline`` and ``--write-baseline``."""
    add_consumers_argument(parser)
    complete_codes(parser.add_argument(
        "--error", action="append", default=[], metavar="CODE", type=_read_code,
        help="report this code as an error (repeatable; 'sdf_frames explain' lists codes and names)"))
    complete_codes(parser.add_argument(
        "--ignore", action="append", default=[], metavar="CODE", type=_read_code,
        help="do not report this code (repeatable). To ignore a code for one element, write <!-- sdf_frames: ignore "
             "CODE --> before the element"))
    parser.add_argument("--strict", action="store_true", help="report every warning as an error")
    parser.add_argument("--baseline", metavar="FILE", help="do not report the errors and warnings that are listed in "
                                                           "FILE")
    parser.add_argument("--write-baseline", metavar="FILE",
                        help="write all errors and warnings to FILE, and do not report them")


def add_consumers_argument(parser: argparse.ArgumentParser, only: str = "") -> None:
    """Add ``--for``; `only` says which commands use it."""
    action = parser.add_argument(
        "--for", dest="consumers", action="append", default=[], metavar="PROGRAM", type=_read_consumers,
        help=f"{only}judge for programs that read the file: {', '.join(CONSUMERS)}, several with commas, or all; "
             "without it, for Gazebo")
    setattr(action, "completer", lambda **_: [*CONSUMERS, "all"])  # noqa: B010 - mypy knows no such


def _read_code(text: str) -> str:
    from sdf_frames.diagnostics.catalogue import read_code
    return read_known(read_code, text)


def _read_consumers(text: str) -> str:
    return read_known(lambda word: ",".join(read_consumers([word])), text)


def make_selection(args: argparse.Namespace) -> Selection:
    """Return the selection of the options and settings; a baseline that cannot be read is wrong usage."""
    path = None if args.write_baseline else args.baseline or args.settings.baseline
    return _select(args, Choices(frozenset(args.ignore), frozenset(args.error), args.strict), path,
                   read_consumers(args.consumers))


def select_by_settings(args: argparse.Namespace, consumers: tuple[str, ...] = ()) -> Selection:
    """Return the selection of the project's settings; a baseline that cannot be read is wrong usage."""
    return _select(args, Choices(), args.settings.baseline, consumers)


def _select(args: argparse.Namespace, choices: Choices, path: str | None,
            consumers: tuple[str, ...] = ()) -> Selection:
    known: Mapping[Key, int] = {}
    if path:
        from sdf_frames.cli.known import WrongBaseline, read_baseline
        try:
            known = read_baseline(path)
        except WrongBaseline as error:
            args.parser.error(str(error))
    return Selection(choices, args.settings, known, os.path.dirname(path or ""), consumers or args.settings.consumers)
