"""Writes drawings as text, DOT, Mermaid and, with Graphviz, as pictures."""
from __future__ import annotations

import re
import shutil
import subprocess

from sdf_frames.cli.drawing import FILLS, MISSING, RED, Drawing
from sdf_frames.diagnostics.render import Terminal, draw_tree, escape_controls

# Shapes distinguish kinds also in grey.
_DOT = {"world": "doubleoctagon", "model": "folder", "link": "box", "joint": "hexagon", "frame": "ellipse",
        MISSING: "octagon"}
_MERMAID = {"world": ("((", "))"), "model": ("[[", "]]"), "link": ("[", "]"), "joint": ("{{", "}}"),
            "frame": ("([", "])"), MISSING: (">", "]")}
_UNSAFE = re.compile(r'["#%&<>`\\]')
_SECONDS = 120


class DrawingFailed(Exception):
    """The drawing program is not installed, or it failed; the text says what to do."""


def to_text(drawing: Drawing, terminal: Terminal = Terminal()) -> str:
    """Write a tree, with the joint after each link that moves."""
    names = [vertex.label for vertex in drawing.vertices]
    notes = {names[edge.head]: edge.label.replace("\n", ": ") for edge in drawing.edges
             if edge.label and not edge.rigid}
    return draw_tree([(names[edge.tail], names[edge.head]) for edge in drawing.edges], notes, terminal)


def to_dot(drawing: Drawing) -> str:
    """Write DOT for Graphviz."""
    lines = ["digraph {", '  node [style=filled, fontname="Helvetica"];', '  edge [fontname="Helvetica", fontsize=10];']
    red = f'color="{RED}", fontcolor="{RED}", penwidth=2'
    for i, vertex in enumerate(drawing.vertices):
        parts = [f"label={_quote(vertex.label)}", f"shape={_DOT[vertex.kind]}", f'fillcolor="{FILLS[vertex.kind]}"',
                 'style="filled,dashed"' if vertex.kind == MISSING else "", red if vertex.broken else ""]
        lines.append(f"  {i} [{', '.join(filter(None, parts))}];")
    for edge in drawing.edges:
        parts = [f"label={_quote(edge.label)}" if edge.label else "",
                 "style=dashed" if edge.rigid and edge.label else "", red if edge.broken else ""]
        said = ", ".join(filter(None, parts))
        lines.append(f"  {edge.tail} -> {edge.head}{f' [{said}]' if said else ''};")
    return "\n".join(lines) + "\n}\n"


def _quote(label: str) -> str:
    """Return a label in quotes; DOT escapes line ends as Python does."""
    return '"' + escape_controls(label.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def to_mermaid(drawing: Drawing) -> str:
    """Write a Mermaid flowchart, which GitHub and others draw in Markdown."""
    lines = ["graph TD"]
    for i, vertex in enumerate(drawing.vertices):
        before, after = _MERMAID[vertex.kind]
        lines.append(f'  n{i}{before}"{_escape(vertex.label)}"{after}:::{"broken" if vertex.broken else vertex.kind}')
    for edge in drawing.edges:
        arrow = "-.->" if edge.rigid and edge.label else "-->"
        lines.append(f"  n{edge.tail} {arrow}" + (f'|"{_escape(edge.label)}"|' if edge.label else "") +
                     f" n{edge.head}")
    used = {"broken" if vertex.broken else vertex.kind for vertex in drawing.vertices}
    lines += [f"  classDef {kind} fill:{fill},stroke:#333333,color:#000000" for kind, fill in FILLS.items()
              if kind in used]
    if "broken" in used:
        lines.append(f"  classDef broken fill:#ffffff,stroke:{RED},color:{RED},stroke-width:2px")
    if broken := [str(i) for i, edge in enumerate(drawing.edges) if edge.broken]:
        lines.append(f"  linkStyle {','.join(broken)} stroke:{RED},stroke-width:2px")
    return "\n".join(lines) + "\n"


def _escape(label: str) -> str:
    return "<br>".join(_UNSAFE.sub(lambda m: f"#{ord(m.group())};", escape_controls(line))
                       for line in label.split("\n"))


def to_picture(drawing: Drawing, form: str) -> bytes:
    """Draw a picture as ``svg`` or ``png`` with Graphviz.

    Raises
    ------
    DrawingFailed
        Graphviz is not installed, or it failed.
    """
    program = shutil.which("dot")
    if program is None:
        raise DrawingFailed("install graphviz (for its program 'dot'), or use --format dot or mermaid")
    try:
        done = subprocess.run([program, f"-T{form}"], input=to_dot(drawing).encode("utf-8", "replace"),
                              capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise DrawingFailed(f"dot took more than {_SECONDS} s") from error
    if done.returncode or not done.stdout:
        raise DrawingFailed(f"dot ended with status {done.returncode}: "
                            f"{done.stderr.decode(errors='replace').strip()[:300]}")
    return done.stdout
