"""Write a robot with another robot attached to one of its links: the text of the second is added to the first."""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from html import escape
from itertools import chain

from lxml import etree

from sdf_frames.convert.moved_uris import find_references, make_moves, move_uri, report_lost
from sdf_frames.description import Description
from sdf_frames.diagnostics import LISTED, Diagnostic, Edit, Location, diagnose
from sdf_frames.document.edits import Watch, append_text, edit_attributes, edit_out, insert_first, read_edited
from sdf_frames.document.elements import Element, find_child, locate, tag_of
from sdf_frames.document.numbers import write_short
from sdf_frames.document.places import source_of
from sdf_frames.document.xml_in import read_whole
from sdf_frames.frames.graph import FrameGraph, build_graph
from sdf_frames.frames.tf_tree import find_root_link
from sdf_frames.sdf.model import Model, Root, find_canonical_link, walk_models
from sdf_frames.sdf.names import MODEL_FRAME, WORLD_FRAME, Taken
from sdf_frames.sdf.references import find_words, rename_in_urdf
from sdf_frames.sdf.table import version_key
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, rpy_from_quaternion
from sdf_frames.urdf.model import Robot
from sdf_frames.urdf.versions import read_version
from sdf_frames.writers.written import Refused, Written, report_unknown

#: Parts of a URDF whose own names must differ, besides links and joints.
_NAMED = ("transmission", "actuator", "ros2_control")
#: A part of Drake's that is named, and elements that name it.
_GROUP = "collision_filter_group"
_OF_GROUPS = (_GROUP, f"ignored_{_GROUP}", "member_group")
#: Elements with content for programs.
_FOR_PROGRAMS = ("gazebo", "transmission", "ros2_control")
#: The first version with joints to links of nested models, and the first with merged includes.
_NESTED, _MERGED = "1.8", "1.9"
_OTHER_JOINT = "choose another name for the joint: --joint NAME (in Python: joint)"
_OTHER_PREFIX = "give the attached robot a prefix: --prefix left_ (in Python: prefix)"
_NOT_MERGED = "leave out --include (in Python: include), so that the model keeps its names to itself, or rename one"


def attach(base: Description, part: Description, at: str, X: Pose, *, prefix: str = "", joint: str | None = None,
           include: bool = False) -> Written:
    """Attach a robot to a link of another robot by a fixed joint; every byte of the text of `base` stays.

    The parameters are those of :func:`sdf_frames.attach`.
    """
    kind, found = "sdf" if base.robot is None else "urdf", [*base.diagnostics, *part.diagnostics]
    if base.source is None or part.source is None or any(
            one.robot is None and not one.resolved for one in (base, part)):
        return Written(base.kind or kind, tuple(found))
    try:
        if base.kind != part.kind:
            raise Refused(diagnose("attach-formats-differ", Location(part.file), other=base.file or "the other text"))
        if base.robot is not None and part.robot is not None:
            edits = _attach_urdf(base.robot, base, part.robot, part, at, X, prefix, joint, found)
        else:
            edits = _attach_model(base, part, at, X, prefix, joint, include, found)
    except Refused as error:
        return Written(kind, (*found, error.args[0]))
    return Written(kind, tuple(found), source=base.source, edits=tuple(edits))


