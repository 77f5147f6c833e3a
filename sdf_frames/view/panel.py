"""The controls of one file on the page: layers, frames, joints, findings."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import degrees, isfinite
from threading import RLock
from typing import Any

import numpy as np
import viser

from sdf_frames.api.description import RobotDescription
from sdf_frames.api.elements import Frame, Joint
from sdf_frames.diagnostics import Diagnostic, count_of, steps_of
from sdf_frames.diagnostics.render import escape_controls
from sdf_frames.view.camera import go_to
from sdf_frames.view.markdown import Markdown, Paragraph, join, keep_together, write
from sdf_frames.view.nodes import THIN, SceneNodes
from sdf_frames.view.scene import LAYERS, DrawnFrame, DrawnScene
from sdf_frames.view.server import Register, listen
from sdf_frames.view.sliders import Sliders

#: Most frames in a list; a search finds the others.
_MOST_LISTED = 200
#: Most frames found by a search whose names are drawn.
_MOST_NAMED = 20
_NOWHERE = "(world or model)"
#: Indent of the name of a link in the list, for each link above it, and most indents: the box is narrow.
_INDENT, _MOST_INDENTS = "\N{THREE-PER-EM SPACE}", 10
#: Opacities of the chosen link.
_LOOKS = {"show": 1.0, "see through": THIN, "hide": 0.0}
_CHOOSE = "(choose a frame)"


class Panel:
    """The controls of one file.

    Joints start at the `positions`, which are those of :meth:`sdf_frames.RobotDescription.poses`.
    """

    def __init__(self, server: viser.ViserServer, robot: RobotDescription, findings: Sequence[Diagnostic],
                 scenes: Sequence[SceneNodes], positions: Mapping[str, Any], order: float | None = None):
        self.server, self.findings, self.scenes = server, findings, tuple(scenes)
        self.positions: dict[str, Any] = dict(positions)
        self._turns = RLock()
        self._times = Counter(drawn.frame.name for nodes in scenes for drawn in nodes.scene.frames)
        frames = {self.name_frame(drawn.frame.name, nodes.scene.source.name): (nodes, drawn)
                  for nodes in scenes for drawn in nodes.scene.frames}
        depths = {name: depth for nodes in scenes for link, depth in nodes.scene.list_tree()
                  if (name := self.name_frame(link, nodes.scene.source.name)) in frames}
        self.frames = {name: frames[name] for name in (*depths, *frames)}  # links come first
        self.listed = dict[str, str]()  # names of frames by how the list shows them
        for name in self.frames:
            shown = _INDENT * min(depths.get(name, 0), _MOST_INDENTS) + name
            while shown in self.listed:  # a name that begins with an indent
                shown += _INDENT
            self.listed[shown] = name
        label = escape_controls(os.path.basename(robot.file or robot.name or "text"))
        self.folder = server.gui.add_folder(label, order=order)
        try:
            with self.folder:
                self.summary = Paragraph(server, _summarise(robot.name, self.findings))
                self._add_layers()
                self._add_frames()
                self.sliders = Sliders(server, [joint for nodes in scenes for joint in nodes.scene.joints],
                                       self.positions, self._on, self._move)
                self._add_findings()
            if self.positions:
                self._move()
        except Exception:  # remove what was added before the error
            self.folder.remove()
            raise

    def name_frame(self, frame: str, world: str | None) -> str:
        """Return the name of a frame in the lists: with that of its world if several worlds have such a frame."""
        return f"{world}: {frame}" if self._times[frame] > 1 else frame

    def _on(self, register: Register, callback: Callable[[Any], None]) -> None:
        """Call :func:`listen`, in turn with :meth:`move` and :meth:`remove`, but not after the latter."""
        def call(event: Any) -> None:
            with self._turns:
                if self.scenes:
                    callback(event)
        listen(register, call)

    def _add_layers(self) -> None:
        with self.server.gui.add_folder("Layers"):
            for layer in LAYERS:
                box = self.server.gui.add_checkbox(layer, any(n.visible[layer] for n in self.scenes))
                self._on(box.on_update, partial(self._switch, layer))
            self._on(self.server.gui.add_checkbox("see through", False).on_update, self._see_through)

    def _see_through(self, event: viser.GuiEvent[Any]) -> None:
        for nodes in self.scenes:
            nodes.see_through(event.target.value)

    def _switch(self, layer: str, event: viser.GuiEvent[Any]) -> None:
        for nodes in self.scenes:
            nodes.show(layer, event.target.value)

    def move(self, positions: Mapping[str, Any]) -> None:
        """Move joints, with their sliders, unless a person has moved one."""
        with self._turns:
            if self.scenes and self.sliders.follow(positions):  # else they are no longer on the page
                self._move()

    def _move(self) -> None:
        """Move links and sliders to the positions, and show the new pose of the chosen frame."""
        for nodes in self.scenes:
            nodes.move(self.positions)
        self.sliders.update()
        self._describe()

    def _add_frames(self) -> None:
        names = list(self.frames)
        with self.server.gui.add_folder("Links and frames"):
            self.search = self.server.gui.add_text("search", "")
            self.chosen = self.server.gui.add_dropdown("frame", [*self.listed][:_MOST_LISTED] or [""])
            self._on(self.server.gui.add_button("go to").on_click, self._go)
            looks = self.server.gui.add_button_group("body", [*_LOOKS])
            self._on(looks.on_click, lambda event: self._fade(_LOOKS[event.target.value]))
            self.base = self.server.gui.add_dropdown("pose in", [_NOWHERE, *names[:_MOST_LISTED]])
            self.holds = self.server.gui.add_checkbox("hold it still", False)
            self.details = Paragraph(self.server, write(""))
        self._on(self.search.on_update, lambda _: self._list())
        self._on(self.chosen.on_update, self._choose)
        self._on(self.base.on_update, self._hold)
        self._on(self.holds.on_update, self._hold)
        self._describe()

    def _list(self) -> None:
        """List the frames whose names contain the search text, in both lists; the chosen base stays."""
        wanted = self.search.value.lower()
        found = [shown for shown, name in self.listed.items() if wanted in name.lower()]
        self.chosen.options = tuple(found[:_MOST_LISTED]) or ("",)
        base = [name for name in (self.base.value,) if name in self.frames]
        self.base.options = tuple(dict.fromkeys((_NOWHERE, *base, *[self.listed[one] for one in found[:_MOST_LISTED]])))
        self._mark()

    def select(self, frame: str) -> None:
        """Show the details of a frame of :meth:`name_frame`, as if it had been chosen from the list."""
        with self._turns:
            if self.scenes and frame in self.frames:
                shown = next(shown for shown, name in self.listed.items() if name == frame)
                if shown not in self.chosen.options:
                    self.chosen.options = (shown, *self.chosen.options)
                self.chosen.value = shown
                self._mark()

    def _find_chosen(self) -> tuple[SceneNodes, DrawnFrame] | tuple[None, None]:
        return self.frames.get(self.listed.get(self.chosen.value, ""), (None, None))

    def _choose(self, event: viser.GuiEvent[Any]) -> None:
        """Mark the chosen frame; if a person chose it from the list, move that person's camera near to it."""
        self._mark()
        if event.client is not None:
            self._go(event)

    def _mark(self) -> None:
        """Draw a box around the chosen frame, its name, and the names of the first frames of a search."""
        self._describe()
        chosen, drawn = self._find_chosen()
        found = self.chosen.options[:_MOST_NAMED] if self.search.value else ()
        named = [self.frames[self.listed[shown]] for shown in dict.fromkeys((self.chosen.value, *found))
                 if shown in self.listed]
        for nodes in self.scenes:
            nodes.mark(drawn if nodes is chosen else None, [frame for owner, frame in named if owner is nodes])

    def _fade(self, opacity: float) -> None:
        nodes, drawn = self._find_chosen()
        if nodes is not None and drawn is not None:
            name = drawn.frame.name
            nodes.fade(name if name in nodes.scene.bodies else drawn.body, opacity)

    def _hold(self, _: object) -> None:
        """Keep the frame whose coordinates are shown in place while joints move, if its box is checked."""
        owner, drawn = self.frames.get(self.base.value, (None, None))
        for nodes in self.scenes:
            nodes.hold(drawn if self.holds.value and nodes is owner else None)
        self._describe()

    def _go(self, event: viser.GuiEvent[Any]) -> None:
        nodes, drawn = self._find_chosen()
        if event.client is not None and nodes is not None and drawn is not None:
            go_to(event.client.camera, nodes.find_box(drawn))

    def _describe(self) -> None:
        base = None if self.base.value == _NOWHERE else self.base.value
        nodes, drawn = self._find_chosen()
        if nodes is None or drawn is None or base is not None and self.frames.get(base, (None, None))[0] is not nodes:
            self.details.content = (write("{} has no pose in {}", drawn.frame.name, base) if drawn
                                    else write("unknown frame"))
            return
        frame, name = drawn.frame, drawn.frame.name
        rows = [("kind", frame.kind), ("body", frame.body or "none"),
                *_describe_pose(nodes.scene, name, base and self.frames[base][1].frame.name, self.positions),
                ("attached to", frame.attached_to or "default"), ("relative to", frame.relative_to or "default"),
                ("defined in", f"{os.path.basename(frame.file or 'text')}:{frame.line or '?'}")]
        rows += _describe_link(nodes.scene, name)
        lines = [write("**{}**\n\n| | |\n| --- | --- |", name)]
        lines += [write("| {} | {} |", keep_together(key), value) for key, value in rows]
        lines += [write("\n{}", _format_finding(d)) for d in self.findings if _is_about(d, frame)]
        self.details.content = join(lines)

    def _add_findings(self) -> None:
        """Show all findings in one text, and a list of their frames: hundreds of buttons make a page slow."""
        findings = self.findings
        frames = dict.fromkeys(frame for found in findings if (frame := self._find_frame(found)) is not None)
        with self.server.gui.add_folder(f"Findings ({len(findings)})", expand_by_default=bool(findings)):
            if frames:
                self.about = self.server.gui.add_dropdown("show", [_CHOOSE, *[*frames][:_MOST_LISTED]])
                self._on(self.about.on_update, self._show_about)
            text = [write("- {}", _format_finding(diagnostic)) for diagnostic in findings[:_MOST_LISTED]]
            if len(findings) > _MOST_LISTED:
                text.append(write("- … and {} more: see `sdf_frames check --assets`.", len(findings) - _MOST_LISTED))
            if text:
                Paragraph(self.server, join(text))

    def _show_about(self, event: viser.GuiEvent[Any]) -> None:
        self.select(self.about.value)
        self._go(event)

    def _find_frame(self, diagnostic: Diagnostic) -> str | None:
        """Return the frame of a finding: the last frame in its path."""
        steps = steps_of(diagnostic.path)
        world = next((name for tag, name in steps if tag == "world"), None)
        return next((frame for _, name in reversed(steps)
                     if name is not None and (frame := self.name_frame(name, world)) in self.frames), None)

    def warn(self, findings: Iterable[Diagnostic]) -> None:
        """Show that the file has errors now, and that the page shows its last good state."""
        self.summary.content = join([write("**The file cannot be read. The page shows how it was before.**\n"),
                                     *[write("- {}", _format_finding(diagnostic)) for diagnostic in findings]])

    def offer(self, label: str, callback: Callable[[Any], None]) -> None:
        """Add a button below all others."""
        with self.folder:
            listen(self.server.gui.add_button(label, color="gray").on_click, callback)

    def remove(self) -> None:
        """Remove the controls from the page."""
        with self._turns:
            self.scenes = ()
            self.folder.remove()


