"""What an include cannot bring, and what it changes of what it brings."""
import os

import pytest
from readings import judge

from sdf_frames.diagnostics import Related
from sdf_frames.load import load_file

MODEL, LIGHT = '<model name="p"><link name="l"/></model>', '<light name="x" type="point"/>'
PARTS = {
    "hole": '<model name="h"><link name="l2"/><include><uri>none</uri><name>n</name></include></model>',
    "p": MODEL, "light": LIGHT, "empty": "", "two": MODEL + LIGHT, "late": LIGHT + MODEL,
    "actor": '<actor name="a"><skin><filename>a.dae</filename></skin><script/></actor>',
    "loop": '<model name="p"><link name="l"/><include>\n<uri>again.sdf</uri></include></model>',
    "again": '<model name="p"><link name="l"/>\n<include><uri>loop.sdf</uri></include></model>'}
LINE = "<include{}><uri>{}</uri>{}</include>"


@pytest.fixture
def world(tmp_path):
    """Writes a world of this content beside some files, and gives its path."""
    for name, text in PARTS.items():
        (tmp_path / f"{name}.sdf").write_text(f'<sdf version="1.12">{text}</sdf>')
    (tmp_path / "bad.sdf").write_text("<robots/>")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dir").mkdir()
    (tmp_path / "cfg").mkdir()
    (tmp_path / "cfg" / "model.config").write_text("<model/>")

    def write(content):
        path = tmp_path / "w.sdf"
        path.write_text(f'<sdf version="1.12"><world name="w">\n{content}</world></sdf>')
        return path
    return write


@pytest.mark.parametrize("content, rule, message", [
    ("^<include/>", "include-without-uri", "<include> has no <uri>"),
    ("^<include><uri> </uri></include>", "include-without-uri", "<include> has no <uri>"),
    ("<include>^<uri>none</uri></include>", "uri-not-found", "'none' is not found"),
    ("<include>^<uri>dir</uri></include>", "uri-not-found", "'dir' is not found"),
    ("^" + LINE.format("", "cfg", ""), "model-config-incomplete",
     "HERE/cfg/model.config names no SDFormat file that can be read: no <sdf> in it has the name of one"),
    ("^" + LINE.format("", "pipe", ""), "include-failed", "HERE/pipe cannot be read: it is not a file"),
    ("^" + LINE.format("", "empty.sdf", ""), "include-without-entity",
     "HERE/empty.sdf contains no model, actor or light to include"),
    ("^" + LINE.format("", "two.sdf", ""), "include-several-entities",
     "HERE/two.sdf contains more than one entity; only the first, <model>, is included"),
    ("^" + LINE.format("", "late.sdf", ""), "include-several-entities",
     "HERE/late.sdf contains more than one entity; only the first, <light>, is included"),
    (LINE.format("", "p.sdf", '<plugin name="f" filename="f"/>^<plugin name="q"/>'), "attribute-missing",
     "<plugin> has no attribute filename, which is required"),
    (LINE.format("", "p.sdf", "^<placement_frame>l</placement_frame>"), "placement-frame-without-pose",
     "<include> has a <placement_frame> but no <pose>"),
    (LINE.format("", "p.sdf", "<pose/>^<placement_frame>__root__</placement_frame>"), "reference-reserved",
     "<placement_frame> is '__root__', which cannot be referenced"),
    ("^" + LINE.format(' merge="1"', "light.sdf", ""), "merge-unsupported",
     'merge="true" cannot be applied: HERE/light.sdf holds no model to merge'),
    ("^" + LINE.format("", "light.sdf", "") + LIGHT, "name-duplicate", "two <light> siblings are named 'x'"),
    ("^" + LINE.format("", "light.sdf", "<name>world</name>"), "name-reserved", "the light name 'world' is reserved"),
    ("^" + LINE.format("", "light.sdf", "<name>__x__</name>"), "name-reserved", "the light name '__x__' is reserved"),
    (LINE.format("", "actor.sdf", "") + "^" + LINE.format("", "actor.sdf", ""), "name-duplicate",
     "two <actor> siblings are named 'a'")])
