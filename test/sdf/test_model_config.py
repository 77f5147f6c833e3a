"""What a model's folder says about its files: verdicts as libsdformat 17 gives them on the same folders."""
import json

import pytest

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.load import LoadOptions, load_text
from sdf_frames.sdf.model_folder import ModelFolder, find_model_file

WORLD = '<sdf version="1.12"><world name="w"><include><uri>model://part</uri></include></world></sdf>'
MODEL = '<sdf version="1.6"><model name="{}"><link name="l"/></model></sdf>'


def load_with_config(tmp_path, config, name="model.config"):
    """The model that a world includes from a folder with this configuration, and the findings by name and line."""
    folder = tmp_path / "part"
    folder.mkdir()
    (folder / name).write_text(config)
    for entity in ("old", "new"):
        (folder / f"{entity}.sdf").write_text(MODEL.format(entity))
    loaded = load_text(WORLD, options=LoadOptions((str(tmp_path),)))
    return [m.name for m in loaded.root.worlds[0].models], [(d.name, d.line) for d in loaded.diagnostics]


@pytest.mark.parametrize("config", ["", "<model", "<model/>", '<model><sdf version="1.6">  </sdf></model>',
                                    '<model><sdf version="1.6">gone.sdf</sdf></model>'])
def test_a_configuration_that_names_no_file_brings_no_model(tmp_path, config):
    assert load_with_config(tmp_path, config) == ([], [("model-config-incomplete", 1)])


def test_files_of_a_folder(tmp_path):
    """The configuration, the newest file that can be read, and what is unclear."""
    assert find_model_file(str(tmp_path)) == ModelFolder()
    config = tmp_path / "manifest.xml"
    (tmp_path / "a.sdf").write_text("")
    for text, file, unclear in (
            ('<model>\n<sdf version="1.6">a.sdf</sdf></model>', "a.sdf", 1), ("<model/>", None, 0), ("<model", None, 0),
            ('<model><sdf version="1.6">gone.sdf</sdf></model>', None, 1),
            ("<model><sdf>a.sdf</sdf></model>", "a.sdf", 2),
            ('<model><sdf version="1.6"/><sdf version="1.5"> a.sdf </sdf></model>', "a.sdf", 1)):
        config.write_text(text)
        where, found, said = find_model_file(str(tmp_path))[:3]
        assert where == str(config) and found == (file and str(tmp_path / file)) and len(said) == unclear, text
    newer = tmp_path / "model.config"
    newer.write_text('<model><sdf version="1.6">a.sdf</sdf></model>')
    assert find_model_file(str(tmp_path)) == ModelFolder(str(newer), str(tmp_path / "a.sdf"))
    newer.unlink()
    newer.mkdir()
    assert find_model_file(str(tmp_path)).config == str(config)


@pytest.mark.parametrize("name, config, said", [
    ("model.config", "<model>\n ^<sdf>a.sdf</sdf></model>", "it does not give the version of the file"),
    ("model.config", '<model>\n ^<sdf version="1.13">b.sdf</sdf><sdf version="1.6">a.sdf</sdf></model>',
     "it names a file for SDFormat 1.13, newer than the newest supported version"),
    ("manifest.xml", '^<model><sdf version="1.6">a.sdf</sdf></model>',
     "it is called manifest.xml, the old name of model.config")])
def test_what_is_unclear_is_said_at_its_place(tmp_path, name, config, said):
    (tmp_path / "a.sdf").write_text("")
    (tmp_path / name).write_text(config.replace("^", ""))
    where, file, (found,) = find_model_file(str(tmp_path))[:3]
    assert (where, file) == (str(tmp_path / name), str(tmp_path / "a.sdf"))
    line, column = config[:config.index("^")].count("\n") + 1, len(config[:config.index("^")].split("\n")[-1]) + 1
    assert (found.name, found.file, found.line, found.column) == ("model-config-unclear", where, line, column)
    assert said in found.message


