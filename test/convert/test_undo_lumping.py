"""URDF -> SDF -> URDF gives back the links, joints and frames of the first URDF. Expected values by hand."""
from __future__ import annotations

from functools import partial
from math import pi

import pytest
import urdf_text
from lxml import etree
from urdf_text import inertial, link
from written_text import convert_text, convert_to_display, convert_to_urdf

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.convert.report import make_rows
from sdf_frames.convert.sdf_names import name_shape, restore_name
from sdf_frames.document.elements import line_of
from sdf_frames.load import load_text

TURN = '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="3" velocity="4"/>'


joint = partial(urdf_text.joint, xyz="0.1 0.2 0.3", rpy="0.4 0.5 0.6")
ARM = ('<robot name="arm">' + link("base", 5) + link("plate", 2) + link("tip") + link("hand", 1) + link("eye")
       + joint("base_plate", "fixed", "base", "plate") + joint("plate_tip", "fixed", "plate", "tip")
       + joint("tip_hand", "revolute", "tip", "hand", TURN) + joint("hand_eye", "fixed", "hand", "eye") + "</robot>")


def go(urdf, **options):
    sdf, conversion, found = convert_text(urdf, options=ConvertOptions(**options))
    assert sdf is not None, found
    return sdf


def back(sdf, **options):
    result = convert_to_urdf(load_text(sdf), **options)
    assert result.text is not None, result.diagnostics
    return result


def read(urdf):
    """Names of the links, and what each joint is: type, parent, child, origin, axis."""
    root = etree.fromstring(urdf.encode())

    def numbers(element, name, default):
        return tuple(float(v) for v in (default if element is None else element.get(name, default)).split())
    joints = {}
    for e in root.findall("joint"):
        origin, axis = e.find("origin"), e.find("axis")
        zero = etree.Element("origin", xyz="0 0 0", rpy="0 0 0")
        origin = zero if origin is None else origin
        joints[e.get("name")] = (e.get("type"), e.find("parent").get("link"), e.find("child").get("link"),
                                 numbers(origin, "xyz", ""), numbers(origin, "rpy", ""),
                                 None if axis is None else numbers(axis, "xyz", ""))
    return {e.get("name") for e in root.findall("link")}, joints


@pytest.mark.parametrize("options", [{}, {"preserve_fixed_joints": True}, {"massless": "keep"}],
                         ids=["lumped", "preserved", "kept"])
def test_links_and_joints_come_back_with_their_numbers(options):
    text = back(go(ARM, **options)).text
    assert read(text) == read(ARM)
    assert back(go(text, **options)).text == text


def test_mass_stays_with_the_link_that_took_it_and_the_report_says_so():
    result = back(go(ARM))
    root = etree.fromstring(result.text.encode())
    assert {e.get("name"): float(e.find("inertial/mass").get("value")) for e in root.iter("link")
            if e.find("inertial") is not None} == {"base": 7, "hand": 1}
    rows = {row.name: row for row in result.rows if row.element == "frame"}
    assert (rows["plate"].action, rows["plate"].into) == ("to-frame", "base")
    # An SDF does not say whether a lumped link had a mass: plate had one, tip had none.
    assert rows["plate"].reason == "it stands for a lumped link; 'base' has its mass and shapes, if any"
    assert rows["tip"].into == "plate" and rows["tip"].reason == rows["plate"].reason
    assert (rows["base_plate"].action, rows["base_plate"].into) == ("moved", "base_plate")


def test_frames_for_joints_are_links_when_asked_for():
    names, joints = read(back(go(ARM), joint_frames=True).text)
    assert names == {"base", "plate", "tip", "hand", "eye", "base_plate", "plate_tip", "hand_eye"}
    assert joints["tip_hand"][1] == "base"  # what carries it
    # What robot_state_publisher gets, which publishes links only.
    assert read(convert_to_display(load_text(go(ARM))).text)[0] == names


LUMPED = """<sdf version="1.11"><model name="m"><link name="a"/>
  <frame name="j2" attached_to="b"><pose>0 0 2 0 0 0</pose></frame><frame name="c" attached_to="j2"><pose>0 0 0 0 0 0</pose></frame>
  <frame name="j1" attached_to="a"><pose>1 0 0 0 0 0</pose></frame><frame name="b" attached_to="j1"><pose>0 0 0 0 0 0</pose></frame>
</model></sdf>"""  # noqa: E501


