"""Mass, centre of mass and inertia tensor of every link of each FILE: declared, or computed from collisions.

The tensor is about the centre of mass along the axes of the inertial frame; lengths in m, masses in kg, inertias in
kg·m². The totals are those of a whole world or robot at its zero position, in its own frame.
"""
from __future__ import annotations

import argparse
import linecache
import sys

from sdf_frames.cli.common import (
    add_conversion_arguments, add_file_arguments, diagnostics_to_json, load_each, print_diagnostics, print_json)
from sdf_frames.diagnostics import has_errors
from sdf_frames.inertia.compute import compute_inertias, total_inertia, walk_links
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.inertia.result import AUTO, DECLARED, DEFAULT, METHODS, InertiaResult, LinkInertia

NAME = "inertia"
HELP = "mass, centre of mass and inertia tensor of every link"
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_COLUMNS = ("link", "mass", "com x", "com y", "com z", *MOMENTS, "source", "remark")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--link", action="append", default=[], metavar="NAME",
                        help="only this link, by its ::-scoped name (repeatable)")
    parser.add_argument("--method", choices=METHODS, default=AUTO,
                        help="how meshes are integrated: exact (closed surfaces), voxel, hull, shell (densities are "
                             "then kg/m²), or auto: exact where the mesh allows it, else voxel, else hull (default)")
    parser.add_argument("--voxel-size", type=_read_positive, metavar="M", help="edge of a voxel in metres")
    parser.add_argument("--density", type=_read_positive, metavar="KG/M3",
                        help="density where neither collision nor link states one (default: 1000, that of water)")
    parser.add_argument("--calculator", metavar="NAME",
                        help="ask this registered calculator first for every mesh (an entry point of a package)")
    parser.add_argument("--recompute", action="store_true",
                        help="compute links that declare their inertia too; a declared mass is kept unless --density is given")
    parser.add_argument("--write", action="store_true",
                        help="put what was computed into the SDFormat FILE itself; nothing else in it changes")
    parser.add_argument("--compare", action="store_true", help="print declared inertias beside computed ones")


def _read_positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def run(args: argparse.Namespace) -> int:
    if args.write and "-" in args.files:
        print("sdf_frames inertia: --write needs files, not standard input", file=sys.stderr)
        return 2
    status = 0
    for number, loaded in enumerate(load_each(args)):
        options = {"links": args.link, "density": args.density, "method": args.method, "voxel_size": args.voxel_size,
                   "calculator": args.calculator}
        result = compute_inertias(loaded, recompute=args.recompute, **options)
        computed = compute_inertias(loaded, recompute=True, **options) if args.compare else None
        found = tuple(dict.fromkeys((*loaded.diagnostics, *result.diagnostics, *check_plausibility(loaded, result),
                                     *(computed.diagnostics if computed else ()))))
        if args.write:
            found = (*found, *_write(loaded, result))
        valid = not has_errors(found)
        status = status if valid else 1
        if args.json:
            row = {"file": loaded.file, "valid": valid, "links": [to_json(link) for link in result.links],
                   "diagnostics": diagnostics_to_json(found)}
            if computed:
                row["computed"] = [to_json(link) for link in computed.links]
            print_json(row)
            continue
        print_diagnostics(found)
        if number:
            print()
        _print_tables(loaded, result, computed)
    return status


def to_json(link: LinkInertia) -> dict:
    """The dictionary that ``--json`` prints for a link."""
    row = {"name": link.name, "mass": link.mass, "pose": list(link.pose), "inertia": dict(zip(MOMENTS, link.inertia)),
           "auto": link.auto, "method": link.method, "physical": link.physical}
    if link.collisions:
        row["collisions"] = [{"name": c.name, "geometry": c.geometry, "density": c.density, "density_from": c.density_from,
                              "method": c.method, "mass": c.mass, "volume": c.volume} for c in link.collisions]
    return row


