"""Impossible inertias replaced: which, by what, and that no other byte changes."""
import pytest
from lxml import etree
from urdf_text import inertial, joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.load import load_file, load_text
from sdf_frames.writers.repaired import repair_inertias
from sdf_frames.writers.written import render, rewrite

BOX = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
#: Nearest to (1, 1, 5) is (2, 2, 4); of the box with 12 kg, (4 + 9, 1 + 9, 1 + 4).
WRONG = link("wrong", None, inertial(12, "1 0 0", moments=(1, 1, 5)) + BOX)
NEAREST, OF_BOX = pytest.approx([2, 2, 4], rel=1e-5), pytest.approx([13, 10, 5])
FINE = link("fine", 1)


def repair(*parts, **choices):
    """The inertias by name, as (mass, moments), and the names of the findings."""
    text, found = render(repair_inertias(load_text(robot(*parts), "r.urdf"), **choices)[0])
    links = {e.get("name"): e.find("inertial") for e in etree.fromstring(text.encode()).iter("link")}
    return {name: (float(e.find("mass").get("value")), [float(e.find("inertia").get(k)) for k in ("ixx", "iyy", "izz")])
            for name, e in links.items() if e is not None}, [d.name for d in found]


@pytest.mark.parametrize("mass, choices, wanted", [
    (12, {}, (12, NEAREST)), (12, {"from_shapes": True}, (12, OF_BOX)),
    (12, {"from_shapes": True, "density": 4}, (24, pytest.approx([26, 20, 10]))),
    (-1, {"from_shapes": True, "density": 2}, (12, OF_BOX))])
def test_which_inertia_replaces_an_impossible_one(mass, choices, wanted):
    wrong = WRONG.replace('mass value="12"', f'mass value="{mass}"')
    assert repair(FINE, wrong, joint("j", "fixed", "fine", "wrong"), **choices) == (
        {"fine": (1, [1, 1, 1]), "wrong": wanted}, [])


@pytest.mark.parametrize("mass, moments, shapes, problem", [
    (-1, (1, 1, 1), {}, "its mass is -1 kg"), (0, (1, 1, 5), {}, "its mass is 0 kg"),
    (-1, (1, 1, 1), {"from_shapes": True}, "its mass is -1 kg"), (1, (-1, -1, -1), {}, "no possible tensor"),
    (1, (1e308, -1e308, 1.7e308), {}, "no possible tensor"), (1, (0, 0, 0), {}, "write its moments"),
    (1, (1, 1, 5), {"from_shapes": True}, "no inertia can be computed")])
def test_what_cannot_be_repaired_stays_and_is_told(mass, moments, shapes, problem):
    text = robot(link("a", 1), link("b", None, inertial(mass, moments=moments)), joint("j", "fixed", "a", "b"))
    made, repairs = repair_inertias(load_text(text, "r.urdf"), **shapes)
    told = [d for d in made.findings if d.name == "inertia-not-repaired"]
    assert render(made)[0] == text and repairs == []
    assert [d.path for d in told] == ['/robot[@name="r"]/link[@name="b"]/inertial'] and problem in told[0].message


@pytest.mark.parametrize("mass", [1, 0])
def test_shapes_are_proposed_only_to_a_link_that_has_some(mass):
    for shapes, proposed in (("", False), (BOX, True)):
        text = robot(link("b", None, inertial(mass, moments=(-1, -1, -1)) + shapes))
        (told,) = [d for d in repair_inertias(load_text(text))[0].findings if d.name == "inertia-not-repaired"]
        assert ("--from shapes" in told.message) == proposed


def test_an_error_that_stays_is_still_there_and_one_that_is_repaired_is_not():
    parts = WRONG, link("bad", None, inertial(-1)), joint("j", "continuous", "wrong", "bad")
    made, _ = repair_inertias(load_text(robot(*parts), "r.urdf"))
    assert [(d.name, d.path.count("bad")) for d in made.findings if "inertia" in d.name] == [
        ("inertia-invalid", 1), ("inertia-not-repaired", 1)]


