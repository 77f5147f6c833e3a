"""One table of launch arguments: for Python, XML and YAML, the node's parameters and docs/ros.md."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sdf_frames.ros.launch_arguments import ARGUMENTS
from sdf_frames.ros.settings import PARAMETERS

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs" / "ros.md"


def test_arguments_that_are_parameters_have_the_same_defaults():
    shared = {a.name: a.default for a in ARGUMENTS if a.name in PARAMETERS} | {"tf_mode": "all"}
    assert len(shared) == 22
    for name, default in shared.items():
        value = PARAMETERS[name].default
        expected = str(value).lower() if isinstance(value, bool) else str(value or "")
        assert default == expected, name


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_the_example_of_parameters_leaves_launch_arguments_alone():
    """A file overrides the arguments: tf_mode there would undo what robot_state_publisher:=true needs."""
    text = (TOP / "config" / "sdf_frames.yaml").read_text(encoding="utf-8")
    is_set, is_shown = (set(re.findall(rf"^    {mark}(\w+):", text, re.MULTILINE)) for mark in ("", "#"))
    arguments = {"model_file", *(argument.name for argument in ARGUMENTS)}
    assert is_set == {"time_limit"} and is_shown <= arguments, "ROS refuses a file without any value"
    assert is_set | is_shown == PARAMETERS.keys() - {"robot_description"}


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_the_docs_list_every_parameter_with_its_default():
    section = PAGE.read_text(encoding="utf-8").split("### Parameters")[1].split("\n### ")[0]
    rows = re.findall(r"^\| ((?:`\w+`,? ?)+) \| (.*?) \|", section, re.MULTILINE)
    listed = {name: default.strip("`") for names, default in rows for name in re.findall(r"\w+", names)}
    assert listed.keys() == PARAMETERS.keys()
    for name, default in listed.items():
        value = PARAMETERS[name].default
        assert default in (("empty", "none") if value in ("", ()) else (str(value).lower(),)), name


@pytest.mark.skipif(not PAGE.exists(), reason="not run from the source tree")
def test_the_docs_list_every_service():
    section = PAGE.read_text(encoding="utf-8").split("### Services")[1].split("\n### ")[0]
    listed = re.findall(r"^\| `(\w+)`", section, re.MULTILINE)
    kinds = [path.stem for path in (TOP / "srv").glob("*.srv")]
    assert sorted(listed) == sorted(re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower() for kind in kinds)


@pytest.mark.skipif(shutil.which("ros2") is None, reason="ros2 launch is not installed; it is not on PyPI")
@pytest.mark.parametrize("kind", ["py", "xml", "yaml"])
def test_every_launch_file_has_all_arguments(kind, ros_environment):
    pytest.importorskip("launch_ros", reason="ros2 launch is not installed; it is not on PyPI")
    done = subprocess.run(["ros2", "launch", "sdf_frames", f"convert.launch.{kind}", "--show-args"], text=True,
                          env=ros_environment, stdout=subprocess.PIPE, check=True)
    shown = re.findall(r"^    '(\w+)':\n        (.*)\n        \(default: '(.*)'\)$", done.stdout, re.MULTILINE)
    assert [(name, default) for name, _, default in shown] == [(a.name, a.default) for a in ARGUMENTS]
    assert all(text.startswith(argument.description) for (_, text, _), argument in zip(shown, ARGUMENTS))
