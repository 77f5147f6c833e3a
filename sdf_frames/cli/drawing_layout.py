"""Where vertices of a drawing stand, and which are folded away, for drawings that are nearly trees."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.cli.drawing import Drawing


class Levels(NamedTuple):
    """A spanning forest of a drawing: each vertex's depth (0: root) and children; all vertices from the roots down."""

    depths: list[int]
    children: list[list[int]]
    order: list[int]


def find_levels(drawing: Drawing) -> Levels:
    """Hang each vertex below the first that leads to it; in a cycle that nothing leads to, one vertex is the root."""
    below: list[list[int]] = [[] for _ in drawing.vertices]
    for edge in drawing.edges:
        upper, lower = (edge.head, edge.tail) if drawing.upward else (edge.tail, edge.head)
        below[upper].append(lower)
    led_to = {lower for lowers in below for lower in lowers}
    children: list[list[int]] = [[] for _ in below]
    depths: dict[int, int] = {}
    for start in sorted(range(len(below)), key=led_to.__contains__):
        if start in depths:
            continue
        depths[start] = 0
        reached = [start]
        for upper in reached:  # which grows
            for lower in below[upper]:
                if lower not in depths:
                    depths[lower] = depths[upper] + 1
                    children[upper].append(lower)
                    reached.append(lower)
    return Levels([depths[vertex] for vertex in range(len(below))], children, list(depths))


def place_vertices(drawing: Drawing) -> tuple[list[int], list[float]]:
    """Find a column and a row for each vertex: columns by depth, a leaf to a row, parents amid their children."""
    depths, children, order = find_levels(drawing)
    rows: dict[int, float] = {}
    free = 0
    pending = [vertex for vertex in reversed(order) if depths[vertex] == 0]
    while pending:  # leaves, from the first to the last
        vertex = pending.pop()
        pending += reversed(children[vertex])
        if not children[vertex]:
            rows[vertex], free = float(free), free + 1
    for vertex in reversed(order):
        if children[vertex]:
            rows[vertex] = (rows[children[vertex][0]] + rows[children[vertex][-1]]) / 2
    return depths, [rows[vertex] for vertex in range(len(depths))]


def fold_drawing(drawing: Drawing, deepest: int) -> Drawing:
    """Leave out what is deeper below the roots than `deepest` levels, but for what is broken and what leads there.

    The label of a vertex says how many of those below it are left out: ``arm (+37)``.
    """
    depths, children, order = find_levels(drawing)
    kept = [depth <= deepest or vertex.broken for depth, vertex in zip(depths, drawing.vertices)]
    hidden: dict[int, int] = {}
    for upper in reversed(order):
        kept[upper] = kept[upper] or any(kept[lower] for lower in children[upper])
        hidden[upper] = sum(hidden[lower] + 1 for lower in children[upper] if not kept[lower])
    numbers = {vertex: i for i, vertex in enumerate(v for v, keep in enumerate(kept) if keep)}
    vertices = [drawing.vertices[v]._replace(label=f"{drawing.vertices[v].label} (+{hidden[v]})") if hidden[v]
                else drawing.vertices[v] for v in numbers]
    edges = [edge._replace(tail=numbers[edge.tail], head=numbers[edge.head]) for edge in drawing.edges
             if edge.tail in numbers and edge.head in numbers]
    return drawing._replace(vertices=vertices, edges=edges)
