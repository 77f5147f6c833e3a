"""Processes one description: reads it, runs the command, and makes its row and its findings."""
from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from typing import Any, Protocol

import sdf_frames as sf
from sdf_frames.api.loading import read_options
from sdf_frames.api.scene import make_scenes
from sdf_frames.api.uris import list_files
from sdf_frames.batch.sources import Item, explain, read_item
from sdf_frames.description import Description
from sdf_frames.document.memory import Memory
from sdf_frames.document.writing import write_whole
from sdf_frames.load import LoadOptions, complete, read_text
from sdf_frames.sdf.table import VERSION
from sdf_frames.work import FAULT
from sdf_frames.work.serving import read_peak
from sdf_frames.writers.as_sdf import convert_to_sdf, write_sdf
from sdf_frames.writers.as_urdf import convert_to_urdf
from sdf_frames.writers.upgraded import upgrade
from sdf_frames.writers.written import Written

COMMANDS = ("check", "convert", "inertia", "upgrade", "to-urdf")
#: Verdicts, beside the reasons of :class:`sdf_frames.work.Failed` for work that did not come to its end.
VALID, INVALID, UNREADABLE = "valid", "invalid", "unreadable"
_WRITING = ("convert", "upgrade", "to-urdf")


class Selection(Protocol):
    """Decides which findings on a file count. It is sent to the workers."""

    @property
    def key(self) -> str:
        """Return a text that differs for selections that may decide differently."""

    @property
    def consumers(self) -> tuple[str, ...]:
        """Programs to judge for; empty for Gazebo."""

    def apply(self, found: Iterable[sf.Diagnostic], kind: str | None, file: str,
              read: Callable[[str], bytes]) -> list[sf.Diagnostic]:
        """Return the findings on a file that count, with severities; comments in the texts of `read` are applied."""


@dataclass(frozen=True)
class Task:
    """The work of a batch on each description.

    Attributes
    ----------
    command : one of `COMMANDS`.
    options : keywords of :func:`sdf_frames.load`.
    output : folder for written files; None if there are none.
    to_version : for ``upgrade``.
    selection : decides which findings count; None if all do.
    """

    command: str = "check"
    options: dict[str, Any] = field(default_factory=dict)
    output: str | None = None
    to_version: str = VERSION
    selection: Selection | None = None

    @cached_property
    def key(self) -> str:
        """Return a hash of the command, the options and this package's version: results of another key are stale."""
        options = [(name, getattr(value, "__qualname__", value)) for name, value in sorted(self.options.items())]
        words = (sf.__version__, self.command, options, self.to_version, self.selection and self.selection.key)
        return hashlib.sha256(repr(words).encode()).hexdigest()[:16]


@dataclass(slots=True)
class Outcome:
    """The row of a description for :mod:`sdf_frames.batch.tables`, and its findings."""

    row: dict[str, Any]
    findings: list[dict[str, Any]] = field(default_factory=list)


def make_row(item: Item, task: Task, verdict: str, **values: Any) -> dict[str, Any]:
    """Return a row with a verdict, and only the given `values`."""
    return {"path": item.name, "verdict": verdict, "command": task.command, "tool_version": sf.__version__,
            "key": task.key, **values}


#: The memory that the descriptions of a process share: 2 % of the memory limit of one description.
_share_memory = cache(lambda megabytes: Memory(megabytes * 1_000_000 // 50))


def do_in_process(task: Task, megabytes: int, item: Item, known: str | None) -> Outcome | None:
    """Process a description in a worker of a batch."""
    outcome = do_work(item, task, known, _share_memory(megabytes))
    if outcome is not None:
        outcome.row["memory_mb"] = read_peak()
    return outcome


def do_work(item: Item, task: Task, known: str | None = None, memory: Memory | None = None) -> Outcome | None:
    """Process one description; return None if its content hash is `known`.

    A description that cannot be read, and a defect of this package, are rows, not exceptions. Included files and
    results of meshes are looked for in `memory` first, and kept there.
    """
    start = time.perf_counter()
    options = read_options(task.options)._replace(memory=memory)
    try:
        content = read_item(item, options.budget.bytes)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - readers of archives and file systems have their own
        return Outcome(make_row(item, task, UNREADABLE, reason=explain(error), seconds=time.perf_counter() - start))
    digest = hashlib.sha256(content).hexdigest()
    if digest == known:
        return None
    try:
        outcome = _describe(item, content, task, options)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - one description never ends the batch
        outcome = Outcome(make_row(item, task, FAULT, reason=f"{type(error).__name__}: {error}"))
    outcome.row |= {"hash": digest, "bytes": len(content), "seconds": time.perf_counter() - start}
    return outcome


def _encode(text: bytes | str) -> bytes:
    return text.encode(errors="surrogatepass") if isinstance(text, str) else text


def _describe(item: Item, content: bytes, task: Task, options: LoadOptions) -> Outcome:
    begun = read_text(content, item.name, options)
    loaded = complete(begun)
    robot, scene = sf.RobotDescription(loaded), next(make_scenes(loaded), None)
    findings = list(robot.findings)
    links, joints, frames = scene.count_elements() if scene is not None else (0, 0, 0)
    row = make_row(item, task, VALID, kind=robot.kind, name=robot.name, version=robot.version,
                   links=links, joints=joints, frames=frames,
                   resolved=robot.resolved, convertible=robot.convertible)
    if robot.valid or task.command == "inertia" and scene is not None:
        inertias = robot.inertias()
        row["mass"] = inertias.total.mass
        findings += inertias.findings if task.command == "inertia" else ()
    if task.command in _WRITING:
        row["output"], more = _write(robot, _make(begun, loaded, task), loaded, item, task)
        findings += more
    if task.selection is not None:
        texts = {item.name: content, **loaded.resolver.texts}
        findings += loaded.find_refusals(task.selection.consumers)
        findings = task.selection.apply(findings, robot.kind, item.name,
                                        lambda file: _encode(texts.get(file, b"")))
    counts = Counter(d.severity for d in findings)
    row |= {"verdict": INVALID if counts["error"] else VALID, "errors": counts["error"], "warnings": counts["warning"],
            "infos": counts["info"], "codes": sorted(Counter(d.code for d in findings).items())}
    return Outcome(row, [{"path": item.name, "code": d.code, "name": d.name, "severity": d.severity,
                          "message": d.message, "file": d.file, "line": d.line, "element": d.path, "hint": d.hint}
                         for d in findings])


def _make(begun: Description, loaded: Description, task: Task) -> Written:
    """Make what the command makes of a description. `begun` is its text as read, `loaded` the whole."""
    if task.command == "to-urdf":
        return convert_to_urdf(loaded)
    if task.command == "upgrade":  # a text with errors of checks can be upgraded
        return upgrade(loaded._replace(diagnostics=begun.diagnostics), task.to_version)
    return write_sdf(loaded) if loaded.kind == "urdf" else convert_to_sdf(begun)  # a URDF has been converted


def _write(robot: sf.RobotDescription, made: Written, loaded: Description, item: Item,
           task: Task) -> tuple[str | None, tuple[sf.Diagnostic, ...]]:
    """Write the result of the command for a description; return its path, and the findings."""
    path = None if task.output is None else os.path.join(task.output, f"{item.target}.{made.kind}")
    try:
        if path is None:
            return None, robot._render(made)[1]
        _, content, found = robot._render_for(made, path)
    except sf.InvalidDescription as error:
        known = set(robot.findings)
        return None, tuple([d for d in error.findings if d not in known])
    write_whole(path, content, made.kind, chain((item.name,), list_files(loaded)), make_folders=True)
    return path, found
