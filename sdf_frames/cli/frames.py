"""Resolve every frame and joint of each FILE: body, pose in the scope's frame, joint ends and axes."""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.common import (
    add_conversion_arguments,
    add_file_arguments,
    diagnostics_to_json,
    guard,
    load_each,
    print_diagnostics,
    print_json,
    print_line,
)
from sdf_frames.diagnostics import Location, diagnose, has_errors
from sdf_frames.diagnostics.nearest import suggest_name
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.numbers import format_number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--relative-to", metavar="FRAME",
                        help="give poses in this frame, by its ::-scoped name, in place of the world's or model's")


def run(args: argparse.Namespace) -> int:
    status = 0
    for loaded in load_each(args):
        scopes, found = loaded.scopes, loaded.diagnostics
        if args.relative_to and scopes:
            failed: list = []
            scopes, more = guard(loaded.file, failed, partial(_express, loaded, args.relative_to), ([], failed))
            found = (*found, *more)
        valid = not has_errors(found)
        status = status if valid else 1
        if args.json:
            print_json({"file": loaded.file, "valid": valid, "scopes": [scope_to_json(s) for s in scopes],
                        "diagnostics": diagnostics_to_json(found)})
        else:
            print_diagnostics(found)
            for scope in scopes:
                _print_scope(loaded.file, scope, args.relative_to)
    return status


def _express(loaded, name: str) -> tuple[list, list]:
    """The scopes that have a frame `name`, with their poses in it, and a finding where none has one."""
    from sdf_frames.frames.resolve import express_scope
    if scopes := [s for s in (express_scope(scope, name) for scope in loaded.scopes) if s is not None]:
        return scopes, []
    names = (f.name for scope in loaded.scopes for f in (*scope.frames, *scope.left_out))
    return [], [diagnose("frame-unknown", Location(loaded.file), frame=name, nearest=suggest_name(name, names) or "")]


def scope_to_json(scope) -> dict:
    """A resolved scope as the contract's ``S``."""
    return {
        "kind": scope.kind, "name": scope.name,
        "frames": list(map(_frame_to_json, scope.frames)), "left_out": list(map(_frame_to_json, scope.left_out)),
        "joints": [{"name": j.name, "type": j.type, "parent": j.parent, "child": j.child,
                    "axes": [{"index": i, "xyz": xyz} for i, xyz in j.axes]} for j in scope.joints]}


def _frame_to_json(frame) -> dict:
    return {"name": frame.name, "kind": frame.kind, "attached_to": frame.attached_to, "relative_to": frame.relative_to,
            "link": frame.link, "pose": frame.pose}


def _print_scope(file: str | None, scope, base: str | None) -> None:
    print_line(f"{file}: {scope.kind} {scope.name}" + (f", poses in {base}" if base else ""))
    rows = [("frame", "kind", "body", "x y z", "qw qx qy qz")]
    for f in (*scope.frames, *scope.left_out):
        pose = [_shorten(v) for v in f.pose] if f.pose else None
        rows.append((escape_controls(f.name), f.kind, escape_controls(f.link or "-"), " ".join(pose[:3]) if pose else "unresolved",
                     " ".join(pose[3:]) if pose else ""))
    for i in range(len(rows) - len(scope.left_out), len(rows)):
        rows[i] = (*rows[i][:4], rows[i][4] + "  (not in the SDF)")
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  " + "  ".join([cell.ljust(w) for cell, w in zip(row, widths)] + [row[4]]).rstrip())
    for j in scope.joints:
        axes = "; ".join(" ".join(_shorten(v) for v in xyz) for _, xyz in j.axes)
        print_line(f"  joint {j.name} ({j.type}): {j.parent} -> {j.child}" + (f", axis {axes}" if axes else ""))


def _shorten(value: float) -> str:
    return format_number(round(value, 6))
