"""The report is true: each value of a "kept" or "moved" row is in the SDF where the row says, and no other value is.

Every value below is a number that occurs once, so that its place in the SDF is plain. The paths are those of the
SDFormat specification.
"""
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from urdf_text import gazebo, joint, link, robot
from written_text import convert_text, render

from sdf_frames.convert.extensions import SETTINGS
from sdf_frames.load import load_text
from sdf_frames.writers.simplified import read_simplify_options, simplify

CONTACT, FRICTION = "collision/surface/contact/ode/", "collision/surface/friction/ode/"
PATHS = {
    "kp": f"{CONTACT}kp", "kd": f"{CONTACT}kd", "maxVel": f"{CONTACT}max_vel", "minDepth": f"{CONTACT}min_depth",
    "mu1": f"{FRICTION}mu", "mu2": f"{FRICTION}mu2", "fdir1": f"{FRICTION}fdir1", "laserRetro": "collision/laser_retro",
    "maxContacts": "collision/max_contacts", "material": "visual/material/script/name",
    "dampingFactor": "velocity_decay/linear", "springReference": "axis/dynamics/spring_reference",
    "springStiffness": "axis/dynamics/spring_stiffness", "fudgeFactor": "physics/ode/fudge_factor",
    "stopCfm": "physics/ode/limit/cfm", "stopErp": "physics/ode/limit/erp"}
#: Settings that are true or false: test_decide_links.py and test_extensions.py say where each stands.
SWITCHES = {"turnGravityOff", "selfCollide", "static", "provideFeedback", "implicitSpringDamper", "cfmDamping"}
BOX = '<geometry><box size="1 1 1"/></geometry>'
SHAPES = [f"<collision>{BOX}</collision>" * 2, f"<visual>{BOX}</visual>",
          f'<visual>{BOX}<material name="m"><color rgba="0.1 0.2 0.3 1"/></material></visual>']
LIMIT = '<limit effort="1" velocity="1"/>'
VALUES = {"100 100 100", *map(str, range(100, 200))}
WHOLE = [
    "<collision><surface><friction><ode><mu>{}</mu><mu2>{}</mu2></ode></friction></surface></collision>",
    "<collision><surface><contact><ode><kp>{}</kp></ode></contact></surface><max_contacts>{}</max_contacts></collision>",
    "<visual><material><diffuse>{}</diffuse></material><transparency>{}</transparency></visual>",
    "<material><ambient>{}</ambient></material>", "<velocity_decay><linear>{}</linear></velocity_decay>",
    "<physics><ode><fudge_factor>{}</fudge_factor></ode></physics>"]


def check_rows(text):
    """Hold each row of ``<gazebo>`` against the SDF; return the values that the rows keep."""
    sdf, conversion, _ = convert_text(text)
    model = etree.fromstring(sdf.encode()).find("model")
    places = {e.get("name"): e for e in model.iterchildren("link", "joint")}
    dropped = {row.element for row in conversion.entries if row.action == "dropped"}
    kept: set[str] = set()
    for row in conversion.entries:
        if row.action not in ("kept", "moved") or row.kind in ("link", "joint", "visual", "collision"):
            continue
        if row.kind in PATHS and not len(row.element):
            assert row.element.text in {e.text for e in places[row.into].iterfind(PATHS[row.kind])}, (row, text)
            kept.add(row.element.text)
        else:
            for leaf in row.element.iter():
                if len(leaf) == 0 and dropped.isdisjoint([leaf, *leaf.iterancestors()]):
                    assert leaf.text in {e.text for e in places[row.into].iter(leaf.tag)}, (row, text)
                    kept.add(leaf.text)
    written = {e.text for e in model.iter() if e.text in VALUES}
    assert written == kept, text
    return kept


