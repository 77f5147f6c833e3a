"""The decisions of a conversion: one fate for each link, joint and frame of the SDF.

Names are those of the SDF. Poses and numbers are written as they are.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple, Union

from sdf_frames.document.elements import Element
from sdf_frames.urdf.model import Collision as UrdfCollision
from sdf_frames.urdf.model import Dynamics, Inertial, Material, Mimic, Origin, Visual


class Value(NamedTuple):
    """A text that is written into an SDF element.

    Attributes
    ----------
    rank : place in the order in which values are written.
    around : tags of the elements around it, from the outside in.
    tag, text : the element that holds the text.
    element : what it stems from in the URDF.
    checked : whether SDF has bounds for the value, so that the SDF reader must check it.
    """

    rank: int
    around: tuple[str, ...]
    tag: str
    text: str | None
    element: Element | None
    checked: bool = False


rank_of = attrgetter("rank")
Contents = list[Union[Value, Element]]  # what <gazebo> says, in the order in which it is put; elements are copies
Marks = tuple[tuple[str, str], ...]  # names and texts of attributes (see round_trip_attributes.py)


class FrameFate(NamedTuple):
    """A ``<frame>`` for a lumped or massless link, or a joint that SDF does not have; no pose if `origin` is None."""

    name: str
    attached_to: str
    origin: Origin | None
    relative_to: str | None
    element: Element | None
    marks: Marks = ()


class ShapeFate(NamedTuple):
    """A ``<visual>`` or ``<collision>``; `material` has what the SDF takes of the URDF's colour and texture."""

    kind: str
    name: str
    origin: Origin
    shape: Visual | UrdfCollision
    contents: Contents
    material: Material | None
    marks: Marks = ()


class LinkFate(NamedTuple):
    """A ``<link>``; `joint` is the name of its parent joint."""

    name: str
    joint: str | None
    inertial: Inertial
    shapes: list[ShapeFate]
    contents: Contents
    element: Element | None


class AxisFate(NamedTuple):
    """An ``<axis>``; `bounds` are the children of its ``<limit>``, `leader` is the joint that it mimics in the SDF.

    `element` and `bounds_element` are what these stem from in the URDF.
    """

    xyz: tuple[float, ...]
    element: Element | None
    bounds: list[tuple[str, float]]
    bounds_element: Element | None
    dynamics: Dynamics | None
    mimic: Mimic | None = None
    leader: str = ""


class JointFate(NamedTuple):
    """A ``<joint>``; its pose is `origin`, relative to `relative_to`."""

    name: str
    type: str
    parent: str
    child: str
    origin: Origin
    relative_to: str
    axis: AxisFate | None
    contents: Contents
    element: Element | None
    marks: Marks = ()


class ModelFate(NamedTuple):
    """What the ``<model>`` itself holds."""

    contents: Contents


Fate = Union[FrameFate, LinkFate, JointFate, ModelFate]


def has_marks(fates: Iterable[Fate]) -> bool:
    """Return whether an attribute of :mod:`sdf_frames.convert.round_trip_attributes` is to be written."""
    return any(bool(fate.marks) if isinstance(fate, (FrameFate, JointFate)) else isinstance(fate, LinkFate) and any(
        shape.material is not None or shape.marks for shape in fate.shapes) for fate in fates)
