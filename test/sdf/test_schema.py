"""Elements held against the table of SDFormat: each child is judged, whatever stands before it."""

import pytest
from readings import judge as judge_marked

from sdf_frames.document.xml_in import read_xml
from sdf_frames.load import load_text
from sdf_frames.sdf.schema import check_schema


def judge(body, version="1.12"):
    loaded = load_text(f'<sdf version="{version}" xmlns:a="urn:a">\n{body}</sdf>')
    return [
        (d.name, d.severity, d.line) for d in loaded.diagnostics if d.severity != "info" and d.name != "uri-not-found"]


@pytest.mark.parametrize("before", ["<a:b/>", "<!-- -->", '<plugin name="p" filename="f"/>'])
def test_in_an_include_what_follows_somebody_elses_child_is_judged(before):
    include = f"<include>{before}<uri>model://n</uri>\n<name>x::y</name>\n<static>maybe</static></include>"
    assert judge(f'<world name="w">{include}</world>') == [
        ("name-with-delimiter", "error", 3), ("value-invalid", "error", 4)]


@pytest.mark.parametrize("before", ["<!-- -->", "<?note?>"])
@pytest.mark.parametrize("parent", ['<model name="m"><link name="l"/>{}</model>', '<world name="w">{}</world>'])
def test_elements_behind_a_kept_comment_are_checked(before, parent):
    document = read_xml(f'<sdf version="1.12">{parent.format(before + "<foo/>")}</sdf>', keep_comments=True)[0]
    found = []
    check_schema(document.root, found, delimiter_banned=True)
    assert [d.name for d in found] == ["element-unknown"]


def test_names_with_delimiters_are_refused_below_unknown_elements_of_any_depth():
    body = ('<model name="m"><link name="l"/>\n<foo name="a::b">\n<plugin name="c::d"/><a:x name="e::f"/>\n<bar>\n'
            '<baz name="g::h"/></bar></foo></model>')
    assert [line for name, _, line in judge(body) if name == "name-with-delimiter"] == [3, 6]


@pytest.mark.parametrize("version, first, second, expected", [
    ("1.12", "link", "link", [("name-duplicate", "error")]), ("1.12", "link", "frame", [("name-shared", "error")]),
    ("1.12", "link", "joint", [("name-shared", "error")]),
    ("1.12", "link", "gripper", [("name-shared-in-scope", "error")]),
    ("1.6", "link", "link", [("name-duplicate", "error")]), ("1.6", "link", "model", [("name-renamed", "warning")]),
    ("1.6", "gripper", "link", [("name-shared-in-scope", "warning")]),
    ("1.6", "gripper", "model", [("name-shared-in-scope", "error")]),
    ("1.6", "model", "gripper", [("name-shared-in-scope", "warning")]),
    # What is not upgraded is not renamed: of an unknown old version, only what no version allows is reported.
    ("1.1", "link", "frame", []), ("1.1", "frame", "joint", []), ("1.1", "link", "model", [("name-shared", "error")]),
    ("1.1", "frame", "frame", [("name-duplicate", "error")])])
def test_two_siblings_of_one_name(version, first, second, expected):
    one = {"joint": '<joint name="x" type="fixed"><parent>world</parent><child>l</child></joint>',
           "model": '<model name="x"><link name="l"/></model>',
           "gripper": '<gripper name="x"><gripper_link>l</gripper_link><palm_link>l</palm_link></gripper>'}
    text = "\n".join(one.get(tag, f'<{tag} name="x"/>') for tag in (first, second))
    found = judge(f'<model name="m"><link name="l"/>\n{text}</model>', version)
    assert [(name, severity) for name, severity, line in found if line == 4 and name[:5] == "name-"] == expected


LINK = '<sdf version="1.12">\n<model name="m"><link name="l">{}</link></model></sdf>'
SHAPE = "<geometry><empty/></geometry>"


