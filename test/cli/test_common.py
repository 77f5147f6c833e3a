"""What all commands that read files share: what loading is told, and that one command reads an included file once."""
import io
import json
from importlib import import_module

import pytest

from sdf_frames.cli import main

MODEL = '<sdf version="1.12"><model name="{}"><link name="l"/></model></sdf>'


def test_the_files_of_a_command_share_what_they_include(tmp_path, monkeypatch, capsys):
    """The included file is upgraded and checked once; its finding is said of each."""
    from sdf_frames.sdf import included_tree
    prepared, real = [], included_tree.prepare_document
    monkeypatch.setattr(included_tree, "prepare_document", lambda document, *others: (
        prepared.append(document.file), real(document, *others))[1])
    (tmp_path / "part.sdf").write_text(MODEL.format("m").replace("/></model>", "><colour/></link></model>"))
    for name in "ab":
        (tmp_path / f"{name}.sdf").write_text(
            '<sdf version="1.12"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>')
    main(["check", "--json", str(tmp_path / "a.sdf"), str(tmp_path / "b.sdf")])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    part = str(tmp_path / "part.sdf")
    assert [[(d["name"], d["file"]) for d in answer["diagnostics"]] for answer in answers] == [
        [("element-unknown", part)]] * 2
    assert prepared == [part]


@pytest.mark.parametrize("limit", [len(MODEL), len(MODEL) - 1])
def test_standard_input_is_read_up_to_its_limit(limit, monkeypatch, capsys):
    """One byte more tells that it is too large."""
    load = import_module("sdf_frames.load")  # the package's name for it is the function
    asked, real = [], load.read_text
    monkeypatch.setattr(load, "read_text", lambda text, *others: asked.append(text) or real(text, *others))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MODEL.encode() + b" " * 9)))
    assert main(["uri", "--limit", f"bytes={limit}", "-"]) == 1
    (text,) = asked
    assert len(text) == limit + 1 and "xml-too-large" in capsys.readouterr().err
