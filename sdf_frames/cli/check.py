"""Check each FILE and report errors and warnings. A URDF is also converted, and the result is checked.

In a folder, all .urdf, .sdf and .world files and .urdf.xacro, .sdf.xacro and .world.xacro files are checked. A
model.config that names no such file is an error. Without FILE, this is the working directory. Errors, warnings and the
verdict go to standard output.

    sdf_frames check robot.urdf
    sdf_frames check robot.urdf --for ros,mujoco,drake
    sdf_frames check . --exclude old --statistics
    sdf_frames check --strict --assets --resource-path models worlds/*.sdf
    sdf_frames check robot.srdf --urdf robot.urdf"""
from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sdf_frames.checks.programs import CONSUMERS, GAZEBO, combine
from sdf_frames.cli.answers import Answer, Output, each_output, guard, render, write
from sdf_frames.cli.common import add_file_arguments, add_options, begin_input, load_input
from sdf_frames.cli.files import Sources, check_outputs
from sdf_frames.cli.findings_text import (
    list_statistics,
    localise,
    render_findings,
    render_statistics,
    render_table,
    show_path,
    summarise,
)
from sdf_frames.cli.printing import print_json, print_line
from sdf_frames.cli.selection import add_selection_arguments, make_selection
from sdf_frames.diagnostics import ERROR, INFO, Diagnostic, count_of, has_errors, tell_once
from sdf_frames.diagnostics.render import count_findings, escape_controls
from sdf_frames.document.expanded import is_xacro

if TYPE_CHECKING:
    from sdf_frames.description import Description


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser, "*")
    parser.set_defaults(searches_here=True)
    add_options(parser, "conversion")
    parser.add_argument("--format", choices=("text", "json", "sarif", "github"), default="text",
                        help="output format (default: text; json is the same as --json; sarif is one log for "
                             "all files)")
    parser.add_argument("--concise", action="store_true", help="print one line for each error or warning")
    parser.add_argument("--statistics", action="store_true",
                        help="print the number of errors and warnings of each code, not the messages")
    parser.add_argument("--quiet", "-q", action="store_true", help="print nothing for valid files, not even warnings")
    add_selection_arguments(parser)
    parser.add_argument("--assets", action="store_true",
                        help="also report meshes, heightmaps and textures that are not found, meshes that cannot be "
                             "read or are hundreds of times larger or smaller than the rest of their model, and "
                             "inertias that do not fit the geometry of their links")
    parser.add_argument("--urdf", nargs="?", const=True, default=False, metavar="URDF",
                        help="check the names and states of each FILE that is an SRDF against the robot in URDF; "
                             "alone, also report SDFormat features that URDF cannot express")
    parser.add_argument("--fix", action="store_true",
                        help="first rename elements of each SDFormat FILE that have invalid names, and all references "
                             "to them")
    parser.add_argument("--untrusted", action="store_true",
                        help="read only what is in the working directory, in named folders and in the resource paths, "
                             "and no .xacro files: for repositories that you do not trust")
    parser.add_argument("--watch", action="store_true", help="check again when a file changes, until Ctrl-C")


def run(args: argparse.Namespace) -> int:
    if args.json and args.format not in ("text", "json"):
        args.parser.error(f"--json and --format {args.format} exclude each other")
    for option, wanted in (("--fix", args.fix), ("--watch", args.watch)):
        if wanted and "-" in args.files:
            args.parser.error(f"{option} needs files, not standard input")
    for option, wanted in (("--fix", args.fix), ("--write-baseline", args.write_baseline)):
        if wanted and args.door.confined:
            args.parser.error(f"{option} and --untrusted exclude each other: {option} writes files")
    if args.write_baseline == "-":
        args.parser.error("--write-baseline needs a file, not standard output")
    if args.format == "json":
        args.json = True
    args.selection = make_selection(args)
    check_outputs(args, {args.write_baseline: "baseline"})
    if args.watch:
        from sdf_frames.cli.watching import watch
        return watch(args.files, partial(_run_once, args))
    return _run_once(args)


def _run_once(args: argparse.Namespace) -> int:
    files: Counter[bool] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    everything: list[Diagnostic] = []
    known: list[Diagnostic] = []
    args.unfixed = _fix_all(args) if args.fix else {}
    for output in each_output(args, _answer, {"resolved": False, "consumers": {GAZEBO: False}}, _render):
        write(output)
        known += output.known
        valid = not has_errors(output.found)
        files[valid] += 1
        counts.update((d.code, d.severity) for d in output.found if not (valid and args.quiet))
        if args.format == "sarif" or args.write_baseline:
            everything += output.found
    if args.write_baseline:
        return _write_baseline(args.write_baseline, everything)
    _tell_stale(args, known)
    if args.format == "sarif":
        from sdf_frames import __version__
        from sdf_frames.diagnostics.sarif import to_sarif
        print_json(to_sarif(map(localise, everything), __version__))
    elif args.json and args.statistics:
        print_json({"files": files.total(), "valid": files[True], "statistics": list_statistics(counts)})
    elif not args.json:
        if args.statistics:
            sys.stdout.write(render_statistics(counts))
        is_long = len(args.files) > 1 or args.format == "github"  # GitHub's log shows annotations without a verdict
        if is_long and (files[False] or not args.quiet):
            sys.stdout.write(summarise(files[True], files[False], counts, args.terminal))
    return 1 if files[False] else 0


