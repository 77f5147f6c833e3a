"""Files that cannot be written, are too large or need a program that is not there: one finding, and nothing else goes
wrong."""
import json
import shutil
import sys
from pathlib import Path

import pytest
from urdf_text import link, robot

from sdf_frames.cli import main
from sdf_frames.document.budget import Budget
from sdf_frames.load import LoadOptions, load_file

MODEL = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'
ROBOT = robot(link("l", 1))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "m.sdf").write_text(MODEL)
    (tmp_path / "r.urdf").write_text(ROBOT)
    return tmp_path


@pytest.mark.parametrize("command, name", [("convert", "r.urdf"), ("to-urdf", "m.sdf"), ("upgrade", "m.sdf")])
@pytest.mark.parametrize("output, problem", [("taken", "Is a directory"), ("r.urdf/x", "Not a directory")])
def test_an_unwritable_output_is_one_error(folder, capsys, command, name, output, problem):
    assert main([command, "--json", name, "-o", output]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["valid"] is False
    assert [(d["name"], d["severity"], d["message"], d["file"], d["line"], d["path"])
            for d in answer["diagnostics"]] == [
        ("file-unwritable", "error", f"cannot write {output}: {problem}", output, None, None)]
    assert sorted(p.name for p in folder.iterdir()) == ["m.sdf", "r.urdf", "taken"]
    assert (folder / "r.urdf").read_text() == ROBOT
    # --output-dir makes its own folder.
    assert main([command, "--json", name, "--output-dir", "taken/new"]) == 0
    assert len(list((folder / "taken" / "new").iterdir())) == 1


@pytest.mark.parametrize("command, name",
                         [("convert", "r.urdf"), ("to-urdf", "m.sdf"), ("upgrade", "m.sdf"), ("print", "m.sdf")])
def test_a_folder_for_one_output_is_made_only_where_asked(folder, capsys, command, name):
    assert main([command, name, "-o", "takne/new/x.sdf"]) == 1
    err = capsys.readouterr().err
    assert "cannot write takne/new/x.sdf: No such file or directory" in err and "--parents" in err
    assert not (folder / "takne").exists()
    assert main([command, name, "-o", "takne/new/x.sdf", "--parents"]) == 0
    assert (folder / "takne" / "new" / "x.sdf").is_file()


def test_one_output_that_cannot_be_written_stops_no_other(folder, capsys):
    (folder / "n.sdf").write_text(MODEL)
    (folder / "taken" / "m.sdf").mkdir()
    assert main(["upgrade", "--json", "m.sdf", "n.sdf", "--output-dir", "taken"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [[d["name"] for d in a["diagnostics"]] for a in answers] == [["file-unwritable"], []]
    assert (folder / "taken" / "n.sdf").is_file()


@pytest.mark.parametrize("name, hint", [("m.sfd", "did you mean 'm.sdf'?"), ("./m.sd", "did you mean 'm.sdf'?"),
                                        ("zzz", None), ("none/m.sdf", None)])
def test_a_file_that_is_not_there_has_the_nearest_as_its_hint(folder, capsys, name, hint):
    assert main(["check", "--json", name]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (finding["name"], finding["hint"]) == ("file-unreadable", hint)


@pytest.mark.parametrize("installed", [True, False])
def test_a_xacro_file_that_is_not_there(folder, capsys, monkeypatch, installed):
    """The file is missing, whether or not xacro is, too."""
    if not installed:
        monkeypatch.setitem(sys.modules, "xacro", None)
    assert main(["check", "--json", "no.urdf.xacro"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (finding["name"], "No such file" in finding["message"]) == ("file-unreadable", True)


def test_a_models_folder_stands_for_the_file_that_its_config_names(folder, capsys):
    (folder / "arm").mkdir()
    (folder / "arm" / "model.config").write_text(
        '<model><sdf version="1.4">old.sdf</sdf><sdf version="1.9">new.sdf</sdf><sdf version="1.99">later.sdf</sdf>'
        '</model>')
    for name in ("old.sdf", "new.sdf", "later.sdf"):
        (folder / "arm" / name).write_text(MODEL)
    for command in (["check"], ["frames"], ["upgrade"], ["to-urdf"]):
        assert main([*command, "--json", "arm", "m.sdf"]) == 0
        assert [json.loads(line)["file"] for line in capsys.readouterr().out.splitlines()] == ["arm/new.sdf", "m.sdf"]
    (folder / "arm" / "new.sdf").unlink()
    assert main(["check", "--json", "arm"]) == 1
    unclear, finding = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (unclear["name"], finding["name"]) == ("model-config-unclear", "model-config-incomplete")


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="no /dev/zero here")
def test_a_device_without_an_end_is_one_error(capsys):
    assert main(["check", "--json", "--limit", "bytes=1000", "/dev/zero"]) == 1
    assert [d["name"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["xml-too-large"]
    assert [d.name
            for d in load_file("/dev/zero", LoadOptions(budget=Budget(bytes=1000))).diagnostics] == ["xml-too-large"]


def test_a_fix_that_cannot_be_written_is_an_error(tmp_path, capsys, monkeypatch):
    file = tmp_path / "m.sdf"
    text = '<sdf version="1.6"><model name="m"><link name="a"/><frame name="a"/></model></sdf>'
    file.write_text(text)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", "some.part")

    monkeypatch.setattr("sdf_frames.document.writing.write_whole", refuse)
    assert main(["check", "--json", "--fix", str(file)]) == 1
    found = {d["name"]: d for d in json.loads(capsys.readouterr().out)["diagnostics"]}
    assert "file-unwritable" in found and file.read_text() == text
    # What remains says still how it is mended.
    assert [fix["message"] for fix in found["name-renamed"]["fixes"]] == ["rename <frame> 'a' to 'a_frame'"]


@pytest.mark.parametrize("words, warned", [
    ("convert r.urdf -o new.urdf", "new.urdf is written as SDFormat, but its suffix is that of URDF"),
    ("to-urdf m.sdf -o new.SDF", "new.SDF is written as URDF, but its suffix is that of SDFormat"),
    ("convert r.urdf -o new.sdf", ""), ("convert r.urdf -o new.world", ""), ("convert r.urdf --output-dir new", "")])
def test_a_name_that_is_that_of_the_other_format_is_a_warning(folder, capsys, words, warned):
    assert main([*words.split(), "--json"]) == 0
    found = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["name"] == "output-suffix"]
    assert [d["message"] for d in found] == [warned][:bool(warned)] and (folder / words.split()[-1]).exists()


def test_upgrade_replaces_its_input_only_in_place(folder, capsys):
    assert main(["upgrade", "--in-place", "m.sdf"]) == 0
    assert 'version="1.12"' in (folder / "m.sdf").read_text()
    capsys.readouterr()
    for name, problem in (("-", "needs files, not standard input"), ("m.sdf.xacro", "is a xacro file")):
        with pytest.raises(SystemExit, match="2"):
            main(["upgrade", "--in-place", name])
        assert problem in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "uri", "frames"])
def test_a_folder_without_a_description_says_what_would_be_one(folder, capsys, command):
    assert main([command, "--json", "taken"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert found["message"] == "cannot read taken: this folder has no robot description"
    assert "model.config" in found["hint"]


# Outputs that would overwrite what is read, or what is of another kind. Of a {name}, the file of that name.
REFUSED = [
    "check --write-baseline r.urdf m.sdf", "check m.sdf --write-baseline m.sdf", "check m.sdf --write-baseline note.py",
    "check m.sdf --write-baseline .sdf_frames.toml",
    "view --html m.sdf r.urdf", "view m.sdf --html m.sdf", "view m.sdf --html note.py",
    "diff m.sdf r.urdf --html m.sdf", "diff m.sdf r.urdf --html note.py",
    "graph r.urdf --format dot -o r.urdf", "graph r.urdf -o r.urdf --format svg",
    "graph r.urdf -o note.py --format dot",
    "convert r.urdf -o r.urdf", "convert r.urdf -o note.py", "convert r.urdf -o other.urdf",
    "print m.sdf -o m.sdf", "print m.sdf --output-dir .", "print world.sdf -o m.sdf", "print m.sdf -o note.py",
    "upgrade m.sdf -o m.sdf", "upgrade m.sdf --output-dir .", "upgrade world.sdf -o m.sdf", "upgrade world.sdf -o link",
    "upgrade world.sdf -o hard", "to-urdf m.sdf -o m.sdf", "to-urdf m.sdf -o note.py",
    "view textured.sdf --png skin.png", "diff textured.sdf m.sdf --png skin.png",
    pytest.param("graph textured.sdf -o skin.png", marks=pytest.mark.skipif(
        shutil.which("dot") is None, reason="Graphviz's dot is not installed")), "batch upgrade m.sdf --to note.py"]


@pytest.mark.parametrize("words", REFUSED)
def test_no_output_overwrites_an_input_or_another_kind(folder, words, capsys):
    """What is refused is wrong usage, and every file is as it was."""
    command = words.split()[0]
    needed = {"view": ("viser", "pyvista"), "diff": ("viser", "pyvista"), "batch": ("pyarrow",)}
    for module in needed.get(command, ()):
        pytest.importorskip(module)
    (folder / "note.py").write_text("print('mine')\n")
    (folder / ".sdf_frames.toml").write_text("strict = true\n")
    (folder / "other.urdf").write_text(ROBOT)
    (folder / "world.sdf").write_text(
        '<sdf version="1.9"><world name="w"><include><uri>m.sdf</uri></include></world></sdf>')
    (folder / "link").symlink_to("m.sdf")
    (folder / "hard").hardlink_to(folder / "m.sdf")
    (folder / "skin.png").write_bytes(b"\x89PNG\r\n\x1a\nmine")
    (folder / "textured.sdf").write_text(
        '<sdf version="1.11"><model name="t"><link name="l"><collision name="c">'
        '<geometry><box><size>1 1 1</size></box></geometry></collision><visual name="v">'
        '<geometry><box><size>1 1 1</size></box></geometry><material><pbr><metal><albedo_map>skin.png</albedo_map>'
        '</metal></pbr></material></visual></link></model></sdf>')
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    try:
        status = main(words.split())
    except SystemExit as leaving:
        status = leaving.code
    said = capsys.readouterr()
    assert status == 2 and sum("name a" in line for line in said.err.splitlines()) == 1, said
    assert ("X030 output-refused" in said.err) == ("skin.png" in words or " world.sdf -o" in words), said
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("words", [
    "check r.urdf --write-baseline known.json", "view r.urdf --html page.html", "diff m.sdf r.urdf --html page.html",
    "graph r.urdf -o g.dot", "graph r.urdf -o g.mmd", "graph r.urdf -o g.txt", "graph r.urdf -o g.svg",
    "convert r.urdf -o r.sdf", "print m.sdf -o flat.sdf", "upgrade m.sdf --output-dir up",
    "to-urdf r.sdf -o back.urdf"])
def test_every_output_replaces_itself(folder, words, capsys):
    needed = {"view": ("viser",), "diff": ("viser",)}
    for module in needed.get(words.split()[0], ()):
        pytest.importorskip(module)
    if "r.sdf -o" in words:
        assert main(["convert", "r.urdf", "-o", "r.sdf"]) == 0
    first, second = [(main(words.split()), {path.name for path in folder.rglob("*")}) for _ in range(2)]
    assert first == second and first[0] != 2, capsys.readouterr()


@pytest.mark.parametrize(("command", "output"), [("print", "m.sdf"), ("upgrade", "m.sdf"), ("to-urdf", "r.urdf")])
@pytest.mark.parametrize("is_last", [False, True])
def test_no_output_replaces_a_file_that_another_input_includes(command, output, is_last, folder, capsys):
    """Also not before that one is read; files that nobody includes are replaced."""
    for name, uri in ("top", f"<include><uri>../{output}</uri></include>"), (Path(output).stem, ""):
        (folder / "taken" / f"{name}.sdf").write_text(
            f'<sdf version="1.9"><model name="other"><link name="k"/>{uri}</model></sdf>')
    files, before = ["taken/top.sdf", f"taken/{Path(output).stem}.sdf"], (folder / output).read_text()
    with pytest.raises(SystemExit, match="^2$"):
        main([command, *files[::-1 if is_last else 1], "--output-dir", "."])
    assert f"./{output} would overwrite its input taken/../{output}; name another" in capsys.readouterr().err
    assert (folder / output).read_text() == before and not (folder / f"top.{output.split('.')[1]}").exists()
    for _ in range(2):
        assert main([command, *files, "--output-dir", "new"]) == 0
