"""What the files of the package say of it: one version, one list of dependencies, a text for the package index."""
import re
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sdf_frames

TOP = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not (TOP / "pyproject.toml").exists(), reason="not run from the source tree")
#: Packages of the library that have no rosdep key but one for pip, which no release can depend on.
WITHOUT_KEY = {"trimesh"}
#: Names of rosdep keys that are not python3-NAME.
KEYS = {"pycollada": "python3-collada", "xacro": "xacro"}


def read_project() -> dict:
    """The table [project]; dependencies of single versions of Python are left out (tomli, of Python 3.10)."""
    tomllib = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project | {"dependencies": [r for r in project["dependencies"] if ";" not in r]}


def read_keys() -> set:
    return {e.text for e in ElementTree.parse(TOP / "package.xml").getroot() if e.tag.endswith("depend")}


def split(requirement: str) -> tuple:
    name, _, bound = requirement.partition(">=")
    return name, tuple(int(part) for part in bound.split("."))


def test_there_is_one_version():
    assert ElementTree.parse(TOP / "package.xml").findtext("version") == sdf_frames.__version__


def test_no_key_of_rosdep_is_for_pip_alone():
    """`bloom` cannot release a package that depends on one, and Ubuntu 24.04 does not let pip install it."""
    assert [key for key in read_keys() if key.endswith("-pip")] == []


def test_rosdep_installs_the_dependencies_of_pip():
    project = read_project()
    names = {split(r)[0] for r in (*project["dependencies"], *project["optional-dependencies"]["xacro"])} - WITHOUT_KEY
    assert {KEYS.get(name, f"python3-{name}") for name in names} <= read_keys()


def test_the_lowest_versions_are_those_of_the_oldest_distribution():
    """lxml's is higher: the distribution mends its own 4.8.0."""
    project = read_project()
    pins = dict(re.findall(r"^([a-z0-9]+)==(\S+)$", (TOP / "tools/distros/ubuntu-22.04.txt").read_text(), re.MULTILINE))
    extras = project["optional-dependencies"]
    bounds = [split(r) for r in (*project["dependencies"], *extras["meshes"], *extras["completion"], *extras["test"])]
    assert len(bounds) == 10
    for name, bound in bounds:
        pin = tuple(int(part) for part in pins[name].split("."))
        assert bound == pin[:len(bound)] or (name == "lxml" and bound == (4, 9, 1)), name


def test_the_set_up_installs_the_library_s_requirements(monkeypatch):
    monkeypatch.syspath_prepend(str(TOP / "tools/bootstrap"))
    from wheels import read_requirements
    project = read_project()
    wanted = {*project["dependencies"], *(r for extra in project["optional-dependencies"].values() for r in extra)}
    assert {r for r in read_requirements() if ";" not in r} == {r for r in wanted if "[" not in r}


def test_the_text_for_the_package_index_leads_to_no_file_of_the_repository(monkeypatch):
    setuptools = pytest.importorskip("setuptools")
    told = {}
    monkeypatch.setattr(setuptools, "setup", lambda **arguments: told.update(arguments))
    describe = runpy.run_path(str(TOP / "setup.py"))["describe"]
    text = told["long_description"]
    assert [target for target in re.findall(r"\]\(([^)]*)\)", text) if not target.startswith(("http", "#"))] == []
    assert "src=" not in text and len(text) > 2000
    assert describe("see [the *limits*](docs/limits.md), ![x](a.png)") == "see the *limits*, "
    assert describe("[![x](a.png)](docs/a.md) [y](https://a.b/c)") == " [y](https://a.b/c)"
    assert describe('<img width="9" src="a.png">b') == "b"
