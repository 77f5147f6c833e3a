"""Steps of the set-up: told to the reader as they run, remembered so that they run once.

A step is a command with a title. What it prints goes to a log file; the end of that is shown where it fails. A *stamp*
is a file with the hash of what a step was made from: equal hash, nothing to do.
"""
from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from pathlib import Path


class SetupFailed(Exception):
    """Set-up cannot go on; the message is meant for the person at the terminal."""


def say(text: str) -> None:
    """Print a line at once, on standard error: standard output belongs to what is run afterwards."""
    print(text, file=sys.stderr, flush=True)


def hash_of(*parts: object) -> str:
    """Hash strings, and the names and contents of files."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.name.encode() + part.read_bytes() if isinstance(part, Path) else str(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def is_current(stamp: Path, value: str) -> bool:
    """Whether a step was finished from `value`; if not, its stamp is dropped, so that one cut short is done again."""
    if stamp.exists() and stamp.read_text() == value:
        return True
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    return False


def run_command(title: str, command: list, log: Path, cwd: Path | None = None) -> None:
    """Run a long command; everything that it prints goes to a file.

    Raises
    ------
    SetupFailed
        It ended with another status than 0; the message holds the end of the log.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    say(f"-- {title}")
    start = time.monotonic()
    with log.open("wb") as out:
        status = subprocess.run(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, cwd=cwd).returncode
    if status:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
        raise SetupFailed(f"{title}: failed with status {status}.\n{tail}\nEverything it printed: {log}")
    say(f"   done in {time.monotonic() - start:.0f} s")
