"""Computed inertias on their way into a file: which links are wanted, what is written, and what is said of the rest."""
import os
import re

import pytest

from sdf_frames.cli import main
from sdf_frames.convert.report import Row
from sdf_frames.inertia.declare import Places, find_places, find_robot_places, write_file
from sdf_frames.inertia.result import InertiaResult, LinkInertia
from sdf_frames.load import load_file, load_text

SDF = '<sdf version="1.12">\n<model name="m">\n<link name="a"/>\n<link name="b"/>\n</model>\n</sdf>\n'


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(SDF)
    return path


def test_every_link_that_is_found_is_written(path):
    wanted = {2: LinkInertia("a", 2.0), 3: LinkInertia("b", 3.0)}
    assert write_file(str(path), SDF.encode(), Places(wanted, [])) == ()
    assert [(x.name, x.mass) for x in load_file(path).inertias().links] == [("a", 2), ("b", 3)]


def test_only_eight_links_are_named(path):
    (found,) = write_file(str(path), SDF.encode(), Places({}, [f"l{i}" for i in range(10)]))
    assert "l7" in found.message and "l8" not in found.message


def test_a_file_in_which_nothing_changes_is_not_touched(path):
    os.utime(path, (5, 5))
    before = os.stat(path)
    assert len(write_file(str(path), SDF.encode(), Places({}, ["l"]))) == 1
    assert (os.stat(path).st_ino, os.stat(path).st_mtime) == (before.st_ino, 5)
    assert write_file(str(path.parent / "gone.sdf"), b"", Places({}, [])) == ()  # nobody wants anything of it


def test_a_file_that_was_edited_meanwhile_is_not_touched(path):
    edited = SDF.replace('<link name="a"/>', "")
    path.write_text(edited)
    (found,) = write_file(str(path), SDF.encode(), Places({2: LinkInertia("a", 2.0)}, []))
    assert found.name == "file-unwritable" and "it has changed since it was read" in found.message
    assert path.read_text() == edited


@pytest.mark.parametrize(("name", "text", "finding", "said"), [
    ("gone.sdf", None, "file-unwritable", "No such file or directory"),
    ("m.sdf.xacro", SDF, "inertia-not-written", "xacro"),
    ("wide.sdf", SDF.encode("utf-16").decode("latin-1"), "inertia-not-written", "not in UTF-8")])
def test_a_file_that_cannot_be_written_is_one_error(tmp_path, name, text, finding, said):
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="latin-1")
    content = path.read_bytes() if text is not None else SDF.encode()
    (found,) = write_file(str(path), content, Places({2: LinkInertia("a", 2.0)}, []))
    assert found.name == finding and said in found.message and found.file == str(path)
    assert not path.exists() if text is None else path.read_text(encoding="latin-1") == text


def test_findings_quote_the_text_that_they_are_about(path, capsys):
    """Not the one that was written: its lines have moved."""
    line = '<link name="b"><colour/></link>'
    path.write_text(SDF.replace('<link name="a"/>', f'<link name="a"><inertial auto="true"/>{BOX}</link>').replace(
        '<link name="b"/>', line))
    assert main(["inertia", "--write", str(path)]) == 0
    assert f"| {line}\n" in capsys.readouterr().err and path.read_text().splitlines()[3] != line


BOX = '<collision name="c"><density>1</density><geometry><box/></geometry></collision>'


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
    places = find_robot_places(loaded.robot, report, InertiaResult(links))
    assert places == ({1: links[0], 2: links[1]}, [])
