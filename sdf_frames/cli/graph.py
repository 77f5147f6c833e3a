"""Draw each FILE: the attached_to or relative_to graph in DOT, as 'gz sdf -g' does (names without the root model's), or the kinematic tree."""
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
)
from sdf_frames.diagnostics import has_errors
from sdf_frames.diagnostics.render import escape_controls

# Characters before the deepest names, three a level: the drawing of a long chain would grow with its square.
_WIDEST = 3 * 32
KINDS = ("tree", "frame", "pose", "kinematic")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--kind", choices=KINDS, default="tree",
                        help="tree: the TF tree as text (default); frame: attached_to, pose: relative_to, "
                             "kinematic: links and joints, these three in DOT")


def run(args: argparse.Namespace) -> int:
    status = 0
    for loaded in load_each(args):
        found = list(loaded.diagnostics)
        text = guard(loaded.file, found, partial(draw, loaded, args.kind), "")
        valid = not has_errors(found)
        status = status if valid else 1
        if args.json:
            print_json({"file": loaded.file, "valid": valid, "graph": text, "diagnostics": diagnostics_to_json(found)})
        else:
            print_diagnostics(found)
            print(text, end="")
    return status


def draw(loaded, kind: str) -> str:
    """The drawing of the first scope of a loaded file; empty where there is none."""
    if not loaded.graphs:
        return ""
    if kind == "tree":
        return draw_tree([(t.parent, t.child) for t in loaded.tf_tree().transforms])
    if kind == "kinematic":
        return _draw_kinematic(loaded.scopes[0])
    return _draw_graph(loaded.graphs[0], kind)


def draw_tree(edges: list[tuple[str, str]]) -> str:
    """Parents and children as an indented tree, roots first, children in the order given.

    What is below the deepest level that is drawn follows as a tree of its own; both places have a ``…``.
    """
    children: dict[str, list[str]] = {}
    below = set()
    for parent, child in edges:
        children.setdefault(parent, []).append(child)
        below.add(child)
    lines = []
    tops = [(root, "") for root in children if root not in below]
    for top, lead in tops:
        stack = [(top, lead, "")]
        while stack:
            name, lead, indent = stack.pop()
            kids = children.get(name, [])
            if kids and len(indent) == _WIDEST:
                tops.append((name, "… "))
                lines.append(f"{lead}{escape_controls(name)} …")
                continue
            lines.append(lead + escape_controls(name))
            for i, child in reversed(list(enumerate(kids))):
                last = i == len(kids) - 1
                stack.append((child, indent + ("└─ " if last else "├─ "), indent + ("   " if last else "│  ")))
    return "".join(line + "\n" for line in lines)


def _quote(name: str) -> str:
    return '"' + escape_controls(name.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _draw_graph(graph, kind: str) -> str:
    """Vertices and edges of one of the two frame graphs in DOT."""
    edges = graph.attached if kind == "frame" else graph.relative
    lines = ["digraph {"]
    lines += [f"  {i} [label={_quote(f'{name} ({i})')}];" for i, name in enumerate(graph.names)]
    for i, target in enumerate(edges):
        if target >= 0:
            lines.append(f"  {i} -> {target};" if kind == "frame" else f"  {target} -> {i};")
    return "\n".join(lines) + "\n}\n"


def _draw_kinematic(scope) -> str:
    """Links as boxes, joints as edges, as urdf_to_graphviz draws them, in DOT."""
    lines = ["digraph {", "  node [shape=box];"]
    lines += [f"  {_quote(f.name)};" for f in scope.frames if f.kind == "link"]
    lines += [f"  {_quote(j.parent)} -> {_quote(j.child)} [label={_quote(f'{j.name} ({j.type})')}];" for j in scope.joints]
    return "\n".join(lines) + "\n}\n"