def _attach_urdf(robot: Robot, base: Description, part: Robot, other: Description, at: str, X: Pose, prefix: str,
                 joint: str | None, found: list[Diagnostic]) -> list[Edit]:
    """Write a joint and the content of the other URDF behind the content of the first."""
    links = [link.name for link in robot.links]
    if at not in links:
        raise Refused(report_unknown(base.file, at, links, "link"))
    if read_version(robot.version) != read_version(part.version):
        raise _refuse_version(other, part.version or "1.0", robot.version or "1.0")
    here = _list_names(robot)
    there = {kind: [prefix + name for name in names] for kind, names in _list_names(part).items()}
    for kind, names in there.items():
        _check_names(other, kind, here[kind], names)
    if WORLD_FRAME in there["link"]:
        world = next(link for link in part.links if prefix + link.name == WORLD_FRAME)
        raise Refused(diagnose("world-not-reversible", locate(world.element), link=at, hint=_OTHER_PREFIX))
    joints = [*here["joint"], *there["joint"]]
    _check_names(other, "joint", joints, [joint or ""], _OTHER_JOINT)
    name = joint or Taken(joints).find_free(prefix + part.root, "_joint")
    for tag, known, new in (("transmission", robot.transmissions, part.transmissions),
                            ("ros2_control", robot.ros2_control, part.ros2_control)):
        _check_names(other, tag, [e.get("name") for e in known], [prefix + e.get("name", "") for e in new])
    painted, own = _list_materials(robot), _list_materials(part)
    clashes = [m for m in own if m in painted and own[m] != painted[m]]
    if not prefix:
        _check_names(other, "material", clashes, clashes)
    assert other.source is not None and robot.element is not None  # it was read
    whole = read_whole(other.source)
    shared = {m.name for m in robot.materials if m.name in own and m.name not in clashes}
    doubled = [m for m in whole.iterchildren("material") if m.get("name") in shared]
    of_all = [e for block in whole.iterchildren("gazebo") if not block.get("reference")
              for e in block.iterchildren("static", "pose")]
    found += [diagnose("attach-static-dropped", locate(e), tag=tag_of(e), name=part.name) for e in of_all]
    gone = [*doubled, *of_all]
    inside = read_edited(whole, [*_edit(whole, base, other, found, gone, make_renaming(part, prefix, clashes)),
                                 *map(edit_out, gone)], whole=False)
    found += _find_old_names(whole, part, prefix) if prefix else ()
    xyz, rpy = write_short(X[:3]), write_short(rpy_from_quaternion(*X[3:]))
    joined = [f'<joint name="{escape(name)}" type="fixed">', f'  <origin xyz="{xyz}" rpy="{rpy}"/>',
              f'  <parent link="{escape(at)}"/>', f'  <child link="{escape(prefix + part.root)}"/>', "</joint>"]
    return _append(robot.element, 1, joined, inside, whole)


def _list_names(robot: Robot) -> dict[str, list[str]]:
    """List the names of links, joints, frames and groups, also of those that Drake's elements and ``<gazebo>`` add."""
    names = {"link": [link.name for link in robot.links], "joint": [joint.name for joint in robot.joints], "frame": [],
             _GROUP: list[str]()}
    for added in chain(robot.others, *robot.gazebo):
        if (kind := _kind_of(added)) in names and (name := added.get("name")):
            names[kind].append(name)
    return names


def _kind_of(element: Element) -> str:
    """Return the tag without a namespace; that of ``<loop_joint>`` is ``joint``."""
    return tag_of(element).rpartition(":")[2].removeprefix("loop_")


def _list_materials(robot: Robot) -> dict[str, tuple[object, ...]]:
    """Return the colour and texture of each material by its name."""
    painted = [visual.material for link in robot.links for visual in link.visuals if visual.material is not None]
    return {material.name: material[1:3] for material in (*painted, *robot.materials) if material.name}


def _check_names(other: Description, kind: str, known: Iterable[str | None], new: Iterable[str],
                 hint: str | None = None) -> None:
    """Refuse names that both robots have."""
    taken = set(known)
    if both := [name for name in new if name and name in taken]:
        raise Refused(diagnose("attach-names-clash", Location(other.file), kind=kind,
                               names=", ".join(map(repr, both[:LISTED])), hint=hint))


def _refuse_version(other: Description, version: str, wanted: str) -> Refused:
    return Refused(diagnose("attach-versions-differ", Location(other.file), version=version, wanted=wanted))


def _edit(whole: Element, base: Description, other: Description, found: list[Diagnostic], without: Iterable[Element],
          change: Callable[[Element], None] | None = None) -> list[Edit]:
    """Change the elements of a text, and its relative URIs for the folder of `base`; return the edits."""
    watch, gone, taken = Watch(whole), set(without), dict[str, None]()
    if change is not None:
        for element in whole.iter(etree.Element):
            change(element)

    def move(_: Element, uri: str) -> str | None:
        """Return the URI for the folder of `base`, where one that leads to no file may lead to a file of `base`."""
        if other.resolver.find(uri, other.file) is None and base.file and base.resolver.find_beside(uri, base.file):
            taken[uri] = None
        return move_uri(uri, other.file, base.file, other.resolver)

    lost = make_moves(find_references(whole), move)
    found += report_lost([uri for uri in lost if uri not in taken], other.file)
    if taken:
        found.append(diagnose("attach-files-taken", Location(other.file), uris=", ".join([*taken][:LISTED])))
    return [edited.edit for edited in watch.find_changes()
            if gone.isdisjoint((edited.element, *edited.element.iterancestors()))]


