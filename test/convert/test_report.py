"""The conversion report, source lines, and determinism."""
import os
import subprocess
import sys
from pathlib import Path

import pytest
from urdf_text import gazebo, joint, link
from written_text import convert_to_urdf

from sdf_frames.convert.report import Row, row_kind
from sdf_frames.document.elements import line_of, locate
from sdf_frames.load import LoadOptions, load_file, load_text

INERTIAL = '<inertial>\n<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
TEXT = f"""<robot name="r">
  <link name="a">{INERTIAL}
    <visual><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <link name="b">{INERTIAL}
    <visual name="v"><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
  <link name="c">{INERTIAL}</link>
  <joint name="k" type="revolute"><parent link="b"/><child link="c"/><limit effort="1" velocity="1"/>
    <safety_controller k_velocity="1"/></joint>
  <transmission name="t"/>
  <gazebo reference="b"><sensor name="s" type="imu"/><mu1>1</mu1></gazebo>
</robot>
"""


def test_a_shape_that_cannot_be_read_has_a_row(convert):
    _, conversion, found = convert(TEXT.replace('<visual name="v"><geometry><sphere radius="1"/>',
                                                '<visual name="v"><geometry><torus/>'))
    assert [d.name for d in found if d.severity == "warning"].count("shape-left-out") == 1
    assert [r for r in conversion.rows
            if r.name == "v"] == [Row("visual", "v", "dropped", None, 8, "<torus> is not a known shape")]


def test_links_and_joints_outside_of_the_tree_have_rows(convert):
    _, conversion, found = convert("\n".join([
        '<robot name="r">', *[link(name, 1) for name in "abc"], joint("j", "continuous", "b", "c"),
        joint("k", "continuous", "c", "b"), gazebo("b", "<mu1>1</mu1>"), "</robot>"]))
    assert [d.name for d in found] == ["link-unreachable"] * 2
    assert sorted((r.element, r.name, r.action, r.line) for r in conversion.rows) == [
        ("joint", "j", "dropped", 5), ("joint", "k", "dropped", 6), ("link", "a", "kept", 2),
        ("link", "b", "dropped", 3), ("link", "c", "dropped", 4), ("mu1", "b", "dropped", 7)]


def test_rows_as_json():
    row = Row("link", "b", "lumped", "a", 6, "why")
    assert row._asdict() == {"element": "link", "name": "b", "action": "lumped", "into": "a", "line": 6,
                             "reason": "why"}


def test_every_element_of_the_sdf_knows_its_line_in_the_urdf(convert):
    _, conversion, _ = convert(TEXT)
    root = conversion.document.root
    for element in root.iter():
        assert line_of(element), element.tag
    at = locate(root.find("model/link[@name='c']/inertial"))
    assert (at.file, at.line, at.path) == ("robot.urdf", 11, '/robot[@name="r"]/link[@name="c"]/inertial')
    assert locate(root.find("model/frame[@name='j']")).line == 10


def test_same_bytes_whatever_the_hash_seed_and_locale(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(TEXT)
    outputs = set()
    for seed, locale in (("0", "C"), ("1", "C.UTF-8"), ("2", "de_DE.UTF-8")):
        result = subprocess.run([sys.executable, "-m", "sdf_frames", "convert", "--json", str(path)],
                                capture_output=True,
                                env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale,
                                     "PYTHONPATH": str(Path(__file__).parents[2])})
        assert result.returncode == 0, result.stderr
        outputs.add(result.stdout)
    assert len(outputs) == 1


@pytest.mark.parametrize("tag, kind", [("link", "extension"), ("joint", "extension"), ("visual", "extension"),
                                       ("collision", "extension"), ("sensor", "sensor"), ("mu1", "mu1")])
def test_parts_of_the_urdf_differ_from_extensions_of_the_same_name(tag, kind):
    assert row_kind(tag) == kind


def test_rows_have_the_lines_of_start_tags(tmp_path):
    """Of their `<`, though libxml2 keeps the line of the `>`; an element that begins and ends on that line has it."""
    urdf = '<robot name="r">\n<link\n name="a"\n><visual\n name="v"\n><geometry><box size="1 1 1"/></geometry>' \
        '</visual>\n<colision/></link>\n<!-- <link\n --><link\n name="b"/>' \
        '<joint\n name="j" type="fixed"><parent link="a"/>' \
        '<child link="b"/></joint><gazebo\n reference="a"><mu1\n>3</mu1></gazebo></robot>'
    loaded = load_text(urdf, options=LoadOptions(massless="keep"))
    lines = {(row.element, row.name): row.line for row in loaded.report}
    assert lines["link", "a"] == 2 and lines["visual", "v"] == 4 and lines["link/colision", "a"] == 7
    assert lines["link", "b"] == 9 and lines["joint", "j"] == 10 and lines["mu1", "a"] == 12
    part = '<sdf version="1.12"><model name="p">\n<link\n name="k"/></model></sdf>'
    (tmp_path / "part.sdf").write_text(part)
    file = tmp_path / "x.sdf"
    file.write_text('<sdf version="1.12"><model name="m">\n<link\n name="a"\n/><frame\n name="f"/>'
                    '<include><uri>part.sdf</uri></include></model></sdf>')
    lines = {row.name: row.line for row in convert_to_urdf(load_file(file)).rows}
    assert (lines["a"], lines["f"], lines["p::k"]) == (2, 4, 2)
