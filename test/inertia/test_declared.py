"""Declared inertias: defaults, validity with its amount, and values hard to believe."""
import pytest
from real_files import read_records, resource_paths

from sdf_frames.checks.inertia import check_inertials
from sdf_frames.load import load_file


def inertial(mass=1, ixx=1, iyy=1, izz=1, ixy=0, ixz=0, iyz=0, pose=None):
    where = f"<pose>{pose}</pose>" if pose else ""
    return (f"<inertial>{where}<mass>{mass}</mass><inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz>"
            f"<ixy>{ixy}</ixy><ixz>{ixz}</ixz><iyz>{iyz}</iyz></inertia></inertial>")


def box(size="1 1 1"):
    return f'<collision name="c"><geometry><box><size>{size}</size></box></geometry></collision>'


@pytest.mark.parametrize("auto", ["", ' auto="true"'])
@pytest.mark.parametrize("values, sound",
    [("<xx>1</xx><qr>2</qr>", True), ("<xx>nan</xx>", False), ("<yq>inf</yq>", False), ("<qy>nan</qy>", True),
     ("<rr>1</rr><rr>nan</rr>", False)])
def test_added_mass_is_finite(load, auto, values, sound):  # as libsdformat 17 has it, automatic or not
    found = check_inertials(
        load(box() + f"<inertial{auto}><fluid_added_mass>{values}</fluid_added_mass></inertial>").root)
    assert [d.name for d in found if d.severity == "error"] == ([] if sound else ["inertia-invalid"])


@pytest.mark.parametrize("text", [inertial("heavy", izz=3), inertial(izz=3, ixy="none")])
def test_an_inertia_with_a_number_that_cannot_be_read_has_no_second_error(load, text):
    assert [d.name for d in load(text).diagnostics] == ["value-invalid"]


@pytest.mark.parametrize("text, words", [
    (inertial(-1), "the mass is -1 kg"), (inertial(izz=3), "by 1 kg·m²"),
    (inertial(ixx=-1), "smallest principal moment is -1"),
    (inertial(iyy=2, izz=3, ixy=.1, ixz=.2, iyz=.3), "by 0.212 kg·m²")])
def test_impossible_inertia_is_one_error_with_its_amount(load, text, words):
    loaded = load(text)
    (found,) = check_inertials(loaded.root)
    assert (found.name, found.severity, found.sdformat) == ("inertia-invalid", "error", "LINK_INERTIA_INVALID")
    assert words in found.message and found.path.endswith('link[@name="l"]/inertial')
    assert found in loaded.diagnostics and not loaded.valid
    assert loaded.inertias().diagnostics == (found,)
    assert not loaded.inertias().links[0].physical


def test_every_level_is_checked(load):
    bad = f'<link name="bad">{inertial(-1)}</link>'
    loaded = load(f'{bad}<model name="inner">{bad}<model name="deep">{bad}</model></model>')
    assert [d.message for d in check_inertials(loaded.root)] == [
        f"link {name!r}: the inertia is physically impossible: the mass is -1 kg"
        for name in ("bad", "inner::bad", "inner::deep::bad")]


def test_declared_validity_agrees_with_the_reference_on_the_corpus(corpus):
    from sdf_frames.load import LoadOptions
    checked = 0
    for record in read_records():
        if record["file"].endswith(".urdf") or not record["check"]:
            continue
        loaded = load_file(corpus / record["file"], LoadOptions(resource_paths=resource_paths(record["file"])))
        ours = any(d.sdformat == "LINK_INERTIA_INVALID" and d.severity == "error" for d in loaded.diagnostics)
        assert ours == ("LINK_INERTIA_INVALID" in record["check"]["codes"]), record["file"]
        checked += 1
    assert checked > 500


# A cube of 0.1 m beside the origin: its centre at 0.05 is 0.087 from its corners.
def test_unknown_elements_do_not_change_the_inertia(load):
    found = check_inertials(load("<inertial><inertia><foo>abc</foo><ixx>9</ixx></inertia></inertial>").root)
    assert [d.name for d in found] == ["inertia-invalid"]
