"""What the steps of one conversion to URDF share: what it is made of, and what has been made and said of it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from lxml import etree

from sdf_frames.convert.report import Account
from sdf_frames.convert.undo_lumping import find_free_joints, find_pairs
from sdf_frames.convert.urdf_names import choose_urdf_names
from sdf_frames.document.elements import Element
from sdf_frames.frames.graph import FrameGraph
from sdf_frames.spatial.pose import Pose
from sdf_frames.urdf import model as urdf
from sdf_frames.urdf.versions import Version

#: Makes the URI to write for a mesh or texture, from its text and the element that holds it.
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


class UrdfJob(Account):
    """One conversion of a model to URDF; its parameters are those of :func:`.convert_model`.

    Attributes
    ----------
    pairs, free : frames that represent lumped links, and floating and planar joints, by vertex.
    names, used : names in the URDF by vertex, and all that are taken.
    links, joints, gazebo : the parts that have been made.
    """

    def __init__(self, graph: FrameGraph, inertias: Mapping[str, MassProperties], write_uri: UriWriter, separator: str,
                 joint_frames: bool, version: Version):
        super().__init__()
        self.graph, self.inertias, self.write_uri, self.version = graph, inertias, write_uri, version
        self.pairs = {} if joint_frames else find_pairs(graph)
        self.free = {} if joint_frames else find_free_joints(graph)
        self.links: list[urdf.Link] = []
        self.joints: list[urdf.Joint] = []
        self.gazebo: list[Element] = []
        written_as_joints = {*(i for i, _ in graph.joints), *(pair.joint for pair in self.pairs.values()),
                             *(free.vertex for free in self.free.values())}
        self.names, self.used = choose_urdf_names(graph, written_as_joints, separator, self.found)

    def add_gazebo(self, reference: str | None) -> Element:
        """Add a ``<gazebo>`` for a link or joint; None for the robot."""
        self.gazebo.append(etree.Element("gazebo", {} if reference is None else {"reference": reference}))
        return self.gazebo[-1]
