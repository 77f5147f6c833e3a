"""What a file uses before its version knew it: read all the same, with one warning a feature."""
import pytest

from sdf_frames.load import load_text
from sdf_frames.sdf.features import FEATURES
from sdf_frames.sdf.table import SINCE, VERSIONS, load_table

LINKS = '<link name="a"/><link name="b"/>'
NESTED = '<model name="n"><link name="l"/></model>'


def joint(parent, child, more=""):
    return (f'<joint name="j" type="revolute"><parent>{parent}</parent><child>{child}</child>'
            f"<axis><xyz>0 0 1</xyz>{more}</axis></joint>")


def told(body, version, world=False):
    inner = f'<world name="w">{body}</world>' if world else f'<model name="m">{LINKS}{body}</model>'
    loaded = load_text(f'<sdf version="{version}">{inner}</sdf>')
    assert loaded.valid, loaded.diagnostics
    return [d for d in loaded.diagnostics if d.name == "feature-of-later-version"]


@pytest.mark.parametrize("body, old, since", [
    ('<link name="c"><pose frame="a"/></link>', "1.2", "1.5"),
    # 002:966 and 004:372: until 1.7 parent and child are links beside the joint; 004:496: in 1.5 and 1.6 also `n::l`.
    ('<frame name="f"/>' + joint("f", "b"), "1.6", "1.8"),
    ('<frame name="f"/>' + joint("world", "f"), "1.7", "1.8"),
    (joint("__model__", "b"), "1.7", "1.8"), (NESTED + joint("n::__model__", "b"), "1.7", "1.8"),
    (NESTED + joint("n", "b"), "1.5", "1.8"), (NESTED + joint("n::l", "b"), "1.7", "1.8"),
    (joint("a", "b").replace('"j"', '"i"') + joint("i", "a"), "1.6", "1.8")])
def test_each_newer_feature_is_one_warning_with_its_version(body, old, since):
    (found,) = told(body, old)
    assert found.severity == "warning" and found.message.startswith(f"SDFormat {old} does not have ")
    assert found.message.endswith(f", new in {since}")
    assert told(body, since) == []


@pytest.mark.parametrize("version", ["1.5", "1.6", "1.8", "1.12"])
def test_links_of_nested_models_are_joint_ends_but_for_1_7(version):
    assert told(NESTED + joint("n::l", "b"), version) == []


@pytest.mark.parametrize("version", ["1.4", "1.6", "1.7"])
def test_links_and_the_world_are_joint_ends_in_every_version(version):
    assert told(joint("a", "b"), version) == told(joint("world", "b"), version) == []


def test_frames_of_plugins_are_their_own():
    assert told('<plugin name="p" filename="f"><pose frame="x"/><model><model/></model></plugin>', "1.4") == []


def test_the_table_is_of_versions():
    assert {row.since for row in FEATURES} <= set(VERSIONS) and len(FEATURES) == len({row.name for row in FEATURES})


def test_what_versions_brought_is_in_the_newest():
    """Elements and attributes of the table, since versions that there are; which, the schema files say."""
    pending, names, seen = [load_table()], set(), set()
    while pending:
        spec = pending.pop()
        if id(spec) not in seen:
            seen.add(id(spec))
            names |= spec.children.keys() | spec.attributes.keys()
            pending += spec.children.values()
    assert names >= SINCE.keys() and set(VERSIONS) >= set(SINCE.values())


COLLISION = '<link name="c"><collision name="x"><geometry>{}</geometry>{}</collision></link>'


def pose(attributes):
    return f'<link name="c"><pose {attributes}>0 0 0 0 0 0</pose></link>'


