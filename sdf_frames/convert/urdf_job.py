"""What the steps of one conversion to URDF share: what it is made of, and what has been made and said of it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from lxml import etree

from sdf_frames.convert.report import Action, Entry
from sdf_frames.convert.undo_lumping import find_free_joints, find_pairs
from sdf_frames.convert.urdf_names import choose_urdf_names
from sdf_frames.diagnostics import Diagnostic, Location, diagnose
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


class UrdfJob:
    """One conversion of a model to URDF; its parameters are those of :func:`.convert_model`.

    Attributes
    ----------
    pairs, free : frames that represent lumped links, and floating and planar joints, by vertex.
    names, used : names in the URDF by vertex, and all that are taken.
    links, joints, gazebo : the parts that have been made.
    rows, found : the report, a row for each part of the model, and the findings.
    """

    def __init__(self, graph: FrameGraph, inertias: Mapping[str, MassProperties], write_uri: UriWriter, separator: str,
                 joint_frames: bool, version: Version):
        self.graph, self.inertias, self.write_uri, self.version = graph, inertias, write_uri, version
        self.pairs = {} if joint_frames else find_pairs(graph)
        self.free = {} if joint_frames else find_free_joints(graph)
        self.links: list[urdf.Link] = []
        self.joints: list[urdf.Joint] = []
        self.gazebo: list[Element] = []
        self.rows: list[Entry] = []
        self.found: list[Diagnostic] = []
        written_as_joints = {*(i for i, _ in graph.joints), *(pair.joint for pair in self.pairs.values()),
                             *(free.vertex for free in self.free.values())}
        self.names, self.used = choose_urdf_names(graph, written_as_joints, separator, self.found)

    def add_gazebo(self, reference: str | None) -> Element:
        """Add a ``<gazebo>`` for a link or joint; None for the robot."""
        self.gazebo.append(etree.Element("gazebo", {} if reference is None else {"reference": reference}))
        return self.gazebo[-1]

    def tell(self, kind: str, name: str, action: Action, into: str | None, element: Element | None,
             reason: str | None = None) -> None:
        """Add a row to the report."""
        self.rows.append(Entry(kind, name, action, into, element, reason))

    def report(self, rule: str, at: Location, /, **fields: Any) -> None:
        """Add a finding."""
        self.found.append(diagnose(rule, at, **fields))
