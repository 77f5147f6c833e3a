"""Write each SDFormat FILE in a newer version of the format; comments and unknown content stay.

Names that siblings of different kinds could share before 1.7 are made different, and those that held '::' before 1.8
and are not taken apart into nested models hold '_'.
"""
from __future__ import annotations

import argparse
from functools import partial

from sdf_frames.cli.common import add_limit_argument, write_each
from sdf_frames.cli.files import add_output_arguments, name_input, read_input
from sdf_frames.diagnostics import Location, diagnose, has_errors
from sdf_frames.document.budget import DEFAULT, Budget, Spending
from sdf_frames.document.xml_in import read_xml, tag_of
from sdf_frames.sdf.table import VERSION, VERSIONS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", type=name_input,
                        help="SDFormat file, or a folder with a model.config; - is standard input")
    parser.add_argument("--to", default=VERSION, metavar="V", choices=VERSIONS[1:],
                        help=f"version to write, {VERSIONS[1]} to {VERSION} (default: {VERSION})")
    parser.add_argument("--json", action="store_true", help="print one JSON object a file, one a line")
    parser.add_argument("--resource-path", action="append", metavar="DIR",
                        help="taken as by the other commands, and of no effect: includes stay as they are written")
    add_limit_argument(parser)
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    return write_each(args, "upgrade", "sdf", ((name, partial(upgrade_file, name, args.to, args.budget)) for name in args.files))


def upgrade_file(name: str, to: str, budget: Budget = DEFAULT) -> tuple[str | None, list]:
    """Text of the upgraded file, None where it cannot be upgraded, and the findings."""
    from lxml import etree

    from sdf_frames.sdf.rename import choose_rules, fix_names
    from sdf_frames.sdf.upgrade import upgrade_document
    content, found = read_input(name, budget=budget)
    if content is None:
        return None, found
    document, more = read_xml(content, name, keep_comments=True, spending=Spending(budget))
    found += more
    if document is None:
        return None, found
    if (tag := tag_of(document.root)) != "sdf":
        rule = "upgrade-of-urdf" if tag == "robot" else "not-a-robot-description"
        found.append(diagnose(rule, Location(name, document.root.sourceline, f"/{tag}"), tag=tag))
        return None, found
    written = document.root.get("version", "")
    found += upgrade_document(document, to)
    if has_errors(found):
        return None, found
    rules = choose_rules(written, to)
    for r in fix_names(document.root, only=rules) if rules else ():
        rule = "name-not-allowed" if "::" in r.old else "name-renamed"
        found.append(diagnose(rule, Location(name, r.line), kind=r.tag, name=r.old, called=r.old, new=r.new))
    tree = document.root.getroottree()
    text = etree.tostring(tree, encoding="unicode")
    return '<?xml version="1.0"?>\n' + text.rstrip() + "\n", found
