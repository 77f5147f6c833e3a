"""A part of a URDF as a robot of its own: what stays and what goes, and that no other byte changes."""
import pytest
from lxml import etree
from urdf_text import gazebo, joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.load import load_text
from sdf_frames.writers.cut_out import cut
from sdf_frames.writers.written import render, rewrite

ROOT = '/robot[@name="r"]'
AXIS = '<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/>'
#: base - shoulder - (elbow - hand - finger, camera)
PARTS = {
    **{name: link(name, 1) for name in ("base", "shoulder", "elbow", "hand", "finger", "camera")},
    "j1": joint("j1", "revolute", "base", "shoulder", AXIS, xyz="0 0 1"),
    "j2": joint("j2", "revolute", "shoulder", "elbow", AXIS), "j3": joint("j3", "fixed", "elbow", "hand", xyz="1 0 0"),
    "j4": joint("j4", "prismatic", "hand", "finger", AXIS), "j5": joint("j5", "fixed", "shoulder", "camera")}


def cut_text(start, end=None, *more, parts=PARTS.values()):
    """The text of what stays, or None, and the names of the errors and warnings of cutting."""
    text, found = render(cut(load_text(robot(*parts, *more), "r.urdf"), start, end))
    return text, [d.name for d in found if d.name.startswith(("cut", "frame-unknown"))]


def some(names, *more):
    return robot(*[PARTS[name] for name in names.split()], *more)


@pytest.mark.parametrize("start, end, names", [
    ("base", None, " ".join(PARTS)), ("shoulder", None, "shoulder elbow hand finger camera j2 j3 j4 j5"),
    ("elbow", None, "elbow hand finger j3 j4"), ("camera", None, "camera"),
    ("base", "hand", "base shoulder elbow hand j1 j2 j3"), ("shoulder", "camera", "shoulder camera j5"),
    ("hand", "hand", "hand")])
def test_what_stays(start, end, names):
    assert cut_text(start, end) == (some(names), [])
    assert sf.loads(robot(*PARTS.values())).cut(start, end).to_urdf() == some(names)


def test_every_other_byte_stays():
    """An element goes with the white space before it."""
    gone = ["""\n  <link name="a" ><visual><geometry><sphere radius="1"/></geometry></visual></link>""",
            """\n  <joint name="j" type="fixed"><parent link="a"/><child link="ü"/></joint>"""]
    text = """<?xml version='1.0'?>\r
<robot name="r">
  <!-- the base -->{}

  <link  name='ü' /><link name="c"/>{}
  <joint name="k" type="fixed"><parent link="ü"/>
    <child link="c"/></joint>
  <material name="unused"/>
</robot>
"""
    assert rewrite(cut(load_text(text.format(*gone).encode(), "r.urdf"), "ü"))[0] == text.format("", "").encode()


def test_what_belongs_to_what_goes_goes_too():
    """Transmissions also where their joints have other tags, as those of PR2's grippers and wrists."""
    control = '<ros2_control name="{}" type="system"><hardware/>{}</ros2_control>'
    actuated = '<joint name="{}"><command_interface name="position"/></joint>'
    motor = '<transmission name="t"><{1} name="{0}"/><actuator name="m"/></transmission>'
    gone = [gazebo("shoulder", "<mu1>1</mu1>"), gazebo("j1", "<provideFeedback>1</provideFeedback>"),
            *[motor.format("j1", tag) for tag in ("joint", "gap_joint", "rollJoint")],
            control.format("gone", actuated.format("j1"))]
    kept = [gazebo("hand", "<mu1>2</mu1>"), gazebo("", "<plugin name='p' filename='f'/>"), motor.format("j4", "joint"),
            control.format("io", "<gpio name='g'/>")]
    both, one = [control.format("both", "".join(map(actuated.format, names)) + more)
                 for names, more in ((("j2", "j4"), motor.format("j2", "joint")), (("j4",), ""))]
    assert cut_text("elbow", None, *gone, *kept, both) == (some("elbow hand finger j3 j4", *kept, one), [])


def test_a_link_and_a_joint_of_one_name():
    """<gazebo> for the link stays, the transmission of the joint goes."""
    whole = (link("a", 1), joint("b", "revolute", "a", "b", AXIS),
             '<transmission name="t"><joint name="b"/></transmission>')
    part = (link("b", 1), link("c", 1), joint("d", "continuous", "b", "c", '<axis xyz="1 0 0"/>'),
            gazebo("b", "<mu1>1</mu1>"))
    assert cut_text("b", parts=(*whole, *part)) == (robot(*part), [])


def test_a_material_that_a_visual_which_goes_defines():
    """It follows the new root, unless that one defines it."""
    paint, named = '<material name="paint"><color rgba="1 0 0 1"/></material>', '<material name="paint"/>'
    visual = '<visual><geometry><sphere radius="1"/></geometry>{}</visual>'
    links = [link("a", None, visual.format(paint)), link("b", None, visual.format(named))]
    parts = [*links, joint("j", "fixed", "a", "b")]
    assert cut_text("b", parts=parts)[0] == robot(links[1] + paint)
    assert cut_text("a", "a", parts=parts)[0] == robot(links[0])


@pytest.mark.parametrize("start, end, found, path", [
    ("elbow", "camera", "cut-not-below", ROOT), ("hand", "base", "cut-not-below", ROOT),
    ("hnd", None, "frame-unknown", None), ("hand", "fingre", "frame-unknown", None),
    ("hand", None, "cut-mimic-leader", ROOT + '/joint[@name="j6"]/mimic')])
def test_what_cannot_be_cut_is_refused(start, end, found, path):
    follower = link("tip", 1) + joint("j6", "revolute", "finger", "tip", AXIS + '<mimic joint="j2"/>')
    made = cut(load_text(robot(*PARTS.values(), follower), "r.urdf"), start, end)
    assert (made.source, made.findings[-1].name, made.findings[-1].path) == (None, found, path)
    assert cut_text("shoulder", None, follower)[1] == []


def test_what_still_names_it_is_told():
    plugin = gazebo("", "<plugin name='p' filename='f'><joints>j4, j1</joints><link>hand</link></plugin>")
    text = robot(*PARTS.values(), plugin, "<frame name='f' link='camera'/>")
    told = [d for d in cut(load_text(text, "r.urdf"), "elbow").findings if d.name == "cut-still-named"]
    assert [(d.path, d.message.partition(": ")[2]) for d in told] == [
        (f"{ROOT}/gazebo", "'j1'"), (f'{ROOT}/frame[@name="f"]', "'camera'")]


def test_relative_uris_of_what_stays_are_rewritten_for_another_folder(tmp_path):
    """Those of what goes are gone: no edit is inside a removed element."""
    mesh = "<visual><geometry><mesh filename='{}.stl'/></geometry></visual>"
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for name in ("base", "hand"):
        (tmp_path / "a" / f"{name}.stl").write_text("solid")
    links = [link(name, 1, mesh.format(name)) for name in ("base", "hand")]
    (tmp_path / "a" / "r.urdf").write_text(robot(*links, joint("j", "fixed", "base", "hand")))
    for start, mentioned in (("hand", ["../a/hand.stl"]), ("base", ["../a/base.stl", "../a/hand.stl"])):
        out = tmp_path / "b" / f"{start}.urdf"
        assert main(["cut", str(tmp_path / "a" / "r.urdf"), "--from", start, "-o", str(out)]) == 0
        assert [e.get("filename") for e in etree.parse(out).iter("mesh")] == mentioned
