"""Known errors and warnings in a file: what it holds, and which findings it takes away."""
import json

import pytest
from urdf_text import joint, link, robot

from sdf_frames.cli import main
from sdf_frames.cli.known import WrongBaseline, count_stale, make_key, part_known, read_baseline, write_baseline
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.door import Door


def make(code="S003", path="/sdf", file="a/m.sdf", line=1, message="m"):
    return Diagnostic(code, "n", "warning", message, file, line, path)


def test_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    found = [make(), make(line=2), make("F001"), make(file=None, path=None), make(path="/b[3]/c")]
    assert write_baseline("sub/known.json", iter(found)) == 5
    text = (tmp_path / "sub" / "known.json").read_text()
    assert text.endswith("\n") and json.loads(text) == {"sdf_frames": "baseline", "version": 2, "known": [
        {"file": "", "code": "S003", "path": "", "message": "m", "count": 1},
        {"file": "../a/m.sdf", "code": "F001", "path": "/sdf", "message": "m", "count": 1},
        {"file": "../a/m.sdf", "code": "S003", "path": "/b/c", "message": "m", "count": 1},
        {"file": "../a/m.sdf", "code": "S003", "path": "/sdf", "message": "m", "count": 2}]}
    assert read_baseline("sub/known.json") == {
        ("", "S003", "", "m"): 1, ("../a/m.sdf", "F001", "/sdf", "m"): 1, ("../a/m.sdf", "S003", "/b/c", "m"): 1,
        ("../a/m.sdf", "S003", "/sdf", "m"): 2}
    write_baseline("here.json", found[:1])
    assert read_baseline("here.json") == {("a/m.sdf", "S003", "/sdf", "m"): 1}
    assert text.startswith('{\n "sdf_frames": "baseline",\n')  # a line each, for git


def test_as_many_findings_are_known_as_there_were():
    known = {("a/m.sdf", "S003", "/sdf", "m"): 2, ("a/m.sdf", "F001", "/sdf", "m"): 0}
    given = [make(line=1), make("F001"), make(line=2), make(path="/b"), make(line=3)]
    assert [(d.code, d.line, d.path) for d in part_known(iter(given), known, "")[0]] == [
        ("F001", 1, "/sdf"), ("S003", 1, "/b"), ("S003", 3, "/sdf")]
    assert known == {("a/m.sdf", "S003", "/sdf", "m"): 2, ("a/m.sdf", "F001", "/sdf", "m"): 0}


def test_files_are_named_from_the_folder_of_the_baseline(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    key = ("a/m.sdf", "S003", "/sdf", "m")
    assert make_key(make(), "") == make_key(make(file=str(tmp_path / "a/m.sdf")), ".") == key
    assert make_key(make(), "a") == ("m.sdf", *key[1:]) and make_key(make(), "b")[0] == "../a/m.sdf"
    assert make_key(make(message=f"no {tmp_path}/a/x.stl"), "a")[3] == "no x.stl"  # in another clone, too


INCLUDES = '<sdf version="1.9"><world name="w">{}</world></sdf>'


def check(text, capsys, *arguments):
    """Status, standard output and standard error of a check of m.sdf with this text."""
    with open("m.sdf", "w") as file:
        file.write(INCLUDES.format("".join(f"<include><uri>model://{name}</uri></include>\n" for name in text)))
    return (main(["check", "m.sdf", *arguments]), *capsys.readouterr())


def test_a_finding_is_told_by_what_it_says_not_by_its_number(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    old = [f"old_{i}" for i in range(12)]
    assert check(old, capsys, "--write-baseline", "known.json") == (
        0, "", "known.json: known errors and warnings: 12\n")
    for text, new in ((["new", *old], "new"), ([*old[:5], "other", *old[6:]], "other"), ([*reversed(old)], None)):
        status, out, err = check(text, capsys, "--baseline", "known.json", "--concise")
        assert status == out.count(": error ") == (new is not None)
        assert new is None or f"model://{new}" in out
        assert err.count("known.json: 1 known error or warning no longer occurs") == (new == "other")


def test_what_no_longer_occurs_is_told_and_changes_no_status(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check(["a", "b"], capsys, "--write-baseline", "known.json")
    assert check(["a", "b"], capsys, "--baseline", "known.json")[2] == ""
    status, out, err = check([], capsys, "--baseline", "known.json", "--json")
    assert (status, json.loads(out)["valid"], err) == (
        0, True, "known.json: 2 known errors or warnings no longer occur; --write-baseline renews the file\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "known.json").rename(tmp_path / "sub" / "known.json")  # its paths lead from its folder
    assert check(["a", "b"], capsys, "--baseline", "sub/known.json")[::2] == (
        1, "sub/known.json: 2 known errors or warnings no longer occur; --write-baseline renews the file\n")
    known = {make_key(make(file=name), ""): 1 for name in ("m.sdf", "gone.sdf")}
    (tmp_path / "other.sdf").touch()
    assert count_stale(known, [], ["other.sdf"], "", Door()) == 1, "m.sdf is there, but was not checked"


@pytest.mark.parametrize(("content", "problem"), [
    (None, "known.json: No such file or directory; --write-baseline creates it"),
    *[(text, "known.json is not a baseline; --write-baseline creates one") for text in (
        "{", "[]", "{}", '{"known": 1}', '{"known": [{}]}', '{"known": [{"file": "a", "code": "b", "path": "c"}]}',
        *[f'{{"version": 2, "known": [{{"file": "a", "code": "b", "path": "c", "message": "d", "count": {count}}}]}}'
          for count in ('"x"', "1e999")], 100_000 * "[")],
    ('{"version": 1, "known": [{"file": "a", "code": "b", "path": "c", "count": 1}]}',
     "known.json is a baseline of another version of sdf_frames; --write-baseline renews it")])
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


def test_what_a_known_cause_explains_is_known(tmp_path, monkeypatch, capsys):
    """The missing mesh is told once, as U016 for both programs; Drake has a finding of its own (L003)."""
    monkeypatch.chdir(tmp_path)
    mesh = '<visual><geometry><mesh filename="none.obj"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(robot(link("a", 2, mesh)))
    words = ["check", "r.urdf", "--assets", "--for", "gazebo,drake", "--json"]
    assert main(words) == 1
    assert [d["code"] for d in json.loads(capsys.readouterr().out)["diagnostics"]] == ["U016"]
    main([*words, "--write-baseline", "known.json"])
    capsys.readouterr()
    assert main([*words, "--baseline", "known.json"]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_one_of_several_alike_is_mended_or_added(tmp_path, monkeypatch, capsys):
    """One finding stands for all: with fewer places nothing is new, with one more it is."""
    monkeypatch.chdir(tmp_path)

    def check(*content, words=("--baseline", "known.json", "--strict")):
        (tmp_path / "r.urdf").write_text(robot(*[link(f"l{i}", 1, inside) for i, inside in enumerate(content)], *[
            joint(f"j{i}", "fixed", "l0", f"l{i}") for i in range(1, len(content))]))
        return main(["check", "r.urdf", *words])
    assert check("<foo/>", "<foo/>", "", words=("--write-baseline", "known.json")) == 0
    every = [("<foo/>", "<foo/>", ""), ("<foo/>", "", ""), ("", "<foo/>", ""), ("<foo/>", "<foo/>", "<foo/>")]
    assert [check(*content) for content in every] == [0, 0, 0, 1]
