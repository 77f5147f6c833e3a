"""The work on one description of a batch: its row, its findings, and what is written."""
import hashlib
from dataclasses import replace

import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.batch import work
from sdf_frames.batch.sources import Item
from sdf_frames.batch.work import Outcome, Task, do_work, make_row, read_item

URDF = ('<robot name="arm">\n<link name="l"><colour/><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link></robot>')
BAD = '<sdf version="1.9"><model name="m"><link name="l"/><frame name="f" attached_to="no"/></model></sdf>'


def do(text, task=Task(), name="a/m.sdf"):
    return do_work(Item(name, "sub/m", text), task)


def head(task=Task(), name="a/m.sdf"):
    return {"path": name, "command": task.command, "tool_version": sf.__version__, "key": task.key}


def test_the_row_and_the_findings_of_a_description():
    found = do(URDF)
    assert 0 < found.row.pop("seconds") < 60
    assert found.row == {
        **head(), "verdict": "valid", "kind": "urdf", "name": "arm", "version": None, "links": 1, "joints": 0,
        "frames": 2, "resolved": True, "convertible": True, "mass": 3.0, "errors": 0, "warnings": 1, "infos": 0,
        "codes": [("R029", 1)], "hash": hashlib.sha256(URDF.encode()).hexdigest(), "bytes": len(URDF)}
    (finding,) = found.findings
    (said,) = sf.loads(URDF, file="a/m.sdf").findings
    assert finding == {"path": "a/m.sdf", "code": "R029", "name": "urdf-content-unknown", "severity": "warning",
                       "message": said.message, "file": "a/m.sdf", "line": 2, "element": said.path, "hint": said.hint}


def test_a_robot_that_cannot_be_read_has_no_mass_but_a_name():
    """Of two roots, the inertia is unknown."""
    row = do(robot(link("a", 1), link("b", 2), name="loose"), Task(command="inertia")).row
    assert (row["verdict"], row["name"], row.get("mass"), row["resolved"]) == ("invalid", "loose", None, False)


def test_codes_are_counted_and_sorted():
    text = BAD.replace("<link", "<colour/><odd/><link")
    assert do(text).row["codes"] == [("F001", 1), ("S003", 2)]
    assert (do(text).row["errors"], do(text).row["warnings"]) == (1, 2)


def test_findings_on_inertias_are_those_of_inertia():
    auto = ('<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>'
            "<mesh><uri>no.stl</uri></mesh></geometry></collision></link></model></sdf>")
    codes = {command: [code for code, _ in do(auto, Task(command)).row["codes"]] for command in ("check", "inertia")}
    assert set(codes["inertia"]) >= set(codes["check"]) and do(auto, Task("inertia")).row["verdict"] == "invalid"


def test_a_description_that_is_known_is_not_worked_on():
    digest = hashlib.sha256(URDF.encode()).hexdigest()
    assert do_work(Item("a", "a", URDF), Task(), digest) is None
    assert do_work(Item("a", "a", URDF), Task(), "0").row["hash"] == digest


@pytest.mark.parametrize(("error", "reason"), [
    (OSError(13, "Permission denied"), "Permission denied"), (ValueError("no text"), "no text"),
    (ImportError("no fsspec"), "no fsspec"), (RuntimeError("it is encrypted"), "it is encrypted"),
    (EOFError(), "EOFError")])
def test_what_cannot_be_read_has_a_row(monkeypatch, error, reason):
    def fail(item, most):
        raise error
    monkeypatch.setattr(work, "read_item", fail)
    found = do(URDF)
    assert found.row.pop("seconds") >= 0 and found == Outcome({**head(), "verdict": "unreadable", "reason": reason})


def test_a_defect_of_ours_has_a_row_but_too_little_memory_ends_the_worker(monkeypatch):
    def fail(error):
        def load(*_):
            raise error
        return load
    monkeypatch.setattr(work, "read_text", fail(RuntimeError("a defect")))
    found = do(URDF)
    assert found.row.pop("seconds") >= 0 and found.row == {
        **head(), "verdict": "failed", "reason": "RuntimeError: a defect", "bytes": len(URDF),
        "hash": hashlib.sha256(URDF.encode()).hexdigest()}
    monkeypatch.setattr(work, "read_text", fail(MemoryError()))
    with pytest.raises(MemoryError):
        do(URDF)


SDF = '<sdf version="1.6"><model name="m"><link name="l"><inertial><mass>2</mass></inertial></link></model></sdf>'


@pytest.mark.parametrize(("command", "text", "version", "file", "start"), [
    ("convert", URDF, "1.12", "sub/m.sdf", '<sdf version="1.7">'),
    ("upgrade", SDF, "1.9", "sub/m.sdf", '<sdf version="1.9">'),
    ("upgrade", SDF, "1.7", "sub/m.sdf", '<sdf version="1.7">'),
    ("to-urdf", SDF, "1.12", "sub/m.urdf", '<robot name="m">')])