def test_links_that_libsdformat_lumped_come_back():
    """The frames that its converter writes for base -j1- b -j2- c."""
    names, joints = read(back(LUMPED).text)
    assert names == {"a", "b", "c"}
    assert {name: (j[1], j[2], j[3]) for name, j in joints.items()} == {
        "j1": ("a", "b", (1, 0, 0)), "j2": ("b", "c", (0, 0, 2))}


def test_frames_at_one_place_are_joints_and_links_in_turn():
    names, joints = read(back(LUMPED.replace("0 0 2", "0 0 0").replace("1 0 0", "0 0 0")).text)
    assert names == {"a", "b", "c"} and {name: j[1:3] for name, j in joints.items()} == {
        "j1": ("a", "b"), "j2": ("b", "c")}


def test_edited_elements_override_the_recorded_attributes():
    sdf = go(ARM)
    assert 'sdf_frames:parent="tip"' in sdf
    root = etree.fromstring(sdf.encode())
    pose = root.find(".//joint[@name='tip_hand']/pose")
    pose.text = "9 0 0 0 0 0"  # in the base
    text = back(etree.tostring(root, encoding="unicode")).text
    assert read(text)[1]["tip_hand"][:3] == ("revolute", "tip", "hand")
    frames = {f.name: f.pose for f in load_text(text).scopes[0].frames}
    assert frames["hand"] == pytest.approx((9, 0, 0, 1, 0, 0, 0), abs=1e-12)
    # A parent that no longer moves with what the joint hangs on is none.
    root.find(".//frame[@name='base_plate']").set("attached_to", "hand")
    assert read(back(etree.tostring(root, encoding="unicode")).text)[1]["tip_hand"][:4] == (
        "revolute", "base", "hand", (9, 0, 0))


FREE = ('<robot name="r">' + link("base", 5) + link("mast") + link("disc", 1) + link("ball", 1)
        + joint("base_mast", "fixed", "base", "mast")
        + joint("slide", "planar", "mast", "disc", '<axis xyz="0 0.6 0.8"/>')
        + joint("fly", "floating", "base", "ball") + "</robot>")


def test_floating_and_planar_joints_come_back():
    sdf = go(FREE)
    names, joints = read(back(sdf).text)
    assert (names, joints) == read(FREE)
    assert joints["slide"] == ("planar", "mast", "disc", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6), (0, 0.6, 0.8))
    rows = {row.name: row for row in back(sdf).rows if row.element == "frame"}
    assert rows["slide"].reason == "it stands for a planar joint"
    # Without the record, a link that no joint holds floats at the root.
    _, joints = read(back(take_record_off(sdf)).text)
    assert {name: j[:3] for name, j in joints.items() if j[0] == "floating"} == {
        "disc_floating": ("floating", "base", "disc"), "ball_floating": ("floating", "base", "ball")}


def test_below_the_world():
    text = ('<robot name="r"><link name="world"/>' + link("base", 5) + link("ball", 1)
            + joint("weld", "fixed", "world", "base") + joint("fly", "floating", "world", "ball") + "</robot>")
    assert read(back(go(text)).text) == read(text)


def test_a_joint_that_bears_a_links_name_gets_it_back():
    text = ('<robot name="r">' + link("base", 5) + link("hand", 1) + link("eye")
            + joint("hand", "revolute", "base", "hand", TURN) + joint("eye", "fixed", "hand", "eye") + "</robot>")
    sdf = go(text)
    assert '<joint type="revolute" name="hand_joint"' in sdf
    assert read(back(sdf).text) == read(text)
    renamed = sdf.replace('"hand_joint"', '"wrist"').replace("hand_joint", "wrist")
    assert set(read(back(renamed).text)[1]) == {"wrist", "eye"}


