"""Publishes the SDF, the URDF, static TF and the boxes of inertias, each only if it has changed."""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from sdf_frames.diagnostics import Diagnostic, count_of, diagnose
from sdf_frames.inertia.result import LinkInertia
from sdf_frames.ros import markers, messages
from sdf_frames.ros.frame_table import FrameTable
from sdf_frames.ros.jobs import Edge, HeldDescription
from sdf_frames.ros.log import Log
from sdf_frames.ros.pieces import build_all

#: Late subscribers also receive the last message, on robot_description, its results and /tf_static.
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: The most frames that are remembered after they were published; ever new names must not fill the memory.
_MOST_GONE = 10_000

#: Static transforms, and the messages for them; None if the transforms are already published.
_Prepared = tuple[list[Edge], list[Any] | None]


class Publications:
    """The node's publishers, and their last messages.

    `pause` is what :func:`sdf_frames.ros.pieces.build_all` waits for.
    """

    def __init__(self, node: Node, log: Log, pause: Callable[[], Awaitable[None]]):
        self._node, self._log, self._pause = node, log, pause
        self._markers: Publisher | None = None
        self.is_open = False
        self._in_listeners: set[str] = set()  # children of static transforms until now, also of closed publishers
        self._forget()

    def _forget(self) -> None:
        self._sent_sdf: str | None = None
        self._sent_urdf: str | None = None
        self.urdf_of: HeldDescription | None = None  # its URDF is published, or is known not to exist
        self._sent_edges: list[Edge] = []
        self._sent_markers: tuple[tuple[LinkInertia, ...], tuple[str, ...]] | None = None

    def open(self) -> None:
        """Make the publishers."""
        node, self.is_open = self._node, True
        self._sdf = node.create_publisher(String, "robot_description_sdf", LATCHED)
        self._urdf = node.create_publisher(String, "robot_description_urdf", LATCHED)
        # Absolute, as tf2's listeners expect it; a launch file remaps it for a robot with a separate tree.
        self._tf_static = node.create_publisher(TFMessage, "/tf_static", LATCHED)

    def close(self) -> None:
        """Destroy the publishers, and with them the last messages for late subscribers."""
        if not self.is_open:
            return
        for publisher in (self._sdf, self._urdf, self._tf_static, self._markers):
            if publisher is not None:
                self._node.destroy_publisher(publisher)
        self._markers, self.is_open = None, False
        self._forget()

    async def prepare(self, reading: HeldDescription,
                      look_ahead: Callable[[list[Edge], list[Edge]], Awaitable[None]]) -> _Prepared:
        """Make the message on /tf_static for a description; publish nothing.

        ``await look_ahead(edges, before)`` is called before static transforms are published in place of others.
        """
        edges, before = await build_all(lambda edge: edge, reading.transforms, self._pause), self._sent_edges
        if edges == before:
            return edges, None
        await look_ahead(edges, before)
        stamp = self._node.get_clock().now().to_msg()
        return edges, await build_all(lambda edge: messages.to_transform(edge.parent, edge.child, edge.pose, stamp),
                                      edges, self._pause)

    def publish(self, reading: HeldDescription, prepared: _Prepared) -> list[Diagnostic]:
        """Publish TF of a description, and its SDF if there is one; return findings on TF, and on a missing SDF."""
        findings = list(reading.tf_findings)
        if not reading.convertible:
            stays = "" if self._sent_sdf is None else "; the last one stays published"
            findings.append(diagnose("sdf-withheld", stays=stays))
        elif (sdf := messages.to_text(reading.sdf_text)) != self._sent_sdf:
            self._sdf.publish(String(data=sdf))
            self._sent_sdf = sdf
        edges, stamped = prepared
        if stamped is not None:
            # Also without transforms: late subscribers must not receive the old tree.
            self._tf_static.publish(TFMessage(transforms=stamped))
            self._sent_edges = edges
            self._log.info(f"Published {count_of(len(edges), 'static transform')}")
        return [*findings, *self._find_left({child for _, child, _ in edges})]

    def _find_left(self, children: set[str]) -> list[Diagnostic]:
        """Report the frames that are no longer published: listeners keep them."""
        gone = sorted(self._in_listeners - children)
        self._in_listeners = children | set(gone[:_MOST_GONE])
        if not gone:
            return []
        names = ", ".join(gone[:5]) + (", …" if len(gone) > 5 else "")
        kept = count_of(len(gone), "static transform that is no longer published",
                        "static transforms that are no longer published")
        return [diagnose("frame-left-in-tf", transforms=kept, frames=names)]

    def publish_urdf(self, reading: HeldDescription, urdf: str | None, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Publish the URDF of a description, or return why there is none."""
        self.urdf_of = reading
        if urdf is None:
            problem = next((finding.message for finding in found), "it contains no model")
            stays = "" if self._sent_urdf is None else "; the last one stays published"
            return [diagnose("urdf-withheld", stays=stays, problem=problem)]
        if (text := messages.to_text(urdf)) != self._sent_urdf:
            self._urdf.publish(String(data=text))
            self._sent_urdf = text
        return []

    def prepare_markers(self) -> list[Diagnostic]:
        """Make the publisher of the inertia boxes; return findings if that is impossible."""
        if self._markers is None:
            if markers.MarkerArray is None:
                return [diagnose("markers-unavailable")]
            self._markers = self._node.create_publisher(markers.MarkerArray, "~/inertia_markers", LATCHED)
        return []

    def publish_markers(self, links: Iterable[LinkInertia], table: FrameTable | None) -> None:
        """Publish boxes for links of a model with these frames; without frames, delete the published boxes."""
        if self._markers is None:
            return
        links = tuple(links)
        key = (links, tuple([entry.tf_frame for entry in table.entries]) if table else ())
        if key != self._sent_markers:
            self._markers.publish(markers.to_inertia_markers(links, table))
            self._sent_markers = key

    def describe(self) -> list[tuple[str, str]]:
        """Return the published topics as pairs for /diagnostics."""
        return [("transforms on /tf_static", str(len(self._sent_edges))),
                ("robot_description_sdf", _count(self._sent_sdf)), ("robot_description_urdf", _count(self._sent_urdf))]


def _count(text: str | None) -> str:
    return "not published" if text is None else count_of(len(text), "character")
