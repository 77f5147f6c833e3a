"""Computed inertias in the text: what changes, what stays, and that reading it back gives the same."""
import re

import pytest

from sdf_frames.cli import main
from sdf_frames.document.edits import apply_to_text
from sdf_frames.document.places import source_of
from sdf_frames.document.xml_in import read_xml
from sdf_frames.inertia.declare import edit_inertials
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.load import load_file

DOCUMENT = """<?xml version="1.0"?>
<!-- kept: ä > b -->
<sdf version="1.12">
  <model name="m">
    <link   name='a' >
      <inertial auto="true" />
      <collision name="c"><density>1</density><geometry><box><size>1 2 3</size></box></geometry></collision>
    </link>
    <link name="b">
      <inertial auto='true'>
        <mass>3</mass>
        <!-- kept -->
        <density>7</density>
        <pose>9 9 9 0 0 0</pose>
      </inertial>
      <collision name="c"><pose>1 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision>
    </link>
    <link name="declared"><inertial><mass>4</mass></inertial>
      <collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
    <link name="bare"/>
    <model name="n"><link name="a"><collision name="c"><density>2</density><geometry><box/></geometry></collision></link></model>
  </model>
</sdf>
"""  # noqa: E501


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def inertias(path, **options):
    return {x.name: (x.mass, x.pose, x.inertia) for x in load_file(path).inertias(**options).links}


@pytest.mark.parametrize("recompute", [False, True])
def test_reading_back_gives_what_was_computed(path, capsys, recompute):
    before = inertias(path, recompute=recompute)
    assert main(["inertia", "--write", *(["--recompute"] if recompute else []), str(path)]) == 0
    loaded = load_file(path)
    assert [d.name for d in loaded.diagnostics if d.severity != "info"] == []
    after = loaded.inertias()
    assert {x.name: (x.mass, x.pose, x.inertia) for x in after.links} == before
    assert not any(x.auto for x in after.links)
    # A second time changes nothing.
    text = path.read_text()
    assert main(["inertia", "--write", str(path)]) == 0 and path.read_text() == text


def test_line_endings_stay(path, capsys):
    path.write_bytes(DOCUMENT.replace("\n", "\r\n").encode())
    main(["inertia", "--write", str(path)])
    content = path.read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n")


def test_included_links_are_not_written_into_the_wrong_file(tmp_path, path, capsys):
    world = tmp_path / "w.sdf"
    world.write_text('<sdf version="1.12"><world name="w"><include><uri>m.sdf</uri></include></world></sdf>')
    before = path.read_text(), world.read_text()
    assert main(["inertia", "--write", str(world)]) == 0
    assert (path.read_text(), world.read_text()) == before
    assert "I018" in capsys.readouterr().err


ROBOT = """<?xml version="1.0"?>
<robot name="r" xmlns:x="urn:x">
  <!-- kept: <link name="arm"/> -->
  <link name="base">
    <inertial><origin xyz="9 9 9" rpy="1 0 0"/>
      <mass value="3"/><!-- kept -->
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="1 0 0" rpy="0 0 0"/><geometry><box size="1 2 3"/></geometry></collision>
  </link>
  <link name="arm"   >
    <collision name='c'><geometry><box size="1 2 3"/></geometry></collision>
  </link>
  <link name="tip"/>
  <joint name="j" type="fixed"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/></joint>
  <joint name="k" type="fixed"><parent link="arm"/><child link="tip"/></joint>
  <gazebo reference="arm"><material>Gazebo/Red</material></gazebo>
</robot>
"""
ARM = """<link name="arm"   >
    <inertial>
      <origin xyz="0 0 0" rpy="0 0 0"/>
      <mass value="{}"/>
      <inertia ixx="{}" ixy="0" ixz="0" iyy="{}" iyz="0" izz="{}"/>
    </inertial>
"""
BASE = """<inertial>
      <origin xyz="1 0 0" rpy="0 0 0"/>
      <mass value="{}"/>
      <inertia ixx="{}" ixy="0" ixz="0" iyy="{}" iyz="0" izz="{}"/>
      <!-- kept -->
    """


# Cuboid 1 x 2 x 3 m of 6 kg: ixx = 6 (4 + 9) / 12, and so on. Without --density the base keeps its 3 kg.
@pytest.mark.parametrize("arguments, base", [
    (("--density", "1"), None), (("--recompute",), (3, 3.25, 2.5, 1.25)),
    (("--recompute", "--density", "1"), (6, 6.5, 5, 2.5))])
def test_urdf_links_are_written_each_by_itself(tmp_path, capsys, arguments, base):
    path = tmp_path / "r.urdf"
    path.write_text(ROBOT)
    assert main(["inertia", "--write", *arguments, str(path)]) == 0
    values = ("6", "6.5", "5", "2.5") if "--density" in arguments else ("6000", "6500", "5000", "2500")  # that of water
    expected = ROBOT.replace('<link name="arm"   >\n', ARM.format(*values))
    if base:
        old = ROBOT[ROBOT.index("<inertial>"):ROBOT.index("</inertial>")]
        expected = expected.replace(old, BASE.format(*base))
    assert path.read_text() == expected
    main(["inertia", "--write", str(path)])
    assert path.read_text() == expected


def test_inertias_are_not_written_into_xacro_files(tmp_path, capsys):
    pytest.importorskip("xacro")
    path = tmp_path / "r.urdf.xacro"
    path.write_text(ROBOT)
    assert main(["inertia", "--write", "--recompute", str(path)]) == 0
    assert path.read_text() == ROBOT and "I018" in capsys.readouterr().err


def test_standard_input_cannot_be_written(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["inertia", "--write", "-"])


