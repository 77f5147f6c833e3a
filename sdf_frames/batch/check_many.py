"""Check very many files from Python: an iterator that holds few of them at a time."""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from sdf_frames.api.loading import open_description, read_options
from sdf_frames.diagnostics import Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.memory import Memory


class Checked(NamedTuple):
    """A file that was checked: its path, whether no finding is an error, and the findings."""

    path: str
    valid: bool
    findings: tuple[Diagnostic, ...]


def check_many(paths: Iterable[str | os.PathLike[str]], jobs: int = 1, **options: object) -> Iterator[Checked]:
    """Check files, in the order of `paths`, each as it is asked for.

    Parameters
    ----------
    paths : files or model folders; may be an iterator without an end.
    jobs : worker processes; 0 for one a core. More than one needs joblib (extra ``batch``).
    **options : those of :func:`sdf_frames.load`, but ``strict``.

    Yields
    ------
    Checked
        Also for a file that cannot be opened: that is an error among its findings.

    Raises
    ------
    ValueError, TypeError
        An option has a value or type that it cannot have.

    Examples
    --------
    >>> for checked in check_many(["a.urdf", "b.sdf"], jobs=2):                           # doctest: +SKIP
    ...     print(checked.path, checked.valid)
    """
    names = (os.fspath(path) for path in paths)
    if jobs == 1:
        memory = Memory()
        yield from (_check(name, options, memory) for name in names)
        return
    import joblib
    parallel = joblib.Parallel(n_jobs=jobs or -1, return_as="generator")
    yield from parallel(joblib.delayed(_check_shared)(name, options) for name in names)


def _check_shared(name: str, options: dict[str, object]) -> Checked:
    return _check(name, options, _share_memory())


#: What the files of a worker share.
_share_memory = cache(Memory)


def _check(name: str, options: dict[str, Any], memory: Memory) -> Checked:
    options = options.copy()
    xacro_args = options.pop("xacro_args", None)
    chosen = read_options(options)._replace(memory=memory)
    try:
        findings = open_description(name, chosen, xacro_args)[0].diagnostics
    except OSError as error:
        findings = (diagnose("file-unreadable", Location(name), file=name, problem=error.strerror or str(error)),)
    return Checked(name, not has_errors(findings), findings)
