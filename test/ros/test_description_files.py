"""Descriptions that a person names to the launch file or the demo."""

import pytest

from sdf_frames.ros.description_files import find_description, guess_resource_paths, read_description_file
from sdf_frames.ros.jobs import write_urdf
from sdf_frames.ros.settings import Settings

XACRO = """<robot name="$(arg name)" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="size" default="1"/><link name="l$(arg size)"/></robot>"""


def test_a_xacro_is_expanded_with_its_arguments(tmp_path):
    pytest.importorskip("xacro")
    file = tmp_path / "r.urdf.xacro"
    file.write_text(XACRO)
    text = read_description_file(file, {"name": "left arm", "size": "2"})
    assert '<robot name="left arm">' in text.text and '<link name="l2"/>' in text.text
    assert write_urdf(text, Settings())[0] == text.text
    assert '<link name="l1"/>' in read_description_file(file, {"name": "a"}).text
    with pytest.raises(ValueError, match=r"Undefined substitution argument name.*xacro_args"):
        read_description_file(file)


def test_packages_of_a_xacro_are_found_in_the_resource_paths(tmp_path):
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                                      '<xacro:include filename="$(find part)/p.xacro"/></robot>')
    with pytest.raises(ValueError, match=r"give resource_paths:=DIR, where DIR/"):
        read_description_file(tmp_path / "r.xacro")
    (tmp_path / "ws" / "part").mkdir(parents=True)
    (tmp_path / "ws" / "part" / "p.xacro").write_text('<robot><link name="l"/></robot>')
    assert '<link name="l"/>' in read_description_file(tmp_path / "r.xacro", None, [str(tmp_path / "ws")]).text


def test_a_file_that_is_not_utf8_is_refused_with_its_name(tmp_path):
    file = tmp_path / "r.urdf"
    file.write_bytes('<?xml version="1.0" encoding="ISO-8859-1"?><robot name="é"/>'.encode("latin-1"))
    with pytest.raises(ValueError, match=r"r\.urdf is not in UTF-8"):
        read_description_file(file)
    file.write_text('<robot name="é"/>', encoding="utf-8")
    assert read_description_file(file) == '<robot name="é"/>'


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_file_is_refused_with_its_name(tmp_path, text):
    file = tmp_path / "r.urdf"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"r\.urdf is empty"):
        read_description_file(file)


def test_names_that_lead_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (f"{tmp_path}/none.urdf", "none.urdf", f"file://{tmp_path}/none.urdf"):
        with pytest.raises(FileNotFoundError) as raised:
            find_description(name)
        assert str(raised.value) == f"{name}: there is no file {tmp_path}/none.urdf"
    (tmp_path / "bot").mkdir()
    for config in (None, "<model/>", "<model><sdf version='1.9'>none.sdf</sdf></model>"):
        if config is not None:
            (tmp_path / "bot" / "model.config").write_text(config)
        with pytest.raises(FileNotFoundError) as raised:
            find_description("bot")
        assert str(raised.value) == f"bot: the folder {tmp_path}/bot has no model.config that names a file in it"
    file = tmp_path / "r.urdf"
    file.write_text("<robot/>")
    assert find_description(f"file://{file}") == find_description(str(file)) == file


@pytest.mark.parametrize("marker", ["package.xml", "model.config"])
def test_the_folders_around_a_model(tmp_path, monkeypatch, marker):
    bot = tmp_path / "home" / "src" / "bot"
    file = bot / "urdf" / "arms" / "r.urdf"
    assert not guess_resource_paths(file), "a folder such as ~/Downloads"
    file.parent.mkdir(parents=True)
    (bot / marker).touch()
    assert guess_resource_paths(file) == [str(file.parent), str(bot), str(tmp_path / "home" / "src")]
    assert guess_resource_paths(bot / "r.urdf") == [str(bot), str(tmp_path / "home" / "src")]
    monkeypatch.setenv("HOME", str(bot.parent))
    assert guess_resource_paths(file) == [str(file.parent), str(bot)], "not the home folder"


def test_the_folders_around_a_model_in_a_package(tmp_path):
    model = tmp_path / "src" / "bot" / "models" / "arm"
    model.mkdir(parents=True)
    (model / "model.config").touch()
    (model.parents[1] / "package.xml").touch()
    assert guess_resource_paths(model / "r.sdf") == list(map(str, (
        model, model.parents[1], model.parents[2], model.parent)))