def test_failed_includes_are_reported_at_their_place(world, content, rule, message):
    path = world("")
    text = path.read_text().replace("\n", f"\n{content}")
    found, marks = judge(text, str(path))
    assert found == [(rule, message.replace("HERE", str(path.parent)), *marks)]


@pytest.mark.parametrize("content", [
    LINE.format("", "light.sdf", "<name>y</name>") + LIGHT, LINE.format("", "actor.sdf", "<name>world</name>"),
    LINE.format("", "light.sdf", "") + '<model name="x"><link name="l"/></model>', LINE.format("", "p.sdf", ""),
    LINE.format("", "actor.sdf", "<name>b</name>") + LINE.format("", "actor.sdf", "")])
def test_valid_includes_have_no_warning(world, content):
    assert load_file(world(content)).diagnostics == ()


@pytest.mark.parametrize("uri, hint", [
    ("dir", "HERE/dir is a directory without a model.config"), ("none", "tried HERE/none")])
def test_errors_list_the_paths_that_were_tried(world, uri, hint):
    path = world(LINE.format("", uri, ""))
    (found,) = load_file(path).diagnostics
    assert found.hint == hint.replace("HERE", str(path.parent))


def test_the_error_of_a_file_without_a_description_names_its_root(world):
    path = world(LINE.format("", "bad.sdf", ""))
    (found,) = load_file(path).diagnostics
    assert (found.name, found.file, found.line) == ("not-a-robot-description", str(path.parent / "bad.sdf"), 1)
    assert "<robots>" in found.message


def test_files_that_include_each_other_are_listed(world):
    path = world(LINE.format("", "loop.sdf", ""))
    (found,) = load_file(path).diagnostics
    here = str(path.parent)
    assert (found.name, found.file, found.line) == ("include-cycle", f"{here}/again.sdf", 2)
    assert found.message == f"{here}/loop.sdf includes itself"
    assert found.related == (Related("includes again.sdf", file=f"{here}/again.sdf"),
                             Related("includes loop.sdf", file=f"{here}/loop.sdf"))


def test_the_other_element_of_a_name_is_related(world):
    (found,) = load_file(world(LINE.format("", "light.sdf", "") + f"\n{LIGHT}")).diagnostics
    assert [(r.message, r.line, r.column) for r in found.related] == [("<light> of that name", 3, 14)]


@pytest.mark.parametrize("more, expected", [
    ("", ("p", (0, 0, 0), "", False, "")), ("<name> q </name>", ("q", (0, 0, 0), "", False, "")),
    ("<name/><static>true</static>", ("p", (0, 0, 0), "", True, "")),
    ('<pose relative_to="f">1 2 3 0 0 0</pose><placement_frame> l </placement_frame>',
     ("p", (1, 2, 3), "f", False, "l")), ("<pose/><placement_frame/>", ("p", (0, 0, 0), "", False, ""))])
def test_values_that_an_include_changes(world, more, expected):
    loaded = load_file(world(LINE.format("", "p.sdf", more) + '<frame name="f"/>'))
    assert loaded.diagnostics == () or "element-empty" in {d.name for d in loaded.diagnostics}
    (model,) = loaded.root.worlds[0].models
    assert (model.name, model.pose.X[:3], model.pose.relative_to, model.static, model.placement_frame) == expected
    assert model.include is not None and model.include.tag == "include"


def test_a_name_that_an_include_should_have_brought_is_not_missed(world):
    """The name that the include gives; else every part of its URI; of a merged one, every name."""
    def lost(include, *names):
        frames = "".join(f'<frame name="f{i}" attached_to="{name}"/>' for i, name in enumerate(names))
        found = load_file(world(f"<model name='m'><link name='l'/>{include}{frames}</model>")).diagnostics
        return [d.message.split("'")[3] for d in found if d.name == "frame-attached-to-unknown"]
    assert lost(LINE.format("", "none", "<name>n</name>"), "n", "n::x", "none", "o") == ["none", "o"]
    assert lost(LINE.format("", "model://arm/hand.v2/x", ""), "arm", "hand", "v2", "x", "model:", "o", "o::p") == ["o"]
    assert lost(LINE.format(' merge="1"', "none", ""), "n", "o::p") == []
    assert lost(LINE.format(' merge="1"', "light.sdf", ""), "n", "o::p") == []
    # What a merged model lacks, the model around it lacks.
    assert lost(LINE.format(' merge="1"', "hole.sdf", ""), "n", "l2", "o") == ["o"]
    found = load_file(world(LINE.format(' merge="1"', "p.sdf", "") + '<frame name="f" attached_to="l"/>')).diagnostics
    assert [d.name for d in found] == ["merge-unsupported"]