def make_renaming(part: Robot, prefix: str, materials: Iterable[str]) -> Callable[[Element], None]:
    """Return a function that adds a prefix to the names in an element of a URDF."""
    names = {kind: {*known} for kind, known in _list_names(part).items()}
    names["link"] |= names["frame"] | {f"{name}_parent" for name in names["joint"]}  # where a frame can stand
    collisions = {shape.name for link in part.links for shape in link.collisions}

    def find_new(kind: str, name: str | None) -> str | None:
        known = [word for word in (name or "", (name or "").strip()) if prefix and word in names[kind]]
        return prefix + known[0] if known else None

    def rename(element: Element) -> None:
        rename_in_urdf(element, find_new)
        reference, name, kind = element.get("reference"), element.get("name"), _kind_of(element)
        if new := find_new("link", reference) or find_new("joint", reference):
            element.set("reference", new)
        own = {"material": materials, "frame": names["frame"], **dict.fromkeys(_OF_GROUPS, names[_GROUP])}.get(kind, ())
        if name and (kind in _NAMED or name in own):
            element.set("name", prefix + name)
        text, said = (element.text or "").strip(), f"{element.tag} {name}".lower()
        link, mark, number = text.partition("_collision") if "collision" in said else ("", "", "")
        if mark and not len(element) and text not in collisions and (new := find_new("link", link)):
            element.text = new + mark + number
    return rename


def _find_old_names(whole: Element, part: Robot, prefix: str) -> Iterator[Diagnostic]:
    """Yield a warning for each text and attribute for programs that still has an old name of a link or joint."""
    old = {*chain(*_list_names(part).values())}
    for element in [inside for block in whole.iterchildren(*_FOR_PROGRAMS) for inside in block.iter("*")]:
        first = dict[str | None, str]()
        for attribute, name in find_words(element, old):
            first.setdefault(attribute, name)
        for attribute, name in first.items():
            yield diagnose("attach-still-named", locate(element, attribute), tag=tag_of(element), name=name,
                           new=prefix + name)


def _attach_model(base: Description, part: Description, at: str, X: Pose, prefix: str, joint: str | None,
                  include: bool, found: list[Diagnostic]) -> list[Edit]:
    """Write a joint and the other model, or an include of it, behind the content of the model that has `at`."""
    graph = next((graph for graph in base.graphs if at in graph.vertices), None)
    if graph is None:
        raise Refused(report_unknown(base.file, at, [name for graph in base.graphs for name in graph.vertices]))
    scope = graph.prefix(graph.vertices[at])
    holder = graph.entities[graph.vertices[scope + MODEL_FRAME] if scope else 0]
    root, model = part.root, None if part.root is None else part.root.model
    problem = "" if model is not None and model.links else "the file to attach needs one model that has links itself"
    if not isinstance(holder, Model):
        problem = "it is a frame of the world, not of a model"
    elif source_of(holder.element) is not base.source:
        problem = "its model is in an included file"
    if problem or root is None or model is None or not isinstance(holder, Model):
        raise Refused(diagnose("attach-needs-models", Location(part.file), at=at, problem=problem))
    if version_key(holder.version) < version_key(_MERGED if include else _NESTED):
        raise _refuse_version(base, holder.version, f"{_MERGED if include else _NESTED} or newer")
    if root.version != holder.version and not include:
        older, newer = sorted([(base, holder.version), (part, root.version)], key=lambda one: version_key(one[1]))
        raise _refuse_version(*older, newer[1])  # SDFormat can only be upgraded
    name, frame = prefix + model.name, at.removeprefix(scope)
    parts, own = [name], part.graphs[-1]
    if model.static:
        own = build_graph(model._replace(static=False))
        found.append(diagnose("attach-static-dropped", locate(find_child(model.element, "static")), tag="static",
                              name=model.name))
    for element, problem, hint in _find_worldly(root, own):
        raise Refused(diagnose("attach-needs-models", locate(element), at=at, problem=problem, hint=hint))
    link = find_root_link(own) or find_canonical_link(model) or ""
    if include:
        parts = [member.name for member in model.order]
        placed = own.vertices.get(model.placement_frame)  # the pose of an include is that of this frame
        X = X if placed is None else compose(X, own.poses[placed] or IDENTITY)
    child = link if include else f"{name}::{link}"
    taken = [member.name for member in holder.order]
    _check_names(part, "part", taken, parts, _NOT_MERGED if include else None)
    _check_names(part, "part", [*taken, *parts], [joint or ""], _OTHER_JOINT)
    called = joint or Taken([*taken, *parts]).find_free(name, "_joint")
    pose = (f'<pose relative_to="{escape(frame)}">{write_short(X[:3])} '
            f'{write_short(rpy_from_quaternion(*X[3:]))}</pose>')
    joined = [f'<joint name="{escape(called)}" type="fixed">', f"  <parent>{escape(frame)}</parent>",
              f"  <child>{escape(child)}</child>", "</joint>"]
    if include:
        uri = os.path.relpath(part.file or "", os.path.dirname(base.file or "")).replace(os.sep, "/")
        return _append(holder.element, 2, ['<include merge="true">', f"  <uri>{escape(uri)}</uri>",
                                           f"  {pose}", "</include>", *joined])
    assert part.source is not None  # it was read
    whole = read_whole(part.source)
    return _append(holder.element, 2, [*joined, _copy_model(base, part, whole, name, pose, found)], whole=whole)


