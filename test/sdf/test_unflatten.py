"""Names like ``g::l`` of SDFormat 1.7: which of their groups become a nested model, as 1.8 writes them."""
import pytest
from lxml import etree

from sdf_frames.sdf.unflatten import unflatten_model

PLACED = '<frame name="g::__model__" attached_to="g::l">{}</frame>'
MIMIC = ('<link name="g::k"/><joint name="g::j" type="revolute"><parent>g::l</parent><child>g::k</child>'
         '<axis><mimic joint="{}"/></axis></joint>')
GROUPS = {
    "links": ('<link name="g::k"/>', True),
    "a frame on a link": ('<frame name="g::f" attached_to="g::k"/><link name="g::k"/>', True),
    "a frame on a link outside": ('<frame name="g::f" attached_to="base"/>', False),
    "a frame on the model around": ('<frame name="g::f"/>', False),
    "a joint": ('<link name="g::k"/><joint name="g::j"><parent>g::l</parent><child>g::k</child></joint>', True),
    "a joint to the world": ('<joint name="g::j"><parent>world</parent><child>g::l</child></joint>', True),
    "a joint to a link outside": ('<joint name="g::j"><parent>base</parent><child>g::l</child></joint>', False),
    "a joint of a link outside": ('<joint name="g::j"><parent>g::l</parent><child>base</child></joint>', False),
    "a mimic joint": (MIMIC.format("g::i"), True),
    "a mimic joint that follows one outside": (MIMIC.format("i"), False),
    "a pose in the group": ('<link name="g::k"><pose relative_to="g::l"/></link>', True),
    "a pose in the model around": ('<link name="g::k"><pose relative_to="__model__"/></link>', True),
    "a pose in no frame": ('<link name="g::k"><pose relative_to=""/></link>', True),
    "a pose in the world": ('<link name="g::k"><pose relative_to="__root__"/></link>', True),
    "a pose outside": ('<link name="g::k"><pose relative_to="base"/></link>', False),
    "a sensor's pose outside": ('<link name="g::k"><sensor name="s"><pose relative_to="base"/></sensor></link>', False),
    "an axis in a frame outside": ('<joint name="g::j"><parent>world</parent><child>g::l</child><axis>'
                                   '<xyz expressed_in="base"/></axis></joint>', False),
    "a gripper": ('<gripper name="g::h"><gripper_link>g::l</gripper_link><palm_link>g::l</palm_link></gripper>', True),
    "a gripper with a finger outside": (
        '<gripper name="g::h"><gripper_link>base</gripper_link><palm_link>g::l</palm_link></gripper>', False),
    "a gripper with a palm outside": (
        '<gripper name="g::h"><gripper_link>g::l</gripper_link><palm_link>base</palm_link></gripper>', False),
    # Names in a model are its own.
    "a model": ('<model name="g::n"><link name="i"/><frame name="f" attached_to="i"/></model>', True),
    "a model in the group": ('<model name="g::n"><pose relative_to="g::l"/><link name="i"/></model>', True),
    "a model placed outside": ('<model name="g::n"><pose relative_to="base"/><link name="i"/></model>', False),
    # A frame of the group's model, which stands where the model around stands, or not.
    "its own frame": (PLACED.format(""), True),
    "its own frame at zero": (PLACED.format("<pose>0 0.0 0 -0 0 0e9</pose>"), True),
    "its own frame, moved": (PLACED.format("<pose>0 0 0 0 0 1</pose>"), False),
    "its own frame, in another": (PLACED.format('<pose relative_to="base"/>'), False),
    "its own frame outside": ('<frame name="g::__model__" attached_to="base"/>', False)}


@pytest.mark.parametrize(("members", "gathered"), GROUPS.values(), ids=GROUPS)
def test_a_group_that_nothing_outside_places_becomes_a_model(members, gathered):
    model = etree.fromstring(f'<model name="m"><link name="base"/><link name="g::l"/>{members}</model>')
    unflatten_model(model)
    assert ([child.get("name") for child in model.iterchildren("model")] == ["g"]) is gathered
    assert ("g::" in etree.tostring(model, encoding="unicode")) is not gathered


