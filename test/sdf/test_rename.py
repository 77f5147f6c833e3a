"""Names that 1.7 refuses are replaced, and references go on meaning what they meant."""

import pytest
from lxml import etree

from sdf_frames.load import load_file, load_text
from sdf_frames.sdf.settle import choose_writing_rules, fix_names, settle_names


def fixed(text: str) -> tuple[str, list]:
    root = etree.fromstring(text)
    renames = fix_names(root)
    return etree.tostring(root, encoding="unicode"), [(r.tag, r.old, r.new) for r in renames]


def test_a_joint_named_like_its_link_gets_another_name_and_is_followed():
    text, renames = fixed(
        '<sdf version="1.6"><model name="m"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="b" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>'
        '<joint name="k" type="revolute"><parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz><mimic joint="b"/>'
        '</axis></joint>'
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


def test_sound_names_and_plugins_are_left_alone():
    text = ('<sdf version="1.9"><model name="m"><link name="l"/><plugin name="gz::x" filename="f"/>'
            '<plugin name="gz::x" filename="f">'
            '<a name="l"/><a name="l"/></plugin></model></sdf>')
    assert fixed(text) == (text, [])


def test_flattened_names_of_a_root_model_are_upgraded_to_names_that_1_8_allows(tmp_path):
    """The recipes take apart what stands in a world only; from 1.8 on no name holds '::'."""
    from written_text import upgrade_file
    file = tmp_path / "arm.sdf"
    file.write_text(
        '<sdf version="1.7"><model name="m"><link name="base"/><frame name="arm::__model__" attached_to="arm::l">'
        '<pose>1 0 0 0 0 0</pose></frame>'
        '<link name="arm::l"><pose relative_to="base">0 2 0 0 0 0</pose><visual name="v::w"><geometry><sphere>'
        '<radius>1</radius></sphere>'
        '</geometry></visual></link></model></sdf>')
    text, found = upgrade_file(str(file), "1.12")
    assert [d.name for d in found] == ["name-not-allowed"] * 3
    loaded = load_text(text)
    assert loaded.valid
    assert {f.name: f.pose[:3] for f in loaded.scopes[0].frames} == {
        "__model__": (0, 0, 0), "base": (0, 0, 0), "arm_l": (0, 2, 0), "arm___model__": (1, 2, 0)}
    assert "arm::l" in upgrade_file(str(file), "1.7")[0]


def test_an_upgrade_says_that_other_files_may_use_the_old_name(tmp_path):
    """An upgrade of the model does not see the world, whose joint has no parent afterwards."""
    from written_text import upgrade_file
    model, world = tmp_path / "old.sdf", tmp_path / "w.sdf"
    model.write_text('<sdf version="1.6"><model name="old"><link name="h::a"/><link name="b"/></model></sdf>')
    world.write_text('<sdf version="1.6"><world name="w"><include><uri>old.sdf</uri><name>r</name></include><joint '
                     'name="j" type="fixed"><parent>r::h::a</parent><child>r::b</child></joint></world></sdf>')
    assert load_file(str(world)).valid
    text, (finding,) = upgrade_file(str(model), "1.12")
    model.write_text(text)
    assert [d.name for d in load_file(str(world)).diagnostics if d.severity == "error"] == ["joint-parent-unknown"]
    assert finding.hint.endswith("; other files may still use the old name: change it there, too")


@pytest.mark.parametrize("version", ["1.4", "1.12"])
def test_below_the_root_what_sdformat_does_not_know_yields_to_the_model(version):
    """'upgrade' and 'print' of a 1.4 file, which may share the name, ended with 0 for what 'check' refuses."""
    root = etree.fromstring(f'<sdf version="{version}"><model name="m"><link name="l"/></model><link name="m"/></sdf>')
    renames = settle_names(root, choose_writing_rules("1.4"))
    assert [(r.tag, r.old, r.new) for r in renames] == [("link", "m", "m_link")]
    root.set("version", "1.12")
    assert load_text(etree.tostring(root)).valid


FRAMED = ('<sdf version="1.6"><model name="m"><link name="__x__"/><link name="o"/>'
          '<model name="__z__"><link name="y"/></model>{}</model></sdf>')


@pytest.mark.parametrize("written", [
    *[f'<any {name}="{{}}"/>' for name in ("relative_to", "frame", "attached_to", "expressed_in", "canonical_link",
                                           "placement_frame")],
    *[f"<{tag}>{{}}</{tag}>" for tag in ("parent", "child", "gripper_link", "palm_link", "gearbox_reference_body")]])
@pytest.mark.parametrize("value, new", [("__x__", "x"), ("__z__::y", "z::y"), ("o", "o"), ("y::__x__", "y::__x__")])
def test_all_that_refers_to_a_frame_follows(written, value, new):
    assert written.format(new) in fixed(FRAMED.format(written.format(value)))[0]
    if not written.startswith("<any"):  # blanks around a text are none of the name
        assert written.format("x") in fixed(FRAMED.format(written.format(" __x__ ")))[0]


def test_a_text_that_refers_to_nothing_stays():
    text, _ = fixed(FRAMED.format("<description>__x__</description>"))
    assert "<description>__x__</description>" in text
