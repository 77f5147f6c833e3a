"""docs/reference/json.md lists the fields that the commands print, no more and no fewer, with their types.
"""
import json
from importlib.resources import files
from pathlib import Path

import pytest

from sdf_frames.cli import main

TOP = Path(__file__).resolve().parents[1]
PAGE = TOP / "docs" / "reference" / "json.md"
SCHEMA = json.loads((files("sdf_frames.cli") / "data" / "output.schema.json").read_text(encoding="utf-8"))
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
#: A massless link on a moving joint (a warning with related places; TF has more than the SDF).
URDF = """<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"/><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="k" type="continuous"><parent link="a"/><child link="c"/></joint></robot>"""
SDF = '<sdf version="1.12"><model name="m"><link name="l"/><frame name="f" attached_to="x"/></model></sdf>'
TYPES = {"string": (str,), "boolean": (bool,), "array": (list,), "object": (dict,), "number": (int, float),
         "null": (type(None),)}


def find_faults(value, schema: dict, place: str = "") -> list[str]:
    """Places where a value breaks a schema, or has a field that the schema does not know."""
    schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    types = [kind for name in kinds for kind in TYPES[name]]
    if not isinstance(value, tuple(types)) or isinstance(value, bool) and bool not in types:
        return [f"{place}: {value!r}"]
    faults = [f"{place}: {value!r}"] * (value not in schema.get("enum", [value]))
    if isinstance(value, dict) and "properties" in schema:
        faults += [f"{place}.{name}" for name in {*schema["required"]} - {*value} | {*value} - {*schema["properties"]}]
        for name in {*value} & {*schema["properties"]}:
            faults += find_faults(value[name], schema["properties"][name], f"{place}.{name}")
    if isinstance(value, list):
        faults += [place] * (not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)))
        for number, item in enumerate(value) if "items" in schema else ():
            faults += find_faults(item, schema["items"], f"{place}[{number}]")
    return faults


def test_the_check_of_the_schema_sees_what_it_looks_for():
    edit = {"line": 1, "column": 2, "end_line": 3, "end_column": 4, "text": "t"}
    fix = {"$ref": "#/$defs/a-fix"}
    assert find_faults({"message": "m", "edits": [edit]}, fix) == []
    for wrong in ({**edit, "line": "1"}, {**edit, "line": True}, {**edit, "more": 1},
                  {name: edit[name] for name in edit if name != "text"}):
        assert len(find_faults({"message": "m", "edits": [edit, wrong]}, fix)) == 1
    scope = {"kind": "model", "name": "m", "frames": [], "joints": [], "left_out": []}
    assert [find_faults({**scope, "kind": kind}, {"$ref": "#/$defs/a-scope"}) for kind in ("world", "robot")] == [
        [], [".kind: 'robot'"]]


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


def compare(title: str, objects: list) -> None:
    """Every object has the fields of a definition of the schema, with all that is in them."""
    assert objects, title
    assert [fault for value in objects for fault in find_faults(value, {"$ref": f"#/$defs/{title}"})] == []


