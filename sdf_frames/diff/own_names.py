"""The names in a URDF of parts that its conversion renames."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sdf_frames as sf
from sdf_frames.diff.changes import ADDED, REMOVED, RENAMED, Change
from sdf_frames.diff.shapes import name_urdf_shapes


class OwnNames(dict[str, str]):
    """The names of links and joints in a URDF without lumping, by their names in the SDF, if they differ.

    Also the names of shapes, with their links. Other names are equal in both.
    """

    def __init__(self, robot: sf.RobotDescription) -> None:
        super().__init__((row.into, row.name) for row in robot.report
                         if row.element in ("link", "joint") and row.action == "renamed" and row.into)
        self.update((name, frame.urdf_name) for name, frame in robot.frames.items() if frame.urdf_name)
        self.update(name_urdf_shapes(robot, self))

    def show(self, name: str) -> str:
        """Return the URDF name of a link, joint or shape, or the name of a part with that of its link or joint."""
        owner, separator, part = name.partition("::")
        return self.get(name) or self.get(owner, owner) + separator + part


def show_own_names(change: Change, a: OwnNames, b: OwnNames) -> Change:
    """Return a change of two URDFs with their own names."""
    own = b if change.what == ADDED else a
    if change.what not in (ADDED, REMOVED, RENAMED) or change.name not in (change.old, change.new):
        return replace(change, name=own.show(change.name))
    old, new = (value and names.show(value) for value, names in ((change.old, a), (change.new, b)))
    text = f"renamed to {new}" if change.what == RENAMED else change.text
    return replace(change, name=own.show(change.name), old=old, new=new, text=text)


def map_own_names(names: Mapping[str, str], a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, str]:
    """Return own names of B by own names of A, for pairs of names in the SDFs."""
    return {a.get(old, old): b.get(new, new) for old, new in names.items()}
