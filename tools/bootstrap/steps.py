"""Steps of the set-up: told to the reader as they run, remembered so that they run once.

A step is a command (or a function) with a title. Its output goes to a log file; the terminal shows the title,
how long it has been going and, when it fails, the end of the log. A *stamp* is a file with the hash of what a
step was made from: equal hash, nothing to do.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path


class SetupFailed(Exception):
    """Set-up cannot go on; the message is meant for the person at the terminal."""


def say(text: str) -> None:
    """Print one line about the set-up, at once, on standard error.

    Standard output belongs to what is run afterwards.
    """
    print(text, file=sys.stderr, flush=True)


def hash_of(*parts: object) -> str:
    """Hash strings, and the names and contents of files.

    Parameters
    ----------
    parts
        Strings are hashed as they are, a :class:`~pathlib.Path` by its name and bytes.

    Returns
    -------
    str
        Hexadecimal digest; equal for equal parts in equal order.
    """
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            digest.update(part.name.encode())
            digest.update(part.read_bytes())
        else:
            digest.update(str(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()


class Stamps:
    """Hashes of finished steps, one small file each, in `folder`."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def is_current(self, step: str, value: str) -> bool:
        """Tell whether `step` was finished from what hashes to `value`."""
        try:
            return (self.folder / step).read_text() == value
        except OSError:
            return False

    def forget(self, step: str) -> None:
        """Drop the stamp before the step starts, so that one cut short is done again."""
        with contextlib.suppress(OSError):
            (self.folder / step).unlink()

    def set(self, step: str, value: str) -> None:
        """Remember that `step` is finished."""
        (self.folder / step).write_text(value)


def run_command(title: str, command: list, log: Path, env: dict | None = None, cwd: Path | None = None) -> None:
    """Run one long command, showing that it is alive.

    Parameters
    ----------
    title
        What the command does, for the reader.
    command
        Program and arguments.
    log
        File that takes everything the command prints.
    env, cwd
        Environment and working directory of the command; by default those of this process.

    Raises
    ------
    SetupFailed
        The command ended with another status than 0; the message holds the end of the log.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    say(f"-- {title}")
    start = time.monotonic()
    on_terminal = sys.stderr.isatty()
    with log.open("wb") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, env=env, cwd=str(cwd) if cwd else None)
        told = start
        try:
            while True:
                try:
                    status = process.wait(timeout=0.5)
                    break
                except subprocess.TimeoutExpired:
                    now = time.monotonic()
                    if on_terminal:
                        print(f"\r   {now - start:4.0f} s  {last_line(log)[:60]:60}", end="", file=sys.stderr,
                              flush=True)
                    elif now - told >= 15:
                        told = now
                        say(f"   {now - start:4.0f} s  {last_line(log)[:90]}")
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if on_terminal:
        print("\r" + " " * 72 + "\r", end="", file=sys.stderr)
    if status:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
        raise SetupFailed(f"{title}: failed with status {status}.\n{tail}\nEverything it printed: {log}")
    say(f"   done in {time.monotonic() - start:.0f} s")


def last_line(log: Path) -> str:
    """Give the last printable line of a log that is being written."""
    with log.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - 20_000))
        lines = stream.read().decode(errors="replace").split("\n")
    for line in reversed(lines):
        if line.strip():
            return "".join(letter for letter in line.strip() if letter.isprintable())
    return ""