@pytest.mark.parametrize("config, file", [
    ('<sdf>a.sdf</sdf><sdf version="1.6">b.sdf</sdf>', "b.sdf"),
    ('<sdf version="1.6">a.sdf</sdf><sdf version="1.6">b.sdf</sdf>', "a.sdf"),
    ('<sdf version="1.10">b.sdf</sdf><sdf version="1.9">a.sdf</sdf>', "b.sdf"),  # as numbers
    ('<sdf version="1.9">a.sdf</sdf><sdf version="1.12">b.sdf</sdf>', "b.sdf"),
    ('<sdf version=" 1.9 ">a.sdf</sdf><sdf version="1.9">b.sdf</sdf>', "a.sdf"),
    ('<sdf version="1.9"/><sdf version="1.6">a.sdf</sdf>', "a.sdf"),
    ('<sdf version="1.9"><!-- -->a.sdf</sdf>', "a.sdf")])
def test_which_file_of_a_folder_counts(tmp_path, config, file):
    for name in ("a.sdf", "b.sdf"):
        (tmp_path / name).write_text("")
    (tmp_path / "model.config").write_text(f"<model>{config}</model>")
    assert find_model_file(str(tmp_path)).file == str(tmp_path / file)


def test_a_template_of_the_file_is_named(tmp_path):
    """PX4 makes iris.sdf of iris.sdf.jinja."""
    (tmp_path / "iris.sdf.jinja").write_text("")
    (tmp_path / "model.config").write_text('<model><sdf version="1.6">iris.sdf</sdf></model>')
    assert find_model_file(str(tmp_path)).hint == "iris.sdf.jinja exists: generate iris.sdf from it"


HINT = 'write the name of the file that holds the model into it: <sdf version="1.9">model.sdf</sdf>'


@pytest.mark.parametrize("config, line, problem, hint", [
    ('<model>\n<sdf version="1.9">modell.sdf</sdf></model>', 2, "'modell.sdf' is not found",
     "did you mean 'model.sdf'?"),
    ("\n<model><name>x</name></model>", 2, "no <sdf> in it has the name of one", HINT),
    ("<modell>\n<sdf>model.sdf</sdf></modell>", 1, "its root is <modell>", "write <model>"),
    ("<model>\n<sdf>model.sdf</sdf>", 1, "not well-formed XML: <model> is not closed",
     "write </model> where the element ends")])
def test_what_is_wrong_with_a_configuration_is_said_of_it_and_of_its_include(tmp_path, capsys, config, line, problem,
                                                                             hint):
    """`check` says it of the model.config: in a folder of models, and of the model's own folder; `ign sdf -k` refuses
    a world that includes each of these models."""
    folder = tmp_path / "part"
    folder.mkdir()
    (folder / "model.sdf").write_text(MODEL.format("part"))
    (folder / "model.config").write_text(config)
    (found,) = load_text(WORLD, options=LoadOptions((str(tmp_path),))).diagnostics
    assert (found.code, found.hint, found.line) == ("U008", hint, 1) and found.message.endswith(f"read: {problem}")
    assert [(r.file, r.line) for r in found.related] == [(str(folder / "model.config"), line)]
    for name, files in ((tmp_path, 2), (folder, 1)):
        assert main(["check", "--json", str(name)]) == 1
        said, *others = map(json.loads, capsys.readouterr().out.splitlines())
        (d,) = said["diagnostics"]
        assert (d["file"], d["line"], d["message"]) == (str(folder / "model.config"), line, found.message)
        assert [other["valid"] for other in others] == [True] * (files - 1)


def test_a_configuration_under_its_old_name_is_reported_like_a_model_config(tmp_path, capsys):
    (tmp_path / "manifest.xml").write_text('<model>\n<sdf version="1.6">gone.sdf</sdf></model>')
    assert main(["check", "--json", str(tmp_path)]) == 1
    *_, d = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (d["code"], d["file"], d["line"]) == ("U008", str(tmp_path / "manifest.xml"), 2)
    assert d["message"].endswith("read: 'gone.sdf' is not found")
    assert main(["uri", str(tmp_path)]) == 1 and main(["diff", str(tmp_path), str(tmp_path)]) == 2
    assert capsys.readouterr().err.count(" error U008 ") == 3
    assert [loaded.errors[-1].code for loaded in map(sf.load, (tmp_path, d["file"]))] == ["U008", "U008"]
