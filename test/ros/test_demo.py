"""`make run` shows all it says; its driver is run here as it is there."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
import urdf_text

pytest.importorskip("rclpy")

from benchmark.stops import is_running, list_descendants


def run_demo(environment: dict, *arguments: str, cwd=None) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "sdf_frames.ros.demo", "--once", *map(str, arguments)],
                          env=environment, capture_output=True, text=True, timeout=120, cwd=cwd)


def test_bundled_robot(ros_environment, tmp_path):
    done = run_demo(ros_environment, "--output-dir", tmp_path)
    assert done.returncode == 0, done.stderr
    for service in ("validate_sdf:    valid", "convert_urdf:    ", "compute_inertia: ", "get_frames: ",
                    "resolve_frame: ",
                    "check_tf:        consistent"):
        assert service in done.stdout
    for frame in ("base_footprint", "camera_optical_frame", "laser", "grasp_frame", "ft_joint"):
        assert frame in done.stdout
    robot = ElementTree.parse(Path(__file__).parents[2] / "robots/mobile_manipulator/mobile_manipulator.urdf")
    # Every link and joint is a frame, and so is the model; the root link is the root of TF.
    count = len(robot.findall("link")) + len(robot.findall("joint"))
    assert f"/tf_static:      {count} transforms" in done.stdout and "Conversion report" in done.stdout
    written = tmp_path / "mobile_manipulator.sdf"
    assert f"SDF written to {written}" in done.stdout
    assert ElementTree.parse(written).find("model").get("name") == "mobile_manipulator"
    assert "Traceback" not in done.stderr


def test_bundled_robot_is_a_solid_body():
    # Every mass and tensor of the file is that of the shape drawn, so what is computed from the shapes is what is
    # declared.
    from ament_index_python.packages import get_package_share_directory

    from sdf_frames.load import LoadOptions, load_file
    share = Path(get_package_share_directory("sdf_frames"))
    path = share / "robots" / "mobile_manipulator" / "mobile_manipulator.urdf"
    loaded = load_file(path, LoadOptions(preserve_fixed_joints=True, massless="keep"))
    assert loaded.valid, loaded.diagnostics
    declared = {link.name: link for link in loaded.inertias().links if link.mass > 0.01}
    computed = {link.name: link for link in loaded.inertias(recompute=True).links}
    assert len(declared) == 18
    for name, link in declared.items():
        assert link.physical
        other = computed[name]
        assert other.mass == pytest.approx(link.mass)
        assert other.pose[:3] == pytest.approx(link.pose[:3], abs=1e-6), name
        assert sorted(other.inertia[:3]) == pytest.approx(sorted(link.inertia[:3]), rel=1e-5), name


def test_xacro_and_no_file_is_written_unless_a_folder_is_given(ros_environment, tmp_path, pendulum):
    pytest.importorskip("xacro")
    # A file beside the robot may have the name that the SDF would get.
    (tmp_path / "pendulum.sdf").write_text("by hand")
    path = tmp_path / "pendulum.urdf.xacro"
    path.write_text(pendulum.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ').replace(
        'xyz="0 0 1"', 'xyz="0 0 ${2 * 0.75 * scale}"').replace(
        "<link ", '<xacro:arg name="scale" default="1"/><xacro:property name="scale" value="$(arg scale)"/><link ', 1))
    for words, height in ([path], "1.5"), ([path, "scale:=3"], "4.5"):
        done = run_demo(ros_environment, *words, cwd=tmp_path)
        assert done.returncode == 0 and "written" not in done.stdout, done.stderr
        assert f"is at 0.000 1.000 {height}00 m, and moves with arm" in done.stdout
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "pendulum.sdf": "by hand", path.name: path.read_text()}


def test_errors_of_the_description_are_printed(ros_environment, tmp_path):
    done = run_demo(ros_environment, tmp_path / "absent.urdf")
    assert done.returncode == 1 and "there is no file" in done.stderr and "Traceback" not in done.stderr
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot name='r'><link name='a'/><link name='b'/></robot>")
    done = run_demo(ros_environment, broken)
    assert done.returncode == 1 and "R014" in done.stdout and "Traceback" not in done.stderr
    assert "not converted" in done.stdout and "centre of mass" not in done.stdout


@pytest.mark.parametrize("text", [
    urdf_text.robot(urdf_text.link("r", 1)), '<sdf version="1.9"><world name="w"/></sdf>'])
def test_a_robot_without_transforms_is_not_waited_for(ros_environment, tmp_path, text):
    file = tmp_path / "r"
    file.write_text(text)
    done = run_demo(ros_environment, file)
    assert done.returncode == 0 and "/tf_static:      0 transforms" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("number, count", [(signal.SIGHUP, 1), (signal.SIGTERM, 1), (signal.SIGINT, 3)])
def test_signals_end_all_processes(ros_environment, tmp_path, pendulum, number, count):
    pytest.importorskip("viser")
    (tmp_path / "r.urdf").write_text(pendulum)
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen([sys.executable, "-m", "sdf_frames.ros.demo", str(tmp_path / "r.urdf"), "--view"],
                                   stdout=log, stderr=log, env=ros_environment)
    while "Ctrl-C to stop" not in (text := (tmp_path / "log").read_text()) or "The page is at" not in text:
        assert process.poll() is None, text
        time.sleep(0.1)
    started = list_descendants(process.pid)
    for _ in range(count):
        process.send_signal(number)
        time.sleep(0.05)
    try:
        status = process.wait(60)
        left = [pid for pid in started if is_running(pid)]
    finally:
        process.kill()
        for pid in filter(is_running, started):
            os.kill(pid, signal.SIGKILL)
    assert len(started) > 2 and not left
    assert status == 0 and "Traceback" not in (tmp_path / "log").read_text()
