"""Which findings count: settings of the project, comments in files, a baseline."""
import json
import sys

import pytest

from sdf_frames.cli import main
from sdf_frames.cli.config import matches
from sdf_frames.cli.known import find_spans

# A warning for each <colour>, an error for each frame.
MODEL = ('<sdf version="1.12"><model name="m">\n<link name="a"><colour/></link>\n<link name="b"><colour/></link>\n'
         '</model></sdf>')
BAD = MODEL.replace("</model>", '<frame name="f" attached_to="g"/></model>')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "worlds").mkdir()
    (tmp_path / "m.sdf").write_text(MODEL)
    (tmp_path / "worlds" / "bad.sdf").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(capsys, *arguments):
    """Exit status, and code and severity of each finding of each file."""
    status = main(["check", "--json", *arguments])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return status, [[(d["code"], d["severity"]) for d in answer["diagnostics"]] for answer in answers]


@pytest.fixture
def toml():
    """Settings can be read: Python 3.10 needs tomli for it, which ROS 2 Humble does not install."""
    pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")


S, F = ("S003", "warning"), ("F001", "error")


@pytest.mark.usefixtures("toml")
@pytest.mark.parametrize("text, wanted", [
    ("", [[S, S], [S, S, F]]), ('ignore = ["S003"]', [[], [F]]), ('ignore = ["element-unknown", "f001"]', [[], []]),
    ('error = ["S003"]', [[("S003", "error")] * 2, [("S003", "error")] * 2 + [F]]),
    ("strict = true", [[("S003", "error")] * 2, [("S003", "error")] * 2 + [F]]),
    ('per-file = { "worlds/*.sdf" = { ignore = ["F001"] } }', [[S, S], [S, S]]),
    ('per-file = { "worlds" = { ignore = ["S003"] }, "m.sdf" = { strict = true } }', [[("S003", "error")] * 2, [F]])])
@pytest.mark.parametrize("name, head", [(".sdf_frames.toml", ""),
                                        ("pyproject.toml", "[project]\nname = 'x'\n[tool.sdf_frames]\n")])
def test_settings_of_the_project(text, wanted, name, head, folder, capsys, monkeypatch):
    (folder / name).write_text(head + text)
    assert check(capsys, "m.sdf", "worlds/bad.sdf")[1] == wanted
    monkeypatch.chdir(folder / "worlds")  # those of a folder above count
    assert check(capsys, "../m.sdf", "bad.sdf")[1] == wanted
    assert check(capsys, "--no-config", "../m.sdf")[1] == [[S, S]]


@pytest.mark.parametrize(("pattern", "files"), [
    ("*.sdf", ["m.sdf", "a/b/m.sdf"]), ("a/*.sdf", ["a/b/m.sdf"]), ("a", ["a/b/m.sdf", "a/x.urdf"]),
    ("a/", ["a/b/m.sdf", "a/x.urdf"]), ("b", ["a/b/m.sdf"]), ("a/b", ["a/b/m.sdf"]), ("b/m.sdf", []),
    ("m.sdf", ["m.sdf", "a/b/m.sdf"]), ("?.urdf", ["a/x.urdf"]), ("x.urd?", ["a/x.urdf"])])
def test_patterns_name_files_and_folders(pattern, files, folder):
    assert [name for name in ("m.sdf", "a/b/m.sdf", "a/x.urdf") if matches(name, pattern)] == files
    assert [name for name in ("m.sdf", "a/b/m.sdf", "a/x.urdf")
            if matches(str(folder / name), pattern, str(folder))] == files


@pytest.mark.usefixtures("toml")
def test_paths_in_settings_lead_from_their_file(folder, capsys, monkeypatch):
    part = folder / "models" / "part"
    part.mkdir(parents=True)
    (part / "model.config").write_text('<model><name>p</name><sdf version="1.12">p.sdf</sdf></model>')
    (part / "p.sdf").write_text('<sdf version="1.12"><model name="p"><link name="l"/></model></sdf>')
    (folder / "worlds" / "w.sdf").write_text(
        '<sdf version="1.12"><world name="w"><include><uri>model://part</uri></include></world></sdf>')
    (folder / ".sdf_frames.toml").write_text('resource-path = ["models"]\nexclude = ["worlds/bad.sdf"]')
    monkeypatch.chdir(folder / "worlds")
    assert check(capsys, ".") == (0, [[]])
    assert main(["check", "--no-config", "w.sdf"]) == 1
    assert main(["print", "w.sdf"]) == 0 and '<model name="p">' in capsys.readouterr().out  # every command uses them
    (folder / "other.toml").write_text("")
    assert main(["check", "--config", str(folder / "other.toml"), "w.sdf"]) == 1


@pytest.mark.usefixtures("toml")
@pytest.mark.parametrize("text, said", [
    ('ignor = ["S003"]', "unknown setting 'ignor'; did you mean 'ignore'?"),
    ('ignore = "S003"', "ignore is not a list of strings"),
    ('ignore = ["S9999"]', "unknown code 'S9999'"), ("strict = 1", "strict is not true or false"),
    ("x = [", ".sdf_frames.toml: "),
    ('per-file = { "a" = ["S003"] }', "per-file 'a' is not a table"),
    ('per-file = { "a" = { exclude = [] } }', "per-file 'a': unknown setting")])
