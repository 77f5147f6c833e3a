"""Hints for files that are no robot description: what they are, and which file to name instead."""
from __future__ import annotations

import re

NAME_TEXT = "name a URDF, SDFormat or .xacro file; 'sdf_frames inertia' also reads meshes"
_WEB_PAGE = "this is a web page: download the file itself, on GitHub with the button Raw"
# By the root element. The hint of the catalogue is for those of SDFormat, and of its predecessor <gazebo>.
_FORMATS = {
    "html": _WEB_PAGE,
    "mujoco": "this is MJCF, MuJoCo's format, which sdf_frames does not read: name a URDF or SDFormat file",
    "launch": "this is a launch file: name the robot description that it loads",
    "package": "this describes a package: name a robot description in it",
    "COLLADA": "this is a mesh: name a robot description that uses it; 'sdf_frames inertia' reads meshes",
    **dict.fromkeys(("model", "world", "light", "actor", "gazebo"))}
_PAGE = rb"(?i)\s*<(?:!doctype\s+html|html)\b"
_DESCRIPTION = rb"<(?:robot|sdf|gazebo|model|world)[\s>]"


def explain_root(tag: str) -> str | None:
    """Return the hint for a document with this root element; None for the catalogue's."""
    if tag.lower() in ("robot", "sdf"):
        return f"write <{tag.lower()}> in small letters"
    return _FORMATS.get(tag, NAME_TEXT)


def explain_text(text: bytes) -> str | None:
    """Return the hint for a text that is not well-formed XML; None if it may be a robot description with a defect."""
    body = text.lstrip(b"\xef\xbb\xbf \t\r\n")
    if re.match(_PAGE, body):
        return _WEB_PAGE
    return None if not body or body[:1] == b"<" or re.search(_DESCRIPTION, body) else NAME_TEXT
