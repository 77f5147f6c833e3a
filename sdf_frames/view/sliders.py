"""Sliders of the joints of one file on the page."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import degrees, inf, isfinite, pi
from random import uniform
from typing import Any

import numpy as np
import viser

from sdf_frames.api.elements import Joint
from sdf_frames.view.markdown import Paragraph, write
from sdf_frames.view.server import Register

#: Most sliders at once; a search finds the sliders of other joints.
_MOST = 50
#: Limits beyond so many radians are written for "no limit".
_FARTHEST = 1e4


class Sliders:
    """A slider for each axis of the joints that are not mimics, with buttons that move all of them.

    Sliders and buttons change the `positions`, and call `moved`. `on` has the arguments of
    :func:`sdf_frames.view.server.listen`.
    """

    def __init__(self, server: viser.ViserServer, joints: Iterable[Joint], positions: dict[str, Any],
                 on: Callable[[Register, Callable[[Any], None]], None], moved: Callable[[], None]):
        self.server, self.positions, self._on, self._moved = server, positions, on, moved
        self.joints = [joint for joint in joints if 1 <= joint.size <= 2 and joint.mimic is None]
        self.listed: list[tuple[Any, Joint, int]] = []
        self._more: Paragraph | None = None
        self._follows: Any = None
        self.folder = server.gui.add_folder("Joints", expand_by_default=bool(self.joints))
        with self.folder:
            self.search = server.gui.add_text("joint", "", hint="part of a name", visible=len(self.joints) > _MOST)
            on(self.search.on_update, lambda _: self._list())
            if self.joints:
                for label, choose in (("zero", lambda low, high, start: start),
                                      ("random pose", lambda low, high, start: uniform(low, high))):
                    on(server.gui.add_button(label).on_click, partial(self._pose, choose))
        self._list()

    def _list(self) -> None:
        """Show sliders for the joints whose names contain the search text, as many as a page can have."""
        for slider, _, _ in self.listed:
            slider.remove()
        self.listed.clear()
        if self._more is not None:
            self._more.remove()
            self._more = None
        found = [joint for joint in self.joints if self.search.value.lower() in joint.name.lower()]
        with self.folder:
            for joint in found[:_MOST]:
                for index in range(joint.size):
                    low, high, _ = choose_range(joint, index)
                    slider = self.server.gui.add_slider(
                        self._label(joint, index), low, high, (high - low) / 1000, self._find(joint, index),
                        hint="radians" if joint.type != "prismatic" else "metres")
                    self._on(slider.on_update, partial(self._turn, joint, index))
                    self.listed.append((slider, joint, index))
            if len(found) > _MOST:
                self._more = Paragraph(self.server, write("… and {} more: search", len(found) - _MOST))

    def _find_drawn(self, joint: Joint, index: int) -> float:
        """Return the position at which a joint is drawn: zero if no given position fits the joint.

        Another file, or the file before it changed, may have a joint of this name and another type.
        """
        given = self.positions.get(joint.name, 0.0)
        return float(np.ravel(given)[index]) if np.size(given) == joint.size else 0.0

    def _find(self, joint: Joint, index: int) -> float:
        """Return the value of a slider: the joint's position, or the nearest end of the slider."""
        low, high, _ = choose_range(joint, index)
        return min(max(self._find_drawn(joint, index), low), high)

    def _label(self, joint: Joint, index: int) -> str:
        """Return the joint's name, with its angle in degrees, and with any position that its slider cannot show."""
        name, position = joint.name if joint.size == 1 else f"{joint.name} [{index}]", self._find_drawn(joint, index)
        beyond = ", beyond the slider" if position != self._find(joint, index) else ""
        if joint.type == "prismatic":
            return f"{name} ({position:.4g} m{beyond})" if beyond else name
        angle = f"{round(degrees(position))}°".replace("-", "\N{MINUS SIGN}")  # a line may end behind a hyphen
        return f"{name} ({angle}{beyond})"

    def _turn(self, joint: Joint, index: int, event: viser.GuiEvent[Any]) -> None:
        low, high, _ = choose_range(joint, index)
        value = min(high, max(low, event.target.value))  # in this order, NaN becomes the lowest
        if value == self._find(joint, index):  # the slider moved with the joint
            return
        if joint.size == 2:
            both = [self._find_drawn(joint, 0), self._find_drawn(joint, 1)]
            both[index] = value
            self.positions[joint.name] = tuple(both)
        else:
            self.positions[joint.name] = value
        self._stop_following()
        self._moved()

    def _pose(self, choose: Callable[[float, float, float], float], _: object) -> None:
        """Move every joint to the result of `choose` for the three numbers of :func:`choose_range`."""
        for joint in self.joints:
            chosen = [choose(*choose_range(joint, index)) for index in range(joint.size)]
            self.positions[joint.name] = tuple(chosen) if len(chosen) > 1 else chosen[0]
        self._stop_following()
        self._moved()

    def follow(self, positions: Mapping[str, Any]) -> bool:
        """Use positions from ROS until a person moves a joint; return whether they were used.

        A checkbox makes the sliders follow ROS again.
        """
        if self._follows is None:
            with self.folder:
                self._follows = self.server.gui.add_checkbox("follow joint_states", True, order=-1)
        if self._follows.value:
            self.positions.update(positions)
        return bool(self._follows.value)

    def _stop_following(self) -> None:
        if self._follows is not None:
            self._follows.value = False

    def update(self) -> None:
        """Move the sliders to the positions of the joints."""
        for slider, joint, index in self.listed:
            slider.value = self._find(joint, index)
            if slider.label != (label := self._label(joint, index)):
                slider.label = label


def choose_range(joint: Joint, index: int) -> tuple[float, float, float]:
    """Choose the lowest and highest value of a slider, in radians or metres, and the value nearest to zero.

    Without a limit, the slider goes to half a turn or a metre, and at least as far from the other limit.
    """
    limits = joint.axes[index].limits
    default, farthest = (1.0, inf) if joint.type == "prismatic" else (round(pi, 4), _FARTHEST)
    has_lower, has_upper = (isfinite(end) and abs(end) <= farthest for end in (limits.lower, limits.upper))
    lower = limits.lower if has_lower else min(-default, limits.upper - default) if has_upper else -default
    upper = limits.upper if has_upper else max(default, limits.lower + default) if has_lower else default
    if not lower < upper:
        lower, upper = min(lower, upper) - 1e-3, max(lower, upper) + 1e-3
    return lower, upper, min(max(0.0, lower), upper)
