"""The node `sdf_frames`: robot_description in; SDF, static TF, findings and services out."""
from __future__ import annotations

import time
import traceback
from typing import Callable

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rcl_interfaces.msg import SetParametersResult
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from sdf_frames import srv
from sdf_frames.diagnostics import Diagnostic, diagnose, has_errors
from sdf_frames.frames.tf import static_transforms
from sdf_frames.load import Loaded, load_text
from sdf_frames.ros import markers, messages, services
from sdf_frames.ros.parameters import Settings, apply_values, declare_parameters
from sdf_frames.ros.tf_listening import find_publishers, listen

#: What is said once stays readable for those who come later: both ends of robot_description, and /tf_static.
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: More findings of one description than this are not logged; the services give all of them.
_MOST_LOGGED = 20


class SdfFramesNode(Node):
    """Converts every description it receives, and publishes what came out.

    A description with errors changes nothing but /diagnostics: the last good one stays published.
    """

    def __init__(self):
        super().__init__("sdf_frames")
        self.state = services.State(declare_parameters(self))
        self._sent_sdf: str | None = None
        self._sent_transforms: tuple | None = None
        self._markers: Publisher | None = None
        self._sent_markers: tuple | None = None
        self._sdf = self.create_publisher(String, "robot_description_sdf", LATCHED)
        # Absolute, as tf2's listeners expect it; a launch file remaps it for a robot with a tree of its own.
        self._tf_static = self.create_publisher(TFMessage, "/tf_static", LATCHED)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", LATCHED)
        self.state.topic = self.resolve_topic_name("robot_description")
        if self.state.settings.robot_description:
            self._guard(lambda: self.take_description(self.state.settings.robot_description, "parameter"))
        self.create_subscription(String, "robot_description",
                                 lambda m: self._guard(lambda: self.take_description(m.data, "topic")), LATCHED)
        self.add_on_set_parameters_callback(self._change_parameters)
        for service_type, name in ((srv.ValidateSdf, "validate_sdf"), (srv.ComputeInertia, "compute_inertia"),
                                   (srv.ConvertUrdf, "convert_urdf"), (srv.ResolveFrame, "resolve_frame"),
                                   (srv.GetFrames, "get_frames")):
            handler = getattr(services, name)
            self.create_service(service_type, name, lambda request, response, handler=handler: services.answer(
                handler, self.state, request, response, self.get_logger().error))
        # It listens for a while: in a group of its own, it holds up neither the other callbacks nor a second call.
        self.create_service(srv.CheckTf, "check_tf", self._check_tf, callback_group=ReentrantCallbackGroup())
        if not self.state.received_text:
            self.get_logger().info(f"Waiting for a description on {self.state.topic}")

    async def _check_tf(self, request, response):
        """Listen to TF, then answer; other callbacks run meanwhile."""
        heard = await listen(self, request.duration)
        return services.answer(services.check_tf, self.state, request, response, self.get_logger().error, heard,
                               find_publishers(self))

    def take_description(self, text: str, source: str) -> bool:
        """Load a description and, if it is good, publish it.

        Parameters
        ----------
        text
            URDF or SDF.
        source
            Where it came from, for the log.

        Returns
        -------
        bool
            Whether it is published now.
        """
        if text == self.state.received_text:
            return self.state.received is self.state.current
        loaded, seconds = self._load(text, self.state.settings)
        self.get_logger().info(f"Received robot_description by {source}: {len(text)} characters, "
                               f"{loaded.kind or 'no robot description'}, read in {seconds * 1e3:.0f} ms")
        self.state.received, self.state.received_text = loaded, text
        return self._use(loaded)

    def _load(self, text: str, settings: Settings) -> tuple[Loaded, float]:
        start = time.perf_counter()
        loaded = load_text(text, None, settings.load_options())
        loaded.diagnostics  # the checks run when asked for; they belong to the time and to the guard
        return loaded, time.perf_counter() - start

    def _use(self, loaded: Loaded) -> bool:
        """Publish a loaded description if it is good; report on it in any case."""
        findings = list(loaded.diagnostics)
        good = not has_errors(findings)
        if good:
            self.state.current = loaded
            findings += self._publish()
        elif self.state.current is not None:
            self.get_logger().warning("The description has errors; the last good one stays.")
        self._report(findings, loaded)
        return good

    def _publish(self) -> list[Diagnostic]:
        """Publish SDF and TF of the current model where they differ from what was published; return what TF found."""
        loaded, settings = self.state.current, self.state.settings
        sdf = messages.to_text(loaded.sdf_text)
        if sdf != self._sent_sdf:
            self._sdf.publish(String(data=sdf))
            self._sent_sdf = sdf
        transforms, found = static_transforms(loaded, settings.tf_mode, settings.scope_separator, settings.frame_prefix,
                                              settings.sensor_frames)
        findings = list(found)
        before = self._sent_transforms or ()
        if transforms != before:
            gone = sorted({t.child for t in before} - {t.child for t in transforms})
            if gone:
                names = ", ".join(gone[:5]) + (", …" if len(gone) > 5 else "")
                findings.append(diagnose("frame-left-in-tf", count=len(gone), frames=names))
            # Also where nothing is left: whoever joins later must not be given the old tree.
            self._tf_static.publish(messages.to_tf_message(transforms, self.get_clock().now().to_msg()))
            self._sent_transforms = transforms
            self.get_logger().info(f"Published {len(transforms)} static transform{'' if len(transforms) == 1 else 's'}")
        return findings + self._publish_markers()

    def _publish_markers(self) -> list[Diagnostic]:
        """Publish the inertias' boxes where they are wanted and differ from what was published; take them back where
        they no longer are."""
        wanted = self.state.settings.inertia_markers and self.state.current is not None
        if self._markers is None:
            if not wanted:
                return []
            if markers.MarkerArray is None:
                return [diagnose("markers-unavailable")]
            self._markers = self.create_publisher(markers.MarkerArray, "~/inertia_markers", LATCHED)
        links = self.state.current.inertias.links if wanted else ()
        table = self.state.frames() if wanted else None
        key = (links, tuple([entry.tf_frame for entry in table.entries]) if table else ())
        if key != self._sent_markers:
            self._markers.publish(markers.to_inertia_markers(links, table))
            self._sent_markers = key
        return []

    def _report(self, findings: list[Diagnostic], loaded: Loaded) -> None:
        """Put findings into the log and on /diagnostics."""
        log = self.get_logger()
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
        robot = loaded.scopes[0].name if loaded.scopes else ""
        self._diagnostics.publish(messages.to_diagnostic_array(findings, robot, self.get_clock().now().to_msg()))

    def _change_parameters(self, parameters: list) -> SetParametersResult:
        """Accept or refuse new parameter values; what is accepted shows at once in all that is published."""
        refusal = self._guard(lambda: self._apply_parameters(parameters), "the node failed; see its log")
        return SetParametersResult(successful=refusal is None, reason=refusal or "")

    def _apply_parameters(self, parameters: list) -> str | None:
        """Take new values over, or return why not."""
        state = self.state
        settings, refusal = apply_values(state.settings, parameters)
        if refusal or settings == state.settings:
            return refusal
        changed_text = settings.robot_description != state.settings.robot_description
        text = settings.robot_description if changed_text else state.received_text
        same_reading = settings.load_options() == state.settings.load_options() and not changed_text
        if not text:
            state.settings = settings
            return None
        loaded = state.received if same_reading else self._load(text, settings)[0]
        was_good = changed_text or (state.received is state.current and state.current is not None)
        if was_good and has_errors(loaded.diagnostics):
            first = next(finding for finding in loaded.diagnostics if finding.severity == "error")
            self._report(list(loaded.diagnostics), loaded)
            return f"the description would be in error: {messages.describe(first)}"
        state.settings = settings
        state.received, state.received_text = loaded, text
        if has_errors(loaded.diagnostics):
            # The last description was bad before; the good one that is still published follows the new names.
            if state.current is not None:
                self._publish()
        else:
            self._use(loaded)
        return None

    def _guard(self, work: Callable, failed=False):
        """Do the work of a callback; a fault is reported, and the node lives on."""
        try:
            return work()
        except Exception as error:
            self.get_logger().error(f"Unexpected: {traceback.format_exc()}")
            finding = diagnose("node-fault", problem=services.describe_fault(error))
            self._diagnostics.publish(messages.to_diagnostic_array([finding], "", self.get_clock().now().to_msg()))
            return failed


def main(args: list[str] | None = None) -> int:
    """Run the node until a signal ends it.

    Parameters
    ----------
    args
        Command line with ROS arguments; by default that of the process.

    Returns
    -------
    int
        0 after a signal; 1 where a parameter given at start is refused.
    """
    rclpy.init(args=args)
    try:
        try:
            node = SdfFramesNode()
        except (ValueError, ParameterException) as refusal:
            rclpy.logging.get_logger("sdf_frames").fatal(str(refusal))
            return 1
        rclpy.spin(node)
    except (KeyboardInterrupt, SystemExit, ExternalShutdownException):
        pass
    except Exception:
        # A call that was under way when a signal took the context away fails in ways of its own.
        if rclpy.ok():
            raise
    return 0
