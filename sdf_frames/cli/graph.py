"""Draw each FILE: the TF tree, the links and joints, or one of the two frame graphs.

Links, joints, frames and models have different shapes and colours. Cycles and references to missing names are red.
'--kind frame' and '--kind pose' are the graphs of 'gz sdf -g', without the name of the root model, __root__, and the
__model__ of models inside. Of several worlds, the first is drawn.

    sdf_frames graph robot.urdf
    sdf_frames graph --kind kinematic -o robot.svg robot.urdf
    sdf_frames graph --kind pose --format mermaid world.sdf"""
from __future__ import annotations

import argparse
import os
from functools import partial

from sdf_frames.cli.answers import Answer, answer_each, guard
from sdf_frames.cli.common import add_file_arguments, add_options, load_input
from sdf_frames.cli.files import check_outputs, say_written, write_file
from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
from sdf_frames.diagnostics.render import Terminal
from sdf_frames.document.elements import locate

KINDS = ("tree", "frame", "pose", "kinematic")
_SUFFIXES = {".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".svg": "svg", ".png": "png", ".txt": "text"}
#: Each format, and the kind of file that it writes.
_FORMATS = {"text": "drawing", "dot": "drawing", "mermaid": "drawing", "svg": "picture", "png": "picture"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_file_arguments(parser)
    add_options(parser, "conversion")
    parser.add_argument("--kind", choices=KINDS, default="tree",
                        help="tree: the TF tree (default); kinematic: links, with joints as edges; "
                             "frame: the attached_to graph; pose: the relative_to graph")
    parser.add_argument("--format", choices=tuple(_FORMATS), dest="form",
                        help="text (only for the tree), DOT, Mermaid for Markdown, or a picture drawn by Graphviz "
                             "(default: by the suffix of OUT; without OUT, text for the tree and dot for graphs)")
    parser.add_argument("-o", "--output", metavar="OUT", help="write the drawing to OUT (one FILE only)")


def run(args: argparse.Namespace) -> int:
    if args.output and len(args.files) > 1:
        args.parser.error("-o takes one FILE")
    suffix = os.path.splitext(args.output or "")[1].lower()
    if not args.form and suffix and suffix not in _SUFFIXES:
        args.parser.error(f"-o {args.output}: unknown suffix {suffix}; use {', '.join(_SUFFIXES)}, or --format")
    args.form = args.form or _SUFFIXES.get(suffix) or ("text" if args.kind == "tree" else "dot")
    if args.form == "text" and args.kind != "tree":
        args.parser.error("--format text draws the tree only; use dot or mermaid")
    if args.form == "png" and (args.json or not args.output):
        args.parser.error("--format png needs -o OUT")
    check_outputs(args, {args.output: _FORMATS[args.form]})
    return answer_each(args, _answer, {"graph": ""})


def _answer(name: str, args: argparse.Namespace) -> Answer:
    loaded = load_input(name, args)
    found = list(loaded.diagnostics)
    terminal = args.terminal if not args.json and not args.output else Terminal()
    nothing: str | bytes = ""
    content = guard(name, found, partial(draw, loaded, args, terminal, found), nothing)
    if args.output and content:
        from sdf_frames.api.uris import list_files
        written = write_file(args.output, content, _FORMATS[args.form], found, list_files(loaded))
        return Answer(name, found, {"graph": None}, notes=say_written(args.output) if written and not args.json else "")
    text = content if isinstance(content, str) else content.decode("utf-8")
    return Answer(name, found, {"graph": text}, text)


def draw(loaded: Description, args: argparse.Namespace, terminal: Terminal, found: list[Diagnostic]) -> str | bytes:
    """Draw the first scope of a loaded file; return "" if it has none, or, with a finding, if that fails."""
    if not loaded.graphs:
        return ""
    from sdf_frames.cli import drawing, drawing_formats
    if len(loaded.scopes) > 1:
        found.append(diagnose("graph-of-first", locate(loaded.scopes[0].graph.scope.element),
                              name=loaded.scopes[0].name, count=len(loaded.scopes)))
    kind, form = args.kind, args.form
    if kind == "tree":
        made = drawing.draw_tf_tree(loaded)
    elif kind == "kinematic":
        made = drawing.draw_kinematic(loaded.scopes[0]) if loaded.robot is None else drawing.draw_robot(loaded.robot)
    else:
        made = drawing.draw_frame_graph(loaded.graphs[0], kind)
    if form == "text":
        return drawing_formats.to_text(made, terminal)
    if _FORMATS[form] == "picture":
        try:
            return drawing_formats.to_picture(made, form)
        except drawing_formats.DrawingFailed as error:
            found.append(diagnose("graph-not-drawn", Location(loaded.file), form=form, problem=str(error)))
            return ""
    return drawing_formats.to_dot(made) if form == "dot" else drawing_formats.to_mermaid(made)
