"""`import sdf_frames as sf`: its names, what importing costs, and what type checkers see."""

import importlib.util
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import sdf_frames as sf
from sdf_frames.api import errors

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_every_name_is_there_and_there_are_at_most_30():
    assert len(sf.__all__) <= 30
    assert sorted(sf.__all__) == sorted(dir(sf))
    assert all(getattr(sf, name) is getattr(sf, name) for name in sf.__all__)
    assert [name for name in sf.__all__ if not getattr(sf, name).__doc__] == []
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        sf.lod  # noqa: B018


INERTIAL = """<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"""
ARM = f"""<robot name="r"><link name="a">{INERTIAL}</link><link name="b"/>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>"""


@pytest.mark.parametrize("attempt, written", [
    (lambda robot: sf.validate, "sf.load(path).findings"), (lambda robot: sf.urdf_to_sdf, "sf.load(path).to_sdf()"),
    (lambda robot: robot.total_mass, ".inertias().total.mass"), (lambda robot: robot.is_valid, ".valid"),
    (lambda robot: robot.fk, ".poses(positions)"), (lambda robot: robot.joints["j"].limit, ".limits"),
    (lambda robot: robot.links["a"].origin, ".pose"), (lambda robot: robot.pose("b").translation, ".xyz"),
    (lambda robot: robot.joints["j"].origin, "robot.pose(joint.name, relative_to=joint.parent)"),
    (lambda robot: robot.links["a"].center_of_mass, ".com"), (lambda robot: robot.compare, "sf.diff(a, b)"),
    (lambda robot: robot.inertias().total.center_of_mass, ".com"),
    (lambda robot: robot.center_mass, ".inertias().total.com"), (lambda robot: sf.Pose.identity, "sf.Pose()"),
    (lambda robot: robot.base_link, "set(robot.links) - {j.child for j in robot.joints.values()}"),
    (lambda robot: robot.joints["j"].axes.xyz, "joint.axes[0].xyz"),
    (lambda robot: sf.buildModelFromUrdf, "sf.load(path)"), (lambda robot: robot.link_by_name, ".links[name]"),
    (lambda robot: robot.inertias()["a"].inertia, ".tensor"), (lambda robot: robot.inertias().mass, ".total.mass"),
    (lambda robot: robot.links.a, "['a']"), (lambda robot: robot.frames["b"].xyz, ".pose.xyz"),
    (lambda robot: robot.dof, "sum(j.size - sum(a.mimic is not None for a in j.axes) for j in robot.joints.values() "
     "if j.movable)"),
    (lambda robot: robot.frames["b"].parent, ".attached_to, .relative_to or .body"),
    (lambda robot: robot.links["a"].children, "[j.child for j in robot.joints.values() if j.parent == link.name]")])
def test_a_name_that_people_try_names_the_one_to_write(attempt, written):
    with pytest.raises(AttributeError, match="has no attribute '[a-zA-Z_]+'; write " + re.escape(written) + "$"):
        attempt(sf.loads(ARM))


