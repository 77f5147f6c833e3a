"""Listens to /tf and /tf_static for a while."""
from __future__ import annotations

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from tf2_msgs.msg import TFMessage

from sdf_frames.frames.tf_observed import Observed
from sdf_frames.ros.messages import read_transform
from sdf_frames.ros.timers import wait

TOPICS = ("/tf", "/tf_static")

#: Seconds to listen where nothing else is asked for, and at most.
_DEFAULT, _LONGEST = 2.0, 60.0


def observe(message: TFMessage, static: bool) -> list[Observed]:
    """The transforms of a message."""
    return [Observed(stamped.header.frame_id, stamped.child_frame_id, read_transform(stamped.transform), static)
            for stamped in message.transforms]


async def listen(node: Node, seconds: float) -> list[Observed]:
    """Subscribe as a tf2 listener does, for so long, and give what was heard.

    Returns all static transforms, and the last of each parent and child on /tf. The executor runs other callbacks.
    """
    heard: dict[Observed | tuple[str, str], Observed] = {}

    def take(message: TFMessage, static: bool) -> None:
        for o in observe(message, static):
            heard[o if static else (o.parent, o.child)] = o

    subscriptions = [
        node.create_subscription(TFMessage, "/tf", lambda message: take(message, False), QoSProfile(depth=100)),
        node.create_subscription(TFMessage, "/tf_static", lambda message: take(message, True), QoSProfile(
            depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL))]
    try:
        await wait(node, min(seconds, _LONGEST) if seconds > 0 else _DEFAULT)
    finally:
        for subscription in subscriptions:
            node.destroy_subscription(subscription)
    return list(heard.values())


def find_publishers(node: Node) -> list[str]:
    """Who publishes TF, each as its topic and the full name of its node."""
    return sorted({f"{topic} {info.node_namespace.rstrip('/')}/{info.node_name}"
                   for topic in TOPICS for info in node.get_publishers_info_by_topic(topic)})
