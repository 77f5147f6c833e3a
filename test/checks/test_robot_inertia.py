"""Inertias of a URDF are judged as written, each at its own line; what lumping makes of them decides the severity.

Every expected verdict is the rule itself: a mass is not negative, two moments together are not less than the third.
"""
import pytest
import urdf_text
from urdf_text import inertial, joint
from written_text import sdf_text_of

from sdf_frames.load import LoadOptions, load_file, load_text

FLAT = (0.9, 0.1, 0.1)


def link(name, mass=1, moments=(1, 1, 1)):
    return urdf_text.link(name, None, "\n" + inertial(mass, moments=moments)) + "\n"


def fixed(parent, child, kind="fixed"):
    return joint(f"{parent}_{child}", kind, parent, child, xyz="0 0 1") + "\n"


def robot(*parts):
    return urdf_text.robot("\n", *parts)


def find_bad(loaded):
    return [d for d in loaded.diagnostics if d.name in ("inertia-invalid", "inertia-invalid-as-written")]


def read_errors(loaded):
    return [(d.name, d.line, d.path) for d in loaded.diagnostics if d.severity == "error"]


@pytest.mark.parametrize("options",
                         [LoadOptions(), LoadOptions(preserve_fixed_joints=True), LoadOptions(massless="keep")])
@pytest.mark.parametrize("bad, words", [({"mass": -1}, "the mass is -1 kg"), ({"moments": FLAT}, "by 0.7 kg·m²")])
def test_an_impossible_inertia_behind_a_fixed_joint_is_one_finding_at_its_line(bad, words, options):
    """A link that stays in the SDF, or has a negative mass, is an error; the others are lumped into 5 kg."""
    loaded = load_text(robot(link("base", 5, (9, 9, 9)), link("arm", **bad), fixed("base", "arm")), "r.urdf", options)
    (finding,) = find_bad(loaded)
    assert (finding.severity == "error") == (options.preserve_fixed_joints or "mass" in bad) != loaded.valid
    assert (finding.file, finding.line, finding.path) == ("r.urdf", 5, '/robot[@name="r"]/link[@name="arm"]/inertial')
    assert finding.message.startswith("link 'arm': ") and words in finding.message


def test_the_link_with_the_negative_mass_is_named():
    loaded = load_text(robot(link("base", 1), link("arm", -1), fixed("base", "arm")))
    (finding,) = find_bad(loaded)
    assert (finding.line, finding.message) == (
        5, "link 'arm': the inertia is physically impossible: the mass is -1 kg; the link is treated as massless")


@pytest.mark.parametrize("own, below", [(FLAT, (1e-9, 1e-9, 1e-9)), ((1e-9, 1e-9, 1e-9), FLAT)])
def test_an_impossible_lumped_inertia_is_not_reported_again(own, below):
    # 0.9 > 0.1 + 0.1 whatever next to nothing is added: the lumped inertia is impossible, too.
    loaded = load_text(robot(link("base", 1, own), link("arm", 1e-9, below), fixed("base", "arm")))
    assert [name for name, *_ in read_errors(loaded)] == ["inertia-invalid"]
    assert loaded.inertias().diagnostics == () and not loaded.inertias().links[0].physical
    assert not loaded.convertible


@pytest.mark.parametrize("base, arm", [((9, 9, 9), FLAT), (FLAT, (9, 9, 9))])
def test_a_lumped_inertia_that_is_possible_is_loaded_by_gazebo(base, arm):
    # 0.7 kg·m² too little about an axis is less than what 9 + 9 - 9 leaves, whichever of the links has them.
    loaded = load_text(robot(link("base", 5, base), link("arm", 1, arm), fixed("base", "arm")))
    assert loaded.valid and loaded.convertible and loaded.resolved and loaded.inertias().links[0].physical
    (finding,) = find_bad(loaded)
    assert (finding.severity, finding.name, finding.sdformat) == ("warning", "inertia-invalid-as-written", None)
    assert finding.message.endswith("; the lumped inertia of 'base' is possible, so Gazebo loads it")


