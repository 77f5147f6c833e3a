"""xacro files on the command line, with arguments."""
import pytest

from sdf_frames.cli import main

pytest.importorskip("xacro")

ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="mass" default="1"/>
  <xacro:macro name="box" params="name"><link name="${name}"><inertial><mass value="$(arg mass)"/>
    <inertia ixx="${1+1}" iyy="2" izz="2" ixy="0" ixz="0" iyz="0"/></inertial></link></xacro:macro>
  <xacro:box name="base"/>
</robot>"""


def test_arguments_are_given_as_name_and_value(tmp_path, capsys):
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(ROBOT)
    assert main(["convert", str(file), "mass:=4.5"]) == 0
    out = capsys.readouterr().out
    assert "<mass>4.5</mass>" in out and "<ixx>2</ixx>" in out
    assert main(["check", str(file)]) == 0


def test_what_xacro_cannot_expand_is_a_finding(tmp_path, capsys):
    file = tmp_path / "robot.xacro"
    file.write_text(ROBOT.replace("${1+1}", "${nothing}"))
    assert main(["check", str(file)]) == 1
    assert "xacro-failed" in capsys.readouterr().err


def test_arguments_alone_are_wrong_usage():
    with pytest.raises(SystemExit) as stop:
        main(["check", "mass:=2"])
    assert stop.value.code == 2
