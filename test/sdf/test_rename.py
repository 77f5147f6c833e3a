"""Names that 1.7 refuses are replaced, and references go on meaning what they meant."""
from __future__ import annotations

from lxml import etree

from sdf_frames.load import load_text
from sdf_frames.sdf.rename import fix_names


def fixed(text: str) -> tuple[str, list]:
    root = etree.fromstring(text)
    renames = fix_names(root)
    return etree.tostring(root, encoding="unicode"), [(r.tag, r.old, r.new) for r in renames]


def test_a_joint_named_like_its_link_gets_another_name_and_is_followed():
    text, renames = fixed(
        '<sdf version="1.6"><model name="m"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="b" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
        '<joint name="k" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz><mimic joint="b"/></axis></joint>'
        '<plugin name="p" filename="f"><joint_name>b</joint_name><link_name>b</link_name></plugin></model></sdf>')
    assert renames == [("joint", "b", "b_joint")]
    assert '<mimic joint="b_joint"/>' in text and "<joint_name>b_joint</joint_name><link_name>b</link_name>" in text
    assert "<parent>b</parent>" in text and "<child>b</child>" in text
    assert load_text(text).valid


def test_reserved_names_and_delimiters_go_with_their_references():
    text, renames = fixed(
        '<sdf version="1.9"><model name="m"><link name="world"/><link name="x::y"/>'
        '<joint name="j" type="fixed"><parent>world</parent><child>x::y</child></joint>'
        '<frame name="__f__" attached_to="x::y"/><frame name="g"><pose relative_to="__f__"/></frame></model></sdf>')
    assert renames == [("link", "world", "world_link"), ("link", "x::y", "x_y"), ("frame", "__f__", "f")]
    assert "<parent>world_link</parent><child>x_y</child>" in text
    assert 'name="f" attached_to="x_y"' in text and '<pose relative_to="f"/>' in text
    assert load_text(text).valid


def test_a_visual_named_like_a_collision_yields():
    _, renames = fixed('<sdf version="1.6"><model name="m"><link name="l"><visual name="s"/><collision name="s"/></link></model></sdf>')
    assert renames == [("visual", "s", "s_visual")]


def test_sound_names_and_plugins_are_left_alone():
    text = ('<sdf version="1.9"><model name="m"><link name="l"/><plugin name="gz::x" filename="f"/><plugin name="gz::x" filename="f">'
            '<a name="l"/><a name="l"/></plugin></model></sdf>')
    assert fixed(text) == (text, [])


def test_only_what_was_allowed_before_1_7():
    """Same kind, two underscores, '::': never allowed, or not a matter of 1.7."""
    root = etree.fromstring(
        '<sdf version="1.6"><model name="m"><link name="world"/><link name="a"/><link name="a"/><link name="__x__"/>'
        '<joint name="a" type="fixed"><parent>world</parent><child>a</child></joint><frame name="a"/></model></sdf>')
    assert [(r.tag, r.old, r.new) for r in fix_names(root, only=frozenset(["shared"]))] == [
        ("link", "world", "world_link"), ("frame", "a", "a_frame"), ("joint", "a", "a_joint")]
    assert root.findtext(".//parent") == "world_link"


def test_only_what_was_allowed_before_1_8():
    root = etree.fromstring(
        '<sdf version="1.7"><model name="m"><link name="a"/><frame name="a"/><link name="__x__"/><link name="x::y"/><link name="x_y"/>'
        '<frame name="f" attached_to="x::y"><pose relative_to="x::y"/></frame></model></sdf>')
    assert [(r.tag, r.old, r.new) for r in fix_names(root, only=frozenset(["delimiter"]))] == [("link", "x::y", "x_y_link")]
    frame = root.find(".//frame[@name='f']")
    assert frame.get("attached_to") == frame.find("pose").get("relative_to") == "x_y_link"


def test_flattened_names_of_a_root_model_are_upgraded_to_names_that_1_8_allows(tmp_path):
    """The recipes take apart what stands in a world only; from 1.8 on no name holds '::'."""
    from sdf_frames.cli.upgrade import upgrade_file
    file = tmp_path / "arm.sdf"
    file.write_text(
        '<sdf version="1.7"><model name="m"><link name="base"/><frame name="arm::__model__" attached_to="arm::l"><pose>1 0 0 0 0 0</pose></frame>'
        '<link name="arm::l"><pose relative_to="base">0 2 0 0 0 0</pose><visual name="v::w"><geometry><sphere><radius>1</radius></sphere>'
        '</geometry></visual></link></model></sdf>')
    text, found = upgrade_file(str(file), "1.12")
    assert [d.name for d in found] == ["name-not-allowed"] * 3
    loaded = load_text(text)
    assert loaded.valid
    assert {f.name: f.pose[:3] for f in loaded.scopes[0].frames} == {
        "__model__": (0, 0, 0), "base": (0, 0, 0), "arm_l": (0, 2, 0), "arm___model__": (1, 2, 0)}
    assert "arm::l" in upgrade_file(str(file), "1.7")[0]
