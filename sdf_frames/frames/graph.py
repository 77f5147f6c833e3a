"""The two graphs of a scope as plain lists: ``attached_to`` and ``relative_to``.

Every link, joint, frame and (nested) model of a world or root model is one vertex. The builder looks names up, reports
unknown names, and resolves poses and bodies. Source: pose frame semantics, parsing phases of model and world.
"""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from sdf_frames.diagnostics import Diagnostic, diagnose, relate
from sdf_frames.document.elements import Element, child_or_self, locate
from sdf_frames.frames.forest import CYCLE, find_cycles, find_roots, resolve_poses
from sdf_frames.frames.hints import NameHints
from sdf_frames.sdf.model import (
    Entity,
    Frame,
    Joint,
    Link,
    Member,
    Model,
    World,
    find_canonical_link,
    kind_of,
    pose_element_of,
)
from sdf_frames.sdf.names import ANY, ANY_SCOPE, MODEL_FRAME, ROOT, WORLD_FRAME
from sdf_frames.sdf.table import version_key
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, invert, normalise

SINK = -1
BROKEN = -2


class FrameGraph(NamedTuple):
    """The frames of one scope; vertex 0 is the scope's own frame (``__model__`` or ``world``).

    Attributes
    ----------
    kind, name, scope : ``"world"`` or ``"model"``, its name, and the typed world or root model.
    names : (N,) names relative to the scope, ``::`` between levels.
    kinds : (N,) ``world``, ``model``, ``link``, ``joint`` or ``frame``.
    entities : (N,) the typed part of each vertex.
    attached, relative : (N,) vertex that each is attached to, and that its pose is relative to; `SINK` for none,
        `BROKEN` for an unknown reference.
    raw : (N,) pose of each vertex in the one that it is relative to (a root model's own: in the world), with a unit
        quaternion; None if the description has none.
    poses : (N,) pose of each vertex in the scope's frame, with a unit quaternion; None if it cannot be resolved.
    bodies : (N,) vertex of the link, static model or world that each is rigidly attached to; `SINK` for none.
    vertices : vertex by name, ``nested::__model__`` included.
    joints : those of the scope and all nested models, as (vertex, prefix of their scope).
    hints : suggests names for unknown references.
    diagnostics : findings on references and cycles.
    """

    kind: str
    name: str
    scope: Model | World
    names: list[str]
    kinds: list[str]
    entities: list[Entity]
    attached: list[int]
    relative: list[int]
    raw: list[Pose | None]
    poses: list[Pose | None]
    bodies: list[int]
    vertices: dict[str, int]
    joints: list[tuple[int, str]]
    hints: NameHints
    diagnostics: tuple[Diagnostic, ...]

    def find(self, prefix: str, reference: str) -> int | None:
        """Return the vertex that `reference` names in the scope `prefix` ("" or ``nested::``), or None."""
        return None if reference in ("", ROOT) else self.vertices.get(prefix + reference)

    def prefix(self, vertex: int) -> str:
        """Return the prefix of all names in the scope of a vertex: "" or ``nested::``."""
        return self.names[vertex].removesuffix(self.entities[vertex].name) if vertex else ""

    def list_static(self) -> tuple[str, ...]:
        """Return the prefix of all names in each static model."""
        return tuple([name + "::" if i else "" for i, (name, entity) in enumerate(zip(self.names, self.entities))
                      if isinstance(entity, Model) and entity.static])

    def joint(self, vertex: int) -> Joint:
        """Return the joint at a vertex of `joints`."""
        joint = self.entities[vertex]
        assert isinstance(joint, Joint)
        return joint

    def is_unknown(self, prefix: str, reference: str) -> bool:
        """Return whether `reference` is unknown in the scope `prefix`, and not because an include failed."""
        return self.find(prefix, reference) is None and not _is_missing(self, prefix, reference)


