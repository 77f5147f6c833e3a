"""Say what an element of SDFormat 1.12 may hold: 'describe' for <sdf>, 'describe sensor', 'describe link/inertial'.

An element that means different things in different places is described for each; ancestors tell which is meant."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from sdf_frames.cli.common import print_json, print_line
from sdf_frames.diagnostics.nearest import suggest_name
from sdf_frames.sdf.table import Spec, Value, load_table

_TIMES = {"0": "at most once", "1": "once", "*": "any number", "+": "at least once", "-1": "deprecated"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("elements", nargs="*", metavar="ELEMENT", help="tag such as sensor, or a way down such as link/sensor (default: sdf)")
    parser.add_argument("--json", action="store_true", help="print one JSON object an element, one a line")


def run(args: argparse.Namespace) -> int:
    parents = _gather()
    status = 0
    for name in args.elements or ["sdf"]:
        found = list(_find(name, parents))
        if not found:
            last, tags = name.split("/")[-1], sorted({spec.tag for spec in parents})
            hint = None if last in tags else suggest_name(last, tags)
            print_line(f"SDFormat has no element {name!r}" + (f"; {hint}" if hint else ""), sys.stderr)
            status = 2
        for spec in found:
            above = sorted(parents[spec])
            print_json(_to_json(spec, above)) if args.json else print(_describe(spec, above))
    return status


def _gather() -> dict[Spec, set[str]]:
    """Every kind of element, and the tags of those that may hold it; those near the root first."""
    parents: dict[Spec, set[str]] = {load_table(): set()}
    queue = [load_table()]
    for spec in queue:
        for child in spec.children.values():
            if child not in parents:
                parents[child] = set()
                queue.append(child)
            parents[child].add(spec.tag)
    return parents


def _find(name: str, parents: dict) -> Iterator[Spec]:
    first, *rest = name.strip("/<>").split("/")
    found = [spec for spec in parents if spec.tag == first]
    for step in rest:
        found = [spec.children[step] for spec in found if step in spec.children]
    return iter(dict.fromkeys(found))


def _describe(spec: Spec, above: list[str]) -> str:
    lines = [f"<{spec.tag}>" + (f" in {', '.join(f'<{tag}>' for tag in above)}" if above else "")]
    if spec.value:
        lines.append(f"  value: {_describe_value(spec.value)}")
    rows = [(f"@{name}", ("required, " if value.required == "1" else "") + _describe_value(value)) for name, value in spec.attributes.items()]
    rows += [(f"<{name}>", _TIMES[times] + (f"; {_describe_value(child.value)}" if (child := spec.children[name]).value else ""))
             for name, times in spec.occurrence.items()]
    width = max((len(name) for name, _ in rows), default=0)
    lines += [f"  {name:{width}}  {what}" for name, what in rows]
    if spec.anything:
        lines.append("  and anything else")
    return "\n".join(lines)


def _describe_value(value: Value) -> str:
    default = f", default {value.default}" if value.default not in ("", "__default__") else ""
    bounds = [f"{word} {bound:g}" for word, bound in (("at least", value.least), ("at most", value.most)) if bound is not None]
    return value.type + default + "".join(f", {bound}" for bound in bounds)


def _to_json(spec: Spec, above: list[str]) -> dict:
    return {"element": spec.tag, "in": above, "value": spec.value and _value_to_json(spec.value),
            "attributes": {name: _value_to_json(value) for name, value in spec.attributes.items()},
            "children": dict(spec.occurrence), "anything": spec.anything}


def _value_to_json(value: Value) -> dict:
    return {"type": value.type, "default": value.default, "required": value.required == "1", "min": value.least, "max": value.most}
