"""Checks an SRDF, MoveIt's description of planning groups, against the URDF of its robot.

How MoveIt treats a wrong name or value is from its sources: srdfdom, src/model.cpp, and moveit_core,
robot_model/src/robot_model.cpp.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from sdf_frames.diagnostics import Comparisons, Diagnostic, Related, count_of, diagnose, relate, suggest_name
from sdf_frames.document.budget import Spending
from sdf_frames.document.elements import Element, locate, tag_of
from sdf_frames.document.numbers import read_numbers
from sdf_frames.document.xml_in import Document
from sdf_frames.urdf.model import JOINT_TYPES, Robot

#: Attributes that name a link, joint or group: the path of the element, the attribute, and what it names.
REFERENCES = (
    ("virtual_joint", "child_link", "link"),
    ("group/link", "name", "link"), ("group/joint", "name", "joint"), ("group/group", "name", "group"),
    ("group/chain", "base_link", "link"), ("group/chain", "tip_link", "link"),
    ("group_state", "group", "group"), ("group_state/joint", "name", "joint"),
    ("end_effector", "group", "group"), ("end_effector", "parent_link", "link"),
    ("end_effector", "parent_group", "group"),
    ("passive_joint", "name", "joint"), ("joint_property", "joint_name", "joint"),
    ("link_sphere_approximation", "link", "link"), ("disable_default_collisions", "link", "link"),
    ("disable_collisions", "link1", "link"), ("disable_collisions", "link2", "link"),
    ("enable_collisions", "link1", "link"), ("enable_collisions", "link2", "link"))
#: Attributes that MoveIt needs besides those.
_NEEDED = (("virtual_joint", "name"), ("virtual_joint", "type"), ("virtual_joint", "parent_frame"), ("group", "name"),
           ("group_state", "name"), ("group_state/joint", "value"), ("end_effector", "name"),
           ("joint_property", "property_name"), ("joint_property", "value"))
_OPTIONAL = {("end_effector", "parent_group")}
#: Without them, MoveIt only checks more collisions than it need.
_OF_PAIRS = ("disable_default_collisions", "disable_collisions", "enable_collisions")
#: How many values a joint takes in a group state.
_SIZES = {"revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "floating": 7, "fixed": 0}
_VIRTUAL_TYPES = ("fixed", "planar", "floating")
_OWN_TAGS = {path.partition("/")[0] for path, *_ in REFERENCES}


def is_srdf(root: Element) -> bool:
    """Return whether a ``<robot>`` is an SRDF: it has planning groups or the like, and neither links nor joints."""
    tags = {child.tag for child in root}
    return bool(tags & _OWN_TAGS) and not tags & {"link", "joint"}


def check_srdf(document: Document, robot: Robot, spending: Spending) -> list[Diagnostic]:
    """Check every name and every group state of an SRDF against a robot, for as long as `spending` allows."""
    srdf = _Srdf(document.root, robot)
    name = document.root.get("name", "").strip()
    found = []
    if name != robot.name:
        found.append(diagnose("srdf-robot-differs", locate(document.root, "name"), name=name, robot=robot.name))
    return [*found, *_check_attributes(srdf), *_check_names(srdf), *_check_virtual_joints(srdf), *_check_groups(srdf),
            *_check_states(srdf, spending), *spending.report(locate(document.root))]


class _Srdf:
    """An SRDF and the robot that it is for."""

    def __init__(self, root: Element, robot: Robot):
        self.root = root
        self.joints = {joint.name: joint for joint in robot.joints}
        self.virtual = {_read(joint, "name"): joint for joint in root.iterchildren("virtual_joint")}
        self.groups = {_read(group, "name"): group for group in reversed(list(root.iterchildren("group")))}
        self.known = {"link": {link.name for link in robot.links}, "joint": {*self.joints, *self.virtual},
                      "group": {*self.groups}}
        #: The joint above each link; above the root, a virtual joint.
        self.above = {_read(joint, "child_link"): name for name, joint in self.virtual.items()}
        self.above.update({joint.child: joint.name for joint in robot.joints})

    @cached_property
    def below(self) -> dict[str, range]:
        """Return the numbers of each link and of the links below it, its own first; links of a loop are left out."""
        children: dict[str, list[str]] = {}
        for link, name in self.above.items():
            children.setdefault(self.joints[name].parent if name in self.joints else "", []).append(link)
        starts: dict[str, int] = {}
        below: dict[str, range] = {}
        pending = [*children.get("", ()), *(link for link in self.known["link"] if link not in self.above)]
        while pending:
            if (link := pending.pop()) in starts:
                below[link] = range(starts[link], len(starts))
            else:
                starts[link] = len(starts)
                pending += [link, *children.get(link, ())]
        return below

    @cached_property
    def moved(self) -> dict[str, range]:
        """Return the numbers of the links that each joint moves."""
        return {name: self.below[link] for link, name in self.above.items() if link in self.below}

    @cached_property
    def own(self) -> dict[str, _Content]:
        """Return the members of each group, without those of its subgroups."""
        return {name: self._read_group(group) for name, group in self.groups.items()}

    def _read_group(self, group: Element) -> _Content:
        joints = {_read(joint, "name") for joint in group.iterchildren("joint")}
        joints |= {self.above.get(_read(link, "name"), "") for link in group.iterchildren("link")}
        chains = {(self._find_number(chain, "base_link"), self._find_number(chain, "tip_link"))
                  for chain in group.iterchildren("chain")}
        subgroups = {_read(sub, "name") for sub in group.iterchildren("group")} & self.known["group"]
        return _Content(joints, chains, subgroups)

    def _find_number(self, chain: Element, attribute: str) -> int:
        link = _read(chain, attribute)
        return self.below[link].start if link in self.below else -1

    def list_content(self, group: str, spending: Spending) -> _Content:
        """List the members of a group and of its subgroups, or of as many subgroups as `spending` allows."""
        joints: set[str] = set()
        chains: set[tuple[int, int]] = set()
        inside, pending = {group}, [group]
        while pending and spending.spend("elements", 1):
            own = self.own[pending.pop()]
            joints |= own.joints
            chains |= own.chains
            new = own.subgroups - inside
            inside |= new
            pending += new
        return _Content(joints, chains, inside)

    def has(self, content: _Content, joint: str, spending: Spending) -> bool:
        """Return whether a group has a joint: by its name or link, or in a chain of which it moves only one end."""
        if joint in content.joints:
            return True
        moved = self.moved.get(joint, range(0))
        return spending.spend("elements", len(content.chains)) and any(
            (base in moved) != (tip in moved) for base, tip in content.chains)


class _Content(NamedTuple):
    """The members of a group: joints, chains by the numbers of their end links, and names of subgroups."""

    joints: set[str]
    chains: set[tuple[int, int]]
    subgroups: set[str]


def _read(element: Element, attribute: str) -> str:
    """Return the value of an attribute; srdfdom strips it."""
    return element.get(attribute, "").strip()


def _check_attributes(srdf: _Srdf) -> Iterator[Diagnostic]:
    for path, attribute in dict.fromkeys([*_NEEDED, *(pair[:2] for pair in REFERENCES)]):
        for element in srdf.root.iterfind(path):
            if not _read(element, attribute) and (path, attribute) not in _OPTIONAL:
                yield diagnose("srdf-attribute-missing", locate(element), tag=tag_of(element), attribute=attribute)


class _Use(NamedTuple):
    element: Element
    attribute: str
    is_pair: bool


def _check_names(srdf: _Srdf) -> Iterator[Diagnostic]:
    """Report each unknown name once, with the other places that have it."""
    uses: dict[tuple[str, str], list[_Use]] = {}
    for path, attribute, kind in REFERENCES:
        for element in srdf.root.iterfind(path):
            if (name := _read(element, attribute)) and name not in srdf.known[kind]:
                uses.setdefault((kind, name), []).append(_Use(element, attribute, path in _OF_PAIRS))
    comparisons = Comparisons()
    for (kind, name), of_name in uses.items():
        first, *others = sorted(of_name, key=lambda use: use.is_pair)
        rule = "srdf-pair-unknown" if first.is_pair else "srdf-name-unknown"
        there = "in the SRDF" if kind == "group" else "in the URDF"
        yield diagnose(rule, locate(first.element, first.attribute), tag=tag_of(first.element), kind=kind, name=name,
                       there=there, hint=suggest_name(name, srdf.known[kind], comparisons),
                       related=[*_relate(others[:8]), *_count_rest(others[8:])])


def _relate(uses: list[_Use]) -> list[Related]:
    return [relate(f"<{tag_of(use.element)}> names it, too", locate(use.element, use.attribute)) for use in uses]


def _count_rest(uses: list[_Use]) -> list[Related]:
    return [relate(f"and {count_of(len(uses), 'more place')}, from here on", locate(uses[0].element))] if uses else []


def _check_virtual_joints(srdf: _Srdf) -> Iterator[Diagnostic]:
    for name, joint in srdf.virtual.items():
        kind = _read(joint, "type")
        if kind and kind.lower() not in _VIRTUAL_TYPES:
            yield diagnose("srdf-joint-type-unknown", locate(joint, "type"), name=name, type=kind,
                           hint=suggest_name(kind, _VIRTUAL_TYPES))


def _check_groups(srdf: _Srdf) -> Iterator[Diagnostic]:
    """Report groups of one name, and groups that contain themselves."""
    for group in srdf.root.iterchildren("group"):
        first = srdf.groups[_read(group, "name")]
        if group is not first and _read(group, "name"):
            yield diagnose("srdf-group-repeated", locate(group, "name"), name=_read(group, "name"),
                           related=[relate("the first", locate(first, "name"))])
    cyclic = _find_cyclic({name: own.subgroups for name, own in srdf.own.items()})
    for name in srdf.groups:
        if name in cyclic:
            yield diagnose("srdf-group-cycle", locate(srdf.groups[name], "name"), name=name)


def _find_cyclic(inside: Mapping[str, Collection[str]]) -> set[str]:
    """Find the groups that contain themselves, in linear time: by Tarjan's strongly connected components (1972)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}  # number of those that a group leads to, and whose component is not known yet
    known: set[str] = set()
    done: set[str] = set()
    cyclic: set[str] = set()
    path: list[str] = []
    pending = [*inside]
    while pending:
        name = pending[-1]
        if name not in numbers:
            numbers[name] = lowest[name] = len(numbers)
            path.append(name)
            pending += [sub for sub in inside[name] if sub not in numbers]
            continue
        pending.pop()
        if name in done:  # it was pending for several groups
            continue
        done.add(name)
        lowest[name] = min([lowest[name], *(lowest[sub] for sub in inside[name] if sub not in known)])
        if lowest[name] == numbers[name]:
            place = len(path) - 1
            while path[place] != name:
                place -= 1
            component = path[place:]
            del path[place:]
            known.update(component)
            if len(component) > 1 or name in inside[name]:
                cyclic.update(component)
    return cyclic


