"""What one program makes of a description."""
from __future__ import annotations

from typing import NamedTuple

from sdf_frames.description import Description
from sdf_frames.diagnostics import Diagnostic, count_of, has_errors
from sdf_frames.diagnostics.consumers import CONSUMERS, read_consumers


class Verdict(NamedTuple):
    """Whether a program loads a description, made by :meth:`RobotDescription.verdict`.

    Attributes
    ----------
    consumer : the program: ``"gazebo"``, ``"ros"``, ``"drake"``, ``"mujoco"``, ``"pinocchio"`` or ``"urdfdom"``.
    version : the version of the program that the verdicts were compared with.
    valid : whether no finding is an error.
    findings : the findings that concern the program, each with the severity that it has for it.
    """

    consumer: str
    version: str
    valid: bool
    findings: tuple[Diagnostic, ...]

    def __repr__(self) -> str:
        return (f"<Verdict {self.consumer}: {'valid' if self.valid else 'invalid'}, "
                f"{count_of(len(self.findings), 'finding')}>")


def judge_for(description: Description, consumer: str) -> Verdict:
    """Judge a description for one program; raise ValueError if there is no such program."""
    (key, *others) = read_consumers([consumer])
    if others:
        raise ValueError(f"{consumer!r} names several programs; ask for one at a time")
    found = tuple(description.judge([key]))
    return Verdict(key, CONSUMERS[key].version, not has_errors(found), found)
