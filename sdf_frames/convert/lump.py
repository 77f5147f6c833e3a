"""Fixed-joint lumping: which links become one body, the poses of links in the body, and its mass and inertia.

One pass down the tree composes poses, one decides what becomes of each link, one adds up masses. There is no
recursion, so a robot can be of any depth.
"""

from collections.abc import Collection
from operator import attrgetter
from typing import NamedTuple

from sdf_frames.convert.options import ConvertOptions
from sdf_frames.spatial.inertia import Tensor, combine_bodies, rotate_tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, compose, rpy_from_quaternion
from sdf_frames.urdf.model import NO_ORIGIN, Inertial, Joint, Link, Origin, Robot

_name_of = attrgetter("name")
KEPT, LUMPED, FRAME, DROPPED, WORLD = range(5)


class LinkTree(NamedTuple):
    """A robot as a tree: arrays over its links (index i).

    Attributes
    ----------
    links, joint : links; the parent joint of each, None for the root.
    indices, joints : indices of links by name; joints by name.
    parent, children : index of the parent link, -1 for the root; child indices by name of their joint.
    order : indices from the root down, children by name of their joint, each subtree in one piece.
    inertials : the inertial of each link that counts: none for a link of negative mass, which is treated as massless.
    """

    links: tuple[Link, ...]
    joint: list[Joint | None]
    indices: dict[str, int]
    joints: dict[str, Joint]
    parent: list[int]
    children: list[list[int]]
    order: list[int]
    inertials: list[Inertial | None]

    def joint_above(self, i: int) -> Joint:
        """The parent joint of a link that is not the root."""
        joint = self.joint[i]
        assert joint is not None
        return joint


class Placement(NamedTuple):
    """The pose of a link in another link, and the origin of the URDF that states it, None for a computed pose."""

    X: Pose = IDENTITY
    stated: Origin | None = NO_ORIGIN

    def then(self, below: "Placement") -> "Placement":
        """Return the placement of a link in the other link, from its placement `below` this link."""
        if below.stated is NO_ORIGIN:
            return self
        return below if self is HERE else Placement(compose(self.X, below.X), None)

    def place(self, origin: Origin = NO_ORIGIN) -> Origin:
        """Express an origin of the link in the other link, with angles as written if only one of the two rotates."""
        if origin is NO_ORIGIN:
            return origin_of_pose(self.X) if self.stated is None else self.stated
        x, y, z, _, i, j, k = self.X
        if i == 0.0 and j == 0.0 and k == 0.0:
            (a, b, c), rpy = origin
            return Origin((x + a, y + b, z + c), rpy)
        X = compose(self.X, origin.pose())
        if self.stated is not None and origin.rpy == NO_ORIGIN.rpy:
            return Origin(X[:3], self.stated.rpy)
        return origin_of_pose(X)


HERE = Placement()


class Lumping(NamedTuple):
    """The fate of each link of a tree: arrays over its links, as in :class:`LinkTree`.

    Attributes
    ----------
    host : for a lumped link, the link that it is finally lumped into, else the link itself.
    in_host, in_body : placement of the link in its host and in its body.
    status : ``KEPT`` as a link, ``LUMPED`` into another, ``FRAME`` (massless behind a fixed joint that is not to be
        lumped), ``DROPPED``, or ``WORLD`` (the root that stands for the world).
    body : the kept link that carries its content.
    parts : for a kept link, all links that it carries, itself first, in the order of lumping; for others empty.
    massless : kept links that have no mass of their own and get a tiny one.
    forced : names of fixed joints that are lumped, in spite of the options, to give the root a mass.
    """

    tree: LinkTree
    host: list[int]
    in_host: list[Placement]
    status: list[int]
    body: list[int]
    in_body: list[Placement]
    parts: list[list[int]]
    massless: set[int]
    forced: tuple[str, ...]


class _Hosts(NamedTuple):
    """The mass in kg of each host with its lumped links, and fields as in :class:`Lumping`."""

    mass: list[float]
    host: list[int]
    in_host: list[Placement]


def list_below(children: list[list[int]], i: int) -> list[int]:
    """Return the indices of the links of a subtree, depth first from its root `i`."""
    found, todo = [], [i]
    while todo:
        k = todo.pop()
        found.append(k)
        todo += children[k][::-1]
    return found


def lump(robot: Robot, held: Collection[str], options: ConvertOptions) -> Lumping:
    """Decide the fate of every link.

    Parameters
    ----------
    held : names of fixed joints that are not to be lumped.
    """
    tree = _build_tree(robot)
    root = tree.order[0]
    world = root if tree.links[root].name == "world" else -1
    reduce, keep = not options.preserve_fixed_joints, options.massless == "keep"
    forced: tuple[str, ...] = ()
    hosts = _find_hosts(tree, world, reduce, held, forced)
    if world < 0 and hosts.mass[root] <= 0.0 and not keep and (path := find_mass_below(tree, root)):
        # A root without mass takes the mass of the nearest link that is fixed to it, in spite of the options.
        forced = tuple([tree.joint_above(i).name for i in path])
        hosts = _find_hosts(tree, world, reduce, held, forced)
    return _find_bodies(tree, world, hosts, keep, forced)


