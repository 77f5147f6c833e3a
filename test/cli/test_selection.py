"""Which findings count, and how much: options, settings, comments and what is known, together."""
import json
from argparse import ArgumentParser, Namespace

import pytest

from sdf_frames.cli import main
from sdf_frames.cli.config import Choices, ProjectSettings
from sdf_frames.cli.files import Sources
from sdf_frames.cli.selection import Selection, make_selection
from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.door import UNCONFINED


def make(code, severity="warning", file="m.sdf", path="/sdf"):
    return Diagnostic(code, "n", severity, "m", file, 1, path)


S003, F001, INFO = make("S003"), make("F001", "error"), make("C003", "info")


def apply(found, choices=Choices(), settings=ProjectSettings(), known=()):
    kept = Selection(choices, settings, dict(known)).apply(iter(found), "sdf", "m.sdf", Sources().read)
    return [(d.code, d.severity) for d in kept]


@pytest.mark.parametrize(("choices", "kept"), [
    (Choices(), [("S003", "warning"), ("F001", "error"), ("C003", "info")]),
    (Choices(ignore=frozenset(("S003", "F001"))), [("C003", "info")]),
    (Choices(error=frozenset(("S003", "C003"))), [("S003", "error"), ("F001", "error"), ("C003", "error")]),
    (Choices(strict=True), [("S003", "error"), ("F001", "error"), ("C003", "info")]),
    (Choices(frozenset(("S003",)), frozenset(("S003",)), True), [("F001", "error"), ("C003", "info")])])
def test_choices(choices, kept):
    found = [S003, F001, INFO]
    assert apply(found, choices) == apply(found, settings=ProjectSettings(choices=choices)) == kept
    per_file = (("*.sdf", choices), ("*.urdf", Choices(strict=True)))
    assert apply(found, settings=ProjectSettings(per_file=per_file)) == kept
    assert apply([], choices) == []


def test_options_settings_and_patterns_add_up():
    settings = ProjectSettings(choices=Choices(error=frozenset(("S003",))),
                               per_file=(("m.sdf", Choices(frozenset(("C003",)))),))
    assert apply([S003, F001, INFO], Choices(frozenset(("F001",))), settings) == [("S003", "error")]


def test_what_the_command_line_makes_an_error_the_settings_do_not_ignore():
    """A code that the command line itself ignores is ignored, as one that a comment or the baseline leaves out."""
    both, ignoring = frozenset(("S003", "F001")), Choices(frozenset(("S003", "F001")))
    for settings in (ProjectSettings(choices=ignoring), ProjectSettings(per_file=(("m.sdf", ignoring),))):
        assert apply([S003, F001, INFO], Choices(error=frozenset(("S003",))), settings) == [
            ("S003", "error"), ("C003", "info")]
        assert apply([S003, F001], Choices(ignore=frozenset(("S003",)), error=both), settings) == [("F001", "error")]
    known = {("m.sdf", "S003", "/sdf", S003.message): 1}
    assert apply([S003], Choices(error=both), ProjectSettings(choices=ignoring), known) == []


def test_patterns_are_for_the_checked_file_and_for_the_included_file_of_a_finding():
    included = make("S003", file="models/bin/model.sdf")
    for pattern in ("models/bin/*", "m.sdf"):
        assert apply([included], settings=ProjectSettings(per_file=((pattern, Choices(frozenset(("S003",)))),))) == []
        assert apply([included], settings=ProjectSettings(per_file=((pattern, Choices(strict=True)),))) == [
            ("S003", "error")]
    settings = ProjectSettings(per_file=(("models/*", Choices(frozenset(("S003",)))),))
    assert apply([S003, included], settings=settings) == [("S003", "warning")]


def test_what_is_known_is_left_out_after_all_else():
    known = {("m.sdf", "S003", "/sdf", S003.message): 1, ("m.sdf", "F001", "/other", F001.message): 1}
    assert apply([S003, S003, F001], known=known) == [("S003", "warning"), ("F001", "error")]
    assert apply([S003, F001], Choices(strict=True), known=known) == [("F001", "error")]


def build(**given):
    return make_selection(Namespace(**{"ignore": [], "error": [], "consumers": [], "strict": False, "baseline": None,
                                       "parser": ArgumentParser(prog="x"), "write_baseline": None,
                                       "settings": ProjectSettings(), "door": UNCONFINED, **given}))


def test_options_become_a_selection():
    settings = ProjectSettings("/a")
    assert build(ignore=["S003"], error=["F001", "F002"], strict=True, settings=settings) == Selection(
        Choices(frozenset(("S003",)), frozenset(("F001", "F002")), True), settings, {}, "")
    assert build() == Selection(Choices(), ProjectSettings(), {}, "")


def test_a_baseline_is_that_of_the_options_else_of_the_settings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("one", "two"):
        (tmp_path / "sub" / f"{name}.json").write_text(json.dumps(
            {"version": 2, "known": [{"file": "m.sdf", "code": name, "path": "", "message": "m", "count": 2}]}))
    one, two = ({("m.sdf", name, "", "m"): 2} for name in ("one", "two"))
    settings = ProjectSettings(baseline="sub/two.json")
    assert build(baseline="sub/one.json", settings=settings)[2:4] == (one, "sub")
    assert build(settings=settings)[2:4] == (two, "sub")
    assert build(baseline="sub/one.json", write_baseline="x", settings=settings)[2:4] == ({}, "")
    with pytest.raises(SystemExit, match="2"):
        build(baseline="gone.json")
    assert "gone.json: No such file or directory; --write-baseline creates it" in capsys.readouterr().err


URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>{}<link name="b"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""


@pytest.mark.parametrize("command", ["check", "convert", "frames", "inertia", "graph"])
@pytest.mark.parametrize(("settings", "comment", "status", "codes"), [
    ("", "", 0, ["C001"]), ('ignore = ["C001"]', "", 0, []), ("", "<!-- sdf_frames: ignore C001 -->", 0, []),
    ("strict = true", "", 1, ["C001"]), ('error = ["C001"]', "", 1, ["C001"]),
    ('[per-file."r.*"]\nignore = ["C001"]', "", 0, []), ('[per-file."s.*"]\nignore = ["C001"]', "", 0, ["C001"])])
def test_settings_and_comments_hold_for_every_command(command, settings, comment, status, codes, tmp_path, monkeypatch,
                                                      capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".sdf_frames.toml").write_text(settings)
    (tmp_path / "r.urdf").write_text(URDF.format(comment))
    assert main([command, "--json", "r.urdf"]) == status
    answer = json.loads(capsys.readouterr().out)
    assert [d["code"] for d in answer["diagnostics"] if d["severity"] != "info"] == codes
    assert answer["valid"] == (status == 0)


def test_the_baseline_of_the_settings_holds_for_every_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.urdf").write_text(URDF.format(""))
    assert main(["check", "--strict", "r.urdf", "--write-baseline", "known.json"]) == 0
    (tmp_path / ".sdf_frames.toml").write_text('baseline = "known.json"\nstrict = true')
    assert main(["convert", "r.urdf", "-o", "r.sdf"]) == 0
    assert "C001" not in capsys.readouterr().err
