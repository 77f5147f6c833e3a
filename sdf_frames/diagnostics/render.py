"""Findings as text and as JSON-ready dictionaries."""
from __future__ import annotations

from sdf_frames.diagnostics.model import Diagnostic


def render_text(diagnostic: Diagnostic) -> str:
    """``file:line: severity CODE name: message``, then the path, related places and the hint, one line each."""
    d = diagnostic
    place = d.file or ""
    if d.line:
        place += f":{d.line}"
    lines = [f"{place}: {d.severity} {d.code} {d.name}: {d.message}" if place
             else f"{d.severity} {d.code} {d.name}: {d.message}"]
    if d.path:
        lines.append(f"    at {d.path}")
    for r in d.related:
        where = ", ".join(s for s in (r.file or "", f"line {r.line}" if r.line else "", r.path or "") if s)
        lines.append(f"    see {r.message}" + (f" ({where})" if where else ""))
    if d.hint:
        lines.append(f"    hint: {d.hint}")
    return "\n".join(lines)


def to_json(diagnostic: Diagnostic) -> dict:
    """The dictionary that ``--json`` prints for a finding."""
    d = diagnostic
    return {"code": d.code, "name": d.name, "severity": d.severity, "message": d.message, "file": d.file,
            "line": d.line, "path": d.path, "hint": d.hint,
            "related": [{"message": r.message, "line": r.line, "path": r.path, "file": r.file} for r in d.related],
            "sdformat": d.sdformat}
