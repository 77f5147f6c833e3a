"""The report of `to-urdf` is true: what a row keeps or moves is in the URDF where it says, and what it drops is not.

Every value below is a number that occurs once, on a line of its own, so that its place and its row are plain.
"""
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from written_text import convert_to_urdf

from sdf_frames.load import load_text

BOX = "\n<geometry><box><size>1 1 1</size></box></geometry>"
OF_MODEL = ["<plugin name='p' filename='f'>\n<gain>{}</gain></plugin>", "<custom>{}</custom>"]
OF_LINK = [
    "<velocity_decay>\n<linear>{}</linear>\n<angular>{}</angular></velocity_decay>",
    "<sensor name='s' type='imu'>\n<update_rate>{}</update_rate></sensor>",
    "<battery name='b'>\n<voltage>{}</voltage></battery>", "<custom>{}</custom>",
    "<light name='lamp' type='point'>\n<intensity>{}</intensity></light>",
    "<audio_source>\n<gain>{}</gain></audio_source>", "<projector name='q'>\n<fov>{}</fov></projector>"]
OF_COLLISION = [
    "<laser_retro>{}</laser_retro>", "<max_contacts>{}</max_contacts>", "<custom>{}</custom>",
    "<surface>\n<friction>\n<ode>\n<mu>{}</mu>\n<slip1>{}</slip1></ode></friction></surface>",
    "<surface>\n<contact>\n<ode>\n<kp>{}</kp>\n<soft_cfm>{}</soft_cfm></ode></contact></surface>",
    "<surface>\n<bounce>\n<threshold>{}</threshold></bounce></surface>"]
OF_VISUAL = [
    "<transparency>{}</transparency>", "<laser_retro>{}</laser_retro>", "<custom>{}</custom>",
    "<material>\n<shininess>{}</shininess></material>", "<material>\n<render_order>{}</render_order></material>"]
OF_JOINT = [
    "<physics>\n<ode>\n<fudge_factor>{}</fudge_factor>\n<max_force>{}</max_force></ode></physics>",
    "<physics>\n<ode>\n<limit>\n<cfm>{}</cfm></limit></ode></physics>", "<custom>{}</custom>",
    "<sensor name='t' type='force_torque'>\n<update_rate>{}</update_rate></sensor>"]
OF_AXIS = [
    "<dynamics>\n<damping>{}</damping>\n<friction>{}</friction></dynamics>",
    "<dynamics>\n<spring_reference>{}</spring_reference>\n<spring_stiffness>{}</spring_stiffness></dynamics>",
    "<limit>\n<effort>{}</effort>\n<velocity>{}</velocity></limit>",
    "<limit>\n<stiffness>{}</stiffness>\n<dissipation>{}</dissipation></limit>"]
TYPES = ["revolute", "prismatic", "continuous", "fixed", "ball", "universal", "screw"]
VALUES = set(map(str, range(100, 400)))


@st.composite
def models(draw):
    numbers = map(str, count(100))

    def some(parts):
        chosen = draw(st.lists(st.sampled_from(parts), max_size=3, unique_by=lambda part: part.partition(">")[0]))
        return "".join("\n" + part.format(*[next(numbers) for _ in range(part.count("{}"))]) for part in chosen)

    links = "".join(
        f'\n<link name="{name}">{some(OF_LINK)}'
        + "".join(f'\n<{kind} name="{name}_{kind}">{BOX}{some(parts)}</{kind}>'
                  for kind, parts in (("collision", OF_COLLISION), ("visual", OF_VISUAL)) if draw(st.booleans()))
        + "</link>" for name in "abc")
    joints = ""
    for name, parent, child in (("i", "a", "b"), ("j", draw(st.sampled_from(["b", "world"])), "c")):
        kind = draw(st.sampled_from(TYPES))
        axes = {"fixed": (), "ball": (), "universal": ("axis", "axis2")}.get(kind, ("axis",))
        joints += f'\n<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>' + some(
            OF_JOINT) + "".join(f"\n<{axis}><xyz>0 0 1</xyz>{some(OF_AXIS)}</{axis}>" for axis in axes) + "</joint>"
    return f'<sdf version="1.12">\n<model name="m">{some(OF_MODEL)}{links}{joints}\n</model></sdf>'


def list_values(element):
    return {text for e in element.iter() for text in (e.text, *e.attrib.values()) if text in VALUES}


@given(models())
def test_what_the_rows_say_is_so(text):
    urdf, rows, found, _ = convert_to_urdf(load_text(text))
    source, robot = etree.fromstring(text), etree.fromstring(urdf.encode())
    at = {}
    for element in source.iter():
        at.setdefault(element.sourceline, element)
    blocks = {}
    for block in robot.iter("gazebo"):
        key = f'<gazebo reference="{block.get("reference")}">' if block.get("reference") else "<gazebo>"
        blocks[key] = blocks.get(key, set()) | list_values(block)
    written, lost = list_values(robot), set()
    names = {(e.tag, e.get("name")) for e in robot.iterchildren("link", "joint")}
    for row in rows:
        values = list_values(at[row.line])
        if row.action == "dropped":
            assert values.isdisjoint(written), (row, text)
            lost |= values
        elif (row.into or "").startswith("<gazebo"):
            assert values <= blocks[row.into], (row, text)
        elif row.element in ("link", "joint"):
            assert (row.element, row.into or row.name) in names, (row, text)
    assert list_values(source) == written | lost, text


@pytest.mark.parametrize("kind, axis, lost", [
    ("revolute", "<limit><stiffness>3</stiffness><dissipation>1</dissipation></limit>", ["stiffness"]),
    ("universal", "<dynamics><spring_stiffness>3</spring_stiffness><damping>2</damping></dynamics>",
     ["spring_stiffness"]),
    ("screw", "<dynamics><damping>3</damping></dynamics>", [])])
def test_what_a_urdf_cannot_say_of_an_axis_is_a_warning(kind, axis, lost):
    """What has its default is not missed, and a joint that becomes a fixed one has a warning of its own."""
    other = "<axis><xyz>1 0 0</xyz></axis>" if kind == "universal" else ""
    tag = "axis2" if other else "axis"
    _, _, found, _ = convert_to_urdf(load_text(
        f'<sdf version="1.12"><model name="m"><link name="a"/><link name="b"/><joint name="j" type="{kind}">'
        f'<parent>a</parent><child>b</child>{other}<{tag}><xyz>0 0 1</xyz>{axis}</{tag}></joint></model></sdf>'))
    assert [d.message for d in found if d.name == "urdf-setting-dropped"] == [
        f"<{part}> is not in the URDF: in joint 'j', URDF has no place for it" for part in lost]
