"""Answers the services, by functions of the node's state and a request, without a node.

Each handler fills in a response and returns findings; :func:`answer` writes the findings into the response.
Requests about the last descriptions are answered from memory. All others run in a worker process; meanwhile the node
runs other callbacks.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, TypeVar

import sdf_frames.srv as srv
from sdf_frames.checks.programs import read_consumers
from sdf_frames.convert.options import MASSLESS_POLICIES
from sdf_frames.convert.report import Row
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, count_of, diagnose, has_errors
from sdf_frames.frames.tf_check import ANGLE_TOLERANCE, POSITION_TOLERANCE
from sdf_frames.frames.tf_observed import Observed
from sdf_frames.ros import jobs, messages
from sdf_frames.ros.frame_table import FrameTable, explain_unknown, resolve
from sdf_frames.ros.jobs import HeldDescription, Subject
from sdf_frames.ros.messages import Message
from sdf_frames.ros.pieces import Pieces, build_all
from sdf_frames.ros.settings import Settings
from sdf_frames.ros.work import Work

T = TypeVar("T")
Handler = Callable[..., Awaitable[Sequence[Diagnostic]]]


@dataclass
class State:
    """The state of the node.

    Attributes
    ----------
    settings : values of the parameters.
    work : worker processes.
    current, table : the last good description, which is published, and its frames; None before the first.
    received : the last description, good or bad; None before the first.
    topic : resolved name of the description's topic, for messages.
    hear : ``await hear(seconds)`` returns the transforms on TF in that time, and `publishers` and `ages`.
    """

    settings: Settings
    work: Work
    current: HeldDescription | None = None
    table: FrameTable | None = None
    received: HeldDescription | None = None
    topic: str = "robot_description"
    hear: Callable[[float], Awaitable[tuple[list[Observed], dict[str, Any]]]] = field(init=False)

    @property
    def received_text(self) -> jobs.Text:
        """Text of the last description; empty before the first."""
        return self.received.text if self.received is not None else ""


def explain_no_model(state: State) -> Diagnostic:
    """Report why the node has no model: no description has arrived, or the last one has errors."""
    errors = [d for d in state.received.findings if d.severity == ERROR] if state.received is not None else []
    if not errors:
        return diagnose("description-missing", topic=state.topic)
    first = errors[0]
    return diagnose("description-in-error", Location(first.file, first.line, first.path, first.column),
                    problem=first.message,
                    errors="an error" if len(errors) == 1 else f"{len(errors)} errors, the first")


async def _build(state: State, build: Callable[[T], Message], items: Iterable[T]) -> list[Message]:
    return await build_all(build, items, state.work.pause)


async def answer(state: State, handler: Handler, request: Message, response: Message) -> None:
    """Let a handler answer a request, and list its findings in the response."""
    found = await handler(state, request, response)
    response.diagnostics = await _build(state, messages.to_diagnostic, found)


async def validate_sdf(state: State, request: Message, response: Message) -> Sequence[Diagnostic]:
    """Answer ValidateSdf."""
    found: Sequence[Diagnostic]
    try:
        consumers = read_consumers(request.consumers)
    except ValueError as problem:
        found = [diagnose("consumer-unknown", problem=problem)]
    else:
        found = await _validate(state, request, consumers)
    response.valid, response.summary = not has_errors(found), messages.summarise(found)
    return found


async def _validate(state: State, request: Message, consumers: tuple[str, ...]) -> Sequence[Diagnostic]:
    """Return the findings on a text, a file or the last description, for programs; for Gazebo if none is named."""
    text = request.sdf or ("" if request.uri or not consumers else state.received_text)
    if text or request.uri:
        return await state.work.answer(state.settings.time_limit, jobs.check_description, Subject(text, request.uri),
                                       state.settings.loading, consumers)
    return state.received.findings if state.received is not None else [explain_no_model(state)]


async def compute_inertia(state: State, request: Message, response: Message) -> Sequence[Diagnostic]:
    """Answer ComputeInertia."""
    text = request.sdf or ("" if request.uri or state.current is None else state.current.text)
    if text or request.uri:
        choices = {"links": tuple(request.links), "density": request.density or None,
                   "method": request.method or "auto", "voxel_size": request.voxel_size or None,
                   "recompute": request.recompute}
        links, total, found = await state.work.answer(state.settings.time_limit, jobs.compute_masses,
                                                      Subject(text, request.uri), state.settings.loading, choices)
    else:
        links, total, found = Pieces(()), None, [explain_no_model(state)]
    response.links = await _build(state, messages.to_link_inertia, links)
    if total is not None:
        response.total = messages.to_inertia(*total)
    response.success = not has_errors(found)
    count = len(response.links)
    response.summary = (f"{count_of(count, 'link')}, {response.total.m:.6g} kg" if response.success
                        else messages.summarise(found))
    return found


async def convert_urdf(state: State, request: Message, response: Message) -> Sequence[Diagnostic]:
    """Answer ConvertUrdf."""
    massless = request.massless or "frame"
    text = request.urdf or ("" if request.uri else state.received_text)
    sdf: str | None = None
    rows: Pieces[Row] = Pieces(())
    if massless not in MASSLESS_POLICIES:
        found = [diagnose("policy-unknown", policy=massless, known=", ".join(MASSLESS_POLICIES))]
    elif not text and not request.uri:
        found = [explain_no_model(state)]
    else:
        options = state.settings.loading._replace(
            preserve_fixed_joints=request.preserve_fixed_joints, massless=massless,
            sdf_version=request.sdf_version or None)
        sdf, rows, found = await state.work.answer(state.settings.time_limit, jobs.convert,
                                                   Subject(text, request.uri), options)
    response.sdf = messages.to_text(sdf)
    response.report = await _build(state, messages.to_conversion_row, rows)
    response.success = bool(response.sdf) and not has_errors(found)
    return found


async def resolve_frame(state: State, request: Message, response: Message) -> Sequence[Diagnostic]:
    """Answer ResolveFrame."""
    if state.table is None:
        return [explain_no_model(state)]
    entry = state.table.find(request.frame)
    base = state.table.find(request.relative_to) if request.relative_to else None
    if entry is None or request.relative_to and base is None:
        missing = request.frame if entry is None else request.relative_to
        found = [await state.work.answer(state.settings.time_limit, explain_unknown, missing, state.table.list_names())]
    else:
        pose, found = resolve(entry, base)
        if pose is not None:
            response.success, response.pose = True, messages.to_pose(pose)
    if entry is not None:
        response.link = messages.to_text(entry.frame.link)
    return found


async def get_frames(state: State, _request: Message, response: Message) -> Sequence[Diagnostic]:
    """Answer GetFrames."""
    if state.table is None:
        return [explain_no_model(state)]
    response.success = True
    response.frames = await _build(state, messages.to_frame, state.table.entries)
    return ()


def refuse_numbers(request: Message, *fields: str) -> list[Diagnostic]:
    """List the fields of a request that are neither 0, which stands for a default, nor a positive number."""
    return [diagnose("number-refused", field=field, value=value) for field in fields
            if not 0 <= (value := getattr(request, field)) < inf]


async def check_tf(state: State, request: Message, response: Message) -> Sequence[Diagnostic]:
    """Answer CheckTf."""
    heard: list[Observed] = []
    choices: dict[str, Any] = {"publishers": []}
    if not (found := refuse_numbers(request, "duration", "position_tolerance", "angle_tolerance")):
        heard, choices = await state.hear(request.duration)
        choices |= {"position_tolerance": request.position_tolerance or POSITION_TOLERANCE,
                    "angle_tolerance": request.angle_tolerance or ANGLE_TOLERANCE}
        found = [explain_no_model(state)] if state.current is None else await state.work.answer(
            state.settings.time_limit, jobs.check_tf, state.current.text, state.settings.for_reading(), heard, choices)
    response.consistent = not has_errors(found)
    response.summary = messages.summarise(found, "consistent", "inconsistent")
    response.heard = len({o.child for o in heard})
    response.publishers = choices["publishers"]
    return found


#: The services of the node, by the names of the functions that answer.
SERVICES: tuple[tuple[Any, Handler], ...] = (
    (srv.ValidateSdf, validate_sdf), (srv.ComputeInertia, compute_inertia), (srv.ConvertUrdf, convert_urdf),
    (srv.ResolveFrame, resolve_frame), (srv.GetFrames, get_frames), (srv.CheckTf, check_tf))
