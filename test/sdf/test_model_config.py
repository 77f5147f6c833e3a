"""What a model's folder says about its files: verdicts as libsdformat 17 gives them on the same folders."""
import pytest

from sdf_frames.load import LoadOptions, load_text

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


@pytest.mark.parametrize("config, expected", [
    ('<sdf version="1.5">old.sdf</sdf>\n<sdf version="1.6">new.sdf</sdf>', "new"),
    ('<sdf version="1.6">new.sdf</sdf>\n<sdf version="1.5">old.sdf</sdf>', "new"),
    ('<sdf version="1.6">new.sdf</sdf>\n<sdf version="1.6">old.sdf</sdf>', "new"),
    ('<sdf>old.sdf</sdf>\n<sdf version="1.6">new.sdf</sdf>', "new"),
])
def test_the_newest_version_counts(tmp_path, config, expected):
    assert load_with_config(tmp_path, f"<model><name>part</name>\n{config}</model>") == ([expected], [])


@pytest.mark.parametrize("config, expected, line", [
    ("<sdf>old.sdf</sdf>", "old", 2),
    ("<sdf>old.sdf</sdf>\n<sdf>new.sdf</sdf>", "old", 2),
    ('<sdf version="1.6">new.sdf</sdf>\n<sdf version="2.0">old.sdf</sdf>', "new", 3),
])
def test_an_unclear_model_config_is_an_error_but_is_read(tmp_path, config, expected, line):
    assert load_with_config(tmp_path, f"<model><name>part</name>\n{config}</model>") == ([expected],
        [("model-config-unclear", line)])


def test_the_old_name_of_the_configuration_is_an_error_but_read(tmp_path):
    config = '<model><name>part</name><sdf version="1.6">new.sdf</sdf></model>'
    assert load_with_config(tmp_path, config, "manifest.xml") == (["new"], [("model-config-unclear", 1)])


@pytest.mark.parametrize("config",
    ["", '<sdf version="1.6"/>', '<sdf version="1.6">none.sdf</sdf>', '<sdf version="2.0"> </sdf>'])
def test_a_configuration_without_a_file_brings_no_model(tmp_path, config):
    models, found = load_with_config(tmp_path, f"<model><name>part</name>{config}</model>")
    assert models == [] and "model-config-incomplete" in [name for name, _ in found]


@pytest.mark.parametrize("config", ["", "<model", "<model/>", '<model><sdf version="1.6">  </sdf></model>',
                                    '<model><sdf version="1.6">gone.sdf</sdf></model>'])
def test_a_configuration_that_names_no_file_brings_no_model(tmp_path, config):
    assert load_with_config(tmp_path, config) == ([], [("model-config-incomplete", 1)])


def test_files_of_a_folder(tmp_path):
    """The configuration, the newest file that can be read, and what is unclear."""
    from sdf_frames.sdf.model_folder import find_model_file
    assert find_model_file(str(tmp_path)) == (None, None, ())
    config = tmp_path / "manifest.xml"
    (tmp_path / "a.sdf").write_text("")
    for text, file, unclear in (
            ('<model>\n<sdf version="1.6">a.sdf</sdf></model>', "a.sdf", 1), ("<model/>", None, 0), ("<model", None, 0),
            ('<model><sdf version="1.6">gone.sdf</sdf></model>', None, 1),
            ("<model><sdf>a.sdf</sdf></model>", "a.sdf", 2),
            ('<model><sdf version="1.6"/><sdf version="1.5"> a.sdf </sdf></model>', "a.sdf", 1)):
        config.write_text(text)
        where, found, said = find_model_file(str(tmp_path))
        assert where == str(config) and found == (file and str(tmp_path / file)) and len(said) == unclear, text
    newer = tmp_path / "model.config"
    newer.write_text('<model><sdf version="1.6">a.sdf</sdf></model>')
    assert find_model_file(str(tmp_path)) == (str(newer), str(tmp_path / "a.sdf"), ())
    newer.unlink()
    newer.mkdir()
    assert find_model_file(str(tmp_path))[0] == str(config)
