"""Small URDFs that some programs refuse and others load: what this project says, for test/checks/test_refusals.py.

test/peers/test_consumer_programs.py asks the programs themselves about each of them.
"""

import struct
from pathlib import Path

from urdf_text import inertial, joint, link, robot

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
_POINTS, _FACES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
TETRAHEDRON = _POINTS + _FACES
_CORNERS = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
            ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
#: Files that the robots refer to, by name.
FILES = {
    "other.sdf": b'<sdf version="1.9"><model name="o"><link name="l"/></model></sdf>',
    "solid.obj": TETRAHEDRON.encode(),
    "flat.obj": b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n",
    "flat_first.obj": f"{_POINTS}o a\nf 1 2 3\no b\n{_FACES}".encode(),
    "flat_second.obj": f"{_POINTS}o a\n{_FACES}o b\nf 1 2 3\n".encode(),
    "binary.stl": b" " * 80 + struct.pack("<I", 4) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *[x for corner in face for x in corner], 0) for face in _CORNERS),
    "ascii.stl": b"solid s\n" + b"".join(b"facet normal 0 0 0\nouter loop\n" + b"".join(
        b"vertex %d %d %d\n" % corner for corner in face) + b"endloop\nendfacet\n" for face in _CORNERS)
    + b"endsolid s\n",
    "thing.dae": b"",
}


def arm(tip=None, inside=LIMIT, kind="revolute", more="", shape="", tag="collision", base=None) -> str:
    """Two links and the joint between them; `shape` is that of a collision or visual of the second link."""
    shape = f"<{tag}><geometry>{shape}</geometry></{tag}>" if shape else ""
    return robot(link("base", 1) if base is None else base,
                 f'<link name="tip">{inertial() if tip is None else tip}{shape}</link>',
                 joint("j", kind, "base", "tip", inside), more)


def _compile(settings: str) -> str:
    return f"<mujoco><compiler {settings}/></mujoco>"


KEPT = _compile('discardvisual="false"')
#: Colours that MuJoCo refuses, and what others refuse of them.
_COLOURS: dict[str, dict[str, list[str]]] = {
    "": {"drake": ["R023"]},
    **dict.fromkeys(('rgba="1 0 0"', 'rgba="1 0 0 1 1"', 'rgba="red"'), {"drake": ["R024"]})}


def _show(inside: str, more: str = "") -> str:
    """A robot whose second link has a visual with a box, and with more."""
    shown = f'<visual><geometry><box size="1 1 1"/></geometry>{inside}</visual>'
    return arm(tip=inertial() + shown, more=more)


def _transmission(inside: str, type="SimpleTransmission") -> str:
    return arm(more=f'<transmission name="t"><type>transmission_interface/{type}</type>{inside}</transmission>')


def _by_urdfdom(code: str) -> dict[str, list[str]]:
    """An error that only urdfdom has, by the programs that read a robot as it does."""
    return {name: [code] for name in ("gazebo", "ros", "pinocchio", "urdfdom")}


def _weld(tip: str, *others: str) -> str:
    """A link that moves and, behind fixed joints, others one behind the other."""
    names = ["tip", *(f"c{k}" for k in range(len(others)))]
    return arm(tip, more="".join(
        f'<link name="{name}">{mass}</link>' + joint(f"{name}_weld", "fixed", parent, name, '<origin xyz=".3 0 0"/>')
        for parent, name, mass in zip(names, names[1:], others)))


_FOLLOWER = ('<link name="x">' + inertial() + '</link><joint name="k" type="{}"><parent link="tip"/><child link="x"/>'
             + LIMIT + '<mimic joint="j"/></joint>')
_DRAKE = '<robot xmlns:drake="http://drake.mit.edu"'
_OWN = ('<drake:collision_filter_group name="g"><drake:member link="tip"/><drake:{} {}="{}"/>'
        "</drake:collision_filter_group>")
