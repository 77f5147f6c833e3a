"""A URDF is parsed once; of what the conversion makes, only what stems from ``<gazebo>`` is checked."""
import pytest
import urdf_text
from urdf_text import joint, link

from sdf_frames.cli import main
from sdf_frames.convert.extensions import SETTINGS
from sdf_frames.document import xml_in
from sdf_frames.load import load_text
from sdf_frames.sdf import schema, upgrade
from sdf_frames.sdf.table import load_table

SHAPES = ''.join(f'<{kind}><geometry><box size="1 2 3"/></geometry></{kind}>' for kind in ("visual", "collision"))


def robot(more=""):
    return urdf_text.robot(link("a", 1, SHAPES), link("b", 1), link("c"), joint("j", "continuous", "a", "b"),
                           joint("k", "fixed", "b", "c"), "\n", more)


def test_one_parse_and_no_look_at_what_we_write(monkeypatch):
    parses = []
    real = xml_in._parse
    monkeypatch.setattr(xml_in, "_parse", lambda *args: parses.append(args) or real(*args))
    monkeypatch.setattr(schema, "check_schema", None)
    monkeypatch.setattr(upgrade, "upgrade_tree", None)
    loaded = load_text(robot())
    assert loaded.valid and len(loaded.scopes[0].frames) == 6
    assert len(parses) == 1


@pytest.mark.parametrize("content, code, line, tag", [
    ('<gazebo reference="a">\n<sensor name="s" type="nose"/></gazebo>', "attribute-invalid", 3, 'sensor[@name="s"]'),
    ('<gazebo reference="a">\n<collision><max_contacts>x</max_contacts></collision></gazebo>', "value-invalid", 3,
     "max_contacts"),
    ('<gazebo reference="a">\n<maxContacts>3e9</maxContacts></gazebo>', "value-invalid", 3, "maxContacts"),
    ('<gazebo>\n<nothing/></gazebo>', "element-unknown", 3, "nothing"),
    ('<gazebo reference="a">\n<light name="l" type="point"/>\n<light name="l" type="point"/></gazebo>',
     "name-duplicate", 4, 'light[@name="l"]'),
])
def test_content_of_gazebo_elements_is_checked_at_its_place(content, code, line, tag):
    found = [d for d in load_text(robot(content)).diagnostics if d.name == code]
    assert [(d.line, d.path.rpartition("/")[2]) for d in found] == [(line, tag)]


def test_settings_of_joints_that_are_not_looked_at_take_every_number():
    joint = load_table().children["model"].children["joint"]
    for _, around, names, _ in [kind for kind in SETTINGS.values() if kind.about == "joint"]:
        spec = joint
        for step in around:
            spec = spec.children[step]
        values = [spec.children[name].value for name in names]
        assert all(v.type in ("double", "bool") and v.least is None and v.most is None for v in values)


def test_elements_that_are_looked_at(monkeypatch):
    # The box has a value of our own, the sensor one of the author's; only the latter is read.
    texts = []
    real = schema.is_sound
    monkeypatch.setattr(schema, "is_sound", lambda text, value: texts.append(text) or real(text, value))
    sensor = '<sensor name="s" type="imu"><update_rate>17</update_rate></sensor>'
    load_text(robot(f'<gazebo reference="a">{sensor}</gazebo>'))
    assert "17" in texts and "1 2 3" not in texts


def test_the_command_reads_and_converts_once(monkeypatch, tmp_path, capsys):
    """Also where <gazebo> brings what has to be checked: a sensor of no type that SDF has."""
    parses = []
    real = xml_in._parse
    monkeypatch.setattr(xml_in, "_parse", lambda *args: parses.append(args) or real(*args))
    path = tmp_path / "r.urdf"
    path.write_text(robot('<gazebo reference="a">\n<sensor name="s" type="nose"/></gazebo>'))
    assert main(["convert", str(path)]) == 1
    out, err = capsys.readouterr()
    assert len(parses) == 1
    assert 'type="nose"' in out and "attribute-invalid" in err


MODEL = """<sdf version="1.6"><model name="m"><link name="l"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"""


@pytest.mark.parametrize("is_urdf, command, parses", [
    *[(True, command, 1) for command in (
        "check", "check --assets --for all", "convert", "convert -o OUT.sdf", "convert --bundle OUT",
        "print", "upgrade --to 1.2", "frames", "graph", "inertia", "inertia --write --recompute")],
    *[(False, command, 1) for command in (
        "check", "check --assets --for gazebo", "to-urdf", "to-urdf -o OUT.urdf", "print", "print -i", "frames",
        "graph", "uri", "inertia", "inertia --write --recompute")],
    # These write, or list, what the file has besides elements: the tree that is read has neither comments nor blanks.
    *[(True, command, 2) for command in ("simplify", "simplify -o OUT.urdf", "uri")],
    *[(False, command, 2) for command in ("upgrade", "upgrade -o OUT.sdf")],
    # It corrects all files before it checks the first.
    (True, "check --fix", [False, False]), (False, "check --fix", [False, True, False])])
def test_each_command_parses_its_file_once_or_once_more_with_comments(tmp_path, monkeypatch, is_urdf, command, parses):
    path, kept = tmp_path / ("r.urdf" if is_urdf else "r.sdf"), []
    path.write_text(robot() if is_urdf else MODEL)
    real = xml_in._parse
    monkeypatch.setattr(xml_in, "_parse", lambda text, keep, source: kept.append(keep) or real(text, keep, source))
    assert main([*command.replace("OUT", str(tmp_path / "out")).split(), str(path)]) == 0
    assert kept == ([False, True][:parses] if isinstance(parses, int) else parses)
