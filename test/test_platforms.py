"""The library and the command line outside of Linux: nothing that only POSIX has, but for one function that asks first.

This was written on Linux: the names are those that Python's documentation marks "Availability: Unix" or "not Windows".
"""
import ast
import re
from pathlib import Path

import sdf_frames

PACKAGE = Path(sdf_frames.__file__).parent
FILES = [p for p in sorted(PACKAGE.rglob("*.py")) if "ros" not in p.relative_to(PACKAGE).parts]
MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty", "posix"}
OF_OS = {"chown", "chroot", "fchmod", "fchown", "fork", "forkpty", "geteuid", "getgid", "getgroups", "getloadavg",
         "getuid", "killpg", "lchown",
         "mkfifo", "mknod", "nice", "openpty", "posix_fadvise", "posix_spawn", "pread", "pwrite", "sched_getaffinity",
         "setsid", "setuid",
         "statvfs", "sync", "uname", "wait3", "wait4", "O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK"}
#: Where POSIX names may stand, since they are not reached on Windows.
ASKS_FIRST = {"batch/tables.py": {"fcntl"}, "document/writing.py": {"fchmod", "fchown"},
              "document/xacro_expansion.py": {"SIGALRM"}, "work/serving.py": {"SIGKILL", "resource"}}


def posix_names(path: Path) -> set:
    """What a file uses that Windows lacks, and does not ask for with hasattr."""
    used, asked = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            used.add(node.module)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used |= {node.attr} & OF_OS if node.value.id == "os" else set()
            if node.value.id == "signal" and re.fullmatch(
                    r"SIG(KILL|HUP|USR1|USR2|ALRM|PIPE|CHLD|STOP)|alarm|setitimer|pthread_\w+", node.attr):
                used.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr":
            asked |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return used - asked


def test_functions_that_only_posix_has_are_not_used():
    assert len(FILES) > 100
    found = {str(p.relative_to(PACKAGE).as_posix()): names for p in FILES if (names := posix_names(p))}
    assert found == ASKS_FIRST


def test_the_test_above_sees_what_it_looks_for(tmp_path):
    file = tmp_path / "x.py"
    file.write_text(
        "import fcntl, os, signal\nfrom pwd import getpwnam\nos.fork()\nsignal.SIGKILL\nos.path\nsignal.SIGINT\n"
                    "hasattr(os, 'nice') and os.nice(1)\n")
    assert posix_names(file) == {"fcntl", "pwd", "fork", "SIGKILL"}
