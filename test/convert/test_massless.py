"""Massless links: the worked examples, the policies, and what libsdformat leaves dangling."""
import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import urdf_text
from urdf_text import inertial, link, robot

from sdf_frames.load import LoadOptions, load_text

MODELS = Path(__file__).parent.parent / "models" / "massless"


joint = partial(urdf_text.joint, xyz="1 2 3", rpy="0 0 0.5")


def hold(name, tag="preserveFixedJoint"):
    return f'<gazebo reference="{name}"><{tag}>true</{tag}></gazebo>'


@pytest.mark.parametrize("name", ["fixed_lumped", "fixed_preserved", "moving_preserved_below", "moving_lumped_below"])
def test_example_gives_the_sdf_printed_for_it(name, convert, read_sdf_tree):
    have, _, found = convert((MODELS / f"{name}.urdf").read_text())
    compare(have, read_sdf_tree((MODELS / f"{name}.sdf").read_text()))
    assert not [d for d in found if d.severity == "error"]


def test_example_with_tags_on_the_moving_joint_lumps_as_the_one_without(convert, read_sdf_tree):
    have, _, _ = convert((MODELS / "moving_as_printed.urdf").read_text())
    compare(have, read_sdf_tree((MODELS / "moving_lumped_below.sdf").read_text()))


def compare(have, want):
    for kind in ("links", "joints", "frames"):
        assert list(getattr(have, kind)) == list(getattr(want, kind))
    for name in want._elements:
        relative_to, pose = have.raw_pose(name)
        assert relative_to == want.raw_pose(name)[0]
        assert pose == pytest.approx(want.raw_pose(name)[1], abs=1e-14)
        assert have.pose(name) == pytest.approx(want.pose(name), abs=1e-14)
    for name, frame in want.frames.items():
        assert have.frames[name].get("attached_to") == frame.get("attached_to")
    for name, element in want.joints.items():
        for path in ("parent", "child", "axis/xyz"):
            assert have.joints[name].findtext(path) == element.findtext(path)
        assert have.joints[name].get("type") == element.get("type")
        # Printed empty, they stand for the defaults, which an element without content has, too.
        assert have.joints[name].find("axis/limit") is not None and not len(have.joints[name].find("axis/limit"))
    for name in want.links:
        for value, expected in zip(have.inertia(name), want.inertia(name)):
            assert value == pytest.approx(expected, abs=1e-14)


def test_chain_of_messages_when_a_subtree_is_left_out(convert):
    _, conversion, found = convert((MODELS / "moving_preserved_below.urdf").read_text())
    finding, = [d for d in found if d.name == "massless-link-dropped"]
    assert finding.severity == "warning" and finding.sdformat == "LINK_INERTIA_INVALID"
    assert (finding.line, finding.path) == (9, '/robot[@name="test_robot"]/link[@name="link2"]')
    assert "link 'link2' has no mass" in finding.message
    assert "its joint moves" in finding.message
    said = [r.message for r in finding.related]
    assert said == ["1 link below it: 'link3'", "1 joint below it: 'joint2_3'",
                    "its joint 'joint1_2' is left out of the SDF", "'link2' is left out of the SDF"]
    assert "allow joint lumping" in finding.hint and "'joint2_3'" in finding.hint
    assert {(r.element, r.name): r.action for r in conversion.rows if r.element in ("link", "joint")} == {
        ("link", "link1"): "kept", ("link", "link2"): "dropped", ("link", "link3"): "dropped",
        ("joint", "joint1_2"): "dropped", ("joint", "joint2_3"): "dropped"}


def test_force_torque_sensor_whose_joint_becomes_a_frame_is_reported(convert):
    have, conversion, found = convert((MODELS / "force_torque.urdf").read_text())
    assert list(have.links) == ["base_link", "link_2"] and list(have.joints) == ["joint_2"]
    assert have.frames["link_1"].get("attached_to") == "base_link"
    assert have.frames["joint_1"].get("attached_to") == "link_1"
    finding, = [d for d in found if d.name == "sensor-without-joint"]
    assert "gzft_sensor" in finding.message and "joint_1" in finding.message
    assert "realistic mass and inertia" in finding.hint and "link_1" in finding.hint
    assert [r.action for r in conversion.rows if r.name == "gzft_sensor"] == ["dropped"]


