"""The elements of a description: frames, links with their shapes, joints, models, transforms of TF."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sdf_frames.api.arrays import WithArrays
from sdf_frames.api.errors import Guided, read_only
from sdf_frames.api.pose import Pose
from sdf_frames.frames.kinematics import MOTIONS, JointAxis, Limits, Mimic
from sdf_frames.sdf.geometry import Geometry, Heightmap, Image, Mesh

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


@read_only
@dataclass(frozen=True, slots=True)
class Frame(Guided):
    """A frame.

    Attributes
    ----------
    name : SDF name relative to the world or root model, nested names joined by ``::``.
    kind : ``world``, ``model``, ``link``, ``joint`` or ``frame``.
    body : the link (static model, world) that the frame is rigidly attached to; None if it cannot be resolved.
    pose : pose in the world or root model, as the description defines it; None if it cannot be resolved.
    attached_to, relative_to : the attributes as written; None if missing.
    in_sdf : False for links and joints of a URDF that are not in the SDF, and for the world if a joint connects to it.
    file, line : where the frame is defined; for a URDF, the place in the URDF.
    urdf_name : the URDF name of a link or joint, if its name in the SDF differs.
    """

    name: str
    kind: str
    body: str | None
    pose: Pose | None
    attached_to: str | None = None
    relative_to: str | None = None
    in_sdf: bool = True
    file: str | None = None
    line: int | None = None
    urdf_name: str | None = None


@read_only
@dataclass(frozen=True, slots=True)
class Shape(Guided):
    """A visual or collision.

    Attributes
    ----------
    name : name of the shape in its link.
    pose : pose in the link frame; None if it cannot be resolved.
    geometry : a Box, Sphere, Cylinder, Capsule, Ellipsoid, Cone, Plane, Polyline, Mesh, Heightmap, Image or Empty with
        its dimensions in metres; None if a dimension cannot be read.
    path : path of the file of the geometry's URI; None if there is no URI, or if the file is not found.
    colour : r, g, b, a from 0 to 1 from a visual's ``<material>``, with the emissive colour; None for collisions, and
        if there is no colour.
    file, line : where the shape is defined.
    texture : path of the picture that a visual's ``<material>`` names; None if there is none, or if it is not found.
    """

    name: str
    pose: Pose | None
    geometry: Geometry | None
    path: str | None = None
    colour: tuple[float, float, float, float] | None = None
    file: str | None = None
    line: int | None = None
    texture: str | None = None

    @property
    def uri(self) -> str | None:
        """The URI of the geometry's file as written; None for shapes without a file."""
        return self.geometry.uri if isinstance(self.geometry, (Mesh, Heightmap, Image)) else None


@read_only
@dataclass(frozen=True, slots=True, eq=False)
class Link(WithArrays):
    """A link.

    Attributes
    ----------
    name : name in a URDF; SDF name relative to the world or root model.
    pose : pose in the world or root model; None if it cannot be resolved.
    visuals, collisions : the shapes of the link.
    file, line : where the link is defined.
    mass : kg, as the file states it. If it states none, the format's default: 0 in a URDF, 1 in SDFormat. None if it
        is computed (``auto``), or cannot be read.
    com : (3,) the stated centre of mass in the link frame, metres.
    inertia : (3, 3) the stated tensor about the centre of mass, along the axes of the link frame, kg·m².
    fate : the result for a URDF's link in the SDF: ``kept``, ``renamed to NAME``, ``lumped into LINK``,
        ``a frame in LINK`` or ``left out``; None for SDFormat.
    """

    name: str
    pose: Pose | None
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    file: str | None = None
    line: int | None = None
    mass: float | None = None
    com: Array | None = None
    inertia: Array | None = None
    fate: str | None = None


class Axes(tuple[JointAxis, ...], Guided):
    """The axes of a joint: one, two, or none."""

    __slots__ = ()


@read_only
@dataclass(frozen=True, slots=True)
class Joint(Guided):
    """A joint.

    Attributes
    ----------
    name : name in a URDF; SDF name relative to the world or root model.
    type : name of the joint type in the file: a ``continuous`` joint of a URDF is not ``revolute`` here.
    parent, child : names of the links that it connects, or ``world``.
    axes : each with its unit vector in the joint's frame, its limits, and the joint that it mimics.
    pose : pose of the joint frame in the world or root model; None if it cannot be resolved.
    movable : whether the joint has a position: False for fixed joints, and for joints that close a kinematic loop.
    in_sdf : False for joints of a URDF that are not in the SDF.
    file, line : where the joint is defined.
    fate : the result for a URDF's joint in the SDF, as in :class:`Link`; None for SDFormat.
    """

    name: str
    type: str
    parent: str
    child: str
    axes: tuple[JointAxis, ...] = ()
    pose: Pose | None = None
    movable: bool = False
    in_sdf: bool = True
    file: str | None = None
    line: int | None = None
    fate: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", Axes(self.axes))

    @property
    def size(self) -> int:
        """How many numbers a position of the joint has; 0 if it is not movable."""
        return MOTIONS[self.type].size if self.movable else 0

    @property
    def limits(self) -> Limits:
        """Limits of the first axis; infinite if the joint has none, 0 to 0 for a fixed joint."""
        return self.axes[0].limits if self.axes else Limits(0.0, 0.0) if self.type == "fixed" else Limits()

    @property
    def mimic(self) -> Mimic | None:
        """The mimic constraint of the first axis; None if it has none."""
        return self.axes[0].mimic if self.axes else None


@dataclass(frozen=True, slots=True)
class Model:
    """A model.

    Attributes
    ----------
    name : name of the model.
    pose : pose of the model frame in the world or root model; None if it cannot be resolved.
    static : whether the model, or a model that contains it, is static.
    canonical_link : the link that the model frame is attached to; None if it is static or cannot be resolved.
    file, line : where the model is defined.
    """

    name: str
    pose: Pose | None
    static: bool = False
    canonical_link: str | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform of TF: the `pose` of `child` in `parent`; `movable` is True if the pose can change."""

    parent: str
    child: str
    pose: Pose
    movable: bool = False