def _write(loaded, result: InertiaResult) -> tuple:
    """Write computed inertias of links with a mass into their file; findings on those that cannot be."""
    from sdf_frames.diagnostics import Location, diagnose
    from sdf_frames.inertia.rewrite import find_key, write_inertials
    computed = {(x.scope, x.name): x for x in result.links if x.method not in (DECLARED, DEFAULT) and x.physical}
    if loaded.root is None or not computed:
        return ()
    here = Location(loaded.file)
    if loaded.kind != "sdf":
        return (diagnose("inertia-not-written", here, problem="the file is a URDF, whose links were joined on the way; "
                         "convert it and write into the SDFormat file"),)
    wanted, elsewhere = {}, []
    for scope, prefix, link in walk_links(loaded.root):
        inertia = computed.get((scope, prefix + link.name))
        if inertia is not None:
            own = link.element.getroottree().getroot() is loaded.root.element
            wanted.update({find_key(link.element): inertia} if own else {})
            elsewhere += [] if own else [inertia.name]
    try:
        with open(loaded.file, "rb") as stream:
            text = stream.read()
        new, written = write_inertials(text, wanted)
        elsewhere += [x.name for key, x in wanted.items() if key not in written]
        if new != text:
            # Findings quote the text that they are about.
            linecache.getlines(loaded.file)
            with open(loaded.file, "wb") as stream:
                stream.write(new)
    except (OSError, ValueError) as error:
        return (diagnose("inertia-not-written", here, problem=str(error)),)
    if elsewhere:
        return (diagnose("inertia-not-written", here, problem="these links are not written in this file itself: "
                         + ", ".join(elsewhere[:8])),)
    return ()


def _print_tables(loaded, result: InertiaResult, computed: InertiaResult | None) -> None:
    """One table a world or robot, with its total."""
    by_scope: dict[int, list[LinkInertia]] = {}
    for link in result.links:
        by_scope.setdefault(link.scope, []).append(link)
    if not by_scope:
        print(f"{loaded.file}: no links")
    others = {(c.scope, c.name): c for c in computed.links} if computed else {}
    for scope, links in by_scope.items():
        graph = loaded.graphs[scope]
        rows = []
        for link in links:
            rows.append(_make_row(link))
            other = others.get((scope, link.name))
            if other is not None and other.method not in (DECLARED, DEFAULT) and not link.auto:
                rows.append(_make_row(other, "  computed"))
        mass, centre, moments = total_inertia(loaded, links)
        rows.append(("total", *_format(mass, centre, moments), f"{len(links)} link{'s' if len(links) > 1 else ''}", f"in {graph.names[0]}"))
        _print_table(f"{loaded.file}: {graph.kind} {graph.name}", rows)


def _make_row(link: LinkInertia, label: str | None = None) -> tuple:
    remarks = [] if link.physical else ["not physical"]
    remarks += sorted({f"{c.density:g} kg/m³" for c in link.collisions}, key=lambda t: float(t.split()[0]))
    if link.pose[3] != 1.0:
        remarks.append("axes turned")
    return (label or link.name, *_format(link.mass, link.pose[:3], link.inertia), link.method, ", ".join(remarks))


def _format(mass: float, centre: tuple, moments: tuple) -> tuple:
    """Six digits; what is rounding beside its neighbours shows as 0 (``--json`` gives every digit)."""
    largest = max(map(abs, moments))
    return (f"{mass:.6g}", *[f"{v:.6g}" if abs(v) > 1e-12 else "0" for v in centre],
            *[f"{v:.6g}" if abs(v) > 1e-13 * largest else "0" for v in moments])


def _print_table(title: str, rows: list[tuple]) -> None:
    if sys.stdout.isatty():
        try:
            _print_rich(title, rows)
            return
        except ImportError:
            pass
    widths = [max(len(row[i]) for row in (_COLUMNS, *rows)) for i in range(len(_COLUMNS))]
    print(title)
    for row in (_COLUMNS, *rows):
        cells = [cell.ljust(w) if i == 0 or i >= len(_COLUMNS) - 2 else cell.rjust(w)
                 for i, (cell, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def _print_rich(title: str, rows: list[tuple]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text
    table = Table(title=Text(title), title_justify="left", row_styles=("", "dim"))
    for i, column in enumerate(_COLUMNS):
        table.add_column(column, justify="left" if i == 0 or i >= len(_COLUMNS) - 2 else "right",
                         overflow="fold" if i in (0, len(_COLUMNS) - 1) else "ellipsis", no_wrap=0 < i < 11)
    for k, row in enumerate(rows):
        if k == len(rows) - 1:
            table.add_section()
        table.add_row(*[Text(cell) for cell in row])
    Console().print(table)
