"""What every writer keeps: a file is parsed once, and no number that is not finite is written."""
import json
import re
from math import isfinite, pi

import pytest
from urdf_text import joint, link, robot

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.document import xml_in

MESH = '<visual><geometry><mesh filename="part.stl"/></geometry></visual>'
URDF = robot(link("a", 1, MESH), link("b", 1), joint("j", "fixed", "a", "b"))
BOX = '<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>'
MODEL = (f'<sdf version="1.6"><model name="m"><link name="a"><inertial auto="true"/>{BOX}</link><link name="a_2"/>'
         '<joint name="a" type="fixed"><parent>a</parent><child>a_2</child></joint></model></sdf>')
WORLD = '<sdf version="1.9"><world name="w"><include><uri>m.sdf</uri></include></world></sdf>'
WRITING = [
    ("r.urdf", "check --assets --for all"), ("r.urdf", "convert -o out/r.sdf --check"),
    ("r.urdf", "convert --bundle b"), ("r.urdf", "simplify -o out/s.urdf"),
    ("r.urdf", "upgrade --to 1.2 -o out/u.urdf"),
    ("r.urdf", "upgrade --to 1.2 --bundle b"), ("r.urdf", "inertia --write --recompute"),
    ("r.urdf", "print -o p.sdf"),
    ("m.sdf", "check --json"), ("m.sdf", "upgrade -o out/m.sdf"), ("m.sdf", "upgrade --bundle b"),
    ("m.sdf", "print --expand-auto-inertials"), ("m.sdf", "to-urdf -o out/m.urdf"), ("m.sdf", "to-urdf --bundle b"),
    ("m.sdf", "inertia --write"), ("w.sdf", "print -o out/w.sdf"), ("w.sdf", "to-urdf")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    for name, text in (("r.urdf", URDF), ("m.sdf", MODEL), ("w.sdf", WORLD), ("part.stl", "solid\nendsolid\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(("name", "words"), WRITING)
def test_each_file_is_read_once(name, words, folder, monkeypatch, capsys):
    read, real = [], xml_in._read

    def note(source, *rest):
        read.append(source.file)
        return real(source, *rest)
    monkeypatch.setattr(xml_in, "_read", note)
    main([*words.split(), "--no-config", name])
    wanted = ["m.sdf", "w.sdf"] if name == "w.sdf" else [name]
    assert sorted(file.rpartition("/")[2] for file in read) == wanted


def numbers(text):
    """The words of a text that are numbers for Python."""
    for word in text.replace('"', " ").replace("<", " ").replace(">", " ").split():
        try:
            yield float(word)
        except ValueError:
            continue


SOLID = '<collision><geometry><box size="1e3 1e3 1e3"/></geometry></collision>'
FAR = robot(link("a", 1), link("b", 1), joint("j", "fixed", "a", "b", xyz="1e200 0 0"))
TURNED = ('<robot name="r" version="1.1"><link name="a"><visual><origin quat_xyzw="1e308 1e308 1e308 1e308"/><geometry>'
          '<sphere radius="1"/></geometry></visual></link></robot>')


@pytest.mark.parametrize(("text", "words"), [
    (FAR, "convert"), (FAR, "convert --bundle b"), (FAR, "simplify"), (FAR, "simplify -o out/s.urdf"),
    (robot(link("a", 1, SOLID)), "inertia --density 1e300 --recompute"),
    (robot(link("a", 1, SOLID)), "inertia --density 1e300 --recompute --write")])
def test_what_overflows_is_an_error_and_nothing_is_written(text, words, folder, capsys):
    (folder / "r.urdf").write_text(text)
    before = {path for path in folder.rglob("*") if path.is_file()}
    assert main([*words.split(), "--no-config", "--json", "r.urdf"]) == 1
    out = capsys.readouterr().out
    row = json.loads(out)
    assert [(d["code"], d["file"]) for d in row["diagnostics"] if d["severity"] == "error"] == [("C043", "r.urdf")]
    assert row.get("sdf") is None and row.get("urdf") is None
    assert all(map(isfinite, numbers(out))) and "Infinity" not in out and "NaN" not in out
    assert {path for path in folder.rglob("*") if path.is_file()} == before and (folder / "r.urdf").read_text() == text


def test_a_quaternion_of_which_the_squares_overflow_is_written_as_its_angles(folder, capsys):
    """A third of a turn about (1, 1, 1) takes x to y, y to z and z to x."""
    (folder / "r.urdf").write_text(TURNED)
    assert main(["upgrade", "--to", "1.0", "--no-config", "r.urdf"]) == 0
    (angles,) = re.findall('rpy="(.*?)"', capsys.readouterr().out)
    assert [float(angle) for angle in angles.split()] == pytest.approx([pi / 2, 0, pi / 2], abs=1e-15)


def test_what_a_file_says_of_itself_may_be_infinite(folder, capsys):
    """SDFormat allows it for limits."""
    text = (folder / "m.sdf").read_text().replace("</child>", "</child><axis><xyz>0 0 1</xyz><limit><upper>inf</upper>"
                                                  "</limit></axis>").replace('"fixed"', '"revolute"')
    (folder / "m.sdf").write_text(text)
    for command in ("upgrade", "print"):
        assert main([command, "--no-config", "m.sdf"]) == 0 and "<upper>inf</upper>" in capsys.readouterr().out


MASS = "<inertial><mass>1</mass></inertial>"
RATED = (f'<sdf version="1.9"><model name="m"><link name="nan">{MASS}</link><link name="b"><pose relative_to="nan"/>'
         f'{MASS}<sensor name="nan" type="imu"><topic>nan</topic><update_rate>5</update_rate></sensor></link>'
         '<frame name="f"/><joint name="j" type="revolute"><parent>nan</parent><child>b</child><axis><xyz>0 0 1</xyz>'
         '<limit><lower>-1</lower><upper>1</upper></limit></axis></joint><plugin name="nan" filename="p"><x>nan</x>'
         '</plugin></model></sdf>')


@pytest.mark.parametrize("words", [
    "print r.sdf", "print -o out/p.sdf w.sdf", "upgrade r.sdf", "upgrade -o out/u.sdf r.sdf",
    "upgrade --bundle b r.sdf", "to-urdf r.sdf", "place r.sdf f --in nan --xyz 0 0 1 --in-place",
    "inertia --recompute --density 1 --write r.sdf",
    "attach r.sdf part.sdf --at nan --in-place", "attach part.sdf r.sdf --at p -o out/a.sdf"])
@pytest.mark.parametrize(("old", "new"), [(">5<", ">nan<"), (">-1<", "> -NaN <")])
def test_nan_is_an_error_and_not_written(old, new, words, folder, capsys):
    """libsdformat accepts nan as a rate or limit. Names and the content of plugins may be nan."""
    (folder / "part.sdf").write_text('<sdf version="1.9"><model name="part"><link name="p"/></model></sdf>')
    (folder / "w.sdf").write_text(WORLD.replace("m.sdf", "r.sdf"))
    for text, status in ((RATED.replace(old, new), 1), (RATED, 0)):
        (folder / "r.sdf").write_text(text)
        before = {path: path.read_text() for path in folder.rglob("*") if path.is_file()}
        assert main([*words.split(), "--no-config", "--json"]) == status
        found = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["severity"] != "info"]
        assert [(d["code"], d["line"]) for d in found if d["code"] != "S031"] == [("C043", 1)] * status
        assert status == 0 or {path: path.read_text() for path in folder.rglob("*") if path.is_file()} == before


def test_check_fix_says_that_it_writes_no_nan(folder, capsys):
    text = MODEL.replace('<link name="a_2"/>', '<link name="a_2"><velocity_decay><linear>nan</linear></velocity_decay>'
                         "</link>")
    (folder / "m.sdf").write_text(text)
    assert main(["check", "--fix", "--no-config", "--json", "m.sdf"]) == 1
    (at,) = [(d["line"], d["path"]) for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] == "C043"]
    line = 1 + text[:text.index("nan")].count("\n")
    assert at[0] == line and at[1].endswith('link[@name="a_2"]/velocity_decay/linear')
    assert (folder / "m.sdf").read_text() == text


def test_a_nan_that_a_urdf_writes_elsewhere_is_told_once_where_it_is(folder, capsys):
    damped = RATED.replace("</limit>", "</limit>\n<dynamics><damping>nan</damping></dynamics>")
    (folder / "r.sdf").write_text(damped)
    assert main(["to-urdf", "--no-config", "--json", "r.sdf"]) == 1
    found = [(d["code"], d["line"], d["path"].rpartition("/")[2])
             for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] in ("C043", "S031")]
    assert found == [("C043", 2, "damping")]