def _build_tree(robot: Robot) -> LinkTree:
    index = {link.name: i for i, link in enumerate(robot.links)}
    n = len(robot.links)
    joint_of: list[Joint | None] = [None] * n
    parent_of = [-1] * n
    children: list[list[int]] = [[] for _ in range(n)]
    # libsdformat keeps joints by name, so children come in that order, not in the document's.
    for joint in sorted(robot.joints, key=_name_of):
        child, parent = index[joint.child], index[joint.parent]
        joint_of[child] = joint
        parent_of[child] = parent
        children[parent].append(child)
    inertials = [None if link.inertial is None or link.inertial.mass < 0.0 else link.inertial for link in robot.links]
    order = list_below(children, index[robot.root])
    return LinkTree(robot.links, joint_of, index, {joint.name: joint for joint in robot.joints}, parent_of, children,
                    order, inertials)


def _find_bodies(tree: LinkTree, world: int, hosts: _Hosts, keep: bool, forced: tuple[str, ...]) -> Lumping:
    """Decide the fate of each link, and the body that carries it; with `keep`, massless links get a tiny mass."""
    n = len(tree.links)
    status, body = [KEPT] * n, list(range(n))
    parts: list[list[int]] = [[] for _ in range(n)]
    massless: set[int] = set()
    in_body = hosts.in_host[:]
    for i in tree.order:
        joint, p = tree.joint[i], tree.parent[i]
        if p >= 0 and status[p] == DROPPED:
            status[i] = DROPPED
        elif (h := hosts.host[i]) != i:
            status[i] = LUMPED
            body[i] = b = body[h]
            in_body[i] = in_body[h].then(hosts.in_host[i])
            parts[b].append(i)
        elif i == world:
            status[i] = WORLD
        else:
            fixed = joint is not None and joint.type == "fixed"
            if hosts.mass[i] > 0.0:
                parts[i].append(i)
            elif keep or (fixed and p == world):
                # Welded to the world, a mass has no effect; a frame could not be attached to the world from here.
                massless.add(i)
                parts[i].append(i)
            elif fixed and joint is not None:
                status[i] = FRAME
                body[i] = b = body[p]
                in_body[i] = in_body[p].then(Placement(joint.origin.pose(), joint.origin))
                parts[b].append(i)
            else:
                status[i] = DROPPED
    return Lumping(tree, hosts.host, hosts.in_host, status, body, in_body, parts, massless, forced)


def _find_hosts(tree: LinkTree, world: int, reduce: bool, held: Collection[str], forced: Collection[str]) -> _Hosts:
    """Decide which links are lumped: not those behind `held` joints, but those behind `forced` ones."""
    n = len(tree.links)
    host = list(range(n))
    in_host = [HERE] * n
    mass = [0.0] * n
    for i in tree.order:
        joint, p = tree.joint[i], tree.parent[i]
        h = i
        if joint is not None and joint.type == "fixed" and p != world and (
                reduce and joint.name not in held or joint.name in forced):
            host[i] = h = host[p]
            in_host[i] = in_host[p].then(Placement(joint.origin.pose(), joint.origin))
        if (inertial := tree.inertials[i]) is not None:
            mass[h] += inertial.mass
    return _Hosts(mass, host, in_host)


def find_mass_below(tree: LinkTree, root: int) -> list[int]:
    """Find the nearest link with mass that only fixed joints join to `root`; return the path to it, or []."""
    above: dict[int, int] = {}
    todo = [root]
    for i in todo:
        for k in tree.children[i]:
            if (joint := tree.joint[k]) is None or joint.type != "fixed":
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


def combine_inertia(lumping: Lumping, i: int) -> Inertial | None:
    """Combine the inertials of kept link `i` and of all links that it carries.

    The result has the axes of the link's own inertial, or of the link if that has none. If the other links have
    neither mass nor inertia, it is the link's own inertial as written.
    """
    inertials = lumping.tree.inertials
    own = inertials[i]
    members = [(k, other) for k in lumping.parts[i][1:]
               if (other := inertials[k]) is not None and (other.mass or any(other[2:8]))]
    if not members:
        return own
    bodies: list[tuple[float, Vector, Tensor]] = []
    if own is not None:
        X_LI = own.origin.pose()
        bodies.append((own.mass, own.origin.xyz, rotate_tensor(X_LI[3:], own.tensor)))
    for k, inertial in members:
        q = compose(lumping.in_body[k].X, inertial.origin.pose())
        bodies.append((inertial.mass, q[:3], rotate_tensor(q[3:], inertial.tensor)))
    mass, centre, tensor = combine_bodies(bodies)
    rpy = (0.0, 0.0, 0.0) if own is None else own.origin.rpy
    if own is not None and own.origin.rpy != (0.0, 0.0, 0.0):
        w, x, y, z = own.origin.pose()[3:]
        tensor = rotate_tensor((w, -x, -y, -z), tensor)
    ixx, iyy, izz, ixy, ixz, iyz = tensor
    element = (own or members[0][1]).element
    return Inertial(Origin(centre, rpy), mass, ixx, ixy, ixz, iyy, iyz, izz, element)


def origin_of_pose(X: Pose) -> Origin:
    """Return a pose as position and roll, pitch, yaw."""
    return Origin(X[:3], rpy_from_quaternion(*X[3:]))
