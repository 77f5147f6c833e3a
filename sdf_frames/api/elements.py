"""What a description is made of: frames, links with their shapes, joints, models."""
from __future__ import annotations

from dataclasses import dataclass

from sdf_frames.api.pose import Pose
from sdf_frames.frames.mechanism import JointAxis, Limits, Mimic
from sdf_frames.sdf.geometry import Geometry, Heightmap, Image, Mesh


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame.

    Attributes
    ----------
    name : SDF name relative to the world or root model, nested names joined by ``::``.
    kind : ``world``, ``model``, ``link``, ``joint`` or ``frame``.
    body : the link (static model, world) that the frame is rigidly attached to; None if it cannot be resolved.
    pose : in the world or root model, movable joints where the description has them; None if it cannot be resolved.
    attached_to, relative_to : as written, None where nothing is.
    in_sdf : False for links and joints of a URDF that the SDF cannot express, and the world that a model is joined to.
    file, line : where the frame is defined; in the URDF, if it stems from one.
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


@dataclass(frozen=True, slots=True)
class Shape:
    """A visual or collision.

    Attributes
    ----------
    name : in its link.
    pose : in the link; None if it cannot be resolved.
    geometry : a Box, Sphere, Cylinder, Capsule, Ellipsoid, Cone, Plane, Polyline, Mesh, Heightmap, Image or Empty with
        its dimensions in metres; None if a dimension cannot be read.
    path : the file that the geometry's URI leads to; None without a URI, and if there is no such file.
    colour : r, g, b, a from 0 to 1 as a visual's ``<material>`` states it; None if it states none, and of collisions.
    file, line : where the shape is defined.
    """

    name: str
    pose: Pose | None
    geometry: Geometry | None
    path: str | None = None
    colour: tuple[float, float, float, float] | None = None
    file: str | None = None
    line: int | None = None

    @property
    def uri(self) -> str | None:
        """The URI of the geometry's file as written; None for shapes without a file."""
        return self.geometry.uri if isinstance(self.geometry, (Mesh, Heightmap, Image)) else None


@dataclass(frozen=True, slots=True)
class Link:
    """A link.

    Attributes
    ----------
    name : SDF name relative to the world or root model.
    pose : in the world or root model; None if it cannot be resolved.
    visuals, collisions : its shapes.
    file, line : where the link is defined.
    """

    name: str
    pose: Pose | None
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint.

    Attributes
    ----------
    name : SDF name relative to the world or root model.
    type : as SDF or URDF call it.
    parent, child : the bodies that it joins, or ``world``.
    axes : each with its unit vector in the joint's frame, its limits, and the joint that it mimics.
    pose : the joint's frame in the world or root model; None if it cannot be resolved.
    movable : whether forward kinematics takes a position of it: False for fixed joints and those that close a loop.
    in_sdf : False for joints of a URDF that the SDF cannot express.
    file, line : where the joint is defined.
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

    @property
    def limits(self) -> Limits:
        """Limits of the first axis; infinite if the joint has none."""
        return self.axes[0].limits if self.axes else Limits()

    @property
    def mimic(self) -> Mimic | None:
        """What the first axis mimics."""
        return self.axes[0].mimic if self.axes else None


@dataclass(frozen=True, slots=True)
class Model:
    """A model.

    Attributes
    ----------
    name : of the model itself.
    pose : of its frame in the world or root model; None if it cannot be resolved.
    static : whether the model or one that it is in is static.
    canonical_link : the link that its frame is rigidly attached to; None if it is static or cannot be resolved.
    file, line : where the model is defined.
    """

    name: str
    pose: Pose | None
    static: bool = False
    canonical_link: str | None = None
    file: str | None = None
    line: int | None = None