def test_an_include_where_no_model_may_stand_is_read_for_its_errors(world):
    inside = LINE.format("", "p.sdf", "") * 2
    found = load_file(world(f'<model name="m"><link name="l">{inside}</link></model>')).diagnostics
    assert [(d.name, d.column) for d in found] == [("element-unknown", 32), ("element-unknown", 67),
                                                   ("name-duplicate", 67)]
    plugin = f'<plugin name="p" filename="f">{LINE.format("", "none", "")}</plugin>'
    assert load_file(world(f'<model name="m"><link name="l"/>{plugin}</model>')).diagnostics == ()


@pytest.mark.parametrize("more", ["", "<pose/>", "<name>q</name>"])
@pytest.mark.parametrize("merge", ["", ' merge="true"'])
@pytest.mark.parametrize("version, attribute", [
    ("1.5", "frame"), ("1.6", "frame"), ("1.7", "relative_to"), ("1.9", "relative_to")])
@pytest.mark.parametrize("frame", ["__model__", "f", "none"])
def test_no_frame_is_outside_of_an_included_file(world, version, attribute, frame, merge, more):
    """The file is refused as it is on its own, also if the include gives another pose, or has a frame of the name."""
    text = (f'<sdf version="{version}">\n<model name="s"><pose {attribute}="{{}}">1 0 0 0 0 0</pose><link name="l"/>'
            '</model></sdf>')
    path = world(f'<model name="m"><link name="f"/>{LINE.format(merge, "s.sdf", more)}</model>')
    for name, errors in ((frame, [("root-pose-relative", "s.sdf", 2)]), ("", [])):
        (path.parent / "s.sdf").write_text(text.format(name))
        for file in (path, path.parent / "s.sdf"):
            assert [(d.name, os.path.basename(d.file), d.line) for d in load_file(file).diagnostics
                    if d.severity == "error"] == errors


@pytest.mark.parametrize("content", [
    '<light name="x" type="point"><pose relative_to="f"/></light>',
    '<include><uri>p.sdf</uri><pose relative_to="f"/></include>'])
def test_what_is_no_model_of_the_included_file_may_be_relative_to_a_frame_around_the_include(world, content):
    path = world(LINE.format("", "s.sdf", "") + '<frame name="f"/>')
    (path.parent / "s.sdf").write_text(f'<sdf version="1.12">{content}</sdf>')
    assert load_file(path).diagnostics == ()


@pytest.mark.parametrize("top", ['<include><uri>m.sdf</uri><name>a::b</name></include>',
                                 '<world name="w"><include><uri>i.sdf</uri></include></world>'])
@pytest.mark.parametrize("version, valid", [("1.7", True), ("1.9", False)])
def test_the_name_of_an_include_at_the_root_has_no_delimiter(top, version, valid, tmp_path):
    """libsdformat 12 refuses the files of 1.9."""
    for name, content in (("m.sdf", '<model name="m"><link name="l"/></model>'), ("top.sdf", top),
                          ("i.sdf", '<include><uri>m.sdf</uri><name>a::b</name></include>')):
        (tmp_path / name).write_text(f'<sdf version="{version}">{content}</sdf>')
    found = [d for d in load_file(tmp_path / "top.sdf").diagnostics if d.name == "name-with-delimiter"]
    wrong = tmp_path / ("i.sdf" if "world" in top else "top.sdf")
    assert [d.file for d in found] == ([] if valid else [str(wrong)])
