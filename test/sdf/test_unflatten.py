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
    "a pose outside": ('<link name="g::k"><pose relative_to="base"/></link>', False),
    "a sensor's pose outside": ('<link name="g::k"><sensor name="s"><pose relative_to="base"/></sensor></link>', False),
    "an axis in a frame outside": ('<joint name="g::j"><parent>world</parent><child>g::l</child><axis>'
                                   '<xyz expressed_in="base"/></axis></joint>', False),
    "a gripper": ('<gripper name="g::h"><gripper_link>g::l</gripper_link><palm_link>g::l</palm_link></gripper>', True),
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
