"""Links of the SDF as a whole: shapes, and what <gazebo> says of them. Expected values by hand."""
from __future__ import annotations

import pytest
from test_carry import spell
from urdf_text import gazebo, inertial, joint, link, robot

from sdf_frames.convert.report import Row
from sdf_frames.document.elements import line_of

BOX = '<geometry><box size="1 1 1"/></geometry>'
SHAPES = f'<collision>{BOX}</collision><visual>{BOX}</visual>'
SCRIPT = "<uri>file://media/materials/scripts/gazebo.material</uri>"


@pytest.fixture
def make(convert):
    """What <gazebo> says of the link l, block by block -> what the SDF's link has after geometry, rows, findings."""
    def make(*contents, inside=SHAPES):
        text = "\n".join(['<robot name="r">', link("l", 1, inside), *[gazebo("l", content) for content in contents],
                          "</robot>"])
        have, conversion, found = convert(text)
        body = have.links["l"]
        after = {tag: "".join(spell(child) for child in body.find(tag)[2:]) for tag in ("collision", "visual")
                 if body.find(tag) is not None}
        after["link"] = "".join(spell(child) for child in body if child.tag not in ("inertial", "collision", "visual"))
        rows = [row for row in conversion.rows if row.element not in ("link", "collision", "visual")]
        return after, rows, [(d.message, d.line, d.path, d.hint) for d in found]
    return make


CONTACT = "<surface><contact><ode>{}</ode></contact></surface>"
FRICTION = "<surface><friction><ode>{}</ode></friction></surface>"


@pytest.mark.parametrize("tag, text, shape, written", [
    ("kp", "3", "collision", CONTACT.format("<kp>3</kp>")), ("kd", " 4e0 ", "collision", CONTACT.format("<kd>4</kd>")),
    ("maxVel", "0.50", "collision", CONTACT.format("<max_vel>0.5</max_vel>")),
    ("minDepth", "1m", "collision", CONTACT.format("<min_depth>1</min_depth>")),
    ("mu1", "inf", "collision", FRICTION.format("<mu>inf</mu>")),
    ("mu2", "2", "collision", FRICTION.format("<mu2>2</mu2>")),
    ("fdir1", "1 0 0", "collision", FRICTION.format("<fdir1>1 0 0</fdir1>")),
    ("laserRetro", "5", "collision", "<laser_retro>5</laser_retro>"),
    ("maxContacts", "3.7", "collision", "<max_contacts>3</max_contacts>"),
    ("material", "Gazebo/Red", "visual", f"<material><script><name>Gazebo/Red</name>{SCRIPT}</script></material>"),
    ("turnGravityOff", "TRUE", "link", "<gravity>false</gravity>"),
    ("turnGravityOff", "x", "link", "<gravity>false</gravity>"),
    ("turnGravityOff", "False", "link", "<gravity>true</gravity>"),
    ("turnGravityOff", "no", "link", "<gravity>true</gravity>"),
    ("turnGravityOff", "0", "link", "<gravity>true</gravity>"),
    ("dampingFactor", "0.5", "link", "<velocity_decay><linear>0.5</linear><angular>0.5</angular></velocity_decay>"),
    ("selfCollide", "Yes", "link", "<self_collide>1</self_collide>"),
    ("selfCollide", "1", "link", "<self_collide>1</self_collide>"),
    ("selfCollide", "on", "link", "<self_collide>0</self_collide>")])
def test_each_setting(tag, text, shape, written, make):
    expected = {"collision": "", "visual": "", "link": "", shape: written}
    for content in (f"<{tag}>{text}</{tag}>", f'<{tag} value="{text}">9</{tag}>'):
        assert make(content) == (expected, [Row(tag, "l", "kept", "l", 3)], [])


@pytest.mark.parametrize("tag, text, wanted", [
    ("kp", "x", "a number"), ("mu1", "", "a number"), ("mu2", "nan", "a number"), ("maxContacts", "many", "a number"),
    ("fdir1", "1 0", "three numbers"), ("fdir1", "0,5 0 0", "three numbers"), ("dampingFactor", "?", "a number")])
def test_values_that_cannot_be_read(tag, text, wanted, make):
    """And the next setting counts all the same."""
    after, rows, found = make(f"\n<{tag}>{text}</{tag}>\n<laserRetro>5</laserRetro>")
    assert after == {"collision": "<laser_retro>5</laser_retro>", "visual": "", "link": ""}
    assert found == [(f"<{tag}>{text}</{tag}> for 'l' is not {wanted}; it is left out", 4,
                      f'/robot[@name="r"]/gazebo[@reference="l"]/{tag}', f"write {wanted}")]
    assert rows == [Row(tag, "l", "dropped", None, 4, f"not {wanted}"), Row("laserRetro", "l", "kept", "l", 5)]