@pytest.mark.parametrize(("link", "gathered"), [("", False), ('<pose relative_to="g::__model__"/>', True)])
def test_links_of_a_model_that_is_moved_are_moved_with_it(link, gathered):
    model = etree.fromstring('<model name="m"><link name="base"/>' + PLACED.format("<pose>1 0 0 0 0 0</pose>")
                             + f'<link name="g::l">{link}</link></model>')
    unflatten_model(model)
    assert (model.find("model") is not None) is gathered
    if gathered:
        assert model.findtext("model/pose") == "1 0 0 0 0 0" and model.find("model").get("canonical_link") == "l"
        assert model.find("model/link/pose").get("relative_to") == "__model__"


def unflatten(text):
    model = etree.fromstring(text)
    unflatten_model(model)
    return etree.tostring(model, encoding="unicode")


def test_a_nested_model_has_names_and_references_without_the_prefix():
    """Everything that can refer; names in a model that is gathered, and texts of others, stay."""
    flat = (
        '<model name="m"><link name="base"/>'
        '<link name="g::l"><pose relative_to="g::__model__"/></link>'
        '<frame name="g::__model__" attached_to="g::l"><pose relative_to="__model__">1 0 0 0 0 0</pose></frame>'
        '<link name="g::k"><pose relative_to="g::l">1 0 0 0 0 0</pose><sensor name="g::s">'
        '<pose relative_to="g::k"/></sensor></link>'
        '<joint name="g::j" type="universal"><pose relative_to="g::l"/><parent> g::l </parent><child>g::k</child>'
        '<axis><xyz expressed_in="g::l"/><mimic joint="g::i"/></axis>'
        '<axis2><xyz expressed_in="g::k"/><mimic joint="g::j"/></axis2></joint>'
        '<gripper name="g::h"><gripper_link>g::l</gripper_link><gripper_link>g::k</gripper_link>'
        "<palm_link>g::l</palm_link></gripper>"
        '<frame name="g::f" attached_to="g::k"><pose relative_to="g::l"/></frame>'
        '<model name="g::n"><pose relative_to="g::l"/><link name="x"><pose relative_to="g::y"/></link></model></model>')
    assert unflatten(flat) == (
        '<model name="m"><link name="base"/><model name="g" canonical_link="l">'
        '<pose relative_to="__model__">1 0 0 0 0 0</pose>'
        '<link name="l"><pose relative_to="__model__"/></link>'
        '<link name="k"><pose relative_to="l">1 0 0 0 0 0</pose><sensor name="g::s"><pose relative_to="k"/></sensor>'
        '</link><joint name="j" type="universal"><pose relative_to="l"/><parent>l</parent><child>k</child>'
        '<axis><xyz expressed_in="l"/><mimic joint="i"/></axis>'
        '<axis2><xyz expressed_in="k"/><mimic joint="j"/></axis2></joint>'
        '<gripper name="h"><gripper_link>l</gripper_link><gripper_link>k</gripper_link><palm_link>l</palm_link>'
        '</gripper><frame name="f" attached_to="k"><pose relative_to="l"/></frame>'
        '<model name="n"><pose relative_to="l"/><link name="x"><pose relative_to="g::y"/></link></model>'
        "</model></model>")


A, AB = '<link name="a::l"/>', '<model name="a"><link name="l"/></model>'