#: By name: a robot, and the errors that programs have; those that are not named load it.
CASES: dict[str, tuple[str, dict[str, list[str]]]] = {
    "plain": (arm(), {}),
    # Files.
    "collision file missing": (arm(shape='<mesh filename="gone.obj"/>'), {"drake": ["L002"], "mujoco": ["L023"]}),
    "collision file with a backslash": (arm(shape='<mesh filename=".\\solid.obj"/>'), {"drake": ["L047"]}),
    "visual file missing": (arm(shape='<mesh filename="gone.obj"/>', tag="visual"), {"drake": ["L003"]}),
    "texture missing": (arm(more='<material name="m"><texture filename="gone.png"/></material>', shape=(
        '<box size="1 1 1"/></geometry><material name="m"/><geometry>'), tag="visual"), {"drake": ["L003"]}),
    "OBJ": (arm(shape='<mesh filename="solid.obj"/>'), {}),
    "binary STL": (arm(shape='<mesh filename="binary.stl"/>'), {"drake": ["L010"]}),
    "STL in ASCII": (arm(shape='<mesh filename="ascii.stl"/>'), {"drake": ["L010"], "mujoco": ["L023"]}),
    "COLLADA": (arm(shape='<mesh filename="thing.dae"/>'), {"drake": ["L010"], "mujoco": ["L023"]}),
    "visuals are not read": (arm(shape='<mesh filename="thing.dae"/>', tag="visual"), {}),
    "flat mesh": (arm(shape='<mesh filename="flat.obj"/>'), {"mujoco": ["L023"]}),
    "mesh whose first part is flat": (arm(shape='<mesh filename="flat_first.obj"/>'), {"mujoco": ["L023"]}),
    "mesh whose second part is flat": (arm(shape='<mesh filename="flat_second.obj"/>'), {}),
    "tiny mesh": (arm(shape='<mesh filename="solid.obj" scale="1e-6 1e-6 1e-6"/>'), {"mujoco": ["L023"]}),
    "mirrored mesh": (arm(shape='<mesh filename="solid.obj" scale="-1 1 1"/>'), {}),
    "mesh of scale 0": (arm(shape='<mesh filename="solid.obj" scale="0 1 1"/>'), {
        "drake": ["L011"], "mujoco": ["L023"]}),
    "loop joint": (arm(more='<loop_joint name="k" type="revolute"><link1 link="base"/><link2 link="tip"/>'
                            '</loop_joint>'), {"drake": ["L017"]}),
    # Shapes.
    "box of size 0": (arm(shape='<box size="0 1 1"/>'), {"drake": ["L011"], "mujoco": ["L022"]}),
    **{f"empty name of a {tag}": (arm(shape='<box size="1 1 1"/>', tag=tag).replace(f"<{tag}>", f'<{tag} name="">'), {
        "drake": ["L043"]}) for tag in ("visual", "collision")},
    "visual box of size 0": (arm(shape='<box size="0 1 1"/>', tag="visual"), {"drake": ["L011"]}),
    "sphere of radius 0": (arm(shape='<sphere radius="0"/>'), {"mujoco": ["L022"]}),
    "shape unknown": (arm(shape='<cone radius="1"/>'), {"drake": ["R021"], "mujoco": ["L020"]}),
    "visual shape unknown": (arm(shape='<cone radius="1"/>', tag="visual"), {"drake": ["R021"]}),
    "material without colour": (arm(more='<material name="m"/>'), {"drake": ["L014"]}),
    "material of the robot without name": (arm(more='<material><color rgba="1 0 0 1"/></material>'), {
        "drake": ["L014"]}),
    "material of the robot with an expression of xacro": (
        arm(more='<material name="m"><color rgba="${255/255} 0 0 1"/></material>'), {
            "drake": ["R024"], "mujoco": ["L045"]}),
    # Mass.
    "no mass": (arm(tip=""), {"mujoco": ["L024"]}),
    "mass of the collision": (arm(tip="", shape='<sphere radius="1"/>'), {}),
    "mass of no visual": (arm(tip="", shape='<sphere radius="1"/>', tag="visual"), {"mujoco": ["L024"]}),
    "mass 0 in spite of a collision": (arm(tip=inertial(0, moments=(0, 0, 0)), shape='<sphere radius="1"/>'), {
        "mujoco": ["L024"]}),
    "no mass behind a fixed joint": (arm(tip="", kind="fixed", inside=""), {}),
    "no mass at the root": (arm(base=link("base")), {"gazebo": ["C004"]}),
    "tensor of zeros": (arm(tip=inertial(moments=(0, 0, 0))), {"mujoco": ["L024"]}),
    "tensor of zeros that does not move": (arm(tip=inertial(moments=(0, 0, 0)), kind="fixed", inside=""), {}),
    "tensor of 1e-22": (arm(tip=inertial(moments=(1e-22, 1e-22, 1e-22))), {"mujoco": ["L021", "L024"]}),
    "tensor of 1e-16 at the root": (arm(base=f'<link name="base">{inertial(moments=(1e-16, 1e-16, 1e-16))}</link>'), {
        "mujoco": ["L021"]}),
    "tensor that breaks the triangle": (arm(tip=inertial(moments=(1, 0.1, 0.1))), {
        "gazebo": ["I001"], "mujoco": ["L021"]}),
    "lumped tensor that breaks the triangle": (arm(kind="fixed", inside="", tip=inertial(moments=(1, 0.1, 0.1))), {
        "mujoco": ["L021"]}),
    "mass that is a word": (arm(tip=inertial("one")), {
        "gazebo": ["R036"], "drake": ["R036"], "mujoco": ["L024", "R036"]}),
    **{f"moment {text!r}": (arm(tip=f'<inertial><mass value="1"/><inertia ixx="{text}" iyy="1" izz="1"/></inertial>'), {
        "drake": ["L011"], "mujoco": ["L024", "R020"]}) for text in ("", "x", "1 2")},
    "no tensor": (arm(tip='<inertial><mass value="1"/></inertial>'), {"mujoco": ["L024", "R020"]}),
    "frame of Drake": (arm(more='<frame name="f" link="tip"/><frame name="g" link="world"/>'), {}),
    **{f"frame of Drake with {text}": (arm(more=f"<frame {text}/>"), {"drake": ["L046"]})
       for text in ('name="f" link="top"', 'name="f"', 'link="tip"', 'name="base" link="tip"',
                    'name="f" link="tip"/><frame name="f" link="tip"', 'name="f" link="tip" rpy="1 2"')},
    # What MuJoCo reads of visuals that it leaves out, and the settings of its <compiler>.
    **{f"colour of {text or 'nothing'}": (_show(f'<material name="m"><color {text}/></material>'), {
        "mujoco": ["L045"], **others}) for text, others in _COLOURS.items()},
    "material of a visual twice": (_show('<material name="m"/><material name="n"/>'), {
        "drake": ["R023"], "mujoco": ["L045"]}),
    "material of a visual without name and colour": (_show("<material/>"), {"mujoco": ["L045"]}),
    "origin of a visual twice": (_show("<origin/><origin/>"), {}),
    "origin of a visual twice, kept": (_show("<origin/><origin/>", KEPT), {"mujoco": ["L045"]}),
    **{f"{part.split()[0]} twice": (arm(inside=LIMIT * (part[:5] != "limit") + f"<{part}/>" * 2), {"mujoco": ["L045"]})
       for part in ('axis xyz="0 0 1"', 'limit lower="-1" upper="1" effort="1" velocity="1"', "origin",
                    'dynamics damping="1"')},
    "calibration twice": (arm(inside=LIMIT + '<calibration rising="1"/>' * 2), {}),
    "<mujoco> twice": (arm(more="<mujoco/><mujoco/>"), {"mujoco": ["L045"]}),
    "two boxes": (arm(shape='<box size="1 1 1"/><box size="1 1 1"/>'), {"mujoco": ["L045"]}),
    "visual of size 0, kept": (arm(shape='<box size="0 1 1"/>', tag="visual", more=KEPT), {
        "drake": ["L011"], "mujoco": ["L022"]}),
    "visual unknown, kept": (arm(shape='<cone radius="1"/>', tag="visual", more=KEPT), {
        "drake": ["R021"], "mujoco": ["L020"]}),
    "visual file missing, kept": (arm(shape='<mesh filename="gone.obj"/>', tag="visual", more=KEPT), {
        "drake": ["L003"], "mujoco": ["L023"]}),
    "visual in COLLADA, kept": (arm(shape='<mesh filename="thing.dae"/>', tag="visual", more=KEPT), {
        "mujoco": ["L023"]}),
    "visual without mass, kept": (arm(tip="", shape='<box size="1 1 1"/>', tag="visual", more=KEPT), {
        "mujoco": ["L024"]}),
    "largest moment too large, balanced": (
        arm(tip=inertial(moments=(1, 1, 3)), more=_compile('balanceinertia="true"')), {"gazebo": ["I001"]}),
    "two boxes of a visual": (arm(shape='<box size="1 1 1"/>' * 2, tag="visual"), {}),
    "two boxes of a visual, kept": (arm(shape='<box size="1 1 1"/>' * 2, tag="visual", more=KEPT), {
        "mujoco": ["L045"]}),
    **{f"tensor of {moment:g}, with {bounds}": (arm(tip=inertial(moments=3 * (moment,)), more=_compile(bounds)), {
        "mujoco": codes} if codes else {}) for moment, bounds, codes in (
            (0, 'boundmass="0.01" boundinertia="0.01"', []), (0, 'boundinertia="0.01"', []),
            (0, 'boundmass="0.01"', ["L024"]), (1e-22, 'boundinertia="0.01"', []))},
    "no mass, with a bound": (arm(tip="", more=_compile('boundmass="0.01" boundinertia="0.01"')), {}),
    "floating joint behind another, with bounds": (arm(more=link("c", 1) + joint("k", "floating", "tip", "c")
                                                       + _compile('boundmass="0.01" boundinertia="0.01"')), {
        "mujoco": ["L026"]}),
    "two points": (arm(tip=inertial(moments=(0, 0, 0)), more=f'<link name="c">{inertial(moments=(0, 0, 0))}</link>'
                       + joint("k", "fixed", "tip", "c", '<origin xyz="1 0 0"/>')), {"mujoco": ["L024"]}),
    # MuJoCo merges links behind fixed joints one after the other, and passes over those without a positive mass.
    "negative mass with a positive one": (_weld(inertial(-1), inertial(.5)), {"gazebo": ["I001"]}),
    "negative mass with zero": (_weld(inertial(-1), inertial(0)), {"gazebo": ["I001"], "mujoco": ["L024"]}),
    "mass with a larger negative one": (_weld(inertial(1), inertial(-2)), {"gazebo": ["I001"]}),
    "tensor of what has no mass": (_weld(inertial(moments=(0, 0, 0)), inertial(0)), {"mujoco": ["L024"]}),
    "no tensor before the last link": (_weld("", inertial(moments=(0, 0, 0)), inertial()), {"mujoco": ["L024"]}),
    "tensor before that of zeros": (_weld("", inertial(), inertial(moments=(0, 0, 0))), {}),
    "tensor of a link without a shape to replace it": (
        arm(tip=inertial(moments=(1, 1, 3)), more=_compile('inertiafromgeom="true"')), {
            "gazebo": ["I001"], "mujoco": ["L021"]}),
    "shape that is not to be weighed": (arm(tip="", shape='<box size="1 1 1"/>', more=_compile(
        'inertiafromgeom="false"')), {"mujoco": ["L024"]}),
    # Links that a bound changes, such as a negative mass, are not merged; others are, without their mass.
    **{f"{mass} kg behind {first} kg, inertiafromgeom{settings}": (
        _weld(tip, inertial(mass)).replace("</robot>", _compile(f'inertiafromgeom="true"{settings}') + "</robot>"),
        {**({} if min(mass, first) > -1 else {"gazebo": ["I001"]}), **({} if is_loaded else {"mujoco": ["L024"]})})
       for settings, first, tip, mass, is_loaded in (
            ("", 0, "", 1, False), ("", -1, inertial(-1), 1, True), (' boundmass="0.01"', 0, "", -1, True),
            (' boundinertia="0.01"', 0, "", -1, False), (' boundinertia="0.01"', 0, "", 1, True))},
    "no shape to replace the tensor": (arm(more=_compile('inertiafromgeom="true"')), {}),
    "tensor replaced by that of the shape": (arm(tip=inertial(moments=(1, 1, 3)), shape='<box size="1 1 1"/>',
                                                 more=_compile('inertiafromgeom="true"')), {"gazebo": ["I001"]}),
    # Joints.
    "axis of length 0": (arm(inside=f'<axis xyz="0 0 0"/>{LIMIT}'), {
        "gazebo": ["J009"], "drake": ["L017"], "mujoco": ["L027"]}),
    "axis of a planar joint of length 0": (arm(kind="planar", inside=f'<axis xyz="0 0 0"/>{LIMIT}'), {
        "drake": ["L017"], "mujoco": ["L027"]}),
    "axis of length 1e-7": (arm(inside=f'<axis xyz="0 0 1e-7"/>{LIMIT}'), {"gazebo": ["J009"], "mujoco": ["L027"]}),
    "axis without xyz": (arm(inside=f"<axis/>{LIMIT}"), {"gazebo": ["J009"], "mujoco": ["L027"]}),
    "axis of a fixed joint of two numbers": (arm(kind="fixed", inside='<axis xyz="1 2"/>'), {"mujoco": ["L027"]}),
    "axis of a floating joint of words": (arm(kind="floating", inside='<axis xyz="a b c"/>'), {"mujoco": ["L027"]}),
    "axis of a fixed joint of length 0": (arm(kind="fixed", inside='<axis xyz="0 0 0"/>'), {}),
    "limits reversed": (arm(inside='<limit lower="1" upper="-1" effort="1" velocity="1"/>'), {"drake": ["L016"]}),
    "upper limit not written": (arm(inside='<limit lower="1" effort="1" velocity="1"/>'), {}),
    "no limit": (arm(inside=""), _by_urdfdom("R012")),
    "no limit and no mass": (arm(tip="", inside=""), {**_by_urdfdom("R012"), "mujoco": ["L024"]}),
    "no effort, limits reversed": (arm(inside='<limit lower="1" upper="-1" velocity="1"/>'), {
        **_by_urdfdom("R011"), "drake": ["L016"]}),
    "no damping": (arm(inside=LIMIT + "<dynamics/>"), _by_urdfdom("R011")),
    "controller that is a word": (arm(inside=LIMIT + '<safety_controller k_velocity="x"/>'), _by_urdfdom("R041")),
    "negative effort in URDF 1.2": (arm(inside=LIMIT.replace('effort="', 'effort="-')).replace(
        'name="r"', 'name="r" version="1.2"'), {**_by_urdfdom("R041"), "pinocchio": ["L030", "R041"]}),
    "blank behind a limit": (arm(inside=LIMIT.replace('"1"', '"1 "')), {
        "ros": 3 * ["R040"], "pinocchio": 3 * ["R040"], "urdfdom": 3 * ["R040"]}),
    "negative effort": (arm(inside=LIMIT.replace('effort="', 'effort="-')), {"pinocchio": ["L030"]}),
    "negative velocity": (arm(inside=LIMIT.replace('velocity="', 'velocity="-')), {
        "drake": ["L012"], "pinocchio": ["L030"]}),
    "negative damping": (arm(inside=LIMIT + '<dynamics damping="-1"/>'), {"drake": ["L012"]}),
    "negative friction": (arm(inside=LIMIT + '<dynamics friction="-1"/>'), {"pinocchio": ["L030"]}),
    "mimic of nobody": (arm(inside=LIMIT + '<mimic joint="x"/>'), {"gazebo": ["C022"], "drake": ["L017"]}),
    "mimic of nobody, and no limit": (arm(inside='<mimic joint="x"/>'), {**_by_urdfdom("R012"), "drake": ["L017"]}),
    "mimic of itself": (arm(inside=LIMIT + '<mimic joint="j"/>'), {
        "gazebo": ["C022"], "drake": ["L017"], "mujoco": ["L027"]}),
    "mimic without joint": (arm(inside=LIMIT + "<mimic/>"), {
        **_by_urdfdom("R011"), "drake": ["L017"], "mujoco": ["L027"]}),
    "fixed mimic of nobody": (arm(kind="fixed", inside='<mimic joint="x"/>'), {"drake": ["L017"]}),
    "mimic": (arm(more=_FOLLOWER.format("prismatic")), {}),
    "fixed mimic": (arm(more=_FOLLOWER.format("fixed")), {"drake": ["L013"]}),
    "mimic of a floating joint": (arm(kind="floating", inside="", more=_FOLLOWER.format("revolute")), {
        "drake": ["L013"]}),
    "floating inside": (arm(more=_FOLLOWER.format("floating").replace('<mimic joint="j"/>', "")), {"mujoco": ["L026"]}),
    "floating at the root": (arm(kind="floating", inside=""), {}),
    "a loop of joints": (arm(more=link("x", 1) + joint("k", "fixed", "base", "x") + joint("l", "fixed", "tip", "x")), {
        name: ["R015"] for name in ("gazebo", "drake", "mujoco")}),
    "a loop beside the tree": (arm(more=link("x", 1) + link("y", 1) + joint("k", "fixed", "x", "y") + joint(
        "l", "fixed", "y", "x")), {"drake": 2 * ["R025"], "mujoco": 2 * ["R025"]}),
    "two roots": (arm(more=link("other")), _by_urdfdom("R014")),
    "undefined world": (arm(base="").replace('"base"', '"world"'), {**_by_urdfdom("R044"), "mujoco": ["R044"]}),
    "undefined world as a child": (robot(link("base", 1), joint("j", "fixed", "base", "world")), {
        **_by_urdfdom("R044"), "mujoco": ["R044"]}),
    "two roots, and no mass": (arm(more=link("other") + link("x") + joint("k", "continuous", "other", "x")), {
        **_by_urdfdom("R014"), "mujoco": ["L024"]}),
    "world moves": (arm().replace("tip", "world"), {"mujoco": ["L025"]}),
    "world below a link": (arm(more=link("world") + joint("k", "fixed", "tip", "world")), {}),
    "link and joint of one name": (arm().replace('name="j"', 'name="tip"'), {}),
    # Transmissions.
    "transmission": (_transmission('<joint name="j"/><actuator name="a"/>'), {}),
    "transmission of nobody": (_transmission('<joint name="x"/><actuator name="a"/>'), {"drake": ["L015"]}),
    "transmission of another type": (_transmission('<joint name="x"/><actuator name="a"/>', "Four"), {}),
    "transmission without actuator": (_transmission('<joint name="j"/>'), {"drake": ["L015"]}),
    "transmission without joint": (_transmission('<actuator name="a"/>'), {"drake": ["L015"]}),
    "two actuators of one name": (_transmission('<joint name="j"/><actuator name="a"/></transmission>'
        '<transmission name="u"><type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>'), {
        "drake": ["L015"]}),
    "transmission without type": (arm(more='<transmission name="t"><joint name="j"/><actuator name="a"/>'
                                           '</transmission>'), {"drake": ["L015"]}),
    "transmission of a planar joint": (_transmission('<joint name="j"/><actuator name="a"/>').replace(
        '"revolute"', '"planar"'), {"drake": ["L015"]}),
    # Drake's own elements.
    **{f"{tag} of {name}": (arm(more=_OWN.format(tag, attribute, name)).replace("<robot", _DRAKE), (
        {} if is_there else {"drake": ["L059"]})) for tag, attribute, name, is_there in (
            ("member", "link", "tip", True), ("member", "link", "x", False), ("member", "link", "world", False),
            ("member_group", "name", "g", True), ("member_group", "name", "tip", False),
            ("ignored_collision_filter_group", "name", "h", False))},
    "name in an element of Drake's by another prefix": (
        arm(more=_OWN.format("member", "link", "x").replace("drake:", "d:")).replace(
            "<robot", _DRAKE.replace(":drake", ":d")), {}),
    # XML.
    "instruction in the root": (arm().replace('name="r">', 'name="r"><?x?>'), {
        name: ["X023"] for name in ("ros", "drake", "mujoco", "pinocchio", "urdfdom")}),
    "no name": (arm().replace(' name="r"', ""), {**_by_urdfdom("R001"), "drake": ["R001"]}),
    "no name and no mass": (arm(tip="").replace(' name="r"', ""), {
        **_by_urdfdom("R001"), "drake": ["R001"], "mujoco": ["L024"]}),
    "empty name": (arm().replace('name="r"', 'name=""'), {"drake": ["L043"]}),
    "version that does not exist": (arm(tip="").replace('name="r"', 'name="r" version="2.0"'), {
        **_by_urdfdom("R003"), "mujoco": ["L024"]}),
}


