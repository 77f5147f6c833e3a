"""Whatever a name holds, a line of output stays one line."""
import json
import re

import pytest

from sdf_frames.cli import main
from sdf_frames.diagnostics import Diagnostic, Related
from sdf_frames.diagnostics.model import Edit, Fix
from sdf_frames.diagnostics.render import render_github, render_text, to_json

NAMES = {"a line break": ("a&#10;error", "a\\nerror"), "a tab": ("a&#9;b", "a\\tb"),
         "a terminal's control": ("a&#155;31m", "a\\x9b31m"),
         "right to left": ("a&#x202e;b", "a\\u202eb"), "a mark": ("a&#x200f;b", "a\\u200fb"),
         "an Arabic mark": ("a&#x61c;b", "a\\u061cb"),
         "no width": ("a&#x200b;b", "a\\u200bb"), "a tag": ("a&#xe0041;b", "a\\U000e0041b"),
         "another blank": ("a&#xa0;b", "a\\xa0b"), "a wide blank": ("a&#x3000;b", "a\\u3000b"),
         "delete": ("a&#127;b", "a\\x7fb")}


@pytest.fixture(params=NAMES)
def model(request, tmp_path):
    """A file whose names hold control characters and whose joint is wrong; how such a name is to be shown."""
    written, shown = NAMES[request.param]
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m"><link name="{written}"/><link name="c"/>\n'
                    f'<joint name="j{written}" type="fixed"><parent>c</parent><child>{written}</child></joint>\n'
                    f'<frame name="f{written}" attached_to="{written}"/><link name="{written}"/></model></sdf>')
    return path, shown


@pytest.mark.parametrize("command",
    [["check"], ["frames"], ["inertia"], ["graph"], *(["graph", "--kind", k] for k in ("frame", "pose", "kinematic")),
                                     ["check", "--format", "github"], ["check", "--fix"]])
def test_control_characters_are_written_out(model, command, capsys):
    path, shown = model
    main([*command, str(path)])
    out, err = capsys.readouterr()
    text = out + err
    assert shown in text
    assert all(c.isprintable() or c == "\n" for c in text)
    assert not any(line.startswith("error") for line in text.splitlines())


@pytest.mark.parametrize("command", ["check", "frames", "inertia", "graph"])
def test_json_is_safe_for_a_terminal_and_exact(model, command, capsys):
    path, shown = model
    main([command, "--json", str(path)])
    line = capsys.readouterr().out
    assert all(c.isprintable() for c in line.removesuffix("\n"))
    name = shown.encode().decode("unicode_escape")
    assert json.dumps(name)[1:-1] in line and name in str(flatten(json.loads(line)))


def flatten(value) -> str:
    """All texts in a value, as they are."""
    if isinstance(value, dict):
        return "".join(map(flatten, value.values()))
    return "".join(map(flatten, value)) if isinstance(value, list) else str(value)


EVIL = "\x1b]0;t\x07\x9b2J\u202e\udc9b\nerror: x"
SHOWN = "\\x1b]0;t\\x07\\x9b2J\\u202e\\udc9b\\nerror: x"


@pytest.mark.parametrize("command", [
    ["check"], ["check", "--format", "github"], ["check", "--fix"], ["frames"], ["inertia"], ["inertia", "--write"],
    ["graph"], ["print"], ["upgrade"],
    ["to-urdf", "--report"], ["convert", "--report"], ["convert", "-o", "{folder}/" + EVIL + "/x/y", "--parents"],
    ["convert", "--output-dir", "{folder}/" + EVIL]])
@pytest.mark.parametrize("content", [
    None, "<", '<sdf version="1.12"/>', '<robot name="r"><link name="a"/></robot>',
    '<sdf version="1.12"><model name="m"><link name="a"/><frame name="a"/></model></sdf>'])
def test_no_file_name_reaches_the_terminal_as_it_is(command, content, tmp_path, capsys):
    path = tmp_path / (EVIL + ".sdf")
    if content is not None:
        path.write_text(content)
    (tmp_path / EVIL).write_text("in the way of folders")
    command = [word.format(folder=tmp_path) for word in command]
    for names in ([path], [path, path.with_name("b" + EVIL)]):
        try:
            main([*command, *map(str, names)])
        except SystemExit as stop:
            assert stop.code == 2
    out, err = capsys.readouterr()
    assert all(c.isprintable() or c == "\n" for c in out + err)
    assert not any(line.startswith("error") for line in (out + err).splitlines())
    assert content is not None or SHOWN in out + err


@pytest.mark.parametrize("words", [
    ["check", "--" + EVIL.replace(" ", ""), "x"], [EVIL], ["check", "--format", EVIL, "x"],
    ["check", "--error", EVIL, "x"], ["explain", EVIL], ["describe", EVIL],
    ["inertia", "--density", EVIL, "x"], ["print", "--precision", EVIL, "x"],
    ["upgrade", "--output-dir", EVIL, f"a/{EVIL}.sdf", f"b/{EVIL}.sdf"]])
def test_no_argument_reaches_the_terminal_as_it_is(words, capsys):
    try:
        assert main(words) == 2
    except SystemExit as stop:
        assert stop.code == 2
    err = capsys.readouterr().err
    assert all(c.isprintable() or c == "\n" for c in err)
    assert "u202e" in err
    assert not any(line.startswith("error") for line in err.splitlines())


