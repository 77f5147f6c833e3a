"""What all commands that read files share: a defect of ours at one file is a finding, and the next file is read."""
import json

import pytest

from sdf_frames.cli import main

MODEL = '<sdf version="1.12"><model name="{}"><link name="l"/></model></sdf>'


@pytest.mark.parametrize("command", ["check", "frames", "graph", "inertia", "print", "to-urdf"])
@pytest.mark.parametrize("place", ["sdf_frames.checks.names.check_names", "sdf_frames.frames.resolve.resolve_scope"])
def test_an_exception_is_one_error_of_one_file(tmp_path, monkeypatch, capsys, command, place):
    """Whether checking fails or resolving, which is done on demand."""
    import importlib
    module, _, name = place.rpartition(".")
    good, calls = getattr(importlib.import_module(module), name), []

    def fail_first(*args, **options):
        calls.append(args)
        if len(calls) == 1:
            raise RuntimeError("a defect")
        return good(*args, **options)
    monkeypatch.setattr(place, fail_first)
    for name in "ab":
        (tmp_path / f"{name}.sdf").write_text(MODEL.format(name))
    status = main([command, "--json", str(tmp_path / "a.sdf"), str(tmp_path / "b.sdf")])
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 2 and answers[1]["valid"]
    if calls:
        found = [d for d in answers[0]["diagnostics"] if d["name"] == "internal-error"]
        assert status == 1 and len(found) == 1 and "RuntimeError: a defect" in found[0]["message"]


def test_the_files_of_a_command_share_what_they_include(tmp_path, monkeypatch, capsys):
    """The included file is upgraded and checked once; its finding is said of each."""
    from sdf_frames.sdf import included_tree
    prepared, real = [], included_tree.prepare_document
    monkeypatch.setattr(included_tree, "prepare_document", lambda document, reading: (
        prepared.append(document.file), real(document, reading))[1])
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
