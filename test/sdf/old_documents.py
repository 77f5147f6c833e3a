"""Random documents of every version, right by construction, and what they mean, worked out apart from the package.

A document is a tree of nodes with their references as text. :func:`meant` says which node a text means: by the rank
link, model, joint, frame among siblings of one name (seed 004:372), and into models by ``::`` (004:504).
"""
from __future__ import annotations

from dataclasses import dataclass, field

from sdf_frames.spatial.pose import IDENTITY, compose, invert, pose_from_rpy, rotate

RANK = ["link", "model", "joint", "frame"]


def number(version):
    return tuple(int(p) for p in version.split("."))


@dataclass(eq=False)
class Node:
    """A world, model, link, joint or frame; an included model has a ``file`` and ``inner``, the version of that."""

    kind: str
    name: str
    version: tuple
    scope: Node | None = None
    xyz_rpy: tuple | None = None
    reference: str = ""
    attached: str = ""
    parent: str = ""
    child: str = ""
    axis: tuple | None = None
    in_model: bool = False
    expressed: str = ""
    canonical: str = ""
    placed_by: str = ""
    file: str = ""
    inner: tuple | None = None
    nodes: list[Node] = field(default_factory=list)

    def of(self, *kinds):
        return [n for n in self.nodes if n.kind in kinds]

    @property
    def rules(self):
        """Version of the file that holds what is inside."""
        return self.inner or self.version


def meant(scope, text):
    """The node that a reference means in a scope, None for none."""
    pieces = text.split("::")
    for i in range(1, len(pieces)):
        for model in (m for m in scope.of("model") if m.name == "::".join(pieces[:i])):
            rest = "::".join(pieces[i:])
            found = model if rest == "__model__" else meant(model, rest)
            if found is not None:
                return found
    if text == "__model__":
        return scope
    return min((n for n in scope.nodes if n.name == text), key=lambda n: RANK.index(n.kind), default=None)


def ends(joint):
    """Parent and child of a joint as they are read, None for the world; and whether they are turned round."""
    parent, child = (meant(joint.scope, text) for text in (joint.parent, joint.child))
    return (child, parent, True) if child is None else (parent, child, False)


class Circle(Exception):
    """References go round."""


def follow(node, step):
    seen = set()
    while (following := step(node)) is not node:
        if id(node) in seen or following is None:
            raise Circle
        seen.add(id(node))
        node = following
    return node


def body(node):
    """The link that a node is attached to."""
    def step(n):
        if n.kind == "joint":
            return ends(n)[1]
        if n.kind == "frame":
            return meant(n.scope, n.attached) if n.attached else n.scope
        if n.kind == "model" and n.canonical:
            return meant(n, n.canonical)
        if n.kind == "model":
            return (n.of("link") or n.of("model") or [None])[0]
        return n
    return follow(node, step)


def place(node, depth=0, origin=None):
    """Pose of a node in the world, or in the model `origin` that it is in."""
    if depth > 60:
        raise Circle
    if node is origin:
        return IDENTITY
    X = pose_from_rpy(*node.xyz_rpy) if node.xyz_rpy else IDENTITY
    if node.placed_by:
        X = compose(X, invert(place(meant(node, node.placed_by), depth + 1, node)))
    if node.scope is None:
        return X
    if node.reference:
        base = meant(node.scope, node.reference)
    elif node.kind == "joint":
        _, child, turned = ends(node)
        base = None if turned else child
        if turned and origin is not None:
            raise Circle
        if turned:
            return X
    elif node.kind == "frame" and node.attached:
        base = meant(node.scope, node.attached)
    else:
        base = node.scope
    if base is None:
        raise Circle
    return compose(place(base, depth + 1, origin), X)


def axis_in_world(joint):
    """Direction of a joint's axis in the world."""
    parent, child, turned = ends(joint)
    frame = place(joint)
    if joint.in_model or joint.rules < (1, 5):
        link = child if turned or parent is None else parent
        frame = place(link if link.kind == "model" else link.scope)
    elif joint.expressed:
        frame = place(meant(joint.scope, joint.expressed))
    x, y, z = rotate(frame[3:], joint.axis)
    return (-x, -y, -z) if turned else (x, y, z)


