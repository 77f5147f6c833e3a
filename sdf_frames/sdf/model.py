"""The typed model of an SDFormat document: its kinematics and inertia, values as written.

Poses are kept raw, with the name of the frame that they are relative to; nothing is resolved here. Every part keeps its
XML element: :func:`sdf_frames.document.elements.locate` returns its file, line and path. Units: metres, radians,
kilograms, kg·m².
"""

from collections.abc import Iterator
from typing import NamedTuple

from sdf_frames.document.elements import Element
from sdf_frames.sdf.table import VERSION
from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector


class RawPose(NamedTuple):
    """A ``<pose>`` as written: ``X`` (x, y, z, qw, qx, qy, qz) in the frame `relative_to` ("" = the default frame).

    ``__root__`` is the world: a joint of an old version may have its pose there.
    """

    X: Pose = IDENTITY
    relative_to: str = ""
    element: Element | None = None


UNPOSED = RawPose()


class Inertial(NamedTuple):
    """``<inertial>``: each value None if it is not written. ``moments`` is (ixx, iyy, izz, ixy, ixz, iyz) about the
    centre of mass in the inertial frame; ``X_LI`` the inertial frame in the link frame, or, until 1.6, in the one that
    ``frame`` names; ``params`` the ``<auto_inertia_params>`` element."""

    element: Element
    auto: bool = False
    mass: float | None = None
    X_LI: Pose | None = None
    moments: Tensor | None = None
    density: float | None = None
    params: Element | None = None
    frame: str = ""


class Collision(NamedTuple):
    """``<collision>``; ``geometry`` is the ``<geometry>`` element."""

    name: str
    element: Element
    pose: RawPose = UNPOSED
    geometry: Element | None = None
    density: float | None = None
    params: Element | None = None


class Part(NamedTuple):
    """A named element with a pose that defines no frame.

    ``kind`` is visual, sensor, light, projector, particle_emitter, actor …
    """

    kind: str
    name: str
    element: Element
    pose: RawPose = UNPOSED


class Link(NamedTuple):
    name: str
    element: Element
    pose: RawPose = UNPOSED
    inertial: Inertial | None = None
    collisions: tuple[Collision, ...] = ()
    parts: tuple[Part, ...] = ()


class Mimic(NamedTuple):
    """``<mimic>``: follows axis `axis` of joint `joint`: multiplier · (q − reference) + offset."""

    joint: str
    axis: str
    multiplier: float
    offset: float
    reference: float
    element: Element


class Axis(NamedTuple):
    """``<axis>`` (number 0) or ``<axis2>`` (number 1).

    ``xyz`` is as written, in the frame `expressed_in` ("" = the joint frame). ``lower`` and ``upper`` are its limits,
    None if they are not written.
    """

    number: int
    xyz: Vector
    expressed_in: str
    element: Element
    mimic: Mimic | None = None
    lower: float | None = None
    upper: float | None = None


class Joint(NamedTuple):
    name: str
    type: str
    parent: str
    child: str
    element: Element
    pose: RawPose = UNPOSED
    axes: tuple[Axis, ...] = ()
    sensors: tuple[Part, ...] = ()


class Frame(NamedTuple):
    """``<frame>``; ``proxy`` marks the one that stands for the model frame of a ``merged`` include,
    which may be posed by one of its own frames (``placement_frame``)."""

    name: str
    attached_to: str
    element: Element
    pose: RawPose = UNPOSED
    proxy: bool = False
    placement_frame: str = ""
    merged: "Model | None" = None


class Model(NamedTuple):
    """``<model>``.

    ``version`` is the version of the file that it was written in, before upgrading. ``order`` holds its links, joints,
    frames and models in document order. ``missing`` holds names that may be missing because includes failed.
    """

    name: str
    element: Element
    version: str = VERSION
    pose: RawPose = UNPOSED
    placement_frame: str = ""
    canonical_link: str = ""
    static: bool = False
    links: tuple[Link, ...] = ()
    joints: tuple[Joint, ...] = ()
    frames: tuple[Frame, ...] = ()
    models: "tuple[Model, ...]" = ()
    order: "tuple[Member, ...]" = ()
    include: Element | None = None
    missing: frozenset[str] = frozenset()


class World(NamedTuple):
    name: str
    element: Element
    version: str = VERSION
    models: tuple[Model, ...] = ()
    joints: tuple[Joint, ...] = ()
    frames: tuple[Frame, ...] = ()
    order: "tuple[Member, ...]" = ()
    parts: tuple[Part, ...] = ()
    missing: frozenset[str] = frozenset()


