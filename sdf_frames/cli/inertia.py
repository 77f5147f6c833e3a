"""Print mass, centre of mass and inertia tensor of every link of each FILE: declared, or computed from collisions.
A FILE can also be a mesh: .stl .obj .off .ply .dae .gltf .glb.

The tensor is about the centre of mass, along the axes of the link frame (with --json, of the inertial frame). Units: m,
kg, kg·m². The total is that of the whole robot or world with all joints at zero, in its own frame.

    sdf_frames inertia robot.urdf
    sdf_frames inertia --recompute --density 2700 --write robot.sdf
    sdf_frames inertia --repair -o repaired.urdf robot.urdf
    sdf_frames inertia --density 2700 part.stl
"""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite

from sdf_frames.cli.answers import Answer, Json, Made, answer_each, answer_text
from sdf_frames.cli.common import add_file_arguments, add_options, begin_input, complete_input, read_positive
from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, count_of, has_errors, tell_once
from sdf_frames.diagnostics.render import Terminal, align, escape_controls
from sdf_frames.document.door import report_unreadable
from sdf_frames.document.expanded import is_xacro
from sdf_frames.inertia.compute import drop_density_notices, total_inertia
from sdf_frames.inertia.mesh_formats import find_format
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.inertia.result import (
    AUTO,
    DECLARED,
    GIVEN,
    METHODS,
    SHELL,
    CollisionInertia,
    InertiaResult,
    LinkInertia,
)
from sdf_frames.inertia.urdf_links import compute_urdf_links, find_bare_links
from sdf_frames.spatial.inertia import MOMENTS, Tensor, rotate_tensor
from sdf_frames.spatial.pose import Vector
from sdf_frames.writers.with_inertias import find_cured, keep_links, write_inertias


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_options(parser, "conversion")
    parser.add_argument("--link", action="append", default=[], metavar="NAME",
                        help="only this link, by its ::-scoped name (repeatable)")
    parser.add_argument("--method", choices=METHODS, default=AUTO,
                        help="method for meshes: exact (closed surfaces), voxel, hull, shell (density in kg/m²), or "
                             "auto: exact if possible, or else the method with the smallest estimated error (default)")
    parser.add_argument("--scale", type=read_positive, default=1.0, metavar="S",
                        help="for mesh FILEs: multiply coordinates by S (0.001 for millimetres; default: 1)")
    parser.add_argument("--voxel-size", type=read_positive, metavar="M", help="edge of a voxel in metres")
    parser.add_argument("--density", type=read_positive, metavar="KG/M3",
                        help="density in kg/m³ of collisions and links without a density (default: 1000, water)")
    add_options(parser, "inertia_calculator", "inertia_failure")
    parser.add_argument("--recompute", action="store_true",
                        help="also compute links that declare an inertia; a declared mass is kept unless --density is "
                             "given")
    parser.set_defaults(output_dir=None, bundle=None, parents=False)
    parser.add_argument("--write", action="store_true", dest="in_place",
                        help="write computed inertias into FILE, and change nothing else in it. In a URDF, links are "
                             "computed without lumping, and links with collisions but no mass are computed, too")
    parser.add_argument("--repair", action="store_true",
                        help="replace each inertia that no body can have by the nearest possible tensor, and print old "
                             "and new. With --write or -o, write the result, and change nothing else in it")
    parser.add_argument("--from", dest="source", choices=("shapes",),
                        help="with --repair: compute the inertia from the collisions; a positive mass is kept unless "
                             "--density is given")
    parser.add_argument("-o", "--output", metavar="OUT",
                        help="with --repair: write the repaired FILE to OUT (- for standard output)")
    parser.add_argument("--compare", action="store_true", help="print declared inertias beside computed ones")


def run(args: argparse.Namespace) -> int:
    if args.in_place and "-" in args.files:
        args.parser.error("--write needs files, not standard input")
    if problem := _find_repair_problem(args):
        args.parser.error(problem)
    if args.scale != 1.0 and not any(map(is_mesh, args.files)):
        args.parser.error("--scale is for mesh files; a robot has the scale of its meshes in the file")
    if any(map(is_mesh, args.files)):
        given = {"--write": args.in_place, "--repair": args.repair, "--compare": args.compare, "--link": args.link,
                 "--calculator": args.inertia_calculator}
        if used := [option for option, value in given.items() if value]:
            args.parser.error(f"{used[0]} is for robots and worlds, not for mesh files")
    return answer_each(args, _answer, {"links": [], "totals": []})


def _find_repair_problem(args: argparse.Namespace) -> str | None:
    """Return why the arguments for ``--repair`` do not fit the others, or None."""
    if not args.repair:
        if args.output:
            return "-o is for --repair; to write computed inertias into FILE, use --write"
        return "--from is for --repair" if args.source else None
    if args.output and (args.in_place or len(args.files) > 1):
        return "-o takes one FILE, and no --write"
    if args.in_place and any(map(is_xacro, args.files)):
        return "--write cannot change a xacro file; write the result elsewhere with -o"
    if args.link or args.recompute or args.compare:
        return "--repair checks every link: it excludes --link, --recompute and --compare"
    if not args.source and (args.density or args.voxel_size or args.method != AUTO):
        return "with --repair, --density, --method and --voxel-size are for --from shapes"
    return None


