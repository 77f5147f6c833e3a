"""The inertials of all links are judged, whatever stands before them."""

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
