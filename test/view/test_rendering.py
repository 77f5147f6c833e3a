"""Pictures from a process of their own, which may end; pictures in Python and notebooks."""
import io
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import sdf_frames as sf
from sdf_frames.cli import main
from sdf_frames.view.rendering import render_picture

if find_spec("pyvista") is None:  # loading it takes a second of every process that collects tests
    pytest.skip("pyvista is not installed", allow_module_level=True)
pytest.importorskip("trimesh")
Image = pytest.importorskip("PIL.Image")

ROOT = Path(__file__).parents[2]
ARM = """<sdf version="1.9"><model name="arm"><link name="base"><visual name="v">
  <geometry><box><size>.4 .4 .4</size></box></geometry><material><diffuse>0 0 1 1</diffuse></material></visual></link>
  <link name="slider"><pose>1 0 0 0 0 0</pose><visual name="v">
  <geometry><box><size>.4 .4 .4</size></box></geometry><material><diffuse>1 0 0 1</diffuse></material></visual></link>
  <joint name="slide" type="prismatic"><parent>base</parent><child>slider</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>"""
LIGHT = sf.loads('<sdf version="1.10"><light name="sun" type="directional"/></sdf>')


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without OpenGL: the files of the libraries that offer it are empty, and there is no display."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    for name in ("libEGL.so", "libEGL.so.1", "libOSMesa.so", "libOSMesa.so.6", "libOSMesa.so.8"):
        (hidden / name).touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(hidden), prepend=":")
    monkeypatch.delenv("DISPLAY", raising=False)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere OpenGL is a part of the system")
def test_a_machine_without_opengl_is_told_what_to_install(tmp_path, monkeypatch, capsys, bare):
    ended, run = [], subprocess.run

    def run_once(*command, **options):
        """Every process would end like the first one, after seconds."""
        ended.extend([run(*command, **options)] if not ended else [])
        return ended[0]
    monkeypatch.setattr("sdf_frames.view.rendering.subprocess.run", run_once)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.sdf").write_text(ARM)
    said = "no OpenGL on this machine: apt-get install libegl1 libgl1-mesa-dri"
    assert main(["view", "arm.sdf", "--png", "arm.png"]) == 2
    assert capsys.readouterr().err == f"sdf_frames view: {said}\n"
    assert main(["diff", "arm.sdf", "arm.sdf", "--png", "arm.png"]) == 2
    assert capsys.readouterr().err == f"sdf_frames diff: {said}\n"
    assert not (tmp_path / "arm.png").exists()
    robot = sf.load("arm.sdf")
    with pytest.raises(RuntimeError, match=f"^{said}$"):
        robot.picture()
    assert robot._repr_png_() is None, "a notebook shows the text"


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("make"), reason="needs Linux and make")
def test_make_says_so_before_it_installs_anything(tmp_path, bare):
    done = subprocess.run(["make", "--no-print-directory", f"HOME_DIR={tmp_path}/home", "picture"], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 2
    assert "Missing: OpenGL.  Install:  apt-get install libegl1 libgl1-mesa-dri\n" in done.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("make"), reason="needs Linux and make")
@pytest.mark.parametrize("target", ["picture", "setup"])
def test_make_first_looks_for_python(tmp_path, monkeypatch, bare, target):
    """A bare Debian has neither Python nor OpenGL."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("make", "bash", "uname"):
        (programs / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.delenv("PYTHON", raising=False)
    done = subprocess.run(["make", "--no-print-directory", f"HOME_DIR={tmp_path}/home", target], cwd=ROOT,
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    first, *_ = done.stderr.splitlines()
    assert first == "Missing: Python 3.10 to 3.14.  Install:  apt-get install python3 python3-venv python3-dev"


def read(png):
    return np.asarray(Image.open(io.BytesIO(png), formats=("PNG",)).convert("RGB")).astype(int)


def test_a_picture_in_python_has_the_layers_and_positions_that_are_asked_for():
    """Seen from the side, the red box stands 1 m in front of the blue one, and as far above it as it slid."""
    robot = sf.loads(ARM)
    still, moved = (read(robot.picture(("visuals", *more), "side", (160, 120), positions))
                    for more, positions in (((), None), (("tree",), {"slide": 0.5})))
    assert still.shape == (120, 160, 3)
    for pixels, risen in ((still, 0.0), (moved, 0.5)):
        (above, ahead), (below, behind) = (np.mean(np.nonzero(pixels[:, :, channel] > 2 * pixels[:, :, 2 - channel]),
                                                   axis=1) for channel in (0, 2))
        assert (below - above) / (ahead - behind) == pytest.approx(risen, abs=0.02)
        # The tree alone is a dark grey.
        assert ((pixels.max(axis=2) < 120) & (np.ptp(pixels, axis=2) < 12)).any() == bool(risen)


def test_a_notebook_shows_a_robot():
    pixels = read(sf.loads(ARM)._repr_png_())
    assert pixels.shape == (480, 640, 3) and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 3
    assert sf.loads("<robot/>")._repr_png_() is LIGHT._repr_png_() is None


def test_a_picture_takes_both_names_of_a_renamed_joint():
    """SDF allows no link and joint of one name: the joint `arm` becomes `arm_joint`."""
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    robot = sf.loads(f'<robot name="r"><link name="base">{inertial}</link><link name="arm">{inertial}<visual><geometry>'
                     '<box size="1 .2 .2"/></geometry></visual></link><joint name="arm" type="continuous">'
                     '<parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>')
    still, moved, same = (robot.picture(["visuals"], "top", (64, 64), positions)
                          for positions in ({}, {"arm": 1}, {"arm_joint": 1}))
    assert moved == same != still


@pytest.mark.parametrize("choices, error, said", [
    ({"layers": ["visual"]}, ValueError, "'visual' is none of visuals, collisions"),
    ({"layers": "visuals"}, TypeError, "layers must be a sequence, such as"),
    ({"view": "back"}, ValueError, "'back' is none of iso, front, side, top"),
    ({"size": "x"}, ValueError, "not 'x'"), ({"size": (15, 900)}, ValueError, "from 16 to 8192"),
    ({"size": (1, 2, 3)}, ValueError, "a width and a height"), ({"size": 100}, ValueError, "height .* not 100"),
    ({"positions": {"slid": 1}}, KeyError, "no movable joint 'slid'; did you mean 'slide'"),
    ({"positions": {"slide": "up"}}, (TypeError, ValueError), "slide"),
    ({"positions": ["slide"]}, TypeError, "must be a mapping from joint names to positions, not list"),
    ({"positions": np.zeros(2)}, TypeError, "must be a mapping from joint names to positions, not ndarray"),
    ({"positions": {"slide": [0.5]}}, ValueError, "a picture shows one configuration"),
    ({"positions": {"slide": [0.5, 0.6]}}, ValueError, "a picture shows one configuration")])
def test_what_cannot_be_drawn_is_refused(choices, error, said):
    with pytest.raises(error, match=said):
        sf.loads(ARM).picture(**choices)


def test_what_has_no_frames_is_refused_with_its_errors():
    with pytest.raises(sf.InvalidDescription):
        sf.loads("<robot/>").picture()
    with pytest.raises(ValueError, match="nothing to draw: the description has neither a model nor a world"):
        LIGHT.picture()
    with pytest.raises(TypeError, match="picture takes descriptions that were loaded, not str"):
        sf.picture("robot.urdf")


def test_an_exception_of_the_process_is_raised():
    with pytest.raises(RuntimeError, match="Traceback"):
        render_picture([], size=("wide", 240))
