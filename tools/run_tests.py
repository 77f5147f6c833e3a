"""Run the package's tests through `colcon test`, side by side, and end with pytest's own summary line.

    python3 tools/run_tests.py [pytest options]

Several processes run the tests, one file after the other; a process without tests takes half of those of another.

The output of ctest and colcon around that of pytest is removed, and pytest's summary is the last line. The exit status
is 0 exactly if colcon reports no failure and tests did run.
"""
from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1] / ".ros"
#: pytest's last line: `==== 12 passed, 1 skipped in 3.45s ====`, without the signs if it is quiet.
SUMMARY = re.compile(
    r"^(=+ )?(no tests ran|\d+ (passed|failed|skipped|errors?|deselected|xfailed|xpassed)\b.*) in [\d.]+s.*$")


def main(options: list[str]) -> int:
    """Run the tests with further options of pytest; return 1 if a test failed, no test ran, or the run stopped."""
    # Three processes more than processors, because tests of the node mostly wait.
    options = ["-n", str((os.cpu_count() or 1) + 3), "--dist", "worksteal", *options]
    # Store compiled code, whatever the shell sets: hundreds of processes import the package.
    environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="",
                       PYTEST_ADDOPTS=f"{os.environ.get('PYTEST_ADDOPTS', '')} {shlex.join(options)}".strip())
    command = ["colcon", "--log-base", "log/colcon", "test", "--merge-install", "--build-base", "build",
               "--install-base", "install", "--paths", "src/sdf_frames", "--packages-select", "sdf_frames",
               "--return-code-on-test-failure", "--event-handlers", "console_direct+"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               text=True, errors="replace", env=environment, cwd=HOME)
    summary, inside = None, False
    for line in process.stdout or ():
        shown = re.sub(r"^\d+: ", "", line.rstrip("\n"))
        # Between pytest's command and its last line everything is shown; ctest's and colcon's own lines are not.
        if inside and SUMMARY.match(shown):
            summary, inside = shown, False
        elif inside:
            print(shown, flush=True)
        elif re.match(r" - .*-m pytest ", shown):
            inside = True
    status = process.wait()
    if summary is None:
        print(f"The tests broke off before pytest's summary (colcon's status: {status}); see {HOME / 'log' / 'colcon'}",
              file=sys.stderr)
        return 1
    print(summary, flush=True)
    return int(status != 0 or "no tests ran" in summary)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
