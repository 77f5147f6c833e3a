"""A robot as its URDF states it: raw values as written, each with the element that it came from, if any.

Everything is immutable. The classes are NamedTuples, because making one takes a third of the time of a frozen
dataclass. Lengths are metres, angles radians, masses kilograms, inertias kg m².
"""

from collections.abc import Iterable
from math import hypot
from typing import Any, NamedTuple, Union

from sdf_frames.diagnostics import Diagnostic
from sdf_frames.document.elements import Element, child_or_self
from sdf_frames.spatial.inertia import Tensor
from sdf_frames.spatial.pose import IDENTITY, Pose, Vector, quaternion_from_rpy


class Origin(NamedTuple):
    """``<origin>`` as written: `xyz` in metres, `rpy` in radians (R = Rz(yaw)·Ry(pitch)·Rx(roll))."""

    xyz: Vector = (0.0, 0.0, 0.0)
    rpy: Vector = (0.0, 0.0, 0.0)

    def pose(self) -> Pose:
        """Return the origin as a pose (x, y, z, qw, qx, qy, qz)."""
        if self is NO_ORIGIN:
            return IDENTITY
        xyz, rpy = self
        return (*xyz, *quaternion_from_rpy(*rpy))


NO_ORIGIN = Origin()


#: Attributes of ``<inertia>``, in the order in which URDF writes them.
TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


class Inertial(NamedTuple):
    """Mass in kg, and the inertia tensor in kg·m² about the centre of mass, along the axes of `origin`.

    `origin` is the pose of the centre of mass in the link frame.
    """

    origin: Origin
    mass: float
    ixx: float
    ixy: float
    ixz: float
    iyy: float
    iyz: float
    izz: float
    element: Element | None = None

    @property
    def tensor(self) -> Tensor:
        """The components in the order (ixx, iyy, izz, ixy, ixz, iyz)."""
        return self.ixx, self.iyy, self.izz, self.ixy, self.ixz, self.iyz


class Box(NamedTuple):
    """Full side lengths."""

    size: Vector


class Sphere(NamedTuple):
    radius: float


class Cylinder(NamedTuple):
    """Axis along z, centred."""

    radius: float
    length: float


class Capsule(NamedTuple):
    """Axis along z, centred; `length` is that of the cylindrical part."""

    radius: float
    length: float


class Mesh(NamedTuple):
    filename: str
    scale: Vector = (1.0, 1.0, 1.0)


Geometry = Union[Box, Sphere, Cylinder, Capsule, Mesh]


class Material(NamedTuple):
    """`rgba` in [0, 1] or None, `texture` a file name or None."""

    name: str
    rgba: tuple[float, ...] | None = None
    texture: str | None = None
    element: Element | None = None


class Visual(NamedTuple):
    """`name` is "" if none is written. `material` is the material that applies, found by its name in the robot.

    `others` is only for writing: it is empty in robots that were read.
    """

    name: str
    origin: Origin
    geometry: Geometry
    material: Material | None = None
    element: Element | None = None
    others: tuple[Element, ...] = ()


class Collision(NamedTuple):
    """`others` is only for writing: it is empty in robots that were read."""

    name: str
    origin: Origin
    geometry: Geometry
    element: Element | None = None
    others: tuple[Element, ...] = ()


