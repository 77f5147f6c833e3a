"""What this machine has: a Python, a compiler, CMake, perhaps a ROS 2; and what to install where something is
missing."""
from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from steps import SetupFailed

#: Pythons that the ROS 2 wheels are built for, best first.
WHEEL_PYTHONS = ("3.12", "3.11", "3.10", "3.13", "3.14")

#: Asked of a candidate interpreter: version, `venv` usable, C headers there.
_PROBE = """
import os, sys, sysconfig
try:
    import ensurepip, venv
    has_venv = 1
except ImportError:
    has_venv = 0
header = os.path.join(sysconfig.get_path("include"), "Python.h")
print("%d.%d" % sys.version_info[:2], has_venv, int(os.path.exists(header)), sys.executable)
"""


class Interpreter:
    """One Python of this machine.

    Attributes
    ----------
    path : str
        The executable.
    version : str
        Major and minor version, such as `3.11`.
    has_venv, has_headers : bool
        Whether it can make virtual environments, and whether `Python.h` is installed.
    """

    def __init__(self, path: str, version: str, has_venv: bool, has_headers: bool):
        self.path, self.version, self.has_venv, self.has_headers = path, version, has_venv, has_headers


def probe_interpreter(command: str) -> Interpreter | None:
    """Ask a Python what it is; None where it does not run."""
    try:
        # -I: an interpreter must be judged without what PYTHONPATH adds to it.
        answer = subprocess.run([command, "-I", "-c", _PROBE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                timeout=30).stdout.decode().split(None, 3)
        return Interpreter(answer[3].strip(), answer[0], answer[1] == "1", answer[2] == "1")
    except (OSError, IndexError, subprocess.SubprocessError):
        return None


def find_wheel_python() -> Interpreter:
    """Find a Python that the ROS 2 wheels run on.

    `PYTHON` in the environment decides where it is set. Otherwise the `python3` of the path comes first, then
    `python3.12` and so on, then those of pyenv.

    Raises
    ------
    SetupFailed
        None is there, or the one there lacks `venv` or the C headers; the message says what to install.
    """
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise SetupFailed(
            f"ROS 2 is not sourced here, and the ROS 2 packages on PyPI are for x86-64 Linux only (this is "
            f"{platform.system()} on {platform.machine()}).\nInstall ROS 2 (see https://docs.ros.org), source its "
            f"setup.bash and run make again.")
    asked = os.environ.get("PYTHON")
    if asked:
        found = probe_interpreter(asked)
        if found is None:
            raise SetupFailed(f"PYTHON={asked} does not run.")
        if found.version not in WHEEL_PYTHONS:
            raise SetupFailed(f"PYTHON={asked} is Python {found.version}; the ROS 2 packages on PyPI need one of "
                              f"{', '.join(sorted(WHEEL_PYTHONS, key=float_of))}.")
        candidates = [found]
    else:
        commands = ["python3"] + [f"python{version}" for version in WHEEL_PYTHONS]
        pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
        commands += [str(path) for version in WHEEL_PYTHONS for path in sorted(pyenv.glob(f"{version}.*/bin/python"))]
        candidates = []
        for command in commands:
            found = probe_interpreter(command)
            if found is not None and found.version in WHEEL_PYTHONS:
                if found.has_venv and found.has_headers:
                    return found
                candidates.append(found)
    if not candidates:
        raise SetupFailed(
            "No Python 3.10 to 3.14 found.\nInstall one:  apt-get install python3 python3-venv python3-dev\n"
                          "or name one:   make PYTHON=path/to/python3 ...")
    best = candidates[0]
    missing = [name for name, there in ((f"python{best.version}-venv", best.has_venv),
                                        (f"python{best.version}-dev", best.has_headers)) if not there]
    if missing:
        raise SetupFailed(f"{best.path} (Python {best.version}) lacks {' and '.join(missing)}.\n"
                          f"Install:  apt-get install {' '.join(missing)}")
    return best


def float_of(version: str) -> tuple:
    """Order `3.9` before `3.10`."""
    return tuple(int(part) for part in version.split("."))


def check_build_tools() -> None:
    """See that a C++ compiler, make and CMake >= 3.20 are there.

    Raises
    ------
    SetupFailed
        Something is missing; the message names it with the command that installs it.
    """
    missing = []
    if not (os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")):
        missing.append(("a C++ compiler", "g++"))
    if not (os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")):
        missing.append(("a C compiler", "gcc"))
    if not shutil.which("make"):
        missing.append(("make", "make"))
    if not shutil.which("cmake"):
        missing.append(("CMake", "cmake"))
    if missing:
        raise SetupFailed(f"Missing: {', '.join(what for what, _ in missing)}.\n"
                          f"Install:  apt-get install {' '.join(package for _, package in missing)}")
    words = subprocess.run(["cmake", "--version"], stdout=subprocess.PIPE).stdout.decode().split()
    version = words[2] if len(words) > 2 else "0"
    if float_of(".".join(version.split("-")[0].split(".")[:2])) < (3, 20):
        raise SetupFailed(f"CMake {version} is too old, 3.20 is needed.\nInstall:  pip install 'cmake>=3.20,<4'")


def sourced_ros() -> str | None:
    """Name the ROS 2 distribution that is sourced in this shell, None where there is none.

    A shell in which this work tree's own set-up was sourced does not count.
    """
    distro, prefixes = os.environ.get("ROS_DISTRO"), os.environ.get("AMENT_PREFIX_PATH")
    if not distro or not prefixes or os.environ.get("SDF_FRAMES_WHEELS"):
        return None
    if not any((Path(prefix) / "share" / "rclpy").is_dir() for prefix in prefixes.split(os.pathsep)):
        return None
    return distro


def has_ros_package(name: str, prefixes: str) -> bool:
    """Tell whether one of the colon-separated ROS prefixes holds package `name`."""
    return any((Path(prefix) / "share/ament_index/resource_index/packages" / name).exists()
               for prefix in prefixes.split(os.pathsep) if prefix)