def test_uris_and_bundles(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mesh = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
    (tmp_path / "a.stl").touch()
    (tmp_path / "r.urdf").write_text(URDF.replace("</inertial>", "</inertial>" + mesh.format("package://t/a.stl")
                                                  + mesh.format("gone.stl"), 1))
    (tmp_path / "package.xml").write_text("<package><name>t</name></package>")
    main(["uri", "--json", "r.urdf"])
    uris = json.loads(capsys.readouterr().out)["uris"]
    compare("a-uri", uris)
    assert [bool(uri["place"]) for uri in uris] == [bool(uri["path"]) for uri in uris] == [True, False]
    main(["convert", "--json", "r.urdf", "--bundle", "b", "--print-resource-path"])
    answer = json.loads(capsys.readouterr().out)
    compare("convert", [answer])
    compare("a-bundle", [answer["bundle"]])


def test_check_and_its_diagnostics(answers):
    robots = answers("check")
    compare("check", robots)
    assert [set(r) - set(robots[1]) for r in robots] == [{"convertible"}, set()]
    compare("a-diagnostic", [d for r in robots for d in r["diagnostics"]])


def test_a_diagnostic_with_a_fix(tmp_path, capsys):
    (tmp_path / "m.sdf").write_text(SDF.replace('"l"', '"__l__"'))
    main(["check", "--json", str(tmp_path / "m.sdf")])
    (answer,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    compare("check", [answer])
    assert any(d.get("fixes") for d in answer["diagnostics"])


def test_frames(answers):
    robots = answers("frames")
    compare("frames", robots)
    scopes = [s for r in robots for s in r["scopes"]]
    compare("a-scope", scopes)
    assert any(s.get("left_out") for s in scopes)
    compare("a-frame", [f for s in scopes for f in s["frames"]])
    compare("a-joint", [j for s in scopes for j in s["joints"]])


def test_inertia(answers):
    robots = answers("inertia")
    compare("inertia", robots)
    compare("an-inertia", [x for r in robots for x in r["links"]])
    compare("a-total", [x for r in robots for x in r["totals"]])


def test_place(tmp_path, capsys):
    """One that can be written, and one that cannot, of each format."""
    rows = []
    for name, text, part, frame in (("r.urdf", URDF, "urdf", "b"), ("m.sdf", SDF, "sdf", "l")):
        (tmp_path / name).write_text(text)
        for base in ("a", "__model__", "gone"):
            words = ["--in", base, "--xyz", "1", "2", "3", "--joint", "j=0", "--json"]
            main(["place", str(tmp_path / name), frame, *words])
            rows.append(json.loads(capsys.readouterr().out))
            assert part in rows[-1]
    compare("place", rows)
    assert {row["changes"] is None for row in rows} == {True, False}


def test_convert(answers):
    robots = answers("convert")
    compare("convert", robots)
    compare("a-row-of-the-report", [x for r in robots for x in r["report"]])


def test_doctor(capsys):
    main(["doctor", "--json"])
    compare("doctor", [json.loads(capsys.readouterr().out)])


@pytest.mark.parametrize("words, title", [
    *[(f"{command} r.urdf m.sdf gone.sdf", command)
      for command in ("check", "frames", "inertia", "simplify", "to-urdf", "print", "graph", "uri")],
    ("inertia --repair bad.urdf m.sdf gone.urdf", "inertia"), ("inertia --compare --recompute r.urdf m.sdf", "inertia"),
    ("to-urdf ok.sdf --bundle b", "to-urdf"), ("upgrade ok.sdf gone.sdf r.urdf", "upgrade"),
    ("print ok.sdf r.urdf", "print"),
    ("upgrade --to 1.2 r.urdf --bundle c", "upgrade"), ("graph r.urdf -o g.dot", "graph"),
    ("diff r.urdf m.sdf", "diff"), ("diff r.urdf bad.urdf", "diff"), ("diff r.urdf r.urdf", "diff"),
    ("check --statistics r.urdf m.sdf gone.sdf", "check-with-statistics"), ("explain", "explain"),
    ("explain --for drake,mujoco", "explain-for-programs"), ("describe", "describe"),
    ("describe link sensor pose inertia/mass", "describe")])
def test_every_command(answers, words, title, capsys):
    """Also for files that cannot be read. The schema as a whole accepts each object."""
    Path("ok.sdf").write_text(SDF.replace(' attached_to="x"', ""))
    Path("bad.urdf").write_text(URDF.replace('ixx="1"', 'ixx="9"', 1))
    main([*words.split(), "--json"])
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    compare(title, objects)
    assert {"$ref": f"#/$defs/{title}"} in SCHEMA["anyOf"]
    assert all(row["repairs"] or row["file"] != "bad.urdf" for row in objects if "--repair" in words)
    assert all(row["bundle"] for row in objects if "--bundle" in words)