def test_every_format_has_the_column(tmp_path, monkeypatch, capsys):
    """As gcc writes it; SARIF 2.1.0, 3.30.6; the columns of workflow commands."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text('<sdf version="1.12"><model name="m"><link name="ä"/><frame name="f"\n'
                                    ' attached_to="nope"/><link name="ä"/></model></sdf>')
    (tmp_path / "m.xacro").write_text('<robot name="m"/>')
    outputs = {}
    for form in ("text", "json", "github", "sarif"):
        assert main(["check", "--format", form, "m.sdf"]) == 1
        outputs[form] = "".join(capsys.readouterr())
    wanted = [(2, 15), (2, 34)]
    assert {line.split(" ")[0] for line in outputs["text"].splitlines() if ": error" in line} == {
        f"m.sdf:{a}:{b}:" for a, b in wanted}
    found = json.loads(outputs["json"])["diagnostics"]
    assert sorted((d["line"], d["column"]) for d in found) == wanted
    assert [(r["line"], r["column"]) for d in found for r in d["related"]] == [(1, 49)]
    assert all(f"file=m.sdf,line={a},col={b}," in outputs["github"] for a, b in wanted)
    (run,) = json.loads(outputs["sarif"])["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
    assert sorted((r["startLine"], r["startColumn"]) for r in regions) == wanted
    related = [r for result in run["results"] for r in result.get("relatedLocations", ())]
    assert [r["physicalLocation"]["region"] for r in related] == [{"startLine": 1, "startColumn": 49}]


def make(file="a.sdf", line=3, path="/sdf", hint="look", related=(), column=5, **more):
    return Diagnostic("F001", "attached", "error", "wrong", file, line, path, hint, related, "NONE", column, **more)


@pytest.mark.parametrize(("found", "source", "lines"), [
    (make(), "  <a>\t<b/> \n", ["a.sdf:3:5: error F001 attached: wrong", "    | <a> <b/>", "    at /sdf",
                                "    hint: look"]),
    (make(column=None, path=None, hint=None), None, ["a.sdf:3: error F001 attached: wrong"]),
    (make(line=None), "", ["a.sdf: error F001 attached: wrong", "    at /sdf", "    hint: look"]),
    (make(file=None, line=None, path=None, hint=""), " ", ["error F001 attached: wrong"]),
    (make(file=None, path=None, hint=""), None, [":3:5: error F001 attached: wrong"]),
    (make(path=None, hint=None, related=(
        Related("one", 4, "/sdf/x", "a.sdf"), Related("two", None, "/y", "b.sdf"), Related("three", 6, None, None),
        Related("four", None, None, "a.sdf"))), None,
     ["a.sdf:3:5: error F001 attached: wrong", "    see one (line 4, /sdf/x)", "    see two (b.sdf, /y)",
      "    see three (line 6)", "    see four"])])
def test_a_finding_as_text(found, source, lines):
    assert render_text(found, source).split("\n") == lines


@pytest.mark.parametrize(("source", "shown"), [
    ("x" * 120, "x" * 120), ("x" * 121, "x" * 120 + "…"), (" " * 999 + "yz", "y"), (" " * 1000 + "z", None)])
def test_long_lines_are_cut(source, shown):
    """The first 120 characters; a line may be megabytes long, of which the first thousand are looked at."""
    assert [line for line in render_text(make(), source).split("\n") if "|" in line] == (
        [f"    | {shown}"] if shown else [])


def test_a_finding_as_json():
    plain = {"code": "F001", "name": "attached", "severity": "error", "message": "wrong", "file": "a.sdf", "line": 3,
             "column": 5, "path": "/sdf", "hint": "look", "related": [], "sdformat": "NONE"}
    assert to_json(make()) == plain
    full = make(related=(Related("one", 4, "/x", "b.sdf", 6),), fixes=(Fix("mend", (Edit(1, 2, 3, 4, "t"),)),))
    assert to_json(full) == {
        **plain, "related": [{"message": "one", "line": 4, "column": 6, "path": "/x", "file": "b.sdf"}],
        "fixes": [{"message": "mend", "edits": [
            {"line": 1, "column": 2, "end_line": 3, "end_column": 4, "text": "t"}]}]}


@pytest.mark.parametrize(("found", "said"), [
    (make(), "::error file=a.sdf,line=3,col=5,title=F001 attached::wrong%0Alook"),
    (make("a%b:,\r.sdf", None, hint=None, column=None)._replace(severity="warning"),
     "::warning file=a%25b%3A%2C\\r.sdf,title=F001 attached::wrong"),
    (make(None, None, column=None, hint="a,b: c")._replace(severity="info"),
     "::notice title=F001 attached::wrong%0Aa,b: c")])
def test_a_finding_as_an_annotation(found, said):
    assert render_github(found) == said


@pytest.mark.parametrize("command", [
    ["check"], ["frames"], ["inertia"], ["uri"], ["graph"], ["diff", "::warning::a.sdf"], ["check", "--statistics"]])
def test_no_line_is_a_command_of_the_service_that_runs_it(command, tmp_path, monkeypatch, capsys):
    """GitHub takes ``::`` behind nothing but blanks, and as Azure does, ``##[`` and ``##vso[`` anywhere."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "::warning::a.sdf").write_text(
        '<sdf version="1.9"><model name="##[error]m"><link name="::error::l">\n<visual name="##vso[x]"><geometry><mesh>'
        '<uri>::set-env::</uri></mesh></geometry></visual></link><link/></model></sdf>')
    main([*command, "::warning::a.sdf"])
    out, err = capsys.readouterr()
    assert out + err and not [line for line in (out + err).splitlines() if re.match(r"\s*::|.*##(vso)?\[", line)]


def test_an_annotation_names_the_file_as_it_is(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "::a.urdf").write_text("<robot/>")
    main(["check", "--format", "github", "::a.urdf"])
    assert capsys.readouterr().out.startswith("::error file=%3A%3Aa.urdf,line=1,")
