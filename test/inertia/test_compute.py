"""The inertia of several links together."""
import pytest
from urdf_text import joint, link, robot

from sdf_frames.inertia.compute import total_inertia
from sdf_frames.load import load_text

LINK = ('<link name="{}"><pose>{} 0 0 0 0 0</pose><inertial><mass>{}</mass><inertia><ixx>1</ixx><iyy>1</iyy>'
        '<izz>1</izz></inertia>'
        "</inertial></link>")


def test_no_links_have_no_mass():
    loaded = load_text(f'<sdf version="1.12"><model name="m">{LINK.format("a", 0, 1)}</model></sdf>')
    assert total_inertia(loaded.graphs, []) == (0.0, (0.0, 0.0, 0.0), (0.0,) * 6)


MODEL = '<sdf version="1.12"><model name="m">{}</model></sdf>'
BOX = '<collision name="c"><density>{}</density><geometry><box><size>1 2 3</size></box></geometry></collision>'


@pytest.mark.parametrize("options, name, message, hint", [
    ({"density": 0}, "inertia-option-not-positive", "the density must be a positive number, not 0", ""),
    ({"density": -1.5}, "inertia-option-not-positive", "the density must be a positive number, not -1.5", ""),
    ({"density": float("inf")}, "inertia-option-not-positive", "the density must be a positive number, not inf", ""),
    ({"density": float("nan")}, "inertia-option-not-positive", "the density must be a positive number, not nan", ""),
    ({"voxel_size": 0.0}, "inertia-option-not-positive", "the voxel size must be a positive number, not 0", ""),
    ({"voxel_size": -2}, "inertia-option-not-positive", "the voxel size must be a positive number, not -2", ""),
    ({"method": "guess"}, "inertia-unknown-method", "unknown method 'guess'",
     "use one of: auto, exact, voxel, hull, shell"),
    ({"calculator": "nobody"}, "inertia-unknown-calculator", "no calculator is registered as 'nobody'", None)])
def test_options_that_cannot_be_used(options, name, message, hint):
    result = load_text(MODEL.format(LINK.format("a", 0, 1))).inertias(**options)
    (found,) = result.diagnostics
    assert result.links == () and (found.name, found.message) == (name, message)
    assert hint is None or (found.hint or "") == hint


@pytest.mark.parametrize("names, wanted, hint", [
    (("left", "right", "base"), "lift", "left"), (("a", "b", "c", "d", "e", "f"), "zzzzzz", "a, b, c, d, e, …"),
    (("a", "b", "c", "d", "e"), "zzzzzz", "a, b, c, d, e"),
    ((), "l", "none")])
def test_a_link_that_is_not_there(names, wanted, hint):
    result = load_text(MODEL.format("".join(LINK.format(name, 0, 1) for name in names)), "m.sdf").inertias(
        links=[wanted])
    (found,) = result.diagnostics
    assert result.links == () and (found.name, found.file) == ("inertia-unknown-link", "m.sdf")
    assert found.message == f"there is no link {wanted!r}" and found.hint == f"use one of: {hint}"


@pytest.mark.parametrize("name, hint", [
    ("tip", "the frame 'tip' moves with the link 'base': use 'base'"),
    ("weld", "the frame 'weld' moves with the link 'base': use 'base'"),
    ("turn", "the joint 'turn' moves with the link 'arm': use 'arm'"),
    ("__model__", "the model '__model__' moves with the link 'base': use 'base'"),
    ("lost", "use one of: base, arm")])
def test_what_is_no_link_names_the_link_it_moves_with(name, hint):
    text = robot(link("base", 1), link("tip", 1), joint("weld", "fixed", "base", "tip"), link("arm", 1),
                 joint("turn", "continuous", "tip", "arm"), link("lost"), joint("free", "continuous", "arm", "lost"))
    (found,) = [d for d in load_text(text).inertias(links=[name]).diagnostics if d.code == "I008"]
    assert (found.message, found.hint) == (f"there is no link {name!r}", hint)


def test_links_that_are_wanted_in_the_order_of_the_document():
    inner = f'<model name="n">{LINK.format("a", 0, 3)}</model>'
    loaded = load_text(MODEL.format(LINK.format("b", 0, 1) + LINK.format("a", 0, 2) + inner))
    result = loaded.inertias(links=["n::a", "y", "b", "x"])
    assert [(link.name, link.mass) for link in result.links] == [("b", 1), ("n::a", 3)]
    assert [d.message for d in result.diagnostics] == ["there is no link 'x'", "there is no link 'y'"]
    assert [link.name for link in loaded.inertias().links] == ["b", "a", "n::a"]


def test_an_inertial_in_a_frame_of_its_own():
    """As until SDFormat 1.6: (1, 0, 0) in a link that stands at (0, 5, 0) and is turned a quarter."""
    text = ('<sdf version="1.6"><model name="m"><link name="a"/><link name="f">'
            '<pose>0 5 0 0 0 1.5707963267948966</pose></link><link name="b"><pose>0 0 1 0 0 0</pose><inertial>'
            '<pose frame="{}">1 0 0 0 0 0</pose><mass>2</mass></inertial></link></model></sdf>')
    pose = load_text(text.format("f")).inertias().links[2].pose
    assert pose == pytest.approx((0, 6, -1, 0.5 ** 0.5, 0, 0, 0.5 ** 0.5), abs=1e-15)
    assert load_text(text.format("")).inertias().links[2].pose == (1, 0, 0, 1, 0, 0, 0)


def test_a_collision_in_another_frame_and_with_a_quaternion_of_any_length():
    """Its own pose has a quaternion of length 2: a quarter turn about z."""
    start = '<collision name="c">'
    collision = BOX.format(1).replace(
        start, f'{start}<pose relative_to="f" rotation_format="quat_xyzw">1 0 0 0 0 2 2</pose>')
    frame = '<frame name="f"><pose>0 5 0 0 0 0</pose></frame>'
    loaded = load_text(MODEL.format(f'{frame}<link name="a"><pose>0 0 2 0 0 0</pose><inertial auto="true"/>{collision}'
                                    "</link>"))
    (link,) = loaded.inertias().links
    assert link.pose[:3] == pytest.approx((1, 5, -2)) and link.mass == 6
    assert link.inertia == pytest.approx((5, 6.5, 2.5, 0, 0, 0))


def test_the_total_is_taken_where_the_links_stand():
    """A link at (0, 0, 4), turned about z, whose 2 kg are 1 m along its x axis; one whose place is not known."""
    turned = ('<link name="a"><pose>0 0 4 0 0 1.5707963267948966</pose><inertial><pose>1 0 0 0 0 0</pose><mass>2</mass>'
              "<inertia><ixx>1</ixx><iyy>2</iyy><izz>3</izz></inertia></inertial></link>")
    lost = '<link name="b"><pose relative_to="nowhere"/><inertial><mass>9</mass></inertial></link>'
    loaded = load_text(MODEL.format(turned + lost))
    mass, centre, moments = total_inertia(loaded.graphs, loaded.inertias().links)
    assert mass == 2 and centre == pytest.approx((0, 1, 4)) and moments == pytest.approx((2, 1, 3, 0, 0, 0))
