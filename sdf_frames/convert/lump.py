"""Fixed-joint lumping: which links become one body, where everything sits in it, what it weighs.

Nothing here walks a chain twice: one pass down the tree composes poses, one decides what becomes of each link,
one adds up masses. No recursion, so the depth of a robot does not matter.
"""
from __future__ import annotations

from operator import attrgetter

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.spatial.inertia import combine_bodies, rotate_tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, compose, rpy_from_quaternion
from sdf_frames.urdf.model import NO_ORIGIN, Inertial, Joint, Origin, Robot, make

_name_of = attrgetter("name")
KEPT, LUMPED, FRAME, DROPPED, WORLD = range(5)


class LumpedRobot:
    """The tree as arrays over links (index i), and what becomes of each.

    Attributes
    ----------
    links, joint : links; the parent joint of each, None for the root.
    parent, children : index of the parent link, -1 for the root; child indices by name of their joint.
    order : indices from the root down, children by name of their joint, each subtree in one piece.
    status : ``KEPT`` as a link, ``LUMPED`` into another, ``FRAME`` (massless behind a fixed joint that is not to be
        lumped), ``DROPPED``, or ``WORLD`` (the root that stands for the world).
    host : for a lumped link the one that the lumping ends at, else the link itself.
    X_host, X_body : pose of the link in its host's and in its body's frame.
    at_host, at_body : the same as an origin, where that is one written in the URDF, else None until it is asked for.
    body : the kept link that carries its content.
    parts : for a kept link, all links that it carries, itself first, in the order of lumping.
    massless : kept links that have no mass of their own and get a tiny one.
    inertials : of each link what counts: a link of negative mass is massless, and takes part in no sum.
    lump_order : lumped links, the deepest first.
    forced : names of fixed joints that are lumped although they were to be preserved, to give the root a mass.
    """

    __slots__ = ("links", "joint", "parent", "children", "order", "status", "host", "X_host", "X_body", "body",
                 "at_host", "at_body", "parts", "massless", "lump_order", "index", "inertials", "forced")

    def __init__(self, robot: Robot):
        self.links = robot.links
        self.index = index = {link.name: i for i, link in enumerate(robot.links)}
        n = len(self.links)
        self.inertials = [None if link.inertial is None or link.inertial.mass < 0.0 else link.inertial
                          for link in robot.links]
        self.joint: list[Joint | None] = [None] * n
        self.parent = [-1] * n
        self.children: list[list[int]] = [[] for _ in range(n)]
        # libsdformat keeps joints by name, so children come in that order, not in the document's.
        for joint in sorted(robot.joints, key=_name_of):
            child, parent = index[joint.child], index[joint.parent]
            self.joint[child] = joint
            self.parent[child] = parent
            self.children[parent].append(child)
        order, todo = [], [index[robot.root]]
        while todo:
            i = todo.pop()
            order.append(i)
            if below := self.children[i]:
                todo += below[::-1]
        self.order = order

    def names_below(self, i: int) -> list[int]:
        """Indices of all links of the subtree of `i`, itself first."""
        found, todo = [], [i]
        while todo:
            k = todo.pop()
            found.append(k)
            if below := self.children[k]:
                todo += below[::-1]
        return found

    def origin_in_body(self, i: int) -> Origin:
        """Link `i` in its body's frame: as written in the URDF where one origin says it, else worked out, once."""
        origin = self.at_body[i]
        if origin is None:
            origin = self.at_body[i] = origin_of_pose(self.X_body[i])
        return origin


def lump(robot: Robot, held: frozenset | set, options: ConvertOptions) -> LumpedRobot:
    """Decide what becomes of every link.

    Parameters
    ----------
    held : names of fixed joints that are not to be lumped.
    """
    tree = LumpedRobot(robot)
    links, joint_of, parent_of, order = tree.links, tree.joint, tree.parent, tree.order
    n = len(links)
    reduce = not options.preserve_fixed_joints
    world = order[0] if links[order[0]].name == "world" else -1

    lumped, mass = _find_hosts(tree, reduce, held, ())
    tree.forced = ()
    if world < 0 and mass[order[0]] <= 0.0 and options.massless != "keep" and (path := find_mass_below(tree, order[0])):
        # A root without mass takes that of the nearest link that is fixed to it, whatever was to be preserved.
        tree.forced = tuple(joint_of[i].name for i in path)
        lumped, mass = _find_hosts(tree, reduce, held, frozenset(tree.forced))
    host, X_host, at_host = tree.host, tree.X_host, tree.at_host

    status = [KEPT] * n
    body = list(range(n))
    X_body, at_body = X_host[:], at_host[:]
    parts: list[list[int]] = [None] * n
    massless = set()
    keep = options.massless == "keep"
    for i in order:
        joint, p = joint_of[i], parent_of[i]
        if p >= 0 and status[p] == DROPPED:
            status[i] = DROPPED
            continue
        if lumped[i]:
            h = host[i]
            status[i] = LUMPED
            body[i] = b = body[h]
            if b != h:
                X_body[i] = compose(X_body[h], X_host[i])
                at_body[i] = at_host[i] if X_body[h] is IDENTITY else None
            parts[b].append(i)
            continue
        if i == world:
            status[i] = WORLD
            continue
        if mass[i] <= 0.0:
            fixed = joint is not None and joint.type == "fixed"
            if keep or (fixed and p == world):
                # Welded to the world, a mass has no effect; a frame could not be attached to the world from here.
                massless.add(i)
            elif fixed:
                status[i] = FRAME
                body[i] = b = body[p]
                X_body[i] = compose(X_body[p], joint.origin.pose())
                at_body[i] = joint.origin if X_body[p] is IDENTITY else None
                parts[b].append(i)
                continue
            else:
                status[i] = DROPPED
                continue
        parts[i] = [i]
    tree.status, tree.body, tree.parts, tree.massless = status, body, parts, massless
    tree.X_body, tree.at_body = X_body, at_body
    tree.lump_order = _order_lumps(tree, lumped)
    return tree