def test_a_fixed_joint_of_the_sdf_is_not_lumped_on_the_way_back():
    tag = '<gazebo reference="base_plate"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'
    text = ARM.replace("</robot>", tag + "</robot>")
    first = go(text)
    urdf = back(first).text
    assert read(urdf) == read(text)
    assert etree.fromstring(urdf.encode()).findtext("gazebo[@reference='base_plate']/preserveFixedJoint") == "true"
    assert back(go(urdf)).text == urdf
    assert [e.get("name") for e in etree.fromstring(go(urdf).encode()).iter("link")] == [
        e.get("name") for e in etree.fromstring(first.encode()).iter("link")]


def test_in_a_nested_model_and_in_a_world():
    inner = LUMPED[LUMPED.index("<model"):LUMPED.index("</sdf>")]
    nested = f'<sdf version="1.11"><model name="top"><link name="root"/>{inner}<joint name="weld" type="fixed">' \
             '<parent>root</parent><child>m::a</child></joint></model></sdf>'
    names, joints = read(back(nested).text)
    assert {"m/b", "m/c"} <= names and joints["m/j2"][:4] == ("fixed", "m/b", "m/c", (0, 0, 2))
    names, joints = read(back(f'<sdf version="1.11"><world name="w">{inner}</world></sdf>').text)
    assert names == {"a", "b", "c"} and set(joints) == {"j1", "j2"}


SHAPES = ('<visual name="skin"><geometry><sphere radius="1"/></geometry></visual><visual><geometry><sphere radius="2"/>'
          '</geometry></visual><visual name="base_x"><geometry><sphere radius="3"/></geometry></visual>')


def test_names_of_shapes_do_not_grow():
    text = ARM.replace(inertial(5), inertial(5) + SHAPES).replace(inertial(2), inertial(2) + SHAPES)
    sdf = go(text)
    urdf = back(sdf).text
    assert names_of_visuals(urdf) == {"base": ["skin", None, "base_x"], "plate": ["skin", None, "base_x"]}
    assert back(go(urdf)).text == urdf and go(urdf) == sdf
    # Without the record, all are on base. One that had no name has its link's, if that is another one.
    urdf = back(take_record_off(sdf)).text
    assert names_of_visuals(urdf) == {"base": ["skin", None, "base_x", "skin", "plate", "base_x"]}
    assert back(take_record_off(go(urdf))).text == urdf


@pytest.mark.parametrize("holder, name", [("visual", "visual"), ("a", "a"), ("a_visual", "a_visual"), ("ab", "a")])
def test_a_shape_of_a_lumped_link_that_is_called_as_another_link_keeps_its_name(holder, name):
    shape = '<visual name="{}"><geometry><sphere radius="1"/></geometry><material name="red"><color rgba="1 0 0 1"/>' \
            "</material></visual>"
    text = urdf_text.robot(link(holder, 1), link("b", None, shape.format(name)), joint("j", "fixed", holder, "b"))
    urdf = back(go(text)).text
    assert names_of_visuals(urdf) == {"b": [name]}
    assert back(go(urdf)).text == urdf


SKIN = "".join(f'<{kind}><origin xyz="0 0 {{0}}" rpy="0.1 0.2 0.3"/><geometry><sphere radius="{{0}}"/></geometry>'
               f'</{kind}>' for kind in ("collision", "visual"))
PAINT = "<mu1>{0}</mu1><visual><material><specular>0.{0} 0 0 1</specular></material></visual>"
SKINNED = urdf_text.robot(
    *[link(name, mass, SKIN.format(mass) * 2) for name, mass in (("base", 5), ("plate", 2), ("lid", 3), ("hand", 1))],
    link("foil", None, SKIN.format(9)), joint("base_plate", "fixed", "base", "plate"),
    joint("plate_lid", "fixed", "plate", "lid"), joint("turn", "revolute", "lid", "hand", TURN),
    joint("hand_foil", "fixed", "hand", "foil"),
    urdf_text.gazebo("hand_foil", "<preserveFixedJoint>true</preserveFixedJoint>"),
    *[urdf_text.gazebo(name, PAINT.format(n)) for name, n in (("base", 5), ("plate", 2), ("lid", 3), ("foil", 9))])


@pytest.mark.parametrize("options", [{}, {"preserve_fixed_joints": True}, {"massless": "keep"}],
                         ids=["lumped", "preserved", "kept"])
