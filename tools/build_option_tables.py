#!/usr/bin/env python3
"""Write the tables of options into docs/library.md and docs/ros.md.

usage: build_option_tables.py [--check]     --check: exit 1 if a table is not that of the options
"""
import sys

from filled_pages import fill, write_pages

from sdf_frames.document.budget import Budget
from sdf_frames.options import OPTIONS
from sdf_frames.ros.launch_arguments import ARGUMENTS, BOOLEANS


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


if __name__ == "__main__":
    sys.exit(write_pages({"library.md": fill("library.md", format_load_options()),
                          "ros.md": fill("ros.md", format_launch_arguments())}))
