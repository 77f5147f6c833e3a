"""Old versions to 1.12, one recipe a step: ``models/upgrade/A_to_B_before.sdf`` becomes ``…_after.sdf``, written by
hand."""
import runpy
from pathlib import Path

import pytest
from lxml import etree
from written_text import upgrade_text

from sdf_frames.cli import main
from sdf_frames.load import load_file, load_text
from sdf_frames.sdf.upgrade import _OPERATIONS, _apply, _rename, load_recipes, upgrade_tree

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "test" / "models" / "upgrade"
SCHEMA = ROOT.parent / "shared" / "sdformat-schema" / "sdf"
VERSIONS = ["1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"]
STEPS = list(zip(VERSIONS, VERSIONS[1:]))


def read(path):
    return etree.parse(str(path), etree.XMLParser(remove_blank_text=True)).getroot()


def as_text(root):
    """Text of a tree for comparison: attributes in order, no blank text."""
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = None
        attributes = sorted(element.attrib.items())
        element.attrib.clear()
        element.attrib.update(attributes)
    etree.indent(root)
    return etree.tostring(root, encoding="unicode")


@pytest.mark.parametrize("old, new", STEPS)
def test_a_step_rewrites_what_changed_and_nothing_else(old, new):
    root = read(MODELS / f"{old}_to_{new}_before.sdf")
    # 001: use_parent_model_frame is true or false; the file has a `yes`.
    assert [d.name for d in upgrade_tree(root, new)] == ["value-invalid"] * (new == "1.7")
    assert as_text(root) == as_text(read(MODELS / f"{old}_to_{new}_after.sdf"))


def test_the_steps_form_one_chain():
    assert [(old, load_recipes()[old][0]) for old in VERSIONS[:-1]] == STEPS


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_reaches_the_newest(version):
    root = etree.fromstring(f'<sdf version="{version}"><model name="m"><link name="l"/></model></sdf>')
    assert upgrade_tree(root) == ()
    assert root.get("version") == "1.12"


@pytest.mark.parametrize("attribute, name", [
    *[(f' version="{version}"', "version-not-convertible") for version in (
        "1.0", "1.1", "1.13", "2.0", "1.12.0", "latest")],
    *[(attribute, "version-missing") for attribute in ("", ' version=""', ' version=" "')]])
def test_other_versions_are_refused(attribute, name):
    found = load_text(f'<sdf{attribute}><model name="m"><link name="l"/></model></sdf>').diagnostics
    assert [(d.name, d.line, d.path) for d in found if d.severity == "error" or name == "version-missing"] == [
        (name, 1, "/sdf")]


def test_a_flattened_model_keeps_its_poses():
    """arm (1 0 0) in base; link1 (0 1 0) in arm; hand (0 0 1) in link1; palm at hand; wrist at arm; mount at its
    child."""
    scope = load_file(MODELS / "1.7_to_1.8_before.sdf").scopes[0]
    found = {f.name: (f.link, f.pose[:3]) for f in scope.frames}
    m = "m::arm::"
    assert found == {
        "world": ("world", (0, 0, 0)), "m": ("m::base", (0, 0, 0)), "m::base": ("m::base", (0, 0, 0)),
        "m::mount": (m + "link1", (1, 1, 0)), "m::arm": (m + "link1", (1, 0, 0)), m + "link1": (m + "link1", (1, 1, 0)),
        m + "wrist": (m + "hand::palm", (1, 0, 0)), m + "hand": (m + "hand::palm", (1, 1, 1)),
        m + "hand::palm": (m + "hand::palm", (1, 1, 1))}


def test_the_data_are_those_of_the_schema_files():
    if not SCHEMA.is_dir():
        pytest.skip("no SDFormat schema files beside the repository")
    made = runpy.run_path(str(ROOT / "tools" / "build_sdf_data.py"))["build"](SCHEMA)
    assert len(made) == 3
    assert [path for path, text in made.items() if path.read_text(encoding="utf-8") != text] == []


def upgraded(body, old, new):
    root = etree.fromstring(f'<sdf version="{old}">{body}</sdf>')
    assert upgrade_tree(root, new) == ()
    return etree.tostring(root, encoding="unicode").partition(">")[2].removesuffix("</sdf>")


@pytest.mark.parametrize("before, after", [
    ('<pose relative_to="">0 0 0 0 0 0</pose>', "<pose>0 0 0 0 0 0</pose>"),
    ('<pose relative_to="f"/>', '<pose relative_to="f"/>'), ('<pose relative_to=" "/>', '<pose relative_to=" "/>'),
    ('<pose degrees="true"/>', '<pose degrees="true"/>')])
def test_only_an_empty_relative_to_of_an_inertial_goes_with_1_8(before, after):
    body = '<model name="m"><link name="l"><inertial>{0}</inertial><inertial>{0}</inertial></link></model>'
    assert upgraded(body.format(before), "1.7", "1.8") == body.format(after)