#: Meshes: how a robot names one, the file that is there, the <compiler>, and whether MuJoCo 3.6 and 4.0 load it.
MUJOCO_PATHS: dict[str, tuple[str, str, str, tuple[bool, bool]]] = {
    "in a folder": ("m/p.stl", "m/p.stl", "", (False, True)),
    "beside the robot, named in a folder": ("m/p.stl", "p.stl", "", (True, False)),
    "in a folder that is told twice": ("m/p.stl", "m/p.stl", 'meshdir="m"', (True, False)),
    "in the folder of meshes": ("p.stl", "m/p.stl", 'meshdir="m"', (True, True)),
    "in the folder of assets": ("p.stl", "m/p.stl", 'assetdir="m"', (True, True)),
    "in the folder of meshes, not in that of assets": ("p.stl", "m/p.stl", 'meshdir="m" assetdir="n"', (True, True)),
    "not in the folder of meshes": ("p.stl", "p.stl", 'meshdir="m"', (False, False)),
    "with folders kept": ("m/p.stl", "m/p.stl", 'strippath="false"', (True, True)),
    "with folders stripped": ("m/p.stl", "p.stl", 'strippath="true"', (True, True)),
    "with folders stripped that are there": ("m/p.stl", "m/p.stl", 'strippath="true"', (False, False)),
    "of a package": ("package://q/p.stl", "p.stl", "", (True, False)),
    "of a package, stripped": ("package://q/m/p.stl", "m/p.stl", 'strippath="true" meshdir="m"', (True, True)),
    "of a package in the folder of meshes": ("package://q/p.stl", "m/p.stl", 'meshdir="m"', (True, False)),
    "by file://": ("file://FOLDER/p.stl", "p.stl", "", (True, False)),
    "by its whole path": ("FOLDER/m/p.stl", "m/p.stl", 'meshdir="n"', (False, True)),
    "with a backslash": ("m\\p.stl", "m/p.stl", "", (False, True)),
}


