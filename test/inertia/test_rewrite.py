"""Computed inertias in the text: what changes, what stays, and that reading it back gives the same."""
import pytest

from sdf_frames.cli import main
from sdf_frames.inertia import compute_inertias
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
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def inertias(path, **options):
    return {x.name: (x.mass, x.pose, x.inertia) for x in compute_inertias(load_file(path), **options).links}


@pytest.mark.parametrize("recompute", [False, True])
def test_reading_back_gives_what_was_computed(path, capsys, recompute):
    before = inertias(path, recompute=recompute)
    assert main(["inertia", "--write", *(["--recompute"] if recompute else []), str(path)]) == 0
    loaded = load_file(path)
    assert loaded.diagnostics == ()
    after = compute_inertias(loaded)
    assert {x.name: (x.mass, x.pose, x.inertia) for x in after.links} == before
    assert not any(x.auto for x in after.links)
    # A second time changes nothing.
    text = path.read_text()
    assert main(["inertia", "--write", str(path)]) == 0 and path.read_text() == text


def test_only_the_inertials_change(path, capsys):
    main(["inertia", "--write", str(path)])
    old, new = DOCUMENT.splitlines(), path.read_text(encoding="utf-8").splitlines()
    removed = ['      <inertial auto="true" />', "      <inertial auto='true'>", "        <mass>3</mass>",
               "        <pose>9 9 9 0 0 0</pose>"]
    kept = [line for line in old if line not in removed]
    rest = iter(new)
    assert all(line in rest for line in kept)
    added = [line.strip() for line in new if line not in old]
    assert added[:3] == ["<inertial>", "<pose>0 0 0 0 0 0</pose>", "<mass>6</mass>"]
    assert {line.split(">")[0] + ">" for line in added} == {
        "<inertial>", "<pose>", "<mass>", "<inertia>", "</inertia>",
        *(f"<{t}>" for t in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))}


def test_line_endings_stay(path, capsys):
    path.write_bytes(DOCUMENT.replace("\n", "\r\n").encode())
    main(["inertia", "--write", str(path)])
    content = path.read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n")


def test_included_links_and_urdf_are_not_written_into_the_wrong_file(tmp_path, path, capsys):
    world = tmp_path / "w.sdf"
    world.write_text('<sdf version="1.12"><world name="w"><include><uri>m.sdf</uri></include></world></sdf>')
    before = path.read_text(), world.read_text()
    assert main(["inertia", "--write", str(world)]) == 0
    assert (path.read_text(), world.read_text()) == before
    assert "I018" in capsys.readouterr().err


def test_standard_input_cannot_be_written(capsys):
    assert main(["inertia", "--write", "-"]) == 2
