#!/usr/bin/env python3
"""Write docs/diagnostics.md, and the tables of docs/will_it_load.md and docs/what_becomes_of_it.md.

usage: build_diagnostics_page.py [--check]     --check: exit 1 if a page differs from the catalogue
"""
import sys

from filled_pages import fill, write_pages

from sdf_frames.checks.becomes import SAME, features_of, read_rows
from sdf_frames.checks.plugin_names import CLASSIC, SYSTEMS
from sdf_frames.checks.programs import CONSUMERS, KINDS, list_judges, severity_for
from sdf_frames.diagnostics.catalogue import BY_CODE, Rule
from sdf_frames.diagnostics.catalogue.rule import spell_fields

FAMILIES = {
    "X": "Reading files and XML", "S": "Schema and versions", "N": "Names", "F": "attached_to",
    "P": "Poses and relative_to",
    "J": "Joints", "K": "Kinematics", "I": "Inertia", "G": "Geometry and mesh files", "U": "URIs and includes",
    "R": "Reading URDF", "D": "SRDF", "C": "URDF to SDFormat",
    "L": "Loading in programs other than Gazebo", "T": "The TF tree", "M": "The node, and work that was stopped"}


def build() -> str:
    """The page: one section for each family, one row for each code."""
    lines = ["# Diagnostics", "",
        "This page lists every error, warning and note, with what to do. `sdf_frames explain CODE` prints the",
        "same text, and for most codes an example: a description that causes the code, and one that does not.",
        ""]
    for letter, title in FAMILIES.items():
        rows = [rule for code, rule in sorted(BY_CODE.items()) if code[0] == letter]
        if rows:
            lines += [f"## {letter}: {title}", "", "| code | name | severity | message | hint | libsdformat |",
                      "| --- | --- | --- | --- | --- | --- |"]
            lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("<", "\\<") for cell in (
                r.code, r.name, r.severity, r.template, r.hint, r.sdformat or "")) + " |" for r in rows]
            lines.append("")
    return "\n".join([*lines, *describe_plugins()])


def describe_plugins() -> list[str]:
    """List the plugins whose parameters are checked."""
    rows = [*((f"gz-sim-{stem}-system", known) for stem, known in SYSTEMS.items()),
            *((f"lib{stem}.so", known) for stem, known in CLASSIC.items())]
    return ["## Plugins whose names are checked", "",
            "N008 to N011 are reported for these parameters, and for the joints of `<transmission>` and",
            "`<ros2_control>`. `gz-sim` stands for `ignition-gazebo`, too.", "",
            "| plugin | names links | names joints | names joints that it moves | source |",
            "| --- | --- | --- | --- | --- |",
            *(f"| `{file}` | " + " | ".join(", ".join(path for path, kind in known.parameters.items() if kind == wanted)
                                          for wanted in ("link", "joint", "free joint")) + f" | {known.source} |"
              for file, known in rows), ""]


def build_consumers() -> str:
    """The programs, each with its version and with what a valid verdict means."""
    rows = [f"| `{c.key}` | {c.held_against} | {', '.join(KINDS[kind] for kind in c.reads)} | {c.loads} |"
            for c in list_judges().values()]
    return "\n".join(["| name | held against | reads | loads |", "| --- | --- | --- | --- |", *rows])


def build_rules() -> str:
    """What each rule is for each program, for rules that say so themselves."""
    lines = [f"| rule | {' | '.join(list_judges())} |", "| --- |" + " --- |" * len(list_judges())]
    for code, rule in sorted(BY_CODE.items()):
        if rule.consumers:
            lines.append(f"| {code} {rule.name} | {' | '.join(_describe(rule, key) for key in list_judges())} |")
    return "\n".join(lines)


def _describe(rule: Rule, consumer: str) -> str:
    urdf, sdf = (severity_for(rule, consumer, kind, rule.severity) for kind in ("urdf", "sdf"))
    if "sdf" not in CONSUMERS[consumer].reads or urdf == sdf:
        return ", ".join(filter(None, (urdf, rule.since.get(consumer)))) or "–"
    return f"{urdf or '–'}, in SDFormat {sdf}"


def build_becomes() -> list[str]:
    """What becomes of each feature in each program: as a matrix, and in words."""
    rows = read_rows()
    programs = sorted({row.program for row in rows})
    features = list(dict.fromkeys((row.kind, row.feature) for row in rows))
    cells: dict[tuple[str, str, str], str] = {}
    for row in rows:
        versions = " ".join(filter(None, (row.since and f"since {row.since}", row.until and f"before {row.until}")))
        said = ", ".join(filter(None, (cells.get((row.kind, row.feature, row.program)),
                                       f"{row.effect} {versions}".strip())))
        cells[row.kind, row.feature, row.program] = said
    matrix = [f"| feature | {' | '.join(programs)} |", "| --- |" + " --- |" * len(programs)]
    matrix += [f"| {feature}{' (SDFormat)' if kind == 'sdf' else ''} | "
               + " | ".join(cells.get((kind, feature, p), "") for p in programs) + " |"
               for kind, feature in features]
    words: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        if row.effect != SAME:
            name = f"{CONSUMERS[row.program].name}" + (f" before {row.until}" if row.until else "")
            words.setdefault((row.kind, row.feature, row.effect, row.sentence), []).append(name)
    told = ["| feature | the robot | what becomes of it | where |", "| --- | --- | --- | --- |"]
    told += [f"| {feature} | {_spell(features_of(kind)[feature].says)} | {effect}: {_spell(sentence)} | "
             f"{', '.join(names)} |"
             for (kind, feature, effect, sentence), names in words.items()]
    sources = ["| program | asked in |", "| --- | --- |"]
    sources += [f"| `{p}` | {', '.join(sorted({row.source for row in rows if row.program == p}))} |" for p in programs]
    return ["\n".join(table) for table in (matrix, told, sources)]


def _spell(template: str) -> str:
    return spell_fields(template).replace("<", "\\<")


if __name__ == "__main__":
    sys.exit(write_pages({"diagnostics.md": build(),
                          "will_it_load.md": fill("will_it_load.md", build_consumers(), build_rules()),
                          "what_becomes_of_it.md": fill("what_becomes_of_it.md", *build_becomes())}))
