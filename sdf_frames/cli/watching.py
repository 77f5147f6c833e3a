"""Repeats work whenever a file changes."""
from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence

from sdf_frames.diagnostics import count_of
from sdf_frames.document.door import UNCONFINED, read_state

_PAUSE = 0.5  # seconds between two checks
_SUFFIXES = (".urdf", ".sdf", ".world", ".xacro", ".config", ".xml", ".yaml", ".yml")

Stamp = dict[str, tuple[int, int, int]]


def watch(files: Sequence[str], work: Callable[[], int], rounds: int | None = None) -> int:
    """Run `work` now, and again after each change of a file or of another file in its folder, until Ctrl-C.

    Run it at most `rounds` times, if given.
    """
    status, done = 0, 0
    try:
        while rounds is None or done < rounds:
            before = _take_stamp(files)
            if sys.stdout.isatty():
                sys.stdout.write("\x1b[2J\x1b[H")
            status, done = work(), done + 1
            print(f"watching {count_of(len(before), 'file')}; Ctrl-C to stop", file=sys.stderr)
            sys.stdout.flush()
            while (rounds is None or done < rounds) and _take_stamp(files) == before:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        pass
    return status


def _take_stamp(files: Sequence[str]) -> Stamp:
    """Return the state of each file, and of descriptions beside them, which they may include."""
    paths = {os.path.normpath(file) for file in files}
    for folder in {os.path.dirname(path) for path in paths}:
        beside = UNCONFINED.list_names(folder or os.curdir)
        paths.update(os.path.join(folder, name) for name in beside if name.endswith(_SUFFIXES))
    return {path: state for path in paths if (state := read_state(path)) is not None}
