"""xacro files on the command line, with arguments."""
import json

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


def test_lines_are_those_of_what_xacro_makes(tmp_path, capsys):
    file = tmp_path / "robot.urdf.xacro"
    file.write_text(ROBOT.replace("${1+1}", "${7+2}"))
    assert main(["check", str(file)]) == 1
    said = capsys.readouterr().err.splitlines()
    # No line of the file itself, which holds a macro; the line quoted is of the text in which it stands expanded.
    assert said[0].startswith(f"{file}: error I001 inertia-invalid: ")
    assert said[1].strip() == "| <inertial>" and said[2].endswith(" once expanded")
    for form, place in ("json", '"line": null'), ("github", f"::error file={file},title="), ("sarif", f'"{file}"}}}}, "logical'):
        assert main(["check", "--format", form, str(file)]) == 1
        assert place in capsys.readouterr().out


def test_fix_leaves_a_xacro_file_alone(tmp_path, capsys):
    file = tmp_path / "m.sdf.xacro"
    text = """<sdf version="1.6" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="n" value="a"/><model name="m">
        <link name="${n}"/><joint name="a" type="fixed"><parent>world</parent><child>a</child></joint></model></sdf>"""
    file.write_text(text)
    assert main(["check", "--fix", str(file)]) == 0
    assert file.read_text() == text and "name-renamed" in capsys.readouterr().err


def test_the_file_in_which_xacro_fails_is_named(tmp_path, capsys):
    outer, inner = tmp_path / "robot.xacro", tmp_path / "part.xacro"
    start = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    outer.write_text(f'{start}<xacro:include filename="part.xacro"/></robot>')
    for content, said, hint in (
            ('<link name="${nothing}"/></robot>', "name 'nothing' is not defined", None),
            ("<link></robot>", "mismatched tag: line 1", None),
            ('<link name="$(arg side)"/></robot>', "side", "arguments are given as name:=value, to the launch file in xacro_args")):
        inner.write_text(start + content)
        assert main(["check", "--json", str(outer)]) == 1
        (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
        assert finding["name"] == "xacro-failed" and finding["file"] == str(inner) and said in finding["message"]
        assert [r["file"] for r in finding["related"]] == [str(outer)] and finding["hint"] == hint
