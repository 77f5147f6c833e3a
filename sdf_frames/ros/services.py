"""What the services answer: functions of the node's state and a request, without a node.

Requests come from the network. Text is parsed as untrusted, and a `uri` is read only where it leads below a
resource path (after following links).
"""
from __future__ import annotations

import os
import traceback
from dataclasses import dataclass, replace
from typing import Callable

from sdf_frames.convert.options import MASSLESS_POLICIES
from sdf_frames.diagnostics import ERROR, Diagnostic, Location, diagnose, has_errors
from sdf_frames.document.uris import Resolver
from sdf_frames.frames.tf import static_transforms
from sdf_frames.frames.tf_check import ANGLE_TOLERANCE, POSITION_TOLERANCE, Observed, check_tf as compare_tf
from sdf_frames.inertia import compute_inertias, drop_density_notices, total_inertia
from sdf_frames.inertia.plausibility import check_plausibility
from sdf_frames.load import Loaded, LoadOptions, load_file, load_text
from sdf_frames.ros import messages
from sdf_frames.ros.frame_table import FrameTable
from sdf_frames.ros.parameters import Settings


@dataclass
class State:
    """What the node holds.

    Attributes
    ----------
    settings : values of the parameters.
    current : the last good description, which is published; None before the first.
    received, received_text : the last description, good or bad; None and empty before the first.
    topic : resolved name of the description's topic, for messages.
    """

    settings: Settings
    current: Loaded | None = None
    received: Loaded | None = None
    received_text: str = ""
    topic: str = "robot_description"
    _frames: tuple | None = None

    def frames(self) -> FrameTable | None:
        """The current model's frames, made once a model and naming."""
        if self.current is None:
            return None
        key = (self.current, self.settings.scope_separator, self.settings.frame_prefix)
        if self._frames is None or self._frames[0] != key:
            self._frames = (key, FrameTable(*key))
        return self._frames[1]


def load_uri(uri: str, options: LoadOptions) -> tuple[Loaded | None, list[Diagnostic]]:
    """Load the file that a URI from the network names, if it is one that may be read."""
    resolver = Resolver(options.resource_paths, confined=True)
    path = resolver.find(uri)
    if path is None or not os.path.isfile(path):
        # Of the places outside of the resource paths nothing is said, not even whether they exist.
        tried = "it is a folder" if path else ", ".join(resolver.candidates(uri)) or "outside of the resource paths"
        return None, [diagnose("uri-not-permitted", uri=uri, tried=tried)]
    return load_file(path, options), []


def explain_no_model(state: State) -> Diagnostic:
    """Why the node has no model: nothing came yet, or what came is in error."""
    errors = [d for d in state.received.diagnostics if d.severity == ERROR] if state.received is not None else []
    if not errors:
        return diagnose("description-missing", topic=state.topic)
    first = errors[0]
    return diagnose("description-in-error", Location(first.file, first.line, first.path), problem=first.message,
                    errors="an error" if len(errors) == 1 else f"{len(errors)} errors, the first")


def load_request(state: State, text: str, uri: str, fallback: Loaded | None,
                 options: LoadOptions) -> tuple[Loaded | None, list[Diagnostic]]:
    """Load what a request is about: its text, else the file it names, else what the node has."""
    if text:
        return load_text(text, None, options), []
    if uri:
        return load_uri(uri, options)
    return fallback, [] if fallback is not None else [explain_no_model(state)]


def validate_sdf(state: State, request, response) -> None:
    """Answer ValidateSdf."""
    loaded, found = load_request(state, request.sdf, request.uri, state.received, state.settings.load_options())
    if loaded is not None:
        found = [*found, *loaded.diagnostics]
    response.valid = not has_errors(found)
    response.summary = messages.summarise(found)
    response.diagnostics = messages.to_diagnostics(found)