def test_frame_takes_shapes_and_sensors_to_the_link_below_it(convert):
    have, _, _ = convert(robot(
        link("base", 1), '<link name="tip"><visual><geometry><sphere radius="1"/></geometry></visual></link>',
        joint("j", "fixed", "base", "tip"), hold("j"),
        '<gazebo reference="tip"><sensor name="s" type="imu"><pose>1 0 0 0 0 0</pose></sensor></gazebo>'))
    visual = have.links["base"].find("visual")
    assert visual.get("name") == "base_fixed_joint_lump__tip_visual"
    assert visual.findtext("pose") == "1 2 3 0 0 0.5"
    x, y, *_ = map(float, have.links["base"].findtext("sensor/pose").split())
    assert (x, y) == pytest.approx((1 + 0.8775825618903728, 2 + 0.479425538604203))  # cos 0.5, sin 0.5


def test_massless_chain_of_preserved_joints_becomes_a_chain_of_frames(convert):
    have, _, _ = convert(robot(link("a", 1), '<link name="b"/><link name="c"/>', joint("ab", "fixed", "a", "b"),
                               joint("bc", "fixed", "b", "c")), preserve_fixed_joints=True)
    assert list(have.links) == ["a"]
    assert have.frames["b"].get("attached_to") == "a" and have.frames["c"].get("attached_to") == "b"
    assert have.body("bc") == "a"


@pytest.mark.parametrize("options", [{}, {"preserve_fixed_joints": True}])
def test_massless_link_welded_to_the_world_stays_a_link(options, convert):
    # libsdformat omits it without a word; what hangs below then has a parent that does not exist.
    have, _, found = convert(robot('<link name="world"/><link name="stand"/>', link("arm", 1),
                                   joint("weld", "fixed", "world", "stand"),
                                   joint("turn", "continuous", "stand", "arm")),
                             **options)
    assert list(have.links) == ["stand", "arm"]
    assert have.joints["weld"].findtext("parent") == "world"
    assert have.joints["turn"].findtext("parent") == "stand"
    assert 0 < have.inertia("stand")[0] < 1e-3
    assert not [d for d in found if d.severity != "info"]


def test_the_root_link_world_takes_no_mass(convert):
    """Only a root that is a link takes the mass of what is fixed to it, whatever was to be preserved."""
    parts = ('<link name="world"/>', '<link name="stand"/>', link("arm", 1))
    for links in (parts, parts[::-1]):
        have, _, found = convert(robot(*links, joint("weld", "fixed", "world", "stand"), joint("hold", "fixed", "stand",
                                                                                             "arm")),
                                 preserve_fixed_joints=True)
        assert set(have.links) == {"stand", "arm"} and set(have.joints) == {"weld", "hold"}
        assert not [d for d in found if d.severity != "info"]


def test_massless_root_is_an_error(convert):
    have, conversion, found = convert(robot('<link name="base"/>', link("arm", 1),
                                            joint("j", "continuous", "base", "arm")))
    assert have is None and conversion is not None
    assert [(d.name, d.sdformat) for d in found] == [("robot-without-mass", "MODEL_WITHOUT_LINK")]


@pytest.mark.parametrize("content", [(), ('<link name="hub"/>', joint("j", "continuous", "world", "hub"))])
def test_a_world_with_nothing_on_it_is_an_error(convert, content):
    have, _, found = convert(robot('<link name="world"/>', *content))
    assert have is None and found[-1].name == "robot-without-mass"
    assert found[-1].message == (
        "robot 'r' has no link in the SDF: its root link 'world' is the SDF world, and no link with mass is "
        "connected to it")


MOVING = robot(link("base", 1), '<link name="hub"/>', link("arm", 1), joint("j", "continuous", "base", "hub"),
               joint("k", "continuous", "hub", "arm"))


def test_policy_keep_lets_the_subtree_live(convert):
    have, conversion, found = convert(MOVING, massless="keep")
    assert list(have.links) == ["base", "hub", "arm"] and list(have.joints) == ["j", "k"]
    mass, _, tensor = have.inertia("hub")
    assert 0 < mass <= 1e-6 and tensor[0, 0] > 0
    assert [d.name for d in found] == ["massless-link-kept"]
    assert all(r.action == "kept" for r in conversion.rows)


def test_policy_error(convert):
    have, _, found = convert(MOVING, massless="error")
    assert have is None
    assert [(d.severity, d.name) for d in found] == [("error", "massless-link-refused")]


def test_masses_of_zero_and_less_give_no_nan(convert):
    text = robot(link("base", 1),
                 *(f'<link name="{n}">{inertial(m)}</link>' for n, m in (("a", 0), ("b", -1))),
                 joint("j", "fixed", "base", "a"), joint("k", "fixed", "a", "b"))
    have, _, _ = convert(text)
    mass, X, tensor = have.inertia("base")
    assert mass == 1 and (X == X).all() and (tensor == tensor).all()
    have, _, found = convert(text.replace('"fixed"', '"continuous"', 1))
    assert list(have.links) == ["base"]
    assert [d.name for d in found] == ["massless-link-dropped"]