def test_wrong_settings_are_wrong_usage(text, said, folder, capsys):
    (folder / ".sdf_frames.toml").write_text(text)
    with pytest.raises(SystemExit, match="2"):
        main(["check", "m.sdf"])
    what, where = capsys.readouterr().err.splitlines()
    assert said in what and ".sdf_frames.toml" in what


def test_settings_need_tomli_on_python_3_10(folder, capsys, monkeypatch):
    for name in ("tomllib", "tomli"):
        monkeypatch.setitem(sys.modules, name, None)
    assert check(capsys, "m.sdf")[0] == 0  # nothing to read
    (folder / ".sdf_frames.toml").write_text("")
    with pytest.raises(SystemExit, match="2"):
        main(["check", "m.sdf"])
    assert "pip install tomli" in capsys.readouterr().err


def test_a_comment_in_front_of_an_element_suppresses_what_is_in_it(folder, capsys):
    comment = "<!-- sdf_frames: ignore S003 -->"
    for place, wanted in (('<link name="b">', [S]), ("<colour/></link>\n<link", [S]), ("<sdf", []), ("<model", []),
                          ("</model>", [])):
        (folder / "c.sdf").write_text(MODEL.replace(place, comment + place, 1))
        assert check(capsys, "c.sdf") == (0, [wanted]), place
    (folder / "c.sdf").write_text(BAD.replace("<frame", "<!-- sdf_frames: ignore element-unknown, F001 --><frame"))
    assert check(capsys, "c.sdf") == (0, [[S, S]])


def test_a_comment_that_suppresses_nothing_is_a_warning(folder, capsys):
    for comment, said in (("ignore", "no code is named"), ("ignore S9999", "unknown code 'S9999'"),
                          ("hide S003", "'hide' is unknown")):
        (folder / "c.sdf").write_text(MODEL.replace("<link", f"<!-- sdf_frames: {comment} --><link", 1))
        assert main(["check", "--json", "c.sdf"]) == 0
        *_, last = json.loads(capsys.readouterr().out)["diagnostics"]
        assert (last["name"], last["line"], last["column"]) == ("suppression-wrong", 2, 1) and said in last["message"]


def test_spans_of_comments():
    text = b'<a>\n <!-- sdf_frames: ignore S003 -->\n <b><c/></b>\n <d/>\n <!-- sdf_frames: ignore F001 -->\n</a>'
    spans, found = find_spans(text, "x")
    assert found == [] and spans == [(frozenset({"S003"}), (3, 2), (3, 13)), (frozenset({"F001"}), (1, 1), (6, 5))]


@pytest.mark.usefixtures("toml")
def test_a_baseline_leaves_only_what_is_new(folder, capsys, monkeypatch):
    assert main(["check", "m.sdf", "worlds/bad.sdf", "--write-baseline", "known.json"]) == 0
    assert capsys.readouterr() == ("", "known.json: known errors and warnings: 5\n")
    assert check(capsys, "m.sdf", "worlds/bad.sdf", "--baseline", "known.json") == (0, [[], []])
    # Lines may move, and a finding more of a kind is new.
    more = BAD.replace("</model>", '<link name="c"><colour/></link></model>')
    (folder / "worlds" / "bad.sdf").write_text("\n\n" + more)
    assert check(capsys, "worlds/bad.sdf", "--baseline", "known.json") == (0, [[S]])
    (folder / ".sdf_frames.toml").write_text('baseline = "known.json"')
    monkeypatch.chdir(folder / "worlds")
    assert check(capsys, "../m.sdf", "bad.sdf") == (0, [[], [S]])


@pytest.mark.parametrize("content", [None, "[]", "{", '{"known": [{}]}'])
def test_an_invalid_baseline_is_wrong_usage(content, folder, capsys):
    if content is not None:
        (folder / "known.json").write_text(content)
    with pytest.raises(SystemExit, match="2"):
        main(["check", "m.sdf", "--baseline", "known.json"])
    assert "--write-baseline" in capsys.readouterr().err


def test_watching_checks_again_after_a_change(folder, capsys, monkeypatch):
    from sdf_frames.cli import watching
    looks = []

    def change_then(seconds):
        looks.append(seconds)
        if len(looks) == 2:
            (folder / "m.sdf").write_text(BAD + " ")
    monkeypatch.setattr(watching.time, "sleep", change_then)
    statuses = []

    def work():
        statuses.append(main(["check", "m.sdf"]))
        return statuses[-1]
    assert watching.watch(["m.sdf"], work, rounds=2) == 1
    assert statuses == [0, 1] and len(looks) == 2

    def interrupt(seconds):
        raise KeyboardInterrupt
    monkeypatch.setattr(watching.time, "sleep", interrupt)
    assert main(["check", "--watch", "m.sdf"]) == 1
