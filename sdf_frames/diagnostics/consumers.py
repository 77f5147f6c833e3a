"""The programs that a description is judged for, and the severity that a finding has for each of them."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sdf_frames.diagnostics.model import ERROR, INFO, WARNING, Diagnostic, Location, diagnose
from sdf_frames.diagnostics.words import suggest_name

if TYPE_CHECKING:
    from sdf_frames.diagnostics.catalogue import Rule


class Consumer(NamedTuple):
    """A program that reads descriptions.

    Attributes
    ----------
    version : the one that the verdicts were compared with (test/peers/test_consumer_programs.py).
    oldest : the oldest one that was asked about the small robots of these tests; empty if no other was.
    reads : kinds of descriptions.
    loads : what a valid verdict means.
    """

    key: str
    name: str
    version: str
    oldest: str
    reads: tuple[str, ...]
    loads: str

    @property
    def held_against(self) -> str:
        """The versions that rules were compared with."""
        return f"{self.name} {self.version}" + (f" and {self.oldest}" if self.oldest else "")


GAZEBO = "gazebo"
CONSUMERS = {consumer.key: consumer for consumer in (
    Consumer(GAZEBO, "Gazebo", "libsdformat 17", "", ("urdf", "sdf"),
             "libsdformat loads the file, or the SDF that this project converts a URDF to"),
    Consumer("ros", "ROS", "Lyrical: urdfdom 6.0", "urdfdom 3.1", ("urdf",),
             "robot_state_publisher and RViz read the robot; meshes that are missing are not shown"),
    Consumer("drake", "Drake", "1.51", "1.15", ("urdf", "sdf"),
             "Parser.AddModels and Finalize succeed for a plant with a SceneGraph"),
    Consumer("mujoco", "MuJoCo", "4.0", "2.3.7", ("urdf",),
             "MjModel.from_xml_path compiles the model, without visuals unless its `<compiler>` keeps them"),
    Consumer("pinocchio", "Pinocchio", "4.1 with urdfdom 6.0", "2.6 with urdfdom 3.1", ("urdf",),
             "buildModelFromUrdf makes the kinematic model"),
    Consumer("urdfdom", "urdfdom", "6.0", "3.1", ("urdf",), "check_urdf reads the robot"),
)}
KINDS = {"urdf": "URDF", "sdf": "SDFormat"}
_RANKS = {"": 0, INFO: 1, WARNING: 2, ERROR: 3}


def read_consumers(words: Iterable[str]) -> tuple[str, ...]:
    """Read keys of consumers, several in a word with commas between them; ``all`` stands for all of them.

    Raises
    ------
    ValueError
        There is no such consumer.
    """
    keys = [read_consumer(key, (*CONSUMERS, "all")) for word in words for key in word.split(",")]
    return tuple(CONSUMERS) if "all" in keys else tuple(dict.fromkeys(keys))


def read_consumer(word: str, known: Sequence[str] = tuple(CONSUMERS)) -> str:
    """Read one of the `known` keys; raise ValueError for another word."""
    key = word.strip().lower()
    if key not in known:
        raise ValueError(f"unknown consumer {key!r}; "
                         + (suggest_name(key, known) or f"write {', '.join(known[:-1])} or {known[-1]}"))
    return key


def severity_for(rule: Rule, consumer: str, kind: str | None, severity: str) -> str:
    """Return the severity that a finding of a rule has for a consumer; empty if it does not concern the consumer.

    Parameters
    ----------
    kind : of the description: ``urdf``, ``sdf``, or None for neither.
    severity : that of the finding, which is Gazebo's.
    """
    family = rule.code[0]
    other = rule.consumers.get(f"{consumer}/{kind}", rule.consumers.get(consumer))
    if other is not None:
        return other
    if family == "L" or consumer != GAZEBO and kind == "urdf" and family not in "XR":
        return ""  # what a URDF becomes as SDFormat concerns Gazebo alone
    return severity


def list_severities(rule: Rule, kind: str | None = None) -> dict[str, str]:
    """Return the severity of a rule for each consumer that reads a kind of description; empty if it is none of its.

    The kind is that in which the rule is broken, if none is named: URDF for what is read from XML.
    """
    kind = kind or ("urdf" if rule.code[0] in "XRCL" else "sdf")
    return {key: severity_for(rule, key, kind, rule.severity) for key, consumer in CONSUMERS.items()
            if kind in consumer.reads}


def judge(found: Iterable[Diagnostic], consumer: str, kind: str | None, file: str | None) -> list[Diagnostic]:
    """Return the findings that concern a consumer, with the severity that they have for it."""
    found = list(found)
    program = CONSUMERS[consumer]
    if kind is not None and kind not in program.reads:
        return [diagnose("format-not-read", Location(file), consumer=program.name, format=KINDS[kind],
                         formats=" and ".join(KINDS[k] for k in program.reads))]
    return list(_judge(found, consumer, kind)) if found else found


def _judge(found: list[Diagnostic], consumer: str, kind: str | None) -> Iterator[Diagnostic]:
    from sdf_frames.diagnostics.catalogue import BY_CODE  # 2 ms that valid files are spared
    for d in found:
        if severity := severity_for(BY_CODE[d.code], consumer, kind, d.severity):
            yield d if severity == d.severity else d._replace(severity=severity)


def combine(judged: Iterable[Iterable[Diagnostic]]) -> list[Diagnostic]:
    """Return the findings of several consumers, each once, with the highest severity that it has for one of them."""
    highest: dict[Diagnostic, Diagnostic] = {}
    for found in judged:
        for d in found:
            known = highest.setdefault(d._replace(severity=""), d)
            if _RANKS[d.severity] > _RANKS[known.severity]:
                highest[d._replace(severity="")] = d
    return list(highest.values())
