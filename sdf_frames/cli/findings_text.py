"""Findings as text: one cause in many places is one entry; paths are relative to the working directory."""
from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sdf_frames.cli.files import Sources
from sdf_frames.diagnostics import ERROR, INFO, WARNING, Diagnostic, count_of, steps_of
from sdf_frames.diagnostics.render import Terminal, escape_controls, render_text

#: Number of findings with the same message from which they are one entry.
_FEW = 3
_MOST_PLACES = 5
_MOST_CODES = 8
_ORDER = (INFO, WARNING, ERROR)
_HEAD = r"(?s)(.*?): (error|warning|info) ([A-Z]\d+) (.*?): "
_VARYING = r"'[^']*'|\[[^\]]*\]|[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_DETAIL = ("    | ", "    at ")


def render_findings(found: Iterable[Diagnostic], terminal: Terminal, concise: bool = False,
                    sources: Sources | None = None) -> str:
    """Render findings, each with its source line.

    With `concise`, each finding is one line. `sources` are the quoted texts; by default the files.
    """
    if concise:
        return "".join(_paint([render_text(localise(d)).split("\n")[0]], terminal) for d in found)
    sources = Sources() if sources is None else sources
    return "".join(_paint(_render_group(group, sources), terminal) for group in group_findings(found))


def group_findings(found: Iterable[Diagnostic]) -> list[list[Diagnostic]]:
    """Group findings with the same message on different elements of a file, in the order of the first of each group.

    Fewer than three are not a group.
    """
    groups: dict[tuple[str, str, str | None, str], list[Diagnostic]] = {}
    for d in found:
        groups.setdefault((d.code, d.severity, d.file, _find_shape(d)), []).append(d)
    made: list[list[Diagnostic]] = []
    for group in groups.values():
        made += [group] if len(group) >= _FEW else [[d] for d in group]
    return made


def _find_shape(d: Diagnostic) -> str:
    """Return the message without names and numbers; the whole message if the finding has no place."""
    if d.line is None and d.path is None:
        return d.message
    text = d.message
    for name in sorted(filter(None, [name for _, name in steps_of(d.path)]), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "*", text)  # a link may be called 'i'
    return re.sub(_VARYING, "*", text)


def _render_group(group: Sequence[Diagnostic], sources: Sources) -> list[str]:
    first = localise(group[0])
    source = sources.find_line(group[0].file, first.line) if group[0].file and first.line else None
    lines = render_text(first, source).split("\n")
    if len(group) > 1:
        lines[0] += f" [{len(group)} places]"
        places = _choose_places(group)
        alike, more = places.pop(first.hint), len(group) - 1 - _MOST_PLACES
        lines += [escape_controls(f"    also at {', '.join(some)}" + (f": {hint}" if hint else ""))
                  for hint, some in places.items()]
        if more > 0 and places:
            lines.append(f"    and {more} more (--concise lists all, --json also their hints)")
        elif more > 0:
            alike.append(f"and {more} more (--concise lists all)")
        if alike:
            after = next((i for i, line in enumerate(lines[1:], 1) if not line.startswith(_DETAIL)), len(lines))
            lines.insert(after, escape_controls(f"    also at {', '.join(alike)}"))
    return lines


def _choose_places(group: Sequence[Diagnostic]) -> dict[str | None, list[str]]:
    """Return the other places to print, by their hints: one place of each hint before the second of any."""
    used = Counter([group[0].hint])
    ranked = list[tuple[int, Diagnostic]]()
    for d in group[1:]:
        ranked.append((used[d.hint], d))
        used[d.hint] += 1
    places: dict[str | None, list[str]] = {group[0].hint: []}
    for _, d in sorted(ranked, key=lambda pair: pair[0])[:_MOST_PLACES]:
        places.setdefault(d.hint, []).append(_describe_place(d, group[0].message))
    return places