@pytest.mark.parametrize("flat, nested", [
    # The link that was first stays canonical, unless the model names one.
    (f'<model name="m"><link name="base"/>{A}</model>', f'<model name="m"><link name="base"/>{AB}</model>'),
    (f'<model name="m">{A}<link name="base"/></model>',
     f'<model name="m" canonical_link="a::l"><link name="base"/>{AB}</model>'),
    (f'<model name="m">{A}</model>', f'<model name="m">{AB}</model>'),
    (f'<model name="m" canonical_link="a::l">{A}<link name="base"/></model>',
     f'<model name="m" canonical_link="a::l"><link name="base"/>{AB}</model>'),
    (f'<model name="m">{A}<include><name>i</name></include></model>',
     f'<model name="m" canonical_link="a::l"><include><name>i</name></include>{AB}</model>'),
    (f'<model name="m">{A}<frame name="b::__model__" attached_to="b::k"/><link name="b::l"/><link name="b::k"/>'
     "</model>",
     f'<model name="m">{AB}<model name="b" canonical_link="k"><link name="l"/><link name="k"/></model></model>'),
    # Groups in groups.
    ('<model name="m"><link name="a::b::l"/><link name="a::k"/><link name="a::b::k"/></model>',
     '<model name="m"><model name="a" canonical_link="b::l"><link name="k"/>'
     '<model name="b"><link name="l"/><link name="k"/></model></model></model>'),
    # As libsdformat does, it ends at a model that is nested already, and goes on within that.
    (f'<model name="m"><link name="base"/>{A}<model name="n"><link name="b::l"/></model><link name="c::l"/></model>',
     '<model name="m"><link name="base"/><model name="n"><model name="b"><link name="l"/></model></model>'
     f'<link name="c::l"/>{AB}</model>'),
    ('<model name="m"><model/><model name="n"><link name="b::l"/></model><model name="o"><link name="b::l"/></model>'
     "</model>",
     '<model name="m"><model/><model name="n"><model name="b"><link name="l"/></model></model>'
     '<model name="o"><link name="b::l"/></model></model>'),
    # What holds the gripper's links belongs to their group, under its own name.
    (f'<model name="m"><link name="base"/><gripper name="h"><gripper_link>a::l</gripper_link></gripper>{A}</model>',
     '<model name="m"><link name="base"/><model name="a"><gripper name="h"><gripper_link>l</gripper_link></gripper>'
     '<link name="l"/></model></model>')])
def test_groups_become_nested_models(flat, nested):
    assert unflatten(flat) == nested


def test_260_models_are_nested_in_another_and_no_more():
    """Reading refuses what is nested more deeply, so that nothing is lost where gathering ends."""
    model = etree.fromstring(f'<model name="m"><link name="{"::".join(f"a{i}" for i in range(300))}"/></model>')
    unflatten_model(model)
    assert [nested.get("name") for nested in model.iter("model")] == ["m", *[f"a{i}" for i in range(260)]]
    assert next(model.iter("link")).get("name") == "::".join(f"a{i}" for i in range(260, 300))


@pytest.mark.parametrize("flat", [
    # A name that is taken: by an element, by an include, or by what an include brings.
    f'<model name="m"><frame name="a"/><link name="l"/>{A}</model>',
    f'<model name="m"><link name="l"/><joint name="a"/>{A}</model>',
    f'<model name="m"><link name="l"/><include><name> a </name></include>{A}</model>',
    f'<model name="m"><link name="l"/><include><name>a::b</name></include>{A}</model>',
    # A link called world hides the world.
    '<model name="m"><link name="world"/><link name="g::l"/><joint name="g::j"><parent>world</parent>'
    "<child>g::l</child></joint></model>",
    # Within a model whose own name has a delimiter, names are paths of others too.
    '<model name="x::y"><link name="a::l"/></model>', '<model name="m"><link name="l"/></model>',
    '<model name="m"><visual name="a::v"/></model>'])
def test_names_that_stay_flat(flat):
    assert unflatten(flat) == flat


@pytest.mark.parametrize("element, around", [
    ('<joint name="m::a"/>', '<world name="w">{}</world>'),
    ("<include><name> m::a </name></include>", '<world name="w">{}</world>'),
    ('<frame name="m::a"/>', '<model name="n">{}</model>'),
    ("", '<world name="w"><frame name="n::m::a"/><model name="n">{}</model></world>'),
    ("", '<world name="w"><frame name="n::m::b"/><frame name="m::a"/><frame name="o::m::a"/><model name="n">{}</model>'
         "</world>")])
def test_a_name_around_that_is_also_the_path_of_the_new_model_keeps_its_meaning(element, around):
    root = etree.fromstring(around.format(f'{element}<model name="m"><link name="l"/>{A}<link name="b::l"/></model>'))
    (model,) = [m for m in root.iter("model") if m.get("name") == "m"]
    unflatten_model(model)
    kept = "b" if "n::m::b" in around else "a"
    assert [c.get("name") for c in model] == ["l", f"{kept}::l", *{"a", "b"} - {kept}]
