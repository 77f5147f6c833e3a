"""Inertias of links as tables: a line a link, or, where the terminal is too narrow, three.

Moments are along the axes of the link; those of the total along the axes of the world or root model.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sdf_frames.description import Description
from sdf_frames.diagnostics import count_of
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.diagnostics.terminal import Terminal, align
from sdf_frames.inertia.compute import total_inertia
from sdf_frames.inertia.result import GIVEN, InertiaResult, LinkInertia
from sdf_frames.spatial.inertia import Tensor, rotate_tensor
from sdf_frames.spatial.pose import Vector

_COLUMNS = ("link", "mass", "com x", "com y", "com z", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", "source", "remark")
_DIGITS, _DIGITS_NARROW = 6, 4
#: Where a density comes from, by the words of ``density_from``; of others these words are said.
_STATED_BY = {"argument": "--density"}


def render_tables(loaded: Description, result: InertiaResult, compared: InertiaResult | None,
                  terminal: Terminal) -> str:
    """One table a world or robot, with its total; links of `compared` that came about otherwise have a second row."""
    by_scope: dict[int, list[LinkInertia]] = {}
    for link in result.links:
        by_scope.setdefault(link.scope, []).append(link)
    if not by_scope:
        return escape_controls(f"{loaded.file}: no links") + "\n"
    text = ""
    for scope, links in by_scope.items():
        graph = loaded.graphs[scope]
        others = {c.name: c for c in compared.links if c.scope == scope} if compared else {}
        title = escape_controls(f"{loaded.file}: {graph.kind} {graph.name}")
        total, remark = total_inertia(loaded.graphs, links), f"in {graph.names[0]}"
        text += _render(title, partial(_make_rows, links, others, total, remark), terminal)
    return text


def render_mesh(name: str, link: LinkInertia, terminal: Terminal) -> str:
    """A table with the one row of a mesh file."""
    rows = [_COLUMNS, tuple(map(escape_controls, _make_row(link, link.name, _DIGITS)))]
    return _render(escape_controls(f"{name}: mesh"), lambda digits: rows, terminal)


def _render(title: str, make_rows: Callable[[int], list[tuple[str, ...]]], terminal: Terminal) -> str:
    """A table below its title; `make_rows` makes its cells with so many digits."""
    # Names, source and remark from the left, numbers to the right.
    lines = align(make_rows(_DIGITS), left=(0, len(_COLUMNS) - 2, len(_COLUMNS) - 1))
    if terminal.width is not None and max(map(len, lines)) > terminal.width:
        lines = _render_narrow(make_rows(_DIGITS_NARROW), terminal.width)
    lines[0] = terminal.paint(lines[0], "dim")
    return "\n".join([terminal.paint(title, "bold"), *lines]) + "\n"


def _make_rows(links: list[LinkInertia], others: dict[str, LinkInertia], total: tuple[float, Vector, Tensor],
               remark: str, digits: int) -> list[tuple[str, ...]]:
    """The cells of a table: a row a link, below it that of what it is compared with, the total last."""
    rows: list[tuple[str, ...]] = [_COLUMNS]
    for link in links:
        rows.append(_make_row(link, link.name, digits))
        other = others.get(link.name)
        if other is not None and _is_computed(other) != _is_computed(link):
            rows.append(_make_row(other, "  computed" if _is_computed(other) else "  declared", digits))
    rows.append(("total", *_format(*total, digits), count_of(len(links), "link"), remark))
    return [tuple(map(escape_controls, row)) for row in rows]


def _is_computed(link: LinkInertia) -> bool:
    return link.method not in GIVEN


def _make_row(link: LinkInertia, label: str, digits: int) -> tuple[str, ...]:
    remarks = [] if link.physical else ["not physical"]
    missing = [c.name.rpartition("::")[2] for c in link.collisions if c.method is None]
    remarks += [f"without {', '.join(missing)}"] if missing else []
    remarks += [f"{density:g} kg/m³ ({_STATED_BY.get(source, source)})" for density, source in sorted(
        {(c.density, c.density_from) for c in link.collisions})]
    moments = rotate_tensor(link.pose[3:], link.inertia)
    return (label, *_format(link.mass, link.pose[:3], moments, digits), link.method, ", ".join(remarks))


def _format(mass: float, centre: Sequence[float], moments: Sequence[float], digits: int) -> tuple[str, ...]:
    """So many digits; what is rounding beside its neighbours shows as 0 (``--json`` gives every digit)."""
    largest = max(map(abs, moments))
    return (f"{mass:.{digits}g}", *[f"{v:.{digits}g}" if abs(v) > 1e-12 else "0" for v in centre],
            *[f"{v:.{digits}g}" if abs(v) > 1e-13 * largest else "0" for v in moments])


def _render_narrow(rows: list[tuple[str, ...]], width: int) -> list[str]:
    """Three lines a link, as the tensor is written: centre, moments and products below each other.

    A name that is too long has a line of its own, and a remark too.
    """
    head, *rows = rows
    blocks = [[("com x", x, "ixx", xx, "ixy", xy), ("y", y, "iyy", yy, "ixz", xz), ("z", z, "izz", zz, "iyz", yz)]
              for _, _, x, y, z, xx, yy, zz, xy, xz, yz, _, _ in rows]
    masses = max(len(row[1]) for row in (head, *rows))
    widths = [max(len(line[i]) for block in blocks for line in block) for i in range(6)]
    numbers = sum(widths) + 3 + masses + 4 * 2  # a blank within each pair, two between columns
    names = min(max(len(row[0]) for row in (head, *rows)), max(width - numbers, 4))
    sources = max(len(row[-2]) for row in (head, *rows))
    beside = names + numbers + 2 + sources <= width
    lines = ["  ".join([head[0].ljust(names), head[1].rjust(masses),
                        f"{'centre (m)':{widths[0] + 1 + widths[1]}}", "inertia (kg·m²)"])]
    for row, block in zip(rows, blocks):
        name, mass, source, remark = row[0], row[1], row[-2], row[-1]
        if len(name) > names:
            lines.append(name)
            name = ""
        for i, (a, x, b, m, c, p) in enumerate(block):
            cells = [(name if i == 0 else "").ljust(names), (mass if i == 0 else "").rjust(masses),
                     f"{a:>{widths[0]}} {x:>{widths[1]}}", f"{b} {m:>{widths[3]}}", f"{c} {p:>{widths[5]}}"]
            lines.append("  ".join([*cells, source if i == 0 and beside else ""]).rstrip())
        if more := ", ".join(filter(None, (remark, "" if beside else source))):
            lines.append(f"  {more}")
    return lines