@pytest.mark.parametrize("tag", ["fdir1", "material"])
def test_settings_that_are_empty(tag, make):
    assert make(f"<{tag}> </{tag}>") == (dict.fromkeys(("collision", "visual", "link"), ""),
                                         [Row(tag, "l", "dropped", None, 3, "it is empty")], [])


def test_settings_that_have_no_effect(make):
    assert make("<canonicalBody>x</canonicalBody>") == (dict.fromkeys(("collision", "visual", "link"), ""), [
        Row("canonicalBody", "l", "dropped", None, 3, "has no effect")], [])


ALL = ["<maxContacts>9</maxContacts>", "<laserRetro>8</laserRetro>", "<fdir1>0 1 0</fdir1>", "<mu2>7</mu2>",
       "<mu1>6</mu1>",
       "<minDepth>5</minDepth>", "<maxVel>4</maxVel>", "<kd>3</kd>", "<kp>2</kp>", "<selfCollide>1</selfCollide>",
       "<dampingFactor>1</dampingFactor>", "<turnGravityOff>1</turnGravityOff>"]


@pytest.mark.parametrize("order", [1, -1])
def test_settings_of_shapes_stand_in_one_order(order, make):
    after, rows, _ = make("\n".join(ALL[::order]))
    assert after["collision"] == (
        "<surface><contact><ode><kp>2</kp><kd>3</kd><max_vel>4</max_vel><min_depth>5</min_depth></ode></contact><friction>"
        "<ode><mu>6</mu><mu2>7</mu2><fdir1>0 1 0</fdir1></ode></friction></surface><laser_retro>8</laser_retro>"
        "<max_contacts>9</max_contacts>")
    assert len(rows) == 12 and {row.action for row in rows} == {"kept"}


def test_what_a_later_block_overrides(make):
    """A setting, one in the other's place, and the surface as a whole; said of the earlier ones."""
    later = "a later value is used"
    after, rows, _ = make(
        "\n<mu1>1</mu1>\n<kp>2</kp>\n<collision><max_contacts>3</max_contacts></collision>",
        "\n<mu1>4</mu1>\n<maxContacts>5</maxContacts>\n<material>A</material>", "<material>B</material>")
    assert after["collision"] == (
        "<surface><contact><ode><kp>2</kp></ode></contact><friction><ode><mu>4</mu></ode></friction></surface>"
        "<max_contacts>5</max_contacts>")
    assert after["visual"] == f"<material><script><name>B</name>{SCRIPT}</script></material>"
    assert [row for row in rows if row.action == "dropped"] == [
        Row("mu1", "l", "dropped", None, 4, later), Row("max_contacts", "l", "dropped", None, 6, later),
        Row("material", "l", "dropped", None, 10, later)]


def test_a_surface_as_a_whole_takes_the_place_of_settings_before_it(make):
    surface = "<surface><bounce/></surface>"
    after, rows, _ = make("\n<mu1>1</mu1>\n<laserRetro>2</laserRetro>", f"<collision>{surface}</collision>\n<kp>3</kp>")
    contact = "<contact><ode><kp>3</kp></ode></contact>"
    assert after["collision"] == f"<laser_retro>2</laser_retro><surface><bounce/>{contact}</surface>"
    assert [(row.element, row.action, row.line) for row in rows if row.action == "dropped"] == [("mu1", "dropped", 4)]


def test_parts_for_every_shape(make):
    """Elements are added to each; a comment is none."""
    after, rows, _ = make("<visual><!-- no "
                          "--><transparency>0.5</transparency></visual>\n<collision><a/><b/></collision>")
    assert (after["collision"], after["visual"]) == ("<a/><b/>", "<transparency>0.5</transparency>")
    assert rows == [Row("a", "l", "kept", "l", 4), Row("b", "l", "kept", "l", 4),
                    Row("transparency", "l", "kept", "l", 3)]


def test_settings_for_shapes_need_one(make):
    """One warning for the settings of one kind and block, and a row for each; whether they are well-formed is idle."""
    after, rows, found = make("<mu1>x</mu1><material>A</material><kp>1</kp><collision><bounce/></collision>", inside="")
    assert after == {"link": ""}
    assert [(r.element, r.action, r.reason) for r in rows] == [
        *[(tag, "dropped", "the link has no collision") for tag in ("mu1", "kp", "bounce")],
        ("material", "dropped", "the link has no visual")]
    path = '/robot[@name="r"]/gazebo[@reference="l"]'
    assert found == [(f"{tags} for 'l': left out, because the link has no {kind}", 3, f"{path}/{first}",
                      f"name the link that has the shapes as the reference, or remove {tags}")
                     for kind, tags, first in (("collision", "<mu1>, <kp>, <bounce>", "mu1"),
                                               ("visual", "<material>", "material"))]


