"""Check very many files from Python: an iterator that holds few of them at a time."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from sdf_frames.api.errors import demand_sequence, needing
from sdf_frames.api.loading import open_description, read_options
from sdf_frames.checks.programs import read_consumers
from sdf_frames.diagnostics import Diagnostic, has_errors
from sdf_frames.document.door import report_unreadable
from sdf_frames.document.memory import Memory


class Checked(NamedTuple):
    """A file that was checked: its path, whether no finding is an error, and the findings."""

    path: str
    valid: bool
    findings: tuple[Diagnostic, ...]


def check_many(paths: Iterable[str | os.PathLike[str]], jobs: int = 1, consumers: Iterable[str] = (),
               **options: object) -> Iterator[Checked]:
    """Check files, in the order of `paths`, each when the iterator reaches it.

    Parameters
    ----------
    paths : files or model folders; may be an iterator without an end.
    jobs : worker processes; 0 for one per core. More than one needs joblib (extra ``batch``).
    consumers : programs to judge for, as in ``check --for``; empty for Gazebo.
    **options : the options of :func:`sdf_frames.load`, except ``strict``.

    Returns
    -------
    iterator of Checked
        Also for a file that cannot be opened, with an error among its findings.

    Raises
    ------
    ValueError, TypeError
        An option has an invalid value or type, or a program is unknown.
    ImportError
        joblib is not installed, and `jobs` is not 1.

    Examples
    --------
    >>> for checked in check_many(["a.urdf", "b.sdf"], jobs=2):                           # doctest: +SKIP
    ...     print(checked.path, checked.valid)
    """
    demand_sequence("paths", paths)
    demand_sequence("consumers", consumers)
    names = (os.fspath(path) for path in paths)
    consumers = [*consumers]
    if strange := [word for word in consumers if not isinstance(word, str)]:
        raise TypeError(f"consumers must be names of programs, such as 'drake', not {type(strange[0]).__name__}")
    asked = read_consumers(consumers)
    if not isinstance(jobs, int) or jobs < 0:
        raise ValueError(f"jobs must be a whole number from 0 on, not {jobs!r:.60}")
    if "strict" in options:
        raise TypeError("check_many takes no option strict: each Checked has its findings")
    read_options({name: value for name, value in options.items() if name != "xacro_args"})
    if jobs == 1:
        memory = Memory()
        return (_check(name, options, memory, asked) for name in names)
    with needing("batch"):
        import joblib
    parallel = joblib.Parallel(n_jobs=jobs or -1, return_as="generator")
    return _start(parallel, (joblib.delayed(_check_shared)(name, options, asked) for name in names))


def _start(parallel: Callable[[Iterable[Any]], Iterator[Checked]], calls: Iterable[Any]) -> Iterator[Checked]:
    """Start the worker processes when the first file is asked for."""
    yield from parallel(calls)


def _check_shared(name: str, options: dict[str, object], consumers: tuple[str, ...]) -> Checked:
    return _check(name, options, _share_memory(), consumers)


#: The memory that the files of a worker share.
_share_memory = cache(Memory)


def _check(name: str, options: dict[str, Any], memory: Memory, consumers: tuple[str, ...]) -> Checked:
    options = options.copy()
    xacro_args = options.pop("xacro_args", None)
    chosen = read_options(options)._replace(memory=memory)
    try:
        description = open_description(name, chosen, xacro_args)
        findings = tuple(description.judge(consumers)) if consumers else description.diagnostics
    except OSError as error:
        findings = (report_unreadable(name, error),)
    return Checked(name, not has_errors(findings), findings)