def test_in_files_of_others_only_inertials_change(corpus, tmp_path, capsys):
    def without_inertials(text):
        text = re.sub(rb"<inertial\b(?:[^>]*/>|.*?</inertial\s*>)", b"", text, flags=re.DOTALL)
        return re.sub(rb"\s+", b"", text).replace(b"></link>", b"/>")  # what was <link/> holds something now

    changed = {".urdf": 0, ".sdf": 0}
    for path in sorted(p for p in corpus.rglob("*") if p.suffix in changed)[::8]:
        copy = tmp_path / ("copy" + path.suffix)
        copy.write_bytes(before := path.read_bytes())
        main(["inertia", "--write", "--recompute", str(copy)])
        assert "internal-error" not in capsys.readouterr().err, path
        after = copy.read_bytes()
        changed[path.suffix] += after != before
        assert without_inertials(after) == without_inertials(before), path
        main(["inertia", "--write", "--recompute", str(copy)])
        assert copy.read_bytes() == after, path
    assert changed[".urdf"] >= 5 and changed[".sdf"] >= 20


MOMENTS = (1.0, 2.0, 3.0, 0.25, 0.5, 0.75)
TURNED = LinkInertia("l", 5.0, (1.0, 2.0, 3.0, 0.5 ** 0.5, 0.0, 0.0, 0.5 ** 0.5), MOMENTS)
SDF_VALUES = ["<pose>1 2 3 0 0 1.5707963267948966</pose>", "<mass>5</mass>", "<inertia>", "  <ixx>1</ixx>",
              "  <iyy>2</iyy>", "  <izz>3</izz>", "  <ixy>0.25</ixy>", "  <ixz>0.5</ixz>", "  <iyz>0.75</iyz>",
              "</inertia>"]
def write(text, inertia=TURNED, root="sdf", number=2):
    """A link of a root element, with another link of another name before it."""
    text = f'<{root}>\n  <link name="k"/>\n{text}\n</{root}>'
    source = source_of(root_element := read_xml(text)[0].root)
    source.keep(root_element)
    new = apply_to_text(text, edit_inertials(source, {number: inertia}))
    return new.removeprefix(f'<{root}>\n  <link name="k"/>\n').removesuffix(f"\n</{root}>").split("\n")


def indent(lines, by="      "):
    return [by + line for line in lines]


@pytest.mark.parametrize("start", ['<link name="l">', "<link name='l' a='1 > 2' b='\"'>"])
def test_an_inertial_comes_first_in_a_link_without_one(start):
    assert write(f"  {start}\n    <visual/>\n  </link>") == [
        f"  {start}", "    <inertial>", *indent(SDF_VALUES), "    </inertial>", "    <visual/>", "  </link>"]


@pytest.mark.parametrize("old, kept", [
    ("<inertial/>", []), ("<inertial></inertial>", []), ("<inertial auto = 'true' />", []),
    ("<inertial><mass>3</mass></inertial>", []), ("<inertial>\n      <mass>3</mass>\n    </inertial>", []),
    ("<inertial>\n      <density>7</density>\n      <pose/>\n    </inertial>", ["      <density>7</density>"]),
    ("<inertial>\n      <pose/>\n      <density>7</density>\n      <inertia><ixx>1</ixx></inertia>\n    </inertial>",
     ["      <density>7</density>"]),
    ("<inertial><density>7</density><mass>3</mass><!-- a --></inertial>", ["      <density>7</density><!-- a -->"]),
    ("<inertial><!-- a --></inertial>", ["      <!-- a -->"]),
    ("<inertial>\n      <mass>3</mass> <!-- kg -->\n    </inertial>", ["      <!-- kg -->"])])
def test_an_inertial_keeps_what_is_not_computed(old, kept):
    """What stands alone on its line goes with its line."""
    assert write(f'  <link name="l">\n    {old}\n  </link>') == [
        '  <link name="l">', "    <inertial>", *indent(SDF_VALUES), *kept, "    </inertial>", "  </link>"]


def test_a_link_that_begins_no_line_gets_no_lines():
    lines = write('  <link name="j"/><link name="l"/>', LinkInertia("l", 5.0, inertia=MOMENTS), number=3)
    assert lines == ['  <link name="j"/><link name="l"><inertial><pose>0 0 0 0 0 0</pose><mass>5</mass><inertia><ixx>1'
                     '</ixx><iyy>2</iyy><izz>3</izz><ixy>0.25</ixy><ixz>0.5</ixz><iyz>0.75</iyz></inertia></inertial>'
                     '</link>']


def test_tabs_stay_tabs_and_other_attributes_stay():
    assert write('\t<link name="l">\n\t\t<inertial  auto="true" x:a="1">\n\t\t</inertial>\n\t</link>') == [
        '\t<link name="l">', '\t\t<inertial x:a="1">', *[f"\t\t\t{line.replace('  ', chr(9))}" for line in SDF_VALUES],
        "\t\t</inertial>", "\t</link>"]


def test_much_white_space_in_a_tag_stays():
    """Square time would take an hour."""
    blanks = " " * 1_000_000
    tag = write(f'  <link name="l">\n    <inertial auto="true"{blanks}a="1"/>\n  </link>')[1]
    assert tag == f'    <inertial{blanks}a="1">'


def test_a_pose_without_turn_and_the_first_of_two_links_of_one_name():
    still = TURNED._replace(pose=(1.0, 2.0, 3.0, -1.0, 0.0, 0.0, 0.0))
    lines = write('  <link name="l"/>\n  <link name="l"/>', still)
    assert lines[2] == "      <pose>1 2 3 0 0 0</pose>" and lines[-1] == '  <link name="l"/>'
    half = TURNED._replace(pose=(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    assert write('<link name="l"/>', half)[2] == "    <pose>0 0 0 3.141592653589793 0 0</pose>"