@st.composite
def robots(draw):
    numbers = map(str, count(100))
    blocks = []
    for _ in range(draw(st.integers(1, 4))):
        parts = draw(st.lists(st.sampled_from([*PATHS, *WHOLE]).filter(lambda part: part != "fdir1"), max_size=4))
        content = "".join([part.format(*[next(numbers) for _ in range(part.count("{}"))]) if "<" in part else
                           f"<{part}>{next(numbers)}</{part}>" for part in parts])
        blocks.append(gazebo(draw(st.sampled_from(["base", "tip", "arm", "turn"])), content))
    shapes = [draw(st.lists(st.sampled_from(SHAPES), max_size=2, unique=True)) for _ in range(3)]
    return robot(*[link(name, 1, "".join(some)) for name, some in zip(("base", "tip", "arm"), shapes)],
                 joint("hold", "fixed", "base", "tip"), joint("turn", "continuous", "base", "arm", LIMIT), *blocks)


@given(robots())
def test_what_the_rows_keep_is_in_the_sdf_and_nothing_else(text):
    check_rows(text)


@given(robots(), st.sampled_from(["all", "none"]))
def test_what_simplify_does_not_write_has_a_row(text, frames):
    loaded = load_text(text)
    made = simplify(loaded, read_simplify_options([], frames, "keep"))
    written = {e.text for e in etree.fromstring(render(made)[0].encode()).iter()}
    dropped = {row.element for row in made.entries if row.action == "dropped"}
    for leaf in [e for block in loaded.robot.element.iter("gazebo") for e in block.iter()]:
        if leaf.text in VALUES and dropped.isdisjoint([leaf, *leaf.iterancestors()]):
            assert leaf.text in written, (leaf.tag, leaf.text)


@pytest.mark.parametrize("tag", PATHS)
@pytest.mark.parametrize("shapes", ["", "".join(SHAPES)])
def test_a_setting_is_kept_only_where_it_has_a_place(tag, shapes):
    content = "100 100 100" if tag == "fdir1" else "100"
    of_joint, of_shapes = SETTINGS[tag].about == "joint", PATHS[tag].startswith(("collision", "visual"))
    text = robot(link("base", 1), link("arm", 1, shapes), joint("turn", "continuous", "base", "arm", LIMIT),
                 gazebo("turn" if of_joint else "arm", f"<{tag}>{content}</{tag}>"))
    has_place = bool(shapes) or not of_shapes
    assert check_rows(text) == ({content} if has_place else set())
    assert [d.name for d in convert_text(text)[2]] == ([] if has_place else ["extension-without-shape"])


def test_every_setting_is_tried():
    idle = {tag for tag, kind in SETTINGS.items() if kind.about in ("nothing", "lumping")}
    assert {*PATHS, *SWITCHES} == set(SETTINGS) - idle


COLOURED = robot(link("l", 1, f"""<visual name="v">{BOX}<material name="m"><color rgba="0.1 0.2 0.3 1"/>
<texture filename="t.png"/></material></visual>"""), gazebo("l", "<visual><material>{}</material></visual>"))


@pytest.mark.parametrize("content, lost, colour, texture", [
    ("<specular>1 1 1 1</specular>", None, "0.125 0.25 0.375 1", "t.png"),
    ("<ambient>1 0 0 1</ambient>", "material", None, None),
    ("<pbr><metal><albedo_map>other.png</albedo_map></metal></pbr>", "texture", "0.125 0.25 0.375 1", "other.png")])
def test_a_colour_or_texture_that_gazebo_replaces_has_a_row(content, lost, colour, texture):
    sdf, conversion, _ = convert_text(COLOURED.format(content))
    material = etree.fromstring(sdf.encode()).find(".//visual/material")
    assert (material.findtext("diffuse"), material.findtext("pbr/metal/albedo_map")) == (colour, texture)
    assert [(r.kind, r.name, r.reason) for r in conversion.entries if r.action == "dropped"] == (
        [(lost, "v", "the <material> of <gazebo> is used")] if lost else [])
