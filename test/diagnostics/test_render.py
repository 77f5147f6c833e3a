"""Whatever a name holds, a line of output stays one line."""
import json

import pytest

from sdf_frames.cli import main

NAMES = {"a line break": ("a&#10;error", "a\\nerror"), "a tab": ("a&#9;b", "a\\tb"), "a terminal's control": ("a&#155;31m", "a\\x9b31m"),
         "right to left": ("a&#x202e;b", "a\\u202eb")}


@pytest.fixture(params=NAMES)
def model(request, tmp_path):
    """A file whose names hold control characters and whose joint is wrong; how such a name is to be shown."""
    written, shown = NAMES[request.param]
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m"><link name="{written}"/><link name="c"/>\n'
                    f'<joint name="j{written}" type="fixed"><parent>c</parent><child>{written}</child></joint>\n'
                    f'<frame name="f{written}" attached_to="{written}"/><link name="{written}"/></model></sdf>')
    return path, shown


@pytest.mark.parametrize("command", [["check"], ["frames"], ["inertia"], ["graph"], *(["graph", "--kind", k] for k in ("frame", "pose", "kinematic"))])
def test_control_characters_are_written_out(model, command, capsys):
    path, shown = model
    main([*command, str(path)])
    out, err = capsys.readouterr()
    text = out + err
    assert shown in text
    assert all(c.isprintable() or c == "\n" for c in text)
    assert not any(line.startswith("error") for line in text.splitlines())


def test_json_keeps_the_name(model, capsys):
    path, shown = model
    main(["frames", "--json", str(path)])
    frames = json.loads(capsys.readouterr().out)["scopes"][0]["frames"]
    assert frames[1]["name"] == shown.encode().decode("unicode_escape")


def test_sarif_names_files_as_uris(tmp_path, monkeypatch, capsys):
    """Percent-encoded bytes of the name, also where they are no UTF-8; rules and results refer to each other."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b,c:d%.sdf").write_text('<sdf version="1.12"><model name="m"/></sdf>')
    assert main(["check", "--format", "sarif", "a b,c:d%.sdf", "no\udcffne.sdf"]) == 1
    log = json.loads(capsys.readouterr().out)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]] == ["a%20b%2Cc%3Ad%25.sdf", "no%FFne.sdf"]
    assert [run["tool"]["driver"]["rules"][r["ruleIndex"]]["id"] for r in run["results"]] == [r["ruleId"] for r in run["results"]]
