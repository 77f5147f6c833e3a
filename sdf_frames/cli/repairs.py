"""Runs ``inertia --repair``: replaces impossible inertias by possible ones, and prints the changes."""
from __future__ import annotations

import argparse
from collections.abc import Iterator

from sdf_frames.api.uris import list_files
from sdf_frames.cli.answers import Answer, Json, Made, answer_text
from sdf_frames.description import Description
from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import Terminal, align, escape_controls
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.spatial.inertia import MOMENTS, rotate_tensor
from sdf_frames.writers.repaired import Repair, repair_inertias
from sdf_frames.writers.written import render

_COLUMNS = ("link", "value", "old", "new", "change")


def answer_repair(loaded: Description, name: str, args: argparse.Namespace) -> Answer:
    """Repair the inertias of one file, and write the result to the output of the arguments."""
    written, repairs = repair_inertias(loaded, args.source is not None, density=args.density, method=args.method,
                                       voxel_size=args.voxel_size)
    if args.output or args.in_place or args.json:  # JSON has the text
        made = Made(written, loaded.resolver, list_files(loaded))
        answer = answer_text(lambda *_: made, name, args)
    else:
        text, found = render(written)
        answer = Answer(name, found, {written.kind: text})
    if args.json:
        rows = [{"name": old.name, "old": _to_json(old), "new": _to_json(new)} for old, new in repairs]
        return answer._replace(fields={**answer.fields, "repairs": rows})
    table = "" if answer.fields[written.kind] is None else _render(name, repairs, args.terminal)
    return answer._replace(notes=table) if args.output == "-" else answer._replace(text=table)


def _to_json(link: LinkInertia) -> Json:
    return {"mass": link.mass, "pose": list(link.pose), "inertia": dict(zip(MOMENTS, link.inertia))}


def _render(name: str, repairs: list[Repair], terminal: Terminal) -> str:
    """Return a title, and a row for each number that changed."""
    rows = [_COLUMNS, *[tuple(map(escape_controls, row)) for repair in repairs for row in _list_changes(repair)]]
    title = f"{escape_controls(name)}: {count_of(len(repairs), 'inertia') if repairs else 'no inertia'} repaired"
    return "\n".join([terminal.paint(title, "bold"), *(align(rows, left=(0, 1)) if repairs else [])]) + "\n"


def _list_changes(repair: Repair) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each number that changed, with the name of the link in the first row.

    The moments are along the axes of the inertial frame, or of the link if the inertial frame has changed.
    """
    (old_pose, new_pose), name = [link.pose for link in repair], repair.old.name
    old, new = [(link.mass, *link.pose[:3], *(link.inertia if old_pose == new_pose else rotate_tensor(
        link.pose[3:], link.inertia))) for link in repair]
    for what, a, b in zip(("mass", "com x", "com y", "com z", *MOMENTS), old, new):
        if a != b:
            yield name, what, f"{a:.6g}", f"{b:.6g}", f"{100 * (b - a) / abs(a):+.3g} %" if a else "from 0"
            name = ""
