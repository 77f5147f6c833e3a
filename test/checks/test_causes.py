"""Each cause once, all causes, and no consequence as a finding of its own."""
import pytest
from urdf_text import inertial

from sdf_frames.load import load_text


def said(body, version="1.12"):
    return sorted(d.name for d in load_text(f'<sdf version="{version}">{body}</sdf>').diagnostics)


def model(inside, **attributes):
    words = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<model name="m"{words}>{inside}</model>'


LINKS = '<link name="a"/><link name="b"/>'


def joint(parent, child):
    return f'<joint name="j" type="fixed"><parent>{parent}</parent><child>{child}</child></joint>'


@pytest.mark.parametrize("body, names", [
    # A canonical link that is no link: not the cycle that it makes.
    (model('<link name="a"/><frame name="f" attached_to="g"/><frame name="g"/>', canonical_link="f"),
     ["canonical-link-on-nothing"]),
    (model('<link name="a"/><frame name="f" attached_to="a"/>', canonical_link="f"), ["canonical-link-is-no-link"]),
    ('<world name="w">' + model(model(LINKS + '<frame name="f"/>', canonical_link="f")) + "</world>",
     ["canonical-link-on-nothing"]),
    (model('<link name="a"/>' + joint("a", "what"), canonical_link="j"),
     ["canonical-link-on-nothing", "joint-child-unknown"]),
    # The reserved name.
    (model('<link name="a"><visual name="v"><pose relative_to="__root__"/><geometry><box/></geometry></visual></link>'),
     ["reference-to-root"]),
    # Both ends.
    (model(LINKS + joint("nope", "what")), ["joint-child-unknown", "joint-parent-unknown"]),
    # Links that a joint may be meant to join are not loose.
    (model(LINKS + joint("nope", "b")), ["joint-parent-unknown"]),
    (model(LINKS + joint("a", "nope")), ["joint-child-unknown"]),
    (model(LINKS + '<link name="c"/>' + joint("a", "b")), ["link-unjoined"])])
def test_causes(body, names):
    assert said(body) == names


@pytest.mark.parametrize("inertial, static, expected", [
    ("<inertial><mass>0</mass></inertial>", "false", ["inertia-not-physical"]),
    ("<inertial><mass>0</mass></inertial>", "true", []), ("<inertial><mass>1e-9</mass></inertial>", "false", []),
    ("<inertial/>", "false", []), ("", "false", [])])
def test_a_link_of_no_mass(inertial, static, expected):
    body = f'<model name="m"><static>{static}</static><link name="a">{inertial}</link></model>'
    assert said(body) == expected


@pytest.mark.parametrize("inertial, density, expected", [
    ("", "<density>7</density>", True), ("<inertial/>", "<density>7</density>", True),
    ("<inertial><density>7</density></inertial>", "", True),
    ("<inertial><mass>1</mass><density>7</density></inertial>", "", True),
    ("<inertial><mass>1</mass><inertia/></inertial>", "<density>7</density>", False),
    ("<inertial auto='true'><density>7</density></inertial>", "<density>7</density>", False),
    ("<inertial/>", "", False)])
def test_a_density_that_nobody_asks_for(inertial, density, expected):
    body = (f'<sdf version="1.12"><model name="m"><link name="a">{inertial}<collision name="c">{density}<geometry>'
            '<box/></geometry></collision></link></model></sdf>')
    found = [d for d in load_text(body).diagnostics if d.name == "density-without-auto"]
    assert [d.severity for d in found] == ["info"] * expected


@pytest.mark.parametrize("inside, names", [("", []), (inertial(2), ["world-link-content"])])
def test_a_robot_without_a_link_but_world_is_told_once(inside, names):
    found = load_text(f'<robot name="r"><link name="world">{inside}</link></robot>').diagnostics
    assert [d.name for d in found] == [*names, "robot-without-mass"]


@pytest.mark.parametrize("inertial", [
    '<inertial><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>',
    '<inertial><mass/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'])
def test_a_cause_that_gazebo_is_told_with_its_consequence_is_told_to_others(inertial):
    """MuJoCo 4.0 refuses an <inertial> without a mass ("missing element: 'mass'"); an empty SDF is none of its own."""
    loaded = load_text(f'<robot name="r"><link name="a">{inertial}</link></robot>')
    assert [d.name for d in loaded.diagnostics] == ["robot-without-mass"]
    severities = {program: [(d.name, d.severity) for d in loaded.judge([program])]
                  for program in ("gazebo", "ros", "mujoco")}
    assert severities == {"gazebo": [("robot-without-mass", "error")], "ros": [("inertial-incomplete", "warning")],
                          "mujoco": [("inertial-incomplete", "error")]}
