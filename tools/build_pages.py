"""Write the generated pages: docs/diagnostics.md, the tables of other pages, and the JSON Schema of --json, which is
made from the tables of docs/reference/json.md.

    python tools/build_pages.py
"""
from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from sdf_frames.checks.becomes import SAME, features_of, read_rows  # noqa: E402
from sdf_frames.checks.plugin_names import CLASSIC, SYSTEMS  # noqa: E402
from sdf_frames.checks.programs import CONSUMERS, KINDS, list_judges, severity_for  # noqa: E402
from sdf_frames.diagnostics.catalogue import BY_CODE, Rule  # noqa: E402
from sdf_frames.diagnostics.catalogue.rule import spell_fields  # noqa: E402
from sdf_frames.document.budget import Budget  # noqa: E402
from sdf_frames.options import OPTIONS  # noqa: E402
from sdf_frames.ros.launch_arguments import ARGUMENTS, BOOLEANS  # noqa: E402

BEGIN, END = "<!-- tools/build_pages.py writes this table -->\n", "<!-- end of the table -->\n"
FAMILIES = {
    "X": "Reading files and XML", "S": "Schema and versions", "N": "Names", "F": "attached_to",
    "P": "Poses and relative_to",
    "J": "Joints", "K": "Kinematics", "I": "Inertia", "G": "Geometry and mesh files", "U": "URIs and includes",
    "R": "Reading URDF", "D": "SRDF", "C": "URDF to SDFormat",
    "L": "Loading in programs other than Gazebo", "T": "The TF tree", "M": "The node, and work that was stopped"}


def build() -> dict[Path, str]:
    """Return the text of every generated file."""
    docs = ROOT / "docs"
    schema = build_schema((docs / "reference" / "json.md").read_text(encoding="utf-8"))
    return {
        docs / "diagnostics.md": describe_diagnostics(),
        **dict([fill(docs / "will_it_load.md", tabulate_consumers(), tabulate_rules()),
                fill(docs / "what_becomes_of_it.md", *tabulate_becomes()),
                fill(docs / "library.md", tabulate_load_options()),
                fill(docs / "ros.md", tabulate_launch_arguments())]),
        ROOT / "sdf_frames/cli/data/output.schema.json": json.dumps(schema, indent=1, ensure_ascii=False) + "\n"}


def fill(page: Path, *tables: str) -> tuple[Path, str]:
    """Return a page with these tables in place of its generated tables, in order."""
    first, *rest = page.read_text(encoding="utf-8").split(BEGIN)
    return page, first + "".join(f"{BEGIN}\n{table}\n\n{END}{part.split(END)[1]}" for table, part in zip(tables, rest))