@pytest.mark.parametrize("before, after", [
    ("<world name='w'><physics>a<ode/><update_rate>9</update_rate>b<x/></physics></world>",
     '<world name="w"><physics>a<ode/>b<x/><real_time_update_rate>9</real_time_update_rate></physics></world>'),
    ("<world name='w'><physics>a<update_rate>9</update_rate>b<x/></physics></world>",
     '<world name="w"><physics>ab<x/><real_time_update_rate>9</real_time_update_rate></physics></world>'),
    ("<world name='w'><physics><ode><solver><dt>1</dt></solver></ode><bullet><dt>2</dt></bullet></physics></world>",
     '<world name="w"><physics><ode><solver/></ode><bullet/><max_step_size>1</max_step_size>'
     '<max_step_size>2</max_step_size></physics></world>'),
    ("<world name='w'><physics/><physics><update_rate>9</update_rate></physics></world>",
     '<world name="w"><physics/><physics><real_time_update_rate>9</real_time_update_rate></physics></world>')])
def test_elements_that_move_with_1_4(before, after):
    """Text around what moves stays where it was, and so does every physics but the one that holds it."""
    assert upgraded(before, "1.3", "1.4") == after


@pytest.mark.parametrize("version, wanted", [("1.2", None), ("1.0", "version-not-convertible"),
                                             ("", "not-a-robot-description")])
def test_the_root_of_old_files_is_gazebo(version, wanted, tmp_path):
    old = tmp_path / "old.sdf"
    old.write_text(f"<gazebo version='{version}'><model name='m'><link name='l'/></model></gazebo>")
    text, found = upgrade_text(old.read_text(), str(old), "1.12")
    assert (text is None, [d.name for d in found]) == (bool(wanted), [wanted] if wanted else [])
    assert main(["upgrade", "--in-place", str(old)]) == bool(wanted)
    assert wanted or old.read_text() == text and load_file(str(old)).root.version == "1.12"


def test_comments_around_the_root_have_lines_of_their_own():
    text, _ = upgrade_text("<!-- a -->\n<!-- b -->\n\n<sdf version='1.9'><!-- c --></sdf>\n<!-- d -->\n", None, "1.12")
    assert text == ('<?xml version="1.0"?>\n<!-- a -->\n<!-- b -->\n<sdf version="1.12"><!-- c --></sdf>\n'
                    "<!-- d -->\n")


def test_a_child_added_to_an_element_with_blank_text_is_indented(tmp_path):
    """In 1.4 `static` of an actor is an attribute; `print` drops the blank text between elements."""
    path, printed = tmp_path / "a.sdf", tmp_path / "b.sdf"
    path.write_text('<sdf version="1.4"><world name="w"><actor name="a" static="true">\n      </actor></world></sdf>')
    assert main(["print", str(path), "-o", str(printed)]) == 0
    assert printed.read_text().splitlines()[3:6] == [
        '    <actor name="a">', "      <static>true</static>", "    </actor>"]


@pytest.mark.parametrize("source, target, before, after", [
    ([None, "a"], ["b", None], '<x a="1"/>', "<x><b>1</b></x>"),
    (["a", None], ["b", None], "<x><a>1</a></x>", "<x><b>1</b></x>"),
    (["a", None], [None, "b"], "<x><a>1</a></x>", '<x b="1"/>'),
    (["a", None], ["b", None], "<x><a/></x>", "<x><a/></x>"),
    (["a", None], ["b", None], "<x/>", "<x/>"), ([None, "a"], ["b", None], "<x/>", "<x/>")])
def test_a_recipe_that_renames(source, target, before, after):
    """libsdformat's Converter::Rename: attributes and elements, of which those without a value stay."""
    element = etree.fromstring(before)
    _rename(element, source, target)
    assert etree.tostring(element).decode() == after


@pytest.mark.parametrize("move", [True, False])
@pytest.mark.parametrize("source, target, before, left, added", [
    (["a", None], ["b", None], "<x><a>1<i/></a></x>", "", "<b>1<i/></b>"),
    (["a::c", None], ["b::d", None], "<x><a><c>1</c></a></x>", "<a/>", "<b><d>1</d></b>"),
    (["a", "k"], ["b::d", None], '<x><a k="1"/></x>', "<a/>", "<b><d>1</d></b>"),
    (["a", None], ["b", "k"], "<x><a>1</a></x>", "", '<b k="1"/>'),
    (["a", "k"], ["b", "n"], '<x><a k="1"/></x>', "<a/>", '<b n="1"/>'),
    (["a", "k"], ["b", "n"], "<x><a/></x>", "<a/>", ""), (["a::c", None], ["b", None], "<x><a/></x>", "<a/>", ""),
    (["a::c::d", None], ["b", None], "<x><a/></x>", "<a/>", "")])