TWO = [link("a", 1), link("b", 1), joint("j", "fixed", "a", "b")]


@pytest.mark.parametrize("one, other, gravity, reported", [
    ("1", "0", "true", True), ("0", "1", "false", True), ("1", "true", "false", False), ("0", "no", "true", False)])
def test_gravity_of_two_links_in_one(one, other, gravity, reported, convert):
    tag = "<turnGravityOff>{}</turnGravityOff>"
    text = "\n".join(['<robot name="r">', *TWO, gazebo("a", tag.format(one)), gazebo("b", "\n" + tag.format(other)),
                      "</robot>"])
    have, conversion, found = convert(text)
    assert [e.text for e in have.links["a"].findall("gravity")] == [gravity]
    assert [(d.name, d.message, d.line, d.path, d.hint) for d in found] == [
        ("gravity-of-lumped-link", "turnGravityOff of lumped link 'b' differs from that of 'a', and holds for both", 7,
         '/robot[@name="r"]/gazebo[@reference="b"]/turnGravityOff',
         "set the same value for both links: lumping makes them one link")] * reported
    assert [row for row in conversion.rows if row.element == "turnGravityOff"] == [
        Row("turnGravityOff", "a", "dropped", None, 5, "the value for 'b' is used"),
        Row("turnGravityOff", "b", "moved", "a", 7)]


@pytest.mark.parametrize("tag, value, other, path, written", [
    ("turnGravityOff", "true", "false", "gravity", "false"), ("selfCollide", "true", "false", "self_collide", "1"),
    ("dampingFactor", "0.3", "0", "velocity_decay/linear", "0.3")])
def test_a_lumped_link_sets_what_its_body_does_not(tag, value, other, path, written, convert):
    """The link with the mass has the default of SDFormat. A link lumped into one that sets a value follows that one."""
    name = "gravity-of-lumped-link" if tag == "turnGravityOff" else "setting-of-lumped-link"

    def find(*settings, parts=(*TWO, link("c", 1), joint("k", "fixed", "b", "c"))):
        have, _, found = convert(robot(*parts, *[gazebo(key, f"<{tag}>{text}</{tag}>") for key, text in settings]))
        return have.links["a"].findtext(path), [(d.name, d.message.partition("lumped link ")[2]) for d in found]

    assert find(("b", value)) == (written, [(name, "'b' differs from that of 'a', and holds for both")])
    assert find(("b", other))[1] == find(("a", value))[1] == find(("a", value), ("c", value))[1] == []
    assert find(("b", value), ("c", value)) == (written, [(name, "'c' differs from that of 'a', and holds for both")])
    assert find(("b", value), ("c", other))[1] == [(name, "'c' differs from that of 'b', and holds for both")]
    bare = [link("a", None), *TWO[1:]]
    small = [link("c", 0.5), joint("k", "fixed", "a", "c"), link("d", 0.2), joint("i", "fixed", "a", "d")]
    assert find(("b", value), parts=[*bare, *small]) == (written, [])  # it is nearly the whole body
    assert find(("c", value), parts=[*bare, *small]) == (
        written, [(name, "'c' differs from that of 'b', and holds for both")])


@pytest.mark.parametrize("mine, theirs", [
    ("<gravity>false</gravity>", "<turnGravityOff>true</turnGravityOff>"),
    ("<velocity_decay><linear>1.0</linear><angular>1</angular></velocity_decay>", "<dampingFactor>1</dampingFactor>")])
def test_a_body_may_set_it_as_an_element_of_sdformat(mine, theirs, convert):
    assert convert(robot(*TWO, gazebo("a", mine), gazebo("b", theirs)))[2] == ()


@pytest.mark.parametrize(("content", "reported"), [
    ("<velocity_decay/>", False), ("<velocity_decay><linear>0.0</linear><angular/></velocity_decay>", False),
    ("<velocity_decay><linear>0</linear><angular>0.5</angular></velocity_decay>", True), ("<gravity/>", False),
    ("<kinematic/>", False), ("<gravity>0</gravity>", True)])
def test_a_lumped_link_that_states_defaults_differs_from_no_other(content, reported, convert):
    found = convert(robot(*TWO, gazebo("b", content)))[2]
    assert [d.name for d in found] == ["setting-of-lumped-link"] * reported


