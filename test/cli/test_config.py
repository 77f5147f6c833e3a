"""Settings of a project: which file they come from, what they say, and what is wrong with them."""
import json
import os
import re
import sys

import pytest

from sdf_frames.cli import main
from sdf_frames.cli.config import Choices, ProjectSettings, WrongSettings, find_settings, matches, read_settings

pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")

EVERYTHING = """ignore = ["S003", "frame-attached-to-unknown"]
error = ["r029"]
strict = true
resource-path = ["models", "/opt/models"]
exclude = ["old", "*.bak"]
baseline = "known.json"
[per-file."worlds/*.sdf"]
ignore = ["U002"]
[per-file.x]
error = ["I001"]
strict = true
"""


def test_everything_that_settings_say(tmp_path):
    (tmp_path / "own.toml").write_text(EVERYTHING)
    folder = str(tmp_path)
    assert read_settings(str(tmp_path / "own.toml")) == ProjectSettings(
        folder, Choices(frozenset(("S003", "F001")), frozenset(("R029",)), True),
        (("worlds/*.sdf", Choices(frozenset(("U002",)))), ("x", Choices(error=frozenset(("I001",)), strict=True))),
        (os.path.join(folder, "models"), "/opt/models"), ("old", "*.bak"), os.path.join(folder, "known.json"))
    (tmp_path / "empty.toml").write_text("")
    assert read_settings(str(tmp_path / "empty.toml")) == ProjectSettings(folder)
    assert ProjectSettings() == ProjectSettings(".", Choices(frozenset(), frozenset(), False), (), (), (), None)


