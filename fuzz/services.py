"""Targets for the page and the node: an upload, joint states, and a request, without viser and without ROS."""

from __future__ import annotations

import os
import struct
import tempfile
from functools import cache
from pathlib import Path

from fuzz.ground import BrokenPromiseError, make_folder

_ARM = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<joint name="i" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<joint name="j" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="1 1 0"/><limit effort="1" velocity="1"/>
<mimic joint="i" multiplier="2" offset="1e300"/></joint>
<joint name="k" type="floating"><parent link="c"/><child link="d"/></joint></robot>"""
_NAMES = ("i", "j", "k", "a", "", "i", "j", "k")


def take_upload(data: bytes) -> None:
    """Upload a text behind a name and a line break: it is refused or read; no file is written outside of its folder."""
    from sdf_frames.view.markdown import escape
    from sdf_frames.view.upload import UploadRefused, list_findings, load_upload, unpack_upload

    name, _, content = data.partition(b"\n")
    with tempfile.TemporaryDirectory(dir=make_folder()) as home:
        folder = Path(home, "upload")
        folder.mkdir()
        try:
            robot = load_upload(unpack_upload(name.decode("utf-8", "surrogateescape"), content, folder), folder)
            said = [d.message for d in list_findings(robot, folder)]
        except UploadRefused as refused:
            said = [str(refused)]
        if os.listdir(home) != ["upload"]:
            raise BrokenPromiseError(f"an upload made {os.listdir(home)}")
        if any(home in text for text in said):
            raise BrokenPromiseError(f"the page shows a path of this machine: {said}")
        if any(letter in escape(text) for text in said for letter in "<>[]!`\\{}\n"):
            raise BrokenPromiseError(f"Markdown in {said}")


@cache
def _find_edges():
    from sdf_frames.load import load_text

    loaded = load_text(_ARM)
    return [t for t in loaded.tf_tree(motions=True).transforms if t.steps]


def hear_joints(data: bytes) -> None:
    """Take joint states, nine bytes for a joint: name and position; a zero name ends a state. Transforms are finite."""
    from sdf_frames.frames.joint_tracker import JointTracker

    tracker = JointTracker(_find_edges())
    names, values = [], []
    for stamp, start in enumerate(range(0, len(data) - 8, 9)):
        names.append(_NAMES[data[start] % len(_NAMES)])
        values += struct.unpack("<d", data[start + 1 : start + 9])
        if data[start] & 0x80:
            tracker.hear((*names[data[start] & 0x40 and 1 :],), values, stamp - 2 * (data[start] & 0x20))
            tracker.hear_motions(names[-1:], [tuple((values * 7)[:7])], stamp)
            names, values = [], []
            moved = tracker.take(stamp)
            if len({len(moved.edges), moved.poses.shape[1]}) > 1:
                raise BrokenPromiseError(f"{len(moved.edges)} transforms have {moved.poses.shape[1]} poses")


def answer_request(data: bytes) -> None:
    """Send requests with any description or URI: every service answers."""
    from sdf_frames.load import LoadOptions
    from sdf_frames.ros import jobs
    from sdf_frames.ros.settings import Settings

    options = LoadOptions(resource_paths=(str(make_folder() / "inside"),), confined=True)
    text = data[1:].decode("utf-8", "replace")
    subject = jobs.Subject("", text) if data[:1] < b"\x40" else jobs.Subject(text, "")
    found = jobs.check_description(subject, options)
    _, _, also = jobs.convert(subject, options)
    jobs.compute_masses(subject, options, {"recompute": bool(data[:1] > b"\xc0")})
    if subject.text:
        settings = Settings(loading=options)
        found = (*found, *jobs.read_description(text, settings).findings)
        jobs.write_urdf(text, settings)
    if internal := [d.message for d in (*found, *also) if d.name == "internal-error"]:
        raise BrokenPromiseError(internal[0])
