"""The workflows for GitHub, which cannot run here: what they name is there."""
import re
import runpy
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((TOP / ".github" / "workflows").glob("*.yml"))
pytestmark = pytest.mark.skipif(not (TOP / "pyproject.toml").exists(), reason="not run from the source tree")


def read(path: Path) -> dict:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps() -> list[str]:
    return [step["run"] for path in WORKFLOWS for job in read(path)["jobs"].values() for step in job["steps"]
            if "run" in step]


def test_every_target_of_make_exists():
    targets = set(re.findall(r"^([a-z][a-z-]*):", (TOP / "Makefile").read_text(), re.MULTILINE))
    named = {match for step in steps() for match in re.findall(r"\bmake ([a-z-]+)", step)}
    assert {"lint", "docs", "dist"} <= named <= targets


def test_every_target_of_make_is_tried_each_week():
    phony = re.search(r"^\.PHONY: (.*)$", (TOP / "Makefile").read_text(), re.MULTILINE)[1].split()
    assert set(runpy.run_path(str(TOP / "tools" / "try_targets.py"))["TARGETS"]) == set(phony)
    weekly = read(TOP / ".github/workflows/targets.yml")
    assert weekly[True]["schedule"] == [{"cron": "17 3 * * 1"}], "YAML 1.1 reads `on` as true"
    assert weekly["jobs"]["make"]["steps"][-1]["run"] == "python tools/try_targets.py"


def test_the_library_runs_on_every_python_and_system():
    matrix = read(TOP / ".github/workflows/library.yml")["jobs"]["test"]["strategy"]["matrix"]
    classified = re.findall(r"Python :: (3\.\d+)", (TOP / "pyproject.toml").read_text())
    assert matrix["python"] == classified and len(classified) == 5
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}


def test_the_page_is_tried_with_both_ends_of_the_range_of_viser():
    matrix = read(TOP / ".github/workflows/library.yml")["jobs"]["page"]["strategy"]["matrix"]
    low, high = re.search(r'"viser>=([\d.]+),<([\d.]+)"', (TOP / "pyproject.toml").read_text()).groups()
    assert matrix == {"viser": [f"=={low}", f"<{high}"]}


def test_the_extras_that_are_installed_exist():
    extras = set(re.findall(r"^(\w+) = \[", (TOP / "pyproject.toml").read_text(), re.MULTILINE))
    named = {name for step in steps() for group in re.findall(r"\.\[([\w,]+)\]", step) for name in group.split(",")}
    assert named and named <= extras


def test_ros_is_tried_on_three_distributions():
    matrix = read(TOP / ".github/workflows/ros.yml")["jobs"]["industrial_ci"]["strategy"]["matrix"]
    assert matrix == {"distro": ["humble", "jazzy", "rolling"]}


@pytest.mark.parametrize("name", ["wrong_result", "idea"])
def test_issue_forms_have_unique_fields(name):
    form = read(TOP / f".github/ISSUE_TEMPLATE/{name}.yml")
    fields = [field["id"] for field in form["body"]]
    assert form["name"] and form["description"] and len(fields) == len(set(fields)) >= 3
