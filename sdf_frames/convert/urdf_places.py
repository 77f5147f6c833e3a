"""Locations of the elements of a URDF, for findings."""
from __future__ import annotations

from sdf_frames.diagnostics import Location
from sdf_frames.document.xml_in import Element, line_of
from sdf_frames.urdf.model import Robot


class UrdfPlaces:
    """Locations in the URDF of a robot; `base` is the path of its root element."""

    def __init__(self, robot: Robot):
        self.base = f'/robot[@name="{robot.name}"]'
        self._file = robot.file
        self._gazebo: dict[str, list[Element]] = {"": list(robot.gazebo)}  # by their reference; all, for ""
        for element in robot.gazebo:
            if reference := element.get("reference", ""):
                self._gazebo.setdefault(reference, []).append(element)
        self._numbers: dict[str, dict[int | None, int | None]] = {}

    def at(self, kind: str, name: str, line: int | None) -> Location:
        """Return the location of a link or joint."""
        return Location(self._file, line, f'{self.base}/{kind}[@name="{name}"]')

    def at_gazebo(self, key: str, tag: str, line: int | None) -> Location:
        """Return the location of a child of ``<gazebo>``; its path counts the elements that have the same reference."""
        if key not in self._numbers:
            self._numbers[key] = self._number_lines(key)
        number = self._numbers[key].get(line)
        step = (f'[@reference="{key}"]' if key else "") + (f"[{number}]" if number else "")
        return Location(self._file, line, f"{self.base}/gazebo{step}/{tag}")

    def _number_lines(self, key: str) -> dict[int | None, int | None]:
        """Return which of several ``<gazebo>`` elements of one reference each line belongs to, counted from 1.

        None for a line that belongs to several. Elements without a reference are counted among all, as XPath does.
        Empty if there is only one element.
        """
        blocks = self._gazebo.get(key, [])
        numbers: dict[int | None, int | None] = {}
        if len(blocks) > 1:
            for number, block in enumerate(blocks, 1):
                if block.get("reference", "") == key:
                    for line in {line_of(element) for element in block.iter()}:
                        numbers[line] = None if line in numbers else number
        return numbers
