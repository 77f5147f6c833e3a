"""What all commands that read files share: what loading is told, and that one command reads an included file once."""
import io
import json
import sys

import pytest

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.document.budget import DEFAULT
from sdf_frames.load import LoadOptions

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


CONVERSION = ["--preserve-fixed-joints", "--massless", "keep"]
CONVERTED = {"preserve_fixed_joints": True, "massless": "keep"}


@pytest.mark.parametrize("command", ["check", "frames", "graph", "inertia", "print", "to-urdf"])
def test_what_loading_is_told(command, tmp_path, monkeypatch, capsys):
    """Options that a command does not have are those of the library."""
    asked, module = [], sys.modules["sdf_frames.load"]
    real = module.read_text

    def note(content, name, options):
        asked.append((content, name, options))
        return real(content, name)
    monkeypatch.setattr(module, "read_text", note)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.sdf").write_text(text := MODEL.format("m"))
    (tmp_path / "n.sdf").write_text(text)

    def ask(*words):
        asked.clear()
        main([command, *words])
        return asked[:]
    assert ask("m.sdf") == [(text.encode(), "m.sdf", LoadOptions())]
    shared = {"resource_paths": ("a", "b"), "budget": DEFAULT._replace(faces=7)}
    words = ["--resource-path", "a", "--resource-path", "b", "--limit", "faces=7", "m.sdf"]
    assert ask(*words) == [(text.encode(), "m.sdf", LoadOptions(**shared))]
    if command != "to-urdf":
        assert ask(*CONVERSION, "m.sdf") == [(text.encode(), "m.sdf", LoadOptions(**CONVERTED))]
    if command == "inertia":
        assert ask("--on-failure", "default", "m.sdf")[0][2] == LoadOptions(inertia_failure="default")
    if command in ("inertia", "print", "to-urdf"):
        assert ask("--calculator", "mine", "m.sdf")[0][2] == LoadOptions(inertia_calculator="mine")
    several = ["--output-dir", "out"] if command in ("print", "to-urdf") else []
    one, other = ask(*several, "m.sdf", "n.sdf")  # which share what they include
    assert one[2].memory is other[2].memory is not None and one[2] == LoadOptions(memory=one[2].memory)


@pytest.mark.parametrize(("words", "told"), [
    (["uri", "m.sdf"], {}), (["uri", "--resource-path", "a", "--limit", "faces=7", "a:=1", "m.sdf"], {
        "resource_paths": ("a",), "limits": {**DEFAULT._asdict(), "faces": 7}}),
    (["uri", "r.urdf.xacro"], {"xacro_args": {}}), (["uri", "a:=1", "r.urdf.xacro"], {"xacro_args": {"a": "1"}}),
    (["view", "--html", "o.html", *CONVERSION, "m.sdf"], CONVERTED),
    (["view", "--html", "o.html", "m.sdf"], {"preserve_fixed_joints": False, "massless": "frame"})])
def test_what_the_library_is_told(words, told, tmp_path, monkeypatch):
    asked = []

    def load(name, **options):
        asked.append((name, options))
        raise OSError("no")
    monkeypatch.setattr(sf, "load", load)
    monkeypatch.setattr("sdf_frames.cli.view.refuse_missing", lambda *_: False)
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    assert asked == [(words[-1], {"resource_paths": (), "limits": DEFAULT._asdict(), "xacro_args": None, **told})]


@pytest.mark.parametrize("limit", [len(MODEL), len(MODEL) - 1])
def test_standard_input_is_read_up_to_its_limit(limit, monkeypatch, capsys):
    """One byte more tells that it is too large."""
    asked, real = [], sf.loads
    monkeypatch.setattr(sf, "loads", lambda text, **options: asked.append((text, options)) or real(text, **options))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(MODEL.encode() + b" " * 9)))
    assert main(["uri", "--limit", f"bytes={limit}", "-"]) == 1
    ((text, options),) = asked
    assert len(text) == limit + 1 and options == {
        "file": "-", "resource_paths": (), "limits": {**DEFAULT._asdict(), "bytes": limit}}
