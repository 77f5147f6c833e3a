"""Computed inertias on their way into a file: which links are wanted, what is written, and what is said of the rest."""
import json
import os
import re

import pytest

from sdf_frames.cli import main
from sdf_frames.cli.files import write_file
from sdf_frames.convert.report import Row
from sdf_frames.document.writing import NEW
from sdf_frames.inertia.declare import find_places
from sdf_frames.inertia.result import InertiaResult, LinkInertia
from sdf_frames.load import load_file, load_text
from sdf_frames.writers.with_inertias import write_inertias
from sdf_frames.writers.written import rewrite

SDF = '<sdf version="1.12">\n<model name="m">\n<link name="a"/>\n<link name="b"/>\n</model>\n</sdf>\n'


BOX = '<collision name="c"><density>1</density><geometry><box/></geometry></collision>'
AUTO = SDF.replace('<link name="a"/>', f'<link name="a"><inertial auto="true"/>{BOX}</link>')


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(AUTO)
    return path


def test_only_eight_links_of_other_files_are_named_and_the_file_is_not_touched(path, capsys):
    world = path.parent / "w.sdf"
    includes = "".join(f"<include><uri>m.sdf</uri><name>m{i}</name></include>" for i in range(10))
    world.write_text(f'<sdf version="1.12"><world name="w">{includes}</world></sdf>')
    os.utime(world, (5, 5))
    before = os.stat(world)
    assert main(["inertia", "--write", "--json", str(world)]) == 0
    (found,) = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] == "I018"]
    assert found["file"] == str(world) and found["line"] is None
    assert "these links are not written in this file itself: m0::a, m1::a" in found["message"]
    assert "m7::a" in found["message"] and "m8::a" not in found["message"]
    assert (os.stat(world).st_ino, os.stat(world).st_mtime) == (before.st_ino, 5)


@pytest.mark.parametrize(("change", "said"), [
    (lambda path: path.write_text(SDF), "it has changed since it was read"),
    (lambda path: path.unlink(), "No such file or directory")])
def test_a_file_that_was_changed_meanwhile_is_not_written(path, change, said):
    loaded = load_file(path)
    change(path)
    content, found = rewrite(write_inertias(loaded, loaded.inertias())[0])[0], []
    assert not write_file(str(path), content, NEW, found, replaces=loaded.source.given)
    (found,) = found
    assert (found.name, found.file) == ("file-unwritable", str(path)) and said in found.message
    assert not path.exists() or path.read_text() == SDF


def test_a_file_of_wide_characters_keeps_its_encoding(path):
    path.write_text(AUTO, encoding="utf-16")
    assert main(["inertia", "--write", str(path)]) == 0
    assert "<mass>1</mass>" in path.read_text(encoding="utf-16")


def test_findings_quote_the_text_that_they_are_about(path, capsys):
    """Not the one that was written: its lines have moved."""
    line = '<link name="b"><colour/></link>'
    path.write_text(SDF.replace('<link name="a"/>', f'<link name="a"><inertial auto="true"/>{BOX}</link>').replace(
        '<link name="b"/>', line))
    assert main(["inertia", "--write", str(path)]) == 0
    assert f"| {line}\n" in capsys.readouterr().err and path.read_text().splitlines()[3] != line


def test_computed_links_are_wanted_by_what_is_above_them(tmp_path):
    """Of two worlds with equal names, nested models and an include; declared and failed ones are left out."""
    (tmp_path / "part.sdf").write_text(
        f'<sdf version="1.12"><model name="p"><link name="l"><inertial auto="true"/>{BOX}</link></model></sdf>')
    world = (f'<world name="{{}}"><include><uri>part.sdf</uri></include><model name="m">'
             f'<link name="declared"><inertial><mass>4</mass></inertial></link><link name="bare"/>'
             f'<link name="bad"><inertial auto="true"/></link><link name="a"><inertial auto="true"/>{BOX}</link>'
             f'<model name="n"><link name="a"><inertial auto="true"/>{BOX}</link></model></model></world>')
    path = tmp_path / "w.sdf"
    path.write_text(f'<sdf version="1.12">{world.format("v")}{world.format("w")}</sdf>')
    loaded = load_file(path)
    places = find_places(loaded.root, loaded.inertias())
    tags = re.findall(r"<[a-z]\w*[^>]*>", path.read_text())
    assert {tags[number] for number in places.wanted} == {'<link name="a">'} and len(places.wanted) == 4
    assert places.elsewhere == ["p::l", "p::l"]


