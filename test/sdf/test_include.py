"""Includes that params reach into: what the included model includes itself is put in its place first."""
import pytest

from sdf_frames.document.budget import Budget
from sdf_frames.load import LoadOptions, load_file


def sdf(body):
    return f'<sdf version="1.12" xmlns:experimental="urn:x">{body}</sdf>'


def include(uri, more=""):
    return f"<include><uri>{uri}</uri>{more}</include>"


@pytest.fixture
def write(tmp_path):
    """Writes files by name, and gives the path of the first."""
    def write(**files):
        for name, body in files.items():
            (tmp_path / f"{name}.sdf").write_text(sdf(body))
        return tmp_path / f"{next(iter(files))}.sdf"
    return write


def params(*changes):
    return "<experimental:params>" + "".join(changes) + "</experimental:params>"


GREEN = '<link element_id="n::b" action="modify"><gravity>false</gravity></link>'
ARM = (
    '<model name="arm"><link name="a"><gravity>true</gravity></link><joint name="j" type="fixed"><parent>a</parent>'
    '<child>{0}::b</child></joint>{1}</model>')
HAND = (
    '<model name="hand"><pose>9 9 9 0 0 0</pose><static>true</static><link name="b"><gravity>true</gravity>'
    '<pose>0 0 1 0 0 0</pose></link>{}</model>')


def frames(loaded):
    return {f.name: f.pose[:3] for f in loaded.scopes[0].frames}


def codes(loaded):
    return [d.name for d in loaded.diagnostics if d.severity != "info"]


def test_params_reach_through_two_includes_and_what_the_inner_one_says_counts(write):
    inner = include("hand.sdf", "<name>n</name><pose>0 5 0 0 0 0</pose><static>false</static>")
    path = write(world=f'<world name="w">{include("arm.sdf", params(GREEN))}</world>', arm=ARM.format("n", inner),
                 hand=HAND.format(""))
    loaded = load_file(path)
    assert codes(loaded) == []
    assert frames(loaded)["arm::n"] == (0, 5, 0) and frames(loaded)["arm::n::b"] == (0, 5, 1)
    nested = loaded.root.worlds[0].models[0].element.find("model")
    assert (nested.get("name"), nested.findtext("static"), len(nested.findall("pose"))) == ("n", "false", 1)
    assert nested.find("link").findtext("gravity") == "false"


def test_without_a_name_pose_or_static_of_its_own_the_model_keeps_its(write):
    change = GREEN.replace("n::b", "hand::b")
    path = write(world=f'<world name="w">{include("arm.sdf", params(change))}</world>',
                 arm=ARM.format("hand", include("hand.sdf")),
                 hand=HAND.format(""))
    loaded = load_file(path)
    assert codes(loaded) == []
    assert frames(loaded)["arm::hand"] == (9, 9, 9)
    assert loaded.root.worlds[0].models[0].element.find("model").findtext("static") == "true"


def test_a_placement_frame_of_the_inner_include_counts(write):
    inner = include("hand.sdf", "<name>n</name><pose>0 5 0 0 0 0</pose><placement_frame>b</placement_frame>")
    path = write(world=f'<world name="w">{include("arm.sdf", params(GREEN))}</world>', arm=ARM.format("n", inner),
                 hand=HAND.format(""))
    loaded = load_file(path)
    assert codes(loaded) == []
    assert frames(loaded)["arm::n::b"] == (0, 5, 0) and frames(loaded)["arm::n"] == (0, 5, -1)


def test_three_deep_and_the_second_of_two(write):
    """The first include leads nowhere, the second is a plugin's, the third is put in place with what it includes."""
    change = GREEN.replace("n::b", "n::o::c")
    inner = (include("none.sdf", "<name>lost</name>") + f'<plugin name="p" filename="f">{include("hand.sdf")}</plugin>'
             + include("hand.sdf", "<name>n</name>"))
    path = write(world=f'<world name="w">{include("arm.sdf", params(change))}</world>', arm=ARM.format("n", inner),
                 hand=HAND.format(include("tip.sdf", "<name>o</name>")),
                 tip='<model name="tip"><link name="c"><gravity>true</gravity></link></model>')
    loaded = load_file(path)
    assert codes(loaded) == ["uri-not-found"]
    model = loaded.root.worlds[0].models[0].element
    assert model.find("model/model").get("name") == "o"
    assert model.find("model/model/link").findtext("gravity") == "false"
    assert model.find("plugin/include") is not None


