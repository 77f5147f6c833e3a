"""What programs other than Gazebo refuse in a URDF, found in small robots that were given to these programs."""
import pytest
from mimicking_robots import MIMICS
from refused_robots import (
    CASES,
    DRAKE_URIS,
    FILES,
    MUJOCO_PATHS,
    SDF_CASES,
    SDF_REFUSED,
    arm,
    write_for_drake,
    write_for_mujoco,
)
from urdf_text import inertial, joint, link, robot

from sdf_frames.checks.programs import judge, list_judges
from sdf_frames.load import LoadOptions, load_file, load_text


@pytest.mark.parametrize("name", CASES)
def test_each_program_has_its_errors(name, tmp_path):
    text, errors = CASES[name]
    for file, content in FILES.items():
        (tmp_path / file).write_bytes(content)
    (tmp_path / "r.urdf").write_text(text)
    loaded = load_file(tmp_path / "r.urdf")
    found = [*loaded.diagnostics, *loaded.find_refusals(list_judges())]
    said = {consumer: sorted(d.code for d in judge(found, consumer, loaded.kind, loaded.file) if d.severity == "error")
            for consumer in list_judges()}
    assert {consumer: codes for consumer, codes in said.items() if codes} == errors
    assert all(d.file == loaded.file and d.line for d in found)


@pytest.mark.parametrize("name", MUJOCO_PATHS)
def test_mujoco_finds_meshes_in_its_own_way(name, tmp_path):
    loaded, asked = load_file(write_for_mujoco(name, tmp_path)), ["mujoco@3.6", "mujoco@4.0", "mujoco"]
    found = loaded.find_refusals(asked)
    errors = [[d.code for d in judge(found, key, "urdf", None) if d.severity == "error"] for key in asked]
    old, new = ([] if is_loaded else ["L023"] for is_loaded in MUJOCO_PATHS[name][3])
    assert errors == [old, new, new]


def test_a_folder_is_no_mesh(tmp_path):
    (tmp_path / "d.stl").mkdir()
    (tmp_path / "r.urdf").write_text(arm(shape='<mesh filename="d.stl"/>'))
    found = load_file(tmp_path / "r.urdf").judge(["mujoco", "drake", "pybullet"])
    assert {(d.code, d.hint) for d in found if d.code in ("L002", "L010", "X011")} == {
        ("L002", "this is a folder: name a file in it"), ("L010", "save the mesh as .obj, or use a simple shape")}


def test_mujoco_says_where_it_looks_and_a_version_says_so_once(tmp_path):
    found = load_file(write_for_mujoco("not in the folder of meshes", tmp_path)).judge(["mujoco", "mujoco@3.6"])
    (finding,) = [d for d in found if d.severity == "error"]
    assert finding.message == ("MuJoCo refuses the file 'p.stl' of a collision: it looks for it at "
                               f"{tmp_path / 'm' / 'p.stl'}")
    found = load_file(write_for_mujoco("of a package", tmp_path)).judge(["mujoco"])
    (finding,) = [d for d in found if d.severity == "error"]
    assert finding.message.endswith("it does not open package://") and "strippath" in finding.hint


@pytest.mark.parametrize(("first", "second", "strip", "confused"), [
    # Whether MuJoCo 3.13 and 4.0 have one mesh for boxes of 0.1 and 0.3 m; 3.6 and 3.12 are as 3.13.
    ("a/x.stl", "b/x.stl", "false", (True, False)), ("a/x.stl", "a/x.obj", "false", (True, False)),
    ("a/x.stl", "a/X.stl", "false", (False, False)), ("a/x.stl", "./a/x.stl", "false", (False, False)),
    ("a/x.stl", 'b/x.stl" scale="2 2 2', "false", (False, False)), ("a/x.stl", "b/x.stl", "true", (True, True)),
    ("a/x.stl", "b/x.obj", "true", (True, False))])