# The versions are those in which the element files of the specification have them first.
USES = [
    ("nested models", "1.4", "1.5", NESTED, 0), ("<frame> in a model", "1.4", "1.5", '<frame name="f"/>', 0),
    ("<pose frame>", "1.4", "1.5", pose('frame="a"'), 0),
    ("<pose relative_to>", "1.6", "1.7", pose('relative_to="a"'), 0),
    ("<frame> in a world", "1.6", "1.7", '<frame name="f"/>', 1),
    ("<frame attached_to>", "1.6", "1.7", '<frame name="f" attached_to="a"/>', 0),
    ("<model canonical_link>", "1.6", "1.7", '<model name="n" canonical_link="l"><link name="l"/></model>', 0),
    ("<xyz expressed_in>", "1.6", "1.7", joint("a", "b").replace("<xyz>", '<xyz expressed_in="a">'), 0),
    ("placement frames", "1.7", "1.8", '<model name="n" placement_frame="l"><link name="l"/></model>', 0),
    ("<capsule> and <ellipsoid>", "1.7", "1.8", COLLISION.format("<capsule/>", ""), 0),
    ("<capsule> and <ellipsoid>", "1.7", "1.8", COLLISION.format("<ellipsoid/>", ""), 0),
    ("<pose degrees>", "1.8", "1.9", pose('degrees="false"'), 0),
    ("<pose degrees>", "1.8", "1.9", pose('degrees=""'), 0),
    ("<pose rotation_format>", "1.8", "1.9", pose('rotation_format="euler_rpy"'), 0),
    ("<pose rotation_format>", "1.8", "1.9", pose('rotation_format=""'), 0),
    ("<inertial auto>", "1.10", "1.11", '<link name="c"><inertial auto="false"/></link>', 0),
    ("<inertial auto>", "1.10", "1.11", '<link name="c"><inertial auto=""/></link>', 0),
    ("<density>", "1.10", "1.11", '<link name="c"><inertial><density>1</density></inertial></link>', 0),
    ("<density>", "1.10", "1.11", COLLISION.format("<empty/>", "<density>1</density>"), 0),
    ("<cone>", "1.10", "1.11", COLLISION.format("<cone/>", ""), 0),
    ("<mimic>", "1.10", "1.11", '<link name="c"/>' + joint("a", "b").replace('"j"', '"i"')
     + '<joint name="j" type="universal"><parent>b</parent><child>c</child>'
       '<axis2><xyz>0 0 1</xyz><mimic joint="i"/></axis2></joint>', 0)]


@pytest.mark.parametrize("name, before, since, body, in_world", USES)
def test_each_use_of_each_feature(name, before, since, body, in_world):
    found = [d for version in (before, since) for d in told(body, version, bool(in_world))]
    assert len(found) == 1
    assert found[0].hint == (f"it is read as in {since}; write version=\"{since}\" or later "
                             "('sdf_frames upgrade' does)")
    assert found[0].message == f"SDFormat {before} does not have {name}, new in {since}"


@pytest.mark.parametrize("body", [pose('relative_to=""'), pose('frame=""'), '<frame name="f" attached_to=""/>'])
def test_an_empty_reference_does_not_count_as_use(body):
    assert [d.message for d in told(body, "1.5") if "relative_to" in d.message or "attached" in d.message] == []


def world(body, version):
    text = f'<sdf version="{version}"><world name="w">\n{body}</world></sdf>'
    return [(d.message, d.line) for d in load_text(text).diagnostics if d.name == "feature-of-later-version"]


@pytest.mark.parametrize("version, is_told", [("1.6", False), ("1.7", True), ("1.9", True), ("1.10", False)])
def test_joints_of_a_world_were_in_old_versions_too(version, is_told):
    models = "".join(f'<model name="{name}"><link name="l"/></model>' for name in "mn")
    body = models + '<joint name="j" type="fixed"><parent>m::l</parent><child>n::l</child></joint>'
    assert world(body, version) == [(f"SDFormat {version} does not have <joint> in a world, new in 1.10", 2)] * is_told


@pytest.mark.parametrize("attribute", ['merge="true"', 'merge="false"', 'merge=""'])
def test_merging_came_with_1_9(attribute):
    include = f"<include {attribute}><uri>none</uri></include>"
    assert world(include, "1.8") == [("SDFormat 1.8 does not have <include merge>, new in 1.9", 2)]
    assert world(include, "1.9") == []


@pytest.mark.parametrize("frame, is_told", [("<placement_frame>l</placement_frame>", True), ("", False)])
def test_placement_frames_of_includes(frame, is_told):
    include = f"<include><uri>none</uri>{frame}</include>"
    assert world(include, "1.7") == [("SDFormat 1.7 does not have placement frames, new in 1.8", 2)] * is_told