def _is_missing(graph: "FrameGraph | _Builder", prefix: str, reference: str) -> bool:
    """Return whether `reference`, unknown in the scope `prefix`, may be missing because an include failed."""
    name, _, rest = reference.partition("::")
    while (number := graph.vertices.get(prefix + name)) is not None:
        if not rest or graph.kinds[number] != "model" or name == MODEL_FRAME:
            return False
        prefix = f"{prefix}{name}::"
        name, _, rest = rest.partition("::")
    number = graph.vertices.get(prefix + MODEL_FRAME) if prefix else 0
    if number is None:  # a part of a name that has '::' (N004)
        return False
    scope = graph.entities[number]
    assert isinstance(scope, (Model, World))
    return ANY in scope.missing or name in scope.missing or (bool(rest) and ANY_SCOPE in scope.missing)


def build_graph(scope: Model | World) -> FrameGraph:
    """Build the frame graph of a world or a root model, with findings on unknown references and on cycles."""
    builder = _Builder()
    builder.add_scope(scope)
    builder.connect()
    return builder.finish(scope)


class _Builder:
    def __init__(self) -> None:
        self.names: list[str] = []
        self.kinds: list[str] = []
        self.entities: list[Entity] = []
        self.vertices: dict[str, int] = {}
        self.attached: list[int] = []
        self.relative: list[int] = []
        self.raw: list[Pose | None] = []
        self.scopes: list[tuple[Model | World, str, int, list[tuple[int, Member]]]] = []
        self.joints: list[tuple[int, str]] = []
        self.placed: list[tuple[int, str, str]] = []
        self.in_world: list[int] = []  # joints whose pose is relative to the world
        self.found: list[Diagnostic] = []
        self.hints = NameHints(self.vertices)

    def add_vertex(self, name: str, entity: Entity) -> int | None:
        """Add a vertex and return its index; None if the name is taken, which the name check reports."""
        number = len(self.names)
        if self.vertices.setdefault(name, number) != number:
            return None
        self.names.append(name)
        self.kinds.append(kind_of(entity))
        self.entities.append(entity)
        self.attached.append(SINK)
        self.relative.append(SINK)
        self.raw.append(IDENTITY if isinstance(entity, World) else entity.pose.X)
        return number

    def add_scope(self, scope: Model | World) -> None:
        """Add vertices for a model or world, which is vertex 0, and for everything in it, nested models included."""
        self.add_vertex(WORLD_FRAME if isinstance(scope, World) else MODEL_FRAME, scope)
        pending: list[tuple[Model | World, str, int]] = [(scope, "", 0)]
        while pending:
            scope, prefix, vertex = pending.pop()
            if prefix:
                self.vertices[prefix + MODEL_FRAME] = vertex
            links = scope.links if isinstance(scope, Model) else ()
            entities: tuple[Member, ...] = (*links, *scope.joints, *scope.frames, *scope.models)
            members = [(number, e) for e in entities if (number := self.add_vertex(prefix + e.name, e)) is not None]
            self.scopes.append((scope, prefix, vertex, members))
            pending += [(e, f"{prefix}{e.name}::", number) for number, e in reversed(members) if isinstance(e, Model)]

    def connect(self) -> None:
        """Connect every vertex, now that all names are known."""
        for scope, prefix, vertex, members in self.scopes:
            if isinstance(scope, Model):
                self.attached[vertex] = self._attach_model(scope, prefix)
                if scope.placement_frame:
                    self.placed.append((vertex, prefix, scope.placement_frame))
            for number, entity in members:
                above = vertex
                if isinstance(entity, Frame):
                    above = self.attached[number] = self._attach_frame(entity, prefix, vertex)
                    if entity.placement_frame:
                        self.placed.append((number, prefix, entity.placement_frame))
                elif isinstance(entity, Joint):
                    self.joints.append((number, prefix))
                    above = self.attached[number] = self._attach_joint(number, entity, prefix)
                    if entity.pose.relative_to == ROOT:
                        self.in_world.append(number)
                self.relative[number] = self._relate(number, entity, prefix) if entity.pose.relative_to else above

    def _attach_model(self, model: Model, prefix: str) -> int:
        if model.static:
            return SINK
        name = find_canonical_link(model)
        if name is None and model.missing:
            return BROKEN
        if name is None:
            place = locate(model.element if model.include is None else model.include)
            hint = None if version_key(model.version) >= (1, 7) else (
                f"add a link, or make the model static; SDFormat {model.version} allowed such models, but libsdformat "
                "applies this rule of 1.7 to every version")
            self.found.append(diagnose("model-without-link", place, name=model.name, hint=hint))
            return BROKEN
        target = self.vertices.get(prefix + name) if name != ROOT else None
        # A nested model reports its own unknown link, unless it is static and needs no canonical link.
        if target is None and self._is_unknown(prefix, name) and (model.canonical_link or model.models[0].static):
            self.found.append(diagnose("canonical-link-unknown", locate(model.element, "canonical_link"),
                                       name=model.name, reference=name, hint=self.hints.suggest(prefix, name)))
        return BROKEN if target is None else target

    def _attach_frame(self, frame: Frame, prefix: str, vertex: int) -> int:
        if not frame.attached_to:
            return vertex
        target = self._look_up(prefix, frame.attached_to)
        if target is None and self._is_unknown(prefix, frame.attached_to):
            self.found.append(diagnose(
                "frame-attached-to-unknown", locate(frame.element, "attached_to"), name=frame.name,
                reference=frame.attached_to, hint=self.hints.suggest(prefix, frame.attached_to, frame.name)))
        return BROKEN if target is None else target

    def _attach_joint(self, number: int, joint: Joint, prefix: str) -> int:
        child = self._look_up(prefix, joint.child)
        if child is None and joint.child not in ("", WORLD_FRAME) and self._is_unknown(prefix, joint.child):
            self.found.append(diagnose(
                "joint-child-unknown", locate(child_or_self(joint.element, "child")), name=joint.name,
                reference=joint.child, hint=self.hints.suggest(prefix, joint.child, joint.name, joint.parent)))
        if child == number:
            self.found.append(diagnose("joint-is-own-child", locate(joint.element), name=joint.name))
            child = None
        return BROKEN if child is None else child

    def _relate(self, number: int, entity: Member, prefix: str) -> int:
        """Find the vertex that an entity's pose names; report an unknown one, and return BROKEN."""
        reference = entity.pose.relative_to
        if reference == ROOT and isinstance(entity, Joint):
            return 0  # see in_world
        target = self._look_up(prefix, reference)
        if isinstance(entity, Model) and self.kinds[0] == "world" and not prefix:
            # A model knows its own frame as __model__ and not by its name (pose frame semantics 6).
            target = number if reference == MODEL_FRAME else None if target == number else target
        if target is None and self._is_unknown(prefix, reference):
            hint = "name another frame: a pose cannot be relative to its own frame" if reference == entity.name else \
                self.hints.suggest(prefix, reference, entity.name)
            self.found.append(diagnose("pose-relative-to-unknown", locate(pose_element_of(entity), "relative_to"),
                                       name=entity.name, kind=self.kinds[number], reference=reference, hint=hint))
        return BROKEN if target is None else target

    def _look_up(self, prefix: str, reference: str) -> int | None:
        return None if reference in ("", ROOT) else self.vertices.get(prefix + reference)

    def _is_unknown(self, prefix: str, reference: str) -> bool:
        """Return whether to report an unknown reference; ``__root__`` and failed includes have errors of their own."""
        return reference != ROOT and not _is_missing(self, prefix, reference)

    def finish(self, scope: Model | World) -> FrameGraph:
        """Complete the graph: report cycles, apply placement frames, resolve poses and bodies."""
        roots, forest = find_roots(self.attached)[0], find_roots(self.relative)
        if CYCLE in roots or CYCLE in forest[0]:
            self.found += report_cycles(self.attached, self.relative, self.names, self.entities)
        self._place()
        raw = [None if X is None else normalise(X) for X in self.raw]
        for number in self.in_world:  # now that the pose of a root model is known
            X_WM, X_WJ = raw[0], raw[number]
            raw[number] = None if X_WM is None or X_WJ is None else normalise(compose(invert(X_WM), X_WJ))
        bodies = [root if root != CYCLE and self.attached[root] == SINK else SINK for root in roots]
        return FrameGraph(
            self.kinds[0], scope.name, scope, self.names, self.kinds, self.entities,
            self.attached, self.relative, raw, resolve_poses(self.relative, raw, forest), bodies,
            self.vertices, self.joints, self.hints, tuple(self.found))

    def _place(self) -> None:
        """Turn poses that are given for a placement frame into poses of the model (or proxy), innermost first."""
        for number, prefix, frame in reversed(self.placed):
            entity, own = self.entities[number], self.raw[number]
            target = self._look_up(prefix, frame)
            X = None if target is None else self._pose_below(target, number)
            if target is None and self._is_unknown(prefix, frame):
                place = locate(_placing_element(entity), "placement_frame")
                self.found.append(diagnose("placement-frame-unknown", place,
                                           name=entity.name, reference=frame, hint=self.hints.suggest(prefix, frame)))
            placed = self.raw[number] = None if X is None or own is None else compose(normalise(own), invert(X))
            if placed is not None and not all(map(isfinite, placed)):
                self.found.append(diagnose("pose-overflow", locate(_placing_element(entity)), kind=self.kinds[number],
                                           name=self.names[number], scope=self.kinds[0]))

    def _pose_below(self, vertex: int, top: int) -> Pose | None:
        """Return the pose of `vertex` in `top` along the relative_to edges; None if they do not lead there."""
        X, seen = IDENTITY, {SINK, BROKEN}
        while vertex != top:
            if vertex in seen or (own := self.raw[vertex]) is None:
                return None
            seen.add(vertex)
            X = compose(normalise(own), X)
            vertex = self.relative[vertex]
        return X