def test_shapes_and_their_settings_go_back_to_the_link_that_was_lumped(options):
    sdf = go(SKINNED, **options)
    result = back(sdf)
    first, second = (etree.fromstring(text.encode()) for text in (SKINNED, result.text))
    for name in ("base", "plate", "lid", "hand", "foil"):
        for kind in ("visual", "collision"):
            shapes = [[(e.get("name"), dict(e.find("origin").attrib), e.find("geometry/sphere").get("radius"))
                       for e in root.iterfind(f"link[@name='{name}']/{kind}")] for root in (first, second)]
            assert shapes[0] == shapes[1] != [], (name, kind)
    said = {e.get("reference"): (e.findtext("collision/surface/friction/ode/mu"),
                                 e.findtext("visual/material/specular"))
            for e in second.iterfind("gazebo") if e.find("collision") is not None}
    assert said == {"base": ("5", "0.5 0 0 1"), "plate": ("2", "0.2 0 0 1"), "lid": ("3", "0.3 0 0 1"),
                    "foil": ("9", "0.9 0 0 1")}
    assert [d.name for d in result.diagnostics if d.name == "urdf-setting-dropped"] == []
    assert back(go(result.text, **options)).text == result.text


def test_a_link_with_shapes_has_no_mass_in_programs_that_make_one_up():
    """The body of plate and hand has the 3 kg that the URDF gives it: not those of balls of 1000 kg/m³."""
    mujoco = pytest.importorskip("mujoco")
    text = urdf_text.robot(link("base", 5), link("hand", 1, SKIN.format(1)), link("plate", 2, SKIN.format(2)),
                           joint("turn", "revolute", "base", "hand", TURN), joint("weld", "fixed", "hand", "plate"))
    for urdf in (text, back(go(text)).text):
        assert list(mujoco.MjModel.from_xml_string(urdf).body_mass) == [0, pytest.approx(3)]


@pytest.mark.parametrize("own, compiler", [
    ("", {"inertiafromgeom": "false"}),
    ('<mujoco><compiler strippath="false"/><size njmax="9"/></mujoco>',
     {"strippath": "false", "inertiafromgeom": "false"}),
    ('<mujoco><compiler inertiafromgeom="auto"/></mujoco>', {"inertiafromgeom": "auto"})])
def test_mujoco_is_told_to_make_up_no_mass(own, compiler):
    """libsdformat refuses a link of mass 0 that is lumped into another one (12.3 was asked), so none is written."""
    text = back(go(SKINNED.replace("</robot>", f"{own}</robot>"))).text
    root = etree.fromstring(text.encode())
    assert {link.get("name") for link in root.iter("link") if link.find("inertial") is None} == {"plate", "lid", "foil"}
    (block,) = root.findall("mujoco")
    assert dict(block.find("compiler").attrib) == compiler and (block.find("size") is None) == ("size" not in own)
    assert back(go(text)).text == text


def test_a_limit_of_a_continuous_joint_has_no_range():
    text = back(go(urdf_text.robot(link("base", 5), link("hand", 1), joint(
        "turn", "continuous", "base", "hand", '<limit effort="3" velocity="4"/>')))).text
    assert '<limit effort="3" velocity="4"/>' in text


def test_the_report_says_to_which_link_a_shape_goes_back():
    rows = {(row.element, row.name): row for row in back(go(SKINNED)).rows}
    assert rows["visual", "base_fixed_joint_lump__lid_visual_4"][2:4] == ("moved", "lid")
    assert rows["visual", "base_visual_1"][2:4] == ("kept", None)
    assert rows["frame", "lid"].reason == "it stands for a lumped link; 'base' has its mass, if any"


@pytest.mark.parametrize("edit, link, xyz, rpy", [
    ((), "foil", (0, 0, 9), (0.1, 0.2, 0.3)),
    ((('sdf_frames:origin="0 0 9', 'sdf_frames:origin="0 0 8'),), "foil", (0, 0, 9), (0.1, 0.2, 0.3)),
    ((('sdf_frames:parent="foil"', 'sdf_frames:parent="plate"'),), "hand", None, None),   # fixed to another link
    ((('sdf_frames:parent="foil"', 'sdf_frames:parent="foil_"'),), "hand", None, None)])
