"""Each example gives its code and is mended by what stands below it; `explain` shows both.

The same holds for mistakes of beginners: the hint leads back to the text that was meant.
"""
import re
from collections import Counter
from pathlib import Path

import pytest

import sdf_frames
from sdf_frames.cli import main
from sdf_frames.diagnostics.catalogue import BY_CODE
from sdf_frames.load import LoadOptions, load_text
from sdf_frames.sdf.table import VERSION

FOLDER = Path(sdf_frames.__file__).parent / "diagnostics" / "examples"
CODES = sorted(path.stem for path in FOLDER.glob("*.txt"))


#: What the second description lacks, although neither its finding nor its hint names it.
LOST = {"J009": {"0"}, "J012": {"0"}, "R021": {"0.8"}, "S003": {"0.8"},  # a diameter, which the hint halves
         # of the axis of length zero
        "R028": {"m", "1", "http", "www.ros.org", "wiki", "xacro"}}  # xacro takes its own elements away


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """Resource paths with a model `arm`, which examples include."""
    folder = tmp_path_factory.mktemp("models") / "arm"
    folder.mkdir()
    (folder / "model.config").write_text('<model><name>arm</name><sdf version="1.12">arm.sdf</sdf></model>')
    (folder / "arm.sdf").write_text('<sdf version="1.12"><model name="arm"><link name="base"/></model></sdf>')
    return LoadOptions(resource_paths=(str(folder.parent),))


def list_data(text: str) -> Counter:
    """Values of attributes and words of texts, without comments and the names of tags and attributes."""
    text = re.sub(r"(?s)<!--.*?-->|</?[\w:]+|[\w:]+=(?=[\"'\w])", " ", text)
    return Counter(re.findall(r"[\w.+-]+", text))


@pytest.mark.parametrize("code", CODES)
def test_the_second_is_the_first_with_the_hint_applied(code, options):
    """It is valid, has no finding that the first does not have, and lacks only what finding or hint call wrong."""
    breaks, works = BY_CODE[code].example
    follow_hint(breaks, works, code, options)
    assert len(breaks.split("\n")) <= 25


def follow_hint(breaks, works, code, options=LoadOptions()):
    """Hold a text against the one that its hint leads to, and return the hint."""
    before, after = [load_text(text, "f", options).diagnostics for text in (breaks, works)]
    finding = next(d for d in before if d.code == code)
    assert {d.code for d in after} <= {d.code for d in before} - {code}
    assert not [d for d in after if d.severity == "error"]
    assert finding.hint
    lost = (list_data(breaks) - list_data(works)).keys() - LOST.get(code, set())
    assert "remove" in finding.hint or lost <= list_data(finding.message).keys()
    return finding.hint


