"""What the demo shows: TF as a tree, the conversion report and findings as tables."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import degrees

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.numbers import format_number
from sdf_frames.ros.untyped import Message
from sdf_frames.spatial.pose import rpy_from_quaternion

# Levels of a tree that is drawn, four characters each.
_DEEPEST = 12
_COLOURS = {"error": "red", "warning": "yellow", "info": "blue", "dropped": "red", "lumped": "cyan",
            "to-frame": "green", "renamed": "yellow", "moved": "yellow"}


def make_console() -> Console:
    """Console on standard output; wide where that is no terminal, so that no row is cut."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=160)


def quote(text: str) -> str:
    """Foreign text as rich's markup shows it, safe for a terminal."""
    return escape(escape_controls(text))


def draw_tf_trees(transforms: Sequence[Message]) -> list[Tree]:
    """Draw the trees of a TFMessage's transforms, a root each.

    Each frame shows its place in its parent: x y z in metres, and roll pitch yaw in degrees where it is turned.
    What is too deep for a narrow terminal follows as a tree of its own; both places have a ``…``.
    """
    children: dict[str, list[Message]] = {}
    for transform in transforms:
        children.setdefault(transform.header.frame_id, []).append(transform)
    below = {transform.child_frame_id for transform in transforms}
    trees = []
    tops = [(name, "") for name in children if name not in below]
    for top, lead in tops:
        trees.append(Tree(f"{lead}[bold]{quote(top)}[/bold]"))
        # No recursion: a chain may be longer than Python's stack is deep.
        pending = [(trees[-1], top, 1)]
        while pending:
            branch, name, depth = pending.pop()
            for transform in children.get(name, ()):
                child = transform.child_frame_id
                if depth == _DEEPEST and child in children:
                    branch.add(f"{_label(transform)} …")
                    tops.append((child, "… "))
                else:
                    pending.append((branch.add(_label(transform)), child, depth + 1))
    return trees


def _label(stamped: Message) -> str:
    t, q = stamped.transform.translation, stamped.transform.rotation
    place = " ".join(_short(value) for value in (t.x, t.y, t.z))
    turn = [degrees(angle) for angle in rpy_from_quaternion(q.w, q.x, q.y, q.z)]
    is_turned = any(abs(angle) > 5e-3 for angle in turn)
    turned = "  ↻ " + " ".join(_short(angle, 2) for angle in turn) + "°" if is_turned else ""
    at = "" if place == "0 0 0" and not turned else f"  [dim]{place}{turned}[/dim]"
    return f"{quote(stamped.child_frame_id)}{at}"


def _short(value: float, digits: int = 4) -> str:
    return format_number(round(value, digits) + 0.0)


def draw_report(rows: Sequence[Message]) -> Table:
    """Draw the conversion report: a row for every element that was not kept as it was, and the count of the others."""
    counts = Counter(row.action for row in rows)
    title = ", ".join(f"{count} {action}" for action, count in counts.most_common()) or "nothing to convert"
    table = Table(title=f"Conversion report: {title}", title_justify="left", header_style="bold", box=None,
                  pad_edge=False)
    for column in ("element", "name", "action", "into", "line", "reason"):
        table.add_column(column, overflow="fold")
    for row in rows:
        if row.action == row.KEPT and not row.reason:
            continue
        colour = _COLOURS.get(row.action, "white")
        table.add_row(quote(row.element), quote(row.name), f"[{colour}]{row.action}[/{colour}]", quote(row.into),
                      str(row.line or ""), quote(row.reason))
    table.show_header = table.row_count > 0
    return table


def draw_findings(findings: Sequence[Message]) -> Table:
    """Draw findings (Diagnostic messages), a row each."""
    table = Table(header_style="bold", box=None, pad_edge=False, show_header=False)
    for finding in findings:
        colour = _COLOURS.get(finding.severity, "white")
        place = f" (line {finding.line})" if finding.line else ""
        hint = f"\n[dim]{quote(finding.hint)}[/dim]" if finding.hint else ""
        table.add_row(f"[{colour}]{finding.severity}[/{colour}]", f"{finding.code} {finding.name}",
                      f"{quote(finding.message)}{place}{hint}")
    return table
