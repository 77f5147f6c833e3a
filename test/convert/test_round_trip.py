"""URDF -> SDF -> URDF on every real robot: links, joints, parents, types and poses are those of the first URDF, but for
what the report says; from then on nothing changes, not a byte."""
from __future__ import annotations

import pytest
from real_files import CORPUS, MISSING, STEP, resource_paths, some_files
from written_text import convert_text, convert_to_urdf

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.urdf_to_sdf import Conversion
from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import LoadOptions, load_file, load_text
from sdf_frames.spatial.pose import compose, invert
from sdf_frames.urdf.model import Robot
from sdf_frames.urdf.parse import read_robot

MODES = {"lumped": ConvertOptions(uri_style="keep"),
         "preserved": ConvertOptions(uri_style="keep", preserve_fixed_joints=True),
         "kept": ConvertOptions(uri_style="keep", massless="keep")}
LEAST = 100 // STEP  # robots in each mode
_known: dict[str, str | None] = {}


def go(text: str | bytes, name: str, options: ConvertOptions) -> tuple[Conversion | None, str | None]:
    """The conversion of a URDF, and the URDF that its SDF gives; the latter None where its links are no bodies."""
    sdf, conversion, _ = convert_text(text, name, options)
    if sdf is None:
        return None, None
    if sdf not in _known:  # many robots are the same in two modes
        result = convert_to_urdf(load_text(sdf, name))
        errors = {d.code for d in result.diagnostics if d.severity == "error"}
        assert result.text is not None or errors == {"I001"}, name
        _known[sdf] = result.text
    return conversion, _known[sdf]


def read(text: str) -> Robot:
    document, _ = read_xml(text, None)
    robot, found = read_robot(document)
    assert robot is not None and not [d for d in found if d.severity == "error"]
    return robot


def compare(first: Robot, conversion: Conversion, second: Robot, name: str) -> None:
    rows = [row for row in conversion.rows if row.element in ("link", "joint")]
    dropped = {(row.element, row.name) for row in rows if row.action == "dropped"}
    called = {row.name: row.into for row in rows if (row.element, row.action) == ("link", "renamed")}
    # <gazebo> may add links; those of its joints that are free hang on joints of their own.
    added = {row.name for row in conversion.rows if row.element == "extension"}
    # A joint of theirs (renamed where its name is taken) that closes a loop leaves a link on either side.
    closing = added | {f"{name}_joint" for name in added}
    added |= {f"{link}_{joint}" for link in (*added, *[link.name for link in first.links]) for joint in closing}
    links = {called.get(link.name, link.name) for link in first.links if ("link", link.name) not in dropped}
    assert {link.name for link in second.links} - added == links, name
    joints = {joint.name: (joint.type, called.get(joint.parent, joint.parent), called.get(joint.child, joint.child))
              for joint in first.joints if ("joint", joint.name) not in dropped}
    assert {joint.name: (joint.type, joint.parent, joint.child) for joint in second.joints
            if joint.child not in added} == joints, name
    origins = {joint.name: joint.origin.pose() for joint in first.joints}
    for joint in second.joints:
        if joint.name in joints:
            X = origins[joint.name]
            x, y, z, _, i, j, k = compose(invert(X), joint.origin.pose())
            assert max(map(abs, (x, y, z, i, j, k))) <= 1e-9 * max(1.0, *map(abs, X[:3])), (name, joint.name)


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
@pytest.mark.parametrize("mode", MODES)
def test_links_and_joints_of_real_robots_come_back(mode, record_property):
    compared = 0
    for path in some_files("*.urdf"):
        name = path.relative_to(CORPUS).as_posix()
        conversion, urdf = go(path.read_bytes(), name, MODES[mode])
        if conversion is None or urdf is None:
            continue
        compare(conversion.robot, conversion, read(urdf), name)
        assert go(urdf, name, MODES[mode])[1] == urdf, name
        compared += 1
    record_property("compared", compared)
    assert compared >= LEAST


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_real_sdf_files_change_no_more_after_the_first_way_there_and_back(record_property):
    """The first time, numbers get the spelling of the conversion, and massless links may go."""
    compared = 0
    for path in some_files("*.sdf"):
        name = path.relative_to(CORPUS).as_posix()
        first = convert_to_urdf(load_file(str(path), LoadOptions(resource_paths=resource_paths(name)))).text
        second = None if first is None else go(first, name, MODES["lumped"])[1]
        if second is None:
            continue
        assert go(second, name, MODES["lumped"])[1] == second, name
        compared += 1
    record_property("compared", compared)
    assert compared >= LEAST
