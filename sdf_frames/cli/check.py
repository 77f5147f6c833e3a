"""Read each FILE, convert it if it is a URDF, and say what is wrong with it."""
from __future__ import annotations

import argparse
import sys
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
from sdf_frames.diagnostics import ERROR, WARNING, Diagnostic, Location, diagnose, has_errors
from sdf_frames.diagnostics.catalogue import BY_CODE, CATALOGUE
from sdf_frames.document.xacro import is_xacro


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_conversion_arguments(parser)
    parser.add_argument("--format", choices=("text", "json", "sarif", "github"), default="text",
                        help="how findings are printed (json is what --json prints; sarif: one log for all files)")
    parser.add_argument("--error", action="append", default=[], metavar="CODE", type=_read_code,
                        help="make this code an error (repeatable; codes and names as 'sdf_frames explain' lists them)")
    parser.add_argument("--ignore", action="append", default=[], metavar="CODE", type=_read_code,
                        help="leave this code out (repeatable)")
    parser.add_argument("--strict", action="store_true", help="make every warning an error")
    parser.add_argument("--assets", action="store_true", help="also look for the meshes, heightmaps and textures")
    parser.add_argument("--urdf", action="store_true",
                        help="also say what keeps an SDFormat FILE from being written as URDF by copying its numbers")
    parser.add_argument("--fix", action="store_true",
                        help="first rename, in each SDFormat FILE, what breaks the rules on names, references included")
    parser.add_argument("--quiet", "-q", action="store_true", help="print nothing for valid files, not even their warnings")


def _read_code(text: str) -> str:
    if text.upper() in BY_CODE:
        return text.upper()
    if text.lower() in CATALOGUE:
        return CATALOGUE[text.lower()].code
    raise argparse.ArgumentTypeError(f"{text!r} is no code; 'sdf_frames explain' lists them")


def run(args: argparse.Namespace) -> int:
    status = 0
    if args.json and args.format not in ("text", "json"):
        print(f"sdf_frames check: --json and --format {args.format} are two formats", file=sys.stderr)
        return 2
    if args.fix and "-" in args.files:
        print("sdf_frames check: --fix needs files, not standard input", file=sys.stderr)
        return 2
    form = "json" if args.json else args.format
    everything = []
    unwritten: list[list[Diagnostic]] = [[] for _ in args.files]
    for name, more in zip(args.files if args.fix else (), unwritten):
        more += guard(name, more, partial(_fix, name), ())
    for loaded, more in zip(load_each(args), unwritten):
        for wanted, work in ((args.urdf, _check_urdf), (args.assets, _check_assets)):
            if wanted:
                more += guard(loaded.file, more, partial(work, loaded), ())
        found = apply_severities([*loaded.diagnostics, *more], args)
        valid = not has_errors(found)
        status = status if valid else 1
        if form == "json":
            print_json({"file": loaded.file, "valid": valid, "resolved": loaded.resolved,
                        **({"convertible": loaded.convertible} if loaded.kind == "urdf" else {}),
                        "diagnostics": diagnostics_to_json(found)})
        elif form == "github":
            from sdf_frames.diagnostics.render import render_github
            for diagnostic in found:
                print(render_github(diagnostic))
        elif form == "sarif":
            everything += found
        else:
            if args.quiet and valid:
                continue
            print_diagnostics(found)
            print_line(f"{loaded.file}: {'valid' if valid else 'invalid'}{_count(found)}{'' if valid else _count_echoes(loaded)}")
            sys.stdout.flush()
    if form == "sarif":
        from sdf_frames import __version__
        from sdf_frames.diagnostics.sarif import to_sarif
        print_json(to_sarif(everything, __version__))
    return status


def _check_assets(loaded) -> list:
    from sdf_frames.checks.assets import check_assets
    return [] if loaded.root is None else list(check_assets(loaded.root, loaded.resolver, loaded.robot))


def _check_urdf(loaded) -> list:
    from sdf_frames.checks.urdf_compatibility import check_urdf_compatibility
    return [] if loaded.kind == "urdf" else [d for graph in loaded.graphs for d in check_urdf_compatibility(graph)]


def _fix(name: str) -> list[Diagnostic]:
    """Rewrite a file with sound names, and say on standard error what was renamed; other files are left alone.

    A finding where the file cannot be written.
    """
    from lxml import etree

    from sdf_frames.cli.files import read_input
    from sdf_frames.document.writing import write_whole
    from sdf_frames.document.xml_in import read_xml
    from sdf_frames.sdf.rename import fix_names
    content, _ = read_input(name) if not is_xacro(name) else (None, [])
    document = read_xml(content, name, keep_comments=True)[0] if content is not None else None
    if document is None or document.root.tag != "sdf" or not (renames := fix_names(document.root)):
        return []
    text = etree.tostring(document.root.getroottree(), encoding="unicode").rstrip()
    try:
        write_whole(name, f'<?xml version="1.0"?>\n{text}\n')
    except OSError as error:
        return [diagnose("file-unwritable", Location(name), file=name, problem=error.strerror or str(error))]
    for rename in renames:
        print_line(f"{name}:{rename.line}: renamed <{rename.tag}> {rename.old!r} to {rename.new!r}", sys.stderr)
    return []


def apply_severities(diagnostics, args: argparse.Namespace) -> list:
    """`diagnostics` with ``--ignore``, ``--error`` and ``--strict`` applied, in that order."""
    found = [d for d in diagnostics if d.code not in args.ignore]
    return [d._replace(severity=ERROR) if d.code in args.error or (args.strict and d.severity == WARNING) else d
            for d in found]


def _count(diagnostics) -> str:
    counts = [(kind, sum(d.severity == kind for d in diagnostics)) for kind in ("error", "warning")]
    said = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts if n)
    return f" ({said})" if said else ""


def _count_echoes(loaded) -> str:
    """How many more frames the errors leave without a pose or body: consequences, which are no findings of their own."""
    if not loaded.graphs:
        return ""
    from sdf_frames.frames.resolve import count_echoes
    count = sum(count_echoes(graph) for graph in loaded.graphs)
    return f"; {count} more frame{'s' if count > 1 else ''} without pose or body" if count else ""