def compute_inertia(state: State, request, response) -> None:
    """Answer ComputeInertia."""
    loaded, found = load_request(state, request.sdf, request.uri, state.current, state.settings.load_options())
    if loaded is not None:
        result = compute_inertias(loaded, links=tuple(request.links), density=request.density or None,
                                  method=request.method or "auto", voxel_size=request.voxel_size or None,
                                  recompute=request.recompute)
        found = list(dict.fromkeys([*found, *drop_density_notices(loaded.diagnostics, request.density or None), *result.diagnostics, *check_plausibility(loaded, result)]))
        response.links = [messages.to_link_inertia(link) for link in result.links]
        if result.links:
            response.total = messages.to_inertia(*total_inertia(loaded, result.links))
    response.success = not has_errors(found)
    count = len(response.links)
    response.summary = (f"{count} link{'' if count == 1 else 's'}, {response.total.m:.6g} kg" if response.success
                        else messages.summarise(found))
    response.diagnostics = messages.to_diagnostics(found)


def convert_urdf(state: State, request, response) -> None:
    """Answer ConvertUrdf."""
    massless = request.massless or "frame"
    if massless not in MASSLESS_POLICIES:
        response.diagnostics = messages.to_diagnostics([diagnose(
            "policy-unknown", policy=massless, known=", ".join(MASSLESS_POLICIES))])
        return
    options = replace(state.settings.load_options(), preserve_fixed_joints=request.preserve_fixed_joints,
                      massless=massless, sdf_version=request.sdf_version or None)
    text = request.urdf or ("" if request.uri else state.received_text)
    loaded, found = load_request(state, text, request.uri, None, options)
    if loaded is not None:
        found = [*found, *loaded.diagnostics]
        if loaded.kind == "sdf":
            found.append(diagnose("not-a-urdf"))
        else:
            response.sdf = messages.to_text(loaded.sdf_text)
            response.report = messages.to_conversion_rows(loaded.conversion)
    response.success = bool(response.sdf) and not has_errors(found)
    response.diagnostics = messages.to_diagnostics(found)


def resolve_frame(state: State, request, response) -> None:
    """Answer ResolveFrame."""
    table = state.frames()
    if table is None:
        response.diagnostics = messages.to_diagnostics([explain_no_model(state)])
        return
    entry, pose, found = table.resolve(request.frame, request.relative_to)
    response.success = pose is not None
    if pose is not None:
        response.pose = messages.to_pose(pose)
    if entry is not None:
        response.link = messages.to_text(entry.frame.link)
    response.diagnostics = messages.to_diagnostics(found)


def get_frames(state: State, _request, response) -> None:
    """Answer GetFrames."""
    table = state.frames()
    if table is not None:
        response.frames = [messages.to_frame(entry.frame, entry.scope.name, entry.tf_frame) for entry in table.entries]


def check_tf(state: State, request, response, heard: list[Observed], publishers: list[str]) -> None:
    """Answer CheckTf, given what was heard and who publishes."""
    if state.current is None:
        found = [explain_no_model(state)]
    else:
        settings = state.settings

        def transforms(mode: str) -> tuple:
            return static_transforms(state.current, mode, settings.scope_separator, settings.frame_prefix,
                                     settings.sensor_frames, motions=True)[0]
        # What only this node would publish may be missing where it is told to publish nothing.
        optional = {t.child for t in transforms("complement")} if settings.tf_mode == "none" else ()
        found = compare_tf(
            transforms("all"), heard, optional=optional, at_zero=settings.tf_mode == "all",
            position_tolerance=request.position_tolerance if request.position_tolerance > 0 else POSITION_TOLERANCE,
            angle_tolerance=request.angle_tolerance if request.angle_tolerance > 0 else ANGLE_TOLERANCE)
    response.consistent = not has_errors(found)
    response.summary = messages.summarise(found, "consistent", "inconsistent")
    response.heard = len({o.child for o in heard})
    response.publishers = publishers
    response.diagnostics = messages.to_diagnostics(found)


def answer(handler: Callable, state: State, request, response, log: Callable[[str], None], *more):
    """Answer a request whatever happens: a fault becomes a finding in the response, and a traceback in the log.

    `more` goes to the handler.
    """
    try:
        handler(state, request, response, *more)
    except Exception as error:
        log(f"{handler.__name__} failed:\n{traceback.format_exc()}")
        # A half-filled response would mislead.
        response = type(response)()
        if hasattr(response, "diagnostics"):
            response.diagnostics = messages.to_diagnostics([diagnose("node-fault", problem=describe_fault(error))])
        if hasattr(response, "summary"):
            response.summary = "the node failed; see its log"
    return response


def describe_fault(error: Exception) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:300]
