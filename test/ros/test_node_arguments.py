"""The command line of the programs: a file, --help, and what is refused."""

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("rclpy")

from sdf_frames.ros.node import read_arguments, split_ros_args
from sdf_frames.ros.settings import PARAMETERS

from .forked import Forked


@pytest.fixture
def run(ros_environment, tmp_path):
    """Function that runs a program with arguments: its status, and what it prints."""
    def run(program: str, *words: str) -> tuple[int, str]:
        from ament_index_python.packages import get_package_prefix
        path, log = Path(get_package_prefix("sdf_frames"), "lib/sdf_frames", program), tmp_path / "log"
        log.write_text("")
        return Forked(str(path), list(words), ros_environment, str(log)).wait(60), log.read_text()
    return run


@pytest.mark.parametrize("words, values", [
    ([], {}), (["a.sdf"], {"model_file": "a.sdf"}), (["--ros-args", "-p", "tf_mode:=none"], {}),
    (["a.xacro", "name:=my robot", "b:=", "--ros-args", "-r", "__ns:=/x"],
     {"model_file": "a.xacro", "xacro_args": "'name:=my robot' b:="}),
    (["--ros-args", "-r", "a:=b", "--", "a.xacro", "side:=left"],
     {"model_file": "a.xacro", "xacro_args": "side:=left"})])
def test_a_file_and_arguments_of_xacro_are_parameters(words, values):
    assert {parameter.name: parameter.value for parameter in read_arguments(["sdf_frames_node", *words])[""]} == values


def test_the_part_for_rcl():
    words = ["p", "--ros-args", "-r", "a:=b", "--", "c:=d", "--ros-args", "--log-level", "info"]
    assert split_ros_args(words) == (["p", "c:=d"], ["--ros-args", "-r", "a:=b", "--", "--ros-args", "--log-level",
                                                     "info"])


@pytest.mark.parametrize("words, problem", [
    (["--bogus"], "unrecognized arguments: --bogus"), (["a.sdf", "b.sdf"], "give one FILE"),
    (["a:=1"], "give one FILE")])
def test_other_arguments_are_errors(capsys, words, problem):
    with pytest.raises(SystemExit) as ended:
        read_arguments(["sdf_frames_node", *words])
    assert ended.value.code == 2 and problem in capsys.readouterr().err


@pytest.mark.parametrize("program", ["sdf_frames_node", "sdf_frames_lifecycle_node", "sdf_frames_view"])
def test_programs_explain_themselves_and_refuse_what_they_do_not_know(run, program):
    if program == "sdf_frames_view":
        pytest.importorskip("viser")
    status, shown = run(program, "--help")
    assert status == 0 and shown.startswith(f"usage: {program} [")
    assert program == "sdf_frames_view" or all(f"  {name} " in shown for name in PARAMETERS)
    status, refused = run(program, "--bogus")
    assert status == 2 and "unrecognized arguments: --bogus" in refused and "Traceback" not in refused


def test_a_missing_file_of_parameters_is_an_error_of_one_line(run):
    status, text = run("sdf_frames_node", "--ros-args", "--params-file", "no_such_file.yaml")
    assert status == 1 and "no_such_file.yaml" in text.splitlines()[-1] and "Traceback" not in text, text


@pytest.mark.parametrize("words, problem", [
    (["-p", "port:=99999"], "port is 99999, not from 0 to 65535"),
    (["-p", "port:=-1"], "port is -1, not from 0 to 65535"), (["-p", "port:=abc"], "'port' to 'abc' of type 'STRING'"),
    (["-p", "host:=203.0.113.1"], "host is '203.0.113.1': "), (["-p", "host:=a..b"], "host is 'a..b': "),
    (["-p", "upload:=1"], "'upload' to '1' of type 'INTEGER'"), (["-r", "__node:=a b"], "__node:=a b")])
def test_the_program_of_the_page_refuses_what_it_cannot_serve_in_one_line(run, words, problem):
    pytest.importorskip("viser")
    pytest.importorskip("trimesh")
    status, text = run("sdf_frames_view", "--ros-args", *words)
    line, = text.splitlines()
    assert status == 1 and line.startswith("sdf_frames_view: ") and problem in line


@pytest.mark.parametrize("words", [[], ["--ros-args", "-r", "unused:=other"]])
def test_a_file_and_its_arguments_are_taken(ros_environment, ros, tmp_path, pendulum, words):
    """Also an argument that ROS 1 would take for a remapping."""
    pytest.importorskip("xacro")
    from ament_index_python.packages import get_package_prefix
    from rclpy.qos import DurabilityPolicy, QoSProfile
    from tf2_msgs.msg import TFMessage
    program = Path(get_package_prefix("sdf_frames"), "lib/sdf_frames/sdf_frames_node")
    (tmp_path / "robot.urdf.xacro").write_text(pendulum.replace('"tip"', '"$(arg end)"').replace(
        "<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" '))
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen([program, "robot.urdf.xacro", "end:=robot_description", *words], env=ros_environment,
                                   cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    client, heard = ros.create_node("argument_tester"), []
    try:
        client.create_subscription(TFMessage, "/tf_static", heard.append, QoSProfile(
            depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        for _ in range(600):
            ros.spin_once(client, timeout_sec=0.1)
            if heard:
                break
        assert "robot_description" in {t.child_frame_id for t in heard[0].transforms}
        assert "remap" not in (tmp_path / "log").read_text()
    finally:
        process.terminate()
        assert process.wait(30) == 0
        client.destroy_node()