@pytest.mark.parametrize("attempt, kind, said", [
    (lambda robot: setattr(robot.links["a"], "mass", 3), AttributeError, "Link.mass is read-only; change the XML"),
    (lambda robot: robot.rename, AttributeError, "; change the XML: tree = robot.tree, then"),
    (lambda robot: robot.jacobian, AttributeError, "sdf_frames has none; use Pinocchio on robot.to_urdf()"),
    (lambda robot: robot.to_sdf("out.sdf"), ValueError, "to write a file, call save"),
    (lambda robot: robot.to_urdf("out.urdf"), ValueError, "to write a file, call save"),
    (lambda robot: robot.inertias()["b"], KeyError, "no link 'b' in the SDF: it is lumped into a"),
    (lambda robot: robot.links[0], KeyError, "no link 0; the keys are names"),
    (lambda robot: robot.inertias(links=["b"]), KeyError, "no link 'b' in the SDF: it is lumped into a"),
    (lambda robot: robot.pose("b") @ [0, 0, 1], TypeError, "points move with points @ X.matrix[:3, :3].T + X.xyz"),
    (lambda robot: robot.poses([0.0]), TypeError, "not list; dict(zip(names, values)) makes one"),
    (lambda robot: robot.pose("b", {"j": 0.5}), TypeError, "not by a dict; write positions={…}"),
    (lambda robot: robot.pose(None), TypeError, "a frame is given by its name, a str, not by a NoneType"),
    (lambda robot: robot.pose(robot.links["b"]), TypeError, "a frame is given by its name, a str, not by a Link"),
    (lambda robot: robot.pose("b", q={}), TypeError, "RobotDescription.pose() got an unexpected keyword argument 'q'"),
    (lambda robot: robot.save(), TypeError, "RobotDescription.save() missing"),
    (lambda robot: robot.verdict("pybullet"), ValueError, "gazebo, ros, drake, mujoco, pinocchio or urdfdom"),
    (lambda robot: robot.verdict(None), TypeError, "name of a program, such as 'drake', not NoneType"),
    (lambda robot: robot.check_srdf("arm.srdf"), TypeError, "srdf must be what sf.load returns for an SRDF, not str"),
    (lambda robot: sf.RobotDescription("arm.urdf"), TypeError, "sf.load(path) makes a RobotDescription"),
    (lambda robot: robot.parts[0].find(None), TypeError, "path must be a str, not NoneType"),
    (lambda robot: robot.to_urdf(1), TypeError, "model must be the name of a model, not int"),
    (lambda robot: [*sf.check_many("arm.urdf")], TypeError, "paths must be a sequence, such as ['arm.urdf'], not a"),
    (lambda robot: [*sf.check_many([], consumers="drake")], TypeError, "consumers must be a sequence, such as"),
    (lambda robot: [*sf.check_many([], consumers=[1])], TypeError, "names of programs, such as 'drake', not int"),
    (lambda robot: robot.verdict("all"), ValueError, "unknown program 'all'"),
    (lambda robot: robot.place("b", "a", sf.Pose(), positions="j"), TypeError,
     "positions must be a mapping from joint names to positions, not str; dict(zip(names, values)) makes one"),
    (lambda robot: robot.place("b", "a", sf.Pose(), positions={"j": "x"}), ValueError,
     "the position of 'j' must consist of numbers: 'x'"),
    (lambda robot: robot.place(b"b", "a", sf.Pose()), TypeError, "frame must be a str, not bytes"),
    (lambda robot: robot.place("b", None, sf.Pose()), TypeError, "relative_to must be a str, not NoneType"),
    (lambda robot: robot.place("b", "a", sf.Pose(), move=1), TypeError, "move must be a str, not int"),
    (lambda robot: robot.reroot(["b"]), TypeError, "link must be a str, not list"),
    (lambda robot: robot.cut(None), TypeError, "start must be a str, not NoneType"),
    (lambda robot: robot.cut("a", 2), TypeError, "end must be a str, not int"),
    (lambda robot: sf.attach(robot, robot, 1), TypeError, "at must be a str, not int"),
    (lambda robot: sf.attach(robot, robot, "b", prefix=None), TypeError, "prefix must be a str, not NoneType"),
    (lambda robot: robot.static_transforms(separator=1), TypeError, "separator must be a str, not int"),
    (lambda robot: robot.inertias(links=3), TypeError, "links must be a sequence of names, not int"),
    (lambda robot: robot.inertias(method=["auto"]), ValueError, "method must be one of auto, exact, voxel"),
    (lambda robot: robot.simplify(keep=None), TypeError, "keep must be a sequence of names, not NoneType"),
    (lambda robot: robot.simplify(frames=1), TypeError, "frames must be a sequence of names, not int"),
    (lambda robot: robot.simplify(keep=[1]), TypeError, "each name in keep must be a str, not int"),
    (lambda robot: robot.simplify(frames=[None]), TypeError, "each name in frames must be a str, not NoneType"),
    (lambda robot: robot.place("b", "a", sf.Pose(), positions={1: 1}), TypeError,
     "each name in positions must be a str, not int"),
    (lambda robot: robot.simplify(massless=1j), ValueError, "massless must be 'keep', 'merge' or a positive mass"),
    (lambda robot: robot.repair_inertias(density="x"), ValueError, "density must be a positive number, not 'x'"),
    (lambda robot: robot.repair_inertias(density=5.0), ValueError, 'density is for source="shapes"'),
    (lambda robot: sf.diff(robot, robot, tolerance="x"), ValueError, "a finite number from 0 on, not 'x'"),
    (lambda robot: sf.loads(Path("r.urdf")), TypeError, "for a file, call load"),
    (lambda robot: sf.loads(ARM, resource_path=["."]), TypeError, "'resource_path'; did you mean 'resource_paths'?"),
    (lambda robot: sf.loads(ARM, masless="keep"), TypeError, "did you mean 'massless'?"),
    (lambda robot: sf.loads(ARM, speed=1), TypeError, "strict; load also takes xacro_args"),
    (lambda robot: sf.loads(ARM, package_dirs=["."]), TypeError, "'package_dirs'; write resource_paths")])