def write_for_mujoco(name: str, folder: Path) -> Path:
    """Write a robot with one of these meshes."""
    filename, there, compiler, _ = MUJOCO_PATHS[name]
    (folder / there).parent.mkdir(parents=True, exist_ok=True)
    (folder / there).write_bytes(FILES["binary.stl"])
    (folder / "r.urdf").write_text(arm(shape=f'<mesh filename="{filename.replace("FOLDER", str(folder))}"/>',
                                       more=_compile(compiler)))
    return folder / "r.urdf"


def model(inside: str, version="1.9") -> str:
    """A root model with a link."""
    return f'<sdf version="{version}"><model name="m"><link name="l"/>{inside}</model></sdf>'


def hinge(kind: str, inside="<axis><xyz>0 0 1</xyz></axis>") -> str:
    """A second link and a joint to it."""
    return (f'<link name="k"/><joint name="j" type="{kind}"><parent>l</parent><child>k</child>{inside}</joint>')


_SCOPED = ('<frame name="a::__model__" attached_to="a::b"><pose>0 0 1 0 0 0</pose></frame><link name="a::b"/>'
           '<frame name="f" attached_to="a::b"/>')


def shape(inside: str, tag="collision", geometry="<box><size>1 1 1</size></box>") -> str:
    """A link with a shape."""
    return f'<link name="s"><{tag} name="c"><geometry>{geometry}</geometry>{inside}</{tag}></link>'