def _find_hosts(tree: LumpedRobot, reduce: bool, held, forced) -> tuple[list, list]:
    """Which links are lumped (held joints are not, forced ones are) and the mass that each host gathers.

    Sets the tree's ``host``, ``X_host`` and ``at_host``.
    """
    joint_of, parent_of, order = tree.joint, tree.parent, tree.order
    n = len(order)
    world = order[0] if tree.links[order[0]].name == "world" else -1
    host = list(range(n))
    X_host: list[Pose] = [IDENTITY] * n
    at_host: list[Origin | None] = [NO_ORIGIN] * n
    lumped = [False] * n
    mass = [0.0] * n
    for i in order:
        joint, p = joint_of[i], parent_of[i]
        h = i
        if joint is not None and joint.type == "fixed" and p != world and (
                reduce and joint.name not in held or joint.name in forced):
            lumped[i] = True
            host[i] = h = host[p]
            origin = joint.origin
            X = X_host[p]
            if origin is NO_ORIGIN:
                at_host[i] = at_host[p]
            elif X is IDENTITY:
                X = origin.pose()
                at_host[i] = origin
            else:
                X = compose(X, origin.pose())
                at_host[i] = None
            X_host[i] = X
        if (inertial := tree.inertials[i]) is not None:
            mass[h] += inertial.mass
    tree.host, tree.X_host, tree.at_host = host, X_host, at_host
    return lumped, mass


def find_mass_below(tree: LumpedRobot, root: int) -> list[int]:
    """The links from below `root` to the nearest one with mass that only fixed joints join to it; empty if none."""
    above: dict[int, int] = {}
    todo = [root]
    for i in todo:
        for k in tree.children[i]:
            if tree.joint[k].type != "fixed":
                continue
            above[k] = i
            inertial = tree.inertials[k]
            if inertial is not None and inertial.mass > 0.0:
                path = [k]
                while (k := above[k]) != root:
                    path.append(k)
                return path[::-1]
            todo.append(k)
    return []


def _order_lumps(tree: LumpedRobot, lumped: list) -> list[int]:
    """Lumped links as libsdformat's reduction meets them: lumped children, the link itself, its other children."""
    children, status = tree.children, tree.status
    found, todo = [], [tree.order[0]]
    while todo:
        i = todo.pop()
        if i < 0:
            found.append(~i)
            continue
        below = children[i]
        if below:
            todo += [c for c in reversed(below) if not lumped[c]]
            if status[i] == LUMPED:
                todo.append(~i)
            todo += [c for c in reversed(below) if lumped[c]]
        elif status[i] == LUMPED:
            found.append(i)
    return found


def combine_inertia(tree: LumpedRobot, i: int) -> Inertial | None:
    """Inertial of kept link `i` together with those of all links that it carries.

    The axes stay those of the link's own inertial, those of the link where it has none. As written, where the others
    bring neither mass nor inertia.
    """
    inertials = tree.inertials
    own = inertials[i]
    members = [k for k in tree.parts[i][1:] if (other := inertials[k]) is not None and (other.mass or any(other[2:8]))]
    if not members:
        return own
    bodies = []
    if own is not None:
        X_LI = own.origin.pose()
        bodies.append((own.mass, own.origin.xyz, rotate_tensor(X_LI[3:], _tensor(own))))
    for k in members:
        inertial = inertials[k]
        q = compose(tree.X_body[k], inertial.origin.pose())
        bodies.append((inertial.mass, q[:3], rotate_tensor(q[3:], _tensor(inertial))))
    mass, centre, tensor = combine_bodies(bodies)
    rpy = (0.0, 0.0, 0.0) if own is None else own.origin.rpy
    if own is not None and own.origin.rpy != (0.0, 0.0, 0.0):
        w, x, y, z = own.origin.pose()[3:]
        tensor = rotate_tensor((w, -x, -y, -z), tensor)
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    line = own.line if own is not None else inertials[members[0]].line
    return Inertial(Origin(centre, rpy), mass, ixx, ixy, ixz, iyy, iyz, izz, line)


def _tensor(inertial: Inertial) -> tuple:
    _, _, ixx, ixy, ixz, iyy, iyz, izz, _ = inertial
    return (ixx, iyy, izz, ixy, ixz, iyz)


def origin_of_pose(X: Pose) -> Origin:
    """A pose as position and roll, pitch, yaw."""
    return make(Origin, (X[:3], rpy_from_quaternion(*X[3:])))


def place_origin(X_AB: Pose, at: Origin | None, origin: Origin) -> Origin:
    """`origin`, given in B, in A; the angles as written wherever only one of the two turns.

    Parameters
    ----------
    at : the origin that `X_AB` was read from, or None where it was worked out.
    """
    if origin is NO_ORIGIN:
        return origin_of_pose(X_AB) if at is None else at
    x, y, z, _, i, j, k = X_AB
    if i == 0.0 and j == 0.0 and k == 0.0:
        (a, b, c), rpy = origin
        return make(Origin, ((x + a, y + b, z + c), rpy))
    X_AC = compose(X_AB, origin.pose())
    if at is not None and origin.rpy == NO_ORIGIN.rpy:
        return make(Origin, (X_AC[:3], at.rpy))
    return origin_of_pose(X_AC)
