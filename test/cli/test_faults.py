"""A defect of ours is a finding on the file that meets it; all other files are processed."""
import json

import pytest

from sdf_frames.cli import main

SDF = '<sdf version="1.12"><model name="{}"><link name="a"/><frame name="a"/></model></sdf>'
URDF = (
    '<robot name="{}"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
    '</robot>')
FAULTS = {
    "check": (["check"], "sdf_frames.frames.resolve.count_consequences", SDF),
    "convert --report": (["convert", "--report"], "sdf_frames.cli.report_table.render_report", URDF),
    "check --fix": (["check", "--fix"], "sdf_frames.writers.renamed.fix_names", SDF),
    "check --urdf": (["check", "--urdf"], "sdf_frames.checks.urdf_compatibility.check_urdf_compatibility", SDF),
    "check --assets": (["check", "--assets"], "sdf_frames.checks.assets.check_assets", SDF),
    "frames --relative-to": (["frames", "--relative-to", "a"], "sdf_frames.frames.resolve.express_scope", SDF),
    **{f"{command}, while {work}": ([command], place, SDF)
       for command in ("frames", "graph", "inertia", "print", "to-urdf")
       for work, place in (("checking", "sdf_frames.checks.root.check_names"),
                           ("resolving", "sdf_frames.frames.resolve.resolve_scope"))},
    "graph": (["graph"], "sdf_frames.cli.graph.draw", SDF),
    "inertia --write": (["inertia", "--write"], "sdf_frames.cli.inertia.write_inertias", SDF),
    "convert --output-dir": (["convert", "--output-dir", "{folder}/out"], "sdf_frames.document.writing.write_whole",
                             URDF)}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_one_file_leaves_the_others_alone(fault, tmp_path, monkeypatch, capsys):
    arguments, name, text = FAULTS[fault]
    for stem in ("one", "two"):
        (tmp_path / f"{stem}.xml").write_text(text.format(stem))

    def fail(*_, **__):
        raise RuntimeError("a defect")
    monkeypatch.setattr(name, fail)
    files = [str(tmp_path / f"{stem}.xml") for stem in ("one", "two")]
    assert main([*(word.format(folder=tmp_path) for word in arguments), "--json", *files]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["file"] for row in rows] == files
    assert [[d["code"] for d in row["diagnostics"]].count("X011") for row in rows] == [1, 1]
    assert not any(row["valid"] for row in rows)


def describe_mesh(uri: str, scale: float = 1, inside: str = "") -> str:
    return (f'<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true">{inside}</inertial>'
            f'<collision name="c"><geometry><mesh>'
            f'<uri>{uri}</uri><scale>{scale!r} {scale!r} {scale!r}</scale></mesh></geometry></collision></link>'
            f'</model></sdf>')


@pytest.fixture
def tetrahedron(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    return tmp_path / "m.sdf"


def read_codes(capsys, *words) -> list:
    main([*words, "--json", "m.sdf"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    return [word for d in found for word in (d["code"], d["name"])]


@pytest.mark.parametrize("method", ["auto", "exact", "voxel", "hull", "shell"])
@pytest.mark.parametrize("scale", [1e51, 1e150, -1e200, 1e308])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_mesh_too_large_to_compute_with_says_so(tetrahedron, capsys, method, scale):
    tetrahedron.write_text(describe_mesh("t.obj", scale))
    codes = read_codes(capsys, "inertia", "--method", method)
    assert "mesh-beyond-computation" in codes and "X011" not in codes


@pytest.mark.parametrize("size", ["1e51", "1e150", "1e308"])
def test_a_voxel_too_large_to_compute_with_says_so(tetrahedron, capsys, size):
    tetrahedron.write_text(describe_mesh("t.obj"))
    codes = read_codes(capsys, "inertia", "--method", "voxel", "--voxel-size", size)
    assert "mesh-beyond-computation" in codes and "X011" not in codes


def test_print_puts_inertias_into_what_another_parser_would_refuse(tmp_path, monkeypatch, capsys):
    """A replaced byte in the name of an element: lxml takes it, expat does not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_bytes(
        b'<sdf version="1.12"><model name="m"><link name="l"><x\xff/><inertial auto="true"/><collision name="c">'
                                     b'<geometry><box><size>1 1 1</size></box></geometry></collision></link></model>'
                                     b'</sdf>')
    codes = read_codes(capsys, "print", "--expand-auto-inertials")
    assert "I003" in codes and not {"I018", "X011"} & set(codes)


def test_the_finding_says_where_the_fault_is(tmp_path, monkeypatch, capsys):
    """The last place of the trace: where it was raised, not where it was caught."""
    path = tmp_path / "m.sdf"
    path.write_text(SDF.format("m"))

    def fail(*_, **__):
        raise RuntimeError("a defect")
    monkeypatch.setattr("sdf_frames.cli.graph.draw", fail)
    assert main(["graph", "--json", str(path)]) == 1
    messages = [d["message"] for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] == "X011"]
    assert len(messages) == 1
    assert f"RuntimeError: a defect at {__file__}:{fail.__code__.co_firstlineno + 1}" in messages[0]
