"""Mass, centre of mass and inertia tensor of every link of each FILE: declared, or computed from collisions.

The tensor is about the centre of mass along the axes of the inertial frame; lengths in m, masses in kg, inertias in
kg·m². The totals are those of a whole world or robot at its zero position, in its own frame.
"""
from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial

from sdf_frames.cli.common import (
    add_calculator_argument,
    add_conversion_arguments,
    add_file_arguments,
    diagnostics_to_json,
    guard,
    load_each,
    print_diagnostics,
    print_json,
    print_line,
    report_failure,
)
from sdf_frames.diagnostics import Diagnostic, has_errors
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.document.xacro import is_xacro
from sdf_frames.inertia.compute import drop_density_notices, total_inertia
from sdf_frames.inertia.link import FAILURES, REFUSE
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.inertia.result import AUTO, DECLARED, DEFAULT, METHODS, InertiaResult, LinkInertia
from sdf_frames.inertia.urdf_links import compute_urdf_links, drop_placeholders, find_bare_links
from sdf_frames.inertia.write_file import find_places, find_robot_places, write_file
from sdf_frames.load import Description, load_file

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
    add_calculator_argument(parser)
    parser.add_argument("--on-failure", choices=FAILURES, default=REFUSE,
                        help="what becomes of a collision that cannot be computed: an error (default), or, with a warning, "
                             "1 kg and a unit tensor in its place, as libsdformat's WARN_AND_USE_DEFAULT_INERTIAL")
    parser.add_argument("--recompute", action="store_true",
                        help="compute links that declare their inertia too; a declared mass is kept unless --density is given")
    parser.add_argument("--write", action="store_true",
                        help="put what was computed into the FILE itself; nothing else in it changes. Of a URDF, every "
                             "link counts by itself, and those with collisions but no mass are computed")
    parser.add_argument("--plot", metavar="OUT.png",
                        help="draw the robot with the equivalent box of each link's inertia (one FILE; needs matplotlib)")
    parser.add_argument("--compare", action="store_true", help="print declared inertias beside computed ones")


def _read_positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def run(args: argparse.Namespace) -> int:
    if args.write and "-" in args.files:
        print("sdf_frames inertia: --write needs files, not standard input", file=sys.stderr)
        return 2
    if args.plot and len(args.files) > 1:
        print("sdf_frames inertia: --plot takes one FILE", file=sys.stderr)
        return 2
    status = 0
    for number, loaded in enumerate(load_each(args)):
        try:
            loaded, result, other, found = _compute(loaded, args)
        except Exception as error:  # a defect of ours must not keep the other files from being processed
            loaded = Description(loaded.file, diagnostics=(report_failure(loaded.file, error),))
            result, other, found = InertiaResult((), ()), None, loaded.diagnostics
        found = list(found)
        if args.write and loaded.root is not None:
            found += guard(loaded.file, found, partial(_write, loaded, result), ())
        if args.plot and loaded.root is not None:
            from sdf_frames.inertia.plot import plot_inertias
            found += guard(loaded.file, found, partial(plot_inertias, loaded.root, loaded.graphs[0], result.links, args.plot,
                                                       loaded.resolver, loaded.file), ())
        valid = not has_errors(found)
        status = status if valid else 1
        if args.json:
            row = {"file": loaded.file, "valid": valid, "links": [to_json(link) for link in result.links],
                   "diagnostics": diagnostics_to_json(found)}
            if other:
                row["computed"] = [to_json(link) for link in (result if args.recompute else other).links]
                if args.recompute:
                    row["declared"] = [to_json(link) for link in other.links]
            print_json(row)
            continue
        print_diagnostics(found)
        if number:
            print()
        _print_tables(loaded, result, other)
    return status