@pytest.mark.parametrize("inside, rule, message", [
    ("^<visual/>", "attribute-missing", "<visual> has no attribute name, which is required"),
    ('<visual name="^">' + SHAPE + "</visual>", "attribute-empty", "the attribute name of <visual> is empty"),
    (f'<visual name="v" nme="^x">{SHAPE}</visual>', "attribute-unknown",
     "unknown attribute nme of <visual>: readers ignore it"),
    (f'<visual name="v">{SHAPE}^<castshadows/></visual>', "element-unknown",
     "unknown element <castshadows> in <visual>: libsdformat ignores it"),
    ("^<pose>1 2</pose>", "value-invalid", "invalid <pose>: '1 2' is not six finite numbers x y z roll pitch yaw"),
    ('<pose degrees="^x">1 2 3 4 5 6</pose>', "attribute-invalid",
     "invalid attribute degrees of <pose>: 'x' is neither true nor false"),
    ('^<pose degrees="true">x</pose>', "value-invalid",
     "invalid <pose>: 'x' is not six finite numbers x y z roll pitch yaw"),
    ('^<pose rotation_format="quat_xyzw">1 2 3 4 5 6</pose>', "value-invalid",
     "invalid <pose>: '1 2 3 4 5 6' is not seven finite numbers x y z qx qy qz qw"),
    ('<pose relative_to="^__root__"/>', "reference-to-root", "relative_to is '__root__', which cannot be referenced"),
    ("<inertial>^<mass>x</mass></inertial>", "value-invalid",
     "invalid <mass>: 'x' is not a number that a double holds"),
    ("<inertial>^<mass>1 kg</mass></inertial>", "text-after-number",
     "<mass>: 'kg' after the number is not read; the value is 1"),
    ("^<pose>0 1,5 0 0 0 0</pose>", "text-after-number",
     "<pose>: ',5' after the number is not read; the value is 0 1 0 0 0 0"),
    ('^<pose degrees="true">0 0 0 0 0 90deg</pose>', "text-after-number",
     "<pose>: 'deg' after the number is not read; the value is 0 0 0 0 0 90"),
    ('<visual name="v"><geometry><empty/></geometry><material><pbr><metal><light_map uv_set="^2 x">m.png</light_map>'
     "</metal></pbr></material></visual>", "text-after-number",
     "the attribute uv_set of <light_map>: 'x' after the number is not read; the value is 2"),
    *[('<sensor name="s" type="imu"><imu><orientation_reference_frame>'
       f'<{tag} parent_frame="^__root__"/></orientation_reference_frame></imu></sensor>', "reference-to-root",
       "parent_frame is '__root__', which cannot be referenced") for tag in ("custom_rpy", "grav_dir_x")],
    ('<inertial auto="^maybe"/>', "attribute-invalid",
     "invalid attribute auto of <inertial>: 'maybe' is neither true nor false"),
    ("<kinematic>1</kinematic>^<kinematic>0</kinematic>", "element-repeated",
     "<link> contains <kinematic> 2 times; only the first is used"),
    ('<sensor name="s" type="camera"><camera><lens><custom_function>^<fun/></custom_function></lens></camera></sensor>',
     "element-empty", "<fun> in <custom_function> is empty")])
def test_violations_of_the_element_table_are_reported_at_their_place(inside, rule, message):
    found, marks = judge_marked(LINK.format(inside))
    assert found == [(rule, message, *marks)]


@pytest.mark.parametrize("text, rule, message", [
    ('<model name="m"><link name="l"/><joint name="j" type="fixed">^<parent>__root__</parent><child>l</child></joint>'
     "</model>", "reference-reserved", "<parent> is '__root__', which cannot be referenced"),
    ('<model name="m"><link name="l"/>^<joint name="j" type="fixed"><child>l</child></joint></model>',
     "element-missing", "<joint> has no <parent>, which is required"),
    ('<model name="m"><link name="l"/>^<joint name="j" type="fixed"><parent>l</parent></joint></model>',
     "element-missing", "<joint> has no <child>, which is required"),
    ('<model name="^m::n"><link name="l"/></model>', "name-with-delimiter", "the name 'm::n' of <model> contains '::'"),
    ('<world name="w"><physics type="ode"/>^<physics type="ode"/></world>', "name-duplicate",
     "two <physics> siblings are named 'default_physics'"),
    ('<world name="w"><physics type="ode" name="a"/><physics type="ode"/></world>', None, None),
    ('<model name="m" canonical_link="^__root__"><link name="l"/></model>', "reference-to-root",
     "canonical_link is '__root__', which cannot be referenced"),
    ('<model name="m" placement_frame="^__root__"><link name="l"/></model>', "reference-to-root",
     "placement_frame is '__root__', which cannot be referenced"),
    ('<model name="m"><link name="l"/><frame name="f" attached_to="^__root__"/></model>', "reference-to-root",
     "attached_to is '__root__', which cannot be referenced")])
