"""docs/reference/json.md lists the fields that the commands print, no more and no fewer, with their types."""

import json
import re
from pathlib import Path

import pytest

from sdf_frames.cli import main

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "json.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
#: A massless link on a moving joint (a warning with related places; TF has more than the SDF).
URDF = """<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="k" type="continuous"><parent link="a"/><child link="c"/></joint></robot>"""
SDF = '<sdf version="1.12"><model name="m"><link name="l"/><frame name="f" attached_to="x"/></model></sdf>'
TYPES = {"string": (str,), "boolean": (bool,), "list": (list,), "object": (dict,), "number": (int, float),
         "null": (type(None),)}


def read_table(title: str) -> dict:
    """Types by field name, of the table below a heading."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([a-z ]+) \|", section, re.MULTILINE)
    return {name: tuple(t for word in kind.split(" or ") for t in TYPES[word]) for name, kind in rows}


@pytest.fixture
def answers(tmp_path, monkeypatch, capsys):
    """What a command prints about a URDF, and about an SDF that has an error."""
    monkeypatch.chdir(tmp_path)
    Path("r.urdf").write_text(URDF)
    Path("m.sdf").write_text(SDF)

    def answers(command):
        main([command, "--json", "r.urdf", *(["m.sdf"] if command != "convert" else [])])
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return answers


def compare(title: str, objects: list, sometimes: set = frozenset()) -> None:
    """Every object has the fields of a table, of the table's types."""
    table = read_table(title)
    assert objects, title
    for value in objects:
        assert set(table) - sometimes <= set(value) <= set(table), title
        wrong = {name: field for name, field in value.items()
                 if not isinstance(field, table[name]) or (isinstance(field, bool) and bool not in table[name])}
        assert not wrong, title


def test_uris_and_bundles(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mesh = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    (tmp_path / "a.stl").touch()
    (tmp_path / "r.urdf").write_text(URDF.replace("</inertial>", "</inertial>" + mesh.format("package://t/a.stl")
                                                  + mesh.format("gone.stl"), 1))
    (tmp_path / "package.xml").write_text("<package><name>t</name></package>")
    main(["uri", "--json", "r.urdf"])
    uris = json.loads(capsys.readouterr().out)["uris"]
    compare("A URI", uris)
    assert [bool(uri["place"]) for uri in uris] == [bool(uri["path"]) for uri in uris] == [True, False]
    main(["convert", "--json", "r.urdf", "--bundle", "b", "--print-resource-path"])
    answer = json.loads(capsys.readouterr().out)
    compare("convert", [answer])
    compare("A bundle", [answer["bundle"]])


def test_check_and_its_diagnostics(answers):
    robots = answers("check")
    compare("check", robots, {"becomes", "convertible", "known_errors"})
    assert [set(r) - set(robots[1]) for r in robots] == [{"convertible"}, set()]
    compare("A diagnostic", [d for r in robots for d in r["diagnostics"]], {"column"})


def test_frames(answers):
    robots = answers("frames")
    compare("frames", robots)
    scopes = [s for r in robots for s in r["scopes"]]
    compare("A scope", scopes, {"left_out"})
    assert any(s.get("left_out") for s in scopes)
    compare("A frame", [f for s in scopes for f in s["frames"]])
    compare("A joint", [j for s in scopes for j in s["joints"]])


def test_inertia(answers):
    robots = answers("inertia")
    compare("inertia", robots)
    compare("An inertia", [x for r in robots for x in r["links"]], {"collisions"})
    compare("A total", [x for r in robots for x in r["totals"]])


def test_convert(answers):
    robots = answers("convert")
    compare("convert", robots, {"bundle", "gz_sim_resource_path"})
    compare("A row of the report", [x for r in robots for x in r["report"]])


def test_doctor(capsys):
    main(["doctor", "--json"])
    compare("doctor", [json.loads(capsys.readouterr().out)])
