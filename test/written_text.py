"""What writers make of a text: the text, rows and findings, without a command around them."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.simplify_urdf import SimplifyOptions
from sdf_frames.diagnostics import has_errors
from sdf_frames.document.budget import Budget
from sdf_frames.document.door import UNCONFINED
from sdf_frames.document.xml_out import write_xml
from sdf_frames.load import LoadOptions, convert, read_text
from sdf_frames.urdf.versions import VERSIONS as URDF_VERSIONS
from sdf_frames.urdf.write import build_tree
from sdf_frames.writers import as_sdf, as_urdf, renamed, simplified, upgraded
from sdf_frames.writers.written import Written, render, render_for


class WrittenText(NamedTuple):
    text: str | None
    rows: tuple
    diagnostics: tuple
    kind: str


def render_all(written):
    text, found = render(written)
    return WrittenText(text, written.rows, found, written.kind)


def convert_text(text, file=None, options=ConvertOptions(), budget=Budget()):
    """The SDF of a URDF (None with errors), its conversion (None if it cannot be read), and the findings."""
    begun = read_text(text, file, LoadOptions(budget=budget)._replace(**options._asdict()))
    if begun.kind == "sdf" or begun.robot is None or has_errors(begun.diagnostics):
        return None, None, as_sdf.convert_to_sdf(begun).findings
    conversion = convert(begun.robot, begun.options)
    found = tuple(conversion.judge(begun.diagnostics))
    return None if has_errors(found) else write_xml(conversion.document.root), conversion, found


def sdf_text_of(loaded):
    """The SDF of a loaded description: what it was converted to, or its own text."""
    return render(as_sdf.write_sdf(loaded))[0]


def upgrade_text(text, file, to, options=LoadOptions()):
    return render(upgraded.upgrade(read_text(text, file, options), to))


def upgrade_file(name, to, options=LoadOptions()):
    """The text of a file in another version of its format, and the findings."""
    begun = read_text(UNCONFINED.read(str(name)), str(name), options)
    write = as_urdf.change_urdf_version if to in URDF_VERSIONS else upgraded.upgrade
    text, found = render(write(begun, to))
    return text, list(found)


def find_renamings(text, file, _look_into=None):
    return renamed.find_renamings(read_text(text, file))


def change_text_version(text, file, to, options=LoadOptions()):
    begun = read_text(text, file, options)
    made, found = render(as_urdf.change_urdf_version(begun, to))
    return made, tuple([d for d in found if made is None or d not in begun.diagnostics])


def simplify_text(text, file, choices: SimplifyOptions, options=LoadOptions()):
    return render_all(simplified.simplify(read_text(text, file, options), choices))


def convert_to_urdf(description, *args, **options):
    return render_all(as_urdf.convert_to_urdf(description, *args, **options))


def convert_to_display(description, *args, **options):
    return render_all(as_urdf.convert_to_display(description, *args, **options))


def write_robot(robot):
    return write_xml(build_tree(robot))


def move_text(text, old, new, resolver):
    """A text with its relative URIs for another place, and the findings of moving it."""
    begun = read_text(text, old)
    return render_for(Written(begun.kind or "urdf", source=begun.source), old, new, resolver)[::2]