def test_the_record_of_a_shape_counts_if_it_agrees(edit, link, xyz, rpy):
    """Foil is 0.1 0.2 0.3 from hand, and turned."""
    sdf = go(SKINNED)
    for old, new in edit:
        assert old in sdf
        sdf = sdf.replace(old, new)
    root = etree.fromstring(back(sdf).text.encode())
    places = [(e.getparent().getparent().getparent().get("name"), e.getparent().getparent().find("origin"))
              for e in root.iterfind("link/*/geometry/sphere[@radius='9']")]
    assert [place for place, _ in places] == [link] * 2
    for _, origin in places if xyz else ():
        assert [float(x) for x in origin.get("xyz").split()] == pytest.approx(xyz, abs=1e-12)
        assert [float(x) for x in origin.get("rpy").split()] == pytest.approx(rpy, abs=1e-12)


def names_of_visuals(urdf):
    """The names of visuals by that of their link."""
    found = {}
    for e in etree.fromstring(urdf.encode()).iter("visual"):
        found.setdefault(e.getparent().get("name"), []).append(e.get("name"))
    return found


def take_record_off(sdf):
    """The SDF without the attributes that only this project knows."""
    root = etree.fromstring(sdf.encode())
    for element in root.iter():
        for name in [name for name in element.attrib if name.startswith("{")]:
            del element.attrib[name]
    return etree.tostring(root, encoding="unicode")


@pytest.mark.parametrize("name, place, urdf", [
    ("arm_visual", 0, ""), ("arm_visual_2", 2, ""), ("arm_visual_2", 1, "arm_visual_2"), ("lid", 0, "lid"),
    ("arm_fixed_joint_lump__lid_visual", 0, "lid"), ("arm_lid_visual", 0, "arm_lid"), ("lid_visual", 0, "lid_visual"),
    ("arm_fixed_joint_lump__arm_visual_visual", 0, "arm_fixed_joint_lump__arm_visual")])
def test_the_name_of_a_shape_before_it_was_converted(name, place, urdf):
    """What :func:`name_shape` gives a visual of the link arm, at a place among its visuals, and what it does not."""
    assert restore_name("arm", name, "visual", place, "arm") == urdf
    assert name == urdf or name_shape("arm", urdf or "arm", "visual", place) == name


def test_a_name_that_no_shape_gets_is_that_of_the_next_conversion():
    """An edit took the shapes before it, so its number is wrong; the next conversion would take its body off."""
    name = restore_name("arm", "arm_fixed_joint_lump__lid_visual_2", "visual", 0, "lid")
    assert name == "lid_visual_2" == restore_name("arm", name_shape("arm", name, "visual", 0), "visual", 0, "lid")


@pytest.mark.parametrize("holder", ["base", "plate"])
@pytest.mark.parametrize("kind", ["collision", "visual"])
def test_a_divided_capsule_has_its_names_after_each_further_conversion(holder, kind):
    """URDF 1.0 has no capsules: a cylinder and two spheres have the name of the SDF, without the body's before it."""
    colour = '<material name="red"><color rgba="1 0 0 1"/></material>' * (kind == "visual")
    shape = f'<{kind}><geometry><capsule radius="1" length="2"/></geometry>{colour}</{kind}>'
    text = (f'<robot name="r">{link("base", 1, shape * (holder == "base"))}{link("plate", None, shape)}'
            f'{urdf_text.joint("weld", "fixed", "base", "plate")}</robot>')
    first = back(go(text)).text
    assert [f'name="plate_{kind}{"_1" * (holder == "base")}_{part}"' in first
            for part in ("side", "top", "bottom")] == [True] * 3
    assert back(go(first)).text == first


def test_a_quarter_turn_keeps_its_digits():
    text = ARM.replace('rpy="0.4 0.5 0.6"', f'rpy="0 {pi / 2!r} 0.3"')
    assert read(back(go(text)).text) == read(text)


def edit(sdf, path, **changes):
    """The SDF with attributes of the first element at a path changed; None takes one away."""
    root = etree.fromstring(sdf.encode())
    element = root.find(path)
    for name, value in changes.items():
        full = f"{{urn:sdf_frames:urdf}}{name}"
        if value is None:
            element.attrib.pop(full)
        else:
            element.set(full, value)
    return etree.tostring(root, encoding="unicode")