def _find_worldly(root: Root, graph: FrameGraph) -> Iterator[tuple[Element, str, str]]:
    """Yield what fixes parts of a model to the world, how, and what to do: it cannot be fixed to a link, too."""
    for vertex, prefix in graph.joints:
        joint = graph.joint(vertex)
        if WORLD_FRAME in (joint.parent, joint.child) and graph.find(prefix, WORLD_FRAME) is None:
            yield joint.element, f"joint {joint.name!r} connects the model to the world", "remove this joint"
    for _, _, model, _ in walk_models(root):
        if model.static and model is not root.model:
            yield (model.element if model.include is None else model.include,
                   f"the nested model {model.name!r} is static, so it is fixed to the world",
                   "set its <static> to false")


def _copy_model(base: Description, part: Description, whole: Element, name: str, pose: str,
                found: list[Diagnostic]) -> str:
    """Return the text of a model for another file, with another name and pose, and not static."""
    if (model := find_child(whole, "model")) is None:
        raise Refused(diagnose("attach-needs-models", locate(whole), at=base.file or "the model",
                               problem="the file to attach has no model itself, but includes one"))
    old, changed = [*model.iterchildren("pose", "static")], {"name": ("name", escape(name)), "placement_frame": None}
    return read_edited(model, [*_edit(whole, base, part, found, old), *map(edit_out, old), insert_first(model, pose),
                               *edit_attributes(model, changed)])


def _append(element: Element, depth: int, lines: Iterable[str], content: str = "",
            whole: Element | None = None) -> list[Edit]:
    """Append lines and a text to the content of an element.

    The element gets declarations of the namespace prefixes in the text that only the document `whole` declares.
    """
    newline = "\r\n" if b"\r\n" in (source_of(element).text or b"") else "\n"
    text = "".join([f"{newline}{'  ' * depth}{line}" for line in lines]) + content.rstrip()
    used = {prefix: uri for prefix, uri in ({} if whole is None else whole.nsmap).items()
            if prefix and re.search(rf"<{re.escape(prefix)}:|\s{re.escape(prefix)}:[^\s=]+\s*=", text)}
    for prefix, uri in used.items():
        if (other := element.nsmap.get(prefix, uri)) != uri:
            raise Refused(diagnose("attach-namespaces-clash", locate(whole), prefix=prefix, uri=uri, other=other))
    missing = {f"xmlns:{prefix}": escape(uri) for prefix, uri in used.items() if prefix not in element.nsmap}
    return [*edit_attributes(element, {name: (name, uri) for name, uri in missing.items()}), append_text(element, text)]