def tabulate(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    head = list(head)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def describe_diagnostics() -> str:
    """Return the page: one section for each family, one row for each code."""
    lines = ["# Diagnostics", "",
        "This page lists every error, warning and note, with what to do. `sdf_frames explain CODE` prints the",
        "same text, and for most codes an example: a description that causes the code, and one that does not.",
        ""]
    for letter, title in FAMILIES.items():
        if rules := [rule for code, rule in sorted(BY_CODE.items()) if code[0] == letter]:
            rows = [[cell.replace("|", "\\|").replace("<", "\\<") for cell in (
                r.code, r.name, r.severity, r.template, r.hint, r.sdformat or "")] for r in rules]
            lines += [f"## {letter}: {title}", "",
                      tabulate(["code", "name", "severity", "message", "hint", "libsdformat"], rows), ""]
    return "\n".join([
        *lines, "## Plugins whose names are checked", "",
        "N008 to N011 are reported for these parameters, and for the joints of `<transmission>` and",
        "`<ros2_control>`. `gz-sim` stands for `ignition-gazebo`, too.", "", tabulate_plugins(), ""])


def tabulate_plugins() -> str:
    """Return the table of plugins whose parameters are checked."""
    known = {**{f"gz-sim-{stem}-system": row for stem, row in SYSTEMS.items()},
             **{f"lib{stem}.so": row for stem, row in CLASSIC.items()}}
    return tabulate(
        ["plugin", "names links", "names joints", "names joints that it moves", "source"],
        ([f"`{file}`", *(", ".join(path for path, kind in row.parameters.items() if kind == wanted)
                         for wanted in ("link", "joint", "free joint")), row.source] for file, row in known.items()))


def tabulate_consumers() -> str:
    """Return the table of programs, with their versions and the meaning of a valid verdict."""
    return tabulate(["name", "compared with", "reads", "loads"],
                    ([f"`{c.key}`", c.held_against, ", ".join(KINDS[kind] for kind in c.reads), c.loads]
                     for c in list_judges().values()))


def tabulate_rules() -> str:
    """Return the table of severities for each program, for the rules that list programs."""
    return tabulate(["rule", *list_judges()],
                    ([f"{code} {rule.name}", *(_describe_severity(rule, key) for key in list_judges())]
                     for code, rule in sorted(BY_CODE.items()) if rule.consumers))


def _describe_severity(rule: Rule, consumer: str) -> str:
    urdf, sdf = (severity_for(rule, consumer, kind, rule.severity) for kind in ("urdf", "sdf"))
    if "sdf" not in CONSUMERS[consumer].reads or urdf == sdf:
        return ", ".join(filter(None, (urdf, rule.since.get(consumer)))) or "–"
    return f"{urdf or '–'}, in SDFormat {sdf}"


def tabulate_becomes() -> list[str]:
    """Return three tables: the effect of each program on each feature, the effects in words, and the versions."""
    rows = read_rows()
    programs = sorted({row.program for row in rows})
    cells: dict[tuple[str, str], dict[str, str]] = {}
    words: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        versions = " ".join(filter(None, (row.since and f"since {row.since}", row.until and f"before {row.until}")))
        said = cells.setdefault((row.kind, row.feature), dict.fromkeys(programs, ""))
        said[row.program] = ", ".join(filter(None, (said[row.program], f"{row.effect} {versions}".strip())))
        if row.effect != SAME:
            name = f"{CONSUMERS[row.program].name}" + (f" before {row.until}" if row.until else "")
            words.setdefault((row.kind, row.feature, row.effect, row.sentence), []).append(name)
    return [
        tabulate(["feature", *programs], ([feature + " (SDFormat)" * (kind == "sdf"), *said.values()]
                                          for (kind, feature), said in cells.items())),
        tabulate(["feature", "the robot", "effect", "programs"],
                 ([feature, _spell(features_of(kind)[feature].says), f"{effect}: {_spell(sentence)}", ", ".join(names)]
                  for (kind, feature, effect, sentence), names in words.items())),
        tabulate(["program", "version"],
                 ([f"`{p}`", ", ".join(sorted({row.source for row in rows if row.program == p}))] for p in programs))]


def _spell(template: str) -> str:
    return spell_fields(template).replace("<", "\\<")


def tabulate_load_options() -> str:
    """Return the table of load options."""
    rows = []
    for option in OPTIONS.values():
        default = option.otherwise or ("as listed there" if isinstance(option.default, Budget) else
                                       f"`{option.default!r}`" if option.default not in (None, ()) else "none")
        rows.append([f"`{option.name}`", option.text.replace("``", "`").replace("|", "\\|"), default])
    return tabulate(["option", "effect", "default"], rows)


def tabulate_launch_arguments() -> str:
    """Return the table of arguments of the launch files."""
    rows = []
    for name, default, description, choices in ARGUMENTS:
        values = [f"`{choice}`" for choice in choices
                  if choice and choices != BOOLEANS and f"({choice})" not in description]
        listed = f" ({', '.join(values)})" if values else ""
        rows.append([f"`{name}`", f"`{default}`" if default else "empty", description + listed])
    return tabulate(["argument", "default", "what"], rows)


def build_schema(page: str) -> dict:
    """Return the schema of a page: a definition for each heading with a table of fields."""
    sometimes = re.compile(r"URDF only|with `|only if|.*; only if")  # how the text of an optional field begins
    definitions = {}
    for section in page.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        if rows := re.findall(r"^\| `(\w+)` \| ([a-z ]+) \| (.*) \|$", section, re.MULTILINE):
            definitions[title.lower().replace(" ", "-")] = {
                "type": "object", "properties": {name: _describe_field(name, kind, said) for name, kind, said in rows},
                "required": [name for name, _, said in rows if not sometimes.match(said)]}
    commands = [name for name in definitions if not re.match("an?-", name)]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "What sdf_frames COMMAND --json prints, a line",
            "anyOf": [{"$ref": f"#/$defs/{name}"} for name in commands], "$defs": definitions}


def _describe_field(name: str, kind: str, said: str) -> dict:
    types = kind.replace("list", "array").split(" or ")
    field: dict = {"description": re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", said)}
    link = re.search(r"\]\(#([\w-]+)\)", said)
    if name == "pose":
        field |= {"items": {"type": "number"}, "minItems": 7, "maxItems": 7}
    elif types == ["object"] and link and "as [" not in said:
        return {**field, "$ref": f"#/$defs/{link[1]}"}
    elif "array" in types and link:
        field["items"] = {"$ref": f"#/$defs/{link[1]}"}
    if re.fullmatch(r"`[\w-]+`(?:, `[\w-]+`)* or `[\w-]+`", said):
        field["enum"] = re.findall(r"`([\w-]+)`", said)
    return {**field, "type": types[0] if len(types) == 1 else types}


if __name__ == "__main__":
    for path, text in build().items():
        path.write_text(text, encoding="utf-8")
