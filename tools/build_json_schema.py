"""Write the JSON Schema of what commands print with --json, from the tables of docs/reference/json.md.

    python tools/build_json_schema.py
"""
from __future__ import annotations

import json
import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "reference" / "json.md"
SCHEMA = TOP / "sdf_frames" / "cli" / "data" / "output.schema.json"
_TYPES = {"list": "array"}
#: How the meaning of a field begins, or ends, that is not always there.
_SOMETIMES = re.compile(r"URDF only|with `|only if|.*; only if")
_CHOICE = re.compile(r"`[\w-]+`(?:, `[\w-]+`)* or `[\w-]+`")


def build_schema(page: str) -> dict:
    """Return the schema of a page: a definition for each heading with a table of fields."""
    definitions = {}
    for section in page.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        if rows := re.findall(r"^\| `(\w+)` \| ([a-z ]+) \| (.*) \|$", section, re.MULTILINE):
            definitions[title.lower().replace(" ", "-")] = {
                "type": "object", "properties": {name: _describe(name, kind, said) for name, kind, said in rows},
                "required": [name for name, _, said in rows if not _SOMETIMES.match(said)]}
    commands = [name for name in definitions if not re.match("an?-", name)]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "What sdf_frames COMMAND --json prints, a line",
            "anyOf": [{"$ref": f"#/$defs/{name}"} for name in commands], "$defs": definitions}


def _describe(name: str, kind: str, said: str) -> dict:
    types = [_TYPES.get(word, word) for word in kind.split(" or ")]
    field: dict = {"description": re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", said)}
    link = re.search(r"\]\(#([\w-]+)\)", said)
    if name == "pose":
        field |= {"items": {"type": "number"}, "minItems": 7, "maxItems": 7}
    elif types == ["object"] and link and "as [" not in said:
        return {**field, "$ref": f"#/$defs/{link[1]}"}
    elif "array" in types and link:
        field["items"] = {"$ref": f"#/$defs/{link[1]}"}
    if _CHOICE.fullmatch(said):
        field["enum"] = re.findall(r"`([\w-]+)`", said)
    return {**field, "type": types[0] if len(types) == 1 else types}


if __name__ == "__main__":
    SCHEMA.parent.mkdir(exist_ok=True)
    SCHEMA.write_text(json.dumps(build_schema(PAGE.read_text(encoding="utf-8")), indent=1, ensure_ascii=False) + "\n",
                      encoding="utf-8")