def _tell_stale(args: argparse.Namespace, known: Sequence[Diagnostic]) -> None:
    """Print how many findings of the baseline no longer occur."""
    if not (selection := args.selection).known:
        return
    from sdf_frames.cli.known import count_stale
    if count := count_stale(selection.known, known, args.files, selection.baseline_folder, args.door):
        path = args.baseline or args.settings.baseline
        print_line(f"{path}: {count_of(count, 'known error or warning', 'known errors or warnings')} "
                   f"no longer {'occurs' if count == 1 else 'occur'}; --write-baseline renews the file", sys.stderr)


def _write_baseline(path: str, found: Sequence[Diagnostic]) -> int:
    from sdf_frames.cli.known import write_baseline
    try:
        count = write_baseline(path, [d for d in found if d.severity != INFO])
    except OSError as error:
        print_line(f"sdf_frames check: cannot write {path}: {error.strerror}", sys.stderr)
        return 1
    print_line(f"{path}: known errors and warnings: {count}", sys.stderr)
    return 0


def _answer(name: str, args: argparse.Namespace) -> Answer:
    more: list[Diagnostic] = [*args.unfixed.get(name, ())]
    loaded = load_input(name, args)
    checked, asked = list(loaded.diagnostics), args.selection.consumers
    if loaded.srdf is not None and isinstance(args.urdf, str):
        checked = guard(name, more, lambda: load_input(args.urdf, args).check_srdf(loaded), [])
    for wanted, work in ((args.urdf, partial(_check_urdf, loaded)), (args.assets, loaded.find_missing_files),
                         (args.assets, loaded.find_odd_meshes), (args.assets, loaded.find_odd_inertias),
                         (asked, partial(loaded.find_refusals, asked))):
        if wanted:
            more += guard(name, more, work, [])
    kept, known = args.selection.keep([*checked, *more, *args.notices], name, args.sources.read)
    judged = {consumer: args.selection.weigh(kept, consumer, loaded.kind, name)
              for consumer in (GAZEBO, *(("ros",) if loaded.kind == "urdf" else ()), *asked)}
    found = combine(judged[consumer] for consumer in asked or (GAZEBO,))
    if not args.write_baseline:  # it lists what a cause explains, too, or that would be reported without the cause
        found = tell_once(found)
    known_errors = sum(d.severity == ERROR for d in combine(
        args.selection.weigh(known, consumer, loaded.kind, name) for consumer in asked or (GAZEBO,)))
    if (args.json or args.format == "sarif") and not any(d.name == "internal-error" for d in found):
        found = guard(name, found, partial(_attach_fixes, loaded, found), found)
    said = _count_consequences(loaded) if has_errors(found) else ""
    if not has_errors(found) and GAZEBO in (asked or (GAZEBO,)):
        said = _count_lost_links(loaded)
    if args.fix and found and (is_xacro(name) or loaded.kind == "urdf"):
        said += f"; --fix changes {'no .xacro file' if is_xacro(name) else 'only SDFormat files'}"
    becomes = dict[str, object]()
    if asked and args.json:
        becomes = guard(name, more, partial(_list_becomes, loaded, asked), becomes)
    columns = {consumer: judged[consumer] for consumer in asked if CONSUMERS[consumer].loads}
    if len(columns) > 1 and not args.concise:
        said += "\n" + render_table(columns).rstrip("\n")
    return Answer(name, found, {"resolved": loaded.resolved,
                                "consumers": {consumer: not has_errors(some) for consumer, some in judged.items()
                                              if CONSUMERS[consumer].loads},
                                **({"becomes": becomes} if asked and args.json else {}),
                                **({"convertible": loaded.convertible} if loaded.kind == "urdf" else {}),
                                **({"known_errors": known_errors} if known_errors else {})},
                  said, known=known)


def _render(answer: Answer, args: argparse.Namespace) -> Output:
    """Render an answer in the requested format."""
    name, found = answer.file, answer.found
    if args.write_baseline:
        return Output(found)
    if args.json and not args.statistics:
        return render(answer, args)
    if args.format == "github" and not args.statistics:
        from sdf_frames.diagnostics.render import render_github
        return Output(found, "".join(render_github(localise(d)) + "\n" for d in found))
    invalid = has_errors(found)
    if args.format == "sarif" or args.statistics or (args.quiet and not invalid):
        return Output(found)
    said = f"{escape_controls(show_path(name))}: {_say_verdict(answer, args)}{answer.text}\n"
    return Output(found, render_findings(found, args.terminal, args.concise, args.sources) + said)