def test_what_is_written(tmp_path, command, text, version, file, start):
    task = Task(command, {}, str(tmp_path / "out"), version)
    found = do(text, task)
    assert (found.row["output"], found.row["verdict"]) == (str(tmp_path / "out" / file), "valid")
    assert (tmp_path / "out" / file).read_text().startswith(f'<?xml version="1.0"?>\n{start}')
    assert do(text, replace(task, output=None)).row["output"] is None
    assert "output" not in do(text, Task("check", {}, str(tmp_path / "check"))).row
    assert not (tmp_path / "check").exists()


def test_why_nothing_is_written_is_a_finding_once(tmp_path):
    models = "".join(f'<model name="{name}"><link name="l"/></model>' for name in "ab")
    two = f'<sdf version="1.9"><world name="w">{models}</world></sdf>'
    found = do(two, Task("to-urdf", {}, str(tmp_path)))
    assert found.row["output"] is None and found.row["verdict"] == "invalid" and found.row["errors"] == 1
    again = do(BAD, Task("to-urdf", {}, str(tmp_path)))
    assert [f["code"] for f in again.findings].count("F001") == 1 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("command", "text", "version", "code", "output"), [
    ("upgrade", URDF, "1.12", "S020", None), ("convert", SDF, "1.12", "C050", None),
    ("to-urdf", URDF, "1.12", "C064", None), ("upgrade", SDF, "1.5", "S002", None),
    ("convert", URDF.replace('ixx="1"', 'ixx="9"'), "1.12", "I001", "sub/m.sdf"),
    ("to-urdf", URDF.replace('ixx="1"', 'ixx="9"'), "1.12", "C064", None)])
def test_a_batch_refuses_and_writes_what_its_command_does(tmp_path, command, text, version, code, output):
    row = do(text, Task(command, {}, str(tmp_path), version)).row
    assert (row["verdict"], dict(row["codes"]).get(code)) == ("invalid", 1)
    assert row["output"] == (output and str(tmp_path / output))
    assert [str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.*")] == ([output] if output else [])


def test_content_comes_from_the_text_the_file_or_a_url(tmp_path):
    pytest.importorskip("fsspec")
    path = tmp_path / "m.sdf"
    path.write_bytes(b"\xef\xbb\xbfx\xff")
    assert read_item(Item("a", "a", "\u00e9")) == "\u00e9".encode()
    assert read_item(Item(str(path), "m")) == read_item(Item("u", "m", within=f"file://{path}")) == b"\xef\xbb\xbfx\xff"
    with pytest.raises(FileNotFoundError):
        read_item(Item(str(tmp_path / "gone"), "m"))


@pytest.mark.parametrize("limits, verdict", [({"bytes": 99}, "invalid"), ({"bytes": 100}, "valid"), ({}, "valid")])
def test_a_description_is_never_cut(tmp_path, limits, verdict):
    """The limit is that of one description, and a larger one has an error: it is not judged by what fits."""
    path = tmp_path / "m.sdf"
    path.write_bytes(b'<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'.ljust(100))
    found = do_work(Item(str(path), "m"), Task(options={"limits": limits}))
    assert (found.row["verdict"], found.row["codes"]) == (verdict, [("X003", 1)] if limits.get("bytes") == 99 else [])


def test_options_are_those_of_load():
    massless = robot(link("a", 1), link("b"), joint("j", "floating", "a", "b"))
    assert do(massless).row["mass"] == 1 < do(massless, Task(options={"massless": "keep"})).row["mass"]


ROBOT = '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>{}</robot>'
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/></joint>'


@pytest.mark.parametrize("text", [
    "<sdf version='1.9'/>", "<robot>",
    "<sdf version='1.9'><world name='w'><model name='m'><link name='l'/><link name='l'/><frame name='f'/>"
    "<model name='n'><link name='l'/><link name='k'/><joint name='j' type='fixed'><parent>l</parent><child>k</child>"
    "</joint></model></model></world><model name='o'><link name='l'/></model></sdf>",
    ROBOT.format(JOINT.format("j", "fixed", "a", "b") + JOINT.format("k", "continuous", "b", "c")),
    ROBOT.format(JOINT.format("j", "fixed", "a", "b") + JOINT.format("j", "continuous", "b", "c")),
    ROBOT.format(JOINT.format("j", "continuous", "a", "b") + JOINT.format("k", "fixed", "a", "none"))])
def test_elements_are_counted_as_the_library_lists_them(text):
    robot, row = sf.loads(text), do(text).row
    assert (row["links"], row["joints"], row["frames"]) == (len(robot.links), len(robot.joints), len(robot.frames))


def test_a_row_of_nothing_but_a_verdict():
    task = Task("convert")
    assert make_row(Item("a", "b"), task, "crashed", reason="x") == {
        **head(task, "a"), "verdict": "crashed", "reason": "x"}
