"""Hints for files that are not robot descriptions: what they are, and which file to name instead."""
from __future__ import annotations

import re

NAME_TEXT = "name a URDF, SDFormat or .xacro file; 'sdf_frames inertia' also reads meshes"
CONFIG = "model.config"
_WEB_PAGE = "this is a web page: download the file itself, on GitHub with the button Raw"
# By the root element. The hint of the catalogue is for elements of SDFormat, and of its predecessor <gazebo>.
_FORMATS = {
    "html": _WEB_PAGE,
    "mujoco": "this is MJCF, MuJoCo's format, which sdf_frames does not read: name a URDF or SDFormat file",
    "launch": "this is a launch file: name the robot description that it loads",
    "package": "this describes a package: name a robot description in it",
    "COLLADA": "this is a mesh: name a robot description that uses it; 'sdf_frames inertia' reads meshes",
    CONFIG: "this is the model.config of a model: name its folder",
    **dict.fromkeys(("model", "world", "light", "actor", "gazebo"))}
_FILE_NAME = "this is the name of a file, not its text: name the file itself (in Python: sf.load)"
_NAME = rb"(?i)[^\n]+\.(?:urdf|sdf|world|xacro)"
_PAGE = rb"(?i)\s*<(?:!doctype\s+html|html)\b"
#: What stands before XML in a program, a Markdown page or YAML.
_OPENING = rb"""(?:['"(`|>=]|```\w*)\s*\Z"""
_LONGEST_OPENING = 80
_DESCRIPTION = rb"<(?:robot|sdf|gazebo|model|world)[\s>]"


def explain_root(tag: str) -> str | None:
    """Return the hint for a document with this root element; None if the hint of the catalogue applies."""
    if tag.lower() in ("robot", "sdf"):
        return f"write <{tag.lower()}> in lower case"
    return _FORMATS.get(tag, NAME_TEXT)


def explain_text(text: bytes) -> str | None:
    """Return the hint for a text that is not well-formed XML; None if it may be a robot description with a defect."""
    body = text.lstrip(b"\xef\xbb\xbf \t\r\n")
    if re.match(_PAGE, body):
        return _WEB_PAGE
    if not body or body[:1] == b"<":
        return None
    first = re.search(_DESCRIPTION, body)
    if first is None:
        return _FILE_NAME if re.fullmatch(_NAME, body.rstrip()) else NAME_TEXT
    quoted = re.search(_OPENING, body[max(0, first.start() - _LONGEST_OPENING):first.start()])
    return f"this file only quotes a robot description, as a program or page does: {NAME_TEXT}" if quoted else None
