"""Which element gets which new name, by the rules that are in force."""
import pytest
from lxml import etree

from sdf_frames.document.xml_in import read_xml
from sdf_frames.sdf.names import Taken, has_prefix, is_reserved
from sdf_frames.sdf.settle import (
    Rename,
    choose_fixing_rules,
    choose_reading_rules,
    choose_writing_rules,
    fix_names,
    settle_names,
)

# What the rules of a version forbid: see the constants of sdf_frames.sdf.settle.
ONLY_SHARED, BOTH = {"shared"}, {"shared", "path"}


@pytest.mark.parametrize("written, to, rules", [
    ("1.6", "1.12", BOTH), ("1.6", "1.7", BOTH), ("1.6", "1.6", set()), ("1.5", "1.6", set()),
    ("1.7", "1.12", {"path"}), ("1.7", "1.7", {"path"}), ("1.8", "1.12", set()), ("1.12", "1.12", set())])
def test_rules_for_reading(written, to, rules):
    assert choose_reading_rules(written, to) == rules


@pytest.mark.parametrize("written, to, rules", [
    ("1.6", "1.12", {"shared", "aside", "world", "delimiter"}),
    ("1.6", "1.8", {"shared", "aside", "world", "delimiter"}),
    ("1.6", "1.7", {"shared", "aside", "world"}), ("1.5", "1.6", set()), ("1.7", "1.8", {"delimiter"}),
    ("1.7", "1.7", set()), ("1.8", "1.12", set())])
def test_rules_for_writing(written, to, rules):
    assert choose_writing_rules(written, to) == rules


@pytest.mark.parametrize("version, more", [("1.6", set()), ("1.7", set()), ("1.8", {"delimiter"})])
def test_rules_for_fixing(version, more):
    assert choose_fixing_rules(version) == {"shared", "aside", "world", "reserved", "duplicate"} | more


def settle(body, rules, version="1.6"):
    root = etree.fromstring(f'<sdf version="{version}">{body}</sdf>')
    renames = settle_names(root, rules)
    return [(r.tag, r.old, r.new) for r in renames]


READ, WRITE, FIX = choose_reading_rules("1.6"), choose_writing_rules("1.6", "1.7"), choose_fixing_rules("1.7")


def test_elements_of_different_kinds_below_the_root_are_told_apart_without_a_model():
    assert settle('<joint name="a"/><link name="a"/>', WRITE) == [("link", "a", "a_link")]


def named(*words):
    """A model of elements like ``link:a``; a nested model holds a link."""
    parts = [word.partition(":") for word in words]
    inside = {"model": '<link name="k"/>'}
    return '<model name="m">' + "".join(
        f'<{tag} name="{name}">{inside.get(tag, "")}</{tag}>' for tag, _, name in parts) + "</model>"


@pytest.mark.parametrize("words, rules, renames", [
    # Links, models, joints and frames share no name; what defines no frame may, until 1.7.
    ("frame:a joint:a model:a link:a", READ, [("model", "a", "a_model"), ("joint", "a", "a_joint"),
                                             ("frame", "a", "a_frame")]),
    ("link:a gripper:a", READ, []), ("link:a gripper:a", WRITE, [("gripper", "a", "a_gripper")]),
    ("gripper:a link:a", WRITE, [("gripper", "a", "a_gripper")]), ("link:a link:a", WRITE, []),
    ("link:a link:a", FIX, [("link", "a", "a_link")]),
    ("link:a frame:a frame:a", WRITE, [("frame", "a", "a_frame"), ("frame", "a", "a_frame")]),
    ("link:a frame:a frame:a", FIX, [("frame", "a", "a_frame"), ("frame", "a", "a_frame0")]),
    ("link:a frame:a joint:a_frame link:a_frame0", READ, [("frame", "a", "a_frame1")]),
    # A model behind a light could never have its name: that is an error to fix, and not a matter of upgrading.
    ("light:a model:a", WRITE, []), ("model:a light:a", WRITE, [("light", "a", "a_light")]),
    ("light:a model:a", FIX, [("light", "a", "a_light")]),
    # The name of the world.
    ("link:world", READ, []), ("link:world", WRITE, [("link", "world", "world_link")]),
    ("joint:world", WRITE, []), ("joint:world", FIX, [("joint", "world", "world_joint")]),
    ("link:world link:world_link", WRITE, [("link", "world", "world_link0")]),
    ("link:world frame:world", FIX, [("link", "world", "world_link"), ("frame", "world", "world_frame")]),
    # Names between double underscores.
    ("link:__a__", WRITE, []), ("link:__a__", FIX, [("link", "__a__", "a")]),
    ("link:____", FIX, [("link", "____", "link")]),
    ("link:__a__ link:a", FIX, [("link", "__a__", "a_link")]), ("link:___", FIX, []), ("link:__a", FIX, []),
    # A delimiter.
    ("link:a::b", FIX, []), ("link:a::b", choose_fixing_rules("1.8"), [("link", "a::b", "a_b")]),
    ("link:a::b link:a_b", choose_fixing_rules("1.8"), [("link", "a::b", "a_b_link")]),
    ("link:a::b frame:a::b", choose_writing_rules("1.6", "1.8"), [("link", "a::b", "a_b"),
                                                                 ("frame", "a::b", "a_b_frame")])])
def test_new_names_of_siblings(words, rules, renames):
    renamed = settle(named(*words.split()), rules)
    assert sorted(renamed) == sorted(renames)


