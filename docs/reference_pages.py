"""The pages that are written from the code, or that stand at the top of the repository.

`docs/conf.py` calls `write_pages` before Sphinx reads anything. The pages are never committed, so they cannot be out of
date.
"""
from __future__ import annotations

import argparse
import re
from pathlib import Path

#: Pages at the top of the repository, and what they are called here.
TOP_PAGES = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md",
             "CODE_OF_CONDUCT.md": "code_of_conduct.md", "CHANGELOG.rst": "changelog.rst"}
#: What ROS 2 calls the type of a parameter, by the type of its default.
_TYPES = {str: "string", bool: "bool", float: "double", tuple: "string array"}


def write_pages(folder: Path, package: Path) -> None:
    """Write every generated page into `folder`; `package` is the root of the source tree."""
    folder.mkdir(exist_ok=True)
    pages = {"commands.md": describe_commands(), "parameters.md": describe_parameters(),
             "interfaces.md": describe_interfaces(package), "api.md": describe_library(),
             "examples.md": describe_examples()}
    pages |= {name: bring_down((package / top).read_text(encoding="utf-8")) for top, name in TOP_PAGES.items()}
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def bring_down(text: str) -> str:
    """A page from the top of the repository, with its links as they are from the folder of generated pages."""
    return re.sub(r"\]\(docs/", "](../", _link_top_pages(text, "", ""))


def link_generated(text: str, depth: int) -> str:
    """A page that is `depth` folders below docs/, with links to the top of the repository leading to the pages here."""
    return _link_top_pages(text, "../" * (depth + 1), "../" * depth + "generated/")


def _link_top_pages(text: str, before: str, after: str) -> str:
    for top, name in TOP_PAGES.items():
        text = text.replace(f"]({before}{top}", f"]({after}{name}")
    return text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "\\<")


def describe_commands() -> str:
    """A section for each command: what it does, its usage, and a row for each argument, as argparse has them."""
    from sdf_frames.cli import build_parser
    parser = build_parser()
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    lines = ["# Commands", "",
        "Every command, as `sdf_frames COMMAND --help` says it. [Coming from other tools](../commands.md) says which "
        "command "
             "replaces which tool.", ""]
    for name, command in commands.choices.items():
        lines += [f"## {name}", "", *(command.description or "").strip().split("\n"), ""]
        lines += ["```text", command.format_usage().strip(), "```", "", "| argument | what it does |", "| --- | --- |"]
        for action in command._actions:
            if action.help is argparse.SUPPRESS:
                continue
            lines.append(f"| {_name_argument(action)} | {_cell(_expand_help(action, command.prog))} |")
        lines.append("")
    return "\n".join(lines)


def _name_argument(action: argparse.Action) -> str:
    value = ""
    if action.nargs != 0:
        value = action.metavar or ("{" + ",".join(map(str, action.choices)) + "}" if action.choices
                                   else action.dest.upper())
        value = " ".join(value) if isinstance(value, tuple) else str(value)
    if not action.option_strings:
        return f"`{value}`"
    return ", ".join(f"`{flag}{' ' + value if value else ''}`" for flag in action.option_strings).replace("|", "\\|")


def _expand_help(action: argparse.Action, prog: str) -> str:
    return (action.help or "") % {**vars(action), "prog": prog}


def describe_parameters() -> str:
    """A row for each parameter of the node."""
    from sdf_frames.ros.settings import PARAMETERS
    lines = ["# Parameters of the node", "",
             "As `ros2 param describe /sdf_frames NAME` says them. Each can be changed while the node runs; [In ROS 2]"
             "(../ros.md) says what happens then.", "", "| parameter | type | default | what it sets | values |",
             "| --- | --- | --- | --- | --- |"]
    for name, row in PARAMETERS.items():
        default = str(row.default).lower() if isinstance(row.default, bool) else row.default
        shown = "empty" if default in ("", ()) else f"`{default}`"
        lines.append(f"| `{name}` | {_TYPES[type(row.default)]} | {shown} | "
                     f"{_cell(row.text + row.node)} | {_cell(row.constraints)} |")
    return "\n".join([*lines, ""])


def describe_interfaces(package: Path) -> str:
    """The message and service files as they are: their comments give the meaning, unit and frame of each field."""
    lines = ["# Messages and services", "",
             "The files as `ros2 interface show` prints them. The services are described in [In ROS 2](../ros.md).", ""]
    for kind, title in (("srv", "Services"), ("msg", "Messages")):
        lines += [f"## {title}", ""]
        for path in sorted((package / kind).glob(f"*.{kind}")):
            lines += [f"### {path.stem}", "", "```text", path.read_text(encoding="utf-8").rstrip(), "```", ""]
    return "\n".join(lines)


def describe_library() -> str:
    """The public names of the library, each with its docstring, by Sphinx's autodoc."""
    import sdf_frames
    lines = ["# Names of the library", "", "Everything that `import sdf_frames as sf` offers, from its docstrings. "
             "[The Python library](../library.md) has programs to start from.", ""]
    for name in sdf_frames.__all__:
        value = getattr(sdf_frames, name)
        if isinstance(value, str):
            continue
        kind = "class" if isinstance(value, type) else "function"
        members = ["   :members:", "   :no-undoc-members:"] if kind == "class" else []
        directive = "autoexception" if isinstance(value, type) and issubclass(value, Exception) else f"auto{kind}"
        lines += [f"## {name}", "", "```{eval-rst}", f".. {directive}:: sdf_frames.{name}", *members, "```", ""]
    return "\n".join(lines)


def describe_examples() -> str:
    """For each diagnostic that has an example: what it says, a description that gives it, and one that does not."""
    from sdf_frames.diagnostics.catalogue import BY_CODE
    lines = ["# Examples of diagnostics", "", "As `sdf_frames explain CODE` shows them. "
             "[Diagnostics](../diagnostics.md) lists all codes.", ""]
    for code, rule in sorted(BY_CODE.items()):
        if example := rule.example:
            lines += [f"## {code} {rule.name}", "", f"{rule.severity.capitalize()}: `{rule.template}`", ""]
            lines += ["This causes it:", "", "```xml", example[0], "```", ""]
            lines += ["This does not:", "", "```xml", example[1], "```", ""]
    return "\n".join(lines)