def test_a_link_that_is_left_out_is_judged_too():
    loaded = load_text(robot(link("base"), '<link name="gap"/>', link("far", 1, FLAT),
                             fixed("base", "gap", "continuous"),
                             fixed("gap", "far", "continuous")))
    (finding,) = find_bad(loaded)
    assert (finding.name, finding.line) == ("inertia-invalid-as-written", 5)
    assert finding.message.endswith("; the link is not in the SDF") and loaded.valid and loaded.convertible


def test_an_overflow_by_lumping_is_an_error_at_the_remaining_link():
    # 1e308 + 1e308 kg is not a number.
    loaded = load_text(robot(link("base", 1e308), link("arm", 1e308), fixed("base", "arm")))
    assert [name for name, *_ in read_errors(loaded)] == ["number-overflow"]
    assert loaded.resolved and not loaded.convertible
    assert loaded.inertias().diagnostics == (), "it is known"
    apart = load_text(robot(link("base", 1e308), link("arm", 1e308), fixed("base", "arm", "continuous")))
    assert [d.name for d in (*apart.diagnostics, *apart.inertias().diagnostics)] == ["number-overflow"]


def test_a_mass_that_cannot_be_read_hides_no_other():
    loaded = load_text(robot(link("base", "1,5"), link("arm", 1, FLAT), fixed("base", "arm")))
    assert [name for name, *_ in read_errors(loaded)] == ["mass-unknown", "inertia-invalid"]


def test_a_robot_that_is_included_is_judged_as_written(tmp_path):
    (tmp_path / "arm.urdf").write_text(robot(link("base", 1, (1e-9,) * 3), link("arm", 1, FLAT), fixed("base", "arm")))
    world = tmp_path / "w.sdf"
    world.write_text('<sdf version="1.9"><world name="w">'
                     + "".join(f"<include><name>{n}</name><uri>arm.urdf</uri></include>" for n in "ab")
                     + "</world></sdf>")
    loaded = load_file(str(world), LoadOptions((str(tmp_path),)))
    assert read_errors(loaded) == [("inertia-invalid", 5, '/robot[@name="r"]/link[@name="arm"]/inertial')]
    assert loaded.inertias().diagnostics == ()


@pytest.mark.parametrize("name", ["arm", "a::b", "x"])
def test_an_impossible_inertia_of_a_link_that_gets_another_name_is_one_error(name):
    """SDF does not allow :: in a name; the model is called x as well."""
    loaded = load_text(robot(link("base"), link(name, 1, FLAT), fixed("base", name, "continuous")).replace(
        'robot name="r"', 'robot name="x"'))
    assert read_errors(loaded) == [("inertia-invalid", 5, f'/robot[@name="x"]/link[@name="{name}"]/inertial')]


@pytest.mark.parametrize("moments, count", [((0.3333333, 0.6666666, 1), 0), ((0.33333, 0.66666, 1), 1)])
def test_what_rounding_explains_is_not_reported_as_written(moments, count):
    """A flat body written with seven digits, and with five that were cut off."""
    loaded = load_text(robot(link("base", 5, (9, 9, 9)), link("arm", moments=moments), fixed("base", "arm")))
    assert len(find_bad(loaded)) == count


def test_what_rounding_explains_is_an_error_where_libsdformat_refuses_the_sdf():
    """A flat square plate written with twelve digits, as Robotis' OP2 has it; what the hint says makes it valid."""
    loaded = load_text(robot(link("base", 0.01, (8.53333333333e-07, 1.70666666667e-06, 8.53333333333e-07))))
    assert [name for name, *_ in read_errors(loaded)] == ["inertia-invalid"]
    said = loaded.diagnostics[0]
    assert said.message.endswith("; the cause may be rounded digits, but libsdformat refuses it")
    assert said.hint == "make the largest moment slightly smaller"
    assert [d.hint for d in load_text(sdf_text_of(loaded)).diagnostics] == [said.hint]
    assert not read_errors(load_text(robot(link("base", 0.01, (8.53333333333e-07, 1.7066666e-06, 8.53333333333e-07)))))
    coarse = load_text(robot(link("base", 5, (0.33333, 0.66666, 1))))
    assert coarse.diagnostics[0].message.endswith("< 1.0)")