def test_meshes_that_mujoco_takes_for_one(first, second, strip, confused, tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        for name in ("x.stl", "x.obj", "X.stl"):
            (tmp_path / folder / name).write_bytes(FILES["binary.stl" if name.endswith("stl") else "solid.obj"])
    between = "</geometry></collision><collision><geometry>"
    text = arm(shape=f'<mesh filename="{first}"/>{between}<mesh filename="{second}"/>',
               more=f'<mujoco><compiler strippath="{strip}" meshdir="{"a" if strip == "true" else "."}"/></mujoco>')
    (tmp_path / "r.urdf").write_text(text)
    loaded = load_file(tmp_path / "r.urdf")
    for version, expected in zip(("3.13", "4.0"), confused):
        found = [d.name for d in loaded.judge([f"mujoco@{version}"]) if d.code[0] == "L" and d.code < "L050"]
        assert found == ["mujoco-mesh-confused"] * expected


def test_mujoco_loads_the_mesh_that_is_first_in_the_file(tmp_path):
    """Expected: MuJoCo 3.13, where both shapes have the size of the visual, and the other file need not be there."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.stl").write_bytes(FILES["binary.stl"])
    seen = '<visual><geometry><mesh filename="a/x.stl"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(arm(tip=inertial() + seen, shape='<mesh filename="b/x.stl"/>', more=(
        '<mujoco><compiler strippath="false" discardvisual="false"/></mujoco>')))
    found = [d for d in load_file(tmp_path / "r.urdf").judge(["mujoco@3.13"]) if d.code in ("L023", "L049")]
    assert [(d.message.partition(":")[0], "/collision/" in d.path) for d in found] == [
        ("MuJoCo loads 'a/x.stl' instead of 'b/x.stl'", True)]


@pytest.mark.parametrize("name", SDF_CASES)
def test_drake_has_its_errors_in_sdformat(name, tmp_path):
    text, errors = SDF_CASES[name]
    for file, content in FILES.items():
        (tmp_path / file).write_bytes(content)
    (tmp_path / "m.sdf").write_text(text)
    loaded = load_file(tmp_path / "m.sdf")
    assert sorted(d.code for d in loaded.judge(["drake"]) if d.severity == "error") == errors
    assert loaded.valid == (name not in SDF_REFUSED)
    assert loaded.judge(["gazebo"]) == list(loaded.diagnostics)


@pytest.mark.parametrize(("inertial", "density", "errors"), [
    ("", "", []), ("", "<density>0</density>", []), ("", "<density>-1</density>", ["L058"]),
    ("", "<density>inf</density>", ["L058"]), ("<density>-1</density>", "", ["L058"]),
    ("<density>-1</density>", "<density>5</density>", [])])
def test_drake_computes_the_inertia_of_a_mesh_of_no_negative_density(inertial, density, errors, tmp_path):
    """Expected: Drake 1.51. It does not ask this of other shapes."""
    (tmp_path / "solid.obj").write_bytes(FILES["solid.obj"])
    (tmp_path / "m.sdf").write_text(
        f'<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true">{inertial}</inertial>'
        f'<collision name="c">{density}<geometry><mesh><uri>{tmp_path}/solid.obj</uri></mesh></geometry></collision>'
        "</link></model></sdf>")
    found = load_file(tmp_path / "m.sdf").judge(["drake"])
    assert [d.code for d in found if d.severity == "error"] == errors


@pytest.mark.parametrize(("around", "errors"), [("{}", []), ('<world name="w">{}</world>', ["L011"])])
def test_drake_refuses_an_impossible_inertia_in_a_world_only(around, errors, tmp_path):
    """Expected: Drake 1.51. Alone, it loads the model with a warning."""
    tensor = "<inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.9</izz></inertia>"
    (tmp_path / "m.sdf").write_text('<sdf version="1.9">' + around.format(
        f'<model name="m"><link name="l"><inertial><mass>1</mass>{tensor}</inertial></link></model>') + "</sdf>")
    loaded = load_file(tmp_path / "m.sdf")
    assert [d.code for d in loaded.judge(["drake"]) if d.severity == "error"] == errors
    assert [d.code for d in loaded.judge(["gazebo"]) if d.severity == "error"] == ["I001"]


@pytest.mark.parametrize("name", MIMICS)
def test_pinocchio_keeps_few_mimics(name):
    """A warning, since Pinocchio 4.1 leaves mimics out unless it is told to keep them."""
    text, is_kept = MIMICS[name]
    found = [d for d in load_text(text).judge(["pinocchio"]) if d.name == "pinocchio-mimic-refused"]
    assert [d.severity for d in found] == ([] if is_kept else ["warning"])
    assert all(d.path.endswith("/mimic") for d in found)


def test_mujoco_ignores_a_mimic_of_no_joint():
    """Expected: MuJoCo 4.0 loads it without a constraint, and with one if it names a joint."""
    text = arm(more='<link name="x">' + inertial() + '</link><joint name="k" type="prismatic"><parent link="tip"/>'
               '<child link="x"/><mimic joint="gone"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>')
    assert [d.severity for d in load_text(text).judge(["mujoco"]) if d.code == "C022"] == ["warning"]
    assert not [d for d in load_text(text.replace("gone", "j")).judge(["mujoco"]) if d.code == "C022"]


@pytest.mark.parametrize(("kind", "uri"), DRAKE_URIS)
def test_drake_finds_files_in_its_own_way(kind, uri, tmp_path):
    path = write_for_drake(kind, uri, tmp_path)
    loaded = load_file(path, LoadOptions(resource_paths=(str(tmp_path), str(tmp_path / "pack"))))
    errors = [d for d in loaded.judge(["drake@1.51"]) if d.severity == "error"]
    assert bool(errors) != DRAKE_URIS[kind, uri]
    assert all(d.name in ("drake-include-bare", "collision-file-missing", "uri-not-found") for d in errors)
    if uri == "solid.obj":
        assert errors[0].hint.startswith("write pack/solid.obj: ")


def test_drake_needs_the_suffix_and_finds_no_bare_include(tmp_path):
    (tmp_path / "models" / "box").mkdir(parents=True)
    (tmp_path / "models" / "box" / "model.config").write_text(
        "<model><name>box</name><sdf version='1.9'>model.sdf</sdf></model>")
    (tmp_path / "models" / "box" / "model.sdf").write_text(SDF_CASES["plain"][0])
    world = tmp_path / "w.world"
    world.write_text("<sdf version='1.9'><world name='w'><include><uri>box</uri></include></world></sdf>")
    loaded = load_file(world, LoadOptions(resource_paths=(str(tmp_path / "models"),)))
    assert loaded.valid and [d.name for d in loaded.judge(["drake"])] == ["drake-file-suffix", "drake-include-bare"]


@pytest.mark.parametrize("merge", ["", " merge='true'"])
def test_drake_refuses_elements_of_included_files_too(merge, tmp_path):
    (tmp_path / "part.sdf").write_text(SDF_CASES["gz_frame_id"][0])
    (tmp_path / "m.sdf").write_text(
        f"<sdf version='1.9'><model name='a'><link name='b'/><include{merge}><uri>{tmp_path}/part.sdf</uri></include>"
        "</model></sdf>")
    found = [d for d in load_file(tmp_path / "m.sdf").judge(["drake"]) if d.severity == "error"]
    assert [(d.code, d.file) for d in found] == [("L019", f"{tmp_path}/part.sdf")]


def test_a_mesh_that_another_check_has_read_is_not_read_again(tmp_path):
    (tmp_path / "r.urdf").write_text(CASES["flat mesh"][0])
    (tmp_path / "flat.obj").write_bytes(FILES["flat.obj"])
    loaded = load_file(tmp_path / "r.urdf")
    loaded.find_odd_meshes()
    (tmp_path / "flat.obj").write_bytes(FILES["solid.obj"])
    assert [d.name for d in loaded.find_refusals(["mujoco"]) if d.severity == "error"] == ["mujoco-mesh-refused"]
    assert [d.name for d in load_file(tmp_path / "r.urdf").find_refusals(["mujoco"]) if d.severity == "error"] == []


def test_only_programs_that_were_asked_for_are_looked_into(tmp_path):
    (tmp_path / "r.urdf").write_text(CASES["COLLADA"][0])
    loaded = load_file(tmp_path / "r.urdf")
    assert loaded.find_refusals(["urdfdom", "gazebo"]) == []
    assert {d.name for d in loaded.find_refusals(["drake"])} == {"collision-file-missing", "drake-mesh-format"}


@pytest.mark.parametrize(("uri", "is_opened"), [
    ("package://pack/solid.obj", True), ("file://TOP/pack/solid.obj", True), ("pack/solid.obj", False),
    ("TOP/pack/solid.obj", False), ("model://pack/solid.obj", False), ("package:///pack/solid.obj", False),
    ("package://solid.obj", False), ("file://pack/solid.obj", False)])
def test_ros_is_warned_of_uris_that_rviz_does_not_open(uri, is_opened, tmp_path):
    """By the code of resource_retriever; ``curl file://pack/solid.obj`` says that the URL is bad."""
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "solid.obj").write_bytes(FILES["solid.obj"])
    mesh = f'<mesh filename="{uri.replace("TOP", str(tmp_path))}"/>'
    shown = f"<visual><geometry>\n{mesh}</geometry></visual>"
    (tmp_path / "r.urdf").write_text(arm(shape=mesh).replace("<collision>", f"{shown}<collision>"))
    loaded = load_file(tmp_path / "r.urdf", LoadOptions(resource_paths=(str(tmp_path), str(tmp_path / "pack"))))
    assert loaded.find_missing_files() == []
    found = loaded.judge(["ros"])
    assert [(d.code, d.severity, len(d.related)) for d in found] == ([] if is_opened else [("L055", "warning", 1)])
    assert "L055" not in {d.code for d in loaded.judge(["gazebo", "drake", "mujoco", "pinocchio"])}