def _describe_place(d: Diagnostic, said: str) -> str:
    """Return line and column, the last element of the path that has a name, and other names than `said` has."""
    place = "" if d.line is None else f"{d.line}" + (f":{d.column}" if d.column else "")
    named = [f"{tag} '{name}'" for tag, name in steps_of(d.path) if name is not None]
    element = named[-1] if named else ""
    others = [name for name in re.findall("'[^']*'", d.message) if name not in said and name not in element]
    return " ".join(filter(None, (place, element, *others))) or "?"


def _paint(lines: list[str], terminal: Terminal) -> str:
    if terminal.colour:
        if match := re.match(_HEAD, lines[0]):
            place, severity, code, name = match.groups()
            lines[0] = (f"{terminal.paint(place, 'place')}: {terminal.paint(severity, severity)} "
                        f"{terminal.paint(code, 'bold')} {name}: {lines[0][match.end():]}")
        lines[1:] = [terminal.paint(line, "dim") if line.startswith(_DETAIL) else line for line in lines[1:]]
    return "\n".join(lines) + "\n"


def show_path(file: str) -> str:
    """Return a path relative to the working directory, if the file is below it."""
    if not os.path.isabs(file):
        return file
    here = os.path.join(os.getcwd(), "")
    return file[len(here):] if file.startswith(here) else file


def localise(d: Diagnostic) -> Diagnostic:
    """Return a finding with its files as :func:`show_path` returns them."""
    if d.file is None:
        return d
    related = tuple([r if r.file is None else r._replace(file=show_path(r.file)) for r in d.related])
    return d._replace(file=show_path(d.file), related=related)


def render_table(judged: Mapping[str, Sequence[Diagnostic]]) -> str:
    """Return a Markdown table of the severities of findings for several programs, with their verdicts."""
    from sdf_frames.checks.programs import CONSUMERS
    names = sorted({(d.code, d.name) for found in judged.values() for d in found})
    columns = {key: {d.code: d.severity for d in sorted(found, key=lambda d: _ORDER.index(d.severity))}
               for key, found in judged.items()}
    rows = [["", *judged], ["---"] * (len(judged) + 1),
            ["version", *(CONSUMERS[key].version for key in judged)],
            ["verdict", *("invalid" if ERROR in column.values() else "valid" for column in columns.values())],
            *([f"{code} {name}", *(column.get(code, "") for column in columns.values())] for code, name in names)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "".join(f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths))} |\n" for row in rows)


def render_statistics(counts: Counter[tuple[str, str]]) -> str:
    """Return a row for each code and severity, the most frequent first."""
    rows = list_statistics(counts)
    width = len(str(rows[0]["count"])) if rows else 0
    return "".join(f"{row['count']:>{width}}  {row['code']}  {row['severity']:7}  {row['name']}\n" for row in rows)


def list_statistics(counts: Counter[tuple[str, str]]) -> list[dict[str, object]]:
    """Return how often each code has each severity, the most frequent first."""
    from sdf_frames.diagnostics.catalogue import BY_CODE
    return [{"code": code, "name": BY_CODE[code].name, "severity": severity, "count": count}
            for (code, severity), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def summarise(valid: int, invalid: int, counts: Counter[tuple[str, str]], terminal: Terminal) -> str:
    """Return the summary of many files: ``142 files: 120 valid, 22 with errors; R009 x 14, …``."""
    said = [terminal.paint(f"{valid} valid", "good") if valid else "", terminal.paint(f"{invalid} with errors", ERROR)
            if invalid else ""]
    by_code: Counter[str] = Counter()
    for (code, severity), count in counts.items():
        if severity != INFO:
            by_code[code] += count
    codes = sorted(by_code.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{code} x {count}" for code, count in codes[:_MOST_CODES]]
    if len(codes) > _MOST_CODES:
        parts.append(f"{len(codes) - _MOST_CODES} more codes")
    more = f"; {', '.join(parts)}" if parts else ""
    return f"{count_of(valid + invalid, 'file')}: {', '.join(filter(None, said))}{more}\n"
