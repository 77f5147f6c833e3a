#!/usr/bin/env python3
"""Write the tables of options into docs/library.md and docs/ros.md.

usage: build_option_tables.py [--check]     --check: exit 1 if a table is not that of the options
"""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from sdf_frames.document.budget import Budget  # noqa: E402
from sdf_frames.options import OPTIONS  # noqa: E402
from sdf_frames.ros.launch_arguments import ARGUMENTS, BOOLEANS  # noqa: E402

BEGIN, END = "<!-- tools/build_option_tables.py writes this table -->\n", "<!-- end of the table -->\n"


def format_load_options() -> str:
    """Return the options of loading as a table in Markdown."""
    lines = ["| option | effect | default |", "| --- | --- | --- |"]
    for option in OPTIONS.values():
        default = option.otherwise or ("as listed there" if isinstance(option.default, Budget) else
                                       f"`{option.default!r}`" if option.default not in (None, ()) else "none")
        lines.append(f"| `{option.name}` | {option.text.replace('``', '`').replace('|', chr(92) + '|')} | {default} |")
    return "\n".join(lines)


def format_launch_arguments() -> str:
    """Return the arguments of the launch files as a table in Markdown."""
    lines = ["| argument | default | what |", "| --- | --- | --- |"]
    for name, default, description, choices in ARGUMENTS:
        values = [f"`{choice}`" for choice in choices
                  if choice and choices != BOOLEANS and f"({choice})" not in description]
        listed = f" ({', '.join(values)})" if values else ""
        shown = f"`{default}`" if default else "empty"
        lines.append(f"| `{name}` | {shown} | {description}{listed} |")
    return "\n".join(lines)


def main() -> int:
    """Write or check the pages."""
    for name, table in (("library.md", format_load_options()), ("ros.md", format_launch_arguments())):
        page = ROOT / "docs" / name
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        built = f"{before}{BEGIN}\n{table}\n\n{END}{rest.split(END)[1]}"
        if "--check" not in sys.argv:
            page.write_text(built, encoding="utf-8")
        elif text != built:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
