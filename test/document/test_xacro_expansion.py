"""xacro without ROS: packages are found, and what xacro makes or refuses is placed where it is written."""
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sdf_frames.diagnostics import Related
from sdf_frames.document.expanded import split_arguments
from sdf_frames.document.xacro_expansion import expand_xacro

XACRO = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
OUTER = f"""<robot name="r" {XACRO}>
  <xacro:include filename="$(find gripper)/urdf/gripper.xacro"/>
  <xacro:arg name="side" default="left"/>
  <link name="base"/>
  <xacro:gripper name="$(arg side)"
                 mass="2"/>
</robot>
"""
INNER = f"""<robot {XACRO}>
  <xacro:macro name="gripper" params="name mass">
    <link name="${{name}}_finger">
      <inertial> <mass value="${{mass}}"/> </inertial>
    </link>
    <xacro:if value="${{mass > 1}}"><link name="heavy"/></xacro:if>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def robot(tmp_path, monkeypatch):
    """A robot in one package that uses a macro of another one."""
    pytest.importorskip("xacro")
    for variable in ("AMENT_PREFIX_PATH", "SDF_PATH", "GZ_SIM_RESOURCE_PATH"):
        monkeypatch.delenv(variable, raising=False)
    for name, file, text in (("arm", "arm.xacro", OUTER), ("gripper", "gripper.xacro", INNER)):
        (tmp_path / name / "urdf").mkdir(parents=True)
        (tmp_path / name / "package.xml").write_text(f"<package><name>{name}</name></package>")
        (tmp_path / name / "urdf" / file).write_text(text)
    return tmp_path / "arm" / "urdf" / "arm.xacro"


def test_each_element_is_placed_where_it_is_written(robot):
    text = expand_xacro(str(robot), {"side": "right"})
    inner = str(robot.parents[2] / "gripper" / "urdf" / "gripper.xacro")
    assert text.findings == () and 'name="right_finger"' in text.text
    # robot, base; link, inertial and mass of the macro; the link within <xacro:if>: lines and columns counted by hand.
    assert text.places == ((str(robot), 1, 1), (str(robot), 4, 3), (inner, 3, 5),
                           (inner, 4, 7), (inner, 4, 18), (inner, 6, 35))


@pytest.mark.parametrize("change, file, line, said, around", [
    (("${mass}", "${mas}"), "gripper.xacro", 4, "name 'mas' is not defined", [("macro used here", "arm.xacro", 5)]),
    (("${name}_", "${1 +}"), "gripper.xacro", 3, "invalid syntax", [("macro used here", "arm.xacro", 5)]),
    (("</xacro:if>", ""), "gripper.xacro", 7, "mismatched tag", [("included here", "arm.xacro", 2)]),
    (("$(arg side)", "$(arg sid)"), "arm.xacro", 5, "sid", []),
    (("xacro:gripper name", "xacro:griper name"), "arm.xacro", 5, "unknown macro name", []),
    (('"base"/>', '"base">\n${1 +}</link>'), "arm.xacro", 4, "invalid syntax", []),  # the element around the text
    (("urdf/gripper.xacro", "urdf/gone.xacro"), "arm.xacro", 2, "No such file", [])])
def test_errors_of_xacro_have_a_place(robot, change, file, line, said, around):
    for path in (robot, robot.parents[2] / "gripper" / "urdf" / "gripper.xacro"):
        path.write_text(path.read_text().replace(*change))
    found = expand_xacro(str(robot), {})
    assert found.name == "xacro-failed" and said in found.message
    assert (found.file.rpartition("/")[2], found.line) == (file, line)
    assert [(r.message, r.file.rpartition("/")[2], r.line) for r in found.related] == around


def test_a_missing_package_is_named_with_what_was_tried(robot):
    robot.write_text(OUTER.replace("find gripper", "find gone"))
    found = expand_xacro(str(robot), {}, ["models"])
    assert (found.name, found.file, found.line) == ("xacro-package-missing", str(robot), 2)
    assert "'gone'" in found.message and "--resource-path" in found.hint
    assert found.hint.endswith("give --resource-path DIR (in Python: resource_paths), where DIR/gone is the package")
    (robot.parent / "models" / "gone" / "urdf").mkdir(parents=True)
    (robot.parent / "models" / "gone" / "urdf" / "gripper.xacro").write_text(INNER)
    assert expand_xacro(str(robot), {}, [str(robot.parent / "models")]).findings == ()


def test_xacro_is_left_as_it_was(robot):
    import xacro
    from xacro import substitution_args
    before = xacro.parse, substitution_args._eval_find
    for _ in range(2):
        expand_xacro(str(robot), {})
        robot.write_text("<")
    assert (xacro.parse, substitution_args._eval_find) == before


class XacroException(Exception):
    pass


@pytest.mark.parametrize("error, words", [
    (XacroException("undefined x"), "undefined x"), (ValueError("no\n number"), "ValueError: no; number"),
    (SystemExit(2), "xacro ended with status 2"), (KeyError(), "KeyError")])
def test_why_it_gave_up(error, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("a.xacro").write_text("<robot/>")

    def process_file(file, mappings):
        raise error
    stand_in = SimpleNamespace(process_file=process_file, XacroException=XacroException, filestack=None, parse=None,
                               substitution_args=SimpleNamespace(_eval_find=None))
    monkeypatch.setitem(sys.modules, "xacro", stand_in)
    found = expand_xacro("a.xacro", {})
    assert (found.name, found.file) == ("xacro-failed", "a.xacro")
    assert words in found.message and not found.message.rstrip().endswith(":")


def test_arguments_stand_anywhere():
    assert split_arguments(["a", "x:=1", "b", "y:=p:=q"]) == (["a", "b"], {"x": "1", "y": "p:=q"})


def test_a_file_with_the_sign_of_arguments_in_its_path_is_a_file(tmp_path, monkeypatch):
    """xacro takes any name before the sign, such as one with a dash; a folder before it is none."""
    monkeypatch.chdir(tmp_path)
    Path("x:=1").touch()
    words = ["robots/a:=b.urdf", "./x:=y", "x:=1", ":=b", "left-arm.x:=./p/q", "é:="]
    assert split_arguments(words) == (words[:4], {"left-arm.x": "./p/q", "é": ""})
    assert split_arguments(["x:=1"], or_files=False) == ([], {"x": "1"})


def test_files_are_called_as_they_were_named(tmp_path, monkeypatch):
    """Relative to the working directory; what includes what is told from the inmost file outwards."""
    pytest.importorskip("xacro")
    monkeypatch.chdir(tmp_path)
    Path("parts").mkdir()
    Path("a.xacro").write_text(f'<robot name="r" {XACRO}>\n<xacro:include filename="./parts/../parts/b.xacro"/>\n'
                               '<link name="l"/></robot>')
    Path("parts/b.xacro").write_text(f'<robot {XACRO}>\n<xacro:include filename="c.xacro"/><link name="k"/></robot>')
    Path("parts/c.xacro").write_text(f'<robot {XACRO}>\n<link name="${{1 / 0}}"/></robot>')
    found = expand_xacro("a.xacro", {})
    assert (found.name, found.file, found.line, found.hint) == (
        "xacro-failed", "parts/c.xacro", 2, None)
    assert found.message.startswith("xacro cannot expand a.xacro: division by zero; when evaluating expression")
    assert found.related == (Related("included here", 2, None, "parts/b.xacro"),
                             Related("included here", 2, None, "a.xacro"))
    Path("parts/c.xacro").write_text(f'<robot {XACRO}>\n<link name="q"/></robot>')
    text = expand_xacro("a.xacro", {})
    assert text.findings == () and text.file == "a.xacro"
    assert text.places == (("a.xacro", 1, 1), ("parts/c.xacro", 2, 1), ("parts/b.xacro", 2, 36), ("a.xacro", 3, 1))


@pytest.mark.parametrize("change, hint", [
    (("$(arg side)", "$(arg sid)"), "set arguments with sid:=VALUE, or in a launch file with xacro_args; this "
     "file declares the argument side"),
    (('<link name="base"/>', '<xacro:include filename="$(arg side)/none.xacro"/>'),
     "set arguments with NAME:=VALUE, or in a launch file with xacro_args; this file declares the argument side"),
    (('<link name="base"/>', '<xacro:include filename="$(find gripper)/urdf/none.xacro"/>'),
     "correct the path; if the package installs the file there, build the package and source its workspace"),
    (('<link name="base"/>', '<xacro:property name="s" value="$(arg sid)"/><link name="${s}"/>'),
     "set arguments with sid:=VALUE, or in a launch file with xacro_args; this file declares the argument side"),
    (('<link name="base"/>', '<xacro:include filename="package://gripper/none.xacro"/>'),
     "xacro does not resolve package:// here: write $(find PACKAGE)/PATH"),
    (('<xacro:arg name="side" default="left"/>\n', ""), "set arguments with side:=VALUE, or in a launch file with "
     "xacro_args"),
    (("xacro:gripper name", "xacro:griper name"), "did you mean 'gripper'?"),
    (("xacro:gripper name", "xacro:wheel name"), "define it with <xacro:macro>, or include the file that does"),
    (('<link name="base"/>', '<xacro:property name="radius" value="1"/><link name="${raduis}"/>'),
     "did you mean 'radius'?"),
    (('<link name="base"/>', '<xacro:property name="whel" value="1"/><xacro:wheel/>'),
     "define it with <xacro:macro>, or include the file that does"),
    (('<link name="base"/>', '<link name="${griper}"/>'),
     "define it with <xacro:property>, or include the file that does"),
    (('<link name="base"/>', '<link name="${side}"/>'),
     "define it with <xacro:property>, or include the file that does"),
    ((XACRO, ""), 'write xmlns:xacro="http://www.ros.org/wiki/xacro" into <robot>, which declares the prefix')])
def test_a_missing_argument_has_a_hint(robot, change, hint):
    robot.write_text(OUTER.replace(*change))
    found = expand_xacro(str(robot), {})
    assert (found.name, found.hint) == ("xacro-failed", hint)
    assert "[Errno" not in found.message


def test_a_missing_file_has_no_hint_without_arguments(tmp_path):
    (tmp_path / "r.xacro").write_text(f'<robot {XACRO} name="r"><xacro:include filename="none.xacro"/></robot>')
    found = expand_xacro(str(tmp_path / "r.xacro"), {})
    assert "No such file" in found.message and found.hint is None


@pytest.mark.parametrize("text", [
    '<xacro:arg name="side" default="left"/><link name="$(arg side)"/>', '<link name="$(arg side)"/>',
    '<link name="$(eval side)"/>',
    """<link name="${xacro.arg('side')}"/>""",
    '<xacro:include filename="part.xacro"/>'])
def test_arguments_that_have_no_effect_are_named(tmp_path, text):
    """Declared or used, in the file or in one that it includes."""
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text(f'<robot name="r" {XACRO}>{text}</robot>')
    (tmp_path / "part.xacro").write_text(
        f'<robot {XACRO}><xacro:arg name="side" default="left"/><link name="$(arg side)"/></robot>')
    file = str(tmp_path / "r.xacro")
    assert expand_xacro(file, {"side": "right"}).findings == ()
    found = expand_xacro(file, {"sied": "left", "side": "right", "wheels": "4"}).findings
    assert [(d.name, d.file, d.line, d.hint) for d in found] == [
        ("xacro-argument-unknown", file, None, "this file declares the argument side; did you mean 'side'?"),
        ("xacro-argument-unknown", file, None, "this file declares the argument side")]
    assert ["'sied'" in found[0].message, "'wheels'" in found[1].message] == [True, True]


def test_an_argument_that_is_only_declared_has_no_effect(tmp_path):
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text(
        f'<robot name="r" {XACRO}><xacro:arg name="side" default="left"/><xacro:arg name="on" default="0"/>'
        '<xacro:if value="$(arg on)"><link name="$(arg side)"/></xacro:if></robot>')
    file = str(tmp_path / "r.xacro")
    assert expand_xacro(file, {"side": "left", "on": "1"}).findings == ()
    (found,) = expand_xacro(file, {"side": "left", "on": "0"}).findings
    assert found.message == ("the argument 'side' has no effect: the file declares it, but xacro reads no "
                             "$(arg side)")


def test_an_argument_for_a_file_without_any(tmp_path):
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text(f'<robot name="r" {XACRO}/>')
    (found,) = expand_xacro(str(tmp_path / "r.xacro"), {"side": "left"}).findings
    assert (found.name, found.hint) == ("xacro-argument-unknown", None)


def test_twelve_arguments_are_named(tmp_path):
    args = "".join(f"<xacro:arg  default='1' name='a{i}'/>" for i in range(13))
    (tmp_path / "r.xacro").write_text(f'<robot {XACRO} name="$(arg name)">{args}</robot>')
    found = expand_xacro(str(tmp_path / "r.xacro"), {})
    assert found.hint.endswith(f"; this file declares the arguments {', '.join(f'a{i}' for i in range(12))}, …")


def test_a_file_that_is_not_there(tmp_path):
    found = expand_xacro(str(tmp_path / "gone.xacro"), {})
    assert (found.name, found.file) == ("file-unreadable", str(tmp_path / "gone.xacro"))
    assert "No such file or directory" in found.message
    (tmp_path / "goner.xacro").touch()
    assert expand_xacro(str(tmp_path / "gone.xacro"), {}).hint == "did you mean 'goner.xacro'?"
    found = expand_xacro(str(tmp_path), {})
    assert found.name == "file-unreadable" and "this folder has no model.config" in found.message


def test_without_xacro_that_is_the_finding(robot, monkeypatch):
    monkeypatch.setitem(sys.modules, "xacro", None)
    found = expand_xacro(str(robot), {})
    assert (found.name, found.file, found.line) == ("xacro-missing", str(robot), None)


def test_a_condition_that_is_an_attribute_is_reported_where_it_is_written(tmp_path):
    """xacro 2.1.1 drops the attribute: the link stays, whatever the condition says."""
    pytest.importorskip("xacro")
    (tmp_path / "r.xacro").write_text(f'<robot name="r" {XACRO}>\n\n <link name="b" xacro:if="false"/>\n'
                                      '<xacro:unless value="true"><link name="c"/></xacro:unless></robot>')
    expanded = expand_xacro(str(tmp_path / "r.xacro"), {})
    assert '<link name="b"/>' in expanded.text and '"c"' not in expanded.text
    (finding,) = expanded.findings
    assert (finding.name, finding.line, finding.column) == ("xacro-attribute-dropped", 3, 2)
    assert finding.hint == 'write <xacro:if value="false"> around the element'