MASS, TENSOR = ('<inertial><mass value="1.5"/>', '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>')
INERTIAL = f"{MASS}\n  {TENSOR}</inertial>"
URDF = f"""<robot name="r">
<material name="red"><color rgba="1 0 0 1"/></material>
<link name="base">{INERTIAL}
  <visual><origin xyz="0 0 0.3"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual></link>
<link name="arm">{INERTIAL}
  <collision><geometry><cylinder radius="0.4" length="0.5"/></geometry></collision></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/>
  <origin xyz="0 0 0.2" rpy="0 0 1.5708"/><axis xyz="0 0 1"/><dynamics damping="0.7"/>
  <limit lower="-1.5708" upper="1.5708" effort="5" velocity="2"/></joint>
<gazebo reference="arm"><mu1>0.5</mu1></gazebo>
</robot>"""
SDF = """<sdf version="1.12"><model name="m">
<link name="base"><inertial><mass>1.5</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  <visual name="v"><geometry><box><size>1 2 3</size></box></geometry></visual></link>
<link name="arm"><pose relative_to="base">0 0 1 0 0 1.5708</pose></link>
<joint name="elbow" type="revolute"><pose relative_to="base">0 0 0.7 0 0 0</pose><parent>base</parent><child>arm</child>
  <axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
<frame name="tool" attached_to="arm"/>
</model></sdf>"""
URDFLIKE = """<sdf version="1.12"><model name="m">
<link name="base"><inertial><pose>0 0 0.1 0 0 0</pose></inertial>
  <velocity_decay><linear>0.3</linear><angular>0.3</angular></velocity_decay>
  <sensor name="s" type="imu"><update_rate>50</update_rate></sensor></link>
<joint name="j" type="fixed"><parent>base</parent><child>tip</child>
  <pose relative_to="base">1 2 3 0 0 0.5</pose></joint>
<link name="tip"><pose relative_to="j"/><visual name="v"><geometry>
  <cylinder><radius>0.4</radius><length>0.7</length></cylinder></geometry></visual></link>
</model></sdf>"""
LOOKS = """<sdf version="1.12"><model name="m"><link name="l">
<pose degrees="true">1 2 3 0 0 90</pose>
<sensor name="s" type="camera"><pose>0 0 0.5 0 0 0</pose>
  <camera><horizontal_fov>1.5708</horizontal_fov></camera></sensor>
<visual name="v"><pose rotation_format="quat_xyzw">1 2 3 0 0 0.7071 0.7071</pose><cast_shadows>true</cast_shadows>
  <geometry><empty/></geometry><material><diffuse>1 0.2 0 1</diffuse></material></visual>
</link></model></sdf>"""
SCAN = """<sdf version="1.12"><model name="m"><link name="l"><sensor name="s" type="gpu_lidar"><lidar>
<scan><horizontal><samples>9</samples><min_angle>-3.14159</min_angle><max_angle>1</max_angle></horizontal></scan>
<range><min>0.1</min><max>10</max></range></lidar></sensor></link></model></sdf>"""
WORLD = """<sdf version="1.12"><world name="w"><gravity>0 0 -9.8</gravity>
<include><uri>model://arm</uri><pose>1 2 3 0 0 0.5</pose></include>
</world></sdf>"""
LIMIT = '<limit lower="-1.5708" upper="1.5708" effort="5" velocity="2"/>'
#: What follows from a mistake and is told, too: settings of a shape that is left out, an axis without direction, and
#: references to a name that the first of two links has, or a range of 0 for limits under other names.
FOLLOW = {"R021": ["C039"], "R029": ["J009", "R046"], "N001": ["J002", "F001"]}
#: What is right, what a beginner writes, the code, and words of the hint.
MISTAKES = [
    (URDF, LIMIT, "", "R012", '<limit lower="…" upper="…" effort="…" velocity="…"/>'),
    (URDF, ' effort="5"', "", "R011", 'add effort="…"'), (URDF, ' velocity="2"', "", "R011", 'add velocity="…"'),
    (URDF, ' lower="-1.5708" upper', ' min="-1.5708" max', "R029", "did you mean lower, upper?"),
    (URDF, 'lower="-1.5708" upper="1.5708"', 'lower="-90" upper="90"', "I026", "write radians: -1.5708 to 1.5708"),
    (URDF, "0 0 1.5708", "0 0 90", "I026", "write radians: 0 0 1.5708"),
    (URDF, '<origin xyz="0 0 0.2" rpy="0 0 1.5708"/>', "<origin>0 0 0.2 0 0 1.5708</origin>", "R029",
     'write <origin xyz="0 0 0.2" rpy="0 0 1.5708"/>'),
    (URDF, "xyz=\"0 0 0.2\" rpy", 'pos="0 0 0.2" rot', "R029", "did you mean xyz, rpy?"),
    (URDF, 'axis xyz="0 0 1"', 'axis xyz="0,0,1"', "R010", "separate numbers by spaces"),
    (URDF, '<axis xyz="0 0 1"/>', "<axis><xyz>0 0 1</xyz></axis>", "R029", 'write an attribute: <axis xyz="0 0 1">'),
    (URDF, "revolute", "Revolute", "R007", "did you mean 'revolute'?"),
    (URDF, "revolute", "revolut", "R007", "did you mean 'revolute'?"),
    (URDF, '<parent link="base"/>', "<parent>base</parent>", "R008", 'write <parent link="base"/>'),
    (URDF, '<child link="arm"', '<child link="amr"', "R009", "did you mean 'arm'?"),
    (URDF, "</joint>", "", "X002", "write </joint> where the element ends"),
    (URDF, 'type="revolute"', "type=revolute", "X002", "quotation marks"),
    (URDF, ' name="r"', "", "R001", "give it a name"),
    (URDF, 'reference="arm"', 'reference="amr"', "C030", "did you mean 'arm'?"),
    (URDF.replace("base", "base_link").replace("arm", "laser"), 'reference="laser"', 'reference="laser_link"', "C030",
     "did you mean 'laser'?"),
    (URDF, '<mass value="1.5"/>', "<mass>1.5</mass>", "C004", 'write <mass value="1.5"/>'),
    (URDF, 'value="1.5"', 'value="1.5kg"', "R036", "without units"),
    (URDF, 'value="1.5"', 'value="-1.5"', "C004", "positive number"),
    (URDF, ' izz="0.01"', "", "R020", 'add izz="…"'),
    (URDF, "0.4\" length", '0.4" height', "R021", "did you mean length?"),
    (URDF, 'size="1 2 3"', 'size="1, 2, 3"', "R021", "separate numbers by spaces"),
    (URDF, '<box size="1 2 3"/>', '<box><size>1 2 3</size></box>', "R021", '<box size="1 2 3">'),
    (URDF, 'radius="0.4"', 'diameter="0.8"', "R021", 'write radius="0.4", half of the diameter'),
    (URDF, '<origin xyz="0 0 0.3"/><geometry>', '<geometry><origin xyz="0 0 0.3"/>', "R029",
     "<origin> belongs in <visual>"),
    (URDF, '<dynamics damping="0.7"/>', "<damping>0.7</damping>", "R029", '<dynamics damping="0.7">'),
    (URDF, "axis xyz", "axis rpy", "R029", "did you mean xyz?"),
    (URDF, '"0 0 1.5708"', '"0 0 pi/2"', "R010", "write 0 0 1.5707963"),
    (URDF, '<geometry><box size="1 2 3"/></geometry>', '<box size="1 2 3"/>', "R021", "<box> belongs in <geometry>"),
    (URDF, f'<link name="base">{INERTIAL}', f'<link name="base">{MASS}</inertial>{TENSOR}', "R020",
     "<inertia> belongs in <inertial>"),
    (URDF, f"{LIMIT}</joint>", f'{LIMIT.replace("limit", "limits")}</joint>', "R012", "did you mean <limit>?"),
    (URDF, "<axis", "<parnt/><axis", "R029", "did you mean <parent>?"),
    (URDF, '"0 0 1"', '"[0, 0, 1]"', "R010", "without brackets and commas: 0 0 1"),
    (URDF, '<color rgba="1 0 0 1"/></material>', '<color rgba="255 0 0 1"/></material>', "R024", "by 255"),
    (SDF, ' version="1.12"', "", "S001", 'add version="1.12"'), (SDF, ' name="m"', "", "S005", 'add name="…"'),
    (SDF, ' name="v"', "", "S005", 'add name="…"'),
    (SDF, "<axis><xyz>0 0 1</xyz>", '<axis xyz="0 0 1">', "S004", "write an element: <xyz>0 0 1</xyz>"),
    (SDF, "<parent>base</parent>", '<parent link="base"/>', "S010", "<parent>base</parent>"),
    (SDF, "<box><size>1 2 3</size></box>", '<box size="1 2 3"/>', "S004", "write an element: <size>1 2 3</size>"),
    (SDF, "<mass>1.5</mass>", '<mass value="1.5"/>', "S004", "<mass>1.5</mass>"),
    (URDF, "<mu1>0.5</mu1>", "<mu>0.5</mu>", "S003", "a URDF's <gazebo reference> has it as <mu1>"),
    (SDF, "<axis><xyz>0 0 1</xyz>", "<axis>0 0 1", "S026", "write <xyz>0 0 1</xyz>"),
    (SDF, "<box><size>1 2 3</size></box>", "<box>1 2 3</box>", "S026", "write <size>1 2 3</size>"),
    (SDF, "<ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz>", "0.01 0.01 0.01", "S026", "<ixx>, <ixy>, <ixz>, <iyy>"),
    (SDF, '<pose relative_to="base">0 0 0.7 0 0 0</pose>', '<origin xyz="0 0 0.7" rpy="0 0 0"/>', "S003",
     'write <pose relative_to="base">0 0 0.7 0 0 0</pose>'),
    (SDF, "<mass>1.5</mass>", "<mass>-1.5</mass>", "I001", "the signs"),
    (SDF, 'relative_to="base"', 'relative_to="bsae"', "P001", "did you mean 'base'?"),
    (SDF, 'attached_to="arm"', 'attached_to="amr"', "F001", "did you mean 'arm'?"),
    (SDF, "0 0 1 0 0 1.5708", "0 0 1 0 0 90", "I026", "write radians: 0 0 1.5708"),
    (SDF, "<lower>-1</lower><upper>1</upper>", "<lower>1</lower><upper>-1</upper>", "J011", "swap <lower> and <upper>"),
    (SDF, "<child>arm</child>", "<child>amr</child>", "J002", "did you mean 'arm'?"),
    (SDF, ' type="revolute"', ' type="hinge"', "J001", "revolute"),
    (SDF, '<link name="arm"', '<link name="base"', "N001", "rename one of them"),
    (SDF, "<mass>1.5</mass>", "<mass>1,5</mass>", "S024", "write 1.5"),
    (SDF, "<child>arm</child>", "<child>m::arm</child>", "J002", "did you mean 'arm'?"),
    (SDF, "<child>arm</child>", "<child>Arm</child>", "J002", "did you mean 'arm'?"),
    (SDF, ' type="revolute"', ' type="revolut"', "J001", "did you mean 'revolute'?"),
    (URDFLIKE, '<pose relative_to="base">1 2 3 0 0 0.5</pose></joint>\n<link name="tip"><pose relative_to="j"/>',
     '<origin xyz="1 2 3" rpy="0 0 0.5"/></joint>\n<link name="tip">', "S003",
     'write <pose relative_to="base">1 2 3 0 0 0.5</pose>; if the child link has no <pose>, write '
     '<pose relative_to="j"/> into it'),
    (URDFLIKE, "<length>0.7</length>", "<height>0.7</height>", "S003", "write <length>0.7</length>"),
    (URDFLIKE, "<radius>0.4</radius>", "<diameter>0.8</diameter>", "S003", "write <radius>0.4</radius>, half of it"),
    (URDFLIKE, "<pose>0 0 0.1 0 0 0</pose>", "<com>0 0 0.1</com>", "S003", "write <pose>0 0 0.1 0 0 0</pose>"),
    (URDFLIKE, "<update_rate>50</update_rate>", "<rate>50</rate>", "S003", "did you mean <update_rate>?"),
    (URDFLIKE, "<linear>0.3</linear><angular>0.3</angular>", "0.3", "S026",
     "write <linear>0.3</linear><angular>0.3</angular>"),
    (LOOKS, "1 0.2 0 1", "255 51 0 1", "S008", "divide by 255: write 1 0.2 0 1"),
    (LOOKS, "1 0.2 0 1", "255 51 0 255", "S008", "divide by 255: write 1 0.2 0 1"),
    (LOOKS, "<cast_shadows>true", "<cast_shadows>yes", "S008", "write true"),
    (LOOKS, 'degrees="true"', 'degrees="yes"', "S007", "write true"),
    (LOOKS, ' rotation_format="quat_xyzw"', "", "S008", '<pose rotation_format="quat_xyzw">'),
    (LOOKS, "0 0 0.5 0 0 0</pose>", "0 0 0.5</pose>", "S008", "write 0 0 0.5 0 0 0"),
    (LOOKS, "<horizontal_fov>1.5708<", "<horizontal_fov>90<", "S008", "write radians: 1.5708"),
    (SCAN, "<min_angle>-3.14159<", "<min_angle>-180<", "I026", "write radians: -3.14159"),
    (LOOKS, 'type="camera"', 'type="camra"', "S007", "did you mean 'camera'?"),
    (WORLD, "<gravity>0 0 -9.8<", "<gravity>-9.8<", "S008", "write 0 0 -9.8"),
    (WORLD, "<pose>1 2 3 0 0 0.5</pose>", "<Pose>1 2 3 0 0 0.5</Pose>", "S003", "did you mean <pose>?"),
    (WORLD, "<pose>1 2 3 0 0 0.5</pose>", '<origin xyz="1 2 3" rpy="0 0 0.5"/>', "S003",
     "write <pose>1 2 3 0 0 0.5</pose>"),
]


