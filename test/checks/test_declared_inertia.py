"""The inertials of all links are judged, whatever stands before them."""
import re

import pytest

from sdf_frames.load import load_text

BODY = "<inertial><mass>{}</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"


def judge(links, more=""):
    loaded = load_text(f'<sdf version="1.12">\n<model name="m">\n{links}\n{more}</model></sdf>')
    return [(d.name, d.severity, d.line) for d in loaded.diagnostics if d.severity == "error"]


def link(name, mass=None, inside=""):
    return f'<link name="{name}">{"" if mass is None else BODY.format(mass)}{inside}</link>\n'


def test_a_link_without_an_inertial_hides_none_that_follows():
    assert judge(link("a") + link("b", -1) + link("c") + link("d", -2)) == [
        ("inertia-invalid", "error", line) for line in (4, 6)]


def test_sound_inertials_are_passed_over():
    assert judge(link("a", 1) + link("b") + link("c", 2)) == []


def test_links_of_nested_models_are_judged_by_their_scoped_names():
    loaded = load_text(
        f'<sdf version="1.12"><model name="m">{link("a", 1)}<model name="n">{link("b", -1)}</model></model></sdf>')
    (found,) = [d for d in loaded.diagnostics if d.severity == "error"]
    assert found.name == "inertia-invalid" and "'n::b'" in found.message.replace("link n::b", "link 'n::b'")


def test_automatic_inertias_are_checked_without_reading_meshes():
    auto = '<inertial auto="true"/>'
    shape = '<collision name="c"><geometry><mesh><uri>none.stl</uri></mesh></geometry></collision>'
    empty = '<collision name="c"><geometry><empty/></geometry></collision>'
    assert [n for n, _, _ in judge(link("a", None, auto))] == ["auto-inertia-no-collision"]
    assert judge(link("a", None, auto + shape)) == []
    assert [line for _, _, line in judge(link("a", None, auto + empty) + link("b", -1))][-1] == 4


SOLID = '<collision name="c">{}<geometry><box><size>1 1 1</size></box></geometry></collision>'


@pytest.mark.parametrize("inside, name", [
    (BODY.format("nan"), "inertia-invalid"), (BODY.format(1).replace("<ixx>1", "<ixx>nan"), "inertia-invalid"),
    (BODY.format(1).replace("<inertia>", "<fluid_added_mass><xy>nan</xy></fluid_added_mass><inertia>"),
     "inertia-invalid"),
    ('<inertial auto="true"><density>nan</density></inertial>' + SOLID.format(""), "density-not-positive"),
    ('<inertial auto="true"/>' + SOLID.format("<density>nan</density>"), "density-not-positive"),
    ('<inertial auto="true"><mass>nan</mass></inertial>' + SOLID.format(""), "auto-inertia-mass-not-positive")])
def test_nan_in_an_inertia_is_one_finding_that_names_the_element(inside, name):
    loaded = load_text(f'<sdf version="1.12"><model name="m">{link("a", None, inside)}</model></sdf>')
    (found,) = loaded.diagnostics
    (tag,) = re.findall(r"<(\w+)>nan<", inside)
    assert found.name == name and tag in {path.rpartition("/")[2] for path in (
        found.path, *[other.path for other in found.related])}
    assert {d.name for d in loaded.inertias().diagnostics} <= {name}


@pytest.mark.parametrize("mass, severity", [(-1, "error"), ("nan", "error"), (1, None)])
def test_an_impossible_inertia_in_a_world_is_one_finding_for_drake(mass, severity):
    """Drake takes it outside of worlds, with a warning."""
    model = f'<model name="m">{link("a", mass)}</model>'
    for text, name in ((f'<world name="w">{model}</world>', "drake-size-refused"), (model, "inertia-invalid")):
        found = load_text(f'<sdf version="1.12">{text}</sdf>').judge(["drake"])
        assert [(d.name, d.severity) for d in found] == ([] if severity is None else [
            (name, severity if name.startswith("drake") else "warning")])
