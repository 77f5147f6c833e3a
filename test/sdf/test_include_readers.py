"""Included files that are neither SDFormat nor URDF go through the caller's functions."""
import json

import pytest

from sdf_frames.document.memory import Memory
from sdf_frames.load import LoadOptions, load_file

WORLD = """<sdf version="1.12">
<world name="w">
<include%s>
<uri>%s</uri>
<name>left</name>
<pose>1 0 0 0 0 0</pose>
</include>
<frame name="f" attached_to="left::tool"/>
</world>
</sdf>"""


def read_json(path):
    """Links of a JSON list, one above the other."""
    if not path.endswith(".json"):
        return None
    with open(path, encoding="utf-8") as stream:
        names = json.load(stream)
    links = "\n".join(f'<link name="{name}"><pose>0 0 {i} 0 0 0</pose></link>' for i, name in enumerate(names))
    return f'<sdf version="1.12">\n<model name="arm">\n{links}\n</model>\n</sdf>'


def load(folder, name, content, readers, merge=""):
    (folder / name).write_text(content)
    (folder / "world.sdf").write_text(WORLD % (merge, name))
    return load_file(folder / "world.sdf", LoadOptions(include_readers=tuple(readers)))


def test_a_model_is_included_and_referred_to(tmp_path):
    loaded = load(tmp_path, "arm.json", '["base", "tool"]', [read_json])
    assert loaded.diagnostics == ()
    frames = {f.name: (f.link, f.pose and f.pose[:3]) for f in loaded.scopes[0].frames}
    assert frames["f"] == ("left::tool", (1, 0, 1))


def test_a_reference_follows_a_name_that_upgrading_changes(tmp_path):
    """A joint may not have the name of a link. A load reads each file once, whether names or the model are wanted."""
    asked = []

    def read(path):
        asked.append(path.rpartition("/")[2])
        with open(path, encoding="utf-8") as stream:
            return stream.read()

    text = '<sdf version="1.6"><model name="m"><link name="a"/><link name="tool"/>{}</model></sdf>'
    joint = '<joint name="a" type="fixed"><parent>a</parent><child>tool</child></joint>'
    world = WORLD.replace("</include>", "</include><plugin name='p' filename='f'><joint>left::a</joint></plugin>")
    (tmp_path / "outer.sdf").write_text(
        '<sdf version="1.12"><world name="w"><include><uri>middle.sdf</uri></include></world></sdf>')
    (tmp_path / "middle.sdf").write_text((world % ("", "arm.txt")).replace("world", "model"))
    options = LoadOptions(include_readers=(read,), memory=Memory())
    for more, wanted in (("", "left::a"), (joint, "left::a_joint"), ("", "left::a")):
        (tmp_path / "arm.txt").write_text(text.format(more))
        loaded = load_file(tmp_path / "outer.sdf", options)
        assert loaded.valid and loaded.root.worlds[0].models[0].element.findtext("plugin/joint") == wanted
    assert asked == ["arm.txt"] * 3


def test_the_last_reader_comes_first_and_none_passes_on(tmp_path):
    asked = []

    def note(path):
        asked.append(path.rpartition("/")[2])

    assert load(tmp_path, "arm.json", '["tool"]', [read_json, note]).valid
    assert asked == ["arm.json"]
    assert not load(tmp_path, "arm.json", '["tool"]', []).valid


@pytest.mark.parametrize("name", ["part.sdf", "part.world"])
def test_sdformat_files_are_not_offered(tmp_path, name):
    def fail(path):
        raise AssertionError(path)

    text = '<sdf version="1.12"><model name="m"><link name="tool"/></model></sdf>'
    assert load(tmp_path, name, text, [fail]).valid


def test_findings_carry_the_file_and_the_line_of_the_text(tmp_path):
    found = load(tmp_path, "arm.json", '["tool", "base", "base"]', [read_json]).diagnostics
    assert [(d.name, d.file, d.line) for d in found] == [("name-duplicate", str(tmp_path / "arm.json"), 5)]


def test_a_failed_reader_is_one_error_of_the_include(tmp_path):
    found = load(tmp_path, "arm.json", "no json", [read_json]).diagnostics
    assert [(d.name, d.line, d.path) for d in found
            if d.code[0] == "U"] == [("include-failed", 3, '/sdf/world[@name="w"]/include')]
    assert "Expecting value" in found[0].message
