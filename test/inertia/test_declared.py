"""Declared inertias: defaults, validity with its amount, and values hard to believe."""
import pytest
from inertia_snippets import codes
from real_files import read_records, resource_paths

from sdf_frames.checks.inertia import check_inertials
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.load import load_file


def inertial(mass=1, ixx=1, iyy=1, izz=1, ixy=0, ixz=0, iyz=0, pose=None):
    where = f"<pose>{pose}</pose>" if pose else ""
    return (f"<inertial>{where}<mass>{mass}</mass><inertia><ixx>{ixx}</ixx><iyy>{iyy}</iyy><izz>{izz}</izz>"
            f"<ixy>{ixy}</ixy><ixz>{ixz}</ixz><iyz>{iyz}</iyz></inertia></inertial>")


def box(size="1 1 1"):
    return f'<collision name="c"><geometry><box><size>{size}</size></box></geometry></collision>'


@pytest.mark.parametrize("text, mass, moments, method", [
    ("", 1, (1, 1, 1, 0, 0, 0), "default"), ("<inertial/>", 1, (1, 1, 1, 0, 0, 0), "declared"),
    ("<inertial><mass>2</mass></inertial>", 2, (1, 1, 1, 0, 0, 0), "declared"),
    ("<inertial><inertia><ixx>.5</ixx><iyz>.1</iyz></inertia></inertial>", 1, (.5, 1, 1, 0, 0, .1), "declared"),
    # Of several, the first counts; other elements are none.
    ("<inertial><mass>2</mass></inertial><inertial><mass>3</mass></inertial>", 2, (1, 1, 1, 0, 0, 0), "declared"),
    ("<gravity>1</gravity><x:inertial xmlns:x='u'/>", 1, (1, 1, 1, 0, 0, 0), "default")])
def test_missing_values_take_defaults(load, text, mass, moments, method):
    (link,) = load(text).inertias().links
    assert (link.mass, link.inertia, link.method, link.auto) == (mass, moments, method, False)


def test_pose_is_the_inertial_frame_in_the_link(load):
    (link,) = load(inertial(2, pose="1 2 3 0 0 3.141592653589793")).inertias().links
    assert link.pose == pytest.approx((1, 2, 3, 0, 0, 0, 1), abs=1e-15)


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


@pytest.mark.parametrize("text", [inertial(0, 0, 0, 0), inertial(0), inertial(1, 0, 0, 0), inertial(izz=2)])
def test_inertias_that_the_reference_accepts_are_valid(load, text):
    """A mass of zero is a warning."""
    assert {d.name for d in check_inertials(load(text).root)} <= {"inertia-not-physical"}


def test_every_level_is_checked(load):
    bad = f'<link name="bad">{inertial(-1)}</link>'
    loaded = load(f'{bad}<model name="inner">{bad}<model name="deep">{bad}</model></model>')
    assert [d.message for d in check_inertials(loaded.root)] == [
        f"link {name!r}: the inertia is physically impossible: the mass is -1 kg"
        for name in ("bad", "inner::bad", "inner::deep::bad")]


@pytest.mark.parametrize("text, code", [
    (inertial(1), "I010"), (inertial(0), "I011"), (inertial(2, 0, 0, 0), "I011"),
    (inertial(2, 1000, 1000, 1000) + box(), "I013"), (inertial(2, .1, .1, .1, pose="30 0 0 0 0 0") + box(), "I014"),
    (inertial(30000, 10, 10, 10) + box(), "I015")])
def test_values_hard_to_believe_are_pointed_out(load, text, code):
    loaded = load(text)
    found = check_plausibility(loaded.root, loaded.inertias(), loaded.resolver)
    assert [d.code for d in found] == [code] and found[0].severity in ("warning", "info")
    assert loaded.valid


def test_a_link_of_its_own_geometry_is_believed(load):
    loaded = load(inertial(1000, 1000 / 6, 1000 / 6, 1000 / 6) + box())
    assert check_plausibility(loaded.root, loaded.inertias(), loaded.resolver) == ()