def test_choices_for_a_file_are_those_of_all_patterns_that_match(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, two, three = (frozenset((code,)) for code in ("S003", "F001", "I001"))
    settings = ProjectSettings(".", Choices(one), (("a", Choices(two, three)), ("*.sdf", Choices(strict=True))))
    assert settings.choices_for("b/m.urdf") == Choices(one)
    assert settings.choices_for("a/m.urdf") == Choices(one | two, three)
    assert settings.choices_for("b/m.sdf") == Choices(one, strict=True)
    assert settings.choices_for("a/m.sdf") == Choices(one | two, three, True)


@pytest.mark.parametrize(("files", "ignored"), [
    ({}, None),
    ({".sdf_frames.toml": 'ignore = ["S003"]'}, "S003"),
    ({"pyproject.toml": '[tool.sdf_frames]\nignore = ["S003"]'}, "S003"),
    ({".sdf_frames.toml": 'ignore = ["S003"]', "pyproject.toml": '[tool.sdf_frames]\nignore = ["F001"]'}, "S003"),
    ({".sdf_frames.toml": 'ignore = ["S003"]', "sub/pyproject.toml": '[tool.sdf_frames]\nignore = ["F001"]'}, "F001"),
    # A pyproject.toml of others does not end the search, whatever it holds.
    ({".sdf_frames.toml": 'ignore = ["S003"]', "sub/pyproject.toml": "[tool.other]"}, "S003"),
    ({".sdf_frames.toml": 'ignore = ["S003"]', "sub/pyproject.toml": "broken = ["}, "S003"),
    ({".sdf_frames.toml": 'ignore = ["S003"]', "sub/pyproject.toml": 'a = "tool.sdf_frames"'}, "S003"),
    ({".sdf_frames.toml": 'ignore = ["S003"]', "sub/pyproject.toml": '[tool]\nx = "tool.sdf_frames"'}, "S003"),
    ({".sdf_frames.toml": 'ignore = ["S003"]', "sub/.sdf_frames.toml/x": ""}, "S003")])
def test_the_nearest_file_counts(files, ignored, tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path / "sub")
    found = find_settings()
    assert found.choices.ignore == (frozenset((ignored,)) if ignored else frozenset())


@pytest.mark.parametrize(("text", "problem"), [
    ("x = 1", "unknown setting 'x'; the settings are ignore, error, strict, per-file, resource-path, exclude, "
              "xacro-args, baseline, untrusted, for"),
    ('ignor = ["S003"]', "unknown setting 'ignor'; did you mean 'ignore'?"),
    ('[tool.sdf_frames]\nignore = ["S003"]',
     "unknown setting 'tool'; only pyproject.toml has [tool.sdf_frames]: leave it out here"),
    ('ignore = "S003"', "ignore is not a list of strings"), ("error = [1]", "error is not a list of strings"),
    ('exclude = ["a", 1]', "exclude is not a list of strings"), ("baseline = 1", "baseline is not a text"),
    ('strict = "yes"', "strict is not true or false"), ('per-file = "x"', "per-file is not a table"),
    ("resource-path = true", "resource-path is not a list of strings"),
    ("untrusted = 1", "untrusted is not true or false"),
    ('per-file = { "a" = ["S003"] }', "per-file 'a' is not a table; write { ignore = [...] }"),
    ('per-file = { "a" = { strct = true } }', "per-file 'a': unknown setting 'strct'; did you mean 'strict'?"),
    ('per-file = { "a" = { exclude = [] } }', "per-file 'a': unknown setting 'exclude'; the settings are ignore, "
                                              "error, strict, xacro-args"),
    ('xacro-args = "a:=1"', "xacro-args is not a list of strings"),
    ('xacro-args = ["a:=1", "b=2"]', "xacro-args: 'b=2' is not NAME:=VALUE"),
    ('per-file = { "a" = { strict = 1 } }', "per-file 'a': strict is not true or false"),
    ('error = ["Z999"]', "error: unknown code 'Z999'; 'sdf_frames explain' lists all"),
    ('per-file = { "a" = { ignore = ["Z999"] } }', "ignore: unknown code 'Z999'; 'sdf_frames explain' lists all")])
def test_what_is_wrong_with_settings(text, problem, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(WrongSettings) as wrong:
        read_settings(str(path))
    assert str(wrong.value) == f"{path}:1: {problem}"


@pytest.mark.parametrize(("text", "line"), [
    ("strict = true\n\nignor = []", 3), ("ignore = [\n'I001', # Z999\n'Z999']", 3), ("# strict = 1\n strict = 1", 2),
    ("ignore = []\n[per-file.'a.sdf']\nstrict = 1", 3), ("[per-file]\n'a' = {}\nb.error = ['F001', 'nope']", 3),
    ("strict = true\n[per-file]\n'a' = { ignore = [] }\n'b' = { strict = 1 }", 4), ("for = [\n'ros',\n'mars']", 3),
    ("[per-file.a]\nignore = ['I001']\n[per-file.b]\nignore = ['Z1']", 4)])
def test_what_is_wrong_has_its_line(text, line, tmp_path):
    for name, start in ((".sdf_frames.toml", ""), ("pyproject.toml", "[tool.x]\nstrict = 1\n[tool.sdf_frames]\n")):
        path = tmp_path / name
        path.write_text(start + (text if not start else text.replace("[per-file", "[tool.sdf_frames.per-file")))
        with pytest.raises(WrongSettings, match=re.escape(f"{path}:{line + start.count(chr(10))}: ")):
            read_settings(str(path))


@pytest.mark.parametrize("text", ["tool.sdf_frames = 3", "[tool]\nsdf_frames = 3", "[[tool.sdf_frames]]\nstrict = true",
                                  "[tool]\nsdf_frames = [{}]"])
def test_what_is_no_table(text, tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["check", "."])
    assert ended.value.code == 2
    assert ": tool.sdf_frames is not a table; write [tool.sdf_frames]\n" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[tool]\nother = 3", "\n" * 3_000_000], ids=["table", "hours in square time"])
def test_a_tool_table_of_others_has_no_settings(tmp_path, monkeypatch, text):
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_settings() == ProjectSettings()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("argv", [["--config", "pipe"], ["--config", os.devnull], ["--baseline", "pipe"],
                                  ["--config", "own.toml"], ["--baseline", os.devnull]])
def test_what_is_no_regular_file_holds_no_settings(argv, tmp_path, monkeypatch, capsys):
    """Nobody writes to the pipe; a device such as /dev/zero never ends."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "own.toml").write_text('baseline = "/dev/zero"')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["check", *argv, "."])
    assert ended.value.code == 2 and ": it is not a file\n" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_a_folder_is_one_unreadable_file(tmp_path, monkeypatch, capsys):
    os.mkfifo(tmp_path / "x.urdf")
    os.mkfifo(tmp_path / "y.urdf.xacro")
    os.mkfifo(tmp_path / ".sdf_frames.toml")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--json", "."]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["file"], d["name"], d["message"].rpartition(": ")[2]) for row in rows for d in row["diagnostics"]] == [
        (name, "file-unreadable", "it is not a file") for name in ("x.urdf", "y.urdf.xacro")]


def test_a_file_without_settings(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(WrongSettings) as wrong:
        read_settings(str(tmp_path / "pyproject.toml"))
    assert str(wrong.value) == f"{tmp_path / 'pyproject.toml'} has no table [tool.sdf_frames]"
    with pytest.raises(WrongSettings) as wrong:
        read_settings(str(tmp_path / "gone.toml"))
    assert str(wrong.value) == f"{tmp_path / 'gone.toml'}: No such file or directory"


@pytest.mark.parametrize("content, said", [
    (b"# " + b"-" * (1 << 20), "it has more than 1,048,576 bytes, too many for settings"),
    (b'ignore = ["a"]\n' + b"a." * 40_000 + b"a = 1", "line 2 has a key of more than 32 parts"),
    (b'"a.".' * 300 + b"a = 1", "line 1 has a key of more than 32 parts"),
    (rb'"\"".' + b"a . " * 40_000 + rb'"\"" = 1', "line 1 has a key of more than 32 parts"),
    (b"x = ['''\n\"''', {" + b"a.'\"'." * 300 + b"a = 1}, '''\"''']", "line 2 has a key of more than 32 parts")])
def test_settings_that_would_take_long_to_read_are_refused(tmp_path, content, said):
    (tmp_path / "own.toml").write_bytes(content)
    with pytest.raises(WrongSettings, match=said):
        read_settings(str(tmp_path / "own.toml"))


def test_texts_with_many_dots_are_fine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = 300 * [repr("a.urdf"), repr("..." * 99)]
    (tmp_path / ".sdf_frames.toml").write_text(f"# 1.2, {'1.0, ' * 99}\nexclude = [{', '.join(names)}]")
    (tmp_path / "b.sdf").write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    assert main(["check", "b.sdf"]) == 0


@pytest.mark.parametrize(("pattern", "files"), [
    ("*.sdf", ["m.sdf", "a/b/m.sdf"]), ("a/*.sdf", ["a/b/m.sdf"]), ("a", ["a/b/m.sdf", "a/x.urdf"]),
    ("a/", ["a/b/m.sdf", "a/x.urdf"]), ("b", ["a/b/m.sdf"]), ("a/b", ["a/b/m.sdf"]), ("b/m.sdf", []),
    ("m.sdf", ["m.sdf", "a/b/m.sdf"]), ("?.urdf", ["a/x.urdf"]), ("x.urd?", ["a/x.urdf"])])
def test_patterns_name_files_and_folders(pattern, files, tmp_path):
    assert [name for name in ("m.sdf", "a/b/m.sdf", "a/x.urdf") if matches(name, pattern)] == files
    assert [name for name in ("m.sdf", "a/b/m.sdf", "a/x.urdf")
            if matches(str(tmp_path / name), pattern, str(tmp_path))] == files


def test_settings_need_tomli_on_python_3_10(tmp_path, capsys, monkeypatch):
    for name in ("tomllib", "tomli"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.chdir(tmp_path)
    assert find_settings() == ProjectSettings()  # nothing to read
    (tmp_path / ".sdf_frames.toml").write_text("")
    with pytest.raises(SystemExit, match="2"):
        main(["check", "m.sdf"])
    assert "pip install tomli" in capsys.readouterr().err
