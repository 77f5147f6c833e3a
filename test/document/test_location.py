"""A law: however a text is broken into lines, its findings are the same, each at the same element or attribute."""
import re
from pathlib import Path

import pytest
import real_files

import sdf_frames
from sdf_frames.load import load_text

EXAMPLES = sorted((Path(sdf_frames.__file__).parent / "diagnostics" / "examples").glob("*.txt"))
_MARKUP = re.compile(r"""(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^>[]*(?:\[.*?\])?\s*>"""
                     r"""|(?P<end></)|(?P<start><[^\s/!?>]+)(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_ATTRIBUTE = re.compile(r"""([^\s=]+)\s*=\s*["']([^"']*)""")
# What URDFs say twice on a line, so that lines and names tell nothing.
ALIKE = """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0"
izz="9"/></inertial><visual name="v"><geometry><sphere radius="-1"/></geometry></visual><visual name="v"><geometry>
<mesh filename="no.stl"/></geometry></visual><odd/></link><link name="b"/><link name="c"><odd x="1"/></link>
<joint name="a" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/><limit effort="-1"
velocity="1" lower="2" upper="1"/><mimic joint="nobody"/></joint>
<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>
<gazebo reference="c"><mu1>1</mu1><sensor name="s" type="imu"/></gazebo><gazebo reference="c"><mu1>x</mu1>
<sensor name="s" type="nose"><pose>1</pose></sensor></gazebo><gazebo reference="b"><sensor name="s"/></gazebo>
<gazebo reference="b"><sensor name="s"/></gazebo><gazebo reference="d"/><gazebo reference="d"><kp>1</kp></gazebo>
<gazebo><plugin name="p" filename="f"/><frame name="b"><pose relative_to="nobody"/></frame></gazebo></robot>"""


def find_starts(text):
    return [match.start() for match in _MARKUP.finditer(text) if match["start"]]


def join_lines(text):
    return re.sub(r"[\r\n]", " ", text)


def break_lines(text):
    return _MARKUP.sub(lambda m: ("\n" if m["start"] or m["end"] else "") + m[0], text)


def push_down(text):
    """Past the 65,535 lines that libxml2 can count."""
    starts = find_starts(text)
    middle = starts[len(starts) // 2] if starts else 0
    return text[:middle] + "\n" * 70_000 + text[middle:]


def find_spots(text):
    """By line and column: the number of each start tag, and with it the name of each attribute of it."""
    spots, line, last = {}, 1, 0

    def place(offset):
        nonlocal line, last
        line, last = line + text.count("\n", last, offset), offset
        return line, offset - text.rfind("\n", 0, offset)

    for number, match in enumerate(match for match in _MARKUP.finditer(text) if match["start"]):
        spots[place(match.start())] = number, ""
        for attribute in _ATTRIBUTE.finditer(match[0]):
            spots[place(match.start() + attribute.start(2))] = number, attribute[1]
    return spots


def judge(text, file):
    """What is found where, and what the report says of which start tag, if each has a line of its own."""
    loaded, spots = load_text(text.encode(), file), find_spots(text)

    def spell(said):
        return " ".join(said.split())

    def where(at):
        return (spots.get((at.line, at.column)), at.path) if at.file == file else at[1:]

    found = sorted([(d.name, spell(d.message), where(d), *[(spell(r.message), where(r)) for r in d.related])
                    for d in loaded.diagnostics], key=repr)
    lines = {line: number for (line, _), (number, attribute) in spots.items() if not attribute}
    return found, [row._replace(line=lines.get(row.line), reason=spell(row.reason or "")) for row in loaded.report]


def check_law(text, file):
    """How many findings and rows were compared."""
    found, _ = judge(text, file)
    if any(name == "xml-malformed" for name, *_ in found):
        return 0
    broken = break_lines(text)
    for changed in (join_lines(text), broken, push_down(text)):
        assert judge(changed, file)[0] == found
    judged = judge(broken, file)
    assert judge(push_down(broken), file) == judged
    return sum(map(len, judged))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_examples(file):
    for text in file.read_text(encoding="utf-8").split("\n---\n"):
        check_law(text.strip(), "example")


def test_what_is_alike_on_a_line():
    assert check_law(ALIKE, "r.urdf") >= 31


LINKS = """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
iyz="0"/></inertial>{}</link><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent
 link="a"/><child
 link="{}"/><axis
 xyz="{}"/></joint></robot>"""
MESH = '<{0}><geometry><mesh\n filename="^no.stl"/></geometry></{0}>'


@pytest.mark.parametrize("name, parts", [
    ("joint-link-unknown", ("", "^nobody", "1 0 0")), ("joint-axis-zero", ("", "b", "^0 0 0")),
    ("asset-not-found", (MESH.format("visual") + MESH.format("collision"), "b", "1 0 0"))])
def test_a_finding_is_at_the_attribute_that_is_wrong(name, parts):
    text = LINKS.format(*parts)
    marks = [(before.count("\n") + 1, len(before) - before.rfind("\n"))
             for before in ("".join(text.split("^")[:i + 1]) for i in range(text.count("^")))]
    loaded = load_text(text.replace("^", ""), "r.urdf")
    (found,) = [d for d in (*loaded.diagnostics, *loaded.find_missing_files()) if d.name == name]
    places = [(d.line, d.column) for d in (found, *found.related)]
    assert sorted(places) == marks


def test_real_files():
    """Some of those that libsdformat was asked about."""
    records = [record["file"] for record in real_files.read_records()][::4 * real_files.STEP]
    if not records:
        pytest.skip(real_files.MISSING)
    compared = 0
    for name in records:
        file = real_files.CORPUS / name
        try:
            text = file.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        compared += check_law(text, str(file))
    assert compared > 4000 // real_files.STEP