def test_shapes_of_a_lumped_link(convert):
    """Settings are those of the link that a shape comes from; poses are the lumped link's, and then the shape's own."""
    parts = [link("a", 1, f"<visual>{BOX}</visual>"),
             link("b", 1, f'<visual name="v"><origin xyz="1 0 0" rpy="0 0 0.25"/>{BOX}</visual><visual>{BOX}</visual>'),
             joint("j", "fixed", "a", "b", xyz="0 2 0", rpy="0 0 0.5"), gazebo("a", "<material>A</material>"),
             gazebo("b", "<material>B</material>")]
    have, conversion, _ = convert(robot(*parts))
    found = [(v.get("name"), v.findtext("material/script/name")) for v in have.links["a"].findall("visual")]
    assert found == [("a_visual", "A"), ("a_fixed_joint_lump__v_visual_1", "B"),
                     ("a_fixed_joint_lump__b_visual_2", "B")]
    poses = [[float(word) for word in v.findtext("pose").split()] for v in have.links["a"].findall("visual")]
    assert poses[0] == [0] * 6 and poses[2] == [0, 2, 0, 0, 0, 0.5]  # as written
    assert poses[1] == pytest.approx([0.8775825618903728, 2.479425538604203, 0, 0, 0, 0.75])  # cos 0.5, 2 + sin 0.5


KEEP = "give the link its real mass and inertia"


@pytest.mark.parametrize("inside, problem, moments, dropped", [
    ("", "has no mass", None, None), (inertial(0, moments=(0, 0, 0)), "has a mass of 0", None, None),
    (inertial(0, "0 0 1", moments=(2, 3, 4)), "has a mass of 0", (2, 3, 4), None),
    (inertial(0, "0 0 1", moments=(2, 3, 9)), "has a mass of 0", None, 3)])
def test_massless_links_that_are_kept(inside, problem, moments, dropped, convert):
    """No body has moments of 2, 3 and 9: a row says that they are not there."""
    text = "\n".join(['<robot name="r">', link("a", 1), f'<link name="b">{inside}</link>',
                      joint("j", "continuous", "a", "b"), "</robot>"])
    have, conversion, found = convert(text, massless="keep")
    mass, X, tensor = have.inertia("b")
    assert mass == 1e-6 and tensor.diagonal().tolist() == list(moments or [1e-9] * 3)
    assert X[:3, 3].tolist() == [0, 0, 1 if moments else 0]
    assert [(d.message, d.line, d.path, d.hint) for d in found] == [
        (f"link 'b' {problem}; it gets a mass of 1e-06 kg", 3, '/robot[@name="r"]/link[@name="b"]', KEEP)]
    assert [row for row in conversion.rows if row.element == "link"][1] == Row(
        "link", "b", "kept", None, 3, "massless; its mass is set to 1e-06 kg")
    assert [row[:5] for row in conversion.rows if row.element == "inertial"] == (
        [("inertial", "b", "dropped", None, dropped)] if dropped else [])
    assert line_of(conversion.inertials[1][1].element) == 3


def test_a_capsule_takes_a_newer_version(convert):
    capsule = '<collision><geometry><capsule radius="1" length="2"/></geometry></collision>'
    have, _, _ = convert(robot(link("l", 1, capsule)))
    shape = have.links["l"].find("collision/geometry/capsule")
    assert (have.version, shape.findtext("radius"), shape.findtext("length")) == ("1.8", "1", "2")


def test_shapes_with_a_delimiter_in_their_name(convert):
    text = "\n".join(['<robot name="r">', link("l", 1, f'\n<visual name="a::b">{BOX}</visual>'), "</robot>"])
    _, conversion, (finding,) = convert(text)
    assert (finding.message, finding.line, finding.path) == (
        "visual 'a::b' has a name that SDF does not allow; it is renamed to 'l_fixed_joint_lump__a__b_visual'", 3,
        '/robot[@name="r"]/link[@name="l"]/visual[@name="a::b"]')
    assert [row for row in conversion.rows if row.element == "visual"] == [
        Row("visual", "a::b", "renamed", "l_fixed_joint_lump__a__b_visual", 3)]


def test_a_setting_replaces_its_element_in_what_is_given_whole(make):
    """In a later block; everything else of the surface and of the material stays."""
    surface = "<surface><friction><ode><mu>1</mu><slip1>2</slip1></ode></friction></surface>"
    material = "<material><script><name>A</name></script><ambient>1 0 0 1</ambient></material>"
    after, _, _ = make(f"<collision>{surface}</collision><visual>{material}</visual>",
                       "<mu1>3</mu1><material>B</material>")
    assert after["collision"] == ("<surface><friction><ode><slip1>2</slip1><mu>3</mu></ode></friction></surface>")
    assert after["visual"] == f"<material><script><name>B</name>{SCRIPT}</script><ambient>1 0 0 1</ambient></material>"