@pytest.mark.parametrize(("uri", "hint"), [
    ("../meshes/solid.obj", "write package://arm/meshes/solid.obj"),
    ("file://../meshes/solid.obj", "write package://arm/meshes/solid.obj"),
    ("model://arm/meshes/solid.obj", "write package://arm/meshes/solid.obj"),
    ("../../solid.obj", "write package://PACKAGE/PATH, or file:// and the whole path")])
def test_the_hint_for_rviz_names_the_package_of_the_file(uri, hint, tmp_path):
    for folder in ("src/urdf", "src/meshes"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src" / "package.xml").write_text("<package><name>arm</name></package>")
    for place in ("src/meshes", "."):
        (tmp_path / place / "solid.obj").write_bytes(FILES["solid.obj"])
    path = tmp_path / "src" / "urdf" / "r.urdf"
    path.write_text(arm(shape=f'<mesh filename="{uri}"/>'))
    assert [(d.code, d.hint) for d in load_file(path).judge(["ros"])] == [("L055", hint)]
    path.write_text(path.read_text().replace(uri, hint.removeprefix("write ")))
    assert hint.endswith("path") or load_file(path).judge(["ros"]) == []


def test_what_other_programs_need_says_that_rviz_does_not_open_it():
    found = load_text(arm(shape='<mesh filename="package://pack/solid.obj"/>')).judge(["genesis"])
    (hint,) = {d.hint for d in found if "has a package:// URI" in d.message}
    assert "relative" in hint and "RViz" in hint


def test_ros_is_warned_of_files_that_it_cannot_show(tmp_path):
    (tmp_path / "r.urdf").write_text(CASES["collision file missing"][0])
    loaded = load_file(tmp_path / "r.urdf")
    (finding,) = judge(loaded.find_refusals(["ros"]), "ros", "urdf", None)
    assert (finding.name, finding.severity) == ("collision-file-missing", "warning")
    assert finding.message == "the file 'gone.obj' of a collision is not found" and "gone.obj" in finding.hint


@pytest.mark.parametrize("name, count", [("plain", 0), ("axis of length 0", 1), ("axis without xyz", 1),
                                         ("axis of a fixed joint of length 0", 0)])
def test_ros_is_warned_of_axes_without_direction(name, count):
    """robot_state_publisher 3.3.3 publishes NaN for the children of the two; urdfdom reads them."""
    found = load_text(CASES[name][0]).judge(["ros", "urdfdom"])
    assert [(d.code, d.severity) for d in found] == [("J009", "warning")] * count


def test_a_file_that_is_missing_in_several_places_is_one_finding(tmp_path):
    text = CASES["collision file missing"][0]
    shape = text[text.index("<collision>"):text.index("</collision>") + len("</collision>")]
    (tmp_path / "r.urdf").write_text(text.replace(shape, shape + "\n" + shape))
    (finding,) = load_file(tmp_path / "r.urdf").find_refusals(["ros"])
    assert (finding.line, [place.line for place in finding.related]) == (1, [2])


def test_drake_and_mujoco_pass_over_quaternions_of_a_file_that_has_them(tmp_path):
    """test/peers/test_urdf_versions.py asks them. In URDF 1.0, nobody reads a quaternion."""
    text = CASES["plain"][0].replace("<parent", '<origin\n quat_xyzw="0 0 1 1"/>\n<parent').replace(
        "<mass", '<origin quat_xyzw="0 0 1 1"/><mass')
    for version, found in (("1.0", {}), ("1.1", {"drake": "warning", "mujoco": "warning"})):
        (tmp_path / "r.urdf").write_text(text.replace('name="r"', f'name="r" version="{version}"'))
        loaded = load_file(tmp_path / "r.urdf")
        said = {consumer: [d for d in judge(loaded.find_refusals([consumer]), consumer, "urdf", None)
                           if d.name == "quaternion-passed-over"] for consumer in list_judges()}
        assert {consumer: one.severity for consumer, ones in said.items() for one in ones} == found
    (finding,) = said["drake"]
    assert finding.message.endswith("is lost (3 times, here first)")
    assert [finding.line, *[place.line for place in finding.related]] == [1, 1, 2]


def test_elements_of_drake_need_no_declaration():
    """Drake 1.51 looks for the text drake: in tags; it refuses this file, with and without xmlns:drake."""
    text = arm(more='<drake:collision_filter_group name="g"><drake:member link="x"/></drake:collision_filter_group>')
    assert "L059" in [d.code for d in load_text(text).judge(["drake"])]


@pytest.mark.parametrize(("kind", "codes"), [
    ("fixed", {"drake": ["L056"], "mujoco": ["L056"]}), ("continuous", {"drake": ["L056"], "mujoco": ["L025"]})])
def test_a_link_world_below_another_is_the_world_for_drake_and_mujoco(kind, codes):
    """With Drake 1.51 it holds the arm, which has no floating base then; MuJoCo 4.0 fixes `c` to the world at z = 0."""
    text = robot(link("a", 1), link("world"), link("c", 1), joint("j", kind, "a", "world", xyz="0 0 1"),
                 joint("k", "fixed", "world", "c"))
    said = {name: [d.code for d in load_text(text).judge([name]) if "'world'" in d.message and d.code[0] == "L"]
            for name in ("drake", "mujoco", "pinocchio", "ros")}
    assert said == {"pinocchio": [], "ros": [], **codes}
    swapped = robot(link("world"), link("a", 1), joint("j", "fixed", "world", "a"))
    assert not [d for d in load_text(swapped).judge(["drake", "mujoco"]) if d.code in ("L025", "L056")]


def test_everything_about_an_expression_of_xacro_says_to_expand_it():
    robot, _ = CASES["material of the robot with an expression of xacro"]
    loaded = load_text(robot)
    found = [*loaded.diagnostics, *loaded.find_refusals(["drake", "mujoco"])]
    # That MuJoCo has no limit of velocity is another matter.
    assert [(d.code, d.hint) for d in found if d.name != "program-loses"] == [
        (code, "expand the file with xacro first: the text contains ${…} or $(…)") for code in ("R024", "L045")]


def test_what_drake_refuses_in_a_world_is_told_once_with_its_reason():
    inside = '<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>'
    text = f'<sdf version="1.9"><world name="w"><model name="m"><link name="l">{inside}</link></model></world></sdf>'
    (finding,) = [d for d in load_text(text).judge(["drake"]) if d.code in ("L011", "I001")]
    assert finding.code == "L011" and "less than the largest, by 3 kg·m² (1 + 1 < 5))" in finding.hint
