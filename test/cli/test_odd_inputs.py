"""One answer for odd input: every command says the same code, file and line of it, and ends with the same status."""
import json
import zipfile

import pytest
from urdf_text import link

from sdf_frames.cli import main

XACRO = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
COMMANDS = {
    **{name: [name] for name in ("check", "frames", "graph", "inertia", "print", "convert", "to-urdf", "simplify",
                                 "uri", "upgrade")},
    "upgrade --to 1.0": ["upgrade", "--to", "1.0"], "check --fix": ["check", "--fix"],
    "inertia --write": ["inertia", "--write"], "convert --bundle": ["convert", "--bundle", "bundle"],
    "upgrade --bundle": ["upgrade", "--bundle", "bundle"], "to-urdf -o": ["to-urdf", "-o", "out.urdf"],
    "convert -o": ["convert", "-o", "out.sdf"], "simplify -o": ["simplify", "-o", "out.urdf"],
    "inertia --repair": ["inertia", "--repair"], "place": ["place", "--in", "a", "--xyz", "1", "0", "0"],
    "attach": ["attach", "--at", "a"], "reroot": ["reroot"], "cut": ["cut", "--from", "b"]}
#: What follows the name of the file.
AFTER = {"place": ["b"], "attach": ["part.urdf"], "reroot": ["b"]}
#: Commands that write another version without converting: what only a conversion or a check finds is not theirs.
UPGRADES = {"upgrade", "upgrade --bundle"}
#: Commands that change a robot without converting it.
EDITS = {"place", "attach", "reroot", "cut"}
#: The input, where its error is, and the commands that do not have this error.
ODD = {
    "an SRDF": ("robot.srdf", ("D001", "robot.srdf", 1), set()),
    "an empty file": ("empty.urdf", ("X002", "empty.urdf", 1), set()),
    "an error in a file that a xacro includes": ("robot.urdf.xacro", ("R036", "part.xacro", 3), {"uri", *UPGRADES}),
    "an error in the root of a xacro": ("unnamed.urdf.xacro", ("R001", "unnamed.urdf.xacro", 5), {"uri", *UPGRADES}),
    "a web page": ("page.html", ("X004", "page.html", 1), set()),
    "a folder": ("folder", ("X001", "folder", None), set()),
    "a name that does not exist": ("gone.urdf", ("X001", "gone.urdf", None), set()),
    "an overflow": ("far.urdf", ("C043", "far.urdf", 2), {"uri", "upgrade --to 1.0", *UPGRADES, *EDITS}),
    "an incomplete model.config": ("model/model.config", ("U008", "model/model.config", 1), set()),
    "a zip archive": ("robot.zip", ("X002", "robot.zip", 1), set())}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "model").mkdir()
    far = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1e200 0 0"/></joint>'
    texts = {
        "robot.srdf": '<robot name="r">\n<group name="g"><link name="a"/></group>\n</robot>', "empty.urdf": "",
        "robot.urdf.xacro": f'<?xml version="1.0"?>\n<!--\n\n-->\n<robot name="r" {XACRO}>\n{link("a", 1)}\n'
                            '<xacro:include filename="part.xacro"/>\n<joint name="j" type="fixed"><parent link="a"/>'
                            '<child link="b"/></joint></robot>',
        "unnamed.urdf.xacro": f'<?xml version="1.0"?>\n<!--\n\n-->\n<robot {XACRO}>\n{link("a", 1)}</robot>',
        "page.html": "<html><body/></html>", "model/model.config": "<model><name>m</name></model>",
        "part.urdf": f'<robot name="p">{link("p", 1)}</robot>',
        "far.urdf": f'<robot name="r">\n{link("a", 1)}\n{link("b", 1)}\n{far}\n</robot>'}
    texts["part.xacro"] = f'<robot {XACRO}>\n<link name="b">\n<inertial><mass value="x"/></inertial></link></robot>'
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    with zipfile.ZipFile(tmp_path / "robot.zip", "w") as archive:
        archive.writestr("robot.urdf", texts["far.urdf"])
    return tmp_path


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("command", COMMANDS)
def test_one_answer(odd, command, folder, capsys):
    name, wanted, others = ODD[odd]
    if name.endswith(".xacro"):
        pytest.importorskip("xacro")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    status = main([*COMMANDS[command], "--no-config", "--json", name, *AFTER.get(command, ())])
    row = json.loads(capsys.readouterr().out)
    errors = [(d["code"], d["file"], d["line"]) for d in row["diagnostics"] if d["severity"] == "error"]
    if command in others:
        assert wanted not in errors
        return
    assert errors[:1] == [wanted] and (status, row["valid"]) == (1, False)
    # to-urdf adds that this is a URDF, and place what to change in a xacro.
    assert {code for code, *_ in errors[1:]} <= {"C064", "C101"}
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("odd", ["an SRDF", "an empty file", "a web page", "a folder", "a name that does not exist",
                                 "an incomplete model.config", "a zip archive"])
def test_diff_and_view_say_the_same_of_what_is_no_robot(odd, folder, capsys):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    name, (code, *_), _ = ODD[odd]
    for status, words in ((2, ["diff", "far.urdf", name]), (1, ["view", name, "--html", "out.html"])):
        assert main([*words, "--no-config"]) == status
        said = capsys.readouterr()
        assert f"error {code} " in said.err and said.out == ""
    assert not (folder / "out.html").exists()


def test_a_link_to_nothing_is_not_its_own_suggestion(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.urdf").symlink_to("gone.urdf")
    assert main(["check", "robot.urdf"]) == 1
    assert capsys.readouterr().out.splitlines()[1] == "    hint: it is a link to a file that does not exist"
