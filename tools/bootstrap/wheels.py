"""ROS 2 Jazzy from PyPI, in a virtual environment that then works like an installation under /opt/ros.

The wheels are complete, but were made for Python alone. Two things turn the environment into a prefix that CMake and
colcon build against: the paths of the machine that built the wheels are replaced in their CMake files, and the
`setup.bash` family that every ROS installation has at its root is written.
"""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

from steps import SetupFailed, run_command

_INSTALL = ("-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off")

_TOOLS = Path(__file__).resolve().parents[1]
_ROS, _COLCON = _TOOLS / "requirements-ros.txt", _TOOLS / "requirements-colcon.txt"
_PROJECT = _TOOLS.parent / "pyproject.toml"


def read_requirements() -> list[str]:
    """Return the requirements of the library and its extras; Python 3.10 has no reader of TOML."""
    text = _PROJECT.read_text(encoding="utf-8").partition("\ndependencies = ")[2].partition("[project.scripts]")[0]
    return re.findall(r'"([\w-]+[<>=][^"]*)"', text)


#: What decides how an environment is made.
RECIPE = (Path(__file__), _ROS, _COLCON, *read_requirements())


def install_wheels(python: str, venv: Path, log: Path) -> None:
    """Make the virtual environment anew, with ROS 2 Jazzy and everything else; logs go to a folder."""
    run_command("Making a virtual environment", [python, "-I", "-m", "venv", "--clear", venv], log / "venv.log")
    run_command("Installing ROS 2 Jazzy, colcon and Python packages from PyPI (about 300 MB, 20 to 60 s)",
                # Isolated: a shell prepared for another work tree names that one's packages in PYTHONPATH.
                [venv / "bin/python", "-I", *_INSTALL, "-r", _ROS, *read_requirements()],
                log / "pip.log")
    relocate_cmake_files(venv)
    write_prefix_files(venv)


def relocate_cmake_files(venv: Path) -> None:
    """Replace the paths of the machine that built the wheels in their exported CMake files."""
    script = "import sysconfig; print(sysconfig.get_path('include')); print(sysconfig.get_path('platlib'))"
    include, site_packages = subprocess.run([venv / "bin/python", "-c", script], stdout=subprocess.PIPE, text=True,
                                            check=True).stdout.splitlines()
    for path in venv.glob("share/**/*.cmake"):
        text = path.read_text()
        if "/opt/python/" in text:
            text = re.sub(r"/opt/python/cp\d+-cp\d+/include/python3\.\d+", include, text)
            path.write_text(re.sub(r"/opt/python/cp\d+-cp\d+/lib/python3\.\d+/site-packages", site_packages, text))


def write_prefix_files(venv: Path) -> None:
    """Write `setup.bash`, `local_setup.*` and their kin to the root of the environment, from ament's own templates."""
    script = """
import os, sys
from ament_package import templates
prefix = sys.argv[1]
values = {"CMAKE_INSTALL_PREFIX": prefix, "ament_package_PYTHON_EXECUTABLE": sys.executable, "SKIP_PARENT_PREFIX_PATH": ""}
for name in templates.get_prefix_level_template_names():
    source = templates.get_prefix_level_template_path(name)
    if name.endswith(".in"):
        name, text = name[:-3], templates.configure_file(source, values)
    else:
        text = open(source).read()
    with open(os.path.join(prefix, name), "w") as out:
        out.write(text)
"""  # noqa: E501
    done = subprocess.run([str(venv / "bin/python"), "-c", script, str(venv)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode or not (venv / "setup.bash").exists():
        raise SetupFailed(f"The prefix files could not be written:\n{done.stdout.decode(errors='replace')}")


def install_missing_modules(venv: Path, log: Path) -> None:
    """On top of a sourced ROS 2: make an environment that sees its packages, and add the Python packages it lacks."""
    run_command("Making a virtual environment on top of the sourced ROS 2",
                ["python3", "-m", "venv", "--clear", "--system-site-packages", venv], log / "venv.log")
    run_command("Installing what it lacks",
                [venv / "bin/python", *_INSTALL, "-r", _COLCON, *read_requirements()], log / "pip.log")
