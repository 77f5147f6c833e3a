"""Show the attributes, values and children of an SDFormat 1.12 element.

An element can mean different things in different places. Each meaning is shown; parents select one.

    sdf_frames describe                 the root element
    sdf_frames describe sensor
    sdf_frames describe link/inertial"""
from __future__ import annotations

import argparse
import re
import sys
import textwrap
from typing import Any

from sdf_frames.cli.printing import print_json, print_line
from sdf_frames.diagnostics import suggest_name
from sdf_frames.diagnostics.render import Terminal
from sdf_frames.sdf.names import NOT_WRITTEN
from sdf_frames.sdf.table import Spec, ValueSpec, load_descriptions, load_table

_WIDEST = 100
_FIRST_SENTENCE = re.compile(r"(?<=[a-z)\]][.])\s+(?=[A-Z])")
_TIMES = {"0": "at most once", "1": "once", "*": "any number", "+": "at least once", "-1": "deprecated"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("elements", nargs="*", action="extend", metavar="ELEMENT",
                        help="tag such as sensor, or a path such as link/sensor (default: sdf)")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each element, one per line")


def run(args: argparse.Namespace) -> int:
    parents = _gather()
    status = 0
    for name in args.elements or ["sdf"]:
        found = _find(name, parents)
        if not found:
            last, tags = name.split("/")[-1], sorted({spec.tag for spec in parents})
            hint = None if last in tags else suggest_name(last, tags)
            print_line(f"SDFormat has no element {name!r}" + (f"; {hint}" if hint else ""), sys.stderr)
            status = 2
        for spec in found:
            above = sorted(parents[spec])
            print_json(_to_json(spec, above)) if args.json else print(_describe(spec, above, args.terminal))
    return status


def _gather() -> dict[Spec, set[str]]:
    """List every kind of element with the tags of its possible parents, kinds near the root first."""
    parents: dict[Spec, set[str]] = {load_table(): set()}
    queue = [load_table()]
    for spec in queue:
        for child in spec.children.values():
            if child not in parents:
                parents[child] = set()
                queue.append(child)
            parents[child].add(spec.tag)
    return parents


def _find(name: str, parents: dict[Spec, set[str]]) -> list[Spec]:
    first, *rest = name.strip("/<>").split("/")
    found = [spec for spec in parents if spec.tag == first]
    for step in rest:
        found = [spec.children[step] for spec in found if step in spec.children]
    return list(dict.fromkeys(found))


def _describe(spec: Spec, above: list[str], terminal: Terminal) -> str:
    """Return the element's text, then a line for each attribute and child; for a child, its first sentence."""
    texts = load_descriptions()
    width = min(terminal.width or _WIDEST, _WIDEST)
    head = terminal.paint(f"<{spec.tag}>", "bold")
    lines = [head + (f" in {', '.join(f'<{tag}>' for tag in above)}" if above else "")]
    if spec.value:
        lines.append(f"  value: {_describe_value(spec.value)}")
    lines += _wrap(texts[spec.number].get("", ""), width, 2)
    rows = [(f"@{name}", ("required, " if value.required == "1" else "") + _describe_value(value),
             texts[spec.number].get(name, "")) for name, value in spec.attributes.items()]
    rows += [(f"<{name}>",
              _TIMES[times] + (f"; {_describe_value(child.value)}" if (child := spec.children[name]).value else ""),
              _FIRST_SENTENCE.split(texts[spec.children[name].number].get("", ""))[0])
             for name, times in spec.occurrence.items()]
    column = max((len(name) for name, _, _ in rows), default=0)
    for name, what, text in rows:
        lines.append(f"  {terminal.paint(name.ljust(column), 'bold')}  {what}")
        lines += _wrap(text, width, 4 + column)
    if spec.anything:
        lines.append("  and anything else")
    return "\n".join(lines)


def _wrap(text: str, width: int, indent: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=" " * indent,
                         break_on_hyphens=False)


def _describe_value(value: ValueSpec) -> str:
    default = f", default {value.default}" if value.default not in ("", NOT_WRITTEN) else ""
    bounds = [f"{word} {bound:g}" for word, bound in (("at least", value.least), ("at most", value.most))
              if bound is not None]
    return value.type + default + "".join(f", {bound}" for bound in bounds)


def _to_json(spec: Spec, above: list[str]) -> dict[str, Any]:
    texts = load_descriptions()[spec.number]
    return {"element": spec.tag, "in": above, "description": texts.get("", ""),
            "value": spec.value and _value_to_json(spec.value),
            "attributes": {name: {**_value_to_json(value), "description": texts.get(name, "")}
                           for name, value in spec.attributes.items()},
            "children": dict(spec.occurrence), "anything": spec.anything}


def _value_to_json(value: ValueSpec) -> dict[str, Any]:
    default = None if value.default == NOT_WRITTEN else value.default
    return {"type": value.type, "default": default, "required": value.required == "1", "min": value.least,
            "max": value.most}