def test_every_other_byte_stays():
    text = ('<?xml version="1.0"?>\r\n<robot name="r"><link name=\'ü\'><inertial>\n <origin xyz="0 0 1.0"/>'
            '<mass  value="1.0" />\n\t<!-- - --><inertia ixx = "{}" izz=\'{}\' ixy="0.0" ixz="0" iyy="{}" iyz="-0"/>'
            '</inertial></link></robot>')
    made, (repair,) = repair_inertias(load_text(text.format("1", "5.0", "1e0").encode(), "r.urdf"))
    ixx, iyy, izz = repair.new.inertia[:3]
    assert rewrite(made)[0].decode() == text.format(ixx, izz, iyy)


SDF = """<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>12.0</mass><inertia>
  <ixx>1</ixx> <izz>5</izz></inertia></inertial><collision name="c"><geometry><box><size>1 2 3</size></box></geometry>
  </collision></link></model></sdf>"""


def test_sdf():
    """A moment that is not written is 1."""
    made, (repaired,) = repair_inertias(load_text(SDF, "m.sdf"))
    text, _ = render(made)
    tensor = etree.fromstring(text.encode()).find(".//inertia")
    assert [float(tensor.findtext(k)) for k in ("ixx", "iyy", "izz")] == NEAREST
    assert "<mass>12.0</mass>" in text and repaired.old.inertia[:3] == (1, 1, 5)
    assert not [d for d in load_text(text).diagnostics if d.severity == "error"]
    shaped = sf.loads(SDF).repair_inertias("shapes").inertias()["l"]
    assert shaped.tensor.diagonal() == OF_BOX and shaped.mass == 12


def test_zero_moments_of_a_mass_are_repaired_too():
    """Only if they matter: a link without mass may be a frame, and a static one does not move."""
    frame = link("frame", None, inertial(0, moments=(0, 0, 0)))
    zero = WRONG.replace('ixx="1"', 'ixx="0"').replace('iyy="1"', 'iyy="0"').replace('izz="5"', 'izz="0"')
    made, told = repair(zero, frame, joint("j", "fixed", "wrong", "frame"), from_shapes=True)
    assert made == {"wrong": (12, OF_BOX), "frame": (0, [0, 0, 0])} and told == []
    flat = link("flat", None, inertial(1, moments=(0, 3, 3)))
    assert sf.loads(robot(flat)).repair_inertias().inertias()["flat"].physical
    for inside, number in (("", 1), ("<static>1</static>", 0)):
        text = SDF.replace("<ixx>1</ixx> <izz>5</izz>", "<ixx>0</ixx>").replace('"m">', f'"m">{inside}')
        assert len(repair_inertias(load_text(text))[1]) == number


def test_an_inertia_of_another_file_is_told(tmp_path):
    (tmp_path / "m.sdf").write_text(SDF)
    (tmp_path / "w.sdf").write_text(
        '<sdf version="1.9"><world name="w"><include><uri>m.sdf</uri></include></world></sdf>')
    made, repairs = repair_inertias(load_file(tmp_path / "w.sdf"))
    assert repairs == [] and made.edits == ()
    (told,) = [d for d in made.findings if d.name == "inertia-not-repaired"]
    assert "not written in this file" in told.message


@pytest.mark.parametrize("arguments, problem", [
    (["-o", "x.urdf"], "to write computed inertias into FILE, use --write"), (["--from", "shapes"], "is for --repair"),
    (["--repair", "--write", "-o", "x.urdf"], "no --write"), (["--repair", "--recompute"], "excludes --link"),
    (["--repair", "--write", "x.xacro"], "cannot change a xacro file"),
    *[(["--repair", *words], "are for --from shapes") for words in (
        ["--density", "5"], ["--method", "hull"], ["--voxel-size", "1"])]])
def test_wrong_usage(arguments, problem, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["inertia", "r.urdf", *arguments])
    assert problem in capsys.readouterr().err


def test_the_library():
    assert sf.loads(robot(WRONG)).repair_inertias().inertias()["wrong"].physical
    with pytest.raises(ValueError, match="source must be"):
        sf.loads(robot(WRONG)).repair_inertias("mesh")