def test_a_merged_include_is_left_to_the_merging(write):
    inner = include("hand.sdf").replace("<include>", '<include merge="true">')
    change = '<link element_id="a" action="modify"><gravity>false</gravity></link>'
    arm = '<model name="arm"><link name="a"><gravity>true</gravity></link>' + inner + "</model>"
    loaded = load_file(write(world=f'<world name="w">{include("arm.sdf", params(change))}</world>', arm=arm,
                             hand=HAND.format("")))
    assert codes(loaded) == []
    assert set(frames(loaded)) >= {"arm", "arm::a", "arm::b"} and "arm::hand" not in frames(loaded)


def test_what_is_in_place_of_an_include_depends_on_the_files_around_only_in_a_circle(write):
    """In b, c includes no b; where c is included by itself, it does."""
    change = params('<link element_id="{}" action="modify"><gravity>false</gravity></link>')
    path = write(w='<world name="w">' + include("b.sdf", change.format("c::lc"))
                 + include("c.sdf", "<name>k</name>" + change.format("b::lb")) + "</world>",
                 b='<model name="b"><link name="lb"><gravity>true</gravity></link>' + include("c.sdf") + "</model>",
                 c='<model name="c"><link name="lc"><gravity>true</gravity></link>' + include("b.sdf") + "</model>")
    assert set(codes(load_file(path))) == {"include-cycle"}


def test_a_file_that_was_put_in_place_in_a_circle_is_read_anew_outside_of_it(write):
    """In b, c includes no b. In d, it does, whatever follows in c."""
    change = params('<link element_id="{}" action="modify"><gravity>false</gravity></link>')
    link = '<link name="{}"><gravity>true</gravity></link>'
    path = write(w='<world name="w">' + include("b.sdf", change.format("c::lc"))
                 + include("d.sdf", change.format("c::b::lb")) + "</world>",
                 b=f'<model name="b">{link.format("lb")}{include("c.sdf")}</model>',
                 c=f'<model name="c">{link.format("lc")}{include("b.sdf")}{include("e.sdf")}</model>',
                 d=f'<model name="d">{include("c.sdf")}</model>', e=f'<model name="e">{link.format("le")}</model>')
    loaded = load_file(path)
    assert set(codes(loaded)) == {"include-cycle"}
    (d,) = [model for model in loaded.root.worlds[0].models if model.name == "d"]
    assert d.element.findtext("model/model[@name='b']/link/gravity") == "false"


def test_what_an_inner_include_says_wrongly_is_reported_where_it_stands(write):
    """Params make the inner include a model with the include's values, which is checked again."""
    inner = include("hand.sdf", "<name>n</name>\n<pose>1 2</pose>\n<static>maybe</static>\n<plugin name='p'/>")
    path = write(world=f'<world name="w">{include("arm.sdf", params(GREEN))}</world>', arm=ARM.format("n", inner),
                 hand=HAND.format(""))
    found = load_file(path).diagnostics
    assert {(d.line, d.name, d.file) for d in found} == {
        (line, name, str(path.parent / "arm.sdf")) for line, name in (
            (2, "value-invalid"), (3, "value-invalid"), (4, "attribute-missing"))}


@pytest.mark.parametrize("part, options, name", [
    (HAND.format("") * 2 + "<", {}, "xml-malformed"), ("", {}, "include-without-entity"),
    (HAND.format(""), {"include_depth": 2}, "include-too-deep"), (HAND.format(""), {"elements": 20}, "limit-exceeded")])
def test_an_inner_include_that_cannot_be_put_in_place(write, part, options, name):
    """Params go on with what is there."""
    change = params('<link element_id="a" action="modify"><gravity>false</gravity></link>')
    path = write(world=f'<world name="w">{include("arm.sdf", change)}</world>',
                 arm=ARM.format("n", include("hand.sdf", "<name>n</name>")), hand=part)
    assert codes(load_file(path, LoadOptions(budget=Budget(**options))))[0] == name


def test_an_include_that_costs_more_than_is_left_is_reported_and_what_it_should_have_brought_is_not(write):
    """A merged one might have brought any name."""
    merged = include("p.sdf").replace("<include>", '<include merge="true">')
    path = write(m=f'<model name="m"><link name="l"/>{merged}<frame name="f" attached_to="a"/></model>',
                 p='<model name="p"><link name="a"/><link name="b"/><link name="c"/></model>')
    # Five elements and six are read, and the three links count once more.
    assert [codes(load_file(path, LoadOptions(budget=Budget(elements=most)))) for most in (11, 13, 14)] == [
        ["limit-exceeded"], ["limit-exceeded"], []]