def test_what_people_try_and_cannot_work_says_what_does(attempt, kind, said):
    with pytest.raises(kind, match=re.escape(said)):
        attempt(sf.loads(ARM))


def test_every_name_to_write_is_there_and_every_name_to_try_is_not():
    robot = sf.loads(ARM)
    objects = {"": sf, "World": sf.World, "RobotDescription": robot, "Frame": robot.frames["b"],
               "Link": robot.links["a"], "Joint": robot.joints["j"], "Axes": robot.joints["j"].axes, "Shape": sf.Shape,
               "Pose": robot.pose("b"), "Inertia": robot.inertias().total, "Inertias": robot.inertias()}
    assert set(objects) == set(errors.list_instead())
    known = {"sf": sf, "robot": robot, "joint": robot.joints["j"], "link": robot.links["a"], "X": robot.pose("b")}
    for owner, words in errors.list_instead().items():
        names = " ".join(words.values()).split()
        there = [name for name in names if hasattr(objects[owner], name)]
        assert [name for name in there if not isinstance(getattr(sf, name, None), ModuleType)] == []
        assert len(names) == len(set(names)), owner
        for word in words:
            members = [(objects[owner], name) for name in re.findall(r"(?:^|, | or | and )\.(\w+)", word)]
            members += [(known[of], name) for of, name in re.findall(r"\b(sf|robot|joint|link|X)\.(\w+)", word)]
            assert members, word
            assert [name for thing, name in members if not hasattr(thing, name)] == [], word


DAMPED = f"""<robot name="r"><link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>
<joint name="b" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.7" friction="0.2"/></joint></robot>"""


def test_the_recipes_for_damping_find_it_for_a_joint_with_the_name_of_a_link():
    robot = sf.loads(DAMPED)
    with pytest.raises(AttributeError, match="has no attribute 'damping'; write ") as caught:
        robot.joints["b"].damping  # noqa: B018
    recipe, _, source = str(caught.value).partition("; write ")[2].partition(", with joint from ")
    (joint,) = eval(source, {"robot": robot}).values()
    assert eval(recipe, {"robot": robot, "joint": joint}) == [
        {"axis/dynamics/damping": "0.7", "axis/dynamics/friction": "0.2"}]
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert recipe.replace("'", '"') in page and f"`{source}`" in page


def test_the_recipe_for_degrees_of_freedom_counts_each_axis_that_does_not_mimic():
    """The universal joint has an axis that follows the hinge, and one that does not."""
    mimic = '<mimic joint="hinge"><multiplier>1</multiplier></mimic>'
    axis = "<axis><xyz>1 0 0</xyz>{}</axis><axis2><xyz>0 1 0</xyz></axis2>"
    robot = sf.loads('<sdf version="1.11"><model name="m"><link name="a"/><link name="b"/><link name="c"/>'
                     '<joint name="hinge" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>'
                     '</axis></joint><joint name="u" type="universal"><parent>b</parent><child>c</child>'
                     f"{axis.format(mimic)}</joint></model></sdf>")
    with pytest.raises(AttributeError, match="has no attribute 'dof'; write ") as caught:
        robot.dof  # noqa: B018
    assert robot.valid and eval(str(caught.value).partition("; write ")[2], {"robot": robot}) == 2