def _answer(name: str, args: argparse.Namespace) -> Answer:
    if is_mesh(name):
        return _answer_mesh(name, args)
    if args.repair:
        from sdf_frames.cli.repairs import answer_repair
        return answer_repair(complete_input(begin_input(name, args), args), name, args)
    loaded, result, other, known = _compute(begin_input(name, args), name, args)
    found, notes = list(known), ""
    if args.in_place:
        found, notes = _write(loaded, result, found, name, args)
    if not args.json:
        if not result.links and has_errors(found):  # "no links" would be wrong for a file that was not read
            return Answer(name, found)
        return Answer(name, found, notes=notes, text=("\n" if name != args.files[0] else "") + render_tables(
            loaded, result, other, args.terminal, args.recompute))
    fields = {"links": [to_json(link) for link in result.links], "totals": _list_totals(loaded, result)}
    if other:
        fields["computed"] = [to_json(link) for link in (result if args.recompute else other).links]
        if args.recompute:
            fields["declared"] = [to_json(link) for link in other.links]
    return Answer(name, found, fields)


def _write(loaded: Description, result: InertiaResult, known: list[Diagnostic], name: str,
           args: argparse.Namespace) -> tuple[list[Diagnostic], str]:
    """Write computed inertias into FILE; return the findings that are left, and a line about what was written."""
    written, count = write_inertias(loaded, result)
    made = Made(written, loaded.resolver)
    answer = answer_text(lambda *_: made, name, args)
    if answer.fields[written.kind] is None:
        return [*answer.found, *known], ""
    cured = find_cured(loaded, written)
    return [*answer.found, *[d for d in known if d not in cured]], (
        f"{escape_controls(name)}: {count_of(count, 'inertia') if count else 'no inertia'} written\n")


def is_mesh(name: str) -> bool:
    """Return whether a FILE is a mesh, by its suffix, because most formats have no other mark."""
    return find_format(name) is not None


def _answer_mesh(name: str, args: argparse.Namespace) -> Answer:
    """Compute the inertia of a mesh file, as that of a link with the frame of the mesh."""
    from sdf_frames.api.inertias import describe_link, mesh_inertia
    density = args.density or 1000.0
    try:
        part = mesh_inertia(name, density, method=args.method, scale=args.scale, voxel_size=args.voxel_size,
                            limits=args.budget._asdict())
    except OSError as error:
        return Answer(name, [report_unreadable(name, error)])
    shape = CollisionInertia(name, "mesh", density, "argument" if args.density else "default", part.method, part.mass,
                             part.mass / density)
    link = describe_link(os.path.basename(name), part)._replace(auto=True, collisions=(shape,))
    if args.json:
        return Answer(name, part.findings, {"links": [to_json(link)]})
    text = render_mesh(name, link, args.terminal) if part.valid else ""
    return Answer(name, part.findings, text=("\n" if name != args.files[0] else "") + text)


def _compute(begun: Description, name: str, args: argparse.Namespace,
             ) -> tuple[Description, InertiaResult, InertiaResult | None, tuple[Diagnostic, ...]]:
    """Return the document, its links' inertias, the inertias to compare with (None without), and all findings.

    Without ``--recompute`` declared inertias are compared with computed ones, with it computed ones with declared ones.
    """
    loaded, is_apart = complete_input(begun, args), args.in_place and begun.robot is not None and not is_xacro(name)
    if is_apart:
        loaded = keep_links(begun, loaded)
    compute = partial(loaded.inertias, density=args.density, method=args.method, voxel_size=args.voxel_size)
    if is_apart and loaded.robot is not None and loaded.root is not None:
        compute = partial(compute_urdf_links, compute, loaded.root, find_bare_links(loaded.robot, loaded.report))
    result = compute(links=args.link, recompute=args.recompute)
    other = compute(links=args.link, recompute=not args.recompute) if args.compare else None
    return loaded, result, other, tuple(tell_once((
        *drop_density_notices(loaded.diagnostics, args.density), *result.diagnostics,
        *check_plausibility(loaded.root, result, loaded.resolver, args.budget),
        *(other.diagnostics if other else ()))))


def _list_totals(loaded: Description, result: InertiaResult) -> list[Json]:
    """Return what ``--json`` prints for each world or robot as a whole."""
    totals = []
    for scope, links in _group(result).items():
        mass, centre, moments = total_inertia(loaded.graphs, links)
        graph = loaded.graphs[scope]
        totals.append({"kind": graph.kind, "name": graph.name, "mass": mass, "pose": [*centre, 1.0, 0.0, 0.0, 0.0],
                       "inertia": dict(zip(MOMENTS, moments))})
    return totals


def _group(result: InertiaResult) -> dict[int, list[LinkInertia]]:
    """Return the links of each scope."""
    by_scope: dict[int, list[LinkInertia]] = {}
    for link in result.links:
        by_scope.setdefault(link.scope, []).append(link)
    return by_scope


