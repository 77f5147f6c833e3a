"""Massless links: the worked examples, the policies, and what libsdformat leaves dangling."""
from pathlib import Path

import pytest

MODELS = Path(__file__).parent.parent / "models" / "massless"
LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'


def joint(name, kind, parent, child, more=""):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="1 2 3" rpy="0 0 0.5"/>{more}</joint>')


def robot(*parts):
    return '<robot name="r">' + "".join(parts) + "</robot>"


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
    assert "link [link2] has no <inertial>" in finding.message
    assert "does not have a fixed parent joint" in finding.message
    said = [r.message for r in finding.related]
    assert said == ["[1] child links ignored: link3", "[1] child joints ignored: joint2_3",
                    "parent joint [joint1_2] ignored", "link [link2] is not modelled in SDF"]
    assert "allow joint lumping" in finding.hint and "[joint2_3]" in finding.hint
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
        LINK.format("base"), '<link name="tip"><visual><geometry><sphere radius="1"/></geometry></visual></link>',
        joint("j", "fixed", "base", "tip"), hold("j"),
        '<gazebo reference="tip"><sensor name="s" type="imu"><pose>1 0 0 0 0 0</pose></sensor></gazebo>'))
    visual = have.links["base"].find("visual")
    assert visual.get("name") == "base_fixed_joint_lump__tip_visual"
    assert visual.findtext("pose") == "1 2 3 0 0 0.5"
    x, y, *_ = map(float, have.links["base"].findtext("sensor/pose").split())
    assert (x, y) == pytest.approx((1 + 0.8775825618903728, 2 + 0.479425538604203))  # cos 0.5, sin 0.5


def test_massless_chain_of_preserved_joints_becomes_a_chain_of_frames(convert):
    have, _, _ = convert(robot(LINK.format("a"), '<link name="b"/><link name="c"/>', joint("ab", "fixed", "a", "b"),
                               joint("bc", "fixed", "b", "c")), preserve_fixed_joints=True)
    assert list(have.links) == ["a"]
    assert have.frames["b"].get("attached_to") == "a" and have.frames["c"].get("attached_to") == "b"
    assert have.body("bc") == "a"


@pytest.mark.parametrize("options", [{}, {"preserve_fixed_joints": True}])
def test_massless_link_welded_to_the_world_stays_a_link(options, convert):
    # libsdformat omits it without a word; what hangs below then has a parent that does not exist.
    have, _, found = convert(robot('<link name="world"/><link name="stand"/>', LINK.format("arm"),
                                   joint("weld", "fixed", "world", "stand"), joint("turn", "continuous", "stand", "arm")),
                             **options)
    assert list(have.links) == ["stand", "arm"]
    assert have.joints["weld"].findtext("parent") == "world"
    assert have.joints["turn"].findtext("parent") == "stand"
    assert 0 < have.inertia("stand")[0] < 1e-3
    assert not [d for d in found if d.severity != "info"]


def test_massless_root_is_an_error(convert):
    have, conversion, found = convert(robot('<link name="base"/>', LINK.format("arm"), joint("j", "continuous", "base", "arm")))
    assert have is None and conversion is not None
    assert [(d.name, d.sdformat) for d in found] == [("robot-without-mass", "MODEL_WITHOUT_LINK")]


@pytest.mark.parametrize("content", [(), ('<link name="hub"/>', joint("j", "continuous", "world", "hub"))])
def test_a_world_with_nothing_on_it_is_an_error(convert, content):
    have, _, found = convert(robot('<link name="world"/>', *content))
    assert have is None and found[-1].name == "robot-without-mass"
    assert found[-1].message == "no link of robot [r] is left: its root [world] is the SDF world, and nothing with mass hangs on it"


MOVING = robot(LINK.format("base"), '<link name="hub"/>', LINK.format("arm"), joint("j", "continuous", "base", "hub"),
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


def test_masses_that_cancel_give_no_nan(convert):
    weight = '<inertial><mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    text = robot(LINK.format("base"), *(f'<link name="{n}">{weight.format(m)}</link>' for n, m in (("a", 1), ("b", -1))),
                 joint("j", "fixed", "base", "a"), joint("k", "fixed", "a", "b"))
    have, _, _ = convert(text)
    mass, X, tensor = have.inertia("base")
    assert mass == 1 and (X == X).all() and (tensor == tensor).all()
    have, _, found = convert(text.replace('"fixed"', '"continuous"', 1))
    assert list(have.links) == ["base"] and [d.name for d in found] == ["massless-link-dropped"]


@pytest.mark.parametrize("how", ["option", "tag"])
def test_a_massless_root_takes_the_mass_that_is_fixed_to_it(how, convert):
    mass = '<inertial><origin xyz="0 0 3"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = (f'<robot name="r"><link name="footprint"/><link name="plate"/><link name="base">{mass}</link><link name="arm">{mass}</link>'
            '<joint name="up" type="fixed"><parent link="footprint"/><child link="plate"/><origin xyz="0 0 1"/></joint>'
            '<joint name="on" type="fixed"><parent link="plate"/><child link="base"/><origin xyz="0 0 2"/></joint>'
            '<joint name="weld" type="fixed"><parent link="base"/><child link="arm"/><origin xyz="5 0 0"/></joint>')
    if how == "tag":
        text += "".join(f'<gazebo reference="{j}"><preserveFixedJoint>true</preserveFixedJoint></gazebo>' for j in ("up", "on", "weld"))
    have, conversion, found = convert(text + "</robot>", preserve_fixed_joints=how == "option")
    assert set(have.links) == {"footprint", "arm"} and set(have.frames) == {"up", "plate", "on", "base"}
    assert set(have.joints) == {"weld"} and have.joints["weld"].get("type") == "fixed"
    # The base stands 1 + 2 above the footprint, its centre of mass 3 above itself.
    weight, X, _ = have.inertia("footprint")
    assert weight == 2 and X[:3, 3] == pytest.approx((0, 0, 6))
    assert have.pose("base")[:3, 3] == pytest.approx((0, 0, 3)) and have.pose("arm")[:3, 3] == pytest.approx((5, 0, 3))
    assert [d.name for d in found] == ["fixed-joint-lumped-for-root"] * 2
    assert {r.name: r.action for r in conversion.rows if r.element == "joint"} == {"up": "lumped", "on": "lumped", "weld": "kept"}


def test_a_massless_root_on_moving_joints_alone_is_still_an_error(convert):
    mass = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    have, _, found = convert(f'<robot name="r"><link name="a"/><link name="b">{mass}</link>'
                             '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>')
    assert "robot-without-mass" in [d.name for d in found]
