"""Set up everything that `make run` and `make test` need, once, into the work tree.

    python3 tools/bootstrap [--home .ros]

With a ROS 2 sourced (`ROS_DISTRO` and `AMENT_PREFIX_PATH` set) that one is used, and only the Python packages that
it lacks are added. Without one, ROS 2 Jazzy comes from PyPI. Standard library only: nothing is installed yet when
this runs.
"""
from __future__ import annotations

import argparse
import fcntl
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from machine import check_build_tools, find_wheel_python, has_ros_package, sourced_ros  # noqa: E402
from steps import SetupFailed, hash_of, say  # noqa: E402
from wheels import install_missing_modules, install_wheels, wheels_hash  # noqa: E402
from workspace import Workspace, describe_result, source_wheels  # noqa: E402


def set_up(tree: Path, home: Path) -> None:
    """Bring the work tree to the state where the package is built and can be sourced.

    Raises
    ------
    SetupFailed
        Something is missing or a step failed; the message says what to do.
    """
    start = time.monotonic()
    distro = sourced_ros()
    wheels = distro is None
    workspace = Workspace(tree, home, source_wheels(home / "venv") if wheels else "")
    check_build_tools()
    if wheels:
        ready = home / "venv" / "setup.bash"
        # The interpreter of a finished environment is taken as found: probing costs more than all the rest.
        python = remembered_python(home) if ready.exists() else None
        if python is None or not workspace.stamps.is_current("ros", wheels_hash(python)):
            found = find_wheel_python()
            python = found.path
            say(f"-- No ROS 2 is sourced: using ROS 2 Jazzy from PyPI with Python {found.version} ({python})")
            workspace.stamps.forget("ros")
            install_wheels(python, workspace.venv, workspace.log)
            (home / "python").write_text(f"{os.environ.get('PYTHON', '')}\n{python}")
            workspace.stamps.set("ros", wheels_hash(python))
        underlay_hash = wheels_hash(python)
        prefixes = str(workspace.venv)
    else:
        prefixes = os.environ["AMENT_PREFIX_PATH"]
        underlay_hash = hash_of(distro, prefixes, Path(__file__).parent / "wheels.py")
        if not workspace.stamps.is_current("ros", underlay_hash):
            say(f"-- Using the ROS 2 that is sourced: {distro}")
            workspace.stamps.forget("ros")
            install_missing_modules(workspace.venv, workspace.log)
            workspace.stamps.set("ros", underlay_hash)
    outside = os.pathsep.join(prefix for prefix in prefixes.split(os.pathsep) if Path(prefix) != workspace.install)
    built = workspace.build(not has_ros_package("tf2_msgs", outside), underlay_hash)
    workspace.write_setup_file(wheels)
    describe_result(workspace, built, time.monotonic() - start)


def remembered_python(home: Path) -> str | None:
    """Give the interpreter that the environment was made with, None where another one is asked for now or it is
    gone."""
    try:
        asked, python = (home / "python").read_text().split("\n")
    except (OSError, ValueError):
        return None
    return python if asked == os.environ.get("PYTHON", "") and Path(python).exists() else None


def main() -> int:
    """Run the set-up and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--home", default=".ros", help="folder for everything that is built (default: .ros)")
    arguments = parser.parse_args()
    tree = Path(__file__).resolve().parents[2]
    home = (tree / arguments.home).resolve()
    home.mkdir(parents=True, exist_ok=True)
    (home / "COLCON_IGNORE").touch()
    try:
        with (home / "lock").open("w") as lock:
            # Two makes at once would build into one folder; the second waits.
            fcntl.flock(lock, fcntl.LOCK_EX)
            set_up(tree, home)
    except SetupFailed as failure:
        say(f"\nSet-up stopped. {failure}")
        return 1
    except KeyboardInterrupt:
        say("\nSet-up interrupted; the next run goes on from the last finished step.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
