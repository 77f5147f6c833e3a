"""The node `sdf_frames` with a lifecycle, for those who manage their nodes' starts, such as Nav2's lifecycle manager.

| transition | what the node does |
| --- | --- |
| configure | reads and checks the description that its parameters give; fails if it is bad; answers requests |
| activate | publishes |
| deactivate | takes its publishers away: who comes later is given nothing |
| cleanup | forgets the description, and answers no more |
"""
from __future__ import annotations

from rclpy.lifecycle import LifecycleNode, State, TransitionCallbackReturn

from sdf_frames.ros.distributions import mend_transitions
from sdf_frames.ros.node import Shell


class SdfFramesLifecycleNode(Shell, LifecycleNode):
    """The node that is told when to read, when to publish, and when to stop."""

    def mend_services(self) -> None:
        """Refuse wrong transitions, and report what fails in the others."""
        mend_transitions(self, self.log.warning, self.report_fault)

    async def start(self) -> None:
        """Wait to be configured."""
        self.log.info("Waiting to be configured")

    def on_configure(self, state: State) -> TransitionCallbackReturn:
        """Read and check."""
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
        """Publish no more."""
        self.deactivate()
        return TransitionCallbackReturn.SUCCESS

    def on_cleanup(self, state: State) -> TransitionCallbackReturn:
        """Forget."""
        self.clean_up()
        return TransitionCallbackReturn.SUCCESS

    def on_error(self, state: State) -> TransitionCallbackReturn:
        """Publish no more, and forget: the node can be configured anew."""
        return self.on_shutdown(state)

    def on_shutdown(self, state: State) -> TransitionCallbackReturn:
        """Publish no more, and forget."""
        self.on_deactivate(state)
        return self.on_cleanup(state)
