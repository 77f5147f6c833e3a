"""Explain a diagnostic: what it means and what to do. Without CODE, list all diagnostics.

    sdf_frames explain F002
    sdf_frames explain frame-attached-to-cycle
    sdf_frames explain --for pybullet"""
from __future__ import annotations

import argparse
import sys
import textwrap

from sdf_frames.checks.programs import CONSUMERS, list_severities, read_consumers
from sdf_frames.cli.printing import print_json, print_line
from sdf_frames.cli.usage import complete_codes, read_known
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.diagnostics.catalogue import BY_CODE, Rule, read_code
from sdf_frames.diagnostics.render import Terminal

_WIDEST = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    complete_codes(parser.add_argument("codes", nargs="*", action="extend", metavar="CODE",
                                       help="code such as F002, or name such as frame-attached-to-cycle"))
    parser.add_argument("--for", dest="programs", metavar="PROGRAM", type=_read_programs, default=(),
                        help="print what a program changes, loses or refuses in a robot; several with commas")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each code, one per line")


def _read_programs(text: str) -> tuple[str, ...]:
    return read_known(lambda word: read_consumers([word]), text)


def _explain_programs(args: argparse.Namespace) -> int:
    from sdf_frames.checks.becomes import list_rows
    from sdf_frames.diagnostics.catalogue.rule import spell_fields
    for program in map(CONSUMERS.__getitem__, args.programs):
        rows = [row for kind in program.reads for row in list_rows(program.key, kind)]
        if len(args.programs) > 1 and not args.json:
            print_line(f"{program.name}:", sys.stdout)
        for row in rows:
            if args.json:
                print_json(row._asdict())
            else:
                print_line(f"{row.effect:11}  {row.feature}: {spell_fields(row.sentence)}", sys.stdout)
        if not rows:
            print_line(f"no change is known for {program.name}; 'sdf_frames check --for {program.key} FILE' judges a "
                       "file", sys.stderr)
    return 0


def run(args: argparse.Namespace) -> int:
    if args.programs and args.codes:
        args.parser.error("--for explains programs, not codes: leave out one of the two")
    if args.programs:
        return _explain_programs(args)
    if not args.codes:
        for rule in sorted(BY_CODE.values()):
            print_json(_to_json(rule)) if args.json else print(f"{rule.code}  {rule.severity:7s}  {rule.name}")
        return 0
    status = 0
    for code in args.codes:
        try:
            named = BY_CODE[read_code(code)]
        except ValueError as unknown:
            print_line(str(unknown), sys.stderr)
            status = 2
            continue
        if args.json:
            print_json(_to_json(named))
        else:
            print(_describe(named, args.terminal))
    return status


def _to_json(rule: Rule) -> dict[str, object]:
    example = rule.example
    return {"code": rule.code, "name": rule.name, "severity": rule.severity, "message": rule.template,
            "hint": rule.hint or None, "sdformat": rule.sdformat, "reference": rule.reference or None,
            "meaning": rule.meaning or None,
            "consumers": {consumer: severity or None for consumer, severity in list_severities(rule).items()},
            "since": dict(rule.since),
            "example": None if example is None else {"breaks": example[0], "sound": example[1]}}


def _describe(rule: Rule, terminal: Terminal) -> str:
    """Return the meaning, an example that breaks the rule with its findings, a valid one, and what to do."""
    width = min(terminal.width or _WIDEST, _WIDEST)
    parts = [f"{terminal.paint(rule.code, 'bold')} {rule.name} ({terminal.paint(rule.severity, rule.severity)})"]
    message, hint, said = rule.message_in_words, rule.hint_in_words, "The message"
    if rule.meaning:
        parts.append(_wrap(rule.meaning, width))
    if example := rule.example:
        found = _find(rule.code, example[0])
        message, hint, said = found.message, found.hint or "", "'check' says"
        for title, text in (("this causes it:", example[0]), ("this does not:", example[1])):
            parts.append("\n".join([f"  {title}", "", *(f"      {line}" for line in text.split("\n"))]))
    if not message.isupper():  # else it consists of fields only
        parts.append(_wrap(f"{said}: {message}", width))
    if hint:
        parts.append(_wrap(f"What to do: {hint}", width))
    others = list_severities(rule)
    if rule.code[0] not in "TM" and len(set(others.values())) > 1:
        words = ", ".join(f"{severity or 'nothing'} for {CONSUMERS[consumer].name}" + (
            f" ({rule.since[consumer]})" if consumer in rule.since else "") for consumer, severity in others.items())
        held = ", ".join(CONSUMERS[consumer].held_against for consumer, severity in others.items() if severity)
        parts += [_wrap(f"'check --for': {words}.", width), _wrap(f"Compared with {held}.", width)]
    rest = [f"libsdformat calls it {rule.sdformat}." if rule.sdformat else "",
            f"Source: {rule.reference}" if rule.reference else ""]
    parts += [_wrap(text, width) for text in rest if text]
    return "\n\n".join(parts) + "\n"


def _find(code: str, text: str) -> Diagnostic:
    """Return the findings of 'check' for a text that breaks the rule."""
    from sdf_frames.load import load_text
    return next(d for d in load_text(text).diagnostics if d.code == code)


def _wrap(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
