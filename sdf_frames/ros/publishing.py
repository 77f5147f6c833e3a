"""What the node publishes: the SDF, static TF, the inertias' boxes and diagnostics, each only when it differs from before."""
from __future__ import annotations

from collections.abc import Iterable

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from sdf_frames.diagnostics import Diagnostic, diagnose
from sdf_frames.ros import markers, messages
from sdf_frames.ros.jobs import Reading

#: What is said once stays readable for those who come later: both ends of robot_description, and /tf_static.
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: More findings of one description than this are not logged; the services give all of them.
_MOST_LOGGED = 20


class Publications:
    """The node's publishers, and what they sent last."""

    def __init__(self, node: Node):
        self._node = node
        self._sent_sdf: str | None = None
        self._sent_transforms: tuple = ()
        self._markers: Publisher | None = None
        self._sent_markers: tuple | None = None
        self._sdf = node.create_publisher(String, "robot_description_sdf", LATCHED)
        # Absolute, as tf2's listeners expect it; a launch file remaps it for a robot with a tree of its own.
        self._tf_static = node.create_publisher(TFMessage, "/tf_static", LATCHED)
        self._diagnostics = node.create_publisher(DiagnosticArray, "/diagnostics", LATCHED)

    def publish(self, reading: Reading) -> list[Diagnostic]:
        """Publish TF of a description, and its SDF if it can be converted; return what TF found, and that there is no SDF."""
        findings = list(reading.tf_findings)
        if not reading.convertible:
            findings.append(diagnose("sdf-withheld", stays="" if self._sent_sdf is None else "; the last one stays published"))
        elif (sdf := messages.to_text(reading.sdf_text)) != self._sent_sdf:
            self._sdf.publish(String(data=sdf))
            self._sent_sdf = sdf
        transforms, before = reading.transforms, self._sent_transforms
        if transforms != before:
            gone = sorted({t.child for t in before} - {t.child for t in transforms})
            if gone:
                names = ", ".join(gone[:5]) + (", …" if len(gone) > 5 else "")
                findings.append(diagnose("frame-left-in-tf", count=len(gone), frames=names))
            # Also where nothing is left: whoever joins later must not be given the old tree.
            self._tf_static.publish(messages.to_tf_message(transforms, self._now()))
            self._sent_transforms = transforms
            self._node.get_logger().info(
                f"Published {len(transforms)} static transform{'' if len(transforms) == 1 else 's'}")
        return findings

    def prepare_markers(self) -> list[Diagnostic]:
        """Make the publisher of the inertias' boxes; return why there is none."""
        if self._markers is None:
            if markers.MarkerArray is None:
                return [diagnose("markers-unavailable")]
            self._markers = self._node.create_publisher(markers.MarkerArray, "~/inertia_markers", LATCHED)
        return []

    def publish_markers(self, links: tuple, reading: Reading | None) -> None:
        """Publish boxes for links of a description; without one, take back those that were published."""
        if self._markers is None:
            return
        table = reading.table if reading is not None else None
        key = (links, tuple([entry.tf_frame for entry in table.entries]) if table else ())
        if key != self._sent_markers:
            self._markers.publish(markers.to_inertia_markers(links, table))
            self._sent_markers = key

    def report(self, findings: Iterable[Diagnostic], robot: str = "") -> None:
        """Put findings into the log and on /diagnostics."""
        findings = list(findings)
        log = self._node.get_logger()
        # One call for each severity: rclpy ties a level to the line that it is logged from.
        for finding in findings[:_MOST_LOGGED]:
            if finding.severity == "error":
                log.error(messages.describe(finding))
            elif finding.severity == "warning":
                log.warning(messages.describe(finding))
            else:
                log.info(messages.describe(finding))
        if len(findings) > _MOST_LOGGED:
            log.info(f"{len(findings) - _MOST_LOGGED} further findings; validate_sdf gives all of them")
        self._diagnostics.publish(messages.to_diagnostic_array(findings, robot, self._now()))

    def _now(self):
        return self._node.get_clock().now().to_msg()