def _check_states(srdf: _Srdf, spending: Spending) -> Iterator[Diagnostic]:
    by_group: dict[str, list[tuple[str, Element]]] = {}
    for element in srdf.root.iterchildren("group_state"):
        values = by_group.setdefault(_read(element, "group"), [])
        values += [(_read(element, "name"), value) for value in element.iterchildren("joint")]
    for group, values in by_group.items():
        content = srdf.list_content(group, spending) if group in srdf.groups else None
        for state, value in values:
            if (name := _read(value, "name")) not in srdf.known["joint"]:
                continue
            outside = content is not None and not srdf.has(content, name, spending)
            if spending.exceeded is not None:
                return
            if outside:
                yield diagnose("srdf-state-outside-group", locate(value, "name"), state=state,
                               joint=name, group=group)
            elif _read(value, "value"):
                yield from _check_value(srdf, state, name, value)


def _check_value(srdf: _Srdf, state: str, name: str, element: Element) -> Iterator[Diagnostic]:
    """Check the position of a joint: its number of values, and its limits."""
    joint = srdf.joints.get(name)
    kind = _read(srdf.virtual[name], "type").lower() if joint is None else joint.type
    size = _SIZES.get(kind, 0)
    text = _read(element, "value")
    if (values := read_numbers(text, size)) is None:
        yield diagnose("srdf-value-invalid", locate(element, "value"), state=state, joint=name, type=kind, text=text,
                       wanted=count_of(size, "number"))
    elif joint is not None and JOINT_TYPES[kind].bounded and joint.limit is not None:
        lower, upper = joint.limit.lower, joint.limit.upper
        if not lower <= values[0] <= upper:
            yield diagnose("srdf-value-outside", locate(element, "value"), state=state, joint=name, value=text,
                           lower=lower, upper=upper)