def test_equal_inertias_of_different_shapes_are_reported(load):
    def links(sizes):
        return "".join(f'<link name="l{i}">{inertial(2, .3, .3, .3)}{box(s)}</link>' for i, s in enumerate(sizes))
    alike, different = load(links(["1 1 1", "1 1 1"])), load(links(["1 1 1", "1 1 2"]))
    assert check_plausibility(alike.root, alike.inertias(), alike.resolver) == ()
    (found,) = check_plausibility(different.root, different.inertias(), different.resolver)
    assert found.code == "I012" and "'l0', 'l1'" in found.message
    assert [(r.message, r.path)
            for r in found.related] == [("link 'l1'", '/sdf/model[@name="m"]/link[@name="l1"]/inertial')]


def test_default_inertias_are_one_finding_for_each_model(load):
    links = "".join(f'<link name="l{i}">{inertial(1)}</link>\n' for i in range(8))
    loaded = load(
        f"{links}<model name='n'><link name='k'>{inertial(1)}</link><link name='own'>{inertial(2)}</link></model>")
    outer, inner = check_plausibility(loaded.root, loaded.inertias(), loaded.resolver)
    assert outer.code == inner.code == "I010"
    assert "links 'l0', 'l1', 'l2', 'l3', 'l4', 'l5' and 2 more:" in outer.message
    assert outer.path.endswith('link[@name="l0"]/inertial')
    assert [r.message for r in outer.related] == [f"link 'l{i}'" for i in range(1, 8)]
    assert [r.line for r in outer.related] == [outer.line + i for i in range(1, 8)]
    assert inner.message.startswith("link 'n::k':") and inner.related == ()


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


def test_codes_are_those_of_the_result(load):
    assert codes(load(inertial(-1)).inertias()) == ["I001"]


CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "v 90 90 90\n" + "".join(
    f"f {f}\n" for f in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))


# A cube of 0.1 m beside the origin: its centre at 0.05 is 0.087 from its corners.
@pytest.mark.parametrize("mass, centre, moment, mesh, code", [
    (1.0, "0.05 0.05 0.05", 0.0016667, "", None),
    (1.0, "0 0 0", 0.0016667, "<scale>0.001 0.001 0.001</scale>", "I013"),
    (1.0, "0.05 0.05 0.05", 1.5, "", "I013"),
    (1.0, "1 0 0", 0.0016667, "", "I014"),
    (50.0, "0.05 0.05 0.05", 0.08, "", "I015"),
    (1.0, "0.05 0.05 0.05", 1.5, "<submesh><name>none</name></submesh>", None)])
def test_meshes_judge_as_shapes_do(tmp_path, mass, centre, moment, mesh, code):
    # A vertex that no face uses is no part of the mesh.
    (tmp_path / "cube.obj").write_text(CUBE)
    path = tmp_path / "m.sdf"
    scale = "" if "scale" in mesh else "<scale>0.1 0.1 0.1</scale>"
    path.write_text(
        f'''<sdf version="1.12"><model name="m"><link name="l"><inertial><pose>{centre} 0 0 0</pose><mass>{mass}</mass>
      <inertia><ixx>{moment}</ixx><iyy>{moment}</iyy><izz>{moment}</izz></inertia></inertial>
      <collision name="c"><geometry><mesh><uri>cube.obj</uri>{scale}{mesh}</mesh></geometry></collision></link></model></sdf>''')  # noqa: E501
    loaded = load_file(path)
    assert [d.code for d in check_plausibility(loaded.root, loaded.inertias(), loaded.resolver)
            if d.code in ("I013", "I014", "I015")][:1] == ([code] if code else [])


def test_unknown_elements_do_not_change_the_inertia(load):
    found = check_inertials(load("<inertial><inertia><foo>abc</foo><ixx>9</ixx></inertia></inertial>").root)
    assert [d.name for d in found] == ["inertia-invalid"]