def test_methods_that_are_passed_on_can_be_pickled():
    assert pickle.loads(pickle.dumps(sf.RobotDescription.to_sdf))(sf.loads(ARM)) == sf.loads(ARM).to_sdf()
    joint = sf.loads(ARM).joints["j"]
    assert pickle.loads(pickle.dumps(joint)) == joint and isinstance(joint.axes, tuple)


@pytest.mark.parametrize("module, call, extra", [
    ("viser", "sf.show(None)", "view"), ("joblib", "next(sf.check_many([], jobs=2))", "batch")])
def test_a_module_that_is_missing_names_its_extra(module, call, extra):
    said = run(f"import sys, sdf_frames as sf; sys.modules[{module!r}] = None\n"
               f"try: {call}\nexcept ImportError as error: print(error)")
    assert said == f"{module} is not installed: pip install 'sdf_frames[{extra}]'\n"


def test_a_finding_prints_as_its_place_code_and_message():
    missing, = sf.loads('<robot name="r"/>', file="r.urdf").errors
    assert str(missing) == f"r.urdf:1: {missing.code} {missing.message}"
    assert repr(missing).startswith("Diagnostic(code=")
    assert str(sf.Diagnostic("X001", "n", "error", "no")) == "<text>: X001 no"


def test_the_name_of_a_file_in_place_of_its_text_says_so():
    assert sf.loads("my robot.urdf").errors[0].hint.endswith("(in Python: sf.load)")


def test_the_error_of_a_property_is_its_own():
    class Broken(errors.Guided):
        mass = property(lambda self: None.total)

    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'total'"):
        Broken().mass  # noqa: B018


@pytest.mark.parametrize("code, said", [
    # Importing the package imports nothing of it.
    ("import sys, sdf_frames; print([m for m in sys.modules if m.startswith(('sdf_frames.', 'lxml', 'numpy'))])", "[]"),
    # Loading needs no numpy.
    ('import sys, sdf_frames as sf; r = sf.loads(\'<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>\')'
     "\nr.valid, r.findings, r.report, r.to_sdf(); print('numpy' in sys.modules)", "False"),
    # A module does not take the place of a function.
    ("import sdf_frames.load, sdf_frames as sf; from sdf_frames.load import load_text; "
     "print(sf.load is sf.load, callable(sf.load), callable(load_text))", "True True True")])
def test_what_importing_and_loading_import(code, said):
    assert run(code) == f"{said}\n"


def test_every_public_method_is_documented():
    for name in ("RobotDescription", "Pose", "Inertia", "Inertias", "World", "Joint", "Shape"):
        for part, value in vars(getattr(sf, name)).items():
            if not part.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                assert value.__doc__ or getattr(value, "__wrapped__", value).__doc__, f"{name}.{part}"


def test_the_client_uses_every_name():
    text = (HERE / "typed_client.py").read_text()
    assert [name for name in sf.__all__ if f"sf.{name}" not in text] == []


def run_mypy(client: Path) -> str:
    pytest.importorskip("mypy", reason="mypy is not installed")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent",
         "--cache-dir=/dev/null", str(client)], cwd=ROOT, capture_output=True, text=True).stdout


def test_mypy_strict_finds_nothing_in_a_client():
    assert run_mypy(HERE / "typed_client.py") == "Success: no issues found in 1 source file\n"


def test_mypy_finds_a_misspelt_name(tmp_path):
    (tmp_path / "client.py").write_text("import sdf_frames as sf\nlinks = [sf.Link, sf.Lnik]\n")
    assert 'client.py:2: error: Module has no attribute "Lnik"' in run_mypy(tmp_path / "client.py")


def test_pyright_finds_nothing_in_a_client(tmp_path):
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed (pip install pyright)")
    (tmp_path / "client.py").write_text((HERE / "typed_client.py").read_text())
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)], "typeCheckingMode": "strict"}))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--project", str(tmp_path), "--outputjson", "--pythonpath", sys.executable],
        capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        pytest.skip(f"pyright cannot start (it needs node): {done.stderr[-200:] or done.stdout[-200:]}")
    assert found["summary"]["filesAnalyzed"] >= 1
    assert [f"{d['range']['start']['line'] + 1}: {d['message']}" for d in found["generalDiagnostics"]] == []
