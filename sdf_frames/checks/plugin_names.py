"""Checks the names of joints and links in plugins, in ``<transmission>`` and in ``<ros2_control>``.

Only names that a program looks up in the model itself are checked. Names in the world (``<child_link>`` of another
model), TF frames (``<frame_id>``) and names that unknown plugins read are not. The parameters of known plugins that
name links and joints are from the sources of the plugins, which the rows state.
"""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sdf_frames.diagnostics import Comparisons, Diagnostic, Related, diagnose, relate, suggest_name
from sdf_frames.document.elements import Element, locate, tag_of, text_of
from sdf_frames.document.numbers import read_bool
from sdf_frames.document.own_data import read_table
from sdf_frames.sdf.model import Model, Root, walk_links, walk_models

if TYPE_CHECKING:
    from sdf_frames.convert.report import Entry
    from sdf_frames.convert.urdf_to_sdf import Conversion
    from sdf_frames.urdf.model import Robot

#: What a name must refer to: a link, any joint, a joint that is not fixed, or a joint that is not fixed and no mimic.
LINK, JOINT, MOVABLE, FREE = "link", "joint", "movable joint", "free joint"
_FILE = re.compile(r"(?:lib)?(?:(?:gz-sim|ignition-gazebo)\d*-(?P<system>.+?)-system|(?P<classic>.+?))"
                   r"(?:\.so|\.dylib|\.dll)?")
#: Elements that name a joint in a <transmission>, with those of the PR2's gripper and wrist, or in a <ros2_control>.
_JOINT_TAGS = ("joint", "passive_joint", "gap_joint", "flexJoint", "rollJoint", "simulated_actuated_joint")


class Known(NamedTuple):
    """The names that a plugin reads.

    Attributes
    ----------
    source : the file that reads it, in the repository of its group.
    parameters : path of each parameter below ``<plugin>`` (``@`` before an attribute), and what it names.
    separator : between the names of one parameter that takes several.
    """

    source: str
    parameters: dict[str, str]
    separator: str = ""


def _read_plugins() -> dict[str, dict[str, Known]]:
    """Read ``data/plugins.tsv`` by group. It has a row for each kind of name that a plugin reads."""
    groups: dict[str, dict[str, Known]] = {"system": {}, "classic": {}}
    for group, plugin, kind, parameters, separator, source in read_table(__file__, "plugins.tsv"):
        known = groups[group].setdefault(plugin, Known(source, {}, separator))
        known.parameters.update(dict.fromkeys(parameters.split(), kind))
    return groups


#: `SYSTEMS`: those of gz-sim by the middle of their file names, as in gz-sim-diff-drive-system. Source: gz-sim,
#: src/systems/. `CLASSIC`: plugins of Gazebo Classic by their file names. Sources: gazebo_ros_pkgs, branches
#: noetic-devel and ros2, for gazebo_ros_*; gazebo-classic for others.
SYSTEMS, CLASSIC = _read_plugins().values()


def _find_plugin(plugin: Element) -> Known | None:
    """Return the row of a plugin; its file may have a folder, the prefix lib, and a suffix."""
    match = _FILE.fullmatch((plugin.get("filename") or "").rpartition("/")[2])
    return None if match is None else SYSTEMS.get(match["system"]) or CLASSIC.get(match["classic"])


class _Use(NamedTuple):
    """One name as written: the element that holds it (in an attribute, if any), and whose parameter it is."""

    name: str
    kind: str
    element: Element
    attribute: str | None
    owner: str


class _Names(NamedTuple):
    """The names in a model: links, joints (whether each is fixed, and what it mimics), kinds of other frames.

    `gapped` says that names are missing because an include failed.
    """

    links: set[str]
    joints: dict[str, tuple[bool, str]]
    others: dict[str, str]
    gapped: bool = False


class _Fates(NamedTuple):
    """The rows of a conversion for the links and joints of a URDF, and the joint above each link."""

    entries: "dict[tuple[str, str], Entry]"
    above: dict[str, str]


_NO_FATES = _Fates({}, {})


def check_plugins(root: Root, conversion: "Conversion | None" = None) -> Iterator[Diagnostic]:
    """Check the names that known plugins use in their models. `conversion` has the new names of a URDF's elements."""
    fates = _NO_FATES if conversion is None else _Fates(
        {(e.kind, e.name): e for e in conversion.entries if e.kind in (LINK, JOINT)},
        {joint.child: joint.name for joint in conversion.robot.joints})
    for _, _, model, _ in walk_models(root):
        uses = [use for holder in (model.element, model.include) if holder is not None
                for plugin in holder.iterchildren("plugin") for use in _read_plugin(plugin)]
        if uses:
            yield from _judge(uses, _list_names(model), fates)


def check_controls(robot: "Robot") -> Iterator[Diagnostic]:
    """Check the joints that the ``<transmission>`` and ``<ros2_control>`` elements of a URDF name."""
    uses = []
    for element in (*robot.transmissions, *robot.ros2_control):
        owner = f"<{tag_of(element)}> {element.get('name', '')!r}"
        uses += [_Use(name, _find_kind(joint), joint, "name", owner)
                 for joint in element.iterchildren(*_JOINT_TAGS) if (name := joint.get("name", "").strip())]
    if uses:
        joints = {j.name: (j.type == "fixed", "" if j.mimic is None else j.mimic.joint) for j in robot.joints}
        yield from _judge(uses, _Names({link.name for link in robot.links}, joints, {}), _NO_FATES)


def _find_kind(joint: Element) -> str:
    """Return what a ``<joint>`` names. ros2_control refuses fixed joints, and commands for mimic joints.

    Source: ros2_control, hardware_interface/src/component_parser.cpp.
    """
    commanded = joint.find("command_interface") is not None and read_bool(joint.get("mimic", "")) is not False
    return FREE if commanded else MOVABLE