class Link(NamedTuple):
    """`others` is only for writing: it is empty in robots that were read."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Visual, ...] = ()
    collisions: tuple[Collision, ...] = ()
    element: Element | None = None
    others: tuple[Element, ...] = ()

    @property
    def shapes(self) -> "tuple[Visual | Collision, ...]":
        """The visuals, then the collisions."""
        return (*self.visuals, *self.collisions)


#: Written for "no limit" on effort, velocity or position, which URDF before 1.2 cannot express.
UNLIMITED = 1e16


class Limit(NamedTuple):
    """``<limit>``: positions in m or rad, `effort` in N or N·m, `velocity` in m/s or rad/s.

    In URDF 1.2, effort and velocity are optional (then infinite), and the last three exist.
    """

    lower: float = 0.0
    upper: float = 0.0
    effort: float = 0.0
    velocity: float = 0.0
    element: Element | None = None
    acceleration: float | None = None
    deceleration: float | None = None
    jerk: float | None = None


#: The fields of a limit that URDF has since 1.2.
RATES = Limit._fields[5:]


class Dynamics(NamedTuple):
    damping: float = 0.0
    friction: float = 0.0
    element: Element | None = None


class Mimic(NamedTuple):
    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
    element: Element | None = None


class Safety(NamedTuple):
    k_velocity: float
    k_position: float = 0.0
    soft_lower_limit: float = 0.0
    soft_upper_limit: float = 0.0
    element: Element | None = None


class Calibration(NamedTuple):
    rising: float | None = None
    falling: float | None = None
    element: Element | None = None


class Joint(NamedTuple):
    """``<joint>``: `origin` is the pose of the joint frame in the parent link's frame.

    `axis` is in the joint frame, as written, not of unit length; None for fixed and floating joints. `others` is only
    for writing: it is empty in robots that were read.
    """

    name: str
    type: str
    parent: str
    child: str
    origin: Origin = NO_ORIGIN
    axis: Vector | None = None
    limit: Limit | None = None
    dynamics: Dynamics | None = None
    mimic: Mimic | None = None
    safety: Safety | None = None
    calibration: Calibration | None = None
    element: Element | None = None
    others: tuple[Element, ...] = ()


class LeftOut(NamedTuple):
    """Content of the URDF that is not in the robot.

    Attributes
    ----------
    kind : ``visual`` or ``collision`` for a shape that could not be read, ``link`` or ``joint`` for one that is not
        connected to the root, ``material`` for a second definition, else ``PARENT/TAG``, ``PARENT/@ATTRIBUTE`` or
        ``PARENT/text()``.
    owner, name : name of the link or joint that holds it, and its own.
    reason, element : why it is left out, and the element that holds it.
    """

    kind: str
    owner: str
    name: str
    reason: str
    element: Element | None = None


class Robot(NamedTuple):
    """A valid kinematic tree: names are unique, every joint joins two links that exist, one link has no parent.

    Attributes
    ----------
    links, joints, materials : in document order.
    root : name of the link without a parent.
    gazebo, transmissions, ros2_control, others : elements of the document; do not change them.
    origin : the model pose that Gazebo's ``/robot/origin`` gives, or None.
    element : the root element.
    left_out : content that could not be read, and content that URDF does not define.
    unread_masses : names of links whose ``<inertial>`` states no mass that can be used, each with the warning on it.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
    materials: tuple[Material, ...] = ()
    gazebo: tuple[Element, ...] = ()
    transmissions: tuple[Element, ...] = ()
    ros2_control: tuple[Element, ...] = ()
    others: tuple[Element, ...] = ()
    origin: Origin | None = None
    version: str | None = None
    file: str | None = None
    left_out: tuple[LeftOut, ...] = ()
    element: Element | None = None
    unread_masses: tuple[tuple[str, Diagnostic], ...] = ()


def child_of(part: Any, tag: str) -> Element | None:
    """Return the first child of a tag of a part's element, or the element itself if it has no such child."""
    return None if part.element is None else child_or_self(part.element, tag)


def shape_of(part: Visual | Collision) -> Element | None:
    """Return the element of a part's shape, such as ``<mesh>``."""
    geometry = child_of(part, "geometry")
    return None if geometry is None else child_or_self(geometry, type(part.geometry).__name__.lower())


def find_short_axis(joint: Joint, least: float) -> Element | None:
    """Return the ``<axis>`` of a joint if it is shorter than `least`, so that it has no direction."""
    return child_of(joint, "axis") if joint.axis is not None and hypot(*joint.axis) < least else None


def sort_joints(joints: Iterable[Joint], root: str) -> list[Joint]:
    """Sort joints from the root link down, depth first, siblings by their names."""
    below: dict[str, list[Joint]] = {}
    for joint in sorted(joints, key=lambda joint: joint.name, reverse=True):
        below.setdefault(joint.parent, []).append(joint)
    found, waiting = list[Joint](), [*below.get(root, ())]
    while waiting:
        found.append(joint := waiting.pop())
        waiting += below.get(joint.child, ())
    return found


class JointType(NamedTuple):
    """The properties of a joint type: a row of `JOINT_TYPES`.

    Attributes
    ----------
    has_axis : whether the joint has an ``<axis>``.
    bounded : whether the joint has lower and upper limits, and must have a ``<limit>``.
    sdf : the corresponding SDFormat type, or None: then the child link is free.
    """

    has_axis: bool
    bounded: bool
    sdf: str | None

    @property
    def one_axis(self) -> bool:
        """Whether one position on an axis moves the child: only then do limits, dynamics and mimic apply."""
        return self.has_axis and self.sdf is not None


JOINT_TYPES = {
    "revolute": JointType(True, True, "revolute"),
    "continuous": JointType(True, False, "revolute"),
    "prismatic": JointType(True, True, "prismatic"),
    "fixed": JointType(False, False, "fixed"),
    "floating": JointType(False, False, None),
    "planar": JointType(True, False, None),
}

WITHOUT_AXIS = frozenset(name for name, row in JOINT_TYPES.items() if not row.has_axis)