BELOW = ('<robot name="r">' + link("base", 5) + link("plate", 2) + link("hand", 1)
         + joint("base_plate", "fixed", "base", "plate") + joint("turn", "revolute", "plate", "hand", TURN)
         + "</robot>")
TURN_PATH = ".//joint[@name='turn']"


@pytest.mark.parametrize("changes, parent, as_written", [
    ({}, "plate", True), ({"parent": "nowhere"}, "base", False), ({"parent": "hand"}, "base", False),
    ({"parent": None}, "base", False), ({"origin": None}, "plate", False), ({"origin": "0.1 0.2"}, "plate", False),
    ({"origin": "0.1 0.2 0.3 0.4 0.5 0.61"}, "plate", False),       # says another place than the pose
    ({"origin": "0.1 0.2 0.3 0.4 0.5 0.6000000001"}, "plate", True),
    ({"origin": "0.10 0.2 0.3 0.4 0.5 0.6"}, "plate", True)])
def test_the_record_of_a_joint_counts_if_it_agrees(changes, parent, as_written):
    sdf = edit(go(BELOW), TURN_PATH, **changes)
    _, joints = read(back(sdf).text)
    kind, found, child, xyz, rpy, _ = joints["turn"]
    assert (kind, found, child) == ("revolute", parent, "hand")
    written = tuple(float(x) for x in changes.get("origin", "").split()) if changes.get("origin") and as_written else (
        0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    assert ((xyz + rpy) == written) == as_written
    if parent == "plate":
        assert xyz + rpy == pytest.approx(written, abs=1e-9)


@pytest.mark.parametrize("offset, moved", [("0.5e-9", False), ("2e-9", True)])
def test_how_far_a_joint_may_be_from_its_record(offset, moved):
    """A nanometre, as long as the robot is small."""
    text = BELOW.replace("0.1 0.2 0.3", "0.1 0.2 0").replace("0.4 0.5 0.6", "0 0 0")
    sdf = edit(go(text), TURN_PATH, origin=f"0.1 0.2 {offset} 0 0 0")
    _, joints = read(back(sdf).text)
    assert joints["turn"][3] == pytest.approx((0.1, 0.2, 0 if moved else float(offset)), abs=1e-12)


@pytest.mark.parametrize("name, written", [
    ("hand", "hand"), ("other", "other_joint"), (None, "hand_joint"), ("", "hand_joint")])
def test_the_record_of_a_joints_name(name, written):
    """It counts as long as the SDF's name begins with it."""
    text = urdf_text.robot(link("base", 5), link("hand", 1), joint("hand", "revolute", "base", "hand", TURN))
    sdf = edit(go(text), ".//joint[@name='hand_joint']", name=name)
    if name == "other":
        assert set(read(back(sdf).text)[1]) == {"hand_joint"}
        sdf = sdf.replace('"hand_joint"', '"other_joint"')
        written = "other"
    assert set(read(back(sdf).text)[1]) == {written}


@pytest.mark.parametrize("changes, kind, axis", [
    ({}, "planar", (0, 0.6, 0.8)), ({"axis": None}, "planar", (1, 0, 0)), ({"axis": "0 1"}, "planar", (1, 0, 0)),
    ({"type": "floating"}, "floating", None), ({"type": "revolute"}, None, None), ({"type": None}, None, None)])
def test_the_record_of_a_planar_joint(changes, kind, axis):
    """Without a type that SDF lacks, its frame is a frame, and its child floats at the root."""
    _, joints = read(back(edit(go(FREE), ".//frame[@name='slide']", **changes)).text)
    if kind is None:
        assert joints["disc_floating"][:3] == ("floating", "base", "disc")
        assert joints["slide_fixed"][1:3] == ("disc", "slide")
    else:
        assert joints["slide"] == (kind, "mast", "disc", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6), axis)


def test_a_frame_of_a_free_joint_on_what_is_no_link_is_a_frame():
    sdf = go(FREE).replace('name="slide" attached_to="disc"', 'name="slide" attached_to="base_mast"')
    _, joints = read(back(sdf).text)
    assert "slide" not in joints and joints["disc_floating"][2] == "disc"


