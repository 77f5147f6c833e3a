"""Random documents of every version, right by construction, and what they mean, worked out apart from the package.

A document is a tree of nodes with their references as text. :func:`meant` says which node a text means: by the rank
link, model, joint, frame among siblings of one name (seed 004:372), and into models by ``::`` (004:504).
"""
from __future__ import annotations

from dataclasses import dataclass, field

from sdf_frames.spatial.pose import IDENTITY, compose, invert, pose_from_rpy, rotate

MOMENTS = (1.0, 1.2, 1.5)
RANK = ["link", "model", "joint", "frame"]


def number(version):
    return tuple(int(p) for p in version.split("."))


@dataclass(eq=False)
class Node:
    """A world, model, link, joint or frame.

    An included model has a ``file`` and ``inner``, the version of that; the nodes of one that is ``merged`` are members
    of the scope around, too. The pose of a link's ``inertial`` may name a frame.
    """

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
    merged: bool = False
    mimic: str = ""
    inertial: tuple | None = None
    inertial_frame: str = ""
    nodes: list[Node] = field(default_factory=list)

    def of(self, *kinds):
        return [n for n in self.nodes if n.kind in kinds]

    @property
    def rules(self):
        """Version of the file that holds what is inside."""
        return self.inner or self.version


def members(scope, *kinds):
    """What has a name in a scope, in the order of the document: of merged models what is in them."""
    for node in scope.nodes:
        if node.merged:
            yield from members(node, *kinds)
        elif not kinds or node.kind in kinds:
            yield node


def meant(scope, text):
    """The node that a reference means in a scope, None for none."""
    pieces = text.split("::")
    for i in range(1, len(pieces)):
        for model in (m for m in members(scope, "model") if m.name == "::".join(pieces[:i])):
            rest = "::".join(pieces[i:])
            found = model if rest == "__model__" else meant(model, rest)
            if found is not None:
                return found
    if text == "__model__":
        return scope
    return min((n for n in members(scope) if n.name == text), key=lambda n: RANK.index(n.kind), default=None)


def leader(joint):
    """The joint that a joint mimics: whatever else bears its name is not meant."""
    return next(n for n in members(joint.scope, "joint") if n.name == joint.mimic)


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
            return [*members(n, "link"), *members(n, "model"), None][0]
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
        model = link if link.kind == "model" else link.scope
        while model.merged and model is not joint.scope:
            model = model.scope  # its links are that one's now
        frame = place(model)
    elif joint.expressed:
        frame = place(meant(joint.scope, joint.expressed))
    x, y, z = rotate(frame[3:], joint.axis)
    return (-x, -y, -z) if turned else (x, y, z)


def settled_names(scope):
    """The names of a scope's nodes as they are read, by node."""
    own = [n for n in scope.nodes if not n.merged]
    names = {n: name for model in scope.nodes if model.merged for n, name in settled_names(model).items()}
    taken = {*names.values(), *[n.name for n in own]}
    for node in sorted(own, key=lambda n: RANK.index(n.kind)):
        name = node.name
        if scope.rules < (1, 7) and any(names[other] == name for other in names):
            name = next(x for x in (f"{name}_{node.kind}{i}" for i in ["", *range(9)]) if x not in taken)
            taken.add(name)
        names[node] = name
    # What is also a way into another model gives way, the longer name before the shorter one.
    for node in sorted([n for n in own if "::" in names[n]], key=lambda n: -len(names[n])):
        inside = {p for m in own if m is not node for p in walk_paths(m, names[m]) if p != names[m]}
        if scope.rules < (1, 8) and not inside.isdisjoint(walk_paths(node, names[node])):
            names[node] = next(x for x in (f"{names[node]}_{node.kind}{i}" for i in ["", *range(9)])
                               if x not in names.values() and inside.isdisjoint(walk_paths(node, x)))
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
        merge = ' merge="true"' if node.merged else ""
        return f"<include{merge}><uri>{node.file}.sdf</uri>{name}{pose}{placed}</include>"
    pose = "<pose>9 9 9 1 1 1</pose>" if node.file else _pose(node, version)
    if node.kind == "model":
        name = "b" if node.file else node.name
        canonical = f' canonical_link="{node.canonical}"' if node.canonical else ""
        return f'<model name="{name}"{canonical}>{pose}{"".join(_write(n, version) for n in node.nodes)}</model>'
    if node.kind == "link":
        return f'<link name="{node.name}">{pose}{_inertial(node) if node.inertial else ""}</link>'
    if node.kind == "frame":
        attached = f' attached_to="{node.attached}"' if node.attached else ""
        return f'<frame name="{node.name}"{attached}>{pose}</frame>'
    axis = ""
    if node.axis:
        flag = "<use_parent_model_frame>true</use_parent_model_frame>" if node.in_model else ""
        expressed = f' expressed_in="{node.expressed}"' if node.expressed else ""
        mimic = f'<mimic joint="{node.mimic}"><multiplier>-2</multiplier></mimic>' if node.mimic else ""
        axis = f"<axis><xyz{expressed}>{' '.join(map(str, node.axis))}</xyz>{flag}{mimic}</axis>"
    return (f'<joint name="{node.name}" type="{"revolute" if node.axis else "fixed"}">{pose}'
            f"<parent>{node.parent}</parent><child>{node.child}</child>{axis}</joint>")


def _inertial(link):
    """The tensor of a brick of 2 kg."""
    frame = f' frame="{link.inertial_frame}"' if link.inertial_frame else ""
    moments = "".join(f"<{tag}>{value}</{tag}>" for tag, value in zip(("ixx", "iyy", "izz"), MOMENTS))
    return (f"<inertial><mass>2</mass><pose{frame}>{' '.join(map(str, link.inertial))}</pose>"
            f"<inertia>{moments}</inertia></inertial>")


def place_inertial(link):
    """Pose of a link's inertial frame in the world."""
    frame = meant(link.scope, link.inertial_frame) if link.inertial_frame else link
    return compose(place(frame), pose_from_rpy(*link.inertial))


def turn(X, vector):
    """A direction in the world as one in the frame X."""
    return rotate(invert(X)[3:], vector)