@pytest.mark.parametrize("value, refused", [
    ("<pose>inf 0 0 0 0 0</pose>", True), ("<pose>0 0 nan 0 0 0</pose>", True), ("<inertial><mass>inf</mass>"
     "</inertial>", True), ("<sensor name='s' type='imu'><update_rate>inf</update_rate></sensor>", False),
    ("<custom>nan</custom>", False), ("<plugin name='p' filename='p'><pose>nan</pose></plugin>", False)])
def test_upgrade_refuses_a_number_that_is_not_finite_but_for_single_settings(value, refused, folder, capsys):
    """SDFormat's own limits are inf. What upgrade does not know, it copies."""
    (folder / "m.sdf").write_text(f'<sdf version="1.9"><model name="m"><link name="l">{value}</link></model></sdf>')
    assert main(["upgrade", "--no-config", "m.sdf"]) == refused
    shown = capsys.readouterr()
    assert ("C043" in shown.err) == refused and bool(shown.out) != refused


@pytest.mark.parametrize("content, refused", [
    ('<gazebo reference="b"><mu1>nan</mu1></gazebo>', True),
    ('<gazebo reference="b"><maxVel value="nan"/></gazebo>', True),
    ('<gazebo reference="b"><visual><pose>nan 0 0 0 0 0</pose></visual></gazebo>', True),
    ('<gazebo reference="b"><material>Nano/Blue</material></gazebo>', False),
    ('<gazebo><plugin name="nan" filename="p"><kp>nan</kp></plugin></gazebo>', False),
    ('<material name="nan"><color rgba="1 nan 0 1"/></material>', True),
    ('<my_tool><pose>nan</pose></my_tool>', False)])
