"""Massless links: the worked examples, the policies, and what libsdformat leaves dangling."""
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import urdf_text
from plain_sdf import Sdf
from urdf_text import inertial, link, robot

from sdf_frames.cli import main
from sdf_frames.load import LoadOptions, load_text

MODELS = Path(__file__).parent.parent / "models" / "massless"


joint = partial(urdf_text.joint, xyz="1 2 3", rpy="0 0 0.5")


def hold(name):
    return urdf_text.gazebo(name, "<preserveFixedJoint>true</preserveFixedJoint>")


@pytest.mark.parametrize("name, printed", [
    *[(name, name) for name in ("fixed_lumped", "fixed_preserved", "moving_preserved_below", "moving_lumped_below")],
    ("moving_as_printed", "moving_lumped_below")])  # tags on the moving joint change nothing
def test_example_gives_the_sdf_printed_for_it(name, printed, convert):
    have, _, found = convert((MODELS / f"{name}.urdf").read_text())
    compare(have, Sdf((MODELS / f"{printed}.sdf").read_text()))
    assert not [d for d in found if d.severity == "error"]


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


@pytest.mark.parametrize("content", [(), ('<link name="hub"/>', joint("j", "continuous", "world", "hub"))])
def test_a_world_with_nothing_on_it_is_an_error(convert, content):
    have, _, found = convert(robot('<link name="world"/>', *content))
    assert have is None and found[-1].name == "robot-without-mass"
    assert found[-1].message == (
        "robot 'r' has no link in the SDF: its root link 'world' is the SDF world, and no link with mass is "
        "connected to it")


@pytest.mark.parametrize("mass", ["-2.5", "-1.5", "-2", "-1e300"])
def test_a_negative_mass_takes_part_in_no_sum(mass, convert):
    have, conversion, _ = convert(robot(f'<link name="base">{inertial(2)}</link>',
                                        f'<link name="a">{inertial(mass)}</link>',
                                        joint("j", "fixed", "base", "a")))
    weight, X, tensor = have.inertia("base")
    assert weight == 2 and (X[:3, 3] == 0).all() and (tensor == np.eye(3)).all()
    assert ("inertial", "a", "dropped") in [r[:3] for r in conversion.rows]


def test_tensor_of_a_massless_link_that_becomes_a_frame_goes_to_its_body(convert):
    # A quarter turn about z swaps the moments about x and y; without mass no shift adds to them.
    have, _, _ = convert(robot(link("base", 1), link("tip", None, inertial(0, "0 0 1", moments=(2, 3, 4))),
                               urdf_text.joint("j", "fixed", "base", "tip", xyz="1 2 3", rpy=f"0 0 {math.pi / 2}")),
                         preserve_fixed_joints=True)
    assert list(have.links) == ["base"] and "tip" in have.frames
    mass, X, tensor = have.inertia("base")
    assert mass == 1 and X[:3, 3] == pytest.approx((0, 0, 0))
    assert tensor == pytest.approx(np.diag([1 + 3, 1 + 2, 1 + 4]))


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


@pytest.mark.parametrize("policy", ["frame", "keep", "error"])
@pytest.mark.parametrize("preserve", [False, True])
@pytest.mark.parametrize("kind, below, lost", [
    ("fixed", "continuous", False), ("continuous", "fixed", False), ("continuous", "continuous", True)])
def test_the_policy_is_for_links_behind_movable_joints(kind, below, lost, preserve, policy, capsys):
    """Lumping gives a link the mass behind its fixed joints; a preserved joint behind a movable one gives it none."""
    text = robot(link("base", 1), link("hub"), link("arm", 1), joint("j", kind, "base", "hub"),
                 joint("k", below, "hub", "arm"))
    loaded = load_text(text, options=LoadOptions(massless=policy, preserve_fixed_joints=preserve))
    lost |= preserve and below == "fixed"
    known = {"frame": "C001", "keep": "C003", "error": "C002"}[policy]
    is_kept = policy == "keep" and preserve  # also behind a preserved fixed joint
    assert [d.code for d in loaded.diagnostics] == [known] * (lost or is_kept)
    with pytest.raises(SystemExit):
        main(["convert", "--help"])
    assert "policy for massless links of a URDF behind movable joints" in " ".join(capsys.readouterr().out.split())


def test_a_mass_that_stands_between_the_tags_is_shown_as_an_attribute():
    inside = "<inertial><mass> 1.5 </mass></inertial>"
    lost = load_text(robot(link("base", 1), link("a", None, inside), joint("j", "continuous", "base", "a")))
    alone = load_text(robot(link("a", None, inside)))
    assert [d.hint for d in (*lost.diagnostics, *alone.diagnostics)] == ['write <mass value="1.5"/>'] * 2
    assert [r.line for r in alone.diagnostics[0].related if "<mass> has no value" in r.message] == [1]
    assert ("mass/text()", "a") in [(r.element, r.name) for r in lost.conversion.rows]


@pytest.mark.parametrize("how", ["option", "tag"])
def test_a_massless_root_takes_the_mass_that_is_fixed_to_it(how, convert):
    mass, joints = inertial(2, "0 0 3"), (("up", "footprint", "plate", "0 0 1"), ("on", "plate", "base", "0 0 2"),
                                          ("weld", "base", "arm", "5 0 0"))
    text = robot(link("footprint"), link("plate"), link("base", None, mass), link("arm", None, mass),
                 *[urdf_text.joint(name, "fixed", *ends, xyz=xyz) for name, *ends, xyz in joints],
                 *[hold(name) for name, *_ in joints if how == "tag"])
    have, conversion, found = convert(text, preserve_fixed_joints=how == "option")
    assert set(have.links) == {"footprint", "arm"} and set(have.frames) == {"up", "plate", "on", "base"}
    assert set(have.joints) == {"weld"} and have.joints["weld"].get("type") == "fixed"
    # The base stands 1 + 2 above the footprint, its centre of mass 3 above itself.
    weight, X, _ = have.inertia("footprint")
    assert weight == 2 and X[:3, 3] == pytest.approx((0, 0, 6))
    assert have.pose("base")[:3, 3] == pytest.approx((0, 0, 3)) and have.pose("arm")[:3, 3] == pytest.approx((5, 0, 3))
    assert [d.name for d in found] == ["fixed-joint-lumped-for-root"] * 2
    for element, fates in (("joint", ("lumped", "lumped", "kept")),
                           ("preserveFixedJoint", ("dropped", "dropped", "kept") if how == "tag" else ())):
        assert {r.name: r.action for r in conversion.rows if r.element == element} == dict(
            zip(("up", "on", "weld"), fates))
