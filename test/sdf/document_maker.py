"""Random documents of every version that are right by construction: see ``old_documents.py`` for what they mean."""

from itertools import count
from random import Random

from old_documents import RANK, Circle, Node, body, ends, every, meant, members, number, place, place_inertial

VERSIONS = ["1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"]
QUARTERS = (0.0, 0.0, 1.5707963267948966, -1.5707963267948966, 0.3, -1.1)


class Maker:
    """Makes one document from a source of chance."""

    def __init__(self, chance: Random):
        self.chance = chance
        self.files: dict[str, Node] = {}
        self.serial = count()

    def make(self) -> Node:
        version = number(self.chance.choice(VERSIONS))
        if self.chance.random() < 0.4:
            world = Node("world", "w", version)
            self._fill_world(world)
            root = world
        else:
            root = self._make_model(None, "m", version, 0)
        self._refer(root)
        return root

    def _numbers(self):
        c = self.chance
        return (*(round(c.uniform(-3, 3), 2) for _ in range(3)), *(c.choice(QUARTERS) for _ in range(3)))

    def _some_numbers(self, share):
        return self._numbers() if self.chance.random() < share else None

    def _names(self, scope, kind, most):
        pool = {"link": ["a", "b", "c", "x"], "joint": ["a", "x", "j", "b"], "frame": ["a", "x", "f", "b_joint"],
                "model": ["b", "n", "a"]}[kind]
        if scope.rules < (1, 8):
            pool = [*pool, *(["n::b"] if kind == "model" else ["b::x", "n::a", "q::a", "q::b", "n::b::a", "b::b"])]
        if scope.merged:
            number_ = scope.file.removeprefix("part")  # no name is in the model around
            pool = [name.replace("::", f"{number_}::", 1) if "::" in name else name + number_ for name in pool]
        if kind == "link" and scope.rules < (1, 7) and scope.kind == "model" and not scope.merged:
            pool.append("world")
        taken = {n.name for n in members(scope)} if scope.rules >= (1, 7) else set()
        taken |= {n.name for n in scope.of(kind)}
        pool = [n for n in pool if n not in taken]
        return self.chance.sample(pool, min(len(pool), self.chance.randint(*most)))

    def _fill_world(self, world):
        for name in self._names(world, "model", (1, 2)):
            self._add_model(world, name, 1)
        for name in self._names(world, "frame", (0, 2)) if world.version >= (1, 5) else ():
            self._add(world, "frame", name)

    def _add(self, scope, kind, name):
        node = Node(kind, name, scope.rules, scope, self._some_numbers(0.8))
        if kind == "link":
            node.inertial = self._some_numbers(0.4)
        scope.nodes.append(node)
        return node

    def _add_model(self, scope, name, depth):
        if self.chance.random() < 0.4:
            inner = number(self.chance.choice(VERSIONS))
            model = Node("model", name, scope.rules, scope, self._some_numbers(0.7), inner=inner)
            model.file = f"part{next(self.serial)}"
            model.merged = scope.kind == "model" and scope.rules >= (1, 9) and self.chance.random() < 0.5
            self.files[model.file] = model
            self._fill_model(model, depth)
        else:
            model = self._make_model(scope, name, scope.rules, depth)
        scope.nodes.append(model)

    def _make_model(self, scope, name, version, depth):
        model = Node("model", name, version, scope, self._some_numbers(0.7))
        self._fill_model(model, depth)
        return model

    def _fill_model(self, model, depth):
        version = model.rules
        for link in self._names(model, "link", (1, 3)):
            self._add(model, "link", link)
        for nested in self._names(model, "model", (0, 2)) if depth < 2 and version >= (1, 5) else ():
            self._add_model(model, nested, depth + 1)
        for joint in self._names(model, "joint", (0, 3)):
            self._add(model, "joint", joint)
        for frame in self._names(model, "frame", (0, 2)) if version >= (1, 5) else ():
            self._add(model, "frame", frame)
        self.chance.shuffle(model.nodes)

    def _texts(self, scope, kinds):
        """References that can be written in a scope for nodes of these kinds, in the words of the files."""
        for node in members(scope):
            if node.kind in kinds and (node.kind != "joint" or node.child):
                yield node.name
            if node.kind == "model" and scope.rules != (1, 7):
                yield from (f"{node.name}::{text}" for text in self._texts(node, kinds))

    def _refer(self, scope):
        """Give the nodes of a scope references, inner ones first, that neither go round nor join a body to itself."""
        for model in scope.of("model"):
            self._refer(model)
            if model.file and self.chance.random() < 0.3:
                self._try(model, "placed_by", RANK, model)
        for joint in scope.of("joint"):
            self._join(joint)
        if scope.kind == "model" and scope.rules >= (1, 7) and self.chance.random() < 0.5:
            self._try(scope, "canonical", ["link"], scope)
        sound = [n for n in scope.nodes if n.kind != "joint" or n.child]
        scope.nodes = sound
        for node in sound:
            if node.kind == "frame" and scope.rules >= (1, 7):
                self._try(node, "attached", ["link", "joint", "frame", "model"])
            if scope.rules >= (1, 5) and self.chance.random() < 0.5:
                self._try(node, "reference", RANK)
            if node.kind == "joint" and node.axis and scope.rules >= (1, 7) and self.chance.random() < 0.4:
                self._try(node, "expressed", RANK)
            # Written in its link, the inertial of a flattened one refers out of no group, which is a model then.
            old = (1, 5) <= scope.rules < (1, 7) and "::" not in node.name
            if node.inertial and old and self.chance.random() < 0.5:
                self._try(node, "inertial_frame", RANK)
        leaders = [n.name for n in members(scope, "joint") if n.axis and n.scope is not scope and "::" not in n.name]
        for node in sound:
            if node.kind == "joint" and node.axis:
                if leaders and self.chance.random() < 0.3:
                    node.mimic = self.chance.choice(leaders)
                leaders += [node.name] if "::" not in node.name else []

    def _join(self, joint):
        kinds = ["link"] if joint.rules < (1, 8) or self.chance.random() < 0.7 else RANK
        texts = sorted(set(self._texts(joint.scope, kinds)))
        for _ in range(4):
            joint.parent, joint.child = self.chance.choice([*texts, "world"]), self.chance.choice(texts)
            if self.chance.random() < 0.2 and joint.rules < (1, 7):
                joint.parent, joint.child = self.chance.choice(texts), "world"
            if self._is_sound(joint):
                break
        else:
            joint.child = ""
            return
        if self.chance.random() < 0.8:
            joint.axis = self.chance.choice([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, 0.8)])
            joint.in_model = (1, 5) <= joint.rules < (1, 7) and self.chance.random() < 0.5

    def _is_sound(self, joint):
        parent, child, _ = ends(joint)
        try:
            return child is not None and parent is not joint and child is not joint and self._resolves(joint) and (
                parent is None or body(parent) is not body(child))
        except Circle:
            return False

    def _try(self, node, attribute, kinds, scope=None):
        texts = sorted(set(self._texts(scope or node.scope, kinds)) - {""})
        texts = [*texts, "__model__"] if scope is None and node.scope.kind == "model" else texts or [""]
        setattr(node, attribute, self.chance.choice(texts))
        target = getattr(node, attribute) and meant(scope or node.scope, getattr(node, attribute))
        if not target or target is node or target.kind not in kinds or not self._resolves(node):
            setattr(node, attribute, "")

    def _resolves(self, node):
        """Whether every node of the scopes around has a pose and a body still."""
        scope = node.scope or node
        while scope.scope is not None:
            scope = scope.scope
        try:
            for _, n in every(scope):
                if n.kind != "joint" or n.child:
                    place(n)
                    body(n)
                    if n.inertial:
                        place_inertial(n)
                    parent, child, _ = ends(n) if n.kind == "joint" else (None, n, None)
                    if n.kind == "joint" and parent is not None and body(parent) is body(child):
                        return False
        except Circle:
            return False
        return True