def test_invalid_content_of_the_root_is_reported_at_its_place(text, rule, message):
    found, marks = judge_marked(f'<sdf version="1.12">\n{text}</sdf>')
    assert found[:1] == ([(rule, message, *marks)] if rule else [])


def test_a_pose_without_the_attribute_is_read_as_six_numbers():
    """In actor.sdf 1.12, the pose of a waypoint has no attributes."""
    text = ('<sdf version="1.12"><actor name="a"><skin><filename>a.dae</filename></skin><script><trajectory id="0" '
            'type="t"><waypoint><time>0</time><pose rotation_format="quat_xyzw">1 0 0 0 0 0 1</pose></waypoint>'
            "</trajectory></script></actor></sdf>")
    assert [d.name for d in load_text(text).diagnostics] == ["attribute-unknown", "value-invalid"]


def test_plugins_may_have_any_name():
    """Each other's, that of something else, and one with a delimiter; also in a link, which knows no plugins."""
    plugins = "".join(f'<plugin name="{name}" filename="f"/>' for name in ("p", "p", "l", "a::b"))
    text = f'<sdf version="1.12"><model name="m"><link name="l">{plugins}</link>{plugins}</model></sdf>'
    assert [d.name for d in load_text(text).diagnostics] == ["element-unknown"] * 4


def test_the_first_of_clashing_siblings_is_the_related_place():
    visual = f'\n<visual name="a">{SHAPE}</visual>'
    text = LINK.format(f"{visual}{visual}<kinematic/><kinematic/>")
    found = {d.name: d for d in load_text(text).diagnostics}
    assert {name: [(r.message, r.line, r.column) for r in d.related] for name, d in found.items()} == {
        "name-duplicate": [("<visual> of that name", 3, 15)],
        "element-repeated": [("the <kinematic> that is used", 4, 56)]}


@pytest.mark.parametrize("tag, value, problem", [
    ("humidity", "-1", "-1 is below the least allowed value 0"), ("humidity", "0", ""), ("humidity", "1", ""),
    ("humidity", "1.1", "1.1 is above the greatest allowed value 1"), ("mean_size", "2", "2 is above the greatest "
     "allowed value 1"), ("speed", "-1", "-1 is below the least allowed value 0"), ("speed", "1e9", "")])
def test_bounds_of_the_table_hold(tag, value, problem):
    """Those of the clouds of a scene's sky."""
    sky = f"<scene><sky><clouds>^<{tag}>{value}</{tag}></clouds></sky></scene>"
    found, marks = judge_marked(f'<sdf version="1.12"><world name="w">{sky}</world></sdf>')
    assert found == ([("value-invalid", f"invalid <{tag}>: {problem}", *marks)] if problem else [])


def test_only_what_was_carried_over_is_checked():
    body = '<model name="m"><link name="l"><foo/><kinematic>x</kinematic></link><link name="k"><foo/></link></model>'
    root = read_xml(f'<sdf version="1.12">{body}</sdf>')[0].root
    for only, names in (((root[0][0][1],), ["element-unknown", "value-invalid"]), ((root[0][1],), ["element-unknown"]),
                        ((), []), (None, ["element-unknown", "value-invalid", "element-unknown"])):
        found = []
        check_schema(root, found, delimiter_banned=True, only=only)
        assert [d.name for d in found] == names, only
