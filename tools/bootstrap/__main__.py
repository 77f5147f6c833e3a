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

from machine import check_build_tools, find_wheel_python, sourced_ros  # noqa: E402
from steps import SetupFailed, hash_of, is_current, say  # noqa: E402
from wheels import RECIPE, install_missing_modules, install_wheels  # noqa: E402
from workspace import Workspace  # noqa: E402


def set_up(workspace: Workspace, distro: str | None) -> bool:
    """Build the package in the work tree, so that it can be sourced; return whether something was built.

    Raises
    ------
    SetupFailed
        Something is missing or a step failed; the message says what to do.
    """
    check_build_tools()
    prefixes = os.environ["AMENT_PREFIX_PATH"] if distro else str(workspace.venv)
    stamp = workspace.stamps / "ros"
    value = hash_of(distro, prefixes, os.environ.get("PYTHON"), *RECIPE)
    # The environment's Python is a link, which is broken if its interpreter was removed.
    if not (is_current(stamp, value) and (workspace.venv / "bin/python").exists()):
        if distro:
            say(f"-- Using the ROS 2 that is sourced: {distro}")
            install_missing_modules(workspace.venv, workspace.log)
        else:
            found = find_wheel_python()
            say(f"-- No ROS 2 is sourced: using ROS 2 Jazzy from PyPI with Python {found.version} ({found.path})")
            install_wheels(found.path, workspace.venv, workspace.log)
        stamp.write_text(value)
    built = workspace.build(prefixes, value)
    workspace.write_setup_file()
    return built


def main() -> int:
    """Run the set-up and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--home", default=".ros", help="folder for everything that is built (default: .ros)")
    tree = Path(__file__).resolve().parents[2]
    home = (tree / parser.parse_args().home).resolve()
    home.mkdir(parents=True, exist_ok=True)
    (home / "COLCON_IGNORE").touch()
    start, distro = time.monotonic(), sourced_ros()
    try:
        with (home / "lock").open("w") as lock:
            # Two makes at the same time would build into one folder; the second waits.
            fcntl.flock(lock, fcntl.LOCK_EX)
            built = set_up(Workspace(tree, home, wheels=distro is None), distro)
    except SetupFailed as failure:
        say(f"\nSet-up stopped. {failure}")
        return 1
    except KeyboardInterrupt:
        say("\nSet-up interrupted; the next run goes on from the last finished step.")
        return 130
    say(f"-- Set up in {time.monotonic() - start:.1f} s ({'built' if built else 'nothing to build'}). For a shell with "
        f"all of it:  source {os.path.relpath(home / 'setup.bash')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