def _read_plugin(plugin: Element) -> Iterator[_Use]:
    if (known := _find_plugin(plugin)) is None:
        return
    owner = f"plugin {plugin.get('name') or plugin.get('filename')!r}"
    for path, kind in known.parameters.items():
        path, _, attribute = path.partition("/@")
        for element in plugin.iterfind(path):
            text = element.get(attribute, "") if attribute else text_of(element)
            for name in text.split(known.separator) if known.separator else (text,):
                if name.strip() and "$" not in name:  # $ is for a program that fills in the text
                    yield _Use(name.strip(), kind, element, attribute or None, owner)


def _list_names(model: Model) -> _Names:
    """List the links, joints and frames of a model and its nested models, by bare and by scoped names."""
    names = _Names(set(), {}, {}, bool(model.missing))
    pending = [(model, "")]
    while pending:
        here, prefix = pending.pop()
        names = names._replace(gapped=names.gapped or bool(here.missing))
        for form in dict.fromkeys(("", prefix, f"{model.name}::{prefix}")):
            names.links.update([form + link.name for link in here.links])
            for joint in here.joints:
                leader = next((axis.mimic.joint for axis in joint.axes if axis.mimic is not None), "")
                names.joints.setdefault(form + joint.name, (joint.type == "fixed", leader))
            names.others.update({form + frame.name: "frame" for frame in here.frames})
            names.others.update({form + nested.name: "model" for nested in here.models})
        pending += [(nested, f"{prefix}{nested.name}::") for nested in here.models]
    return names


def _judge(uses: Iterable[_Use], names: _Names, fates: _Fates) -> Iterator[Diagnostic]:
    """Report each name that cannot be resolved once, with the other places that have it."""
    comparisons = Comparisons()
    found: dict[tuple[str, str, str], tuple[Diagnostic, list[Related]]] = {}
    for use in uses:
        if (problem := _find_problem(use, names, fates, comparisons)) is None:
            continue
        rule, words, hint = problem
        at = locate(use.element, use.attribute)
        called = _kind_of(use)
        if (known := found.get((rule, called, use.name))) is not None:
            known[1].append(relate(f"{use.owner} names it, too", at))
            continue
        found[rule, called, use.name] = diagnose(rule, at, tag=tag_of(use.element), owner=use.owner, kind=called,
                                                 name=use.name, problem=words, hint=hint), []
    for diagnostic, related in found.values():
        yield diagnostic._replace(related=tuple(related))


def _find_problem(use: _Use, names: _Names, fates: _Fates,
                  comparisons: Comparisons) -> tuple[str, str, str | None] | None:
    """Find why a name cannot be resolved: the rule, the end of its message, and a hint."""
    kind = _kind_of(use)
    if kind == LINK and use.name in names.links:
        return None
    if kind == JOINT and use.name in names.joints:
        fixed, leader = names.joints[use.name]
        if fixed and use.kind != JOINT:
            return "plugin-joint-fixed", "which is fixed and cannot move", None
        if leader and use.kind == FREE:
            return "plugin-joint-mimics", f"which follows joint {leader!r} (<mimic>)", None
        return None
    if (entry := fates.entries.get((kind, use.name))) is not None:
        return _explain_fate(use, entry, fates)
    if names.gapped:
        return None
    there = "link" if use.name in names.links else "joint" if use.name in names.joints else names.others.get(use.name)
    words = f"but that is a {there}" if there else "which does not exist"
    return "plugin-name-unknown", words, suggest_name(use.name, names.links if kind == LINK else names.joints,
                                                      comparisons)


def _explain_fate(use: _Use, entry: "Entry", fates: _Fates) -> tuple[str, str, str | None] | None:
    """Find why a name of the URDF does not exist in the SDF; None if a finding of the conversion reports it."""
    if entry.action == "renamed":
        return "plugin-name-unknown", f"which the SDF calls {entry.into!r}", f"write {entry.into!r}"
    if entry.action != "lumped":
        return None
    lumped = f"which is lumped into link {entry.into!r}"
    if use.kind in (MOVABLE, FREE):
        return "plugin-joint-fixed", f"{lumped}: it is fixed", None
    joint = use.name if use.kind == JOINT else fates.above[use.name]
    hint = ("to keep its joint, convert with --preserve-fixed-joints (in Python: preserve_fixed_joints=True), or write "
            f'<preserveFixedJoint>true</preserveFixedJoint> into <gazebo reference="{joint}">')
    return "plugin-name-lumped", lumped, hint + (f"; or name link {entry.into!r}" if use.kind == LINK else "")


def _kind_of(use: _Use) -> str:
    return LINK if use.kind == LINK else JOINT


def check_contacts(root: Root) -> Iterator[Diagnostic]:
    """Check the collisions that contact sensors name: they must be of the sensor's own link."""
    comparisons = Comparisons()
    for _, _, link in walk_links(root):
        sensors = [part for part in link.parts if part.kind == "sensor" and part.element.get("type") == "contact"]
        known = {collision.name: None for collision in link.collisions} if sensors else {}
        offer = _offer([*known])
        for sensor in sensors:
            for element in sensor.element.iterfind("contact/collision"):
                name = text_of(element)
                if name and name.rpartition("::")[2] not in known:
                    yield diagnose("contact-collision-unknown", locate(element), sensor=sensor.name, name=name,
                                   link=link.name, hint=suggest_name(name, known, comparisons) or offer)


def _offer(names: list[str]) -> str | None:
    return f"name one of {', '.join(map(repr, names[:3]))}{', …' * (len(names) > 3)}" if names else None
