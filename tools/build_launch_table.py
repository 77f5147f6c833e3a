#!/usr/bin/env python3
"""Write the table of launch arguments into docs/ros.md.

usage: build_launch_table.py [--check]     --check: exit 1 where the table is not what the launch file declares
"""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from sdf_frames.ros.launch_arguments import ARGUMENTS, BOOLEANS  # noqa: E402

BEGIN, END = "<!-- tools/build_launch_table.py writes this table -->\n", "<!-- end of the table -->\n"


def format_table() -> str:
    """Return the arguments as a table in Markdown, a row each."""
    lines = ["| argument | default | what |", "| --- | --- | --- |"]
    for name, default, description, choices in ARGUMENTS:
        values = [f"`{choice}`" for choice in choices if choice and choices != BOOLEANS]
        listed = f" ({', '.join(values)})" if values else ""
        shown = f"`{default}`" if default else "empty"
        lines.append(f"| `{name}` | {shown} | {description}{listed} |")
    return "\n".join(lines)


def main() -> int:
    """Write or check the page."""
    page = ROOT / "docs" / "ros.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    built = f"{before}{BEGIN}\n{format_table()}\n\n{END}{rest.split(END)[1]}"
    if "--check" in sys.argv:
        return 0 if text == built else 1
    page.write_text(built, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
