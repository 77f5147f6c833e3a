"""The node `sdf_frames` with a lifecycle, for programs that manage nodes, such as Nav2's lifecycle manager.

| transition | what the node does |
| --- | --- |
| configure | reads and checks the description that its parameters give; fails if it is bad; answers requests |
| activate | publishes |
| deactivate | removes its publishers: late subscribers receive nothing |
| cleanup | forgets the description, and answers no more |
"""
from __future__ import annotations

from rclpy.lifecycle import LifecycleNode, State, TransitionCallbackReturn

from sdf_frames.ros.distributions import mend_transitions
from sdf_frames.ros.node import Shell


class SdfFramesLifecycleNode(Shell, LifecycleNode):
    """The node whose transitions determine when it reads, publishes and stops."""

    def mend_services(self) -> None:
        """Refuse invalid transitions, and report exceptions of the others."""
        mend_transitions(self, self.log.warning, self.report_fault)

    async def start(self) -> None:
        """Wait to be configured."""
        self.log.info("Waiting to be configured")

    def on_configure(self, state: State) -> TransitionCallbackReturn:
        """Read and check the description."""
        self.configure()
        if not self.read_now():
            self.clean_up()
            return TransitionCallbackReturn.FAILURE
        return TransitionCallbackReturn.SUCCESS

    def on_activate(self, state: State) -> TransitionCallbackReturn:
        """Publish."""
        self.activate()
        return TransitionCallbackReturn.SUCCESS

    def on_deactivate(self, state: State) -> TransitionCallbackReturn:
        """Stop publishing."""
        self.deactivate()
        return TransitionCallbackReturn.SUCCESS

    def on_cleanup(self, state: State) -> TransitionCallbackReturn:
        """Forget the description."""
        self.clean_up()
        return TransitionCallbackReturn.SUCCESS

    def on_shutdown(self, state: State) -> TransitionCallbackReturn:
        """Stop publishing, and forget the description."""
        self.on_deactivate(state)
        return self.on_cleanup(state)

    on_error = on_shutdown  # then the node can be configured again
