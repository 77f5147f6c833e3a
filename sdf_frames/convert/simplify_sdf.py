"""Makes an SDFormat document simpler: merges links that fixed joints connect, in a copy that keeps all other content.

Only links and joints that are written in the document itself are merged, not those of included models.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from lxml import etree

from sdf_frames.convert.computed_poses import write_pose
from sdf_frames.convert.emit import ensure
from sdf_frames.convert.report import Entry
from sdf_frames.convert.round_trip_attributes import is_container
from sdf_frames.convert.simplify import ALL, NONE, SimplifyOptions
from sdf_frames.diagnostics import Diagnostic, diagnose, suggest_name
from sdf_frames.document.edits import append_element, insert_elements, remove_element
from sdf_frames.document.numbers import format_number
from sdf_frames.document.xml_in import Element, find_child, locate, tag_of, text_of
from sdf_frames.frames.forest import CYCLE, find_roots, find_top
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.entities import read_mass, read_pose_element
from sdf_frames.sdf.model import UNPOSED, Link
from sdf_frames.sdf.names import Taken
from sdf_frames.sdf.sensor_ids import ID_ELEMENTS
from sdf_frames.spatial.inertia import MOMENTS, Body, combine_bodies, rotate_tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise

_POSED = frozenset(("visual", "collision", "sensor", "light", "projector", "particle_emitter", "audio_source"))
# What is said of a whole body, with its default: links are merged if they say the same.
_SETTINGS = {"gravity": "true", "enable_wind": "false", "self_collide": "false", "kinematic": "false",
             "must_be_base_link": "false", "velocity_decay": ""}
_ENDS = ("parent", "gearbox_reference_body")
_NAMING = ("relative_to", "attached_to", "expressed_in", "placement_frame")


def simplify_document(root: Element, graphs: Sequence[FrameGraph],
                      options: SimplifyOptions) -> tuple[list[Entry], list[Diagnostic]]:
    """Merge links that fixed joints connect.

    Parameters
    ----------
    root : an ``<sdf>`` tree of 1.7 or later, which is edited.
    graphs : of its worlds and root model, in their order.

    Returns
    -------
    entries, diagnostics
        A row for each link, joint and part that moves, and findings; with an error among them, `root` is not edited.
    """
    tops = [*root.iterchildren("world"), *root.iterchildren("model")]
    scopes = [_Scope(graph, top, options) for graph, top in zip(graphs, tops)]
    if found := list(_check_names(root, scopes, options)):
        return [], found
    for scope in scopes:
        found += scope.merge()
    named = _list_named(root)
    return [row for scope in scopes for row in scope.finish(named)], found


def _check_names(root: Element, scopes: Sequence[_Scope], options: SimplifyOptions) -> Iterator[Diagnostic]:
    joints = {scope.graph.joint(v).name for scope in scopes for v, _ in scope.graph.joints
              if scope.graph.joint(v).type == "fixed"}
    frames = {scope.graph.entities[v].name for scope in scopes for pair in scope.lumped.items() for v in pair}
    wanted = () if options.frames in ((ALL,), (NONE,)) else options.frames
    for names, known, what in ((options.keep, joints, "fixed joint"), (wanted, frames, "merged link or joint")):
        for name in names:
            if name not in known:
                yield diagnose("simplify-name-unknown", locate(root), name=name, what=what,
                               hint=suggest_name(name, known) or f"name a {what}")


def _list_named(root: Element) -> set[str]:
    """List the last parts of all names that poses, frames, axes, joints, placements and messages of sensors give."""
    texts = [value for e in root.iter(etree.Element) for key in _NAMING if (value := e.get(key))]
    texts += [text_of(e) for e in root.iter("parent", "child", "placement_frame")]
    texts += [text_of(e) for row in ID_ELEMENTS for e in root.iterfind(f".//sensor/{row.path}")]
    return {text.strip().rpartition("::")[2] for text in texts}


class _Scope:
    """The editing of one world or root model.

    Attributes
    ----------
    elements : of the copy, by vertex of the graph; only what is written in the document.
    lumped : vertices of the links that are merged into others, each with that of its joint.
    reasons : why a fixed joint stays, by its vertex.
    """

    def __init__(self, graph: FrameGraph, top: Element, options: SimplifyOptions):
        self.graph, self.options = graph, options
        self.elements = dict(_find_elements(graph, top))
        self.reasons: dict[int, str] = {}
        self.ends = {v: (_find_body(graph, prefix, graph.joint(v).parent),
                         _find_body(graph, prefix, graph.joint(v).child)) for v, prefix in graph.joints}
        self.lumped = self._find_lumped()
        self._carriers = self._find_carriers()
        self._leave_closed()
        self.rows: list[Entry] = []

    def _find_lumped(self) -> dict[int, int]:
        """Find the links to merge: each hangs on one joint only, and not in a loop."""
        count = Counter(child for _, child in self.ends.values())
        above = {child: parent for parent, child in self.ends.values() if count[child] == 1}
        roots, _ = find_roots([above.get(v, -1) for v in range(len(self.graph.names))])
        lumped = {}
        for v, (parent, child) in self.ends.items():
            if self.graph.joint(v).type != "fixed":
                continue
            reason = self._find_obstacle(v, parent, child)
            if not reason and (count[child] > 1 or roots[child] == CYCLE):
                reason = "it is part of a loop"
            if reason:
                self.reasons[v] = reason
            else:
                lumped[child] = v
        return lumped

    def _leave_closed(self) -> None:
        """Merge nothing into a link that a joint would then connect with itself."""
        closed = {child for v, (parent, child) in self.ends.items()
                  if self.lumped.get(child) != v and self._carrier(parent) == child}
        for link in [link for link in self.lumped if self._carrier(link) in closed]:
            self.reasons[self.lumped[link]] = "it is part of a loop"
        self.lumped = {link: v for link, v in self.lumped.items() if v not in self.reasons}
        self._carriers = self._find_carriers()

    def _find_obstacle(self, v: int, parent: int, child: int) -> str:
        """Say why a fixed joint cannot be merged, loops aside; "" if it can."""
        graph, elements = self.graph, self.elements
        if graph.joint(v).name in self.options.keep:
            return "it is to be kept"
        if min(parent, child) < 0 or {graph.kinds[parent], graph.kinds[child]} != {"link"}:
            return "it does not connect two links"
        if not {v, parent, child} <= elements.keys() or len({graph.prefix(i) for i in (v, parent, child)}) > 1:
            return "it and its links are not all written in one model of this file"
        if any(tag_of(e) in ("sensor", "plugin") for e in elements[v]):
            return "it has a sensor or a plugin"
        for tag, default in _SETTINGS.items():
            if len({_read_setting(elements[i], tag, default) for i in (parent, child)}) > 1:
                return f"its links differ in <{tag}>"
        for inertial in (self._link(parent).inertial, self._link(child).inertial):
            if inertial is not None and (inertial.auto or inertial.element.find("fluid_added_mass") is not None):
                return "the inertia of a link is computed from its shapes, or has added mass"
        return ""

    def merge(self) -> Iterator[Diagnostic]:
        """Move mass and content of merged links, and let joints and models name the links that have these now."""
        self._repoint()
        self._drop_states()
        bodies: dict[int, list[int]] = {}
        for i in self.lumped:
            bodies.setdefault(self._carrier(i), []).append(i)
        for body, links in bodies.items():
            self._combine(body, links)
            taken = {tag: Taken(e.get("name", "") for e in self.elements[body].iterchildren(tag)) for tag in _POSED}
            for link in links:
                self._move_parts(link, body, taken)
        for v in self.lumped.values():
            for child in list(self.elements[v]):
                if tag_of(child) and ":" not in tag_of(child):
                    remove_element(child)
        for v, reason in self.reasons.items():
            if v in self.elements and self.graph.joint(v).name not in self.options.keep:
                yield diagnose("simplify-joint-kept", locate(self.elements[v]), name=self.graph.names[v],
                               reason=reason)

    def finish(self, named: Collection[str]) -> list[Entry]:
        """Take merged links and joints out, or leave them as frames; return the rows of the scope."""
        graph, rows = self.graph, list[Entry]()
        bodies = {v: self._carrier(link) for pair in self.lumped.items() for link, v in (pair, (pair[0], pair[0]))}
        for i, element in self.elements.items():
            if i not in bodies:
                if graph.kinds[i] == "link":
                    rows.append(Entry("link", graph.names[i], "kept", None, element))
                continue
            kind, name, body = graph.kinds[i], graph.entities[i].name, bodies[i]
            stays = self.options.frames == (ALL,) or name in self.options.frames or name in named
            reason = "fixed joint" if kind == "joint" else "behind a fixed joint"
            rows.append(Entry(kind, graph.names[i], "lumped", graph.names[body], element,
                              f"{reason}; it stays as a frame" if stays else reason))
            if not stays:
                rows += [Entry(tag_of(part), name, "dropped", None, part, f"its {kind} does not stay as a frame")
                         for container in element if is_container(container) for part in container.iterchildren("*")]
                remove_element(element)
                continue
            element.tag = "frame"
            element.attrib.clear()
            element.set("name", name)
            element.set("attached_to", graph.entities[body].name)
            _set_pose(element, self._find_pose(i, body))
        return rows + self.rows

    def _link(self, i: int) -> Link:
        link = self.graph.entities[i]
        assert isinstance(link, Link)
        return link

    def _carrier(self, i: int) -> int:
        """Return the link that gets the content of the link at vertex `i`."""
        return self._carriers.get(i, i)

    def _find_carriers(self) -> dict[int, int]:
        above = {link: self.ends[v][0] for link, v in self.lumped.items()}
        return {link: find_top(above, link) for link in self.lumped}

    def _repoint(self) -> None:
        """Let joints that stay, grippers and models name the links that carry merged ones."""
        graph, gone = self.graph, set(self.lumped.values())
        for v, prefix in graph.joints:
            if v in self.elements and v not in gone:
                moved = [self._rename(end, prefix) for end in self.elements[v].iterchildren(*_ENDS)]
                self.rows.append(Entry("joint", graph.names[v], "moved" if any(moved) else "kept", None,
                                       self.elements[v], f"its parent link is now {next(filter(None, moved))!r}"
                                       if any(moved) else self.reasons.get(v)))
        for i, element in self.elements.items():
            if graph.kinds[i] != "model":
                continue
            prefix = f"{graph.names[i]}::" if i else ""
            for end in element.iterfind("gripper/*"):
                self._rename(end, prefix)
            link = graph.attached[i]
            if link in self.lumped and (element.get("canonical_link") or graph.prefix(link) == prefix):
                element.set("canonical_link", graph.names[self._carrier(link)].removeprefix(prefix))

    def _rename(self, end: Element, prefix: str) -> str:
        """Let an element name the link that carries the merged one that it names; return the new name, or ""."""
        link = self.graph.find(prefix, text_of(end))
        if link is None or link not in self.lumped:
            return ""
        end.text = self.graph.names[self._carrier(link)].removeprefix(prefix)
        return end.text

    def _drop_states(self) -> None:
        """Take merged links and joints out of the ``<state>`` elements of a world."""
        graph, gone = self.graph, {*self.lumped, *self.lumped.values()}
        pending = [("", state) for state in self.elements[0].iterchildren("state")]
        while pending:
            prefix, state = pending.pop()
            for child in list(state.iterchildren("*")):
                kind = tag_of(child).removesuffix("_state")
                v = graph.find(prefix, child.get("name", "").strip())
                if v is None or graph.kinds[v] != kind:
                    continue
                if kind == "model":
                    pending.append((f"{graph.names[v]}::", child))
                elif v in gone:
                    remove_element(child)
                    self.rows.append(Entry("state", graph.names[v], "dropped", None, child, f"the {kind} is merged"))

    def _find_pose(self, i: int, body: int) -> Pose:
        """Return the pose of a frame in the link that carries it."""
        X_B, X_F = self.graph.poses[body], self.graph.poses[i]
        assert X_B is not None and X_F is not None  # or there were errors
        return normalise(compose(invert(X_B), X_F))

    def _combine(self, body: int, links: list[int]) -> None:
        """Give a link the mass and inertia of all, in the axes of its own inertial."""
        bodies: list[Body] = []
        for link in (body, *links):
            X = compose(self._find_pose(link, body), _read_inertial_pose(self._link(link)))
            mass, moments = read_mass(self._link(link).inertial)
            bodies.append((mass, X[:3], rotate_tensor(X[3:], moments)))
        mass, (x, y, z), tensor = combine_bodies(bodies)
        w, i, j, k = _read_inertial_pose(self._link(body))[3:]
        element = self.elements[body]
        if (block := find_child(element, "inertial")) is None:
            insert_elements(element, None, [block := etree.Element("inertial")])
        _set_pose(block, (x, y, z, w, i, j, k))
        ensure(block, "mass").text = format_number(mass)
        inertia = ensure(block, "inertia")
        for tag, value in zip(MOMENTS, rotate_tensor((w, -i, -j, -k), tensor)):
            ensure(inertia, tag).text = format_number(value)

    def _move_parts(self, link: int, body: int, taken: Mapping[str, Taken]) -> None:
        """Move what a merged link has, with its comments, to the link that carries it."""
        source, target, X_BL = self.elements[link], self.elements[body], self._find_pose(link, body)
        name, moved, renamed = self._link(link).name, list[Element](), dict[str, str]()
        for part in list(source):
            if is_container(part):
                continue  # what a URDF says of the link stays with its frame
            remove_element(part)
            if (tag := tag_of(part)) in ("pose", "inertial") or tag in _SETTINGS:
                continue
            append_element(target, part)
            called = part.get("name", "")
            if tag in _POSED:
                _place_part(part, name, X_BL)
                moved.append(part)
                if called in taken[tag]:
                    part.set("name", taken[tag].find_free(f"{name}_fixed_joint_lump__{called}"))
                    renamed.update({called: part.get("name", "")} if tag == "collision" else {})
                taken[tag].add(part.get("name", ""))
            if tag:
                self.rows.append(Entry(tag, called, "moved", self.graph.names[body], part))
        for part in moved:
            for contact in part.iterfind("contact/collision"):
                contact.text = renamed.get(text_of(contact), contact.text)


def _find_elements(graph: FrameGraph, top: Element) -> Iterator[tuple[int, Element]]:
    """Yield vertex and element of the world or model `top`, and of all that is written in it."""
    yield 0, top
    pending = [("", top)]
    while pending:
        prefix, scope = pending.pop()
        for element in scope.iterchildren("link", "joint", "frame", "model"):
            name = element.get("name", "").strip()
            v = graph.find(prefix, name)
            # Until 1.7, the name of what stands here can be that of what is in a nested model.
            if v is not None and graph.kinds[v] == element.tag and graph.entities[v].name == name:
                yield v, element
                pending += [(f"{graph.names[v]}::", element)] if element.tag == "model" else []


def _find_body(graph: FrameGraph, prefix: str, name: str) -> int:
    """Return the link that an end of a joint means, -1 for the world."""
    v = graph.find(prefix, name)
    return -1 if v is None else graph.bodies[v]


def _read_inertial_pose(link: Link) -> Pose:
    return IDENTITY if link.inertial is None or link.inertial.X_LI is None else normalise(link.inertial.X_LI)


def _read_setting(link: Element, tag: str, default: str) -> str:
    """Return a setting of a link in one spelling."""
    child = find_child(link, tag)
    text = default if child is None else " ".join("".join(map(str, child.itertext())).split()).lower() or default
    return {"1": "true", "0": "false"}.get(text, text)


def _place_part(part: Element, link: str, X_BL: Pose) -> None:
    """Give a part of a merged link its pose in the link that carries it, if it does not name another frame."""
    pose = find_child(part, "pose")
    raw = UNPOSED if pose is None else read_pose_element(pose)
    if raw.relative_to in ("", link) and (pose is not None or X_BL != IDENTITY):
        _set_pose(part, compose(X_BL, normalise(raw.X)))


def _set_pose(element: Element, X: Pose) -> None:
    if (pose := find_child(element, "pose")) is None:
        insert_elements(element, None, [pose := etree.Element("pose")])
    write_pose(pose, X)