@pytest.mark.parametrize("mass", ["-2.5", "-1.5", "-2", "-1e300"])
def test_a_negative_mass_takes_part_in_no_sum(mass, convert):
    have, conversion, _ = convert(robot(f'<link name="base">{inertial(2)}</link>',
                                        f'<link name="a">{inertial(mass)}</link>',
                                        joint("j", "fixed", "base", "a")))
    weight, X, tensor = have.inertia("base")
    assert weight == 2 and (X[:3, 3] == 0).all() and (tensor == np.eye(3)).all()
    assert ("inertial", "a", "dropped") in [r[:3] for r in conversion.rows]


def test_a_negative_mass_on_a_moving_joint_is_a_massless_link(convert):
    """The check of inertias says so, with what the conversion makes of it."""
    have, conversion, found = convert(robot(link("base", 1), f'<link name="a">{inertial(-1)}</link>',
                                            joint("j", "continuous", "base", "a")))
    assert list(have.links) == ["base"] and found == ()
    assert conversion.consequences["a"].endswith("; its joint moves, so the link is left out of the SDF")


FLYWHEEL = (
    '<link name="{}"><inertial><origin xyz="0 0 1"/><mass value="0"/>'
    '<inertia ixx="2" ixy="0" ixz="0" iyy="3" iyz="0" izz="4"/></inertial></link>')


def test_tensor_of_a_massless_link_that_becomes_a_frame_goes_to_its_body(convert):
    # A quarter turn about z swaps the moments about x and y; without mass no shift adds to them.
    turned = joint("j", "fixed", "base", "tip").replace("0 0 0.5", f"0 0 {math.pi / 2}")
    have, _, _ = convert(robot(link("base", 1), FLYWHEEL.format("tip"), turned), preserve_fixed_joints=True)
    assert list(have.links) == ["base"] and "tip" in have.frames
    mass, X, tensor = have.inertia("base")
    assert mass == 1 and X[:3, 3] == pytest.approx((0, 0, 0))
    assert tensor == pytest.approx(np.diag([1 + 3, 1 + 2, 1 + 4]))


def test_a_tensor_of_zero_is_not_reported_as_lost(convert):
    have, conversion, _ = convert(robot(link("base", 1), re.sub('="[234]"', '="0"', FLYWHEEL).format("tip"),
                                        joint("j", "continuous", "base", "tip")), massless="keep")
    assert have.inertia("tip")[2] == pytest.approx(np.diag([1e-9] * 3))
    assert [r for r in conversion.rows if r.element == "inertial"] == []


@pytest.mark.parametrize("tip, moments, dropped", [
    (FLYWHEEL, (2, 3, 4), False), (FLYWHEEL.replace('izz="4"', 'izz="9"'), (1e-9,) * 3, True)])
def test_tensor_of_a_massless_link_that_is_kept_stays(tip, moments, dropped, convert):
    have, conversion, _ = convert(robot(link("base", 1), tip.format("tip"),
                                        joint("j", "continuous", "base", "tip")), massless="keep")
    mass, X, tensor = have.inertia("tip")
    assert 0 < mass <= 1e-6 and X[:3, 3] == pytest.approx((0, 0, 0 if dropped else 1))
    assert tensor == pytest.approx(np.diag(moments))
    # No body has moments of 2, 3 and 9: a row says that they are not there.
    assert [r.name for r in conversion.rows if r.element == "inertial"] == ["tip"] * dropped


SUBTREE = robot(link("base", 1), '<colour/><link name="hub"/>', link("arm", 1),
                f'<link name="hand">{inertial(2.5)}</link>',
                '<link name="end"/>', joint("j", "continuous", "base", "hub"), joint("k", "continuous", "hub", "arm"),
                joint("l", "continuous", "arm", "hand"), joint("m", "continuous", "hand", "end"))


def test_the_size_of_the_dropped_subtree_is_in_the_first_warning(convert):
    _, conversion, found = convert(SUBTREE)
    for first in (found[0], load_text(SUBTREE).diagnostics[0]):
        assert (first.name, first.severity) == ("massless-link-dropped", "warning")
        assert "link 'hub'" in first.message and "(4 of 5 links, 3.5 of 4.5 kg) are left out of" in first.message
        assert "--massless keep" in first.hint
    assert conversion.rows[0].reason == "4 of 5 links, 3.5 of 4.5 kg are not in the SDF"