#: Text around a description of SDFormat that a beginner writes, and the code.
AROUND = [('<robot name="x">', "</robot>", "R002"), ("", "", "X004")]


@pytest.mark.parametrize("start, end, code", AROUND)
def test_sdformat_in_another_root_is_told_the_right_one(start, end, code):
    broken = start + SDF.removeprefix('<sdf version="1.12">').removesuffix("</sdf>") + end
    assert f'<sdf version="{VERSION}">' in follow_hint(broken, SDF, code)


@pytest.mark.parametrize("base, right, wrong, code, words", MISTAKES)
def test_the_hint_on_a_mistake_of_beginners_leads_to_what_was_meant(base, right, wrong, code, words, options):
    assert load_text(base, "f", options).diagnostics == () and right in base
    broken = base.replace(right, wrong, 1)
    assert words in follow_hint(broken, base, code, options)
    assert {code} <= {d.code for d in load_text(broken, "f", options).diagnostics} <= {code, *FOLLOW.get(code, ())}


TWO_ROOTS = [
    ("<joint ", "<Joint ", "write <joint> for <Joint>"),
    ("</link>\n<joint ", "<joint ", "move this <joint> out of the <link>"),
]


@pytest.mark.parametrize("right, wrong, words", TWO_ROOTS)
def test_a_joint_that_is_not_read_is_named_where_links_have_no_parent(right, wrong, words):
    broken = URDF.replace(right, wrong).replace("</joint>", "</Joint>" if "J" in wrong else "</joint></link>")
    (hint,) = [d.hint for d in load_text(broken, "f").diagnostics if d.code == "R014"]
    assert words in hint