def _say_verdict(answer: Answer, args: argparse.Namespace) -> str:
    """Return the verdicts of the requested programs; without any, of Gazebo, and of ROS if it differs."""
    counts = count_findings(answer.found)
    counts = f" ({counts})" if counts else ""
    if (known := answer.fields.get("known_errors")) and not has_errors(answer.found):
        counts = f" but for {count_of(known, 'known error')}{counts}"
    verdicts, asked = answer.fields["consumers"], args.selection.consumers
    told = asked or ((GAZEBO, "ros") if verdicts.get("ros", verdicts[GAZEBO]) != verdicts[GAZEBO] else ())
    if not told:
        return _paint_verdict(not has_errors(answer.found), args) + counts
    parts = []
    for valid in dict.fromkeys(verdicts.get(consumer) for consumer in told):
        names = ", ".join(CONSUMERS[consumer].name for consumer in told if verdicts.get(consumer) == valid)
        parts.append(f"{'no verdict on loading' if valid is None else _paint_verdict(valid, args)} for {names}")
    return "; ".join(parts) + counts if asked else f"{parts[0]}{counts}, {parts[1]}: --for ros"


def _paint_verdict(valid: bool, args: argparse.Namespace) -> str:
    return str(args.terminal.paint("valid", "good") if valid else args.terminal.paint("invalid", "error"))


def _list_becomes(loaded: Description, asked: Sequence[str]) -> dict[str, object]:
    from sdf_frames.checks.becomes import to_json
    found = loaded.find_becomes(asked)
    return {consumer: [to_json(one) for one in found if one.program == consumer] for consumer in asked}


def _check_urdf(loaded: Description) -> list[Diagnostic]:
    from sdf_frames.checks.urdf_compatibility import check_urdf_compatibility
    from sdf_frames.convert.one_model import choose_model
    if loaded.kind == "urdf":
        return []
    return [d for scope in loaded.scopes for d in check_urdf_compatibility(choose_model(scope, alone=True)[0])]


def _fix_all(args: argparse.Namespace) -> dict[str, list[Diagnostic]]:
    """Correct all FILEs before the first check, because a FILE may include others; return the errors of each FILE."""
    unfixed: dict[str, list[Diagnostic]] = {name: [] for name in args.files}
    for name, found in unfixed.items():
        args.sources, args.notices = Sources(args.door), []
        guard(name, found, partial(_fix, name, args, found), None)
    return unfixed


def _fix(name: str, args: argparse.Namespace, found: list[Diagnostic]) -> None:
    """Rename elements that break the rules on names, and print their new names to standard error.

    Names of which no finding counts stay. If the file cannot be written, add a finding.
    """
    from sdf_frames.cli.files import write_file
    from sdf_frames.document.writing import NEW
    from sdf_frames.writers.renamed import attach_fixes, find_renamings
    from sdf_frames.writers.written import Written, rewrite
    begun = begin_input(name, args)
    if not (renamings := find_renamings(begun)) or begun.source is None or begun.file is None:
        return
    reported = load_input(begun.file, args).diagnostics
    kept, _ = args.selection.keep(reported, begun.file, args.sources.read)
    fixes, wanted = ({fix for d in attach_fixes(some, renamings) for fix in d.fixes} for some in (reported, kept))
    if not (renamings := [renaming for renaming in renamings if renaming.fix not in fixes - wanted]):
        return
    edits = tuple([edit for renaming in renamings for edit in renaming.fix.edits])
    content, unwritten = rewrite(Written("sdf", source=begun.source, edits=edits))
    found += unwritten
    if content is None or not write_file(begun.file, content, NEW, found, replaces=args.sources.read(begun.file)):
        return
    for rename, _ in renamings:
        print_line(f"{begun.file}:{rename.place.line}: renamed <{rename.tag}> {rename.old!r} to {rename.new!r}",
                   sys.stderr)


def _attach_fixes(loaded: Description, found: list[Diagnostic]) -> list[Diagnostic]:
    """Return findings with their corrections."""
    from sdf_frames.writers.renamed import FIXABLE, attach_fixes, find_renamings
    return attach_fixes(found, find_renamings(loaded)) if any(d.name in FIXABLE for d in found) else found


def _count_lost_links(loaded: Description) -> str:
    """Return a text on how many links of a URDF are not in the SDF; "" if all are."""
    fates = [] if loaded.conversion is None else [row.action for row in loaded.conversion.entries if row.kind == "link"]
    lost = fates.count("dropped")
    return f"; {lost} of {count_of(len(fates), 'link')} {'is' if lost == 1 else 'are'} not in the SDF" if lost else ""


def _count_consequences(loaded: Description) -> str:
    """Return a text on how many more frames have no pose or body because of the errors; "" if none."""
    if not loaded.graphs:
        return ""
    from sdf_frames.frames.resolve import count_consequences
    count = sum(count_consequences(graph) for graph in loaded.graphs)
    return f"; {count_of(count, 'more frame')} without pose or body" if count else ""