@pytest.mark.parametrize("policy, severity", [("frame", "warning"), ("error", "error")])
def test_several_massless_links_have_a_summary_before_them(policy, severity, convert):
    more = f'{link("hub2")}{link("arm2", 1)}' + joint("j2", "continuous", "base", "hub2") + joint(
        "k2", "continuous", "hub2", "arm2")
    text = SUBTREE.replace("</robot>", more + "</robot>")
    for found in (convert(text, massless=policy)[2], load_text(text, options=LoadOptions(massless=policy)).diagnostics):
        first, *others = found
        assert (first.name, first.severity) == ("massless-subtree-dropped", severity)
        assert first.message.startswith("the SDF lacks 6 of 7 links (4.5 of 5.5 kg)")
        assert "'hub', 'hub2'" in first.message
        assert "--massless keep" in first.hint and first.name not in [d.name for d in others]


LOST = "and the link below it (2 of 3 links, 1 of 2 kg) are left out of the SDF"
TENSOR = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'


@pytest.mark.parametrize("inside, code, place, cause", [
    ("", "C001", "", "has no mass"),
    (f'<inertial><mass value="0"/>{TENSOR}</inertial>', "C001", "", "has a mass of 0"),
    (f'<inertial><mass value="-1"/>{TENSOR}</inertial>', "I001", "/inertial", "the mass is -1 kg"),
    (f"<inertial><mass>1</mass>{TENSOR}</inertial>", "R020", "/inertial/mass", "<mass> has no value"),
    (f"<inertial>{TENSOR}</inertial>", "R020", "/inertial", "<inertial> has no <mass>")])
def test_one_cause_is_one_finding_that_says_the_consequence(inside, code, place, cause):
    """Whatever becomes of the link: it is lost with what is below it, kept, lumped, refused, or it was the only one."""
    def check(massless="frame", kind="continuous"):
        text = robot(link("base", 1), link("hub", None, inside), link("arm", 1), joint("j", kind, "base", "hub"),
                     joint("k", "continuous", "hub", "arm"))
        loaded = load_text(text, options=LoadOptions(massless=massless))
        return [(d.code, d.path.partition('[@name="hub"]')[2], d.message) for d in loaded.diagnostics]

    ((found, at, message),) = check()
    assert (found, at) == (code, place) and cause in message and message.endswith(LOST)
    ((found, _, message),) = check("keep")
    end = "it gets a mass of 1e-06 kg" if code == "C001" else "and its mass in the SDF is 1e-06 kg"
    assert found == code.replace("C001", "C003") and cause in message and message.endswith(end)
    assert [(found, at) for found, at, _ in check(kind="fixed")] == ([(code, place)] if place else [])
    for found in (check("error"), [(d.code,) for d in load_text(robot(link("hub", None, inside))).diagnostics]):
        assert [row[0] for row in found] == ["C002" if len(found[0]) > 1 else "C004"]


def test_a_mass_that_stands_between_the_tags_is_shown_as_an_attribute():
    inside = "<inertial><mass> 1.5 </mass></inertial>"
    lost = load_text(robot(link("base", 1), link("a", None, inside), joint("j", "continuous", "base", "a")))
    alone = load_text(robot(link("a", None, inside)))
    assert [d.hint for d in (*lost.diagnostics, *alone.diagnostics)] == ['write <mass value="1.5"/>'] * 2
    assert [r.line for r in alone.diagnostics[0].related if "<mass> has no value" in r.message] == [1]
    assert ("mass/text()", "a") in [(r.element, r.name) for r in lost.conversion.rows]


def test_the_order_of_links_and_joints_changes_nothing_of_what_is_left_out(convert):
    parts = [link("tip", 1), link("hub"), link("base", 1), link("arm", 2),
             joint("j1", "continuous", "base", "hub"), joint("j2", "continuous", "hub", "tip"),
             joint("j3", "continuous", "base", "arm")]
    for turn in range(len(parts)):
        have, conversion, _ = convert(robot(*parts[turn:], *parts[:turn]))
        assert set(have.links) == {"base", "arm"} and set(have.joints) == {"j3"}
        assert {r.name for r in conversion.rows if r.element == "link" and r.action == "dropped"} == {"hub", "tip"}


def test_a_massless_link_without_a_subtree_has_no_warning_about_a_subtree(convert):
    _, _, found = convert(robot(link("base", 1), '<link name="a"/>', joint("j", "continuous", "base", "a")))
    assert [d.name for d in found] == ["massless-link-dropped"]


