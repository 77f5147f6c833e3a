"""Known errors and warnings in a file: what it holds, and which findings it takes away."""
import json

import pytest

from sdf_frames.cli import main
from sdf_frames.cli.known import WrongBaseline, make_key, part_known, read_baseline, write_baseline
from sdf_frames.diagnostics import Diagnostic


def make(code="S003", path="/sdf", file="a/m.sdf", line=1):
    return Diagnostic(code, "n", "warning", "m", file, line, path)


def test_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    found = [make(), make(line=2), make("F001"), make(file=None, path=None), make(path="/b")]
    assert write_baseline("sub/known.json", iter(found)) == 5
    text = (tmp_path / "sub" / "known.json").read_text()
    assert text.endswith("\n") and json.loads(text) == {"sdf_frames": "baseline", "version": 1, "known": [
        {"file": "", "code": "S003", "path": "", "count": 1},
        {"file": "../a/m.sdf", "code": "F001", "path": "/sdf", "count": 1},
        {"file": "../a/m.sdf", "code": "S003", "path": "/b", "count": 1},
        {"file": "../a/m.sdf", "code": "S003", "path": "/sdf", "count": 2}]}
    assert read_baseline("sub/known.json") == {
        ("", "S003", ""): 1, ("../a/m.sdf", "F001", "/sdf"): 1, ("../a/m.sdf", "S003", "/b"): 1,
        ("../a/m.sdf", "S003", "/sdf"): 2}
    write_baseline("here.json", found[:1])
    assert read_baseline("here.json") == {("a/m.sdf", "S003", "/sdf"): 1}
    assert text.startswith('{\n "sdf_frames": "baseline",\n')  # a line each, for git


def test_as_many_findings_are_known_as_there_were():
    known = {("a/m.sdf", "S003", "/sdf"): 2, ("a/m.sdf", "F001", "/sdf"): 0}
    given = [make(line=1), make("F001"), make(line=2), make(path="/b"), make(line=3)]
    assert [(d.code, d.line, d.path) for d in part_known(iter(given), known, "")[0]] == [
        ("F001", 1, "/sdf"), ("S003", 1, "/b"), ("S003", 3, "/sdf")]
    assert known == {("a/m.sdf", "S003", "/sdf"): 2, ("a/m.sdf", "F001", "/sdf"): 0}


def test_files_are_named_from_the_folder_of_the_baseline(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert make_key(make(), "") == make_key(make(file=str(tmp_path / "a/m.sdf")), ".") == ("a/m.sdf", "S003", "/sdf")
    assert make_key(make(), "a") == ("m.sdf", "S003", "/sdf") and make_key(make(), "b")[0] == "../a/m.sdf"


@pytest.mark.parametrize(("content", "problem"), [
    (None, "known.json: No such file or directory; --write-baseline creates it"),
    *[(text, "known.json is not a baseline; --write-baseline creates one") for text in (
        "{", "[]", "{}", '{"known": 1}', '{"known": [{}]}', '{"known": [{"file": "a", "code": "b", "path": "c"}]}',
        '{"known": [{"file": "a", "code": "b", "path": "c", "count": "x"}]}',
        '{"known": [{"file": "a", "code": "b", "path": "c", "count": 1e999}]}', 100_000 * "[")]])
def test_what_is_no_baseline(content, problem, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / "known.json").write_text(content)
    with pytest.raises(WrongBaseline) as wrong:
        read_baseline("known.json")
    assert str(wrong.value) == problem


def test_a_file_with_known_errors_says_what_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    broken = '<sdf version="1.9"><model name="m"><link name="a"/>{}</model></sdf>'
    text = broken.format('<frame name="f" attached_to="x"/><frame name="g" attached_to="y"/><colour/>')
    (tmp_path / "m.sdf").write_text(text)
    assert main(["check", "m.sdf", "--write-baseline", "known.json"]) == 0
    for new, status, verdict in (("", 0, "valid but for 2 known errors"),
                                 ("<shape/>", 0, "valid but for 2 known errors (1 warning)"),
                                 ('<frame name="h" attached_to="z"/>', 1, "invalid (1 error)")):
        (tmp_path / "m.sdf").write_text(text.replace("</model>", f"{new}</model>"))
        capsys.readouterr()
        assert main(["check", "m.sdf", "--baseline", "known.json"]) == status
        assert capsys.readouterr().out.splitlines()[-1] == f"m.sdf: {verdict}"
    (tmp_path / "m.sdf").write_text(text)
    assert main(["check", "m.sdf", "--baseline", "known.json", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["valid"], answer["known_errors"], answer["diagnostics"]) == (True, 2, [])
