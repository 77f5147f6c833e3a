"""Finds a Python, compilers and a sourced ROS 2 on this machine, and names what to install if something is missing."""
from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from steps import SetupFailed

#: Pythons that the ROS 2 wheels are built for, best first.
WHEEL_PYTHONS = ("3.12", "3.11", "3.10", "3.13", "3.14")

_PROBE = """
import importlib.util, os, sys, sysconfig
print("%d.%d" % sys.version_info[:2])
print(all(importlib.util.find_spec(name) for name in ("ensurepip", "venv")))
print(os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
print(sys.executable)
"""
#: Programs of the build: words for messages, the variable that may name another, commands, and Debian's package. pip
#: installs CMake.
_BUILD_TOOLS = (("a C++ compiler", "CXX", ("c++", "g++", "clang++"), "g++"),
                ("a C compiler", "CC", ("cc", "gcc", "clang"), "gcc"), ("make", "", ("make",), "make"))


class Interpreter(NamedTuple):
    """A Python: version, such as `3.11`, missing Debian packages, and the executable."""

    version: str
    missing: list[str]
    path: str


def probe_interpreter(command: str) -> Interpreter | None:
    """Return the properties of a Python; None if it does not run."""
    try:
        # -I: judge the interpreter without the modules that PYTHONPATH adds.
        version, has_venv, has_headers, path = subprocess.run(
            [command, "-I", "-c", _PROBE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=30,
        ).stdout.splitlines()
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    missing = [f"python{version}-{what}" for what, there in (("venv", has_venv), ("dev", has_headers))
               if there != "True"]
    return Interpreter(version, missing, path)


def find_wheel_python() -> Interpreter:
    """Find a Python that the ROS 2 wheels run on.

    If `PYTHON` is set in the environment, that one is used. Otherwise the `python3` of the path comes first, then
    `python3.12` and so on, then those of pyenv.

    Raises
    ------
    SetupFailed
        There is none, or it lacks `venv` or the C headers; the message says what to install.
    """
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise SetupFailed(
            f"ROS 2 is not sourced here, and the ROS 2 packages on PyPI are for x86-64 Linux only (this is "
            f"{platform.system()} on {platform.machine()}).\nInstall ROS 2 (see https://docs.ros.org), source its "
            f"setup.bash and run make again.")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    asked = os.environ.get("PYTHON")
    commands = [asked] if asked else [
        "python3", *(f"python{version}" for version in WHEEL_PYTHONS),
        *(str(path) for version in WHEEL_PYTHONS for path in sorted(pyenv.glob(f"{version}.*/bin/python")))]
    best = None
    for command in commands:
        found = probe_interpreter(command)
        if found and found.version in WHEEL_PYTHONS:
            best = best or found
            if not found.missing:
                return found
    if best:
        raise SetupFailed(f"{best.path} (Python {best.version}) lacks {' and '.join(best.missing)}.\n"
                          f"Install:  apt-get install {' '.join(best.missing)}")
    if asked:
        raise SetupFailed(f"PYTHON={asked} does not run, or is none of 3.10 to 3.14, which the ROS 2 packages need.")
    raise SetupFailed("No Python 3.10 to 3.14 found.\n"
                      "Install one:  apt-get install python3 python3-venv python3-dev\n"
                      "or name one:   make PYTHON=path/to/python3 ...")


def check_build_tools() -> None:
    """Check that compilers and make are installed.

    Raises
    ------
    SetupFailed
        Something is missing; the message names it with the command that installs it.
    """
    missing = [(what, package) for what, variable, programs, package in _BUILD_TOOLS
               if not (os.environ.get(variable) or any(map(shutil.which, programs)))]
    if missing:
        raise SetupFailed(f"Missing: {', '.join(what for what, _ in missing)}.\n"
                          f"Install:  apt-get install {' '.join(package for _, package in missing)}")


def sourced_ros() -> str | None:
    """Return the ROS 2 distribution that is sourced in this shell; None if there is none.

    A shell in which this work tree's own set-up was sourced does not count.
    """
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    if os.environ.get("SDF_FRAMES_WHEELS") or not any(Path(p, "share/rclpy").is_dir() for p in prefixes if p):
        return None
    return os.environ.get("ROS_DISTRO")