def settled_names(scope):
    """The names of a scope's nodes as they are read, by node."""
    taken = {n.name for n in scope.nodes}
    names = {}
    for node in sorted(scope.nodes, key=lambda n: RANK.index(n.kind)):
        name = node.name
        if scope.rules < (1, 7) and any(names[other] == name for other in names):
            name = next(x for x in (f"{name}_{node.kind}{i}" for i in ["", *range(9)]) if x not in taken)
            taken.add(name)
        names[node] = name
    paths = {p for n in names if "::" not in names[n] for p in walk_paths(n, names[n])}
    for node in [n for n in names if "::" in names[n]]:
        if scope.rules < (1, 8) and not paths.isdisjoint(walk_paths(node, names[node])):
            names[node] = next(x for x in (f"{names[node]}_{node.kind}{i}" for i in ["", *range(9)]) if x not in paths)
        paths.update(walk_paths(node, names[node]))
    return names


def walk_paths(node, name):
    yield name
    for inner, inner_name in settled_names(node).items():
        yield from (f"{name}::{p}" for p in walk_paths(inner, inner_name))


def walk(scope, prefix=""):
    """Every node with its scoped name as it is read."""
    for node, name in settled_names(scope).items():
        yield prefix + name, node
        yield from walk(node, f"{prefix}{name}::")


def every(scope):
    for node in scope.nodes:
        yield scope, node
        yield from every(node)


def write(root: Node) -> str:
    """The text of a document or of an included file."""
    version = ".".join(map(str, root.rules))
    return f'<sdf version="{version}">{_write(root, root.rules, top=True)}</sdf>'


def _pose(node, version):
    attribute = "frame" if version < (1, 7) else "relative_to"
    if node.xyz_rpy is None and not node.reference:
        return ""
    reference = f' {attribute}="{node.reference}"' if node.reference else ""
    return f"<pose{reference}>{' '.join(map(str, node.xyz_rpy or ()))}</pose>"


def _write(node, version, top=False):
    if node.kind == "world":
        return f'<world name="{node.name}">{"".join(_write(n, version) for n in node.nodes)}</world>'
    if node.file and not top:
        name = "" if node.name == "b" else f"<name>{node.name}</name>"
        pose = _pose(node, version) or "<pose/>"
        placed = f"<placement_frame>{node.placed_by}</placement_frame>" if node.placed_by else ""
        return f"<include><uri>{node.file}.sdf</uri>{name}{pose}{placed}</include>"
    pose = "<pose>9 9 9 1 1 1</pose>" if node.file else _pose(node, version)
    if node.kind == "model":
        name = "b" if node.file else node.name
        canonical = f' canonical_link="{node.canonical}"' if node.canonical else ""
        return f'<model name="{name}"{canonical}>{pose}{"".join(_write(n, version) for n in node.nodes)}</model>'
    if node.kind == "link":
        return f'<link name="{node.name}">{pose}</link>'
    if node.kind == "frame":
        attached = f' attached_to="{node.attached}"' if node.attached else ""
        return f'<frame name="{node.name}"{attached}>{pose}</frame>'
    axis = ""
    if node.axis:
        flag = "<use_parent_model_frame>true</use_parent_model_frame>" if node.in_model else ""
        expressed = f' expressed_in="{node.expressed}"' if node.expressed else ""
        axis = f"<axis><xyz{expressed}>{' '.join(map(str, node.axis))}</xyz>{flag}</axis>"
    return (f'<joint name="{node.name}" type="{"revolute" if node.axis else "fixed"}">{pose}'
            f"<parent>{node.parent}</parent><child>{node.child}</child>{axis}</joint>")


def turn(X, vector):
    """A direction in the world as one in the frame X."""
    return rotate(invert(X)[3:], vector)
