"""Writes findings as a SARIF 2.1.0 log, which code scanning services and editors read."""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from os.path import isabs
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sdf_frames.diagnostics.catalogue import BY_CODE, Rule
from sdf_frames.diagnostics.model import Diagnostic, Fix

Json = dict[str, Any]
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_MARKUP = r"[\\`*_<>&\[\]]"  # characters that Markdown interprets


def to_sarif(diagnostics: Iterable[Diagnostic], version: str) -> Json:
    """Return a log of one run of the tool at `version`, with `diagnostics` as results and the rules that they break."""
    diagnostics = list(diagnostics)
    codes = sorted({d.code for d in diagnostics})
    results = [_result(d, codes.index(d.code)) for d in diagnostics]
    alike: Counter[str] = Counter()
    for d, result in zip(diagnostics, results):
        # The part of a result that stays the same if lines move, as in a baseline, and its number among equal ones.
        said = "\0".join((d.code, d.file or "", re.sub(r"\[\d+\]", "", d.path or ""), d.message))
        alike[said] += 1
        result["partialFingerprints"] = {
            "causeInFile/v1": sha256(f"{said}\0{alike[said]}".encode(errors="surrogateescape")).hexdigest()}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "sdf_frames", "version": version, "rules": [_rule(code) for code in codes]}},
            "columnKind": "unicodeCodePoints",
            "results": results}]}


def _rule(code: str) -> Json:
    rule = BY_CODE[code]
    return {"id": code, "name": rule.name, "shortDescription": {"text": rule.name.replace("-", " ")},
            "fullDescription": {"text": rule.meaning or rule.message_in_words},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]}, "help": _help(rule)}


def _help(rule: Rule) -> Json:
    """Return the help text of a rule. It replaces a helpUri, which must be absolute: the docs have no address yet."""
    texts = [rule.meaning or rule.message_in_words, f"What to do: {rule.hint_in_words}" if rule.hint_in_words else "",
             f"Source: {rule.reference}" if rule.reference else "", f"More: sdf_frames explain {rule.code}"]
    texts = [text for text in texts if text]
    parts = [re.sub(_MARKUP, r"\\\g<0>", text) for text in texts]
    for title, example in zip(("This causes it:", "This does not:"), rule.example or ()):
        parts.append(f"{title}\n\n```xml\n{example}\n```")
    return {"text": "\n\n".join(texts), "markdown": "\n\n".join(parts)}


def _message(text: str) -> Json:
    """Return a message object, in whose text nothing is a placeholder or a link (sections 3.11.5 and 3.11.6).

    In a text that cannot contain a link, brackets and backslashes need no escape. The texts of rules are no message
    objects: they have no arguments that could fill a placeholder.
    """
    text = text.replace("{", "{{").replace("}", "}}")
    return {"text": re.sub(r"[\\\[\]]", r"\\\g<0>", text) if "](" in text else text}


def _result(d: Diagnostic, index: int) -> Json:
    result: Json = {"ruleId": d.code, "ruleIndex": index, "level": _LEVELS[d.severity],
                    "message": _message(d.message + (f" ({d.hint})" if d.hint else ""))}
    if d.file:
        result["locations"] = [_location(d.file, d.line, d.column, d.path)]
    related = [{"id": i, "message": _message(r.message), **_location(file, r.line, r.column, r.path)}
               for i, r in enumerate(d.related) if (file := r.file or d.file)]
    if related:
        result["relatedLocations"] = related
    if d.file and d.fixes:
        result["fixes"] = [_fix(fix, d.file) for fix in d.fixes]
    return result


def _fix(fix: Fix, file: str) -> Json:
    return {"description": _message(fix.message), "artifactChanges": [{
        "artifactLocation": {"uri": _uri(file)},
        "replacements": [{"deletedRegion": {"startLine": e.line, "startColumn": e.column,
                                            "endLine": e.end_line, "endColumn": e.end_column},
                          "insertedContent": {"text": e.text}} for e in fix.edits]}]}


def _location(file: str, line: int | None, column: int | None, path: str | None) -> Json:
    physical: Json = {"artifactLocation": {"uri": _uri(file)}}
    if line:
        physical["region"] = {"startLine": line, **({"startColumn": column} if column else {})}
    location: Json = {"physicalLocation": physical}
    if path:
        location["logicalLocations"] = [{"fullyQualifiedName": path}]
    return location


def _uri(file: str) -> str:
    """Return a relative reference, or for an absolute path a URI with its scheme."""
    return Path(file).as_uri() if isabs(file) else quote(Path(file).as_posix(), errors="surrogateescape")
