"""Say what a diagnostic CODE (or name) means and what to do about it; without one, list them all."""
from __future__ import annotations

import argparse
import sys

from sdf_frames.cli.common import print_json, print_line
from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE, Rule
from sdf_frames.diagnostics.nearest import suggest_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("codes", nargs="*", metavar="CODE", help="code such as F002, or name such as frame-attached-to-cycle")
    parser.add_argument("--json", action="store_true", help="print one JSON object a code, one a line")


def run(args: argparse.Namespace) -> int:
    if not args.codes:
        for rule in sorted(BY_CODE.values()):
            print_json(_to_json(rule)) if args.json else print(f"{rule.code}  {rule.severity:7s}  {rule.name}")
        return 0
    status = 0
    for code in args.codes:
        rule = BY_CODE.get(code.upper()) or CATALOGUE.get(code.lower())
        if rule is None:
            hint = suggest_name(code.lower(), CATALOGUE) or "'sdf_frames explain' lists them"
            print_line(f"no diagnostic is called {code!r}; {hint}", sys.stderr)
            status = 2
        elif args.json:
            print_json(_to_json(rule))
        else:
            print(_describe(rule))
    return status


def _to_json(rule: Rule) -> dict:
    return {"code": rule.code, "name": rule.name, "severity": rule.severity, "message": rule.template,
            "hint": rule.hint or None, "sdformat": rule.sdformat, "reference": rule.reference or None}


def _describe(rule: Rule) -> str:
    lines = [f"{rule.code} {rule.name} ({rule.severity})", f"  says: {rule.template}"]
    if rule.hint:
        lines.append(f"  do:   {rule.hint}")
    if rule.sdformat:
        lines.append(f"  libsdformat calls this {rule.sdformat}")
    if rule.reference:
        lines.append(f"  from: {rule.reference}")
    return "\n".join(lines)