@pytest.mark.parametrize("end, helps", [(link("end", 1), True), ('<link name="end"/>', False)])
def test_lumping_is_only_advised_where_it_brings_mass(end, helps, convert):
    # The mass is behind two fixed joints, of which only the second is held.
    text = robot(link("base", 1), '<link name="hub"/><link name="mid"/>', end,
                 joint("j", "continuous", "base", "hub"),
                 joint("k", "fixed", "hub", "mid"), joint("l", "fixed", "mid", "end"), hold("l"))
    finding, = [d for d in convert(text)[2] if d.name == "massless-link-dropped"]
    assert ("allow joint lumping" in finding.hint) == helps and ("'l'" in finding.hint) == helps
    finding, = [d for d in convert(text, preserve_fixed_joints=True)[2] if d.name == "massless-link-dropped"]
    assert ("lump fixed joints" in finding.hint) == helps


@pytest.mark.parametrize("key, problem, remedy", [
    ("turn", "joint 'turn' is continuous", "'weld'"), ("hub", "'hub' is a link", "'weld'"),
    ("end", "'end' is a link", "'weld'"),
    ("base", "'base' is a link", "or remove the element"),
    ("", "has no reference to a joint", "the name of a fixed joint")])
@pytest.mark.parametrize("tags", [("preserveFixedJoint",), ("disableFixedJointLumping", "preserveFixedJoint")])
def test_a_tag_that_keeps_no_fixed_joint_is_reported(key, problem, remedy, tags, convert):
    blocks = [hold(key, tag).replace(' reference=""', "") for tag in tags]
    _, conversion, found = convert(robot(link("base", 1), link("hub", 1), link("end", 1),
                                         joint("turn", "continuous", "base", "hub"),
                                         joint("weld", "fixed", "hub", "end"), *blocks))
    finding, = found
    assert (finding.name, finding.severity) == ("lumping-tag-without-effect", "warning")
    assert all(f"<{tag}>" in finding.message for tag in tags) and problem in finding.message and remedy in finding.hint
    assert [r.action for r in conversion.rows if r.element in tags] == ["dropped"] * len(tags)


def test_a_tag_that_keeps_a_fixed_joint_is_kept(convert):
    _, conversion, found = convert(robot(link("base", 1), link("end", 1), joint("weld", "fixed", "base", "end"),
                                         hold("weld")))
    assert not found and ("preserveFixedJoint", "weld", "kept") in [r[:3] for r in conversion.rows]


@pytest.mark.parametrize("how", ["option", "tag"])
def test_a_massless_root_takes_the_mass_that_is_fixed_to_it(how, convert):
    mass = (
        '<inertial><origin xyz="0 0 3"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '</inertial>')
    text = (f'<robot name="r"><link name="footprint"/><link name="plate"/><link name="base">{mass}</link>'
            f'<link name="arm">{mass}</link>'
            '<joint name="up" type="fixed"><parent link="footprint"/><child link="plate"/><origin xyz="0 0 1"/></joint>'
            '<joint name="on" type="fixed"><parent link="plate"/><child link="base"/><origin xyz="0 0 2"/></joint>'
            '<joint name="weld" type="fixed"><parent link="base"/><child link="arm"/><origin xyz="5 0 0"/></joint>')
    if how == "tag":
        text += "".join(f'<gazebo reference="{j}"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
                        for j in ("up", "on", "weld"))
    have, conversion, found = convert(text + "</robot>", preserve_fixed_joints=how == "option")
    assert set(have.links) == {"footprint", "arm"} and set(have.frames) == {"up", "plate", "on", "base"}
    assert set(have.joints) == {"weld"} and have.joints["weld"].get("type") == "fixed"
    # The base stands 1 + 2 above the footprint, its centre of mass 3 above itself.
    weight, X, _ = have.inertia("footprint")
    assert weight == 2 and X[:3, 3] == pytest.approx((0, 0, 6))
    assert have.pose("base")[:3, 3] == pytest.approx((0, 0, 3)) and have.pose("arm")[:3, 3] == pytest.approx((5, 0, 3))
    assert [d.name for d in found] == ["fixed-joint-lumped-for-root"] * 2
    assert {r.name: r.action for r in conversion.rows if r.element == "joint"} == {"up": "lumped", "on": "lumped",
        "weld": "kept"}
    assert {r.name: r.action for r in conversion.rows if r.element == "preserveFixedJoint"} == (
        {} if how == "option" else {"up": "dropped", "on": "dropped", "weld": "kept"})


def test_a_massless_root_on_moving_joints_alone_is_still_an_error(convert):
    mass = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    have, _, found = convert(f'<robot name="r"><link name="a"/><link name="b">{mass}</link>'
                             '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>')
    assert "robot-without-mass" in [d.name for d in found]