def test_a_recipe_that_moves_or_copies(source, target, before, left, added, move):
    """libsdformat's Converter::Move and Copy: what is missing on the way is made, what is not there moves nothing."""
    element = etree.fromstring(before)
    _OPERATIONS["move" if move else "copy"](element, source, target)
    kept = left if move else before[3:-4]
    assert etree.tostring(element).decode() == (f"<x>{kept}{added}</x>" if kept + added else "<x/>")


def test_a_recipe_of_attributes_of_the_element_itself():
    for before, after in (('<x a="1"/>', '<x b="1"/>'), ("<x/>", "<x/>")):
        element = etree.fromstring(before)
        _OPERATIONS["move"](element, [None, "a"], [None, "b"])
        assert etree.tostring(element).decode() == after


def test_recipes_do_not_reach_into_plugins_and_elements_with_a_prefix():
    body = ('<model name="m" xmlns:a="urn:a"><joint name="j"><a:b><c><pose frame="x"/></c></a:b></joint>'
            '<link name="l"><sensor name="s" type="imu"><plugin name="p" filename="f"><c><pose frame="y"/></c></plugin>'
            '</sensor><pose frame="l"/></link></model>')
    new = upgraded(body, "1.6", "1.7")
    assert 'frame="x"' in new and 'frame="y"' in new and 'relative_to="l"' in new and new.count("relative_to") == 1


def test_a_name_that_an_old_file_may_have_is_a_warning_where_a_newer_one_includes_it(tmp_path):
    """The file alone has no finding."""
    part = tmp_path / "part.sdf"
    part.write_text('<sdf version="1.7"><model name="p"><link name="l"/>\n<link name="a::b"/></model></sdf>')
    main = tmp_path / "main.sdf"
    main.write_text('<sdf version="1.8"><world name="w"><include><uri>part.sdf</uri></include></world></sdf>')
    assert [d.name for d in load_file(part).diagnostics] == []
    (found,) = load_file(main).diagnostics
    assert (found.name, found.severity, found.line) == ("name-with-delimiter", "warning", 2)
    assert found.message == "the name 'a::b' of <link> contains '::'"
    assert found.hint == ("SDFormat 1.7 allows it, but libsdformat does not if a file of 1.8 or later includes it; "
                          "'sdf_frames upgrade' renames it")
    main.write_text(main.read_text().replace('"1.8"', '"1.7"'))
    assert load_file(main).diagnostics == ()


@pytest.mark.parametrize("before, operations, after", [
    # What is added stands on a line of its own if its siblings do.
    ("<x>\n  <a/>\n</x>", [["add", "b", "1"]], "<x>\n  <a/>\n  <b>1</b>\n</x>"),
    ("<x><a/></x>", [["add", "b", "1"]], "<x><a/><b>1</b></x>"),
    ("<x>\n</x>", [["add", "b", None]], "<x><b/></x>"),
    ("<x>word<a/></x>", [["add", "b", None]], "<x>word<a/><b/></x>"),
    ("<x><b/></x>", [["add", "b", "1"]], "<x><b/></x>"),
    # What is removed leaves the text behind it.
    ("<x><a/>\n<b/>word</x>", [["remove", "b"]], "<x><a/>\nword</x>"),
    ("<x><b/>word</x>", [["remove", "b"]], "<x>word</x>"), ("<x><b/>\n<a/></x>", [["remove", "b"]], "<x><a/></x>"),
    ("<x>1<b/>2<a/>3<b/></x>", [["remove", "b"]], "<x>12<a/>3</x>"),
    ('<x a="" b="1"/>', [["remove_empty", "a"], ["remove_empty", "b"], ["remove_empty", "c"]], '<x b="1"/>'),
    # Children of a tag, and descendants but for those of plugins.
    ("<x><a/><b><a/></b></x>", [["in", "a", [["add", "c", None]]]], "<x><a><c/></a><b><a/></b></x>"),
    ("<a><a/><b><a/></b><plugin><a/></plugin></a>", [["below", "a", [["add", "c", None]]]],
     "<a><a><c/></a><b><a><c/></a></b><plugin><a/></plugin></a>")])
def test_recipes_change_a_text_as_a_person_would(before, operations, after):
    element = etree.fromstring(f"<top>{before}</top>")[0]
    _apply(element, operations)
    assert etree.tostring(element, encoding="unicode") == after


@pytest.mark.parametrize("to, told", [("1.7", 1), ("1.9", 1), ("1.10", 0), ("1.12", 0)])
def test_what_the_version_to_write_lacks_is_told(to, told):
    """Versions 1.7 to 1.9 have no joint in a world; 1.6 had it."""
    text = ('<sdf version="1.6"><world name="w"><model name="m"><link name="l"/></model>\n<joint name="j" type="fixed">'
            "<parent>world</parent><child>m::l</child></joint></world></sdf>")
    upgraded, found = upgrade_text(text, "w.sdf", to)
    assert [(d.name, d.line) for d in found] == told * [("feature-of-later-version", 2)]
    assert f'version="{to}"' in upgraded