def to_json(link: LinkInertia) -> Json:
    """Return the dictionary that ``--json`` prints for a link."""
    row: Json = {"name": link.name, "mass": link.mass, "pose": list(link.pose),
                 "inertia": dict(zip(MOMENTS, link.inertia)), "auto": link.auto, "method": link.method,
                 "physical": link.physical}
    if link.collisions:
        row["collisions"] = [collision._asdict() for collision in link.collisions]
    return row


_COLUMNS = ("link", "mass", "com x", "com y", "com z", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", "source", "remark")
_DIGITS, _DIGITS_NARROW = 6, 4
#: The source of a density, by the words of ``density_from``; others are printed as they are.
_STATED_BY = {"argument": "--density"}


def render_tables(loaded: Description, result: InertiaResult, compared: InertiaResult | None,
                  terminal: Terminal, recompute: bool = False) -> str:
    """Return a table for each world or robot, with its total; links with another result in `compared` have two rows."""
    if not (by_scope := _group(result)):
        return escape_controls(f"{loaded.file}: no links") + "\n"
    text = ""
    for scope, links in by_scope.items():
        graph = loaded.graphs[scope]
        others = {c.name: c for c in compared.links if c.scope == scope} if compared else {}
        title = escape_controls(f"{loaded.file}: {graph.kind} {graph.name}")
        total, remark = total_inertia(loaded.graphs, links), f"in {graph.names[0]}"
        text += _render(title, partial(_make_rows, links, others, total, remark, recompute), terminal)
    return text


def render_mesh(name: str, link: LinkInertia, terminal: Terminal) -> str:
    """Return the table of a mesh file, with one row."""
    rows = [_COLUMNS, tuple(map(escape_controls, _make_row(link, link.name, _DIGITS)))]
    return _render(escape_controls(f"{name}: mesh"), lambda digits: rows, terminal)


def _render(title: str, make_rows: Callable[[int], list[tuple[str, ...]]], terminal: Terminal) -> str:
    """Return a table below its title; `make_rows` makes its cells with a number of digits."""
    # Names, source and remark are aligned left, numbers right.
    lines = align(make_rows(_DIGITS), left=(0, len(_COLUMNS) - 2, len(_COLUMNS) - 1))
    if terminal.width is not None and max(map(len, lines)) > terminal.width:
        lines = _render_narrow(make_rows(_DIGITS_NARROW), terminal.width)
    lines[0] = terminal.paint(lines[0], "dim")
    return "\n".join([terminal.paint(title, "bold"), *lines]) + "\n"


def _make_rows(links: list[LinkInertia], others: dict[str, LinkInertia], total: tuple[float, Vector, Tensor],
               remark: str, recompute: bool, digits: int) -> list[tuple[str, ...]]:
    """Return the cells of a table: a row for each link, below it the row to compare with, the total last."""
    rows: list[tuple[str, ...]] = [_COLUMNS]
    for link in links:
        rows.append(_make_row(link, link.name, digits, recompute))
        other = others.get(link.name)
        if other is not None and _is_computed(other) != _is_computed(link):
            rows.append(_make_row(other, "  computed" if _is_computed(other) else "  declared", digits))
    numbers = _format(*total, digits) if isfinite(total[0]) else ("too large", *[""] * 9)
    rows.append(("total", *numbers, count_of(len(links), "link"), remark))
    return [tuple(map(escape_controls, row)) for row in rows]


def _is_computed(link: LinkInertia) -> bool:
    return link.method not in GIVEN


def _make_row(link: LinkInertia, label: str, digits: int, recompute: bool = False) -> tuple[str, ...]:
    remarks = [] if link.physical else ["not physical"]
    if recompute and link.method == DECLARED:
        remarks.append("no collision to compute it from")
    missing = [c.name.rpartition("::")[2] for c in link.collisions if c.method is None]
    remarks += [f"without {', '.join(missing)}"] if missing else []
    remarks += [f"{density:g} {unit} ({_STATED_BY.get(source, source)})" for density, unit, source in sorted(
        {(c.density, "kg/m²" if c.method == SHELL else "kg/m³", c.density_from) for c in link.collisions})]
    moments = rotate_tensor(link.pose[3:], link.inertia)
    return (label, *_format(link.mass, link.pose[:3], moments, digits), link.method, ", ".join(remarks))


def _format(mass: float, centre: Sequence[float], moments: Sequence[float], digits: int) -> tuple[str, ...]:
    """Format numbers with so many digits; rounding errors next to larger numbers are 0 (``--json`` has every digit)."""
    largest = max(map(abs, moments))
    return (f"{mass:.{digits}g}", *[f"{v:.{digits}g}" if abs(v) > 1e-12 else "0" for v in centre],
            *[f"{v:.{digits}g}" if abs(v) > 1e-13 * largest else "0" for v in moments])


def _render_narrow(rows: list[tuple[str, ...]], width: int) -> list[str]:
    """Return three lines for each link, in the form of the tensor: centre, moments and products below each other.

    A name that is too long has its own line, and so has a remark.
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
