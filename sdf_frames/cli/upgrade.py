"""Write each SDFormat FILE in a newer version of the format; comments and unknown content stay.

Names that siblings of different kinds could share before 1.7 are made different.
"""
from __future__ import annotations

import argparse
import sys

from sdf_frames.cli.common import diagnostics_to_json, print_diagnostics, print_json, report_failure
from sdf_frames.cli.files import add_output_arguments, find_usage_problem, read_input, write_output
from sdf_frames.diagnostics import Location, diagnose, has_errors
from sdf_frames.document.xml_in import read_xml, tag_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="SDFormat file; - is standard input")
    parser.add_argument("--to", default="1.12", metavar="V", choices=[f"1.{minor}" for minor in range(3, 13)],
                        help="version to write, 1.3 to 1.12 (default: 1.12)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a file, one a line")
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if message := find_usage_problem(args):
        print(f"sdf_frames upgrade: {message}", file=sys.stderr)
        return 2
    status = 0
    for name in args.files:
        try:
            text, found = upgrade_file(name, args.to)
        except Exception as error:
            text, found = None, [report_failure(name, error)]
        if text is not None and not write_output(args, name, text, ".sdf", found):
            text = None
        valid = not has_errors(found)
        status = status if valid else 1
        if args.json:
            print_json({"file": name, "valid": valid, "sdf": text, "diagnostics": diagnostics_to_json(found)})
        else:
            print_diagnostics(found)
    return status


def upgrade_file(name: str, to: str) -> tuple[str | None, list]:
    """Text of the upgraded file, None where it cannot be upgraded, and the findings."""
    from lxml import etree

    from sdf_frames.sdf.rename import fix_names
    from sdf_frames.sdf.table import version_key
    from sdf_frames.sdf.upgrade import upgrade_document
    content, found = read_input(name)
    if content is None:
        return None, found
    document, more = read_xml(content, name, keep_comments=True)
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
    if version_key(written) < (1, 7) <= version_key(to):
        found += [diagnose("name-renamed", Location(name, r.line), kind=r.tag, name=r.old, new=r.new)
                  for r in fix_names(document.root, only_once_allowed=True)]
    tree = document.root.getroottree()
    text = etree.tostring(tree, encoding="unicode")
    return '<?xml version="1.0"?>\n' + text.rstrip() + "\n", found
