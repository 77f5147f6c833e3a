"""The shared state of the steps of one conversion to URDF: its input, its results, and its report."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from lxml import etree

from sdf_frames.convert.moved_uris import find_references, make_moves
from sdf_frames.convert.report import Account
from sdf_frames.convert.undo_lumping import find_free_joints, find_pairs
from sdf_frames.convert.urdf_names import choose_urdf_names
from sdf_frames.document.elements import Element
from sdf_frames.document.places import copy_element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.sdf.included_content import list_contents
from sdf_frames.sdf.model import JOINT_TYPES, Joint
from sdf_frames.spatial.pose import IDENTITY, Pose
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.versions import Version

#: Makes the URI to write, from its text and the element that holds it.
UriWriter = Callable[[str, Element], str]


class MassProperties(Protocol):
    """Mass properties of a link: those of a :class:`~sdf_frames.inertia.result.LinkInertia` that a URDF can hold."""

    @property
    def mass(self) -> float: ...
    @property
    def pose(self) -> Pose: ...
    @property
    def inertia(self) -> tuple[float, ...]: ...
    @property
    def auto(self) -> bool: ...


def is_split(joint: Joint) -> bool:
    """Return whether a joint is written as two revolute joints, one for each axis."""
    return joint.type in JOINT_TYPES and JOINT_TYPES[joint.type].split and {a.number for a in joint.axes} == {0, 1}


class UrdfJob(Account):
    """One conversion of a model to URDF; its parameters are those of :func:`.convert_model`.

    Attributes
    ----------
    pairs, free : frames that represent lumped links, and floating and planar joints, by vertex.
    names, used : names in the URDF by vertex, and all used names.
    second_axes : names for the second of two joints, by vertex; joints that mimic it need its name before it is made.
    left_out : joints that the tree of the URDF cannot have, by vertex.
    links, joints, gazebo : the finished parts.
    lumped : lumped links that get their shapes back, without mass, by vertex.
    contents : the elements in each part of the model, by vertex, those of included models as their includes leave them.
    """

    def __init__(self, graph: FrameGraph, inertias: Mapping[str, MassProperties], write_uri: UriWriter, separator: str,
                 to_display: bool, joint_frames: bool, version: Version, move_uri: UriWriter):
        super().__init__()
        self.graph, self.inertias, self.write_uri = graph, inertias, write_uri
        self.to_display, self.version, self.move_uri = to_display, version, move_uri
        self.contents = [*map(list_contents, graph.entities)]
        self.poses, self.bodies = [X or IDENTITY for X in graph.poses], graph.bodies
        self.pairs = {} if joint_frames else find_pairs(graph)
        self.free = {} if joint_frames else find_free_joints(graph)
        self.links: list[urdf.Link] = []
        self.joints: list[urdf.Joint] = []
        self.gazebo: list[Element] = []
        self.lumped: dict[int, urdf.Link] = {}
        self.left_out: frozenset[int] = frozenset()
        written_as_joints = {*(i for i, _ in graph.joints), *(pair.joint for pair in self.pairs.values()),
                             *(free.vertex for free in self.free.values())}
        self.names, self.used = choose_urdf_names(graph, written_as_joints, separator, self.found)
        self.is_renamed = self.names != dict(enumerate(graph.names))
        self.second_axes = {i: self.used.find_free(f"{self.names[i]}_axis2")
                            for i, _ in graph.joints if is_split(graph.joint(i))}

    def add_gazebo(self, reference: str | None) -> Element:
        """Add a ``<gazebo>`` for a link or joint; None for the robot."""
        self.gazebo.append(etree.Element("gazebo", {} if reference is None else {"reference": reference}))
        return self.gazebo[-1]

    def copy(self, element: Element, i: int) -> Element:
        """Copy an element of the part at vertex `i` for a ``<gazebo>``, with the names of the URDF.

        Its relative URIs lead from the URDF to the same files.
        """
        copy = copy_element(element)
        originals = dict(zip(copy.iter(), element.iter()))
        make_moves(find_references(copy, plugins=False), lambda part, uri: self.move_uri(uri, originals[part]))
        self.rename(copy, self.graph.prefix(i))
        return copy

    def rename(self, element: Element, prefix: str) -> None:
        """Give the parts that content of the scope `prefix` names, whatever their kind, their names in the URDF."""
        from sdf_frames.sdf.references import rename_in_urdf  # few descriptions are renamed

        def find_new(_: str, text: str | None) -> str | None:
            i = self.graph.find(prefix, name := (text or "").strip())
            return None if not i or self.names[i] == name else self.names[i]
        for part in element.iter(etree.Element) if self.is_renamed else ():
            rename_in_urdf(part, find_new)