def test_simplify_refuses_nan_where_a_urdf_has_a_number(content, refused, folder, capsys):
    (folder / "r.urdf").write_text(robot(link("a", 1), link("b", 1), joint("j", "continuous", "a", "b"), content))
    assert main(["simplify", "--no-config", "r.urdf"]) == refused
    shown = capsys.readouterr()
    assert ("C043" in shown.err) == refused and bool(shown.out) != refused


@pytest.mark.parametrize("words", ["convert r.urdf", "simplify r.urdf", "upgrade --to 1.2 r.urdf", "reroot r.urdf b",
                                   "cut --from b r.urdf"])
def test_nan_under_gazebo_is_not_written(words, folder, capsys):
    rate = '<gazebo reference="b"><sensor name="s" type="imu"><update_rate>nan</update_rate></sensor></gazebo>'
    (folder / "r.urdf").write_text(robot(link("a", 1), link("b", 1), joint("j", "continuous", "a", "b"), rate))
    assert main([*words.split(), "--no-config"]) == 1
    shown = capsys.readouterr()
    assert "C043" in shown.err and not shown.out


def test_the_library_writes_nothing_that_overflows(folder):
    far = sf.loads(FAR)
    for write in (far.to_sdf, far.simplify, lambda: far.save("far.sdf"), lambda: far.save_bundle("b")):
        with pytest.raises(sf.InvalidDescription, match="C043"):
            write()
    assert not (folder / "far.sdf").exists() and not (folder / "b").exists()
    corners, faces = "0 0 0\n1e3 0 0\n0 1e3 0\n0 0 1e3\n", "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
    (folder / "big.off").write_text(f"OFF\n4 4 0\n{corners}{faces}")
    part = sf.mesh_inertia("big.off", density=1e306)
    assert not part.valid and "number-overflow" in [d.name for d in part.findings]


def test_content_that_another_version_refuses_is_judged_where_it_is_carried(folder, capsys):
    """A URDF 1.0 may have any rate, which nobody reads; 1.2 refuses one below zero."""
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1" acceleration="-1"/>'
    (folder / "r.urdf").write_text(robot(link("a", 1), link("b", 1), joint("j", "revolute", "a", "b", limit)))
    assert main(["convert", "--no-config", "r.urdf", "-o", "r.sdf"]) == 0
    capsys.readouterr()
    assert main(["to-urdf", "--no-config", "--json", "--urdf-version", "1.2", "r.sdf"]) == 1
    row = json.loads(capsys.readouterr().out)
    (error,) = [d for d in row["diagnostics"] if d["severity"] == "error"]
    assert (error["code"], error["file"], row["urdf"]) == ("C090", "r.sdf", None) and "acceleration" in error["message"]