def test_a_name_with_delimiters_yields_to_the_path():
    def model(name, more=""):
        return f'<model name="{name}"><link name="l"/>{more}</model>'
    flat = '<link name="a::l"/><frame name="a::l"/><joint name="a::l"/>'
    assert settle(f'<model name="m">{model("a")}{flat}</model>', {"path"}, "1.7") == [
        ("link", "a::l", "a::l_link"), ("joint", "a::l", "a::l_joint"), ("frame", "a::l", "a::l_frame")]
    # Not itself, not what is nowhere, and not without that rule.
    assert settle(f'<model name="m">{model("a")}<link name="a::k"/><link name="b::l"/></model>', {"path"}, "1.7") == []
    assert settle(f'<model name="m">{model("a")}<link name="a::l"/></model>', {"shared"}, "1.7") == []
    assert settle(f'<model name="m">{model("a")}<link name="a::__model__"/></model>', {"path"}, "1.7") == [
        ("link", "a::__model__", "a::__model___link")]
    # Of a path that two names give, the longer one; and the new name is none that leads somewhere.
    taken = model("a", '<frame name="l_link"/>')
    assert settle(f'<model name="m">{taken}<link name="a::l"/></model>', {"path"}, "1.7") == [
        ("link", "a::l", "a::l_link0")]


def test_renames_are_in_document_order_with_their_places():
    text = ('<sdf version="1.6">\n<world name="w">\n<model name="m">\n<frame name="a"/>\n<link name="a"/>\n</model>\n'
            '<frame name="m"/>\n</world></sdf>')
    root = read_xml(text, "f.sdf")[0].root
    renames = fix_names(root)
    assert [(r.tag, r.old, r.new, r.place.line, r.place.column, r.place.path) for r in renames] == [
        ("frame", "m", "m_frame", 7, 14, '/sdf/world[@name="w"]/frame[@name="m"]'),
        ("frame", "a", "a_frame", 4, 14, '/sdf/world[@name="w"]/model[@name="m"]/frame[@name="a"]')]


@pytest.mark.parametrize("old, new, rule, hint", [
    ("a", "a_frame", "name-renamed", False), ("a::b", "a::b_frame", "name-renamed", True),
    ("a::b", "a_b", "name-not-allowed", False), ("__a__", "a", "name-not-allowed", False),
    ("world", "world_frame", "name-not-allowed", False)])
def test_the_finding_says_why_the_name_was_not_kept(old, new, rule, hint):
    from sdf_frames.diagnostics import Location
    found = Rename("frame", old, new, Location("f.sdf", 3)).report()
    assert (found.name, found.file, found.line) == (rule, "f.sdf", 3)
    assert ("is also the scoped name of an element inside of a model" in (found.hint or "")) is hint
    assert repr(old) in found.message or old in found.message


@pytest.mark.parametrize("body, renames", [
    ('<link name="l"><visual name="a"/><collision name="a"/><visual name="b"/><visual name="b"/></link>',
     [("visual", "a", "a_visual"), ("visual", "b", "b_visual")]),
    ('<link name="l"><sensor name="__s__"><plugin name="__p__"/></sensor></link>', [("sensor", "__s__", "s")]),
    ('<x:y name="__a__" xmlns:x="u"/><plugin name="p"><z name="__b__"/></plugin><link name="l"/>', [])])
def test_names_of_what_is_in_links(body, renames):
    assert settle(f'<model name="m">{body}</model>', FIX) == renames


def test_in_a_state_names_of_siblings_differ_too():
    state = ('<state world_name="w"><model name="m"><link name="l"/><link name="l"/></model><light name="m"/></state>')
    assert settle(f'<world name="w">{state}</world>', FIX) == [("light", "m", "m_light"), ("link", "l", "l_link")]


def test_lights_and_actors_at_the_root_may_share_a_name():
    assert settle('<model name="m"><link name="l"/></model><light name="m"/><actor name="m"/>', FIX) == []
    assert settle('<world name="m"/><model name="m"><link name="l"/></model>', FIX) == [("model", "m", "m_model")]
    assert settle('<joint name="m"/><model name="m"><link name="l"/></model>', FIX) == [("joint", "m", "m_joint")]


@pytest.mark.parametrize("tag", ["model", "world", "link", "other"])
def test_names_below_elements_that_sdformat_does_not_have_are_settled(tag):
    """Readers of 1.8 refuse '::' there, too."""
    inside = '<model name="c::d"><link name="e::f"/><plugin name="g::h"/></model>'
    rules = choose_writing_rules("1.7", "1.12")
    assert settle(f'<other><{tag} name="a::b">{inside}</{tag}></other>', rules, "1.7") == [
        (tag, "a::b", "a_b"), ("model", "c::d", "c_d"), ("link", "e::f", "e_f")]


@pytest.mark.parametrize("base, taken, new", [
    ("a", "", "a"), ("a", "b a0", "a"), ("a", "a", "a0"), ("a", "a a0 a1", "a2"), ("a", "a a1", "a0")])
def test_the_first_free_name(base, taken, new):
    assert Taken(taken.split()).find_free(base) == new


@pytest.mark.parametrize("name, reserved", [
    ("world", True), ("World", False), ("____", True), ("___", False), ("__a__", True), ("__a", False), ("a__", False),
    ("_a_", False), ("", False)])
def test_names_that_belong_to_the_format(name, reserved):
    assert is_reserved(name) is reserved


@pytest.mark.parametrize("name, prefixed", [("a", False), ("a:b", True), ("{urn:a}b", True), (":a", True), ("", False)])
def test_names_with_a_prefix(name, prefixed):
    assert has_prefix(name) is prefixed
