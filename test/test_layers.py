"""What import-linter (pyproject.toml) cannot say of imports: circles of files, and what start-up may load."""
import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sdf_frames

PACKAGE = Path(sdf_frames.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
ROS = re.compile(r"(rclpy|ament_index_python|launch|launch_ros|tf2_\w+|rcl_interfaces|builtin_interfaces|\w+_msgs)$")
MOST_LINES = 400


def module_of(path: Path) -> str:
    """Dotted name of a file of the package."""
    parts = ("sdf_frames", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path):
    """Dotted names of everything that a file imports, wherever in it."""
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")
                base = ".".join(above[:len(above) - node.level + 1] + ([base] if base else []))
            for alias in node.names:
                yield f"{base}.{alias.name}"


def test_no_circle_of_files():
    modules = {module_of(path): path for path in FILES if path.parent != PACKAGE or path.stem != "__init__"}
    imports = {module: {found for name in imports_of(path)
                        if (found := name if name in modules else name.rpartition(".")[0]) in modules}
               for module, path in modules.items()}
    list(TopologicalSorter(imports).static_order())  # names the circle, if there is one
    assert imports["sdf_frames.sdf.include"] > {"sdf_frames.sdf.reading", "sdf_frames.diagnostics"}


def test_a_file_is_read_in_one_sitting():
    assert [path.name for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES] == []


def loaded_by(statement: str) -> set:
    """Modules in ``sys.modules`` of a fresh interpreter after a statement."""
    out = subprocess.run([sys.executable, "-c", f"{statement}\nimport sys\nprint(*sys.modules)"],
                         cwd=PACKAGE.parent, capture_output=True, text=True, check=True).stdout
    return set(out.split())


@pytest.mark.parametrize("module", ["cli", "convert", "convert.urdf_to_sdf", "urdf", "urdf.parse", "document",
                                    "document.xml_in", "writers.as_urdf", "api.uris", "sdf", "sdf.parse", "diagnostics",
                                    "load"])
def test_start_up_loads_no_numpy(module):
    assert not loaded_by(f"import sdf_frames.{module}") & {"numpy", "scipy", "trimesh", "rclpy"}


def test_reading_and_converting_a_urdf_loads_no_numpy():
    assert "numpy" not in loaded_by(
        "import sdf_frames\n"
        "assert sdf_frames.loads('<robot name=\"r\"><link name=\"l\"/></robot>', massless='keep').to_sdf()")


def test_checking_a_file_imports_neither_dataclasses_nor_urllib():
    """Start-up is a feature: they take 5 and 2 ms, and 0.4 ms more for each class."""
    text = '<sdf version="1.12"><model name="m"><link name="l"/></model></sdf>'
    loaded = loaded_by(f"from sdf_frames.load import load_text\nassert load_text({text!r}).valid\n"
                       "import sdf_frames.cli.check")
    at_start = loaded_by("pass")  # what the environment loads for every program, as ROS 2 from PyPI does
    assert not (loaded - at_start) & {"dataclasses", "urllib", "xacro"}


def test_checking_a_robot_loads_only_what_it_needs():
    """Each module takes 0.1 to 0.5 ms of 40: to read includes, mend XML or compute inertias is for few."""
    text = '<robot name="r"><link name="l"/></robot>'
    loaded = loaded_by(f"from sdf_frames.load import load_text\nassert load_text({text!r}).robot\n"
                       "import sdf_frames.cli.check") - loaded_by("pass")
    assert not loaded & {"dataclasses", "json", *[f"sdf_frames.{name}" for name in (
        "sdf.include", "sdf.schema", "sdf.upgrade", "sdf.look_ahead", "document.xml_scan", "inertia.compute",
        "cli.known")]}


def test_the_library_loads_without_ros():
    assert not {m for m in loaded_by("import sdf_frames.load, sdf_frames.cli, sdf_frames.checks.joints")
                if ROS.match(m.partition(".")[0])}


def test_each_file_of_tests_has_a_name_of_its_own():
    """pytest stops at the second of a name, where the folders are no packages."""
    names = [p.name for p in Path(__file__).parent.rglob("test_*.py") if not (p.parent / "__init__.py").exists()]
    assert sorted(names) == sorted(set(names))