def _compute(loaded: Description, args: argparse.Namespace) -> tuple[Description, InertiaResult, InertiaResult | None, tuple]:
    """The document, its links' inertias, those to compare them with (None unless asked for), and all findings.

    Without ``--recompute`` declared inertias are compared with computed ones, with it computed ones with declared ones.
    """
    compute = partial(loaded.inertias, density=args.density, method=args.method, voxel_size=args.voxel_size)
    if args.write and loaded.robot is not None and not is_xacro(loaded.file):
        loaded = _keep_links(loaded)
        bare = find_bare_links(loaded.robot, loaded.report)
        compute = partial(loaded.inertias, **compute.keywords)
        compute = partial(compute_urdf_links, compute, loaded.root, bare)
    result = compute(links=args.link, recompute=args.recompute)
    other = compute(links=args.link, recompute=not args.recompute) if args.compare else None
    return loaded, result, other, tuple(dict.fromkeys((
        *drop_density_notices(loaded.diagnostics, args.density), *result.diagnostics,
        *check_plausibility(loaded.root, result, loaded.resolver, args.budget), *(other.diagnostics if other else ()))))


def _keep_links(loaded: Description) -> Description:
    """The same URDF with each of its links a link, as what is written belongs to one of them.

    The findings stay: they are about how the file converts by default.
    """
    kept = load_file(loaded.file, replace(loaded.options, preserve_fixed_joints=True, massless="keep"))
    if kept.root is None:
        return loaded
    root = drop_placeholders(kept.root, find_bare_links(kept.robot, kept.report))
    return replace(kept, root=root, diagnostics=loaded.diagnostics)


def _write(loaded: Description, result: InertiaResult) -> tuple[Diagnostic, ...]:
    places = find_robot_places(loaded.robot, loaded.report, result) if loaded.robot is not None else \
        find_places(loaded.root, result)
    return write_file(loaded.file, places)


def to_json(link: LinkInertia) -> dict:
    """The dictionary that ``--json`` prints for a link."""
    row = {"name": link.name, "mass": link.mass, "pose": list(link.pose), "inertia": dict(zip(MOMENTS, link.inertia)),
           "auto": link.auto, "method": link.method, "physical": link.physical}
    if link.collisions:
        row["collisions"] = [{"name": c.name, "geometry": c.geometry, "density": c.density, "density_from": c.density_from,
                              "method": c.method, "mass": c.mass, "volume": c.volume} for c in link.collisions]
    return row


def _print_tables(loaded, result: InertiaResult, compared: InertiaResult | None) -> None:
    """One table a world or robot, with its total; below a link's row that of `compared` where it came about otherwise."""
    by_scope: dict[int, list[LinkInertia]] = {}
    for link in result.links:
        by_scope.setdefault(link.scope, []).append(link)
    if not by_scope:
        print_line(f"{loaded.file}: no links")
    others = {(c.scope, c.name): c for c in compared.links} if compared else {}
    for scope, links in by_scope.items():
        graph = loaded.graphs[scope]
        rows = []
        for link in links:
            rows.append(_make_row(link))
            other = others.get((scope, link.name))
            if other is not None and _is_computed(other) != _is_computed(link):
                rows.append(_make_row(other, "  computed" if _is_computed(other) else "  declared"))
        mass, centre, moments = total_inertia(loaded.graphs, links)
        rows.append(("total", *_format(mass, centre, moments), f"{len(links)} link{'s' if len(links) > 1 else ''}", f"in {graph.names[0]}"))
        _print_table(f"{loaded.file}: {graph.kind} {graph.name}", rows)


def _is_computed(link: LinkInertia) -> bool:
    return link.method not in (DECLARED, DEFAULT)


def _make_row(link: LinkInertia, label: str | None = None) -> tuple:
    remarks = [] if link.physical else ["not physical"]
    missing = [c.name.rpartition("::")[2] for c in link.collisions if c.method is None]
    remarks += [f"without {', '.join(missing)}"] if missing else []
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
    title, rows = escape_controls(title), [tuple(map(escape_controls, row)) for row in rows]
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
        table.add_row(*[Text(cell) for cell in row], end_section=k == len(rows) - 2)
    Console().print(table)
