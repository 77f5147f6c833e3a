"""What the launch file makes of its arguments, with stand-ins for launch, which is not on PyPI."""

import sys
from collections import namedtuple
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from urdf_text import joint, link, robot

pytest.importorskip("rclpy")

from sdf_frames.ros.launch_arguments import ARGUMENTS

FILE = Path(__file__).resolve().parents[2] / "launch" / "convert.launch.py"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="not run from the source tree")

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
BARE_ROOT = robot(link("base"), link("tip", 1), joint("j", "revolute", "base", "tip", LIMIT))
BARE_TIP = robot(link("base", 1), link("tip"), joint("j", "revolute", "base", "tip", LIMIT))
NESTED = '<sdf version="1.9"><model name="m"><model name="arm"><link name="base"/></model></model></sdf>'
MADE = ("DeclareLaunchArgument", "OpaqueFunction", "LifecycleNode", "Node", "SetRemap", "FindPackageShare",
        "PathJoinSubstitution", "LaunchDescription")
#: A value marked as text.
Marked = namedtuple("Marked", "value value_type")


@pytest.fixture
def make_nodes(monkeypatch):
    """Function from arguments to what is started: the keyword arguments of each node, by its package."""
    stands = {name: type(name, (SimpleNamespace,), {"__init__": lambda self, *_, **given: vars(self).update(given)})
              for name in MADE}
    stands |= {"get_logger": lambda _: SimpleNamespace(warning=print), "ParameterValue": Marked,
               "LaunchConfiguration": lambda name: SimpleNamespace(perform=lambda values: values[name])}
    for name in ("launch", "launch.actions", "launch.logging", "launch.substitutions", "launch_ros",
                 "launch_ros.actions", "launch_ros.parameter_descriptions", "launch_ros.substitutions"):
        module = ModuleType(name)
        vars(module).update(stands)
        monkeypatch.setitem(sys.modules, name, module)
    spec = spec_from_file_location("convert_launch", FILE)
    file = module_from_spec(spec)
    spec.loader.exec_module(file)
    monkeypatch.setattr(file, "require_package", lambda *_: None)
    values = {argument.name: argument.default for argument in ARGUMENTS}
    return lambda **given: {node.package: node for node in file.make_nodes({**values, **given})}


@pytest.mark.parametrize("text, given, refusal", [
    (BARE_ROOT, {}, "C004"), (BARE_ROOT, {"massless": "keep"}, ""),
    (BARE_TIP, {}, ""), (BARE_TIP, {"massless": "error"}, "C002"),
    (BARE_TIP, {"limits": "elements=3"}, "X024"), ("", {}, "needs the argument model or robot_description")])
def test_strict_judges_as_the_node_does(make_nodes, text, given, refusal):
    if refusal:
        with pytest.raises(RuntimeError, match=refusal):
            make_nodes(robot_description=text, strict="true", **given)
    else:
        assert make_nodes(robot_description=text, strict="true", **given).keys() == {"sdf_frames"}


@pytest.mark.parametrize("given, problem", [
    ({"limits": "faces=x"}, "the argument limits is refused: "),
    ({"scope_separator": ""}, "the argument scope_separator is empty"),
    ({"publish_frequency": "often"}, "the argument publish_frequency: could not convert"),
    ({"time_limit": "nan"}, "the argument time_limit is nan, not from")])
def test_a_value_that_the_node_would_refuse_ends_the_launch(make_nodes, given, problem):
    with pytest.raises(RuntimeError, match=problem):
        make_nodes(**given)


def test_robot_state_publisher_is_started_within_the_limits_of_the_node(make_nodes, capsys):
    given = {"robot_description": BARE_TIP, "robot_state_publisher": "true", "frame_prefix": "1"}
    nodes = make_nodes(**given)
    assert nodes["robot_state_publisher"].parameters == [
        {"use_sim_time": False, "frame_prefix": Marked("1", str), "robot_description": Marked(BARE_TIP, str)}]
    assert nodes["sdf_frames"].parameters[0]["tf_mode"] == Marked("complement", str)
    assert make_nodes(**given, limits="elements=3").keys() == {"sdf_frames"}
    assert "robot_state_publisher is not started: " in capsys.readouterr().out


@pytest.mark.parametrize("given, root", [
    ({}, "arm/base"), ({"scope_separator": "_"}, "arm_base"), ({"frame_prefix": "r/"}, "r/arm/base"),
    ({"limits": "elements=2"}, "")])
def test_the_fixed_frame_of_rviz_is_the_root_of_the_tf_of_the_node(make_nodes, given, root):
    found = make_nodes(robot_description=NESTED, rviz="true", **given)["rviz2"].arguments
    assert found[2:] == (["-f", root] if root else [])


def test_the_fixed_frame_of_rviz_may_be_in_an_included_model(make_nodes, tmp_path):
    for name, content in ("part", '<link name="base"/>'), ("whole", "<include><uri>model://part</uri></include>"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.config").write_text(f"<model><name>{name}</name><sdf>model.sdf</sdf></model>")
        (tmp_path / name / "model.sdf").write_text(
            f'<sdf version="1.9"><model name="{name}">{content}</model></sdf>')
    assert make_nodes(model=str(tmp_path / "whole"), rviz="true")["rviz2"].arguments[2:] == ["-f", "part/base"]