def _placing_element(entity: Entity) -> Element:
    """Return the element that names an entity's placement frame: its own, or a child of its include."""
    if isinstance(entity, Frame) and entity.merged is not None:
        entity = entity.merged
    include = entity.include if isinstance(entity, Model) else None
    element = entity.element if include is None else include
    child = element.find("placement_frame")
    return entity.element if child is None else child


def report_cycles(attached: Sequence[int], relative: Sequence[int], names: Sequence[str], entities: Sequence[Entity],
                  ) -> list[Diagnostic]:
    """Report each cycle of the attached_to graph and of the relative_to graph.

    If the poses of all frames in a relative_to cycle are relative to their attached_to by default, the attached_to
    cycle is the cause, and only that is reported.

    Parameters
    ----------
    attached, relative : (N,) vertex that each vertex refers to, negative for none.
    names, entities : (N,) name and typed part of each vertex.
    """
    found = []
    for edges, rule in ((attached, "frame-attached-to-cycle"), (relative, "pose-relative-to-cycle")):
        for members in find_cycles(edges):
            if rule == "pose-relative-to-cycle" and not any(_is_placed(entities[m]) for m in members):
                continue
            if rule == "frame-attached-to-cycle" and any(_has_odd_canonical(entities[m], entities[attached[m]])
                                                         for m in members):
                continue
            attribute = "attached_to" if rule == "frame-attached-to-cycle" else "relative_to"
            places = [locate(_find_reference(entities[m], rule), attribute) for m in members]
            called = [names[m] for m in members]
            found.append(diagnose(
                rule, places[0], cycle=" -> ".join([*called, called[0]]),
                related=[relate(f"{kind_of(entities[m])} {n!r}", p)
                         for m, n, p in zip(members[1:], called[1:], places[1:])]))
    return found


def _has_odd_canonical(entity: Entity, body: Entity) -> bool:
    """Return whether a model's canonical link is not a link, which is then the cause of the cycle."""
    return isinstance(entity, Model) and bool(entity.canonical_link) and not isinstance(body, Link)


def _is_placed(entity: Entity) -> bool:
    """Return whether an entity states what its pose is relative to."""
    return not isinstance(entity, World) and bool(entity.pose.relative_to)


def _find_reference(entity: Entity, rule: str) -> Element:
    """Find the element that refers to the next member: ``<pose>``, a joint's ``<child>``, or the entity's own."""
    if rule == "pose-relative-to-cycle" and _is_placed(entity):
        return pose_element_of(entity)
    return child_or_self(entity.element, "child") if isinstance(entity, Joint) else entity.element