def _bend(parent: str, child: str) -> str:
    """A revolute joint away from both of its links."""
    return (f'<joint name="j" type="revolute"><pose>0 0 0.1 0 0 0</pose><parent>{parent}</parent><child>{child}</child>'
            '<axis><xyz>0 0 1</xyz></axis></joint>')


def _mesh(uri: str) -> str:
    return f"<mesh><uri>{uri}</uri></mesh>"


_DAMPING = "<dynamics><damping>-1</damping></dynamics>"
_STIFFNESS = "<dynamics><spring_stiffness>-1</spring_stiffness></dynamics>"
_REVERSED = "<limit><lower>1</lower><upper>-1</upper></limit>"
_FRICTION = "<surface><friction><ode><mu>{}</mu><mu2>{}</mu2></ode></friction></surface>"
_TIP = '<frame name="tip"/>'
_POLYLINE = "<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline>"
_LINK = '<link name="k"/>'
_WORLD = '<world name="w"><model name="m"><link name="l"/></model>{}</world>'
#: By name: an SDFormat file, and the errors that Drake has. Gazebo loads all of them.
SDF_CASES: dict[str, tuple[str, list[str]]] = {
    "plain": (model(""), []),
    "element unknown": (model("<thing/>"), ["S003"]),
    "link with a name in a scope, alone": (model('<link name="a::b"/>', "1.7"), []),
    **{f"link with a name in a scope, {how}": (model(f'<link name="a::b"/>{inside}', "1.7"), ["L057"])
       for how, inside in {
        "with a frame": '<frame name="f" attached_to="a::b"/>',
        "as a child": '<joint name="j" type="fixed"><parent>l</parent><child>a::b</child></joint>',
        "as a parent": '<joint name="j" type="fixed"><parent>a::b</parent><child>l</child></joint>'}.items()},
    "link with a name in a scope in a world": (
        f'<sdf version="1.7"><world name="w">{model(_SCOPED)[19:-6]}</world></sdf>', []),
    "frame with a name in a scope": (model('<frame name="a::b"/>', "1.7"), []),
    "quaternion of zeros": (model('<frame name="f"><pose rotation_format="quat_xyzw">0 0 1 0 0 0 0</pose></frame>'),
                            ["S032"]),
    "quaternion that is not of length 1": (model(
        '<frame name="f"><pose rotation_format="quat_xyzw">0 0 1 0 0 0 1e-6</pose></frame>'), []),
    "attribute unknown": (model("").replace('name="l"', 'name="l" thing="1"'), ["S004"]),
    "element twice": (model("<static>0</static><static>0</static>"), []),
    "gz_frame_id": (model('<link name="k"><sensor name="s" type="imu"><gz_frame_id>f</gz_frame_id></sensor></link>'), [
        "L019"]),
    **{f"mesh {uri}": (model('<link name="k"><visual name="v"><geometry><mesh>'
                             f"<uri>{uri}</uri></mesh></geometry></visual></link>"), codes) for uri, codes in {
        "solid.obj": [], "file://solid.obj": ["L003"], "/solid.obj": ["L003"], "file://./solid.obj": ["L003"]}.items()},
    "revolute": (model(hinge("revolute")), []),
    "revolute2": (model(hinge("revolute2")), ["L017"]),
    "ball": (model(hinge("ball", "")), []),
    "no axis": (model(hinge("prismatic", "")), ["L017"]),
    **{f"{kind} with {inside}": (model(hinge(kind, f"<axis><xyz>0 0 1</xyz>{inside}</axis>")), codes)
       for inside, kind, codes in (
           (_DAMPING, "revolute", ["L012"]), (_DAMPING, "ball", ["L012"]), (_DAMPING, "fixed", []),
           *[(f"<limit><{tag}>nan</{tag}></limit>", "revolute", ["L017"])
             for tag in ("lower", "upper", "effort", "velocity")],
           *[("<limit><lower>nan</lower></limit>", kind, []) for kind in ("fixed", "continuous", "screw")],
           (_DAMPING.replace("-1", "nan"), "revolute", []), (_STIFFNESS.replace("-1", "nan"), "revolute", ["L017"]),
           (_DAMPING.replace("-", ""), "revolute", []), (_STIFFNESS, "continuous", ["L012"]),
           (_STIFFNESS, "screw", []), (_REVERSED, "prismatic", ["L016"]), (_REVERSED, "continuous", ["L016"]),
           (_REVERSED, "screw", []))},
    "static model with a hinge": (model("<static>true</static>" + hinge("revolute")), ["L017"]),
    "loop": (model(hinge("revolute") + hinge("revolute").replace('<link name="k"/>', "").replace('"j"', '"i"')), [
        "K002"]),
    "two parents, no loop": (model(hinge("revolute") + hinge("revolute").replace(
        '<link name="k"/>', '<link name="i"/>').replace('"j"', '"h"').replace("<parent>l", "<parent>i")), []),
    "mesh without a name": (model(shape("", geometry="<mesh></mesh>")), ["S027"]),
    **{f"mesh of scale {scale}": (model(shape("", "visual", _mesh("solid.obj").replace(
        "</mesh>", f"<scale>{scale}</scale></mesh>"))), codes)
       for scale, codes in (("1 1 0", ["L011"]), ("1e-9 1e-9 1e-9", ["L011"]), ("2 -1 1", []))},
    **{f"universal joint with axes at {other}": (model(hinge(
        "universal", f"<axis><xyz>1 0 0</xyz></axis><axis2><xyz>{other}</xyz></axis2>")), codes)
       for other, codes in (("1 1 0", ["L017"]), ("1e-9 1 0", ["L017"]), ("0 1 1", []))},
    "universal joint with an axis in a turned frame": (model(
        '<frame name="f"><pose>0 0 0 0 0 0.5</pose></frame>' + hinge("universal", (
            '<axis><xyz>1 0 0</xyz></axis><axis2><xyz expressed_in="f">0 1 0</xyz></axis2>'))), ["L017"]),
    **{f"hand with {hand}, arm with {arm}": (model(
        f'<model name="hand"><link name="palm"/><link name="finger"/>{hand}</model>{arm}', "1.10"), codes)
       for hand, arm, codes in (
           (_TIP, _TIP.replace("/>", ' attached_to="hand::palm"/>'), ["L048"]), (_TIP, _TIP, []),
           ("", _TIP.replace("tip", "palm").replace("/>", ' attached_to="hand::palm"/>'), ["L048"]),
           (_TIP, _TIP.replace("/>", ' attached_to="f"/>') + '<frame name="f" attached_to="hand::palm"/>', ["L048"]),
           (_bend("palm", "finger"), _bend("l", "hand::palm"), ["L048"]),
           (_bend("palm", "finger"), _bend("hand::palm", "l"), []),
           (_bend("palm", "finger"), '<frame name="j_child" attached_to="hand::palm"/>', ["L048"]),
           (_bend("palm", "finger"), '<frame name="j_parent" attached_to="hand::palm"/>', ["L048"]),
           ('<frame name="j_parent"/>', _bend("l", "hand::palm"), ["L048"]),
           ("", _bend("hand::palm", "l") + '<frame name="j_parent"/>', ["L048"]),
           ('<frame name="j_parent"/>', _bend("hand::palm", "l"), []),
           ("", _bend("palm", "finger").replace("0.1", "0").replace("palm", "hand::palm").replace(
               "finger", "l") + '<frame name="j_parent"/>', []),
           ("<static>true</static>" + _TIP, _TIP.replace("/>", ' attached_to="hand"/>'), ["L048"]))},
    "frames of the outer model, of which the nested model has the first link": (
        '<sdf version="1.10"><model name="m"><model name="hand"><link name="palm"/><frame name="f"/></model>'
        '<frame name="tip"/><frame name="f" attached_to="tip"/></model></sdf>', []),
    **{f"a world of {version} with {content}": (f'<sdf version="{version}">{_WORLD.format(content)}</sdf>', codes)
       for version, content, codes in (
           ("1.6", '<light name="m" type="point"/>', ["N013"]), ("1.6", '<physics name="m" type="ode"/>', ["N013"]),
           ("1.9", '<state world_name="w"><model name="m"/></state>', ["L019"]),
           ("1.4", '<state world_name="w"><light name="m"/></state>', ["L019"]),
           ("1.12", '<state world_name="w"><model_state name="m"/></state>', []),
           ("1.9", '<state world_name="w"><sim_time>1 0</sim_time></state>', []))},
    "visual and collision of one name": (model(shape("", "visual").replace("</link>", "") + shape("").partition(
        '<link name="s">')[2], "1.6"), []),
    **{f"computed inertia with {more or 'nothing'}": (model(
        shape("").replace("<collision", f'<inertial auto="true">{more}</inertial><collision'), "1.11"), codes)
       for more, codes in (("", []), ("<mass>1</mass>", []), ("<pose>0 0 0 0 0 0</pose>", ["I004"]))},
    **{f"computed inertia of {name}": (model(shape(density, geometry=geometry).replace(
        "<collision", '<inertial auto="true"/><collision'), "1.11"), codes)
       for name, density, geometry, codes in (
           ("a polyline", "<density>500</density>", _POLYLINE, ["L058"]),
           ("a cone", "", "<cone><radius>1</radius><length>1</length></cone>", []),
           ("a mesh beside the file", "", _mesh("solid.obj"), ["L058"]))},
    **{f"inertial in {frame!r} in {version}": (
        model("").replace("/>", f'><inertial><pose frame="{frame}">1 0 0 0 0 0</pose></inertial></link>').replace(
            "1.9", version), codes)
       for frame, version, codes in (("l", "1.5", ["L019"]), ("__model__", "1.6", ["L019"]), ("", "1.6", []))},
    **{f"{tag} relative to nothing": (model(shape("<pose relative_to='no'/>", tag)), ["P004"])
       for tag in ("collision", "visual")},
    "light relative to nothing": (model('<link name="k"><light name="c" type="point"><pose relative_to="no"/></light>'
                                        '</link>'), []),
    **{f"nested {kind}": (model(f'<model name="n">{content}</model>'), [code]) for kind, code, content in (
        ("parent", "J003", '<link name="k"/>' + _bend("no", "k")),
        ("axis", "J008", hinge("revolute", '<axis><xyz expressed_in="no">0 0 1</xyz></axis>').replace("l<", "k<", 1)
         .replace("<child>k", "<child>i") + '<link name="i"/>'))},
    "universal joint with one axis": (model(hinge("universal")), ["L017"]),
    "sphere without a number": (model(shape("", geometry="<sphere><radius>nan</radius></sphere>")), ["L011"]),
    "friction of an empty mu2": (model(shape(_FRICTION.format(0.5, ""))), ["L018"]),
    "friction": (model(shape(_FRICTION.format(0.5, 0.9))), ["L018"]),
    **{f"friction of {geometry[:7]}": (model(shape(_FRICTION.format(0.5, 0.9), geometry=geometry)), codes)
       for geometry, codes in (
           ("<heightmap><uri>gone.png</uri></heightmap>", []), ("<empty/>", []),
           ("<plane><normal>0 0 1</normal></plane>", ["L018"]),
           (_POLYLINE, []))},
    "friction in order": (model(shape(_FRICTION.format(0.9, 0.5))), []),
    "collision of .dae": (model(shape("", geometry=_mesh("thing.dae"))), ["L010"]),
    "visual of .obj": (model(shape("", "visual", _mesh("solid.obj"))), []),
    "collision missing": (model(shape("", geometry=_mesh("gone.obj"))), ["L002"]),
    "visual missing": (model(shape("", "visual", _mesh("gone.obj"))), ["L003"]),
    "world": ('<sdf version="1.9">' + _WORLD.format("") + "</sdf>", []),
    "two worlds": ('<sdf version="1.9">' + _WORLD.format("") + _WORLD.format("").replace('"w"', '"v"') + "</sdf>", [
        "L040"]),
    **{f"include {uri!r}": ('<sdf version="1.9">' + _WORLD.format(f"<include><uri>{uri}</uri></include>") + "</sdf>", [
        "L042"]) for uri in ("other.sdf", "./other.sdf", "file://other.sdf")},
    "light": ('<sdf version="1.9"><light name="l" type="point"/></sdf>', ["L040"]),
}
#: The same for files that Gazebo or its check refuses.
SDF_REFUSED: dict[str, tuple[str, list[str]]] = {
    **{f"a {what} as canonical link": (model(inside).replace('name="m"', f'name="m" canonical_link="{name}"'), codes)
       for what, name, inside, codes in (
           ("frame", "f", '<frame name="f" attached_to="l"/>', []), ("joint", "j", hinge("fixed", ""), []),
           ("model", "n", f"<model name='n'>{_LINK}</model>", []),
           ("nested frame", "n::tip", f"<model name='n'>{_LINK}{_TIP}</model>", []),
           ("frame on nothing", "tip", _TIP, ["F008"]),
           ("frame on nothing of a static model", "tip", f"<static>true</static>{_TIP}", []))},
    **{f"computed inertia with {value}": (model(
        shape("").replace("<collision", f'<inertial auto="true">{value}</inertial><collision'), "1.11"), [])
       for value in ("<mass>-1</mass>", "<density>0</density>", "<density>-1</density>")},
}
SDF_CASES.update(SDF_REFUSED)
#: Whether Drake finds what an include, a mesh of SDFormat and a mesh of a URDF name, if it knows the package "pack".
DRAKE_URIS: dict[tuple[str, str], bool] = {
    **{("include", uri): is_found for uri, is_found in {
        "model://pack": False, "package://pack": False, "model://pack/": True, "package://pack/": True,
        "model://pack/model.sdf": True, "models://pack/model.sdf": False, "pack/model.sdf": False,
        "file://pack/model.sdf": False, "file://FOLDER/pack/model.sdf": True, "file://FOLDER/pack": True}.items()},
    **{(kind, uri): is_found for kind in ("sdf", "urdf") for uri, is_found in {
        "model://pack/solid.obj": True, "package://pack/solid.obj": True, "models://pack/solid.obj": False,
        "pack/solid.obj": True, "./pack/solid.obj": True, "file://pack/solid.obj": False,
        "file:///pack/solid.obj": False, "file://FOLDER/pack/solid.obj": True, "FOLDER/pack/solid.obj": True,
        "solid.obj": False}.items()},  # the last is in pack, which is a resource path, too
}


def write_for_drake(kind: str, uri: str, folder: Path) -> Path:
    """Write a file that names one of these, beside the package "pack"."""
    (folder / "pack").mkdir()
    for name, content in {"solid.obj": FILES["solid.obj"], "model.sdf": FILES["other.sdf"],
                          "model.config": b"<model><name>o</name><sdf version='1.9'>model.sdf</sdf></model>",
                          "package.xml": b"<package><name>pack</name></package>"}.items():
        (folder / "pack" / name).write_bytes(content)
    uri = uri.replace("FOLDER", str(folder))
    texts = {"include": f'<sdf version="1.9"><world name="w"><include><uri>{uri}</uri></include></world></sdf>',
             "sdf": model(shape("", geometry=_mesh(uri))), "urdf": arm(shape=f'<mesh filename="{uri}"/>')}
    path = folder / f"r.{'urdf' if kind == 'urdf' else 'sdf'}"
    path.write_text(texts[kind])
    return path
