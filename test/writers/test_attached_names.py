"""What a robot is called, and what it must not take along, when it is attached to another one."""
import re

import pytest
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf

ARM = robot(link("base", 1), link("tool0"), joint("wrist", "fixed", "base", "tool0"))


def attach(arm, part, **options):
    return sf.attach(sf.loads(arm, file="arm.urdf"), sf.loads(part, file="gripper.urdf"), "tool0", **options)


DRAKE = """<robot name="d" xmlns:drake="http://drake.mit.edu"><link name="p"/><link name="q"/>
<joint name="j" type="fixed"><parent link="p"/><child link="q"/></joint><frame name="fa" link="p"/>
<frame name="fb" link="q"/>
<drake:collision_filter_group name="g"><drake:member link="p"/><drake:ignored_collision_filter_group name="g"/>
</drake:collision_filter_group><drake:ball_constraint><drake:ball_constraint_body_A name="p"/>
<drake:ball_constraint_body_B name="q"/></drake:ball_constraint><drake:linear_bushing_rpy>
<drake:bushing_frameA name="fa"/><drake:bushing_frameC name="fb"/></drake:linear_bushing_rpy>
<loop_joint name="l" type="fixed"><link1 link="p"/><link2 link="q"/></loop_joint>
<drake:joint name="b" type="ball"><drake:parent link="p"/><drake:child link="q"/></drake:joint>
<transmission name="t"><joint name="j"><child name="b" ratio="2"/></joint><actuator name="a"/></transmission></robot>"""


def test_names_of_drake_and_of_transmissions_get_the_prefix():
    """Drake refuses names of bodies and frames that do not exist, and two groups of one name."""
    made = attach(ARM, DRAKE, prefix="l_")
    inside = re.sub(r'(name|link)="(?=\w+")', r'\1="l_', DRAKE.partition(">")[2])
    assert inside.removesuffix("</robot>") in made.to_urdf()
    assert "C113" not in [d.code for d in made.findings]
    again = sf.attach(made, sf.loads(DRAKE), "tool0", prefix="r_").to_urdf()
    assert re.findall(r'filter_group name="(.*?)"', again) == ["l_g", "l_g", "r_g", "r_g"]
    with pytest.raises(sf.InvalidDescription, match="collision_filter_group names 'l_g'"):
        sf.attach(made, sf.loads(robot(link("x"), "<collision_filter_group name='l_g'/>")), "tool0")


def test_the_prefix_drake_needs_no_namespace_and_a_joint_has_a_parent_frame():
    part = robot(link("p"), link("q"), joint("j", "fixed", "p", "q"), '<drake:collision_filter_group name="g"/>'
                 '<drake:linear_bushing_rpy><drake:bushing_frameA name="j_parent"/></drake:linear_bushing_rpy>')
    made = attach(ARM, part, prefix="l_").to_urdf()
    assert '<drake:collision_filter_group name="l_g"/>' in made and 'frameA name="l_j_parent"' in made


@pytest.mark.parametrize("reference", ["", ' reference=""'])
def test_what_holds_for_a_whole_robot_is_left_out(reference):
    part = robot(link("p", 1), gazebo(None, "<static>1</static>\n<pose>0 0 5 0 0 0</pose><plugin name='n' "
                                            "filename='f'/>").replace("<gazebo", f"<gazebo{reference}"))
    made = attach(ARM, part)
    assert "static" not in made.to_urdf() and "0 0 5" not in made.to_urdf() and "plugin" in made.to_urdf()
    assert [(d.line, d.message[:8]) for d in made.findings if d.code == "C114"] == [(1, "<static>"), (2, "<pose> o")]


def test_one_prefix_for_two_namespaces_is_refused():
    one, two = (robot(link(name)).replace(">", f' xmlns:g="urn:{name}"><g:x/>', 1) for name in ("tool0", "m"))
    with pytest.raises(sf.InvalidDescription, match="'g' is for the namespace 'urn:m' here, and for 'urn:tool0'"):
        attach(one, two)  # C116
    assert "say g:x" in attach(one, two.replace("<g:x/>", "<!-- say g:x -->")).to_urdf()
    assert "<g:x/>" in attach(one, one.replace('"tool0"', '"m"')).to_urdf()
    assert attach(one, two.replace("<g:x/>", "")).to_urdf().count("urn:") == 1


@pytest.mark.parametrize("part", [robot("\n", link("world"), link("p", 1), joint("j", "fixed", "world", "p")),
                                  robot(link("p", 1), "\n", link("world"), joint("j", "fixed", "p", "world"))])
def test_no_link_world_below_another_link(part):
    """Drake and MuJoCo take it for the world; with a prefix, it is a link as others."""
    with pytest.raises(sf.InvalidDescription, match="'world' cannot be below link 'tool0'") as caught:
        attach(ARM, part)
    (error,) = [d for d in caught.value.findings if d.code == "C107"]
    assert (error.file, error.line) == ("gripper.urdf", 2)
    assert error.hint == "give the attached robot a prefix: --prefix left_ (in Python: prefix)"
    assert "l_world" in attach(ARM, part, prefix="l_").links
    with pytest.raises(sf.InvalidDescription, match="C107"):
        attach(ARM, part.replace('"world"', '"ld"'), prefix="wor")