def test_links_of_a_robot_are_wanted_by_their_name_in_the_urdf():
    joint = '<joint name="j_{0}" type="fixed"><parent link="base"/><child link="{0}"/></joint>'
    written = "".join(f'<link name="{name}"/>' for name in ("base", "a b", "declared", "failed"))
    joints = "".join(map(joint.format, ("a b", "declared", "failed")))
    loaded = load_text(f'<robot name="r">{written}{joints}</robot>')
    links = (LinkInertia("base", 1.0, method="exact"), LinkInertia("a_b", 2.0, method="hull+exact"),
             LinkInertia("declared", 3.0), LinkInertia("failed", 0.0, method="failed", physical=False))
    report = [Row("link", "a b", "renamed", "a_b", 1, None)]
    places = find_places(loaded.root, InertiaResult(links), loaded.robot, report)
    assert places == ({1: links[0], 2: links[1]}, [])


SHAPE = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
IMPOSSIBLE = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial>'


def write_robot(path, base, arm, *arguments):
    """Write computed inertias into a robot whose arm turns on its base; return the status."""
    path.write_text(f'<robot name="r"><link name="base">{base}</link><link name="arm">{arm}</link>'
                    '<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>'
                    '</joint></robot>')
    return main(["inertia", "--recompute", "--write", *arguments, str(path)])


def test_findings_on_replaced_inertias_are_left_out(tmp_path, capsys):
    path = tmp_path / "r.urdf"
    # An impossible inertia (I001), and a link without mass (C001).
    assert write_robot(path, IMPOSSIBLE + SHAPE, SHAPE, "--density", "2") == 0
    assert capsys.readouterr().err == f"{path}: 2 inertias written\n"
    assert load_file(path).diagnostics == ()
    # A root without mass (C004).
    assert write_robot(path, SHAPE, SHAPE, "--json", "--density", "2") == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_findings_on_other_inertias_stay(tmp_path, capsys):
    path = tmp_path / "r.urdf"
    assert write_robot(path, IMPOSSIBLE, SHAPE, "--density", "2") == 1
    error = capsys.readouterr().err
    assert "link 'base': the inertia is physically impossible" in error and "C001" not in error
    assert f"{path}: 1 inertia written\n" in error
    # Nothing is computed: the link without mass stays, too.
    assert write_robot(path, IMPOSSIBLE, "") == 1
    error = capsys.readouterr().err
    assert "I001" in error and "C001" in error and f"{path}: no inertia written\n" in error


def test_what_was_assumed_for_the_written_inertia_is_told(path, capsys):
    path.write_text(AUTO.replace("<density>1</density>", ""))
    assert main(["inertia", "--write", str(path)]) == 0
    assert "I003 auto-inertia-default-density" in capsys.readouterr().err


def test_an_impossible_inertia_stays_an_error_when_the_links_around_it_get_a_mass(tmp_path, capsys):
    """Lumped into the base with its new mass, the tip is only a warning for the next reading: it must not vanish."""
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r"><link name="base">{SHAPE}</link><link name="tip">{IMPOSSIBLE}</link>'
                    '<joint name="j" type="fixed"><parent link="base"/><child link="tip"/></joint></robot>')
    assert main(["inertia", "--write", str(path)]) == 1
    assert "link 'tip': the inertia is physically impossible" in capsys.readouterr().err
    assert [d.code for d in load_file(path).diagnostics] == ["I027"]


def test_findings_stay_if_the_file_cannot_be_written(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sdf_frames.document.writing.write_whole", lambda *_: (_ for _ in ()).throw(OSError("full")))
    assert write_robot(tmp_path / "r.urdf", IMPOSSIBLE + SHAPE, SHAPE) == 1
    error = capsys.readouterr().err
    assert "I001" in error and "C001" in error and "written" not in error.replace("cannot be written", "")
