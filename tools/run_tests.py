"""Run the package's tests through `colcon test`, side by side, and end with pytest's own summary line.

    python3 tools/run_tests.py [pytest options]

With pytest-xdist, which the set-up installs, several processes run the tests, one file after the other; a process that
has no more takes over half of what another has.

ctest and colcon wrap pytest's output in theirs; the wrapping is taken off, and what pytest says last is said last here.
The exit status is 0 exactly if colcon saw no failure and tests did run.
"""
from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

#: pytest's last line: `==== 12 passed, 1 skipped in 3.45s ====`, without the signs where it is told to be quiet.
SUMMARY = re.compile(
    r"^(=+ )?(no tests ran|\d+ (passed|failed|skipped|errors?|deselected|xfailed|xpassed)\b.*) in [\d.]+s.*$")
_PYTEST_COMMAND = re.compile(r"^ - .*-m pytest ")
_CTEST_PREFIX = re.compile(r"^\d+: ")


def choose_workers() -> list:
    """Options that run tests side by side: three processes more than processors, as tests of the node mostly wait."""
    if importlib.util.find_spec("xdist") is None:
        return []
    return ["-n", str((os.cpu_count() or 1) + 3), "--dist", "worksteal"]


def run_tests(tree: Path, options: list) -> int:
    """Run the tests of the work tree.

    Parameters
    ----------
    tree
        Root of the work tree; the set-up has been done.
    options
        Further options for pytest, such as `-k name`.

    Returns
    -------
    int
        Exit status: 0, or 1 where a test failed, none ran, or the run broke off.
    """
    home = tree / ".ros"
    results = home / "build" / "sdf_frames" / "test_results"
    command = [
        "colcon", "--log-base", str(home / "log" / "colcon"), "test", "--merge-install",
        "--build-base", str(home / "build"), "--install-base", str(home / "install"),
        "--paths", str(home / "src" / "sdf_frames"), "--packages-select", "sdf_frames",
        "--return-code-on-test-failure", "--event-handlers", "console_direct+",
    ]
    for stale in results.glob("**/*.xml"):
        stale.unlink()
    options = [*choose_workers(), *options]
    given = os.environ.get("PYTEST_ADDOPTS", "")
    # Compiled code is kept, whatever the shell says: hundreds of processes import the package.
    environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="",
                       PYTEST_ADDOPTS=f"{given} {shlex.join(options)}".strip())
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               text=True, errors="replace", env=environment, cwd=home)
    summary, inside = None, False
    for line in process.stdout:
        shown = _CTEST_PREFIX.sub("", line.rstrip("\n"))
        # Between pytest's command and its last line everything is shown; ctest's and colcon's own lines are not.
        if inside and SUMMARY.match(shown):
            summary, inside = shown, False
        elif inside:
            print(shown, flush=True)
        elif _PYTEST_COMMAND.match(shown):
            inside = True
    status = process.wait()
    if summary is None:
        print(f"The tests broke off before pytest's summary (colcon's status: {status}); see {home / 'log' / 'colcon'}",
              file=sys.stderr)
        return 1
    # Beside pytest, colcon only adds the JUnit file that pytest wrote: without it the count is not to be trusted.
    written = any(results.glob("**/*.xml"))
    failed = status != 0 or not written or "no tests ran" in summary
    print(summary, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run_tests(Path(__file__).resolve().parents[1], sys.argv[1:]))