def test_a_changed_tree_still_finds_its_files(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "r.urdf").write_text(URDF)
    (folder / "sub" / "part.stl").write_text("solid\nendsolid\n")
    robot = sf.load("sub/r.urdf")
    tree = robot.tree
    tree.set("name", "other")
    again = sf.loads(tree)
    assert (again.file, again.name) == (str(folder / "sub" / "r.urdf"), "other")
    assert not again.find_missing_files() and sf.loads(tree, file="r.urdf").file == "r.urdf"


@pytest.mark.parametrize(("words", "stream"), [("", "err"), ("-o x.sdf", "out"), ("--output-dir out", "out"),
                                               ("--bundle b", "out")])
def test_the_report_goes_where_the_document_does_not(words, stream, folder, capsys):
    assert main(["convert", "r.urdf", "--no-config", "--report", *words.split()]) == 0
    said = capsys.readouterr()._asdict()
    other = {"out": "err", "err": "out"}[stream]
    assert "elements: " in said[stream] and "elements: " not in said[other]


LIDAR = ('<sensor name="s" type="gpu_lidar"><lidar><range><max>inf</max></range></lidar><plugin name="p" filename="f">'
         '<v>inf</v></plugin></sensor>')


@pytest.mark.parametrize(("name", "text", "command"), [
    ("x.urdf", robot(link("a", 1), link("nan", 1), joint("inf", "fixed", "a", "nan"),
                     f'<gazebo reference="nan">{LIDAR}<kp>+inf</kp></gazebo>'), "convert simplify print"),
    ("x.sdf", f'<sdf version="1.9"><model name="m"><link name="nan">{LIDAR}<collision name="c"><geometry><sphere>'
              '<radius>1</radius></sphere></geometry><surface><friction><ode><mu> Inf </mu></ode></friction></surface>'
              '</collision></link></model></sdf>', "to-urdf upgrade print")])
def test_words_of_the_file_are_no_overflow(name, text, command, folder, capsys):
    (folder / name).write_text(text)
    for one in command.split():
        main([one, "--no-config", "--json", name])
        row = json.loads(capsys.readouterr().out)
        assert "inf" in (row.get("sdf") or row["urdf"]) and "C043" not in [d["code"] for d in row["diagnostics"]]


def test_files_that_an_edit_names_are_moved_too(folder):
    """A capsule becomes a cylinder and two spheres with the texture of the capsule."""
    material = '<material name="m"><texture filename="part.stl"/></material>'
    capsule = f'<visual><geometry><capsule radius="1" length="2"/></geometry>{material}</visual>'
    (folder / "c.urdf").write_text(robot(link("a", 1, capsule)).replace("<robot ", '<robot version="1.1" '))
    assert main(["upgrade", "--no-config", "--to", "1.0", "c.urdf", "-o", "out/c.urdf"]) == 0
    assert (folder / "out" / "c.urdf").read_text().count('filename="../part.stl"') == 3


def test_another_version_has_the_inertias_that_were_saved_and_needs_no_valid_robot(folder):
    saved = sf.load("m.sdf", auto_inertia="save-in-element")
    assert "<mass>1000</mass>" in saved.to_sdf() and "<mass>1000</mass>" in saved.to_sdf("1.12")
    broken = sf.loads('<sdf version="1.9"><model name="m"><link name="l"/><include><uri>no.sdf</uri></include></model>'
                      "</sdf>")
    assert broken.errors and 'version="1.12"' in broken.to_sdf("1.12")


def test_upgrading_keeps_what_a_value_means_that_a_comment_splits(folder):
    """libsdformat and urdfdom read the value up to the comment."""
    mass = "<inertial><mass>1<!-- c -->5</mass></inertial>"
    old = sf.loads(f'<sdf version="1.6"><model name="m"><link name="l">{mass}</link></model></sdf>')
    text = old.to_sdf("1.12")
    assert "<mass>1<!-- c -->5</mass>" in text and sf.loads(text).links["l"].mass == old.links["l"].mass == 1