@pytest.mark.parametrize("frames, pairs", [
    # The joint on the parent, the link on it; or, for a massless link that is not lumped, the joint on the link.
    ('<frame name="j" attached_to="a"><pose>1 0 0 0 0 0</pose></frame><frame name="l" attached_to="j"/>',
     {"j": ("a", "l")}),
    ('<frame name="l" attached_to="a"><pose>1 0 0 0 0 0</pose></frame><frame name="j" attached_to="l">'
     '<pose relative_to="a">1 0 0 0 0 0</pose></frame>', {"j": ("a", "l")}),
    # Not at the same place, posed in another frame, or in use by others.
    ('<frame name="l" attached_to="a"><pose>1 0 0 0 0 0</pose></frame><frame name="j" attached_to="l">'
     '<pose relative_to="a">2 0 0 0 0 0</pose></frame>', {}),
    ('<frame name="l" attached_to="a"><pose>1 0 0 0 0 0</pose></frame><frame name="j" attached_to="l">'
     '<pose relative_to="__model__">1 0 0 0 0 0</pose></frame>', {}),
    ('<frame name="j" attached_to="a"><pose relative_to="__model__">1 0 0 0 0 0</pose></frame>'
     '<frame name="l" attached_to="j"/>', {}),
    ('<frame name="j" attached_to="a"/><frame name="l" attached_to="j"><pose>0 0 0 0 0 1</pose></frame>', {}),
    ('<frame name="j" attached_to="a"/><frame name="l" attached_to="j"/><frame name="x" attached_to="j"/>',
     {"x": None}),
    ('<frame name="l" attached_to="a"><pose>1 0 0 0 0 0</pose></frame><frame name="j" attached_to="l">'
     '<pose relative_to="a">1 0 0 0 0 0</pose></frame><frame name="x" attached_to="j"/>', {"x": None}),
    # The joint of another kind has the first frame as its parent: that is then no joint of a pair.
    ('<frame name="j" attached_to="a"/><frame name="l" attached_to="j"/><link name="b"/><joint name="k" type="fixed">'
     "<parent>j</parent><child>b</child></joint>", {})])
def test_which_frames_are_a_joint_and_a_link(frames, pairs):
    text = f'<sdf version="1.12"><model name="m"><link name="a"/>{frames}</model></sdf>'
    _, joints = read(back(text).text)
    found = {name: j[1:3] for name, j in joints.items() if not name.endswith("_fixed") and name != "k"}
    assert found == {name: ends for name, ends in pairs.items() if ends}


def test_a_floating_joint_whose_pose_is_in_a_frame_on_its_parent():
    """The frame is 1 up on the mast and turned by a quarter about z; the joint is 2 along its x, the mast's y."""
    frame = f'<frame name="q" attached_to="mast"><pose>0 0 1 0 0 {pi / 2!r}</pose></frame></model>'
    sdf = go(FREE).replace("</model>", frame)
    root = etree.fromstring(sdf.encode())
    pose = root.find(".//frame[@name='slide']/pose")
    pose.set("relative_to", "q")
    pose.text = "2 0 0 0 0 0"
    _, joints = read(back(etree.tostring(root).decode()).text)
    kind, parent, child, xyz, rpy, _ = joints["slide"]
    assert (kind, parent, child) == ("planar", "mast", "disc")
    assert xyz == pytest.approx((0, 2, 1)) and rpy == pytest.approx((0, 0, pi / 2))


def test_the_rows_and_lines_of_joints_that_sdf_does_not_have():
    """Each is a frame in the SDF, on a line of its own."""
    from sdf_frames.convert.sdf_to_urdf import convert_model
    lines = go(FREE).split("\n")
    found = {name: next(i for i, line in enumerate(lines, 1) if f'frame name="{name}"' in line)
             for name in ("slide", "fly")}
    conversion = convert_model(load_text("\n".join(lines)).graphs[0], {}, lambda uri, element: uri)
    assert {j.name: line_of(j.element) for j in conversion.robot.joints if j.name in found} == found
    assert [tuple(row) for row in make_rows(conversion.entries) if row.name in found] == [
        ("frame", "slide", "moved", "slide", found["slide"], "it stands for a planar joint"),
        ("frame", "fly", "moved", "fly", found["fly"], "it stands for a floating joint")]