#: The parts of models and worlds.
Member = Link | Joint | Frame | Model
#: The parts that are frames.
Entity = Member | World


def kind_of(entity: Entity) -> str:
    """Return the tag of an entity: ``world``, ``model``, ``link``, ``joint`` or ``frame``."""
    return type(entity).__name__.lower()


def pose_element_of(part: Entity | Collision | Part) -> Element:
    """Return the ``<pose>`` of an element, or the element itself if it has none."""
    pose = None if isinstance(part, World) else part.pose.element
    return part.element if pose is None else pose


class Root(NamedTuple):
    """A document: worlds, or one root model.

    ``version`` is as written in the file; ``merged`` the models whose parts became parts of others, each as it is by
    itself; ``files`` the included files that were read.
    """

    element: Element
    version: str
    worlds: tuple[World, ...] = ()
    model: Model | None = None
    merged: tuple[Model, ...] = ()
    files: tuple[str, ...] = ()


def walk_models(root: Root) -> Iterator[tuple[int, str, Model, bool]]:
    """Yield every model: the number of its scope, the prefix of the names in it, the model, whether it is static.

    Scopes are numbered worlds first, then the root model, as the frame graphs are. The prefix is "" for the root model,
    else ``M::`` or ``M::N::``. A model comes before those nested in it, which are static if it is.
    """
    tops = [(number, f"{model.name}::", model) for number, world in enumerate(root.worlds) for model in world.models]
    tops += [(len(root.worlds), "", root.model)] if root.model is not None else []
    pending = [(*top, False) for top in reversed(tops)]
    while pending:
        scope, prefix, model, inside = pending.pop()
        static = inside or model.static
        yield scope, prefix, model, static
        pending += [(scope, f"{prefix}{m.name}::", m, static) for m in reversed(model.models)]


def count_letters(root: Root) -> int:
    """Count the letters of all full names: the name of a model is part of each full name inside it."""
    letters = 0
    tops: tuple[World | Model | None, ...] = (*root.worlds, *root.merged, root.model)
    pending: list[tuple[World | Model, int]] = [(top, 0) for top in tops if top is not None]
    while pending:
        scope, prefix = pending.pop()
        letters += sum([prefix + len(member.name) for member in scope.order])
        pending += [(model, prefix + len(model.name) + 2) for model in scope.models]
    return letters


def walk_links(root: Root) -> Iterator[tuple[int, str, Link]]:
    """Yield every link with the scope and prefix of its model, as :func:`walk_models` numbers and names them."""
    for scope, prefix, model, _ in walk_models(root):
        for link in model.links:
            yield scope, prefix, link


def find_static(root: Root) -> set[tuple[int, str]]:
    """Return the scope and prefix of each static model."""
    return {(scope, prefix) for scope, prefix, _, static in walk_models(root) if static}


def find_canonical_link(model: Model) -> str | None:
    """Return the name, relative to the model's scope, of the part that the model frame is attached to.

    It is the ``canonical_link`` attribute as written (it may be unknown), else the first link, else the part that the
    first nested model's frame is attached to, static or not, else that model itself; None for an empty model.
    """
    if model.canonical_link:
        return model.canonical_link
    if model.links:
        return model.links[0].name
    if not model.models:
        return None
    first = model.models[0]
    name = find_canonical_link(first)
    return first.name if name is None else f"{first.name}::{name}"


class JointType(NamedTuple):
    """The properties of a joint type: a row of `JOINT_TYPES`.

    Attributes
    ----------
    axes : how many of ``<axis>`` and ``<axis2>`` the type has. Source: the description of ``joint`` in joint.sdf of
        1.12.
    urdf : the corresponding URDF type, or None.
    split : whether a URDF has two revolute joints instead, one for each axis.
    """

    axes: int
    urdf: str | None = None
    split: bool = False


JOINT_TYPES = {
    "ball": JointType(0, "floating"),
    "continuous": JointType(1, "continuous"),
    "fixed": JointType(0, "fixed"),
    "gearbox": JointType(2),
    "prismatic": JointType(1, "prismatic"),
    "revolute": JointType(1, "revolute"),
    "revolute2": JointType(2, split=True),
    "screw": JointType(1),
    "universal": JointType(2, split=True),
}

#: Types with the same name in URDF.
URDF_TYPES = frozenset(name for name, row in JOINT_TYPES.items() if row.urdf == name)
#: Types with one axis whose position determines the motion of the child, in SDFormat and in URDF.
ONE_AXIS_TYPES = frozenset(name for name in URDF_TYPES if JOINT_TYPES[name].axes == 1)