def _summarise(name: str | None, findings: Iterable[Diagnostic]) -> Markdown:
    counts = Counter(found.severity for found in findings)
    verdict = write("**not valid**" if counts["error"] else "valid")
    said = " and ".join(count_of(counts[kind], kind) for kind in ("error", "warning"))
    return write("{}: {}, {}", name or "nothing", verdict, said)


def _describe_pose(scene: DrawnScene, name: str, base: str | None,
                   positions: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the pose of a frame; if a joint has moved, a frame without a known link has no known pose."""
    try:
        X = scene.source.pose(name, base, scene.find_given(positions))
    except ValueError as error:
        yield "pose", f"not known: {error}"
        return
    yield "position", f"{_join(X.xyz.tolist())} m"
    yield "distance", f"{np.linalg.norm(X.xyz):.4g} m"
    yield "roll pitch yaw", f"{_join(map(degrees, X.rpy.tolist()))}°"


def _describe_link(scene: DrawnScene, name: str) -> Iterator[tuple[str, str]]:
    """Yield the mass of a link, and the joint that moves it."""
    if (inertia := scene.masses.get(name)) is not None:
        yield "mass", f"{inertia.mass:.4g} kg ({inertia.method})"
        yield "centre of mass", f"{_join(inertia.com.tolist())} m"
    for joint in scene.joints:
        if joint.child == name:
            yield "joint", f"{joint.name}, {joint.type}, on {joint.parent}"
            for axis in joint.axes:
                yield "axis", _join(axis.xyz)
                if isfinite(axis.limits.lower) or isfinite(axis.limits.upper):
                    yield "limits", f"{_show(joint, axis.limits.lower)} to {_show(joint, axis.limits.upper)}"


def _show(joint: Joint, position: float) -> str:
    return f"{position:.4g} m" if joint.type == "prismatic" else f"{degrees(position):.4g}°"


def _is_about(diagnostic: Diagnostic, frame: Frame) -> bool:
    is_there = frame.line is not None and (diagnostic.file, diagnostic.line) == (frame.file, frame.line)
    return is_there or any(called == frame.name for _, called in steps_of(diagnostic.path)[-1:])


def _format_finding(diagnostic: Diagnostic) -> Markdown:
    line = write(", line {}", diagnostic.line) if diagnostic.line else write("")
    hint = write(" *{}*", diagnostic.hint) if diagnostic.hint else write("")
    return write("{} {}{}: {}{}", diagnostic.code, diagnostic.severity, line, diagnostic.message, hint)


def _join(numbers: Iterable[float]) -> str:
    """Return numbers with four digits; rounding errors of zero are shown as zero."""
    return " ".join([f"{round(number, 9) + 0.0:.4g}" for number in numbers])
