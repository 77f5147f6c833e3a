"""Drawings as text, DOT, Mermaid, and, by Graphviz, as pictures."""
from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping

from sdf_frames.cli.drawing import Drawing
from sdf_frames.cli.terminal import Terminal
from sdf_frames.diagnostics.render import escape_controls

# Shapes tell kinds apart in grey, too; fills differ in lightness.
_DOT = {"world": 'shape=doubleoctagon, fillcolor="#b8b8b8"', "model": 'shape=folder, fillcolor="#d9d2e9"',
        "link": 'shape=box, fillcolor="#9fc5e8"', "joint": 'shape=hexagon, fillcolor="#ffe599"',
        "frame": 'shape=ellipse, fillcolor="#ffffff"', "missing": 'shape=octagon, fillcolor="#ffffff"'}
_MERMAID = {"world": ("((", "))", "#b8b8b8"), "model": ("[[", "]]", "#d9d2e9"), "link": ("[", "]", "#9fc5e8"),
            "joint": ("{{", "}}", "#ffe599"), "frame": ("([", "])", "#ffffff"), "missing": (">", "]", "#ffffff")}
_RED = "#cc0000"
_UNSAFE = re.compile(r'["#&<>`\\]')
# Characters before the deepest names, three a level: the drawing of a long chain would grow with its square.
_WIDEST = 3 * 32
_SECONDS = 120


class GraphvizFailed(Exception):
    """Graphviz is not installed, or did not make a picture; the text says what to do."""


def to_text(drawing: Drawing, terminal: Terminal = Terminal()) -> str:
    """A tree, with the joint behind each link that moves."""
    names = [vertex.label for vertex in drawing.vertices]
    notes = {names[edge.head]: edge.label.replace("\n", ": ") for edge in drawing.edges if edge.label and not edge.rigid}
    return draw_tree([(names[edge.tail], names[edge.head]) for edge in drawing.edges], notes, terminal)


def draw_tree(edges: list[tuple[str, str]], notes: Mapping[str, str] = {}, terminal: Terminal = Terminal()) -> str:
    """Parents and children as an indented tree, roots first, children in the order given, `notes` behind their names.

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
            note = f"  ({escape_controls(notes[name])})" if name in notes else ""
            line = lead + escape_controls(name) + terminal.paint(note, "dim")
            if kids and len(indent) == _WIDEST:
                tops.append((name, "… "))
                lines.append(f"{line} …")
                continue
            lines.append(line)
            for i, child in reversed(list(enumerate(kids))):
                last = i == len(kids) - 1
                stack.append((child, indent + ("└─ " if last else "├─ "), indent + ("   " if last else "│  ")))
    return "".join(line + "\n" for line in lines)


def to_dot(drawing: Drawing) -> str:
    """DOT for Graphviz."""
    lines = ["digraph {", '  node [style=filled, fontname="Helvetica"];', '  edge [fontname="Helvetica", fontsize=10];']
    for i, vertex in enumerate(drawing.vertices):
        broken = f', color="{_RED}", fontcolor="{_RED}", penwidth=2' if vertex.broken else ""
        dashed = ', style="filled,dashed"' if vertex.kind == "missing" else ""
        lines.append(f"  {i} [label={_quote(vertex.label)}, {_DOT[vertex.kind]}{dashed}{broken}];")
    for edge in drawing.edges:
        parts = [f"label={_quote(edge.label)}" if edge.label else "", "style=dashed" if edge.rigid and edge.label else "",
                 f'color="{_RED}", fontcolor="{_RED}", penwidth=2' if edge.broken else ""]
        said = ", ".join(filter(None, parts))
        lines.append(f"  {edge.tail} -> {edge.head}{f' [{said}]' if said else ''};")
    return "\n".join(lines) + "\n}\n"


def _quote(label: str) -> str:
    """A label in quotes; its lines stay lines."""
    lines = [escape_controls(line.replace("\\", "\\\\").replace('"', '\\"')) for line in label.split("\n")]
    return '"' + "\\n".join(lines) + '"'


def to_mermaid(drawing: Drawing) -> str:
    """A Mermaid flowchart, which GitHub and others draw in Markdown."""
    lines = ["graph TD"]
    for i, vertex in enumerate(drawing.vertices):
        before, after, _ = _MERMAID[vertex.kind]
        lines.append(f'  n{i}{before}"{_escape(vertex.label)}"{after}:::{"broken" if vertex.broken else vertex.kind}')
    for edge in drawing.edges:
        arrow = "-.->" if edge.rigid and edge.label else "-->"
        lines.append(f"  n{edge.tail} {arrow}" + (f'|"{_escape(edge.label)}"|' if edge.label else "") + f" n{edge.head}")
    used = {"broken" if vertex.broken else vertex.kind for vertex in drawing.vertices}
    lines += [f"  classDef {kind} fill:{fill},stroke:#333333,color:#000000" for kind, (_, _, fill) in _MERMAID.items() if kind in used]
    if "broken" in used:
        lines.append(f"  classDef broken fill:#ffffff,stroke:{_RED},color:{_RED},stroke-width:2px")
    if broken := [str(i) for i, edge in enumerate(drawing.edges) if edge.broken]:
        lines.append(f"  linkStyle {','.join(broken)} stroke:{_RED},stroke-width:2px")
    return "\n".join(lines) + "\n"


def _escape(label: str) -> str:
    return "<br>".join(_UNSAFE.sub(lambda m: f"#{ord(m.group())};", escape_controls(line)) for line in label.split("\n"))


def to_picture(drawing: Drawing, form: str) -> bytes:
    """A picture as ``svg`` or ``png``.

    Raises
    ------
    GraphvizFailed
        There is no Graphviz, or it failed.
    """
    program = shutil.which("dot")
    if program is None:
        raise GraphvizFailed("Graphviz's program 'dot' is not installed; install graphviz, or use --format dot or mermaid")
    try:
        done = subprocess.run([program, f"-T{form}"], input=to_dot(drawing).encode("utf-8", "replace"),
                              capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise GraphvizFailed(f"dot takes more than {_SECONDS} s; use --format dot and another layout, such as sfdp") from error
    if done.returncode or not done.stdout:
        raise GraphvizFailed(f"dot ended with status {done.returncode}: {done.stderr.decode(errors='replace').strip()[:300]}")
    return done.stdout
