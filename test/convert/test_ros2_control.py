"""controller_manager reads the URDF that an SDF robot gives: rules of its parser, and robots held against them.

The rules are those of hardware_interface/src/component_parser.cpp and lexical_casts.cpp of ros2_control 6.8.0
(commit 53b9999d, https://github.com/ros-controls/ros2_control), by lines of the first.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from lxml import etree
from real_files import CORPUS, MISSING
from urdf_text import joint, link, robot
from written_text import convert_text, convert_to_display, convert_to_urdf

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.load import load_text


def matches(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text, re.IGNORECASE) is not None


BOOL, COUNT, RATE = matches("true|false"), matches("[1-9][0-9]*"), matches(r"\+?[0-9]+.*")
TEXT = matches("(?s).*")


class Rule(NamedTuple):
    """What an element must have.

    Attributes
    ----------
    lines : where the parser says so.
    needs : attributes without which it is refused, and what their texts must be.
    may : the same for attributes that may be missing.
    child : tag of a child without which it is refused.
    below : the rules for its children, by tag; others pass.
    only : whether children of other tags are refused.
    """

    lines: str
    needs: dict[str, Callable[[str], bool]] = {}
    may: dict[str, Callable[[str], bool]] = {}
    child: str = ""
    below: dict[str, Rule] = {}
    only: bool = False


PARAM = Rule("354-373", {"name": TEXT})
LIMITS = Rule("408-413, 471-476", {"enable": BOOL})
INTERFACE = Rule("383-437", {"name": TEXT}, {"data_type": TEXT, "size": COUNT}, "", {"param": PARAM, "limits": LIMITS})
INTERFACES = {"command_interface": INTERFACE, "state_interface": INTERFACE, "param": PARAM}
END = Rule("553-587", {"name": TEXT, "role": TEXT}, {"read_only": BOOL})
RULES = Rule("697-801", {"name": TEXT, "type": TEXT}, {"rw_rate": RATE, "is_async": BOOL}, "", {
    "hardware": Rule("714-736", {}, {}, "plugin", {"param": PARAM}),
    "properties": Rule("737-771", {}, {}, "", {
        "async": Rule("744-764", {}, {"thread_priority": COUNT, "print_warnings": BOOL})}),
    "joint": Rule("446-506", {"name": TEXT}, {"mimic": BOOL}, "", {**INTERFACES, "limits": LIMITS}),
    "sensor": Rule("446-506", {"name": TEXT}, {}, "", {**INTERFACES, "limits": LIMITS}),
    "gpio": Rule("517-551", {"name": TEXT}, {}, "", INTERFACES),
    "transmission": Rule("589-629", {"name": TEXT}, {}, "plugin", {
        "joint": END, "actuator": END, "param": PARAM})}, True)


def check(element: etree._Element, rule: Rule) -> Iterator[str]:
    """Say what the parser refuses about an element."""
    for name, obeys in {**rule.needs, **rule.may}.items():
        text = element.get(name)
        if text is None and name in rule.needs or text is not None and not obeys(text.strip()):
            yield f"{element.tag}/@{name}"
    if rule.child and element.find(rule.child) is None:
        yield f"{element.tag}/{rule.child}"
    for child in element.iterchildren("*"):
        if child.tag in rule.below:
            yield from check(child, rule.below[child.tag])
        elif rule.only:
            yield f"{element.tag}/{child.tag}"


def check_robot(urdf: etree._Element) -> Iterator[str]:
    """Say what the parser refuses about a robot: lines 975-1108, and 636-689 for transmissions."""
    joints = {e.get("name"): e for e in urdf.iterchildren("joint")}
    if urdf.find("ros2_control") is None:
        yield "robot/ros2_control"
    for control in urdf.iterchildren("ros2_control"):
        yield from check(control, RULES)
        own = {e.get("name"): e for e in control.iterchildren("joint")}
        for transmission in control.iterchildren("transmission"):
            ends = [e.get("name") for e in transmission.iterchildren("joint")]
            if not own.keys() >= {*ends} or control.get("type") == "actuator" and len(ends) != 1:
                yield "transmission/joint"
        for name, e in own.items():
            if name not in joints or joints[name].get("type") == "fixed":
                yield f"joint {name}"
                continue
            leader, stated = joints[name].find("mimic"), e.get("mimic", "").strip().lower()
            if leader is None and stated == "true":
                yield f"mimic of {name}"
            if leader is not None and stated != "false" and (
                    e.find("command_interface") is not None or leader.get("joint") not in own):
                yield f"mimic of {name}"


LIMITED = '<axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="3" velocity="4"/>'
SYSTEM = """<ros2_control name="arm" type="system" rw_rate="100" is_async="true" thread_priority="50">
  <hardware><plugin>mock_components/GenericSystem</plugin><group>g</group><param name="port">/dev/x</param></hardware>
  <properties><async affinity="[0, 1]" scheduling_policy="detached" thread_priority="30" print_warnings="false"/>
  </properties>
  <joint name="j1"><limits enable="true"/>
    <command_interface name="position"><limits enable="false"/><param name="min">-1</param><param name="max">1</param>
    </command_interface>
    <state_interface name="position" data_type="double" size="2"/><param name="calibrate">true</param></joint>
  <joint name="j2" mimic="true"><state_interface name="position"/></joint>
  <sensor name="ft"><state_interface name="force.x"/><param name="frame_id">tool</param></sensor>
  <gpio name="io"><command_interface name="out" data_type="bool" size="8"/><param name="bank">1</param></gpio>
  <transmission name="t"><plugin>transmission_interface/SimpleTransmission</plugin>
    <joint name="j1" role="joint1"><mechanical_reduction>2</mechanical_reduction></joint>
    <actuator name="a1" role="actuator1"/><param name="p">1</param></transmission>