def test_a_joint_of_sdformat_under_gazebo_is_in_its_place():
    joint = '<gazebo><joint name="k" type="fixed"><parent>arm</parent><child>hand</child></joint></gazebo>'
    text = URDF.replace("</robot>", f'<link name="hand"/>{joint}</robot>')
    assert [d.hint for d in load_text(text, "f").diagnostics if d.code == "R014"] == [BY_CODE["R014"].hint]


def test_most_codes_of_a_single_file_have_an_example():
    assert set(CODES) <= set(BY_CODE) and len(CODES) >= 85
    for family, least in (("F", 1.0), ("J", 1.0), ("P", 0.6), ("R", 0.7), ("N", 0.5)):
        codes = [code for code in BY_CODE if code[0] == family]
        assert len(set(codes) & set(CODES)) >= least * len(codes), family


def test_explain_shows_both(capsys):
    assert main(["explain", "F002"]) == 0
    said = capsys.readouterr().out
    first, second = said.split("this causes it:")[1].split("this does not:")
    assert re.search(r'<frame name="b" attached_to="a"/>', first) and re.search(r'attached_to="base"/>', second)


def test_a_code_without_an_example_is_explained_all_the_same(capsys):
    assert BY_CODE["X001"].example is None
    assert main(["explain", "X001"]) == 0 and "this gives it" not in capsys.readouterr().out