</ros2_control>"""
ROBOT = robot(link("base", 1), link("a", 1), link("b", 1), link("tip", 1),
              joint("j1", "revolute", "base", "a", LIMITED),
              joint("j2", "revolute", "tip", "b", LIMITED + '<mimic joint="j1" multiplier="2" offset="1"/>'),
              joint("weld", "fixed", "a", "tip"), SYSTEM)


def read_back(text: str | bytes, **options) -> Iterator[etree._Element]:
    """The URDFs that ``to-urdf`` and ``robot_description_urdf`` make of a URDF's SDF."""
    sdf, _, found = convert_text(text, None, ConvertOptions(uri_style="keep", **options))
    if sdf is not None:
        loaded = load_text(sdf)
        for result in (convert_to_urdf(loaded), convert_to_display(loaded)):
            assert result.text is not None, result.diagnostics
            yield etree.fromstring(result.text.encode())


def test_a_robot_with_all_that_the_parser_knows_is_read_after_sdf():
    assert list(check_robot(etree.fromstring(ROBOT))) == []
    for options in ({}, {"massless": "keep"}, {"preserve_fixed_joints": True}):
        for back in read_back(ROBOT, **options):
            assert list(check_robot(back)) == []


@pytest.mark.parametrize("old, new, refused", [
    ('name="arm" ', "", "ros2_control/@name"), (' type="system"', "", "ros2_control/@type"),
    ('rw_rate="100"', 'rw_rate="-1"', "ros2_control/@rw_rate"),
    ('is_async="true"', 'is_async="1"', "ros2_control/@is_async"),
    ("<plugin>mock_components/GenericSystem</plugin>", "", "hardware/plugin"),
    ('<param name="port">', "<param>", "param/@name"),
    ('thread_priority="30"', 'thread_priority="0"', "async/@thread_priority"),
    ('print_warnings="false"', 'print_warnings="no"', "async/@print_warnings"),
    ('<limits enable="true"/>', "<limits/>", "limits/@enable"),
    ('<limits enable="false"/>', "<limits enable='0'/>", "limits/@enable"),
    ('<command_interface name="position">', "<command_interface>", "command_interface/@name"),
    ('size="2"', 'size="0"', "state_interface/@size"), ('<gpio name="io">', "<gpio>", "gpio/@name"),
    ('<sensor name="ft">', "<sensor>", "sensor/@name"), ("<sensor name", "<led/><sensor name", "ros2_control/led"),
    (' role="joint1"', "", "joint/@role"), (' role="actuator1"', "", "actuator/@role"),
    ("<plugin>transmission_interface/SimpleTransmission</plugin>", "", "transmission/plugin"),
    ('<joint name="j1" role', '<joint name="j3" role', "transmission/joint"),
    ('<sensor name="ft">', '<joint name="weld"/><sensor name="ft">', "joint weld"),
    ('<joint name="j2" mimic', '<joint name="j3" mimic', "joint j3"),
    ('<mimic joint="j1" multiplier="2" offset="1"/>', "", "mimic of j2"),
    ('<state_interface name="position"/></joint>', '<command_interface name="position"/></joint>', "mimic of j2")])
def test_each_rule_refuses_what_breaks_it(old, new, refused):
    """The parser itself, built from these sources, refuses each of these robots for this reason, and no other here."""
    assert ROBOT.count(old) == 1
    assert list(check_robot(etree.fromstring(ROBOT.replace(old, new)))) == [refused]


@pytest.mark.skipif(not CORPUS.is_dir(), reason=MISSING)
def test_controls_of_real_robots_are_read_after_sdf(record_property):
    compared = 0
    for path in sorted(CORPUS.rglob("*.urdf")):
        text = path.read_bytes()
        if b"<ros2_control" not in text or list(check_robot(etree.fromstring(text))):
            continue
        for options in ({}, {"massless": "keep"}):
            for back in read_back(text, **options):
                assert list(check_robot(back)) == [], path
                compared += 1
    record_property("compared", compared)
    assert compared >= 40
